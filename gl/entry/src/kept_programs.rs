//! Compilations and links whose results were kept on disk: asked before the compiler is, told afterwards. It must never decide what
//! a compilation says: what is kept is what [`gl_glsl`] said.

use crate::shader_dump;
use gl_glsl::{CompileOptions, LinkOptions, LinkResult, Shader, Verdict};
use pipe::program::{ProgramArtifact, Stage};
use serde::Serialize;
use shader_cache::{Cache, Key};
use std::sync::{Arc, OnceLock};

static CACHE: OnceLock<Arc<Cache>> = OnceLock::new();

/// From now on results are kept there. The first one told stays.
pub fn keep_in(cache: Arc<Cache>) {
    let _ = CACHE.set(cache);
}

/// The cache, if there is one.
pub fn cache() -> Option<&'static Cache> {
    CACHE.get().map(|cache| &**cache)
}

/// `glCompileShader`, by what is kept or by the compiler.
pub fn compile(stage: Stage, source: &str, options: &CompileOptions) -> Shader {
    shader_dump::source(stage, source);
    compile_by(cache(), stage, source, options)
}

/// `glLinkProgram`, by what is kept or by the compiler.
pub fn link(shaders: &[&Shader], options: &LinkOptions) -> LinkResult {
    let result = link_by(cache(), shaders, options);
    if let Some(artifact) = &result.artifact {
        shader_dump::program(artifact);
    }
    result
}

fn compile_by(
    cache: Option<&Cache>,
    stage: Stage,
    source: &str,
    options: &CompileOptions,
) -> Shader {
    let Some(cache) = cache else {
        return gl_glsl::compile(stage, &[source], options);
    };
    let mut asked = Vec::new();
    describe(&mut asked, stage, source, options);
    let key = Key::of("glsl", &[gl_glsl::CODE_HASH.as_bytes(), &asked]);
    let kept: Option<Verdict> = cache
        .get(&key)
        .and_then(|bytes| postcard::from_bytes(&bytes).ok());
    if let Some(verdict) = kept {
        return gl_glsl::known(stage, source, options, verdict);
    }
    let shader = gl_glsl::compile(stage, &[source], options);
    cache.put(&key, &bytes_of(shader.verdict()));
    shader
}

fn link_by(cache: Option<&Cache>, shaders: &[&Shader], options: &LinkOptions) -> LinkResult {
    let Some(cache) = cache else {
        return gl_glsl::link(shaders, options);
    };
    let mut asked = bytes_of(options);
    for shader in shaders {
        describe(
            &mut asked,
            shader.stage(),
            shader.source(),
            shader.options(),
        );
    }
    let key = Key::of("program", &[gl_glsl::CODE_HASH.as_bytes(), &asked]);
    let kept = cache
        .get(&key)
        .and_then(|archive| ProgramArtifact::from_archive(&archive).ok());
    if let Some(artifact) = kept {
        return LinkResult {
            log: String::new(),
            artifact: Some(Arc::new(artifact)),
        };
    }
    let result = gl_glsl::link(shaders, options);
    // A failure is found again quickly, and a successful link that has something to say is linked again to say it.
    if let Some(artifact) = &result.artifact
        && result.log.is_empty()
    {
        cache.put(&key, &artifact.to_archive());
    }
    result
}

/// Everything that a compilation depends on; self-delimiting.
fn describe(out: &mut Vec<u8>, stage: Stage, source: &str, options: &CompileOptions) {
    out.extend(bytes_of(&(stage, source, options)));
}

