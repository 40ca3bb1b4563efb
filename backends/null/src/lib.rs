//! The null backend: checks what it is told and draws nothing. What everything in front of a backend costs is measured on it.
//!
//! It keeps the facts that a driver would trip over (is a handle alive, does a range lie inside its resource) and reports a broken one as
//! an `Error` log event by name: the frontend's own bug, never the application's. Reads answer zeros.
#![forbid(unsafe_code)]

mod caps;
mod checks;

pub use caps::null_caps;

use checks::Checks;
use pipe::*;
use pipe_inputs::{Objects, Told, Verbs};
use std::sync::Arc;

/// How often each kind of call arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub draws: u64,
    pub clears: u64,
    pub uploads: u64,
    pub upload_bytes: u64,
    pub creates: u64,
    pub destroys: u64,
}

/// The backend.
#[derive(Debug)]
pub struct NullBackend {
    caps: Arc<Caps>,
    events: EventQueue,
    checks: Checks,
    totals: Totals,
}

impl Default for NullBackend {
    fn default() -> Self {
        Self {
            caps: Arc::new(null_caps()),
            events: EventQueue::default(),
            checks: Checks::default(),
            totals: Totals::default(),
        }
    }
}

impl NullBackend {
    /// What arrived so far.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    fn expect(&mut self, ok: bool, call: Call, what: &str) {
        if !ok {
            self.complain(call, what);
        }
    }

    #[cold]
    fn complain(&mut self, call: Call, what: &str) {
        let text = format!("contract broken: {}: {what}", call.row().name);
        self.events.push(PipeEvent::Log {
            level: LogLevel::Error,
            text,
        });
    }
}

impl Verbs for NullBackend {
    fn get_caps(&mut self) -> Arc<Caps> {
        Arc::clone(&self.caps)
    }

    fn resource_create(&mut self, desc: &ResourceDesc) {
        self.totals.creates += 1;
        let ok = self.checks.create(desc.resource);
        self.expect(
            ok,
            Call::resource_create,
            "the handle is null or alive already",
        );
    }

    fn resource_respecify(&mut self, desc: &ResourceDesc, before: Option<&ResourceDesc>) {
        let ok = before.is_some() && self.checks.is_alive(desc.resource);
        self.expect(ok, Call::resource_respecify, "the resource was not created");
    }

    fn resource_destroy(&mut self, resource: ResourceRef) {
        self.totals.destroys += 1;
        let ok = self.checks.destroy(resource);
        self.expect(ok, Call::resource_destroy, "the resource is not alive");
    }

    fn map_persistent(&mut self, _: BufferId) -> bool {
        false
    }

    fn unmap_persistent(&mut self, _: BufferId) {
        self.complain(Call::unmap_persistent, "nothing was mapped");
    }

    fn fence_create(&mut self, fence: FenceId) {
        let ok = self.checks.fences.insert(fence);
        self.expect(ok, Call::fence_create, "the fence is alive already");
    }

    fn fence_status(&mut self, fence: FenceId) -> FenceStatus {
        let ok = self.checks.fences.contains(&fence);
        self.expect(ok, Call::fence_status, "the fence is not alive");
        FenceStatus::Signalled
    }

    fn fence_wait(&mut self, fence: FenceId, _: u64) -> FenceStatus {
        self.fence_status(fence)
    }

    fn fence_destroy(&mut self, fence: FenceId) {
        let ok = self.checks.fences.remove(&fence);
        self.expect(ok, Call::fence_destroy, "the fence is not alive");
    }

    fn query_create(&mut self, query: QueryId, _: u32, _: u32) {
        let ok = self.checks.queries.insert(query);
        self.expect(ok, Call::query_create, "the query is alive already");
    }

    fn query_begin(&mut self, _: Told<'_>, query: QueryId) {
        let ok = self.checks.queries.contains(&query);
        self.expect(ok, Call::query_begin, "the query is not alive");
    }

    fn query_end(&mut self, _: Told<'_>, query: QueryId) {
        let ok = self.checks.queries.contains(&query);
        self.expect(ok, Call::query_end, "the query is not alive");
    }

