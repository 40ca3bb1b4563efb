//! Contents that nothing wrote yet. New storage lies in memory that held something else before: GL calls its contents undefined, here
//! they are zeros, and nothing that an application does can show it what the memory held. It decides nothing but that.
//!
//! Zeros are made late: a use that writes every texel makes them needless, and a pass over a whole attachment makes them by its load
//! operation. Only what is left is cleared by a command of its own, before the first use that could see it.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::commands::Access;
use crate::framebuffer::{Attachment, Target};
use crate::images::{Image, ImageKey};
use ash::vk;
use pipe::BufferId;
use smallvec::SmallVec;

/// Levels and layers of a storage. Slices of a 3D image are no layers: a level is written as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subresources {
    pub level: u32,
    pub levels: u32,
    pub layer: u32,
    pub layers: u32,
}

/// What a use does with texels that nothing wrote yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It reads some, or leaves some as they are: they are made zeros first.
    Part(Subresources),
    /// It writes every one.
    Whole(Subresources),
    /// The caller has seen to them.
    Settled,
}

/// Which subresources of a storage nothing wrote yet: a bit for each, levels outermost.
#[derive(Debug)]
pub struct Blanks {
    bits: SmallVec<[u64; 1]>,
    levels: u32,
    layers: u32,
    left: u32,
}

impl Subresources {
    /// What a transfer names.
    pub fn of(layers: &vk::ImageSubresourceLayers) -> Self {
        Self {
            level: layers.mip_level,
            levels: 1,
            layer: layers.base_array_layer,
            layers: layers.layer_count,
        }
    }
}

impl Blanks {
    /// All of a new storage.
    pub fn all(levels: u32, layers: u32) -> Self {
        let left = levels * layers;
        Self {
            bits: SmallVec::from_elem(!0, left.div_ceil(64) as usize),
            levels,
            layers,
            left,
        }
    }

    /// Places of the bits that `s` names, with their level and layer.
    fn places(&self, s: Subresources) -> impl Iterator<Item = (u32, u32, u32)> + use<> {
        let (levels, layers) = (self.levels, self.layers);
        let end = |first: u32, n: u32, most: u32| first.saturating_add(n).min(most);
        let last = end(s.layer, s.layers, layers);
        (s.level..end(s.level, s.levels, levels)).flat_map(move |level| {
            (s.layer..last).map(move |layer| (level * layers + layer, level, layer))
        })
    }

    fn is_set(&self, place: u32) -> bool {
        self.bits[place as usize / 64] & (1 << (place % 64)) != 0
    }

    /// Whether any of these is blank.
    pub fn any(&self, s: Subresources) -> bool {
        self.left != 0 && self.places(s).any(|(place, ..)| self.is_set(place))
    }

    /// Whether all of these are.
    pub fn every(&self, s: Subresources) -> bool {
        self.left != 0 && self.places(s).all(|(place, ..)| self.is_set(place))
    }

    /// These are blank no more. Those that were, by runs of layers: level, first layer, layers.
    pub fn take(&mut self, s: Subresources) -> SmallVec<[(u32, u32, u32); 1]> {
        let mut runs: SmallVec<[(u32, u32, u32); 1]> = SmallVec::new();
        if self.left == 0 {
            return runs;
        }
        for (place, level, layer) in self.places(s) {
            if !self.is_set(place) {
                continue;
            }
            self.bits[place as usize / 64] &= !(1 << (place % 64));
            self.left -= 1;
            match runs.last_mut() {
                Some(run) if run.0 == level && run.1 + run.2 == layer => run.2 += 1,
                _ => runs.push((level, layer, 1)),
            }
        }
        runs
    }
}

impl Image {
    /// What writing a box of some layers of a level means for them; `all_aspects`: no aspect is left out.
    pub fn reach_of_box(
        &self,
        layers: &vk::ImageSubresourceLayers,
        offset: vk::Offset3D,
        extent: vk::Extent3D,
        all_aspects: bool,
    ) -> Reach {
        let s = Subresources::of(layers);
        let whole = offset == vk::Offset3D::default()
            && [extent.width, extent.height, extent.depth] == self.level_extent(s.level);
        if whole && all_aspects {
            Reach::Whole(s)
        } else {
            Reach::Part(s)
        }
    }

    /// The subresources behind some layers of a level, or behind slices of a 3D image.
    pub fn subresources(&self, level: u32, layer: u32, layers: u32) -> Subresources {
        let is_layered = self.z_is_layer();
        Subresources {
            level,
            levels: 1,
            layer: if is_layered { layer } else { 0 },
            layers: if is_layered { layers } else { 1 },
        }
    }
}

