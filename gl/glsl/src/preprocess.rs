//! The preprocessor: source strings to tokens without directives or macros (GLSL 4.60 §3.3).
//! It must not rewrite anything: what a shader says after expansion is what comes out.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::CompileOptions;
use crate::extensions::{self, EXTENSIONS, Extension};
use crate::lex::{Kind, Token, lex};
use crate::log::Log;

/// What the directives said, and the tokens that remain.
#[derive(Debug, Default)]
pub struct Preprocessed {
    pub tokens: Vec<Token>,
    /// `#version` number; 110 without one.
    pub version: u32,
    pub compatibility: bool,
    /// Extensions switched on and not off again.
    pub extensions: Vec<&'static Extension>,
}

impl std::fmt::Debug for Extension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// More tokens than this are an attack or a generator gone wild.
const MAX_TOKENS: usize = 2_000_000;
/// Nested macro arguments; each level is a stack frame.
const MAX_DEPTH: u32 = 128;
const VERSIONS: [u32; 12] = [110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450];

#[derive(Debug)]
struct Macro {
    params: Option<Vec<Rc<str>>>,
    body: Vec<Token>,
}

struct Conditional {
    /// A branch of this conditional was taken already.
    taken: bool,
    /// The current branch is live.
    live: bool,
    seen_else: bool,
    at: Token,
}

struct Preprocessor<'a> {
    options: &'a CompileOptions,
    log: &'a mut Log,
    macros: FxHashMap<Rc<str>, Rc<Macro>>,
    out: Preprocessed,
    conditionals: Vec<Conditional>,
    version_seen: bool,
    /// `#line` state: added to physical lines, and the string number.
    line_delta: i64,
    src: u32,
    overflow: bool,
}

/// Runs all directives and expands all macros of `source`.
pub fn preprocess(source: &str, options: &CompileOptions, log: &mut Log) -> Preprocessed {
    let tokens = lex(source);
    let mut p = Preprocessor {
        options,
        log,
        macros: FxHashMap::default(),
        out: Preprocessed {
            version: 110,
            ..Preprocessed::default()
        },
        conditionals: Vec::new(),
        version_seen: false,
        line_delta: 0,
        src: 0,
        overflow: false,
    };
    p.run(&tokens);
    p.out
}

