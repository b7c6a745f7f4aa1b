//! `lyceum referee`: help with somebody else's manuscript. What rules locate, a file for the person's own words, and
//! nothing else; the text goes to nobody.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lyceum_core::base::{Confidentiality, Fault, Language, Refusal, Sha256};
use lyceum_core::text::Budget;
use lyceum_io::{read_optional, write_new};
use lyceum_tools::ToolError;
use serde_json::json;

use super::check::{self, Lang};
use super::{print, report_error};
use crate::context::Context;
use crate::present::{self, Shape, clean, notes};

/// Help with a manuscript you referee: located problems and a file for your notes; nothing leaves this machine
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Lyceum writes no prose for you and recommends nothing: journals ask for your own judgement.\n\
                        Exit codes: 0 done, 2 usage, 4 refused, 5 the system failed."
)]
pub(super) struct Args {
    /// The manuscript, or with --purge a manuscript or a file of notes
    #[arg(value_name = "PAPER")]
    paper: PathBuf,
    /// Where the notes go; a new file [default: beside the paper, NAME.referee-notes.md]
    #[arg(long, value_name = "FILE", conflicts_with = "purge")]
    notes: Option<PathBuf>,
    /// Remove the notes on this paper once you have sent your report; asks before it does
    #[arg(long)]
    purge: bool,
    /// With --purge: do not ask
    #[arg(long, requires = "purge")]
    yes: bool,
    /// Language of messages and notes [default: by the locale]
    #[arg(long, value_name = "LANG")]
    lang: Option<Lang>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> ExitCode {
    let done = if args.purge {
        purge(context, args)
    } else {
        take_notes(context, args)
    };
    match done {
        Ok(text) => {
            print(&text);
            ExitCode::SUCCESS
        }
        Err(error) => report_error(&error, language(context, args), args.json),
    }
}

fn language(context: &Context, args: &Args) -> Language {
    match args.lang {
        Some(lang) => lang.language(),
        None => match context.config() {
            Ok(config) => config.language().unwrap_or(context.locale),
            Err(_) => context.locale,
        },
    }
}

fn take_notes(context: &Context, args: &Args) -> Result<String, ToolError> {
    let paper = context.cwd.join(&args.paper);
    if paper.is_dir() {
        return Err(not_a_paper(&args.paper).into());
    }
    // Nothing is written for somebody who may not see the text.
    let (checked, look, declared) = check::refereed(context, &args.paper, args.lang)?;
    let bytes = read_optional(&paper, Budget::default().file_bytes)?.unwrap_or_default();
    let sha256 = Sha256::of(&bytes);
    let name = args.paper.display().to_string();
    let text = notes::notes(&checked, &look, &name, &sha256.to_string());
    let path = write_notes(context, args, &paper, &text)?;
    let shown = path
        .strip_prefix(&context.cwd)
        .unwrap_or(&path)
        .display()
        .to_string();
    if args.json {
        let problems = present::report(&checked, &look, Shape::Json, None);
        let problems: serde_json::Value = serde_json::from_str(&problems).unwrap_or_default();
        let value = json!({
            "paper": {"path": name, "sha256": sha256},
            "notes": shown,
            "confidentiality": "referee",
            "check": problems,
        });
        return Ok(present::json(&format!("{value:#}\n")));
    }
    let mut out = present::report(&checked, &look, Shape::Text, None);
    out.push('\n');
    out.push_str(&after(&shown, &name, declared, look.language));
    Ok(out)
}

fn after(notes: &str, paper: &str, declared: Confidentiality, language: Language) -> String {
    let (notes, paper) = (clean(notes), clean(paper));
    let mut out = match language {
        Language::English => format!(
            "Your notes: {notes}\n  Sections \"To the authors\" and \"To the editor\"; the located problems are in the first. \
             The rest is yours to write.\n  After you have sent your report: lyceum referee --purge {paper}\n"
        ),
        Language::Chinese => format!(
            "审稿笔记：{notes}\n  分为“致作者”和“致编辑”两部分；已定位的问题列在前者中，其余由您撰写。\n  \
             提交审稿意见后：lyceum referee --purge {paper}\n"
        ),
    };
    if declared != Confidentiality::Referee {
        out.push_str(match language {
            Language::English => {
                "  An agent that you start in this folder can read the paper. To have Lyceum refuse it too, write\n  \
                 confidentiality = \"referee\" into lyceum.toml here.\n"
            }
            Language::Chinese => {
                "  在此文件夹中启动的代理可以读到该稿件。若要 Lyceum 也拒绝代理读取，\n  \
                 请在此处的 lyceum.toml 中写入 confidentiality = \"referee\"。\n"
            }
        });
    }
    out
}

/// Writes the notes to a path that was free: the one that was named, else the first beside the paper.
fn write_notes(
    context: &Context,
    args: &Args,
    paper: &Path,
    text: &str,
) -> Result<PathBuf, ToolError> {
    let candidates: Vec<PathBuf> = match &args.notes {
        Some(named) => vec![context.cwd.join(named)],
        None => (1..100).map(|n| beside(paper, n)).collect(),
    };
    for path in &candidates {
        match write_new(path, text.as_bytes(), true) {
            Ok(()) => return Ok(path.clone()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(Fault {
                    code: "file_not_written",
                    place: path.display().to_string(),
                    source_text: error.to_string(),
                    retryable: false,
                }
                .into());
            }
        }
    }
    let shown = candidates
        .first()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    Err(Refusal::new(
        "path_taken",
        format!("{shown} is there already, and notes are never overwritten"),
        "Name another file: --notes FILE",
    )
    .in_chinese(
        format!("{shown} 已存在，笔记不会被覆盖"),
        "请指定其他文件：--notes FILE",
    )
    .into())
}

fn beside(paper: &Path, n: usize) -> PathBuf {
    let stem = paper.file_stem().unwrap_or_default().to_string_lossy();
    let number = if n == 1 {
        String::new()
    } else {
        format!("-{n}")
    };
    paper.with_file_name(format!("{stem}.referee-notes{number}.md"))
}

fn not_a_paper(path: &Path) -> Refusal {
    let shown = path.display();
    Refusal::new(
        "not_a_paper",
        format!("{shown} is a folder"),
        "Name the main file of the manuscript.",
    )
    .in_chinese(format!("{shown} 是文件夹"), "请指定稿件的主文件。")
}

/// What a person wrote, a person removes.
fn person_required(host: &str) -> Refusal {
    Refusal::new(
        "person_required",
        format!("only a person removes this, and {host} started the command"),
        "Stop and tell the user: they can run the command in a terminal of their own.",
    )
    .in_chinese(
        format!("只能由人删除，而此命令由 {host} 启动"),
        "请停止并告知用户：可在自己的终端中运行该命令。",
    )
}

/// The files of notes that a path means: itself when it is one, else those beside the paper.
fn found(path: &Path) -> Result<Vec<(PathBuf, Sha256)>, ToolError> {
    let marked = |path: &Path| -> Result<Option<Sha256>, ToolError> {
        let bytes = read_optional(path, Budget::default().file_bytes)?;
        Ok(bytes
            .filter(|bytes| bytes.starts_with(notes::MARK.as_bytes()))
            .map(|bytes| Sha256::of(&bytes)))
    };
    if let Some(hash) = marked(path)? {
        return Ok(vec![(path.to_path_buf(), hash)]);
    }
    let mut all = Vec::new();
    for n in 1..100 {
        let candidate = beside(path, n);
        if let Some(hash) = marked(&candidate)? {
            all.push((candidate, hash));
        }
    }
    Ok(all)
}

fn purge(context: &Context, args: &Args) -> Result<String, ToolError> {
    let language = language(context, args);
    if let Some(host) = &context.host {
        return Err(person_required(host).into());
    }
    let all = found(&context.cwd.join(&args.paper))?;
    if all.is_empty() {
        let shown = args.paper.display();
        return Err(Refusal::new(
            "notes_not_found",
            format!("there are no notes of lyceum referee on {shown}"),
            "Name the paper, or the file of notes itself.",
        )
        .in_chinese(
            format!("没有关于 {shown} 的审稿笔记"),
            "请指定稿件，或直接指定笔记文件。",
        )
        .into());
    }
    if !args.yes && !agreed(&all, language)? {
        return Ok(match language {
            Language::English => "Nothing was removed.\n".to_owned(),
            Language::Chinese => "未删除任何文件。\n".to_owned(),
        });
    }
    let mut removed = Vec::new();
    for (path, hash) in all {
        fs::remove_file(&path).map_err(|error| Fault {
            code: "file_not_written",
            place: path.display().to_string(),
            source_text: error.to_string(),
            retryable: false,
        })?;
        removed.push((path, hash));
    }
    if args.json {
        let list: Vec<_> = removed
            .iter()
            .map(|(path, hash)| json!({"path": path.display().to_string(), "sha256": hash}))
            .collect();
        return Ok(format!("{:#}\n", json!({"removed": list})));
    }
    let word = match language {
        Language::English => "removed",
        Language::Chinese => "已删除",
    };
    Ok(removed
        .iter()
        .map(|(path, hash)| {
            format!(
                "{word} {} ({})\n",
                clean(&path.display().to_string()),
                hash.short()
            )
        })
        .collect())
}

/// Asks before anything a person wrote is removed.
fn agreed(all: &[(PathBuf, Sha256)], language: Language) -> Result<bool, ToolError> {
    if !io::stdin().is_terminal() {
        return Err(Refusal::new(
            "confirmation_missing",
            "notes are removed only after a yes, and nobody is here to ask",
            "Run it in a terminal, or add --yes.",
        )
        .in_chinese(
            "删除笔记前需要确认，而此处无法询问",
            "请在终端中运行，或加上 --yes。",
        )
        .into());
    }
    let mut err = io::stderr().lock();
    for (path, _) in all {
        let _ = writeln!(err, "{}", clean(&path.display().to_string()));
    }
    let _ = write!(
        err,
        "{} ",
        match language {
            Language::English => "Remove? What you wrote there is gone then. [y/N]",
            Language::Chinese => "确定删除？其中您写的内容将无法恢复。[y/N]",
        }
    )
    .and_then(|()| err.flush());
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    Ok(read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes" | "是"))
}
