//! Whole programs: those of the recorded traces and of the public failure cases, against what the specification or a
//! conformant driver says of them.

mod common;

use common::{TRI, program, program_with, shader, try_compile, try_link, uniform, uniform_names};
use gl_glsl::{LinkOptions, XfbMode};
use pipe::program::{Stage, StageMask, UniformStorage};

const GL_BOOL: u32 = 0x8B56;
const GL_FLOAT: u32 = 0x1406;
const GL_FLOAT_VEC2: u32 = 0x8B50;
const GL_FLOAT_VEC3: u32 = 0x8B51;
const GL_FLOAT_VEC4: u32 = 0x8B52;
const GL_FLOAT_MAT4: u32 = 0x8B5C;
const GL_SAMPLER_2D: u32 = 0x8B5E;
const GL_SAMPLER_2D_SHADOW: u32 = 0x8B62;
const GL_TRIANGLES: u32 = 0x0004;
const GL_TRIANGLE_STRIP: u32 = 0x0005;

fn locations(a: &pipe::program::ProgramArtifact) -> Vec<(&str, u32, u32)> {
    a.attributes
        .iter()
        .map(|t| (&*t.name, t.gl_type, t.location))
        .collect()
}

#[test]
fn glmark2_build_has_the_locations_of_the_recording() {
    let a = program(
        include_str!("shaders/glmark2-build-0.vert"),
        include_str!("shaders/glmark2-build-0.frag"),
    );
    let position = a
        .attributes
        .iter()
        .find(|t| t.name == "position")
        .expect("active");
    let normal = a
        .attributes
        .iter()
        .find(|t| t.name == "normal")
        .expect("active");
    assert_eq!((position.location, normal.location), (0, 1));
    assert_eq!(uniform(&a, "ModelViewProjectionMatrix").location, Some(0));
    assert_eq!(uniform(&a, "NormalMatrix").location, Some(1));
    assert_eq!(uniform(&a, "NormalMatrix").gl_type, GL_FLOAT_MAT4);
    assert!(a.flags.frag_color_broadcast);
}

#[test]
fn glmark2_shading_leaves_unused_uniforms_out() {
    let a = program(
        include_str!("shaders/glmark2-shading-0.vert"),
        include_str!("shaders/glmark2-shading-0.frag"),
    );
    assert_eq!(
        uniform_names(&a),
        ["ModelViewProjectionMatrix", "NormalMatrix"]
    );
}

#[test]
fn moderngl_attributes_are_those_of_the_recording() {
    let a = program(
        include_str!("shaders/moderngl-egl-0.vert"),
        include_str!("shaders/moderngl-egl-0.frag"),
    );
    assert_eq!(
        locations(&a),
        [("p", GL_FLOAT_VEC2, 0), ("c", GL_FLOAT_VEC3, 1)]
    );
    assert!(a.uniforms.is_empty() && a.uniform_blocks.is_empty());
}

#[test]
fn pyglet_programs_are_those_of_the_recording() {
    let a = program(
        include_str!("shaders/pyglet-egl-0.vert"),
        include_str!("shaders/pyglet-egl-0.frag"),
    );
    assert_eq!(locations(&a), [("position", GL_FLOAT_VEC4, 0)]);
    assert_eq!(
        uniform_names(&a),
        ["WindowBlock.projection", "WindowBlock.view"]
    );
    assert_eq!(uniform(&a, "WindowBlock.view").offset, 64);
    assert_eq!(uniform(&a, "WindowBlock.view").location, None);
    assert_eq!(
        (&*a.uniform_blocks[0].name, a.uniform_blocks[0].data_size),
        ("WindowBlock", 128)
    );

    let b = program(
        include_str!("shaders/pyglet-egl-1.vert"),
        include_str!("shaders/pyglet-egl-1.frag"),
    );
    let expected = [
        ("position", GL_FLOAT_VEC2, 0),
        ("translation", GL_FLOAT_VEC2, 1),
        ("colors", GL_FLOAT_VEC4, 2),
        ("zposition", GL_FLOAT, 3),
        ("rotation", GL_FLOAT, 4),
    ];
    assert_eq!(locations(&b), expected);
    assert!(b.flags.discards);
}

