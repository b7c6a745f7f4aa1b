//! What a seat hands in, said so that it can be written without another document.

use serde_json::{Value, json};

use crate::panel::contract::{self, ContractDimension, Priority};
use crate::panel::disk::State;
use crate::panel::{BlockClass, Score, SeatId, Severity, Verdict};

/// The part of a brief that says what to return.
pub(super) fn section(state: &State, seat: SeatId) -> String {
    let mine = eligible(state, seat);
    let mut out = String::from("## What you return\n\n");
    out.push_str(
        "Hand the report in with the operation `academic_review_submit`, or give it to whoever sent you, as one JSON object of \
         exactly this shape (no other keys; nothing around it):\n\n```json\n",
    );
    out.push_str(&serde_json::to_string_pretty(&shape(state, seat, &mine)).unwrap_or_default());
    out.push_str("\n```\n\n");
    out.push_str(&format!(
        "- `token`: the token that came beside this brief (it is not in the text). It proves that the report answers this brief. \
         Without one the report is taken as declared only; a wrong one is refused.\n\
         - `findings[].id`: `{0}-F1`, `{0}-F2`, … without gaps. No finding at all is allowed with the verdict `accept`; the summary then \
         says what was checked.\n\
         - `severity`: {1}. `verdict`: {2}.\n\
         - `evidence`: at least one; `quote` letter for letter from the paper below, `location` in words.\n\
         - `suggestion` (what would settle it), `confidence` (1 to 5), `competence_basis`, `anchor` may be left out. `anchor` is \
         `text: \"at most 25 quoted words\"`, `table: Table 2`, `figure: Figure 1`, `equation: (3)`, `dataset: name`, or \
         `absence: where — expected what; checked where`.\n\
         - `provenance`: the model you are (empty for a person), whether you saw anything a peer wrote, whether your context was new, \
         the person who runs you (may be empty). Say what is true; it is shown as declared.\n",
        seat.as_str(),
        listed(Severity::ALL.iter().map(|one| one.as_str())),
        listed(Verdict::ALL.iter().map(|one| one.as_str())),
    ));
    if mine.is_empty() {
        out.push_str("- This mode scores no dimensions; give none.\n");
    } else {
        out.push_str(&dimensions(&mine));
    }
    out.push_str(
        "\nThe report is final: it can be submitted once and is never changed. If it is refused, the refusal names the finding \
         and what to mend; nothing is lost, mend it and submit again with the same token.\n",
    );
    out
}

fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

/// The dimensions that a seat scores in this mode.
pub(crate) fn eligible(state: &State, seat: SeatId) -> Vec<&'static ContractDimension> {
    contract::of_mode(state.mode)
        .map(|contract| contract.dimensions)
        .unwrap_or_default()
        .iter()
        .filter(|one| one.eligible.contains(&seat))
        .collect()
}

fn shape(state: &State, seat: SeatId, mine: &[&ContractDimension]) -> Value {
    let mut report = json!({
        "findings": [{
            "id": format!("{}-F1", seat.as_str()),
            "severity": "major",
            "title": "one line",
            "detail": "what is wrong, why it matters, where else you looked",
            "evidence": [{"quote": "words of the paper", "location": "Section 3, second paragraph"}],
            "suggestion": "what would settle it",
            "confidence": 4,
            "competence_basis": "what your confidence rests on",
        }],
        "verdict": "major_revision",
        "summary": "100 to 250 words",
        "provenance": {
            "model": "", "peer_output_visible": false, "context_fresh": true, "human_operator": "",
        },
    });
    if !mine.is_empty() {
        let rows: Vec<Value> = mine
            .iter()
            .map(|one| json!({"id": one.id, "score": "pass"}))
            .collect();
        if let Some(map) = report.as_object_mut() {
            map.insert("dimensions".to_owned(), Value::Array(rows));
        }
    }
    json!({
        "review_id": state.review_id,
        "seat_id": seat,
        "token": "seat-…",
        "report": report,
    })
}

fn dimensions(mine: &[&ContractDimension]) -> String {
    let mut out = String::from(
        "\n### The dimensions you score\n\nScore each of these and no other; your role may speak of one that this mode does not \
         have. The decision of the panel is computed from the scores, so a score must follow from your findings. Before you read \
         the paper, write down for each dimension what would make you warn and what would make you block; `trigger` gives the words \
         of that plan that fired.\n\n| id | name | priority | what is judged |\n| --- | --- | --- | --- |\n",
    );
    for one in mine {
        let priority = match one.priority {
            Priority::Mandatory => "mandatory",
            Priority::High => "high",
            Priority::Normal => "normal",
        };
        out.push_str(&format!(
            "| {} | {} | {priority} | {} |\n",
            one.id, one.name, one.description
        ));
    }
    out.push_str(&format!(
        "\n`score`: {}. `pass`: nothing to object. `warn`: to be mended, claims stand. `block`: a claim does not stand until it is \
         mended; give `trigger`",
        listed(Score::ALL.iter().map(|one| one.as_str())),
    ));
    if mine.iter().any(|one| one.priority == Priority::Mandatory) {
        out.push_str(&format!(
            ", and on a mandatory dimension `block_class`: {} (`repairable` when this study can mend it, `fatal` when it cannot)",
            listed(BlockClass::ALL.iter().map(|one| one.as_str())),
        ));
    }
    out.push_str(
        ". `not_assessed`: you cannot judge it; say why in `abstain_reason`. A dimension that no other seat may judge cannot be \
         left out alone: if you cannot score it, leave `dimensions` out altogether and say so in the summary.\n",
    );
    out
}
