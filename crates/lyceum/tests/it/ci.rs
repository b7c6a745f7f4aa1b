//! The pre-commit hooks and the CI snippets: what they run works on the example, and what they say is written as their
//! readers expect.

use std::fs;
use std::process::Command;

use crate::program::source_root;

/// The lines of a YAML list of flat maps: enough for a hooks file, and refuses anything else.
fn hooks(text: &str) -> Vec<Vec<(String, String)>> {
    let mut out: Vec<Vec<(String, String)>> = Vec::new();
    for line in text.lines() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        assert!(!line.contains('\t'), "YAML knows no tabs: {line}");
        let body = match line.strip_prefix("- ") {
            Some(body) => {
                out.push(Vec::new());
                body
            }
            None => line
                .strip_prefix("  ")
                .unwrap_or_else(|| panic!("not a field: {line}")),
        };
        let (name, value) = body
            .split_once(": ")
            .unwrap_or_else(|| panic!("no value: {line}"));
        assert!(
            !value.contains(": ") && !name.contains(' '),
            "needs quotes: {line}"
        );
        out.last_mut()
            .unwrap()
            .push((name.to_owned(), value.to_owned()));
    }
    out
}

fn run(command: &str) -> i32 {
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(words[0], "lyceum", "{command}");
    Command::new(env!("CARGO_BIN_EXE_lyceum"))
        .args(&words[1..])
        .current_dir(source_root().join("examples/paper"))
        .output()
        .unwrap()
        .status
        .code()
        .unwrap()
}

#[test]
fn the_hooks_run() {
    let text = fs::read_to_string(source_root().join(".pre-commit-hooks.yaml")).unwrap();
    let hooks = hooks(&text);
    assert_eq!(hooks.len(), 2);
    for hook in hooks {
        let field = |name: &str| {
            let found = hook.iter().find(|(field, _)| field == name);
            found.unwrap_or_else(|| panic!("no {name}")).1.clone()
        };
        for required in ["id", "name", "entry", "language"] {
            assert!(!field(required).is_empty());
        }
        assert_eq!(field("pass_filenames"), "false");
        let exit = run(&field("entry"));
        let whole = !field("entry").contains("--changed");
        // Whether the example has uncommitted lines is not for a test to know.
        assert!(
            exit == 1 || (exit == 0 && !whole),
            "{}: {exit}",
            field("entry")
        );
    }
}

#[test]
fn the_commands_of_the_guide_run() {
    let text = fs::read_to_string(source_root().join("docs/guide/ci.md")).unwrap();
    let mut seen = 0;
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        let line = line
            .trim()
            .trim_start_matches("- ")
            .trim_start_matches("run: ");
        let command = line
            .trim_start_matches("exec ")
            .split(" > ")
            .next()
            .unwrap();
        if !fenced || !command.starts_with("lyceum check") || command.contains("${{") {
            continue;
        }
        seen += 1;
        let expected: &[i32] = match command {
            command if command.contains("never") => &[0],
            command if command.contains("--changed") => &[0, 1],
            _ => &[1],
        };
        let exit = run(command);
        assert!(expected.contains(&exit), "{command}: {exit}");
    }
    assert!(seen >= 4, "only {seen} commands found");
    assert!(!fenced, "a fence stays open");
}
