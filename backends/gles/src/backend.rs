//! The backend: everything of one session, and the verbs handed to whoever does them. It must never read what it was not told.

use crate::buffers::Buffers;
use crate::context::Context;
use crate::conv;
use crate::driver::{Driver, Gl, OpenError, OpenOptions};
use crate::internal::Internal;
use crate::kept_programs::KeptPrograms;
use crate::lifetime::{Trash, same_storage};
use crate::programs::{Program, Programs};
use crate::samplers::Samplers;
use crate::stream_output::Capture;
use crate::surfaces::{Drawable, SurfaceImage, Surfaces};
use crate::sync::Syncs;
use crate::textures::Textures;
use glow::HasContext;
use pipe::*;
use pipe_inputs::objects::{Objects, Table};
use pipe_inputs::{Told, Verbs};
use std::sync::Arc;

/// GL over an OpenGL ES 3.2 driver. See the crate's rules for who has which context current.
#[derive(Debug)]
pub struct GlesBackend {
    pub(crate) driver: Driver,
    /// Never freed: the driver's libraries stay loaded until the process ends.
    pub(crate) gl: &'static Gl,
    pub(crate) caps: Arc<Caps>,
    pub(crate) events: EventQueue,
    pub(crate) buffers: Buffers,
    pub(crate) textures: Textures,
    pub(crate) samplers: Samplers,
    pub(crate) programs: Programs,
    pub(crate) surfaces: Surfaces,
    pub(crate) syncs: Syncs,
    pub(crate) internal: Internal,
    pub(crate) capture: Capture,
    /// The context in use; the stand-in while none is.
    pub(crate) cx: Box<Context>,
    pub(crate) current: ContextId,
    /// Contexts that are not in use.
    pub(crate) contexts: Table<ContextId, Box<Context>>,
    pub(crate) context_list: Vec<ContextId>,
    /// Moves when an object that programs read changes its driver half or its parameters.
    pub(crate) object_epoch: u64,
    /// What was said already, so that a draw loop does not say it each time.
    pub(crate) said: Vec<String>,
    pub(crate) trash: Trash,
    pub(crate) check_errors: bool,
    pub(crate) swap_interval: i32,
}

/// A session moves between threads.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<GlesBackend>();
};

/// Opens the driver. No context of ours exists yet; the calling thread is left without a driver context.
pub fn open(options: &OpenOptions) -> Result<GlesBackend, OpenError> {
    let (driver, gl) = Driver::open(options)?;
    let caps = Arc::new(crate::caps::caps(&gl, driver.robust));
    let kept = KeptPrograms::new(&gl, options.cache.clone());
    driver.release();
    Ok(GlesBackend {
        driver,
        gl: Box::leak(Box::new(gl)),
        caps,
        events: EventQueue::default(),
        buffers: Buffers::new(options.twins),
        textures: Textures::new(options.twins),
        samplers: Samplers::new(options.twins),
        programs: Programs::new(options.twins, kept),
        surfaces: Surfaces::default(),
        syncs: Syncs::new(options.twins),
        internal: Internal::default(),
        capture: Capture::Off,
        cx: Box::new(Context::new(None)),
        current: ContextId::NULL,
        contexts: Table::default(),
        context_list: Vec::new(),
        object_epoch: 1,
        said: Vec::new(),
        trash: Trash::default(),
        check_errors: options.check_errors,
        swap_interval: 1,
    })
}

/// What a driver is and lacks, without keeping it open for drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    pub device: String,
    pub version: String,
    /// EGL platform that gave the context.
    pub platform: &'static str,
    /// What is lacking and what is lost by it.
    pub missing: Vec<(String, String)>,
}

/// Opens the driver to look at it.
pub fn probe(options: &OpenOptions) -> Result<Probe, OpenError> {
    let backend = open(options)?;
    Ok(Probe {
        device: backend.caps.device.clone(),
        version: backend.caps.driver.clone(),
        platform: backend.driver.platform,
        missing: backend.caps.missing.clone(),
    })
}

