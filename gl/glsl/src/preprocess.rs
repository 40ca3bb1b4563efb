//! The preprocessor: source strings to tokens without directives or macros (GLSL 4.60 §3.3).
//! It must not rewrite anything: what a shader says after expansion is what comes out.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::CompileOptions;
use crate::expression::Expression;
use crate::extensions::{self, EXTENSIONS, Extension};
use crate::lex::{Kind, Token, lex};
use crate::log::Log;
use crate::macros::Macro;

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

const VERSIONS: [u32; 12] = [110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450];

struct Conditional {
    /// A branch of this conditional was taken already.
    taken: bool,
    /// The current branch is live.
    live: bool,
    seen_else: bool,
    at: Token,
}

pub struct Preprocessor<'a> {
    options: &'a CompileOptions,
    pub log: &'a mut Log,
    pub macros: FxHashMap<Rc<str>, Rc<Macro>>,
    out: Preprocessed,
    conditionals: Vec<Conditional>,
    version_seen: bool,
    /// `#line` state: added to physical lines, and the string number.
    line_delta: i64,
    src: u32,
    pub overflow: bool,
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
        let body = Token {
            kind: Kind::Number,
            text: value.to_string().into(),
            src: 0,
            line: 0,
            col: 0,
            space: true,
            painted: false,
        };
        self.macros.insert(name.into(), Rc::new(Macro::token(body)));
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
}

fn line_end(tokens: &[Token], from: usize) -> usize {
    tokens[from..]
        .iter()
        .position(|t| t.kind == Kind::Newline)
        .map_or(tokens.len(), |n| from + n)
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
