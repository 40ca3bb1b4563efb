//! What a new program costs until its first pixel: source, compilation, link, draw and read-back of programs with a fragment shader of
//! some 300 lines. Every program is another one, so that nothing but a cache on disk knows it. It must never reuse a text in a process.
//!
//! Rule for the unsafe blocks: see [`crate::gl`], rule 1.

use crate::gl::Gl;
use crate::rows::{program, target};
use anyhow::{Result, bail};
use std::ffi::c_uint;
use std::fmt::Write;
use std::time::Instant;

const VERTEX: &str = "#version 330 core
void main() {
    vec2 c = vec2(float((gl_VertexID & 1) * 4) - 1.0, float((gl_VertexID & 2) * 2) - 1.0);
    gl_Position = vec4(c, 0.0, 1.0);
}
";

/// Milliseconds from source to pixel, of each program in turn.
pub fn measure(gl: &Gl, programs: u32) -> Result<Vec<f64>> {
    target(gl)?;
    (0..programs)
        .map(|salt| {
            let fragment = fragment(salt);
            let start = Instant::now();
            program(gl, [VERTEX, &fragment])?;
            let pixel = draw(gl);
            let taken = start.elapsed().as_secs_f64() * 1e3;
            // The shader's last line makes blue 1.
            if pixel[2] != 255 {
                bail!("the pixel is {pixel:?}");
            }
            Ok(taken)
        })
        .collect()
}

fn draw(gl: &Gl) -> [u8; 4] {
    let (mut array, mut pixel): (c_uint, _) = (0, [0; 4]);
    // SAFETY: rule 1.
    unsafe {
        (gl.glGenVertexArrays)(1, &mut array);
        (gl.glBindVertexArray)(array);
        (gl.glDrawArrays)(4, 0, 3);
        (gl.glReadPixels)(0, 0, 1, 1, 0x1908, 0x1401, pixel.as_mut_ptr().cast());
    }
    pixel
}

/// A fragment shader as effects are written: noise, lights, marching, tone mapping.
fn fragment(salt: u32) -> String {
    let mut text = format!(
        "#version 330 core
uniform vec2 resolution;
uniform float time;
uniform sampler2D albedo;
uniform sampler2D normals;
out vec4 color;
const float salt = {salt}.5;
float hash(vec2 p) {{
    p = fract(p * vec2(123.34, 345.45) + salt);
    p += dot(p, p + 34.345);
    return fract(p.x * p.y);
}}
"
    );
    let mut line = |args: std::fmt::Arguments<'_>| {
        text.write_fmt(args).expect("a string takes all");
        text.push('\n');
    };
    for i in 0..6 {
        line(format_args!("float noise{i}(vec2 p) {{"));
        line(format_args!("    vec2 cell = floor(p * {}.0);", i + 1));
        line(format_args!("    vec2 f = fract(p * {}.0);", i + 1));
        line(format_args!("    float a = hash(cell);"));
        line(format_args!("    float b = hash(cell + vec2(1.0, 0.0));"));
        line(format_args!("    float c = hash(cell + vec2(0.0, 1.0));"));
        line(format_args!("    float d = hash(cell + vec2(1.0, 1.0));"));
        line(format_args!("    vec2 u = f * f * (3.0 - 2.0 * f);"));
        line(format_args!(
            "    return mix(mix(a, b, u.x), mix(c, d, u.x), u.y);"
        ));
        line(format_args!("}}"));
    }
    for i in 0..8 {
        line(format_args!("struct Light{i} {{"));
        line(format_args!("    vec3 position;"));
        line(format_args!("    vec3 tint;"));
        line(format_args!("    float range;"));
        line(format_args!("}};"));
        line(format_args!(
            "vec3 shade{i}(Light{i} light, vec3 at, vec3 normal, vec3 eye) {{"
        ));
        line(format_args!("    vec3 way = light.position - at;"));
        line(format_args!("    float distance = length(way);"));
        line(format_args!("    vec3 l = way / max(distance, 0.001);"));
        line(format_args!(
            "    float lambert = max(dot(normal, l), 0.0);"
        ));
        line(format_args!("    vec3 h = normalize(l + eye);"));
        line(format_args!(
            "    float shine = pow(max(dot(normal, h), 0.0), {}.0);",
            8 + i * 4
        ));
        line(format_args!(
            "    float fade = 1.0 - smoothstep(0.0, light.range, distance);"
        ));
        line(format_args!("    if (fade <= 0.0) {{"));
        line(format_args!("        return vec3(0.0);"));
        line(format_args!("    }}"));
        line(format_args!(
            "    return light.tint * (lambert + shine) * fade;"
        ));
        line(format_args!("}}"));
    }
    line(format_args!("void main() {{"));
    line(format_args!(
        "    vec2 uv = gl_FragCoord.xy / max(resolution, vec2(1.0));"
    ));
    line(format_args!(
        "    vec3 normal = normalize(texture(normals, uv).xyz * 2.0 - 1.001);"
    ));
    line(format_args!("    vec3 base = texture(albedo, uv).rgb;"));
    line(format_args!("    vec3 at = vec3(uv, 0.0);"));
    line(format_args!(
        "    vec3 eye = normalize(vec3(0.0, 0.0, 2.0) - at);"
    ));
    line(format_args!("    vec3 sum = vec3(0.02);"));
    for i in 0..8 {
        line(format_args!("    Light{i} light{i};"));
        line(format_args!(
            "    light{i}.position = vec3(sin(time + {i}.0), cos(time * 0.{}), 1.0);",
            i + 1
        ));
        line(format_args!(
            "    light{i}.tint = vec3(0.{}, 0.5, 0.25);",
            i + 1
        ));
        line(format_args!("    light{i}.range = {}.0;", i + 2));
        line(format_args!(
            "    sum += shade{i}(light{i}, at, normal, eye);"
        ));
    }
    for i in 0..6 {
        line(format_args!("    for (int k = 0; k < {}; k++) {{", i + 2));
        line(format_args!(
            "        float n = noise{i}(uv * float(k + 1) + time);"
        ));
        line(format_args!(
            "        base = mix(base, vec3(n), 0.1 / float(k + 1));"
        ));
        line(format_args!("    }}"));
    }
    line(format_args!("    vec3 toned = base * sum;"));
    line(format_args!("    toned = toned / (toned + vec3(1.0));"));
    line(format_args!("    toned = pow(toned, vec3(1.0 / 2.2));"));
    line(format_args!(
        "    color = vec4(clamp(toned.rg, 0.0, 1.0), 1.0, 1.0);"
    ));
    line(format_args!("}}"));
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn fragment_shader_has_about_300_lines_and_no_two_are_equal() {
        let lines = super::fragment(0).lines().count();
        assert!((280..=320).contains(&lines), "{lines}");
        assert_ne!(super::fragment(0), super::fragment(1));
    }
}
