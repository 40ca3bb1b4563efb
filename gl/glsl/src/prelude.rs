//! What rewritten shaders lean on: helper functions, stand-ins of built-ins, and what runs after the shader's own `main`.
//! It must not declare what a shader does not use: an unused declaration would show in the SPIR-V.

use pipe::program::{
    SPEC_DEPTH_ZERO_TO_ONE, SPEC_POINT_COORD_FLIP, SPEC_POINT_SIZE, SPEC_POINT_SIZE_FIXED, Stage,
};

use crate::scan::{FragCoord, Scan};
use crate::words;

/// Colour numbers of `gl_FragData`.
pub const MAX_DRAW_BUFFERS: u32 = 8;

/// Members of the default block that hold GL state ([`pipe::program::StateMembers`]).
pub const STATE_FRAG_COORD_HEIGHT: &str = "mg_FragCoordHeight";
pub const STATE_DEPTH_RANGE: &str = "mg_DepthRange";

/// What the tokens use of the things that need a helper.
#[derive(Default)]
pub struct Uses {
    /// Ends the names of helper functions in a unit without `main`: two units of one stage may need the same helper.
    pub suffix: String,
    pub instance_id: bool,
    /// Functions that pass on to built-ins.
    pub forwards: String,
    pub point_coord: bool,
    pub frag_coord: FragCoord,
    pub depth_range: bool,
    pub frag_color: bool,
    pub frag_data: bool,
    pub frag_data_max: u32,
    pub frag_data_dynamic: bool,
    pub position: bool,
    pub point_size: bool,
    /// A geometry stage's vertices are points.
    pub emits_points: bool,
    pub shadows: Vec<&'static words::Shadow>,
    pub noise: bool,
}