    fn query_available(&mut self, _: QueryId) -> bool {
        true
    }

    fn query_result(&mut self, _: QueryId) -> u64 {
        0
    }

    fn query_destroy(&mut self, query: QueryId) {
        let ok = self.checks.queries.remove(&query);
        self.expect(ok, Call::query_destroy, "the query is not alive");
    }

    fn create_render_state(&mut self, _: RenderStateId) {
        self.totals.creates += 1;
    }

    fn delete_render_state(&mut self, _: RenderStateId) {}

    fn create_vertex_elements(&mut self, desc: &VertexElementsDesc) {
        self.totals.creates += 1;
        // What stands in an attribute that is off means nothing.
        let ok = desc.attribs.iter().all(|a| {
            a.enabled == 0
                || (usize::from(a.binding) < MAX_VERTEX_ATTRIBS && (1..=4).contains(&a.components))
        });
        self.expect(
            ok,
            Call::create_vertex_elements,
            "an attribute has a binding point or component count out of range",
        );
    }

    fn delete_vertex_elements(&mut self, _: VertexElementsId) {}

    fn create_sampler(&mut self, _: &SamplerDesc) {
        self.totals.creates += 1;
    }

    fn delete_sampler(&mut self, _: SamplerId) {}

    fn create_sampler_view(&mut self, desc: &SamplerViewDesc) {
        self.totals.creates += 1;
        let ok = self.checks.is_alive(desc.texture.into());
        self.expect(ok, Call::create_sampler_view, "the texture is not alive");
    }

    fn delete_sampler_view(&mut self, _: SamplerViewId) {}

    fn create_shader(&mut self, _: &ShaderDesc, archive: &[u8]) {
        self.totals.creates += 1;
        let ok = program::ProgramArtifact::from_archive(archive).is_ok();
        self.expect(ok, Call::create_shader, "the archive does not open");
    }

    fn delete_shader(&mut self, _: ShaderId) {}

    fn set_texture_params(&mut self, params: &TextureParams) {
        let ok = self.checks.is_alive(params.texture.into());
        self.expect(ok, Call::set_texture_params, "the texture is not alive");
    }

    fn resource_subdata(
        &mut self,
        objects: &Objects,
        p: &SubData,
        regions: &[SubRegion],
        bytes: &[u8],
    ) {
        self.totals.uploads += 1;
        self.totals.upload_bytes += bytes.len() as u64;
        if let Err(what) = checks::subdata(objects, p, regions, bytes) {
            self.complain(Call::resource_subdata, what);
        }
    }

    fn buffer_subdata_resident(&mut self, _: &SubData, _: &[u8]) {
        self.complain(
            Call::buffer_subdata_resident,
            "caps have no resident_subdata",
        );
    }

    fn resource_flush_range(&mut self, p: &FlushRange, bytes: &[u8]) {
        let ok = self.checks.is_alive(p.buffer.into()) && bytes.len() as u64 == p.size_bytes;
        self.expect(
            ok,
            Call::resource_flush_range,
            "the buffer is not alive, or the bytes are not the range's",
        );
    }

    fn resource_readback(&mut self, p: &Readback, _: &mut [u8]) -> bool {
        let ok = self.checks.is_alive(p.buffer.into());
        self.expect(ok, Call::resource_readback, "the buffer is not alive");
        // The client's copy stays the truth: nothing here ever writes.
        false
    }

    fn resource_copy_region(&mut self, _: &Objects, p: &CopyRegion) {
        let ok = self.checks.is_alive(p.src) && self.checks.is_alive(p.dst);
        self.expect(ok, Call::resource_copy_region, "an end is not alive");
    }

    fn generate_mipmap(&mut self, _: Told<'_>, p: &GenerateMipmap) -> Submit {
        let ok = self.checks.is_alive(p.texture.into());
        self.expect(ok, Call::generate_mipmap, "the texture is not alive");
        Submit::Done
    }

