//! The backend as the executor sees it: the verbs, each a line or two that leads to the file of its noun.
#![allow(unsafe_code)]

use crate::buffers::Buffer;
use crate::caps;
use crate::commands::Commands;
use crate::convert::ConvertKey;
use crate::descriptors::Uses;
use crate::device::{Gpu, OpenError, OpenOptions};
use crate::draw::{Bound, DrawMemo};
use crate::framebuffer::TargetMemo;
use crate::images::{ImageKey, Images, Texture, spec_of};
use crate::indices::RewriteKey;
use crate::internal::Internal;
use crate::memory::RawBuffer;
use crate::pipeline_cache::PipelineCache;
use crate::pipelines::Pipelines;
use crate::programs::Program;
use crate::queries::Query;
use crate::stream_output::StreamOutput;
use crate::surfaces::Drawable;
use crate::trash::{Garbage, Trash};
use crate::uploads::{Slice, StreamRing};
use ash::vk;
use backend_common::TwinTable;
use pipe::*;
use pipe_inputs::{Objects, Told, Verbs};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

const GL_OUT_OF_MEMORY: u32 = 0x0505;
const GL_CONTEXT_LOST: u32 = 0x0507;

/// Opens the backend on the best device.
pub fn open(options: &OpenOptions) -> Result<VulkanBackend, OpenError> {
    VulkanBackend::new(Gpu::open(options)?, options)
}

/// One session's device, objects and command stream.
#[derive(Debug)]
pub struct VulkanBackend {
    pub(crate) gpu: Gpu,
    caps: Arc<Caps>,
    events: EventQueue,
    pub(crate) commands: Commands,
    pub(crate) trash: Trash,
    stream: StreamRing,
    /// Moves when an object that anything resolved refers to was replaced.
    pub(crate) world: u64,
    /// Moves when layouts or hazards may have moved: whenever something was recorded outside of a pass.
    pub(crate) motion: u64,
    version: u64,
    pub(crate) buffers: TwinTable<BufferId, Buffer>,
    pub(crate) images: Images,
    pub(crate) textures: TwinTable<TextureId, Texture>,
    pub(crate) renderbuffers: TwinTable<RenderbufferId, ImageKey>,
    pub(crate) samplers: TwinTable<SamplerId, vk::Sampler>,
    pub(crate) programs: TwinTable<ShaderId, Program>,
    pub(crate) pipelines: Pipelines,
    pub(crate) queries: TwinTable<QueryId, Query>,
    pub(crate) active_queries: Vec<QueryId>,
    pub(crate) fences: TwinTable<FenceId, u64>,
    pub(crate) surfaces: TwinTable<SurfaceId, Drawable>,
    pub(crate) current_draw: SurfaceId,
    pub(crate) current_read: SurfaceId,
    pub(crate) swap_interval: i32,
    pub(crate) target: TargetMemo,
    pub(crate) bound: Bound,
    pub(crate) draw: DrawMemo,
    pub(crate) uses: Uses,
    pub(crate) rewrites: FxHashMap<RewriteKey, Vec<u32>>,
    pub(crate) converted: Vec<(ConvertKey, RawBuffer)>,
    pub(crate) internal: Internal,
    pub(crate) scratch_images: Vec<ImageKey>,
    pub(crate) stream_output: StreamOutput,
    /// The driver has compiled and drawn once.
    pub(crate) settled: bool,
    /// What was refused by name already: each once.
    said: BTreeSet<String>,
}

impl VulkanBackend {
    fn new(gpu: Gpu, options: &OpenOptions) -> Result<Self, OpenError> {
        let key = options.twins;
        let caps = Arc::new(caps::caps(&gpu));
        let mut backend = Self {
            gpu,
            caps,
            events: EventQueue::default(),
            commands: Commands::default(),
            trash: Trash::default(),
            stream: StreamRing::default(),
            world: 1,
            motion: 1,
            version: 0,
            buffers: TwinTable::new(key),
            images: Images::default(),
            textures: TwinTable::new(key),
            renderbuffers: TwinTable::new(key),
            samplers: TwinTable::new(key),
            programs: TwinTable::new(key),
            pipelines: Pipelines::default(),
            queries: TwinTable::new(key),
            active_queries: Vec::new(),
            fences: TwinTable::new(key),
            surfaces: TwinTable::new(key),
            current_draw: SurfaceId::NULL,
            current_read: SurfaceId::NULL,
            swap_interval: 1,
            target: TargetMemo::default(),
            bound: Bound::default(),
            draw: DrawMemo::default(),
            uses: Uses::default(),
            rewrites: FxHashMap::default(),
            converted: Vec::new(),
            internal: Internal::default(),
            scratch_images: Vec::new(),
            stream_output: StreamOutput::default(),
            settled: false,
            said: BTreeSet::new(),
        };
        let cache = PipelineCache::open(&backend.gpu, options.cache.clone());
        backend.pipelines.cache = cache.map_err(|result| OpenError::Vulkan {
            what: "vkCreatePipelineCache",
            result,
        })?;
        Ok(backend)
    }