impl GlesBackend {
    /// An error line.
    #[cold]
    pub(crate) fn say(&mut self, text: &str) {
        tracing::error!("{text}");
        self.events.push(PipeEvent::Log {
            level: LogLevel::Error,
            text: text.to_owned(),
        });
    }

    /// A warning, once per text.
    #[cold]
    pub(crate) fn say_once(&mut self, what: &str, text: &str) {
        let line = format!("gles: {what}: {text}");
        if self.said.len() < 256 && !self.said.contains(&line) {
            tracing::warn!("{line}");
            self.events.push(PipeEvent::Log {
                level: LogLevel::Warn,
                text: line.clone(),
            });
            self.said.push(line);
        }
    }

    /// After a verb, for tests: the driver's errors become error lines.
    pub(crate) fn check(&mut self, verb: &'static str) {
        if !self.check_errors || self.cx.driver.is_none() {
            return;
        }
        loop {
            // SAFETY: GL rule 1.
            let error = unsafe { self.gl.get_error() };
            if error == glow::NO_ERROR {
                return;
            }
            self.say(&format!("driver error {error:#x} after {verb}"));
        }
    }
}

impl Verbs for GlesBackend {
    fn get_caps(&mut self) -> Arc<Caps> {
        Arc::clone(&self.caps)
    }

    fn resource_create(&mut self, desc: &ResourceDesc) {
        self.specify(desc);
        self.check("resource_create");
    }

    fn resource_respecify(&mut self, desc: &ResourceDesc, before: Option<&ResourceDesc>) {
        let keep = desc.flags & ResourceFlags::KEEP_CONTENT.bits() != 0;
        // Only uses or hints grew: the storage is right as it is.
        if keep && before.is_some_and(|before| same_storage(before, desc)) {
            return;
        }
        self.specify(desc);
        self.check("resource_respecify");
    }

    fn resource_destroy(&mut self, resource: ResourceRef) {
        match resource.get() {
            Resource::Buffer(id) => {
                if let Some(name) = self.buffers.remove(id) {
                    self.drop_buffer(name);
                }
            }
            Resource::Texture(id) => {
                self.drop_views(|_, view| view.desc.view_of == id);
                if let Some(texture) = self.textures.remove(id) {
                    self.drop_image(SurfaceImage::Texture(texture.name));
                }
            }
            Resource::Renderbuffer(id) => {
                if let Some(renderbuffer) = self.textures.renderbuffers.remove(id) {
                    self.drop_image(SurfaceImage::Renderbuffer(renderbuffer.name));
                }
            }
            Resource::None => {}
        }
    }

    fn map_persistent(&mut self, _: BufferId) -> bool {
        // Declined: the answer has no way to carry an address, and the client pushes what was written.
        false
    }

    fn unmap_persistent(&mut self, _: BufferId) {}

    fn fence_create(&mut self, fence: FenceId) {
        self.make_fence(fence);
        self.check("fence_create");
    }

    fn fence_status(&mut self, fence: FenceId) -> FenceStatus {
        self.wait_fence(fence, 0)
    }

    fn fence_wait(&mut self, fence: FenceId, timeout_ns: u64) -> FenceStatus {
        self.wait_fence(fence, timeout_ns)
    }

    fn fence_destroy(&mut self, fence: FenceId) {
        self.drop_fence(fence);
    }

    fn query_create(&mut self, query: QueryId, target: u32, _: u32) {
        self.make_query(query, target);
        self.check("query_create");
    }

    fn query_begin(&mut self, _: Told<'_>, query: QueryId) {
        self.start_query(query);
        self.check("query_begin");
    }

    fn query_end(&mut self, _: Told<'_>, query: QueryId) {
        self.stop_query(query);
        self.check("query_end");
    }

    fn query_available(&mut self, query: QueryId) -> bool {
        self.query_is_done(query)
    }

    fn query_result(&mut self, query: QueryId) -> u64 {
        self.query_answer(query)
    }