// https://github.com/KhronosGroup/SPIRV-Cross/pull/63
#[test]
fn names_that_became_keywords_later_keep_their_names() {
    let a = program(
        "#version 120\nvarying vec2 patch;\nvoid main() { patch = vec2(0.5); gl_Position = vec4(0.0); }",
        "#version 120
uniform float sample; uniform vec4 buffer; uniform sampler2D texture; varying vec2 patch;
float shared(float coherent) { return coherent * 2.0; }
void main() {
    float smooth = sample;
    gl_FragColor = vec4(smooth, buffer.g, texture2D(texture, patch).b, shared(0.4));
}",
    );
    assert_eq!(uniform_names(&a), ["sample", "buffer", "texture"]);
    assert!(a.uniforms.iter().all(|u| u.location.is_some()));
    let b = program(
        TRI,
        "#version 330 core
uniform float sample; uniform vec4 buffer; uniform float patch; uniform float shared;
out vec4 o;
void main() { float precise = sample; o = vec4(precise, buffer.g, patch, shared); }",
    );
    assert_eq!(uniform_names(&b), ["sample", "buffer", "patch", "shared"]);
}

// https://github.com/KhronosGroup/glslang/issues/2206
#[test]
fn integer_literals_where_floats_are_expected_compile() {
    program(
        TRI,
        "#version 330 core
out vec4 o;
float keep(float v) { return v; }
void main() {
    float b = 3u;
    o = vec4(mix(0, 2, 0.1), smoothstep(1, 3, 2) * 0.8, b / 5, keep(4) / 5);
}",
    );
}

// https://github.com/gonetz/GLideN64/issues/1010
#[test]
fn uniform_initialisers_are_the_values_after_a_link() {
    let a = program(
        TRI,
        "#version 330 core
const float third = 0.6;
struct S { vec2 a; bool on; };
uniform vec3 tint = vec3(0.2, 0.4, third);
uniform int lut[2] = int[2](3, 4);
uniform S s = S(vec2(1.5), true);
uniform mat2 m = mat2(2.0);
out vec4 o;
void main() { o = vec4(tint, float(lut[1]) / 5.0) + vec4(s.a, s.on ? 1.0 : 0.0, m[1][1]); }",
    );
    let f = |offset: u32| {
        let at = offset as usize;
        f32::from_le_bytes(
            a.default_block_initial[at..at + 4]
                .try_into()
                .expect("four bytes"),
        )
    };
    let i = |offset: u32| f(offset).to_bits();
    let tint = uniform(&a, "tint").offset;
    assert_eq!([f(tint), f(tint + 4), f(tint + 8)], [0.2, 0.4, 0.6]);
    let lut = uniform(&a, "lut[0]");
    assert_eq!((lut.array_size, lut.array_stride), (2, 16));
    assert_eq!([i(lut.offset), i(lut.offset + 16)], [3, 4]);
    assert_eq!(f(uniform(&a, "s.a").offset + 4), 1.5);
    assert_eq!(
        (uniform(&a, "s.on").gl_type, i(uniform(&a, "s.on").offset)),
        (GL_BOOL, 1)
    );
    let m = uniform(&a, "m");
    assert_eq!(
        [
            f(m.offset),
            f(m.offset + 4),
            f(m.offset + m.matrix_stride + 4)
        ],
        [2.0, 0.0, 2.0]
    );
    assert_eq!(a.default_block_initial.len(), a.default_block_size as usize);
}

// https://github.com/GTNewHorizons/Angelica/pull/684
#[test]
fn shadow2d_and_explicit_lod_of_glsl_120_compile() {
    let a = program(
        "#version 120\nattribute vec2 pos;\nvoid main() { gl_Position = vec4(pos, 0.0, 1.0); }",
        "#version 120
#extension GL_ARB_shader_texture_lod : enable
uniform sampler2DShadow sm; uniform sampler2D ct; uniform float ref;
void main() {
    gl_FragColor = vec4(shadow2D(sm, vec3(0.5, 0.5, ref)).r, texture2DLod(ct, vec2(0.5), 1.0).gb, 1.0);
}",
    );
    let types: Vec<_> = a.uniforms.iter().map(|u| (&*u.name, u.gl_type)).collect();
    assert_eq!(
        types,
        [
            ("sm", GL_SAMPLER_2D_SHADOW),
            ("ct", GL_SAMPLER_2D),
            ("ref", GL_FLOAT)
        ]
    );
}

