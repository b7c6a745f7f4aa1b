//! Published verdicts, again: corpora of test statistics and of granularity tests.

use super::*;
use crate::text::number::Decimal;

fn d(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn p(family: Family, df1: &str, df2: &str, value: &str) -> Interval {
    let df = |text: &str| (!text.is_empty()).then(|| d(text));
    p_interval(&Statistic {
        family,
        df1: df(df1),
        df2: df(df2),
        value: d(value),
    })
    .unwrap()
}

/// Values of printed tables: the p-value of the row lies in the interval of the tabled quantile.
#[test]
fn quantiles_of_tables() {
    for (family, df1, df2, value, tabled) in [
        (Family::T, "", "1", "12.706", 0.05),
        (Family::T, "", "10", "2.228", 0.05),
        (Family::T, "", "30", "2.750", 0.01),
        (Family::T, "", "120", "3.373", 0.001),
        (Family::Z, "", "", "1.95996", 0.05),
        (Family::Z, "", "", "-2.57583", 0.01),
        (Family::ChiSquared, "1", "", "3.841", 0.05),
        (Family::ChiSquared, "10", "", "23.209", 0.01),
        (Family::F, "1", "10", "4.965", 0.05),
        (Family::F, "5", "20", "4.103", 0.01),
        (Family::R, "", "10", "0.576", 0.05),
        (Family::R, "", "50", "0.354", 0.01),
    ] {
        let got = p(family, df1, df2, value);
        let width = 0.001 * tabled;
        assert!(
            got.low <= tabled + width && tabled - width <= got.high,
            "{family:?} {df1} {df2} {value}: {got:?}"
        );
    }
}

#[test]
fn many_degrees_of_freedom_reach_the_limit() {
    let t = p(Family::T, "", "250000", "1.960");
    assert!(t.low < 0.05 && 0.05 < t.high, "{t:?}");
    let f = p(Family::F, "1", "100000", "3.841");
    assert!(f.low < 0.0501 && 0.0499 < f.high, "{f:?}");
    assert!(p(Family::T, "", "9999", "500").high < 1e-300);
    assert!(p(Family::R, "", "10", "1.00").low < 1e-9);
    assert!(
        p_interval(&Statistic {
            family: Family::F,
            df1: Some(d("1")),
            df2: Some(d("0")),
            value: d("3")
        })
        .is_none()
    );
}

#[test]
fn comparison_follows_the_published_rule() {
    let near = Interval {
        low: 0.0451,
        high: 0.0549,
    };
    let inside = |reported| compare(reported, near);
    assert_eq!(inside(Reported::Equal(d(".05"))), Verdict::Consistent);
    assert_eq!(inside(Reported::Equal(d(".045"))), Verdict::Consistent);
    assert_eq!(
        inside(Reported::Equal(d(".04"))),
        Verdict::Inconsistent(Side::TooSmall)
    );
    assert_eq!(
        inside(Reported::Equal(d(".06"))),
        Verdict::Inconsistent(Side::TooLarge)
    );
    assert_eq!(inside(Reported::Less(d(".05"))), Verdict::Consistent);
    assert_eq!(
        inside(Reported::Less(d(".01"))),
        Verdict::Inconsistent(Side::TooSmall)
    );
    assert_eq!(inside(Reported::Greater(d(".05"))), Verdict::Consistent);
    assert_eq!(
        inside(Reported::Greater(d(".10"))),
        Verdict::Inconsistent(Side::TooLarge)
    );
    assert_eq!(inside(Reported::NotSignificant), Verdict::Consistent);
    let tiny = |low, high| compare(Reported::Equal(d("0.000")), Interval { low, high });
    assert_eq!(tiny(0.000_49, 0.000_7), Verdict::Consistent);
    assert_eq!(
        tiny(0.000_51, 0.000_7),
        Verdict::Inconsistent(Side::TooSmall)
    );
}

/// What is found, as `family(df1,df2)=value relation p`.
fn found(text: &str) -> Vec<String> {
    test_reports(text)
        .into_iter()
        .map(|report| {
            let s = report.statistic;
            let df: Vec<String> = [s.df1, s.df2]
                .into_iter()
                .flatten()
                .map(|df| df.to_string())
                .collect();
            format!(
                "{:?}({})={} {:?}",
                s.family,
                df.join(","),
                s.value,
                report.reported
            )
            .replace("Decimal { mantissa: ", "")
            .replace(", scale: ", "e-")
            .replace(" }", "")
        })
        .collect()
}

#[test]
fn forms_are_recognised() {
    for (text, want) in [
        ("t(28) = 1.51, p > .05", "T(28)=1.51 Greater(5e-2)"),
        ("(t (120) = -3.064, P = 0.003)", "T(120)=-3.064 Equal(3e-3)"),
        ("t(27.4) = −2.1, p = .045", "T(27.4)=-2.1 Equal(45e-3)"),
        ("t(df = 28) = 2.1, p-value = 0.04", "T(28)=2.1 Equal(4e-2)"),
        ("t = 2.1, df = 28, P = 0.04", "T(28)=2.1 Equal(4e-2)"),
        ("t_{28} = 2.1, p = 0.04", "T(28)=2.1 Equal(4e-2)"),
        ("F(1,986)=77.5, p<0.0001", "F(1,986)=77.5 Less(1e-4)"),
        ("F(3, 36) = 3.47, p <.05", "F(3,36)=3.47 Less(5e-2)"),
        (
            "F(1.3, 36.2) = 3.47, MSE = 2.1, p ≤ .05",
            "F(1.3,36.2)=3.47 AtMost(5e-2)",
        ),
        ("F_{2,40} = 3.1; p = 0.05", "F(2,40)=3.1 Equal(5e-2)"),
        ("χ2(1) = 7.85, p = 0.005", "ChiSquared(1)=7.85 Equal(5e-3)"),
        (
            "χ²(2, N = 1,090) = 7.85, p = .02",
            "ChiSquared(2)=7.85 Equal(2e-2)",
        ),
        ("X2 (1) = 7.85, p = .01", "ChiSquared(1)=7.85 Equal(1e-2)"),
        (
            "\\chi^2(1) = 7.85, p < .01",
            "ChiSquared(1)=7.85 Less(1e-2)",
        ),
        (
            "chi-square(1) = 7.85, p < .01",
            "ChiSquared(1)=7.85 Less(1e-2)",
        ),
        (
            "χ^{2} = 9.48, df = 2, p = n.s.",
            "ChiSquared(2)=9.48 NotSignificant",
        ),
        ("(z = 3.378, P < 0.001)", "Z()=3.378 Less(1e-3)"),
        ("Z = −2.63 with a p-value of 0.008", "Z()=-2.63 Equal(8e-3)"),
        ("r(25) = .40, p = .04", "R(25)=0.40 Equal(4e-2)"),
        (
            "r\u{a0}(25)\u{a0}=\u{a0}–.40, p\u{a0}=\u{a0}.04",
            "R(25)=-0.40 Equal(4e-2)",
        ),
        ("t(28) = 2.1, p = 4.5 × 10^-2", "T(28)=2.1 Equal(45e-3)"),
        ("F(1, 20) = 0.4, ns", "F(1,20)=0.4 NotSignificant"),
    ] {
        assert_eq!(found(text), [want], "{text}");
    }
}

#[test]
fn doubtful_pairs_are_left_alone() {
    for text in [
        // In the text of databases `chi(2)` is χ² without its degrees of freedom.
        "chi(2) = 9.48, P = 0.03",
        "t(28) = 1.51 and t(28) = 2.30, p < .05",
        "t(28) = 1.51, 2.30, and 3.1, ps < .05",
        "t(28) = 1.51, p < .05 and p < .01",
        "t(28) = 1.51, p = .03, .04 and .05",
        "F(1, 20) = 1.5 and 2.5, p = .03 and .04, respectively",
        "F(1, 20) < 1, p > .05",
        "t(28) = 1.51 (see below). The effect was p = .03",
        "t(28) = 1.51 ± 0.2, p = .03",
        "t(28) = 1.5–2.5, p = .03",
        "t = 2.1, p = .03",
        "F(1, 1,234) = 4.5, p = .03",
        "t(28) = 2,10, p = 0,03",
        "p = .03, t(28) = 2.1",
        "pretext t(28) = 2.1, p < 5%",
        "at(28) = 2.1, p = .03",
        "r(25) = 1.40, p = .04",
        "t(28) = 2.1, p = 1.4",
        "z(28) = 2.1, p = .04",
    ] {
        assert_eq!(found(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn integer_data_have_limits() {
    assert_eq!(grim(d("5.19"), 28, 1), Some(false));
    assert_eq!(grim(d("5.25"), 28, 1), Some(true));
    // A tie may be rounded either way.
    assert_eq!(grim(d("0.12"), 8, 1), Some(true));
    assert_eq!(grim(d("0.13"), 8, 1), Some(true));
    assert_eq!(grim(d("-0.13"), 8, 1), Some(true));
    assert_eq!(grim(d("0.1"), 0, 1), None);
    assert_eq!(grim_percent(d("33.3"), 3), Some(true));
    assert_eq!(grim_percent(d("34"), 3), Some(false));
    assert_eq!(share_fits(1, 3, d("33")), Some(true));
    assert_eq!(share_fits(2, 3, d("66")), Some(true));
    assert_eq!(share_fits(2, 3, d("66.6")), Some(true));
    assert_eq!(share_fits(12, 40, d("35")), Some(false));
    assert_eq!(share_fits(12, 40, d("31")), Some(false));
}

/// Every integer data set of three values from 0 to 6 passes its own tests.
#[test]
fn real_data_are_never_called_impossible() {
    for a in 0_u8..7 {
        for b in 0..7 {
            for c in 0..7 {
                let data = [f64::from(a), f64::from(b), f64::from(c)];
                let mean = data.iter().sum::<f64>() / 3.0;
                let sd = (data.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
                let (mean, sd) = (d(&format!("{mean:.2}")), d(&format!("{sd:.2}")));
                assert_eq!(grim(mean, 3, 1), Some(true));
                assert_eq!(grimmer(mean, sd, 3, 1), Some(true), "{data:?}");
                if data.iter().all(|x| *x < 2.0) {
                    assert!(debit(mean, sd, 3), "{data:?}");
                }
            }
        }
    }
}