    fn query_destroy(&mut self, query: QueryId) {
        self.drop_query(query);
    }

    fn create_render_state(&mut self, _: RenderStateId) {
        // ES has no such object: states are compared by value.
    }

    fn delete_render_state(&mut self, _: RenderStateId) {}

    fn create_vertex_elements(&mut self, _: &VertexElementsDesc) {
        // One driver vertex array, told by difference.
    }

    fn delete_vertex_elements(&mut self, _: VertexElementsId) {}

    fn create_sampler(&mut self, desc: &SamplerDesc) {
        self.ensure_context();
        if let Some(unwanted) = self.samplers.create(self.gl, desc) {
            self.drop_sampler(unwanted);
        }
        self.check("create_sampler");
    }

    fn delete_sampler(&mut self, id: SamplerId) {
        if let Some(name) = self.samplers.table.remove(id) {
            self.drop_sampler(name);
        }
    }

    fn create_sampler_view(&mut self, _: &SamplerViewDesc) {
        // Limits are applied to the texture when the view is bound.
    }

    fn delete_sampler_view(&mut self, id: SamplerViewId) {
        self.drop_views(|view, _| view == id);
    }

    fn create_shader(&mut self, desc: &ShaderDesc, archive: &[u8]) {
        match Program::new(archive) {
            Ok(program) => {
                let unwanted = self.programs.table.insert(desc.id, program);
                for name in unwanted.iter().flat_map(Program::names) {
                    self.drop_program(name);
                }
            }
            Err(why) => self.say(&format!("program {}: {why}", desc.name_for_diagnostics)),
        }
    }

    fn delete_shader(&mut self, id: ShaderId) {
        if let Some(program) = self.programs.table.remove(id) {
            for name in program.names() {
                self.drop_program(name);
            }
        }
    }

    fn set_texture_params(&mut self, params: &TextureParams) {
        self.textures.set_params(params);
        self.object_epoch += 1;
    }

    fn resource_subdata(&mut self, _: &Objects, p: &SubData, regions: &[SubRegion], bytes: &[u8]) {
        self.ensure_context();
        match p.resource.get() {
            Resource::Buffer(id) => {
                self.buffers
                    .write(self.gl, id, p.buffer_offset_bytes, bytes);
            }
            Resource::Texture(id) => {
                self.textures
                    .upload(self.gl, &mut self.cx, id, p, regions, bytes);
            }
            Resource::Renderbuffer(_) | Resource::None => {}
        }
        self.check("resource_subdata");
    }

    fn buffer_subdata_resident(&mut self, p: &SubData, bytes: &[u8]) {
        if let Resource::Buffer(id) = p.resource.get() {
            self.buffers
                .write(self.gl, id, p.buffer_offset_bytes, bytes);
        }
        self.check("buffer_subdata_resident");
    }

    fn resource_flush_range(&mut self, p: &FlushRange, bytes: &[u8]) {
        self.buffers.write(self.gl, p.buffer, p.offset_bytes, bytes);
        self.check("resource_flush_range");
    }

    fn resource_readback(&mut self, p: &Readback, out: &mut [u8]) -> bool {
        self.ensure_context();
        let n = out.len().min(p.size_bytes as usize);
        let done = self
            .buffers
            .read(self.gl, p.buffer, p.offset_bytes, &mut out[..n]);
        self.check("resource_readback");
        done
    }

    fn resource_copy_region(&mut self, _: &Objects, p: &CopyRegion) {
        self.ensure_context();
        self.copy_region(p);
        self.check("resource_copy_region");
    }

