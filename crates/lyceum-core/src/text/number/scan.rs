//! One pass over a text from left to right; every character is looked at a bounded number of times.

use super::context::{before, char_at, is_cjk, is_name_letter, kind, word_after};
use super::words::{chinese, english};
use super::{Decimal, Link, Number, NumberKind, unit_at};

/// Most digits an exponent may have.
const EXPONENT: usize = 3;

/// The numbers of a text, in order.
#[must_use]
pub fn numbers(text: &str) -> Vec<Number> {
    scan(text, false)
}

/// The numbers of a text and the number words, English and Chinese, in order.
#[must_use]
pub fn numbers_and_words(text: &str) -> Vec<Number> {
    scan(text, true)
}

fn scan(text: &str, words: bool) -> Vec<Number> {
    let mut found: Vec<Number> = Vec::new();
    let mut at = 0;
    while let Some(c) = char_at(text, at) {
        if starts_number(text, at, c) {
            let number = number(text, at);
            at = number.extent.end;
            found.push(number);
        } else if is_name_letter(c) {
            let spelled = if words { english(text, at) } else { None };
            at = if let Some((value, length)) = spelled {
                found.push(word_number(text, at, at + length, value));
                at + length
            } else {
                let end = name_end(text, at);
                push_name(text, at, end, &mut found);
                end
            };
        } else {
            if words && let Some(value) = chinese(c) {
                found.push(word_number(text, at, at + c.len_utf8(), value));
            }
            at += c.len_utf8();
        }
    }
    link(text, &mut found);
    found
}

fn starts_number(text: &str, at: usize, c: char) -> bool {
    c.is_ascii_digit()
        || (c == '.'
            && char_at(text, at + 1).is_some_and(|next| next.is_ascii_digit())
            && !before(text, at)
                .is_some_and(|last| last.is_alphanumeric() || matches!(last, ')' | ']' | '.')))
}

/// The end of a word with the digits, joints and version points that belong to it.
fn name_end(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut digit = false;
    while let Some(c) = char_at(text, end) {
        let next = char_at(text, end + c.len_utf8());
        let joint = match c {
            '-' => next.is_some_and(|n| n.is_ascii_alphanumeric()),
            '.' => digit && next.is_some_and(|n| n.is_ascii_digit()),
            _ => false,
        };
        if !joint && !is_name_letter(c) && !c.is_ascii_digit() {
            break;
        }
        digit = c.is_ascii_digit() || (joint && digit);
        end += c.len_utf8();
    }
    end
}

fn push_name(text: &str, start: usize, end: usize, found: &mut Vec<Number>) {
    let name = text.get(start..end).unwrap_or("");
    if let Some(first) = name.find(|c: char| c.is_ascii_digit()) {
        let digits: String = name
            .get(first..)
            .unwrap_or("")
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        if let Some(value) = Decimal::parse(&digits) {
            found.push(plain(text, start..end, value, NumberKind::Identifier));
        }
    }
}

fn word_number(text: &str, start: usize, end: usize, value: i128) -> Number {
    let kind = if before(text, start) == Some('第') {
        NumberKind::Ordinal
    } else {
        NumberKind::Word
    };
    plain(text, start..end, Decimal::integer(value), kind)
}

fn plain(text: &str, range: std::ops::Range<usize>, value: Decimal, kind: NumberKind) -> Number {
    Number {
        raw: text.get(range.clone()).unwrap_or("").to_owned(),
        extent: range.clone(),
        range,
        value,
        kind,
        unit: None,
        link: None,
    }
}

