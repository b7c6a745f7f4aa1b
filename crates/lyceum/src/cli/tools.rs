//! `lyceum tools`: what there is, as people, hosts and the manual read it.

use std::process::ExitCode;

use lyceum_tools::registry::Registry;
use lyceum_tools::{Toolset, price, reference};
use serde_json::Value;

use super::{print, print_error};

/// List the operations: for people, or as schema, manual or price list
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The array that tools/list answers with, as JSON
    #[arg(long, conflicts_with_all = ["tokens", "markdown"])]
    schema: bool,
    /// What each costs a conversation, in o200k tokens, as JSON
    #[arg(long, conflicts_with = "markdown")]
    tokens: bool,
    /// The reference manual, as Markdown
    #[arg(long)]
    markdown: bool,
    /// Only these toolsets; "all" for every one [default: check,review,study,record,lit; with --tokens and
    /// --markdown all]
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    toolsets: Option<Vec<String>>,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> ExitCode {
    let sets = match &args.toolsets {
        Some(names) => match Toolset::parse(names) {
            Ok(sets) => sets,
            Err(refusal) => return print_error(&refusal.into()),
        },
        None if args.tokens || args.markdown => Toolset::ALL.to_vec(),
        None => Toolset::DEFAULT.to_vec(),
    };
    if args.markdown {
        print(&reference::operations(&sets));
    } else if args.tokens {
        print(&pretty(&price::committed_for(&sets)));
    } else if args.schema {
        let menu: Vec<Value> = Registry::all()
            .of_sets(&sets)
            .map(|operation| operation.menu_entry())
            .collect();
        print(&pretty(&Value::Array(menu)));
    } else {
        for operation in Registry::all().of_sets(&sets) {
            print(&format!(
                "{:<16} {:<10} {}\n",
                operation.name,
                operation.toolset.as_str(),
                operation.title
            ));
        }
    }
    ExitCode::SUCCESS
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
