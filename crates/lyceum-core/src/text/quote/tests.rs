//! Quotations are found however they are written.

use proptest::prelude::*;

use super::*;
use crate::text::source::Source;
use crate::text::{Builder, Format, words};

fn manuscript(text: &str) -> Manuscript {
    let mut builder = Builder::new(Format::Markdown);
    let file = builder.add_source(Source::new("a.md", text));
    crate::text::markdown::read(&mut builder, &[file]);
    builder.finish()
}

const TEXT: &str = "# Methods\n\nWe *re*-ran the “official” code — twice — with a ﬁnite 10–20 % budget,\nsee [the docs](http://a.b/c) and [@key, p. 3]. \
The value $x_1 = 3$ holds.\n\nSecond paragraph: naïve café, `snake_case` and cooperation.\n\n- an item\n\n# Results\n\nThird here. 中文的\n结果。\n";

fn found(quote: &str) -> Option<(String, bool)> {
    let out = manuscript(TEXT);
    let all = find_quote(&out, quote);
    let first = all.first()?;
    Some((out.slice(first.span).to_owned(), first.exact))
}

#[test]
fn variants_of_white_space_dashes_and_quotes_are_found() {
    for quote in [
        "the “official” code — twice",
        "the \"official\" code - twice",
        "the  \"official\"\n code -- twice",
        "the `official' code",
    ] {
        let expected = !quote.starts_with("the `");
        assert_eq!(found(quote).is_some(), expected, "{quote}");
    }
    assert_eq!(
        found("the “official” code"),
        Some(("the “official” code".to_owned(), true))
    );
    assert!(!found("the \"official\" code").unwrap().1);
    assert!(found("a finite 10-20 % budget, see the docs").is_some());
    assert!(found("naïve cafe\u{301}").is_some());
    assert!(found("co-\noperation.").is_some());
    assert!(found("We re-\nran the").is_some());
    assert!(found("coopera-\ntion.").is_some());
    assert!(
        !find_quote(
            &manuscript("A hyphen-\nation and pre- and post-\n"),
            "hyphenation and pre- and"
        )
        .is_empty()
    );
    assert!(found("nai\u{308}ve").is_some());
    assert!(found("中文的结果").is_some());
}

