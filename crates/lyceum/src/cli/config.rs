//! `lyceum config`: what holds, where it comes from, what a key means.

use std::process::ExitCode;

use clap::Subcommand;
use lyceum_core::base::{Language, Refusal};
use lyceum_core::config::{self, Config, Key, PROJECT_FILE, Scope, Setting, Value};
use lyceum_tools::ToolError;
use serde_json::{Value as Json, json};

use super::{print, report_error};
use crate::context::Context;
use crate::present::clean;

/// Show the configuration, its files, or the meaning of a key
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Every setting that holds, with its origin
    Show,
    /// The files that are read, whether they are there or not
    Path,
    /// What a key does, takes, and holds now
    Explain {
        /// The key, such as check.profile
        key: String,
    },
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> ExitCode {
    let done = match &args.what {
        What::Path => Ok(paths(context, args.json)),
        What::Show => context
            .config()
            .map(|config| show(&config, language(context, &config), args.json)),
        What::Explain { key } => explain(context, key, args.json),
    };
    match done {
        Ok(text) => {
            print(&text);
            ExitCode::SUCCESS
        }
        Err(error) => report_error(&error, context.locale, args.json),
    }
}

fn language(context: &Context, config: &Config) -> Language {
    config.language().unwrap_or(context.locale)
}

fn paths(context: &Context, json: bool) -> String {
    let project = context.root().join(PROJECT_FILE);
    let rows = [
        ("user", context.user_file.clone()),
        ("project", Some(project)),
    ];
    if json {
        let object: serde_json::Map<String, Json> = rows
            .into_iter()
            .map(|(name, path)| {
                let there = path.as_ref().is_some_and(|path| path.is_file());
                let path = path.map(|path| path.display().to_string());
                (name.to_owned(), json!({"path": path, "exists": there}))
            })
            .collect();
        return format!("{:#}\n", Json::Object(object));
    }
    rows.into_iter()
        .filter_map(|(name, path)| Some((name, path?)))
        .map(|(name, path)| {
            let there = if path.is_file() { "" } else { "  (not there)" };
            format!("{name:<8} {}{there}\n", clean(&path.display().to_string()))
        })
        .collect()
}

fn show(config: &Config, language: Language, json: bool) -> String {
    if json {
        let settings: Vec<Json> = config.settings().iter().map(object).collect();
        let notices: Vec<&str> = config
            .notices
            .iter()
            .map(|notice| notice.words.get(language))
            .collect();
        let waivers: Vec<Json> = config
            .waivers
            .waivers
            .iter()
            .map(|w| json!({"rule": w.rule, "path": w.path, "quote": w.quote, "reason": w.reason}))
            .collect();
        let value = json!({"settings": settings, "waivers": waivers, "notices": notices});
        return format!("{value:#}\n");
    }
    let mut out = String::new();
    for setting in config.settings() {
        let line = format!("{} = {}", setting.path, written(&shown(setting)));
        out.push_str(&format!(
            "{:<60}  # {}\n",
            clean(&line),
            clean(&setting.origin.describe())
        ));
    }
    for waiver in &config.waivers.waivers {
        out.push_str(&format!(
            "{:<60}  # {}\n",
            clean(&format!("check.waiver = {}", waiver.rule)),
            clean(&waiver.reason)
        ));
    }
    for notice in &config.notices {
        out.push_str(&format!("# {}\n", clean(notice.words.get(language))));
    }
    out
}

fn object(setting: &Setting) -> Json {
    json!({
        "key": setting.path,
        "value": shown(setting),
        "origin": setting.origin.kind(),
        "where": setting.origin.describe(),
    })
}

/// The value, unless somebody wrote a key itself where the name of its variable belongs.
fn shown(setting: &Setting) -> Json {
    let secret = setting.path.starts_with("keys.")
        && !matches!(&setting.value, Value::Other(Json::String(name))
            if name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'));
    if secret {
        return json!("(hidden)");
    }
    serde_json::to_value(&setting.value).unwrap_or(Json::Null)
}

/// A value as TOML would write it, near enough for a reader.
fn written(value: &Json) -> String {
    value.to_string()
}

fn explain(context: &Context, name: &str, json: bool) -> Result<String, ToolError> {
    let key = config::find(name)
        .or_else(|| config::KEYS.iter().find(|key| key.path == name))
        .ok_or_else(|| unknown(name))?;
    let config = context.config()?;
    let language = language(context, &config);
    let now = config.get(name);
    if json {
        let value = json!({
            "key": key.path,
            "takes": key.kind.describe(),
            "default": key.default,
            "scope": match key.scope {
                Scope::Project => "project or user",
                Scope::User => "user only",
            },
            "environment": key.variable(),
            "description": key.says.get(language),
            "example": key.example,
            "now": now.map(object),
        });
        return Ok(format!("{value:#}\n"));
    }
    Ok(page(key, now, language))
}

fn page(key: &Key, now: Option<&Setting>, language: Language) -> String {
    let zh = language == Language::Chinese;
    let say = |en: &'static str, chinese: &'static str| if zh { chinese } else { en };
    let mut out = format!("{}\n{}\n\n", key.path, key.says.get(language));
    let mut row = |name: &str, value: &str| out.push_str(&format!("  {name}: {value}\n"));
    row(say("takes", "取值"), &key.kind.describe());
    row(
        say("default", "默认"),
        if key.default.is_empty() {
            say("none", "无")
        } else {
            key.default
        },
    );
    row(
        say("allowed in", "可写在"),
        match key.scope {
            Scope::Project => say(
                "lyceum.toml and the user's config.toml",
                "lyceum.toml 和用户的 config.toml",
            ),
            Scope::User => say("the user's config.toml only", "仅用户的 config.toml"),
        },
    );
    if let Some(variable) = key.variable() {
        row(say("environment", "环境变量"), &variable);
    }
    if let Some(setting) = now {
        let value = format!(
            "{} ({})",
            written(&shown(setting)),
            setting.origin.describe()
        );
        row(say("now", "当前"), &clean(&value));
    }
    out.push_str(&format!("\n{}\n", key.example));
    out
}

fn unknown(name: &str) -> ToolError {
    let (hint, hint_zh) = match config::nearest(name) {
        Some(near) => (
            format!("Did you mean {near}?"),
            format!("是否应为 {near}？"),
        ),
        None => (
            "Take a key from lyceum config show.".to_owned(),
            "请使用 lyceum config show 列出的键。".to_owned(),
        ),
    };
    Refusal::new("unknown_key", format!("no key is called {name}"), hint)
        .in_chinese(format!("没有名为 {name} 的键"), hint_zh)
        .into()
}
