//! The `lyceum` binary: reads the command line and the environment once, and hands both on.

mod cli;
mod context;
mod mcp;
mod present;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
