//! `lyceum review purge`

use std::fs;

use lyceum_core::base::{Fault, Refusal};
use lyceum_tools::operation::review::end;
use lyceum_tools::{Call, ToolError};
use serde_json::json;

use super::Said;
use super::desk::Desk;
use crate::person::Person;
use crate::present::clean;

/// Remove a review with everything it wrote; a receipt without any text stays
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The review
    id: String,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

/// Runs the subcommand.
pub(super) fn run(desk: &Desk<'_>, args: &Args) -> Result<Said, ToolError> {
    let id = desk.id(&args.id)?;
    if desk.is_person() && !args.yes {
        let mut person = Person::find(desk.context.host.as_deref())?;
        let question = format!(
            "{}  {}",
            clean(&id),
            desk.say(
                "Remove it with its reports, drafts and letter? [y/N] ",
                "确定删除该评审及其报告、草稿和决定信？[y/N] "
            )
        );
        let answer = person.terminal.ask(&question).ok().flatten();
        if !answer.is_some_and(|answer| matches!(answer.trim(), "y" | "Y" | "yes" | "是")) {
            return Err(Refusal::new(
                "confirmation_missing",
                "nothing was removed",
                "Answer y to remove it.",
            )
            .in_chinese("未删除任何内容", "输入 y 以确认删除。")
            .into());
        }
    }
    let world = desk.project.world();
    let receipt = end::purge(&world, &Call::plain(&desk.actor), &id)?;
    remove_forms(desk, &id)?;
    Ok(Said::done(if desk.json {
        Desk::document(&json!({"ok": true, "receipt": receipt}))
    } else {
        format!(
            "{} {}. {}\n",
            desk.say("Removed", "已删除"),
            clean(&id),
            desk.say(
                "A receipt of hashes stays in .lyceum/receipts.json",
                "仅含哈希值的收据保存在 .lyceum/receipts.json"
            )
        )
    }))
}

/// Forms that were being filled in go with it.
fn remove_forms(desk: &Desk<'_>, id: &str) -> Result<(), Fault> {
    let Ok(entries) = fs::read_dir(desk.forms()) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let ours = name
            .to_str()
            .and_then(|name| name.strip_prefix(id))
            .is_some_and(|rest| rest.starts_with('.'));
        if ours {
            fs::remove_file(entry.path()).map_err(|error| Fault {
                code: "file_not_written",
                place: entry.path().display().to_string(),
                source_text: error.to_string(),
                retryable: false,
            })?;
        }
    }
    Ok(())
}
