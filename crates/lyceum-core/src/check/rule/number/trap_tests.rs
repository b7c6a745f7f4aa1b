//! Correct tables, means and sample sizes as papers print them: nothing here may be reported. Beside each group stand
//! faults of the same shape, so that silence says something.

use crate::check::tests::findings;
use crate::text::Format;

fn silent(rule: &str, texts: &[&str]) {
    assert!(texts.len() >= 20, "{rule}: too few traps");
    let accused: Vec<_> = texts
        .iter()
        .map(|text| (text, findings(rule, format(text), text, None)))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    assert!(accused.is_empty(), "{rule}: {accused:#?}");
}

fn told(rule: &str, texts: &[&str]) {
    for text in texts {
        let found = findings(rule, format(text), text, None);
        assert_eq!(found.len(), 1, "{rule}: {text}\n{found:?}");
    }
}

fn format(text: &str) -> Format {
    if text.contains("\\begin{") {
        Format::Latex
    } else {
        Format::Markdown
    }
}

const TABLES: &[&str] = &[
    // Subtotals and parts of parts.
    "| Site | n |\n|---|---|\n| North | 12 |\n| South | 30 |\n| Subtotal | 42 |\n| West | 8 |\n| East | 5 |\n| Subtotal | 13 |\n| Total | 55 |\n",
    "| Staff | n |\n|---|---|\n| Nurses | 40 |\n| of which part-time | 11 |\n| Doctors | 12 |\n| Total | 52 |\n",
    "| Group | n |\n|---|---|\n| All women | 30 |\n| Young women | 18 |\n| Men | 20 |\n| Total | 50 |\n",
    // Weighted means, rates and medians beside counts.
    "| Site | n | Mean age |\n|---|---|---|\n| North | 10 | 40.0 |\n| South | 30 | 50.0 |\n| West | 20 | 45.0 |\n| Total | 60 | 46.7 |\n",
    "| Site | n | Error rate |\n|---|---|---|\n| North | 100 | 0.10 |\n| South | 300 | 0.20 |\n| West | 200 | 0.15 |\n| Total | 600 | 0.17 |\n",
    "| Arm | Patients | Median survival |\n|---|---|---|\n| A | 61 | 14.2 |\n| B | 59 | 11.9 |\n| Total | 120 | 13.0 |\n",
    // Percent columns, rounded, of the row or of the column.
    "| Answer | n | % |\n|---|---|---|\n| Yes | 33 | 33.3 |\n| No | 33 | 33.3 |\n| Unsure | 33 | 33.3 |\n| Total | 99 | 100 |\n",
    "| Answer | n | % |\n|---|---|---|\n| Yes | 10 | 15% |\n| No | 50 | 75% |\n| Unsure | 7 | 10% |\n| Total | 67 | 101% |\n",
    "| Site | Sent | Back | % |\n|---|---|---|---|\n| North | 40 | 30 | 75.0 |\n| South | 60 | 30 | 50.0 |\n| Total | 100 | 60 | 60.0 |\n",
    // Other names of the last row.
    "| Model | Accuracy |\n|---|---|\n| A | 71.2 |\n| B | 73.4 |\n| C | 70.1 |\n| All | 71.6 |\n",
    "| Site | Score |\n|---|---|\n| North | 3.1 |\n| South | 3.5 |\n| West | 3.9 |\n| Overall | 3.5 |\n",
    // Rounding of what was measured.
    "| Part | Mass (g) |\n|---|---|\n| Leaf | 3.3 |\n| Stem | 3.3 |\n| Root | 3.3 |\n| Total | 10.0 |\n",
    "| Fund | Million |\n|---|---|\n| A | 1.4 |\n| B | 2.4 |\n| C | 3.4 |\n| D | 4.4 |\n| Total | 12 |\n",
    "| Site | 2019 | 2020 |\n|---|---|---|\n| North | 1,204 | 1,310 |\n| South | 2,310 | 2,004 |\n| Total | 3,514 | 3,314 |\n",
    // One thing in several rows.
    "| Adverse event | Patients |\n|---|---|\n| Headache | 12 |\n| Nausea | 9 |\n| Rash | 5 |\n| Total | 25 |\n",
    "| Event | Placebo | Drug |\n|---|---|---|\n| Headache | 3 | 12 |\n| Nausea | 2 | 9 |\n| Rash | 1 | 5 |\n| Total | 6 | 24 |\n",
    "| Language | Respondents |\n|---|---|\n| English | 80 |\n| French | 31 |\n| German | 24 |\n| Total | 131 |\n",
    "| Database | Records | Unique records |\n|---|---|---|\n| PubMed | 310 | 300 |\n| Embase | 420 | 390 |\n| Total | 730 | 610 |\n",
    // More than the rows that are shown.
    "| Country | Cases |\n|---|---|\n| France | 120 |\n| Spain | 80 |\n| Italy | 60 |\n| Total | 940 |\n",
    // Scores and times that are called total, and rows that are no terms.
    "| Child | Verbal | Spatial | Total |\n|---|---|---|---|\n| 1 | 98 | 104 | 101 |\n| 2 | 110 | 96 | 103 |\n| 3 | 90 | 92 | 91 |\n",
    "| Method | Precision | Recall | Total |\n|---|---|---|---|\n| A | 0.91 | 0.80 | 0.85 |\n| B | 0.87 | 0.84 | 0.85 |\n",
    "| Step | Time (s) | Cumulative time (s) |\n|---|---|---|\n| Load | 1 | 1 |\n| Sort | 4 | 5 |\n| Write | 2 | 7 |\n| Total | 7 | 7 |\n",
    "| Year | Papers |\n|---|---|\n| 2019 | 12 |\n| 2020 | 15 |\n| | 3 |\n| Total | 27 |\n",
    "| Item | Cost |\n|---|---|\n| Rent | 300 |\n| Refund | -40 |\n| Travel | 90 |\n| Total | 390 |\n",
    "| Source | df | SS |\n|---|---|---|\n| Between | 2 | 14.2 |\n| Within | 57 | 80.3 |\n| Total | 59 | 94.5 |\n",
    // Heads of two levels.
    "\\begin{document}\n\\begin{tabular}{lrrrr}\n\\toprule\n & \\multicolumn{2}{c}{2019} & \\multicolumn{2}{c}{2020} \\\\\nSite & n & Mean & n & Mean \\\\ \\midrule\nNorth & 12 & 3.1 & 14 & 3.0 \\\\\nSouth & 30 & 2.9 & 21 & 3.3 \\\\\nTotal & 42 & 3.0 & 35 & 3.2 \\\\ \\bottomrule\n\\end{tabular}\n\\end{document}\n",
    "\\begin{document}\n\\begin{tabular}{lrr}\n\\hline\nSite & Women & Men \\\\ \\hline\nNorth & 12 & 20 \\\\\nSouth & 30 & 11 \\\\\n\\multicolumn{3}{l}{Late arrivals} \\\\\nWest & 8 & 9 \\\\\nTotal & 50 & 41 \\\\ \\hline\n\\end{tabular}\n\\end{document}\n",
];

