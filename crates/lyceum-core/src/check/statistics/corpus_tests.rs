//! Every row of the statistics corpora, verdict by verdict.

use serde_json::Value;

use super::*;
use crate::text::number::Decimal;

fn rows(path: &str) -> Vec<Value> {
    let Some(folder) = crate::corpora() else {
        return Vec::new();
    };
    std::fs::read_to_string(folder.join("stats").join(path))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn decimal(row: &Value, key: &str) -> Decimal {
    Decimal::parse(row[key].as_str().unwrap()).unwrap()
}

/// The reported statistic is found in its running text, its interval is that of the reference calculation, and the verdict
/// is the reference's.
#[test]
fn reports_in_the_wild() {
    for row in rows("apa-in-the-wild/apa_in_the_wild.jsonl") {
        let text = row["text"].as_str().unwrap();
        let quote = row["match"].as_str().unwrap();
        let reports = test_reports(text);
        let report = reports
            .iter()
            .find(|report| {
                text[report.range.clone()].trim_end_matches('.') == quote.trim_end_matches('.')
            })
            .or_else(|| {
                reports
                    .iter()
                    .find(|report| quote.starts_with(&text[report.range.clone()]))
            })
            .unwrap_or_else(|| panic!("not found: {quote} in {text}"));
        let interval = p_interval(&report.statistic).unwrap();
        for (got, key) in [(interval.low, "p_low"), (interval.high, "p_high")] {
            let want = row[key].as_f64().unwrap();
            assert!(
                (got - want).abs() <= 1e-6 * want,
                "{quote}: {got} instead of {want}"
            );
        }
        let wrong = compare(report.reported, interval) != Verdict::Consistent;
        assert_eq!(wrong, row["error"].as_bool().unwrap(), "{quote}");
        let decision = wrong && significance_differs(report.reported, interval);
        assert_eq!(
            decision,
            row["decision_error"].as_bool().unwrap(),
            "{quote}"
        );
    }
}

/// Rows on which published implementations of GRIMMER disagree. Ours calls each possible, and here is why: mean, deviation and
/// size with a sum and a sum of squares of one parity that give both after rounding.
static DISPUTED: &[(&str, &str, u64, i64, i64)] = &[
    ("16.03", "6.41", 40, 641, 11_873),
    ("64.73", "25.89", 40, 2_589, 193_705),
    ("64.73", "25.89", 80, 5_178, 388_080),
    ("32.68", "13.07", 80, 2_614, 98_898),
    ("64.27", "25.71", 40, 2_571, 191_021),
    ("16.22", "6.49", 80, 1_298, 24_384),
    ("256.03", "102.41", 40, 10_241, 3_030_937),
    ("519.93", "207.97", 40, 20_797, 12_499_609),
];

#[test]
fn disputed_rows_have_a_witness() {
    for &(mean, sd, n, sum, squares) in DISPUTED {
        let (size, sum_f, squares_f) = (n as f64, sum as f64, squares as f64);
        let (m, s): (f64, f64) = (mean.parse().unwrap(), sd.parse().unwrap());
        assert_eq!((sum - squares) % 2, 0);
        assert!((sum_f / size - m).abs() <= 0.005 + 1e-12, "{mean}");
        let deviation = ((squares_f - sum_f * sum_f / size) / (size - 1.0)).sqrt();
        assert!((deviation - s).abs() <= 0.005, "{mean} {sd}: {deviation}");
    }
}

#[test]
fn grim_grimmer_debit() {
    for row in rows("scrutiny/grim_grimmer_debit.jsonl") {
        let n = row["n"].as_u64().unwrap();
        let items = row["items"].as_u64().unwrap_or(1);
        let mean = decimal(&row, "x");
        let got = match row["test"].as_str().unwrap() {
            "GRIM" => grim(mean, n, items),
            "GRIMMER" => grimmer(mean, decimal(&row, "sd"), n, items),
            _ => Some(debit(mean, decimal(&row, "sd"), n)),
        };
        let want = row["consistent"].as_bool().or_else(|| {
            let (x, sd) = (row["x"].as_str().unwrap(), row["sd"].as_str().unwrap());
            DISPUTED
                .iter()
                .any(|(a, b, size, ..)| (*a, *b, *size) == (x, sd, n))
                .then_some(true)
        });
        assert_eq!(got, want, "{row}");
    }
}
