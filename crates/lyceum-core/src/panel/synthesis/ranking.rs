//! What a roadmap must not say: how long work takes, what comes first, whether a paper will be accepted. Order and
//! effort are the author's to judge.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::text::sentences;

/// Why a sentence may not stand in a roadmap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ranking {
    /// A unit of time.
    Time,
    /// A rank or a priority.
    Rank,
    /// A prediction of what an editor will decide.
    Prediction,
}

impl Ranking {
    /// The spelling in the roadmap.
    #[must_use]
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Time => "time_unit",
            Self::Rank => "rank_or_priority",
            Self::Prediction => "acceptance_prediction",
        }
    }
}

static TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:hours?|days?|weeks?|months?)\b|(?:[0-9０-９]|[一二两三四五六七八九十百几数半多整])\s*(?:余|多)?\s*(?:个|個)?\s*(?:半)?\s*(?:小时|小時|钟头|天|日|周|週|星期|礼拜|禮拜|月)|小时|小時|星期",
    )
});
static RANK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bpriorit(?:y|ies|i[sz]e[ds]?|i[sz]ing|i[sz]ation)\b|\bp[0-9]\b\s*[-:]?\s*(?:work|items?|issues?|tasks?|fix(?:es)?|changes?)\b|\bdo\s+(?:\S+\s+){1,6}?first\b|\b(?:first\s+priority|most\s+urgent(?:ly)?|most\s+pressing|urgent(?:ly)?|top\s+of\s+the\s+list|first\s+and\s+foremost)\b|\brank(?:s|ed)?\s+(?:it\s+|this\s+)?(?:first|second|third|highest|lowest|top|above|below|number|no\.|#)|优先|優先|首要|头等|頭等|最紧急|最緊急|当务之急|當務之急|重中之重|第一步|最先(?:做|修改|处理|處理|完成)|(?:应|應|须|須|必须|請|请)首先",
    )
});
static PREDICTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:odds|chances?|likelihoods?)\b|\b(?:will|would|can|could|may|might|should|to|likely)\s+(?:then\s+|not\s+|still\s+|probably\s+|likely\s+|certainly\s+|surely\s+)*(?:be|get)\s+(?:\S+\s+)?(?:accepted|rejected|published)\b|\brejected\b|\b(?:guarantee|ensure|secure)s?\s+(?:acceptance|publication)\b|录用|錄用|拒稿|退稿|中稿|被拒|(?:接收|接受|发表|發表)的?(?:概率|機率|机率|几率|幾率|可能|机会|機會|希望)|(?:会|會|将|將|能|可)被(?:接收|接受|拒)",
    )
});
/// Terms of statistics that only sound like a prediction.
static TERM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:log[- ])?odds[- ]ratios?\b|\blog[- ]odds\b|\b(?:proportional|posterior|prior)[- ]odds\b|\b(?:maximum|log|penali[sz]ed|partial|marginal|profile|composite|restricted maximum)[- ]likelihoods?\b|\blikelihood[- ](?:ratios?|functions?|estimat(?:es?|ion|or))\b|\bby chance\b|\bchance[- ](?:level|agreement)\b|\babove chance\b|\b(?:null|hypothes[ie]s|h0)\b[^.;]{0,60}\brejected\b|\brejected\b[^.;]{0,40}\b(?:null|hypothes[ie]s)\b",
    )
});

fn pattern(source: &str) -> Regex {
    #[expect(
        clippy::expect_used,
        reason = "literal patterns, compiled by every test"
    )]
    Regex::new(&format!("(?i){source}")).expect("pattern")
}

/// What a text says that a roadmap must not; the first kind found.
#[must_use]
pub(super) fn ranks(text: &str) -> Option<Ranking> {
    if TIME.is_match(text) {
        return Some(Ranking::Time);
    }
    if RANK.is_match(text) {
        return Some(Ranking::Rank);
    }
    PREDICTION
        .is_match(&TERM.replace_all(text, " "))
        .then_some(Ranking::Prediction)
}