impl VulkanBackend {
    /// Makes zeros of those that nothing wrote yet. It ends the pass if there are any.
    pub(crate) fn make_zeros(&mut self, key: ImageKey, s: Subresources) -> Option<()> {
        if !self.images.get(key)?.blanks.any(s) {
            return Some(());
        }
        let cb = self.outside()?;
        let wanted = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        let layout = self.use_image(key, wanted, Access::Write, Reach::Settled)?;
        let image = self.images.get_mut(key)?;
        let aspect_mask = self.gpu.format(image.spec.format).all_aspects();
        let ranges: SmallVec<[vk::ImageSubresourceRange; 1]> = image
            .blanks
            .take(s)
            .into_iter()
            .map(|(level, layer, layers)| vk::ImageSubresourceRange {
                aspect_mask,
                base_mip_level: level,
                level_count: 1,
                base_array_layer: layer,
                layer_count: layers,
            })
            .collect();
        let (image, device) = (image.raw.image, &self.gpu.device);
        if aspect_mask == vk::ImageAspectFlags::COLOR {
            let zero = vk::ClearColorValue { uint32: [0; 4] };
            // SAFETY: rules 1 and 2; the ranges lie within the storage.
            unsafe { device.cmd_clear_color_image(cb, image, layout, &zero, &ranges) };
        } else {
            let zero = vk::ClearDepthStencilValue::default();
            // SAFETY: rules 1 and 2; the ranges lie within the storage.
            unsafe { device.cmd_clear_depth_stencil_image(cb, image, layout, &zero, &ranges) };
        }
        Some(())
    }

    /// Does for a use what [`Reach`] says.
    pub(crate) fn settle(&mut self, key: ImageKey, reach: Reach) -> Option<()> {
        match reach {
            Reach::Part(s) => self.make_zeros(key, s),
            Reach::Whole(s) => {
                self.images.get_mut(key)?.blanks.take(s);
                Some(())
            }
            Reach::Settled => Some(()),
        }
    }

    /// Before a pass over `target` begins: whether the load operation of this attachment is to make zeros. `aspects`: what of its
    /// image is attached.
    pub(crate) fn loads_zeros(
        &mut self,
        attachment: &Attachment,
        aspects: vk::ImageAspectFlags,
        target: &Target,
    ) -> Option<bool> {
        let image = self.images.get(attachment.image)?;
        let s = image.subresources(attachment.level, attachment.layer, attachment.layers);
        if !image.blanks.any(s) {
            return Some(false);
        }
        // A load operation reaches as far as the pass does, and no other aspect.
        let extent = image.level_extent(attachment.level);
        let covered = extent == [target.width, target.height, 1]
            && attachment.layers == target.layers
            && aspects == self.gpu.format(image.spec.format).all_aspects()
            && image.blanks.every(s);
        let reach = if covered {
            Reach::Whole(s)
        } else {
            Reach::Part(s)
        };
        self.settle(attachment.image, reach)?;
        Some(covered)
    }

    /// As [`Self::make_zeros`] for a buffer.
    pub(crate) fn make_zero_bytes(&mut self, id: BufferId) -> Option<()> {
        if !self.buffers.get(id).is_some_and(|buffer| buffer.blank) {
            return Some(());
        }
        let completed = self.commands.completed();
        let buffer = self.buffers.get_mut(id)?;
        // Storage whose earlier contents are still read (it was specified again meanwhile) is filled in order with the commands.
        if buffer.last_use <= completed
            && let Some(mapped) = buffer.raw.mapped_mut()
        {
            mapped.fill(0);
            buffer.blank = false;
            return Some(());
        }
        let cb = self.outside()?;
        let buffer = self.buffers.get_mut(id)?;
        buffer.blank = false;
        self.commands
            .sync(&mut self.gpu, &mut buffer.hazard, Access::Write);
        buffer.last_use = self.commands.serial();
        buffer.last_write = buffer.last_use;
        // SAFETY: rules 1 and 2; storage is a multiple of four bytes long.
        unsafe {
            self.gpu
                .device
                .cmd_fill_buffer(cb, buffer.raw.buffer, 0, vk::WHOLE_SIZE, 0);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Subresources = Subresources {
        level: 0,
        levels: u32::MAX,
        layer: 0,
        layers: u32::MAX,
    };

    #[test]
    fn taken_subresources_are_told_once_by_runs_of_layers() {
        let mut blanks = Blanks::all(3, 70);
        let some = Subresources {
            level: 1,
            levels: 1,
            layer: 60,
            layers: 4,
        };
        assert_eq!(blanks.take(some).to_vec(), [(1, 60, 4)]);
        assert!(!blanks.any(some) && blanks.any(ALL) && !blanks.every(ALL));
        assert_eq!(
            blanks.take(ALL).to_vec(),
            [(0, 0, 70), (1, 0, 60), (1, 64, 6), (2, 0, 70)]
        );
        assert!(!blanks.any(ALL) && blanks.take(ALL).is_empty());
    }

    #[test]
    fn subresources_beyond_the_storage_are_nobodys() {
        let blanks = Blanks::all(2, 1);
        let beyond = Subresources {
            level: 2,
            levels: 1,
            layer: 0,
            layers: 1,
        };
        assert!(!blanks.any(beyond) && blanks.every(ALL));
    }
}
