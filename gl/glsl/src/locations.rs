//! Locations of uniforms: the source's, then the first gaps. It must not move a location that the source fixed.

use pipe::program::UniformStorage;

use crate::reflect::Reflection;

impl Reflection<'_> {
    /// Explicit locations first; the others fill the gaps in order (GL 4.6 core §7.6).
    pub fn assign_locations(&mut self) {
        let mut used: Vec<bool> = Vec::new();
        let take = |used: &mut Vec<bool>, first: u32, n: u32| {
            let end = (first + n) as usize;
            if used.len() < end {
                used.resize(end, false);
            }
            let clash = used[first as usize..end].iter().any(|u| *u);
            used[first as usize..end].fill(true);
            clash
        };
        const MAX_LOCATION: u32 = 65_536;
        for &(i, location) in &self.explicit {
            let u = &mut self.artifact.uniforms[i as usize];
            if location >= MAX_LOCATION || u.array_size >= MAX_LOCATION {
                self.errors.push(format!(
                    "location {location} of uniform `{}' is too large",
                    u.name
                ));
                continue;
            }
            if take(&mut used, location, u.array_size) {
                self.errors.push(format!(
                    "location {location} of uniform `{}' overlaps another uniform",
                    u.name
                ));
            }
            u.location = Some(location);
        }
        for u in &mut self.artifact.uniforms {
            if u.location.is_some()
                || matches!(
                    u.storage,
                    UniformStorage::Block { .. } | UniformStorage::AtomicCounter { .. }
                )
            {
                continue;
            }
            let n = u.array_size;
            let first = (0..=used.len() as u32)
                .find(|f| (*f..*f + n).all(|l| !used.get(l as usize).copied().unwrap_or(false)))
                .expect("the end of the list is free");
            take(&mut used, first, n);
            u.location = Some(first);
        }
        self.artifact.uniform_location_count = used.len() as u32;
    }
}
