//! `--watch`: checks again whenever a file that was read, or asked for, changes. Ends with success on an interrupt.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use lyceum_core::base::Language;
use lyceum_core::check::{Checked, FileStatus};
use lyceum_core::config::PROJECT_FILE;
use lyceum_io::watch;
use lyceum_tools::ToolError;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::{Job, config};
use crate::cli::{print, report_error};
use crate::present::{self, Shape};

/// Runs until it is interrupted.
pub(super) fn run(job: &Job<'_>) -> ExitCode {
    let ended = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Without a handler the signal ends the process, which is what was asked for too.
        let _ = signal_hook::flag::register(signal, Arc::clone(&ended));
    }
    let mut last = None;
    loop {
        let started = SystemTime::now();
        // The project's file may be what changed; one that cannot be read is told like any other error.
        let outcome = config(job.context, job.args).and_then(|config| {
            let fresh = Job { config, ..*job };
            fresh.look_once()
        });
        let watched = watched(job, outcome.as_ref().ok().map(|(checked, _)| checked));
        // Before the report is shown: who reads it may save at once.
        let seen = watch::look(&watched);
        if seen.is_newer_than(started) && last.as_ref() != Some(&seen) {
            last = Some(seen);
            continue;
        }
        show(job, &outcome);
        if job.context.terminal.stderr {
            eprintln!(
                "{}",
                match job.language {
                    Language::English => "watching; Ctrl-C ends",
                    Language::Chinese => "正在监视；按 Ctrl-C 结束",
                }
            );
        }
        last = Some(seen.clone());
        if !watch::wait_for_change(&watched, &seen, &ended) {
            return ExitCode::SUCCESS;
        }
    }
}

fn show(job: &Job<'_>, outcome: &Result<(Checked, present::Look), ToolError>) {
    if job.context.terminal.stdout && job.shape == Shape::Text {
        // Clear the screen and what was scrolled away.
        print("\u{1b}[2J\u{1b}[3J\u{1b}[H");
    }
    match outcome {
        Ok((checked, look)) => print(&present::report(checked, look, job.shape, None)),
        Err(error) => {
            report_error(error, job.language, job.shape == Shape::Json);
        }
    }
}

/// Every file whose change can change the report.
fn watched(job: &Job<'_>, checked: Option<&Checked>) -> Vec<(PathBuf, Vec<String>)> {
    let mut out = vec![(job.context.root(), vec![PROJECT_FILE.to_owned()])];
    match checked {
        Some(checked) => {
            let files = checked
                .papers
                .iter()
                .flat_map(|paper| &paper.report.coverage.files)
                .flat_map(|file| {
                    // `\input{a}` names a file that is not there yet without its ending.
                    let ending = (file.status == FileStatus::Unreadable)
                        .then(|| format!("{}.tex", file.path));
                    [Some(file.path.clone()), ending]
                })
                .flatten()
                .collect();
            if let Some(folder) = &checked.folder {
                out.push((PathBuf::from(folder), files));
            }
        }
        None => {
            // Nothing was read: wait for what was named, or for anything new in the folder.
            let named: Vec<String> = job
                .args
                .paths
                .iter()
                .map(|path| path.to_string_lossy().into_owned())
                .collect();
            let named = if named.is_empty() {
                vec![".".to_owned()]
            } else {
                named
            };
            out.push((job.context.cwd.clone(), named));
        }
    }
    out
}