#[test]
fn correct_tables_are_left_alone() {
    silent("table-total", TABLES);
    told(
        "table-total",
        &[
            "| Site | Women | Men |\n|---|---|---|\n| North | 12 | 20 |\n| South | 30 | 11 |\n| West | 8 | 9 |\n| Total | 50 | 41 |\n",
            "| Kind | Count |\n|---|---|\n| Red | 12 |\n| Blue | 7 |\n| Green | 4 |\n| Total | 25 |\n",
            "| Site | Women | Men | Children |\n|---|---|---|---|\n| North | 12 | 20 | 7 |\n| South | 30 | 11 | 9 |\n| West | 8 | 9 | 5 |\n| Total | 50 | 40 | 20 |\n",
        ],
    );
}

const MEANS: &[&str] = &[
    // Means that integers have.
    "Participants rated their mood on a 7-point scale (M = 5.18, n = 28).\n",
    "Participants rated their mood on a 7-point scale (M = 5.2, SD = 1.1, n = 28).\n",
    "Participants rated their mood on a 7-point scale (n = 15, M = 3.47).\n",
    "They rated it on a single item from 1 to 5 (n = 16, M = 3.06).\n",
    "They rated it on a single item from 1 to 5 (n = 8, M = 3.13).\n",
    "They rated it on a single item from 1 to 5 (n = 8, M = 3.12).\n",
    "They rated their trust on a 5-point scale (M = 4.00, n = 23).\n",
    // Several items.
    "Trust was measured with 2 items on a scale from 1 to 7 (n = 28, M = 4.80).\n",
    "Trust was measured with three items on a scale from 1 to 7 (n = 10, M = 4.83).\n",
    "Trust was measured with 4 items on a 7-point scale (n = 28, M = 5.19).\n",
    "The 12-item questionnaire used a 5-point scale (n = 40, M = 3.19).\n",
    "Answers to the items were averaged; the 7-point scale gave M = 5.19 (n = 28).\n",
    "The composite of the ratings on a 7-point scale was high (M = 5.19, n = 28).\n",
    "The depression inventory has a 4-point scale (M = 2.19, n = 28).\n",
    "Internal consistency was good (alpha = .84); on the 7-point scale mood was high (M = 5.19, n = 28).\n",
    // Means that are no plain means of whole points.
    "On the 7-point scale the estimated marginal mean was M = 5.19 (n = 28).\n",
    "They rated it on a 7-point scale with half points (M = 5.19, n = 28).\n",
    "They rated it with a slider on a scale from 0 to 10 (M = 5.19, n = 28).\n",
    "They rated their mood on a 7-point scale, weighted by age (M = 5.19, n = 28).\n",
    "They rated their mood on a 7-point scale; missing answers were left out (M = 5.19, n = 28).\n",
    // Other quantities, large samples, ranges.
    "Participants were old (M = 51.93, SD = 8.1, n = 28).\n",
    "They waited long (M = 5.19 s, n = 28).\n",
    "They rated their mood on a 7-point scale (M = 5.19, n = 280).\n",
    "They rated their mood on a 7-point scale. Their age was M = 25.19 (n = 28).\n",
    "They rated their mood on a 7-point scale (M = 5.19–5.23, n = 28).\n",
    "They rated their mood on a 7-point scale (N = 56; men: M = 5.21, n = 28; women: M = 5.25, n = 28).\n",
    "They rated their mood on a 7-point scale after each of 3 sessions, and we took the mean of the sessions (M = 5.19, n = 28).\n",
    "They rated each of ten pictures on a 7-point scale (M = 5.19, n = 28).\n",
    "They rated how much they liked the films on a 7-point scale (M = 5.19, n = 28).\n",
    "They were asked to rate both teachers on a 5-point scale (M = 3.48, n = 15).\n",
];

