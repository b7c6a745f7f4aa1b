//! What the metadata at the head of a text means for the manuscript.

use std::ops::Range;

use super::cite;
use super::front::{self, Field, Scalar, Value};
use super::reader::Reader;
use crate::text::model::{BlockKind, CitationStyle, CitedKey};

fn named<'a>(fields: &'a [Field], key: &'a str) -> impl Iterator<Item = &'a Field> {
    fields
        .iter()
        .filter(move |field| field.key.eq_ignore_ascii_case(key))
}

impl Reader<'_> {
    /// Reads the metadata under `range`; true when it names a title.
    pub(super) fn front_matter(&mut self, range: Range<usize>, toml: bool) -> bool {
        let fields = front::fields(self.text, range, toml);
        let mut titled = false;
        for field in &fields {
            let value = match &field.value {
                Value::Scalar(scalar) => scalar.text.clone(),
                _ => self.slice(field.range.clone()).to_owned(),
            };
            let span = self.span(&field.range);
            self.builder
                .out
                .front_matter
                .fields
                .push((field.key.clone(), value, Some(span)));
        }
        for field in named(&fields, "title").take(1) {
            titled = true;
            self.scalar(field, BlockKind::Title);
        }
        for field in named(&fields, "author")
            .chain(named(&fields, "authors"))
            .chain(named(&fields, "affiliations"))
        {
            for name in self.listed(field, true) {
                self.one(&name, BlockKind::Author);
            }
        }
        for field in named(&fields, "keywords")
            .chain(named(&fields, "tags"))
            .take(1)
        {
            for word in self.listed(field, false) {
                self.one(&word, BlockKind::Keywords);
            }
        }
        for field in named(&fields, "bibliography") {
            for path in self.listed(field, false) {
                let span = self.span(&path.range);
                self.builder.out.bibliographies.push((path.text, span));
            }
        }
        for field in named(&fields, "nocite") {
            self.nocite(field.range.clone());
        }
        for field in named(&fields, "abstract").take(1) {
            let span = self.span(&(field.range.start..field.range.start));
            self.builder.section(1, Some("Abstract"), span, true);
            match &field.value {
                Value::Scalar(_) => self.scalar(field, BlockKind::Paragraph),
                _ => self.paragraphs(field.range.clone(), BlockKind::Paragraph),
            }
            self.after_abstract = true;
        }
        titled
    }

    /// The scalars of a field: one, those of its list, or (for authors) the names in it.
    fn listed(&self, field: &Field, names: bool) -> Vec<Scalar> {
        match &field.value {
            Value::Scalar(scalar) if scalar.text.is_empty() => Vec::new(),
            Value::Scalar(scalar) => vec![scalar.clone()],
            Value::List(items) => items.clone(),
            Value::Raw if names => front::names(self.text, field.range.clone()),
            Value::Raw | Value::Block => Vec::new(),
        }
    }

    fn scalar(&mut self, field: &Field, kind: BlockKind) {
        match &field.value {
            Value::Scalar(scalar) => self.one(scalar, kind),
            _ => self.paragraphs(field.range.clone(), kind),
        }
    }

    fn one(&mut self, scalar: &Scalar, kind: BlockKind) {
        if scalar.text.is_empty() {
            return;
        }
        self.begin(kind, &scalar.range);
        let source = self.slice(scalar.range.clone());
        if source.split_whitespace().eq(scalar.text.split_whitespace()) {
            self.inlines(scalar.range.clone());
        } else {
            self.replaced(&scalar.text, &scalar.range);
        }
        self.builder.end();
    }

    /// `nocite: @*` or a list of keys: cited without being shown.
    fn nocite(&mut self, range: Range<usize>) {
        let mut keys = Vec::new();
        for (i, _) in self.slice(range.clone()).match_indices('@') {
            let at = range.start + i;
            let key = if self.slice(at..range.end).starts_with("@*") {
                Some(at + 1..at + 2)
            } else {
                cite::key(self.text, at).map(|(key, _)| key)
            };
            keys.extend(key.map(|key| CitedKey {
                key: self.slice(key.clone()).to_owned(),
                span: self.span(&key),
            }));
        }
        if !keys.is_empty() {
            let span = self.span(&range);
            self.builder.cite(keys, CitationStyle::Silent, "", span);
        }
    }
}
