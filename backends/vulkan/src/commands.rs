//! The command stream: a ring of command buffers, their fences and serials, and the barriers between uses. It knows no GL object.
//!
//! # Hazards
//!
//! Barriers go by *epochs*: a full memory barrier ends an epoch. A resource remembers the epoch of its last write and of its last
//! read; a use that conflicts with one of the same epoch asks for a barrier first. Work of an earlier epoch needs none, and one
//! barrier serves every resource. `docs/barriers.md` says why stages are not tracked.
#![allow(unsafe_code)]

use crate::device::Gpu;
use ash::vk;

/// Command buffers in flight before the oldest is waited for: three frames of a few submissions each.
const MAX_IN_FLIGHT: usize = 8;
/// Descriptor sets per pool.
const SETS_PER_POOL: u32 = 256;

/// When a resource was last written and read by the GPU, in epochs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hazard {
    written: u64,
    read: u64,
    /// The write was a shader's: GL orders later shader accesses by glMemoryBarrier only.
    by_shader: bool,
}

/// How a command is about to use a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    /// Storage blocks, images, counters.
    ShaderWrite,
}

/// One command buffer with what retires together.
#[derive(Debug)]
struct Slot {
    pool: vk::CommandPool,
    cb: vk::CommandBuffer,
    fence: vk::Fence,
    serial: u64,
    in_flight: bool,
    descriptor_pools: Vec<vk::DescriptorPool>,
    pools_in_use: usize,
    sets_in_pool: u32,
}

/// The stream.
#[derive(Debug)]
pub struct Commands {
    slots: Vec<Slot>,
    recording: Option<usize>,
    /// Serial of the command buffer being recorded, or of the next one.
    serial: u64,
    completed: u64,
    epoch: u64,
    /// A pass is open.
    in_pass: bool,
}

impl Default for Commands {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            recording: None,
            serial: 1,
            completed: 0,
            epoch: 1,
            in_pass: false,
        }
    }
}

impl Commands {
    /// Serial that work recorded now will retire with.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    /// Everything up to this serial has retired, as far as is known without asking.
    pub fn completed(&self) -> u64 {
        self.completed
    }

    /// Whether commands wait for submission.
    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Whether a pass is open.
    pub fn in_pass(&self) -> bool {
        self.in_pass
    }

    /// The command buffer, begun if need be. `None`: the device is lost. The second value says whether it was begun now.
    pub fn begin(&mut self, gpu: &mut Gpu) -> Option<(vk::CommandBuffer, bool)> {
        if let Some(slot) = self.recording {
            return Some((self.slots[slot].cb, false));
        }
        let slot = self.free_slot(gpu)?;
        let s = &mut self.slots[slot];
        for pool in &s.descriptor_pools[..s.pools_in_use] {
            // SAFETY: rule 1 – the slot's last submission has retired, so no set of the pool is in use.
            let reset = unsafe {
                gpu.device
                    .reset_descriptor_pool(*pool, vk::DescriptorPoolResetFlags::empty())
            };
            gpu.check(reset)?;
        }
        s.pools_in_use = 0;
        s.sets_in_pool = 0;
        // SAFETY: rule 1 – the slot's last submission has retired.
        let reset = unsafe {
            gpu.device
                .reset_command_pool(s.pool, vk::CommandPoolResetFlags::empty())
        };
        gpu.check(reset)?;
        let info = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: rule 2 – the buffer was reset with its pool.
        let begun = unsafe { gpu.device.begin_command_buffer(s.cb, &info) };
        gpu.check(begun)?;
        s.serial = self.serial;
        self.recording = Some(slot);
        Some((self.slots[slot].cb, true))
    }

    fn free_slot(&mut self, gpu: &mut Gpu) -> Option<usize> {
        self.poll(gpu);
        if let Some(slot) = self.slots.iter().position(|s| !s.in_flight) {
            return Some(slot);
        }
        if self.slots.len() == MAX_IN_FLIGHT {
            let oldest = self.slots.iter().map(|s| s.serial).min()?;
            self.wait(gpu, oldest, u64::MAX);
            return self.slots.iter().position(|s| !s.in_flight);
        }
        let info = vk::CommandPoolCreateInfo::default()
            .flags(vk::CommandPoolCreateFlags::TRANSIENT)
            .queue_family_index(gpu.queue_family);
        // SAFETY: rule 4.
        let pool = unsafe { gpu.device.create_command_pool(&info, None) };
        let pool = gpu.check(pool)?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: rule 4.
        let buffers = unsafe { gpu.device.allocate_command_buffers(&info) };
        // SAFETY: rule 4.
        let fence = unsafe {
            gpu.device
                .create_fence(&vk::FenceCreateInfo::default(), None)
        };
        let (buffers, fence) = (gpu.check(buffers)?, gpu.check(fence)?);
        self.slots.push(Slot {
            pool,
            cb: buffers[0],
            fence,
            serial: 0,
            in_flight: false,
            descriptor_pools: Vec::new(),
            pools_in_use: 0,
            sets_in_pool: 0,
        });
        Some(self.slots.len() - 1)
    }

