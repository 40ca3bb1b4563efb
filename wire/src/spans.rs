//! Host spans on their way out: the places of a context's state that can hold one, their keys, and the bytes that a draw ships.
//! An address of the frontend never leaves this file.

use crate::arg::{Piece, Staged};
use crate::emitter::Emitter;
use crate::reply::ReplyPort;
use pipe::host::{SEGMENT_FRONTEND, SEGMENT_STAGE};
use pipe::*;
use smallvec::SmallVec;
use zerocopy::IntoBytes;

/// Key of vertex buffer binding point 0; the others follow.
pub const KEY_VERTEX: u64 = 0;
/// Key of uniform block binding point 0.
pub const KEY_UNIFORM: u64 = 0x100;
/// Key of a draw's first span of indices.
pub const KEY_INDICES: u64 = 0x1000;

/// Spans that contexts' state holds at the moment.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    /// By context slot.
    contexts: Vec<Option<Box<ContextSpans>>>,
    current: usize,
}

#[derive(Debug)]
struct ContextSpans {
    vertex: [HostSpan; MAX_VERTEX_ATTRIBS],
    uniform: [HostSpan; MAX_BUFFER_BINDINGS],
    /// How many of each name bytes: none is the common case.
    live_vertex: usize,
    live_uniform: usize,
}

impl Default for ContextSpans {
    fn default() -> Self {
        Self {
            vertex: [HostSpan::NONE; MAX_VERTEX_ATTRIBS],
            uniform: [HostSpan::NONE; MAX_BUFFER_BINDINGS],
            live_vertex: 0,
            live_uniform: 0,
        }
    }
}

impl Spans {
    fn current(&mut self) -> &mut ContextSpans {
        if self.current >= self.contexts.len() {
            self.contexts.resize_with(self.current + 1, || None);
        }
        self.contexts[self.current].get_or_insert_default()
    }
}

fn is_live(span: &HostSpan) -> bool {
    span.segment == SEGMENT_FRONTEND && span.size_bytes != 0
}

/// What travels instead of `span`.
fn staged(span: &HostSpan, key: u64) -> HostSpan {
    if !is_live(span) {
        return HostSpan::NONE;
    }
    HostSpan {
        segment: SEGMENT_STAGE,
        _pad: 0,
        offset: key,
        size_bytes: span.size_bytes,
    }
}

/// Remembers the spans of a run of slots.
fn remember<'a>(
    slots: &mut [HostSpan],
    live: &mut usize,
    start: u32,
    spans: impl Iterator<Item = &'a HostSpan>,
) {
    let slots = slots.iter_mut().skip(start as usize);
    for (slot, span) in slots.zip(spans) {
        *live -= usize::from(is_live(slot));
        *live += usize::from(is_live(span));
        *slot = *span;
    }
}

/// The pieces that `spans` name, as far as the verb's resolver knows them. An unresolved span stays unresolved over there.
fn gather<'a>(
    pieces: &mut SmallVec<[(Piece, &'a [u8]); 8]>,
    host: Host<'a>,
    spans: &[HostSpan],
    first_key: u64,
) {
    for (key, span) in (first_key..).zip(spans).filter(|(_, span)| is_live(span)) {
        if let Some(bytes) = host.0.bytes(span) {
            let size_bytes = bytes.len() as u64;
            pieces.push((Piece { key, size_bytes }, bytes));
        }
    }
}

/// The rows of the catalogue that touch host spans; the emitter's generated methods come here.
pub(crate) trait SpanRows {
    fn bind_context(&mut self, p: &BindContext);
    fn set_vertex_buffers(&mut self, p: &SlotRange, buffers: &[VertexBuffer]);
    fn set_shader_buffers(&mut self, p: &ShaderBuffers, ranges: &[BufferRange]);
    fn draw_vbo(
        &mut self,
        p: &DrawInfo,
        ranges: &[DrawRange],
        indirect: &[DrawIndirect],
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) -> Submit;
}

impl<P: ReplyPort> SpanRows for Emitter<P> {
    fn bind_context(&mut self, p: &BindContext) {
        self.spans.current = p.context.slot() as usize;
        self.send(Call::bind_context, p.as_bytes(), &[]);
    }

    fn set_vertex_buffers(&mut self, p: &SlotRange, buffers: &[VertexBuffer]) {
        let ContextSpans {
            vertex,
            live_vertex,
            ..
        } = self.spans.current();
        let spans = buffers.iter().map(|buffer| &buffer.user);
        remember(vertex, live_vertex, p.start, spans);
        let mut sent: SmallVec<[VertexBuffer; MAX_VERTEX_ATTRIBS]> = SmallVec::from_slice(buffers);
        for (key, buffer) in (KEY_VERTEX + u64::from(p.start)..).zip(&mut sent) {
            buffer.user = staged(&buffer.user, key);
        }
        self.send(Call::set_vertex_buffers, p.as_bytes(), &[&sent.as_slice()]);
    }

    fn set_shader_buffers(&mut self, p: &ShaderBuffers, ranges: &[BufferRange]) {
        let mut sent: SmallVec<[BufferRange; 16]> = SmallVec::from_slice(ranges);
        if p.class == BufferClass::Uniform {
            let ContextSpans {
                uniform,
                live_uniform,
                ..
            } = self.spans.current();
            remember(
                uniform,
                live_uniform,
                p.start,
                ranges.iter().map(|range| &range.host),
            );
            for (key, range) in (KEY_UNIFORM + u64::from(p.start)..).zip(&mut sent) {
                range.host = staged(&range.host, key);
            }
        } else {
            // Bytes of other classes are never needed on the host.
            sent.iter_mut()
                .for_each(|range| range.host = HostSpan::NONE);
        }
        self.send(Call::set_shader_buffers, p.as_bytes(), &[&sent.as_slice()]);
    }

    fn draw_vbo(
        &mut self,
        p: &DrawInfo,
        ranges: &[DrawRange],
        indirect: &[DrawIndirect],
        user_indices: &[HostSpan],
        host: Host<'_>,
    ) -> Submit {
        let state = self.spans.current();
        let mut pieces = SmallVec::new();
        if state.live_vertex != 0 && p.flags & DrawFlags::USER_VERTICES.bits() != 0 {
            gather(&mut pieces, host, &state.vertex, KEY_VERTEX);
        }
        if state.live_uniform != 0 {
            gather(&mut pieces, host, &state.uniform, KEY_UNIFORM);
        }
        gather(&mut pieces, host, user_indices, KEY_INDICES);
        let sent: SmallVec<[HostSpan; 8]> = (KEY_INDICES..)
            .zip(user_indices)
            .map(|(key, span)| staged(span, key))
            .collect();
        self.send(
            Call::draw_vbo,
            p.as_bytes(),
            &[&ranges, &indirect, &sent.as_slice(), &Staged(&pieces)],
        );
        Submit::Done
    }
}
