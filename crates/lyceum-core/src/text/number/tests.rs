//! Numbers as texts write them: value, precision, unit, kind, and what is no number.

use super::NumberKind as K;
use super::*;
use proptest::prelude::*;

/// Raw text, value, kind and unit of each number.
fn read(text: &str) -> Vec<(String, String, K, Option<String>)> {
    numbers(text)
        .into_iter()
        .map(|n| (n.raw, n.value.simplified().to_string(), n.kind, n.unit))
        .collect()
}

fn one(text: &str) -> (String, K, Option<String>) {
    let found = read(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    let (_, value, kind, unit) = found.into_iter().next().unwrap();
    (value, kind, unit)
}

fn quantity(text: &str, value: &str, unit: &str) {
    let unit = (!unit.is_empty()).then(|| unit.to_owned());
    assert_eq!(one(text), (value.to_owned(), K::Quantity, unit), "{text}");
}

#[test]
fn values_are_exact() {
    quantity("a mean of 1.50", "1.5", "");
    quantity("p = .05,", "0.05", "");
    quantity("gave −2.5 there", "-2.5", "");
    quantity("t=-3.064", "-3.064", "");
    quantity("in 1,234,567 rows", "1234567", "");
    quantity("of 12 345 678 rows", "12345678", "");
    quantity("of 12 000 rows", "12000", "");
    quantity("of 1'234.5 rows", "1234.5", "");
    quantity("of 1.234,5 rows", "1234.5", "");
    quantity("of 10\u{a0}234 rows", "10234", "");
    quantity("1.2e-3", "0.0012", "");
    quantity("1.2 × 10^-3 of", "0.0012", "");
    quantity("1.2×10⁻³", "0.0012", "");
    quantity("1.2 \\times 10^{-3}", "0.0012", "");
    quantity("10^6 rows", "1000000", "");
    quantity("3.5 million rows", "3500000", "");
    quantity("共1.2万人", "12000", "");
    quantity("约3亿", "300000000", "");
    assert_eq!(numbers("2.50")[0].value.scale, 2);
}

#[test]
fn units_are_symbols() {
    quantity("took 35ms", "35", "ms");
    quantity("took 35 seconds", "35", "s");
    quantity("35 %", "35", "%");
    quantity("35\\% of", "35", "%");
    quantity("35 per cent", "35", "%");
    quantity("增长了3.5个百分点", "3.5", "pp");
    quantity("20 mg/kg", "20", "mg/kg");
    quantity("12 µs", "12", "μs");
    quantity("at 37 °C", "37", "°C");
    quantity("a 10-year study", "10", "yr");
    quantity("2.4x faster", "2.4", "×");
    quantity("3 A and", "3", "");
    quantity("占百分之35", "35", "%");
}

#[test]
fn kinds_are_told_apart() {
    for (text, kind) in [
        ("water is H2O", K::Identifier),
        ("COVID-19", K::Identifier),
        ("as v2.1 does", K::Identifier),
        ("a 3D view", K::Identifier),
        ("β1", K::Identifier),
        ("doi 10.1000/182.3", K::Identifier),
        ("Python 3.11.2", K::Version),
        ("version 2.1", K::Version),
        ("in 2019", K::Year),
        ("自2019年", K::Year),
        ("on 2019-03-04", K::Date),
        ("the 3rd", K::Ordinal),
        ("第3", K::Ordinal),
        ("Section 3.2", K::Label),
        ("Fig. 3", K::Label),
        ("(§4.1)", K::Label),
        ("type 2 diabetes", K::Label),
        ("见表3", K::Label),
        ("shown [12]", K::Citation),
        ("N = 2000", K::Quantity),
        ("有35人", K::Quantity),
    ] {
        assert_eq!(one(text).1, kind, "{text}");
    }
    assert!(
        numbers("Figures 2 and 3, 4")
            .iter()
            .all(|n| n.kind == K::Label)
    );
    assert!(
        numbers("as in [3, 5-7]")
            .iter()
            .all(|n| n.kind == K::Citation)
    );
    assert!(
        numbers("CI [0.3, 0.5]")
            .iter()
            .all(|n| n.kind == K::Quantity)
    );
}

#[test]
fn neighbours_are_bound() {
    let link = |text: &str| numbers(text)[0].link;
    assert_eq!(link("3–5"), Some(Link::Range));
    assert_eq!(link("3 to 5"), Some(Link::Range));
    assert_eq!(link("3/17"), Some(Link::Fraction));
    assert_eq!(link("3 of 17"), Some(Link::Of));
    assert_eq!(link("3 out of 17"), Some(Link::Of));
    assert_eq!(link("3.2 ± 0.4"), Some(Link::Spread));
    assert_eq!(link("3 and 17"), None);
    assert_eq!(read("F(1,986)").len(), 2);
    assert_eq!(read("1,2,345").len(), 3);
}

#[test]
fn words_are_an_option() {
    assert!(numbers("twelve trials, 三个").is_empty());
    let found = numbers_and_words("twelve trials, 三个, first one");
    let values: Vec<String> = found.iter().map(|n| n.value.to_string()).collect();
    assert_eq!(values, ["12", "3", "1"]);
    for (text, value) in [
        ("Thirty-five patients", "35"),
        ("One hundred and twenty-two of", "122"),
        ("two thousand three hundred", "2300"),
        ("two hundred thousand", "200000"),
        ("Eighty patients", "80"),
    ] {
        assert_eq!(
            numbers_and_words(text)[0].value.to_string(),
            value,
            "{text}"
        );
    }
    assert_eq!(numbers_and_words("two three and one thousandth").len(), 3);
    assert!(numbers_and_words("someone, tenfold, often").is_empty());
}

#[test]
fn comparisons_do_not_overflow() {
    let big = Decimal::parse("123456789012345678901234567890").unwrap();
    let huge = Decimal::integer(1).shifted(399).unwrap();
    let tiny = Decimal::integer(1).shifted(-399).unwrap();
    assert_eq!(big.compare(huge), std::cmp::Ordering::Less);
    assert_eq!(tiny.compare(huge), std::cmp::Ordering::Less);
    assert_eq!(huge.negated().compare(tiny), std::cmp::Ordering::Less);
    assert_eq!(huge.plus(tiny), None);
}

#[test]
fn rounding_takes_both_ways_at_a_tie() {
    let d = |text: &str| Decimal::parse(text).unwrap();
    assert!(d("0.125").rounds_to(d("0.12")) && d("0.125").rounds_to(d("0.13")));
    assert!(!d("0.126").rounds_to(d("0.12")));
    assert_eq!(d("-0.126").roundings(2), [d("-0.13"), d("-0.12")]);
    assert_eq!(
        d("1500").roundings(-3),
        [
            Decimal {
                mantissa: 1,
                scale: -3
            },
            Decimal {
                mantissa: 2,
                scale: -3
            }
        ]
    );
}

#[test]
fn a_long_line_is_read_in_one_pass() {
    for part in [
        "1,234 ",
        "1.2 × 10^-3 of 3-",
        "[1, 2",
        "a-1.2-",
        "第",
        "9",
        "10^",
    ] {
        let text = part.repeat(40_000);
        // Quadratic work would not come back in this test's life.
        assert!(numbers_and_words(&text).len() < text.len());
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in "(?s).{0,60}|[0-9.,eE×10^{}\\-–− %/±:万a-zµ\\[\\]()第]{0,40}") {
        let mut last = 0;
        for number in numbers_and_words(&text) {
            prop_assert!(text.get(number.range.clone()).is_some());
            prop_assert!(text.get(number.extent.clone()).is_some());
            prop_assert_eq!(text.get(number.range.clone()).unwrap(), &number.raw);
            prop_assert!(number.range.start >= last && number.range.end > number.range.start);
            prop_assert!(number.extent.end >= number.range.end);
            last = number.extent.end;
        }
    }

    #[test]
    fn values_round_trip(mantissa in -1_000_000_000_000i64..1_000_000_000_000, scale in 0i32..12) {
        let value = Decimal { mantissa: i128::from(mantissa), scale };
        let text = format!("is = {value};");
        let found = numbers(&text);
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(found[0].value, value);
        prop_assert_eq!(Decimal::parse(&value.to_string()), Some(value));
        let nearest: f64 = value.to_string().parse().unwrap();
        prop_assert_eq!(value.to_f64(), nearest);
    }

    #[test]
    fn comparing_is_exact(a in -100_000i64..100_000, s in 0i32..5, b in -100_000i64..100_000, t in 0i32..5) {
        let x = Decimal { mantissa: i128::from(a), scale: s };
        let y = Decimal { mantissa: i128::from(b), scale: t };
        let scaled = |m: i64, k: i32| i128::from(m) * 10_i128.pow((5 - k).unsigned_abs());
        prop_assert_eq!(x.compare(y), scaled(a, s).cmp(&scaled(b, t)));
        prop_assert_eq!(x.same_value(y), scaled(a, s) == scaled(b, t));
        let sum = x.plus(y).unwrap();
        prop_assert_eq!(scaled(a, s) + scaled(b, t), sum.mantissa * 10_i128.pow((5 - sum.scale).unsigned_abs()));
    }
}
