//! Draws. State is brought up to date by the source; here arguments become a record, and client memory becomes spans.

use crate::c_memory;
use crate::commands::buffer::read_back;
use crate::cx::Cx;
use crate::validate::draw::{
    Arrays, Commands, Elements, Indirect, MultiArrays, MultiElements, Ready, command_bytes,
};
use gl_state::GlError;
use gl_state::buffer_bindings::BufferTarget;
use pipe::client_arrays::{bytes_read, last_vertex};
use pipe::{
    BufferClass, CapBits, DrawFlags, DrawIndirect, DrawInfo, DrawRange, Host, HostSpan,
    MAX_VERTEX_ATTRIBS,
};
use pipe_inputs::VerbClass;
use std::borrow::Cow;

/// A record without ranges.
fn info(ready: Ready) -> DrawInfo {
    DrawInfo {
        groups: 0,
        mode: ready.mode,
        index_size: 0,
        flags: 0,
        _pad: 0,
        instance_count: 1,
        start_instance: 0,
        first: DrawRange {
            start: 0,
            count: 0,
            index_bias: 0,
        },
        restart_index: 0,
        min_index: 0,
        max_index: 0,
        draw_id: 0,
    }
}

/// Sends a draw whose state and memory are ready.
#[inline]
fn submit(
    cx: &mut Cx<'_>,
    ready: Ready,
    mut draw: DrawInfo,
    ranges: &[DrawRange],
    indirect: &[DrawIndirect],
    user_indices: &[HostSpan],
) {
    if ready.reads_state {
        cx.ctx.write_state_members(cx.objects);
    }
    draw.groups = cx.prepare(VerbClass::Draw);
    let host = Host(&*cx.memory);
    let outcome = cx
        .pipe
        .draw_vbo(&draw, ranges, indirect, user_indices, host);
    cx.finish_verb(outcome);
    if ready.writes {
        mark_written(cx);
    }
    if cx.ctx.capture.is_some() {
        count_captured(cx, &draw, ranges);
    }
}

/// A capture runs: what this draw adds, and that it wrote. Indirect draws cannot be counted here.
#[cold]
fn count_captured(cx: &mut Cx<'_>, draw: &DrawInfo, ranges: &[DrawRange]) {
    for range in std::iter::once(&draw.first).chain(ranges) {
        cx.ctx
            .count_captured(draw.mode, range.count, draw.instance_count);
    }
    cx.ctx.mark_captured(cx.objects);
}

/// The GPU may have written what the program's storage blocks and counters are bound to. Conservative: every bound range.
#[cold]
pub(super) fn mark_written(cx: &mut Cx<'_>) {
    for class in [BufferClass::ShaderStorage, BufferClass::AtomicCounter] {
        for binding in cx.ctx.buffers.indexed(class) {
            if let Some(buffer) = cx.objects.buffers.get_mut(binding.buffer) {
                buffer.mark_gpu_written(&mut cx.objects.generations);
            }
        }
    }
}

/// Makes the arrays in client memory ready that a draw reads, for the points of `ready`. The executing side finds their ends itself
/// where the bit of `resolves_host` is cleared; what it needs for that beside the record is the answer: the bytes of each range's
/// indices where they lie in a buffer.
#[cold]
fn register_arrays(
    cx: &mut Cx<'_>,
    ready: Ready,
    draw: &mut DrawInfo,
    ranges: &[DrawRange],
) -> Vec<HostSpan> {
    draw.flags |= DrawFlags::USER_VERTICES.bits();
    if !cx.source.resolves_host() {
        return open_arrays(cx, ready, draw, ranges);
    }
    let last = last_vertex(draw, ranges, |_, range| {
        Some(Cow::Owned(index_bytes(cx, range, draw.index_size)))
    });
    let array = cx.ctx.vertex_array();
    let mut spans = [HostSpan::NONE; MAX_VERTEX_ATTRIBS];
    for (point, span) in spans.iter_mut().enumerate() {
        let binding = &array.bindings[point];
        if ready.client_points & (1 << point) == 0 || binding.offset_bytes == 0 {
            continue;
        }
        if let Some(size) = bytes_read(&array.attribs, point, binding.layout, draw, last) {
            // SAFETY: rule 1 of client_memory: GL reads enabled arrays up to the last vertex of the draw; rule 2: `finish_verb` clears.
            *span = unsafe { cx.memory.register(binding.offset_bytes, size) };
        }
    }
    cx.ctx.set_client_spans(spans);
    Vec::new()
}

