//! Indirect draws: commands, and counts, that lie in buffers. The pass and all state are there already.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::draw::index_type;
use crate::indices;
use ash::vk;
use pipe::{BufferId, DrawFlags, DrawIndirect, DrawInfo};
use pipe_inputs::Told;

impl VulkanBackend {
    pub(crate) fn draw_indirect(
        &mut self,
        told: Told<'_>,
        cb: vk::CommandBuffer,
        p: &DrawInfo,
        indirect: &[DrawIndirect],
    ) {
        let buffers = *told.inputs.indirect_buffers();
        let Some(commands) = self.buffers.get(buffers.draw).map(|b| b.raw.buffer) else {
            return;
        };
        if p.index_size != 0 {
            let Some(index) = self.buffers.get(told.inputs.index_buffer()) else {
                return;
            };
            let index = index.raw.buffer;
            self.bind_index(cb, index, 0, index_type(p.index_size));
        }
        if indices::needs_rewrite(&self.gpu.features, p) {
            self.fail("indirect draws whose indices must be rewritten (line loops, restart)");
            return;
        }
        let tight: u32 = if p.index_size == 0 { 16 } else { 20 };
        let counted = DrawFlags::from_bits_truncate(p.flags).contains(DrawFlags::INDIRECT_COUNT);
        for run in indirect {
            let stride = if run.stride_bytes == 0 {
                tight
            } else {
                run.stride_bytes
            };
            if counted {
                self.draw_counted(cb, p, run, stride, commands, buffers.parameter);
                continue;
            }
            // Without multiDrawIndirect: one command at a time.
            let (calls, each) = if self.gpu.features.core.multi_draw_indirect {
                (1, run.draw_count)
            } else {
                (run.draw_count, 1)
            };
            for call in 0..calls {
                let offset = run.offset_bytes + u64::from(call) * u64::from(stride);
                // SAFETY: rules 1 and 2; the client checked that the commands lie in the buffer (GL 4.6 core §10.3.11).
                unsafe {
                    if p.index_size == 0 {
                        self.gpu
                            .device
                            .cmd_draw_indirect(cb, commands, offset, each, stride);
                    } else {
                        self.gpu
                            .device
                            .cmd_draw_indexed_indirect(cb, commands, offset, each, stride);
                    }
                }
            }
        }
    }

    fn draw_counted(
        &mut self,
        cb: vk::CommandBuffer,
        p: &DrawInfo,
        run: &DrawIndirect,
        stride: u32,
        commands: vk::Buffer,
        parameter: BufferId,
    ) {
        let Some(counts) = self.buffers.get(parameter).map(|b| b.raw.buffer) else {
            return;
        };
        let Some(fns) = &self.gpu.fns.indirect_count else {
            self.fail("indirect draws with a count in a buffer (VK_KHR_draw_indirect_count)");
            return;
        };
        let (offset, count) = (run.offset_bytes, run.count_offset_bytes);
        // SAFETY: rules 1, 2 and 5.
        unsafe {
            if p.index_size == 0 {
                fns.cmd_draw_indirect_count(
                    cb,
                    commands,
                    offset,
                    counts,
                    count,
                    run.draw_count,
                    stride,
                );
            } else {
                fns.cmd_draw_indexed_indirect_count(
                    cb,
                    commands,
                    offset,
                    counts,
                    count,
                    run.draw_count,
                    stride,
                );
            }
        }
    }
}
