//! Where tokens come from: a stack of files, macro bodies and arguments. Keeps the budget, so that no text makes reading
//! endless or deep. Knows no command.

use std::rc::Rc;

use super::super::model::{Comment, CommentKind};
use super::super::source::{FileId, Span};
use super::super::visible::Text;
use super::lexer::{Kind, Token, token};

/// Stacked macro bodies, arguments and files; more is a bomb.
const FRAMES: usize = 5_000;
/// Tokens of one argument.
const ARGUMENT: usize = 200_000;
/// Tokens of a name (a label, a key list, a path).
const NAME: usize = 4_000;
/// Tokens of all arguments together.
const COLLECTED: usize = 6_000_000;
/// Arguments without an end, after which the reader stops looking far for one.
const FAILURES: usize = 50;
/// How far it looks then.
const NEAR: usize = 32;

/// One source of tokens.
#[derive(Debug)]
enum Frame {
    File {
        file: FileId,
        pos: usize,
        end: usize,
        /// The place its tokens are shown at, for a package of the text; `None` for a part of the text.
        call: Option<Span>,
    },
    Tokens {
        tokens: Rc<[Token]>,
        next: usize,
        /// The call whose place the tokens take, and its arguments; `None` for tokens that keep their own place.
        call: Option<Call>,
    },
}

/// A call of a macro.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) span: Span,
    pub(super) arguments: Rc<[Rc<[Token]>]>,
}

/// The stack with what it needs to read.
#[derive(Debug)]
pub(super) struct Input {
    frames: Vec<Frame>,
    texts: Vec<Rc<str>>,
    /// Packages and classes beside the text: read for what they define, no part of the manuscript. Their ids count down
    /// from the greatest.
    packages: Vec<Rc<str>>,
    ahead: Option<Token>,
    /// `\makeatletter` is in force.
    pub(super) at_is_letter: bool,
    /// Comments met so far.
    pub(super) comments: Vec<Comment>,
    /// Up to where in each file comments have been kept, so that none is kept twice.
    commented: Vec<u32>,
    collected: usize,
    failures: usize,
    /// Expansions left.
    pub(super) expansions: usize,
}

impl Input {
    pub(super) fn new(expansions: usize) -> Self {
        Self {
            frames: Vec::new(),
            texts: Vec::new(),
            packages: Vec::new(),
            ahead: None,
            at_is_letter: false,
            comments: Vec::new(),
            commented: Vec::new(),
            collected: 0,
            failures: 0,
            expansions,
        }
    }

    /// Makes the text of a file known; files come in the order of their ids.
    pub(super) fn add_text(&mut self, text: &str) {
        self.texts.push(Rc::from(text));
        self.commented.push(0);
    }

    pub(super) fn open_file(&mut self, file: FileId) {
        self.put_back();
        let end = self.text_of(file).len();
        self.frames.push(Frame::File {
            file,
            pos: 0,
            end,
            call: None,
        });
    }

    /// Reads a package; its tokens are shown at the place of the call.
    pub(super) fn open_package(&mut self, text: &str, call: Span) {
        self.put_back();
        let file = FileId(u32::MAX - u32::try_from(self.packages.len()).unwrap_or(0));
        self.packages.push(Rc::from(text));
        self.frames.push(Frame::File {
            file,
            pos: 0,
            end: text.len(),
            call: Some(call),
        });
    }

    fn text_of(&self, file: FileId) -> &str {
        match self.texts.get(file.0 as usize) {
            Some(text) => text,
            None => self
                .packages
                .get((u32::MAX - file.0) as usize)
                .map_or("", |text| text),
        }
    }

    /// True when the file is being read, at any depth.
    pub(super) fn is_open(&self, wanted: FileId) -> bool {
        self.frames
            .iter()
            .any(|frame| matches!(frame, Frame::File { file, .. } if *file == wanted))
    }

    /// How many files are open.
    pub(super) fn files(&self) -> usize {
        self.frames
            .iter()
            .filter(|frame| matches!(frame, Frame::File { .. }))
            .count()
    }

    /// The file that is read now.
    pub(super) fn file(&self) -> Option<FileId> {
        self.frames.iter().rev().find_map(|frame| match frame {
            Frame::File {
                file, call: None, ..
            } => Some(*file),
            Frame::File { .. } | Frame::Tokens { .. } => None,
        })
    }

    /// Leaves the file that is read now at once.
    pub(super) fn close_file(&mut self) {
        self.ahead = None;
        while let Some(frame) = self.frames.pop() {
            if matches!(frame, Frame::File { .. }) {
                return;
            }
        }
    }