// https://github.com/MobileGL-Dev/MobileGlues/issues/56
#[test]
fn block_with_different_instance_names_links_and_is_one_block() {
    let vertex = "#version 330 core
layout(std140) uniform Frame { vec4 tint; } vsSide;
out vec4 pass;
void main() { pass = vsSide.tint; gl_Position = vec4(0.0); }";
    let a = program(
        vertex,
        "#version 330 core
layout(std140) uniform Frame { vec4 tint; } fsSide;
in vec4 pass; out vec4 o;
void main() { o = vec4(pass.rg, fsSide.tint.ba); }",
    );
    assert_eq!(uniform_names(&a), ["Frame.tint"]);
    let names: Vec<_> = a.uniform_blocks.iter().map(|b| &*b.name).collect();
    assert_eq!(names, ["Frame"]);
    assert_eq!(a.uniform_blocks[0].stages, StageMask(0b1_0001));
    let failed = try_link(
        &[
            (Stage::Vertex, vertex),
            (
                Stage::Fragment,
                "#version 330 core
layout(std140) uniform Frame { vec4 tint; };
in vec4 pass; out vec4 o;
void main() { o = vec4(pass.rg, tint.ba); }",
            ),
        ],
        &LinkOptions::default(),
    );
    assert!(
        !failed.ok() && failed.log.contains("Frame"),
        "{}",
        failed.log
    );
}

// https://github.com/shader-slang/slang/issues/10198
#[test]
fn switch_in_a_loop_compiles() {
    program(
        TRI,
        "#version 330 core
uniform int kind; out vec4 o;
int walk(int k) {
    int acc = 0; int step = 0;
    do {
        step++;
        switch (k + step) {
            case 2: acc += 5; continue;
            case 3: { int extra = step * 2; acc += extra; }
            case 4: acc += 7; break;
            default: acc += 1;
        }
        acc += 20;
    } while (step < 3);
    return acc;
}
void main() { o = vec4(walk(kind), walk(kind + 1), walk(kind + 2), walk(kind + 3)) / 255.0; }",
    );
}

// https://github.com/KhronosGroup/SPIRV-Cross/issues/310
#[test]
fn uniforms_of_both_stages_are_one_with_equal_offsets() {
    let a = program(
        "#version 330 core
struct Mat { float k; int n; }; uniform Mat m; uniform int mode; uniform float g;
out float a;
void main() { a = float(mode) * g * m.k; gl_Position = vec4(0.0); }",
        "#version 330 core
uniform highp vec2 first;
struct Mat { float k; int n; }; uniform Mat m; uniform int mode; uniform float g;
in float a; out vec4 o;
void main() { o = vec4(a, g, m.k, float(m.n + mode) / 5.0) + first.xyxy; }",
    );
    assert_eq!(uniform_names(&a), ["m.k", "m.n", "mode", "g", "first"]);
    assert_eq!(uniform(&a, "g").stages, StageMask(0b1_0001));
    assert_eq!(a.default_block_stages, StageMask(0b1_0001));
    let offsets: std::collections::BTreeSet<u32> = a.uniforms.iter().map(|u| u.offset).collect();
    assert_eq!(offsets.len(), 5, "no two uniforms share bytes");
}

// https://github.com/pyglet/pyglet/pull/473
#[test]
fn block_introspection_reports_std140() {
    let a = program(
        "#version 330 core
layout(std140, row_major) uniform Tile { float gain; mat4x3 xf; vec3 dir; float bias; vec2 pts[2]; } tile;
layout(std140) uniform Grid { mat2x3 m; float k; vec3 q; float z; };
out vec4 v;
void main() {
    v = vec4(tile.xf[3][2], tile.bias, tile.pts[1].y, k) + (tile.gain + tile.dir.x + m[0][0] + q.x + z) * 0.0;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}",
        "#version 330 core\nin vec4 v; out vec4 o; void main() { o = v; }",
    );
    let rows: Vec<_> = a
        .uniforms
        .iter()
        .map(|u| {
            (
                &*u.name,
                u.offset,
                u.matrix_stride,
                u.row_major,
                u.array_stride,
            )
        })
        .collect();
    let expected = [
        ("Tile.gain", 0, 0, false, 0),
        ("Tile.xf", 16, 16, true, 0),
        ("Tile.dir", 64, 0, false, 0),
        ("Tile.bias", 76, 0, false, 0),
        ("Tile.pts[0]", 80, 0, false, 16),
        ("m", 0, 16, false, 0),
        ("k", 32, 0, false, 0),
        ("q", 48, 0, false, 0),
        ("z", 60, 0, false, 0),
    ];
    assert_eq!(rows, expected);
    assert!(a.uniforms.iter().all(|u| u.location.is_none()));
    let sizes: Vec<_> = a
        .uniform_blocks
        .iter()
        .map(|b| (&*b.name, b.data_size))
        .collect();
    assert_eq!(sizes, [("Tile", 112), ("Grid", 64)]);
}

