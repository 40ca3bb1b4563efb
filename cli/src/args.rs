//! The words of the command line. It must hold no default that the option table already has.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Desktop OpenGL on OpenGL ES or Vulkan drivers: run programs on it, compare what they draw, see what is migrated.
#[derive(Parser)]
#[command(name = "mobilegl", version, disable_help_subcommand = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run a program on the library; its exit status is ours
    Run(RunArgs),
    /// Replay recorded programs in several lanes and compare the pictures
    Replay(ReplayArgs),
    /// Replay recorded programs with every verb's state compared field by field
    Verify(VerifyArgs),
    /// Find the subsystems that have to be pushed for a program to go wrong, and the field that is told wrongly
    Bisect(BisectArgs),
    /// List the faults that MOBILEGL_PIPE_FAULT can plant, to see that they are found
    Faults(FaultsArgs),
    /// Measure the cost per call in several lanes
    Bench(BenchArgs),
    /// Show what runs told in the files of MOBILEGL_PIPE_STATS_FILE
    Stats {
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Write a page with tables and charts
        #[arg(long, value_name = "FILE.html")]
        report: Option<PathBuf>,
    },
    /// Show what is migrated, phase by phase and bit by bit
    Phases {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Fail unless every gate of a green row has a pass in this result file of nextest
        #[arg(long, value_name = "JUNIT.xml")]
        junit: Option<PathBuf>,
        /// Write what rows may cite as their full run; with the hash of the tree that ran
        #[arg(long, value_name = "FILE.json", requires_all = ["junit", "tree"])]
        write_result: Option<PathBuf>,
        /// Cite a full run: its file is laid into phases/results/ and its tree into the rows of phases/ledger.toml that it proves
        #[arg(long, value_name = "FILE.json", conflicts_with_all = ["json", "junit", "ships"])]
        cite: Option<PathBuf>,
        /// The hash of the source tree [default: that of the tree in this folder, if it is one]
        #[arg(long, value_name = "HASH")]
        tree: Option<String>,
        /// Print `shipping` or `default`: the build that may ship
        #[arg(long, conflicts_with_all = ["json", "junit"])]
        ships: bool,
    },
    /// Tell what this machine's drivers offer and what is lost without the rest
    Doctor(DoctorArgs),
    /// The part of `doctor` that loads drivers, in a process of its own because drivers crash
    #[command(hide = true)]
    DoctorProbe { library: PathBuf },
    /// Explain a command, or `options`
    Help { topic: Option<String> },
}

/// Which library and with which options.
#[derive(clap::Args, Clone)]
pub struct LibraryArgs {
    /// Folder with libEGL.so.1, libGL.so.1 and the others [default: MOBILEGL_DROPIN, or ../dropin beside this program]
    #[arg(long, value_name = "DIR")]
    pub dropin: Option<PathBuf>,
    /// Any option of `mobilegl help options`, for example FINISH=publish
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
}

#[derive(clap::Args)]
pub struct RunArgs {
    /// gles, vulkan, null or auto
    #[arg(long, value_name = "B")]
    pub backend: Option<String>,
    /// Which subsystems are pushed: hex, names, all, none, all-textures
    #[arg(long, value_name = "MASK")]
    pub push: Option<String>,
    /// Compare the pushed state with a pull at every verb
    #[arg(long)]
    pub verify: bool,
    /// Let two bitmaps take turns, A:B or A:B:FRAMES, and tell what the second costs more than the first
    #[arg(long, value_name = "A,B", conflicts_with = "push")]
    pub ab: Option<String>,
    #[command(flatten)]
    pub library: LibraryArgs,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub program: Vec<std::ffi::OsString>,
}

#[derive(clap::Args)]
pub struct ReplayArgs {
    /// apitrace recordings
    #[arg(required = true, value_name = "TRACE")]
    pub traces: Vec<PathBuf>,
    /// BACKEND/MASK or BACKEND/verify, separated by commas [default: none, all, every single bit and verify on both backends]
    #[arg(long, value_name = "LANES")]
    pub lanes: Option<String>,
    /// Keep the default lanes of this backend only
    #[arg(long, value_name = "B", conflicts_with = "lanes")]
    pub backend: Option<crate::lane::Backend>,
    /// Take the picture after this call [default: the one in the reference picture's name]
    #[arg(long, value_name = "N", conflicts_with = "frames")]
    pub call: Option<u64>,
    /// Take a picture at every frame, compare the lanes with each other
    #[arg(long, conflicts_with = "reference")]
    pub frames: bool,
    /// The picture to compare with [default: TRACE-NNNNNNNNNN.png beside the recording]
    #[arg(long, value_name = "PNG")]
    pub reference: Option<PathBuf>,
    /// Write one self-contained page with pictures, differences and figures
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub common: RetraceArgs,
}

