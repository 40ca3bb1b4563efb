//! Checks of sync objects (GL 4.6 §4.1). It must change nothing.

use crate::cx::Cx;
use gl_enums::*;
use gl_state::GlError;
use pipe::{FenceId, Handle};

/// The pointer that stands for a fence: its handle, packed; never dereferenced.
pub(crate) fn pointer(fence: FenceId) -> GLsync {
    let raw = fence.raw();
    (u64::from(raw.generation) << 32 | u64::from(raw.slot)) as usize as GLsync
}

/// The sync object that a pointer stands for.
pub(super) fn sync(cx: &Cx<'_>, at: GLsync) -> Result<FenceId, GlError> {
    let mut living = cx.share.syncs.iter().copied();
    living
        .find(|fence| pointer(*fence) == at)
        // GL 4.6 §4.1: INVALID_VALUE if sync is not the name of a sync object.
        .ok_or_else(|| GlError::invalid_value("sync is not a sync object"))
}

pub fn fence_sync(_cx: &Cx<'_>, condition: GLenum, flags: GLbitfield) -> Result<(), GlError> {
    if condition != GL_SYNC_GPU_COMMANDS_COMPLETE {
        return Err(GlError::invalid_enum(
            "condition is not SYNC_GPU_COMMANDS_COMPLETE",
        ));
    }
    if flags != 0 {
        return Err(GlError::invalid_value("flags is not zero"));
    }
    Ok(())
}

pub fn delete_sync(cx: &Cx<'_>, at: GLsync) -> Result<Option<FenceId>, GlError> {
    // GL 4.6 §4.1: zero is silently ignored.
    if at.is_null() {
        return Ok(None);
    }
    sync(cx, at).map(Some)
}

pub fn client_wait_sync(
    cx: &Cx<'_>,
    at: GLsync,
    flags: GLbitfield,
    timeout: GLuint64,
) -> Result<(FenceId, u64), GlError> {
    let fence = sync(cx, at)?;
    if flags & !GL_SYNC_FLUSH_COMMANDS_BIT != 0 {
        return Err(GlError::invalid_value(
            "flags has other bits than SYNC_FLUSH_COMMANDS_BIT",
        ));
    }
    Ok((fence, timeout))
}

pub fn wait_sync(
    cx: &Cx<'_>,
    at: GLsync,
    flags: GLbitfield,
    timeout: GLuint64,
) -> Result<FenceId, GlError> {
    let fence = sync(cx, at)?;
    if flags != 0 || timeout != GL_TIMEOUT_IGNORED {
        return Err(GlError::invalid_value(
            "flags is not zero or timeout is not TIMEOUT_IGNORED",
        ));
    }
    Ok(fence)
}

/// Fence, parameter, room, and where the number of answers and they go.
pub type SyncOut = (FenceId, GLenum, GLsizei, *mut GLsizei, *mut GLint);

pub fn get_synciv(
    cx: &Cx<'_>,
    at: GLsync,
    pname: GLenum,
    count: GLsizei,
    length: *mut GLsizei,
    values: *mut GLint,
) -> Result<SyncOut, GlError> {
    let fence = sync(cx, at)?;
    if count < 0 {
        return Err(GlError::invalid_value("bufSize is negative"));
    }
    match pname {
        GL_OBJECT_TYPE | GL_SYNC_STATUS | GL_SYNC_CONDITION | GL_SYNC_FLAGS => {
            Ok((fence, pname, count, length, values))
        }
        _ => Err(GlError::invalid_enum("pname is no parameter of a sync")),
    }
}
