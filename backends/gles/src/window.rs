//! Windows: the driver's surfaces for them and presents. It is the one place of this backend that knows which way up a window is.
//!
//! A drawable's images are ours ([`crate::surfaces`]) and hold GL's bottom row at row 0, as the driver's own framebuffer 0 does: a
//! present copies row to row, and the driver turns the rows over for the window.

use crate::backend::GlesBackend;
use crate::driver::{Driver, DriverWindow};
use crate::framebuffers::Attachment;
use crate::surfaces::SurfaceImage;
use glow::HasContext;
use khronos_egl as egl;
use pipe::PipeEvent;
use std::ffi::{CString, c_char, c_void};

/// Name of the platform that has windows.
pub const PLATFORM: &str = "x11";

/// What `eglGetPlatformDisplay` is given for a server: null for that of `DISPLAY`, else a connection of our own, which stays open.
pub fn native_display(server: &str) -> Option<*mut c_void> {
    if std::env::var("DISPLAY").is_ok_and(|display| display == server) {
        return Some(std::ptr::null_mut());
    }
    let name = CString::new(server).ok()?;
    // SAFETY: libX11's initialisers are those that every X client runs.
    let library = unsafe { libloading::Library::new("libX11.so.6") }.ok()?;
    type Open = unsafe extern "C" fn(*const c_char) -> *mut c_void;
    // SAFETY: the prototype of Xlib.h.
    let open: Open = *unsafe { library.get(b"XOpenDisplay\0") }.ok()?;
    // SAFETY: a C string, kept by nobody.
    let display = unsafe { open(name.as_ptr()) };
    // The display's functions are the driver's from now on.
    std::mem::forget(library);
    (!display.is_null()).then_some(display)
}

impl Driver {
    /// The driver's configuration for windows of a visual: colours only, since depth and stencil are never shown. Drivers name one
    /// visual per configuration, though a server may have many of the same depth and masks: those are as good.
    fn window_config(&self, visual: u32, depth: u8) -> Option<egl::Config> {
        let wanted = [
            egl::SURFACE_TYPE,
            egl::WINDOW_BIT,
            egl::RENDERABLE_TYPE,
            egl::OPENGL_ES3_BIT,
            egl::RED_SIZE,
            8,
            egl::GREEN_SIZE,
            8,
            egl::BLUE_SIZE,
            8,
            egl::NONE,
        ];
        let count = self.egl.matching_config_count(self.display, &wanted).ok()?;
        let mut configs = Vec::with_capacity(count);
        self.egl
            .choose_config(self.display, &wanted, &mut configs)
            .ok()?;
        let attribute = |config, name| {
            self.egl
                .get_config_attrib(self.display, config, name)
                .unwrap_or(0)
        };
        let alpha = i32::from(depth) - 24;
        configs
            .into_iter()
            .filter(|config| {
                attribute(*config, egl::NATIVE_VISUAL_ID) as u32 == visual
                    || attribute(*config, egl::ALPHA_SIZE) == alpha
            })
            .min_by_key(|config| {
                let names = [egl::SAMPLES, egl::DEPTH_SIZE, egl::STENCIL_SIZE];
                let named = attribute(*config, egl::NATIVE_VISUAL_ID) as u32 == visual;
                (!named, names.map(|name| attribute(*config, name)))
            })
    }

    /// A surface for an X11 window.
    pub fn create_window(
        &self,
        window: u32,
        visual: u32,
        depth: u8,
    ) -> Result<DriverWindow, String> {
        if self.platform != PLATFORM {
            return Err(format!(
                "windows: the driver's display was opened on platform {}, which has none",
                self.platform
            ));
        }
        let config = self
            .window_config(visual, depth)
            .ok_or_else(|| format!("the driver draws to no windows of visual {visual:#x}"))?;
        // SAFETY: the client gives the id of a window that exists on the server of the display's connection; EGL checks it.
        unsafe {
            self.egl.create_window_surface(
                self.display,
                config,
                window as usize as egl::NativeWindowType,
                None,
            )
        }
        .map(DriverWindow)
        .map_err(|e| format!("a surface for window {window:#x}: {e}"))
    }

    /// Ends a window's surface.
    pub fn destroy_window(&self, window: DriverWindow) {
        let _ = self.egl.destroy_surface(self.display, window.0);
    }

    /// Shows a window's back buffer; the window is current on this thread.
    pub fn swap(&self, window: DriverWindow, interval: i32) -> Result<(), String> {
        let _ = self.egl.swap_interval(self.display, interval);
        self.egl
            .swap_buffers(self.display, window.0)
            .map_err(|e| e.to_string())
    }

    /// A window's size as the driver has it.
    pub fn window_size(&self, window: DriverWindow) -> Option<(u32, u32)> {
        let get = |name| self.egl.query_surface(self.display, window.0, name).ok();
        Some((
            u32::try_from(get(egl::WIDTH)?).ok()?,
            u32::try_from(get(egl::HEIGHT)?).ok()?,
        ))
    }
}

impl GlesBackend {
    /// Shows the draw surface in its window.
    pub(crate) fn present_window(&mut self) {
        let Some(drawable) = self.surfaces.table.get(self.cx.draw) else {
            return;
        };
        let (Some(window), Some(context)) = (drawable.window, self.cx.driver) else {
            return;
        };
        let (w, h) = (drawable.desc.width as i32, drawable.desc.height as i32);
        let gl = self.gl;
        if let Err(why) = self.driver.make_current(context, Some(window)) {
            self.say_once("present", &why);
            return;
        }
        let color = match drawable.color {
            SurfaceImage::Renderbuffer(name) => Attachment::Renderbuffer(name),
            SurfaceImage::None | SurfaceImage::Texture(_) => Attachment::None,
        };
        let none = Attachment::None;
        let bound = self
            .cx
            .bind_scratch_framebuffer(gl, glow::READ_FRAMEBUFFER, color, none, none);
        if bound.is_ok() {
            self.cx.bind_draw(gl, None);
            self.cx.render.set_for_copy(gl, w, h);
            // A window that has changed its size meanwhile keeps its upper left corner; the rest is black.
            let size = self.driver.window_size(window);
            let up = size.map_or(0, |(_, height)| height as i32 - h);
            if size.is_some_and(|(width, height)| width as i32 > w || height as i32 > h) {
                // SAFETY: GL rules 1 and 3; framebuffer 0 is the window's.
                unsafe { gl.clear_buffer_f32_slice(glow::COLOR, 0, &[0.0, 0.0, 0.0, 1.0]) };
            }
            // SAFETY: GL rule 1; framebuffer 0 is the window's.
            unsafe {
                gl.blit_framebuffer(
                    0,
                    0,
                    w,
                    h,
                    0,
                    up,
                    w,
                    up + h,
                    glow::COLOR_BUFFER_BIT,
                    glow::NEAREST,
                );
            }
            if let Err(why) = self.driver.swap(window, self.swap_interval) {
                self.say_once("present", &why);
            }
        }
        self.cx.forget(pipe_inputs::fields::Group::framebuffer);
        self.cx.forget(pipe_inputs::fields::Group::render_state);
        if let Some((width, height)) = self.driver.window_size(window)
            && (width, height) != (w as u32, h as u32)
        {
            self.events.push(PipeEvent::SurfaceChanged {
                surface: self.cx.draw,
                width,
                height,
            });
        }
    }
}