#[test]
fn means_that_integers_have_are_left_alone() {
    silent("stat-grim", MEANS);
    told(
        "stat-grim",
        &[
            "Participants rated their mood on a 7-point scale (M = 5.19, n = 28).\n",
            "They rated it on a single item from 1 to 5 (n = 15, M = 3.48).\n",
            "Trust was measured with 2 items on a scale from 1 to 7 (n = 28, M = 4.81).\n",
        ],
    );
}

fn paper(above: &str, below: &str) -> String {
    format!("# Abstract\n\n{above}\n\n# Methods\n\n{below}\n")
}

const SAMPLES: &[(&str, &str)] = &[
    // The same number, also in words or as a sum.
    (
        "A total of 120 participants rated the items.",
        "A total of 120 participants took part, aged 18 to 65.",
    ),
    (
        "A total of 12 participants rated the items.",
        "Twelve people came. In total, 11 participants spoke English.",
    ),
    (
        "A total of 1,204 patients were treated.",
        "A total of 1204 patients were treated at ten sites.",
    ),
    // Exclusions and drop-out.
    (
        "A total of 120 participants rated the items.",
        "A total of 125 participants were recruited, and five were excluded.",
    ),
    (
        "A total of 120 participants rated the items.",
        "In total, 125 participants signed up. Five withdrew before the first session, which left 120.",
    ),
    (
        "In total, 98 patients were treated.",
        "A total of 104 patients were screened for the trial.",
    ),
    (
        "In total, 98 patients were treated.",
        "A total of 91 patients completed the follow-up.",
    ),
    (
        "A total of 300 students answered.",
        "A total of 288 students gave valid answers after the removal of duplicates.",
    ),
    (
        "A total of 300 students answered.",
        "A total of 412 students were invited by mail.",
    ),
    (
        "In total, 98 patients were treated.",
        "In total, 104 patients were randomised to two arms.",
    ),
    // Groups and subsets.
    (
        "A total of 120 participants rated the items.",
        "A total of 60 participants were in the control group.",
    ),
    (
        "A total of 120 participants rated the items.",
        "A total of 40 participants per condition were planned.",
    ),
    (
        "A total of 120 participants rated the items.",
        "A total of 64 participants, a subset, came back after a year.",
    ),
    (
        "A total of 120 participants rated the items.",
        "Overall, 71 participants were women and 49 were men.",
    ),
    (
        "A total of 120 participants rated the items.",
        "Overall, 64 participants preferred the first version.",
    ),
    (
        "A total of 120 participants rated the items.",
        "In total, 33 participants reported an earlier injury.",
    ),
    (
        "A total of 120 participants rated the items.",
        "Altogether, 18 participants could not name the author.",
    ),
    // Other nouns.
    (
        "A total of 120 participants rated the items.",
        "A total of 118 students and two teachers took part.",
    ),
    (
        "A total of 80 participants preferred the first version.",
        "A total of 120 participants took part.",
    ),
    (
        "A total of 45 children were tested.",
        "A total of 44 adults came with them.",
    ),
    (
        "A total of 120 participants rated the items.",
        "A total of 960 items were rated by the participants.",
    ),
    // Several studies, and the studies of others.
    (
        "In two studies, a total of 120 participants rated the items.",
        "A total of 70 participants took part in Study 1.",
    ),
    (
        "A total of 120 participants rated the items.",
        "A pilot was run before: a total of 16 participants came.",
    ),
    (
        "A total of 120 participants rated the items.",
        "Smith et al. (2011) tested a total of 44 participants.",
    ),
    (
        "A total of 120 participants rated the items.",
        "In an earlier study a total of 44 participants were tested.",
    ),
    (
        "A total of 120 participants rated the items.",
        "A power analysis asked for a total of 112 participants.",
    ),
    (
        "A total of 120 participants rated the items.",
        "We aimed at a total of 130 participants.",
    ),
    (
        "A total of 120 participants rated the items.",
        "A total of 80 participants came in spring, and a total of 40 participants in autumn.",
    ),
];

#[test]
fn sample_sizes_that_go_together_are_left_alone() {
    let texts: Vec<String> = SAMPLES.iter().map(|(a, b)| paper(a, b)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    silent("sample-size-conflict", &texts);
    let faults = [
        paper(
            "A total of 120 participants rated the items.",
            "A total of 118 participants took part, aged 18 to 65.",
        ),
        paper(
            "In total, 64 students rated the items.",
            "In total, 61 students took part, aged 18 to 65.",
        ),
    ];
    told(
        "sample-size-conflict",
        &faults.each_ref().map(String::as_str),
    );
}
