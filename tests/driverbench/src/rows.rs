//! The rows: each prepares its objects once and then runs units of work. A unit never waits for the device.
//!
//! Rule for the unsafe blocks: see [`crate::gl`], rule 1.

use crate::gl::Gl;
use anyhow::{Result, bail};
use std::ffi::{CString, c_char, c_uint, c_void};

/// One row of DriverBench.
pub struct Row {
    pub name: &'static str,
    /// What one unit is.
    pub unit: &'static str,
    pub prepare: fn(&Gl) -> Result<Scene>,
    pub run: fn(&Gl, &Scene, u32),
}

/// Runs units of a row: the function inside which instructions are counted, by its name.
#[inline(never)]
pub fn units(row: &Row, gl: &Gl, scene: &Scene, units: u32) {
    (row.run)(gl, scene, units);
}

/// Objects of a row.
#[derive(Default)]
pub struct Scene {
    program: c_uint,
    matrix: i32,
    arrays: Vec<c_uint>,
    textures: Vec<c_uint>,
}

/// All rows of this build.
pub const ROWS: &[Row] = &[
    Row {
        name: "draw",
        unit: "draw",
        prepare: plain,
        run: draw,
    },
    Row {
        name: "mc_vanilla_draw",
        unit: "draw: bind VAO, 2 textures, 1 uniform matrix",
        prepare: vanilla,
        run: vanilla_draw,
    },
    Row {
        name: "mc_state_toggle",
        unit: "enable/draw/disable/draw of blend",
        prepare: plain,
        run: state_toggle,
    },
    Row {
        name: "vao_switch",
        unit: "draw after switching among 512 VAOs",
        prepare: many_arrays,
        run: vao_switch,
    },
];

const GL_ARRAY_BUFFER: c_uint = 0x8892;
const GL_ELEMENT_ARRAY_BUFFER: c_uint = 0x8893;
const GL_STATIC_DRAW: c_uint = 0x88E4;
const GL_FLOAT: c_uint = 0x1406;
const GL_TRIANGLES: c_uint = 4;
const GL_UNSIGNED_SHORT: c_uint = 0x1403;
const GL_TEXTURE_2D: c_uint = 0x0DE1;
const GL_TEXTURE0: c_uint = 0x84C0;
const GL_RGBA: c_uint = 0x1908;
const GL_UNSIGNED_BYTE: c_uint = 0x1401;
const GL_FRAMEBUFFER: c_uint = 0x8D40;
const GL_BLEND: c_uint = 0x0BE2;

const PLAIN: [&str; 2] = [
    "#version 330 core\nlayout(location = 0) in vec2 position;\nvoid main() { gl_Position = vec4(position, 0.0, 1.0); }\n",
    "#version 330 core\nout vec4 color;\nvoid main() { color = vec4(0.2, 0.4, 0.6, 0.8); }\n",
];
const TEXTURED: [&str; 2] = [
    "#version 330 core\nlayout(location = 0) in vec2 position;\nuniform mat4 matrix;\nvoid main() { gl_Position = matrix * vec4(position, 0.0, 1.0); }\n",
    "#version 330 core\nuniform sampler2D first;\nuniform sampler2D second;\nout vec4 color;\nvoid main() { color = texture(first, vec2(0.5)) * texture(second, vec2(0.5)); }\n",
];

