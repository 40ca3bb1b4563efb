//! Instance, device, queue, memory allocator: opened once, closed last. It records no command.
#![allow(unsafe_code)]

use crate::conv::{self, DeviceFormat};
use crate::debug::{self, Sink};
use crate::features::{Features, HideList};
use crate::window::{self, WindowFunctions};
use ash::{ext, khr, vk};
use backend_common::TwinKey;
use gpu_allocator::vulkan::{Allocator, AllocatorCreateDesc};
use pipe::Format;
use std::ffi::CStr;
use std::path::{Path, PathBuf};

/// How to open the backend.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// The Vulkan loader's file (`MOBILEGL_VULKAN_LIB`); else searched for.
    pub loader: Option<PathBuf>,
    /// What to ignore (`MOBILEGL_VULKAN_HIDE`).
    pub hide: HideList,
    /// Turns on the validation layer (`MOBILEGL_VULKAN_VALIDATION`); every message becomes an error line.
    pub validation: bool,
    /// How objects are found by their handles.
    pub twins: TwinKey,
    /// The X server whose windows are to be drawn to; `None`: no windows.
    pub x11: Option<String>,
    /// Where the driver's pipelines are kept.
    pub cache: Option<std::sync::Arc<shader_cache::Cache>>,
}

/// Why the backend could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("no Vulkan loader ({tried}): {why}")]
    Loader { tried: String, why: String },
    #[error("no Vulkan device")]
    NoDevice,
    #[error("the device {device} lacks {what}")]
    Lacks { device: String, what: String },
    #[error("Vulkan: {what} failed: {result}")]
    Vulkan {
        what: &'static str,
        result: vk::Result,
    },
    #[error("memory allocator: {0}")]
    Allocator(String),
}

/// What `mobilegl doctor` says about the device.
#[derive(Clone, Debug)]
pub struct Probe {
    pub device: String,
    pub version: String,
    /// `(what, what is lost)`.
    pub missing: Vec<(String, String)>,
}

fn failed(what: &'static str) -> impl Fn(vk::Result) -> OpenError {
    move |result| OpenError::Vulkan { what, result }
}

/// Where distributions put the loader. Absolute, so that nothing on the search path stands in for it.
const LOADERS: &[&str] = &[
    "/usr/lib/x86_64-linux-gnu/libvulkan.so.1",
    "/usr/lib/aarch64-linux-gnu/libvulkan.so.1",
    "/usr/lib/arm-linux-gnueabihf/libvulkan.so.1",
    "/usr/lib64/libvulkan.so.1",
    "/usr/lib/libvulkan.so.1",
    "/usr/local/lib/libvulkan.so.1",
];

fn load(loader: Option<&Path>) -> Result<ash::Entry, OpenError> {
    let found = LOADERS.iter().map(Path::new).find(|path| path.exists());
    let path = loader.or(found).unwrap_or(Path::new("libvulkan.so.1"));
    // SAFETY: loading the system's Vulkan loader; its initialisers are those of every Vulkan program.
    unsafe { ash::Entry::load_from(path) }.map_err(|error| OpenError::Loader {
        tried: path.display().to_string(),
        why: error.to_string(),
    })
}

/// An instance and its chosen device, before a device is created.
struct Chosen {
    entry: ash::Entry,
    instance: ash::Instance,
    physical: vk::PhysicalDevice,
    properties: vk::PhysicalDeviceProperties,
    features: Features,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    sink: Box<Sink>,
}

impl Chosen {
    fn name(&self) -> String {
        self.properties
            .device_name_as_c_str()
            .unwrap_or(c"?")
            .to_string_lossy()
            .into_owned()
    }

    fn destroy(&mut self) {
        if let Some((utils, messenger)) = self.messenger.take() {
            // SAFETY: rules 3 and 6 – made by `choose` from this instance, destroyed once.
            unsafe { utils.destroy_debug_utils_messenger(messenger, None) };
        }
        // SAFETY: rules 3 and 6 – the last object of the instance is gone.
        unsafe { self.instance.destroy_instance(None) };
    }
}

const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";

