//! The table of options: one row each, from which the parser, the snapshot `Config`, the reference page and the command
//! line's help come. A second list of options must not exist.

use std::sync::LazyLock;

use crate::alternation::{Alternation, AlternationSyntax};
use crate::syntax::{Choice, Flag, Mask, Number, Syntax, Text, TransportSyntax, Words};
use crate::{Build, PushMask, Transport};

/// How long a value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Read once when the library starts.
    Process,
    /// Latched when a context is created.
    Context,
    /// May change at a frame boundary.
    Frame,
}

/// What a wrong value does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The start fails: a refused value must never pass as a green run.
    Fatal,
    /// The default is used and said so once.
    Tuning,
}

/// What must be compiled in before a value other than the default is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    /// Feature `verify` of the library.
    Verify,
    /// Feature `faults` of the library.
    Faults,
    /// Feature `pull` of the library.
    Pull,
    /// Not written yet; the phase that brings it.
    Phase(&'static str),
}

/// Which executing half draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Auto,
    Gles,
    Vulkan,
    Null,
}

/// What `glFinish` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Waits for real completion, as the specification has it.
    Wait,
    /// Only publishes what was recorded.
    Publish,
}

/// One row of the table, without its type.
#[derive(Clone, Debug)]
pub struct OptionRow {
    /// The key in a TOML file and after the library's prefix: `pipe_push`.
    pub key: &'static str,
    /// The environment variable: `MOBILEGL_PIPE_PUSH`.
    pub variable: &'static str,
    pub default: &'static str,
    pub allowed: String,
    pub scope: Scope,
    pub class: Class,
    pub needs: Needs,
    pub doc: &'static str,
}

