//! The images of a window: acquired, drawn to, handed back. It knows no drawable and records no command.
//!
//! # Semaphores
//!
//! An acquired image is waited for by a submission without commands, and a present waits for another such submission: the scopes of a
//! semaphore reach over everything later, or earlier, in submission order (Vulkan 1.1 "Semaphore Signaling" and "Semaphore Waiting").
//! So the command stream's own submissions stay as they are.
#![allow(unsafe_code)]

use crate::commands::Commands;
use crate::device::Gpu;
use ash::vk;

/// An image that may be drawn to, to be presented next.
#[derive(Clone, Copy, Debug)]
pub struct Acquired {
    pub image: vk::Image,
    pub extent: [u32; 2],
    index: u32,
}

/// One acquisition under way.
#[derive(Clone, Copy, Debug)]
struct Acquisition {
    semaphore: vk::Semaphore,
    /// Serial of the command buffer that follows the wait: when that retires the semaphore is free.
    serial: u64,
}

/// A swapchain.
#[derive(Debug)]
pub struct Swapchain {
    handle: vk::SwapchainKHR,
    extent: [u32; 2],
    images: Vec<vk::Image>,
    /// By image: the present waits for it.
    drawn: Vec<vk::Semaphore>,
    acquisitions: Vec<Acquisition>,
    next: usize,
    /// Size of the drawable that it was made for, and the swap interval.
    made_for: ([u32; 2], i32),
    /// The window has changed since.
    stale: bool,
}

/// Of what a surface offers, what we use.
fn pick(
    capabilities: &vk::SurfaceCapabilitiesKHR,
    modes: &[vk::PresentModeKHR],
    interval: i32,
) -> (vk::PresentModeKHR, vk::CompositeAlphaFlagsKHR, u32) {
    use vk::CompositeAlphaFlagsKHR as Alpha;
    use vk::PresentModeKHR as Mode;
    let wanted: &[Mode] = match interval {
        0 => &[Mode::IMMEDIATE, Mode::MAILBOX],
        _ => &[],
    };
    // FIFO is always there.
    let mode = wanted.iter().find(|mode| modes.contains(mode));
    let alphas = [
        Alpha::OPAQUE,
        Alpha::INHERIT,
        Alpha::PRE_MULTIPLIED,
        Alpha::POST_MULTIPLIED,
    ];
    let alpha = alphas
        .into_iter()
        .find(|alpha| capabilities.supported_composite_alpha.contains(*alpha));
    let most = match capabilities.max_image_count {
        0 => u32::MAX,
        most => most,
    };
    // One shown, one queued, one drawn to.
    let count = capabilities.min_image_count.max(3).min(most);
    (
        mode.copied().unwrap_or(Mode::FIFO),
        alpha.unwrap_or(Alpha::OPAQUE),
        count,
    )
}

/// Eight bits per channel without an encoding: GL's values are shown as they are.
fn pick_format(formats: &[vk::SurfaceFormatKHR]) -> Option<vk::SurfaceFormatKHR> {
    [vk::Format::B8G8R8A8_UNORM, vk::Format::R8G8B8A8_UNORM]
        .into_iter()
        .find_map(|wanted| formats.iter().find(|f| f.format == wanted).copied())
}

impl Swapchain {
    /// Images for a surface; `old` is replaced, and the device is idle then. `None`: the window has no size.
    pub fn new(
        gpu: &mut Gpu,
        surface: vk::SurfaceKHR,
        size: [u32; 2],
        interval: i32,
        old: Option<Self>,
    ) -> Result<Option<Self>, vk::Result> {
        let made = Self::create(gpu, surface, size, interval, old.as_ref());
        if let Some(old) = old {
            old.destroy(gpu);
        }
        made
    }

