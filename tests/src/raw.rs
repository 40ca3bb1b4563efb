//! The GL functions that scenarios need and glow does not have, asked for through `eglGetProcAddress`. It must not repeat
//! what glow wraps.

use std::ffi::{c_char, c_void};

macro_rules! raw {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {
        /// One pointer per function.
        #[allow(non_snake_case)]
        pub struct Raw { $($name: Option<unsafe extern "system" fn($($ty),*) $(-> $ret)?>,)* }

        #[allow(non_snake_case)]
        impl Raw {
            /// Asks for all of them.
            pub unsafe fn load(proc: impl Fn(&str) -> Option<extern "system" fn()>) -> Raw {
                Raw { $($name: proc(stringify!($name)).map(|pointer| {
                    // SAFETY: the function of this name has this signature in the Khronos registry.
                    unsafe { std::mem::transmute::<extern "system" fn(), unsafe extern "system" fn($($ty),*) $(-> $ret)?>(pointer) }
                }),)* }
            }
            $(pub unsafe fn $name(&self, $($arg: $ty),*) $(-> $ret)? {
                self.$name.expect(concat!("eglGetProcAddress knows no ", stringify!($name)))($($arg),*)
            })*
        }
    };
}

raw! {
    fn glGetDebugMessageLog(count: u32, size: i32, sources: *mut u32, types: *mut u32, ids: *mut u32, severities: *mut u32, lengths: *mut i32, text: *mut c_char) -> u32;
    fn glMultiDrawArrays(mode: u32, first: *const i32, count: *const i32, n: i32);
    fn glMultiDrawElements(mode: u32, count: *const i32, ty: u32, indices: *const *const c_void, n: i32);
    fn glMultiDrawElementsBaseVertex(mode: u32, count: *const i32, ty: u32, indices: *const *const c_void, n: i32, base: *const i32);
    fn glPrimitiveRestartIndex(index: u32);
    fn glVertexAttribI4i(index: u32, x: i32, y: i32, z: i32, w: i32);
    fn glIsEnabledi(target: u32, index: u32) -> u8;
    fn glGetBooleani_v(target: u32, index: u32, out: *mut u8);
    fn glClearBufferfi(buffer: u32, draw_buffer: i32, depth: f32, stencil: i32);
    fn glIsVertexArray(array: u32) -> u8;
    fn glGetString(name: u32) -> *const c_char;
    fn glGetStringi(name: u32, index: u32) -> *const c_char;
    fn glTexImage2D(target: u32, level: i32, internal: i32, width: i32, height: i32, border: i32, format: u32, ty: u32, data: *const c_void);
    fn glGetIntegerv(name: u32, out: *mut i32);
    fn glBufferSubData(target: u32, offset: isize, size: isize, data: *const c_void);
    fn glUnmapBuffer(target: u32) -> u8;
    fn glMapBuffer(target: u32, access: u32) -> *mut c_void;
    fn glGetUniformIndices(program: u32, count: i32, names: *const *const c_char, indices: *mut u32);
    fn glGetActiveUniformsiv(program: u32, count: i32, indices: *const u32, pname: u32, out: *mut i32);
    fn glGetVertexAttribfv(index: u32, name: u32, out: *mut f32);
    fn glGenBuffers(n: i32, names: *mut u32);
    fn glIsBuffer(name: u32) -> u8;
    fn glCreateShader(ty: u32) -> u32;
    fn glVertexAttribPointer(index: u32, size: i32, ty: u32, normalized: u8, stride: i32, pointer: *const c_void);
    fn glDrawElements(mode: u32, count: i32, ty: u32, indices: *const c_void);
    fn glGetQueryiv(target: u32, name: u32, value: *mut i32);
    fn glLogicOp(op: u32);
    fn glProvokingVertex(mode: u32);
    fn glPointSize(size: f32);
    fn glPointParameteri(name: u32, value: i32);
    fn glSampleMaski(word: u32, mask: u32);
    fn glBeginConditionalRender(query: u32, mode: u32);
    fn glEndConditionalRender();
    fn glBindBuffersBase(target: u32, first: u32, count: i32, buffers: *const u32);
    fn glBindBuffersRange(target: u32, first: u32, count: i32, buffers: *const u32, offsets: *const isize, sizes: *const isize);
    fn glBindTextures(first: u32, count: i32, textures: *const u32);
    fn glBindSamplers(first: u32, count: i32, samplers: *const u32);
    fn glBindVertexBuffers(first: u32, count: i32, buffers: *const u32, offsets: *const isize, strides: *const i32);
    fn glVertexAttribFormat(index: u32, size: i32, ty: u32, normalized: u8, offset: u32);
    fn glVertexAttribBinding(index: u32, binding: u32);
    fn glGetIntegeri_v(target: u32, index: u32, out: *mut i32);
    fn glTexImage2DMultisample(target: u32, samples: i32, internal: u32, width: i32, height: i32, fixed: u8);
    fn glClearTexImage(texture: u32, level: i32, format: u32, ty: u32, data: *const c_void);
    fn glClearTexSubImage(texture: u32, level: i32, x: i32, y: i32, z: i32, width: i32, height: i32, depth: i32, format: u32, ty: u32, data: *const c_void);
    fn glInvalidateTexImage(texture: u32, level: i32);
    fn glInvalidateTexSubImage(texture: u32, level: i32, x: i32, y: i32, z: i32, width: i32, height: i32, depth: i32);
    fn glInvalidateBufferData(buffer: u32);
    fn glInvalidateBufferSubData(buffer: u32, offset: isize, size: isize);
    fn glCopyImageSubData(src: u32, src_target: u32, src_level: i32, src_x: i32, src_y: i32, src_z: i32, dst: u32, dst_target: u32, dst_level: i32, dst_x: i32, dst_y: i32, dst_z: i32, width: i32, height: i32, depth: i32);
    fn glTextureView(texture: u32, target: u32, origin: u32, internal: u32, min_level: u32, levels: u32, min_layer: u32, layers: u32);
    fn glGetInternalformativ(target: u32, internal: u32, name: u32, count: i32, out: *mut i32);
    fn glGetGraphicsResetStatus() -> u32;
    fn glReadnPixels(x: i32, y: i32, width: i32, height: i32, format: u32, ty: u32, size: i32, data: *mut c_void);
    fn glGetnUniformfv(program: u32, location: i32, size: i32, out: *mut f32);
    fn glGetnUniformiv(program: u32, location: i32, size: i32, out: *mut i32);
    fn glGetnUniformuiv(program: u32, location: i32, size: i32, out: *mut u32);
    fn glMultiDrawArraysIndirect(mode: u32, at: *const c_void, count: i32, stride: i32);
    fn glMultiDrawElementsIndirect(mode: u32, ty: u32, at: *const c_void, count: i32, stride: i32);
    fn glClearColorIiEXT(red: i32, green: i32, blue: i32, alpha: i32);
    fn glClearColorIuiEXT(red: u32, green: u32, blue: u32, alpha: u32);
    fn glGetCompressedTexImage(target: u32, level: i32, out: *mut c_void);
}
