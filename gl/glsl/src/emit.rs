//! Tokens to text, positions kept, so that the compiler's messages speak of the source's lines and columns.
//! It must not change a token.

use std::fmt::Write as _;

use crate::lex::{Kind, Token};

/// Tokens to text, each on its own line of the source and as near its column as it fits.
pub fn emit(tokens: &[Token]) -> String {
    let mut out = String::with_capacity(tokens.len() * 6);
    let (mut src, mut line, mut col) = (u32::MAX, 0u32, 1u32);
    for t in tokens {
        if t.src != src || t.line < line || t.line > line.saturating_add(16) {
            if !out.is_empty() {
                out.push('\n');
            }
            // From 3.30 on #line gives the number of the next line.
            let _ = writeln!(out, "#line {} {}", t.line, t.src);
            (src, line, col) = (t.src, t.line, 1);
        }
        while line < t.line {
            out.push('\n');
            line += 1;
            col = 1;
        }
        if col < t.col {
            for _ in col..t.col.min(col.saturating_add(200)) {
                out.push(' ');
            }
            col = t.col;
        } else if col > t.col
            || out.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
                && t.kind != Kind::Punct
        {
            // Moved or from a macro: it must not run into the token before.
            out.push(' ');
            col += 1;
        }
        out.push_str(&t.text);
        col += t.text.len() as u32;
    }
    out
}
