//! ES calls that glow does not wrap: one table of names and signatures. It must never decide whether a call may be made:
//! [`crate::features::Features`] does, since a loader's pointer is non-null for unknown names as well.

use std::ffi::c_void;

macro_rules! ext {
    ($($(#[$doc:meta])* fn $method:ident = $gl:literal ( $($arg:ident : $ty:ty),* ) $(-> $ret:ty)?;)*) => {
        /// Entry points by name; absent ones are found out when they are called, which features forbid.
        #[derive(Debug, Default)]
        pub struct Ext {
            $($method: Option<unsafe extern "system" fn($($ty),*) $(-> $ret)?>,)*
        }

        impl Ext {
            /// Asks `load` for every entry point.
            ///
            /// # Safety
            /// What `load` returns for a name is null or a function with that name's ES signature.
            pub unsafe fn load(mut load: impl FnMut(&str) -> *const c_void) -> Self {
                Self {
                    $($method: {
                        let pointer = load($gl);
                        // SAFETY: null is `None`; anything else has the signature that the registry gives this name (caller's promise).
                        unsafe { std::mem::transmute::<*const c_void, Option<unsafe extern "system" fn($($ty),*) $(-> $ret)?>>(pointer) }
                    },)*
                }
            }

            $($(#[$doc])*
            #[doc = concat!("`", $gl, "`.")]
            ///
            /// # Safety
            /// The driver context is current on this thread, pointers are valid for what the call reads or writes, and a feature
            /// says that the call exists.
            #[inline]
            pub unsafe fn $method(&self $(, $arg: $ty)*) $(-> $ret)? {
                let call = self.$method.expect(concat!($gl, " exists: a feature was tested"));
                // SAFETY: the caller's promise, and the pointer is this name's.
                unsafe { call($($arg),*) }
            })*
        }
    };
}

ext! {
    fn draw_arrays_instanced_base_instance = "glDrawArraysInstancedBaseInstanceEXT" (mode: u32, first: i32, count: i32, instances: i32, base_instance: u32);
    fn draw_elements_instanced_base_vertex_base_instance = "glDrawElementsInstancedBaseVertexBaseInstanceEXT" (mode: u32, count: i32, ty: u32, indices: *const c_void, instances: i32, base_vertex: i32, base_instance: u32);
    fn multi_draw_arrays_indirect = "glMultiDrawArraysIndirectEXT" (mode: u32, indirect: *const c_void, draws: i32, stride: i32);
    fn multi_draw_elements_indirect = "glMultiDrawElementsIndirectEXT" (mode: u32, ty: u32, indirect: *const c_void, draws: i32, stride: i32);
    fn tex_buffer_range = "glTexBufferRange" (target: u32, internal_format: u32, buffer: u32, offset: isize, size: isize);
    fn texture_view = "glTextureViewEXT" (texture: u32, target: u32, original: u32, internal_format: u32, min_level: u32, levels: u32, min_layer: u32, layers: u32);
    fn tex_storage_3d_multisample = "glTexStorage3DMultisample" (target: u32, samples: i32, internal_format: u32, width: i32, height: i32, depth: i32, fixed: u8);
    fn sampler_parameter_iiv = "glSamplerParameterIiv" (sampler: u32, name: u32, values: *const i32);
    fn sampler_parameter_iuiv = "glSamplerParameterIuiv" (sampler: u32, name: u32, values: *const u32);
    fn min_sample_shading = "glMinSampleShading" (value: f32);
    fn sample_mask_i = "glSampleMaski" (word: u32, mask: u32);
    fn clip_control = "glClipControlEXT" (origin: u32, depth: u32);
    fn polygon_mode = "glPolygonModeNV" (face: u32, mode: u32);
    fn polygon_offset_clamp = "glPolygonOffsetClampEXT" (factor: f32, units: f32, clamp: f32);
    fn framebuffer_parameter_i = "glFramebufferParameteri" (target: u32, name: u32, value: i32);
    fn viewport_indexed_f = "glViewportIndexedfOES" (index: u32, x: f32, y: f32, width: f32, height: f32);
    fn scissor_indexed = "glScissorIndexedOES" (index: u32, x: i32, y: i32, width: i32, height: i32);
    fn depth_range_indexed_f = "glDepthRangeIndexedfOES" (index: u32, near: f32, far: f32);
    fn query_counter = "glQueryCounterEXT" (query: u32, target: u32);
    fn get_query_object_ui64v = "glGetQueryObjectui64vEXT" (query: u32, name: u32, value: *mut u64);
    fn client_wait_sync = "glClientWaitSync" (sync: *mut c_void, flags: u32, timeout_ns: u64) -> u32;
    fn get_graphics_reset_status = "glGetGraphicsResetStatus" () -> u32;
    fn buffer_storage = "glBufferStorageEXT" (target: u32, size: isize, data: *const c_void, flags: u32);
    fn draw_elements_instanced_base_vertex = "glDrawElementsInstancedBaseVertex" (mode: u32, count: i32, ty: u32, indices: *const c_void, instances: i32, base_vertex: i32);
    fn draw_elements = "glDrawElements" (mode: u32, count: i32, ty: u32, indices: *const c_void);
    fn draw_elements_base_vertex = "glDrawElementsBaseVertex" (mode: u32, count: i32, ty: u32, indices: *const c_void, base_vertex: i32);
    fn draw_elements_instanced = "glDrawElementsInstanced" (mode: u32, count: i32, ty: u32, indices: *const c_void, instances: i32);
    fn draw_arrays_indirect = "glDrawArraysIndirect" (mode: u32, indirect: *const c_void);
    fn draw_elements_indirect = "glDrawElementsIndirect" (mode: u32, ty: u32, indirect: *const c_void);
    fn dispatch_compute_indirect = "glDispatchComputeIndirect" (offset: isize);
    fn bind_buffer_range = "glBindBufferRange" (target: u32, index: u32, buffer: u32, offset: isize, size: isize);
    fn bind_vertex_buffer = "glBindVertexBuffer" (binding: u32, buffer: u32, offset: isize, stride: i32);
    fn copy_buffer_sub_data = "glCopyBufferSubData" (read: u32, write: u32, read_offset: isize, write_offset: isize, size: isize);
    fn buffer_sub_data = "glBufferSubData" (target: u32, offset: isize, size: isize, data: *const c_void);
    fn buffer_data = "glBufferData" (target: u32, size: isize, data: *const c_void, usage: u32);
    fn map_buffer_range = "glMapBufferRange" (target: u32, offset: isize, length: isize, access: u32) -> *mut c_void;
}