    /// Leaves everything.
    pub(super) fn close_all(&mut self) {
        self.ahead = None;
        self.frames.clear();
    }

    /// Puts tokens before what comes next. False when the stack is full; the tokens are then lost.
    pub(super) fn push(&mut self, tokens: Rc<[Token]>, call: Option<Call>) -> bool {
        self.put_back();
        while let Some(Frame::Tokens { tokens, next, .. }) = self.frames.last()
            && *next >= tokens.len()
        {
            self.frames.pop();
        }
        if self.frames.len() >= FRAMES {
            return false;
        }
        if !tokens.is_empty() {
            self.frames.push(Frame::Tokens {
                tokens,
                next: 0,
                call,
            });
        }
        true
    }

    /// Puts tokens back that were read too far.
    pub(super) fn unread(&mut self, tokens: Vec<Token>) {
        self.push(tokens.into(), None);
    }

    /// Returns the token that was looked at to its frame.
    fn put_back(&mut self) {
        let Some(token) = self.ahead.take() else {
            return;
        };
        if token.kind == Kind::End {
            return;
        }
        if let Some(Frame::File {
            file, pos, call, ..
        }) = self.frames.last_mut()
            && (token.literal() || call.is_some())
            && token.at.file == *file
            && token.at.start as usize <= *pos
        {
            *pos = token.at.start as usize;
        } else if self.frames.len() < FRAMES + 8 {
            self.frames.push(Frame::Tokens {
                tokens: Rc::new([token]),
                next: 0,
                call: None,
            });
        }
    }

