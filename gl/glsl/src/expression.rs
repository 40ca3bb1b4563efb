//! Constant integer expressions of literals: `#if`, layout identifiers, array sizes.
//! It must not know names: macros are expanded before.

use crate::lex::{Kind, Token};

/// Nested operators; each level is a stack frame.
const MAX_DEPTH: u32 = 128;

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
