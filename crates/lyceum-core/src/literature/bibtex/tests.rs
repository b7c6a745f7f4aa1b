//! What the reader makes of good and bad entries, and what it never does.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::literature::{Bibliography, Entry};
use crate::text::{FileId, Source};

fn read(text: &str) -> Bibliography {
    parse_bibtex(FileId(0), &Source::new("a.bib", text))
}

fn keys(bibliography: &Bibliography) -> Vec<&str> {
    bibliography
        .entries
        .iter()
        .map(|entry| entry.key.as_str())
        .collect()
}

fn codes(bibliography: &Bibliography) -> Vec<&str> {
    bibliography.notes.iter().map(|note| note.code).collect()
}

fn raw<'a>(entry: &'a Entry, name: &str) -> &'a str {
    entry.field(name).map_or("(absent)", |field| &field.raw)
}

#[test]
fn both_delimiters_macros_and_joins() {
    let got = read(
        "@string(me = {Ann})\n@article(k, author = me # \" and \" # {Bob}, month = jan, year=2001)\n@Book{l,title={A}}",
    );
    assert_eq!(keys(&got), ["k", "l"]);
    assert_eq!(raw(&got.entries[0], "author"), "Ann and Bob");
    assert_eq!(raw(&got.entries[0], "month"), "January");
    assert_eq!(got.entries[1].kind, "book");
    assert!(got.notes.is_empty());
}

#[test]
fn values_keep_their_place() {
    let text = "@a{k, t = {An {\\\"u}ber title}}";
    let got = read(text);
    let field = got.entries[0].field("t").unwrap();
    assert_eq!(&text[field.span.range()], "An {\\\"u}ber title");
    assert_eq!(field.text, "An über title");
    assert_eq!(&text[got.entries[0].span.range()], text);
}

#[test]
fn an_open_brace_costs_one_entry_only() {
    let got = read(
        "@a{one, t = {x}}\n@a{two, t = {{y}, u = {z}}\n@a{three, t = {x}}\n  @a{four, t={}}\n",
    );
    assert_eq!(keys(&got), ["one", "two", "three", "four"]);
    assert_eq!(codes(&got), ["bib_entry_unreadable"]);
    assert!(got.entries[1].partial && !got.entries[2].partial);
}

#[test]
fn after_an_open_brace_indented_entries_are_found_too() {
    let got = read("  @a{one, t = {x\n  @a{two, t = {y}}\n  @a{three, t = {y}}\n");
    assert_eq!(keys(&got), ["one", "two", "three"]);
    assert_eq!(codes(&got), ["bib_entry_unreadable"]);
}

#[test]
fn troubles_are_named_once_and_the_rest_is_read() {
    for (text, code) in [
        ("@a{k, t = {x} u = {y}}", "bib_entry_partial"),
        ("@a{k t = {x}, u = {y}}", "bib_entry_partial"),
        ("@a{two words, t = {x}, u = {y}}", "bib_entry_partial"),
        ("@a{k, t = {x}}, u = {y}}", "bib_entry_partial"),
        ("@a{k, t = , u = {y}}", "bib_entry_partial"),
        ("@a{k, t = \"x}\", u = {y}}", "bib_entry_partial"),
        ("@a{k, t = {x}, u = {y}", "bib_entry_unreadable"),
    ] {
        let got = read(&format!("{text}\n@a{{last, t = {{x}}}}"));
        assert_eq!(codes(&got), [code], "{text}");
        assert_eq!(got.entries.last().unwrap().key, "last", "{text}");
        assert!(got.entries[0].partial, "{text}");
    }
}

#[test]
fn comments_hold_no_entries_but_their_keys_are_known() {
    let got = read(
        "% @a{one, t={x}}\n@comment{@a{two, t={x}}}\n@Comment{jabref-meta: groups: @x;}\n@a{three, t={x}, % no\n u={y}}\nme@home.org\n",
    );
    assert_eq!(keys(&got), ["three"]);
    assert_eq!(got.entries[0].fields.len(), 2);
    assert!(got.commented.contains("one") && got.commented.contains("two"));
    assert!(got.notes.is_empty(), "{:?}", got.notes);
}

#[test]
fn keyless_and_strange_keys() {
    let got =
        read("@a{, t={x}}@a{t={x}}@a{}@a{DBLP:conf/x/Y+Z'10, t={x}}@a{müller:2020}@a{文献, t={x}}");
    assert_eq!(
        keys(&got),
        ["", "", "", "DBLP:conf/x/Y+Z'10", "müller:2020", "文献"]
    );
    assert!(got.notes.is_empty(), "{:?}", got.notes);
}

