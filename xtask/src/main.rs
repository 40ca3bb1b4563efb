//! `cargo xtask <task>`: parses the command line and calls the task; no task's logic lives here.

#![forbid(unsafe_code)]

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task>

tasks:
  codegen            write every generated file from the Khronos registry and gl/registry/*.toml
  codegen --check    change nothing; exit 1 and name the files that are not fresh
  where <command>    print where a GL command lives: registry row, thunk, validate, commands
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["codegen"] => xtask::codegen::write(&xtask::root()),
        ["codegen", "--check"] => xtask::codegen::check(&xtask::root()),
        ["where", command] => xtask::whereis::print(&xtask::root(), command),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