/// The number whose first digit or point is at `at`.
fn number(text: &str, at: usize) -> Number {
    if let Some(end) = date_end(text, at) {
        return plain(text, at..end, first_digits(text, at), NumberKind::Date);
    }
    let (digits, mut end) = digits(text, at);
    if let Some(special) = version_or_code(text, at, end) {
        return special;
    }
    let (start, negative) = sign(text, at);
    let Some(mut value) = Decimal::parse(&digits) else {
        return plain(text, at..end, Decimal::integer(0), NumberKind::Identifier);
    };
    let whole = value.scale == 0;
    if negative {
        value = value.negated();
    }
    if let Some((power, stop)) = exponent(text, end) {
        let base_ten = digits == "10" && text.get(end..).is_some_and(starts_power);
        let shifted = if base_ten {
            Decimal::integer(if negative { -1 } else { 1 }).shifted(power)
        } else {
            value.shifted(power)
        };
        if let Some(shifted) = shifted {
            (value, end) = (shifted, stop);
        }
    }
    finish(text, start, at, end, value, whole)
}

fn finish(text: &str, start: usize, at: usize, end: usize, value: Decimal, whole: bool) -> Number {
    let mut number = plain(text, start..end, value, NumberKind::Quantity);
    if let Some((power, length)) = multiplier(text, end)
        && let Some(shifted) = value.shifted(power)
    {
        number.value = shifted;
        number.range.end = end + length;
        number.extent.end = end + length;
        number.raw = text.get(number.range.clone()).unwrap_or("").to_owned();
    }
    let after = number.range.end;
    if let Some((unit, stop)) = unit_after(text, after) {
        number.unit = Some(unit);
        number.extent.end = stop;
        return number;
    }
    let suffix = text.get(after..after + 2).unwrap_or("");
    let letter = char_at(text, after).filter(|c| is_name_letter(*c));
    let ordinal = ["st", "nd", "rd", "th"].contains(&suffix)
        && !char_at(text, after + 2).is_some_and(char::is_alphanumeric);
    if letter.is_some() && ordinal && whole {
        number.extent.end = after + 2;
        number.kind = NumberKind::Ordinal;
    } else if letter.is_some() {
        let stop = name_end(text, after);
        number.kind = NumberKind::Identifier;
        number.extent.end = stop;
        number.range.end = stop;
        number.raw = text.get(number.range.clone()).unwrap_or("").to_owned();
    } else if before(text, at) == Some('第') {
        number.kind = NumberKind::Ordinal;
    } else if after == end {
        number.kind = kind(text, at, end, whole, start < at);
        if before(text, at) == Some('百')
            || text.get(..at).is_some_and(|head| head.ends_with("百分之"))
        {
            number.unit = Some("%".to_owned());
        }
    }
    number
}

/// Digits with grouping taken out, and where they end.
fn digits(text: &str, at: usize) -> (String, usize) {
    let mut end = run_end(text, at);
    let mut digits = text.get(at..end).unwrap_or("").to_owned();
    if (1..=3).contains(&digits.len()) && !digits.starts_with('0') {
        (digits, end) = grouped(text, at, digits, end);
    }
    if let Some(rest) = text.get(end..)
        && rest.starts_with('.')
        && !digits.contains('.')
        && char_at(text, end + 1).is_some_and(|c| c.is_ascii_digit())
    {
        let stop = run_end(text, end + 1);
        digits.push('.');
        digits.push_str(text.get(end + 1..stop).unwrap_or(""));
        end = stop;
    }
    (digits, end)
}

