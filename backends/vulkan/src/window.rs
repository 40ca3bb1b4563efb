//! Windows: the connection to their server, a surface for each, and the present of a drawable to it. Their images are in
//! [`crate::swapchain`].
#![allow(unsafe_code)]

use crate::backend::VulkanBackend;
use crate::blank::Subresources;
use crate::commands::Access;
use crate::device::{Gpu, OpenOptions};
use crate::orientation;
use crate::swapchain::{Acquired, Swapchain};
use ash::{khr, vk};
use pipe::PipeError;
use std::ffi::{CStr, CString, c_char, c_int, c_void};

/// Instance extensions that windows need.
pub const INSTANCE_EXTENSIONS: [&CStr; 2] = [khr::surface::NAME, khr::xcb_surface::NAME];

/// Functions for windows, loaded where their extensions were enabled.
pub struct WindowFunctions {
    pub surface: khr::surface::Instance,
    pub xcb: khr::xcb_surface::Instance,
    pub swapchain: khr::swapchain::Device,
    /// Connection to the server, which stays open; null: it could not be made.
    connection: *mut c_void,
}

// SAFETY: an xcb connection may be used from any thread; which thread has it is rule 3.
unsafe impl Send for WindowFunctions {}

impl WindowFunctions {
    /// Loads them and connects to the server that the options name.
    pub fn load(
        entry: &ash::Entry,
        instance: &ash::Instance,
        device: &ash::Device,
        server: &str,
    ) -> Self {
        Self {
            surface: khr::surface::Instance::new(entry, instance),
            xcb: khr::xcb_surface::Instance::new(entry, instance),
            swapchain: khr::swapchain::Device::new(instance, device),
            connection: connect(server).unwrap_or(std::ptr::null_mut()),
        }
    }
}

/// Whether the instance can be asked for windows at all.
pub fn instance_has_windows(entry: &ash::Entry, options: &OpenOptions) -> bool {
    // SAFETY: no layer is named.
    let listed = unsafe { entry.enumerate_instance_extension_properties(None) };
    let listed = listed.unwrap_or_default();
    options.x11.is_some()
        && INSTANCE_EXTENSIONS.iter().all(|name| {
            listed
                .iter()
                .any(|listed| listed.extension_name_as_c_str() == Ok(*name))
        })
}

/// A connection of our own. The library is opened at run time: machines without windows have none.
fn connect(server: &str) -> Option<*mut c_void> {
    type Connect = unsafe extern "C" fn(*const c_char, *mut c_int) -> *mut c_void;
    type HasError = unsafe extern "C" fn(*mut c_void) -> c_int;
    let name = CString::new(server).ok()?;
    // SAFETY: libxcb's initialisers are those that every X client runs.
    let library = unsafe { libloading::Library::new("libxcb.so.1") }.ok()?;
    // SAFETY: the prototypes of xcb.h.
    let connect: Connect = *unsafe { library.get(b"xcb_connect\0") }.ok()?;
    // SAFETY: as above.
    let has_error: HasError = *unsafe { library.get(b"xcb_connection_has_error\0") }.ok()?;
    // SAFETY: a C string, kept by nobody; the screen's number is not asked for.
    let connection = unsafe { connect(name.as_ptr(), std::ptr::null_mut()) };
    // SAFETY: xcb_connect never returns null.
    let works = unsafe { has_error(connection) } == 0;
    // The connection is used until the process ends.
    std::mem::forget(library);
    works.then_some(connection)
}

/// A window that a drawable shows in.
#[derive(Debug)]
pub struct Window {
    surface: vk::SurfaceKHR,
    swapchain: Option<Swapchain>,
}

impl Window {
    /// A surface for an X11 window.
    pub fn new(gpu: &Gpu, window: u32) -> Result<Self, PipeError> {
        let unsupported = |why: String| {
            PipeError::Unsupported(format!("presentation to window {window:#x}: {why}"))
        };
        let Some(functions) = &gpu.windows else {
            return Err(unsupported(
                "VK_KHR_surface, VK_KHR_xcb_surface or VK_KHR_swapchain is missing".to_owned(),
            ));
        };
        if functions.connection.is_null() {
            return Err(unsupported(
                "no connection to the X server (libxcb.so.1)".to_owned(),
            ));
        }
        let info = vk::XcbSurfaceCreateInfoKHR::default()
            .connection(functions.connection)
            .window(window);
        // SAFETY: rules 4 and 5; the connection stays open.
        let surface = unsafe { functions.xcb.create_xcb_surface(&info, None) }
            .map_err(|why| unsupported(why.to_string()))?;
        // SAFETY: rules 3 and 5.
        let presents = unsafe {
            functions.surface.get_physical_device_surface_support(
                gpu.physical(),
                gpu.queue_family,
                surface,
            )
        };
        if presents != Ok(true) {
            // SAFETY: made above, used by nothing.
            unsafe { functions.surface.destroy_surface(surface, None) };
            return Err(unsupported(
                "the device does not present to windows of this server".to_owned(),
            ));
        }
        Ok(Self {
            surface,
            swapchain: None,
        })
    }

