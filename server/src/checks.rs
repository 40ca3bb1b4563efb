//! What a record's values must hold beyond their types, against what was told before. It changes nothing and assumes nothing of the
//! client: each check here is one that a driver or an index would otherwise trip over.

use crate::budget::Budget;
use crate::extents::{MAX_LEVELS, inside, level, past, range};
use crate::fatal::Why;
use pipe::host::{SEGMENT_NONE, SEGMENT_STAGE};
use pipe::pixels::{ClientImage, Dims, LayoutError, PixelFormat, PixelStore, PixelType};
use pipe::render_state::{CHUNKS, DYNAMIC_CHUNKS, PIPELINE_CHUNKS, gathered_bytes};
use pipe::*;
use pipe_inputs::{GROUPS, GroupMask, Told, VerbClass};
use wire::{Command, ReplyRoom};

/// Checks one call.
pub(crate) fn check(command: &Command<'_>, told: Told<'_>, budget: &Budget) -> Result<(), Why> {
    match command {
        Command::get_caps { .. }
        | Command::resource_destroy { .. }
        | Command::map_persistent { .. }
        | Command::unmap_persistent { .. }
        | Command::fence_create { .. }
        | Command::fence_status { .. }
        | Command::fence_wait { .. }
        | Command::fence_destroy { .. }
        | Command::query_create { .. }
        | Command::query_begin { .. }
        | Command::query_end { .. }
        | Command::query_available { .. }
        | Command::query_result { .. }
        | Command::query_destroy { .. }
        | Command::bind_render_state { .. }
        | Command::delete_render_state { .. }
        | Command::bind_vertex_elements { .. }
        | Command::delete_vertex_elements { .. }
        | Command::delete_sampler { .. }
        | Command::delete_sampler_view { .. }
        | Command::bind_shader { .. }
        | Command::delete_shader { .. }
        | Command::set_index_buffer { .. }
        | Command::set_indirect_buffers { .. }
        | Command::set_draw_program { .. }
        | Command::set_dispatch_program { .. }
        // The decoder has looked into the block.
        | Command::set_residual_value_state { .. }
        | Command::set_texture_params { .. }
        | Command::resource_subdata_complete { .. }
        | Command::set_swap_interval { .. }
        | Command::bind_context { .. } => Ok(()),

        Command::resource_create { p } | Command::resource_respecify { p } => resource(p, told),
        Command::create_render_state { p, chunks } => {
            chunks_fit(p.chunk_mask, PIPELINE_CHUNKS, chunks)
        }
        Command::create_vertex_elements { p } => vertex_elements(p),
        Command::create_sampler { p } => domain("border_form", p.border_form, 0..=2),
        Command::create_sampler_view { p } => {
            let levels = u64::from(p.min_level) + u64::from(p.levels);
            limit("levels of the view", levels, u64::from(MAX_LEVELS))
        }
        // The archive is opened by the backend, in its own process; its stages are bounded here.
        Command::create_shader { p, archive } => {
            domain("stages", p.stages, 0..=0x3F)?;
            limit("default block", p.global_constants_bytes.into(), 1 << 20)?;
            limit("archive", archive.len() as u64, budget.bytes)
        }
        Command::set_dynamic_state { p, chunks } => {
            chunks_fit(p.chunk_mask, DYNAMIC_CHUNKS, chunks)
        }
        Command::set_framebuffer_state { p } => framebuffer(p),
        Command::set_vertex_buffers { p, buffers } => {
            slots(p, buffers.len(), MAX_VERTEX_ATTRIBS)?;
            buffers.iter().try_for_each(|buffer| span(&buffer.user))
        }
        Command::set_sampler_views { p, views } => slots(p, views.len(), MAX_TEXTURE_UNITS),
        Command::bind_sampler_states { p, samplers } => {
            slots(p, samplers.len(), MAX_TEXTURE_UNITS)
        }
        Command::set_shader_images { p, images } => slots(p, images.len(), MAX_IMAGE_UNITS),
        Command::set_shader_buffers { p, ranges } => {
            let run = SlotRange {
                start: p.start,
                count: p.count,
            };
            slots(&run, ranges.len(), MAX_BUFFER_BINDINGS)?;
            ranges.iter().try_for_each(|range| span(&range.host))
        }
        Command::set_stream_output_targets { p, ranges } => {
            let run = SlotRange {
                start: 0,
                count: p.count,
            };
            slots(&run, ranges.len(), MAX_STREAM_OUTPUTS)?;
            ranges.iter().try_for_each(|range| span(&range.host))
        }
        Command::set_global_constants { p, bytes } => {
            let Some(shader) = told.objects.shaders.get(p.shader) else {
                return Err(Why::Null(HandleKind::Shader));
            };
            exactly("default block", bytes, shader.constants.len() as u64)
        }
        Command::set_vertex_attrib_defaults { p, values } => {
            domain("mask", p.mask, 0..=(1 << MAX_VERTEX_ATTRIBS) - 1)?;
            counted(p.mask.count_ones(), values.len())?;
            let mut kinds = values.iter().map(|value| value.kind);
            kinds.try_for_each(|kind| domain("kind", kind, 0..=2))
        }
        Command::set_pixel_pack_state { p } => pack(&p.store),
        Command::set_patch_state { p } => domain("patch vertices", p.vertices, 1..=32),
        Command::set_program_bindings { p, bindings } => {
            if p.shader.is_null() {
                return Err(Why::Null(HandleKind::Shader));
            }
            limit("bindings", bindings.len() as u64, 4096)
        }

        Command::resource_subdata { p, regions, bytes } => subdata(p, regions, bytes, told),
        Command::buffer_subdata_resident { p, bytes } => subdata(p, &[], bytes, told),
        Command::resource_flush_range { p, bytes } => {
            let size = buffer_size(told, p.buffer)?;
            range("range", p.offset_bytes, p.size_bytes, size)?;
            exactly("range", bytes, p.size_bytes)
        }
        Command::resource_readback { p, out } => {
            let size = buffer_size(told, p.buffer)?;
            range("range", p.offset_bytes, p.size_bytes, size)?;
            room(*out, p.size_bytes, budget)
        }
        Command::resource_copy_region { p } => copy(p, told),
        Command::generate_mipmap { p } => {
            groups(VerbClass::TextureOp, p.groups, told)?;
            let desc = described(told, p.texture.into())?;
            level(desc, p.base_level)?;
            level(desc, p.last_level)?;
            domain("last_level", p.last_level.into(), p.base_level.into()..=u32::MAX)
        }
        Command::get_texture_image { p, out } => {
            groups(VerbClass::Readback, p.groups, told)?;
            let desc = described(told, p.texture.into())?;
            inside("box", &p.src, level(desc, p.level)?)?;
            let dims = match desc.target {
                Target::Texture3D | Target::Texture2DArray | Target::TextureCubeArray => Dims::Three,
                Target::TextureCube if p.src.depth > 1 => Dims::Three,
                Target::TextureCube
                | Target::Buffer
                | Target::Texture1D
                | Target::Texture2D
                | Target::TextureRectangle
                | Target::Texture1DArray
                | Target::TextureBuffer
                | Target::Texture2DMultisample
                | Target::Texture2DMultisampleArray
                | Target::Renderbuffer => Dims::Two,
            };
            let image = Packed {
                format: p.format,
                ty: p.ty,
                extents: [p.src.width, p.src.height, p.src.depth],
                dims,
            };
            image.fits(told, p.pack_buffer, p.pack_offset_bytes, *out, budget)
        }

        Command::draw_vbo {
            p,
            ranges,
            indirect,
            user_indices,
            host,
        } => {
            groups(VerbClass::Draw, p.groups, told)?;
            draw(p, ranges.len(), indirect, user_indices, told)?;
            // Indices are read by their span at once, so its bytes must be here.
            let resolved = user_indices.iter().all(|span| host.bytes(span).is_some());
            if resolved { Ok(()) } else { Err(Why::Span) }
        }
        Command::launch_grid { p } => {
            groups(VerbClass::Dispatch, p.groups, told)?;
            let ahead = told.inputs.ahead();
            if told.objects.shaders.get(ahead.dispatch_program).is_none() {
                return Err(Why::Null(HandleKind::Shader));
            }
            if p.indirect_offset_bytes == WHOLE {
                return Ok(());
            }
            // GL 4.6 core §19: "DispatchIndirectCommand" is three words.
            let size = buffer_size(told, ahead.indirect.dispatch)?;
            range("dispatch command", p.indirect_offset_bytes, 12, size)
        }
        Command::memory_barrier { p } => groups(VerbClass::Flush, p.groups, told),
        Command::blit { p } => {
            groups(VerbClass::Blit, p.groups, told)?;
            domain("mask", p.mask, 0..=ClearMask::all().bits())?;
            complete(told, Reads::Yes, Draws::Yes)
        }
        Command::clear { p } => {
            groups(VerbClass::Clear, p.groups, told)?;
            domain("mask", p.mask, 0..=ClearMask::all().bits())?;
            domain("color_kind", p.color_kind, 0..=2)?;
            if !(-1..MAX_COLOR_ATTACHMENTS as i32).contains(&p.draw_buffer) {
                return Err(value("draw_buffer", p.draw_buffer.cast_unsigned()));
            }
            complete(told, Reads::No, Draws::Yes)
        }
        Command::read_pixels { p, out } => {
            groups(VerbClass::Readback, p.groups, told)?;
            complete(told, Reads::Yes, Draws::No)?;
            let image = Packed {
                format: p.format,
                ty: p.ty,
                extents: [p.width, p.height, 1],
                dims: Dims::Two,
            };
            image.fits(told, p.pack_buffer, p.pack_offset_bytes, *out, budget)
        }
        Command::begin_stream_output { p } => groups(VerbClass::StreamOutput, p.groups, told),
        Command::end_stream_output { p } => groups(VerbClass::StreamOutput, p.groups, told),
        Command::pause_stream_output { p } | Command::resume_stream_output { p } => {
            groups(VerbClass::StreamOutput, p.groups, told)
        }
        Command::flush { p } => groups(VerbClass::Flush, p.groups, told),
        Command::present { p } => groups(VerbClass::Flush, p.groups, told),
    }
}

