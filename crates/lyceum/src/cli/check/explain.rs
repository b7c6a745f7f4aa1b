//! `--explain`: the page of a rule, or the list of rules.

use std::process::ExitCode;

use lyceum_core::base::Language;
use lyceum_core::check::{Rule, manual, rule, unknown_rules, view};
use lyceum_tools::{Detail, ToolError};
use serde_json::{Value, json};

use crate::cli::{print, report_error};

/// Prints the page.
pub(super) fn run(wanted: Option<&str>, language: Language, json: bool) -> ExitCode {
    let Some(wanted) = wanted else {
        let rules: Vec<&Rule> = rule::all().collect();
        print(&list(&rules, language, json));
        return ExitCode::SUCCESS;
    };
    match rule::find(wanted) {
        Some(rule) if json => {
            print(&format!("{:#}\n", view::rule_object(rule, language)));
            ExitCode::SUCCESS
        }
        Some(rule) => {
            print(&manual::rule_page(rule, language, None));
            ExitCode::SUCCESS
        }
        None => {
            let details = unknown_rules(&[wanted.to_owned()])
                .into_iter()
                .map(|(_, message)| Detail {
                    pointer: "/explain".to_owned(),
                    message,
                })
                .collect();
            report_error(&ToolError::arguments(details), language, json)
        }
    }
}

fn list(rules: &[&Rule], language: Language, json: bool) -> String {
    if json {
        let rules: Vec<Value> = rules
            .iter()
            .map(|rule| view::rule_object(rule, language))
            .collect();
        return format!("{:#}\n", json!({"rules": rules}));
    }
    rules
        .iter()
        .map(|rule| {
            format!(
                "{:<8} {:<32} {}\n",
                rule.tier.as_str(),
                rule.id,
                rule.title.get(language)
            )
        })
        .collect()
}