/// As above, with ends that the executing side finds.
fn open_arrays(
    cx: &mut Cx<'_>,
    ready: Ready,
    draw: &mut DrawInfo,
    ranges: &[DrawRange],
) -> Vec<HostSpan> {
    draw.flags |= DrawFlags::OPEN_VERTICES.bits();
    let array = cx.ctx.vertex_array();
    let mut spans = [HostSpan::NONE; MAX_VERTEX_ATTRIBS];
    for (point, span) in spans.iter_mut().enumerate() {
        let address = array.bindings[point].offset_bytes;
        if ready.client_points & (1 << point) != 0 && address != 0 {
            // SAFETY: rule 1 of client_memory: GL reads enabled arrays up to the last vertex of the draw, and the executing side asks
            // for that; rule 2: `finish_verb` clears.
            *span = unsafe { cx.memory.register_open(address) };
        }
    }
    let indices = array.index_buffer;
    cx.ctx.set_client_spans(spans);
    if draw.index_size == 0 || indices.is_null() {
        return Vec::new();
    }
    read_back(cx, indices);
    let bytes = &cx.objects.buffers[indices].bytes;
    let memory = &mut *cx.memory;
    std::iter::once(&draw.first)
        .chain(ranges)
        .map(|range| {
            let bytes = range_of(bytes, range, draw.index_size);
            // SAFETY: rule 1 of client_memory: the buffer's own copy, which no verb changes; rule 2: `finish_verb` clears.
            unsafe { memory.register(bytes.as_ptr() as u64, bytes.len() as u64) }
        })
        .collect()
}

/// The indices of a range in a buffer's bytes, as far as they are there.
fn range_of<'a>(bytes: &'a [u8], range: &DrawRange, index_size: u8) -> &'a [u8] {
    let size = range.count as usize * usize::from(index_size);
    let start = (range.start as usize).min(bytes.len());
    &bytes[start..(start + size).min(bytes.len())]
}

pub fn draw_arrays(cx: &mut Cx<'_>, args: Arrays) -> Result<(), GlError> {
    if args.count == 0 || args.instances == 0 || !args.ready.executable {
        return Ok(());
    }
    let mut draw = DrawInfo {
        instance_count: args.instances,
        start_instance: args.base_instance,
        first: DrawRange {
            start: u64::from(args.first),
            count: args.count,
            index_bias: 0,
        },
        ..info(args.ready)
    };
    if args.ready.client_points != 0 {
        register_arrays(cx, args.ready, &mut draw, &[]);
    }
    submit(cx, args.ready, draw, &[], &[], &[]);
    Ok(())
}

pub fn draw_arrays_instanced(cx: &mut Cx<'_>, args: Arrays) -> Result<(), GlError> {
    draw_arrays(cx, args)
}

pub fn draw_arrays_instanced_base_instance(cx: &mut Cx<'_>, args: Arrays) -> Result<(), GlError> {
    draw_arrays(cx, args)
}

/// Primitive restart of a draw: GL 4.6 §10.3.6, "fixed index" wins. An index that the type cannot hold never cuts.
fn set_restart(cx: &Cx<'_>, draw: &mut DrawInfo) {
    let state = cx.ctx.render_state.values();
    let largest = u32::MAX >> (32 - 8 * u32::from(draw.index_size));
    let index = if state
        .caps()
        .contains(CapBits::PRIMITIVE_RESTART_FIXED_INDEX)
    {
        largest
    } else if state.caps().contains(CapBits::PRIMITIVE_RESTART) {
        state.primitive.restart_index
    } else {
        return;
    };
    if index <= largest {
        draw.flags |= DrawFlags::PRIMITIVE_RESTART.bits();
        draw.restart_index = index;
    }
}

/// Indices of one range, from the buffer's copy or from client memory.
fn index_bytes(cx: &mut Cx<'_>, range: &DrawRange, index_size: u8) -> Vec<u8> {
    let id = cx.ctx.vertex_array().index_buffer;
    if id.is_null() {
        let size = range.count as usize * usize::from(index_size);
        // SAFETY: rule 1 of client_memory: GL reads count indices from the pointer.
        return unsafe { gl_state::client_memory::copy_from(range.start, size) };
    }
    read_back(cx, id);
    range_of(&cx.objects.buffers[id].bytes, range, index_size).to_vec()
}