fn value(field: &'static str, value: u32) -> Why {
    Why::Value {
        field,
        value: value.into(),
    }
}

fn domain(field: &'static str, is: u32, allowed: std::ops::RangeInclusive<u32>) -> Result<(), Why> {
    if allowed.contains(&is) {
        Ok(())
    } else {
        Err(value(field, is))
    }
}

fn limit(what: &'static str, is: u64, limit: u64) -> Result<(), Why> {
    if is <= limit {
        Ok(())
    } else {
        Err(past(what, is, limit))
    }
}

fn counted(says: u32, holds: usize) -> Result<(), Why> {
    let (says, holds) = (u64::from(says), holds as u64);
    if says == holds {
        Ok(())
    } else {
        Err(Why::Count { says, holds })
    }
}

fn exactly(what: &'static str, bytes: &[u8], needs: u64) -> Result<(), Why> {
    let holds = bytes.len() as u64;
    if holds == needs {
        Ok(())
    } else {
        Err(Why::Bytes { what, holds, needs })
    }
}

fn slots(run: &SlotRange, holds: usize, slots: usize) -> Result<(), Why> {
    counted(run.count, holds)?;
    let end = u64::from(run.start) + u64::from(run.count);
    limit("run of slots", end, slots as u64)
}

fn chunks_fit(mask: u32, among: u32, chunks: &[u8]) -> Result<(), Why> {
    if mask & !among != 0 || mask >> CHUNKS.len() != 0 {
        return Err(value("chunk_mask", mask));
    }
    exactly("chunks", chunks, gathered_bytes(mask) as u64)
}

