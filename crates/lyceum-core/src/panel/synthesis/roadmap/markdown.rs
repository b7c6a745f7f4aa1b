//! `revision_roadmap.md`.

use super::types::{Item, Roadmap, Target};
use crate::panel::synthesis::Material;
use crate::panel::synthesis::escape::{brief, inline, quoted};
use crate::panel::synthesis::letter::page::Page;
use crate::panel::synthesis::letter::{consequence, cost, footer, obligation, severity};

/// Writes the roadmap.
pub(in super::super) fn render(material: &Material<'_>, roadmap: &Roadmap) -> String {
    let mut page = Page::new(material.language);
    page.title(1, page.say("Revision roadmap", "修改路线图"));
    page.fact("Review", "评审编号", &inline(&roadmap.review_id));
    page.fact("Round", "轮次", &roadmap.revision_round.to_string());
    let decision = material.decided.decision.map(|one| page.verdict(one));
    let decision = decision.unwrap_or(page.say("none", "无"));
    page.fact("Decision", "决定", decision);
    page.fact(
        "Draft",
        "稿件",
        &format!("SHA-256 {}", roadmap.base_draft_sha256),
    );
    if let Some(manifest) = &roadmap.block_manifest_sha256 {
        page.fact("List of blocks", "段块清单", &format!("SHA-256 {manifest}"));
    }
    if let Some(why) = &roadmap.blocks_missing {
        let text = format!(
            "{} ({})",
            page.say(
                "the text has no certain blocks, so targets are lines",
                "正文无法确定地分块，目标以行号给出"
            ),
            inline(why)
        );
        page.fact("Blocks", "段块", &text);
    }
    let counts = roadmap.obligation_counts;
    let text = format!(
        "{} (must_fix {}, should_fix {}, consider {})",
        roadmap.total_items, counts.must_fix, counts.should_fix, counts.consider
    );
    page.fact("Items", "条目", &text);
    page.fact("Agreement", "一致性", &inline(&roadmap.consensus_summary));
    page.paragraph(page.say(
        "Items follow the seats and their numbers. Nothing here says what to do first, how long it takes or what an editor \
         will say; those are for the author to judge.",
        "条目按席位及其编号排列。此处不说明先做什么、需要多久、编辑将作何决定；这些由作者判断。",
    ));
    if roadmap.items.is_empty() {
        page.line(page.say("Nothing is asked.", "没有修改要求。"));
    }
    for one in &roadmap.items {
        item(&mut page, one);
    }
    footer(&mut page, material);
    page.finish()
}

fn item(page: &mut Page, item: &Item) {
    page.title(2, &format!("{} · {}", item.reference, item.id));
    page.line(&format!("- [ ] {}", brief(&item.title, 300)));
    page.gap();
    page.lines(&quoted(&item.description, ""));
    page.gap();
    let source: Vec<String> = item
        .source_refs
        .iter()
        .map(|one| format!("{} {}", one.seat, inline(&item.finding_id)))
        .collect();
    page.fact("Source", "来源", &source.join(", "));
    page.fact("Sub-claims", "子论断", &item.sub_claim_ids.join(", "));
    page.fact("Severity", "严重程度", severity(page, item.severity));
    page.fact(
        "Obligation",
        "义务类别",
        obligation(page, item.obligation_class),
    );
    let or_absent =
        |page: &Page, text: Option<&str>| text.map_or_else(|| page.absent().to_owned(), inline);
    for (en, zh, text) in [
        ("Section", "章节", &item.target_section),
        ("Suggested action", "建议做法", &item.suggested_action),
        ("Verification", "验收标准", &item.verification_criteria),
        ("Anchor", "证据锚点", &item.evidence_anchor),
        ("Competence", "能力依据", &item.competence_basis),
    ] {
        let text = or_absent(page, text.as_deref());
        page.fact(en, zh, &text);
    }
    let confidence = item.confidence.map(|n| format!("{n}/5"));
    let confidence = confidence.unwrap_or_else(|| page.absent().to_owned());
    page.fact("Confidence", "置信度", &confidence);
    if let Some(level) = &item.consensus_level {
        page.fact("Consensus", "一致程度", level);
    }
    let others: Vec<String> = item
        .corroborating_sources
        .iter()
        .map(|one| format!("{} {}", one.seat, one.ordinal))
        .collect();
    if !others.is_empty() {
        page.fact("Also pointed to by", "其他席位亦指出", &others.join(", "));
    }
    page.fact("Cost scope", "修改范围", &cost(page, item));
    page.fact("If unaddressed", "不处理的后果", &consequence(page, item));
    for proof in &item.evidence {
        let place = proof.found_at.as_deref().unwrap_or("-");
        let text = format!(
            "\u{201c}{}\u{201d} ({})",
            brief(&proof.quote, 300),
            inline(place)
        );
        page.fact("Evidence", "证据", &text);
    }
    for target in &item.proposed_targets {
        page.fact("May be changed", "可修改处", &place(target));
    }
    if !item.unfilled.is_empty() {
        page.fact(
            "Not given",
            "未填写",
            &item.unfilled.join(", ").replace('_', "\\_"),
        );
    }
    for one in &item.withheld {
        let text = format!("{} ({})", one.field, one.reason).replace('_', "\\_");
        page.fact("Withheld", "已略去", &text);
    }
}

fn place(target: &Target) -> String {
    match target {
        Target::Block {
            block_id,
            old_hash,
            allowed_operations,
        } => format!("{block_id} `{old_hash}` ({})", words(allowed_operations)),
        Target::Span {
            path,
            first_line,
            last_line,
            old_hash,
            allowed_operations,
        } => format!(
            "{}:{first_line}–{last_line} `{old_hash}` ({})",
            inline(path),
            words(allowed_operations)
        ),
    }
}

fn words(operations: &[String]) -> String {
    operations.join(", ").replace('_', "\\_")
}
