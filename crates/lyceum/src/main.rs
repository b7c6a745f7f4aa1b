//! The `lyceum` binary: reads the command line and the environment once, and hands both on.

mod cli;
mod context;
mod mcp;
mod person;
mod present;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
