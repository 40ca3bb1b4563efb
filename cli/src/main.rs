//! `mobilegl`: starts programs on the built library and judges what they drew. It must not link the library's frontend or
//! any backend: it knows them only as files and by what they write.
#![deny(unsafe_code)]

mod ab;
mod args;
mod bench;
mod bisect;
mod doctor;
mod dropin;
mod faults;
mod golden;
mod instructions;
mod judge;
mod junit;
mod lane;
#[allow(unsafe_code)]
mod library;
mod paired;
mod phase_table;
mod pictures;
mod replay;
mod report;
mod retrace;
mod run;
mod say;
mod stats_page;
mod stats_table;
mod subject;
mod table;
mod trace;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Args, Command};

/// How a command ended that was used rightly. Misuse is an `Err` and exits with 2.
enum Outcome {
    Good,
    /// A comparison failed.
    Failed,
}

fn main() -> ExitCode {
    match dispatch(Args::parse()) {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Err(error) => {
            eprintln!("mobilegl: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(args: Args) -> anyhow::Result<Outcome> {
    match args.command {
        Command::Run(args) => run::run(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Verify(args) => replay::verify(&args),
        Command::Bisect(args) => bisect::bisect(&args),
        Command::Faults(args) => faults::faults(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Stats { files, report } => stats_table::print(&files, report.as_deref()),
        Command::Phases {
            json,
            junit,
            write_result,
            cite,
            tree,
            ships,
        } => phase_table::print(&phase_table::Wanted {
            json,
            ships,
            junit,
            write_result,
            cite,
            tree,
        }),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::DoctorProbe { library } => doctor::probe(&library),
        Command::Help { topic } => help(topic.as_deref()),
    }
}

fn help(topic: Option<&str>) -> anyhow::Result<Outcome> {
    let mut command = Args::command();
    match topic {
        None => command.print_long_help()?,
        Some("options") => crate::say::text(format_args!("{}", config::options_markdown())),
        Some(name) => match command
            .find_subcommand_mut(name)
            .filter(|found| !found.is_hide_set())
        {
            Some(found) => found.print_long_help()?,
            None => anyhow::bail!(
                "there is no help on `{name}`; there is on `options` and on every command"
            ),
        },
    }
    Ok(Outcome::Good)
}