impl Preprocessor<'_> {
    fn run(&mut self, tokens: &[Token]) {
        self.predefine();
        let mut i = 0;
        let mut anything = false;
        while i < tokens.len() && !self.overflow {
            let t = &tokens[i];
            if t.kind == Kind::Newline {
                i += 1;
            } else if t.is("#") {
                let end = line_end(tokens, i);
                let line: Vec<Token> = tokens[i + 1..end].iter().map(|t| self.place(t)).collect();
                self.directive(&self.place(t), &line, anything);
                anything = true;
                i = end;
            } else {
                // A run of text lines, up to the next directive: a macro call may span lines.
                let mut end = line_end(tokens, i);
                while end < tokens.len()
                    && !(tokens[end].kind == Kind::Newline
                        && tokens.get(end + 1).is_some_and(|t| t.is("#")))
                {
                    end = if tokens[end].kind == Kind::Newline {
                        end + 1
                    } else {
                        line_end(tokens, end)
                    };
                }
                if self.live() {
                    let text: Vec<Token> = tokens[i..end]
                        .iter()
                        .filter(|t| t.kind != Kind::Newline)
                        .map(|t| self.place(t))
                        .collect();
                    let mut out = std::mem::take(&mut self.out.tokens);
                    self.expand(text, &mut out, 0);
                    self.out.tokens = out;
                }
                anything = true;
                i = end;
            }
        }
        if let Some(open) = self.conditionals.last() {
            let at = open.at.clone();
            self.log.error(&at, "unterminated #if");
        }
    }

    /// A token at its position as `#line` has it.
    fn place(&self, t: &Token) -> Token {
        Token {
            line: (i64::from(t.line) + self.line_delta).max(0) as u32,
            src: self.src,
            ..t.clone()
        }
    }

    fn live(&self) -> bool {
        self.conditionals.last().is_none_or(|c| c.live)
    }

    fn predefine(&mut self) {
        self.define_number("__VERSION__", 110);
        self.define_number(
            if self.options.core_profile {
                "GL_core_profile"
            } else {
                "GL_compatibility_profile"
            },
            1,
        );
        for e in EXTENSIONS
            .iter()
            .filter(|e| extensions::find(e.name, self.options.max_version).is_some())
        {
            self.define_number(e.name, 1);
        }
    }

    fn define_number(&mut self, name: &str, value: u32) {
        let body = vec![Token {
            kind: Kind::Number,
            text: value.to_string().into(),
            src: 0,
            line: 0,
            col: 0,
            space: true,
            painted: false,
        }];
        self.macros
            .insert(name.into(), Rc::new(Macro { params: None, body }));
    }

    fn directive(&mut self, hash: &Token, line: &[Token], anything_before: bool) {
        let Some(name) = line.first() else {
            return; // GLSL 4.60 §3.3: "a # on a line by itself is ignored".
        };
        let rest = &line[1..];
        match &*name.text {
            "if" | "ifdef" | "ifndef" => {
                let parent = self.live();
                let taken = parent
                    && match &*name.text {
                        "if" => self.condition(name, rest),
                        other => self.defined_operand(name, rest) == (other == "ifdef"),
                    };
                self.conditionals.push(Conditional {
                    taken: taken || !parent,
                    live: taken,
                    seen_else: false,
                    at: hash.clone(),
                });
            }
            "elif" => {
                let Some(c) = self.conditionals.last() else {
                    return self.log.error(name, "#elif without #if");
                };
                if c.seen_else {
                    return self.log.error(name, "#elif after #else");
                }
                let live = !c.taken && {
                    // The parent is live, or `taken` would be set.
                    self.condition(name, rest)
                };
                let c = self.conditionals.last_mut().expect("looked at above");
                c.live = live;
                c.taken |= live;
            }
            "else" => match self.conditionals.last_mut() {
                None => self.log.error(name, "#else without #if"),
                Some(c) if c.seen_else => self.log.error(name, "multiple #else"),
                Some(c) => {
                    c.live = !c.taken;
                    c.taken = true;
                    c.seen_else = true;
                }
            },
            "endif" => {
                if self.conditionals.pop().is_none() {
                    self.log.error(name, "#endif without #if");
                }
            }
            _ if !self.live() => {}
            "define" => self.define(name, rest),
            "undef" => match rest.first().and_then(|t| t.ident()) {
                Some(m)
                    if m.starts_with("GL_")
                        || m.starts_with("__") && self.macros.contains_key(m) =>
                {
                    self.log
                        .error(name, &format!("built-in macro `{m}' cannot be undefined"));
                }
                Some(m) => {
                    self.macros.remove(m);
                }
                None => self.log.error(name, "#undef without a macro name"),
            },
            "error" => {
                let text = rest.iter().map(|t| &*t.text).collect::<Vec<_>>().join(" ");
                self.log.error(hash, &format!("#error {text}"));
            }
            "pragma" => {}
            "extension" => self.extension(name, rest),
            "version" => self.version(hash, rest, anything_before),
            "line" => self.line(name, rest, hash),
            other => self.log.error(name, &format!("unknown directive #{other}")),
        }
    }

    fn version(&mut self, hash: &Token, rest: &[Token], anything_before: bool) {
        if anything_before || self.version_seen {
            self.log.error(hash, "#version must appear on the first line, before anything but comments and white space");
            return;
        }
        self.version_seen = true;
        let number = rest.first().and_then(|t| t.text.parse::<u32>().ok());
        let profile = rest.get(1).map(|t| &*t.text);
        let Some(number) = number else {
            return self.log.error(hash, "#version without a number");
        };
        if profile == Some("es") || number == 100 {
            let text = format!(
                "GLSL ES {}.{:02} is not supported",
                number / 100,
                number % 100
            );
            return self.log.error(hash, &text);
        }
        let known = VERSIONS.contains(&number) || number == 460;
        if !known || number > self.options.max_version.max(110) {
            let supported: Vec<String> = VERSIONS
                .iter()
                .chain(&[460])
                .filter(|v| **v <= self.options.max_version)
                .map(|v| format!("{}.{:02}", v / 100, v % 100))
                .collect();
            let text = format!(
                "GLSL {}.{:02} is not supported. Supported versions are: {}",
                number / 100,
                number % 100,
                supported.join(", ")
            );
            return self.log.error(hash, &text);
        }
        match profile {
            None | Some("core") => {}
            // GLSL 1.50 §3.3: profiles exist from 1.50.
            Some("compatibility") if number >= 150 => self.out.compatibility = true,
            Some(other) => {
                let text = format!(
                    "`{other}' is not a profile of GLSL {}.{:02}",
                    number / 100,
                    number % 100
                );
                return self.log.error(hash, &text);
            }
        }
        if self.out.compatibility {
            self.macros.remove("GL_core_profile");
            self.define_number("GL_compatibility_profile", 1);
        }
        self.out.version = number;
        self.define_number("__VERSION__", number);
    }

    fn extension(&mut self, at: &Token, rest: &[Token]) {
        let (Some(name), Some(behaviour)) = (
            rest.first().and_then(|t| t.ident()),
            rest.get(1)
                .filter(|t| t.is(":"))
                .and_then(|_| rest.get(2))
                .and_then(|t| t.ident()),
        ) else {
            return self.log.error(at, "#extension needs `name : behavior'");
        };
        let on = match behaviour {
            "require" | "enable" | "warn" => true,
            "disable" => false,
            other => {
                return self
                    .log
                    .error(at, &format!("unknown extension behavior `{other}'"));
            }
        };
        if name == "all" {
            if matches!(behaviour, "require" | "enable") {
                self.log
                    .error(at, &format!("cannot {behaviour} all extensions"));
            }
            return;
        }
        match extensions::find(name, self.options.max_version) {
            Some(e) => {
                self.out.extensions.retain(|x| x.name != e.name);
                if on {
                    self.out.extensions.push(e);
                }
            }
            None if behaviour == "require" => self
                .log
                .error(at, &format!("extension `{name}' unsupported")),
            None if on => self
                .log
                .warning(at, &format!("extension `{name}' unsupported")),
            None => {}
        }
    }

    fn line(&mut self, at: &Token, rest: &[Token], hash: &Token) {
        let mut numbers = Vec::new();
        self.expand(rest.to_vec(), &mut numbers, 0);
        let parse = |t: &Token| {
            t.text
                .parse::<u32>()
                .ok()
                .filter(|_| t.kind == Kind::Number)
        };
        let Some(line) = numbers.first().and_then(parse) else {
            return self.log.error(at, "#line needs an integer");
        };
        // GLSL 3.30 §3.3: from 3.30 on the number is that of the next line; before, of the directive itself.
        let next = if self.out.version >= 330 {
            line
        } else {
            line.wrapping_add(1)
        };
        let physical = i64::from(hash.line) - self.line_delta;
        self.line_delta = i64::from(next) - (physical + 1);
        if let Some(src) = numbers.get(1).and_then(parse) {
            self.src = src;
        }
    }

    fn define(&mut self, at: &Token, rest: &[Token]) {
        let Some(name) = rest.first().filter(|t| t.kind == Kind::Ident) else {
            return self.log.error(at, "#define without a macro name");
        };
        // GLSL 4.60 §3.3: names with the prefix GL_ are reserved, "defined" is an operator.
        if name.text.starts_with("GL_")
            || name.is("defined")
            || matches!(&*name.text, "__LINE__" | "__FILE__" | "__VERSION__")
        {
            return self
                .log
                .error(name, &format!("macro name `{}' is reserved", name.text));
        }
        let mut body_at = 1;
        let mut params = None;
        if rest.get(1).is_some_and(|t| t.is("(") && !t.space) {
            let mut list: Vec<Rc<str>> = Vec::new();
            let mut i = 2;
            loop {
                match rest.get(i) {
                    Some(t) if t.is(")") && (list.is_empty() || i > 2) => break,
                    Some(t) if t.kind == Kind::Ident => {
                        if list.contains(&t.text) {
                            return self
                                .log
                                .error(t, &format!("duplicate macro parameter `{}'", t.text));
                        }
                        list.push(t.text.clone());
                        i += 1;
                        match rest.get(i) {
                            Some(t) if t.is(",") => i += 1,
                            Some(t) if t.is(")") => break,
                            _ => return self.log.error(name, "malformed macro parameter list"),
                        }
                    }
                    _ => return self.log.error(name, "malformed macro parameter list"),
                }
            }
            params = Some(list);
            body_at = i + 1;
        }
        let body = rest[body_at..].to_vec();
        if body.first().is_some_and(|t| t.is("##")) || body.last().is_some_and(|t| t.is("##")) {
            return self.log.error(name, "`##' at an end of a macro body");
        }
        if let Some(old) = self.macros.get(&name.text) {
            let same = old.params == params
                && old.body.len() == body.len()
                && old
                    .body
                    .iter()
                    .zip(&body)
                    .enumerate()
                    .all(|(i, (a, b))| a.text == b.text && (i == 0 || a.space == b.space));
            if !same {
                return self
                    .log
                    .error(name, &format!("macro `{}' redefined", name.text));
            }
        }
        self.macros
            .insert(name.text.clone(), Rc::new(Macro { params, body }));
    }

    fn defined_operand(&mut self, at: &Token, rest: &[Token]) -> bool {
        match rest.first() {
            Some(t) if t.kind == Kind::Ident => self.is_defined(&t.text),
            _ => {
                self.log
                    .error(at, &format!("#{} without a macro name", at.text));
                false
            }
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || matches!(name, "__LINE__" | "__FILE__")
    }

    /// The value of an `#if` expression.
    fn condition(&mut self, at: &Token, rest: &[Token]) -> bool {
        // `defined` looks at names before they are expanded.
        let mut resolved = Vec::new();
        let mut i = 0;
        while i < rest.len() {
            if rest[i].is("defined") {
                let paren = rest.get(i + 1).is_some_and(|t| t.is("("));
                let operand = rest.get(i + 1 + usize::from(paren)).and_then(|t| t.ident());
                let closed = !paren || rest.get(i + 3).is_some_and(|t| t.is(")"));
                let (Some(operand), true) = (operand, closed) else {
                    self.log.error(at, "malformed `defined'");
                    return false;
                };
                let value = if self.is_defined(operand) { "1" } else { "0" };
                resolved.push(Token::made(Kind::Number, value, &rest[i]));
                i += if paren { 4 } else { 2 };
            } else {
                resolved.push(rest[i].clone());
                i += 1;
            }
        }
        let mut tokens = Vec::new();
        self.expand(resolved, &mut tokens, 0);
        match (Expression {
            tokens: &tokens,
            at: 0,
            depth: 0,
        })
        .whole()
        {
            Ok(value) => value != 0,
            Err(why) => {
                self.log.error(at, &format!("#{}: {why}", at.text));
                false
            }
        }
    }

    /// Expands every macro in `input` and appends the result to `out`.
    fn expand(&mut self, input: Vec<Token>, out: &mut Vec<Token>, depth: u32) {
        enum Work {
            Token(Token),
            /// The expansion of this macro ends here.
            End(Rc<str>),
        }
        let mut stack: Vec<Work> = input.into_iter().rev().map(Work::Token).collect();
        let mut active: Vec<Rc<str>> = Vec::new();
        while let Some(work) = stack.pop() {
            if out.len() > MAX_TOKENS || stack.len() > MAX_TOKENS || depth > MAX_DEPTH {
                if !self.overflow {
                    self.overflow = true;
                    if let Work::Token(t) = &work {
                        self.log.error(t, "macro expansion is too large");
                    }
                    self.log.add(
                        crate::log::Severity::Error,
                        0,
                        0,
                        0,
                        "the shader is too large",
                    );
                }
                return;
            }
            let mut t = match work {
                Work::Token(t) => t,
                Work::End(name) => {
                    active.retain(|n| *n != name);
                    continue;
                }
            };
            if t.kind != Kind::Ident || t.painted {
                out.push(t);
                continue;
            }
            match &*t.text {
                "__LINE__" => {
                    out.push(Token::made(Kind::Number, &t.line.to_string(), &t));
                    continue;
                }
                "__FILE__" => {
                    out.push(Token::made(Kind::Number, &t.src.to_string(), &t));
                    continue;
                }
                _ => {}
            }
            let Some(m) = self.macros.get(&t.text).cloned() else {
                out.push(t);
                continue;
            };
            if active.contains(&t.text) {
                t.painted = true;
                out.push(t);
                continue;
            }
            let mut body = Vec::with_capacity(m.body.len());
            if let Some(params) = &m.params {
                // Not a call without its parenthesis.
                let ends = stack
                    .iter()
                    .rev()
                    .take_while(|w| matches!(w, Work::End(_)))
                    .count();
                let next = stack.len().checked_sub(ends + 1).map(|i| &stack[i]);
                if !matches!(next, Some(Work::Token(p)) if p.is("(")) {
                    out.push(t);
                    continue;
                }
                let mut args: Vec<Vec<Token>> = vec![Vec::new()];
                let mut level = 0;
                let mut closed = false;
                while let Some(work) = stack.pop() {
                    let a = match work {
                        Work::Token(a) => a,
                        Work::End(name) => {
                            active.retain(|n| *n != name);
                            continue;
                        }
                    };
                    match &*a.text {
                        "(" => {
                            level += 1;
                            if level == 1 {
                                continue;
                            }
                        }
                        ")" => {
                            level -= 1;
                            if level == 0 {
                                closed = true;
                                break;
                            }
                        }
                        "," if level == 1 => {
                            args.push(Vec::new());
                            continue;
                        }
                        _ => {}
                    }
                    args.last_mut().expect("never empty").push(a);
                }
                if !closed {
                    self.log
                        .error(&t, &format!("unterminated call of macro `{}'", t.text));
                    return;
                }
                if params.is_empty() && args.len() == 1 && args[0].is_empty() {
                    args.clear();
                }
                if args.len() != params.len() {
                    let text = format!(
                        "macro `{}' takes {} arguments, {} given",
                        t.text,
                        params.len(),
                        args.len()
                    );
                    self.log.error(&t, &text);
                    continue;
                }
                for (i, b) in m.body.iter().enumerate() {
                    let pasted = i > 0 && m.body[i - 1].is("##")
                        || m.body.get(i + 1).is_some_and(|n| n.is("##"));
                    match params
                        .iter()
                        .position(|p| b.kind == Kind::Ident && *p == b.text)
                    {
                        Some(p) if pasted => {
                            if args[p].is_empty() {
                                body.push(Token::made(Kind::Punct, "", b));
                            }
                            body.extend(args[p].iter().cloned());
                        }
                        Some(p) => {
                            let first = body.len();
                            self.expand(args[p].clone(), &mut body, depth + 1);
                            if self.overflow {
                                return;
                            }
                            if let Some(first) = body.get_mut(first) {
                                first.space = b.space;
                            }
                        }
                        None => body.push(b.clone()),
                    }
                }
            } else {
                body.extend(m.body.iter().cloned());
            }
            let body = paste(body);
            stack.push(Work::End(t.text.clone()));
            active.push(t.text.clone());
            for b in body.into_iter().rev() {
                stack.push(Work::Token(Token {
                    line: t.line,
                    src: t.src,
                    col: t.col,
                    ..b
                }));
            }
        }
    }
}

