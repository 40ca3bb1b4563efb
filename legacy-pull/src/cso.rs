//! The pull arm's own constant state objects by content. It never calls the pipe.

use pipe::{Handle, SlotAllocator};
use rustc_hash::FxHashMap;

/// CSOs of one kind.
#[derive(Debug)]
pub(crate) struct Csos<const N: usize, H> {
    rows: FxHashMap<[u8; N], (H, u64)>,
    cap: usize,
}

/// What a look-up asks of its caller: create, after deleting what had to leave.
pub(crate) struct Fresh<H> {
    pub evicted: Option<H>,
}

impl<const N: usize, H: Handle> Csos<N, H> {
    pub(crate) fn new(cap: usize) -> Self {
        Self {
            rows: FxHashMap::default(),
            cap,
        }
    }

    /// The handle of a description; `Some` if it has to be created.
    pub(crate) fn find(
        &mut self,
        content: &[u8],
        clock: u64,
        slots: &mut SlotAllocator<H>,
    ) -> (H, Option<Fresh<H>>) {
        let key: [u8; N] = content.try_into().expect("descriptions of one size");
        if let Some((handle, used)) = self.rows.get_mut(&key) {
            *used = clock;
            return (*handle, None);
        }
        let mut evicted = None;
        if self.rows.len() >= self.cap {
            let oldest = self.rows.iter().filter(|(_, (_, used))| *used != clock);
            let oldest = oldest
                .min_by_key(|(_, (_, used))| *used)
                .map(|(key, _)| *key);
            if let Some((handle, _)) = oldest.and_then(|key| self.rows.remove(&key)) {
                slots.release(handle);
                evicted = Some(handle);
            }
        }
        let handle = slots.alloc();
        self.rows.insert(key, (handle, clock));
        (handle, Some(Fresh { evicted }))
    }

    /// Takes out what `gone` says has ended.
    pub(crate) fn take(
        &mut self,
        gone: impl Fn(&[u8; N]) -> bool,
        slots: &mut SlotAllocator<H>,
    ) -> Vec<H> {
        let rows = self.rows.extract_if(|key, _| gone(key));
        rows.map(|(_, (handle, _))| {
            slots.release(handle);
            handle
        })
        .collect()
    }
}
