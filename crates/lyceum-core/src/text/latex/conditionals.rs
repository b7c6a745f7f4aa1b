//! `\if… \else … \fi`: decided where the text decides it, else both branches are read.

use std::collections::HashMap;

use super::super::model::{Hidden, HiddenKind};
use super::super::source::Span;
use super::Reader;
use super::lexer::{Kind, Token};
use super::state::Math;
use crate::base::Words;

/// Switches of the text, and the conditionals that are open.
#[derive(Debug, Default)]
pub(super) struct Conditionals {
    switches: HashMap<String, bool>,
    open: Vec<Open>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// The branch that holds is being read; the other one is not.
    Decided,
    /// Both are read.
    Undecided,
}

/// What a test is followed by, so that it can be passed over.
enum Test {
    Nothing,
    Tokens(usize),
    Number,
    Comparison,
    Name,
}

/// Conditionals of TeX and common packages that end in `\fi`.
fn test(name: &str) -> Option<Test> {
    Some(match name {
        "if" | "ifcat" | "ifx" => Test::Tokens(2),
        "ifdefined" => Test::Tokens(1),
        "ifnum" | "ifdim" => Test::Comparison,
        "ifodd" | "ifcase" | "ifvoid" | "ifhbox" | "ifvbox" | "ifeof" => Test::Number,
        "ifcsname" => Test::Name,
        "ifmmode"
        | "ifvmode"
        | "ifhmode"
        | "ifinner"
        | "ifpdf"
        | "ifxetex"
        | "ifluatex"
        | "ifPDFTeX"
        | "ifXeTeX"
        | "ifLuaTeX"
        | "ifpdftex"
        | "iftutex"
        | "ifTUTeX"
        | "ifptex"
        | "ifuptex"
        | "ifdraft"
        | "ifCLASSOPTIONonecolumn"
        | "ifCLASSOPTIONtwocolumn"
        | "ifCLASSOPTIONcompsoc"
        | "ifCLASSINFOpdf"
        | "ifeq" => Test::Nothing,
        _ if name.starts_with("if@") => Test::Nothing,
        _ => return None,
    })
}