/// Carries out `##`.
fn paste(body: Vec<Token>) -> Vec<Token> {
    if !body.iter().any(|t| t.is("##") || t.text.is_empty()) {
        return body;
    }
    let mut out: Vec<Token> = Vec::with_capacity(body.len());
    let mut tokens = body.into_iter();
    while let Some(t) = tokens.next() {
        if t.is("##")
            && let (Some(left), Some(right)) = (out.pop(), tokens.next())
        {
            let text = format!("{}{}", left.text, right.text);
            let kind = if left.text.is_empty() {
                right.kind
            } else {
                left.kind
            };
            out.push(Token::made(kind, &text, &left));
        } else {
            out.push(t);
        }
    }
    out.retain(|t| !t.text.is_empty());
    out
}

fn line_end(tokens: &[Token], from: usize) -> usize {
    tokens[from..]
        .iter()
        .position(|t| t.kind == Kind::Newline)
        .map_or(tokens.len(), |n| from + n)
}

/// An integer expression of the preprocessor, by precedence climbing.
pub struct Expression<'a> {
    pub tokens: &'a [Token],
    pub at: usize,
    pub depth: u32,
}

impl Expression<'_> {
    pub fn whole(mut self) -> Result<i64, String> {
        let value = self.binary(0)?;
        match self.tokens.get(self.at) {
            None => Ok(value),
            Some(t) => Err(format!("unexpected `{}'", t.text)),
        }
    }

    fn precedence(text: &str) -> Option<u32> {
        Some(match text {
            "||" => 1,
            "^^" => 2,
            "&&" => 3,
            "|" => 4,
            "^" => 5,
            "&" => 6,
            "==" | "!=" => 7,
            "<" | ">" | "<=" | ">=" => 8,
            "<<" | ">>" => 9,
            "+" | "-" => 10,
            "*" | "/" | "%" => 11,
            _ => return None,
        })
    }

    fn binary(&mut self, least: u32) -> Result<i64, String> {
        let mut left = self.unary()?;
        while let Some(op) = self.tokens.get(self.at).map(|t| t.text.clone()) {
            let Some(precedence) = Self::precedence(&op).filter(|p| *p > least) else {
                break;
            };
            self.at += 1;
            let right = self.binary(precedence)?;
            left = match &*op {
                "||" => i64::from(left != 0 || right != 0),
                "^^" => i64::from((left != 0) != (right != 0)),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<<" => left.checked_shl(right as u32).unwrap_or(0),
                ">>" => left.checked_shr(right as u32).unwrap_or(0),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                "/" => left.checked_div(right).ok_or("division by zero")?,
                "%" => left.checked_rem(right).ok_or("division by zero")?,
                other => return Err(format!("unexpected `{other}'")),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("expression is too deep".into());
        }
        let t = self.tokens.get(self.at).ok_or("expression expected")?;
        self.at += 1;
        let value = match &*t.text {
            "-" => self.unary()?.wrapping_neg(),
            "+" => self.unary()?,
            "!" => i64::from(self.unary()? == 0),
            "~" => !self.unary()?,
            "(" => {
                let value = self.binary(0)?;
                if !self.tokens.get(self.at).is_some_and(|t| t.is(")")) {
                    return Err("`)' expected".into());
                }
                self.at += 1;
                value
            }
            text => match t.kind {
                Kind::Number => {
                    integer(text).ok_or_else(|| format!("`{text}' is not an integer"))?
                }
                // Desktop drivers read names that are no macros as 0.
                Kind::Ident => 0,
                _ => return Err(format!("unexpected `{text}'")),
            },
        };
        self.depth -= 1;
        Ok(value)
    }
}

