//! Units as they are written after a number.

/// Spellings and their symbols. Where two spellings share a beginning the longest one that ends at a word's end is taken.
static UNITS: &[(&str, &str)] = &[
    ("%", "%"),
    ("\\%", "%"),
    ("％", "%"),
    ("percentage points", "pp"),
    ("percentage point", "pp"),
    ("percent", "%"),
    ("per cent", "%"),
    ("个百分点", "pp"),
    ("‰", "‰"),
    ("per mille", "‰"),
    ("°C", "°C"),
    ("°F", "°F"),
    ("℃", "°C"),
    ("°", "°"),
    ("×", "×"),
    ("x", "×"),
    ("X", "×"),
    ("倍", "×"),
    ("ns", "ns"),
    ("μs", "μs"),
    ("us", "μs"),
    ("ms", "ms"),
    ("毫秒", "ms"),
    ("milliseconds", "ms"),
    ("s", "s"),
    ("sec", "s"),
    ("seconds", "s"),
    ("second", "s"),
    ("秒", "s"),
    ("min", "min"),
    ("mins", "min"),
    ("minutes", "min"),
    ("minute", "min"),
    ("分钟", "min"),
    ("h", "h"),
    ("hr", "h"),
    ("hrs", "h"),
    ("hours", "h"),
    ("hour", "h"),
    ("小时", "h"),
    ("days", "d"),
    ("day", "d"),
    ("天", "d"),
    ("weeks", "wk"),
    ("week", "wk"),
    ("周", "wk"),
    ("months", "mo"),
    ("month", "mo"),
    ("years", "yr"),
    ("year", "yr"),
    ("yr", "yr"),
    ("yrs", "yr"),
    ("岁", "yr"),
    ("nm", "nm"),
    ("μm", "μm"),
    ("um", "μm"),
    ("mm", "mm"),
    ("cm", "cm"),
    ("m", "m"),
    ("km", "km"),
    ("米", "m"),
    ("公里", "km"),
    ("pg", "pg"),
    ("ng", "ng"),
    ("μg", "μg"),
    ("ug", "μg"),
    ("mcg", "μg"),
    ("mg", "mg"),
    ("g", "g"),
    ("kg", "kg"),
    ("千克", "kg"),
    ("公斤", "kg"),
    ("μL", "μL"),
    ("μl", "μL"),
    ("mL", "mL"),
    ("ml", "mL"),
    ("dL", "dL"),
    ("dl", "dL"),
    ("L", "L"),
    ("l", "L"),
    ("Hz", "Hz"),
    ("kHz", "kHz"),
    ("MHz", "MHz"),
    ("GHz", "GHz"),
    ("THz", "THz"),
    ("B", "B"),
    ("kB", "kB"),
    ("KB", "kB"),
    ("MB", "MB"),
    ("GB", "GB"),
    ("TB", "TB"),
    ("PB", "PB"),
    ("KiB", "KiB"),
    ("MiB", "MiB"),
    ("GiB", "GiB"),
    ("TiB", "TiB"),
    ("bits", "bit"),
    ("bit", "bit"),
    ("kbps", "kbps"),
    ("Mbps", "Mbps"),
    ("Gbps", "Gbps"),
    ("mV", "mV"),
    ("V", "V"),
    ("kV", "kV"),
    ("mA", "mA"),
    ("A", "A"),
    ("mW", "mW"),
    ("W", "W"),
    ("kW", "kW"),
    ("MW", "MW"),
    ("GW", "GW"),
    ("kWh", "kWh"),
    ("J", "J"),
    ("kJ", "kJ"),
    ("MJ", "MJ"),
    ("kcal", "kcal"),
    ("eV", "eV"),
    ("keV", "keV"),
    ("MeV", "MeV"),
    ("GeV", "GeV"),
    ("TeV", "TeV"),
    ("N", "N"),
    ("kN", "kN"),
    ("Pa", "Pa"),
    ("kPa", "kPa"),
    ("MPa", "MPa"),
    ("GPa", "GPa"),
    ("bar", "bar"),
    ("mmHg", "mmHg"),
    ("mm Hg", "mmHg"),
    ("T", "T"),
    ("mT", "mT"),
    ("K", "K"),
    ("mK", "mK"),
    ("mol", "mol"),
    ("mmol", "mmol"),
    ("μmol", "μmol"),
    ("nM", "nM"),
    ("μM", "μM"),
    ("mM", "mM"),
    ("M", "M"),
    ("dB", "dB"),
    ("px", "px"),
    ("dpi", "dpi"),
    ("fps", "fps"),
    ("rpm", "rpm"),
    ("pc", "pc"),
    ("kpc", "kpc"),
    ("Mpc", "Mpc"),
    ("Gpc", "Gpc"),
    ("FLOPS", "FLOPS"),
    ("GFLOPS", "GFLOPS"),
    ("TFLOPS", "TFLOPS"),
];

