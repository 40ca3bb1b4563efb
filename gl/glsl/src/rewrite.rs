//! Old desktop GLSL to the dialect that the compiler takes: one token at a time, positions kept.
//! It must not change what a conforming shader computes; what cannot be kept is refused by name.

use std::hash::{Hash as _, Hasher as _};
use std::rc::Rc;

use pipe::program::{ProgramFlags, Stage};
use rustc_hash::FxHashSet;

use crate::constants;
use crate::emit::emit;
use crate::expression::integer;
use crate::extensions;
use crate::lex::{Kind, Token};
use crate::log::Log;
use crate::overrides::Overrides;
use crate::prelude::{
    MAX_DRAW_BUFFERS, REMAP, SIZE, SIZE_OF_STATE, STATE_DEPTH_RANGE, Uses, epilogue, prelude,
    wraps_main,
};
use crate::preprocess::Preprocessed;
use crate::scan::{self, FragCoord, Scan};
use crate::words::{self, RENAMED};

/// A shader ready for the compiler.
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    pub text: String,
    /// Text that yields the initial values of uniforms; empty where there are none.
    pub initialisers: String,
    pub scan: Scan,
    pub flags: ProgramFlags,
    /// GLSL version of the source.
    pub version: u32,
}

/// Rewrites one preprocessed shader.
pub fn rewrite(stage: Stage, input: Preprocessed, log: &mut Log) -> Rewritten {
    let Preprocessed {
        mut tokens,
        version,
        extensions: used,
        ..
    } = input;
    for t in &tokens {
        if t.kind == Kind::Stray {
            log.error(t, &format!("illegal character `{}'", t.text));
        }
    }
    let mut flags = ProgramFlags::default();
    // Everything up to 4.10 is compiled as 4.10, everything newer as 4.60: two sets of built-in tables, not twelve. The
    // compiler knows the base instance only from 4.40 on.
    const DRAW_PARAMETERS: [&str; 8] = [
        "gl_InstanceID",
        "gl_InstanceIDARB",
        "gl_BaseVertex",
        "gl_BaseVertexARB",
        "gl_BaseInstance",
        "gl_BaseInstanceARB",
        "gl_DrawID",
        "gl_DrawIDARB",
    ];
    let new = version > 410
        || used.iter().any(|e| e.core_since > 410)
        || tokens.iter().any(|t| DRAW_PARAMETERS.contains(&&*t.text));
    let target = if new { 460 } else { 410 };
    let own = defined_functions(&tokens);
    constants::fold(&mut tokens, |name| own.contains(name));
    let mut uses = words_pass(stage, version, &used, &mut tokens, &mut flags, log);
    let rules = scan::Rules {
        version,
        extensions: &used,
    };
    let scan = scan::scan(stage, rules, &mut tokens, log);
    uses.frag_coord = scan.frag_coord.unwrap_or_default();
    if uses.frag_coord != FragCoord::default() {
        let call: Rc<str> = format!("mg_frag_coord{}()", uses.suffix).into();
        for t in tokens.iter_mut().filter(|t| t.is("gl_FragCoord")) {
            t.text = call.clone();
        }
    }
    flags.early_fragment_tests = scan.early_fragment_tests;
    flags.sample_shading |= scan.sample_in;

    let mut text = format!("#version {target} core\n");
    prelude(stage, &uses, &scan, &mut text);
    let body = emit(&tokens);
    let initialised: Vec<_> = scan
        .variables(scan::Storage::Uniform)
        .filter(|v| v.has_initialiser)
        .collect();
    let initialisers = if initialised.is_empty() {
        String::new()
    } else {
        format!(
            "#version {target} core\n{}void main() {{}}\n",
            scan.initialisers
        )
    };
    text.push_str(&body);
    epilogue(stage, &uses, &scan, &mut text);
    Rewritten {
        text,
        initialisers,
        scan,
        flags,
        version,
    }
}

