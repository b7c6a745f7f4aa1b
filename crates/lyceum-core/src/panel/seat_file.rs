//! The two files of a committed report: `seats/<id>.json` for programs, `seats/<id>.md` for people.

use serde_json::json;

use super::disk::{Evidence, Finding, Provenance, Seat, SeatAdditions, State};
use super::prose::{inline, paragraphs};
use super::types::{SeatId, Severity, Verdict};
use crate::base::{Language, Say};
use crate::store::NewFile;

/// Both files of a seat that has submitted; none of another.
#[must_use]
pub fn files(state: &State, id: SeatId, language: Language) -> Vec<NewFile> {
    let Some(seat) = state.seat(id) else {
        return Vec::new();
    };
    if seat.report.is_none() {
        return Vec::new();
    }
    let added = state.lyceum.seats.get(&id).cloned().unwrap_or_default();
    let file = |ending: &str, bytes| NewFile {
        path: format!("seats/{}.{ending}", id.as_str()),
        bytes,
    };
    vec![
        file("json", as_json(state, seat, &added)),
        file(
            "md",
            as_markdown(state, seat, &added, language).into_bytes(),
        ),
    ]
}

fn as_json(state: &State, seat: &Seat, added: &SeatAdditions) -> Vec<u8> {
    let value = json!({
        "review_id": state.review_id,
        "paper_sha256": state.paper.sha256,
        "seat_id": seat.seat_id,
        "role_marker": seat.role_marker,
        "submitted_at": seat.submitted_at,
        "report": seat.report,
        "lyceum": {
            "dimensions": added.dimensions,
            "token_used": added.token_used,
            "provenance_class": added.provenance_class,
        },
    });
    let mut bytes = serde_json::to_vec_pretty(&value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The words for people of a recommendation.
#[must_use]
pub const fn verdict_words(verdict: Verdict) -> Say {
    match verdict {
        Verdict::Accept => Say::new("Accept", "接受"),
        Verdict::MinorRevision => Say::new("Minor revision", "小修"),
        Verdict::MajorRevision => Say::new("Major revision", "大修"),
        Verdict::Reject => Say::new("Reject", "拒稿"),
    }
}

/// The words for people of a severity.
#[must_use]
pub const fn severity_words(severity: Severity) -> Say {
    match severity {
        Severity::Critical => Say::new("critical", "致命"),
        Severity::Major => Say::new("major", "主要"),
        Severity::Minor => Say::new("minor", "次要"),
        Severity::Comment => Say::new("comment", "建议"),
    }
}

/// The words for people of a seat.
#[must_use]
pub const fn seat_words(seat: SeatId) -> Say {
    match seat {
        SeatId::Eic => Say::new(seat.title(), "期刊契合度审稿人"),
        SeatId::Methodology => Say::new(seat.title(), "同行审稿人 1（方法）"),
        SeatId::Domain => Say::new(seat.title(), "同行审稿人 2（领域）"),
        SeatId::Perspective => Say::new(seat.title(), "同行审稿人 3（跨学科视角）"),
        SeatId::Da => Say::new(seat.title(), "魔鬼代言人"),
    }
}

fn as_markdown(state: &State, seat: &Seat, added: &SeatAdditions, language: Language) -> String {
    let say = |en: &'static str, zh: &'static str| Say::new(en, zh).get(language);
    let Some(report) = &seat.report else {
        return String::new();
    };
    let submitted = seat
        .submitted_at
        .map_or_else(String::new, |at| at.to_string());
    let mut out = format!(
        "# {}\n\n- {}: `{}`\n- {}: `{}`\n- {}: {submitted}\n- {}: {}\n- {}\n\n## {}\n\n{}\n\n## {}\n",
        seat_words(seat.seat_id).get(language),
        say("Review", "评审"),
        state.review_id,
        say("Paper, SHA-256", "论文 SHA-256"),
        state.paper.sha256,
        say("Submitted", "提交时间"),
        say("Recommendation", "建议"),
        verdict_words(report.verdict).get(language),
        provenance(&report.provenance, added, language),
        say("Summary", "总评"),
        or_none(paragraphs(&report.summary), language),
        say("Findings", "意见"),
    );
    if report.findings.is_empty() {
        out.push_str(&format!("\n{}\n", say("None.", "无。")));
    }
    for finding in &report.findings {
        out.push_str(&one(finding, language));
    }
    if !added.dimensions.is_empty() {
        out.push_str(&dimensions(added, language));
    }
    out
}

fn or_none(text: String, language: Language) -> String {
    if text.is_empty() {
        Say::new("None.", "无。").get(language).to_owned()
    } else {
        text
    }
}

fn provenance(provenance: &Provenance, added: &SeatAdditions, language: Language) -> String {
    let say = |en: &'static str, zh: &'static str| Say::new(en, zh).get(language);
    let yes_no = |flag: Option<bool>| match flag {
        Some(true) => say("yes", "是"),
        Some(false) => say("no", "否"),
        None => say("not said", "未说明"),
    };
    let name = |text: &str| match text.trim() {
        "" => say("not said", "未说明").to_owned(),
        text => inline(text),
    };
    let class = if added.provenance_class == "observed" {
        say("Who made it, observed", "来源（系统观察）")
    } else {
        say("Who made it, as declared", "来源（自述）")
    };
    format!(
        "{class}: {} {}; {} {}; {} {}; {} {}; {} {}",
        say("model", "模型"),
        name(&provenance.model),
        say("person", "操作人"),
        name(&provenance.human_operator),
        say("saw what peers wrote:", "看到其他席位内容："),
        yes_no(provenance.peer_output_visible),
        say("new context:", "全新上下文："),
        yes_no(provenance.context_fresh),
        say("token of the brief used:", "使用任务书令牌："),
        yes_no(Some(added.token_used)),
    )
}

fn one(finding: &Finding, language: Language) -> String {
    let say = |en: &'static str, zh: &'static str| Say::new(en, zh).get(language);
    let mut out = format!(
        "\n### {} · {} · {}\n\n",
        finding.id,
        severity_words(finding.severity).get(language),
        inline(&finding.title),
    );
    let detail = paragraphs(&finding.detail);
    if !detail.is_empty() {
        out.push_str(&format!("{detail}\n\n"));
    }
    for Evidence {
        quote, location, ..
    } in &finding.evidence
    {
        out.push_str(&format!(
            "> {}\n>\n> — {}\n\n",
            inline(quote),
            inline(location)
        ));
    }
    let mut line = |label: &str, text: &Option<String>| {
        if let Some(text) = text {
            out.push_str(&format!("**{label}**: {}\n\n", inline(text)));
        }
    };
    line(say("Suggestion", "修改建议"), &finding.suggestion);
    line(say("Anchor", "证据锚点"), &finding.anchor);
    line(
        say("Confidence", "把握程度"),
        &finding.confidence.map(|n| format!("{n}/5")),
    );
    line(say("Rests on", "判断依据"), &finding.competence_basis);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn dimensions(added: &SeatAdditions, language: Language) -> String {
    let say = |en: &'static str, zh: &'static str| Say::new(en, zh).get(language);
    let mut out = format!(
        "\n## {}\n\n| {} | {} | {} |\n| --- | --- | --- |\n",
        say("Dimensions", "维度评分"),
        say("dimension", "维度"),
        say("score", "评分"),
        say("why", "原因"),
    );
    for row in &added.dimensions {
        let class = row
            .block_class
            .map_or_else(String::new, |class| format!(" ({})", class.as_str()));
        let why = row.trigger.as_ref().or(row.abstain_reason.as_ref());
        out.push_str(&format!(
            "| {} | {}{class} | {} |\n",
            inline(&row.id),
            row.score.as_str(),
            why.map_or_else(String::new, |why| inline(why)),
        ));
    }
    out
}