    fn get_texture_image(
        &mut self,
        _: Told<'_>,
        p: &GetTextureImage,
        out: Option<&mut [u8]>,
    ) -> Submit {
        let ok = self.checks.is_alive(p.texture.into());
        self.expect(ok, Call::get_texture_image, "the texture is not alive");
        if let Some(out) = out {
            out.fill(0);
        }
        Submit::Done
    }

    fn resource_subdata_complete(&mut self, _: &SubDataComplete) {
        self.complain(Call::resource_subdata_complete, "nothing was pulled");
    }

    #[inline]
    fn draw_vbo(
        &mut self,
        told: Told<'_>,
        p: &DrawInfo,
        ranges: &[DrawRange],
        indirect: &[DrawIndirect],
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) -> Submit {
        self.totals.draws += 1 + ranges.len() as u64;
        if self.checks.draw_moved(&told)
            && let Err(what) = Checks::draw(&told)
        {
            self.complain(Call::draw_vbo, what);
        }
        if p.flags != 0
            && let Err(what) = checks::draw_tail(p, indirect, user_indices, host)
        {
            self.complain(Call::draw_vbo, what);
        }
        Submit::Done
    }

    fn launch_grid(&mut self, _: Told<'_>, _: &GridInfo) -> Submit {
        Submit::Done
    }

    fn memory_barrier(&mut self, _: Told<'_>, _: &MemoryBarrier) -> Submit {
        Submit::Done
    }

    fn blit(&mut self, told: Told<'_>, _: &Blit) -> Submit {
        let fb = told.inputs.framebuffer();
        let ok = fb.complete != 0 && fb.read.complete != 0;
        self.expect(ok, Call::blit, "a framebuffer is incomplete");
        Submit::Done
    }

    fn clear(&mut self, told: Told<'_>, _: &Clear) -> Submit {
        self.totals.clears += 1;
        let _ = told.inputs.render_state();
        let ok = told.inputs.framebuffer().complete != 0;
        self.expect(ok, Call::clear, "the framebuffer is incomplete");
        Submit::Done
    }

    fn read_pixels(&mut self, told: Told<'_>, _: &ReadPixels, out: Option<&mut [u8]>) -> Submit {
        let _ = told.inputs.pack();
        let ok = told.inputs.framebuffer().read.complete != 0;
        self.expect(ok, Call::read_pixels, "the read framebuffer is incomplete");
        if let Some(out) = out {
            out.fill(0);
        }
        Submit::Done
    }

    fn begin_stream_output(&mut self, _: Told<'_>, _: &BeginStreamOutput) -> Submit {
        Submit::Done
    }

    fn end_stream_output(&mut self, _: Told<'_>, _: &EndStreamOutput) -> Submit {
        Submit::Done
    }

    fn pause_stream_output(&mut self, _: Told<'_>) -> Submit {
        Submit::Done
    }

    fn resume_stream_output(&mut self, _: Told<'_>) -> Submit {
        Submit::Done
    }

    fn flush(&mut self, _: Told<'_>, _: &Flush) -> Submit {
        Submit::Done
    }

    fn present(&mut self, _: Told<'_>, _: &Present) -> Submit {
        Submit::Done
    }

    fn set_swap_interval(&mut self, _: i32) {}

    fn create_context(&mut self, _: ContextId) -> Result<(), PipeError> {
        Ok(())
    }

    fn destroy_context(&mut self, _: ContextId) {}

    fn create_surface(&mut self, _: SurfaceId, _: &SurfaceDesc) -> Result<(), PipeError> {
        Ok(())
    }

    fn resize_surface(&mut self, _: SurfaceId, _: u32, _: u32) -> Result<(), PipeError> {
        Ok(())
    }

    fn destroy_surface(&mut self, _: SurfaceId) {}

    fn make_current(&mut self, _: ContextId, _: SurfaceId, _: SurfaceId) -> Result<(), PipeError> {
        self.checks.forget();
        Ok(())
    }

    #[inline]
    fn events(&mut self) -> &mut EventQueue {
        &mut self.events
    }
}
