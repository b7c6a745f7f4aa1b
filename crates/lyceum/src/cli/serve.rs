//! `lyceum serve`: for programs that stay connected.

use std::process::ExitCode;

use clap::Subcommand;
use lyceum_tools::{ToolError, Toolset};

use crate::context::Context;
use crate::mcp;

/// Serve a program that stays connected
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Model Context Protocol over standard input and output
    Mcp {
        /// Which toolsets to offer; "all" for every one [default: toolsets of the configuration]
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        toolsets: Option<Vec<String>>,
    },
}

/// Runs the command.
pub(super) fn run(context: Context, args: &Args) -> ExitCode {
    let What::Mcp { toolsets } = &args.what;
    let root = context.root();
    if !root.is_dir() {
        eprintln!("lyceum: --root {}: no such folder", root.display());
        return ExitCode::from(2);
    }
    match sets(&context, toolsets.as_deref()) {
        Ok(sets) => mcp::serve(context, sets),
        Err(error) => {
            // Standard output belongs to the protocol.
            eprintln!("lyceum: {}", error.text());
            ExitCode::from(error.exit_code())
        }
    }
}

/// A configuration that cannot be read must not keep the server down: each call will tell of it.
fn sets(context: &Context, named: Option<&[String]>) -> Result<Vec<Toolset>, ToolError> {
    if let Some(names) = named {
        return Ok(Toolset::parse(names)?);
    }
    match context.config() {
        Ok(config) => Ok(Toolset::parse(config.list("toolsets"))?),
        Err(_) => Ok(Toolset::DEFAULT.to_vec()),
    }
}
