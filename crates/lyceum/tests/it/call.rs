//! `lyceum call` and `lyceum tools`.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::program::{Place, document, source_root};

fn code(answer: &(Value, i32)) -> (&str, i32) {
    (
        answer.0["error"]["code"].as_str().unwrap_or("none"),
        answer.1,
    )
}

#[test]
fn exit_codes_follow_the_table() {
    let place = Place::with_paper();
    place.write("good.md", "# A\n\nWords.\n");
    place.write(
        "gap.tex",
        "\\documentclass{article}\n\\begin{document}\nWords.\n\\input{gone}\n\\end{document}\n",
    );
    let call = |name: &str, args: Value| place.call(name, &args);
    assert_eq!(code(&call("check_rules", json!({}))), ("none", 0));
    assert_eq!(
        code(&call("check_text", json!({"paths": ["good.md"]}))),
        ("none", 0)
    );
    assert_eq!(
        code(&call("check_text", json!({"paths": ["paper.tex"]}))),
        ("none", 1)
    );
    assert_eq!(
        code(&call("check_text", json!({"nope": 1}))),
        ("invalid_arguments", 2)
    );
    assert_eq!(code(&call("nope", json!({}))), ("unknown_operation", 2));
    assert_eq!(
        code(&call("check_text", json!({"paths": ["none.tex"]}))),
        ("file_missing", 4)
    );
    assert_eq!(
        code(&call("check_text", json!({"paths": ["../home"]}))),
        ("outside_root", 4)
    );
    let gap = call(
        "check_text",
        json!({"paths": ["gap.tex"], "rules": ["citation-undefined"]}),
    );
    assert_eq!(code(&gap), ("none", 6));
    let files = gap.0["coverage"]["files"].as_array().unwrap();
    assert!(
        files.iter().any(|file| file["status"] == "unreadable"),
        "{}",
        gap.0
    );
    assert_eq!(place.run(&["call"]).status.code(), Some(2));
    assert_eq!(place.run(&["nope"]).status.code(), Some(2));
}

#[test]
fn arguments_may_come_from_standard_input() {
    let place = Place::with_paper();
    let mut child = place
        .command()
        .args(["call", "check_text", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let args = json!({"paths": ["paper.tex"]});
    child
        .stdin
        .take()
        .unwrap()
        .write_all(args.to_string().as_bytes())
        .unwrap();
    let piped = document(&child.wait_with_output().unwrap());
    assert_eq!(piped, place.call("check_text", &args));
    let broken = document(&place.run(&["call", "check_text", "{"]));
    assert_eq!(code(&broken), ("invalid_arguments", 2));
}

#[test]
fn a_call_counts_as_an_agents() {
    let place = Place::with_paper();
    place.write("lyceum.toml", "confidentiality = \"referee\"\n");
    let answer = place.call("check_text", &json!({}));
    assert_eq!(code(&answer), ("confidential", 4));
    assert!(
        answer.0["error"]["allowed_now"]
            .as_array()
            .unwrap()
            .contains(&json!("check_rules"))
    );
}

#[test]
fn configuration_holds() {
    let place = Place::with_paper();
    place.write("lyceum.toml", "check.rules.disable = [\"citation-undefined\", \"entry-uncited\"]\ncheck.profile = \"thesis\"\n");
    let (value, exit) = place.call(
        "check_text",
        &json!({"paths": ["paper.tex"], "profile": "fragment"}),
    );
    assert_eq!(
        (value["summary"]["errors"].as_u64(), exit),
        (Some(0), 0),
        "{value}"
    );
    let (value, _) = place.call("check_text", &json!({"paths": ["paper.tex"]}));
    assert_eq!(value["summary"]["profile"], "thesis");
    place.write("lyceum.toml", "check.profile = 3\n");
    assert_eq!(
        code(&place.call("check_text", &json!({}))),
        ("config_invalid", 4)
    );
}

#[test]
fn messages_follow_the_locale_and_the_configuration() {
    let place = Place::with_paper();
    let mut command = place.command();
    let output = command
        .args(["call", "check_text"])
        .env("LC_ALL", "zh_CN.UTF-8")
        .output()
        .unwrap();
    let (value, _) = document(&output);
    assert_eq!(value["problems"][0]["message"], "没有键为 smith2020 的条目");
    let output = command.env("LYCEUM_LANGUAGE", "en").output().unwrap();
    assert_eq!(
        document(&output).0["problems"][0]["message"],
        "no entry for smith2020"
    );
}

#[test]
fn the_price_list_has_its_shape() {
    let place = Place::new(&[]);
    let (list, _) = document(&place.run(&["tools", "--tokens"]));
    let keys: Vec<&String> = list.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["encoding", "tools", "toolsets", "total"]);
    assert_eq!(list["encoding"], "o200k");
    let tools = list["tools"].as_array().unwrap();
    let sum: u64 = tools
        .iter()
        .map(|tool| tool["tokens"].as_u64().unwrap())
        .sum();
    assert_eq!(list["total"], sum);
    let by_set: u64 = list["toolsets"]
        .as_object()
        .unwrap()
        .values()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(by_set, sum);
    let (none, _) = document(&place.run(&["tools", "--tokens", "--toolsets", "lit"]));
    assert_eq!(none["total"], 0);
    assert_eq!(
        code(&document(&place.run(&["tools", "--toolsets", "nope"]))),
        ("unknown_toolset", 2)
    );
}

#[test]
fn the_manual_is_the_committed_one() {
    let printed = Place::new(&[]).run(&["tools", "--markdown"]).stdout;
    let committed = fs::read(source_root().join("docs/reference/operations.md")).unwrap();
    assert_eq!(String::from_utf8(printed), String::from_utf8(committed));
}

/// The first word in quotes after each place of a mark, when nothing but white space lies between.
fn named_after(text: &str, mark: &str) -> Vec<String> {
    text.split(mark)
        .skip(1)
        .filter_map(|rest| rest.trim_start().strip_prefix('"'))
        .filter_map(|rest| rest.split('"').next())
        .map(str::to_owned)
        .collect()
}

/// That each listed code is produced is a test of `lyceum-tools`.
#[test]
fn every_code_in_the_source_is_in_the_reference() {
    let listed: Vec<&str> = lyceum_tools::reference::codes()
        .map(|code| code.code)
        .collect();
    let mut folders = vec![source_root().join("crates")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let is_test = path.to_string_lossy().contains("tests");
            if is_test || path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let refusals = named_after(&text, "Refusal::new(");
            let faults: Vec<String> = text
                .split("Fault {")
                .skip(1)
                .filter_map(|rest| {
                    named_after(rest.split('}').next()?, "code:")
                        .into_iter()
                        .next()
                })
                .collect();
            for code in refusals.into_iter().chain(faults) {
                assert!(
                    listed.contains(&code.as_str()),
                    "{}: {code} is not in CODES",
                    path.display()
                );
                seen += 1;
            }
        }
    }
    assert!(
        seen >= listed.len() - 4,
        "only {seen} found: the search is broken"
    );
}