/// A program that compiles and links, in use.
pub fn program(gl: &Gl, sources: [&str; 2]) -> Result<c_uint> {
    // SAFETY: rule 1.
    let program = unsafe { (gl.glCreateProgram)() };
    for (stage, source) in [0x8B31, 0x8B30].into_iter().zip(sources) {
        let text = CString::new(source)?;
        let (mut ok, mut log, mut length) = (0, [0 as c_char; 1024], 0);
        // SAFETY: rule 1.
        unsafe {
            let shader = (gl.glCreateShader)(stage);
            (gl.glShaderSource)(shader, 1, &text.as_ptr(), std::ptr::null());
            (gl.glCompileShader)(shader);
            (gl.glGetShaderiv)(shader, 0x8B81, &mut ok);
            (gl.glGetShaderInfoLog)(shader, 1024, &mut length, log.as_mut_ptr());
            (gl.glAttachShader)(program, shader);
        }
        if ok == 0 {
            let log: Vec<u8> = log[..length.max(0) as usize]
                .iter()
                .map(|c| *c as u8)
                .collect();
            bail!(
                "a shader does not compile: {}",
                String::from_utf8_lossy(&log)
            );
        }
    }
    let mut ok = 0;
    // SAFETY: rule 1.
    unsafe {
        (gl.glLinkProgram)(program);
        (gl.glGetProgramiv)(program, 0x8B82, &mut ok);
    }
    if ok == 0 {
        bail!("a program does not link");
    }
    // SAFETY: rule 1.
    unsafe { (gl.glUseProgram)(program) };
    Ok(program)
}

fn texture(gl: &Gl) -> c_uint {
    let (mut name, texels) = (0, [200u8; 4 * 16]);
    // SAFETY: rule 1.
    unsafe {
        (gl.glGenTextures)(1, &mut name);
        (gl.glBindTexture)(GL_TEXTURE_2D, name);
        (gl.glTexParameteri)(GL_TEXTURE_2D, 0x2801, 0x2600);
        (gl.glTexParameteri)(GL_TEXTURE_2D, 0x2800, 0x2600);
        (gl.glTexImage2D)(
            GL_TEXTURE_2D,
            0,
            0x8058,
            4,
            4,
            0,
            GL_RGBA,
            GL_UNSIGNED_BYTE,
            texels.as_ptr().cast(),
        );
    }
    name
}

/// A 16x16 target, so that drawing costs the device next to nothing.
pub fn target(gl: &Gl) -> Result<()> {
    let (mut color, mut framebuffer) = (0, 0);
    // SAFETY: rule 1.
    let status = unsafe {
        (gl.glGenTextures)(1, &mut color);
        (gl.glBindTexture)(GL_TEXTURE_2D, color);
        (gl.glTexImage2D)(
            GL_TEXTURE_2D,
            0,
            0x8058,
            16,
            16,
            0,
            GL_RGBA,
            GL_UNSIGNED_BYTE,
            std::ptr::null(),
        );
        (gl.glGenFramebuffers)(1, &mut framebuffer);
        (gl.glBindFramebuffer)(GL_FRAMEBUFFER, framebuffer);
        (gl.glFramebufferTexture2D)(GL_FRAMEBUFFER, 0x8CE0, GL_TEXTURE_2D, color, 0);
        (gl.glViewport)(0, 0, 16, 16);
        (gl.glCheckFramebufferStatus)(GL_FRAMEBUFFER)
    };
    if status != 0x8CD5 {
        bail!("the target is incomplete: {status:#x}");
    }
    Ok(())
}

