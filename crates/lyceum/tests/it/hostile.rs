//! What bad input gets: a clear refusal, a fault or a note; never a panic, a hang, or a file that was not there.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use crate::program::{Place, document};

const HEAD: &str = "\\documentclass{article}\n\\begin{document}\n";
const TAIL: &str = "\n\\end{document}\n";
const TWICE: &str = "We measured the the temperature of the water in the lake.";

struct Seen {
    value: Value,
    exit: i32,
}

impl Seen {
    fn code(&self) -> &str {
        self.value["error"]["code"].as_str().unwrap_or("none")
    }

    fn notes(&self) -> String {
        self.value["coverage"]["files"].to_string()
    }

    fn rules(&self) -> Vec<&str> {
        self.value["problems"]
            .as_array()
            .unwrap_or_else(|| panic!("{}", self.value))
            .iter()
            .map(|problem| problem["rule"].as_str().unwrap())
            .collect()
    }
}

fn seen(output: &Output) -> Seen {
    let (value, exit) = document(output);
    assert!([0, 1, 4, 5, 6].contains(&exit), "{exit}: {value}");
    Seen { value, exit }
}

fn check(place: &Place, path: &str) -> Seen {
    let before = place.everything();
    let seen = seen(&place.run(&["check", path, "--json"]));
    assert_eq!(place.everything(), before, "something was written");
    seen
}

fn write(place: &Place, name: &str, bytes: &[u8]) {
    fs::write(place.path().join(name), bytes).unwrap();
}

fn one(name: &str, bytes: &[u8]) -> Seen {
    let place = Place::new(&[]);
    write(&place, name, bytes);
    check(&place, name)
}

fn latex(body: &str) -> Seen {
    one("paper.tex", format!("{HEAD}{body}{TAIL}").as_bytes())
}

#[test]
fn missing_empty_and_binary_are_refused() {
    for (name, bytes, code) in [
        ("empty.tex", &b""[..], "empty_file"),
        ("blank.md", b" \n\n\t", "empty_file"),
        ("binary.tex", &[0, 1, 2, 3, 0, 159], "not_text"),
        ("paper.tex", b"%PDF-1.7\n...", "pdf_not_text"),
        ("paper.pdf", b"%PDF-1.7\n...", "pdf_not_text"),
        ("paper.docx", b"PK\x03\x04...", "docx_not_read"),
    ] {
        let seen = one(name, bytes);
        assert_eq!((seen.code(), seen.exit), (code, 4), "{name}");
    }
    let place = Place::new(&[]);
    for path in ["gone.tex", "gone/", "gone/gone.tex"] {
        let seen = check(&place, path);
        assert_eq!(seen.exit, 4, "{path}");
    }
    assert_eq!(check(&place, "gone.tex").code(), "file_missing");
    assert_eq!(check(&place, ".").code(), "nothing_to_check");
}

#[test]
fn every_encoding_and_line_end_is_read() {
    let text = format!("{HEAD}One caf\u{e9}.\n\n{TWICE}{TAIL}");
    let latin: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let wide = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| {
        let mut out = mark.to_vec();
        out.extend(text.encode_utf16().flat_map(bytes));
        out
    };
    for (name, bytes, note) in [
        ("utf8", text.clone().into_bytes(), ""),
        ("latin1", latin, "Windows-1252"),
        ("utf16le", wide([0xFF, 0xFE], u16::to_le_bytes), "UTF-16"),
        ("utf16be", wide([0xFE, 0xFF], u16::to_be_bytes), "UTF-16"),
        ("bom", [&b"\xEF\xBB\xBF"[..], text.as_bytes()].concat(), ""),
        ("crlf", text.replace('\n', "\r\n").into_bytes(), ""),
        ("old-mac", text.replace('\n', "\r").into_bytes(), ""),
        ("nul", text.replace("One", "One \0").into_bytes(), "NUL"),
    ] {
        let seen = one("paper.tex", &bytes);
        assert_eq!(
            (seen.exit, seen.rules()),
            (1, vec!["repeated-word"]),
            "{name}"
        );
        assert_eq!(seen.value["problems"][0]["line"], 5, "{name}");
        assert!(seen.notes().contains(note), "{name}: {}", seen.notes());
    }
}