#[test]
fn arrays_of_structs_samplers_in_structs_and_block_arrays_reflect_leaf_by_leaf() {
    let a = program(
        "#version 330
struct Light { vec3 pos; float k[2]; bool on; };
struct Mat { vec4 c; sampler2D tex; };
uniform Light lights[2]; uniform Mat mat;
layout(std140) uniform Bones { mat4 m[4]; } bones[2];
in vec4 p;
void main() {
    int i = int(p.x);
    gl_Position = bones[1].m[i] * p + vec4(lights[i].pos, lights[i].k[i]) + texture(mat.tex, p.xy) * mat.c;
    if (lights[0].on) gl_Position.x = 0.0;
}",
        "#version 330\nout vec4 o; void main() { o = vec4(1.0); }",
    );
    let expected = [
        "lights[0].pos",
        "lights[0].k[0]",
        "lights[0].on",
        "lights[1].pos",
        "lights[1].k[0]",
        "lights[1].on",
        "mat.c",
        "mat.tex",
        "Bones.m[0]",
    ];
    assert_eq!(uniform_names(&a), expected);
    let places: Vec<_> = a.uniforms.iter().map(|u| u.location).collect();
    let dense = [
        Some(0),
        Some(1),
        Some(3),
        Some(4),
        Some(5),
        Some(7),
        Some(8),
        Some(9),
        None,
    ];
    assert_eq!(places, dense);
    assert_eq!(uniform(&a, "lights[1].on").gl_type, GL_BOOL);
    assert_eq!(
        uniform(&a, "mat.tex").storage,
        UniformStorage::Sampler { first_slot: 0 }
    );
    let blocks: Vec<_> = a
        .uniform_blocks
        .iter()
        .map(|b| (&*b.name, b.binding, b.element))
        .collect();
    assert_eq!(
        blocks.iter().map(|b| (b.0, b.2)).collect::<Vec<_>>(),
        [("Bones[0]", 0), ("Bones[1]", 1)]
    );
    assert_eq!(blocks[0].1, blocks[1].1);
    let bindings: Vec<u32> = a.resources.iter().map(|r| r.binding).collect();
    assert_eq!(bindings, [0, 1, 2]);
}

#[test]
fn what_only_feeds_an_ignored_varying_is_inactive() {
    let vertex = "#version 330
in vec4 p; in vec2 t; uniform float scale; uniform mat4 mvp; out vec2 uv; out vec4 used;
vec2 scaled(vec2 v) { return v * 2.0; }
void main() { uv = t * scale; used = p; gl_Position = mvp * p; }";
    let fragment = "#version 330
in vec2 uv; in vec4 used; uniform float dead; out vec4 o;
void main() { float unread = dead * uv.x; o = used; }";
    let a = program(vertex, fragment);
    assert_eq!(uniform_names(&a), ["mvp"]);
    assert_eq!(locations(&a), [("p", GL_FLOAT_VEC4, 0)]);
    let options = LinkOptions {
        xfb_varyings: vec!["uv".into()],
        ..LinkOptions::default()
    };
    let b = program_with(
        &[(Stage::Vertex, vertex), (Stage::Fragment, fragment)],
        &options,
    );
    assert_eq!(uniform_names(&b), ["scale", "mvp"]);
}

#[test]
fn array_is_as_long_as_its_highest_constant_index() {
    let a = program(
        TRI,
        "#version 330
uniform vec4 c[10]; uniform sampler2D s[4]; out vec4 o;
void main() { o = c[2] + c[5] + texture(s[1], vec2(0.5)); }",
    );
    assert_eq!(uniform(&a, "c[0]").array_size, 6);
    assert_eq!(uniform(&a, "s[0]").array_size, 2);
    assert_eq!(
        a.samplers.len(),
        4,
        "the descriptor array keeps its declared length"
    );
}

