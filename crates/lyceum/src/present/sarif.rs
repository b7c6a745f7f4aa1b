//! SARIF 2.1.0, the interchange format of code scanners.

use std::collections::HashMap;

use lyceum_core::base::Language;
use lyceum_core::check::{Checked, Problem, Rule, Tier, rule};
use serde_json::{Map, Value, json};

use super::clean::{clean, uri};
use super::github::gaps;
use super::{Look, Placed, placed, shown};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Builds the log.
pub(super) fn log(checked: &Checked, look: &Look) -> Value {
    let rules: Vec<&Rule> = rule::all().collect();
    let index: HashMap<&str, usize> = rules
        .iter()
        .enumerate()
        .map(|(i, rule)| (rule.id, i))
        .collect();
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let mut results: Vec<Value> = shown(checked, look)
        .iter()
        .map(|one| result(one, &index, &mut seen, look))
        .collect();
    for paper in &checked.papers {
        for waived in &paper.report.waived {
            let mut value = result(&placed(paper, &waived.problem), &index, &mut seen, look);
            value["suppressions"] =
                json!([{"kind": "inSource", "justification": clean(&waived.reason)}]);
            results.push(value);
        }
    }
    let notes: Vec<Value> = gaps(checked, look.language)
        .map(|note| json!({"level": "warning", "message": {"text": clean(note)}}))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Lyceum",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| descriptor(rule, look)).collect::<Vec<_>>(),
            }},
            "language": match look.language {
                Language::English => "en",
                Language::Chinese => "zh-CN",
            },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notes,
            }],
            "results": results,
        }],
    })
}

fn level(tier: Tier) -> &'static str {
    match tier {
        Tier::Error => "error",
        Tier::Warning => "warning",
        Tier::Opinion => "note",
    }
}

fn descriptor(rule: &Rule, look: &Look) -> Value {
    let rationale = rule.rationale.get(look.language);
    json!({
        "id": rule.id,
        "shortDescription": {"text": rule.title.get(look.language)},
        "fullDescription": {"text": rationale},
        "help": {"text": format!("{rationale}\n\nlyceum check --explain {}", rule.id)},
        "defaultConfiguration": {"level": level(rule.tier)},
    })
}

fn result(
    one: &Placed<'_>,
    index: &HashMap<&str, usize>,
    seen: &mut HashMap<u64, usize>,
    look: &Look,
) -> Value {
    let found = one.problem;
    let message = format!(
        "{}. {}",
        clean(found.message.get(look.language)).trim_end_matches(['.', '。']),
        clean(found.hint.get(look.language))
    );
    let mut properties = Map::new();
    properties.insert("tier".into(), json!(found.tier));
    if let Some(receipt) = &found.receipt {
        properties.insert("receipt".into(), json!(receipt));
    }
    let mut value = json!({
        "ruleId": found.rule,
        "level": level(found.tier),
        "message": {"text": message.trim_end()},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(&look.path(one.file))},
            "region": region(one),
        }}],
        "partialFingerprints": {"lyceumProblem/v1": fingerprint(one.file, found, seen)},
        "properties": properties,
    });
    if let Some(index) = index.get(found.rule) {
        value["ruleIndex"] = json!(index);
    }
    value
}

fn region(one: &Placed<'_>) -> Value {
    // A region's end stands behind its last character and must not be before its start.
    let (line, column) = if (one.end.line, one.end.column) > (one.start.line, one.start.column) {
        (one.end.line, one.end.column)
    } else {
        (one.start.line, one.start.column + 1)
    };
    json!({
        "startLine": one.start.line,
        "startColumn": one.start.column,
        "endLine": line,
        "endColumn": column,
        "snippet": {"text": one.problem.quote},
    })
}

/// What stays the same while the text around a problem moves: rule, file, quoted words, and which one of several.
fn fingerprint(file: &str, problem: &Problem, seen: &mut HashMap<u64, usize>) -> String {
    let parts = [problem.rule, file, &problem.quote, &problem.message.en];
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    // FNV-1a: nothing depends on its being hard to forge.
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let nth = seen.entry(hash).or_default();
    *nth += 1;
    format!("{hash:016x}:{nth}")
}