/// Renames, modernises or refuses each word on its own.
fn words_pass(
    stage: Stage,
    version: u32,
    used: &[&'static extensions::Extension],
    tokens: &mut Vec<Token>,
    flags: &mut ProgramFlags,
    log: &mut Log,
) -> Uses {
    let mut uses = Uses {
        suffix: unit_suffix(tokens),
        ..Uses::default()
    };
    let mut layout_end = 0;
    let mut level = 0u32;
    let emission = Emission::of(stage, tokens);
    uses.emits_points = emission.points;
    let defined = defined_functions(tokens);
    let overrides = Overrides::find(tokens);
    overrides.forwards(RENAMED, &mut uses.forwards);
    let mut refused: FxHashSet<String> = FxHashSet::default();
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + 16);
    let mut i = 0;
    while i < tokens.len() {
        let t = &tokens[i];
        let next_is = |text: &str| tokens.get(i + 1).is_some_and(|n| n.is(text));
        let Some(word) = t.ident() else {
            level = match &*t.text {
                "{" => level + 1,
                "}" => level.saturating_sub(1),
                _ => level,
            };
            out.push(t.clone());
            i += 1;
            continue;
        };
        if matches!(word, "attribute" | "varying") && !(i > 0 && tokens[i - 1].is(".")) {
            // GLSL 1.50 §4.3.7: "the deprecated attribute and varying qualifiers are not allowed" in blocks; and no layout speaks of
            // them (ARB_explicit_attrib_location, changes to §4.3.8).
            if level > 0 {
                log.error(t, &format!("`{word}' is only allowed at global scope"));
            } else if layout_end == i && i > 0 {
                log.error(t, &format!("`{word}' takes no layout qualifier"));
            }
        }
        let field = i > 0 && tokens[i - 1].is(".");
        let call = next_is("(");
        let renamed = |name: &str| Token::made(Kind::Ident, name, t);
        if extensions::lacks(used, word) {
            out.push(t.clone());
            i += 1;
            continue;
        }
        if word.starts_with("gl_") && !field {
            i += 1 + built_in(
                stage,
                tokens,
                i,
                &mut out,
                &mut uses,
                flags,
                &mut refused,
                log,
            );
            continue;
        }
        if word == "layout" && call {
            layout_end = closing(tokens, i + 1);
        }
        match word {
            // Identifiers of layout qualifiers are no names: `shared` is one long before it is a keyword.
            _ if i < layout_end => out.push(t.clone()),
            // GLSL 4.60 §4.7: precision qualifiers "have no semantic meaning" on the desktop.
            "precision"
                if matches!(
                    tokens.get(i + 1).map(|n| &*n.text),
                    Some("highp" | "mediump" | "lowp")
                ) =>
            {
                while i < tokens.len() && !tokens[i].is(";") {
                    i += 1;
                }
            }
            "highp" | "mediump" | "lowp"
                if tokens.get(i + 1).is_some_and(|n| n.kind == Kind::Ident) => {}
            "attribute" if !field => out.push(renamed("in")),
            "varying" if !field => out.push(renamed(if stage == Stage::Fragment {
                "in"
            } else {
                "out"
            })),
            // Only where something follows it; barriers of a control stage must stay in `main`.
            "main" if call && wraps_main(stage) => out.push(renamed("mg_main")),
            "ftransform" if call && !defined.contains(word) => {
                log.error(t, "no function with name `ftransform' (compatibility built-ins are not supported)");
                out.push(t.clone());
            }
            "discard" => {
                flags.discards = true;
                out.push(t.clone());
            }
            "EmitVertex" | "EmitStreamVertex" if call && (emission.position || emission.points) => {
                i += emit_vertex(tokens, i, emission, &mut out);
                continue;
            }
            "noise1" | "noise2" | "noise3" | "noise4" if call && !defined.contains(word) => {
                uses.noise = true;
                out.push(renamed(&format!("mg_{word}{}", uses.suffix)));
            }
            _ => {
                let user_function = defined.contains(word);
                let shadow =
                    words::shadow_function(word).filter(|_| call && !user_function && !field);
                let modern =
                    words::texture_function(word).filter(|_| call && !user_function && !field);
                if let Some(shadow) = shadow {
                    if !uses.shadows.iter().any(|s| s.name == shadow.name) {
                        uses.shadows.push(shadow);
                    }
                    out.push(renamed(&format!("mg_{}{}", shadow.name, uses.suffix)));
                } else if let Some(modern) = modern {
                    out.push(renamed(modern));
                } else if must_rename(word, version, used, call, user_function)
                    || call && !field && overrides.applies(word, i)
                {
                    out.push(renamed(&format!("{RENAMED}{word}")));
                } else {
                    out.push(t.clone());
                }
            }
        }
        i += 1;
    }
    *tokens = out;
    uses
}

