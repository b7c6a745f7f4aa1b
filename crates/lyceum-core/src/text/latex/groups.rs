//! Opening and closing groups; what an unbalanced text does.

use super::super::model::BlockKind;
use super::super::source::Span;
use super::super::visible::InlineKind;
use super::Reader;
use super::lexer::{Kind, Token};
use super::state::{Action, Environment, Group, GroupKind, Math, State};
use crate::base::Words;

/// Open groups; more are read as if their braces were not there.
const DEPTH: usize = 10_000;

impl Reader<'_> {
    pub(super) fn open_group(&mut self, action: Action, open: Span) {
        self.push_group(GroupKind::Brace(action), open);
    }

    pub(super) fn push_group(&mut self, kind: GroupKind, open: Span) {
        if self.groups.len() >= DEPTH && matches!(kind, GroupKind::Brace(Action::Nothing)) {
            self.note(
                "nesting_too_deep",
                Words::new("groups are nested too deeply", "分组嵌套过深"),
                Some(open),
            );
            return;
        }
        self.groups.push(Group {
            kind,
            saved: self.state,
            open,
        });
    }

    /// A command's argument in braces, read as text, with something to do at its end. False when none follows.
    pub(super) fn argument_group(&mut self, action: Action) -> bool {
        match self.input.take_after_spaces(Kind::Open) {
            Some(open) => {
                self.open_group(action, open.span);
                true
            }
            None => match self.input.argument() {
                Some((tokens, last)) => {
                    self.read_group(tokens, action, last.span);
                    true
                }
                None => false,
            },
        }
    }

    /// Shows an argument and marks it.
    pub(super) fn marked_argument(&mut self, kind: InlineKind) {
        let (start, serial) = self.mark_start();
        self.argument_group(Action::Mark {
            start,
            serial,
            kind,
        });
    }

    pub(super) fn close_brace(&mut self, token: Token) {
        while let Some(Group {
            kind: GroupKind::Math { .. },
            ..
        }) = self.groups.last()
        {
            self.note_unbalanced(token.span);
            self.close_top(token.span);
        }
        match self.groups.last() {
            Some(Group {
                kind: GroupKind::Brace(_),
                ..
            }) => self.close_top(token.span),
            _ if token.kind == Kind::GroupEnd => {}
            _ => self.note_unbalanced(token.span),
        }
    }

    pub(super) fn note_unbalanced(&mut self, span: Span) {
        self.note(
            "unbalanced_group",
            Words::new(
                "a group, formula or environment is not balanced",
                "分组、公式或环境没有配对",
            ),
            Some(span),
        );
    }

    /// Closes the innermost group.
    pub(super) fn close_top(&mut self, span: Span) {
        let Some(group) = self.groups.pop() else {
            return;
        };
        if self.state.hidden != group.saved.hidden {
            self.flush_hidden(Some(span));
        }
        let inside = self.state;
        match group.kind {
            GroupKind::Brace(action) => {
                self.state = group.saved;
                self.act(action, span, inside);
            }
            GroupKind::Math { start, serial } => {
                self.state = group.saved;
                self.end_math(start, serial, inside.math, group.open.join(span));
            }
            GroupKind::Environment { name, kind } => {
                if let Some(count) = self.open.get_mut(&name) {
                    *count = count.saturating_sub(1);
                }
                self.end_environment(kind, group.saved, span);
            }
        }
    }

    fn act(&mut self, action: Action, span: Span, inside: State) {
        match action {
            Action::Nothing | Action::Scope => {}
            Action::Mark {
                start,
                serial,
                kind,
            } => self.mark(start, serial, kind),
            Action::Section { raw, starred, span } => self.end_heading(raw, starred, span),
            Action::Front { field, span: whole } => self.end_front(field, whole.join(span)),
            Action::Inner { outer } => {
                self.take_up(outer);
            }
            Action::Caption {
                float,
                outer,
                whole,
            } => self.end_caption(float, outer, whole),
            Action::Float { outer } => self.end_float(outer, span),
            Action::Abstract => self.end_virtual_section(),
            Action::Show(text) => self.show(text, span),
            Action::Unit => self.begin_unit(span),
        }
        // What a heading or a caption numbers is what labels after it name.
        if matches!(inside.kind, BlockKind::Heading) {
            self.state.target = super::super::model::LabelTarget::Section;
        }
    }

    /// Before a heading or the end of the document: arguments still open have lost their brace.
    pub(super) fn close_arguments(&mut self, span: Span) {
        while let Some(group) = self.groups.last() {
            match &group.kind {
                GroupKind::Brace(Action::Nothing | Action::Mark { .. })
                | GroupKind::Environment { .. } => return,
                GroupKind::Brace(_) | GroupKind::Math { .. } => {
                    let open = group.open;
                    self.note_unbalanced(open);
                    self.close_top(span);
                }
            }
        }
    }

    /// Opens an environment's group.
    pub(super) fn push_environment(
        &mut self,
        name: std::rc::Rc<str>,
        kind: Environment,
        open: Span,
    ) {
        *self.open.entry(std::rc::Rc::clone(&name)).or_insert(0) += 1;
        self.push_group(GroupKind::Environment { name, kind }, open);
    }

    /// Closes the innermost environment of a name and everything open in it.
    pub(super) fn close_environment(&mut self, name: &str, span: Span) {
        if self.open.get(name).copied().unwrap_or(0) == 0 {
            self.note_unbalanced(span);
            return;
        }
        while let Some(group) = self.groups.last() {
            let found = match &group.kind {
                GroupKind::Environment { name: open, .. } => **open == *name,
                GroupKind::Brace(_) | GroupKind::Math { .. } => false,
            };
            let open = group.open;
            if !found {
                self.note_unbalanced(open);
            }
            self.close_top(span);
            if found {
                return;
            }
        }
    }

    /// True inside a formula.
    pub(super) fn in_math(&self) -> bool {
        self.state.math != Math::No
    }
}