/// A vertex array with buffers of its own: a triangle of a few pixels.
fn array(gl: &Gl) -> c_uint {
    let vertices: [f32; 6] = [0.0, 0.0, 0.1, 0.0, 0.0, 0.1];
    let indices: [u16; 3] = [0, 1, 2];
    let (mut array, mut buffers) = (0, [0; 2]);
    // SAFETY: rule 1.
    unsafe {
        (gl.glGenVertexArrays)(1, &mut array);
        (gl.glBindVertexArray)(array);
        (gl.glGenBuffers)(2, buffers.as_mut_ptr());
        (gl.glBindBuffer)(GL_ARRAY_BUFFER, buffers[0]);
        (gl.glBufferData)(
            GL_ARRAY_BUFFER,
            24,
            vertices.as_ptr().cast(),
            GL_STATIC_DRAW,
        );
        (gl.glBindBuffer)(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
        (gl.glBufferData)(
            GL_ELEMENT_ARRAY_BUFFER,
            6,
            indices.as_ptr().cast(),
            GL_STATIC_DRAW,
        );
        (gl.glEnableVertexAttribArray)(0);
        (gl.glVertexAttribPointer)(0, 2, GL_FLOAT, 0, 0, std::ptr::null());
    }
    array
}

fn plain(gl: &Gl) -> Result<Scene> {
    target(gl)?;
    let scene = Scene {
        program: program(gl, PLAIN)?,
        arrays: vec![array(gl)],
        ..Scene::default()
    };
    // SAFETY: rule 1.
    unsafe { (gl.glBlendFunc)(0x0302, 0x0303) };
    Ok(scene)
}

fn vanilla(gl: &Gl) -> Result<Scene> {
    target(gl)?;
    let program = program(gl, TEXTURED)?;
    let arrays = (0..16).map(|_| array(gl)).collect();
    let textures = (0..4).map(|_| texture(gl)).collect();
    // SAFETY: rule 1.
    let matrix = unsafe {
        (gl.glUniform1i)((gl.glGetUniformLocation)(program, c"first".as_ptr()), 0);
        (gl.glUniform1i)((gl.glGetUniformLocation)(program, c"second".as_ptr()), 1);
        (gl.glGetUniformLocation)(program, c"matrix".as_ptr())
    };
    Ok(Scene {
        program,
        matrix,
        arrays,
        textures,
    })
}

fn many_arrays(gl: &Gl) -> Result<Scene> {
    target(gl)?;
    Ok(Scene {
        program: program(gl, PLAIN)?,
        arrays: (0..512).map(|_| array(gl)).collect(),
        ..Scene::default()
    })
}

fn draw(gl: &Gl, _: &Scene, units: u32) {
    for _ in 0..units {
        // SAFETY: rule 1.
        unsafe { (gl.glDrawArrays)(GL_TRIANGLES, 0, 3) };
    }
}

fn vanilla_draw(gl: &Gl, scene: &Scene, units: u32) {
    let mut matrix = [0.0f32; 16];
    for i in 0..4 {
        matrix[5 * i] = 1.0;
    }
    for unit in 0..units as usize {
        matrix[12] = (unit % 64) as f32 / 64.0;
        // SAFETY: rule 1.
        unsafe {
            (gl.glBindVertexArray)(scene.arrays[unit % scene.arrays.len()]);
            (gl.glActiveTexture)(GL_TEXTURE0);
            (gl.glBindTexture)(GL_TEXTURE_2D, scene.textures[unit & 1]);
            (gl.glActiveTexture)(GL_TEXTURE0 + 1);
            (gl.glBindTexture)(GL_TEXTURE_2D, scene.textures[2 + (unit >> 1 & 1)]);
            (gl.glUniformMatrix4fv)(scene.matrix, 1, 0, matrix.as_ptr());
            (gl.glDrawElements)(
                GL_TRIANGLES,
                3,
                GL_UNSIGNED_SHORT,
                std::ptr::null::<c_void>(),
            );
        }
    }
    debug_assert_ne!(scene.program, 0);
}

fn state_toggle(gl: &Gl, _: &Scene, units: u32) {
    for _ in 0..units {
        // SAFETY: rule 1.
        unsafe {
            (gl.glEnable)(GL_BLEND);
            (gl.glDrawArrays)(GL_TRIANGLES, 0, 3);
            (gl.glDisable)(GL_BLEND);
            (gl.glDrawArrays)(GL_TRIANGLES, 0, 3);
        }
    }
}

fn vao_switch(gl: &Gl, scene: &Scene, units: u32) {
    for unit in 0..units as usize {
        // SAFETY: rule 1.
        unsafe {
            // A stride that visits all of them and is kind to no cache.
            (gl.glBindVertexArray)(scene.arrays[unit * 37 % scene.arrays.len()]);
            (gl.glDrawElements)(
                GL_TRIANGLES,
                3,
                GL_UNSIGNED_SHORT,
                std::ptr::null::<c_void>(),
            );
        }
    }
}
