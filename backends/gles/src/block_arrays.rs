//! Arrays of input and output blocks: drivers refuse locations on them, so that they match by name. It must not touch other blocks.

use pipe::program::Stage;

/// `text` in which arrays of blocks have no location (ES 3.2 shading language §4.4.2: a location speaks of one block).
pub fn without_locations(stage: Stage, text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    for (i, line) in lines.iter().enumerate() {
        let header = (line.starts_with("layout(location = ") && !line.ends_with(';'))
            .then(|| line.split_once(") "))
            .flatten();
        let line = match header {
            Some((_, rest)) if dimensions(&lines[i..]) > over_vertices(stage, rest) => rest,
            Some(_) | None => line,
        };
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Of the instance behind the block that begins here.
fn dimensions(lines: &[&str]) -> usize {
    let instance = lines.iter().find(|line| line.starts_with('}'));
    instance.map_or(0, |line| line.matches('[').count())
}

/// Dimensions that stand for the vertices of a primitive: those do not make an array of blocks.
fn over_vertices(stage: Stage, header: &str) -> usize {
    let input = header.split(' ').any(|word| word == "in");
    let arrayed = match stage {
        Stage::Geometry | Stage::TessEval => input,
        Stage::TessControl => true,
        Stage::Vertex | Stage::Fragment | Stage::Compute => false,
    };
    usize::from(arrayed)
}
