//! Births and deaths of driver objects: storage for descriptions, deletion once no shadow names an object. It draws nothing.

use crate::backend::GlesBackend;
use crate::context::Context;
use crate::surfaces::SurfaceImage;
use crate::textures::StorageError;
use glow::HasContext;
use pipe::*;

/// Driver names whose owner died while no context was current.
#[derive(Debug, Default)]
pub struct Trash {
    images: Vec<SurfaceImage>,
    buffers: Vec<glow::NativeBuffer>,
    samplers: Vec<glow::NativeSampler>,
    programs: Vec<glow::NativeProgram>,
    /// Of contexts that were not the current one.
    pub queries: Vec<(ContextId, glow::NativeQuery)>,
}

impl GlesBackend {
    pub(crate) fn out_of_memory(&mut self, what: String) {
        self.events.push(PipeEvent::GlError {
            code: glow::OUT_OF_MEMORY,
            what,
        });
    }

    /// Whether a driver context is current for us on this thread; object calls outside of one are put off or refused.
    pub(crate) fn has_context(&self) -> bool {
        self.cx.driver.is_some()
    }

    /// An object call came without a context: it goes to the root context, on this thread.
    pub(crate) fn ensure_context(&mut self) {
        if self.has_context() {
            return;
        }
        if let Err(why) = self.driver.make_root_current() {
            self.say(&format!("no driver context for an object call: {why}"));
            return;
        }
        let units = self.units();
        self.cx.initialise(self.gl, units);
    }

    pub(crate) fn units(&self) -> usize {
        self.caps.limits.max_combined_texture_image_units as usize + 1
    }

    pub(crate) fn each_context(&mut self, mut f: impl FnMut(&mut Context)) {
        f(&mut self.cx);
        for id in &self.context_list {
            if let Some(cx) = self.contexts.get_mut(*id) {
                f(cx);
            }
        }
    }

    pub(crate) fn drop_image(&mut self, image: SurfaceImage) {
        self.textures.epoch += 1;
        self.object_epoch += 1;
        self.each_context(|cx| {
            cx.image_dies(image);
            if let SurfaceImage::Texture(name) = image {
                cx.texture_dies(name);
            }
        });
        if !self.has_context() {
            self.trash.images.push(image);
            return;
        }
        // SAFETY: GL rules 1 and 2; no shadow names it any more.
        unsafe {
            match image {
                SurfaceImage::None => {}
                SurfaceImage::Texture(name) => self.gl.delete_texture(name),
                SurfaceImage::Renderbuffer(name) => self.gl.delete_renderbuffer(name),
            }
        }
    }

    pub(crate) fn drop_views(
        &mut self,
        of: impl Fn(SamplerViewId, &crate::textures::Texture) -> bool,
    ) {
        for name in self.textures.take_views(of) {
            self.drop_image(SurfaceImage::Texture(name));
        }
    }

    pub(crate) fn drop_buffer(&mut self, name: glow::NativeBuffer) {
        self.object_epoch += 1;
        self.each_context(|cx| cx.buffer_dies(name));
        if self.has_context() {
            // SAFETY: GL rules 1 and 2; no shadow names it any more.
            unsafe { self.gl.delete_buffer(name) };
        } else {
            self.trash.buffers.push(name);
        }
    }

    pub(crate) fn drop_sampler(&mut self, name: glow::NativeSampler) {
        self.each_context(|cx| cx.sampler_dies(name));
        if self.has_context() {
            // SAFETY: GL rules 1 and 2; no shadow names it any more.
            unsafe { self.gl.delete_sampler(name) };
        } else {
            self.trash.samplers.push(name);
        }
    }

    pub(crate) fn drop_program(&mut self, name: glow::NativeProgram) {
        self.each_context(|cx| cx.program_dies(name));
        if self.has_context() {
            // SAFETY: GL rules 1 and 2; a program in use stays until another is used.
            unsafe { self.gl.delete_program(name) };
        } else {
            self.trash.programs.push(name);
        }
    }

    /// A frame ended: twins whose handles ended earlier, for the keying that finds out late.
    pub(crate) fn collect_twins(&mut self) {
        self.collect_syncs();
        for name in self.buffers.collect() {
            self.drop_buffer(name);
        }
        for image in self.textures.collect() {
            self.drop_image(image);
        }
        let mut samplers = Vec::new();
        self.samplers.table.collect(&mut samplers);
        samplers
            .into_iter()
            .for_each(|name| self.drop_sampler(name));
        let mut programs = Vec::new();
        self.programs.table.collect(&mut programs);
        programs
            .iter()
            .flat_map(crate::programs::Program::names)
            .for_each(|name| self.drop_program(name));
    }

