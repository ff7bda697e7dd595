//! `texwire trace`

mod coverage;
mod join;
mod live;
mod record;
mod replay;
mod serial;

use super::inputs::{self, CommandResult};
use crate::console::say;
use crate::engine::{Engine, Precision};
use crate::trace_file::executor::Reference;
use crate::wires::{DecodeOptions, DecodeOutput, Wire, trace as dump};
use clap::{Subcommand, ValueEnum};
use live::{Arrival, Input};
use std::io::Write;
use std::path::{Path, PathBuf};
use texwire::trace::{Event, Record};

/// Records, dumps, replays and verifies traces.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Executes jobs and writes messages, state and results to a trace
    Record {
        /// Jobs or sampling cases, one JSON object a line; - is standard input
        jobs: PathBuf,
        /// The trace
        #[arg(short, long)]
        out: PathBuf,
        /// What executes the jobs
        #[arg(long, value_enum, default_value = "core")]
        engine: EngineName,
        /// 8-bit filter fractions in sampling cases (a job states its own)
        #[arg(long)]
        fixed8: bool,
    },
    /// Prints every record
    Dump {
        #[command(flatten)]
        input: Input,
        /// Only records of this kind (header, surface, gen, writeback, ...); may be repeated
        #[arg(long)]
        kind: Vec<String>,
        /// Only messages of this thread or warp
        #[arg(long)]
        thread: Option<u32>,
        /// Every field of state structures below their records, as `texwire explain` shows them
        #[arg(long)]
        explain: bool,
        /// Every byte of a record, not only the first 16 (--json always has them all)
        #[arg(long)]
        full: bool,
        /// Platform whose rules are checked in state structures [default: the trace's own]
        #[arg(long)]
        platform: Option<String>,
    },
    /// Puts traces one after another; what is damaged or missing stays visible, exit status 1
    Join {
        /// Traces
        #[arg(required = true)]
        traces: Vec<PathBuf>,
        /// The trace
        #[arg(short, long)]
        out: PathBuf,
    },
    /// Writes a small trace that touches every operation, format and much of the state, with the core's results
    ///
    /// The messages are chosen from random jobs; the same ones for a seed on every machine. Exit status 1 if something is
    /// missing: take another seed or more jobs.
    Cover {
        /// The trace
        #[arg(short, long)]
        out: PathBuf,
        /// Seed of the random jobs
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Number of random jobs to choose from
        #[arg(long, default_value_t = 60_000)]
        jobs: u64,
    },
    /// Prints what the messages of a trace touch, with counts; exit status 1 if an operation or format is missing, or the trace is damaged
    Coverage {
        /// The trace
        trace: PathBuf,
    },
    /// Executes every message and prints what becomes of it; exit status 1 if one is not executed or its writeback differs
    Replay {
        #[command(flatten)]
        input: Input,
        /// Damage, loss and messages without their state are no failure
        #[arg(long)]
        allow_loss: bool,
    },
    /// Executes every message and compares with the recorded writebacks; exit status 1 if one differs
    Verify {
        #[command(flatten)]
        input: Input,
        /// What the writebacks are compared with: core (bit for bit) or emulator (rounding and ties as in fuzz-diff)
        #[arg(long, value_enum, default_value = "core")]
        engine: EngineName,
        /// Largest difference of a result that counts as equal as well, relative above 1 and absolute below
        #[arg(long, default_value_t = 0.0, allow_negative_numbers = true, value_parser = tolerance)]
        tolerance: f32,
        /// Damage, loss and messages without their state are no failure
        #[arg(long)]
        allow_loss: bool,
    },
}