#[test]
fn explicit_uniform_locations_and_bindings_are_kept() {
    let a = program(
        TRI,
        "#version 430
layout(location = 3) uniform vec4 a; uniform float b; layout(location = 1) uniform float c[2];
layout(binding = 5) uniform sampler2D s; layout(std140, binding = 2) uniform U { vec4 x; };
layout(std430, binding = 1) buffer B { int n; vec4 items[]; };
layout(rgba8, binding = 6) writeonly uniform image2D img;
out vec4 o;
void main() { o = a + b + c[0] + c[1] + x + texture(s, vec2(0.0)) + items[n]; imageStore(img, ivec2(0), o); }",
    );
    assert_eq!(
        (uniform(&a, "a").location, uniform(&a, "c[0]").location),
        (Some(3), Some(1))
    );
    assert_eq!(uniform(&a, "b").location, Some(0));
    assert_eq!(a.samplers[0].initial_unit, 5);
    assert_eq!((a.images[0].initial_unit, a.images[0].writeonly), (6, true));
    assert_eq!(a.uniform_blocks[0].initial_binding, 2);
    assert_eq!(a.storage_blocks[0].initial_binding, 1);
    let variables: Vec<_> = a
        .buffer_variables
        .iter()
        .map(|v| (&*v.name, v.offset, v.array_size, v.array_stride))
        .collect();
    assert_eq!(variables, [("n", 0, 1, 0), ("items[0]", 16, 0, 16)]);
}

#[test]
fn attribute_locations_follow_layout_then_binding_then_size() {
    let vertex = "#version 330
in vec4 a; in mat3 m; layout(location = 4) in vec2 fixed_; in float bound;
void main() { gl_Position = a + vec4(m[0], bound) + fixed_.xyxy; }";
    let options = LinkOptions {
        attrib_locations: vec![("bound".into(), 1), ("nothing".into(), 0)],
        ..LinkOptions::default()
    };
    let a = program_with(
        &[
            (Stage::Vertex, vertex),
            (Stage::Fragment, "#version 330\nvoid main() {}"),
        ],
        &options,
    );
    let at = |name: &str| {
        a.attributes
            .iter()
            .find(|t| t.name == name)
            .expect("active")
            .location
    };
    assert_eq!((at("fixed_"), at("bound"), at("m"), at("a")), (4, 1, 5, 0));
}

#[test]
fn fragment_outputs_follow_layout_then_binding() {
    let fragment = "#version 330
out vec4 one; layout(location = 0) out vec4 zero; out ivec4 three;
void main() { one = vec4(1.0); zero = vec4(0.0); three = ivec4(3); }";
    let options = LinkOptions {
        frag_data_locations: vec![("three".into(), 3, 0)],
        ..LinkOptions::default()
    };
    let a = program_with(
        &[(Stage::Vertex, TRI), (Stage::Fragment, fragment)],
        &options,
    );
    let at = |name: &str| {
        a.frag_outputs
            .iter()
            .find(|o| o.name == name)
            .expect("an output")
            .location
    };
    assert_eq!((at("zero"), at("one"), at("three")), (0, 1, 3));
}

#[test]
fn dual_source_outputs_have_an_index() {
    let fragment = "#version 330
layout(location = 0, index = 0) out vec4 a; layout(location = 0, index = 1) out vec4 b;
void main() { a = vec4(1.0); b = vec4(0.5); }";
    let a = program(TRI, fragment);
    assert!(a.flags.dual_source);
    let places: Vec<_> = a
        .frag_outputs
        .iter()
        .map(|o| (&*o.name, o.location, o.index))
        .collect();
    assert_eq!(places, [("a", 0, 0), ("b", 0, 1)]);
}

#[test]
fn geometry_stage_reports_its_layout() {
    let a = program_with(
        &[
            (
                Stage::Vertex,
                "#version 330\nin vec3 v; out vec3 w; void main() { w = v; gl_Position = vec4(v, 1.0); }",
            ),
            (
                Stage::Geometry,
                "#version 330
layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
in vec3 w[]; out vec2 uv;
void main() {
    for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; uv = w[i].xy; EmitVertex(); }
    EndPrimitive();
}",
            ),
            (
                Stage::Fragment,
                "#version 330\nin vec2 uv; out vec4 o; void main() { o = vec4(uv, gl_PointCoord); }",
            ),
        ],
        &LinkOptions::default(),
    );
    let g = a.geometry.expect("a geometry stage");
    assert_eq!(
        (g.input, g.output, g.max_vertices, g.invocations),
        (GL_TRIANGLES, GL_TRIANGLE_STRIP, 3, 1)
    );
    assert_eq!(a.last_vertex_stage(), Some(Stage::Geometry));
    assert!(a.flags.point_coord);
}

