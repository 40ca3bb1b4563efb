//! Tokens of GLSL source, with the positions that logs need. It must not know any directive or keyword.

use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ident,
    Number,
    Punct,
    /// End of a logical line; only the preprocessor sees these.
    Newline,
    /// A character that no GLSL token starts with.
    Stray,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    pub text: Rc<str>,
    /// Source string number, line and column (from 1) as logs name them.
    pub src: u32,
    pub line: u32,
    pub col: u32,
    /// White space or a comment stands before it.
    pub space: bool,
    /// A macro name that must not be expanded again.
    pub painted: bool,
}

impl Token {
    pub fn is(&self, text: &str) -> bool {
        &*self.text == text
    }

    pub fn ident(&self) -> Option<&str> {
        (self.kind == Kind::Ident).then_some(&*self.text)
    }

    /// A token made by us, at the position of `at`.
    pub fn made(kind: Kind, text: &str, at: &Token) -> Self {
        Self {
            kind,
            text: text.into(),
            painted: false,
            ..at.clone()
        }
    }
}

/// Longest first.
const PUNCTUATION: [&str; 24] = [
    "<<=", ">>=", "##", "++", "--", "<=", ">=", "==", "!=", "&&", "||", "^^", "<<", ">>", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "//",
];

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
    col: u32,
}

impl Cursor<'_> {
    /// Skips line continuations (a backslash right before a line end).
    fn splice(&mut self) {
        while self.bytes.get(self.at) == Some(&b'\\') {
            let skip = match (self.bytes.get(self.at + 1), self.bytes.get(self.at + 2)) {
                (Some(b'\r'), Some(b'\n')) => 3,
                (Some(b'\n' | b'\r'), _) => 2,
                _ => return,
            };
            self.at += skip;
            self.line += 1;
            self.col = 1;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.splice();
        self.bytes.get(self.at).copied()
    }

    fn bump(&mut self) -> Option<u8> {
        let b = self.peek()?;
        self.at += 1;
        self.col += 1;
        Some(b)
    }

    /// Whether `text` follows; spliced text inside a token is found byte by byte elsewhere.
    fn looking_at(&self, text: &str) -> bool {
        self.bytes[self.at..].starts_with(text.as_bytes())
    }
}

/// Splits `source` into tokens; comments become white space, each logical line ends in a [`Kind::Newline`].
pub fn lex(source: &str) -> Vec<Token> {
    let mut c = Cursor {
        bytes: source.as_bytes(),
        at: 0,
        line: 1,
        col: 1,
    };
    let mut out = Vec::with_capacity(source.len() / 4);
    let mut space = false;
    while let Some(b) = c.peek() {
        let (line, col) = (c.line, c.col);
        let mut push = |kind, text: &str| {
            out.push(Token {
                kind,
                text: text.into(),
                src: 0,
                line,
                col,
                space,
                painted: false,
            });
        };
        match b {
            b'\n' | b'\r' => {
                c.bump();
                if b == b'\r' && c.bytes.get(c.at) == Some(&b'\n') {
                    c.at += 1;
                }
                push(Kind::Newline, "\n");
                c.line += 1;
                c.col = 1;
                space = false;
                continue;
            }
            b' ' | b'\t' | 0x0b | 0x0c => {
                c.bump();
                space = true;
                continue;
            }
            b'/' if c.looking_at("//") => {
                while !matches!(c.peek(), None | Some(b'\n' | b'\r')) {
                    c.bump();
                }
                space = true;
                continue;
            }
            b'/' if c.looking_at("/*") => {
                c.at += 2;
                c.col += 2;
                while let Some(b) = c.peek() {
                    if c.looking_at("*/") {
                        c.at += 2;
                        c.col += 2;
                        break;
                    }
                    c.bump();
                    if b == b'\n' {
                        c.line += 1;
                        c.col = 1;
                    }
                }
                space = true;
                continue;
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let mut text = String::new();
                while let Some(b @ (b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9')) = c.peek() {
                    text.push(b as char);
                    c.bump();
                }
                push(Kind::Ident, &text);
            }
            b'0'..=b'9' => push(Kind::Number, &number(&mut c)),
            b'.' if matches!(c.bytes.get(c.at + 1), Some(b'0'..=b'9')) => {
                push(Kind::Number, &number(&mut c))
            }
            0x21..=0x7e => {
                let long = PUNCTUATION.iter().find(|p| c.looking_at(p));
                if let Some(p) = long {
                    c.at += p.len();
                    c.col += p.len() as u32;
                    push(Kind::Punct, p);
                } else {
                    c.bump();
                    let kind = if b"\"'`$@\\".contains(&b) {
                        Kind::Stray
                    } else {
                        Kind::Punct
                    };
                    push(kind, std::str::from_utf8(&[b]).expect("ASCII"));
                }
            }
            _ => {
                c.bump();
                push(Kind::Stray, "?");
            }
        }
        space = false;
    }
    let (line, col) = (c.line, c.col);
    out.push(Token {
        kind: Kind::Newline,
        text: "\n".into(),
        src: 0,
        line,
        col,
        space: false,
        painted: false,
    });
    out
}

/// A preprocessing number: digits, letters, dots, and signs after an exponent of a decimal number.
fn number(c: &mut Cursor) -> String {
    let mut text = String::new();
    while let Some(b) = c.peek() {
        let hex = text.starts_with("0x") || text.starts_with("0X");
        let sign =
            matches!(b, b'+' | b'-') && !hex && matches!(text.as_bytes().last(), Some(b'e' | b'E'));
        if !(b.is_ascii_alphanumeric() || b == b'.' || b == b'_' || sign) {
            break;
        }
        // `1.xx` is a swizzle of nothing: a second dot ends the number.
        if b == b'.' && text.contains('.') {
            break;
        }
        text.push(b as char);
        c.bump();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lex_splits_like_the_grammar() {
        let cases = [
            ("a+=b", "a|+=|b"),
            ("1.0e-3f*x", "1.0e-3f|*|x"),
            (".5", ".5"),
            ("0x1Fu-1", "0x1Fu|-|1"),
            ("v.xy", "v|.|xy"),
            ("a/*x\ny*/b//c\nd", "a|b|\n|d"),
            ("#define A \\\n 1", "#|define|A|1"),
            ("a<<=1", "a|<<=|1"),
            ("ab\\\ncd", "abcd"),
        ];
        for (source, expected) in cases {
            let mut tokens: Vec<String> = lex(source).iter().map(|t| t.text.to_string()).collect();
            assert_eq!(tokens.pop().as_deref(), Some("\n"));
            assert_eq!(tokens.join("|"), expected, "{source}");
        }
    }

    #[test]
    fn lex_counts_lines_through_comments_and_continuations() {
        let tokens = lex("a\n/* \n */ b \\\n c\nd");
        let at: Vec<_> = tokens
            .iter()
            .filter(|t| t.kind == Kind::Ident)
            .map(|t| (t.text.to_string(), t.line, t.col))
            .collect();
        assert_eq!(
            at,
            [
                ("a".into(), 1, 1),
                ("b".into(), 3, 5),
                ("c".into(), 4, 2),
                ("d".into(), 5, 1)
            ]
        );
    }
}