/// A text without the sentences that rank, and what those did. `None` when nothing is left.
#[must_use]
pub(super) fn without_ranking(text: &str) -> (Option<String>, Vec<Ranking>) {
    // What reaches over two sentences is found in the whole and costs the whole.
    let mut withheld = Vec::new();
    let mut kept: Vec<&str> = Vec::new();
    for range in pieces(text) {
        let Some(sentence) = text.get(range) else {
            continue;
        };
        match ranks(sentence) {
            Some(kind) => withheld.push(kind),
            None => kept.push(sentence),
        }
    }
    let joined = kept.join(" ");
    if let Some(kind) = ranks(&joined) {
        withheld.push(kind);
        kept.clear();
    }
    withheld.sort_unstable();
    withheld.dedup();
    let text = if withheld.is_empty() {
        text.trim()
    } else {
        joined.trim()
    };
    let left = !text.is_empty() && (withheld.is_empty() || !kept.is_empty());
    (left.then(|| text.to_owned()), withheld)
}

/// Sentences, with line ends as ends too.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let shift = |range: Range<usize>| range.start + start..range.end + start;
        found.extend(sentences(line).into_iter().map(shift));
        start += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranking_words_are_found() {
        let cases = [
            ("This takes two weeks.", Ranking::Time),
            ("A few HOURS of work", Ranking::Time),
            ("within 3 days", Ranking::Time),
            ("大约需要三天完成", Ranking::Time),
            ("半个月即可", Ranking::Time),
            ("需要 2 周", Ranking::Time),
            ("Priority 1: the sample", Ranking::Rank),
            ("This is the highest priority.", Ranking::Rank),
            ("P1 work", Ranking::Rank),
            ("Do the power analysis first.", Ranking::Rank),
            ("请优先处理样本问题", Ranking::Rank),
            ("It improves your odds.", Ranking::Prediction),
            ("Your chances rise.", Ranking::Prediction),
            ("the likelihood of acceptance", Ranking::Prediction),
            ("then it will be accepted", Ranking::Prediction),
            ("else the paper is rejected", Ranking::Prediction),
            ("这样录用概率更高", Ranking::Prediction),
            ("修改后会被接收", Ranking::Prediction),
        ];
        for (text, kind) in cases {
            assert_eq!(ranks(text), Some(kind), "{text}");
        }
    }

    #[test]
    fn words_that_only_look_like_it_are_let_through() {
        for text in [
            "Report the odds ratio with its interval.",
            "Fit it by maximum likelihood and give the log-likelihood.",
            "Say whether the null hypothesis was rejected.",
            "Compare with chance agreement.",
            "Today's models, a holiday, the monthly-free series",
            "Replace P1 and P2 by the participants' numbers.",
            "Introduce the prior first-order model.",
            "天然样本的日志与周围环境",
            "说明月球数据的来源",
        ] {
            assert_eq!(ranks(text), None, "{text}");
        }
    }

    #[test]
    fn only_the_sentence_that_ranks_is_withheld() {
        let (left, why) =
            without_ranking("Add a power analysis. It takes two days. Report n per arm.");
        assert_eq!(
            left.as_deref(),
            Some("Add a power analysis. Report n per arm.")
        );
        assert_eq!(why, [Ranking::Time]);
        let (left, why) = without_ranking("Do this one first.");
        assert_eq!((left, why), (None, vec![Ranking::Rank]));
        let (left, why) = without_ranking("  Report n.\nAnd the seed. ");
        assert_eq!(
            (left.as_deref(), why.len()),
            (Some("Report n.\nAnd the seed."), 0)
        );
        assert_eq!(without_ranking(" \n").0, None);
    }

    #[test]
    fn what_reaches_over_a_sentence_end_costs_the_whole() {
        let (left, why) = without_ranking("Please do\nthe sample size first");
        assert_eq!((left, why), (None, vec![Ranking::Rank]));
    }
}
