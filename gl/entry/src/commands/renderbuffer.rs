//! Renderbuffers. Storage is told when a verb reaches it.

use crate::c_memory;
use crate::cx::Cx;
use crate::validate::names::{Named, NamesOut};
use crate::validate::renderbuffer::Storage;
use gl_enums::*;
use gl_state::GlError;
use gl_state::framebuffer::{Image, Renderbuffer};
use pipe::RenderbufferId;

pub fn gen_renderbuffers(cx: &mut Cx<'_>, args: NamesOut) -> Result<(), GlError> {
    for i in 0..args.count {
        let name = cx.share.renderbuffers.generate();
        // SAFETY: c_memory's rule: glGenRenderbuffers writes `count` names.
        unsafe { c_memory::write(args.out.wrapping_add(i), name) };
    }
    Ok(())
}

pub fn delete_renderbuffers(cx: &mut Cx<'_>, names: &[GLuint]) -> Result<(), GlError> {
    for &name in names {
        let Some(id) = cx.share.renderbuffers.remove(name) else {
            continue;
        };
        cx.objects.renderbuffers[id].name = 0;
        if cx.ctx.framebuffers.renderbuffer == id {
            cx.ctx
                .bind_renderbuffer(RenderbufferId::NULL, cx.objects, cx.emission);
        }
        let dead = |image| image == Image::Renderbuffer(id);
        cx.ctx.detach_everywhere(dead, cx.objects, cx.emission);
        cx.objects.release_renderbuffer(id, cx.emission);
    }
    cx.settle_deaths();
    Ok(())
}

pub fn is_renderbuffer(cx: &mut Cx<'_>, renderbuffer: GLuint) -> Result<GLboolean, GlError> {
    Ok(cx.share.renderbuffers.get(renderbuffer).is_some().into())
}

pub fn bind_renderbuffer(cx: &mut Cx<'_>, name: Named<RenderbufferId>) -> Result<(), GlError> {
    let id = match name {
        Named::Zero => RenderbufferId::NULL,
        Named::Object(id) => id,
        Named::New(name) => {
            let lifetime = cx.objects.next_lifetime();
            let id = cx
                .objects
                .renderbuffers
                .insert(|id| Renderbuffer::new(id, name, lifetime));
            cx.emission.reset(id);
            cx.share.renderbuffers.assign(name, id);
            id
        }
    };
    cx.ctx.bind_renderbuffer(id, cx.objects, cx.emission);
    cx.settle_deaths();
    Ok(())
}

pub fn renderbuffer_storage(cx: &mut Cx<'_>, args: Storage) -> Result<(), GlError> {
    cx.objects.renderbuffers[args.renderbuffer].set_storage(
        args.internal_format,
        args.format,
        args.width,
        args.height,
        args.samples,
        cx.emission,
        &mut cx.objects.generations,
    );
    Ok(())
}

pub fn renderbuffer_storage_multisample(cx: &mut Cx<'_>, args: Storage) -> Result<(), GlError> {
    renderbuffer_storage(cx, args)
}

pub fn get_renderbuffer_parameteriv(
    _: &mut Cx<'_>,
    (value, out): (GLint, *mut GLint),
) -> Result<(), GlError> {
    // SAFETY: c_memory's rule: one value.
    unsafe { c_memory::write(out, value) };
    Ok(())
}