fn choose(options: &OpenOptions) -> Result<Chosen, OpenError> {
    let entry = load(options.loader.as_deref())?;
    let sink = Box::<Sink>::default();
    let application = vk::ApplicationInfo::default()
        .application_name(c"MobileGL")
        .engine_name(c"MobileGL")
        .api_version(vk::API_VERSION_1_1);
    let mut layers = Vec::new();
    let mut extensions = Vec::new();
    if options.validation {
        layers.push(VALIDATION.as_ptr());
        extensions.push(ext::debug_utils::NAME.as_ptr());
    }
    let windows = window::instance_has_windows(&entry, options);
    if windows {
        extensions.extend(window::INSTANCE_EXTENSIONS.map(std::ffi::CStr::as_ptr));
    }
    let mut messenger_info = debug::messenger_info(&sink);
    let mut info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(&layers)
        .enabled_extension_names(&extensions);
    if options.validation {
        info = info.push_next(&mut messenger_info);
    }
    // SAFETY: rule 4.
    let instance =
        unsafe { entry.create_instance(&info, None) }.map_err(failed("vkCreateInstance"))?;
    let mut messenger = None;
    if options.validation {
        let utils = ext::debug_utils::Instance::new(&entry, &instance);
        // SAFETY: rule 4; the extension was enabled above.
        let created =
            unsafe { utils.create_debug_utils_messenger(&debug::messenger_info(&sink), None) }
                .map_err(failed("vkCreateDebugUtilsMessengerEXT"))?;
        messenger = Some((utils, created));
    }
    // SAFETY: rule 3.
    let devices = unsafe { instance.enumerate_physical_devices() }
        .map_err(failed("vkEnumeratePhysicalDevices"))?;
    let best = devices
        .into_iter()
        .map(|physical| {
            // SAFETY: rule 3 – enumerated from this instance.
            let properties = unsafe { instance.get_physical_device_properties(physical) };
            (physical, properties)
        })
        .filter(|(_, p)| p.api_version >= vk::API_VERSION_1_1)
        .min_by_key(|(_, p)| match p.device_type {
            vk::PhysicalDeviceType::DISCRETE_GPU => 0,
            vk::PhysicalDeviceType::INTEGRATED_GPU => 1,
            vk::PhysicalDeviceType::VIRTUAL_GPU => 2,
            vk::PhysicalDeviceType::CPU => 3,
            _ => 4,
        });
    let mut chosen = Chosen {
        entry,
        instance,
        physical: vk::PhysicalDevice::null(),
        properties: vk::PhysicalDeviceProperties::default(),
        features: Features::default(),
        messenger,
        sink,
    };
    let Some((physical, properties)) = best else {
        chosen.destroy();
        return Err(OpenError::NoDevice);
    };
    match Features::query(&chosen.instance, physical, &options.hide) {
        Ok(features) => {
            chosen.features = features;
            chosen.features.ext.swapchain &= windows;
        }
        Err(result) => {
            chosen.destroy();
            return Err(failed("vkEnumerateDeviceExtensionProperties")(result));
        }
    }
    chosen.physical = physical;
    chosen.properties = properties;
    Ok(chosen)
}

fn version_text(version: u32) -> String {
    format!(
        "{}.{}.{}",
        vk::api_version_major(version),
        vk::api_version_minor(version),
        vk::api_version_patch(version)
    )
}

/// Looks at the device without opening it.
pub fn probe(options: &OpenOptions) -> Result<Probe, OpenError> {
    let mut chosen = choose(options)?;
    let probe = Probe {
        device: chosen.name(),
        version: version_text(chosen.properties.api_version),
        missing: chosen.features.missing(),
    };
    chosen.destroy();
    Ok(probe)
}

/// Functions of device extensions, loaded where enabled.
pub struct Functions {
    pub rendering: khr::dynamic_rendering::Device,
    pub indirect_count: Option<khr::draw_indirect_count::Device>,
    pub xfb: Option<ext::transform_feedback::Device>,
}

/// The opened device.
pub struct Gpu {
    pub device: ash::Device,
    pub fns: Functions,
    /// `None`: no windows.
    pub windows: Option<WindowFunctions>,
    pub queue: vk::Queue,
    pub queue_family: u32,
    pub features: Features,
    pub properties: vk::PhysicalDeviceProperties,
    /// Device-local memory is what the host maps: phones, integrated GPUs, software.
    pub unified: bool,
    pub timestamp_bits: u32,
    pub max_vertex_divisor: u32,
    pub allocator: Option<Allocator>,
    /// Why a device object could not be made, for the event queue.
    pub lost: Option<vk::Result>,
    formats: Vec<DeviceFormat>,
    chosen: Chosen,
}

impl std::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gpu").field("device", &self.name()).finish()
    }
}

impl Gpu {
    /// Opens the best device.
    pub fn open(options: &OpenOptions) -> Result<Self, OpenError> {
        let mut chosen = choose(options)?;
        match Self::create(&chosen) {
            Ok((device, queue_family, timestamp_bits)) => {
                Self::finish(chosen, device, queue_family, timestamp_bits, options)
            }
            Err(error) => {
                chosen.destroy();
                Err(error)
            }
        }
    }

