//! What versions before the newest do not allow: expected results are those of the specification's own sections, and a conformant
//! driver agrees with each.

mod common;

use common::try_compile;
use pipe::program::Stage;

/// Whether each source compiles.
fn compile(cases: &[(Stage, &str, bool)]) {
    for (stage, source, ok) in cases {
        let result = try_compile(*stage, source);
        assert_eq!(result.ok(), *ok, "{source}\n{}", result.log());
        assert_ne!(result.ok(), result.log().contains("error"), "{source}");
    }
}

const LOCATION: &str = "#version 120\n#extension GL_ARB_explicit_attrib_location : require\n";

#[test]
fn locations_before_330_need_their_extension_and_stand_on_vertex_inputs_and_fragment_outputs() {
    let with = |rest: &str| format!("{LOCATION}{rest}");
    let compile = |stage, source: &str, ok| compile(&[(stage, source, ok)]);
    let main = "void main() { gl_Position = vec4(0.0); }";
    compile(
        Stage::Vertex,
        &with(&format!("layout(location = 1) in vec4 a; {main}")),
        true,
    );
    compile(
        Stage::Vertex,
        &with(&format!("layout(location = 1) attribute vec4 a; {main}")),
        false,
    );
    compile(
        Stage::Vertex,
        &with(&format!("layout(location = 1) out vec4 a; {main}")),
        false,
    );
    compile(
        Stage::Vertex,
        &with(&format!("in layout(location = 1) vec4 a; {main}")),
        false,
    );
    compile(
        Stage::Vertex,
        &with(&format!("layout(location = 2 - 1) in vec4 a; {main}")),
        false,
    );
    compile(
        Stage::Vertex,
        &with(&format!("in vec4 a[2]; {main}")),
        false,
    );
    compile(
        Stage::Fragment,
        &with("layout(location = 0) in vec4 a; void main() {}"),
        false,
    );
    compile(
        Stage::Fragment,
        &with("layout(location = 0, index = 2) out vec4 a; void main() {}"),
        false,
    );
    compile(
        Stage::Vertex,
        &format!("#version 140\nlayout(location = 1) in vec4 a; {main}"),
        false,
    );
    compile(
        Stage::Vertex,
        &format!("#version 330\nlayout(location = 1) in vec4 a; {main}"),
        true,
    );
    compile(
        Stage::Vertex,
        &format!("#version 330\nlayout(location = 1) out vec4 a; {main}"),
        false,
    );
    compile(
        Stage::Vertex,
        &format!("#version 410\nlayout(location = 1) out vec4 a; {main}"),
        true,
    );
    compile(
        Stage::Vertex,
        &format!("#version 420\nin layout(location = 2) vec4 a; {main}"),
        true,
    );
}

#[test]
fn locations_that_overlap_or_are_too_large_are_left_to_the_linker() {
    compile(&[
        (
            Stage::Vertex,
            "#version 330\nlayout(location = 0) in vec4 a; layout(location = 0) in vec4 b; void main() { gl_Position = a + b; }",
            true,
        ),
        (
            Stage::Vertex,
            "#version 330\nlayout(location = 2147483647) in vec4 a; void main() { gl_Position = a; }",
            true,
        ),
        (
            Stage::Fragment,
            "#version 330\nlayout(location = 0) out vec4 a; layout(location = 0) out vec4 b; void main() { a = vec4(0.0); b = a; }",
            true,
        ),
    ]);
    let link = |vertex: &str, fragment: &str| {
        common::try_link(
            &[(Stage::Vertex, vertex), (Stage::Fragment, fragment)],
            &Default::default(),
        )
        .ok()
    };
    let plain = "#version 330\nvoid main() { gl_Position = vec4(0.0); }";
    let color = "#version 330\nout vec4 o; void main() { o = vec4(0.0); }";
    assert!(
        link(
            "#version 330\nlayout(location = 0) in vec4 a; layout(location = 0) in vec4 b; void main() { gl_Position = a + b; }",
            color
        ),
        "aliasing (GL 4.6 core §11.1.1)"
    );
    assert!(!link(
        "#version 330\nlayout(location = 2147483647) in vec4 a; void main() { gl_Position = a; }",
        color
    ));
    assert!(!link(
        plain,
        "#version 330\nlayout(location = 0) out vec4 a; layout(location = 0) out vec4 b; void main() { a = vec4(0.0); b = a; }"
    ));
}

#[test]
fn integers_in_blocks_of_fragment_inputs_are_flat() {
    let source = |member: &str| {
        format!(
            "#version 150\nstruct S {{ vec2 a; uvec2 b; }};\nin B {{ {member} }} b;\nout vec4 o; void main() {{ o = vec4(0.0); }}"
        )
    };
    for (member, ok) in [
        ("flat ivec2 u;", true),
        ("ivec2 u;", false),
        ("noperspective int u[4];", false),
        ("vec2 a; smooth uvec3 u;", false),
        ("S s;", false),
        ("flat S s[2];", true),
        ("vec4 a;", true),
    ] {
        compile(&[(Stage::Fragment, &source(member), ok)]);
    }
}