macro_rules! options {
    ($(
        $(#[doc = $doc:literal])+
        $key:ident $variable:literal: $type:ty = $default:literal, $syntax:expr, $scope:ident, $class:ident, $needs:expr;
    )*) => {
        /// All options, in the order of the reference page.
        pub static OPTIONS: LazyLock<Vec<OptionRow>> = LazyLock::new(|| vec![$(OptionRow {
            key: stringify!($key),
            variable: $variable,
            default: $default,
            allowed: $syntax.allowed(),
            scope: Scope::$scope,
            class: Class::$class,
            needs: $needs,
            doc: concat!($($doc),+).trim_ascii(),
        }),*]);

        /// A snapshot of every option: what a context or the process was started with.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Config {
            $($(#[doc = $doc])+ pub $key: $type,)*
        }

        impl Config {
            /// Every option at its default, for this build.
            pub fn defaults(build: &Build) -> Config {
                Config { $($key: $syntax.parse($default, build).expect("a test parses every default")),* }
            }

            /// Sets the option with this key from text. The error is the reason alone.
            ///
            /// Panics where no row has the key: callers look the row up first.
            pub(crate) fn set(&mut self, key: &str, text: &str, build: &Build) -> Result<(), String> {
                match key {
                    $(stringify!($key) => self.$key = $syntax.parse(text, build)?,)*
                    _ => unreachable!("no option `{key}`"),
                }
                Ok(())
            }

            /// The text of the option with this key or variable, as it could be written in a file.
            pub fn text(&self, name: &str) -> Option<String> {
                match crate::row(name)?.key {
                    $(stringify!($key) => Some($syntax.show(&self.$key)),)*
                    _ => None,
                }
            }
        }
    };
}

const BACKENDS: &[(&str, Backend)] = &[
    ("auto", Backend::Auto),
    ("gles", Backend::Gles),
    ("vulkan", Backend::Vulkan),
    ("null", Backend::Null),
];
const FINISHES: &[(&str, Finish)] = &[("wait", Finish::Wait), ("publish", Finish::Publish)];
const ON_OR_AUTO: &str = "`auto`, or the number of a tier";
const HIDDEN: &str = "names of extensions and features separated by commas, or one of the profiles bare-es32, mobile-vk11";

options! {
    /// Which backend draws; `auto` takes the first one that works, gles before vulkan.
    backend "MOBILEGL_BACKEND": Backend = "auto", Choice(BACKENDS), Process, Fatal, Needs::Nothing;
    /// Which subsystems are pushed; a cleared bit means that the subsystem is still pulled. Any bitmap draws the same picture.
    pipe_push "MOBILEGL_PIPE_PUSH": PushMask = "ledger", Mask, Context, Fatal, Needs::Nothing;
    /// Compares at every verb, field by field, what was pushed with what a pull would read.
    pipe_verify "MOBILEGL_PIPE_VERIFY": bool = "0", Flag, Context, Fatal, Needs::Verify;
    /// Whether the first difference that verify finds ends the program; off, differences are counted.
    pipe_verify_fatal "MOBILEGL_PIPE_VERIFY_FATAL": bool = "1", Flag, Context, Fatal, Needs::Nothing;
    /// How much verify looks at: the verbs of every Nth frame. Mirrors of contents are kept for all of them.
    pipe_verify_every "MOBILEGL_PIPE_VERIFY_EVERY": u32 = "1", Number(1..=1_000_000), Context, Fatal, Needs::Nothing;
    /// Where a recording of what was told goes, verb by verb, when the process ends; empty for nowhere.
    pipe_record "MOBILEGL_PIPE_RECORD": String = "", Text("a path, or empty"), Process, Fatal, Needs::Verify;
    /// Negative control: corrupts one field on its way to the backend, so that verify must name it.
    pipe_verify_corrupt "MOBILEGL_PIPE_VERIFY_CORRUPT": String = "", Text("`field@verb`, or empty"), Context, Fatal, Needs::Faults;
    /// Negative control: leaves one field unfilled on one verb, so that the read of it must be fatal by name.
    pipe_poison_omit "MOBILEGL_PIPE_POISON_OMIT": String = "", Text("`field@verb`, or empty"), Context, Fatal, Needs::Faults;
    /// Negative control: plants faults, so that verification, scenarios and `mobilegl bisect` must find them; `mobilegl faults` lists them.
    pipe_fault "MOBILEGL_PIPE_FAULT": String = "", Text("names of faults separated by commas (joined by `+`: only where all their bits are pushed), `burn:N` (every verb, of the second bitmap where two alternate, takes N steps more), `ear:region`, `ear:union`, `ear:twice`, `ear:upload`, `ear:rot` (what verify hears), or empty"), Context, Fatal, Needs::Faults;
    /// Backend twins keyed by the frontend's identity instead of slots (the old arm).
    pipe_legacy_memos "MOBILEGL_PIPE_LEGACY_MEMOS": bool = "0", Flag, Process, Fatal, Needs::Pull;
    /// Alternates two bitmaps at frame boundaries and measures the CPU time of the context's thread under each, in pairs of blocks. It takes the place of MOBILEGL_PIPE_PUSH.
    pipe_ab "MOBILEGL_PIPE_AB": Option<Alternation> = "", AlternationSyntax, Context, Fatal, Needs::Nothing;
    /// Prints the counters, one line per period.
    pipe_stats "MOBILEGL_PIPE_STATS": bool = "0", Flag, Process, Fatal, Needs::Nothing;
    /// How many frames one line of counters covers.
    pipe_stats_period "MOBILEGL_PIPE_STATS_PERIOD": u32 = "120", Number(1..=1_000_000), Process, Fatal, Needs::Nothing;
    /// Where the counters of the whole process go as JSON when it ends; empty for nowhere.
    pipe_stats_file "MOBILEGL_PIPE_STATS_FILE": String = "", Text("a path, or empty"), Process, Fatal, Needs::Nothing;
    /// Memory that keeps texels for a backend that has to make a texture anew; 0 asks the frontend each time.
    pipe_texel_retain_mb "MOBILEGL_PIPE_TEXEL_RETAIN_MB": u32 = "0", Number(0..=4096), Process, Fatal, Needs::Phase("P8");
    /// Memory for the executing side's copies of index buffers; beyond it indices travel with the draw.
    pipe_index_mirror_mb "MOBILEGL_PIPE_INDEX_MIRROR_MB": u32 = "64", Number(0..=4096), Process, Fatal, Needs::Phase("P8");
    /// Extensions and features of the ES driver to ignore: desktop drivers have nearly everything that phones lack.
    gles_hide "MOBILEGL_GLES_HIDE": Vec<String> = "", Words(HIDDEN), Process, Fatal, Needs::Nothing;
    /// Extensions and features of the Vulkan driver to ignore.
    vulkan_hide "MOBILEGL_VULKAN_HIDE": Vec<String> = "", Words(HIDDEN), Process, Fatal, Needs::Nothing;
    /// Turns on Vulkan's validation layer; each of its messages becomes an error line.
    vulkan_validation "MOBILEGL_VULKAN_VALIDATION": bool = "0", Flag, Process, Tuning, Needs::Nothing;
    /// Whether `glFinish` waits for completion (the specification) or only publishes. `glFlush` always only publishes.
    finish "MOBILEGL_FINISH": Finish = "wait", Choice(FINISHES), Context, Tuning, Needs::Nothing;
    /// Negative control: no ring for uniform data.
    gles_disable_ubo_ring "MOBILEGL_GLES_DISABLE_UBO_RING": bool = "0", Flag, Process, Tuning, Needs::Phase("P4b");
    /// Negative control: no ring for pixel uploads.
    gles_disable_unpack_ring "MOBILEGL_GLES_DISABLE_UNPACK_RING": bool = "0", Flag, Process, Tuning, Needs::Phase("P4b");
    /// Negative control: no ring for buffer uploads.
    gles_disable_upload_ring "MOBILEGL_GLES_DISABLE_UPLOAD_RING": bool = "0", Flag, Process, Tuning, Needs::Phase("P4b");
    /// Negative control: no flush when an attachment is invalidated.
    gles_disable_invalidate_flush "MOBILEGL_GLES_DISABLE_INVALIDATE_FLUSH": bool = "0", Flag, Process, Tuning, Needs::Phase("P4b");
    /// Negative control: large buffers are copied instead of taken over.
    disable_large_buffer_adoption "MOBILEGL_DISABLE_LARGE_BUFFER_ADOPTION": bool = "0", Flag, Process, Tuning, Needs::Phase("P11");
    /// Treats persistent maps with explicit flushes as coherent ones.
    coherent_as_flush "MOBILEGL_COHERENT_AS_FLUSH": bool = "0", Flag, Process, Tuning, Needs::Phase("P11");
    /// Where the executing half runs.
    transport "MOBILEGL_TRANSPORT": Transport = "monolith", TransportSyntax, Process, Fatal, Needs::Phase("P5");
    /// The server's executable; empty looks beside the library.
    ipc_server_path "MOBILEGL_IPC_SERVER_PATH": String = "", Text("a path, or empty"), Process, Fatal, Needs::Phase("P6");
    /// Size of the command ring.
    ipc_ring_mb "MOBILEGL_IPC_RING_MB": u32 = "8", Number(1..=256), Process, Tuning, Needs::Phase("P5");
    /// First size of the staging segment.
    ipc_stage_mb "MOBILEGL_IPC_STAGE_MB": u32 = "32", Number(1..=1024), Process, Tuning, Needs::Phase("P5");
    /// How many presents the application may be ahead.
    ipc_present_credit "MOBILEGL_IPC_PRESENT_CREDIT": u32 = "1", Number(1..=4), Process, Tuning, Needs::Phase("P10");
    /// Microseconds of spinning before either side sleeps.
    ipc_spin_us "MOBILEGL_IPC_SPIN_US": u32 = "50", Number(0..=100_000), Process, Tuning, Needs::Phase("P5");
    /// Polls of one handle without progress after which one blocking round trip is made.
    ipc_poll_escalate "MOBILEGL_IPC_POLL_ESCALATE": u32 = "64", Number(1..=1_000_000), Process, Tuning, Needs::Phase("P10");
    /// Granularity at which persistent maps are pushed.
    ipc_persistent_block_kb "MOBILEGL_IPC_PERSISTENT_BLOCK_KB": u32 = "64", Number(4..=65_536), Process, Tuning, Needs::Phase("P11");
    /// How buffer memory is shared with the server.
    ipc_adopt_tier "MOBILEGL_IPC_ADOPT_TIER": String = "auto", Text(ON_OR_AUTO), Process, Tuning, Needs::Phase("P11");
    /// Whether the frontend's copies of contents lie in shared memory.
    ipc_shadow_shm "MOBILEGL_IPC_SHADOW_SHM": bool = "1", Flag, Process, Tuning, Needs::Phase("P5");
    /// Negative control: payloads always travel inside their record.
    ipc_inline_payloads "MOBILEGL_IPC_INLINE_PAYLOADS": bool = "0", Flag, Process, Tuning, Needs::Phase("P5");
    /// Cores of the thread that applies commands; `auto` takes the big ones.
    ipc_server_affinity "MOBILEGL_IPC_SERVER_AFFINITY": String = "auto", Text("`auto`, or a list of cores"), Process, Tuning, Needs::Phase("P5");
    /// Diagnosis: every error of the backend is waited for.
    ipc_strict_errors "MOBILEGL_IPC_STRICT_ERRORS": bool = "0", Flag, Process, Tuning, Needs::Phase("P9");
    /// Diagnosis: logs every record.
    ipc_audit "MOBILEGL_IPC_AUDIT": bool = "0", Flag, Process, Tuning, Needs::Phase("P5");
    /// Diagnosis: attaches to a server that runs already.
    ipc_attach "MOBILEGL_IPC_ATTACH": String = "", Text("a path, or empty"), Process, Fatal, Needs::Phase("P6");
    /// Starts the server again when it died and tells it everything anew.
    ipc_respawn "MOBILEGL_IPC_RESPAWN": bool = "0", Flag, Process, Tuning, Needs::Phase("P6");
    /// Seconds without any message after which a server ends by itself.
    ipc_idle_exit_s "MOBILEGL_IPC_IDLE_EXIT_S": u32 = "30", Number(1..=86_400), Process, Tuning, Needs::Phase("P6");
    /// The ES driver to open: paths of libEGL and libGLESv2, or auto. Never our own library.
    gles_libs "MOBILEGL_GLES_LIBS": Vec<String> = "auto", Words("`auto`, or the paths of libEGL and libGLESv2 separated by a comma"), Process, Fatal, Needs::Nothing;
    /// The Vulkan loader to open, or auto.
    vulkan_lib "MOBILEGL_VULKAN_LIB": String = "auto", Text("`auto`, or the path of libvulkan"), Process, Fatal, Needs::Nothing;
    /// Where every shader source (`HASH.frag`) and the SPIR-V of every linked program (`HASH.frag.spv`) are written; empty for nowhere.
    shader_dump "MOBILEGL_SHADER_DUMP": String = "", Text("a path, or empty"), Process, Tuning, Needs::Nothing;
    /// Where compiled programs are kept from one run to the next; `auto` is `mobilegl` in the user's cache folder (`$XDG_CACHE_HOME`, else `~/.cache`).
    shader_cache_dir "MOBILEGL_SHADER_CACHE_DIR": String = "auto", Text("`auto`, or a path"), Process, Tuning, Needs::Nothing;
    /// How much of it there may be; the programs that were not used for longest go first. 0 keeps none.
    shader_cache_mb "MOBILEGL_SHADER_CACHE_MB": u32 = "256", Number(0..=65_536), Process, Tuning, Needs::Nothing;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_every_default_parses_and_shows_as_itself() {
        let build = Build::everything();
        let config = Config::defaults(&build);
        for row in OPTIONS.iter().filter(|row| row.key != "pipe_push") {
            assert_eq!(
                config.text(row.key).as_deref(),
                Some(row.default),
                "{}",
                row.key
            );
        }
        assert_eq!(config.pipe_push, build.ledger_mask);
    }

    #[test]
    fn options_variable_is_the_prefix_and_the_key() {
        for row in OPTIONS.iter() {
            assert_eq!(row.variable, format!("MOBILEGL_{}", row.key.to_uppercase()));
        }
    }

    #[test]
    fn options_pipe_and_transport_rows_are_fatal() {
        for row in OPTIONS.iter() {
            if row.variable.starts_with("MOBILEGL_PIPE_") || row.variable == "MOBILEGL_TRANSPORT" {
                assert_eq!(row.class, Class::Fatal, "{}", row.variable);
            }
        }
    }

    #[test]
    fn options_each_is_described_by_a_sentence() {
        for row in OPTIONS.iter() {
            assert!(row.doc.ends_with('.'), "{}: {:?}", row.key, row.doc);
            assert!(!row.doc.contains("  "), "{}", row.key);
        }
    }
}