    fn generate_mipmap(&mut self, _: Told<'_>, p: &GenerateMipmap) -> Submit {
        if let Some(texture) = self.textures.table.get_mut(p.texture) {
            let gl = self.gl;
            self.cx.bind_scratch(gl, texture.target, texture.name);
            let (base, max) = (i32::from(p.base_level), i32::from(p.last_level));
            // SAFETY: GL rules 1 and 2; the levels exist.
            unsafe {
                gl.tex_parameter_i32(texture.target, glow::TEXTURE_BASE_LEVEL, base);
                gl.tex_parameter_i32(texture.target, glow::TEXTURE_MAX_LEVEL, max);
                gl.generate_mipmap(texture.target);
            }
            texture.note_levels(base, max);
            self.object_epoch += 1;
            self.events.push(PipeEvent::MipLevelsGenerated {
                texture: p.texture,
                base_level: p.base_level,
                last_level: p.last_level,
            });
        }
        self.check("generate_mipmap");
        Submit::Done
    }

    fn get_texture_image(
        &mut self,
        told: Told<'_>,
        p: &GetTextureImage,
        out: Option<&mut [u8]>,
    ) -> Submit {
        self.get_texture_image_verb(told, p, out);
        self.check("get_texture_image");
        Submit::Done
    }

    fn resource_subdata_complete(&mut self, _: &SubDataComplete) {
        // This backend never asks for texels: it keeps all levels in driver storage.
    }

    fn draw_vbo(
        &mut self,
        told: Told<'_>,
        p: &DrawInfo,
        ranges: &[DrawRange],
        indirect: &[DrawIndirect],
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) -> Submit {
        self.draw_verb(told, p, ranges, indirect, user_indices, host);
        self.check("draw_vbo");
        Submit::Done
    }

    fn launch_grid(&mut self, told: Told<'_>, p: &GridInfo) -> Submit {
        self.dispatch_verb(told, p);
        self.check("launch_grid");
        Submit::Done
    }

    fn memory_barrier(&mut self, _: Told<'_>, p: &MemoryBarrier) -> Submit {
        // ES knows no barrier bit for queries; the others have GL's numbers.
        const QUERY_BUFFER_BARRIER_BIT: u32 = 0x8000;
        // ES 3.2 §7.11.2: only these bits are by region.
        const BY_REGION: u32 = 0x2000 | 0x1000 | 0x0400 | 0x0020 | 0x0004 | 0x0008;
        let bits = if p.bits == !0 {
            !0
        } else {
            p.bits & !QUERY_BUFFER_BARRIER_BIT
        };
        // SAFETY: GL rule 1.
        unsafe {
            if p.by_region == 0 || bits != !0 && bits & !BY_REGION != 0 {
                self.gl.memory_barrier(bits);
            } else {
                self.gl.memory_barrier_by_region(bits);
            }
        }
        self.check("memory_barrier");
        Submit::Done
    }

    fn blit(&mut self, told: Told<'_>, p: &Blit) -> Submit {
        self.blit_verb(told, p);
        self.check("blit");
        Submit::Done
    }

    fn clear(&mut self, told: Told<'_>, p: &Clear) -> Submit {
        self.clear_verb(told, p);
        self.check("clear");
        Submit::Done
    }

    fn read_pixels(&mut self, told: Told<'_>, p: &ReadPixels, out: Option<&mut [u8]>) -> Submit {
        self.read_pixels_verb(told, p, out);
        self.check("read_pixels");
        Submit::Done
    }

    fn begin_stream_output(&mut self, _: Told<'_>, p: &BeginStreamOutput) -> Submit {
        self.begin_stream_output_verb(p);
        Submit::Done
    }

    fn end_stream_output(&mut self, _: Told<'_>, _: &EndStreamOutput) -> Submit {
        self.end_stream_output_verb();
        self.check("end_stream_output");
        Submit::Done
    }

    fn pause_stream_output(&mut self, _: Told<'_>) -> Submit {
        self.pause_stream_output_verb();
        self.check("pause_stream_output");
        Submit::Done
    }

    fn resume_stream_output(&mut self, _: Told<'_>) -> Submit {
        self.resume_stream_output_verb();
        self.check("resume_stream_output");
        Submit::Done
    }

    fn flush(&mut self, _: Told<'_>, p: &Flush) -> Submit {
        // SAFETY: GL rule 1.
        unsafe {
            if p.wait != 0 {
                self.gl.finish();
            } else {
                self.gl.flush();
            }
        }
        self.check("flush");
        Submit::Done
    }