pub fn draw_elements(cx: &mut Cx<'_>, args: Elements) -> Result<(), GlError> {
    if args.count == 0 || args.instances == 0 || !args.ready.executable {
        return Ok(());
    }
    let mut draw = DrawInfo {
        index_size: args.index_size,
        instance_count: args.instances,
        start_instance: args.base_instance,
        first: DrawRange {
            start: args.indices,
            count: args.count,
            index_bias: args.base_vertex,
        },
        ..info(args.ready)
    };
    if let Some((start, end)) = args.range {
        draw.flags |= DrawFlags::INDEX_RANGE.bits();
        (draw.min_index, draw.max_index) = (start, end);
    }
    set_restart(cx, &mut draw);
    elements(cx, args.ready, draw);
    Ok(())
}

/// Sends one indexed draw; its indices may be in client memory.
#[inline]
fn elements(cx: &mut Cx<'_>, ready: Ready, mut draw: DrawInfo) {
    let user_indices = cx.ctx.vertex_array().index_buffer.is_null();
    if user_indices && draw.first.start == 0 {
        return;
    }
    let scanned = match ready.client_points {
        0 => Vec::new(),
        _ => register_arrays(cx, ready, &mut draw, &[]),
    };
    if user_indices {
        draw.flags |= DrawFlags::USER_INDICES.bits();
        let size = u64::from(draw.first.count) * u64::from(draw.index_size);
        // SAFETY: rule 1 of client_memory: GL reads count indices; rule 2: `finish_verb` clears.
        let span = unsafe { cx.memory.register(draw.first.start, size) };
        draw.first.start = 0;
        submit(cx, ready, draw, &[], &[], &[span]);
    } else {
        submit(cx, ready, draw, &[], &[], &scanned);
    }
}

macro_rules! element_draws {
    ($($name:ident)*) => { $(
        pub fn $name(cx: &mut Cx<'_>, args: Elements) -> Result<(), GlError> {
            draw_elements(cx, args)
        }
    )* };
}
element_draws! {
    draw_elements_base_vertex draw_range_elements draw_range_elements_base_vertex draw_elements_instanced
    draw_elements_instanced_base_instance draw_elements_instanced_base_vertex
    draw_elements_instanced_base_vertex_base_instance
}

pub fn multi_draw_arrays(cx: &mut Cx<'_>, args: MultiArrays) -> Result<(), GlError> {
    let ranges: Vec<DrawRange> = args
        .firsts
        .iter()
        .zip(args.counts)
        .map(|(first, count)| DrawRange {
            start: *first as u64,
            count: *count as u32,
            index_bias: 0,
        })
        .collect();
    let Some((first, rest)) = ranges.split_first() else {
        return Ok(());
    };
    if !args.ready.executable || ranges.iter().all(|range| range.count == 0) {
        return Ok(());
    }
    let mut draw = DrawInfo {
        first: *first,
        ..info(args.ready)
    };
    if args.ready.client_points != 0 {
        register_arrays(cx, args.ready, &mut draw, rest);
    }
    submit(cx, args.ready, draw, rest, &[], &[]);
    Ok(())
}

pub fn multi_draw_elements(cx: &mut Cx<'_>, args: MultiElements) -> Result<(), GlError> {
    let range = |i: usize| DrawRange {
        start: args.indices[i] as u64,
        count: args.counts[i] as u32,
        index_bias: args.base_vertices.get(i).copied().unwrap_or(0),
    };
    let ranges: Vec<DrawRange> = (0..args.counts.len()).map(range).collect();
    let Some((first, rest)) = ranges.split_first() else {
        return Ok(());
    };
    if !args.ready.executable || ranges.iter().all(|range| range.count == 0) {
        return Ok(());
    }
    let mut draw = DrawInfo {
        index_size: args.index_size,
        first: *first,
        ..info(args.ready)
    };
    set_restart(cx, &mut draw);
    if cx.ctx.vertex_array().index_buffer.is_null() {
        // A record names one span of client indices: one draw each.
        for (draw_id, range) in ranges.iter().enumerate().filter(|(_, r)| r.count != 0) {
            let one = DrawInfo {
                first: *range,
                draw_id: draw_id as u32,
                ..draw
            };
            elements(cx, args.ready, one);
        }
        return Ok(());
    }
    let scanned = match args.ready.client_points {
        0 => Vec::new(),
        _ => register_arrays(cx, args.ready, &mut draw, rest),
    };
    submit(cx, args.ready, draw, rest, &[], &scanned);
    Ok(())
}