/// A span in a byte stream names nothing, or a piece of a verb's record.
fn span(span: &HostSpan) -> Result<(), Why> {
    if matches!(span.segment, SEGMENT_NONE | SEGMENT_STAGE) {
        Ok(())
    } else {
        Err(Why::Span)
    }
}

/// The source vouches for what the verb reads, and all of it was told once. Groups without values are objects' contents.
fn groups(class: VerbClass, mask: u32, told: Told<'_>) -> Result<(), Why> {
    if mask & !GroupMask::ALL.0 != 0 {
        return Err(Why::UnknownGroups { mask });
    }
    let required = class.required();
    let first = |mask: u32| GroupMask(mask).iter().next();
    if let Some(group) = first(required.0 & !mask) {
        let group = GROUPS[group as usize].name;
        return Err(Why::GroupNotValidated { group });
    }
    let untold = GroupMask(required.0 & !told.inputs.filled().0);
    let mut with_values = untold
        .iter()
        .map(|group| &GROUPS[group as usize])
        .filter(|row| !row.fields.is_empty());
    match with_values.next() {
        Some(row) => Err(Why::GroupNeverTold { group: row.name }),
        None => Ok(()),
    }
}

fn described(told: Told<'_>, resource: ResourceRef) -> Result<&ResourceDesc, Why> {
    let null = match resource.get() {
        Resource::None | Resource::Buffer(_) => HandleKind::Buffer,
        Resource::Texture(_) => HandleKind::Texture,
        Resource::Renderbuffer(_) => HandleKind::Renderbuffer,
    };
    told.objects.resource(resource).ok_or(Why::Null(null))
}

