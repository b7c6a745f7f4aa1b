//! The notes of a referee: what rules located, and room for what only a person can say. Nothing here is written by a
//! model, and nothing here decides.

use std::fmt::Write;

use lyceum_core::check::{Checked, Tier};

use super::clean::clean;
use super::{Look, Placed, shown};

/// How the first line of such a file begins.
pub(crate) const MARK: &str = "<!-- lyceum-referee-notes/1 paper=";

/// The whole file. `name` is the paper as the person named it, `sha256` the hash of its bytes.
pub(crate) fn notes(checked: &Checked, look: &Look, name: &str, sha256: &str) -> String {
    let mut out = format!("{MARK}{sha256} -->\n");
    let _ = writeln!(
        out,
        "# {} {}\n",
        look.say("Notes on", "审稿笔记："),
        plain(name)
    );
    out.push_str(look.say(
        "Yours alone: the manuscript is confidential, and so is this file. Lyceum located the problems below by rules and \
         wrote nothing else. It gives no recommendation.\n",
        "仅供您本人使用：稿件与本文件均须保密。以下问题由 Lyceum 按规则定位，其余内容均未生成，也不给出任何建议结论。\n",
    ));
    let _ = writeln!(out, "\n## {}\n", look.say("To the authors", "致作者"));
    let all = shown(checked, look);
    let _ = writeln!(
        out,
        "### {}\n",
        look.say("Located problems", "已定位的问题")
    );
    if all.is_empty() {
        let none = look.say("The rules found none.", "规则未发现问题。");
        let _ = writeln!(out, "{none}");
    }
    for one in &all {
        problem(&mut out, one, look);
    }
    let unread: Vec<String> = unread(checked, look);
    if !unread.is_empty() {
        let _ = writeln!(out, "\n### {}\n", look.say("Not read", "未能读取"));
        for line in unread {
            let _ = writeln!(out, "- {line}");
        }
    }
    let _ = writeln!(out, "\n### {}\n\n", look.say("Your points", "您的意见"));
    let _ = writeln!(out, "## {}\n\n", look.say("To the editor", "致编辑"));
    out
}

fn problem(out: &mut String, one: &Placed<'_>, look: &Look) {
    let tier = match one.problem.tier {
        Tier::Error => look.say("error", "错误"),
        Tier::Warning => look.say("warning", "警告"),
        Tier::Opinion => look.say("opinion", "意见"),
    };
    let _ = writeln!(
        out,
        "- {}:{}: {tier}: {} ({})",
        plain(&look.path(one.file)),
        one.start.line,
        plain(one.problem.message.get(look.language)),
        one.problem.rule,
    );
    let quote = plain(&one.problem.quote);
    if !quote.trim().is_empty() {
        let _ = writeln!(out, "  > {quote}");
    }
}

fn unread(checked: &Checked, look: &Look) -> Vec<String> {
    let mut lines = Vec::new();
    for paper in &checked.papers {
        for file in &paper.report.coverage.files {
            for note in &file.notes {
                let line = format!(
                    "{}: {}",
                    plain(&look.path(&file.path)),
                    plain(note.words.get(look.language))
                );
                if !lines.contains(&line) && lines.len() < 50 {
                    lines.push(line);
                }
            }
        }
    }
    lines
}

/// Text of the paper as plain words of Markdown: no mark-up, no HTML, one line.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '$' | '~' | '!'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