fn unit_suffix(tokens: &[Token]) -> String {
    if tokens.windows(2).any(|w| w[0].is("main") && w[1].is("(")) {
        return String::new();
    }
    let mut hasher = rustc_hash::FxHasher::default();
    tokens.iter().for_each(|t| t.text.hash(&mut hasher));
    format!("_{:x}", hasher.finish())
}

/// The index after the parenthesis that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut level = 0usize;
    for (i, t) in tokens.iter().enumerate().skip(open) {
        match &*t.text {
            "(" => level += 1,
            ")" => {
                level = level.saturating_sub(1);
                if level == 0 {
                    return i + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// Whether this word is a name of the shader's own that means something else to the compiler.
fn must_rename(
    word: &str,
    version: u32,
    used: &[&'static extensions::Extension],
    call: bool,
    user_function: bool,
) -> bool {
    if word.starts_with("mg_") || word.starts_with(RENAMED) {
        return true;
    }
    if let Some(since) = words::keyword_since(word) {
        return version < since && !extensions::brings(used, word);
    }
    // Calls of the old texture functions become calls of `texture`: a variable of that name must step aside.
    if word == "texture" && !call {
        return true;
    }
    match words::function_since(word) {
        Some(since) => user_function && version < since,
        None => false,
    }
}

/// Names that the shader defines as functions: `type name (` at global scope.
fn defined_functions(tokens: &[Token]) -> FxHashSet<String> {
    let mut level = 0i32;
    let mut out = FxHashSet::default();
    for (i, t) in tokens.iter().enumerate() {
        match &*t.text {
            "{" => level += 1,
            "}" => level -= 1,
            "(" if level == 0 && i >= 2 => {
                let typed = tokens[i - 2].kind == Kind::Ident || tokens[i - 2].is("]");
                if let (true, Some(name)) = (typed, tokens[i - 1].ident()) {
                    out.insert(name.to_owned());
                }
            }
            _ => {}
        }
    }
    out
}

/// Handles a `gl_*` word at `i`; returns how many further tokens it took.
fn built_in(
    stage: Stage,
    tokens: &[Token],
    i: usize,
    out: &mut Vec<Token>,
    uses: &mut Uses,
    flags: &mut ProgramFlags,
    refused: &mut FxHashSet<String>,
    log: &mut Log,
) -> usize {
    let t = &tokens[i];
    let word = t.ident().expect("an identifier, checked by the caller");
    let mut push = |text: &str| out.push(Token::made(Kind::Ident, text, t));
    match word {
        "gl_VertexID" => {
            flags.vertex_id = true;
            push("gl_VertexIndex");
        }
        "gl_InstanceID" | "gl_InstanceIDARB" => {
            flags.instance_id = true;
            uses.instance_id = true;
            push(&format!("mg_instance_id{}()", uses.suffix));
        }
        "gl_BaseVertexARB" | "gl_BaseVertex" => {
            flags.base_vertex = true;
            push("gl_BaseVertex");
        }
        "gl_BaseInstanceARB" | "gl_BaseInstance" => {
            flags.base_instance = true;
            push("gl_BaseInstance");
        }
        "gl_DrawIDARB" | "gl_DrawID" => {
            flags.draw_id = true;
            push("gl_DrawID");
        }
        "gl_DepthRange" => {
            uses.depth_range = true;
            push(STATE_DEPTH_RANGE);
        }
        // The type is declared with the variable.
        "gl_DepthRangeParameters" => {
            uses.depth_range = true;
            push("mg_DepthRangeParameters");
        }
        "gl_PointCoord" if stage == Stage::Fragment => {
            flags.point_coord = true;
            uses.point_coord = true;
            push(&format!("mg_point_coord{}()", uses.suffix));
        }
        "gl_FragColor" if stage == Stage::Fragment => {
            uses.frag_color = true;
            flags.frag_color_broadcast = true;
            push("mg_FragColor");
        }
        "gl_FragData" if stage == Stage::Fragment => {
            uses.frag_data = true;
            match (
                tokens.get(i + 2).and_then(|n| integer(&n.text)),
                tokens.get(i + 3),
            ) {
                (Some(n), Some(close))
                    if close.is("]") && (0..i64::from(MAX_DRAW_BUFFERS)).contains(&n) =>
                {
                    uses.frag_data_max = uses.frag_data_max.max(n as u32);
                }
                _ => uses.frag_data_dynamic = true,
            }
            push("mg_FragData");
        }
        _ if words::is_compatibility(word) || words::is_missing(word) => {
            if refused.insert(word.to_owned()) {
                let why = if words::is_missing(word) {
                    "not supported"
                } else {
                    "compatibility built-ins are not supported"
                };
                log.error(t, &format!("`{word}' undeclared ({why})"));
            }
            push(word);
        }
        _ => {
            match word {
                "gl_Position" => uses.position = true,
                "gl_PointSize" => {
                    uses.point_size = true;
                    // Reading `gl_in[0].gl_PointSize` has a dot before it and does not come here.
                    flags.point_size_written = true;
                }
                "gl_FragCoord" => flags.frag_coord = true,
                "gl_FrontFacing" => flags.front_facing = true,
                "gl_FragDepth" => flags.frag_depth_written = true,
                "gl_SampleID" | "gl_SamplePosition" => flags.sample_shading = true,
                "gl_Layer" => flags.writes_layer |= stage != Stage::Fragment,
                "gl_ViewportIndex" => flags.writes_viewport_index |= stage != Stage::Fragment,
                _ => {}
            }
            push(word);
        }
    }
    0
}

/// What a geometry shader's vertices need when they are emitted.
#[derive(Clone, Copy, Debug, Default)]
struct Emission {
    /// It writes `gl_Position`.
    position: bool,
    /// They are points, and have a size.
    points: bool,
    /// It writes `gl_PointSize`.
    sized: bool,
}

impl Emission {
    fn of(stage: Stage, tokens: &[Token]) -> Self {
        if stage != Stage::Geometry {
            return Self::default();
        }
        let writes = |name: &str| tokens.windows(2).any(|w| w[1].is(name) && !w[0].is("."));
        let is_points = (0..tokens.len()).any(|i| {
            let layout = tokens[i].is("layout") && tokens.get(i + 1).is_some_and(|t| t.is("("));
            let end = if layout { closing(tokens, i + 1) } else { i };
            tokens[i..end].iter().any(|t| t.is("points"))
                && tokens[end..].iter().take(2).any(|t| t.is("out"))
        });
        // A redeclared block has the members that it names (GLSL 4.60 §7.1, built-in language variables).
        let sizeless = (1..tokens.len()).any(|i| {
            let block = tokens[i].is("gl_PerVertex") && tokens[i - 1].is("out");
            let mut members = tokens[i..].iter().take_while(|t| !t.is("}"));
            block && !members.any(|t| t.is("gl_PointSize"))
        });
        Self {
            position: writes("gl_Position"),
            points: is_points && !sizeless,
            sized: writes("gl_PointSize"),
        }
    }
}

/// `EmitVertex();` gets the depth remap and the point size around it. Returns how many tokens it took.
fn emit_vertex(tokens: &[Token], i: usize, emission: Emission, out: &mut Vec<Token>) -> usize {
    let mut level = 0usize;
    let close = tokens[i..].iter().position(|t| {
        match &*t.text {
            "(" => level += 1,
            ")" => level = level.saturating_sub(1),
            _ => {}
        }
        level == 0 && t.is(")")
    });
    let t = &tokens[i];
    // Only as a statement of its own; elsewhere (a comma expression) it stays as it is.
    let statement = i > 0 && matches!(&*tokens[i - 1].text, ";" | "{" | "}" | ")" | "else" | ":");
    let (Some(close), true) = (close, statement) else {
        out.push(t.clone());
        return 1;
    };
    let end = i + close + 1;
    if !tokens.get(end).is_some_and(|t| t.is(";")) {
        out.push(t.clone());
        return 1;
    }
    let mut before = String::from("{ ");
    let mut after = String::from("}");
    // The shader may emit again without a new position.
    if emission.position {
        before += &format!("float mg_z = gl_Position.z; {REMAP}");
        after.insert_str(0, "gl_Position.z = mg_z; ");
    }
    if emission.points {
        before += if emission.sized { SIZE_OF_STATE } else { SIZE };
    }
    out.push(Token::made(Kind::Punct, &before, t));
    out.extend(tokens[i..=end].iter().cloned());
    out.push(Token::made(Kind::Punct, &after, &tokens[end]));
    end + 1 - i
}