fn buffer_size(told: Told<'_>, buffer: BufferId) -> Result<u64, Why> {
    described(told, buffer.into()).map(|desc| desc.size_bytes)
}

fn resource(p: &ResourceDesc, told: Told<'_>) -> Result<(), Why> {
    let of_target = match p.target {
        Target::Buffer => HandleKind::Buffer,
        Target::Renderbuffer => HandleKind::Renderbuffer,
        Target::Texture1D
        | Target::Texture2D
        | Target::Texture3D
        | Target::TextureCube
        | Target::TextureRectangle
        | Target::Texture1DArray
        | Target::Texture2DArray
        | Target::TextureCubeArray
        | Target::TextureBuffer
        | Target::Texture2DMultisample
        | Target::Texture2DMultisampleArray => HandleKind::Texture,
    };
    if p.resource.kind != of_target as u32 {
        return Err(value("target", p.target as u32));
    }
    domain("levels", p.levels.into(), 0..=MAX_LEVELS.into())?;
    domain("samples", p.samples.into(), 0..=64)?;
    for extent in [p.width, p.height, p.depth] {
        domain("extent", extent, 0..=1 << 30)?;
    }
    if !p.view_of.is_null() {
        let origin = described(told, p.view_of.into())?;
        let end = u64::from(p.view_min_level) + u64::from(p.levels);
        limit("levels of the view", end, u64::from(origin.levels))?;
        let end = u64::from(p.view_min_layer) + u64::from(p.layers);
        limit("layers of the view", end, u64::from(origin.layers).max(1))?;
    }
    Ok(())
}

fn vertex_elements(p: &VertexElementsDesc) -> Result<(), Why> {
    for attrib in &p.attribs {
        domain(
            "binding",
            attrib.binding.into(),
            0..=MAX_VERTEX_ATTRIBS as u32 - 1,
        )?;
        domain("components", attrib.components.into(), 0..=4)?;
        if attrib.enabled != 0 {
            domain("components", attrib.components.into(), 1..=4)?;
        }
    }
    Ok(())
}

fn surface(p: &Surface) -> Result<(), Why> {
    let kind = match p.kind {
        // The role's own buffer; a resource beside it would name nothing.
        SurfaceKind::None | SurfaceKind::Default => 0,
        SurfaceKind::Texture => HandleKind::Texture as u32,
        SurfaceKind::Renderbuffer => HandleKind::Renderbuffer as u32,
    };
    domain("surface kind", p.resource.kind, kind..=kind)?;
    domain("surface level", p.level.into(), 0..=MAX_LEVELS.into())
}

fn framebuffer(p: &FramebufferState) -> Result<(), Why> {
    for buffer in p.draw_buffers {
        if !(-1..MAX_COLOR_ATTACHMENTS as i8).contains(&buffer) {
            return Err(value("draw_buffers", u32::from(buffer.cast_unsigned())));
        }
    }
    let read = [&p.read.color, &p.read.depth, &p.read.stencil];
    let mut surfaces = p.color.iter().chain([&p.depth, &p.stencil]).chain(read);
    surfaces.try_for_each(surface)
}