#[test]
fn markup_in_the_quotation_is_passed_over() {
    for quote in [
        "We *re*-ran the",
        "We \\emph{re}-ran the ``official'' code --- twice",
        "see [the docs](http://a.b/c) and",
        "see \\textbf{the docs} and",
        "café, `snake_case` and",
        "caf\\'e, \\texttt{snake\\_case} and",
        "[@key, p. 3]",
    ] {
        assert!(found(quote).is_some(), "{quote}");
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    for quote in [
        "we re-ran the",
        "official-code",
        "an item Third",
        "",
        "—",
        "Third here. Second",
    ] {
        assert!(found(quote).is_none(), "{quote}");
    }
}

#[test]
fn paragraphs_of_one_section_are_joined() {
    let (source, exact) = found("holds. Second paragraph").unwrap();
    assert!(
        source.starts_with("holds.") && source.ends_with("Second paragraph"),
        "{source}"
    );
    assert!(!exact);
    assert!(found("cooperation. an item").is_none());
}

#[test]
fn every_place_is_reported_with_its_block() {
    let out = manuscript("One two. One two.\n\nOne two.\n");
    let all = find_quote(&out, "One two.");
    let places: Vec<(usize, Range<usize>)> = all
        .iter()
        .map(|m| (m.block.unwrap(), m.visible.clone()))
        .collect();
    assert_eq!(places, [(0, 0..8), (0, 9..17), (1, 0..8)]);
}

#[test]
fn many_quotations_in_a_long_text_are_soon_found() {
    let text: String = (0..6_000)
        .map(|i| format!("Sentence number {i} says something of its own here.\n\n"))
        .collect();
    let out = manuscript(&text);
    let index = QuoteIndex::new(&out);
    for i in (0..6_000).step_by(6) {
        assert_eq!(index.find(&format!("number {i}\nsays something")).len(), 1);
    }
    assert!(index.find("number 6000 says").is_empty());
}

/// Another way to write the same words.
fn rewrapped(text: &str, seed: usize) -> String {
    let gaps = [" ", "\n", "  ", " \n ", "\u{a0}"];
    let dashes = ['-', '–', '—', '−'];
    let mut n = seed;
    text.chars()
        .map(|c| {
            n = n.wrapping_mul(31).wrapping_add(7);
            match c {
                ' ' => gaps[n % gaps.len()].to_owned(),
                '-' | '–' | '—' => dashes[n % dashes.len()].to_string(),
                '“' | '”' => "\"".to_owned(),
                '’' => "'".to_owned(),
                c => c.to_string(),
            }
        })
        .collect()
}

const WORDS: &[&str] = &[
    "alpha",
    "*beta*",
    "**gam**ma",
    "delta-epsilon",
    "10–20",
    "“quoted”",
    "it’s",
    "[link](http://x.y)",
    "`code`",
    "ﬁnite",
    "naïve",
    "变量",
    "[@key]",
    "H~2~O",
    "x^2^",
    "&amp;",
    "5&nbsp;mm",
    "\\*",
    "end.",
    "(see)",
    "$a+b$",
    "A—B",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_part_of_a_paragraph_is_found(
        pieces in prop::collection::vec(prop::sample::select(WORDS), 2..30),
        lines in prop::collection::vec(any::<bool>(), 30),
        from in 0_usize..30,
        length in 1_usize..12,
        seed in any::<usize>(),
    ) {
        let mut text = String::from("Start ");
        for (piece, line) in pieces.iter().zip(&lines) {
            text.push_str(piece);
            text.push(if *line { '\n' } else { ' ' });
        }
        let out = manuscript(&text);
        let visible = &out.blocks[0].text.string;
        let all: Vec<_> = words(visible).map(|(range, _)| range).collect();
        let first = &all[from % all.len()];
        let last = &all[(from % all.len() + length).min(all.len() - 1)];
        let part = &visible[first.start..last.end];
        let found = find_quote(&out, &rewrapped(part, seed));
        prop_assert!(!found.is_empty(), "{part:?} in {visible:?}");
        let hit = found.iter().any(|hit| hit.visible.start <= first.start && first.start < hit.visible.end);
        prop_assert!(hit, "{part:?} elsewhere in {visible:?}");
        for hit in &found {
            let source = out.slice(hit.span);
            let Some(block) = hit.block else { continue };
            for (_, word) in words(&out.blocks[block].text.string[hit.visible.clone()]) {
                let plain = word.chars().all(|c| c.is_ascii_alphabetic());
                let split = matches!(word, "gamma" | "H2O" | "finite");
                prop_assert!(!plain || split || source.contains(word), "{word:?} not in {source:?}");
            }
        }
    }

    #[test]
    fn any_quotation_ends(text in "\\PC{0,80}", quote in "\\PC{0,40}") {
        let mut builder = Builder::new(Format::Plain);
        let file = builder.add_source(Source::new("a.txt", text.clone()));
        builder.literal(&text, file, 0);
        let out = builder.finish();
        for hit in find_quote(&out, &quote) {
            for (block, seen) in hit.parts() {
                prop_assert!(out.blocks[block].text.string.get(seen).is_some());
            }
            prop_assert!(out.source(file).text.get(hit.span.range()).is_some());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn many_quotations_are_found_as_a_few_are(
        text in "([ab]{1,3}[ .]|中文。|the same ){20,60}",
        cuts in proptest::collection::vec((0_usize..150, 1_usize..40), 50..60),
    ) {
        let out = manuscript(&text);
        let index = QuoteIndex::new(&out);
        let chars: Vec<char> = text.chars().collect();
        for (start, length) in cuts {
            let quote: String = chars.iter().skip(start).take(length).collect();
            prop_assert_eq!(index.find(&quote), find_quote(&out, &quote), "{}", quote);
        }
    }
}