    fn create(chosen: &Chosen) -> Result<(ash::Device, u32, u32), OpenError> {
        let (instance, features) = (&chosen.instance, &chosen.features);
        if !features.ext.dynamic_rendering {
            return Err(OpenError::Lacks {
                device: chosen.name(),
                what: "VK_KHR_dynamic_rendering".to_owned(),
            });
        }
        // SAFETY: rule 3.
        let families =
            unsafe { instance.get_physical_device_queue_family_properties(chosen.physical) };
        let wanted = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        let family = families
            .iter()
            .position(|f| f.queue_flags.contains(wanted))
            .ok_or(OpenError::NoDevice)?;
        let timestamp_bits = families[family].timestamp_valid_bits;
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(family as u32)
            .queue_priorities(&[1.0])];
        let names: Vec<_> = features.ext.names().into_iter().map(CStr::as_ptr).collect();
        let core = features.core.request();
        let mut dynamic =
            vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut clip_control =
            vk::PhysicalDeviceDepthClipControlFeaturesEXT::default().depth_clip_control(true);
        let mut clip_enable =
            vk::PhysicalDeviceDepthClipEnableFeaturesEXT::default().depth_clip_enable(true);
        let mut provoking =
            vk::PhysicalDeviceProvokingVertexFeaturesEXT::default().provoking_vertex_last(true);
        let mut uint8 =
            vk::PhysicalDeviceIndexTypeUint8FeaturesEXT::default().index_type_uint8(true);
        let mut divisor = vk::PhysicalDeviceVertexAttributeDivisorFeaturesEXT::default()
            .vertex_attribute_instance_rate_divisor(true)
            .vertex_attribute_instance_rate_zero_divisor(features.zero_divisor);
        let mut lines = vk::PhysicalDeviceLineRasterizationFeaturesEXT::default()
            .bresenham_lines(true)
            .smooth_lines(features.smooth_lines)
            .rectangular_lines(features.rectangular_lines);
        let mut restart = vk::PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT::default()
            .primitive_topology_list_restart(true)
            .primitive_topology_patch_list_restart(features.patch_restart);
        let mut border = vk::PhysicalDeviceCustomBorderColorFeaturesEXT::default()
            .custom_border_colors(true)
            .custom_border_color_without_format(features.border_color_without_format);
        let mut xfb = vk::PhysicalDeviceTransformFeedbackFeaturesEXT::default()
            .transform_feedback(true)
            .geometry_streams(features.geometry_streams);
        let mut generated = vk::PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT::default()
            .primitives_generated_query(true)
            .primitives_generated_query_with_rasterizer_discard(features.generated_with_discard);
        let mut parameters = vk::PhysicalDeviceShaderDrawParametersFeatures::default()
            .shader_draw_parameters(features.draw_parameters);
        let mut info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&names)
            .enabled_features(&core)
            .push_next(&mut dynamic)
            .push_next(&mut parameters);
        if features.ext.depth_clip_control {
            info = info.push_next(&mut clip_control);
        }
        if features.ext.depth_clip_enable {
            info = info.push_next(&mut clip_enable);
        }
        if features.ext.provoking_vertex {
            info = info.push_next(&mut provoking);
        }
        if features.ext.index_type_uint8 {
            info = info.push_next(&mut uint8);
        }
        if features.ext.vertex_attribute_divisor {
            info = info.push_next(&mut divisor);
        }
        if features.ext.line_rasterization {
            info = info.push_next(&mut lines);
        }
        if features.ext.list_restart {
            info = info.push_next(&mut restart);
        }
        if features.ext.custom_border_color {
            info = info.push_next(&mut border);
        }
        if features.ext.primitives_generated {
            info = info.push_next(&mut generated);
        }
        if features.ext.transform_feedback {
            info = info.push_next(&mut xfb);
        }
        // SAFETY: rule 4; everything asked for was listed by the device (rule 5).
        let device = unsafe { instance.create_device(chosen.physical, &info, None) }
            .map_err(failed("vkCreateDevice"))?;
        Ok((device, family as u32, timestamp_bits))
    }

    fn finish(
        mut chosen: Chosen,
        device: ash::Device,
        queue_family: u32,
        timestamp_bits: u32,
        options: &OpenOptions,
    ) -> Result<Self, OpenError> {
        let instance = chosen.instance.clone();
        let mut debug_settings = gpu_allocator::AllocatorDebugSettings::default();
        debug_settings.log_leaks_on_shutdown = false;
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: instance.clone(),
            device: device.clone(),
            physical_device: chosen.physical,
            debug_settings,
            buffer_device_address: false,
            allocation_sizes: gpu_allocator::AllocationSizes::default(),
        });
        let allocator = match allocator {
            Ok(allocator) => allocator,
            Err(error) => {
                // SAFETY: rule 6 – nothing was made from the device yet.
                unsafe { device.destroy_device(None) };
                chosen.destroy();
                return Err(OpenError::Allocator(error.to_string()));
            }
        };
        // SAFETY: the family has at least one queue and the device was created with it.
        let queue = unsafe { device.get_device_queue(queue_family, 0) };
        let features = chosen.features.clone();
        let fns = Functions {
            rendering: khr::dynamic_rendering::Device::new(&instance, &device),
            indirect_count: features
                .ext
                .draw_indirect_count
                .then(|| khr::draw_indirect_count::Device::new(&instance, &device)),
            xfb: features
                .ext
                .transform_feedback
                .then(|| ext::transform_feedback::Device::new(&instance, &device)),
        };
        let formats = std::iter::once(Format::None)
            .chain(Format::ALL.iter().copied())
            .map(|format| {
                conv::decide(format, &features.hide, |vk_format| {
                    // SAFETY: rule 3.
                    unsafe {
                        instance.get_physical_device_format_properties(chosen.physical, vk_format)
                    }
                })
            })
            .collect();
        // SAFETY: rule 3.
        let memory = unsafe { instance.get_physical_device_memory_properties(chosen.physical) };
        let unified = matches!(
            chosen.properties.device_type,
            vk::PhysicalDeviceType::INTEGRATED_GPU | vk::PhysicalDeviceType::CPU
        ) && memory.memory_types_as_slice().iter().any(|t| {
            t.property_flags.contains(
                vk::MemoryPropertyFlags::DEVICE_LOCAL
                    | vk::MemoryPropertyFlags::HOST_VISIBLE
                    | vk::MemoryPropertyFlags::HOST_COHERENT,
            )
        });
        let mut divisors = vk::PhysicalDeviceVertexAttributeDivisorPropertiesEXT::default();
        if features.ext.vertex_attribute_divisor {
            let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut divisors);
            // SAFETY: rule 4.
            unsafe {
                instance.get_physical_device_properties2(chosen.physical, &mut properties);
            }
        }
        crate::exit::watch(&device);
        let windows = options
            .x11
            .as_deref()
            .filter(|_| features.ext.swapchain)
            .map(|server| WindowFunctions::load(&chosen.entry, &instance, &device, server));
        Ok(Self {
            device,
            fns,
            windows,
            queue,
            queue_family,
            features,
            properties: chosen.properties,
            unified,
            timestamp_bits,
            max_vertex_divisor: divisors.max_vertex_attrib_divisor,
            allocator: Some(allocator),
            lost: None,
            formats,
            chosen,
        })
    }

    /// The device as the instance names it.
    pub fn physical(&self) -> vk::PhysicalDevice {
        self.chosen.physical
    }

    /// The device's own name.
    pub fn name(&self) -> String {
        self.chosen.name()
    }

    /// The driver's version text.
    pub fn driver(&self) -> String {
        format!(
            "Vulkan {} (driver {:#x})",
            version_text(self.properties.api_version),
            self.properties.driver_version
        )
    }

    /// Limits of the device.
    pub fn limits(&self) -> &vk::PhysicalDeviceLimits {
        &self.properties.limits
    }

    /// How `format` is stored on this device.
    pub fn format(&self, format: Format) -> &DeviceFormat {
        &self.formats[format as usize]
    }

    /// Whether the device fetches vertices of this format.
    pub fn reads_vertices_as(&self, format: vk::Format) -> bool {
        // SAFETY: rule 3.
        let properties = unsafe {
            self.chosen
                .instance
                .get_physical_device_format_properties(self.chosen.physical, format)
        };
        properties
            .buffer_features
            .contains(vk::FormatFeatureFlags::VERTEX_BUFFER)
    }

    /// Messages of the validation layer so far.
    pub fn validation_messages(&self) -> u64 {
        self.chosen.sink.count()
    }

    /// Lines of the validation layer since the last call.
    pub fn take_validation(&self) -> Vec<String> {
        if self.chosen.messenger.is_none() || self.chosen.sink.count() == 0 {
            return Vec::new();
        }
        self.chosen.sink.take()
    }

    /// Remembers a failure; the next verb reports it. `None`: the call failed.
    pub fn check<T>(&mut self, result: Result<T, vk::Result>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.lost.get_or_insert(error);
                None
            }
        }
    }

    /// Waits for all work. Nothing to do where that fails: the device is lost then.
    pub fn wait_idle(&self) {
        let _turn = crate::exit::turn();
        // SAFETY: rule 3 – no other thread submits meanwhile.
        let _ = unsafe { self.device.device_wait_idle() };
    }

    /// Closes the device; every object made from it is gone.
    pub fn close(&mut self) {
        crate::exit::forget(&self.device);
        drop(self.allocator.take());
        // SAFETY: rule 6 – the backend destroyed its objects before, after a wait.
        unsafe { self.device.destroy_device(None) };
        self.chosen.destroy();
        let _ = &self.chosen.entry;
    }
}
