//! Reads what `#[derive(Debug)]` prints as a tree, so that it can be printed shorter. It knows no type; text that it does not
//! understand stays as it is.

use std::fmt::Write as _;

/// A printed value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, a name, a string.
    Atom(String),
    /// `Name { field: value }`.
    Struct(Vec<(String, Value)>),
    /// `Name(value, value)`.
    Tuple(String, Vec<Value>),
    List(Vec<Value>),
}

impl Value {
    /// Reads a printed value.
    pub fn parse(text: &str) -> Value {
        let mut reader = Reader { rest: text };
        reader.value()
    }

    /// Whether it stands for nothing: zeros, null handles, `None`.
    fn is_zero(&self) -> bool {
        match self {
            Value::Atom(text) => matches!(text.as_str(), "0" | "0.0" | "false" | "None" | "\"\""),
            Value::Struct(fields) => fields.iter().all(|(_, value)| value.is_zero()),
            Value::Tuple(_, items) | Value::List(items) => items.iter().all(Value::is_zero),
        }
    }

    /// Takes out padding and these fields, at every depth but inside handles.
    pub fn leave_out(&mut self, names: &[&str]) {
        if self.handle().is_some() {
            return;
        }
        match self {
            Value::Atom(_) => {}
            Value::Struct(fields) => {
                fields.retain(|(name, _)| {
                    !name.starts_with("_pad") && !names.contains(&name.as_str())
                });
                for (_, value) in fields {
                    value.leave_out(names);
                }
            }
            Value::Tuple(_, items) | Value::List(items) => {
                for item in items {
                    item.leave_out(names);
                }
            }
        }
    }

    /// `slot.generation`, where it is a handle.
    fn handle(&self) -> Option<String> {
        match self {
            Value::Struct(fields) => match fields.as_slice() {
                [(slot, Value::Atom(at)), (generation, Value::Atom(of))]
                    if slot == "slot" && generation == "generation" =>
                {
                    Some(format!("{at}.{of}"))
                }
                _ => None,
            },
            Value::Tuple(_, items) => match items.as_slice() {
                [only] => only.handle(),
                _ => None,
            },
            Value::Atom(_) | Value::List(_) => None,
        }
    }

    /// Appends the value; zero fields are left out, equal neighbours of a list are counted.
    pub fn show(&self, out: &mut String) {
        if let Some(handle) = self.handle() {
            out.push_str(if self.is_zero() { "-" } else { &handle });
            return;
        }
        match self {
            Value::Atom(text) => out.push_str(text),
            Value::Struct(_) if self.is_zero() => out.push('-'),
            Value::Struct(_) => {
                let mut fields = String::new();
                self.show_fields(&mut fields);
                let _ = write!(out, "{{{}}}", fields.trim_start());
            }
            Value::Tuple(_, items) if items.len() == 1 => items[0].show(out),
            Value::Tuple(name, items) => {
                out.push_str(name);
                show_list(items, ['(', ')'], out);
            }
            Value::List(items) => show_list(items, ['[', ']'], out),
        }
    }

    /// Appends ` name=value` for each field that is not zero.
    pub fn show_fields(&self, out: &mut String) {
        match self {
            Value::Struct(fields) => {
                for (name, value) in fields.iter().filter(|(_, value)| !value.is_zero()) {
                    let _ = write!(out, " {name}=");
                    value.show(out);
                }
            }
            Value::Atom(_) | Value::Tuple(..) | Value::List(_) => {
                out.push(' ');
                self.show(out);
            }
        }
    }

    /// Appends ` path=value` for each field that differs from `base`, which has the same shape.
    pub fn show_differences(&self, base: &Value, out: &mut String) {
        self.differences(base, "", out);
    }

