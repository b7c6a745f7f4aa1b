//! `--changed`: only what stands in lines that git does not know yet.

use std::path::Path;

use lyceum_core::base::{Failure, Fault};
use lyceum_core::check::{ChangedLines, Checked};
use lyceum_io::git;
use lyceum_tools::ToolError;

/// Keeps the problems that touch a changed line.
pub(super) fn keep(checked: &mut Checked, since: Option<&str>) -> Result<(), ToolError> {
    let Some(folder) = checked.folder.clone() else {
        return Err(Fault {
            code: "git_failed",
            place: "git".to_owned(),
            source_text: "the folder has a name that is not Unicode".to_owned(),
            retryable: false,
        }
        .into());
    };
    let mut names: Vec<String> = checked
        .papers
        .iter()
        .flat_map(|paper| &paper.paper.manuscript.sources)
        .map(|source| source.path.clone())
        .collect();
    names.sort();
    names.dedup();
    let versions =
        git::versions(Path::new(&folder), since, &names).map_err(|failure| match failure {
            Failure::Refusal(refusal) => ToolError::from(refusal),
            Failure::Fault(fault) => ToolError::from(fault),
        })?;
    for paper in &mut checked.papers {
        let sources = &paper.paper.manuscript.sources;
        let changes: Vec<ChangedLines> = sources
            .iter()
            .map(|source| match versions.get(&source.path) {
                Some(Some(old)) => ChangedLines::between(old, source),
                _ => ChangedLines::All,
            })
            .collect();
        paper.report.keep(|problem| {
            let file = problem.span.file.0 as usize;
            match (changes.get(file), sources.get(file)) {
                (Some(changes), Some(source)) => changes.touch(problem, source),
                _ => true,
            }
        });
    }
    Ok(())
}
