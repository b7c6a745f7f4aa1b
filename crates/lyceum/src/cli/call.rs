//! `lyceum call`: one operation, one JSON document.

use std::io::Read;
use std::process::ExitCode;

use lyceum_core::base::Actor;
use lyceum_tools::dispatch::dispatch;
use lyceum_tools::registry::Registry;
use lyceum_tools::{Answer, Call, Detail, ToolError};
use serde_json::Value;

use super::{print_error, print_json};
use crate::context::Context;

/// Most bytes of arguments.
const ARGUMENT_BYTES: u64 = 8 << 20;

/// Run one operation and print its result as one JSON document
#[derive(Debug, clap::Args)]
#[command(after_help = "Operations and their arguments: lyceum tools --markdown")]
pub(super) struct Args {
    /// The operation, such as check_text
    name: String,
    /// Its arguments as a JSON object, or - to read them from standard input
    #[arg(default_value = "{}", value_name = "JSON", allow_hyphen_values = true)]
    arguments: String,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> ExitCode {
    match answer(context, args) {
        Ok(answer) => {
            print_json(&answer.value);
            ExitCode::from(answer.standing.exit_code())
        }
        Err(error) => print_error(&error),
    }
}

fn answer(context: &Context, args: &Args) -> Result<Answer, ToolError> {
    let arguments = arguments(&args.arguments)?;
    let project = context.open()?;
    // Whatever a model could have typed counts as typed by one.
    let actor = Actor::Agent {
        host: String::new(),
        local: false,
    };
    dispatch(
        Registry::all(),
        &project.world(),
        &Call::plain(&actor),
        &args.name,
        arguments,
    )
}

fn arguments(text: &str) -> Result<Value, ToolError> {
    let wrong = |message: String| {
        ToolError::arguments(vec![Detail {
            pointer: String::new(),
            message,
        }])
    };
    let mut piped = String::new();
    let text = if text == "-" {
        std::io::stdin()
            .take(ARGUMENT_BYTES + 1)
            .read_to_string(&mut piped)
            .map_err(|error| wrong(format!("standard input: {error}")))?;
        if piped.len() as u64 > ARGUMENT_BYTES {
            return Err(wrong(format!("more than {ARGUMENT_BYTES} bytes")));
        }
        piped.as_str()
    } else {
        text
    };
    serde_json::from_str(text).map_err(|error| wrong(format!("not JSON: {error}")))
}