    /// Marks a pass as open or closed.
    pub fn set_in_pass(&mut self, open: bool) {
        self.in_pass = open;
    }

    /// Submits what was recorded. The caller has ended the pass. Nothing recorded: nothing happens.
    pub fn submit(&mut self, gpu: &mut Gpu) {
        let Some(slot) = self.recording.take() else {
            return;
        };
        debug_assert!(!self.in_pass, "a pass is ended before its buffer");
        let s = &mut self.slots[slot];
        // What the host reads after the fence must be visible to it; one barrier per submission is free.
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        // SAFETY: rule 2.
        unsafe {
            gpu.device.cmd_pipeline_barrier(
                s.cb,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::PipelineStageFlags::HOST,
                vk::DependencyFlags::empty(),
                &barrier,
                &[],
                &[],
            );
        }
        self.serial += 1;
        // SAFETY: rule 2 – recording ends here.
        let ended = unsafe { gpu.device.end_command_buffer(s.cb) };
        if gpu.check(ended).is_none() {
            return;
        }
        let buffers = [s.cb];
        let submits = [vk::SubmitInfo::default().command_buffers(&buffers)];
        crate::exit::submits();
        let turn = crate::exit::turn();
        // SAFETY: rules 3 and 4 – the fence is unsignalled: `poll` reset it when the slot became free.
        let submitted = unsafe { gpu.device.queue_submit(gpu.queue, &submits, s.fence) };
        drop(turn);
        if gpu.check(submitted).is_some() {
            s.in_flight = true;
        }
    }

    /// Looks which submissions have retired.
    pub fn poll(&mut self, gpu: &mut Gpu) {
        for i in 0..self.slots.len() {
            if self.slots[i].in_flight {
                // SAFETY: rule 3.
                let status = unsafe { gpu.device.get_fence_status(self.slots[i].fence) };
                if gpu.check(status) == Some(true) {
                    self.retire(gpu, i);
                }
            }
        }
        self.note_completed();
    }

    fn retire(&mut self, gpu: &mut Gpu, slot: usize) {
        let s = &mut self.slots[slot];
        s.in_flight = false;
        crate::exit::retired();
        // SAFETY: the fence was signalled and no submission uses it.
        let reset = unsafe { gpu.device.reset_fences(&[s.fence]) };
        gpu.check(reset);
    }

    /// One queue retires in order: everything before the oldest in flight is complete.
    fn note_completed(&mut self) {
        let oldest = self
            .slots
            .iter()
            .filter(|s| s.in_flight)
            .map(|s| s.serial)
            .min();
        let last = oldest.map_or(self.serial - 1, |serial| serial - 1);
        self.completed = self.completed.max(last);
    }

    /// Waits for a serial that was submitted. `false`: time is up, or the device is lost.
    pub fn wait(&mut self, gpu: &mut Gpu, serial: u64, timeout_ns: u64) -> bool {
        if serial <= self.completed {
            return true;
        }
        let fence = self
            .slots
            .iter()
            .find(|s| s.in_flight && s.serial == serial)
            .map(|s| s.fence);
        if let Some(fence) = fence {
            let _zone = (timeout_ns != 0).then(|| tracing::debug_span!("stall: fence").entered());
            // SAFETY: rule 3.
            match unsafe { gpu.device.wait_for_fences(&[fence], true, timeout_ns) } {
                Ok(()) => {}
                Err(vk::Result::TIMEOUT) => return false,
                Err(error) => {
                    gpu.check::<()>(Err(error));
                    return false;
                }
            }
        }
        self.poll(gpu);
        serial <= self.completed
    }

    /// A descriptor set of the buffer being recorded.
    pub fn descriptor_set(
        &mut self,
        gpu: &mut Gpu,
        layout: vk::DescriptorSetLayout,
    ) -> Option<vk::DescriptorSet> {
        let slot = self.recording?;
        let s = &mut self.slots[slot];
        for fresh in [false, true] {
            if fresh || s.pools_in_use == 0 || s.sets_in_pool == SETS_PER_POOL {
                if s.pools_in_use == s.descriptor_pools.len() {
                    let pool = new_descriptor_pool(gpu)?;
                    s.descriptor_pools.push(pool);
                }
                s.pools_in_use += 1;
                s.sets_in_pool = 0;
            }
            let layouts = [layout];
            let info = vk::DescriptorSetAllocateInfo::default()
                .descriptor_pool(s.descriptor_pools[s.pools_in_use - 1])
                .set_layouts(&layouts);
            // SAFETY: rule 4.
            match unsafe { gpu.device.allocate_descriptor_sets(&info) } {
                Ok(sets) => {
                    s.sets_in_pool += 1;
                    return Some(sets[0]);
                }
                Err(vk::Result::ERROR_OUT_OF_POOL_MEMORY | vk::Result::ERROR_FRAGMENTED_POOL)
                    if !fresh => {}
                Err(error) => {
                    gpu.check::<()>(Err(error));
                    return None;
                }
            }
        }
        None
    }

