//! `\begin` and `\end`: what each environment is to a reader of the paper.

use std::rc::Rc;

use super::super::model::{BlockKind, LabelTarget};
use super::super::section::SectionKind;
use super::super::source::Span;
use super::super::visible::InlineKind;
use super::Reader;
use super::floats::float_kind;
use super::ignored::pass_arguments;
use super::input::Call;
use super::lexer::{Kind, Token};
use super::state::{Deferred, Environment, GroupKind, Math, State};

impl Reader<'_> {
    pub(super) fn begin(&mut self, token: Token) {
        let Some((words, place)) = self.name_argument() else {
            return;
        };
        let name: Rc<str> = Rc::from(words.string.trim());
        let span = if token.literal() {
            token.span.join(place)
        } else {
            token.span
        };
        let base = name.strip_suffix('*').unwrap_or(&name);
        if base == "document" {
            self.begin_document(span);
            return;
        }
        if !is_standard(base)
            && let Some(known) = self.environments.get(&name).cloned()
        {
            self.begin_own(&name, &known, Token { span, ..token });
            return;
        }
        if self.verbatim_environment(&name, base, span) {
            return;
        }
        self.begin_known(&name, base, Token { span, ..token });
    }

    /// An environment that the text or a package beside it defines.
    fn begin_own(&mut self, name: &Rc<str>, known: &super::macros::UserEnvironment, token: Token) {
        self.push_environment(Rc::clone(name), Environment::Transparent, token.span);
        let arguments = self.begin_user_environment(known, token);
        if let Some(group) = self.groups.last_mut()
            && let GroupKind::Environment { kind, .. } = &mut group.kind
        {
            *kind = Environment::User {
                end: Rc::clone(&known.end),
                arguments,
            };
        }
    }

    fn begin_known(&mut self, name: &Rc<str>, base: &str, token: Token) {
        let span = token.span;
        let float = float_kind(base).or_else(|| self.floats.get(name).copied());
        if let Some(spec) = table_arguments(name, base) {
            self.begin_table_environment(name, base, spec, float.is_some(), span);
        } else if let Some(kind) = float {
            let spec = if base.starts_with("wrap") || base.starts_with("floating") {
                "omom"
            } else if base.starts_with("sub") {
                "om"
            } else if base.starts_with("SC") {
                "oo"
            } else {
                "o"
            };
            pass_arguments(self, spec);
            if self.state.muted {
                self.push_environment(Rc::clone(name), Environment::Transparent, span);
                return;
            }
            let (index, outer) = self.begin_float(kind, span);
            self.push_environment(Rc::clone(name), Environment::Float { outer }, span);
            self.enter_float(index);
        } else if let Some(spec) = formula_arguments(base) {
            pass_arguments(self, spec);
            self.begin_formula(name, base, span);
        } else {
            self.begin_text(name, base, token);
        }
    }

    fn begin_table_environment(
        &mut self,
        name: &Rc<str>,
        base: &str,
        spec: &str,
        float: bool,
        span: Span,
    ) {
        if base == "tabu" || base == "longtabu" {
            while matches!(
                self.input.peek().kind,
                Kind::Word | Kind::Command | Kind::Space
            ) {
                self.input.next();
            }
        }
        let coloured = self.table_columns(spec);
        if self.in_math() || self.state.inline || self.state.muted {
            self.push_environment(Rc::clone(name), Environment::FlatTable, span);
            if self.in_math() {
                self.state.math = Math::Other;
            }
        } else if float {
            let kind = float_kind(base).unwrap_or(super::super::model::FloatKind::Table);
            let (index, outer) = self.begin_float(kind, span);
            self.push_environment(Rc::clone(name), Environment::FloatTable { outer }, span);
            self.enter_float(index);
            self.begin_table(span);
        } else {
            self.push_environment(Rc::clone(name), Environment::Table, span);
            self.begin_table(span);
        }
        self.state.coloured |= coloured;
    }

    /// Passes over the column specification; true when it sets colours.
    fn table_columns(&mut self, spec: &str) -> bool {
        let mut coloured = false;
        for c in spec.chars() {
            let tokens = if c == 'o' {
                self.input.optional()
            } else {
                self.input.argument().map(|(tokens, _)| tokens)
            };
            if let Some(tokens) = tokens {
                coloured |= tokens.iter().any(|&t| self.input.text(t).contains("color"));
            }
        }
        coloured
    }

    fn begin_formula(&mut self, name: &Rc<str>, base: &str, span: Span) {
        if self.in_math() {
            self.push_environment(Rc::clone(name), Environment::FlatTable, span);
            if self.in_math() {
                self.state.math = Math::Other;
            }
            return;
        }
        let display = base != "math" && !self.state.inline;
        if display {
            self.end_block();
        }
        let (start, serial) = self.mark_start();
        let kind = Environment::Formula {
            display,
            start,
            serial,
        };
        self.push_environment(Rc::clone(name), kind, span);
        self.state.math = Math::Other;
        self.state.inline = true;
        self.state.target = LabelTarget::Equation;
        if display {
            self.state.kind = BlockKind::Math;
        }
    }

    fn begin_text(&mut self, name: &Rc<str>, base: &str, token: Token) {
        let span = token.span;
        let lower = base.to_ascii_lowercase();
        let push = |reader: &mut Self, kind| reader.push_environment(Rc::clone(name), kind, span);
        if !self.state.inline && !self.in_math() && !self.state.muted {
            self.end_block();
        }
        if lower.contains("abstract") && !lower.contains("graphical") || lower == "summary" {
            self.input.optional();
            self.virtual_section("Abstract", SectionKind::Abstract, span);
            push(self, Environment::Section);
            self.state.muted = false;
            self.state.kind = BlockKind::Paragraph;
        } else if lower.starts_with("acknowledg") || lower == "acks" {
            self.virtual_section("Acknowledgements", SectionKind::Acknowledgements, span);
            push(self, Environment::Section);
        } else if lower == "thebibliography" || lower == "references" {
            push(self, Environment::Section);
            self.begin_bibliography(span);
        } else if matches!(
            lower.as_str(),
            "keywords" | "keyword" | "ieeekeywords" | "ams" | "msccodes" | "kwd"
        ) {
            push(self, Environment::Blocks);
            self.state.kind = BlockKind::Keywords;
            self.state.inline = true;
            self.state.muted = false;
        } else if matches!(base, "appendix" | "appendices" | "subappendices") {
            let before = self.appendix;
            push(self, Environment::Appendix { before });
            self.appendix = true;
        } else if is_list(base) {
            pass_arguments(self, if base == "list" { "mm" } else { "o" });
            push(self, Environment::Blocks);
            self.enter_blocks(match base {
                "tablenotes" | "TableNotes" => BlockKind::Footnote,
                _ => BlockKind::ListItem,
            });
        } else if matches!(
            base,
            "quote" | "quotation" | "displayquote" | "verse" | "blockquote" | "displaycquote"
        ) {
            pass_arguments(self, "o");
            push(self, Environment::Blocks);
            self.enter_blocks(BlockKind::Quote);
        } else if matches!(
            base,
            "algorithmic" | "algorithmicx" | "algpseudocode" | "pseudocode" | "alltt"
        ) {
            pass_arguments(self, "o");
            push(self, Environment::Blocks);
            self.enter_blocks(BlockKind::Code);
        } else if is_drawing(base) {
            push(self, Environment::Transparent);
            self.state.muted = true;
        } else if self.theorems.contains(name) || is_theorem(base) {
            push(self, Environment::Blocks);
            self.state.target = LabelTarget::Other;
            if let Some(title) = self.input.optional() {
                self.input.unread(title);
            }
        } else if let Some(known) = self.package_environments.get(name).cloned() {
            self.begin_own(name, &known, token);
        } else {
            push(self, Environment::Transparent);
            self.begin_unknown(base);
        }
    }

    fn enter_blocks(&mut self, kind: BlockKind) {
        if !self.state.inline {
            self.state.kind = kind;
        }
        self.state.target = LabelTarget::Other;
    }

    /// An environment that changes nothing about its text; arguments that are not words are passed over.
    fn begin_unknown(&mut self, base: &str) {
        if matches!(
            base,
            "tcolorbox" | "mdframed" | "shaded" | "colorbox" | "shadedbox" | "awesomebox"
        ) {
            self.state.coloured = true;
        }
        if base == "subequations" {
            self.state.target = LabelTarget::Equation;
            return;
        }
        if let Some(spec) = super::ignored::environment_arguments(base) {
            pass_arguments(self, spec);
            return;
        }
        if self.input.peek().kind == Kind::Bracket {
            let _ = self.input.optional();
        }
        // A lone number or length is a setting, words are text.
        if self.input.peek().kind == Kind::Open
            && let Some(tokens) = self.input.short_argument(4)
        {
            let setting = tokens.iter().all(|&token| {
                let text = self.input.text(token);
                token.kind == Kind::Command
                    || text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            });
            if !setting {
                self.input.unread(tokens);
            }
        }
    }

    pub(super) fn end(&mut self, token: Token) {
        let Some((words, place)) = self.name_argument() else {
            return;
        };
        let name: Rc<str> = Rc::from(words.string.trim());
        let span = if token.literal() {
            token.span.join(place)
        } else {
            token.span
        };
        if &*name == "document" {
            self.end_document(span);
            return;
        }
        if self.open.get(&name).copied().unwrap_or(0) == 0 {
            self.note_unbalanced(span);
            return;
        }
        let user = self
            .groups
            .iter()
            .rev()
            .find_map(|group| match &group.kind {
                GroupKind::Environment { name: open, kind } if *open == name => Some(match kind {
                    Environment::User { end, arguments } => {
                        Some((Rc::clone(end), Rc::clone(arguments)))
                    }
                    _ => None,
                }),
                _ => None,
            });
        if let Some(Some((end, arguments))) = user
            && self.input.expansions > 0
        {
            self.input.expansions -= 1;
            let close = self.defer(Deferred::CloseEnvironment { name, span }, span);
            self.input.unread(vec![close]);
            self.input.push(end, Some(Call { span, arguments }));
            return;
        }
        self.close_environment(&name, span);
    }

    /// What the end of an environment does; its group is already closed, its state not yet restored.
    pub(super) fn end_environment(&mut self, kind: Environment, saved: State, span: Span) {
        match kind {
            Environment::Document => {
                self.end_block();
                self.state = saved;
            }
            Environment::Transparent | Environment::User { .. } | Environment::Blocks => {
                let target = self.state.target;
                if !saved.inline && !saved.muted && saved.math == Math::No {
                    let keywords = self.state.kind == BlockKind::Keywords;
                    let index = self.end_block();
                    if let (Some(index), true) = (index, keywords) {
                        self.keep_keywords(index);
                    }
                }
                self.state = saved;
                // A caption in a minipage numbers what the label after the minipage names.
                if matches!(target, LabelTarget::Float(_)) && saved.target == LabelTarget::Section {
                    self.state.target = target;
                }
            }
            Environment::Float { outer } => {
                self.state = saved;
                self.end_float(outer, span);
            }
            Environment::FloatTable { outer } => {
                self.end_table(span);
                self.state = saved;
                self.end_float(outer, span);
            }
            Environment::Formula {
                display,
                start,
                serial,
            } => {
                self.state = saved;
                if display {
                    self.end_block();
                } else {
                    self.mark(start, serial, InlineKind::Math);
                }
            }
            Environment::Table => {
                self.end_table(span);
                self.state = saved;
            }
            Environment::FlatTable => self.state = saved,
            Environment::Section => {
                self.end_virtual_section();
                self.state = saved;
            }
            Environment::Appendix { before } => {
                self.end_block();
                self.appendix = before;
                self.state = saved;
            }
        }
    }

    fn keep_keywords(&mut self, index: usize) {
        if let Some(block) = self.builder.out.blocks.get(index) {
            let field = (
                "keywords".to_owned(),
                block.text.string.clone(),
                Some(block.span),
            );
            self.builder.out.front_matter.fields.push(field);
        }
    }

    /// `\item[label]`
    pub(super) fn item(&mut self, span: Span) {
        let label = self.input.optional();
        if self.state.inline || self.state.muted || self.in_math() {
            self.space(span);
        } else if self.state.hidden.is_none() {
            self.begin_block(self.state.kind, span);
        }
        self.state.target = LabelTarget::Other;
        if let Some(mut label) = label {
            label.push(Token::synthetic(Kind::Space, span));
            self.input.unread(label);
        }
    }
}

