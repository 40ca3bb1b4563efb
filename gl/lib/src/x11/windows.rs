//! Which drawables of the session are windows, and how large those are. It resizes nothing.

use super::server::Server;
use pipe::SurfaceId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A window behind a drawable.
#[derive(Clone, Debug)]
struct Window {
    server: Arc<Server>,
    id: u32,
    /// Size that the session was told last.
    told: (u32, u32),
    /// The server said that there is no such window.
    gone: bool,
}

/// Windows by drawable. Its lock is taken last: nothing else is locked while it is held.
static WINDOWS: LazyLock<Mutex<HashMap<SurfaceId, Window>>> = LazyLock::new(Mutex::default);

fn windows() -> std::sync::MutexGuard<'static, HashMap<SurfaceId, Window>> {
    WINDOWS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The drawable, of this size, shows in this window.
pub fn note(surface: SurfaceId, server: &Arc<Server>, id: u32, told: (u32, u32)) {
    gl_entry::window_size::ask(|surface| Some(follow(surface)?.0));
    let window = Window {
        server: Arc::clone(server),
        id,
        told,
        gone: false,
    };
    windows().insert(surface, window);
}

/// The drawable ended.
pub fn forget(surface: SurfaceId) {
    windows().remove(&surface);
}

/// Whether a drawable shows in this window.
pub fn is_taken(server: &Server, id: u32) -> bool {
    windows()
        .values()
        .any(|window| window.id == id && window.server.name == server.name)
}

/// Size of a drawable's window now: a round trip to the server. `None`: no window.
pub fn size(surface: SurfaceId) -> Option<(u32, u32)> {
    let (server, id) = {
        let windows = windows();
        let window = windows.get(&surface)?;
        (Arc::clone(&window.server), window.id)
    };
    let size = server.size(id);
    if size.is_none()
        && let Some(window) = windows().get_mut(&surface)
    {
        window.gone = true;
    }
    size
}

/// As [`size`], for a caller that tells the session; whether that is news.
pub fn follow(surface: SurfaceId) -> Option<((u32, u32), bool)> {
    let now = size(surface)?;
    let mut windows = windows();
    let window = windows.get_mut(&surface)?;
    let before = std::mem::replace(&mut window.told, now);
    Some((now, before != now))
}

/// Whether the drawable's window was found to be gone.
pub fn is_gone(surface: SurfaceId) -> bool {
    windows().get(&surface).is_some_and(|window| window.gone)
}
