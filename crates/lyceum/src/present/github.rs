//! Annotations for GitHub Actions: workflow commands on standard output.

use std::fmt::Write;

use lyceum_core::base::Language;
use lyceum_core::check::{Checked, Tier};

use super::clean::clean;
use super::{Look, shown};

/// Writes one command a problem and a line for the log.
pub(super) fn report(checked: &Checked, look: &Look) -> String {
    let mut out = String::new();
    for one in shown(checked, look) {
        let found = one.problem;
        let level = match found.tier {
            Tier::Error => "error",
            Tier::Warning => "warning",
            Tier::Opinion => "notice",
        };
        let message = format!(
            "{}\n{}",
            clean(found.message.get(look.language)),
            clean(found.hint.get(look.language))
        );
        let _ = writeln!(
            out,
            "::{level} file={},line={},endLine={},col={},endColumn={},title={}::{}",
            property(&look.path(one.file)),
            one.start.line,
            one.end.line.max(one.start.line),
            one.start.column,
            one.end.column,
            property(found.rule),
            data(message.trim_end())
        );
    }
    for note in gaps(checked, look.language) {
        let _ = writeln!(out, "::warning title=coverage::{}", data(&clean(note)));
    }
    let _ = writeln!(
        out,
        "lyceum: {} errors, {} warnings, {} opinions",
        checked.count(Tier::Error),
        checked.count(Tier::Warning),
        checked.count(Tier::Opinion)
    );
    out
}

/// What says which files could not be read.
pub(super) fn gaps(checked: &Checked, language: Language) -> impl Iterator<Item = &str> {
    checked
        .papers
        .iter()
        .flat_map(|paper| &paper.report.coverage.files)
        .filter(|file| file.status == lyceum_core::check::FileStatus::Unreadable)
        .flat_map(|file| &file.notes)
        .map(move |note| note.words.get(language))
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
