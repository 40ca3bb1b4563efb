//! The size of points behind geometry and tessellation stages, which ES has by extension. It must not touch other stages.

use crate::features::Features;
use pipe::program::Stage;

/// `text` of a later vertex stage with the extension that it needs to speak of the size; without one it is 1 (ES 3.2 §13.3).
pub fn available(f: &Features, stage: Stage, text: String) -> String {
    const WORD: &str = "gl_PointSize";
    let (extension, has) = match stage {
        Stage::Geometry => ("geometry_point_size", f.geometry_point_size),
        Stage::TessControl | Stage::TessEval => {
            ("tessellation_point_size", f.tessellation_point_size)
        }
        Stage::Vertex | Stage::Fragment | Stage::Compute => return text,
    };
    if !text.contains(WORD) {
        return text;
    }
    let (version, body) = text.split_once('\n').unwrap_or((&text, ""));
    if has {
        // Drivers have one name or the other.
        return format!(
            "{version}\n#extension GL_EXT_{extension} : enable\n#extension GL_OES_{extension} : enable\n{body}"
        );
    }
    let body = one_for_size(body).replace(WORD, "mobilegl_lost_size");
    format!("{version}\n{body}").replacen("\n\n", "\n\nhighp float mobilegl_lost_size;\n", 1)
}

/// `gl_in[i].gl_PointSize` becomes 1.
fn one_for_size(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("gl_in[") {
        let index = at + "gl_in[".len();
        let mut level = 1usize;
        let end = rest[index..].find(|c| {
            match c {
                '[' => level += 1,
                ']' => level -= 1,
                _ => {}
            }
            level == 0
        });
        let end = end.map_or(rest.len(), |end| index + end + 1);
        match rest[end..].strip_prefix(".gl_PointSize") {
            Some(after) => {
                out += &rest[..at];
                out += "1.0";
                rest = after;
            }
            None => {
                out += &rest[..end];
                rest = &rest[end..];
            }
        }
    }
    out + rest
}
