//! The manual: a page for each rule and an index of all, as Markdown, from the rules themselves.
//!
//! Text only: who writes it to a file, and what was measured, is the caller's business.

use std::fmt::Write;

use super::types::{Example, Profile, Rule, Tier};
use crate::base::{Language, Say};
use crate::text::Format;

/// How often a rule was right on real papers, counted by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Findings that were read.
    pub n: u32,
    /// Those that were right.
    pub right: u32,
    /// Lower end of the 95 % Wilson interval, from 0 to 1.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Below this many findings a measured precision says little.
const FEW: u32 = 10;

/// The page of one rule.
#[must_use]
pub fn rule_page(rule: &Rule, language: Language, precision: Option<Precision>) -> String {
    let say = |en: &'static str, zh: &'static str| Say::new(en, zh).get(language);
    let mut page = format!("# {}: {}\n\n", rule.id, rule.title.get(language));
    row(&mut page, say("Tier", "级别"), tier(rule.tier, language));
    row(
        &mut page,
        say("Profiles", "适用体裁"),
        &profiles(rule.profiles, language),
    );
    row(
        &mut page,
        say("Measured precision", "实测精确率"),
        &measured(precision, language),
    );
    let _ = write!(
        page,
        "\n## {}\n\n{}\n",
        say("What and why", "含义与理由"),
        rule.rationale.get(language)
    );
    let (for_it, against): (Vec<&Example>, Vec<&Example>) = rule
        .examples
        .iter()
        .partition(|example| !example.finds.is_empty());
    examples(
        &mut page,
        say("What it reports", "会报告"),
        &for_it,
        language,
    );
    examples(
        &mut page,
        say("What it leaves alone", "不会报告"),
        &against,
        language,
    );
    page.push_str(&waiving(rule, language));
    page
}

/// The list of all rules, in the order of the manual, with links to their pages.
#[must_use]
pub fn rule_index<'a>(
    rules: impl Iterator<Item = &'a Rule>,
    language: Language,
    precision: impl Fn(&str) -> Option<Precision>,
) -> String {
    let say = |en: &'static str, zh: &'static str| Say::new(en, zh).get(language);
    let mut page = format!("# {}\n\n", say("Rules", "规则"));
    let _ = writeln!(
        page,
        "{}\n",
        say(
            "Errors and warnings are shown by default; opinions with `--opinions`. Precision is the share of findings on \
             real papers that were right, read by hand.",
            "默认显示错误和警告；意见需加 `--opinions`。精确率指在真实论文上人工核对后正确的比例。",
        )
    );
    let _ = writeln!(
        page,
        "| {} | {} | {} | {} |\n| --- | --- | --- | --- |",
        say("Rule", "规则"),
        say("Tier", "级别"),
        say("Reports", "报告内容"),
        say("Precision", "精确率"),
    );
    for rule in rules {
        let _ = writeln!(
            page,
            "| [{id}]({id}.md) | {} | {} | {} |",
            tier(rule.tier, language),
            rule.title.get(language).replace('|', "\\|"),
            measured(precision(rule.id), language),
            id = rule.id,
        );
    }
    page
}

fn row(page: &mut String, name: &str, value: &str) {
    let _ = writeln!(page, "- **{name}**: {value}");
}

const fn tier(tier: Tier, language: Language) -> &'static str {
    match tier {
        Tier::Error => Say::new("error", "错误").get(language),
        Tier::Warning => Say::new("warning", "警告").get(language),
        Tier::Opinion => Say::new(
            "opinion (shown with `--opinions`)",
            "意见（加 `--opinions` 显示）",
        )
        .get(language),
    }
}

fn profiles(profiles: &[Profile], language: Language) -> String {
    if profiles.len() == Profile::ALL.len() {
        return Say::new("all", "全部").get(language).to_owned();
    }
    let names: Vec<&str> = profiles.iter().map(|profile| profile.as_str()).collect();
    names.join(Say::new(", ", "、").get(language))
}

fn measured(precision: Option<Precision>, language: Language) -> String {
    let Some(Precision {
        n,
        right,
        low,
        high,
    }) = precision.filter(|precision| precision.n > 0)
    else {
        return Say::new("not measured", "未测").get(language).to_owned();
    };
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let share = percent(f64::from(right) / f64::from(n));
    let few = if n < FEW {
        Say::new(", few", "，样本少").get(language)
    } else {
        ""
    };
    match language {
        Language::English => format!(
            "{right} of {n} right, {share} (95 % interval {} to {}{few})",
            percent(low),
            percent(high)
        ),
        Language::Chinese => format!(
            "{n} 处中 {right} 处正确，{share}（95% 区间 {} 至 {}{few}）",
            percent(low),
            percent(high)
        ),
    }
}

fn examples(page: &mut String, title: &str, examples: &[&Example], language: Language) {
    if examples.is_empty() {
        return;
    }
    let _ = write!(page, "\n## {title}\n");
    for example in examples {
        page.push('\n');
        fenced(page, format_name(example.format), example.text);
        if let Some(bib) = example.bib {
            let with = Say::new("with `refs.bib`:", "其 `refs.bib`：").get(language);
            let _ = write!(page, "\n{with}\n\n");
            fenced(page, "bibtex", bib);
        }
        if !example.finds.is_empty() {
            let reports = Say::new("Reported:", "报告：").get(language);
            let quotes: Vec<String> = example.finds.iter().map(|quote| code(quote)).collect();
            let _ = write!(page, "\n{reports} {}\n", quotes.join(" · "));
        }
    }
}

