//! glXGetProcAddress ("Obtaining Extension Function Pointers"): every GL and GLX command that this library exports, and its own functions.

use super::{config, context, current, drawable, missing, query, refused, sgi, swap};
use crate::egl;
use std::ffi::{CStr, c_uchar, c_void};

macro_rules! table {
    ($($module:ident { $($name:ident)* })*) => {
        /// A GLX function by its name.
        pub fn address(name: &str) -> Option<*const c_void> {
            Some(match name {
                $($(stringify!($name) => $module::$name as *const c_void,)*)*
                "glXGetProcAddress" => glXGetProcAddress as *const c_void,
                "glXGetProcAddressARB" => glXGetProcAddressARB as *const c_void,
                _ => return refused::address(name).or_else(|| missing::address(name)),
            })
        }
    };
}

table! {
    config {
        glXGetFBConfigs glXChooseFBConfig glXGetFBConfigAttrib glXGetVisualFromFBConfig glXChooseVisual glXGetConfig
    }
    context {
        glXCreateContext glXCreateNewContext glXCreateContextAttribsARB glXDestroyContext glXIsDirect glXQueryContext
    }
    current {
        glXMakeCurrent glXMakeContextCurrent glXGetCurrentContext glXGetCurrentDisplay glXGetCurrentDrawable
        glXGetCurrentReadDrawable glXWaitGL glXWaitX
    }
    drawable {
        glXCreateWindow glXDestroyWindow glXCreatePbuffer glXDestroyPbuffer glXQueryDrawable glXSelectEvent glXGetSelectedEvent
    }
    query {
        glXQueryExtension glXQueryVersion glXQueryExtensionsString glXQueryServerString glXGetClientString
    }
    sgi {
        glXMakeCurrentReadSGI glXGetCurrentReadDrawableSGI glXGetFBConfigAttribSGIX glXChooseFBConfigSGIX
        glXCreateContextWithConfigSGIX glXGetVisualFromFBConfigSGIX glXGetFBConfigFromVisualSGIX glXCreateGLXPbufferSGIX
        glXDestroyGLXPbufferSGIX glXQueryGLXPbufferSGIX glXSelectEventSGIX glXGetSelectedEventSGIX
    }
    swap { glXSwapBuffers glXSwapIntervalEXT glXSwapIntervalMESA glXGetSwapIntervalMESA glXSwapIntervalSGI }
}

/// "Obtaining Extension Function Pointers". The address says nothing about support: that is for versions and extension strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetProcAddress(name: *const c_uchar) -> *const c_void {
    if name.is_null() {
        return std::ptr::null();
    }
    // SAFETY: rule 1.
    let name = unsafe { CStr::from_ptr(name.cast()) };
    let Ok(name) = name.to_str() else {
        return std::ptr::null();
    };
    gl_entry::procs::address(name)
        .or_else(|| address(name))
        .or_else(|| egl::own_address(name))
        .unwrap_or(std::ptr::null())
}

/// GLX_ARB_get_proc_address.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn glXGetProcAddressARB(name: *const c_uchar) -> *const c_void {
    // SAFETY: the same contract.
    unsafe { glXGetProcAddress(name) }
}