    /// Ends the surface; the device is idle.
    pub fn destroy(self, gpu: &Gpu) {
        if let Some(swapchain) = self.swapchain {
            swapchain.destroy(gpu);
        }
        if let Some(functions) = &gpu.windows {
            // SAFETY: rule 6 – its swapchain is gone.
            unsafe { functions.surface.destroy_surface(self.surface, None) };
        }
    }
}

impl VulkanBackend {
    /// Shows the draw surface in its window.
    pub(crate) fn present_window(&mut self) {
        let drawable = self.current_draw;
        let Some(mut window) = self
            .surfaces
            .get_mut(drawable)
            .and_then(|drawable| drawable.window.take())
        else {
            return;
        };
        self.show(&mut window);
        if let Some(drawable) = self.surfaces.get_mut(drawable) {
            drawable.window = Some(window);
        }
    }

    fn show(&mut self, window: &mut Window) -> Option<()> {
        let drawable = self.surfaces.get(self.current_draw)?;
        let (color, size) = (drawable.color?, [drawable.desc.width, drawable.desc.height]);
        let acquired = self.acquire(window, size)?;
        let cb = self.outside()?;
        let aspects = vk::ImageAspectFlags::COLOR;
        let subresource = vk::ImageSubresourceLayers {
            aspect_mask: aspects,
            mip_level: 0,
            base_array_layer: 0,
            layer_count: 1,
        };
        self.make_zeros(color, Subresources::of(&subresource))?;
        let layout = self.use_image(
            color,
            vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
            Access::Read,
            crate::blank::Reach::Settled,
        )?;
        let target = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        let shown = acquired.image;
        self.commands.transition(
            &mut self.gpu,
            shown,
            aspects,
            vk::ImageLayout::UNDEFINED,
            target,
        );
        if acquired.extent[0] > size[0] || acquired.extent[1] > size[1] {
            self.blacken(cb, shown);
        }
        let (src_offsets, dst_offsets) = orientation::present_region(size, acquired.extent);
        let region = [vk::ImageBlit {
            src_subresource: subresource,
            src_offsets,
            dst_subresource: subresource,
            dst_offsets,
        }];
        let from = self.images.get(color)?.raw.image;
        // SAFETY: rules 1 and 2; both rectangles are inside their images.
        unsafe {
            self.gpu.device.cmd_blit_image(
                cb,
                from,
                layout,
                shown,
                target,
                &region,
                vk::Filter::NEAREST,
            );
        }
        self.commands.transition(
            &mut self.gpu,
            shown,
            aspects,
            target,
            vk::ImageLayout::PRESENT_SRC_KHR,
        );
        self.submit();
        let swapchain = window.swapchain.as_mut()?;
        let shown = swapchain.present(&mut self.gpu, &acquired);
        self.gpu.check(shown)
    }

    /// What of a window the drawable does not cover.
    fn blacken(&mut self, cb: vk::CommandBuffer, image: vk::Image) {
        let range = [vk::ImageSubresourceRange {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            base_mip_level: 0,
            level_count: 1,
            base_array_layer: 0,
            layer_count: 1,
        }];
        let black = vk::ClearColorValue {
            float32: [0.0, 0.0, 0.0, 1.0],
        };
        let layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        // SAFETY: rules 1 and 2; the image is in this layout.
        unsafe {
            self.gpu
                .device
                .cmd_clear_color_image(cb, image, layout, &black, &range);
        }
        self.commands.full_barrier(&mut self.gpu);
    }

    /// An image of the window to draw to. Makes the swapchain where there is none, or where it no longer fits.
    fn acquire(&mut self, window: &mut Window, size: [u32; 2]) -> Option<Acquired> {
        // What was drawn is under way while the window's image is waited for.
        self.submit();
        for _ in 0..2 {
            let fits = window
                .swapchain
                .as_ref()
                .is_some_and(|swapchain| swapchain.fits(size, self.swap_interval));
            if !fits {
                let old = window.swapchain.take();
                if old.is_some() {
                    // Its images may still be waited for.
                    self.gpu.wait_idle();
                }
                let made =
                    Swapchain::new(&mut self.gpu, window.surface, size, self.swap_interval, old);
                match made {
                    Ok(made) => window.swapchain = made,
                    Err(result) => {
                        self.gpu.check::<()>(Err(result));
                    }
                }
            }
            // A window of no size shows nothing.
            let swapchain = window.swapchain.as_mut()?;
            swapchain.settle(&mut self.commands, &mut self.gpu);
            match swapchain.acquire(&mut self.gpu, self.commands.serial()) {
                Ok(Some(acquired)) => return Some(acquired),
                // It no longer fits the window: once more with another.
                Ok(None) => {}
                Err(result) => {
                    self.gpu.check::<()>(Err(result));
                    return None;
                }
            }
        }
        None
    }
}