#[derive(PartialEq)]
enum Reads {
    No,
    Yes,
}

#[derive(PartialEq)]
enum Draws {
    No,
    Yes,
}

fn complete(told: Told<'_>, reads: Reads, draws: Draws) -> Result<(), Why> {
    let state = told.inputs.ahead().framebuffer;
    if draws == Draws::Yes && state.complete == 0 {
        return Err(Why::Incomplete("draw"));
    }
    if reads == Reads::Yes && state.read.complete == 0 {
        return Err(Why::Incomplete("read"));
    }
    Ok(())
}

fn pack(store: &PixelStore) -> Result<(), Why> {
    domain("swap_bytes", store.swap_bytes.into(), 0..=1)?;
    domain("lsb_first", store.lsb_first.into(), 0..=1)?;
    if matches!(store.alignment, 1 | 2 | 4 | 8) {
        Ok(())
    } else {
        Err(value("alignment", store.alignment))
    }
}

fn room(room: ReplyRoom, needs: u64, budget: &Budget) -> Result<(), Why> {
    let holds = room.0.unwrap_or(0);
    if holds > budget.reply_bytes {
        return Err(Why::Budget {
            what: "reply",
            wants: holds,
            limit: budget.reply_bytes,
        });
    }
    if holds < needs {
        return Err(Why::Bytes {
            what: "room for the reply",
            holds,
            needs,
        });
    }
    Ok(())
}

/// An image that is packed into a reply or a buffer.
struct Packed {
    format: PixelFormat,
    ty: PixelType,
    extents: [u32; 3],
    dims: Dims,
}

impl Packed {
    fn fits(
        self,
        told: Told<'_>,
        buffer: BufferId,
        offset: u64,
        out: ReplyRoom,
        budget: &Budget,
    ) -> Result<(), Why> {
        let [width, height, depth] = self.extents;
        let layout = ClientImage {
            format: self.format,
            ty: self.ty,
            store: *told.inputs.ahead().pack,
            width,
            height,
            depth,
            dims: self.dims,
        }
        .layout();
        let needs = match layout {
            Ok(layout) => layout.total_bytes,
            Err(LayoutError::Alignment(alignment)) => return Err(value("alignment", alignment)),
            Err(LayoutError::Overflow) => return Err(Why::Overflow("image")),
        };
        if buffer.is_null() {
            return room(out, needs, budget);
        }
        // The bytes go to the buffer; room for a reply beside it is bounded all the same.
        room(out, 0, budget)?;
        range("image", offset, needs, buffer_size(told, buffer)?)
    }
}

fn subdata(p: &SubData, regions: &[SubRegion], bytes: &[u8], told: Told<'_>) -> Result<(), Why> {
    let desc = described(told, p.resource)?;
    if desc.target == Target::Buffer {
        counted(0, regions.len())?;
        let (offset, size) = (p.buffer_offset_bytes, p.buffer_size_bytes);
        range("range", offset, size, desc.size_bytes)?;
        return exactly("range", bytes, size);
    }
    let extents = level(desc, p.level)?;
    inside("union box", &p.union_box, extents)?;
    let info = desc.format.info();
    for region in regions {
        let b = &region.dst;
        inside("region", b, extents)?;
        if b.width == 0 || b.height == 0 || b.depth == 0 {
            continue;
        }
        let row = info
            .storage_bytes(b.width, 1, 1)
            .ok_or(Why::Overflow("row"))?;
        let or_tight = |stride: u32, tight: u64| if stride == 0 { tight } else { stride.into() };
        let row_stride = or_tight(region.src_row_stride_bytes, row);
        let image = row_stride
            .checked_mul(b.height.into())
            .ok_or(Why::Overflow("image"))?;
        let slice_stride = or_tight(region.src_slice_stride_bytes, image);
        let needs = u64::from(b.depth - 1)
            .checked_mul(slice_stride)
            .and_then(|at| at.checked_add(u64::from(b.height - 1).checked_mul(row_stride)?))
            .and_then(|at| at.checked_add(row))
            .ok_or(Why::Overflow("region"))?;
        range(
            "region's source",
            region.src_offset_bytes,
            needs,
            bytes.len() as u64,
        )?;
    }
    Ok(())
}