    fn present(&mut self, _: Told<'_>, _: &Present) -> Submit {
        self.present_window();
        self.collect_twins();
        // SAFETY: GL rule 1.
        unsafe { self.gl.flush() };
        self.check("present");
        Submit::Done
    }

    fn set_swap_interval(&mut self, interval: i32) {
        self.swap_interval = interval;
    }

    fn create_context(&mut self, context: ContextId) -> Result<(), PipeError> {
        let driver = self
            .driver
            .create_context()
            .map_err(PipeError::DeviceLost)?;
        self.contexts
            .insert(context, Box::new(Context::new(Some(driver))));
        self.context_list.push(context);
        Ok(())
    }

    fn destroy_context(&mut self, context: ContextId) {
        if context == self.current {
            self.driver.release();
            self.park();
        }
        self.context_list.retain(|id| *id != context);
        if let Some(cx) = self.contexts.remove(context) {
            for name in cx.stream.names().chain(cx.constants.names()) {
                self.drop_buffer(name);
            }
            if let Some(driver) = cx.driver {
                self.driver.destroy_context(driver);
            }
        }
    }

    fn create_surface(&mut self, surface: SurfaceId, desc: &SurfaceDesc) -> Result<(), PipeError> {
        let window = match desc.source {
            SurfaceSource::Offscreen => None,
            SurfaceSource::X11Window {
                window,
                visual,
                depth,
            } => Some(
                self.driver
                    .create_window(window, visual, depth)
                    .map_err(PipeError::Unsupported)?,
            ),
        };
        if conv::conv(desc.color, &self.gl.features).how == conv::How::Unsupported {
            return Err(PipeError::Unsupported(format!(
                "a drawable of {}",
                desc.color.info().name
            )));
        }
        self.surfaces
            .table
            .insert(surface, Drawable::new(*desc, window));
        Ok(())
    }

    fn resize_surface(
        &mut self,
        surface: SurfaceId,
        width: u32,
        height: u32,
    ) -> Result<(), PipeError> {
        let Some(drawable) = self.surfaces.table.get_mut(surface) else {
            return Ok(());
        };
        drawable.desc.width = width;
        drawable.desc.height = height;
        for image in drawable.take_images() {
            self.drop_image(image);
        }
        if self.has_context() && (surface == self.cx.draw || surface == self.cx.read) {
            self.prepare_surfaces();
        }
        Ok(())
    }

    fn destroy_surface(&mut self, surface: SurfaceId) {
        if let Some(mut drawable) = self.surfaces.table.remove(surface) {
            for image in drawable.take_images() {
                self.drop_image(image);
            }
            if let Some(window) = drawable.window {
                self.driver.destroy_window(window);
            }
        }
    }

    fn make_current(
        &mut self,
        context: ContextId,
        draw: SurfaceId,
        read: SurfaceId,
    ) -> Result<(), PipeError> {
        if context.is_null() {
            self.driver.release();
            self.park();
            return Ok(());
        }
        if context != self.current {
            self.park();
            let Some(cx) = self.contexts.remove(context) else {
                return Err(PipeError::DeviceLost(
                    "no such context in the GLES backend".into(),
                ));
            };
            self.cx = cx;
            self.current = context;
        }
        let Some(driver) = self.cx.driver else {
            return Ok(());
        };
        self.driver
            .make_current(driver, None)
            .map_err(PipeError::DeviceLost)?;
        let units = self.units();
        self.cx.initialise(self.gl, units);
        if (self.cx.draw, self.cx.read) != (draw, read) {
            self.cx.draw = draw;
            self.cx.read = read;
            self.textures.epoch += 1;
        }
        self.prepare_surfaces();
        self.empty_trash();
        self.check("make_current");
        Ok(())
    }

    fn events(&mut self) -> &mut EventQueue {
        &mut self.events
    }
}
