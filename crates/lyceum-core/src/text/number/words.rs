//! Numbers written as words: English to 999,999, Chinese characters one by one.

static ONES: &[&str] = &[
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
static TENS: &[&str] = &[
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
/// No number below a million has more words.
const WORDS: usize = 12;

/// The English number words that start at byte `at`, where a word starts: their value and length.
pub(super) fn english(text: &str, at: usize) -> Option<(i128, usize)> {
    let rest = text.get(at..)?;
    let mut end = 0;
    let (mut total, mut part) = (0_i128, 0_i128);
    let mut next = 0;
    let mut last = "";
    for _ in 0..WORDS {
        let Some((word, stop)) = word(rest, next) else {
            break;
        };
        let lower = word.to_ascii_lowercase();
        if let Some(value) = small(&lower) {
            // `twenty two` goes on, `two three` does not.
            let unit_after_ten = part % 100 >= 20 && part % 10 == 0 && value < 10;
            let after_hundred = part > 0 && part % 100 == 0;
            if part != 0 && !unit_after_ten && !after_hundred {
                break;
            }
            part += value;
        } else if lower == "hundred" && (1..20).contains(&part) {
            part *= 100;
        } else if lower == "thousand" && part > 0 && total == 0 {
            total = part * 1_000;
            part = 0;
        } else if lower == "and" && end > 0 && matches!(last, "hundred" | "thousand") {
            next = skip(rest, stop);
            continue;
        } else {
            break;
        }
        last = if lower == "hundred" {
            "hundred"
        } else if lower == "thousand" {
            "thousand"
        } else {
            ""
        };
        end = stop;
        next = skip(rest, stop);
        if next == stop {
            break;
        }
    }
    (end > 0).then_some((total + part, end))
}

fn small(word: &str) -> Option<i128> {
    let ones = ONES.iter().position(|one| *one == word).map(|i| i + 1);
    let value = ones.or_else(|| {
        TENS.iter()
            .position(|ten| *ten == word)
            .map(|i| 20 + 10 * i)
    })?;
    i128::try_from(value).ok()
}

/// The word at byte `at` and its end; longer words than a number has are cut.
fn word(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at..)?;
    let length = rest
        .bytes()
        .take(12)
        .take_while(u8::is_ascii_alphabetic)
        .count();
    let whole = !rest.get(length..)?.starts_with(char::is_alphanumeric);
    (length > 0 && whole).then(|| (rest.get(..length).unwrap_or(""), at + length))
}

/// Passes over one space or hyphen.
fn skip(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at) {
        Some(b' ' | b'-') => at + 1,
        _ => at,
    }
}

/// The value of a Chinese numeral character.
pub(super) fn chinese(c: char) -> Option<i128> {
    const DIGITS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
    if c == '两' {
        return Some(2);
    }
    let place = DIGITS.iter().position(|digit| *digit == c)?;
    i128::try_from(place + 1).ok()
}
