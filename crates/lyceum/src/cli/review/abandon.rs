//! `lyceum review abandon`

use lyceum_tools::operation::review::end;
use lyceum_tools::{Call, ToolError};

use super::Said;
use super::desk::Desk;
use super::status;

/// Give a review up; what was written stays
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The review
    id: String,
    /// Why, in your words
    #[arg(long)]
    reason: String,
}

/// Runs the subcommand.
pub(super) fn run(desk: &Desk<'_>, args: &Args) -> Result<Said, ToolError> {
    let id = desk.id(&args.id)?;
    let world = desk.project.world();
    end::abandon(&world, &Call::plain(&desk.actor), &id, &args.reason)?;
    status::one(desk, &id)
}