/// Environments whose meaning a text's own definition does not change for us.
fn is_standard(base: &str) -> bool {
    matches!(
        base,
        "figure"
            | "table"
            | "abstract"
            | "tabular"
            | "tabularx"
            | "longtable"
            | "equation"
            | "align"
            | "itemize"
            | "enumerate"
            | "description"
            | "verbatim"
            | "lstlisting"
            | "thebibliography"
            | "comment"
            | "quote"
            | "algorithm"
            | "subfigure"
            | "subtable"
            | "wrapfigure"
    )
}

/// The arguments of an environment of rows and cells.
fn table_arguments(name: &str, base: &str) -> Option<&'static str> {
    Some(match base {
        _ if name == "tabular*" => "mom",
        "tabular" | "longtable" | "supertabular" | "mpsupertabular" | "array" | "tblr"
        | "longtblr" | "talltblr" | "NiceTabular" | "NiceArray" | "tabu" | "longtabu"
        | "deluxetable" => "om",
        "tabularx" | "tabulary" | "xltabular" | "tabularray" => "mom",
        _ => return None,
    })
}

/// The arguments of an environment that sets a formula apart.
fn formula_arguments(base: &str) -> Option<&'static str> {
    Some(match base {
        "equation" | "align" | "gather" | "multline" | "flalign" | "eqnarray" | "math"
        | "displaymath" | "dmath" | "dgroup" | "darray" | "split" | "aligned" | "gathered"
        | "cases" | "dcases" | "rcases" | "matrix" | "pmatrix" | "bmatrix" | "vmatrix"
        | "Vmatrix" | "Bmatrix" | "smallmatrix" | "multlined" | "numcases" | "subnumcases"
        | "lgathered" => "o",
        "alignat" | "xalignat" | "xxalignat" | "alignedat" | "IEEEeqnarray" => "om",
        "empheq" => "om",
        _ => return None,
    })
}