/// A decimal, octal or hexadecimal integer literal.
pub fn integer(text: &str) -> Option<i64> {
    let text = text.trim_end_matches(['u', 'U']);
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        i64::from_str_radix(hex, 16).ok()
    } else if text.len() > 1 && text.starts_with('0') {
        i64::from_str_radix(&text[1..], 8).ok()
    } else {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(source: &str) -> (String, String) {
        let mut log = Log::default();
        let p = preprocess(source, &CompileOptions::default(), &mut log);
        (
            p.tokens
                .iter()
                .map(|t| &*t.text)
                .collect::<Vec<_>>()
                .join(" "),
            log.into_text(),
        )
    }

    #[test]
    fn preprocess_expands_macros_as_the_language_says() {
        let cases = [
            ("#define A 1\nA B", "1 B"),
            (
                "#define F(x, y) (x + y)\nF(a, (b, c)) F",
                "( a + ( b , c ) ) F",
            ),
            ("#define F(x) x\nF\n(\n1\n)", "1"),
            ("#define A B\n#define B A\nA", "A"),
            ("#define f(x) x f\nf(1)(2)", "1 f ( 2 )"),
            ("#define CAT(a, b) a ## b\nCAT(te, xt) CAT(, q)", "text q"),
            (
                "#if 1 + 2 * 3 == 7 && defined(GL_ES) == 0\nyes\n#else\nno\n#endif",
                "yes",
            ),
            ("#ifdef X\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b"),
            (
                "#ifndef X\n#if 0\na\n#else\nb\n#endif\n#else\n#if 1\nc\n#endif\n#endif",
                "b",
            ),
            ("#version 330\n__VERSION__ __LINE__", "330 2"),
            ("__VERSION__", "110"),
            ("#if UNKNOWN\na\n#endif\nb", "b"),
            ("#define EMPTY\nEMPTY x EMPTY", "x"),
            ("#", ""),
            ("#if 0\n#nonsense\n#endif\nok", "ok"),
        ];
        for (source, expected) in cases {
            assert_eq!(
                run(source),
                (expected.to_string(), String::new()),
                "{source}"
            );
        }
    }

    #[test]
    fn preprocess_reports_at_the_sources_own_line() {
        let cases = [
            ("\n#error no luck", "0:2(1): error: #error no luck\n"),
            (
                "a\n#version 330",
                "0:2(1): error: #version must appear on the first line, before anything but comments and white space\n",
            ),
            ("#if 1\n", "0:1(1): error: unterminated #if\n"),
            (
                "#version 300 es",
                "0:1(1): error: GLSL ES 3.00 is not supported\n",
            ),
            (
                "#extension GL_NV_magic : require",
                "0:1(2): error: extension `GL_NV_magic' unsupported\n",
            ),
            (
                "#define A 1\n#define A 2",
                "0:2(9): error: macro `A' redefined\n",
            ),
            (
                "#version 330\n#line 10 3\n#error x",
                "3:10(1): error: #error x\n",
            ),
            (
                "#version 120\n#line 10\n#error x",
                "0:11(1): error: #error x\n",
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(run(source).1, expected, "{source}");
        }
    }

    #[test]
    fn preprocess_of_an_exploding_macro_ends_in_an_error() {
        let mut source = String::from("#define A0 x x x x x x x x\n");
        for i in 1..12 {
            source += &format!(
                "#define A{i} A{0} A{0} A{0} A{0} A{0} A{0} A{0} A{0}\n",
                i - 1
            );
        }
        source += "A11";
        assert!(run(&source).1.contains("too large"));
    }
}
