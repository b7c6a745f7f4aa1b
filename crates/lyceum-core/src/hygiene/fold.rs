//! One plain form of a text, in which disguises are gone: look-alike letters, full-width and mathematical letters,
//! accents, invisible characters, hyphens at line ends, case.

use std::ops::Range;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use super::unicode::{is_invisible, tag_letter};

/// The plain form of a text: lower case, single spaces, straight quotes.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    each(text, |_, c| out.push(c));
    out
}

/// Where a byte range of the plain form of `text` stands in `text`.
#[must_use]
pub fn unfold(text: &str, range: Range<usize>) -> Range<usize> {
    let (mut length, mut start, mut end) = (0, None, None);
    each(text, |at, c| {
        if start.is_none() && length >= range.start {
            start = Some(at);
        }
        if end.is_none() && length >= range.end {
            end = Some(at);
        }
        length += c.len_utf8();
    });
    let start = start.unwrap_or(text.len());
    let mut end = end.unwrap_or(text.len()).max(start);
    let kept = text.get(start..end).map_or(0, |part| part.trim_end().len());
    if kept > 0 {
        end = start + kept;
    }
    start..end
}

/// Hands out the characters of the plain form with the offset each one comes from.
fn each(text: &str, mut emit: impl FnMut(usize, char)) {
    let mut last = ' ';
    let mut skip = 0;
    for (at, c) in text.char_indices() {
        if at < skip {
            continue;
        }
        if c == '-' && last.is_alphabetic() {
            let rest = &text[at + 1..];
            let word = rest.trim_start();
            if word.len() < rest.len() && word.starts_with(char::is_lowercase) {
                skip = text.len() - word.len();
                continue;
            }
        }
        let c = tag_letter(c).unwrap_or(c);
        if c.is_whitespace() || c == '\u{2800}' {
            if last != ' ' {
                last = ' ';
                emit(at, ' ');
            }
        } else if c.is_ascii() {
            last = c.to_ascii_lowercase();
            emit(at, last);
        } else if !is_invisible(c) {
            plain(c, |part| {
                last = part;
                emit(at, part);
            });
        }
    }
}

fn plain(c: char, mut emit: impl FnMut(char)) {
    // Kana and Hangul would fall apart into marks that carry meaning.
    if matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}') {
        emit(c);
        return;
    }
    decompose_compatible(c, |part| {
        if is_combining_mark(part) {
            return;
        }
        for lower in look_alike(part).to_lowercase() {
            emit(lower);
        }
    });
}

/// The Latin letter or plain mark a character is mistaken for.
fn look_alike(c: char) -> char {
    match c {
        'а' | 'α' | 'А' | 'Α' | 'ɑ' => 'a',
        'В' | 'Β' | 'в' => 'b',
        'с' | 'С' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'Ε' | 'ε' => 'e',
        'ɡ' | 'ց' => 'g',
        'һ' | 'Н' | 'Η' | 'н' => 'h',
        'і' | 'І' | 'Ι' | 'ι' | 'ı' | 'Ӏ' | 'ӏ' => 'i',
        'ј' | 'Ј' => 'j',
        'к' | 'К' | 'Κ' | 'κ' => 'k',
        'М' | 'Μ' | 'м' => 'm',
        'Ν' | 'ո' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'օ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' | 'Ѕ' => 's',
        'т' | 'Т' | 'τ' | 'Τ' => 't',
        'υ' | 'ս' => 'u',
        'ѵ' | 'ν' => 'v',
        'ѡ' | 'ω' | 'ԝ' => 'w',
        'х' | 'Х' | 'Χ' | 'χ' => 'x',
        'у' | 'У' | 'Υ' | 'γ' => 'y',
        'Ζ' => 'z',
        '\u{2018}' | '\u{2019}' | '\u{2032}' | '\u{2bc}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2033}' | '«' | '»' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => simplified(c),
    }
}

/// The simplified form of the traditional characters that orders are written with.
fn simplified(c: char) -> char {
    const PAIRS: &[(char, char)] = &[
        ('請', '请'),
        ('給', '给'),
        ('評', '评'),
        ('審', '审'),
        ('價', '价'),
        ('無', '无'),
        ('視', '视'),
        ('點', '点'),
        ('優', '优'),
        ('錄', '录'),
        ('薦', '荐'),
        ('議', '议'),
        ('這', '这'),
        ('該', '该'),
        ('論', '论'),
        ('寫', '写'),
        ('說', '说'),
        ('過', '过'),
        ('語', '语'),
        ('類', '类'),
        ('積', '积'),
        ('極', '极'),
        ('滿', '满'),
        ('強', '强'),
        ('見', '见'),
        ('則', '则'),
        ('規', '规'),
        ('為', '为'),
        ('條', '条'),
        ('設', '设'),
        ('統', '统'),
    ];
    if !('\u{4e00}'..='\u{9fff}').contains(&c) {
        return c;
    }
    PAIRS
        .iter()
        .find(|(old, _)| *old == c)
        .map_or(c, |(_, new)| *new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disguises_fall_off() {
        assert_eq!(fold("Ｉｇｎｏｒｅ  ALL"), "ignore all");
        assert_eq!(fold("іgnоrе"), "ignore");
        assert_eq!(fold("ig\u{200b}no\u{ad}re"), "ignore");
        assert_eq!(fold("instruc-\n  tions"), "instructions");
        assert_eq!(fold("𝐢𝐠𝐧𝐨𝐫𝐞 “précédentes”"), "ignore \"precedentes\"");
        assert_eq!(fold("\u{e0048}\u{e0069}"), "hi");
        assert_eq!(fold("以前の指示を、ガ"), "以前の指示を、ガ");
    }

    #[test]
    fn a_range_leads_back() {
        let text = "We  say: ｉｇ\u{200b}ｎｏｒｅ this";
        let folded = fold(text);
        let at = folded.find("ignore").unwrap();
        assert_eq!(&text[unfold(text, at..at + 6)], "ｉｇ\u{200b}ｎｏｒｅ");
    }

    #[test]
    fn a_hostile_hyphen_run_is_linear() {
        let text = format!("a{}", "- ".repeat(200_000));
        assert!(fold(&text).len() > 200_000);
        let text = format!("a-{}b", " ".repeat(400_000));
        assert_eq!(fold(&text), "ab");
    }
}
