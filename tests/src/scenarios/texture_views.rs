//! Texture views: one storage seen and written through several textures (GL 4.6 core §8.18, ARB_texture_view).

use glow::HasContext;

use crate::gl::Gl;
use crate::lane::Lane;
use crate::paint::*;

const RGBA: u32 = glow::RGBA;
const BYTES: u32 = glow::UNSIGNED_BYTE;

fn named(texture: u32) -> Option<glow::NativeTexture> {
    Some(glow::NativeTexture(texture.try_into().expect("a name")))
}

/// An array of three layers and two levels, 4x4: layer 0 red, 1 green, 2 blue.
unsafe fn array(gl: &Gl) -> u32 {
    let texture = gl.create_texture().expect("glGenTextures");
    let target = glow::TEXTURE_2D_ARRAY;
    gl.bind_texture(target, Some(texture));
    gl.tex_storage_3d(target, 2, glow::RGBA8, 4, 4, 3);
    for (level, size) in [(0, 4), (1, 2)] {
        for (layer, color) in [RED8, GREEN8, BLUE8].into_iter().enumerate() {
            layer_of(
                gl,
                target,
                level,
                layer as i32,
                size,
                &color.repeat((size * size) as usize),
            );
        }
    }
    texture.0.get()
}

unsafe fn layer_of(gl: &Gl, target: u32, level: i32, layer: i32, size: i32, texels: &[u8]) {
    gl.tex_sub_image_3d(
        target,
        level,
        0,
        0,
        layer,
        size,
        size,
        1,
        RGBA,
        BYTES,
        glow::PixelUnpackData::Slice(Some(texels)),
    );
}

/// `(target, internal format, min level, levels, min layer, layers)`.
type Shown = (u32, u32, u32, u32, u32, u32);

/// A view, bound.
unsafe fn view(gl: &Gl, of: u32, shown: Shown) -> u32 {
    let texture = gl.create_texture().expect("glGenTextures");
    let (target, internal, min_level, levels, min_layer, layers) = shown;
    gl.raw.glTextureView(
        texture.0.get(),
        target,
        of,
        internal,
        min_level,
        levels,
        min_layer,
        layers,
    );
    gl.no_error("glTextureView");
    gl.bind_texture(target, Some(texture));
    for filter in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
        gl.tex_parameter_i32(target, filter, glow::NEAREST as i32);
    }
    texture.0.get()
}

unsafe fn sampler(gl: &Gl, kind: &str, lookup: &str) -> glow::NativeProgram {
    gl.program(
        TRI,
        &format!(
            "#version 330 core
uniform {kind} t; out vec4 o; void main() {{ o = vec4({lookup}); }}"
        ),
    )
}

