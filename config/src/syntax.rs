//! How the text of an option becomes a value: one small parser per kind of value. It must not know any option's name.

use std::ops::RangeInclusive;

use crate::{Build, PushMask};

/// Reads and writes one kind of value. `allowed` is what an error and the reference page say.
pub trait Syntax {
    type Value;
    fn parse(&self, text: &str, build: &Build) -> Result<Self::Value, String>;
    fn show(&self, value: &Self::Value) -> String;
    fn allowed(&self) -> String;
}

/// `0` or `1`, also in words.
pub struct Flag;

impl Syntax for Flag {
    type Value = bool;

    fn parse(&self, text: &str, _: &Build) -> Result<bool, String> {
        match text {
            "1" | "true" | "on" | "yes" => Ok(true),
            "0" | "false" | "off" | "no" => Ok(false),
            _ => Err("it is neither on nor off".to_owned()),
        }
    }

    fn show(&self, value: &bool) -> String {
        u8::from(*value).to_string()
    }

    fn allowed(&self) -> String {
        "0 or 1 (also false/true, off/on, no/yes)".to_owned()
    }
}

/// A whole decimal number within closed bounds.
pub struct Number(pub RangeInclusive<u32>);

impl Syntax for Number {
    type Value = u32;

    fn parse(&self, text: &str, _: &Build) -> Result<u32, String> {
        let number: u32 = text
            .parse()
            .map_err(|_| "it is not a whole number".to_owned())?;
        if self.0.contains(&number) {
            Ok(number)
        } else {
            Err("it is out of range".to_owned())
        }
    }

    fn show(&self, value: &u32) -> String {
        value.to_string()
    }

    fn allowed(&self) -> String {
        format!("a whole number from {} to {}", self.0.start(), self.0.end())
    }
}

/// One of a few words.
pub struct Choice<T: 'static>(pub &'static [(&'static str, T)]);

impl<T: Copy + PartialEq> Syntax for Choice<T> {
    type Value = T;

    fn parse(&self, text: &str, _: &Build) -> Result<T, String> {
        match self.0.iter().find(|(word, _)| *word == text) {
            Some((_, value)) => Ok(*value),
            None => Err(
                match self
                    .0
                    .iter()
                    .find(|(word, _)| crate::mask::is_near(word, text))
                {
                    Some((word, _)) => format!("there is no such word; did you mean `{word}`?"),
                    None => "there is no such word".to_owned(),
                },
            ),
        }
    }

    fn show(&self, value: &T) -> String {
        self.0
            .iter()
            .find(|(_, own)| own == value)
            .map_or_else(String::new, |(word, _)| (*word).to_owned())
    }

    fn allowed(&self) -> String {
        self.0
            .iter()
            .map(|(word, _)| *word)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// Any text; the string says what it holds.
pub struct Text(pub &'static str);

impl Syntax for Text {
    type Value = String;

    fn parse(&self, text: &str, _: &Build) -> Result<String, String> {
        Ok(text.to_owned())
    }

    fn show(&self, value: &String) -> String {
        value.clone()
    }

    fn allowed(&self) -> String {
        self.0.to_owned()
    }
}

/// Words separated by commas, none of them empty; the string says what they are.
pub struct Words(pub &'static str);

impl Syntax for Words {
    type Value = Vec<String>;

    fn parse(&self, text: &str, _: &Build) -> Result<Vec<String>, String> {
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let words: Vec<String> = text.split(',').map(|word| word.trim().to_owned()).collect();
        if words.iter().any(String::is_empty) {
            Err("a word between two commas is empty".to_owned())
        } else {
            Ok(words)
        }
    }

    fn show(&self, value: &Vec<String>) -> String {
        value.join(",")
    }

    fn allowed(&self) -> String {
        self.0.to_owned()
    }
}

/// A bitmap of subsystems, or `ledger` for the default that the ledger of phases gives.
pub struct Mask;

impl Syntax for Mask {
    type Value = PushMask;

    fn parse(&self, text: &str, build: &Build) -> Result<PushMask, String> {
        let mask = if text == "ledger" {
            build.ledger_mask
        } else {
            PushMask::parse(text, build.implemented)?
        };
        let pulled = build.implemented.without(mask);
        // Without the pull path a cleared bit would mean that nobody tells the backend this state.
        if !build.pull && !pulled.is_empty() && text != "ledger" {
            return Err(format!(
                "the pull path is not in this build, so `{pulled}` must be pushed"
            ));
        }
        if !build.pull && mask.contains(PushMask::RESIDUAL) {
            return Err(
                "the residual block is not in this build: it carries what is pulled".to_owned(),
            );
        }
        Ok(if build.pull {
            mask
        } else {
            mask.union(build.implemented)
        })
    }

    fn show(&self, value: &PushMask) -> String {
        value.to_string()
    }

    fn allowed(&self) -> String {
        "`ledger`, `all`, `none`, a bitmap in hex (`0x1f`), or names of subsystems separated by commas; `-name` after a \
         word takes one away (`all-textures`)"
            .to_owned()
    }
}

/// Where the executing half runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Transport {
    /// On the application's thread.
    #[default]
    Monolith,
    /// On a thread of this process.
    Inproc,
    /// In a server that this process starts.
    Spawn,
    /// In a server that listens on this socket.
    Unix(String),
}

pub struct TransportSyntax;

impl Syntax for TransportSyntax {
    type Value = Transport;

    fn parse(&self, text: &str, _: &Build) -> Result<Transport, String> {
        match text {
            "monolith" => Ok(Transport::Monolith),
            "inproc" => Ok(Transport::Inproc),
            "spawn" => Ok(Transport::Spawn),
            "unix:" => Err("the path of the socket is missing".to_owned()),
            _ => match text.strip_prefix("unix:") {
                Some(path) => Ok(Transport::Unix(path.to_owned())),
                None => Err("there is no such transport".to_owned()),
            },
        }
    }

    fn show(&self, value: &Transport) -> String {
        match value {
            Transport::Monolith => "monolith".to_owned(),
            Transport::Inproc => "inproc".to_owned(),
            Transport::Spawn => "spawn".to_owned(),
            Transport::Unix(path) => format!("unix:{path}"),
        }
    }

    fn allowed(&self) -> String {
        "monolith, inproc, spawn, unix:PATH".to_owned()
    }
}
