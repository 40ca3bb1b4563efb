//! Shader logs in the form that drivers print and programs parse: `0:12(5): error: text`. It must not word any message.

use std::fmt::Write as _;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Warning,
    Error,
}

/// Collects the messages of one compile.
#[derive(Debug, Default)]
pub struct Log {
    text: String,
    errors: u32,
}

/// Enough for a person; a hostile source can make one per character.
const MAX_MESSAGES: u32 = 100;

impl Log {
    pub fn add(&mut self, severity: Severity, src: u32, line: u32, col: u32, text: &str) {
        if severity == Severity::Error {
            self.errors += 1;
            if self.errors > MAX_MESSAGES {
                return;
            }
        }
        let word = match severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        writeln!(self.text, "{src}:{line}({col}): {word}: {text}")
            .expect("a String takes everything");
    }

    /// An error at a token.
    pub fn error(&mut self, at: &crate::lex::Token, text: &str) {
        self.add(Severity::Error, at.src, at.line, at.col, text);
    }

    pub fn warning(&mut self, at: &crate::lex::Token, text: &str) {
        self.add(Severity::Warning, at.src, at.line, at.col, text);
    }

    pub fn failed(&self) -> bool {
        self.errors > 0
    }

    pub fn into_text(self) -> String {
        self.text
    }
}
