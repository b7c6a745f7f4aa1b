//! The flags of `lyceum check`.

use std::path::PathBuf;

use clap::ValueEnum;
use lyceum_core::base::Language;

use crate::present::Shape;

/// Find errors in a manuscript; offline, by rules, writing nothing
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 nothing as grave as --fail-on, 1 problems, 2 usage, 4 refused, 5 the system failed,\n\
                        6 something could not be read, 70 a bug.\n\n\
                        Keep a problem with a reason: % lyceum: allow RULE reason   <!-- lyceum: allow RULE reason -->"
)]
pub(in crate::cli) struct Args {
    /// Manuscripts or folders [default: the manuscript of the current folder]
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Show opinions too
    #[arg(long)]
    pub(super) opinions: bool,
    /// Only these rules, whatever their tier
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(super) rule: Vec<String>,
    /// The genre of the text [default: worked out]
    #[arg(long, value_name = "GENRE")]
    pub(super) profile: Option<Genre>,
    /// The shape of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(super) json: bool,
    /// Explain a rule, or list all rules
    #[arg(long, value_name = "RULE", num_args = 0..=1)]
    pub(super) explain: Option<Option<String>>,
    /// Only problems in lines changed since the last commit, or since the branch left REV
    #[arg(long, value_name = "REV", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) changed: Option<String>,
    /// Check again whenever a file changes
    #[arg(long)]
    pub(super) watch: bool,
    /// The tier from which on a problem makes the exit code 1 [default: warning]
    #[arg(long, value_name = "TIER")]
    pub(super) fail_on: Option<FailOn>,
    /// Show every problem, not only the 15 gravest
    #[arg(long)]
    pub(super) all: bool,
    /// Language of messages [default: by the locale]
    #[arg(long, value_name = "LANG")]
    pub(super) lang: Option<Lang>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) color: When,
    /// Somebody else's manuscript: nothing of it may leave this machine
    #[arg(long)]
    pub(super) referee: bool,
    /// Compare the journals with the lines --heads printed, kept in a file, a commit message or a tag
    #[arg(long, value_name = "FILE|COMMIT|TAG", conflicts_with = "watch")]
    pub(super) anchor: Option<String>,
    /// Verify signed approvals against your own list of allowed signers, which lies outside of the project
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    pub(super) signers: Option<std::path::PathBuf>,
    /// Print the last line of each journal, to be kept where nobody else writes
    #[arg(long, conflicts_with_all = ["watch", "anchor", "format", "json"])]
    pub(super) heads: bool,
    /// The format of the text that - reads from standard input
    #[arg(long, value_name = "FORMAT")]
    pub(super) stdin_format: Option<Piped>,
}

impl Args {
    /// The flags of a check of somebody else's manuscript.
    pub(super) fn referee(paper: PathBuf, lang: Option<Lang>) -> Self {
        Self {
            paths: vec![paper],
            opinions: false,
            rule: Vec::new(),
            profile: None,
            format: Format::Text,
            json: false,
            explain: None,
            changed: None,
            watch: false,
            fail_on: None,
            all: false,
            lang,
            color: When::Auto,
            referee: true,
            anchor: None,
            signers: None,
            heads: false,
            stdin_format: None,
        }
    }

    pub(super) fn shape(&self) -> Shape {
        match self.format {
            _ if self.json => Shape::Json,
            Format::Text => Shape::Text,
            Format::Json => Shape::Json,
            Format::Sarif => Shape::Sarif,
            Format::Junit => Shape::Junit,
            Format::Github => Shape::Github,
        }
    }

    /// The language as far as flags and locale say; configuration may not be readable.
    pub(super) fn language(&self, locale: Language) -> Language {
        match self.lang {
            Some(Lang::En) => Language::English,
            Some(Lang::Zh) => Language::Chinese,
            None => locale,
        }
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(in crate::cli) enum $name {
            $(#[value(name = $word)] $variant),+
        }

        impl $name {
            /// The word on the command line and in configuration.
            pub(in crate::cli) const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }
    };
}

words!(
    /// The genre of a text.
    Genre { Article = "article", Software = "software", Thesis = "thesis", Fragment = "fragment" }
);
/// The shape of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Format {
    Text,
    Json,
    Sarif,
    Junit,
    Github,
}

words!(
    /// A tier, or never.
    FailOn { Error = "error", Warning = "warning", Opinion = "opinion", Never = "never" }
);
words!(
    /// A language of the interface.
    Lang { En = "en", Zh = "zh" }
);
impl Lang {
    /// The language it names.
    pub(in crate::cli) const fn language(self) -> Language {
        match self {
            Self::En => Language::English,
            Self::Zh => Language::Chinese,
        }
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum When {
    Auto,
    Always,
    Never,
}

words!(
    /// The format of a piped text.
    Piped { Md = "md", Tex = "tex", Txt = "txt" }
);