    /// Messages of the validation layer since the device was opened.
    pub fn validation_messages(&self) -> u64 {
        self.gpu.validation_messages()
    }

    /// A number that was never given before.
    pub(crate) fn next_version(&mut self) -> u64 {
        self.version += 1;
        self.version
    }

    /// Says what this backend or device cannot do, once per text.
    pub(crate) fn fail(&mut self, what: &str) {
        if self.said.insert(what.to_owned()) {
            tracing::error!("not supported by the Vulkan backend: {what}");
            self.events.push(PipeEvent::Log {
                level: LogLevel::Error,
                text: format!("not supported by the Vulkan backend: {what}"),
            });
        }
    }

    /// Turns a failure of the device into an event, if there was one.
    pub(crate) fn report_lost(&mut self, what: &str) {
        let Some(result) = self.gpu.lost else {
            return;
        };
        let code = match result {
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY | vk::Result::ERROR_OUT_OF_HOST_MEMORY => {
                self.gpu.lost = None;
                GL_OUT_OF_MEMORY
            }
            vk::Result::ERROR_DEVICE_LOST => GL_CONTEXT_LOST,
            other => {
                self.gpu.lost = None;
                self.fail(&format!("{what}: {other}"));
                return;
            }
        };
        self.events.push(PipeEvent::GlError {
            code,
            what: format!("{what}: {result}"),
        });
    }

    /// Whether the device is lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.gpu.lost == Some(vk::Result::ERROR_DEVICE_LOST)
    }

    /// Messages of the validation layer become error lines.
    pub(crate) fn report_validation(&mut self) {
        for text in self.gpu.take_validation() {
            self.events.push(PipeEvent::Log {
                level: LogLevel::Error,
                text: format!("Vulkan validation: {text}"),
            });
        }
    }

    /// Bytes in the stream ring.
    pub(crate) fn stage(&mut self, bytes: &[u8], align: u64) -> Option<Slice> {
        self.stage_with(bytes.len() as u64, align, |out| out.copy_from_slice(bytes))
    }

    /// Room in the stream ring. Work that reads it is recorded before the next submission.
    pub(crate) fn stage_with(
        &mut self,
        size_bytes: u64,
        align: u64,
        fill: impl FnOnce(&mut [u8]),
    ) -> Option<Slice> {
        let slice = self.stream.fill(
            &mut self.gpu,
            &self.commands,
            &mut self.trash,
            size_bytes,
            align,
            fill,
        );
        if slice.is_none() {
            self.report_lost("stream memory");
        }
        slice
    }

    /// Twins whose handles ended (identity-keyed tables yield them late).
    pub(crate) fn collect_twins(&mut self) {
        let serial = self.commands.serial();
        let mut buffers = Vec::new();
        self.buffers.collect(&mut buffers);
        for buffer in buffers {
            self.world += 1;
            self.trash.push(serial, Garbage::Buffer(buffer.raw));
        }
        let mut samplers = Vec::new();
        self.samplers.collect(&mut samplers);
        for sampler in samplers {
            self.world += 1;
            self.trash.push(serial, Garbage::Sampler(sampler));
        }
        let mut textures = Vec::new();
        self.textures.collect(&mut textures);
        let mut images: Vec<ImageKey> = textures.into_iter().filter_map(|t| t.image).collect();
        self.renderbuffers.collect(&mut images);
        for image in images {
            self.world += 1;
            self.release_image(image);
        }
        let mut programs = Vec::new();
        self.programs.collect(&mut programs);
        for program in programs {
            self.retire_program(Some(program));
        }
        let mut queries = Vec::new();
        self.queries.collect(&mut queries);
        for query in queries {
            self.retire_query(query);
        }
        // A fence is a number.
        self.fences.collect(&mut Vec::new());
    }

    fn end_texture(&mut self, id: TextureId) {
        if let Some(texture) = self.textures.remove(id) {
            self.world += 1;
            if let Some(key) = texture.image {
                self.release_image(key);
            }
        }
    }

    fn specify(&mut self, desc: &ResourceDesc) {
        match desc.resource.get() {
            Resource::Buffer(id) => self.specify_buffer(id, desc),
            Resource::Texture(id) => self.specify_texture(id, desc),
            Resource::Renderbuffer(id) => {
                let mut old = self.renderbuffers.take(id);
                self.world += 1;
                if desc.format != Format::None && desc.width != 0 {
                    let made = self.create_image(&spec_of(desc));
                    if let Some(key) = made {
                        let unwanted =
                            self.renderbuffers
                                .insert_with_lifetime(id, desc.lifetime, key);
                        old = old.or(unwanted);
                    }
                }
                if let Some(key) = old {
                    self.release_image(key);
                }
            }
            Resource::None => {}
        }
    }
}