#[derive(clap::Args)]
pub struct VerifyArgs {
    /// apitrace recordings
    #[arg(required = true, value_name = "TRACE")]
    pub traces: Vec<PathBuf>,
    /// Keep the lane of this backend only
    #[arg(long, value_name = "B")]
    pub backend: Option<crate::lane::Backend>,
    /// Write one page with every difference and the pictures
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Compare what is told with this golden recording instead, on the null backend
    #[arg(long, value_name = "FILE", conflicts_with_all = ["backend", "report", "json"])]
    pub golden: Option<PathBuf>,
    /// Write the golden recording instead of comparing with it
    #[arg(long, requires = "golden")]
    pub update: bool,
    /// Which subsystems are pushed while the golden recording is made [default: all]
    #[arg(long, value_name = "MASK", requires = "golden")]
    pub push: Option<String>,
    #[command(flatten)]
    pub common: RetraceArgs,
}

#[derive(clap::Args)]
#[command(after_help = BISECT_HELP)]
pub struct BisectArgs {
    /// An apitrace recording that draws wrong
    #[arg(long, value_name = "TRACE")]
    pub trace: Option<PathBuf>,
    /// [default: gles for a recording, as MOBILEGL_BACKEND says for a command]
    #[arg(long, value_name = "B")]
    pub backend: Option<crate::lane::Backend>,
    /// Look after this call [default: the one in the reference picture's name]
    #[arg(long, value_name = "N", conflicts_with = "frames")]
    pub call: Option<u64>,
    /// Look at every frame
    #[arg(long)]
    pub frames: bool,
    /// The right picture [default: TRACE-NNNNNNNNNN.png beside the recording, else what the subsystems draw when they are pulled]
    #[arg(long, value_name = "PNG", conflicts_with_all = ["frames", "against"])]
    pub golden: Option<PathBuf>,
    /// Take the right picture from the system's own OpenGL
    #[arg(long, value_name = "native", value_parser = ["native"], requires = "call")]
    pub against: Option<String>,
    /// What MOBILEGL_PIPE_RECORD wrote when it was right [default: golden/TRACE.txt beside the recording]
    #[arg(long, value_name = "TEXT")]
    pub told: Option<PathBuf>,
    /// The command finds the library itself, perhaps on another machine: only variables are set
    #[arg(long)]
    pub no_dropin: bool,
    #[command(flatten)]
    pub common: RetraceArgs,
    /// A command instead of a recording: status 0 is right, 125 cannot tell, anything else is wrong
    #[arg(last = true, value_name = "COMMAND")]
    pub program: Vec<std::ffi::OsString>,
}

const BISECT_HELP: &str = "\
Exit status: 0 every bitmap is good, 1 something was found (or no bit separates it), 2 it could not be told.";

#[derive(clap::Args)]
pub struct FaultsArgs {
    /// Only those whose name begins so: atom, omit, stale, pull, drop, noop, twins
    pub kind: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub library: LibraryArgs,
}

#[derive(clap::Args)]
pub struct RetraceArgs {
    /// Print one JSON object per recording
    #[arg(long)]
    pub json: bool,
    /// Seconds after which a lane counts as hung
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: u64,
    /// Lanes at once [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub jobs: Option<u16>,
    /// The replaying program of apitrace
    #[arg(long, value_name = "PROGRAM", default_value = "eglretrace")]
    pub eglretrace: PathBuf,
    #[command(flatten)]
    pub library: LibraryArgs,
}

#[derive(clap::Args)]
pub struct BenchArgs {
    /// Measure one backend; lanes then carry no prefix
    #[arg(long, value_name = "B")]
    pub backend: Option<crate::lane::Backend>,
    /// native, pull, push, push-no-cso; with BACKEND/ before it where no backend is given
    #[arg(long, value_name = "LANES", value_delimiter = ',')]
    pub lanes: Vec<String>,
    /// How often each lane is measured, in turn (A B A B ...); medians are shown
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=101))]
    pub rounds: u16,
    /// Instead of lanes: let two bitmaps take turns inside one run of each row, A:B or A:B:FRAMES, and tell what the second costs more
    #[arg(
        long,
        value_name = "A,B",
        conflicts_with = "lanes",
        requires = "backend"
    )]
    pub ab: Option<String>,
    /// Instead of times: count instructions per unit on the null backend and compare them with the checked-in figures (needs valgrind)
    #[arg(long, conflicts_with_all = ["lanes", "ab", "backend"])]
    pub instructions: bool,
    /// The measuring program [default: driverbench beside this program]
    #[arg(long, value_name = "PROGRAM")]
    pub driverbench: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub library: LibraryArgs,
    /// Arguments for the measuring program
    #[arg(last = true)]
    pub rest: Vec<std::ffi::OsString>,
}

#[derive(clap::Args)]
pub struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub library: LibraryArgs,
}

impl ValueEnum for crate::lane::Backend {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.name()))
    }
}