/// Units that a plain sentence holds as words or initials too, so that only a number right before them proves them.
static GLUED_ONLY: &[&str] = &["x", "X", "A", "B", "M", "N", "K", "T"];

/// The unit that starts at byte `at`: its symbol and its length. `glued` says that a digit stands right before it.
#[must_use]
pub fn unit_at(text: &str, at: usize, glued: bool) -> Option<(String, usize)> {
    let (symbol, length) = single(text, at, glued)?;
    let after = at + length;
    if let Some(rest) = text.get(after..)
        && let Some(under) = rest.strip_prefix('/')
        && under.starts_with(|c: char| c.is_alphabetic())
        && let Some((below, more)) = single(text, after + 1, true)
    {
        return Some((format!("{symbol}/{below}"), length + 1 + more));
    }
    Some((symbol.to_owned(), length))
}

fn single(text: &str, at: usize, glued: bool) -> Option<(&'static str, usize)> {
    let rest = text.get(at..)?;
    let first = rest.chars().next()?;
    if !first.is_alphabetic() && !matches!(first, '%' | '％' | '‰' | '°' | '℃' | '×' | '\\')
    {
        return None;
    }
    UNITS
        .iter()
        .filter_map(|(spelling, symbol)| {
            let length = matches(rest, spelling)?;
            if !glued && GLUED_ONLY.contains(spelling) {
                return None;
            }
            // `3 × 4` multiplies.
            if *symbol == "×"
                && rest
                    .get(length..)?
                    .trim_start()
                    .starts_with(|c: char| c.is_ascii_digit())
            {
                return None;
            }
            ends_word(spelling, rest.get(length..)?).then_some((*symbol, length))
        })
        .max_by_key(|(_, length)| *length)
}

/// The length of `spelling` at the start of `rest`; the micro sign and the Greek letter are one.
fn matches(rest: &str, spelling: &str) -> Option<usize> {
    if rest.starts_with(spelling) {
        return Some(spelling.len());
    }
    let tail = spelling.strip_prefix('μ')?;
    rest.strip_prefix('µ')?
        .starts_with(tail)
        .then_some('µ'.len_utf8() + tail.len())
}

fn ends_word(spelling: &str, rest: &str) -> bool {
    let letters = spelling
        .chars()
        .next_back()
        .is_some_and(char::is_alphabetic);
    let next = rest.chars().next();
    !letters
        || spelling.chars().any(super::context::is_cjk)
        || !next.is_some_and(|c| (c.is_alphanumeric() && !super::context::is_cjk(c)) || c == '_')
}

/// For a unit of a family with prefixes: the family's base unit and the power of ten from this one to it.
#[must_use]
pub fn factor_to_base(unit: &str) -> (&str, i32) {
    const PREFIXES: &[(&str, i32)] = &[
        ("p", -12),
        ("n", -9),
        ("μ", -6),
        ("m", -3),
        ("c", -2),
        ("k", 3),
        ("K", 3),
        ("M", 6),
        ("G", 9),
        ("T", 12),
        ("P", 15),
    ];
    const BASES: &[&str] = &[
        "s", "m", "g", "L", "Hz", "B", "V", "A", "W", "J", "eV", "N", "Pa", "T", "K", "mol", "pc",
        "bps", "FLOPS",
    ];
    if BASES.contains(&unit) {
        return (unit, 0);
    }
    PREFIXES
        .iter()
        .find_map(|(prefix, power)| {
            let base = unit.strip_prefix(prefix)?;
            BASES.contains(&base).then_some((base, *power))
        })
        .unwrap_or((unit, 0))
}
