//! Reads a manuscript scope by scope and judges each acronym.

use std::collections::{BTreeMap, HashSet};

use super::allow::allowlist;
use super::candidate::{Candidate, candidates, is_shaped, singular};
use super::definition::{Mention, mentions};
use super::mask::mask;
use super::scope::{Scopes, scopes};
use super::types::{
    AcronymFinding, AcronymReport, AcronymRequest, AcronymRule, AcronymStatus, CHECKER,
    CoverageLimit, LimitKind, LineRange, NotChecked, PerScope, Scope, ScopeCoverage, UnreadSection,
};
use crate::text::{Block, BlockKind, Manuscript, SectionKind, Span};

/// One appearance of an acronym in a scope, in reading order.
struct Appearance {
    mention: Mention,
    named: bool,
    section: usize,
    span: Span,
}

impl Appearance {
    /// The words of a definition.
    fn words(&self) -> Option<String> {
        match &self.mention {
            Mention::Definition(words) => Some(words.clone()),
            _ => None,
        }
    }
}

/// Appearances by acronym, each in reading order.
type Appearances = BTreeMap<String, Vec<Appearance>>;

/// Checks the acronyms of a manuscript.
#[must_use]
pub fn check_acronyms(manuscript: &Manuscript, request: &AcronymRequest) -> AcronymReport {
    let places = Places {
        manuscript,
        input: &request.input,
    };
    let scopes = scopes(manuscript);
    let mut found: PerScope<Appearances> = PerScope::default();
    for block in &manuscript.blocks {
        if let Some(scope) = scopes.of(block) {
            read(block, found.get_mut(scope));
        }
    }
    let lines = scope_lines(&places, &scopes);
    let mut report = AcronymReport {
        checker: CHECKER,
        input: request.input.clone(),
        input_sha256: request.input_sha256.clone(),
        status: AcronymStatus::Checked,
        reason: None,
        allowlist: allowlist(&request.allowed),
        coverage: PerScope::default(),
        scope_lines: PerScope::default(),
        unread_sections: unread_sections(&places, &scopes),
        coverage_limits: Vec::new(),
        findings: Vec::new(),
    };
    let known = known(manuscript);
    let allowed: HashSet<String> = report
        .allowlist
        .default
        .iter()
        .chain(&report.allowlist.user)
        .cloned()
        .collect();
    let mut any = false;
    for scope in Scope::ALL {
        let present = !lines.get(scope).is_empty();
        let requested = request.scopes.contains(&scope);
        *report.coverage.get_mut(scope) = match (requested, present) {
            (false, _) => ScopeCoverage::NotRequested,
            (true, false) => ScopeCoverage::NotInInput,
            (true, true) => ScopeCoverage::Checked,
        };
        if !requested || !present {
            continue;
        }
        any = true;
        report
            .scope_lines
            .get_mut(scope)
            .clone_from(lines.get(scope));
        for (acronym, appearances) in found.get(scope) {
            if !allowed.contains(acronym) {
                let judged = judge(
                    &places,
                    scope,
                    acronym,
                    appearances,
                    known.contains(acronym),
                );
                report.findings.extend(judged.findings);
                report.coverage_limits.extend(judged.limits);
            }
        }
    }
    report
        .findings
        .sort_by_key(|finding| (finding.scope, finding.span, finding.rule));
    let gap = manuscript
        .notes
        .iter()
        .any(|note| note.unreadable.is_some());
    if !any {
        report.status = AcronymStatus::NotChecked;
        report.reason = Some(NotChecked::NoRequestedScopeInInput);
    } else if gap || !report.unread_sections.is_empty() || !report.coverage_limits.is_empty() {
        report.status = AcronymStatus::Partial;
    }
    report
}

/// Line and file of spans, as the report writes them.
struct Places<'a> {
    manuscript: &'a Manuscript,
    input: &'a str,
}

impl Places<'_> {
    fn line(&self, span: Span) -> u32 {
        self.manuscript.source(span.file).line_number(span.start)
    }

    fn last_line(&self, span: Span) -> u32 {
        self.manuscript
            .source(span.file)
            .line_number(span.end.saturating_sub(1).max(span.start))
    }

    fn file(&self, span: Span) -> Option<String> {
        let path = &self.manuscript.source(span.file).path;
        (path != self.input && span.file.0 != 0).then(|| path.clone())
    }
}

