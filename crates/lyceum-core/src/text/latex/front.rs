//! Title, authors, date, keywords, abstract, and the class and packages.

use super::super::model::{BlockKind, LabelTarget};
use super::super::section::SectionKind;
use super::super::source::Span;
use super::super::tex_text::tex_to_text;
use super::Reader;
use super::lexer::Kind;
use super::state::Action;

impl Reader<'_> {
    /// `\title{…}` and kin. True when the name is one of them.
    pub(super) fn front_command(&mut self, name: &str, span: Span) -> bool {
        let (field, kind) = match name {
            "title" | "thesistitle" | "icmltitle" | "Title" | "ctitle" => {
                ("title", BlockKind::Title)
            }
            "subtitle" => ("subtitle", BlockKind::Title),
            "author" | "authors" | "Author" | "icmlauthor" | "cauthor" => {
                ("author", BlockKind::Author)
            }
            "affiliation" | "affil" | "address" | "institute" | "email" | "institution"
            | "altaffiltext" | "icmlaffiliation" | "orcid" | "correspondence" => {
                ("affiliation", BlockKind::Author)
            }
            "keywords" | "keyword" | "kwd" | "ckeywords" | "ekeywords" | "icmlkeywords" => {
                ("keywords", BlockKind::Keywords)
            }
            _ => return false,
        };
        if self.in_package > 0 {
            return false;
        }
        self.input.take(Kind::Star);
        while self.input.optional().is_some() {}
        if matches!(name, "altaffiltext" | "icmlaffiliation") {
            let _ = self.input.argument();
        }
        self.end_block();
        if self.argument_group(Action::Front { field, span }) {
            self.state.kind = kind;
            self.state.inline = true;
            self.state.muted = false;
            self.state.target = LabelTarget::Other;
        }
        true
    }

    pub(super) fn end_front(&mut self, field: &str, span: Span) {
        if let Some(index) = self.end_block()
            && let Some(block) = self.builder.out.blocks.get(index)
        {
            let value = block.text.string.replace(" , ", ", ");
            self.builder
                .out
                .front_matter
                .fields
                .push((field.to_owned(), value, Some(span)));
        }
    }

    /// `\date{…}`: a value, not text of the paper.
    pub(super) fn date(&mut self) {
        if let Some((tokens, _)) = self.input.argument() {
            let words = self.name_of(tokens);
            let value = tex_to_text(&words.string);
            let span = words.span(0..words.len());
            self.builder
                .out
                .front_matter
                .fields
                .push(("date".to_owned(), value, span));
        }
    }

    /// `\abstract{…}`; the declaration without an argument opens a section too.
    pub(super) fn abstract_command(&mut self, span: Span) {
        if self.in_package > 0 {
            return;
        }
        let _ = self.input.optional();
        if let Some(open) = self.input.take_after_spaces(Kind::Open) {
            self.virtual_section("Abstract", SectionKind::Abstract, span);
            self.open_group(Action::Abstract, open.span);
            self.state.muted = false;
        }
    }

    /// `\documentclass`, `\usepackage` and kin.
    pub(super) fn packages(&mut self, name: &str, span: Span) {
        let class = matches!(name, "documentclass" | "LoadClass" | "documentstyle");
        let options = self
            .input
            .optional()
            .map(|tokens| self.input.words(&tokens).string)
            .unwrap_or_default();
        let Some((names, _)) = self.name_argument() else {
            return;
        };
        let _ = self.input.optional();
        for package in names
            .string
            .split(',')
            .map(str::trim)
            .filter(|p| !p.is_empty())
        {
            self.open_package(package, class, span);
            let package = if class {
                format!("documentclass:{package}")
            } else {
                package.to_owned()
            };
            self.builder
                .out
                .packages
                .push((package, options.trim().to_owned()));
        }
        if class && self.in_package == 0 {
            self.begin_subdocument(span);
        }
    }
}
