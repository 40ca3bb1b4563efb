//! Framebuffer objects. Nothing here calls the pipe: a framebuffer is told when something draws to it or reads from it.

use crate::c_memory;
use crate::cx::Cx;
use crate::validate::framebuffer::{Attach, DrawBuffers};
use crate::validate::names::{Named, NamesOut};
use gl_enums::*;
use gl_state::GlError;
use gl_state::context::LocalIndex;
use gl_state::framebuffer::{FramebufferBinding, FramebufferDefault};

fn create(cx: &mut Cx<'_>, name: GLuint) -> LocalIndex {
    let id = cx.objects.framebuffers.alloc();
    cx.ctx.create_framebuffer(name, id)
}

pub fn gen_framebuffers(cx: &mut Cx<'_>, args: NamesOut) -> Result<(), GlError> {
    for i in 0..args.count {
        let name = cx.ctx.framebuffers.names.generate();
        // SAFETY: c_memory's rule: glGenFramebuffers writes `count` names.
        unsafe { c_memory::write(args.out.wrapping_add(i), name) };
    }
    Ok(())
}

pub fn create_framebuffers(cx: &mut Cx<'_>, args: NamesOut) -> Result<(), GlError> {
    for i in 0..args.count {
        let name = cx.ctx.framebuffers.names.generate();
        create(cx, name);
        // SAFETY: c_memory's rule: glCreateFramebuffers writes `count` names.
        unsafe { c_memory::write(args.out.wrapping_add(i), name) };
    }
    Ok(())
}

pub fn delete_framebuffers(cx: &mut Cx<'_>, names: &[GLuint]) -> Result<(), GlError> {
    for &name in names.iter().filter(|name| **name != 0) {
        cx.ctx.delete_framebuffer(name, cx.objects, cx.emission);
    }
    cx.settle_deaths();
    Ok(())
}

pub fn is_framebuffer(cx: &mut Cx<'_>, framebuffer: GLuint) -> Result<GLboolean, GlError> {
    let known = framebuffer != 0 && cx.ctx.framebuffers.names.get(framebuffer).is_some();
    Ok(known.into())
}

pub fn bind_framebuffer(
    cx: &mut Cx<'_>,
    (binding, name): (FramebufferBinding, Named<LocalIndex>),
) -> Result<(), GlError> {
    let index = match name {
        Named::Zero => 0,
        Named::Object(index) => index,
        Named::New(name) => create(cx, name),
    };
    cx.ctx.bind_framebuffer(binding, index);
    Ok(())
}

fn attach(cx: &mut Cx<'_>, args: Attach) -> Result<(), GlError> {
    cx.ctx.attach(
        args.framebuffer,
        args.point,
        args.image,
        cx.objects,
        cx.emission,
    );
    cx.settle_deaths();
    Ok(())
}

macro_rules! attaches {
    ($($name:ident)*) => { $(
        pub fn $name(cx: &mut Cx<'_>, args: Attach) -> Result<(), GlError> {
            attach(cx, args)
        }
    )* };
}
attaches! {
    framebuffer_texture framebuffer_texture_1d framebuffer_texture_2d framebuffer_texture_3d
    framebuffer_texture_layer framebuffer_renderbuffer
}

pub fn check_framebuffer_status(
    cx: &mut Cx<'_>,
    binding: FramebufferBinding,
) -> Result<GLenum, GlError> {
    Ok(cx.ctx.bound_facts(binding, cx.objects).status)
}

pub fn draw_buffer(cx: &mut Cx<'_>, args: DrawBuffers) -> Result<(), GlError> {
    cx.ctx
        .set_draw_buffers(args.framebuffer, args.buffers, args.enums);
    Ok(())
}

pub fn draw_buffers(cx: &mut Cx<'_>, args: DrawBuffers) -> Result<(), GlError> {
    draw_buffer(cx, args)
}

pub fn read_buffer(
    cx: &mut Cx<'_>,
    (framebuffer, buffer, value): (LocalIndex, Option<u8>, GLenum),
) -> Result<(), GlError> {
    cx.ctx.set_read_buffer(framebuffer, buffer, value);
    Ok(())
}

pub fn framebuffer_parameteri(
    cx: &mut Cx<'_>,
    (framebuffer, value): (LocalIndex, FramebufferDefault),
) -> Result<(), GlError> {
    cx.ctx.set_default(framebuffer, value);
    Ok(())
}

pub fn get_framebuffer_parameteriv(
    _: &mut Cx<'_>,
    (value, out): (GLint, *mut GLint),
) -> Result<(), GlError> {
    // SAFETY: c_memory's rule: one value.
    unsafe { c_memory::write(out, value) };
    Ok(())
}

pub fn get_framebuffer_attachment_parameteriv(
    cx: &mut Cx<'_>,
    args: (GLint, *mut GLint),
) -> Result<(), GlError> {
    get_framebuffer_parameteriv(cx, args)
}

/// Contents become undefined; keeping them is allowed (GL 4.6 §17.4.4).
pub fn invalidate_framebuffer(_: &mut Cx<'_>, (): ()) -> Result<(), GlError> {
    Ok(())
}

/// As above.
pub fn invalidate_sub_framebuffer(_: &mut Cx<'_>, (): ()) -> Result<(), GlError> {
    Ok(())
}