/// Declarations before the shader's own text.
pub fn prelude(stage: Stage, uses: &Uses, scan: &Scan, text: &mut String) {
    let suffix = &uses.suffix;
    let mut add = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    let spec = |id: u32, ty: &str, name: &str, value: &str| {
        format!("layout(constant_id = {id}) const {ty} {name} = {value};")
    };
    let point_size = |add: &mut dyn FnMut(&str)| {
        add(&spec(SPEC_POINT_SIZE, "float", "mg_point_size", "1.0"));
        if uses.point_size {
            add(&spec(
                SPEC_POINT_SIZE_FIXED,
                "bool",
                "mg_point_size_fixed",
                "false",
            ));
        }
    };
    match stage {
        Stage::Vertex | Stage::TessEval => {
            if scan.has_main && uses.position {
                add(&spec(
                    SPEC_DEPTH_ZERO_TO_ONE,
                    "bool",
                    "mg_depth_zero_to_one",
                    "false",
                ));
            }
            if scan.has_main && stage == Stage::Vertex && !scan.no_point_size {
                point_size(&mut add);
            }
        }
        Stage::Geometry => {
            if uses.position {
                add(&spec(
                    SPEC_DEPTH_ZERO_TO_ONE,
                    "bool",
                    "mg_depth_zero_to_one",
                    "false",
                ));
            }
            if uses.emits_points {
                point_size(&mut add);
            }
        }
        Stage::TessControl | Stage::Fragment | Stage::Compute => {}
    }
    add(&uses.forwards);
    if uses.instance_id {
        add(&format!(
            "int mg_instance_id{suffix}() {{ return gl_InstanceIndex - gl_BaseInstance; }}"
        ));
    }
    if uses.point_coord {
        add(&spec(
            SPEC_POINT_COORD_FLIP,
            "bool",
            "mg_point_coord_flip",
            "false",
        ));
        add(&format!(
            "vec2 mg_point_coord{suffix}() {{ return mg_point_coord_flip ? vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y) : gl_PointCoord; }}"
        ));
    }
    let FragCoord {
        upper_left,
        integer,
    } = uses.frag_coord;
    if upper_left || integer {
        if upper_left {
            add(&format!("uniform float {STATE_FRAG_COORD_HEIGHT};"));
        }
        let y = if upper_left {
            format!("{STATE_FRAG_COORD_HEIGHT} - gl_FragCoord.y")
        } else {
            "gl_FragCoord.y".to_owned()
        };
        let center = if integer { " - vec2(0.5)" } else { "" };
        add(&format!(
            "vec4 mg_frag_coord{suffix}() {{ return vec4(vec2(gl_FragCoord.x, {y}){center}, gl_FragCoord.zw); }}"
        ));
    }
    if uses.depth_range {
        add(&format!(
            "struct mg_DepthRangeParameters {{ float near; float far; float diff; }}; uniform mg_DepthRangeParameters {STATE_DEPTH_RANGE};"
        ));
    }
    if uses.frag_color {
        add("layout(location = 0) out vec4 mg_FragColor;");
    }
    if uses.frag_data {
        let n = if uses.frag_data_dynamic {
            MAX_DRAW_BUFFERS
        } else {
            uses.frag_data_max + 1
        };
        add(&format!("layout(location = 0) out vec4 mg_FragData[{n}];"));
    }
    if uses.noise {
        // GLSL 4.60 §8.14: the noise functions "have been deprecated"; drivers return zero.
        for ty in ["float", "vec2", "vec3", "vec4"] {
            add(&format!(
                "float mg_noise1{suffix}({ty} x) {{ return 0.0; }}"
            ));
            for n in 2..=4 {
                add(&format!(
                    "vec{n} mg_noise{n}{suffix}({ty} x) {{ return vec{n}(0.0); }}"
                ));
            }
        }
    }
    for s in &uses.shadows {
        // GLSL 1.20 §8.7: the result is a vec4; with the default depth texture mode it is (r, r, r, 1).
        let body = |args: &str| format!("{{ return vec4(vec3({}({args})), 1.0); }}", s.modern);
        match s.extra {
            None => {
                add(&format!(
                    "vec4 mg_{}{suffix}({} s, {} c) {}",
                    s.name,
                    s.sampler,
                    s.coord,
                    body("s, c")
                ));
                let levels = s.name != "shadow2DArray" && !s.name.starts_with("shadow2DRect");
                if stage == Stage::Fragment && levels {
                    add(&format!(
                        "vec4 mg_{}{suffix}({} s, {} c, float b) {}",
                        s.name,
                        s.sampler,
                        s.coord,
                        body("s, c, b")
                    ));
                }
            }
            Some(extra) => {
                let (mut parameters, mut args) = (String::new(), String::from("s, c"));
                for (ty, name) in extra.split(", ").zip(["l", "m"]) {
                    parameters += &format!(", {ty} {name}");
                    args += &format!(", {name}");
                }
                add(&format!(
                    "vec4 mg_{}{suffix}({} s, {} c{parameters}) {}",
                    s.name,
                    s.sampler,
                    s.coord,
                    body(&args)
                ));
            }
        }
    }
}

/// Clip-space depth from `[-w, w]` to `[0, w]`.
pub const REMAP: &str =
    "if (mg_depth_zero_to_one) gl_Position.z = (gl_Position.z + gl_Position.w) * 0.5; ";

/// The size of a point whose shader writes none.
pub const SIZE: &str = "gl_PointSize = mg_point_size; ";
/// The size of a point where the state's counts, whatever the shader wrote.
pub const SIZE_OF_STATE: &str = "if (mg_point_size_fixed) gl_PointSize = mg_point_size; ";

/// Wraps the shader's own `main`.
pub fn epilogue(stage: Stage, uses: &Uses, scan: &Scan, text: &mut String) {
    text.push('\n');
    if !scan.has_main || !wraps_main(stage) {
        return;
    }
    text.push_str("void main() { mg_main(); ");
    if matches!(stage, Stage::Vertex | Stage::TessEval) && uses.position {
        text.push_str(REMAP);
    }
    if stage == Stage::Vertex && !scan.no_point_size {
        text.push_str(if uses.point_size { SIZE_OF_STATE } else { SIZE });
    }
    text.push_str("}\n");
}

/// Stages whose `main` we wrap.
pub fn wraps_main(stage: Stage) -> bool {
    matches!(stage, Stage::Vertex | Stage::TessEval)
}
