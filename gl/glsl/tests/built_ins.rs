//! Built-in variables that SPIR-V lacks or has otherwise. Expected values come from the GLSL specification.

mod common;

use common::{TRI, program, shader, try_compile, try_link, uniform, uniform_names};
use gl_glsl::{LinkOptions, link};
use pipe::program::Stage;

#[test]
fn frag_coord_conventions_take_the_framebuffers_height_from_the_default_block() {
    let a = program(
        TRI,
        "#version 150
        layout(origin_upper_left, pixel_center_integer) in vec4 gl_FragCoord;
        uniform vec4 tint; out vec4 o;
        void main() { o = gl_FragCoord * tint; }",
    );
    let offset = a.state_members.frag_coord_height.expect("read by the code");
    assert!(offset + 4 <= a.default_block_size);
    assert_eq!(uniform_names(&a), ["tint"], "state is no uniform");
    let a = program(
        TRI,
        "#version 140
        #extension GL_ARB_fragment_coord_conventions : require
        layout(pixel_center_integer) in vec4 gl_FragCoord;
        out vec4 o; void main() { o = gl_FragCoord.xyzw; }",
    );
    assert!(a.state_members.is_empty(), "no height is needed");
    assert!(a.flags.frag_coord);
}

#[test]
fn frag_coord_redeclared_wrongly_is_a_compile_error() {
    let refused = [
        ("in vec3 gl_FragCoord;", "vec4"),
        ("out vec4 gl_FragCoord;", "input"),
        (
            "float f() { return gl_FragCoord.x; } in vec4 gl_FragCoord;",
            "before its first",
        ),
        (
            "layout(origin_upper_left) in vec4 gl_FragCoord; in vec4 gl_FragCoord;",
            "different",
        ),
    ];
    for (declaration, why) in refused {
        let source =
            format!("#version 330\n{declaration} out vec4 o; void main() {{ o = vec4(1.0); }}");
        let s = try_compile(Stage::Fragment, &source);
        assert!(
            !s.ok() && s.log().contains(why),
            "{declaration}: {}",
            s.log()
        );
    }
    let s = try_compile(
        Stage::Vertex,
        "#version 330\nin vec4 gl_FragCoord; void main() { gl_Position = vec4(0.0); }",
    );
    assert!(!s.ok());
}

#[test]
fn frag_coord_redeclared_in_one_of_two_users_is_a_link_error() {
    let with = "#version 330
        layout(origin_upper_left) in vec4 gl_FragCoord; float row() { return gl_FragCoord.y; }";
    let user = "#version 330
        float row(); out vec4 o; void main() { o = vec4(row(), gl_FragCoord.x, 0.0, 1.0); }";
    let idle = "#version 330
        float row(); out vec4 o; void main() { o = vec4(row()); }";
    for (main, ok) in [(user, false), (idle, true)] {
        let shaders = [
            shader(Stage::Vertex, TRI),
            shader(Stage::Fragment, with),
            shader(Stage::Fragment, main),
        ];
        let result = link(&shaders.iter().collect::<Vec<_>>(), &LinkOptions::default());
        assert_eq!(result.ok(), ok, "{}", result.log);
    }
}

#[test]
fn depth_range_is_state_in_the_default_block() {
    let a = program(
        "#version 330
        uniform vec4 at; void main() { gl_Position = at * gl_DepthRange.diff; }",
        "#version 330
        float span(gl_DepthRangeParameters p) { return p.far - p.near; }
        uniform float k; out vec4 o; void main() { o = vec4(span(gl_DepthRange) * k); }",
    );
    assert!(a.state_members.depth_range.is_some());
    assert_eq!(uniform_names(&a), ["at", "k"]);
    let s = try_compile(
        Stage::Fragment,
        "#version 330\nvoid main() { gl_DepthRange.near = 1.0; }",
    );
    assert!(!s.ok(), "built-in state is read-only");
}

#[test]
fn rectangle_samplers_become_2d_with_the_types_that_the_source_has() {
    const GL_SAMPLER_2D_RECT: u32 = 0x8B63;
    const GL_SAMPLER_2D_RECT_SHADOW: u32 = 0x8B64;
    let a = program(
        TRI,
        "#version 330
        uniform sampler2DRect r[2]; uniform sampler2DRectShadow s; uniform isampler2DRect i;
        uniform sampler2D d; uniform sampler2DShadow ds; out vec4 o;
        vec4 pick(sampler2DRect which, vec2 at) { return texture(which, at); }
        void main() {
            o = pick(r[0], gl_FragCoord.xy) + texelFetch(r[1], ivec2(1, 2)) + texelFetchOffset(r[1], ivec2(1), ivec2(1));
            o += textureProj(r[0], vec3(1.0)) + textureProj(r[0], vec4(1.0)) + textureOffset(r[1], vec2(1.0), ivec2(1));
            o += textureGrad(r[0], vec2(2.0), vec2(1.0), vec2(0.0, 1.0)) + vec4(texture(s, vec3(1.0)) + textureProj(s, vec4(1.0)));
            o += vec4(textureSize(r[0]), texture(i, vec2(3.0)).xy) + texture(d, vec2(0.5)) + vec4(texture(ds, vec3(0.5)));
            o += vec4(textureSize(d, 0), textureSize(s)) + textureProjGradOffset(r[0], vec3(1.0), vec2(1.0), vec2(1.0), ivec2(1));
        }",
    );
    let types: Vec<(&str, u32)> = a.uniforms.iter().map(|u| (&*u.name, u.gl_type)).collect();
    assert_eq!(
        types[..2],
        [
            ("r[0]", GL_SAMPLER_2D_RECT),
            ("s", GL_SAMPLER_2D_RECT_SHADOW)
        ]
    );
    program(
        "#version 110
        uniform sampler2DRect r; void main() { gl_Position = texture2DRect(r, vec2(1.0)); }",
        "#version 110
        #extension GL_ARB_texture_rectangle : enable
        #extension GL_ARB_shader_texture_lod : enable
        uniform sampler2DRect r; uniform sampler2DRectShadow s;
        void main() {
            gl_FragColor = texture2DRect(r, vec2(1.0)) + texture2DRectProj(r, vec3(1.0)) + shadow2DRect(s, vec3(1.0)).rgba
                + shadow2DRectProj(s, vec4(1.0)) + texture2DRectGradARB(r, vec2(1.0), vec2(1.0), vec2(1.0))
                + shadow2DRectGradARB(s, vec3(1.0), vec2(1.0), vec2(1.0));
        }",
    );
}