/// Rule: a view shows the levels and layers that it was given, in another format of its class; texels written through it or through the
/// owner are seen through both; each has parameters of its own.
/// Broken: the view was a copy, so that what came later was missing.
pub unsafe fn texture_view(gl: &Gl) {
    if !gl.supported_extensions().contains("GL_ARB_texture_view") {
        // A driver without views: the command says so by name.
        let owner = array(gl);
        let fresh = gl.create_texture().expect("glGenTextures").0.get();
        gl.raw
            .glTextureView(fresh, glow::TEXTURE_2D, owner, glow::RGBA8, 0, 1, 0, 1);
        gl.error(glow::INVALID_OPERATION, "no views");
        return;
    }
    let target = gl.target(8, 8);
    gl.vertex_array();
    let flat = sampler(gl, "sampler2D", "texture(t, vec2(0.5))");
    let words = sampler(
        gl,
        "usampler2D",
        "texture(t, vec2(0.5)) == uvec4(0xFFFF0000u, 0, 0, 1)",
    );
    let cell = sampler(gl, "sampler2D", "texelFetch(t, ivec2(3, 3), 0)");
    let draw = |program, wanted: [u8; 4], what: &str| {
        gl.use_program(Some(program));
        gl.draw_arrays(glow::TRIANGLES, 0, 3);
        gl.expect(4, 4, wanted, what);
    };
    let owner = array(gl);
    let t2d = glow::TEXTURE_2D;
    let blue = view(gl, owner, (t2d, glow::RGBA8, 0, 2, 2, 1));
    draw(flat, BLUE8, "layer 2");
    view(gl, owner, (t2d, glow::R32UI, 1, 1, 2, 1));
    draw(words, [255; 4], "level 1 of layer 2 as words");
    // Through the owner.
    gl.bind_texture(glow::TEXTURE_2D_ARRAY, named(owner));
    layer_of(gl, glow::TEXTURE_2D_ARRAY, 0, 2, 4, &WHITE8.repeat(16));
    gl.bind_texture(t2d, named(blue));
    draw(flat, WHITE8, "written through the owner");
    // Through the view: a part.
    let data = glow::PixelUnpackData::Slice(Some(&RED8));
    gl.tex_sub_image_2d(t2d, 0, 3, 3, 1, 1, RGBA, BYTES, data);
    draw(cell, RED8, "written through the view");
    draw(flat, WHITE8, "beside it");
    let mut out = vec![0; 192];
    let data = glow::PixelPackData::Slice(Some(&mut out));
    gl.get_tex_image(glow::TEXTURE_2D_ARRAY, 0, RGBA, BYTES, data);
    gl.keep("the owner", &out);
    assert_eq!(out[188..], RED8, "seen through the owner");
    assert_eq!(out[64..128], GREEN8.repeat(16), "another layer");
    let mut out = vec![0; 64];
    let data = glow::PixelPackData::Slice(Some(&mut out));
    gl.get_tex_image(t2d, 0, RGBA, BYTES, data);
    gl.keep("the view", &out);
    assert_eq!((&out[..4], &out[60..]), (&WHITE8[..], &RED8[..]));
    // Parameters are the view's own.
    let swizzle = [glow::ZERO, glow::RED, glow::ZERO, glow::ONE].map(|value| value as i32);
    for (at, value) in swizzle.into_iter().enumerate() {
        gl.tex_parameter_i32(t2d, glow::TEXTURE_SWIZZLE_R + at as u32, value);
    }
    draw(flat, GREEN8, "the view's swizzle");
    let plain = view(gl, blue, (t2d, glow::RGBA8, 0, 1, 0, 1));
    draw(flat, WHITE8, "a view of the view has its own");
    // Drawn through the view, read through the others.
    let framebuffer = gl.create_framebuffer().expect("glGenFramebuffers");
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
    let at = glow::COLOR_ATTACHMENT0;
    gl.framebuffer_texture_2d(glow::FRAMEBUFFER, at, t2d, named(plain), 0);
    gl.clear_color(0.0, 0.0, 1.0, 1.0);
    gl.clear(glow::COLOR_BUFFER_BIT);
    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(target.framebuffer));
    let mut out = vec![0; 192];
    let data = glow::PixelPackData::Slice(Some(&mut out));
    gl.get_tex_image(glow::TEXTURE_2D_ARRAY, 0, RGBA, BYTES, data);
    gl.keep("the owner after drawing", &out);
    assert_eq!(out[128..], BLUE8.repeat(16), "drawn through a view");
    assert_eq!(out[64..128], GREEN8.repeat(16), "another layer stays");
    // The owner's name goes, its storage stays.
    gl.delete_texture(named(owner).expect("a name"));
    gl.bind_texture(t2d, named(plain));
    draw(flat, BLUE8, "after the owner's name is gone");
    let level = |name| gl.get_tex_parameter_i32(t2d, name);
    assert_eq!(level(glow::TEXTURE_IMMUTABLE_LEVELS), 2);
    assert_eq!(level(0x82DB), 0, "GL_TEXTURE_VIEW_MIN_LEVEL");
    assert_eq!(level(0x82DC), 1, "GL_TEXTURE_VIEW_NUM_LEVELS");
    assert_eq!(level(0x82DD), 2, "GL_TEXTURE_VIEW_MIN_LAYER");
    assert_eq!(level(0x82DE), 1, "GL_TEXTURE_VIEW_NUM_LAYERS");
    cubes(gl);
    errors(gl);
}

/// Layers of an array as faces, and faces as layers.
unsafe fn cubes(gl: &Gl) {
    let texture = gl.create_texture().expect("glGenTextures");
    let target = glow::TEXTURE_CUBE_MAP;
    gl.bind_texture(target, Some(texture));
    gl.tex_storage_2d(target, 2, glow::RGBA8, 2, 2);
    for face in 0..6u8 {
        let texels = [face * 10; 16];
        gl.tex_sub_image_2d(
            glow::TEXTURE_CUBE_MAP_POSITIVE_X + u32::from(face),
            0,
            0,
            0,
            2,
            2,
            RGBA,
            BYTES,
            glow::PixelUnpackData::Slice(Some(&texels)),
        );
    }
    let layers = glow::TEXTURE_2D_ARRAY;
    view(gl, texture.0.get(), (layers, glow::RGBA8, 0, 1, 2, 3));
    layer_of(gl, layers, 0, 1, 2, &[77; 16]);
    let mut out = vec![0; 48];
    let data = glow::PixelPackData::Slice(Some(&mut out));
    gl.get_tex_image(layers, 0, RGBA, BYTES, data);
    gl.keep("faces as layers", &out);
    assert_eq!(out, [[20; 16], [77; 16], [40; 16]].concat());
    let mut out = vec![0; 16];
    let data = glow::PixelPackData::Slice(Some(&mut out));
    gl.get_tex_image(glow::TEXTURE_CUBE_MAP_POSITIVE_X + 3, 0, RGBA, BYTES, data);
    gl.keep("a face", &out);
    assert_eq!(out, [77; 16]);
}