    /// Whether a use conflicts with one since the last barrier.
    pub fn conflicts(&self, hazard: &Hazard, access: Access) -> bool {
        match access {
            Access::Read => hazard.written == self.epoch,
            Access::Write => hazard.written == self.epoch || hazard.read == self.epoch,
            Access::ShaderWrite => {
                !hazard.by_shader && (hazard.written == self.epoch || hazard.read == self.epoch)
            }
        }
    }

    /// Remembers a use.
    pub fn note(&self, hazard: &mut Hazard, access: Access) {
        match access {
            Access::Read => hazard.read = self.epoch,
            Access::Write => {
                hazard.written = self.epoch;
                hazard.by_shader = false;
            }
            Access::ShaderWrite => {
                hazard.by_shader = hazard.written != self.epoch || hazard.by_shader;
                hazard.written = self.epoch;
            }
        }
    }

    /// Ends the epoch: all earlier work is complete and visible to all later work. Outside of passes only.
    pub fn full_barrier(&mut self, gpu: &mut Gpu) {
        debug_assert!(!self.in_pass, "barriers stand outside of passes");
        let Some((cb, _)) = self.begin(gpu) else {
            return;
        };
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)];
        // SAFETY: rule 2.
        unsafe {
            gpu.device.cmd_pipeline_barrier(
                cb,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::DependencyFlags::empty(),
                &barrier,
                &[],
                &[],
            );
        }
        self.epoch += 1;
    }

    /// Barrier if the use conflicts, then remembers it. Outside of passes only.
    pub fn sync(&mut self, gpu: &mut Gpu, hazard: &mut Hazard, access: Access) {
        if self.conflicts(hazard, access) {
            self.full_barrier(gpu);
        }
        self.note(hazard, access);
    }

    /// Moves an image to another layout: an image barrier against everything before and after. Outside of passes only.
    pub fn transition(
        &mut self,
        gpu: &mut Gpu,
        image: vk::Image,
        aspects: vk::ImageAspectFlags,
        from: vk::ImageLayout,
        to: vk::ImageLayout,
    ) {
        debug_assert!(!self.in_pass, "barriers stand outside of passes");
        let Some((cb, _)) = self.begin(gpu) else {
            return;
        };
        let barrier = [vk::ImageMemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .old_layout(from)
            .new_layout(to)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(image)
            .subresource_range(vk::ImageSubresourceRange {
                aspect_mask: aspects,
                base_mip_level: 0,
                level_count: vk::REMAINING_MIP_LEVELS,
                base_array_layer: 0,
                layer_count: vk::REMAINING_ARRAY_LAYERS,
            })];
        // SAFETY: rules 1 and 2.
        unsafe {
            gpu.device.cmd_pipeline_barrier(
                cb,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::DependencyFlags::empty(),
                &[],
                &[],
                &barrier,
            );
        }
    }

    /// Ends the ring; the device is idle.
    pub fn destroy(&mut self, gpu: &mut Gpu) {
        for s in self.slots.drain(..) {
            for pool in s.descriptor_pools {
                // SAFETY: rule 6.
                unsafe { gpu.device.destroy_descriptor_pool(pool, None) };
            }
            // SAFETY: rule 6.
            unsafe { gpu.device.destroy_fence(s.fence, None) };
            // SAFETY: rule 6 – takes its command buffer with it.
            unsafe { gpu.device.destroy_command_pool(s.pool, None) };
        }
    }
}

fn new_descriptor_pool(gpu: &mut Gpu) -> Option<vk::DescriptorPool> {
    let size = |ty, each: u32| {
        vk::DescriptorPoolSize::default()
            .ty(ty)
            .descriptor_count(each * SETS_PER_POOL)
    };
    // Averages per set; a pool that runs out early is followed by another.
    let sizes = [
        size(vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC, 1),
        size(vk::DescriptorType::UNIFORM_BUFFER, 4),
        size(vk::DescriptorType::STORAGE_BUFFER, 4),
        size(vk::DescriptorType::COMBINED_IMAGE_SAMPLER, 8),
        size(vk::DescriptorType::STORAGE_IMAGE, 2),
        size(vk::DescriptorType::UNIFORM_TEXEL_BUFFER, 1),
        size(vk::DescriptorType::STORAGE_TEXEL_BUFFER, 1),
    ];
    let info = vk::DescriptorPoolCreateInfo::default()
        .max_sets(SETS_PER_POOL)
        .pool_sizes(&sizes);
    // SAFETY: rule 4.
    let pool = unsafe { gpu.device.create_descriptor_pool(&info, None) };
    gpu.check(pool)
}
