//! Long lines of near misses: each rule looks at a bounded number of them.

use crate::check::{Profile, Selection, assemble, check, tests::MemoryFiles};
use crate::text::{Budget, Format, load};

#[test]
fn long_lines_are_bounded() {
    for part in [
        "12 of 40 (35%) ",
        "t(28) = 9.1, p = .8 ",
        "7-point single question (M = 5.19, n = 28 ",
        "N = 120 participants ",
        "93.4% ",
        "(((12/40, ",
    ] {
        let mut files = MemoryFiles::default();
        let text = format!(
            "# Abstract\n\n93.4%\n\n# Results\n\n{}\n\n# Conclusion\n\n{}\n",
            part.repeat(10_000),
            part.repeat(1_000)
        );
        files.0.insert("paper.md".to_owned(), text.into_bytes());
        let manuscript = load(
            &files,
            &["paper.md".to_owned()],
            Format::Markdown,
            Budget::default(),
        )
        .unwrap();
        let today = crate::base::Date {
            year: 2026,
            month: 11,
            day: 30,
        };
        let paper = assemble(
            &files,
            manuscript,
            &[],
            Budget::default(),
            Profile::Article,
            today,
        );
        let rules = super::RULES.iter().map(|rule| rule.id.to_owned()).collect();
        let selection = Selection {
            rules,
            ..Selection::default()
        };
        assert!(check(&paper, &selection).problems.len() <= 2_000, "{part}");
    }
}