#[test]
fn large_files_are_refused_or_read() {
    let place = Place::new(&[]);
    write(&place, "big.tex", &vec![b'a'; 50 << 20]);
    for path in ["big.tex", "."] {
        let seen = check(&place, path);
        assert_eq!((seen.code(), seen.exit), ("file_too_large", 4), "{path}");
    }
    // One line of 10 MB: what is said of it is short.
    let line = "word and words in a line \\cite{gone} that never ends. ".repeat(200_000);
    let place = Place::new(&[("refs.bib", "@book{a, title={A}}\n")]);
    let text = format!("{HEAD}{line}\\bibliography{{refs}}{TAIL}");
    write(&place, "line.tex", text.as_bytes());
    let out = place.run(&["check", "line.tex", "--rule", "citation-undefined"]);
    assert_eq!(out.status.code(), Some(1));
    let shown = String::from_utf8(out.stdout).unwrap();
    assert!(
        shown.lines().all(|line| line.len() < 1_000),
        "a line is too long"
    );
}

#[test]
fn a_folder_of_forty_texts_is_refused_with_names() {
    let place = Place::new(&[]);
    for i in 0..40 {
        place.write(&format!("text{i:02}.tex"), &format!("{HEAD}Words.{TAIL}"));
    }
    let seen = check(&place, ".");
    assert_eq!((seen.code(), seen.exit), ("main_ambiguous", 4));
    let message = seen.value["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("text00.tex") && message.contains("32 more"),
        "{message}"
    );
    assert_eq!(
        seen.value["error"]["allowed_now"][0],
        "lyceum check text00.tex"
    );
}

#[test]
fn include_loops_end_and_are_noted() {
    let place = Place::new(&[]);
    place.write("main.tex", &format!("{HEAD}\\input{{a}} {TWICE}{TAIL}"));
    place.write("a.tex", "\\input{b} \\input{a}\n");
    place.write("b.tex", "\\input{a} \\input{main}\n");
    for path in ["main.tex", "."] {
        let seen = check(&place, path);
        assert_eq!(seen.rules(), ["repeated-word"], "{path}");
        assert!(seen.notes().contains("includes itself"), "{}", seen.notes());
    }
}

#[test]
fn includes_stay_inside_the_folder() {
    let place = Place::new(&[]);
    let house = place.path().parent().unwrap().join("house");
    fs::create_dir(&house).unwrap();
    let absolute = house.join("secret.tex");
    fs::write(&absolute, "the the secret words of the house").unwrap();
    place.write(
        "main.tex",
        &format!(
            "{HEAD}Words. \\input{{../house/secret}} \\input{{{}}} \\include{{x/../../house/secret}}{TAIL}",
            absolute.display()
        ),
    );
    let seen = check(&place, "main.tex");
    assert_eq!(seen.exit, 6);
    assert!(!seen.value.to_string().contains("secret words"));
    assert!(
        seen.notes().contains("leads out of the folder"),
        "{}",
        seen.notes()
    );
}

