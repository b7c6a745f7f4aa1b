//! An acronym is defined more than once.

use super::request;
use super::undefined::place;
use crate::base::{Say, Words};
use crate::check::acronym::{AcronymRule, check_acronyms};
use crate::check::{Example, Found, Paper, Profile, Rule, Tier};
use crate::text::{Format, Manuscript, SectionKind, Span};

/// See the module.
pub(super) static RULE: Rule = Rule {
    id: "acronym-redefined",
    tier: Tier::Warning,
    title: Say::new("an acronym is defined again", "缩略语重复定义"),
    rationale: Say::new(
        "A second definition makes a reader wonder whether something else is meant. Counts brackets whose words spell the \
         acronym, in the body and in each abstract on its own. Silent when the words differ (another \
         meaning, another language), in a thesis, where chapters may define anew, and \
         in appendices.",
        "再次定义会让读者怀疑所指不同。在正文和各摘要中分别统计能拼出该缩略语的括号定义。两处全称不同（含义或语言不同）时不报告；学位论文各章可以重新定义，不报告；附录中的\
         重新定义也不报告。",
    ),
    profiles: &[Profile::Article, Profile::Software, Profile::Fragment],
    examples: &[
        Example {
            format: Format::Markdown,
            text: "# Introduction\n\nThe quick response stress test (QRST) fell.\n\n# Methods\n\nA quick response stress test (QRST) was run.\n",
            bib: None,
            finds: &["QRST"],
        },
        Example {
            format: Format::Markdown,
            text: "# Abstract\n\nThe quick response stress test (QRST) fell.\n\n# Introduction\n\nThe quick response stress test (QRST) fell. See it in the lab (QRST).\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Introduction\n\nThe quick response stress test (QRST) fell. The quiet rest stage time (QRST) rose.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Markdown,
            text: "# Introduction\n\nThe quick response stress test (QRST) fell.\n\n# Appendix\n\nThe quick response stress test (QRST) again.\n",
            bib: None,
            finds: &[],
        },
        Example {
            format: Format::Latex,
            text: "\\documentclass{article}\n\\begin{document}\n\\begin{abstract}\nThe quick response stress test (QRST) fell.\n\\end{abstract}\n\\section{One}\nThe quick response stress test (QRST) is old. See the QRST.\n\\end{document}\n",
            bib: None,
            finds: &[],
        },
    ],
    check,
};

fn check(paper: &Paper, found: &mut Found) {
    let manuscript = &paper.manuscript;
    let report = check_acronyms(manuscript, &request(paper));
    for finding in report.findings {
        let (AcronymRule::DefinedAgain, Some(defined)) = (finding.rule, finding.defined_at) else {
            continue;
        };
        let same = match (&finding.expansion, &finding.again) {
            (Some(first), Some(second)) => is_same(first, second),
            _ => false,
        };
        if !same
            || in_digest(manuscript, defined, finding.span)
            || manuscript.kind_of(finding.section) == SectionKind::Appendix
        {
            continue;
        }
        let source = manuscript.source(defined.file);
        let at = format!("{}:{}", source.path, source.line_number(defined.start));
        let (acronym, count) = (&finding.acronym, finding.occurrences);
        let (en, zh) = place(finding.scope);
        found.push(
            finding.span,
            Words::new(
                format!("{acronym} was defined at {at}; {count} definitions in {en}"),
                format!("{acronym} 已在 {at} 定义；{zh}中共有 {count} 处定义"),
            ),
            Words::new(
                format!("Keep the first definition and write {acronym} here."),
                format!("请保留第一处定义，此处只写 {acronym}。"),
            ),
        );
    }
}

/// The same words, inflected perhaps; not those of another language or another meaning.
fn is_same(first: &str, second: &str) -> bool {
    let stems = |words: &str| -> Vec<String> {
        words
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() > 3 || !word.is_ascii())
            .map(|word| word.chars().take(4).collect::<String>().to_lowercase())
            .collect()
    };
    stems(first) == stems(second)
}

/// How far behind a definition the points of a digest may stand, in bytes: an abstract's length.
const DIGEST: u32 = 5_000;

/// The second stands in points set off by bullets after the text, as journals print beside it.
fn in_digest(manuscript: &Manuscript, first: Span, second: Span) -> bool {
    let between = Span {
        end: second.start,
        ..first
    };
    let near = second.start.saturating_sub(first.start) < DIGEST;
    first.file == second.file && near && manuscript.slice(between).contains('•')
}