impl Verbs for VulkanBackend {
    fn get_caps(&mut self) -> Arc<Caps> {
        self.caps.clone()
    }

    fn resource_create(&mut self, desc: &ResourceDesc) {
        self.specify(desc);
    }

    fn resource_respecify(&mut self, desc: &ResourceDesc, _before: Option<&ResourceDesc>) {
        self.specify(desc);
    }

    fn resource_destroy(&mut self, resource: ResourceRef) {
        match resource.get() {
            Resource::Buffer(id) => self.destroy_buffer(id),
            Resource::Texture(id) => self.end_texture(id),
            Resource::Renderbuffer(id) => {
                if let Some(key) = self.renderbuffers.remove(id) {
                    self.release_image(key);
                }
            }
            Resource::None => {}
        }
    }

    fn map_persistent(&mut self, _buffer: BufferId) -> bool {
        false
    }

    fn unmap_persistent(&mut self, _buffer: BufferId) {}

    fn fence_create(&mut self, fence: FenceId) {
        let serial = self.last_serial();
        self.fences.insert(fence, serial);
    }

    fn fence_status(&mut self, fence: FenceId) -> FenceStatus {
        self.wait_fence(fence, 0)
    }

    fn fence_wait(&mut self, fence: FenceId, timeout_ns: u64) -> FenceStatus {
        self.wait_fence(fence, timeout_ns)
    }

    fn fence_destroy(&mut self, fence: FenceId) {
        self.fences.remove(fence);
    }

    fn query_create(&mut self, query: QueryId, target: u32, index: u32) {
        self.make_query(query, target, index);
    }

    fn query_begin(&mut self, _told: Told<'_>, query: QueryId) {
        self.start_query(query);
    }

    fn query_end(&mut self, _told: Told<'_>, query: QueryId) {
        self.stop_query(query);
    }

    fn query_available(&mut self, query: QueryId) -> bool {
        self.query_ready(query)
    }

    fn query_result(&mut self, query: QueryId) -> u64 {
        self.query_value(query)
    }

    fn query_destroy(&mut self, query: QueryId) {
        self.end_query_object(query);
    }

    fn create_render_state(&mut self, _id: RenderStateId) {
        // Pipelines are keyed by the state's content: nothing to make ahead.
    }

    fn delete_render_state(&mut self, _id: RenderStateId) {}

    fn create_vertex_elements(&mut self, _desc: &VertexElementsDesc) {
        // As for render states.
    }

    fn delete_vertex_elements(&mut self, _id: VertexElementsId) {}

    fn create_sampler(&mut self, desc: &SamplerDesc) {
        if let Some(sampler) = self.make_sampler(desc)
            && let Some(old) = self.samplers.insert(desc.id, sampler)
        {
            self.trash
                .push(self.commands.serial(), Garbage::Sampler(old));
        }
    }

    fn delete_sampler(&mut self, id: SamplerId) {
        if let Some(sampler) = self.samplers.remove(id) {
            self.world += 1;
            self.trash
                .push(self.commands.serial(), Garbage::Sampler(sampler));
        }
    }