/// Takes in groups of three digits where the separator leaves no doubt.
fn grouped(text: &str, at: usize, head: String, end: usize) -> (String, usize) {
    let Some(separator) = char_at(text, end) else {
        return (head, end);
    };
    if !matches!(
        separator,
        ',' | '\'' | '’' | ' ' | '.' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '，'
    ) {
        return (head, end);
    }
    if before(text, at) == Some(separator)
        && before(text, at - separator.len_utf8()).is_some_and(|c| c.is_ascii_digit())
    {
        return (head, end);
    }
    let (mut groups, mut stop) = (Vec::new(), end);
    while char_at(text, stop) == Some(separator) {
        let start = stop + separator.len_utf8();
        if run_end(text, start) != start + 3 {
            break;
        }
        groups.push(text.get(start..start + 3).unwrap_or(""));
        stop = start + 3;
    }
    let european = separator == '.'
        && char_at(text, stop) == Some(',')
        && char_at(text, stop + 1).is_some_and(|c| c.is_ascii_digit());
    let sure = match separator {
        // `F(1,986)` holds two numbers.
        ',' => {
            !(before(text, at) == Some('(')
                && text.get(..at.saturating_sub(1)).is_some_and(ends_in_letter))
        }
        ' ' => groups.len() >= 2 || groups.first() == Some(&"000"),
        '.' => european,
        '，' => false,
        _ => true,
    };
    // A run that goes on with a shorter or longer group is a list.
    let list = separator != ' '
        && separator != '.'
        && char_at(text, stop) == Some(separator)
        && char_at(text, stop + separator.len_utf8()).is_some_and(|c| c.is_ascii_digit());
    if groups.is_empty() || !sure || list {
        return (head, end);
    }
    let mut digits = head + &groups.concat();
    if european {
        let fraction = run_end(text, stop + 1);
        digits.push('.');
        digits.push_str(text.get(stop + 1..fraction).unwrap_or(""));
        stop = fraction;
    }
    (digits, stop)
}

fn ends_in_letter(text: &str) -> bool {
    text.chars().next_back().is_some_and(is_name_letter)
}

fn run_end(text: &str, at: usize) -> usize {
    let run = text
        .as_bytes()
        .get(at..)
        .unwrap_or(&[])
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    at + run
}

fn first_digits(text: &str, at: usize) -> Decimal {
    let digits = text.get(at..run_end(text, at)).unwrap_or("0");
    Decimal::parse(digits).unwrap_or(Decimal::integer(0))
}

/// A sign before the number, when it is one and no dash between two things.
fn sign(text: &str, at: usize) -> (usize, bool) {
    let Some(mark) = before(text, at).filter(|c| matches!(c, '-' | '−' | '–' | '+')) else {
        return (at, false);
    };
    let start = at - mark.len_utf8();
    let free = match before(text, start) {
        None => true,
        Some(c) => {
            c.is_whitespace()
                || matches!(
                    c,
                    '(' | '['
                        | '{'
                        | '='
                        | '<'
                        | '>'
                        | '≤'
                        | '≥'
                        | '≈'
                        | '~'
                        | ','
                        | ':'
                        | ';'
                        | '±'
                        | '/'
                        | '|'
                        | '（'
                )
        }
    };
    if free {
        (start, mark != '+')
    } else {
        (at, false)
    }
}

/// `e-3`, ` × 10^-3`, `×10⁻³`, `^6` (after 10): the power and its end.
fn exponent(text: &str, at: usize) -> Option<(i32, usize)> {
    let rest = text.get(at..)?;
    if rest.starts_with(['e', 'E']) {
        let (power, length) = signed_digits(rest.get(1..)?)?;
        let end = at + 1 + length;
        return (!char_at(text, end).is_some_and(is_name_letter)).then_some((power, end));
    }
    if text.get(..at)?.ends_with("10") && starts_power(rest) {
        let (power, length) = power(rest)?;
        return Some((power, at + length));
    }
    let trimmed = rest.trim_start_matches([' ', '\u{a0}', '\u{2009}', '\u{202f}']);
    let times = ["×", "\\times", "·", "\\cdot", "⋅", "x", "*"]
        .iter()
        .find_map(|mark| trimmed.strip_prefix(mark))?;
    let ten = times
        .trim_start_matches([' ', '\u{a0}', '\u{2009}', '\u{202f}'])
        .strip_prefix("10")?;
    let (power, length) = power(ten)?;
    Some((power, at + rest.len() - ten.len() + length))
}

fn starts_power(rest: &str) -> bool {
    rest.starts_with([
        '^', '⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁻', '⁺',
    ])
}

fn power(rest: &str) -> Option<(i32, usize)> {
    if let Some(raised) = rest.strip_prefix('^') {
        let inner = raised.strip_prefix('{');
        let (power, length) = signed_digits(inner.unwrap_or(raised))?;
        let open = usize::from(inner.is_some());
        let close =
            usize::from(inner.is_some_and(|tail| tail.as_bytes().get(length) == Some(&b'}')));
        return Some((power, 1 + open + length + close));
    }
    raised_plain(rest)
}

