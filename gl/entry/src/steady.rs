//! When each class of verbs found everything told: while nothing moves since, nobody is asked. It tells nothing and knows no arm.

use pipe_inputs::{VERB_CLASSES, VerbClass};

/// A moment, as a stamp of [`gl_state::View::stamp`], and the groups that the source vouched for then.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    /// 0: nothing is known.
    stamp: u64,
    groups: u32,
}

/// What one context's source of state said last, by class.
#[derive(Debug, Default)]
pub struct Steady {
    told: [Told; VERB_CLASSES.len()],
}

impl Steady {
    /// The groups of a verb before which nothing moved.
    #[inline]
    pub fn groups(&self, class: VerbClass, stamp: u64) -> Option<u32> {
        let told = &self.told[class as usize];
        (told.stamp == stamp).then_some(told.groups)
    }

    /// The source told everything there was to tell at `stamp`, and looks at nothing else.
    pub fn note(&mut self, class: VerbClass, stamp: u64, groups: u32) {
        self.told[class as usize] = Told { stamp, groups };
    }

    /// The source may want to be asked again: its bitmap may have changed.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_is_steady_at_the_noted_stamp_alone_and_until_it_is_forgotten() {
        let mut steady = Steady::default();
        assert_eq!(steady.groups(VerbClass::Draw, 7), None);
        steady.note(VerbClass::Draw, 7, 3);
        assert_eq!(steady.groups(VerbClass::Draw, 7), Some(3));
        assert_eq!(steady.groups(VerbClass::Draw, 8), None);
        assert_eq!(steady.groups(VerbClass::Clear, 7), None);
        steady.forget();
        assert_eq!(steady.groups(VerbClass::Draw, 7), None);
    }
}
