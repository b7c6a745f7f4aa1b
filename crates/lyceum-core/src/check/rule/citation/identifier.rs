//! DOIs and arXiv numbers as they are written in entries.

use std::sync::LazyLock;

use regex::Regex;

use crate::literature::Entry;

static DOI: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(r"^10(?:\.[0-9]{4,9}(?:\.[0-9]+)*/[^\s]+|/[a-z0-9]{3,10})$").expect("pattern")
});
static ARXIV: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(r"^(?:([0-9]{2})([0-9]{2})\.([0-9]{4,5})|[a-z]+(?:-[a-z]+)?(?:\.[A-Za-z-]+)?/[0-9]{2}(?:0[1-9]|1[0-2])[0-9]{3})(?:v[0-9]+)?$")
        .expect("pattern")
});

static AT_END: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(
        clippy::expect_used,
        reason = "a literal pattern, compiled by every test"
    )]
    Regex::new(r"/10\.[0-9]{4,9}/[^\s]+$").expect("pattern")
});

/// A well-formed DOI in lower case, without resolver and prefix.
pub(super) fn doi(text: &str) -> Option<String> {
    let bare = bare_doi(text);
    let placeholder = bare.to_lowercase().contains("xxxx");
    (DOI.is_match(&bare) && !placeholder).then(|| bare.to_lowercase())
}

/// What is left of a DOI field without `https://doi.org/` and `doi:`, percent signs resolved.
pub(super) fn bare_doi(text: &str) -> String {
    let mut rest = text.trim();
    let prefixes = [
        "https://",
        "http://",
        "dx.doi.org/",
        "www.doi.org/",
        "doi.org/",
        "doi:",
        "doi ",
        "urn:doi:",
        "/",
    ];
    let mut again = true;
    while again {
        again = false;
        for prefix in prefixes {
            let head = rest.get(..prefix.len());
            if head.is_some_and(|head| head.eq_ignore_ascii_case(prefix)) {
                rest = rest.get(prefix.len()..).unwrap_or("").trim_start();
                again = true;
            }
        }
    }
    // Publishers' resolvers: the DOI stands at the end of their address.
    if let Some(found) = AT_END.find(rest).filter(|_| rest.len() < text.trim().len()) {
        rest = rest.get(found.start() + 1..).unwrap_or(rest);
    }
    rest.trim_end_matches(['.', ',', ';'])
        .replace("%2F", "/")
        .replace("%2f", "/")
}

/// The value an entry gives for its arXiv number, when it says that it is one.
pub(super) fn arxiv_field(entry: &Entry) -> Option<&crate::literature::Field> {
    let is_arxiv = ["archiveprefix", "eprinttype"].iter().any(|name| {
        entry
            .text(name)
            .is_some_and(|text| text.eq_ignore_ascii_case("arxiv"))
    });
    let field = entry.field("arxivid").or_else(|| {
        let field = entry.field("eprint");
        field.filter(|_| is_arxiv)
    })?;
    (!field.text.is_empty()).then_some(field)
}

/// What is left of an arXiv number without address, prefix and subject class.
pub(super) fn bare_arxiv(text: &str) -> &str {
    let mut rest = text.trim();
    for prefix in [
        "https://",
        "http://",
        "www.",
        "arxiv.org/abs/",
        "arxiv.org/pdf/",
        "arxiv:",
        "arxiv ",
    ] {
        let head = rest.get(..prefix.len());
        if head.is_some_and(|head| head.eq_ignore_ascii_case(prefix)) {
            rest = rest.get(prefix.len()..).unwrap_or("").trim_start();
        }
    }
    let rest = rest.strip_suffix(".pdf").unwrap_or(rest);
    match rest.split_once(" [") {
        Some((number, class)) if class.ends_with(']') => number,
        _ => rest,
    }
}

/// True for a number that arXiv can have given: a month that is one, five digits since 2015, four before.
pub(super) fn is_arxiv(bare: &str) -> bool {
    let Some(captures) = ARXIV.captures(bare) else {
        return false;
    };
    let (Some(year), Some(month), Some(number)) =
        (captures.get(1), captures.get(2), captures.get(3))
    else {
        return true;
    };
    let year: u32 = year.as_str().parse().unwrap_or(0);
    let month: u32 = month.as_str().parse().unwrap_or(0);
    let digits = if year >= 15 { 5 } else { 4 };
    (1..=12).contains(&month) && (year > 7 || (year == 7 && month >= 4)) && number.len() == digits
}

/// A well-formed arXiv number without its version.
pub(super) fn arxiv_id(entry: &Entry) -> Option<String> {
    let bare = bare_arxiv(&arxiv_field(entry)?.text);
    is_arxiv(bare).then(|| match bare.rsplit_once('v') {
        Some((number, version)) if version.bytes().all(|b| b.is_ascii_digit()) => number.to_owned(),
        _ => bare.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dois_are_cut_to_their_core() {
        for text in [
            "10.1000/ABC.d",
            "https://doi.org/10.1000/abc.d",
            "http://dx.doi.org/10.1000/abc.d",
            "doi:10.1000/abc.d",
            "DOI: 10.1000/abc.d.",
            "https://doi.org/10.1000%2Fabc.d",
            "http://doi.acm.org/10.1000/abc.d",
            "https://dl.acm.org/doi/abs/10.1000/abc.d",
        ] {
            assert_eq!(doi(text).as_deref(), Some("10.1000/abc.d"), "{text}");
        }
        for text in [
            "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
            "10.1000.10/x",
        ] {
            assert!(doi(text).is_some(), "{text}");
        }
        for text in [
            "10.1000",
            "abc",
            "10.xxxx/abc",
            "10.1000/a b",
            "10.1000/xxxxx",
            "",
            "https://jstor.org/1",
        ] {
            assert_eq!(doi(text), None, "{text}");
        }
    }

    #[test]
    fn arxiv_numbers_old_and_new() {
        for text in [
            "0704.0001",
            "1412.9999v2",
            "1501.00001",
            "hep-th/9901001",
            "math.AG/0601001v1",
            "cs/0101001",
            "cond-mat/0312001",
        ] {
            assert!(is_arxiv(bare_arxiv(text)), "{text}");
        }
        for text in [
            "arXiv:1706.03762",
            "https://arxiv.org/abs/1706.03762v1",
            "1706.03762 [cs.CL]",
        ] {
            assert!(is_arxiv(bare_arxiv(text)), "{text}");
        }
        for text in [
            "1713.03762",
            "1706.3762",
            "1401.00001",
            "0703.0001",
            "170603762",
            "hep-th/9913001",
            "1706.037621",
        ] {
            assert!(!is_arxiv(bare_arxiv(text)), "{text}");
        }
    }
}