#[cfg(unix)]
#[test]
fn links_that_loop_or_lead_out_are_not_followed() {
    use std::os::unix::fs::symlink;
    let place = Place::new(&[]);
    let at = |name: &str| place.path().join(name);
    fs::write(
        place.home().join("secret.tex"),
        "the the secret words of the house",
    )
    .unwrap();
    symlink("b.tex", at("a.tex")).unwrap();
    symlink("a.tex", at("b.tex")).unwrap();
    symlink(".", at("here")).unwrap();
    symlink(place.home().join("secret.tex"), at("out.tex")).unwrap();
    symlink(place.home(), at("away")).unwrap();
    place.write(
        "main.tex",
        &format!("{HEAD}Words. \\input{{a}} \\input{{out}} \\input{{away/secret}}{TAIL}"),
    );
    for path in ["main.tex", "."] {
        let seen = check(&place, path);
        assert_eq!(seen.exit, 6, "{path}: {}", seen.value);
        assert!(!seen.value.to_string().contains("secret words"));
    }
    let looped = check(&place, "a.tex");
    assert!([4, 5].contains(&looped.exit), "{}", looped.value);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_opened() {
    let place = Place::new(&[]);
    let pipe = place.path().join("pipe.tex");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let seen = check(&place, "pipe.tex");
    assert_eq!((seen.code(), seen.exit), ("not_a_file", 4));
    place.write("main.tex", &format!("{HEAD}Words. \\input{{pipe}}{TAIL}"));
    assert_eq!(check(&place, "main.tex").exit, 6);
}

#[cfg(unix)]
#[test]
fn what_the_system_refuses_is_a_fault() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new(&[]);
    place.write("main.tex", &format!("{HEAD}Words.{TAIL}"));
    let forbid = |name: &str, mode| {
        fs::set_permissions(place.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    forbid("main.tex", 0o000);
    // Root may read anything: ask as somebody else.
    let readable = fs::read(place.path().join("main.tex")).is_ok();
    let mut command = if readable {
        let above = place.path().parent().unwrap().to_path_buf();
        fs::set_permissions(above, fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = place.command();
        let program = command.get_program().to_owned();
        let mut other = Command::new("setpriv");
        other
            .args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"])
            .arg(program)
            .current_dir(place.path())
            .env_clear()
            .env("PATH", "/usr/bin:/bin");
        command = other;
        command
    } else {
        place.command()
    };
    let out = command.args(["check", "main.tex", "--json"]).output();
    match out {
        Ok(out) if !out.stdout.is_empty() => {
            let seen = seen(&out);
            assert_eq!((seen.code(), seen.exit), ("file_unreadable", 5));
            assert_eq!(seen.value["error"]["retryable"], false);
        }
        _ => eprintln!("skipped: no other user can run the program here"),
    }
    forbid("main.tex", 0o644);
}

#[test]
fn macro_bombs_and_unbalanced_texts_end() {
    let bomb: String = (b'a'..b'y')
        .map(|c| {
            let (this, next) = (char::from(c), char::from(c + 1));
            format!("\\newcommand{{\\x{this}}}{{\\x{next}\\x{next}}}\n")
        })
        .collect();
    let place = Place::new(&[]);
    place.write(
        "bomb.tex",
        &format!("\\documentclass{{article}}\n{bomb}\\begin{{document}}\n\\xa {TWICE}{TAIL}"),
    );
    let seen = check(&place, "bomb.tex");
    assert!(
        seen.notes().contains("expand without end"),
        "{}",
        seen.notes()
    );
    for body in [
        "{".repeat(50_000),
        "\\begin{figure}".repeat(10_000),
        "$".repeat(9_999),
        "\\end{x}".repeat(10_000),
        "\\footnote{".repeat(20_000),
        "\\def\\a{\\a}\\a".to_owned(),
        "\\verb".to_owned(),
        "\\".to_owned(),
        "\\cite[".repeat(10_000),
        "\\if".repeat(10_000),
    ] {
        let seen = latex(&body);
        assert!([0, 1, 6].contains(&seen.exit), "{}", seen.value);
    }
    for body in [
        "[".repeat(100_000),
        "> ".repeat(20_000),
        "*".repeat(50_000),
        "<div>".repeat(20_000),
        "[^1]: ".repeat(9_000),
        "| ".repeat(30_000),
        "---\n".repeat(5_000),
    ] {
        let seen = one("paper.md", body.as_bytes());
        assert!([0, 1].contains(&seen.exit), "{}", seen.value);
    }
}

#[test]
fn a_broken_bibliography_accuses_nobody() {
    let place = Place::new(&[]);
    place.write(
        "paper.tex",
        &format!("{HEAD}Seen \\cite{{good}} and \\cite{{lost}}.\n\\bibliography{{refs}}{TAIL}"),
    );
    write(
        &place,
        "refs.bib",
        b"@book{good, title={G}, author={A, B}, year={2000}, publisher={P}}\n@book{lost, title={never closed\n",
    );
    let seen = check(&place, "paper.tex");
    assert!(
        !seen.rules().contains(&"citation-undefined"),
        "{}",
        seen.value
    );
    write(&place, "refs.bib", &[0, 1, 2, 3, 0, 5]);
    let seen = check(&place, "paper.tex");
    assert_eq!(seen.exit, 6, "{}", seen.value);
    assert!(seen.rules().is_empty());
    fs::remove_file(place.path().join("refs.bib")).unwrap();
    assert!([1, 6].contains(&check(&place, "paper.tex").exit));
}

#[test]
fn a_configuration_of_rubbish_is_refused() {
    let place = Place::with_paper();
    for rubbish in [&b"\xff\xfe"[..], b"[[[[", b"a = \"\x00\"", b"check = 1"] {
        write(&place, "lyceum.toml", rubbish);
        let seen = check(&place, "paper.tex");
        assert_eq!(
            (seen.code(), seen.exit),
            ("config_invalid", 4),
            "{rubbish:?}"
        );
    }
    fs::remove_file(place.path().join("lyceum.toml")).unwrap();
    fs::create_dir(place.path().join("lyceum.toml")).unwrap();
    let seen = check(&place, "paper.tex");
    assert_eq!((seen.code(), seen.exit), ("file_unreadable", 5));
}
