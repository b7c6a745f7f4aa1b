//! What the acronym check is asked and what it answers.

use serde::Serialize;

use crate::text::Span;

/// The checker and the version of its rules.
pub const CHECKER: &str = "ars-acronym-check/1.0";

/// A part of the text in which acronyms are counted on their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Everything but the abstracts.
    Body,
    /// The abstract in English, or in another language with Latin letters.
    AbstractEn,
    /// The abstract in Chinese.
    AbstractZh,
}

impl Scope {
    /// All scopes, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Body, Self::AbstractEn, Self::AbstractZh];

    /// The spelling in arguments and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::AbstractEn => "abstract_en",
            Self::AbstractZh => "abstract_zh",
        }
    }

    /// The scope of a name; an unknown one makes the check [`NotChecked::UnknownScope`].
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name)
    }
}

/// What to check.
#[derive(Clone, Debug)]
pub struct AcronymRequest {
    /// The path of the main file, for the report.
    pub input: String,
    /// The hash of the main file's bytes, when the caller has it.
    pub input_sha256: Option<String>,
    /// Which scopes; all of them, usually.
    pub scopes: Vec<Scope>,
    /// Acronyms that need no definition, beyond the default ones.
    pub allowed: Vec<String>,
}

impl AcronymRequest {
    /// All scopes of a file, nothing more allowed.
    #[must_use]
    pub fn of(input: &str) -> Self {
        Self {
            input: input.to_owned(),
            input_sha256: None,
            scopes: Scope::ALL.to_vec(),
            allowed: Vec::new(),
        }
    }
}

/// How far the check got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AcronymStatus {
    /// Everything asked for was read.
    Checked,
    /// Read, but with what `coverage_limits` and `unread_sections` name left open.
    Partial,
    /// Not read; `reason` says why.
    NotChecked,
}

/// Why a text was not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NotChecked {
    /// The file is in a format that is not read.
    UnsupportedFormat,
    /// The file could not be read.
    UnreadableInput,
    /// A scope was asked for that does not exist.
    UnknownScope,
    /// The user's list of allowed acronyms could not be read.
    UnreadableAllowlist,
    /// None of the scopes asked for is in the text.
    NoRequestedScopeInInput,
}

/// Acronyms that need no definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Allowlist {
    /// Those most journals accept.
    pub default: Vec<String>,
    /// Those the user added.
    pub user: Vec<String>,
}

/// What became of a scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeCoverage {
    /// Read.
    Checked,
    /// The text has no such part.
    NotInInput,
    /// Not asked for.
    #[default]
    NotRequested,
}

/// One value for each scope.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PerScope<T> {
    /// For the body.
    pub body: T,
    /// For the English abstract.
    pub abstract_en: T,
    /// For the Chinese abstract.
    pub abstract_zh: T,
}

impl<T> PerScope<T> {
    /// The value of one scope.
    #[must_use]
    pub const fn get(&self, scope: Scope) -> &T {
        match scope {
            Scope::Body => &self.body,
            Scope::AbstractEn => &self.abstract_en,
            Scope::AbstractZh => &self.abstract_zh,
        }
    }

    /// The value of one scope, to be changed.
    pub const fn get_mut(&mut self, scope: Scope) -> &mut T {
        match scope {
            Scope::Body => &mut self.body,
            Scope::AbstractEn => &mut self.abstract_en,
            Scope::AbstractZh => &mut self.abstract_zh,
        }
    }
}

/// Lines of a scope, both ends included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineRange {
    /// The file, when it is not the input itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// First line, from 1.
    pub start: u32,
    /// Last line.
    pub end: u32,
}

/// A section that belongs to no scope and was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadSection {
    /// Its heading.
    pub title: String,
    /// The file, when it is not the input itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the heading.
    pub line: u32,
}

/// Why an acronym was left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    /// It is introduced in a form that is not read: `MRI (magnetic resonance imaging)`, a bracket whose words do not
    /// spell it by initials, `MRI stands for …`.
    UnreadDefinitionForm,
    /// It is announced (`hereafter MRI`), but the words before do not spell it.
    UnconfirmedDefinition,
}

/// An acronym that was left open in a scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoverageLimit {
    /// Why.
    pub limit: LimitKind,
    /// Where.
    pub scope: Scope,
    /// The file, when it is not the input itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line.
    pub line: u32,
    /// Which.
    pub acronym: String,
}

/// What is wrong with an acronym in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AcronymRule {
    /// Never defined in the scope.
    Undefined,
    /// Used before its definition.
    DefinedAfterUse,
    /// Defined more than once.
    DefinedAgain,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AcronymFinding {
    /// Where.
    pub scope: Scope,
    /// The file, when it is not the input itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line: of the first use, or of the second definition.
    pub line: u32,
    /// What is wrong.
    pub rule: AcronymRule,
    /// The acronym, singular.
    pub acronym: String,
    /// The words of its first definition, when it has one.
    pub expansion: Option<String>,
    /// Uses without a definition, uses before it, or definitions.
    pub occurrences: usize,
    /// The place in the source.
    #[serde(skip)]
    pub span: Span,
    /// Index of the section in the manuscript.
    #[serde(skip)]
    pub section: usize,
    /// The place of the first definition, when it has one.
    #[serde(skip)]
    pub defined_at: Option<Span>,
    /// The words of the second definition, when there is one.
    #[serde(skip)]
    pub again: Option<String>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AcronymReport {
    /// [`CHECKER`].
    pub checker: &'static str,
    /// The path of the main file.
    pub input: String,
    /// The hash of its bytes, when the caller gave it.
    pub input_sha256: Option<String>,
    /// How far the check got.
    pub status: AcronymStatus,
    /// Why it was not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<NotChecked>,
    /// What needs no definition.
    pub allowlist: Allowlist,
    /// What became of each scope.
    pub coverage: PerScope<ScopeCoverage>,
    /// Where each scope is.
    pub scope_lines: PerScope<Vec<LineRange>>,
    /// Sections left out.
    pub unread_sections: Vec<UnreadSection>,
    /// Acronyms left open.
    pub coverage_limits: Vec<CoverageLimit>,
    /// What was found, by scope and place.
    pub findings: Vec<AcronymFinding>,
}

impl AcronymReport {
    /// The report of a text that could not be checked at all.
    #[must_use]
    pub fn not_checked(request: &AcronymRequest, reason: NotChecked) -> Self {
        Self {
            checker: CHECKER,
            input: request.input.clone(),
            input_sha256: request.input_sha256.clone(),
            status: AcronymStatus::NotChecked,
            reason: Some(reason),
            allowlist: super::allow::allowlist(&request.allowed),
            coverage: PerScope::default(),
            scope_lines: PerScope::default(),
            unread_sections: Vec::new(),
            coverage_limits: Vec::new(),
            findings: Vec::new(),
        }
    }
}
