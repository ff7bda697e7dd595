//! The command line: one file per command.
//!
//! Exit status: 0, 1 = a check failed or a part did not decode, 2 = bad usage or bad input.
//! Results are on stdout, errors on stderr as `error: <what> at <where>: <why>`.

mod asm;
mod bench;
mod check;
mod decode;
mod engines;
pub(crate) mod enumeration;
mod exec;
mod explain;
mod footprint;
mod fuzz_diff;
mod generate;
mod inputs;
mod kernel;
pub(crate) mod layout;
mod manual;
mod prove;
mod render;
mod report;
mod run;
mod seeds;
mod serve;
mod trace;

pub use inputs::CommandResult;

use crate::console::{self, Stdout, complain};
use clap::{CommandFactory, Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// Decodes and executes GPU texture-sampler messages.
#[derive(Debug, Parser)]
#[command(name = "texwire", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Decode(decode::Args),
    Exec(exec::Args),
    Layout(layout::Args),
    Check(check::Args),
    Asm(asm::Args),
    Explain(explain::Args),
    Enum(enumeration::Args),
    Run(run::Args),
    Kernel(kernel::Args),
    Trace(trace::Args),
    Report(report::Args),
    Render(render::Args),
    Footprint(footprint::Args),
    Bench(bench::Args),
    FuzzDiff(fuzz_diff::Args),
    Prove(prove::Args),
    Gen(generate::Args),
    Seeds(seeds::Args),
    FuzzInput(seeds::InputArgs),
    FuzzReplay(seeds::ReplayArgs),
    Serve(serve::Args),
    Engines(engines::Args),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

/// Parses the arguments and runs the command.
pub fn main() -> ExitCode {
    ExitCode::from(status())
}

/// Does what [`main`] does and returns the exit status: for a program that has a `main` of its own.
pub fn status() -> u8 {
    crate::interrupt::install();
    let arguments = match Cli::try_parse() {
        Ok(arguments) => arguments,
        Err(usage) => return explain_usage(&usage),
    };
    let result = match arguments.command {
        Command::Decode(args) => decode::run(&args),
        Command::Exec(args) => exec::run(&args),
        Command::Layout(args) => layout::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Asm(args) => asm::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Enum(args) => enumeration::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Kernel(args) => kernel::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Footprint(args) => footprint::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::FuzzDiff(args) => fuzz_diff::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Gen(args) => generate::run(&args),
        Command::Seeds(args) => seeds::run(&args),
        Command::FuzzInput(args) => seeds::input(&args),
        Command::FuzzReplay(args) => seeds::replay(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Engines(args) => engines::run(&args),
        Command::Completions(args) => manual::completions(&args, Cli::command()),
        Command::Man(args) => manual::man(&args, Cli::command()),
    };
    let _ = Stdout.flush();
    match result {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(why) => {
            complain!("{why}");
            2
        }
    }
}

/// Prints clap's message (help and version on standard output, usage errors on standard error) and returns the exit status.
fn explain_usage(usage: &clap::Error) -> u8 {
    let printed = usage.print().and_then(|()| std::io::stdout().flush());
    if usage.use_stderr() {
        return 2;
    }
    printed.map_or_else(|why| console::fail(&why), |()| 0)
}
