//! Debug output: messages, groups, labels. Callbacks run after the command, in `messages`.

use crate::c_memory;
use crate::cx::Cx;
use crate::messages;
use crate::validate::debug::{Labelled, LogOut};
use crate::validate::shader::TextOut;
use gl_enums::*;
use gl_state::GlError;
use gl_state::debug::{Filter, Message};
use std::ffi::c_void;

pub fn debug_message_control(cx: &mut Cx<'_>, filter: Filter) -> Result<(), GlError> {
    let groups = &mut cx.ctx.debug.groups;
    let (_, filters) = groups.last_mut().expect("the default group stays");
    // What the new filter covers alone needs no older one of the same kind.
    filters.retain(|old| {
        (old.source, old.ty, old.severity) != (filter.source, filter.ty, filter.severity)
            || old.ids != filter.ids
    });
    filters.push(filter);
    Ok(())
}

fn insert(cx: &mut Cx<'_>, message: Message) {
    let Message {
        source,
        ty,
        id,
        severity,
        text,
    } = message;
    messages::insert(cx.ctx, source, ty, id, severity, text);
}

pub fn debug_message_insert(cx: &mut Cx<'_>, message: Message) -> Result<(), GlError> {
    insert(cx, message);
    Ok(())
}

pub fn debug_message_callback(
    cx: &mut Cx<'_>,
    callback: GLDEBUGPROC,
    user: *const c_void,
) -> Result<(), GlError> {
    cx.ctx.debug.callback = callback.map_or(0, |callback| callback as usize);
    cx.ctx.debug.user = user as usize;
    Ok(())
}

pub fn get_debug_message_log(cx: &mut Cx<'_>, mut out: LogOut) -> Result<GLuint, GlError> {
    let mut n = 0;
    while n < out.count {
        let Some(message) = cx.ctx.debug.log.front() else {
            break;
        };
        let length = message.text.len() + 1;
        if let Some(room) = &mut out.room {
            // GL 4.6 §20.9: messages that do not fit stay in the log.
            if *room < length {
                break;
            }
            *room -= length;
            let size = length as GLsizei;
            // SAFETY: glGetDebugMessageLog writes up to `bufSize` bytes; `room` counts them.
            unsafe { c_memory::put_string(&message.text, size, std::ptr::null_mut(), out.texts) };
            out.texts = out.texts.wrapping_add(length);
        }
        let put = |at: *mut GLenum, value: GLenum| {
            if !at.is_null() {
                // SAFETY: glGetDebugMessageLog writes up to `count` values to each array; n < count.
                unsafe { c_memory::write(at.add(n), value) };
            }
        };
        put(out.sources, message.source);
        put(out.types, message.ty);
        put(out.ids, message.id);
        put(out.severities, message.severity);
        put(out.lengths.cast(), length as GLenum);
        cx.ctx.debug.log.pop_front();
        n += 1;
    }
    Ok(n as GLuint)
}

pub fn push_debug_group(cx: &mut Cx<'_>, message: Message) -> Result<(), GlError> {
    insert(cx, message.clone());
    cx.ctx.debug.groups.push((Some(message), Vec::new()));
    Ok(())
}

pub fn pop_debug_group(cx: &mut Cx<'_>, (): ()) -> Result<(), GlError> {
    // GL 4.6 §20.6: the message of the push, as one of type POP_GROUP, by the filters of the group below.
    if let Some((Some(message), _)) = cx.ctx.debug.groups.pop() {
        let ty = GL_DEBUG_TYPE_POP_GROUP;
        insert(cx, Message { ty, ..message });
    }
    Ok(())
}

fn label<'a>(cx: &'a mut Cx<'_>, object: Labelled) -> &'a mut Option<String> {
    let gone = "validation found the object";
    let objects = &mut *cx.objects;
    match object {
        Labelled::Buffer(id) => &mut objects.buffers[id].label,
        Labelled::Shader(id) => &mut objects.shaders[id].label,
        Labelled::Program(id) => &mut objects.programs[id].label,
        Labelled::VertexArray(index) => {
            let row = &mut cx.ctx.vertex.arrays[index as usize];
            &mut row.as_mut().expect(gone).label
        }
        Labelled::Query(index) => {
            let row = &mut cx.ctx.queries.objects[index as usize];
            &mut row.as_mut().expect(gone).label
        }
        Labelled::Sampler(id) => &mut objects.samplers[id].label,
        Labelled::Texture(id) => &mut objects.textures[id].label,
        Labelled::Renderbuffer(id) => &mut objects.renderbuffers[id].label,
        Labelled::Framebuffer(index) => {
            let row = &mut cx.ctx.framebuffers.objects[index as usize];
            &mut row.as_mut().expect(gone).label
        }
        Labelled::Sync(id) => &mut objects.syncs[id].label,
    }
}

pub fn object_label(
    cx: &mut Cx<'_>,
    (object, text): (Labelled, Option<String>),
) -> Result<(), GlError> {
    *label(cx, object) = text;
    Ok(())
}

pub fn get_object_label(
    cx: &mut Cx<'_>,
    (object, (room, length, out)): (Labelled, TextOut),
) -> Result<(), GlError> {
    let text = label(cx, object).as_deref().unwrap_or("");
    if out.is_null() {
        // GL 4.6 §20.9: without room the length of the whole label is answered.
        // SAFETY: the command writes one length.
        unsafe { c_memory::write(length, text.len() as GLsizei) };
    } else {
        // SAFETY: the command writes up to `bufSize` bytes and one length.
        unsafe { c_memory::put_string(text, room, length, out) };
    }
    Ok(())
}

pub fn object_ptr_label(cx: &mut Cx<'_>, args: (Labelled, Option<String>)) -> Result<(), GlError> {
    object_label(cx, args)
}

pub fn get_object_ptr_label(cx: &mut Cx<'_>, args: (Labelled, TextOut)) -> Result<(), GlError> {
    get_object_label(cx, args)
}

pub fn get_pointerv(
    cx: &mut Cx<'_>,
    (pname, out): (GLenum, *mut *mut c_void),
) -> Result<(), GlError> {
    let debug = &cx.ctx.debug;
    let value = if pname == GL_DEBUG_CALLBACK_FUNCTION {
        debug.callback
    } else {
        debug.user
    };
    // SAFETY: glGetPointerv writes one pointer.
    unsafe { c_memory::write(out, value as *mut c_void) };
    Ok(())
}
