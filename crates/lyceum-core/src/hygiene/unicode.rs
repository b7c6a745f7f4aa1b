//! Characters that are not shown: which of them do their lawful work, and which carry or break up words.
//!
//! A joiner is lawful inside an emoji or an Indic or Arabic word, a direction mark in right-to-left text, a variation
//! selector after the one character it varies. Judged by neighbours, never by the character alone.

use std::ops::Range;

/// Why a run of unseen characters is odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oddity {
    /// Tag characters outside a flag emoji: each one stands for an ASCII letter.
    Tags,
    /// Variation selectors that vary nothing, several in a row: each one stands for a byte.
    Selectors,
    /// Right-to-left controls that reorder a line of left-to-right text.
    Direction,
    /// Zero-width characters inside a word.
    ZeroWidth,
    /// Several zero-width characters in a row, as data.
    ZeroWidthRun,
}

/// A run of unseen characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Why it is odd.
    pub oddity: Oddity,
    /// Its bytes.
    pub range: Range<usize>,
    /// The words it spells, when it spells any.
    pub decoded: Option<String>,
}

/// The odd runs of unseen characters in a text, in order.
#[must_use]
pub fn odd_runs(text: &str) -> Vec<Run> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut runs = Vec::new();
    let mut at = 0;
    let mut last = None;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if !is_invisible(c) || c == '\u{ad}' {
            last = Some(c);
            at += c.len_utf8();
            continue;
        }
        let end = run_end(text, at);
        let next = text[end..].chars().next();
        runs.extend(judge(text, at..end, last, next));
        at = end;
    }
    runs.extend(direction_runs(text));
    runs.sort_by_key(|run| run.range.start);
    runs
}

/// The end of the run of invisible characters that starts at `at`.
fn run_end(text: &str, at: usize) -> usize {
    text[at..]
        .char_indices()
        .find(|&(_, c)| !is_invisible(c) || c == '\u{ad}')
        .map_or(text.len(), |(i, _)| at + i)
}

fn judge(text: &str, range: Range<usize>, last: Option<char>, next: Option<char>) -> Option<Run> {
    let run = &text[range.clone()];
    let make = |oddity, decoded| {
        Some(Run {
            oddity,
            range: range.clone(),
            decoded,
        })
    };
    let tags = run.chars().filter(|c| is_tag(*c)).count();
    if tags > 0 {
        let flag = last == Some('\u{1f3f4}') && run.ends_with('\u{e007f}') && run.len() <= 4 * 8;
        let words: String = run.chars().filter_map(tag_letter).collect();
        return if flag {
            None
        } else {
            make(Oddity::Tags, worded(words))
        };
    }
    let selectors = run.chars().filter(|c| is_selector(*c)).count();
    // Emoji joined to emoji alternate selectors and joiners; data comes in one row.
    if selectors >= 3 && !run.contains('\u{200d}') {
        let bytes = run.chars().filter_map(selector_byte).collect();
        let words = String::from_utf8(bytes).ok().and_then(worded);
        return make(Oddity::Selectors, words);
    }
    let zero = run.chars().filter(|c| is_zero_width(*c)).count();
    if zero >= 4 && !(last.is_some_and(needs_joiner) || next.is_some_and(needs_joiner)) {
        return make(Oddity::ZeroWidthRun, None);
    }
    if zero > 0 && splits_word(run, last, next) {
        return make(Oddity::ZeroWidth, None);
    }
    None
}

/// True when a zero-width character stands between two letters of a script that never needs it there.
fn splits_word(run: &str, last: Option<char>, next: Option<char>) -> bool {
    let (Some(last), Some(next)) = (last, next) else {
        return false;
    };
    // A non-joiner after f is how German keeps a ligature apart.
    let ligature = run == "\u{200c}" && last == 'f';
    let operator = run.chars().all(|c| matches!(c, '\u{2061}'..='\u{2064}'));
    !ligature && !operator && is_latin(last) && is_latin(next)
}

/// Right-to-left controls on lines that hold no right-to-left letter, with the text they turn round.
fn direction_runs(text: &str) -> Vec<Run> {
    const TURN: [char; 3] = ['\u{202b}', '\u{202e}', '\u{2067}'];
    if !text.contains(TURN) {
        return Vec::new();
    }
    let mut runs = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(at) = line.find(TURN)
            && !line.chars().any(is_right_to_left)
        {
            let end = line
                .rfind(['\u{202c}', '\u{2069}'])
                .map_or(line.trim_end().len(), |i| i + 3)
                .max(at + 3);
            if line[at..end].chars().any(char::is_alphanumeric) {
                runs.push(Run {
                    oddity: Oddity::Direction,
                    range: start + at..start + end,
                    decoded: None,
                });
            }
        }
        start += line.len();
    }
    runs
}