impl Reader<'_> {
    /// `\if…`, `\else`, `\fi`, `\newif`, `\footrue`. True when the command is one of them.
    pub(super) fn conditional(&mut self, name: &str, token: Token) -> bool {
        match name {
            "fi" => {
                self.conditionals.open.pop();
            }
            "else" | "or" => {
                if self.conditionals.open.last() == Some(&Open::Decided) {
                    self.skip(token.span, false);
                }
            }
            "@ifnextchar" | "kernel@ifnextchar" | "@ifstar" => self.next_character(name),
            "IfNoValueTF" | "IfValueTF" | "IfBooleanTF" | "IfNoValueT" | "IfNoValueF"
            | "IfValueT" | "IfValueF" | "IfBooleanT" | "IfBooleanF" | "ifblank" | "notblank"
            | "ifstrempty" => self.emptiness(name),
            "mathchoice" => {
                let first = self.input.argument();
                for _ in 0..3 {
                    let _ = self.input.argument();
                }
                if let Some((tokens, _)) = first {
                    self.input.unread(tokens);
                }
            }
            "iffalse" => self.decided(false, token.span),
            "iftrue" => self.decided(true, token.span),
            "ifmmode" => self.decided(self.state.math != Math::No, token.span),
            "newif" => self.new_switch(),
            _ if !name.starts_with("if") => return self.set_switch(name),
            _ => {
                if let Some(value) = name
                    .get(2..)
                    .and_then(|s| self.conditionals.switches.get(s))
                    .copied()
                {
                    self.decided(value, token.span);
                } else if let Some(test) = test(name) {
                    self.undecided(&test, token.span);
                } else if name != "iff"
                    && !matches!(self.input.peek().kind, Kind::Open | Kind::Bracket)
                {
                    self.undecided(&Test::Nothing, token.span);
                } else {
                    return false;
                }
            }
        }
        true
    }

    /// `\@ifnextchar[{…}{…}` and `\@ifstar{…}{…}`: decided by what comes next.
    fn next_character(&mut self, name: &str) {
        let wanted = if name == "@ifstar" {
            None
        } else {
            // The token is compared as it stands; a bracket is one too.
            Some(self.input.next())
        };
        let (Some((yes, _)), Some((no, _))) = (self.input.argument(), self.input.argument()) else {
            return;
        };
        let holds = match wanted {
            None => self.input.take(Kind::Star).is_some(),
            Some(wanted) => {
                let next = self.input.peek();
                match wanted.kind {
                    Kind::Command if self.input.text(wanted) == "\\bgroup" => {
                        next.kind == Kind::Open
                    }
                    Kind::Command => {
                        next.kind == Kind::Command
                            && self.input.text(next) == self.input.text(wanted)
                    }
                    Kind::Word => {
                        next.kind == Kind::Word
                            && self.input.text(next).chars().next()
                                == self.input.text(wanted).chars().next()
                    }
                    kind => next.kind == kind,
                }
            }
        };
        self.input.unread(if holds { yes } else { no });
    }

    /// Tests whether an argument is there. Our optional arguments are empty when they are not.
    fn emptiness(&mut self, name: &str) {
        let Some((tested, _)) = self.input.argument() else {
            return;
        };
        let empty = tested
            .iter()
            .all(|token| matches!(token.kind, Kind::Space | Kind::Paragraph));
        let asks_empty = matches!(name, "ifblank" | "ifstrempty") || name.starts_with("IfNoValue");
        let holds = empty == asks_empty;
        let only = if name.ends_with("TF") || !name.starts_with("If") {
            None
        } else {
            Some(name.ends_with('T'))
        };
        let first = self.input.argument();
        let chosen = match only {
            Some(when) => (holds == when).then_some(first).flatten(),
            None => {
                let second = self.input.argument();
                if holds { first } else { second }
            }
        };
        if let Some((tokens, _)) = chosen {
            self.input.unread(tokens);
        }
    }

    fn new_switch(&mut self) {
        let token = self.input.peek();
        if token.kind != Kind::Command {
            return;
        }
        let name = self
            .input
            .text(token)
            .strip_prefix("\\if")
            .map(str::to_owned);
        self.input.next();
        if let Some(name) = name {
            self.conditionals.switches.insert(name, false);
        }
    }

    fn set_switch(&mut self, name: &str) -> bool {
        let value = match (name.strip_suffix("true"), name.strip_suffix("false")) {
            (Some(switch), _) => (switch, true),
            (_, Some(switch)) => (switch, false),
            _ => return false,
        };
        match self.conditionals.switches.get_mut(value.0) {
            Some(switch) => {
                *switch = value.1;
                true
            }
            None => false,
        }
    }

    fn decided(&mut self, value: bool, span: Span) {
        self.conditionals.open.push(Open::Decided);
        if !value {
            self.skip(span, true);
        }
    }

    fn undecided(&mut self, test: &Test, span: Span) {
        self.conditionals.open.push(Open::Undecided);
        match test {
            Test::Nothing => {}
            Test::Tokens(count) => {
                for _ in 0..*count {
                    if matches!(
                        self.input.peek().kind,
                        Kind::Command | Kind::Word | Kind::Parameter(_)
                    ) {
                        let _ = self.input.argument();
                    }
                }
            }
            Test::Number => self.pass_number(),
            Test::Comparison => {
                self.pass_number();
                self.input.take(Kind::Space);
            }
            Test::Name => {
                for _ in 0..64 {
                    let token = self.input.next();
                    if self.input.text(token) == "\\endcsname"
                        || matches!(token.kind, Kind::End | Kind::Paragraph)
                    {
                        break;
                    }
                }
            }
        }
        if self.in_document {
            self.note(
                "conditional_undecided",
                Words::new(
                    "a condition that only TeX can decide: both branches were read",
                    "只有 TeX 能判断的条件：两个分支都已读取",
                ),
                Some(span),
            );
        }
    }

    /// Passes over `\value{page}=1` or `1>2` up to the next space or line end.
    fn pass_number(&mut self) {
        for _ in 0..16 {
            let token = self.input.peek();
            match token.kind {
                Kind::Word | Kind::Open | Kind::Close => {
                    self.input.next();
                }
                Kind::Command => {
                    let text = self.input.text(token);
                    if matches!(text, "\\else" | "\\fi" | "\\relax") {
                        return;
                    }
                    self.input.next();
                }
                _ => return,
            }
        }
    }

    /// Passes over the branch that does not hold, up to `\fi`, or to `\else` when `to_else` says so.
    fn skip(&mut self, from: Span, to_else: bool) {
        let mut depth = 0_usize;
        let mut shown: Option<Span> = None;
        loop {
            let token = self.input.next();
            if token.kind == Kind::End {
                self.note(
                    "unclosed_conditional",
                    Words::new("a condition has no \\fi", "条件没有 \\fi"),
                    Some(from),
                );
                break;
            }
            if token.kind == Kind::Command {
                let source = self.input.source(token.at.file);
                let text = source.get(token.at.range()).unwrap_or("");
                let name = text.strip_prefix('\\').unwrap_or(text);
                match name {
                    "fi" if depth == 0 => {
                        self.conditionals.open.pop();
                        break;
                    }
                    "fi" => depth -= 1,
                    "else" if depth == 0 && to_else => break,
                    "newif" => {
                        self.input.next();
                    }
                    "iffalse" | "iftrue" => depth += 1,
                    _ if name.starts_with("if") && self.opens_conditional(name) => depth += 1,
                    _ => {}
                }
            }
            if token.literal() && !matches!(token.kind, Kind::Space | Kind::Paragraph) {
                shown = Some(shown.map_or(token.span, |shown| shown.join(token.span)));
            }
        }
        if self.state.muted {
            return;
        }
        if let Some(span) = shown {
            let text = self.input.slice(span).trim().to_owned();
            if text.chars().any(char::is_alphabetic) {
                self.builder.out.hidden.push(Hidden {
                    kind: HiddenKind::Disabled,
                    text,
                    span,
                });
            }
        }
    }

    /// Conditionals of packages that are not known end in `\fi` too, unless their branches stand in braces.
    fn opens_conditional(&mut self, name: &str) -> bool {
        test(name).is_some()
            || name
                .get(2..)
                .is_some_and(|switch| self.conditionals.switches.contains_key(switch))
            || (name != "iff" && !matches!(self.input.peek().kind, Kind::Open | Kind::Bracket))
    }
}