#[test]
fn captured_varyings_are_laid_out_in_order() {
    let vertex = "#version 330
in vec3 v; out vec3 a; out vec2 b[2]; out Blk { float c; } blk; flat out int n;
void main() { gl_Position = vec4(v, 1.0); a = v; b[0] = b[1] = v.xy; blk.c = v.x; n = gl_InstanceID; }";
    let names = [
        "a",
        "gl_SkipComponents2",
        "gl_Position",
        "b",
        "gl_NextBuffer",
        "Blk.c",
        "n",
    ];
    let options = LinkOptions {
        xfb_varyings: names.map(String::from).to_vec(),
        ..LinkOptions::default()
    };
    let a = program_with(&[(Stage::Vertex, vertex)], &options);
    let rows: Vec<_> = a
        .xfb
        .varyings
        .iter()
        .map(|v| (&*v.name, v.buffer, v.offset, v.components))
        .collect();
    let expected = [
        ("a", 0, 0, 3),
        ("gl_Position", 0, 20, 4),
        ("b", 0, 36, 4),
        ("Blk.c", 1, 0, 1),
        ("n", 1, 4, 1),
    ];
    assert_eq!(rows, expected);
    assert_eq!(a.xfb.strides, [52, 8, 0, 0]);
    assert!(a.flags.instance_id);
    let separate = LinkOptions {
        xfb_varyings: vec!["a".into(), "n".into()],
        xfb_mode: XfbMode::Separate,
        ..LinkOptions::default()
    };
    let b = program_with(&[(Stage::Vertex, vertex)], &separate);
    assert_eq!(b.xfb.strides, [12, 4, 0, 0]);
    let missing = LinkOptions {
        xfb_varyings: vec!["nothing".into()],
        ..LinkOptions::default()
    };
    let failed = try_link(&[(Stage::Vertex, vertex)], &missing);
    assert!(!failed.ok() && failed.log.contains("nothing"));
}

// GL 4.6 core §11.1.2.1 and §7.3.1: elements of arrays and members of one block of an array are captured by their names.
#[test]
fn captured_parts_of_outputs_are_found_by_their_names() {
    let vertex = "#version 330
in vec3 v; out vec2 b[3]; out Blk { float c; vec3 d[2]; } blk; out One { vec4 e; };
void main() { gl_Position = vec4(v, 1.0); e = vec4(1.0); b[0] = b[1] = b[2] = v.xy; blk.c = v.x; blk.d[0] = blk.d[1] = v;
    gl_ClipDistance[0] = gl_ClipDistance[1] = 1.0; }";
    let capture = |names: &[&str]| LinkOptions {
        xfb_varyings: names.iter().map(|name| (*name).to_owned()).collect(),
        ..LinkOptions::default()
    };
    let options = capture(&[
        "b[2]",
        "e",
        "Blk.d[1]",
        "b[0]",
        "Blk.c",
        "gl_ClipDistance[1]",
    ]);
    let a = program_with(&[(Stage::Vertex, vertex)], &options);
    let rows: Vec<_> = a
        .xfb
        .varyings
        .iter()
        .map(|v| {
            (
                &*v.name,
                v.offset,
                v.components,
                v.array_size,
                v.member,
                &v.part[..],
            )
        })
        .collect();
    let expected = [
        ("b[2]", 0, 2, 1, None, &[2][..]),
        ("e", 8, 4, 1, Some(0), &[]),
        ("Blk.d[1]", 24, 3, 1, None, &[1, 1]),
        ("b[0]", 36, 2, 1, None, &[0]),
        ("Blk.c", 44, 1, 1, Some(0), &[]),
    ];
    assert_eq!(rows[..5], expected);
    assert_eq!((rows[5].1, rows[5].2, rows[5].5.last()), (48, 1, Some(&1)));
    for wrong in [
        "b[3]", "b[01]", "b[-1]", "b[", "Blk.d[2]", "Blk.x", "Blk[0].c", "e.x",
    ] {
        let failed = try_link(&[(Stage::Vertex, vertex)], &capture(&[wrong]));
        assert!(!failed.ok() && failed.log.contains(wrong), "{wrong}");
    }
}