fn tolerance(text: &str) -> Result<f32, String> {
    let tolerance = inputs::finite(text)?;
    if tolerance >= 0.0 { Ok(tolerance) } else { Err("a tolerance is not negative".to_owned()) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Core,
    Emulator,
}

impl EngineName {
    fn engine(self) -> Box<dyn Engine> {
        match self {
            Self::Core => Box::new(crate::core_engine::CoreEngine),
            Self::Emulator => Box::new(crate::emulator::Emulator),
        }
    }
}

pub(super) fn run(args: &Args) -> CommandResult {
    match &args.command {
        Command::Record { jobs, out, engine, fixed8 } => {
            let precision = if *fixed8 { Precision::Fixed8 } else { Precision::Float };
            record::record(jobs, out, engine.engine().as_ref(), precision)
        }
        Command::Dump { input, kind, thread, explain, full, platform } => {
            let platform =
                platform.as_deref().map(|name| inputs::platform(Some(name), &dump::TRACE)).transpose()?;
            let options =
                DecodeOptions { json: input.json, all: true, explain: *explain, full: *full, platform };
            dump_all(input, kind, *thread, options)
        }
        Command::Join { traces, out } => join::join(traces, out),
        Command::Cover { out, seed, jobs } => record::cover(out, *seed, *jobs),
        Command::Coverage { trace } => coverage::coverage(trace),
        Command::Replay { input, allow_loss } => {
            replay::replay(input, true, Reference::Core(0.0), *allow_loss)
        }
        Command::Verify { input, engine, tolerance, allow_loss } => {
            let reference = match engine {
                EngineName::Core => Reference::Core(*tolerance),
                EngineName::Emulator => Reference::Emulator(*tolerance),
            };
            replay::replay(input, false, reference, *allow_loss)
        }
    }
}

/// Replays a file on the core, message by message, and on the oracle.
pub(super) fn rerun(path: &Path) -> CommandResult {
    let input = Input { from: path.display().to_string(), json: false, baud: None };
    let core = replay::replay(&input, true, Reference::Core(0.0), false)?;
    say!("against the oracle:");
    let oracle = replay::replay(&input, false, Reference::Emulator(0.0), false)?;
    Ok(core && oracle)
}

fn dump_all(input: &Input, kinds: &[String], thread: Option<u32>, options: DecodeOptions) -> CommandResult {
    for kind in kinds {
        let known: Vec<_> = texwire::trace::KINDS.iter().filter_map(|kind| kind.name()).collect();
        if !known.contains(&kind.as_str()) && kind != "unknown" {
            return Err(
                format!("unknown kind at --kind: {kind} (expected unknown or {})", known.join(", ")).into()
            );
        }
    }
    let mut stdout = live::output(&input.from);
    let file = if input.json { input.from.clone() } else { input.name() };
    let mut out = DecodeOutput::new(&file, dump::TRACE.name(), options, stdout.as_mut());
    let end = live::events(input, |arrival| {
        if let Arrival::Event(event) = arrival {
            if wanted(&event, kinds, thread) {
                dump::emit(&event, &mut out);
            } else {
                dump::follow(&event, &mut out);
            }
        }
    })?;
    let errors = out.errors;
    let counts = end.counts;
    if input.json {
        writeln!(stdout, "{}", dump::counts_object(&counts))?;
    } else {
        writeln!(stdout, "{}", dump::summary(&counts))?;
    }
    stdout.flush()?;
    if let Some(why) = end.broken {
        return Err(why.into());
    }
    if counts.bytes == 0 && !end.interrupted {
        return Err(format!("nothing to show at {}: it is empty", input.name()).into());
    }
    Ok(errors == 0)
}

fn wanted(event: &Event<'_>, kinds: &[String], thread: Option<u32>) -> bool {
    let Event::Frame { frame, .. } = event else { return true };
    let name = frame.kind.name().unwrap_or("unknown");
    if !kinds.is_empty() && !kinds.iter().any(|kind| kind == name) {
        return false;
    }
    match (thread, frame.record()) {
        (None, _) => true,
        (Some(thread), Ok(Some(record))) => thread_of(&record) == Some(thread),
        (Some(_), _) => false,
    }
}

/// Returns the thread or warp that sent a message; `None` for other records.
fn thread_of(record: &Record<'_>) -> Option<u32> {
    match record {
        Record::Visa(message) => Some(message.thread),
        Record::Gen(message) => Some(message.thread),
        Record::Txq(message) => Some(message.warp),
        _ => None,
    }
}
