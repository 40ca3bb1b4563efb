//! Clip and cull distances of `gl_in` by variable index or as a whole: the translator gives them no size, ES wants one for that, and
//! a block redeclared here would have to match the driver's own. It must not touch a stage that reads neither.

use pipe::program::spirv::instructions;

const OP_TYPE_ARRAY: u32 = 28;
const OP_TYPE_POINTER: u32 = 32;
const OP_CONSTANT: u32 = 43;
const OP_MEMBER_DECORATE: u32 = 72;
const OP_TYPE_STRUCT: u32 = 30;
const STORAGE_INPUT: u32 = 1;
const DECORATION_BUILT_IN: u32 = 11;
const BUILT_IN_CLIP_DISTANCE: u32 = 3;
const BUILT_IN_CULL_DISTANCE: u32 = 4;

/// The length of the array that is member `built_in` of the input block.
fn length(words: &[u32], built_in: u32) -> Option<u32> {
    let find = |wanted: u32, id: u32| {
        instructions(words)
            .find(|(code, w)| *code == wanted && w.get(1) == Some(&id))
            .map(|(_, w)| w)
    };
    let inputs = instructions(words)
        .filter(|(code, w)| *code == OP_TYPE_POINTER && w.get(2) == Some(&STORAGE_INPUT))
        .filter_map(|(_, w)| find(OP_TYPE_ARRAY, w[3]));
    let blocks: Vec<u32> = inputs.map(|array| array[2]).collect();
    let (block, member) = instructions(words).find_map(|(code, w)| {
        let this = code == OP_MEMBER_DECORATE
            && w.len() == 5
            && w[3] == DECORATION_BUILT_IN
            && w[4] == built_in
            && blocks.contains(&w[1]);
        this.then(|| (w[1], w[2] as usize))
    })?;
    let array = find(
        OP_TYPE_ARRAY,
        *find(OP_TYPE_STRUCT, block)?.get(2 + member)?,
    )?;
    instructions(words)
        .find_map(|(code, w)| (code == OP_CONSTANT && w[2] == array[3]).then(|| w[3]))
}

/// The index after the bracket that closes the one before `from`.
fn closing(text: &str, from: usize) -> Option<usize> {
    let mut level = 1usize;
    for (at, c) in text[from..].char_indices() {
        match c {
            '[' => level += 1,
            ']' => level -= 1,
            _ => {}
        }
        if level == 0 {
            return Some(from + at + 1);
        }
    }
    None
}

/// `text` in which functions read the distances of `gl_in` that have a variable index or none: their own indices are constants.
pub fn sized(words: &[u32], mut text: String) -> String {
    const VERTEX: &str = "gl_in[";
    for (member, built_in, helper) in [
        ("gl_ClipDistance", BUILT_IN_CLIP_DISTANCE, "mobilegl_clip"),
        ("gl_CullDistance", BUILT_IN_CULL_DISTANCE, "mobilegl_cull"),
    ] {
        let mut from = 0;
        let (mut calls, mut whole) = (false, false);
        while let Some(at) = text[from..].find(VERTEX).map(|at| from + at) {
            from = at + VERTEX.len();
            let access = format!(".{member}[");
            let Some(vertex_end) = closing(&text, from) else {
                break;
            };
            if !text[vertex_end..].starts_with(&access) {
                let end = vertex_end + access.len() - 1;
                let next = text[end.min(text.len())..].bytes().next();
                let is_whole = text[vertex_end..].starts_with(&access[..access.len() - 1])
                    && !next.is_some_and(|c| c.is_ascii_alphanumeric() || c == b'_');
                if is_whole {
                    let call = format!("{helper}s({})", &text[from..vertex_end - 1]);
                    text.replace_range(at..end, &call);
                    whole = true;
                    from = at + helper.len();
                }
                continue;
            }
            let index = vertex_end + access.len();
            let Some(end) = closing(&text, index) else {
                break;
            };
            if text[index..end - 1].bytes().all(|b| b.is_ascii_digit()) {
                continue;
            }
            let call = format!(
                "{helper}({}, {})",
                &text[from..vertex_end - 1],
                &text[index..end - 1]
            );
            text.replace_range(at..end, &call);
            calls = true;
            from = at + helper.len();
        }
        // Behind the layout, which says how many vertices there are.
        let behind = text.find(") in;\n").map(|at| at + ") in;\n".len());
        let Some((n, at)) = length(words, built_in).zip(behind) else {
            continue;
        };
        let mut functions = String::new();
        if calls {
            let mut body = String::new();
            for i in 0..n {
                body += &format!("    if (i == {i}) return gl_in[v].{member}[{i}];\n");
            }
            functions +=
                &format!("float {helper}(int v, int i)\n{{\n{body}    return 0.0;\n}}\n\n");
        }
        if whole {
            let list: Vec<String> = (0..n).map(|i| format!("gl_in[v].{member}[{i}]")).collect();
            functions += &format!(
                "float[{n}] {helper}s(int v)\n{{\n    return float[{n}]({});\n}}\n\n",
                list.join(", ")
            );
        }
        text.insert_str(at, &functions);
    }
    text
}