    fn create(
        gpu: &Gpu,
        surface: vk::SurfaceKHR,
        size: [u32; 2],
        interval: i32,
        old: Option<&Self>,
    ) -> Result<Option<Self>, vk::Result> {
        let functions = gpu
            .windows
            .as_ref()
            .ok_or(vk::Result::ERROR_EXTENSION_NOT_PRESENT)?;
        let (physical, query) = (gpu.physical(), &functions.surface);
        // SAFETY: rules 3 and 5 (here and below).
        let capabilities =
            unsafe { query.get_physical_device_surface_capabilities(physical, surface) }?;
        // SAFETY: as above.
        let modes = unsafe { query.get_physical_device_surface_present_modes(physical, surface) }?;
        // SAFETY: as above.
        let formats = unsafe { query.get_physical_device_surface_formats(physical, surface) }?;
        let format = pick_format(&formats).ok_or(vk::Result::ERROR_FORMAT_NOT_SUPPORTED)?;
        let extent = match capabilities.current_extent {
            // The surface takes the swapchain's size.
            vk::Extent2D {
                width: u32::MAX, ..
            } => vk::Extent2D {
                width: size[0],
                height: size[1],
            },
            extent => extent,
        };
        if extent.width == 0 || extent.height == 0 {
            return Ok(None);
        }
        let (mode, alpha, count) = pick(&capabilities, &modes, interval);
        let info = vk::SwapchainCreateInfoKHR::default()
            .surface(surface)
            .min_image_count(count)
            .image_format(format.format)
            .image_color_space(format.color_space)
            .image_extent(extent)
            .image_array_layers(1)
            .image_usage(vk::ImageUsageFlags::TRANSFER_DST)
            .image_sharing_mode(vk::SharingMode::EXCLUSIVE)
            .pre_transform(capabilities.current_transform)
            .composite_alpha(alpha)
            .present_mode(mode)
            .clipped(true)
            .old_swapchain(old.map_or(vk::SwapchainKHR::null(), |old| old.handle));
        // SAFETY: rules 4 and 5.
        let handle = unsafe { functions.swapchain.create_swapchain(&info, None) }?;
        let mut swapchain = Self {
            handle,
            extent: [extent.width, extent.height],
            images: Vec::new(),
            drawn: Vec::new(),
            acquisitions: Vec::new(),
            next: 0,
            made_for: (size, interval),
            stale: false,
        };
        match swapchain.fill(gpu) {
            Ok(()) => Ok(Some(swapchain)),
            Err(error) => {
                swapchain.destroy(gpu);
                Err(error)
            }
        }
    }

    fn fill(&mut self, gpu: &Gpu) -> Result<(), vk::Result> {
        if let Some(functions) = &gpu.windows {
            // SAFETY: rules 3 and 5.
            self.images = unsafe { functions.swapchain.get_swapchain_images(self.handle) }?;
        }
        let info = vk::SemaphoreCreateInfo::default();
        for _ in 0..self.images.len() {
            // SAFETY: rule 4.
            self.drawn
                .push(unsafe { gpu.device.create_semaphore(&info, None) }?);
        }
        for _ in 0..=self.images.len() {
            // SAFETY: rule 4.
            let semaphore = unsafe { gpu.device.create_semaphore(&info, None) }?;
            let serial = 0;
            self.acquisitions.push(Acquisition { semaphore, serial });
        }
        Ok(())
    }

    /// Whether it was made for a drawable of this size and this interval, and the window has not changed.
    pub fn fits(&self, size: [u32; 2], interval: i32) -> bool {
        !self.stale && self.made_for == (size, interval)
    }

    /// Waits until the semaphore of the next acquisition is free: it bounds the frames that are under way.
    pub fn settle(&self, commands: &mut Commands, gpu: &mut Gpu) {
        commands.wait(gpu, self.acquisitions[self.next].serial, u64::MAX);
    }