fn copy(p: &CopyRegion, told: Told<'_>) -> Result<(), Why> {
    let (src, dst) = (described(told, p.src)?, described(told, p.dst)?);
    match (src.target == Target::Buffer, dst.target == Target::Buffer) {
        (true, true) => {
            range("source", p.src_offset_bytes, p.size_bytes, src.size_bytes)?;
            range(
                "destination",
                p.dst_offset_bytes,
                p.size_bytes,
                dst.size_bytes,
            )
        }
        (false, false) => {
            inside("source", &p.src_box, level(src, p.src_level)?)?;
            // GL 4.6 core §18.3.2: between compressed and uncompressed images the destination counts in blocks.
            let (from, to) = (src.format.info().block, dst.format.info().block);
            let scaled = |size: u32, from: u8, to: u8| {
                let size = size.div_ceil(u32::from(from)).checked_mul(to.into());
                size.ok_or(Why::Overflow("destination"))
            };
            let same = from.width == to.width && from.height == to.height;
            let (mut width, mut height) = (p.src_box.width, p.src_box.height);
            if !same {
                width = scaled(width, from.width, to.width)?;
                height = scaled(height, from.height, to.height)?;
            }
            let level = level(dst, p.dst_level)?;
            // The last block of a level may reach past its edge.
            let rounded = |limit: u32, block: u8| limit.next_multiple_of(u32::from(block));
            let limits = if same {
                level
            } else {
                [
                    rounded(level[0], to.width),
                    rounded(level[1], to.height),
                    level[2],
                ]
            };
            let b = Box3 {
                x: p.dst_x,
                y: p.dst_y,
                z: p.dst_z,
                width,
                height,
                depth: p.src_box.depth,
            };
            inside("destination", &b, limits)
        }
        (true, false) | (false, true) => Err(value("target", dst.target as u32)),
    }
}

fn draw(
    p: &DrawInfo,
    further: usize,
    indirect: &[DrawIndirect],
    user_indices: &[HostSpan],
    told: Told<'_>,
) -> Result<(), Why> {
    let Some(flags) = DrawFlags::from_bits(p.flags) else {
        return Err(value("flags", p.flags.into()));
    };
    // The client's memory is not here to be looked through: a client over a transport resolves it.
    if flags.contains(DrawFlags::OPEN_VERTICES) {
        return Err(value("flags", p.flags.into()));
    }
    if !matches!(p.index_size, 0 | 1 | 2 | 4) {
        return Err(value("index_size", p.index_size.into()));
    }
    if flags.contains(DrawFlags::INDIRECT) == indirect.is_empty() {
        return Err(Why::Flag("the indirect tail"));
    }
    if flags.contains(DrawFlags::USER_INDICES) == user_indices.is_empty() {
        return Err(Why::Flag("the index tail"));
    }
    if !indirect.is_empty() && further != 0 {
        return Err(Why::Flag("the tail of ranges"));
    }
    complete(told, Reads::No, Draws::Yes)?;
    let ahead = told.inputs.ahead();
    if told.objects.shaders.get(ahead.draw_program).is_none() {
        return Err(Why::Null(HandleKind::Shader));
    }
    if told
        .objects
        .vertex_elements
        .get(ahead.vertex_elements)
        .is_none()
    {
        return Err(Why::Null(HandleKind::VertexElements));
    }
    // GL 4.6 core §10.4: a command is four words for arrays, five for elements.
    let command = if p.index_size == 0 { 16 } else { 20 };
    for source in indirect {
        let stride = match source.stride_bytes {
            0 => command,
            stride => u64::from(stride),
        };
        let size = u64::from(source.draw_count.max(1) - 1)
            .checked_mul(stride)
            .and_then(|at| at.checked_add(command))
            .ok_or(Why::Overflow("draw commands"))?;
        let holds = buffer_size(told, ahead.indirect.draw)?;
        range("draw commands", source.offset_bytes, size, holds)?;
        if flags.contains(DrawFlags::INDIRECT_COUNT) {
            let holds = buffer_size(told, ahead.indirect.parameter)?;
            range("draw count", source.count_offset_bytes, 4, holds)?;
        }
    }
    Ok(())
}
