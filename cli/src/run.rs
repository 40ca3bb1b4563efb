//! `mobilegl run`: becomes the program, on our library. It must not stay alive beside it, but where something is to be told after
//! the program's end.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::Outcome;
use crate::ab;
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
    if let Some(ab) = &args.ab {
        flag("MOBILEGL_PIPE_AB", ab);
    }
    if args.verify {
        flag("MOBILEGL_PIPE_VERIFY", "1");
    }
    dropin::check(&flags)?;
    let dropin = DropIn::find(&args.library)?;
    let [program, rest @ ..] = args.program.as_slice() else {
        bail!("which program?");
    };
    let mut command = Command::new(program);
    command.args(rest).envs(dropin.variables()).envs(flags);
    if args.ab.is_none() {
        let error = command.exec();
        bail!("{}: {error}", program.display());
    }
    let (status, result) = ab::run(&mut command, &ab::stats_path())?;
    eprintln!("{}", ab::heading(&result));
    let mut gathered = ab::Gathered::default();
    gathered.add(result);
    let name = Path::new(program).file_name().unwrap_or(program);
    eprint!(
        "{}",
        ab::table(&[gathered.compare(&name.to_string_lossy())])
    );
    // The program's own status, as without the comparison; a signal's as shells have it.
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    std::process::exit(code.unwrap_or(1))
}