    fn create_sampler_view(&mut self, _desc: &SamplerViewDesc) {
        // Image views depend on the texture's parameters too: made at the verb, cached with the storage.
    }

    fn delete_sampler_view(&mut self, _id: SamplerViewId) {}

    fn create_shader(&mut self, desc: &ShaderDesc, archive: &[u8]) {
        self.make_program(desc, archive);
        self.report_lost("a program");
    }

    fn delete_shader(&mut self, id: ShaderId) {
        self.end_program(id);
    }

    fn set_texture_params(&mut self, params: &TextureParams) {
        if let Some(texture) = self.textures.get_mut(params.texture) {
            texture.params = Some(*params);
            self.world += 1;
        }
    }

    fn resource_subdata(
        &mut self,
        _objects: &Objects,
        p: &SubData,
        regions: &[SubRegion],
        bytes: &[u8],
    ) {
        match p.resource.get() {
            Resource::Buffer(id) => {
                let n = bytes.len().min(p.buffer_size_bytes as usize);
                self.write_buffer(id, p.buffer_offset_bytes, &bytes[..n]);
            }
            Resource::Texture(id) => {
                let Some(texture) = self.textures.get(id) else {
                    return;
                };
                let Some(image) = texture.image else { return };
                let (level, layer, format) = (
                    u32::from(p.level) + texture.min_level,
                    texture.min_layer,
                    texture.desc.format,
                );
                self.upload_texels(image, level, layer, format, regions, bytes);
            }
            Resource::Renderbuffer(_) | Resource::None => {}
        }
        self.report_lost("an upload");
    }

    fn buffer_subdata_resident(&mut self, p: &SubData, bytes: &[u8]) {
        if let Resource::Buffer(id) = p.resource.get() {
            self.write_buffer(id, p.buffer_offset_bytes, bytes);
        }
    }

    fn resource_flush_range(&mut self, p: &FlushRange, bytes: &[u8]) {
        self.write_buffer(p.buffer, p.offset_bytes, bytes);
    }

    fn resource_readback(&mut self, p: &Readback, out: &mut [u8]) -> bool {
        let n = out.len().min(p.size_bytes as usize);
        let had = self.read_buffer(p.buffer, p.offset_bytes, &mut out[..n]);
        self.report_lost("a readback");
        had
    }

    fn resource_copy_region(&mut self, _objects: &Objects, p: &CopyRegion) {
        self.copy_region(p);
        self.report_lost("a copy");
    }

    fn generate_mipmap(&mut self, _told: Told<'_>, p: &GenerateMipmap) -> Submit {
        self.make_mipmaps(p);
        self.report_lost("mipmap generation");
        Submit::Done
    }

    fn get_texture_image(
        &mut self,
        told: Told<'_>,
        p: &GetTextureImage,
        out: Option<&mut [u8]>,
    ) -> Submit {
        self.read_texture(told, p, out);
        self.report_lost("a readback");
        Submit::Done
    }

    fn resource_subdata_complete(&mut self, _p: &SubDataComplete) {
        // This backend keeps all texels itself: it never asks for any.
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
        self.draw(told, p, ranges, indirect, user_indices, host)
    }

    fn launch_grid(&mut self, told: Told<'_>, p: &GridInfo) -> Submit {
        self.dispatch(told, p);
        self.report_lost("a dispatch");
        Submit::Done
    }

    fn memory_barrier(&mut self, _told: Told<'_>, _p: &MemoryBarrier) -> Submit {
        if self.commands.is_recording() && self.outside().is_some() {
            self.commands.full_barrier(&mut self.gpu);
        }
        Submit::Done
    }

    fn blit(&mut self, told: Told<'_>, p: &Blit) -> Submit {
        self.blit_framebuffer(told, p);
        self.report_lost("a blit");
        Submit::Done
    }

    fn clear(&mut self, told: Told<'_>, p: &Clear) -> Submit {
        self.clear_buffers(told, p);
        self.report_lost("a clear");
        Submit::Done
    }

    fn read_pixels(&mut self, told: Told<'_>, p: &ReadPixels, out: Option<&mut [u8]>) -> Submit {
        self.read_framebuffer(told, p, out);
        self.end_scratch();
        self.report_lost("a readback");
        Submit::Done
    }

