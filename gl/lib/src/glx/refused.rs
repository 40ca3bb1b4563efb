//! Commands of GLX 1.4 that are not there, each exported all the same: it says its name and raises the error that a program can expect.
//! They are made by a macro, so that the coverage page does not count them.

use super::errors::{Error, GlxError, Request, raise};
use super::state::{current, lock};
use super::types::*;
use std::ffi::{c_int, c_ulong, c_void};

macro_rules! refused {
    ($($(#[$doc:meta])* $name:ident: |$($arg:ident: $ty:ty),*| -> $ret:ty $body:block)*) => {
        $(
            $(#[$doc])*
            #[unsafe(no_mangle)]
            pub extern "C" fn $name($($arg: $ty),*) -> $ret {
                $(let _ = &$arg;)*
                $body
            }
        )*

        /// Their addresses.
        pub(super) fn address(name: &str) -> Option<*const c_void> {
            Some(match name {
                $(stringify!($name) => $name as *const c_void,)*
                _ => return None,
            })
        }
    };
}

fn say(name: &str) {
    eprintln!("MobileGL: {name} is not implemented");
}

/// No configuration draws to pixmaps: GLX_DRAWABLE_TYPE says so.
fn refuse_pixmap(display: Display, name: &str, request: Request) -> Xid {
    say(name);
    raise(display, Error::Match, request, 0);
    0
}

fn no_such_pixmap(display: Display, pixmap: Xid, request: Request) {
    raise(display, Error::Glx(GlxError::Pixmap), request, pixmap);
}

refused! {
    /// "Rendering Contexts": groups of state are not copied between contexts.
    glXCopyContext: |display: Display, source: GlxContext, destination: GlxContext, mask: c_ulong| -> () {
        let known = {
            let state = lock();
            let has = |context: GlxContext| state.contexts.contains_key(&(context as usize));
            has(source) && has(destination)
        };
        let error = match known {
            true => Error::Access,
            false => Error::Glx(GlxError::Context),
        };
        say("glXCopyContext");
        raise(display, error, Request::CopyContext, source as Xid);
    }

    /// "Off Screen Rendering".
    glXCreatePixmap: |display: Display, config: GlxFbConfig, pixmap: Xid, list: *const c_int| -> Xid {
        refuse_pixmap(display, "glXCreatePixmap", Request::CreatePixmap)
    }

    /// "Off Screen Rendering".
    glXDestroyPixmap: |display: Display, pixmap: Xid| -> () {
        no_such_pixmap(display, pixmap, Request::DestroyPixmap)
    }

    /// "Backwards Compatibility".
    glXCreateGLXPixmap: |display: Display, visual: *mut c_void, pixmap: Xid| -> Xid {
        refuse_pixmap(display, "glXCreateGLXPixmap", Request::CreateGlxPixmap)
    }

    /// "Backwards Compatibility".
    glXDestroyGLXPixmap: |display: Display, pixmap: Xid| -> () {
        no_such_pixmap(display, pixmap, Request::DestroyGlxPixmap)
    }

    /// "Access to X Fonts": they are display lists.
    glXUseXFont: |font: Xid, first: c_int, count: c_int, list: c_int| -> () {
        say("glXUseXFont");
        if let Some(current) = current() {
            raise(current.display as Display, Error::Alloc, Request::UseXFont, font);
        }
    }
}