    pub(crate) fn empty_trash(&mut self) {
        self.delete_ended_queries();
        let queries = std::mem::take(&mut self.trash.queries);
        let trash = std::mem::take(&mut self.trash);
        self.trash.queries = queries;
        trash.images.into_iter().for_each(|n| self.drop_image(n));
        trash.buffers.into_iter().for_each(|n| self.drop_buffer(n));
        trash
            .samplers
            .into_iter()
            .for_each(|n| self.drop_sampler(n));
        trash
            .programs
            .into_iter()
            .for_each(|n| self.drop_program(n));
    }

    pub(crate) fn specify(&mut self, desc: &ResourceDesc) {
        self.ensure_context();
        self.object_epoch += 1;
        match desc.resource.get() {
            Resource::Buffer(id) => {
                match self.buffers.specify(self.gl, id, desc) {
                    Ok(unwanted) => unwanted.into_iter().for_each(|name| self.drop_buffer(name)),
                    Err(()) => self.out_of_memory(format!("buffer of {} bytes", desc.size_bytes)),
                }
                for texture in self.textures.showing(id) {
                    let buffer = self.buffers.get(id);
                    self.textures
                        .attach_buffer(self.gl, &mut self.cx, texture, buffer);
                }
            }
            Resource::Texture(id) => {
                self.drop_views(|_, view| view.desc.view_of == id);
                let (old, outcome) = self.textures.specify(self.gl, &mut self.cx, id, desc);
                for old in old {
                    self.drop_image(SurfaceImage::Texture(old.name));
                }
                match outcome {
                    Ok(()) => {}
                    Err(StorageError::OutOfMemory) => {
                        self.out_of_memory(format!("texture {}x{}", desc.width, desc.height));
                    }
                    Err(StorageError::Unsupported(what)) => {
                        self.say(&format!("gles: not supported by this device: {what}"));
                    }
                }
                if desc.target == Target::TextureBuffer {
                    let buffer = self.buffers.get(desc.texture_buffer);
                    self.textures
                        .attach_buffer(self.gl, &mut self.cx, id, buffer);
                }
            }
            Resource::Renderbuffer(id) => {
                if !self.textures.specify_renderbuffer(self.gl, id, desc) {
                    self.out_of_memory(format!("renderbuffer {}x{}", desc.width, desc.height));
                }
            }
            Resource::None => {}
        }
    }

    pub(crate) fn copy_region(&mut self, p: &CopyRegion) {
        let gl = self.gl;
        if let (Resource::Buffer(src), Resource::Buffer(dst)) = (p.src.get(), p.dst.get()) {
            self.buffers.copy(
                gl,
                src,
                dst,
                p.src_offset_bytes,
                p.dst_offset_bytes,
                p.size_bytes,
            );
            return;
        }
        let image = |resource: ResourceRef| match resource.get() {
            Resource::Texture(id) => self
                .textures
                .table
                .get(id)
                .map(|t| (t.name, t.target, t.desc.target)),
            Resource::Renderbuffer(id) => self
                .textures
                .renderbuffers
                .get(id)
                // A renderbuffer's name stands in the same argument (ES 3.2 §8.5).
                .map(|r| {
                    (
                        glow::NativeTexture(r.name.0),
                        glow::RENDERBUFFER,
                        Target::Renderbuffer,
                    )
                }),
            Resource::Buffer(_) | Resource::None => None,
        };
        let (Some(src), Some(dst)) = (image(p.src), image(p.dst)) else {
            return;
        };
        let b = p.src_box;
        // SAFETY: GL rules 1 and 2; regions lie in their images and formats are compatible (the client checked).
        unsafe {
            gl.copy_image_sub_data(
                src.0,
                src.1,
                p.src_level.into(),
                b.x,
                b.y,
                b.z,
                dst.0,
                dst.1,
                p.dst_level.into(),
                p.dst_x,
                p.dst_y,
                p.dst_z,
                b.width as i32,
                b.height as i32,
                b.depth as i32,
            );
        }
    }
}

/// Whether two descriptions are served by the same driver storage.
pub fn same_storage(a: &ResourceDesc, b: &ResourceDesc) -> bool {
    let key = |d: &ResourceDesc| {
        (
            (d.target, d.format, d.width, d.height, d.depth),
            (d.layers, d.levels, d.samples, d.size_bytes),
            (d.view_of, d.view_min_level, d.view_min_layer),
            (
                d.texture_buffer,
                d.texture_buffer_offset_bytes,
                d.texture_buffer_size_bytes,
            ),
        )
    };
    key(a) == key(b)
}
