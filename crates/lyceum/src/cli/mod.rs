//! The command line: hand-written for people, every operation through the same dispatch.

mod call;
mod serve;
mod tools;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lyceum_tools::ToolError;
use serde_json::Value;

use crate::context::Context;

/// A research workbench that keeps the receipts.
#[derive(Debug, Parser)]
#[command(name = "lyceum", version, propagate_version = true)]
struct Cli {
    /// The root of the project [default: the nearest folder with lyceum.toml, .lyceum, .git or the like]
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Call(call::Args),
    Tools(tools::Args),
    Serve(serve::Args),
}

/// Runs the command line of the process.
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    let context = Context::of_process(cli.root);
    match cli.command {
        Command::Call(args) => call::run(&context, &args),
        Command::Tools(args) => tools::run(&args),
        Command::Serve(args) => serve::run(context, &args),
    }
}

/// Writes to standard output. A reader that left early is no failure.
fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints one JSON document, on one line.
fn print_json(value: &Value) {
    print(&format!("{value}\n"));
}

/// Prints an error as its document, and a bug on standard error too.
fn print_error(error: &ToolError) -> ExitCode {
    print_json(&error.document());
    ExitCode::from(error.exit_code())
}