fn read(block: &Block, found: &mut Appearances) {
    let Some(masked) = mask(&block.text) else {
        return;
    };
    let candidates = candidates(&masked.text);
    let mentions = mentions(&masked.text, &candidates);
    let mut all: Vec<(Candidate, Mention)> = candidates.into_iter().zip(mentions).collect();
    for (start, name) in masked.told {
        let acronym = singular(&name).to_owned();
        if is_shaped(&acronym) {
            let range = start..start + name.len();
            let told = Candidate {
                range,
                acronym,
                named: false,
            };
            all.push((told, Mention::Unread));
        }
    }
    all.sort_by_key(|(candidate, _)| candidate.range.start);
    for (candidate, mention) in all {
        if let Some(span) = block.text.span(candidate.range) {
            found
                .entry(candidate.acronym)
                .or_default()
                .push(Appearance {
                    mention,
                    named: candidate.named,
                    section: block.section,
                    span,
                });
        }
    }
}

/// Acronyms the text defines elsewhere: by commands, or in a list of abbreviations.
fn known(manuscript: &Manuscript) -> HashSet<String> {
    let mut known: HashSet<String> = manuscript
        .acronyms
        .iter()
        .map(|(short, ..)| singular(short.trim()).to_owned())
        .collect();
    for block in &manuscript.blocks {
        let listed = manuscript.kind_of(block.section) == SectionKind::Abbreviations
            && block.kind != BlockKind::Heading;
        if listed {
            known.extend(
                candidates(&block.text.string)
                    .into_iter()
                    .map(|c| c.acronym),
            );
        }
    }
    known
}

#[derive(Default)]
struct Judged {
    findings: Vec<AcronymFinding>,
    limits: Vec<CoverageLimit>,
}

fn judge(
    places: &Places,
    scope: Scope,
    acronym: &str,
    appearances: &[Appearance],
    known: bool,
) -> Judged {
    let mut judged = Judged::default();
    let definitions: Vec<&Appearance> = appearances
        .iter()
        .filter(|appearance| matches!(appearance.mention, Mention::Definition(_)))
        .collect();
    let first_definition = definitions.first().copied();
    let mut open = false;
    let mut uses_before: Vec<&Appearance> = Vec::new();
    for appearance in appearances {
        let limit = match &appearance.mention {
            Mention::Definition(_) => break,
            Mention::Use => {
                uses_before.push(appearance);
                continue;
            }
            Mention::Unread => LimitKind::UnreadDefinitionForm,
            Mention::Unconfirmed => LimitKind::UnconfirmedDefinition,
        };
        open = true;
        judged.limits.push(CoverageLimit {
            limit,
            scope,
            file: places.file(appearance.span),
            line: places.line(appearance.span),
            acronym: acronym.to_owned(),
        });
    }
    let expansion = definitions.first().and_then(|first| first.words());
    let again = definitions.get(1).and_then(|second| second.words());
    let mut push = |rule: AcronymRule, at: &Appearance, occurrences: usize| {
        judged.findings.push(AcronymFinding {
            scope,
            file: places.file(at.span),
            line: places.line(at.span),
            rule,
            acronym: acronym.to_owned(),
            expansion: expansion.clone(),
            occurrences,
            span: at.span,
            section: at.section,
            defined_at: first_definition.map(|definition| definition.span),
            again: again.clone(),
        });
    };
    if !known && !open {
        // A name that holds the acronym (`LLM Guard`) may stand before the definition.
        let plain = uses_before.iter().find(|appearance| !appearance.named);
        match (first_definition, uses_before.first(), plain) {
            (None, Some(first), _) => push(AcronymRule::Undefined, first, uses_before.len()),
            (Some(_), _, Some(first)) => {
                push(AcronymRule::DefinedAfterUse, first, uses_before.len());
            }
            _ => {}
        }
    }
    if let Some(second) = definitions.get(1) {
        push(AcronymRule::DefinedAgain, second, definitions.len());
    }
    judged
}

fn scope_lines(places: &Places, scopes: &Scopes) -> PerScope<Vec<LineRange>> {
    let mut lines: PerScope<Vec<LineRange>> = PerScope::default();
    let mut last: Option<(Scope, Span)> = None;
    for block in &places.manuscript.blocks {
        let Some(scope) = scopes.of_section(block.section) else {
            last = None;
            continue;
        };
        let (start, end) = (places.line(block.span), places.last_line(block.span));
        let ranges = lines.get_mut(scope);
        match (last, ranges.last_mut()) {
            (Some((before, span)), Some(range))
                if before == scope && span.file == block.span.file =>
            {
                range.start = range.start.min(start);
                range.end = range.end.max(end);
            }
            _ => ranges.push(LineRange {
                file: places.file(block.span),
                start,
                end,
            }),
        }
        last = Some((scope, block.span));
    }
    lines
}

fn unread_sections(places: &Places, scopes: &Scopes) -> Vec<UnreadSection> {
    scopes
        .unread
        .iter()
        .filter_map(|&i| places.manuscript.sections.get(i))
        .map(|section| UnreadSection {
            title: section.title.clone(),
            file: places.file(section.span),
            line: places.line(section.span),
        })
        .collect()
}