const fn format_name(format: Format) -> &'static str {
    match format {
        Format::Markdown => "markdown",
        Format::Latex => "latex",
        Format::Plain => "text",
    }
}

/// A code block whose fence is longer than any run of ticks in it.
fn fenced(page: &mut String, info: &str, text: &str) {
    let fence = "`".repeat(longest_ticks(text).max(2) + 1);
    let _ = write!(
        page,
        "{fence}{info}\n{}\n{fence}\n",
        text.trim_end_matches('\n')
    );
}

/// Code within a line, its ticks longer than any in it. Invisible and control characters are written as their numbers.
fn code(text: &str) -> String {
    let visible: String = text
        .chars()
        .map(|c| {
            if c.is_control() || is_invisible(c) {
                format!("\\u{{{:x}}}", u32::from(c))
            } else {
                c.to_string()
            }
        })
        .collect();
    let ticks = "`".repeat(longest_ticks(&visible) + 1);
    let pad = if visible.starts_with('`') || visible.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{pad}{visible}{pad}{ticks}")
}

const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn longest_ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn waiving(rule: &Rule, language: Language) -> String {
    let id = rule.id;
    match language {
        Language::English => format!(
            "\n## Keeping one\n\nIn the text, with a reason, behind the line or on a line before the paragraph; \
             `allow-file` holds for the whole file:\n\n```latex\n% lyceum: allow {id} the reason\n```\n\n\
             ```markdown\n<!-- lyceum: allow {id} the reason -->\n```\n\nOr in `lyceum.toml`; `path` and `quote` narrow \
             it:\n\n```toml\n[[check.waiver]]\nrule = \"{id}\"\nreason = \"the reason\"\n```\n"
        ),
        Language::Chinese => format!(
            "\n## 保留某一处\n\n在文稿中写明理由，放在该行末尾或段落之前单独一行；`allow-file` 对整个文件有效：\n\n\
             ```latex\n% lyceum: allow {id} 理由\n```\n\n```markdown\n<!-- lyceum: allow {id} 理由 -->\n```\n\n\
             或写入 `lyceum.toml`，可用 `path` 和 `quote` 缩小范围：\n\n```toml\n[[check.waiver]]\nrule = \"{id}\"\n\
             reason = \"理由\"\n```\n"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rule;
    use super::*;
    use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

    /// The code blocks of a page as a Markdown reader sees them.
    fn blocks(page: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut open = false;
        for event in Parser::new_ext(page, Options::all()) {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    found.push((info.to_string(), String::new()));
                    open = true;
                }
                Event::Text(text) if open => {
                    if let Some((_, body)) = found.last_mut() {
                        body.push_str(&text);
                    }
                }
                Event::End(TagEnd::CodeBlock) => open = false,
                _ => {}
            }
        }
        found
    }

    #[test]
    fn every_page_shows_every_example_whole() {
        for rule in rule::all() {
            for language in [Language::English, Language::Chinese] {
                let page = rule_page(rule, language, None);
                let shown = blocks(&page);
                for example in rule.examples {
                    let text = example.text.trim_end_matches('\n');
                    // The reader of the page shows a NUL as the replacement character, and ends lines with LF.
                    let same = |a: &str| {
                        a.trim_end_matches('\n').replace('\u{fffd}', "\0")
                            == text.replace("\r\n", "\n").replace('\u{fffd}', "\0")
                    };
                    assert!(
                        shown.iter().any(|(_, body)| same(body)),
                        "{}: {:?} is not on its page",
                        rule.id,
                        example.text
                    );
                }
                assert!(page.contains(&format!("% lyceum: allow {}", rule.id)));
            }
        }
    }

    #[test]
    fn ticks_do_not_close_the_fence() {
        let mut page = String::new();
        fenced(&mut page, "markdown", "````\nx\n````\n");
        assert_eq!(page, "`````markdown\n````\nx\n````\n`````\n");
        assert_eq!(code("a `b` c"), "``a `b` c``");
        assert_eq!(code("`b`"), "`` `b` ``");
        assert_eq!(code("a\u{200b}b"), "`a\\u{200b}b`");
    }

    #[test]
    fn precision_is_told_with_its_interval() {
        let precision = Precision {
            n: 40,
            right: 39,
            low: 0.871,
            high: 0.996,
        };
        assert_eq!(
            measured(Some(precision), Language::English),
            "39 of 40 right, 98 % (95 % interval 87 % to 100 %)"
        );
        let few = Precision {
            n: 2,
            right: 2,
            low: 0.34,
            high: 1.0,
        };
        assert!(measured(Some(few), Language::English).contains("few"));
        assert_eq!(measured(None, Language::Chinese), "未测");
    }

    #[test]
    fn the_index_names_every_rule_once() {
        let index = rule_index(rule::all(), Language::English, |_| None);
        for rule in rule::all() {
            assert_eq!(index.matches(&format!("[{0}]({0}.md)", rule.id)).count(), 1);
        }
    }
}
