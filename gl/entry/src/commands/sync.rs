//! Sync objects: fences in the command stream. All contexts share one stream, so the server waits for nothing.

use crate::c_memory;
use crate::cx::Cx;
use crate::validate::sync::{SyncOut, pointer};
use gl_enums::*;
use gl_state::GlError;
use gl_state::sync::Sync;
use pipe::{FenceId, FenceOnly, FenceStatus, FenceWait, Flush, Submit};
use pipe_inputs::VerbClass;

pub fn fence_sync(cx: &mut Cx<'_>, (): ()) -> Result<GLsync, GlError> {
    let fence = cx.objects.syncs.insert(|fence| Sync {
        fence,
        signalled: false,
        flushed: false,
        label: None,
    });
    cx.share.syncs.push(fence);
    cx.pipe.fence_create(&FenceOnly { fence });
    cx.finish_verb(Submit::Done);
    Ok(pointer(fence))
}

pub fn is_sync(cx: &mut Cx<'_>, at: GLsync) -> Result<GLboolean, GlError> {
    let found = cx.share.syncs.iter().any(|fence| pointer(*fence) == at);
    Ok(found.into())
}

pub fn delete_sync(cx: &mut Cx<'_>, fence: Option<FenceId>) -> Result<(), GlError> {
    if let Some(fence) = fence {
        cx.share.syncs.retain(|living| *living != fence);
        cx.objects.syncs.remove(fence);
        cx.pipe.fence_destroy(&FenceOnly { fence });
        cx.finish_verb(Submit::Done);
    }
    Ok(())
}

/// Asks once; an answer of yes is kept. An unsignalled fence's commands are sent, so that a loop of polls ends
/// (GL 4.6 §4.1.2: without a flush a wait may be for ever, and polling applications rely on drivers that send).
fn poll(cx: &mut Cx<'_>, fence: FenceId) -> FenceStatus {
    if cx.objects.syncs[fence].signalled {
        return FenceStatus::Signalled;
    }
    if !std::mem::replace(&mut cx.objects.syncs[fence].flushed, true) {
        flush(cx);
    }
    let status = cx.pipe.fence_status(&FenceOnly { fence });
    cx.objects.syncs[fence].signalled = status == FenceStatus::Signalled;
    cx.finish_verb(Submit::Done);
    status
}

/// Sends what was commanded so far.
pub(super) fn flush(cx: &mut Cx<'_>) {
    let groups = cx.prepare(VerbClass::Flush);
    let submit = cx.pipe.flush(&Flush { groups, wait: 0 });
    cx.finish_verb(submit);
}

pub fn client_wait_sync(
    cx: &mut Cx<'_>,
    (fence, timeout_ns): (FenceId, u64),
) -> Result<GLenum, GlError> {
    match poll(cx, fence) {
        FenceStatus::Signalled => return Ok(GL_ALREADY_SIGNALED),
        FenceStatus::Failed => return Ok(GL_WAIT_FAILED),
        FenceStatus::Unsignalled if timeout_ns == 0 => return Ok(GL_TIMEOUT_EXPIRED),
        FenceStatus::Unsignalled => {}
    }
    let status = cx.pipe.fence_wait(&FenceWait { fence, timeout_ns });
    cx.objects.syncs[fence].signalled = status == FenceStatus::Signalled;
    cx.finish_verb(Submit::Done);
    Ok(match status {
        FenceStatus::Signalled => GL_CONDITION_SATISFIED,
        FenceStatus::Unsignalled => GL_TIMEOUT_EXPIRED,
        FenceStatus::Failed => GL_WAIT_FAILED,
    })
}

pub fn wait_sync(_cx: &mut Cx<'_>, _fence: FenceId) -> Result<(), GlError> {
    Ok(())
}

pub fn get_synciv(
    cx: &mut Cx<'_>,
    (fence, pname, room, length, out): SyncOut,
) -> Result<(), GlError> {
    let value = match pname {
        GL_OBJECT_TYPE => GL_SYNC_FENCE,
        GL_SYNC_STATUS => match poll(cx, fence) {
            FenceStatus::Signalled => GL_SIGNALED,
            FenceStatus::Unsignalled | FenceStatus::Failed => GL_UNSIGNALED,
        },
        GL_SYNC_CONDITION => GL_SYNC_GPU_COMMANDS_COMPLETE,
        _ => 0,
    };
    let written = room.min(1);
    if written == 1 {
        // SAFETY: glGetSynciv writes up to `bufSize` integers ...
        unsafe { c_memory::write(out, value as GLint) };
    }
    // SAFETY: ... and their number.
    unsafe { c_memory::write(length, written) };
    Ok(())
}
