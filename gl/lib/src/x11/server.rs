//! An X server over a connection of our own: screens, windows, free ids. It sends nothing but questions.

use super::visual::{self, Visual};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, WindowClass};
use x11rb::rust_connection::RustConnection;

/// A screen of a server.
#[derive(Clone, Debug)]
pub struct Screen {
    /// What can be drawn to, best first.
    pub visuals: Vec<Visual>,
}

/// The server's GLX extension, where it has one: for error codes and events.
#[derive(Clone, Copy, Debug, Default)]
pub struct GlxCodes {
    pub major_opcode: u8,
    pub first_error: u8,
    pub first_event: u8,
}

/// A window as it is now. Sizes in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowFacts {
    pub width: u32,
    pub height: u32,
    pub visual: u32,
}

/// A server.
#[derive(Debug)]
pub struct Server {
    /// As in `DISPLAY`.
    pub name: String,
    pub screens: Vec<Screen>,
    /// The screen that the name says.
    pub default_screen: usize,
    pub glx: GlxCodes,
    connection: RustConnection,
}

/// Servers that were connected to, by name. They stay until the process ends.
static SERVERS: LazyLock<Mutex<HashMap<String, Arc<Server>>>> = LazyLock::new(Mutex::default);

/// The server of this name, or of `DISPLAY`.
pub fn connect(name: Option<&str>) -> Result<Arc<Server>, String> {
    let name = match name {
        Some(name) => name.to_owned(),
        None => std::env::var("DISPLAY").map_err(|_| "DISPLAY is not set".to_owned())?,
    };
    let mut servers = SERVERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(server) = servers.get(&name) {
        return Ok(Arc::clone(server));
    }
    let server = Arc::new(Server::open(&name).map_err(|why| format!("X server {name}: {why}"))?);
    servers.insert(name, Arc::clone(&server));
    Ok(server)
}

/// Name of the server whose windows the session draws to.
static SESSION_SERVER: OnceLock<String> = OnceLock::new();

/// The name of the session's server, once an application has shown one.
pub fn session_server() -> Option<String> {
    SESSION_SERVER.get().cloned()
}

/// The session draws to this server's windows, unless it draws to another's already: one driver display serves all contexts.
pub fn use_in_session(server: &Server) -> Result<(), String> {
    let used = SESSION_SERVER.get_or_init(|| server.name.clone());
    match *used == server.name {
        true => Ok(()),
        false => Err(format!(
            "windows of X server {}: this process draws to those of {used} already",
            server.name
        )),
    }
}

impl Server {
    fn open(name: &str) -> Result<Self, String> {
        let (connection, default_screen) =
            RustConnection::connect(Some(name)).map_err(|why| why.to_string())?;
        let screens = connection
            .setup()
            .roots
            .iter()
            .map(|screen| Screen {
                visuals: visual::of_screen(&screen.allowed_depths, screen.root_visual),
            })
            .collect();
        let glx = connection
            .query_extension(b"GLX")
            .map_err(|why| why.to_string())?
            .reply()
            .map_err(|why| why.to_string())?;
        let glx = match glx.present {
            true => GlxCodes {
                major_opcode: glx.major_opcode,
                first_error: glx.first_error,
                first_event: glx.first_event,
            },
            false => GlxCodes::default(),
        };
        Ok(Self {
            name: name.to_owned(),
            screens,
            default_screen,
            glx,
            connection,
        })
    }

    /// A window as it is now; `None`: there is no such window, or it has no pixels (input only).
    pub fn window(&self, id: u32) -> Option<WindowFacts> {
        // Both questions are on their way before the first answer is waited for.
        let geometry = self.connection.get_geometry(id).ok()?;
        let attributes = self.connection.get_window_attributes(id).ok()?;
        let (geometry, attributes) = (geometry.reply().ok()?, attributes.reply().ok()?);
        (attributes.class == WindowClass::INPUT_OUTPUT).then(|| WindowFacts {
            width: u32::from(geometry.width),
            height: u32::from(geometry.height),
            visual: attributes.visual,
        })
    }

    /// A drawable's size now (windows and pixmaps); `None`: there is no such drawable.
    pub fn size(&self, id: u32) -> Option<(u32, u32)> {
        let geometry = self.connection.get_geometry(id).ok()?.reply().ok()?;
        Some((u32::from(geometry.width), u32::from(geometry.height)))
    }

    /// An id that names nothing and never will: for drawables that the server does not know.
    pub fn unused_id(&self) -> Option<u32> {
        self.connection.generate_id().ok()
    }

    /// Whether windows of this visual can be drawn to; its depth.
    pub fn visual(&self, id: u32) -> Option<Visual> {
        let mut all = self.screens.iter().flat_map(|screen| &screen.visuals);
        all.find(|visual| visual.id == id).copied()
    }
}