    fn differences(&self, base: &Value, path: &str, out: &mut String) {
        if self == base {
            return;
        }
        if let (Value::Struct(fields), Value::Struct(others)) = (self, base) {
            for (name, value) in fields {
                let other = others.iter().find(|(other, _)| other == name);
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{name}");
                match other {
                    Some((_, other)) => value.differences(other, &path, out),
                    None => value.differences(&Value::Atom(String::new()), &path, out),
                }
            }
            return;
        }
        let _ = write!(out, " {path}=");
        self.show(out);
    }
}

fn show_list(items: &[Value], brackets: [char; 2], out: &mut String) {
    out.push(brackets[0]);
    let mut at = 0;
    while at < items.len() {
        let run = items[at..]
            .iter()
            .take_while(|item| **item == items[at])
            .count();
        if at != 0 {
            out.push_str(", ");
        }
        items[at].show(out);
        if run > 1 {
            let _ = write!(out, " x{run}");
        }
        at += run;
    }
    out.push(brackets[1]);
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip(&mut self, what: &str) -> bool {
        let found = self.rest.strip_prefix(what);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn value(&mut self) -> Value {
        if self.skip("[") {
            return Value::List(self.items("]"));
        }
        let name = self.word();
        if self.skip(" { ") {
            let mut fields = Vec::new();
            while !self.rest.is_empty() {
                let field = self.word();
                self.skip(": ");
                fields.push((field, self.value()));
                if !self.skip(", ") {
                    break;
                }
            }
            self.skip(" }");
            return Value::Struct(fields);
        }
        if self.skip("(") {
            return Value::Tuple(name, self.items(")"));
        }
        Value::Atom(name)
    }

    fn items(&mut self, close: &str) -> Vec<Value> {
        let mut items = Vec::new();
        while !self.rest.is_empty() && !self.skip(close) {
            let before = self.rest.len();
            items.push(self.value());
            self.skip(", ");
            if self.rest.len() == before {
                break;
            }
        }
        items
    }

    /// Up to what ends a name or a number; a string as a whole.
    fn word(&mut self) -> String {
        let end = if self.rest.starts_with('"') {
            let inner = self.rest[1..]
                .find('"')
                .map_or(self.rest.len(), |at| at + 2);
            inner.min(self.rest.len())
        } else {
            let ends = |(at, c): (usize, char)| {
                let brace = c == ' ' && self.rest[at..].starts_with(" {");
                let close = c == ' ' && self.rest[at..].starts_with(" }");
                let colon = c == ':' && self.rest[at..].starts_with(": ");
                (matches!(c, '(' | ')' | '[' | ']' | ',') || brace || close || colon).then_some(at)
            };
            self.rest
                .char_indices()
                .find_map(ends)
                .unwrap_or(self.rest.len())
        };
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(debug: &str) -> String {
        let mut out = String::new();
        let mut value = Value::parse(debug);
        value.leave_out(&["version", "generation"]);
        value.show(&mut out);
        out
    }

    #[test]
    fn zeros_padding_and_names_of_types_are_left_out() {
        assert_eq!(
            short(
                "Desc { id: Id(RawHandle { slot: 3, generation: 1 }), _pad: 0, view: Id(RawHandle { slot: 0, generation: 0 }), version: 9, size: 0, blend: On }"
            ),
            "{id=3.1 blend=On}"
        );
        assert_eq!(
            short("[A { x: 0 }, A { x: 0 }, A { x: 1.5 }]"),
            "[- x2, {x=1.5}]"
        );
        assert_eq!(short("Some([1, 1, 1, 2])"), "[1 x3, 2]");
        assert_eq!(short("Flags(A | B)"), "A | B");
    }

    #[test]
    fn differences_are_told_by_path() {
        let base = Value::parse("S { blend: B { on: 0, src: 1 }, mask: [1, 1] }");
        let mut out = String::new();
        Value::parse("S { blend: B { on: 1, src: 1 }, mask: [1, 0] }")
            .show_differences(&base, &mut out);
        assert_eq!(out, " blend.on=1 mask=[1, 0]");
    }
}
