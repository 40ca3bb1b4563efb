//! What a backend is. It exists once, whoever carries the calls; it reads what it was told and nothing else.

use crate::inputs::PipeInputs;
use crate::objects::Objects;
use pipe::*;
use std::sync::Arc;

/// What was told, for one verb.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// The context's state.
    pub inputs: &'a PipeInputs,
    /// Descriptions of the session's objects.
    pub objects: &'a Objects,
}

/// A backend. State calls (`set_*`, `bind_*`) never reach it: the executor folds them into [`PipeInputs`], and a backend compares
/// generations at the verb. Object calls reach it after the executor has stored their description in [`Objects`].
///
/// A backend makes driver objects lazily, at the verb. It reports what only it can know through [`Self::events`].
pub trait Verbs {
    /// Capabilities of the opened device.
    fn get_caps(&mut self) -> Arc<Caps>;

    fn resource_create(&mut self, desc: &ResourceDesc);
    /// `before` is the description that held until now.
    fn resource_respecify(&mut self, desc: &ResourceDesc, before: Option<&ResourceDesc>);
    fn resource_destroy(&mut self, resource: ResourceRef);
    fn map_persistent(&mut self, buffer: BufferId) -> bool;
    fn unmap_persistent(&mut self, buffer: BufferId);

    fn fence_create(&mut self, fence: FenceId);
    fn fence_status(&mut self, fence: FenceId) -> FenceStatus;
    fn fence_wait(&mut self, fence: FenceId, timeout_ns: u64) -> FenceStatus;
    fn fence_destroy(&mut self, fence: FenceId);

    fn query_create(&mut self, query: QueryId, target: u32, index: u32);
    fn query_begin(&mut self, told: Told<'_>, query: QueryId);
    fn query_end(&mut self, told: Told<'_>, query: QueryId);
    fn query_available(&mut self, query: QueryId) -> bool;
    fn query_result(&mut self, query: QueryId) -> u64;
    fn query_destroy(&mut self, query: QueryId);

    /// CSOs: descriptions are in [`Objects`]; twins may be made now or at the verb.
    fn create_render_state(&mut self, id: RenderStateId);
    fn delete_render_state(&mut self, id: RenderStateId);
    fn create_vertex_elements(&mut self, desc: &VertexElementsDesc);
    fn delete_vertex_elements(&mut self, id: VertexElementsId);
    fn create_sampler(&mut self, desc: &SamplerDesc);
    fn delete_sampler(&mut self, id: SamplerId);
    fn create_sampler_view(&mut self, desc: &SamplerViewDesc);
    fn delete_sampler_view(&mut self, id: SamplerViewId);
    /// `archive` is [`pipe::program`]'s; kept if needed later.
    fn create_shader(&mut self, desc: &ShaderDesc, archive: &[u8]);
    fn delete_shader(&mut self, id: ShaderId);

    fn set_texture_params(&mut self, params: &TextureParams);
    fn resource_subdata(
        &mut self,
        objects: &Objects,
        p: &SubData,
        regions: &[SubRegion],
        bytes: &[u8],
    );
    fn buffer_subdata_resident(&mut self, p: &SubData, bytes: &[u8]);
    fn resource_flush_range(&mut self, p: &FlushRange, bytes: &[u8]);
    /// Fills `out`; `false` if the buffer has no storage here.
    fn resource_readback(&mut self, p: &Readback, out: &mut [u8]) -> bool;
    fn resource_copy_region(&mut self, objects: &Objects, p: &CopyRegion);
    fn generate_mipmap(&mut self, told: Told<'_>, p: &GenerateMipmap) -> Submit;
    fn get_texture_image(
        &mut self,
        told: Told<'_>,
        p: &GetTextureImage,
        out: Option<&mut [u8]>,
    ) -> Submit;
    fn resource_subdata_complete(&mut self, p: &SubDataComplete);

    fn draw_vbo(
        &mut self,
        told: Told<'_>,
        p: &DrawInfo,
        ranges: &[DrawRange],
        indirect: &[DrawIndirect],
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) -> Submit;
    fn launch_grid(&mut self, told: Told<'_>, p: &GridInfo) -> Submit;
    fn memory_barrier(&mut self, told: Told<'_>, p: &MemoryBarrier) -> Submit;
    fn blit(&mut self, told: Told<'_>, p: &Blit) -> Submit;
    fn clear(&mut self, told: Told<'_>, p: &Clear) -> Submit;
    fn read_pixels(&mut self, told: Told<'_>, p: &ReadPixels, out: Option<&mut [u8]>) -> Submit;
    fn begin_stream_output(&mut self, told: Told<'_>, p: &BeginStreamOutput) -> Submit;
    fn end_stream_output(&mut self, told: Told<'_>, p: &EndStreamOutput) -> Submit;
    fn pause_stream_output(&mut self, told: Told<'_>) -> Submit;
    fn resume_stream_output(&mut self, told: Told<'_>) -> Submit;
    fn flush(&mut self, told: Told<'_>, p: &Flush) -> Submit;
    fn present(&mut self, told: Told<'_>, p: &Present) -> Submit;
    fn set_swap_interval(&mut self, interval: i32);

    fn create_context(&mut self, context: ContextId) -> Result<(), PipeError>;
    fn destroy_context(&mut self, context: ContextId);
    fn create_surface(&mut self, surface: SurfaceId, desc: &SurfaceDesc) -> Result<(), PipeError>;
    fn resize_surface(
        &mut self,
        surface: SurfaceId,
        width: u32,
        height: u32,
    ) -> Result<(), PipeError>;
    fn destroy_surface(&mut self, surface: SurfaceId);
    fn make_current(
        &mut self,
        context: ContextId,
        draw: SurfaceId,
        read: SurfaceId,
    ) -> Result<(), PipeError>;
    fn events(&mut self) -> &mut EventQueue;
}