#[test]
fn captured_member_of_a_block_of_an_array_is_found_by_its_name() {
    let vertex = "#version 330
in vec3 v; void main() { gl_Position = vec4(v, 1.0); }";
    let geometry = "#version 330
layout(points) in; layout(points, max_vertices = 2) out;
out Blk { float c; vec2 d[2]; } blks[2];
void leave(float x) { blks[0].c = blks[1].c = x; blks[0].d[0] = blks[1].d[1] = vec2(x); gl_Position = vec4(x); EmitVertex(); }
void main() { leave(1.0); leave(2.0); }";
    let options = LinkOptions {
        xfb_varyings: ["Blk[1].c", "Blk[0].d[0]", "Blk[1].d"]
            .map(String::from)
            .to_vec(),
        ..LinkOptions::default()
    };
    let a = program_with(
        &[(Stage::Vertex, vertex), (Stage::Geometry, geometry)],
        &options,
    );
    let rows: Vec<_> = a
        .xfb
        .varyings
        .iter()
        .map(|v| (v.offset, v.components, &v.part[..]))
        .collect();
    let expected = [(0, 1, &[1, 0][..]), (4, 2, &[0, 1, 0]), (12, 4, &[1, 1])];
    assert_eq!(rows, expected);
}

#[test]
fn compute_program_reports_its_local_size() {
    let a = program_with(
        &[(
            Stage::Compute,
            "#version 430
layout(local_size_x = 8, local_size_y = 4) in;
layout(std430, binding = 0) buffer Data { float values[]; };
shared float cache[32];
void main() { cache[gl_LocalInvocationIndex] = values[gl_GlobalInvocationID.x]; barrier(); values[gl_GlobalInvocationID.x] = cache[0]; }",
        )],
        &LinkOptions::default(),
    );
    assert_eq!(a.local_size, Some([8, 4, 1]));
}

#[test]
fn tessellation_program_reports_its_layout() {
    let a = program_with(
        &[
            (Stage::Vertex, "#version 400\nin vec4 p; void main() { gl_Position = p; }"),
            (
                Stage::TessControl,
                "#version 400
layout(vertices = 3) out;
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2.0;
}",
            ),
            (
                Stage::TessEval,
                "#version 400
layout(triangles, fractional_odd_spacing, cw) in;
void main() { gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y; }",
            ),
            (Stage::Fragment, "#version 400\nout vec4 o; void main() { o = vec4(1.0); }"),
        ],
        &LinkOptions::default(),
    );
    let t = a.tess.expect("tessellation");
    assert_eq!(
        (t.mode, t.spacing, t.clockwise, t.point_mode),
        (GL_TRIANGLES, 0x8E7B, true, false)
    );
}

#[test]
fn several_shaders_of_one_stage_link_together() {
    let a = program_with(
        &[
            (Stage::Vertex, TRI),
            (
                Stage::Fragment,
                "#version 330\nuniform vec4 c; vec4 colour() { return c; }",
            ),
            (
                Stage::Fragment,
                "#version 330\nvec4 colour();\nout vec4 o;\nvoid main() { o = colour(); }",
            ),
        ],
        &LinkOptions::default(),
    );
    assert_eq!(uniform_names(&a), ["c"]);
}

#[test]
fn frag_data_takes_as_many_outputs_as_it_uses() {
    let a = program(
        TRI,
        "#version 120\nvoid main() { gl_FragData[0] = vec4(1.0); gl_FragData[2] = vec4(0.5); }",
    );
    assert_eq!(
        (a.frag_outputs[0].array_size, a.frag_outputs[0].location),
        (3, 0)
    );
    assert!(!a.flags.frag_color_broadcast);
}

#[test]
fn point_size_flags_say_what_the_source_writes() {
    let written = program(
        "#version 330\nvoid main() { gl_Position = vec4(0.0); gl_PointSize = 4.0; }",
        "#version 330\nvoid main() {}",
    );
    assert!(written.flags.point_size_written);
    assert!(
        !program(TRI, "#version 330\nvoid main() {}")
            .flags
            .point_size_written
    );
}

