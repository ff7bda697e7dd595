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

use crate::console::complain;
use crate::console::{self, Stdout};
use clap::{Parser, Subcommand};
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// What a command ends with: `Ok(true)` all well, `Ok(false)` a check failed.
pub type Done = Result<bool, Box<dyn std::error::Error>>;

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

/// [`main`], with the exit status: for a program that has another `main`.
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
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
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

/// Largest file that is read as a whole (`trace dump`, `replay` and `verify` read streams of any length).
const MAX_INPUT: u64 = 1 << 30;

/// Reads a file; the error names it.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let read = || -> std::io::Result<Vec<u8>> {
        let (file, mut bytes) = (std::fs::File::open(path)?, Vec::new());
        // A file says how long it is; a pipe does not.
        if file.metadata()?.len() <= MAX_INPUT {
            file.take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 <= MAX_INPUT {
                return Ok(bytes);
            }
        }
        Err(std::io::Error::other(format!("it is larger than {MAX_INPUT} bytes")))
    };
    read().map_err(|why| format!("cannot read {}: {why}", path.display()).into())
}

/// Most bytes of standard input: it does not say how long it is.
const MAX_STDIN: u64 = 1 << 30;

/// Reads a file, or standard input for `-`; its name and its bytes.
fn read_input(path: &Path) -> Result<(String, Vec<u8>), Box<dyn std::error::Error>> {
    use std::io::Read;
    if path != Path::new("-") {
        return Ok((path.display().to_string(), read(path)?));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_STDIN + 1).read_to_end(&mut bytes);
    read.map_err(|why| format!("cannot read standard input: {why}"))?;
    if bytes.len() as u64 > MAX_STDIN {
        return Err(format!("cannot read standard input: more than {MAX_STDIN} bytes").into());
    }
    Ok(("standard input".to_owned(), bytes))
}

/// Makes a folder; the error names it.
fn folder(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path).map_err(|why| format!("cannot create {}: {why}", path.display()))
}

/// Prints what clap says: help and version on standard output, errors of usage on standard error.
fn explain_usage(usage: &clap::Error) -> u8 {
    let printed = usage.print().and_then(|()| std::io::stdout().flush());
    if usage.use_stderr() {
        return 2;
    }
    printed.map_or_else(|why| console::fail(&why), |()| 0)
}

/// The platform of `--platform`, which has to speak the dialect; without one, the first that does.
fn platform(name: Option<&str>, wire: &dyn crate::wires::Wire) -> Result<texwire::Platform, String> {
    let platforms = wire.platforms();
    let Some(name) = name else { return Ok(platforms[0]) };
    platforms.iter().copied().find(|platform| platform.name() == name).ok_or_else(|| {
        let names: Vec<_> = platforms.iter().map(|platform| platform.name()).collect();
        let wire = wire.name();
        format!(
            "unknown platform at --platform: {name} does not go with {wire} (expected {})",
            names.join(", ")
        )
    })
}