fn is_list(base: &str) -> bool {
    matches!(
        base,
        "itemize"
            | "enumerate"
            | "description"
            | "list"
            | "trivlist"
            | "compactitem"
            | "compactenum"
            | "compactdesc"
            | "inparaenum"
            | "inparaitem"
            | "asparaenum"
            | "asparaitem"
            | "tablenotes"
            | "TableNotes"
            | "tasks"
            | "steps"
            | "outline"
            | "easylist"
            | "labeling"
            | "itemizedlist"
            | "enumerateinline"
            | "todolist"
            | "checklist"
            | "questions"
            | "parts"
    )
}

fn is_theorem(base: &str) -> bool {
    matches!(
        base,
        "theorem"
            | "lemma"
            | "proposition"
            | "corollary"
            | "definition"
            | "proof"
            | "remark"
            | "example"
            | "conjecture"
            | "assumption"
            | "claim"
            | "axiom"
            | "hypothesis"
            | "observation"
            | "fact"
            | "property"
            | "problem"
            | "exercise"
    )
}

/// Drawings: what they hold is not running text.
fn is_drawing(base: &str) -> bool {
    matches!(
        base,
        "tikzpicture"
            | "picture"
            | "pspicture"
            | "pgfpicture"
            | "axis"
            | "forest"
            | "circuitikz"
            | "asy"
            | "feynmandiagram"
            | "tikzcd"
            | "overpic"
            | "xy"
            | "chemfig"
            | "feynmf"
            | "fmffile"
            | "psmatrix"
            | "sankey"
            | "pgfonlayer"
            | "scope"
            | "CCSXML"
            | "tikzfigure"
            | "dot2tex"
            | "gnuplot"
            | "filecontents"
            | "textblock"
            | "qcircuit"
            | "yquant"
            | "quantikz"
            | "tikz"
    )
}
