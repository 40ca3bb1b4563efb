//! Deferred deletion: driver objects that wait until the GPU has passed a serial. Asks no fence itself.

use std::collections::VecDeque;

/// Objects to destroy, each with the serial (of a submission or a frame) after whose completion nothing reads it.
#[derive(Debug)]
pub struct Deferred<T> {
    waiting: VecDeque<(u64, T)>,
}

impl<T> Default for Deferred<T> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
        }
    }
}

impl<T> Deferred<T> {
    /// Gives up an object that work up to and including `serial` may read.
    ///
    /// Serials are meant to ascend; one that is behind its predecessor waits for it, which is late but never early.
    pub fn push(&mut self, serial: u64, object: T) {
        let serial = self
            .waiting
            .back()
            .map_or(serial, |&(last, _)| last.max(serial));
        self.waiting.push_back((serial, object));
    }

    /// Hands out, oldest first, everything that work up to and including `completed` was the last to read.
    pub fn retire(&mut self, completed: u64, mut destroy: impl FnMut(T)) {
        while let Some(&(serial, _)) = self.waiting.front() {
            if serial > completed {
                return;
            }
            if let Some((_, object)) = self.waiting.pop_front() {
                destroy(object);
            }
        }
    }

    /// Hands out everything: the device is idle or lost.
    pub fn retire_all(&mut self, destroy: impl FnMut(T)) {
        self.retire(u64::MAX, destroy);
    }

    /// How many objects wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retired(queue: &mut Deferred<char>, completed: u64) -> String {
        let mut out = String::new();
        queue.retire(completed, |c| out.push(c));
        out
    }

    #[test]
    fn retire_hands_out_completed_serials_in_order() {
        let mut queue = Deferred::default();
        for (serial, object) in [(1, 'a'), (1, 'b'), (2, 'c'), (5, 'd')] {
            queue.push(serial, object);
        }
        assert_eq!(retired(&mut queue, 0), "");
        assert_eq!(retired(&mut queue, 1), "ab");
        assert_eq!(retired(&mut queue, 4), "c");
        assert_eq!(queue.len(), 1);
        queue.retire_all(|c| assert_eq!(c, 'd'));
        assert!(queue.is_empty());
    }

    #[test]
    fn push_of_earlier_serial_waits_for_its_predecessor() {
        let mut queue = Deferred::default();
        queue.push(7, 'a');
        queue.push(3, 'b');
        assert_eq!(retired(&mut queue, 6), "");
        assert_eq!(retired(&mut queue, 7), "ab");
    }
}