    /// The next token, comments left out.
    pub(super) fn next(&mut self) -> Token {
        if let Some(token) = self.ahead.take() {
            return token;
        }
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return Token::synthetic(Kind::End, Span::new(FileId(0), 0, 0));
            };
            match frame {
                Frame::File {
                    file,
                    pos,
                    end,
                    call,
                } => {
                    if *pos >= *end {
                        // A file ends like a line: with white space.
                        let last = call.unwrap_or(Span::new(*file, *end, *end));
                        self.frames.pop();
                        if self.frames.is_empty() {
                            continue;
                        }
                        return Token::synthetic(Kind::Space, last);
                    }
                    let (file, call) = (*file, *call);
                    let text = match self.texts.get(file.0 as usize) {
                        Some(text) => text,
                        None => self
                            .packages
                            .get((u32::MAX - file.0) as usize)
                            .map_or("", |text| text),
                    };
                    let (token, next) = token(text, file, *pos, self.at_is_letter);
                    *pos = next;
                    match (token.kind, call) {
                        (Kind::Comment, None) => self.comment(token),
                        (Kind::Comment, Some(_)) => {}
                        (_, None) => return token,
                        (_, Some(span)) => return Token { span, ..token },
                    }
                }
                Frame::Tokens { tokens, next, call } => {
                    let Some(&token) = tokens.get(*next) else {
                        self.frames.pop();
                        continue;
                    };
                    *next += 1;
                    let Some(call) = call else {
                        return token;
                    };
                    if let Kind::Parameter(n) = token.kind {
                        let argument = call.arguments.get(usize::from(n) - 1).cloned();
                        if let Some(argument) = argument {
                            self.push(argument, None);
                        }
                        continue;
                    }
                    return Token {
                        span: call.span,
                        ..token
                    };
                }
            }
        }
    }

    /// The next token, left where it is.
    pub(super) fn peek(&mut self) -> Token {
        let token = self.next();
        self.ahead = Some(token);
        token
    }

    /// Takes the next token when it is of a kind, spaces before it passed over.
    pub(super) fn take_after_spaces(&mut self, kind: Kind) -> Option<Token> {
        let first = self.next();
        if first.kind == kind {
            return Some(first);
        }
        if first.kind == Kind::Space {
            let second = self.next();
            if second.kind == kind {
                return Some(second);
            }
            self.unread(vec![first, second]);
            return None;
        }
        self.ahead = Some(first);
        None
    }

    /// Takes the next token when it is of a kind.
    pub(super) fn take(&mut self, kind: Kind) -> Option<Token> {
        let token = self.next();
        if token.kind == kind {
            return Some(token);
        }
        self.ahead = Some(token);
        None
    }

    fn comment(&mut self, token: Token) {
        let file = token.at.file.0 as usize;
        let seen = self.commented.get(file).copied().unwrap_or(0);
        if token.at.start < seen {
            return;
        }
        if let Some(seen) = self.commented.get_mut(file) {
            *seen = token.at.end;
        }
        let text = self.text(token);
        let words = text.trim_start_matches('%').trim().to_owned();
        self.comments.push(Comment {
            kind: CommentKind::Percent,
            text: words,
            span: token.at,
        });
    }

    /// The whole text of a file.
    pub(super) fn source(&self, file: FileId) -> Rc<str> {
        self.texts
            .get(file.0 as usize)
            .or_else(|| self.packages.get((u32::MAX - file.0) as usize))
            .map_or_else(|| Rc::from(""), Rc::clone)
    }

    /// The characters of a token.
    pub(super) fn text(&self, token: Token) -> &str {
        self.slice(token.at)
    }

    /// The characters under a span.
    pub(super) fn slice(&self, span: Span) -> &str {
        self.text_of(span.file).get(span.range()).unwrap_or("")
    }

    /// The place in the file that is read now, when tokens come straight from it.
    pub(super) fn raw_place(&mut self) -> Option<(FileId, usize)> {
        self.put_back();
        while let Some(Frame::Tokens { tokens, next, .. }) = self.frames.last()
            && *next >= tokens.len()
        {
            self.frames.pop();
        }
        match self.frames.last() {
            Some(Frame::File {
                file,
                pos,
                call: None,
                ..
            }) => Some((*file, *pos)),
            _ => None,
        }
    }

    /// Goes on reading the current file at `to`.
    pub(super) fn set_place(&mut self, to: usize) {
        self.ahead = None;
        if let Some(Frame::File { pos, .. }) = self.frames.last_mut() {
            *pos = to;
        }
    }

    /// Reads to the end of the group that `open` opened. `None` when it has no end nearby; everything read is then put
    /// back.
    pub(super) fn group(
        &mut self,
        close: Kind,
        limit: usize,
        across_paragraphs: bool,
    ) -> Option<(Vec<Token>, Token)> {
        let mut tokens = Vec::new();
        let mut depth = 0_usize;
        let limit = if self.failures >= FAILURES || self.collected >= COLLECTED {
            limit.min(NEAR)
        } else {
            limit
        };
        while tokens.len() < limit {
            let token = self.next();
            match token.kind {
                Kind::End => break,
                Kind::Paragraph if !across_paragraphs => {
                    tokens.push(token);
                    break;
                }
                Kind::GroupEnd => {
                    tokens.push(token);
                    break;
                }
                kind if kind == close && depth == 0 => {
                    self.collected += tokens.len();
                    return Some((tokens, token));
                }
                Kind::Open => depth += 1,
                Kind::Close if depth == 0 => {
                    tokens.push(token);
                    break;
                }
                Kind::Close => depth -= 1,
                _ => {}
            }
            tokens.push(token);
        }
        self.failures += 1;
        self.collected += tokens.len();
        self.unread(tokens);
        None
    }

    /// Reads a short `{…}` or a single token when it is no longer than `limit`; everything stays otherwise.
    pub(super) fn short_argument(&mut self, limit: usize) -> Option<Vec<Token>> {
        let Some(open) = self.take(Kind::Open) else {
            return self.argument().map(|(tokens, _)| tokens);
        };
        let mut tokens = vec![open];
        let mut depth = 0_usize;
        while tokens.len() <= limit {
            let token = self.next();
            tokens.push(token);
            match token.kind {
                Kind::Close if depth == 0 => {
                    tokens.pop();
                    tokens.remove(0);
                    return Some(tokens);
                }
                Kind::Close => depth -= 1,
                Kind::Open => depth += 1,
                Kind::End | Kind::GroupEnd | Kind::Paragraph => break,
                _ => {}
            }
        }
        self.unread(tokens);
        None
    }

    /// A `{…}` argument or a single token, as TeX takes it. The second is the last token of it.
    pub(super) fn argument(&mut self) -> Option<(Vec<Token>, Token)> {
        if let Some(open) = self.take_after_spaces(Kind::Open) {
            let group = self.group(Kind::Close, ARGUMENT, true);
            if group.is_none() {
                self.unread(vec![open]);
            }
            return group;
        }
        self.take(Kind::Space);
        let token = self.next();
        match token.kind {
            Kind::Command | Kind::Star | Kind::Tie | Kind::Bracket | Kind::BracketEnd => {
                Some((vec![token], token))
            }
            Kind::Word => Some(self.first_character(token)),
            _ => {
                self.ahead = Some(token);
                None
            }
        }
    }

    /// Takes one character of a word and leaves the rest.
    fn first_character(&mut self, word: Token) -> (Vec<Token>, Token) {
        let length = self.text(word).chars().next().map_or(0, char::len_utf8);
        self.split(word, length)
    }

    /// Takes the first bytes of a word and leaves the rest.
    fn split(&mut self, word: Token, length: usize) -> (Vec<Token>, Token) {
        let length = u32::try_from(length).unwrap_or(0);
        if word.at.start + length >= word.at.end {
            return (vec![word], word);
        }
        let split = word.at.start + length;
        let part = |start, end, literal: bool| {
            let at = Span {
                start,
                end,
                ..word.at
            };
            let span = if literal { at } else { word.span };
            Token {
                kind: Kind::Word,
                at,
                span,
            }
        };
        let head = part(word.at.start, split, word.literal());
        let tail = part(split, word.at.end, word.literal());
        self.ahead = Some(tail);
        (vec![head], head)
    }

    /// Passes over a number or length as plain TeX writes it: `=0.3in`, `-1`, `2\\parindent`, `1em plus 2pt`.
    pub(super) fn length(&mut self) {
        for _ in 0..4 {
            self.take(Kind::Space);
            let token = self.next();
            let text = self.text(token);
            match token.kind {
                Kind::Word => {
                    let taken = length_end(text);
                    let number = text
                        .get(..taken)
                        .is_some_and(|t| t.contains(|c: char| c.is_ascii_digit()));
                    if taken == 0 {
                        self.ahead = Some(token);
                        return;
                    }
                    if taken < text.len() {
                        self.split(token, taken);
                        return;
                    }
                    if !number {
                        // `=` or a sign: the number is still to come.
                        continue;
                    }
                    if text.ends_with(|c: char| c.is_ascii_digit() || c == '.')
                        && self.register_comes()
                    {
                        self.next();
                    }
                }
                Kind::Command if is_register(text) => {}
                _ => {
                    self.ahead = Some(token);
                    return;
                }
            }
            if !self.stretch() {
                return;
            }
        }
    }

    fn register_comes(&mut self) -> bool {
        let next = self.peek();
        next.kind == Kind::Command && is_register(self.text(next))
    }

    /// Takes ` plus` or ` minus`, after which another length comes.
    fn stretch(&mut self) -> bool {
        let space = self.take(Kind::Space);
        let next = self.peek();
        if next.kind == Kind::Word && matches!(self.text(next), "plus" | "minus") {
            self.next();
            return true;
        }
        if let Some(space) = space {
            self.unread(vec![space]);
        }
        false
    }

    /// A `[…]` argument when there is one.
    pub(super) fn optional(&mut self) -> Option<Vec<Token>> {
        let open = self.take_after_spaces(Kind::Bracket)?;
        match self.group(Kind::BracketEnd, NAME, true) {
            Some((tokens, _)) => Some(tokens),
            None => {
                self.unread(vec![open]);
                None
            }
        }
    }

    /// A `{…}` argument that names something, without macros opened.
    pub(super) fn braced_name(&mut self) -> Option<(Vec<Token>, Span)> {
        let open = self.take_after_spaces(Kind::Open)?;
        match self.group(Kind::Close, NAME, false) {
            Some((tokens, close)) => Some((tokens, open.span.join(close.span))),
            None => {
                self.unread(vec![open]);
                None
            }
        }
    }

    /// The characters of tokens with their places.
    pub(super) fn words(&self, tokens: &[Token]) -> Text {
        let mut out = Text::default();
        for &token in tokens {
            let text = self.text(token);
            match token.kind {
                Kind::Open | Kind::Close | Kind::GroupEnd | Kind::Deferred(_) => {}
                Kind::Space | Kind::Paragraph => out.push_replaced(" ", token.span),
                _ if token.literal() => out.push_literal(text, token.span),
                _ => out.push_replaced(text, token.span),
            }
        }
        out
    }
}

/// Lengths that have a name.
fn is_register(command: &str) -> bool {
    [
        "skip",
        "width",
        "height",
        "indent",
        "sep",
        "size",
        "margin",
        "unitlength",
        "relax",
        "fill",
    ]
    .iter()
    .any(|end| command.ends_with(end))
}

/// The end of a sign, number and unit at the head of a word.
fn length_end(text: &str) -> usize {
    let number = text
        .bytes()
        .take_while(|b| b.is_ascii_digit() || matches!(b, b'=' | b'+' | b'-' | b'.'))
        .count();
    let rest = text.get(number..).unwrap_or("");
    let units = [
        "pt", "in", "cm", "mm", "em", "ex", "pc", "bp", "sp", "mu", "filll", "fill", "fil",
        "truein", "truecm",
    ];
    let digits = text
        .get(..number)
        .is_some_and(|t| t.contains(|c: char| c.is_ascii_digit()));
    let unit = units.iter().find(|unit| digits && rest.starts_with(**unit));
    number + unit.map_or(0, |unit| unit.len())
}
