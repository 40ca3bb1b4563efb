//! Sources that want to hurt: the compiler lives in the application's process, so a compile or link ends in a status and a log,
//! never in a crash, a hang or gigabytes. No test here judges the language.

mod common;

use common::{TRI, shader, try_compile};
use gl_glsl::{LinkOptions, link};
use pipe::program::Stage;

const MAIN: &str = "void main() { gl_Position = vec4(0.0); }";

/// Compiles and links on a thread with little stack, as an application's may be; gives what was accepted.
fn survive(stage: Stage, source: String) -> (bool, bool) {
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || {
            let s = try_compile(stage, &source);
            let what = &source[..source.len().min(120)];
            assert!(s.ok() || s.log().contains("error"), "no log: {what}");
            let other = match stage {
                Stage::Fragment => shader(Stage::Vertex, TRI),
                _ => shader(
                    Stage::Fragment,
                    "#version 330\nout vec4 o; void main() { o = vec4(0.0); }",
                ),
            };
            let result = link(&[&s, &other], &LinkOptions::default());
            assert!(
                result.ok() || result.log.contains("error"),
                "no log: {what}"
            );
            (s.ok(), result.ok())
        })
        .expect("a thread")
        .join()
        .expect("no panic")
}

fn vertex(source: String) -> (bool, bool) {
    survive(Stage::Vertex, format!("#version 330\n{source}"))
}

fn many(text: &str, n: usize) -> String {
    text.repeat(n)
}

#[test]
fn deep_nesting_is_a_compile_error() {
    const N: usize = 50_000;
    let position = |e: String| {
        format!("uniform float a; uniform int n; void main() {{ gl_Position = vec4({e}); }}")
    };
    let body = |b: String| format!("uniform int n; void main() {{ {b} gl_Position = vec4(0.0); }}");
    let refused = [
        position(many("(", N) + "a" + &many(")", N)),
        position(many("sin(", N) + "a" + &many(")", N)),
        position(many("a + ", N) + "a"),
        position(many("- ", N) + "a"),
        position(many("n > 0 ? a : ", N) + "a"),
        position(many("a = ", N) + "a"),
        position(format!("vec4(a){}.x", many(".xyzw", N))),
        body(many("{", N) + &many("}", N)),
        body(many("if (n > 0) ", N) + ";"),
        body(many("for (;;) ", N) + ";"),
        body(many("switch (n) { case 0: ", N) + &many("}", N)),
        format!("uniform int a{}; {MAIN}", many("[1]", N)),
        format!(
            "{} float x; {} {MAIN}",
            many("struct A {", N),
            many("} a;", N)
        ),
        format!("#if {}1{}\n#endif\n{MAIN}", many("(", N), many(")", N)),
        format!("#if {}1\n#endif\n{MAIN}", many("-", N)),
    ];
    for source in refused {
        let what = source[..source.len().min(80)].to_owned();
        assert_eq!(vertex(source), (false, false), "{what}");
    }
}

#[test]
fn a_long_sum_below_the_limit_compiles() {
    let sum = many("a * ", 4_000) + "a";
    let source = format!("uniform float a; void main() {{ gl_Position = vec4({sum}); }}");
    assert_eq!(vertex(source), (true, true));
    let table = many("-1.0, ", 20_000) + "1.0";
    let source = format!(
        "const float t[] = float[]({table}); void main() {{ gl_Position = vec4(t[gl_VertexID]); }}"
    );
    assert_eq!(vertex(source), (true, true));
}

