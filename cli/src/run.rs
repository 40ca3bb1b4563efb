//! `mobilegl run`: becomes the program, on our library. It must not stay alive beside it.

use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Result, bail};

use crate::Outcome;
use crate::args::RunArgs;
use crate::dropin::{self, DropIn};

pub fn run(args: &RunArgs) -> Result<Outcome> {
    let mut flags = Vec::new();
    let mut flag = |name: &str, value: &str| flags.push((name.to_owned(), value.to_owned()));
    if let Some(backend) = &args.backend {
        flag("MOBILEGL_BACKEND", backend);
    }
    if let Some(mask) = &args.push {
        flag("MOBILEGL_PIPE_PUSH", mask);
    }
    if args.verify {
        flag("MOBILEGL_PIPE_VERIFY", "1");
    }
    dropin::check(&flags)?;
    let dropin = DropIn::find(&args.library)?;
    let [program, rest @ ..] = args.program.as_slice() else {
        bail!("which program?");
    };
    let error = Command::new(program)
        .args(rest)
        .envs(dropin.variables())
        .envs(flags)
        .exec();
    bail!("{}: {error}", program.display());
}
