//! The first record by which two golden recordings differ, verb by verb. It must not show more than that: `golden::difference` is for
//! people who want all of it.

use std::fmt;

/// Where two recordings part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstRecord {
    /// The ordinal of the verb before which they do, from 1; `None`: after the last one.
    pub verb: Option<u64>,
    /// The first record that the expected recording has there and the other has not.
    pub missing: Option<String>,
    /// The first record that was told there and is not in the expected recording.
    pub told: Option<String>,
}

impl fmt::Display for FirstRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verb {
            Some(verb) => write!(f, "verb {verb}: ")?,
            None => f.write_str("after the last verb: ")?,
        }
        match (&self.missing, &self.told) {
            (Some(missing), Some(told)) => {
                write!(f, "`{}` instead of `{}`", short(told), short(missing))
            }
            (Some(missing), None) => write!(f, "`{}` was not told", short(missing)),
            (None, Some(told)) => write!(f, "`{}` was told besides", short(told)),
            (None, None) => f.write_str("told in another order"),
        }
    }
}

/// A record as far as a line of a message holds it.
fn short(record: &str) -> &str {
    /// Characters.
    const MOST: usize = 160;
    match record.char_indices().nth(MOST) {
        Some((at, _)) => &record[..at],
        None => record,
    }
}

/// The first record by which `found` differs from `expected`; `None`: they tell the same.
pub fn first_record(expected: &str, found: &str) -> Option<FirstRecord> {
    let (expected, found) = (Blocks::read(expected), Blocks::read(found));
    let verbs = expected.verbs.len().max(found.verbs.len());
    for i in 0..verbs {
        let (a, b) = (block(&expected.verbs, i), block(&found.verbs, i));
        if a != b {
            return Some(differing(Some(i as u64 + 1), a, b));
        }
    }
    (expected.rest != found.rest).then(|| differing(None, &expected.rest, &found.rest))
}

fn block<'a, 'b>(verbs: &'b [Vec<&'a str>], i: usize) -> &'b [&'a str] {
    verbs.get(i).map_or(&[], Vec::as_slice)
}

fn differing(verb: Option<u64>, expected: &[&str], found: &[&str]) -> FirstRecord {
    let only = |of: &[&str], than: &[&str]| {
        let mut left = than.to_vec();
        let alone = of.iter().find(|line| {
            // Each record of the other block stands for one of this.
            match left.iter().position(|other| other == *line) {
                Some(at) => {
                    left.swap_remove(at);
                    false
                }
                None => true,
            }
        });
        alone.map(|line| (*line).to_owned())
    };
    FirstRecord {
        verb,
        missing: only(expected, found),
        told: only(found, expected),
    }
}

/// A recording with its repetitions written out.
#[derive(Default)]
struct Blocks<'a> {
    /// Per verb the records before it and itself.
    verbs: Vec<Vec<&'a str>>,
    /// What no verb followed.
    rest: Vec<&'a str>,
}

impl<'a> Blocks<'a> {
    fn read(text: &'a str) -> Blocks<'a> {
        let mut blocks = Blocks::default();
        let mut open: Vec<&str> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some(record) = line.strip_prefix("    ") {
                open.push(record);
            } else if let Some((of, count)) = repetition(line) {
                for i in 0..count {
                    let again = blocks.verbs.get(of - 1 + i).cloned().unwrap_or_default();
                    blocks.verbs.push(again);
                }
            } else if !is_label(line) {
                open.push(line);
                blocks.verbs.push(std::mem::take(&mut open));
            }
        }
        blocks.rest = open;
        blocks
    }
}

/// `12:` or `end:`, which begin a block.
fn is_label(line: &str) -> bool {
    let name = line.strip_suffix(':').unwrap_or_default();
    name == "end" || !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// `7: as 3` and `7-9: as 3-5`: the first verb that is repeated, and how many are.
fn repetition(line: &str) -> Option<(usize, usize)> {
    let (verbs, of) = line.split_once(": as ")?;
    let ends = |text: &str| -> Option<(usize, usize)> {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        Some((from.parse().ok()?, to.parse().ok()?))
    };
    let ((from, to), (of, _)) = (ends(verbs)?, ends(of)?);
    (of >= 1 && of < from && from <= to).then_some((of, to - from + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# a recording\n";
    const OLD: &str = "1:\n    set_a x=1\n    set_b y=2\nclear mask=1\n2-3: as 1-2\n4:\ndraw\n";

    fn says(found: &str) -> String {
        let first = first_record(&format!("{HEAD}{OLD}"), &format!("{HEAD}{found}"));
        first.map_or_else(|| "nothing".to_owned(), |first| first.to_string())
    }

    #[test]
    fn first_record_of_equal_recordings_is_none() {
        assert_eq!(says(OLD), "nothing");
        // However the repetitions are written.
        assert_eq!(
            says("1:\n    set_a x=1\n    set_b y=2\nclear mask=1\n2: as 1\n3: as 1\n4:\ndraw\n"),
            "nothing"
        );
    }

    #[test]
    fn first_record_names_the_verb_and_what_was_not_told() {
        assert_eq!(
            says("1:\n    set_a x=1\nclear mask=1\n2-3: as 1-2\n4:\ndraw\n"),
            "verb 1: `set_b y=2` was not told"
        );
        assert_eq!(
            says(
                "1:\n    set_a x=1\n    set_b y=2\nclear mask=1\n2: as 1\n3:\n    set_b y=2\nclear mask=1\n"
            ),
            "verb 3: `set_a x=1` was not told"
        );
        // A verb that is missing: the next stands in its place.
        assert_eq!(
            says("1:\n    set_a x=1\n    set_b y=2\nclear mask=1\n2: as 1\n3:\ndraw\n"),
            "verb 3: `draw` instead of `set_a x=1`"
        );
    }

    #[test]
    fn first_record_names_what_was_told_instead_and_besides() {
        assert_eq!(
            says(&OLD.replace("y=2", "y=3")),
            "verb 1: `set_b y=3` instead of `set_b y=2`"
        );
        assert_eq!(
            says(&OLD.replace("4:\n", "4:\n    set_a x=1\n")),
            "verb 4: `set_a x=1` was told besides"
        );
        assert_eq!(
            says(&format!("{OLD}end:\n    destroy a=1\n")),
            "after the last verb: `destroy a=1` was told besides"
        );
        assert_eq!(
            says(&OLD.replace(
                "    set_a x=1\n    set_b y=2\n",
                "    set_b y=2\n    set_a x=1\n"
            )),
            "verb 1: told in another order"
        );
    }
}