#[test]
fn huge_arrays_are_errors() {
    let refused = [
        "uniform float a[2147483647]; void main() { gl_Position = vec4(a[gl_VertexID]); }",
        "const int N = 1000000; uniform vec4 a[N * 1000]; void main() { gl_Position = a[gl_VertexID]; }",
        "uniform vec4 a[30000]; void main() { gl_Position = a[gl_VertexID]; }",
        "struct S { mat4 m[65536]; }; uniform S a[65536]; void main() { gl_Position = a[gl_VertexID].m[3][0]; }",
        "void main() { float a[2000000000]; a[gl_VertexID] = 1.0; gl_Position = vec4(a[3]); }",
        "out vec4 a[1000000000]; void main() { a[gl_VertexID] = vec4(1.0); gl_Position = vec4(0.0); }",
        "in vec4 a[1000000000]; void main() { gl_Position = a[gl_VertexID]; }",
        "uniform sampler2D a[1000000000]; void main() { gl_Position = texture(a[9], vec2(0.0)); }",
        "uniform B { float f; } a[1000000000]; void main() { gl_Position = vec4(a[9].f); }",
        "uniform B { vec4 f[100000]; }; void main() { gl_Position = f[gl_VertexID]; }",
        "layout(location = 4294967295) in vec4 a; void main() { gl_Position = a; }",
        "layout(location = 2147483647) in vec4 a[2]; void main() { gl_Position = a[1]; }",
        "out float gl_ClipDistance[2147483647]; void main() { gl_ClipDistance[0] = 1.0; gl_Position = vec4(0.0); }",
    ];
    for source in refused {
        assert!(!vertex(source.into()).1, "{source}");
    }
    let members = (1..64)
        .map(|i| format!("struct A{i} {{ A{0} x; A{0} y; }};", i - 1))
        .collect::<String>();
    let source = format!("struct A0 {{ float x; }}; {members} uniform A63 u; {MAIN}");
    assert!(!vertex(source).0, "2 to the power of 63 members");
}

#[test]
fn names_of_blocks_that_are_taken_are_errors() {
    let refused = [
        "vec4 block() { return vec4(0.0); } uniform block { vec4 a; } b; void main() { gl_Position = b.a; }",
        "vec4 block() { return vec4(0.0); } out block { vec4 a; } b; void main() { gl_Position = vec4(0.0); }",
        "vec4 block() { return vec4(0.0); } uniform block { vec4 a; }; void main() { gl_Position = a; }",
        "struct block { float f; }; uniform block { vec4 a; }; void main() { gl_Position = a; }",
        "uniform float block; uniform block { vec4 a; }; void main() { gl_Position = a; }",
    ];
    for source in refused {
        assert!(!vertex(source.into()).0, "{source}");
    }
}

#[test]
fn odd_constants_and_directives_end_in_a_status() {
    let sources = [
        "const int z = 0; uniform float a[1 / z]; void main() { gl_Position = vec4(a[0]); }".to_owned(),
        "const int z = -2147483647 - 1; const int y = z / -1; void main() { gl_Position = vec4(y + z % -1); }".to_owned(),
        "const int z = 1 << 100; void main() { gl_Position = vec4(z + (1 >> -5)); }".to_owned(),
        "const mat2 a = mat2(1.0); const vec2 b = a[5]; void main() { gl_Position = vec4(b, a[1][7], 0.0); }".to_owned(),
        "float f(float x) { return f(x); } void main() { gl_Position = vec4(f(1.0)); }".to_owned(),
        "void main() { main(); gl_Position = vec4(0.0); }".to_owned(),
        "uniform float a = a; void main() { gl_Position = vec4(a); }".to_owned(),
        format!("#line 2147483647 2147483647\nuniform float a\n#line 4294967295\n; {MAIN}"),
        format!("uniform float a\0b; {MAIN}"),
        format!("uniform float \u{e9}; {MAIN}"),
        format!("uniform float {}; {MAIN}", many("a", 100_000)),
        format!("#define F(x) x x\n{}a{} {MAIN}", many("F(", 3000), many(")", 3000)),
        many("#if 1\n", 50_000) + &many("#endif\n", 50_000) + MAIN,
        String::new(),
    ];
    for source in sources {
        vertex(source);
    }
    for source in [
        "void main() { gl_FragData[2147483647] = vec4(0.0); }",
        "uniform int i; void main() { gl_FragData[i] = vec4(0.0); gl_FragData[-1] = vec4(0.0); }",
        "#version 330\nstruct S { sampler2D a; }; S f(S s) { return s; } uniform S s; out vec4 o; void main() { o = texture(f(s).a, vec2(0.0)); }",
        "#version 330\nuniform sampler2D a; out vec4 o; void main() { sampler2D b = a; o = texture(b, vec2(0.0)); }",
        "#version 420\nlayout(binding = 4294967295) uniform sampler2D a[2]; out vec4 o; void main() { o = texture(a[1], vec2(0.0)); }",
        "#version 330\nlayout(location = 2147483647) out vec4 a[2]; void main() { a[1] = vec4(0.0); }",
    ] {
        survive(Stage::Fragment, source.into());
    }
}
