//! `lyceum review open`

use lyceum_tools::ToolError;
use serde_json::json;

use super::Said;
use super::desk::Desk;
use crate::present::clean;

/// Print the folder of a review
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The review
    id: String,
}

/// Runs the subcommand.
pub(super) fn run(desk: &Desk<'_>, args: &Args) -> Result<Said, ToolError> {
    let id = desk.id(&args.id)?;
    let seen = desk.review(&id)?;
    let folder = desk.folder(&seen);
    Ok(Said::done(if desk.json {
        Desk::document(&json!({"review_id": id, "folder": folder}))
    } else {
        format!("{}\n", clean(&folder))
    }))
}
