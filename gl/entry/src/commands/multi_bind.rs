//! Binding of runs of objects: the elements that passed are bound, then the first error of the others is generated
//! (GL 4.6 §6.1.1, §8.1, §8.2, §10.3.2). Other bindings stay.

use crate::cx::Cx;
use crate::validate::multi_bind::{BindBuffers, Run, VertexBuffer};
use gl_state::GlError;
use gl_state::sampler::SamplerObjectId;
use pipe::{Target, TextureId, VertexBinding};

/// Binds what passed.
fn each<T>(
    cx: &mut Cx<'_>,
    run: Run<T>,
    mut bind: impl FnMut(&mut Cx<'_>, usize, T),
) -> Result<(), GlError> {
    let mut refused = None;
    for (point, element) in (run.first..).zip(run.elements) {
        match element {
            Ok(element) => bind(cx, point, element),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    cx.settle_deaths();
    refused.map_or(Ok(()), Err)
}

pub fn bind_buffers_base(cx: &mut Cx<'_>, (target, run): BindBuffers) -> Result<(), GlError> {
    // The plain point of the target stays, other than with glBindBufferBase (GL 4.6 §6.1.1).
    each(cx, run, |cx, point, binding| {
        let (objects, emission) = (&mut *cx.objects, &mut *cx.emission);
        cx.ctx
            .bind_indexed(target, point, binding, objects, emission);
    })
}

pub fn bind_buffers_range(cx: &mut Cx<'_>, args: BindBuffers) -> Result<(), GlError> {
    bind_buffers_base(cx, args)
}

pub fn bind_textures(cx: &mut Cx<'_>, run: Run<TextureId>) -> Result<(), GlError> {
    each(cx, run, |cx, unit, id| {
        if let Some(texture) = cx.objects.textures.get(id) {
            let target = texture.target;
            cx.ctx
                .bind_texture(unit, target, id, cx.objects, cx.emission);
            return;
        }
        // GL 4.6 §8.1: zero unbinds every target of the unit.
        for target in Target::TEXTURES {
            cx.ctx
                .bind_texture(unit, target, id, cx.objects, cx.emission);
        }
    })
}

pub fn bind_samplers(cx: &mut Cx<'_>, run: Run<SamplerObjectId>) -> Result<(), GlError> {
    each(cx, run, |cx, unit, id| {
        cx.ctx.bind_sampler(unit, id, cx.objects);
    })
}

pub fn bind_vertex_buffers(cx: &mut Cx<'_>, run: Run<VertexBuffer>) -> Result<(), GlError> {
    each(cx, run, |cx, point, bind| {
        let layout = VertexBinding {
            stride_bytes: bind.stride,
            ..cx.ctx.vertex_array().bindings[point].layout
        };
        cx.ctx.set_binding_layout(point, layout);
        cx.ctx
            .set_binding_buffer(point, bind.buffer, bind.offset, cx.objects, cx.emission);
    })
}