#[test]
fn parents_lend_fields() {
    let got = read(
        "@inproceedings{c, title={T}, crossref={P}}@proceedings{p, title={Proc}, year={1999}}@article{x, xdata={d}}@xdata{d, journal={J}}@a{l1, crossref={l2}}@a{l2, crossref={l1}}",
    );
    let text = |i: usize, name: &str| {
        got.inherited(&got.entries[i], name)
            .map(|field| field.text.clone())
    };
    assert_eq!(text(0, "booktitle").as_deref(), Some("Proc"));
    assert_eq!(text(0, "year").as_deref(), Some("1999"));
    assert_eq!(text(0, "title").as_deref(), Some("T"));
    assert_eq!(text(2, "journal").as_deref(), Some("J"));
    assert_eq!(text(4, "year"), None);
}

#[test]
fn a_macro_bomb_fizzles() {
    let mut text = String::from("@string{a0 = {xxxxxxxxxx}}\n");
    for i in 1..40 {
        let before = format!("a{}", i - 1);
        text += &format!("@string{{a{i} = {before} # {before} # {before} # {before}}}\n");
    }
    text += "@a{k, t = a39}";
    let got = read(&text);
    assert!(raw(&got.entries[0], "t").len() < 1 << 20);
}

#[test]
fn addresses_keep_their_characters() {
    let got = read(
        "@a{k, url={https://a.org/x\\_y~z%20}, doi={{10.1000/a\\_b}}, howpublished={\\url{http://b.c}}}",
    );
    let entry = &got.entries[0];
    assert_eq!(entry.text("url"), Some("https://a.org/x_y~z%20"));
    assert_eq!(entry.text("doi"), Some("10.1000/a_b"));
}

/// Cases where BibTeX reads a comment that other programs, and we, do not; or where we read on behind an error.
const OWN_WAY: &[&str] = &[
    "EntryInCommentTest",
    "EntryTypesTest",
    "FieldNamesTest",
    "InlineCommentTest",
    "MacrosTest",
];

#[test]
fn torture_inputs_give_the_expected_entries() {
    let Some(corpora) = crate::corpora() else {
        return;
    };
    let rows = std::fs::read_to_string(corpora.join("bib/pybtex/parser_cases.jsonl")).unwrap();
    let mut seen = 0;
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let name = row["name"].as_str().unwrap();
        if OWN_WAY.contains(&name) || row["options"]["wanted_entries"].is_string() {
            continue;
        }
        seen += 1;
        let mut strings = Strings::default();
        let entries: Vec<Entry> = row["input"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|input| {
                let source = Source::new("a.bib", input.as_str().unwrap());
                parse_bibtex_with(FileId(0), &source, &mut strings).entries
            })
            .collect();
        let want = row["expected"]["entries"].as_object().unwrap();
        assert_eq!(entries.len(), want.len(), "{name}");
        for (entry, (key, expected)) in entries.iter().zip(want) {
            if !key.starts_with("unnamed") {
                assert_eq!(
                    entry.key.trim_end_matches(')'),
                    key.trim_end_matches(')'),
                    "{name}"
                );
            }
            assert_eq!(entry.kind, expected["type"], "{name}");
            for (field, value) in expected["fields"].as_object().unwrap() {
                let got = raw(entry, &field.to_lowercase())
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                assert_eq!(got, value.as_str().unwrap(), "{name}");
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

fn check_spans(text: &str) {
    let got = read(text);
    let spans = got.entries.iter().flat_map(|entry| {
        [entry.span, entry.key_span]
            .into_iter()
            .chain(entry.fields.iter().map(|field| field.span))
    });
    for span in spans.chain(got.notes.iter().filter_map(|note| note.span)) {
        assert!(text.get(span.range()).is_some(), "{span:?} in {text:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_and_spans_fit(text in "\\PC{0,200}") {
        check_spans(&text);
    }

    #[test]
    fn any_mess_of_marks_is_read_and_spans_fit(
        text in "(@|@a\\{|@a\\(|k,|t=|\\{|\\}|\\(|\\)|\"|#|,|=|%|\n| |é|文|@string|@comment|\\\\){0,60}"
    ) {
        check_spans(&text);
    }
}

/// Long inputs of one kind, each of which a careless reader takes quadratic time for.
#[test]
fn hostile_repetition_is_read_in_one_go() {
    for piece in [
        "@",
        "@a{",
        "@a{k",
        "@a{k,",
        "@a{k,t={",
        "\n@a{k,t={",
        "\n @a{k,t={",
        "@comment{",
        "@string{a=",
        "{",
        "}",
        "\"",
        "% @a{",
        "%@",
        "@a ",
        "@a(k,t=\"",
        "@preamble{",
        "#",
        "@a{k,t=a#",
    ] {
        check_spans(&piece.repeat(50_000));
    }
}