#[test]
fn a_root_that_is_not_there_is_named() {
    let place = Place::new(&[]);
    let answer = document(&place.run(&["--root", "nowhere", "call", "check_text"]));
    assert_eq!(code(&answer), ("file_missing", 4));
}

#[test]
fn a_class_below_the_root_counts() {
    let place = Place::new(&[
        ("p/lyceum.toml", "confidentiality = \"referee\"\n"),
        ("p/sub/paper.md", "# Title\n\nTODO: the secret sentence.\n"),
        ("open/paper.md", "# Title\n\nTODO: an open sentence.\n"),
    ]);
    for paths in [
        json!(["p/sub/paper.md"]),
        json!(["p/sub"]),
        json!(["p"]),
        json!(["open/paper.md", "p/sub/paper.md"]),
    ] {
        let (answer, code) = place.call("check_text", &json!({ "paths": paths }));
        assert_eq!(
            (answer["error"]["code"].as_str(), code),
            (Some("confidential"), 4),
            "{paths}: {answer}"
        );
        assert!(!answer.to_string().contains("secret"));
    }
    let (answer, code) = place.call("check_text", &json!({"paths": ["open/paper.md"]}));
    assert_eq!((answer["ok"].as_bool(), code), (Some(false), 1), "{answer}");
}

#[test]
fn no_source_undoes_the_caution_of_another() {
    let place = Place::new(&[
        ("lyceum.toml", "confidentiality = \"open\"\n"),
        ("paper.md", "# Title\n\nTODO: a sentence.\n"),
    ]);
    place.configure_user("confidentiality = \"referee\"\n");
    let (answer, _) = place.call("check_text", &json!({}));
    assert_eq!(answer["error"]["code"], "confidential");
    let place = Place::new(&[
        ("lyceum.toml", "confidentiality = \"human-data\"\n"),
        ("paper.md", "# Title\n\nTODO: a sentence.\n"),
    ]);
    let output = place
        .command()
        .args(["call", "check_text", "{}"])
        .env("LYCEUM_CONFIDENTIALITY", "open")
        .output()
        .unwrap();
    let (answer, _) = document(&output);
    assert_eq!(answer["error"]["code"], "confidential");
}

#[test]
fn a_huge_argument_does_not_come_back() {
    let place = Place::with_paper();
    let long = "x".repeat(100_000);
    for args in [
        json!({ "paths": [long] }),
        json!({ "rules": [long] }),
        json!({ "paths": vec![1; 5_000] }),
        json!({ &long: 1 }),
    ] {
        let mut child = place
            .command()
            .args(["call", "check_text", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(args.to_string().as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(
            output.stdout.len() < 24_000,
            "{} bytes",
            output.stdout.len()
        );
        let (answer, code) = document(&output);
        assert!(answer["error"]["code"].is_string() && code != 0, "{answer}");
    }
}

#[test]
fn the_project_names_its_manuscript() {
    let paper = "\\documentclass{article}\n\\begin{document}\nTODO: a note.\n\\end{document}\n";
    let place = Place::new(&[("alpha.tex", paper), ("beta.tex", paper)]);
    let (answer, _) = place.call("check_text", &json!({}));
    assert_eq!(answer["error"]["code"], "main_ambiguous");
    place.write("lyceum.toml", "paths.manuscript = \"beta.tex\"\n");
    let (answer, _) = place.call("check_text", &json!({}));
    assert_eq!(answer["summary"]["main"], "beta.tex", "{answer}");
}