#[test]
fn inputs_of_a_geometry_stage_have_one_size() {
    let end = "layout(points, max_vertices = 1) out; void main() {}";
    for (source, ok) in [
        ("layout(triangles) in; in vec4 a[]; in vec4 b[3];", true),
        ("in vec4 a[2]; in vec4 b[3]; layout(lines) in;", false),
        ("layout(lines) in; in B { vec4 c; } b[3];", false),
        ("layout(points, triangles) in;", false),
        ("layout(points, points) in;", false),
        ("layout(points, packed) in;", false),
        (
            "in vec4 a[]; vec4 f() { return a[2]; } layout(lines) in;",
            false,
        ),
        (
            "in vec4 a[]; vec4 f() { return a[1]; } layout(lines) in;",
            true,
        ),
        (
            "layout(points) in; in gl_PerVertex { vec4 gl_Position; };",
            false,
        ),
        (
            "layout(points) in; out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[]; }; out float gl_ClipDistance[4];",
            false,
        ),
    ] {
        let source = format!("#version 150\n{source}\n{end}");
        compile(&[(Stage::Geometry, &source, ok)]);
    }
}

#[test]
fn blocks_and_their_layouts_need_version_and_place() {
    let main = "void main() { gl_Position = vec4(0.0); }";
    for (source, ok) in [
        ("#version 120\nuniform B { vec4 a; };", false),
        (
            "#version 120\n#extension GL_ARB_uniform_buffer_object : require\nuniform B { vec4 a; };",
            true,
        ),
        (
            "#version 120\n#extension GL_ARB_uniform_buffer_object : require\nuniform B { layout(packed) vec4 a; };",
            false,
        ),
        (
            "#version 120\n#extension GL_ARB_uniform_buffer_object : require\nlayout(packed) vec4 a;",
            false,
        ),
        ("#version 140\nuniform B { vec4 a; };", true),
        ("#version 140\nout B { vec4 a; };", false),
        ("#version 150\nout B { vec4 a; };", true),
        ("#version 150\nout B { varying vec4 a; };", false),
        ("#version 150\nuniform B { vec4 a; } b[];", false),
        ("#version 150\nuniform B { vec4 a; } b[2];", true),
        (
            "#version 150\nvec4 f(layout(location = 0) in vec4 a) { return a; }",
            false,
        ),
    ] {
        compile(&[(Stage::Vertex, &format!("{source}\n{main}"), ok)]);
    }
}

#[test]
fn invariance_of_what_two_stages_declare_agrees_before_430() {
    let link = |version: &str, output: &str, input: &str| {
        let vertex = format!(
            "#version {version}\n{output}\nvoid main() {{ a = vec4(0.5); gl_Position = a; }}"
        );
        let fragment =
            format!("#version {version}\n{input}\nout vec4 o;\nvoid main() {{ o = a; }}");
        let stages = [(Stage::Vertex, &*vertex), (Stage::Fragment, &*fragment)];
        common::try_link(&stages, &Default::default()).ok()
    };
    assert!(link("330", "invariant out vec4 a;", "invariant in vec4 a;"));
    assert!(link(
        "330",
        "out vec4 a; invariant a;",
        "in vec4 a; invariant a;"
    ));
    assert!(link(
        "330",
        "out vec4 a; invariant gl_Position;",
        "in vec4 a;"
    ));
    assert!(!link("330", "invariant out vec4 a;", "in vec4 a;"));
    assert!(!link("330", "out vec4 a;", "invariant in vec4 a;"));
    assert!(link("430", "invariant out vec4 a;", "in vec4 a;"));
}

// ARB_draw_instanced and ARB_shader_draw_parameters: their built-ins are declared where the extension is enabled only.
#[test]
fn built_in_of_an_extension_that_is_not_enabled_is_undeclared() {
    for (extension, word) in [
        ("GL_ARB_draw_instanced", "gl_InstanceIDARB"),
        ("GL_ARB_shader_draw_parameters", "gl_BaseVertexARB"),
        ("GL_ARB_shader_draw_parameters", "gl_BaseInstanceARB"),
        ("GL_ARB_shader_draw_parameters", "gl_DrawIDARB"),
    ] {
        let main = format!("void main() {{ gl_Position = vec4({word}); }}");
        let enabled = format!("#version 460\n#extension {extension} : enable\n{main}");
        let source = try_compile(Stage::Vertex, &enabled);
        assert!(source.ok(), "{word}: {}", source.log());
        let source = try_compile(Stage::Vertex, &format!("#version 460\n{main}"));
        assert!(
            !source.ok() && source.log().contains(word),
            "{word}: {}",
            source.log()
        );
    }
}
