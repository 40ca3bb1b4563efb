//! The application's connection to a server: which server it is, and that what it asked for has happened. Nothing else is sent on it.
//!
//! Rules for the unsafe blocks are those of [`super::xlib`].

use super::server::{Server, connect};
use super::xlib;
use std::ffi::{CStr, c_void};
use std::sync::Arc;

/// A connection that the application gave us. It stays the application's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// None: the server of `DISPLAY`.
    Default,
    /// Xlib's `Display *`.
    Xlib(usize),
    /// An `xcb_connection_t *`.
    Xcb(usize),
}

impl Connection {
    /// The server that it leads to.
    pub fn server(self) -> Result<Arc<Server>, String> {
        match self {
            Self::Default => connect(None),
            Self::Xlib(display) => {
                let xlib = xlib::xlib().ok_or("libX11 cannot be opened")?;
                // SAFETY: rule 1.
                let name = unsafe { (xlib.display_string)(display as *mut c_void) };
                if name.is_null() {
                    return connect(None);
                }
                // SAFETY: rule 1: a C string that lives as long as the display.
                let name = unsafe { CStr::from_ptr(name) };
                connect(Some(&name.to_string_lossy()))
            }
            Self::Xcb(connection) => connect(peer(connection as *mut c_void).as_deref()),
        }
    }

    /// Waits until the server has seen everything that the application sent on it so far: windows exist and have their size then.
    ///
    /// Goes through xcb where that is there: unlike Xlib's own functions it may be called while another thread waits for events.
    pub fn settle(self) {
        let xcb = match self {
            Self::Default => return,
            Self::Xcb(connection) => connection as *mut c_void,
            Self::Xlib(display) => {
                let display = display as *mut c_void;
                match (xlib::xlib_xcb(), xlib::xlib()) {
                    // SAFETY: rule 1.
                    (Some(bridge), _) => unsafe { (bridge.connection)(display) },
                    (None, Some(xlib)) => {
                        // SAFETY: rule 1.
                        unsafe { (xlib.sync)(display, 0) };
                        return;
                    }
                    (None, None) => return,
                }
            }
        };
        let Some(functions) = xlib::xcb() else {
            return;
        };
        // SAFETY: rule 1.
        let request = unsafe { (functions.get_input_focus)(xcb) };
        // SAFETY: rule 1; errors are left to the connection's own queue.
        let reply =
            unsafe { (functions.get_input_focus_reply)(xcb, request, std::ptr::null_mut()) };
        // SAFETY: the reply is malloc's, or null.
        unsafe { libc::free(reply.cast()) };
    }
}

/// The name of the server at the other end of an xcb connection, which keeps none: from its socket's address. `None`: `DISPLAY` says it.
fn peer(connection: *mut c_void) -> Option<String> {
    use std::os::fd::BorrowedFd;
    let functions = xlib::xcb()?;
    // SAFETY: rule 1.
    let fd = unsafe { (functions.file_descriptor)(connection) };
    if fd < 0 {
        return None;
    }
    // SAFETY: the connection keeps its descriptor open for the call.
    let fd = unsafe { BorrowedFd::borrow_raw(fd) };
    let address: rustix::net::SocketAddrUnix =
        rustix::net::getpeername(fd).ok()??.try_into().ok()?;
    let path = address
        .path()
        .map(|path| path.to_string_lossy().into_owned())
        .or_else(|| {
            let name = address.abstract_name()?;
            Some(String::from_utf8_lossy(name).into_owned())
        })?;
    server_at(&path)
}

/// `/tmp/.X11-unix/X5` as `:5`.
fn server_at(path: &str) -> Option<String> {
    let number = path.strip_prefix("/tmp/.X11-unix/X")?;
    number
        .parse::<u32>()
        .ok()
        .map(|number| format!(":{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_of_a_socket_is_named_by_its_number() {
        assert_eq!(server_at("/tmp/.X11-unix/X5").as_deref(), Some(":5"));
        assert_eq!(server_at("/run/other"), None);
    }
}
