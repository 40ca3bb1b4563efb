//! `noperspective` for drivers without GL_NV_shader_noperspective_interpolation: the last stage before rasterization multiplies by
//! w, fragments divide again. It must not touch a program whose driver has the qualifier.

use pipe::program::Stage;
use std::fmt::Write;

const QUALIFIER: &str = "noperspective ";
const EXTENSION: &str = "#extension GL_NV_shader_noperspective_interpolation : require\n";
/// Multiplies what the vertex hands on; its main calls it last, a geometry stage before each vertex.
const SCALE: &str = "mobilegl_scale";

/// Where a stage stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Its outputs are not rasterized.
    Before,
    /// The last one before rasterization.
    Last,
    Fragment,
}

impl Place {
    /// Of `stage`, where `last` is the last vertex processing stage of its program.
    pub fn of(stage: Stage, last: Option<Stage>) -> Self {
        match stage {
            Stage::Fragment => Place::Fragment,
            _ if Some(stage) == last => Place::Last,
            _ => Place::Before,
        }
    }
}

/// Something declared with the qualifier.
struct Varying<'a> {
    /// `highp vec2`
    ty: &'a str,
    name: &'a str,
    /// `[2][3]`, or nothing.
    dims: &'a str,
    /// The instance of the block that it is a member of.
    block: Option<&'a str>,
}

/// `text` without the qualifier, and with the same interpolation. `captured` are names that transform feedback records.
///
/// # Errors
/// By name, what cannot be emulated: structures, and captured varyings.
pub fn emulate(
    text: &str,
    place: Place,
    geometry: bool,
    captured: &[&str],
) -> Result<String, String> {
    if !text.contains(QUALIFIER) {
        return Ok(text.to_owned());
    }
    let direction = match place {
        Place::Fragment => " in ",
        Place::Last | Place::Before => " out ",
    };
    let found = varyings(text, direction);
    let mut out = text.replace(EXTENSION, "").replace(QUALIFIER, "");
    if place == Place::Before || found.is_empty() {
        return Ok(out);
    }
    for v in &found {
        let scalar = v.ty.rsplit(' ').next().unwrap_or(v.ty);
        if !["float", "vec", "mat"]
            .iter()
            .any(|t| scalar.starts_with(t))
        {
            return Err(format!(
                "`{}': noperspective structures need GL_NV_shader_noperspective_interpolation",
                v.name
            ));
        }
        let parts = |name: &str| name.split(['.', '[']).any(|part| part == v.name);
        if captured.iter().any(|name| parts(name)) {
            return Err(format!(
                "`{}': captured noperspective outputs need GL_NV_shader_noperspective_interpolation",
                v.name
            ));
        }
    }
    if place == Place::Last {
        let mut body = String::new();
        for v in &found {
            each_element(v, &mut body, |name| {
                format!("{name} = {name} * gl_Position.w;")
            });
        }
        let head = out.find("\n\n").map_or(out.len(), |at| at + 1);
        out.insert_str(head, &format!("void {SCALE}();\n"));
        if geometry {
            out = out.replace("EmitVertex();", &format!("{SCALE}(); EmitVertex();"));
        } else {
            out = out.replacen("void main()", "void mobilegl_perspective_main()", 1);
            out +=
                &format!("void main()\n{{\n    mobilegl_perspective_main();\n    {SCALE}();\n}}\n");
        }
        out += &format!("void {SCALE}()\n{{\n{body}}}\n");
        return Ok(out);
    }
    let mut body = String::new();
    for v in &found {
        match v.block {
            Some(block) => out = divided(&out, &format!("{block}.{}", v.name), v.dims),
            None => {
                let from = format!("{} {}{};", v.ty, v.name, v.dims);
                let to = format!("{} mobilegl_in_{}{};\n{from}", v.ty, v.name, v.dims);
                out = out.replacen(&from, &to, 1);
                each_element(v, &mut body, |name| {
                    format!("{name} = mobilegl_in_{name} * gl_FragCoord.w;")
                });
            }
        }
    }
    out = out.replacen("void main()", "void mobilegl_perspective_main()", 1);
    out += &format!("void main()\n{{\n{body}    mobilegl_perspective_main();\n}}\n");
    Ok(out)
}

/// A statement per element of an array.
fn each_element(v: &Varying, body: &mut String, statement: impl Fn(&str) -> String) {
    let lens: Vec<usize> = v
        .dims
        .split(['[', ']'])
        .filter_map(|n| n.parse().ok())
        .collect();
    let mut names = vec![match v.block {
        Some(block) => format!("{block}.{}", v.name),
        None => v.name.to_owned(),
    }];
    for len in lens {
        names = names
            .iter()
            .flat_map(|name| (0..len).map(move |i| format!("{name}[{i}]")))
            .collect();
    }
    for name in names {
        let _ = writeln!(body, "    {}", statement(&name));
    }
}

/// What the text declares with the qualifier, in one direction.
fn varyings<'a>(text: &'a str, direction: &str) -> Vec<Varying<'a>> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("layout(") || !line.contains(direction) {
            continue;
        }
        if line.ends_with(';') {
            if line.contains(QUALIFIER)
                && let Some((_, declared)) = line.split_once(direction)
            {
                found.extend(varying(declared, None));
            }
            continue;
        }
        let from = found.len();
        for member in lines.by_ref() {
            if let Some(end) = member.strip_prefix('}') {
                let instance = end.trim().trim_end_matches(';');
                found[from..]
                    .iter_mut()
                    .for_each(|v: &mut Varying| v.block = Some(instance));
                break;
            }
            if let Some((_, declared)) = member.split_once(QUALIFIER) {
                let declared = declared.trim_start_matches("centroid ");
                found.extend(varying(declared, Some("")));
            }
        }
    }
    found
}

/// `highp vec2 name[2];`
fn varying<'a>(declared: &'a str, block: Option<&'a str>) -> Option<Varying<'a>> {
    let (ty, rest) = declared.strip_suffix(';')?.rsplit_once(' ')?;
    let at = rest.find('[').unwrap_or(rest.len());
    Some(Varying {
        ty,
        name: &rest[..at],
        dims: &rest[at..],
        block,
    })
}

/// Every use of `what`, with as many indices as it has dimensions, divided again.
fn divided(text: &str, what: &str, dims: &str) -> String {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(what) {
        let end = at + what.len();
        let whole = !rest[..at].ends_with(part) && !rest[end..].starts_with(part);
        let mut stop = end;
        if whole {
            for _ in 0..dims.matches('[').count() {
                let mut level = 0usize;
                for (i, c) in rest[stop..].char_indices() {
                    match c {
                        '[' => level += 1,
                        ']' => level = level.saturating_sub(1),
                        _ => {}
                    }
                    if level == 0 {
                        stop += i + usize::from(c == ']');
                        break;
                    }
                }
            }
            out += &rest[..at];
            let _ = write!(out, "({} * gl_FragCoord.w)", &rest[at..stop]);
        } else {
            out += &rest[..end];
        }
        rest = &rest[stop..];
    }
    out + rest
}