    /// The next image; the command buffer of `serial` is the first that draws to it. `None`: the swapchain is stale.
    pub fn acquire(&mut self, gpu: &mut Gpu, serial: u64) -> Result<Option<Acquired>, vk::Result> {
        let Some(functions) = &gpu.windows else {
            return Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT);
        };
        let semaphore = self.acquisitions[self.next].semaphore;
        // SAFETY: rules 3 and 5; the semaphore is unsignalled and nothing waits for it (`settle`).
        let acquired = unsafe {
            functions.swapchain.acquire_next_image(
                self.handle,
                u64::MAX,
                semaphore,
                vk::Fence::null(),
            )
        };
        let index = match acquired {
            Ok((index, suboptimal)) => {
                // It can be presented; the next frame gets another swapchain.
                self.stale |= suboptimal;
                index
            }
            Err(vk::Result::ERROR_OUT_OF_DATE_KHR) => {
                self.stale = true;
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let (semaphores, stages) = ([semaphore], [vk::PipelineStageFlags::ALL_COMMANDS]);
        let wait = [vk::SubmitInfo::default()
            .wait_semaphores(&semaphores)
            .wait_dst_stage_mask(&stages)];
        // SAFETY: rules 3 and 4.
        unsafe { gpu.device.queue_submit(gpu.queue, &wait, vk::Fence::null()) }?;
        self.acquisitions[self.next].serial = serial;
        self.next = (self.next + 1) % self.acquisitions.len();
        Ok(Some(Acquired {
            image: self.images[index as usize],
            extent: self.extent,
            index,
        }))
    }

    /// Hands an image back for the window to show, behind everything that was submitted.
    pub fn present(&mut self, gpu: &mut Gpu, acquired: &Acquired) -> Result<(), vk::Result> {
        let Some(functions) = &gpu.windows else {
            return Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT);
        };
        let drawn = [self.drawn[acquired.index as usize]];
        let signal = [vk::SubmitInfo::default().signal_semaphores(&drawn)];
        // SAFETY: rules 3 and 4; the semaphore's last wait was over when the image was acquired again.
        unsafe {
            gpu.device
                .queue_submit(gpu.queue, &signal, vk::Fence::null())
        }?;
        let (handles, indices) = ([self.handle], [acquired.index]);
        let info = vk::PresentInfoKHR::default()
            .wait_semaphores(&drawn)
            .swapchains(&handles)
            .image_indices(&indices);
        // SAFETY: rules 3, 4 and 5; the image is in the layout of presents.
        match unsafe { functions.swapchain.queue_present(gpu.queue, &info) } {
            Ok(suboptimal) => {
                self.stale |= suboptimal;
                Ok(())
            }
            Err(vk::Result::ERROR_OUT_OF_DATE_KHR) => {
                self.stale = true;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Ends it; the device is idle.
    pub fn destroy(self, gpu: &Gpu) {
        let acquired = self.acquisitions.iter().map(|a| a.semaphore);
        for semaphore in self.drawn.iter().copied().chain(acquired) {
            // SAFETY: rule 6.
            unsafe { gpu.device.destroy_semaphore(semaphore, None) };
        }
        if let Some(functions) = &gpu.windows {
            // SAFETY: rule 6.
            unsafe { functions.swapchain.destroy_swapchain(self.handle, None) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vk::PresentModeKHR as Mode;

    #[test]
    fn interval_chooses_the_mode_and_counts_stay_within_what_the_surface_has() {
        let capabilities = vk::SurfaceCapabilitiesKHR {
            min_image_count: 2,
            max_image_count: 2,
            supported_composite_alpha: vk::CompositeAlphaFlagsKHR::INHERIT,
            ..Default::default()
        };
        let modes = [Mode::FIFO, Mode::MAILBOX];
        let (mode, alpha, count) = pick(&capabilities, &modes, 0);
        assert_eq!((mode, count), (Mode::MAILBOX, 2));
        assert_eq!(alpha, vk::CompositeAlphaFlagsKHR::INHERIT);
        assert_eq!(pick(&capabilities, &modes, 1).0, Mode::FIFO);
        let unbounded = vk::SurfaceCapabilitiesKHR {
            max_image_count: 0,
            ..capabilities
        };
        assert_eq!(pick(&unbounded, &modes, 1).2, 3);
    }
}