pub fn multi_draw_elements_base_vertex(
    cx: &mut Cx<'_>,
    args: MultiElements,
) -> Result<(), GlError> {
    multi_draw_elements(cx, args)
}

/// Indirect draws, all forms.
fn indirect(cx: &mut Cx<'_>, args: Indirect) -> Result<(), GlError> {
    if args.draw_count == 0 || !args.ready.executable {
        return Ok(());
    }
    match args.commands {
        Commands::Buffer(offset_bytes) if args.ready.client_points == 0 => {
            let mut draw = DrawInfo {
                index_size: args.index_size,
                flags: DrawFlags::INDIRECT.bits(),
                ..info(args.ready)
            };
            if args.count_offset.is_some() {
                draw.flags |= DrawFlags::INDIRECT_COUNT.bits();
            }
            if args.index_size != 0 {
                set_restart(cx, &mut draw);
            }
            let tail = DrawIndirect {
                offset_bytes,
                stride_bytes: args.stride,
                draw_count: args.draw_count,
                count_offset_bytes: args.count_offset.unwrap_or(0),
            };
            submit(cx, args.ready, draw, &[], &[tail], &[]);
        }
        Commands::Buffer(_) | Commands::Memory(_) => expand(cx, args),
    }
    Ok(())
}

/// Commands or arrays are in client memory: the commands are read here and drawn one by one.
#[cold]
fn expand(cx: &mut Cx<'_>, args: Indirect) {
    let size = command_bytes(args.index_size) as usize;
    let bytes: Vec<u8> = match args.commands {
        Commands::Buffer(offset) => {
            let id = cx.ctx.buffers.get(BufferTarget::DrawIndirect);
            read_back(cx, id);
            cx.objects.buffers[id].bytes[offset as usize..].to_vec()
        }
        Commands::Memory(address) => {
            let all = (args.draw_count as usize - 1) * args.stride as usize + size;
            // SAFETY: c_memory's rule: GL reads drawcount commands from the pointer.
            unsafe { c_memory::slice(address as *const u8, all) }.to_vec()
        }
    };
    let mut count = args.draw_count;
    if let Some(offset) = args.count_offset {
        let id = cx.ctx.buffers.get(BufferTarget::Parameter);
        read_back(cx, id);
        let at = offset as usize;
        let word = &cx.objects.buffers[id].bytes[at..at + 4];
        count = count.min(u32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
    }
    for draw_id in 0..count {
        let at = draw_id as usize * args.stride as usize;
        let word = |i: usize| {
            let b = &bytes[at + 4 * i..at + 4 * i + 4];
            u32::from_ne_bytes([b[0], b[1], b[2], b[3]])
        };
        let (vertices, instances) = (word(0), word(1));
        if vertices == 0 || instances == 0 {
            continue;
        }
        let mut draw = DrawInfo {
            index_size: args.index_size,
            instance_count: instances,
            draw_id,
            ..info(args.ready)
        };
        if args.index_size == 0 {
            draw.first.start = u64::from(word(2));
            draw.first.count = vertices;
            draw.start_instance = word(3);
            if args.ready.client_points != 0 {
                register_arrays(cx, args.ready, &mut draw, &[]);
            }
            submit(cx, args.ready, draw, &[], &[], &[]);
        } else {
            draw.first = DrawRange {
                start: u64::from(word(2)) * u64::from(args.index_size),
                count: vertices,
                index_bias: word(3) as i32,
            };
            draw.start_instance = word(4);
            set_restart(cx, &mut draw);
            elements(cx, args.ready, draw);
        }
    }
}

macro_rules! indirect_draws {
    ($($name:ident)*) => { $(
        pub fn $name(cx: &mut Cx<'_>, args: Indirect) -> Result<(), GlError> {
            indirect(cx, args)
        }
    )* };
}
indirect_draws! {
    draw_arrays_indirect draw_elements_indirect multi_draw_arrays_indirect multi_draw_elements_indirect
    multi_draw_arrays_indirect_count multi_draw_elements_indirect_count
}