fn bytes_of(value: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(value).expect("plain data into a growing buffer")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const VERTEX: &str = "#version 330\nin vec4 p;\nvoid main() { gl_Position = p; }\n";
    const FRAGMENT: &str =
        "#version 330\nuniform float u = 0.5;\nout vec4 c;\nvoid main() { c = vec4(u); }\n";

    /// A cache in a folder of its own, which goes with it.
    struct Fresh(PathBuf, Cache);

    impl Fresh {
        fn new(name: &str) -> Self {
            let name = format!("mobilegl-kept-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            let cache = Cache::new(&folder, 1 << 20);
            Self(folder, cache)
        }
    }

    impl Drop for Fresh {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn both(cache: &Cache, fragment: &str, options: &CompileOptions) -> [Shader; 2] {
        [(Stage::Vertex, VERTEX), (Stage::Fragment, fragment)]
            .map(|(stage, source)| compile_by(Some(cache), stage, source, options))
    }

    fn linked(cache: &Cache, shaders: &[Shader; 2], options: &LinkOptions) -> LinkResult {
        link_by(Some(cache), &[&shaders[0], &shaders[1]], options)
    }

    #[test]
    fn second_time_is_the_first_without_the_compiler() {
        let Fresh(_, cache) = &Fresh::new("second");
        let (compiling, linking) = (CompileOptions::default(), LinkOptions::default());
        let cold = both(cache, FRAGMENT, &compiling);
        assert!(cold.iter().all(Shader::is_compiled));
        let first = linked(cache, &cold, &linking);
        let warm = both(cache, FRAGMENT, &compiling);
        let second = linked(cache, &warm, &linking);
        assert!(!warm.iter().any(Shader::is_compiled));
        assert_eq!(cache.counts().hits, 3);
        assert!(first.ok());
        assert_eq!(first.artifact, second.artifact);
    }

    #[test]
    fn shader_of_a_kept_verdict_links_with_what_was_not_kept() {
        let Fresh(_, cache) = &Fresh::new("mixed");
        let (compiling, linking) = (CompileOptions::default(), LinkOptions::default());
        linked(cache, &both(cache, FRAGMENT, &compiling), &linking);
        let other = FRAGMENT.replace("0.5", "0.25");
        let shaders = both(cache, &other, &compiling);
        assert!(!shaders[0].is_compiled() && shaders[1].is_compiled());
        let result = linked(cache, &shaders, &linking);
        let pure = gl_glsl::link(
            &[
                &gl_glsl::compile(Stage::Vertex, &[VERTEX], &compiling),
                &gl_glsl::compile(Stage::Fragment, &[&other], &compiling),
            ],
            &linking,
        );
        assert!(result.ok());
        assert_eq!(result.artifact, pure.artifact);
    }

    #[test]
    fn whatever_a_result_depends_on_is_another_entry() {
        let Fresh(_, cache) = &Fresh::new("depends");
        let (compiling, linking) = (CompileOptions::default(), LinkOptions::default());
        linked(cache, &both(cache, FRAGMENT, &compiling), &linking);
        let lower = CompileOptions {
            max_version: 150,
            ..compiling.clone()
        };
        let refused = both(cache, FRAGMENT, &lower);
        assert!(!refused[1].ok(), "the version is too high for this context");
        let moved = LinkOptions {
            attrib_locations: vec![("p".to_owned(), 5)],
            ..linking
        };
        let artifact = linked(cache, &both(cache, FRAGMENT, &compiling), &moved)
            .artifact
            .expect("links");
        let location = |artifact: &ProgramArtifact| artifact.attributes[0].location;
        assert_eq!(location(&artifact), 5);
    }

    #[test]
    fn refused_shader_says_the_same_again() {
        let Fresh(_, cache) = &Fresh::new("refused");
        let options = CompileOptions::default();
        let say = || compile_by(Some(cache), Stage::Fragment, "void main() { x; }", &options);
        let (first, second) = (say(), say());
        assert!(!first.ok());
        assert!(!second.is_compiled());
        assert_eq!(first.verdict(), second.verdict());
    }

    #[test]
    fn entry_of_another_shape_is_compiled_again() {
        let Fresh(_, cache) = &Fresh::new("shape");
        let (compiling, linking) = (CompileOptions::default(), LinkOptions::default());
        let shaders = both(cache, FRAGMENT, &compiling);
        let mut asked = bytes_of(&linking);
        for shader in &shaders {
            describe(&mut asked, shader.stage(), shader.source(), &compiling);
        }
        let key = Key::of("program", &[gl_glsl::CODE_HASH.as_bytes(), &asked]);
        cache.put(&key, b"not an archive");
        assert!(linked(cache, &shaders, &linking).ok());
    }
}