/// Superscript digits.
fn raised_plain(rest: &str) -> Option<(i32, usize)> {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut length = 0;
    let mut negative = false;
    let mut power: i32 = 0;
    let mut count = 0;
    for c in rest.chars() {
        if count == 0 && matches!(c, '⁻' | '⁺') {
            negative = c == '⁻';
        } else if let Some(digit) = DIGITS.iter().position(|d| *d == c) {
            power = power * 10 + i32::try_from(digit).ok()?;
            count += 1;
            if count > EXPONENT {
                return None;
            }
        } else {
            break;
        }
        length += c.len_utf8();
    }
    (count > 0).then_some((if negative { -power } else { power }, length))
}

fn signed_digits(rest: &str) -> Option<(i32, usize)> {
    let (negative, skip) = match rest.chars().next()? {
        c @ ('-' | '−' | '–') => (true, c.len_utf8()),
        '+' => (false, 1),
        _ => (false, 0),
    };
    let end = run_end(rest, skip);
    if end == skip || end - skip > EXPONENT {
        return None;
    }
    let power: i32 = rest.get(skip..end)?.parse().ok()?;
    Some((if negative { -power } else { power }, end))
}

/// `万`, `million` and kin after a number.
fn multiplier(text: &str, at: usize) -> Option<(i32, usize)> {
    const GLUED: &[(&str, i32)] = &[
        ("千万", 7),
        ("百万", 6),
        ("万", 4),
        ("亿", 8),
        ("千", 3),
        ("k", 3),
    ];
    const SPACED: &[(&str, i32)] = &[
        ("thousand", 3),
        ("million", 6),
        ("billion", 9),
        ("trillion", 12),
    ];
    let rest = text.get(at..)?;
    for (word, power) in GLUED {
        if rest.starts_with(word) {
            let next = char_at(text, at + word.len());
            let unit = matches!(*word, "千") && matches!(next, Some('克' | '米' | '瓦' | '字'));
            let name = *word == "k" && next.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
            return (!unit && !name).then_some((*power, word.len()));
        }
    }
    let word = word_after(text, at);
    let (_, power) = SPACED.iter().find(|(name, _)| *name == word)?;
    let skip = rest.find(|c: char| c.is_alphabetic())?;
    Some((*power, skip + word.len()))
}

fn unit_after(text: &str, at: usize) -> Option<(String, usize)> {
    if let Some((unit, length)) = unit_at(text, at, true) {
        return Some((unit, at + length));
    }
    let gap = char_at(text, at)?;
    let skip = if gap == '-' { 1 } else { gap.len_utf8() };
    if gap != '-' && !gap.is_whitespace() {
        return None;
    }
    let (unit, length) = unit_at(text, at + skip, false)?;
    Some((unit, at + skip + length))
}

/// `2020-01-31`, `31/1/2020`, `2020/1/31`, `12:30`.
fn date_end(text: &str, at: usize) -> Option<usize> {
    let first = run_end(text, at);
    let mark = char_at(text, first).filter(|c| matches!(c, '-' | '/' | ':'))?;
    let second = run_end(text, first + 1);
    let (a, b) = (first - at, second - first - 1);
    let third = if char_at(text, second) == Some(mark) {
        run_end(text, second + 1)
    } else {
        second
    };
    let c = third.saturating_sub(second + 1);
    let shape = match mark {
        ':' => (a <= 2 && b == 2 && (c == 2 || third == second)).then_some(if c == 2 {
            third
        } else {
            second
        }),
        '-' => (a == 4 && b == 2 && c == 2).then_some(third),
        _ => ((a == 4 && (1..=2).contains(&b) && (1..=2).contains(&c))
            || (a <= 2 && (1..=2).contains(&b) && c == 4))
            .then_some(third),
    }?;
    // `1:10` is a ratio rather than a time when its first part is a single digit or it names no minute.
    let minute: u32 = text.get(first + 1..second)?.parse().ok()?;
    let hour: u32 = text.get(at..first)?.parse().ok()?;
    if mark == ':' && third == second && (hour > 23 || minute > 59 || a == 1) {
        return None;
    }
    Some(shape)
}

