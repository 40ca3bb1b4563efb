//! What the driver made of pipelines, kept on disk from one process to the next. It must never hand one driver what another made.
//!
//! The driver's data is one entry by device, driver version and `pipelineCacheUUID`. It is written after a second without new
//! pipelines, at a submission, and when a context or the backend ends; what other processes wrote meanwhile is merged in first, so that the last
//! one to write loses nothing but what was written in the same moment.
#![allow(unsafe_code)]

use crate::device::Gpu;
use ash::vk;
use shader_cache::{Cache, Key};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Programs make pipelines in bursts: the data is fetched once after each.
const QUIET: Duration = Duration::from_secs(1);

/// The cache that pipelines are made with.
#[derive(Debug, Default)]
pub struct PipelineCache {
    raw: vk::PipelineCache,
    kept: Option<Kept>,
}

#[derive(Debug)]
struct Kept {
    cache: Arc<Cache>,
    key: Key,
    /// When the newest pipeline was made that is not on disk.
    unsaved: Option<Instant>,
}

impl PipelineCache {
    /// With what was kept for this device, if `cache` has it.
    pub fn open(gpu: &Gpu, cache: Option<Arc<Cache>>) -> Result<Self, vk::Result> {
        let kept = cache.map(|cache| Kept {
            key: key(&gpu.properties),
            cache,
            unsaved: None,
        });
        let data = kept.as_ref().and_then(|kept| kept.cache.get(&kept.key));
        let raw = make(gpu, data.as_deref().unwrap_or_default())?;
        Ok(Self { raw, kept })
    }

    /// What `vkCreate*Pipelines` takes.
    pub fn raw(&self) -> vk::PipelineCache {
        self.raw
    }

    /// A pipeline was made with it.
    pub fn grew(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.unsaved = Some(Instant::now());
        }
    }

    /// Writes what is new, a while after the last of it came.
    #[inline]
    pub fn save_if_quiet(&mut self, gpu: &Gpu) {
        let unsaved = self.kept.as_ref().and_then(|kept| kept.unsaved);
        if unsaved.is_some_and(|made| made.elapsed() >= QUIET) {
            self.save(gpu);
        }
    }

    /// Writes what is new and ends it.
    pub fn close(&mut self, gpu: &Gpu) {
        self.save(gpu);
        // SAFETY: rule 6: no pipeline is being made.
        unsafe { gpu.device.destroy_pipeline_cache(self.raw, None) };
        self.raw = vk::PipelineCache::null();
    }

    /// Writes what is new.
    #[cold]
    pub fn save(&mut self, gpu: &Gpu) {
        let Some(kept) = &mut self.kept else { return };
        if kept.unsaved.take().is_none() {
            return;
        }
        let on_disk = kept.cache.get(&kept.key);
        if let Some(data) = &on_disk
            && let Ok(others) = make(gpu, data)
        {
            // SAFETY: both are of this device, and are not the same.
            let merged = unsafe { gpu.device.merge_pipeline_caches(self.raw, &[others]) };
            // SAFETY: just made; nothing else has it.
            unsafe { gpu.device.destroy_pipeline_cache(others, None) };
            if merged.is_err() {
                return;
            }
        }
        // SAFETY: it is alive.
        match unsafe { gpu.device.get_pipeline_cache_data(self.raw) } {
            Ok(data) if on_disk.as_ref() != Some(&data) => kept.cache.put(&kept.key, &data),
            // Nothing new after all, or no memory: pipelines are made again then.
            _ => {}
        }
    }
}

fn make(gpu: &Gpu, data: &[u8]) -> Result<vk::PipelineCache, vk::Result> {
    let info = vk::PipelineCacheCreateInfo::default().initial_data(data);
    // SAFETY: rule 4. The data came out of this driver, by its key, and is whole, by its hash.
    unsafe { gpu.device.create_pipeline_cache(&info, None) }
}

/// Whose data it is (Vulkan 1.3 §10.6 "Pipeline Cache": the header has vendor, device and UUID; a driver may forget its version).
fn key(properties: &vk::PhysicalDeviceProperties) -> Key {
    Key::of(
        "vulkan pipelines",
        &[
            &properties.vendor_id.to_le_bytes(),
            &properties.device_id.to_le_bytes(),
            &properties.driver_version.to_le_bytes(),
            &properties.pipeline_cache_uuid,
        ],
    )
}
