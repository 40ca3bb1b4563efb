//! Compute dispatches: program, set, order, grid. They stand outside of passes and leave nothing bound that draws rely on.
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::commands::Access;
use ash::vk;
use pipe::ShaderId;
use pipe_inputs::Told;

impl VulkanBackend {
    /// A dispatch.
    pub(crate) fn dispatch(&mut self, told: Told<'_>, p: &pipe::GridInfo) -> Option<()> {
        let shader = told.inputs.dispatch_program();
        told.objects.shaders.get(shader)?;
        let cb = self.outside()?;
        let constants = self.ensure_constants(told, shader)?;
        self.bound.set_from = None;
        self.ensure_set(told, shader, constants)?;
        let set = self.bound.set.take()?.1;
        self.draw.key = None;
        self.bound.set_from = None;
        let pipeline = self.compute_pipeline(shader)?;
        let layout = self.programs.get(shader)?.layout;
        let indirect = told.inputs.indirect_buffers().dispatch;
        let mut inputs = std::mem::take(&mut self.draw.inputs);
        inputs.clear();
        if p.indirect_offset_bytes != pipe::WHOLE {
            inputs.push((indirect, Access::Read));
        }
        self.draw.inputs = inputs;
        self.order_uses()?;
        let offset = constants.map_or(0, |c| c.offset_bytes as u32);
        let offsets = [offset];
        let offsets = if constants.is_some() {
            &offsets[..]
        } else {
            &[]
        };
        let bind = vk::PipelineBindPoint::COMPUTE;
        // SAFETY: rules 1 and 2.
        unsafe {
            let d = &self.gpu.device;
            d.cmd_bind_pipeline(cb, bind, pipeline);
            d.cmd_bind_descriptor_sets(cb, bind, layout, 0, &[set], offsets);
        }
        if p.indirect_offset_bytes == pipe::WHOLE {
            // SAFETY: rules 1 and 2.
            unsafe { self.gpu.device.cmd_dispatch(cb, p.x, p.y, p.z) };
        } else {
            let buffer = self.buffers.get(indirect)?.raw.buffer;
            // SAFETY: rules 1 and 2.
            unsafe {
                self.gpu
                    .device
                    .cmd_dispatch_indirect(cb, buffer, p.indirect_offset_bytes);
            }
        }
        Some(())
    }

    fn compute_pipeline(&mut self, shader: ShaderId) -> Option<vk::Pipeline> {
        let program = self.programs.get(shader)?;
        if let Some(pipeline) = program.compute {
            return Some(pipeline);
        }
        let module = program.modules.first()?.1;
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default()
            .stage(stage)
            .layout(program.layout)];
        let _zone = tracing::debug_span!("compile: pipeline").entered();
        // SAFETY: rules 1 and 4.
        let made = unsafe {
            self.gpu
                .device
                .create_compute_pipelines(self.pipelines.cache.raw(), &info, None)
        };
        self.pipelines.cache.grew();
        let made = self.gpu.check(made.map_err(|(_, error)| error))?;
        let pipeline = *made.first()?;
        self.programs.get_mut(shader)?.compute = Some(pipeline);
        Some(pipeline)
    }
}
