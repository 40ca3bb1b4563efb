//! The validation messenger: every warning or error of a layer becomes a line and a count. It never stops the program.
#![allow(unsafe_code)]

use ash::vk;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the messenger collects; shared with the driver by address, so it lives in a box for as long as the messenger.
#[derive(Debug, Default)]
pub struct Sink {
    count: AtomicU64,
    lines: Mutex<Vec<String>>,
}

impl Sink {
    /// Messages since the device was opened.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Takes the lines collected since the last call.
    pub fn take(&self) -> Vec<String> {
        self.lines
            .lock()
            .map(|mut lines| std::mem::take(&mut *lines))
            .unwrap_or_default()
    }
}

/// The messenger's creation structure.
pub fn messenger_info(sink: &Sink) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(
            vk::DebugUtilsMessageSeverityFlagsEXT::WARNING
                | vk::DebugUtilsMessageSeverityFlagsEXT::ERROR,
        )
        .message_type(
            vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION
                | vk::DebugUtilsMessageTypeFlagsEXT::GENERAL,
        )
        .pfn_user_callback(Some(callback))
        .user_data(std::ptr::from_ref(sink).cast_mut().cast())
}

unsafe extern "system" fn callback(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the specification gives a valid structure for the duration of the callback.
    let data = unsafe { &*data };
    // SAFETY: `user` is the sink of `messenger_info`; its box outlives the messenger (device.rs drops it last).
    let sink = unsafe { &*user.cast::<Sink>() };
    let text = if data.p_message.is_null() {
        String::new()
    } else {
        // SAFETY: the specification gives a NUL-terminated string.
        let text = unsafe { std::ffi::CStr::from_ptr(data.p_message) };
        text.to_string_lossy().into_owned()
    };
    // The loader's own remarks about other drivers' files are no finding about us.
    if kind == vk::DebugUtilsMessageTypeFlagsEXT::GENERAL
        && !text.contains("VUID")
        && !text.contains("UNASSIGNED")
    {
        return vk::FALSE;
    }
    if is_known_mistake(&text) {
        return vk::FALSE;
    }
    sink.count.fetch_add(1, Ordering::Relaxed);
    if let Ok(mut lines) = sink.lines.lock() {
        lines.push(text);
    }
    vk::FALSE
}

/// Messages of a layer that are wrong. Each is a row with its reason.
fn is_known_mistake(text: &str) -> bool {
    // Layers of 1.3.239 compare a shader's output with the format of an attachment that is not there. A dynamic pass may have
    // VK_FORMAT_UNDEFINED there: "writes to it are discarded" (VkPipelineRenderingCreateInfo, paraphrase).
    text.contains("Shader-InterfaceTypeMismatch") && text.contains("of type `VK_FORMAT_UNDEFINED`")
}