    fn begin_stream_output(&mut self, told: Told<'_>, _p: &BeginStreamOutput) -> Submit {
        self.start_capture(told);
        self.report_lost("a capture");
        Submit::Done
    }

    fn end_stream_output(&mut self, told: Told<'_>, _p: &EndStreamOutput) -> Submit {
        self.stop_capture(told);
        Submit::Done
    }

    fn pause_stream_output(&mut self, _told: Told<'_>) -> Submit {
        self.pause_capture();
        Submit::Done
    }

    fn resume_stream_output(&mut self, told: Told<'_>) -> Submit {
        self.resume_capture(told);
        Submit::Done
    }

    fn flush(&mut self, _told: Told<'_>, p: &Flush) -> Submit {
        let serial = self.last_serial();
        self.submit();
        if p.wait != 0 {
            self.finish(serial);
        }
        self.report_lost("a flush");
        Submit::Done
    }

    fn present(&mut self, _told: Told<'_>, _p: &Present) -> Submit {
        self.submit();
        self.present_window();
        self.report_lost("a swap");
        Submit::Done
    }

    fn set_swap_interval(&mut self, interval: i32) {
        self.swap_interval = interval;
    }

    fn create_context(&mut self, _context: ContextId) -> Result<(), PipeError> {
        // Memos are keyed by where a context's inputs stand: another may stand there now.
        self.forget_memos();
        Ok(())
    }

    fn destroy_context(&mut self, _context: ContextId) {
        self.forget_memos();
        self.pipelines.cache.save(&self.gpu);
    }

    fn create_surface(&mut self, surface: SurfaceId, desc: &SurfaceDesc) -> Result<(), PipeError> {
        let drawable = self.make_drawable(desc)?;
        self.replace_drawable(surface, drawable);
        Ok(())
    }

    fn resize_surface(
        &mut self,
        surface: SurfaceId,
        width: u32,
        height: u32,
    ) -> Result<(), PipeError> {
        self.resize_drawable(surface, width, height)
    }

    fn destroy_surface(&mut self, surface: SurfaceId) {
        if let Some(drawable) = self.surfaces.remove(surface) {
            self.end_drawable(drawable);
        }
    }

    fn make_current(
        &mut self,
        _context: ContextId,
        draw: SurfaceId,
        read: SurfaceId,
    ) -> Result<(), PipeError> {
        self.current_draw = draw;
        self.current_read = read;
        self.forget_memos();
        Ok(())
    }

    fn events(&mut self) -> &mut EventQueue {
        self.report_validation();
        &mut self.events
    }
}

impl VulkanBackend {
    fn forget_memos(&mut self) {
        self.world += 1;
        self.draw = DrawMemo::default();
        self.bound = Bound::default();
    }
}

impl Drop for VulkanBackend {
    fn drop(&mut self) {
        self.submit();
        self.gpu.wait_idle();
        self.end_scratch();
        for drawable in self.surfaces.drain() {
            self.end_drawable(drawable);
        }
        self.drain_queries();
        self.drain_captures();
        let mut garbage: Vec<Garbage> = Vec::new();
        garbage.extend(
            self.buffers
                .drain()
                .into_iter()
                .map(|b| Garbage::Buffer(b.raw)),
        );
        let converted = std::mem::take(&mut self.converted);
        garbage.extend(converted.into_iter().map(|(_, raw)| Garbage::Buffer(raw)));
        garbage.extend(self.samplers.drain().into_iter().map(Garbage::Sampler));
        for program in self.programs.drain() {
            garbage.extend(program.garbage());
        }
        garbage.extend(self.pipelines.drain().into_iter().map(Garbage::Pipeline));
        for image in self.images.drain() {
            garbage.extend(image.views.into_iter().map(|(_, v)| Garbage::ImageView(v)));
            garbage.push(Garbage::Image(image.raw));
        }
        for item in garbage {
            item.destroy(&mut self.gpu);
        }
        self.trash.collect(&mut self.gpu, u64::MAX);
        self.end_internal();
        self.stream.destroy(&mut self.gpu);
        self.commands.destroy(&mut self.gpu);
        self.pipelines.cache.close(&self.gpu);
        self.gpu.close();
    }
}
