//! The one rule that turns a GL name into a Rust function or parameter name. It knows no list of words.
//!
//! Applied to the command's name without `gl`:
//!
//! 1. A vendor suffix (`ARB`, `EXT`, `KHR` ...) is a word of its own.
//! 2. A capital letter after a lower-case one starts a word, and so does the last capital of a run that a lower-case
//!    letter follows (`IPointer` is `i_pointer`, `2DMultisample` is `2d_multisample`). A capital after a digit belongs
//!    to the digit (`2D` is `2d`, `4Nub` is `4nub`).
//! 3. A digit after a lower-case letter starts a word (`Uniform4fv` is `uniform_4fv`), except the width 64 and
//!    the second digit of `4x3`.
//! 4. The 64-bit type suffixes `i64` and `ui64` start a word after a lower-case letter (`Objectui64v` is
//!    `object_ui64v`). No other type suffix is split: `TexParameteriv` is `tex_parameteriv`,
//!    `Enablei` is `enablei`, `GetIntegeri_v` is `get_integeri_v`.

/// Vendor suffixes of the registry's command names.
const VENDORS: &[&str] = &[
    "ARB", "EXT", "KHR", "OES", "NV", "NVX", "AMD", "ATI", "APPLE", "INTEL", "MESA", "SGIS",
    "SGIX", "SGI", "SUN", "IBM", "HP", "PGI", "INGR", "3DFX", "OVR", "QCOM", "IMG", "GREMEDY",
    "WIN",
];

/// The style guide's stem of a GL command: `glTexSubImage2D` is `tex_sub_image_2d`.
pub fn snake(command: &str) -> String {
    let name = command.strip_prefix("gl").unwrap_or(command);
    let vendor = VENDORS
        .iter()
        .filter(|v| name.len() > v.len() && name.ends_with(**v))
        .max_by_key(|v| v.len());
    match vendor {
        Some(v) => format!(
            "{}_{}",
            words(&name[..name.len() - v.len()]),
            v.to_ascii_lowercase()
        ),
        None => words(name),
    }
}

/// A parameter's name in Rust: rules 1 and 2 alone (`x1` stays `x1`), keywords with a trailing `_`.
pub fn param(name: &str) -> String {
    let snake = split(name, |_, _| false);
    match snake.as_str() {
        "type" | "ref" | "in" | "mod" | "match" | "loop" | "box" | "final" | "fn" | "where"
        | "use" => snake + "_",
        _ => snake,
    }
}

fn words(name: &str) -> String {
    split(name, |before, rest| {
        let after_letter = before.ends_with(|c: char| c.is_ascii_lowercase());
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            let dimensions = before
                .strip_suffix('x')
                .is_some_and(|b| b.ends_with(|c: char| c.is_ascii_digit()));
            after_letter && !dimensions && !rest.starts_with("64")
        } else {
            after_letter
                && ((rest.starts_with("i64") && !before.ends_with('u')) || rest.starts_with("ui64"))
        }
    })
}

/// Splits before capitals by rule 2 and elsewhere where `other(before, rest)` says so.
fn split(name: &str, other: impl Fn(&str, &str) -> bool) -> String {
    assert!(name.is_ascii(), "the registry's names are ASCII: {name:?}");
    let mut out = String::with_capacity(name.len() + 8);
    let mut prev = '_';
    for (i, here) in name.char_indices() {
        let next = name[i + 1..].chars().next().unwrap_or('_');
        let starts_word = if here.is_ascii_uppercase() {
            prev.is_ascii_lowercase() || (prev.is_ascii_uppercase() && next.is_ascii_lowercase())
        } else {
            other(&name[..i], &name[i..])
        };
        if starts_word {
            out.push('_');
        }
        out.push(here.to_ascii_lowercase());
        prev = here;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{param, snake};

    #[test]
    fn snake_of_gl_names_follows_the_written_rule() {
        for (gl, rust) in [
            ("glTexSubImage2D", "tex_sub_image_2d"),
            ("glTexImage2DMultisample", "tex_image_2d_multisample"),
            ("glUniform4fv", "uniform_4fv"),
            ("glUniformMatrix4fv", "uniform_matrix_4fv"),
            ("glUniformMatrix4x3fv", "uniform_matrix_4x3fv"),
            ("glVertexAttribI4ui", "vertex_attrib_i4ui"),
            ("glVertexAttrib4Nub", "vertex_attrib_4nub"),
            ("glVertexAttribP1uiv", "vertex_attrib_p1uiv"),
            ("glVertexAttribIPointer", "vertex_attrib_i_pointer"),
            ("glVertexAttribLFormat", "vertex_attrib_l_format"),
            ("glGetVertexAttribIiv", "get_vertex_attrib_iiv"),
            ("glGetQueryObjectui64v", "get_query_object_ui64v"),
            ("glGetQueryBufferObjecti64v", "get_query_buffer_object_i64v"),
            ("glGetQueryObjectuiv", "get_query_objectuiv"),
            ("glGetIntegeri_v", "get_integeri_v"),
            ("glGetInteger64v", "get_integer64v"),
            ("glGetInteger64i_v", "get_integer64i_v"),
            (
                "glGetTransformFeedbacki64_v",
                "get_transform_feedback_i64_v",
            ),
            ("glTexParameterIuiv", "tex_parameter_iuiv"),
            ("glTexParameteriv", "tex_parameteriv"),
            ("glEnablei", "enablei"),
            ("glDrawArraysInstanced", "draw_arrays_instanced"),
            ("glReadnPixels", "readn_pixels"),
            ("glMap1d", "map_1d"),
            ("glEnd", "end"),
            ("glUniform2i64ARB", "uniform_2i64_arb"),
            ("glBindFramebufferEXT", "bind_framebuffer_ext"),
            ("glTexImage3DEXT", "tex_image_3d_ext"),
        ] {
            assert_eq!(snake(gl), rust, "{gl}");
        }
    }

    #[test]
    fn parameter_names_avoid_keywords() {
        assert_eq!(param("type"), "type_");
        assert_eq!(param("ref"), "ref_");
        assert_eq!(param("bufSize"), "buf_size");
        assert_eq!(param("srcX0"), "src_x0");
    }
}