#[test]
fn compile_errors_name_the_sources_own_line() {
    let cases = [
        (
            "#version 330 core\nin vec4 v; out vec4 o;\n\nvoid main() {\n    o = vv +\n    v;\n}\n",
            "0:5(",
            "vv",
        ),
        (
            "void main() {\n  gl_FragColor = vec4(1.0)\n}\n",
            "0:3(",
            "syntax error",
        ),
        (
            "#define BAD nonsense\nvoid main() {\n\n  gl_FragColor = BAD;\n}\n",
            "0:4(",
            "nonsense",
        ),
        (
            "#version 120\n\nvoid main() { gl_FragColor = gl_Color; }",
            "0:3(30)",
            "gl_Color",
        ),
        (
            "#version 330\nuniform vec4 v = vec4(1.0) * texture;\nvoid main() {}",
            "0:",
            "texture",
        ),
        (
            "#version 330\n#line 40\nvoid main() { oops; }",
            "0:40(",
            "oops",
        ),
        (
            "#version 400\nsubroutine void f();\nvoid main() {}",
            "0:2(1)",
            "subroutines are not supported",
        ),
    ];
    for (source, place, text) in cases {
        let s = try_compile(Stage::Fragment, source);
        assert!(!s.ok(), "{source}");
        let first = s.log().lines().next().unwrap_or("");
        assert!(
            first.starts_with(place) && first.contains("error: ") && first.contains(text),
            "{source}\n{}",
            s.log()
        );
    }
}

#[test]
fn interface_mismatches_are_link_errors_by_name() {
    let fragment = "#version 330\nin vec4 v; out vec4 o; void main() { o = v; }";
    let cases = [
        (
            "#version 330\nvoid main() { gl_Position = vec4(0.0); }",
            "`v'",
        ),
        (
            "#version 330\nout vec3 v; void main() { v = vec3(0.0); gl_Position = vec4(0.0); }",
            "v",
        ),
    ];
    for (vertex, text) in cases {
        let r = try_link(
            &[(Stage::Vertex, vertex), (Stage::Fragment, fragment)],
            &LinkOptions::default(),
        );
        assert!(!r.ok() && r.log.contains(text), "{}", r.log);
    }
    let r = try_link(
        &[
            (
                Stage::Vertex,
                "#version 330\nuniform float u; void main() { gl_Position = vec4(u); }",
            ),
            (
                Stage::Fragment,
                "#version 330\nuniform vec2 u; out vec4 o; void main() { o = u.xyxy; }",
            ),
        ],
        &LinkOptions::default(),
    );
    assert!(!r.ok() && r.log.contains('u'), "{}", r.log);
}

#[test]
fn link_without_main_or_with_a_failed_shader_fails() {
    let good = shader(Stage::Vertex, TRI);
    let bad = try_compile(Stage::Fragment, "nonsense");
    let r = gl_glsl::link(&[&good, &bad], &LinkOptions::default());
    assert!(!r.ok() && !r.log.is_empty());
    let empty = shader(
        Stage::Fragment,
        "#version 330\nvec4 f() { return vec4(1.0); }",
    );
    let r = gl_glsl::link(&[&good, &empty], &LinkOptions::default());
    assert!(r.log.contains("lacks `main'"), "{}", r.log);
    assert!(!gl_glsl::link(&[], &LinkOptions::default()).ok());
}

#[test]
fn separable_stage_links_alone() {
    let options = LinkOptions {
        separable: true,
        ..LinkOptions::default()
    };
    let a = program_with(
        &[(
            Stage::Fragment,
            "#version 330\nin vec4 v; out vec4 o; void main() { o = v; }",
        )],
        &options,
    );
    assert!(a.separable);
}

#[test]
fn hostile_sources_end_in_a_log() {
    let deep = format!(
        "void main() {{ int x = {}1{}; }}",
        "(".repeat(5000),
        ")".repeat(5000)
    );
    let cases = [
        "\0",
        "#version 999",
        "void main() { \u{1F600} }",
        "uniform struct",
        "layout(",
        "uniform vec4 a[",
        "in out uniform;",
        "void main(",
        "struct S { S s; }; uniform S s; void main() {}",
        "uniform vec4 x = x; void main() {}",
        "#define A(",
        "}}}}",
        "layout(location = 99999999999) uniform vec4 a; void main() {}",
        &deep,
    ];
    for source in cases {
        for stage in Stage::ALL {
            let s = try_compile(stage, source);
            assert!(s.ok() || !s.log().is_empty());
        }
    }
}