unsafe fn errors(gl: &Gl) {
    let owner = array(gl);
    let mutable = gl.texture_rgba8(4, 4, None).0.get();
    let fresh = gl.create_texture().expect("glGenTextures").0.get();
    let t2d = glow::TEXTURE_2D;
    let good: Shown = (t2d, glow::RGBA8, 0, 1, 0, 1);
    let cases: [(u32, u32, Shown, u32, &str); 9] = [
        (0, owner, good, glow::INVALID_VALUE, "zero"),
        (fresh, 9999, good, glow::INVALID_VALUE, "no origin"),
        (
            mutable,
            owner,
            good,
            glow::INVALID_OPERATION,
            "a texture with a target",
        ),
        (
            fresh,
            mutable,
            good,
            glow::INVALID_OPERATION,
            "a mutable origin",
        ),
        (
            fresh,
            owner,
            (glow::TEXTURE_3D, glow::RGBA8, 0, 1, 0, 1),
            glow::INVALID_OPERATION,
            "a target that does not go with the origin's",
        ),
        (
            fresh,
            owner,
            (t2d, glow::RGBA16F, 0, 1, 0, 1),
            glow::INVALID_OPERATION,
            "a format of another class",
        ),
        (
            fresh,
            owner,
            (t2d, glow::RGBA8, 2, 1, 0, 1),
            glow::INVALID_VALUE,
            "a level that there is not",
        ),
        (
            fresh,
            owner,
            (t2d, glow::RGBA8, 0, 1, 0, 2),
            glow::INVALID_VALUE,
            "two layers for one",
        ),
        (
            fresh,
            owner,
            (glow::TEXTURE_CUBE_MAP, glow::RGBA8, 0, 1, 0, 6),
            glow::INVALID_VALUE,
            "fewer layers than faces",
        ),
    ];
    for (texture, of, shown, error, what) in cases {
        let (target, internal, min_level, levels, min_layer, layers) = shown;
        gl.raw.glTextureView(
            texture, target, of, internal, min_level, levels, min_layer, layers,
        );
        gl.error(error, what);
    }
    assert!(!gl.is_texture(named(fresh).expect("a name")));
}

/// Rule: the numbers of samples of a format are listed in descending order; other targets and formats that are not renderable are
/// INVALID_ENUM (ARB_internalformat_query).
pub unsafe fn internal_format_query(gl: &Gl) {
    let (samples, count) = (glow::SAMPLES, 0x9380); // GL_NUM_SAMPLE_COUNTS
    let get = |target, internal, name, values: &mut [i32]| {
        let room = values.len() as i32;
        gl.raw
            .glGetInternalformativ(target, internal, name, room, values.as_mut_ptr());
    };
    let mut n = [-1];
    get(glow::RENDERBUFFER, glow::RGBA8, count, &mut n);
    gl.no_error("the number of counts");
    assert!((1..=16).contains(&n[0]), "{n:?}");
    let mut counts = vec![-1; n[0] as usize + 1];
    get(glow::RENDERBUFFER, glow::RGBA8, samples, &mut counts);
    assert_eq!(counts.pop(), Some(-1), "no more than there are");
    assert!(
        counts.windows(2).all(|pair| pair[0] > pair[1]),
        "{counts:?}"
    );
    assert!(
        counts[0] >= 4,
        "GL_MAX_SAMPLES is four at least: {counts:?}"
    );
    for count in counts {
        let renderbuffer = gl.create_renderbuffer().expect("glGenRenderbuffers");
        gl.bind_renderbuffer(glow::RENDERBUFFER, Some(renderbuffer));
        gl.renderbuffer_storage_multisample(glow::RENDERBUFFER, count, glow::RGBA8, 4, 4);
        let got = gl.get_renderbuffer_parameter_i32(glow::RENDERBUFFER, 0x8CAB);
        assert_eq!(got, count, "GL_RENDERBUFFER_SAMPLES");
    }
    let mut one = [-1];
    get(
        glow::TEXTURE_2D_MULTISAMPLE,
        glow::DEPTH_COMPONENT24,
        count,
        &mut one,
    );
    assert!(one[0] >= 1);
    let mut untouched = [7];
    if gl.lane() != Lane::native {
        // With ARB_internalformat_query2, which the native driver has, it is a target as well.
        get(glow::TEXTURE_2D, glow::RGBA8, count, &mut untouched);
        gl.error(glow::INVALID_ENUM, "a target without samples");
    }
    get(glow::RENDERBUFFER, glow::RGB9_E5, count, &mut untouched);
    gl.error(glow::INVALID_ENUM, "a format that is not renderable");
    get(glow::RENDERBUFFER, glow::RGBA8, 0x1234, &mut untouched);
    gl.error(glow::INVALID_ENUM, "another query");
    gl.raw.glGetInternalformativ(
        glow::RENDERBUFFER,
        glow::RGBA8,
        samples,
        -1,
        untouched.as_mut_ptr(),
    );
    gl.error(glow::INVALID_VALUE, "a negative size");
    assert_eq!(untouched, [7]);
}