/// `3.11.2`, `10.1000/182`.
fn version_or_code(text: &str, at: usize, end: usize) -> Option<Number> {
    let value = first_digits(text, at);
    let next = char_at(text, end)?;
    let digit_after = char_at(text, end + next.len_utf8()).is_some_and(|c| c.is_ascii_digit());
    let points = text
        .get(at..end)?
        .bytes()
        .filter(|byte| *byte == b'.')
        .count();
    if next == '.' && digit_after && points > 0 {
        let mut stop = end;
        while char_at(text, stop) == Some('.') && run_end(text, stop + 1) > stop + 1 {
            stop = run_end(text, stop + 1);
        }
        return Some(plain(text, at..stop, value, NumberKind::Version));
    }
    if next == '/' && text.get(at..)?.starts_with("10.") && end - at >= 7 {
        let stop = text
            .get(end..)?
            .find(|c: char| c.is_whitespace() || is_cjk(c))
            .map_or(text.len(), |length| end + length);
        return Some(plain(text, at..stop, value, NumberKind::Identifier));
    }
    None
}

/// Says how neighbours are bound, and gives lists of labels and citations their kind.
fn link(text: &str, found: &mut [Number]) {
    for i in 1..found.len() {
        let (Some(left), Some(right)) = (found.get(i - 1), found.get(i)) else {
            continue;
        };
        let between = text.get(left.extent.end..right.range.start).unwrap_or("");
        if between.len() > 24 {
            continue;
        }
        let link = binding(between.trim(), left, right);
        let label = left.kind == NumberKind::Label
            && right.kind == NumberKind::Quantity
            && right.unit.is_none()
            && (link == Some(Link::Range)
                || matches!(
                    between.trim(),
                    "," | "and" | "&" | "or" | "、" | "和" | "与" | ", and"
                ));
        if let Some(left) = found.get_mut(i - 1) {
            left.link = link;
        }
        if label && let Some(right) = found.get_mut(i) {
            right.kind = NumberKind::Label;
        }
    }
    brackets(text, found);
}

fn binding(between: &str, left: &Number, right: &Number) -> Option<Link> {
    match between {
        "-" | "–" | "—" | "−" | "--" | "~" | "～" | "to" | "至" | "到" => {
            Some(Link::Range)
        }
        "/" => Some(Link::Fraction),
        "of" | "out of" | "of the" | "out of the" | "of a total of" | "out of a total of"
        | "of all" | "of these" => (left.count().is_some() || left.is_percent())
            .then_some(Link::Of)
            .filter(|_| right.unit.is_none()),
        "±" | "+/-" | "+-" | "\\pm" | "+/−" => Some(Link::Spread),
        _ => None,
    }
}

/// Marks bare lists in square brackets.
fn brackets(text: &str, found: &mut [Number]) {
    let mut i = 0;
    while i < found.len() {
        let mut last = i;
        let opens = found
            .get(i)
            .is_some_and(|number| before(text, number.range.start) == Some('['));
        if opens {
            while let (Some(left), Some(right)) = (found.get(last), found.get(last + 1)) {
                let between = text.get(left.extent.end..right.range.start).unwrap_or("x");
                if between.is_empty()
                    || between.len() > 8
                    || !matches!(between.trim(), "," | "-" | "–" | ";" | "")
                {
                    break;
                }
                last += 1;
            }
            let list = found.get_mut(i..=last).unwrap_or_default();
            let closes = list
                .last()
                .is_some_and(|number| char_at(text, number.extent.end) == Some(']'));
            let whole = list
                .iter()
                .all(|n| n.value.scale == 0 && n.unit.is_none() && n.value.mantissa > 0);
            if closes && whole {
                for number in list {
                    number.kind = NumberKind::Citation;
                }
            }
        }
        i = last + 1;
    }
}