fn worded(words: String) -> Option<String> {
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    let shown = words.chars().all(|c| !c.is_control() || c.is_whitespace());
    (shown && letters >= 2).then_some(words)
}

/// The text with each unseen character written as `⟨U+200B⟩`; a long run is written once, with its length.
#[must_use]
pub fn show_invisible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if !is_invisible(c) && !is_control(c) {
            out.push(c);
            continue;
        }
        let mut more = 0;
        while chars
            .next_if(|n| is_invisible(*n) || is_control(*n))
            .is_some()
        {
            more += 1;
        }
        let code = u32::from(c);
        if more == 0 {
            out.push_str(&format!("⟨U+{code:04X}⟩"));
        } else {
            out.push_str(&format!("⟨U+{code:04X} +{more}⟩"));
        }
    }
    out
}

const fn is_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// True for a character that takes no room and has no shape. Direction controls are not among them.
pub(super) const fn is_invisible(c: char) -> bool {
    is_zero_width(c) || is_tag(c) || is_selector(c) || c == '\u{ad}' || c == '\u{34f}'
}

const fn is_zero_width(c: char) -> bool {
    matches!(
        c,
        '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2064}'
            | '\u{feff}'
            | '\u{180e}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{3164}'
            | '\u{ffa0}'
    )
}

const fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

const fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// The ASCII letter a tag character stands for.
pub(super) fn tag_letter(c: char) -> Option<char> {
    let code = u32::from(c);
    if !(0xe0020..=0xe007e).contains(&code) {
        return None;
    }
    char::from_u32(code - 0xe0000)
}

/// The byte a variation selector stands for in the known way of hiding data.
fn selector_byte(c: char) -> Option<u8> {
    let code = u32::from(c);
    let byte = match code {
        0xfe00..=0xfe0f => code - 0xfe00,
        0xe0100..=0xe01ef => code - 0xe0100 + 16,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '\u{c0}'..='\u{24f}') && c.is_alphabetic()
}

/// Scripts in which joiners and non-joiners are part of the spelling, and emoji.
fn needs_joiner(c: char) -> bool {
    is_right_to_left(c)
        || matches!(c, '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{a840}'..='\u{a9ff}'
            | '\u{1100}'..='\u{11ff}' | '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Oddity> {
        odd_runs(text).into_iter().map(|run| run.oddity).collect()
    }

    #[test]
    fn lawful_uses_pass() {
        for text in [
            "👩\u{200d}🔬 👨\u{200d}💻 🏳\u{fe0f}\u{200d}🌈 ✔\u{fe0f} ❤\u{fe0f}",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "Auf\u{200c}lage",
            "soft\u{ad}ware",
            "הטקסט \u{2066}(see Table 2)\u{2069} הזה",
            "הטקסט \u{202b}הזה\u{202c}",
            "葛\u{e0100}城",
            "sin\u{2061}x",
            "a\u{200b} b",
            "\u{202a}C:\\file\u{202c}",
        ] {
            assert_eq!(kinds(text), [], "{text:?}");
        }
    }

    #[test]
    fn carriers_are_seen_and_read() {
        let tagged: String = "Hi there"
            .chars()
            .filter_map(|c| char::from_u32(0xe0000 + u32::from(c)))
            .collect();
        let runs = odd_runs(&format!("Words.{tagged} More."));
        assert_eq!(runs[0].oddity, Oddity::Tags);
        assert_eq!(runs[0].decoded.as_deref(), Some("Hi there"));
        let selected: String = "Hello"
            .bytes()
            .filter_map(|b| char::from_u32(0xe0100 + u32::from(b) - 16))
            .collect();
        let runs = odd_runs(&format!("😊{selected}"));
        assert_eq!(runs[0].oddity, Oddity::Selectors);
        assert_eq!(runs[0].decoded.as_deref(), Some("Hello"));
        assert_eq!(kinds("re\u{200b}view"), [Oddity::ZeroWidth]);
        assert_eq!(
            kinds("x \u{200b}\u{200c}\u{200b}\u{200c} y"),
            [Oddity::ZeroWidthRun]
        );
        assert_eq!(
            kinds("grade \u{202e}tpecca\u{202c} now"),
            [Oddity::Direction]
        );
    }

    #[test]
    fn what_is_unseen_can_be_shown() {
        assert_eq!(show_invisible("re\u{200b}view"), "re⟨U+200B⟩view");
        assert_eq!(show_invisible("a\u{e0041}\u{e0042}"), "a⟨U+E0041 +1⟩");
    }
}
