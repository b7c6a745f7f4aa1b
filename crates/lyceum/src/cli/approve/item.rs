//! Item by item: each answer to a critical finding that an agent proposed is confirmed or changed by the person.

use lyceum_core::base::Say;
use lyceum_tools::ToolError;
use serde_json::{Value, json};

use super::Sitting;

/// The argument that holds them.
const ADJUDICATIONS: &str = "da_adjudications";
/// What each may say, with the letter to type.
const OUTCOMES: [(&str, &str); 3] = [("v", "validated"), ("r", "rejected"), ("u", "unresolved")];

/// The proposal as the person wants it; `None` when they left.
pub(super) fn by_item(
    sitting: &mut Sitting<'_>,
    proposal: &Value,
) -> Result<Option<Value>, ToolError> {
    let mut wanted = proposal.clone();
    let Some(Value::Array(items)) = wanted.get_mut(ADJUDICATIONS) else {
        return Ok(Some(wanted));
    };
    let all = items.len();
    for (i, item) in items.iter_mut().enumerate() {
        if !one(sitting, item, i + 1, all)? {
            return Ok(None);
        }
    }
    Ok(Some(wanted))
}

fn field<'a>(item: &'a Value, name: &str) -> &'a str {
    item.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// False when the person left.
fn one(
    sitting: &mut Sitting<'_>,
    item: &mut Value,
    number: usize,
    all: usize,
) -> Result<bool, ToolError> {
    let language = sitting.language;
    sitting.say(&format!(
        "\n{number}/{all}  {}: {}\n      {}\n",
        field(item, "finding_id"),
        field(item, "outcome"),
        field(item, "rationale")
    ))?;
    let prompt = Say::new(
        "Enter confirms; v validated, r rejected, u unresolved changes it; q leaves: ",
        "回车确认；v 成立、r 不成立、u 未决 可更改；q 离开：",
    );
    loop {
        let Some(typed) = sitting.ask(prompt.get(language))? else {
            return Ok(false);
        };
        let typed = typed.trim().to_lowercase();
        match typed.as_str() {
            "" => return Ok(true),
            "q" => return Ok(false),
            _ => {}
        }
        let found = OUTCOMES
            .iter()
            .find(|(letter, word)| typed == *letter || typed == *word);
        let Some((_, outcome)) = found else { continue };
        let why = Say::new("Why: ", "理由：");
        let Some(why) = sitting.ask(why.get(language))? else {
            return Ok(false);
        };
        if let Some(map) = item.as_object_mut() {
            map.insert("outcome".to_owned(), json!(outcome));
            map.insert("rationale".to_owned(), json!(why.trim()));
        }
        return Ok(true);
    }
}
