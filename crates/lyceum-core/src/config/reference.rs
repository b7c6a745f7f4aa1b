//! The reference page of the keys, written and compared by a test.

use super::schema::{KEYS, Key, Scope};

/// `docs/reference/configuration.md`.
#[must_use]
pub fn page() -> String {
    let mut out = String::from(
        "# Configuration\n\n\
         Generated from the schema; a test compares it.\n\n\
         Two files hold the same keys: the project's `lyceum.toml`, at its root, and the user's `config.toml`, in\n\
         `$XDG_CONFIG_HOME/lyceum` (`~/.config/lyceum` when that is not set). A flag goes before an environment variable,\n\
         that before the project, the project before the user, the user before the default. Lists are taken whole.\n\n\
         `lyceum config show` prints what holds and where it comes from, `lyceum config path` the files, `lyceum config\n\
         explain KEY` one key. An unknown key is kept and reported with the nearest one that exists. A user-only key in\n\
         `lyceum.toml` is refused (`user_only_key`), a value of the wrong kind too (`config_invalid`).\n",
    );
    for (scope, title, lead) in [
        (
            Scope::Project,
            "Keys of a project or a user",
            "Allowed in both files.",
        ),
        (
            Scope::User,
            "Keys of a user only",
            "Refused in `lyceum.toml`: a folder you check out must not decide these.",
        ),
    ] {
        out.push_str(&format!("\n## {title}\n\n{lead}\n"));
        for key in KEYS.iter().filter(|key| key.scope == scope) {
            out.push_str(&section(key));
        }
    }
    out
}

/// The paragraph of one key.
fn section(key: &Key) -> String {
    let mut out = format!(
        "\n### `{}`\n\n{}\n\n{}\n\n",
        key.path, key.says.en, key.says.zh
    );
    out.push_str(&format!("- takes: {}\n", key.kind.describe()));
    if key.default.is_empty() {
        out.push_str("- default: none\n");
    } else {
        out.push_str(&format!("- default: `{}`\n", key.default));
    }
    if let Some(variable) = key.variable() {
        out.push_str(&format!("- environment: `{variable}`\n"));
    }
    out.push_str(&format!("\n```toml\n{}\n```\n", key.example));
    out
}
