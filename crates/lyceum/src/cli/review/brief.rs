//! `lyceum review brief`: what a seat reads, for whoever fills it.

use std::path::PathBuf;

use lyceum_core::base::{Fault, Refusal};
use lyceum_io::write_new;
use lyceum_tools::ToolError;
use serde_json::{Value, json};

use super::Said;
use super::desk::Desk;
use super::show::seat;
use crate::present::{clean, json as harmless_json};

/// What a seat reads: role, card, duty, what the rules found, the paper. Give it to whoever fills the seat
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The review
    id: String,
    /// eic, methodology, domain, perspective or da
    seat: String,
    /// Write it to a new file instead of printing it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the subcommand.
pub(super) fn run(desk: &Desk<'_>, args: &Args) -> Result<Said, ToolError> {
    let id = desk.id(&args.id)?;
    let seat = seat(&args.seat)?.as_str();
    let whole = whole(desk, &id, seat)?;
    if let Some(out) = &args.out {
        let path = desk.started.cwd.join(out);
        let text = document(&whole, &id, seat);
        write(&path, &text)?;
        if desk.json {
            let value = json!({"review_id": id, "seat_id": seat, "path": path.display().to_string(),
                "sha256": whole["sha256"]});
            return Ok(Said::done(Desk::document(&value)));
        }
        return Ok(Said::done(format!(
            "{}\n",
            clean(&path.display().to_string())
        )));
    }
    Ok(Said::done(if desk.json {
        Desk::document(&whole)
    } else {
        lines(&document(&whole, &id, seat))
    }))
}

/// The whole brief: an answer is cut into pages.
pub(super) fn whole(desk: &Desk<'_>, id: &str, seat: &str) -> Result<Value, ToolError> {
    let mut value = desk
        .call(
            "academic_review_brief",
            json!({"review_id": id, "seat_id": seat}),
        )?
        .value;
    let mut text = value["brief"].as_str().unwrap_or("").to_owned();
    let mut cursor = value["more"]["cursor"].as_str().map(str::to_owned);
    while let Some(at) = cursor {
        let args = json!({"review_id": id, "seat_id": seat, "cursor": at});
        let page = desk.call("academic_review_brief", args)?.value;
        text.push_str(page["brief"].as_str().unwrap_or(""));
        cursor = page["more"]["cursor"].as_str().map(str::to_owned);
    }
    value["brief"] = json!(text);
    if let Some(map) = value.as_object_mut() {
        map.shift_remove("more");
    }
    Ok(value)
}

/// The brief as a file: how to hand in, then the text.
pub(super) fn document(whole: &Value, id: &str, seat: &str) -> String {
    let token = whole["token"].as_str().unwrap_or("");
    format!(
        "Hand the report in with academic_review_submit (MCP) or\n\
         lyceum call academic_review_submit '{{\"review_id\": \"{id}\", \"seat_id\": \"{seat}\", \"token\": \"{token}\", \
         \"report\": {{…}}}}'\n\n{}\n",
        whole["brief"].as_str().unwrap_or("").trim_end()
    )
}

/// Writes a brief to a path that is free; only the user may read it.
pub(super) fn write(path: &std::path::Path, text: &str) -> Result<(), ToolError> {
    write_new(path, text.as_bytes(), true).map_err(|error| {
        let shown = path.display().to_string();
        if error.kind() == std::io::ErrorKind::AlreadyExists {
            return Refusal::new(
                "path_taken",
                format!("{shown} is there already"),
                "Name a new file.",
            )
            .in_chinese(format!("{shown} 已存在"), "请指定新的文件。")
            .into();
        }
        Fault {
            code: "file_not_written",
            place: shown,
            source_text: error.to_string(),
            retryable: false,
        }
        .into()
    })
}

/// Lines with what could move a cursor spelt out.
fn lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(clean).collect();
    harmless_json(&lines.join("\n"))
}
