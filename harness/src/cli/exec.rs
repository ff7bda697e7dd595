//! `texwire exec`

use super::engines::Choice;
use super::inputs::{self, CommandResult};
use crate::check::cases;
use crate::console::Stdout;
use crate::engine::{Job, Precision};
use crate::external;
use serde_json::Value;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Runs cases on the core or the emulator.
///
/// A file holds jobs, sampling cases, texels or blocks (one JSON object a line), or texture headers (one JSON document). One line
/// of output per case; a case that cannot run gives `error` instead of `out`. A job (`gen job`, `fuzz-diff --job`) gives what
/// `serve` answers: writeback and faults; it states its own filter arithmetic.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Which engine: core, emulator, vulkan (or vulkan:INDEX, vulkan:NAME), or external:COMMAND (a process that answers as `texwire
    /// serve` does)
    #[arg(long, default_value = "core")]
    engine: Choice,
    /// Arithmetic of the filter (a job states its own)
    #[arg(long, value_enum, default_value = "float")]
    precision: Precision,
    /// Files of cases; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let mut stdout = BufWriter::new(Stdout);
    let engine = args.engine.engine()?;
    let engine = engine.as_ref();
    let mut cases = 0;
    for path in &args.files {
        let (name, bytes) = inputs::read_input(path)?;
        let text = String::from_utf8(bytes).map_err(|why| format!("cannot read {name}: {why}"))?;
        if cases::headers::claims(&text) {
            cases += 1;
            let engine: cases::headers::QueryEngine = match &args.engine {
                Choice::Core => cases::headers::core,
                Choice::Emulator => cases::headers::oracle,
                Choice::External(_) | Choice::Vulkan(_) => {
                    return Err(format!("unsupported case at {name}: jobs have no texture headers").into());
                }
            };
            cases::headers::run(engine, &text, &mut stdout)?;
            continue;
        }
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let at = || format!("{name}:{number}");
            let case: Value =
                serde_json::from_str(line).map_err(|why| format!("no case at {}: {why}", at()))?;
            let answer = if is_job(&case) {
                let job: Job =
                    serde_json::from_value(case).map_err(|why| format!("bad job at {}: {why}", at()))?;
                external::execute(engine, &job)
            } else if cases::sampling::claims(&case) {
                cases::sampling::line(engine, &case, args.precision)
            } else if cases::formats::is_texels(&case) || cases::formats::is_blocks(&case) {
                cases::formats::line(engine, &case, args.precision)
            } else {
                return Err(
                    format!("unknown case at {}: neither job, sampling, texels nor blocks", at()).into()
                );
            };
            writeln!(stdout, "{answer}")?;
            cases += 1;
        }
    }
    stdout.flush()?;
    engine.finish()?;
    if cases == 0 {
        return Err("nothing to execute: the files have no cases".into());
    }
    Ok(true)
}

/// Returns whether a line is a job: a message with its parameters, state and memory.
fn is_job(case: &Value) -> bool {
    case["params"].is_array() && case["surface"].is_array()
}
