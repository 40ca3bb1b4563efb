//! Macros of the preprocessor: `#define`, expansion, `##` (GLSL 4.60 §3.3).
//! It must not read a directive other than the definition it is handed.

use std::rc::Rc;

use crate::lex::{Kind, Token};
use crate::preprocess::Preprocessor;

/// More tokens than this are an attack or a generator gone wild.
const MAX_TOKENS: usize = 2_000_000;
/// Nested macro arguments; each level is a stack frame.
const MAX_DEPTH: u32 = 128;

#[derive(Debug)]
pub struct Macro {
    params: Option<Vec<Rc<str>>>,
    body: Vec<Token>,
}

impl Macro {
    /// One that stands for a single token.
    pub fn token(body: Token) -> Self {
        Self {
            params: None,
            body: vec![body],
        }
    }
}

impl Preprocessor<'_> {
    pub fn define(&mut self, at: &Token, rest: &[Token]) {
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

    /// Expands every macro in `input` and appends the result to `out`.
    pub fn expand(&mut self, input: Vec<Token>, out: &mut Vec<Token>, depth: u32) {
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