#[test]
fn functions_may_override_built_ins_of_the_same_signature() {
    program(
        TRI,
        "#version 330
        uniform float u; uniform mat3 m; out vec4 o;
        float before() { return abs(u); }
        float abs(float x) { return x + 2.0; }
        mat3 inverse(mat3 m) { return m; }
        mat3 transpose(in mat3 m);
        mat3 transpose(in mat3 m) { return m; }
        vec3 mix(vec3 a, int n) { return a * float(n); }
        void main() {
            o = vec4(abs(u) + abs(vec2(u)).x + float(abs(-3)), inverse(m)[0] + transpose(m)[1] + mix(vec3(u), 2));
            o += before() * vec4(mix(u, 2.0, 0.5), transpose(mat2x3(u))[0].xy, inverse(mat2(u))[0].x);
        }",
    );
    program(
        "#version 110
        vec4 abs(vec4 x); vec4 abs(vec4 x) { return x; }
        attribute vec4 p; void main() { gl_Position = abs(p); }",
        "#version 110
        uniform float lowp, mat4x2; void main() { gl_FragColor = vec4(lowp * mat4x2 + 1.0); }",
    );
}

#[test]
fn uniform_array_without_a_size_takes_that_of_its_initialiser() {
    let a = program(
        TRI,
        "#version 120
        uniform float a[] = float[](0.0, 1.0, (2.0), 3.0), b = 4.0;
        uniform vec2[] c = vec2[2](vec2(1.0), vec2(2.0));
        void main() { gl_FragColor = vec4(a[a.length() - 1], b, c[1]); }",
    );
    assert_eq!(uniform(&a, "a[0]").array_size, 4);
    assert_eq!(uniform(&a, "c[0]").array_size, 2);
}

#[test]
fn uniform_initialisers_that_differ_between_stages_are_a_link_error() {
    for (value, ok) in [("2.0", true), ("3.0", false)] {
        let vertex = format!(
            "#version 330\nuniform float k = {value}; void main() {{ gl_Position = vec4(k); }}"
        );
        let result = try_link(
            &[
                (Stage::Vertex, &*vertex),
                (
                    Stage::Fragment,
                    "#version 330\nuniform float k = 2.0; out vec4 o; void main() { o = vec4(k); }",
                ),
            ],
            &LinkOptions::default(),
        );
        assert_eq!(result.ok(), ok, "{}", result.log);
    }
}

#[test]
fn bindings_that_differ_between_stages_are_a_link_error() {
    let stage = |declaration: &str, use_it: &str, out: &str| {
        format!("#version 420\n{declaration} {out} void main() {{ {use_it} }}")
    };
    let cases = [
        (
            "layout(binding = 1) uniform B { vec4 v; } b;",
            "layout(binding = 1) uniform B { vec4 v; } b;",
            true,
        ),
        (
            "layout(binding = 1) uniform B { vec4 v; } b;",
            "uniform B { vec4 v; } b;",
            true,
        ),
        (
            "layout(binding = 1) uniform B { vec4 v; } b;",
            "layout(binding = 2) uniform B { vec4 v; } b;",
            false,
        ),
    ];
    for (first, second, ok) in cases {
        let vertex = stage(first, "gl_Position = b.v;", "");
        let fragment = stage(second, "o = b.v;", "out vec4 o;");
        let result = try_link(
            &[(Stage::Vertex, &*vertex), (Stage::Fragment, &*fragment)],
            &LinkOptions::default(),
        );
        assert_eq!(result.ok(), ok, "{second}: {}", result.log);
    }
    let vertex = stage(
        "layout(binding = 1) uniform sampler2D t;",
        "gl_Position = texture(t, vec2(0.0));",
        "",
    );
    let fragment = stage(
        "layout(binding = 2) uniform sampler2D t;",
        "o = texture(t, vec2(0.0));",
        "out vec4 o;",
    );
    let result = try_link(
        &[(Stage::Vertex, &*vertex), (Stage::Fragment, &*fragment)],
        &LinkOptions::default(),
    );
    assert!(!result.ok());
}
