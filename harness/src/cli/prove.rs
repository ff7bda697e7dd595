//! `texwire prove`

use super::inputs::CommandResult;
use crate::console::{complain, say};
use crate::prove::{PROOFS, Proof};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Compares the core with the emulator on every input of small domains: float conversions, codecs, descriptors,
/// instruction headers.
///
/// Runs on all processors and takes minutes; progress is on stderr. Exit status 1: an input on which they differ.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only proofs whose name contains one of these
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Prints the proofs, their domains and sizes
    #[arg(long)]
    list: bool,
    /// Every STEPth input only, for a first impression; best odd: with an even STEP, bit 0 of the inputs is always 0
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    step: u64,
    /// Threads (all processors)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// One JSON object a line: "proof", "inputs", "checked", "seconds", "difference" (null: none)
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let wanted = |proof: &&Proof| {
        args.names.is_empty() || args.names.iter().any(|name| proof.name.contains(name.as_str()))
    };
    let proofs: Vec<&Proof> = PROOFS.iter().filter(wanted).collect();
    if proofs.is_empty() {
        let names: Vec<&str> = PROOFS.iter().map(|proof| proof.name).collect();
        return Err(format!(
            "unknown proof at NAME: {} (expected a part of {})",
            args.names.join(" "),
            names.join(", ")
        )
        .into());
    }
    if args.list {
        proofs.iter().for_each(|proof| say!("{:<18} {:>13}  {}", proof.name, (proof.size)(), proof.domain));
        return Ok(true);
    }
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        |threads| threads.into(),
    );
    if !args.json {
        say!("{:<18} {:>13} {:>9}  result", "proof", "inputs", "seconds");
    }
    let mut good = true;
    for proof in proofs {
        let progress = Progress::new(proof, args.step);
        let verdict = proof.run(args.step, threads, &|done| progress.tell(done));
        progress.clear();
        good &= verdict.difference.is_none();
        let seconds = verdict.time.as_secs_f64();
        if args.json {
            say!(
                "{}",
                json!({ "proof": proof.name, "inputs": (proof.size)(), "checked": verdict.checked,
                    "seconds": seconds, "difference": verdict.difference })
            );
            continue;
        }
        let result = if verdict.difference.is_some() { "differs" } else { "equal" };
        say!("{:<18} {:>13} {seconds:>9.1}  {result}", proof.name, verdict.checked);
        if let Some(why) = verdict.difference {
            complain!("difference at proof {}: {why}", proof.name);
        }
    }
    Ok(good)
}

/// The time between lines of progress: on a terminal, and elsewhere (in a log).
const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(30)];

/// The line on stderr that shows the progress of a proof.
struct Progress {
    name: &'static str,
    count: u64,
    started: Instant,
    terminal: bool,
    last: Mutex<Instant>,
}

impl Progress {
    fn new(proof: &Proof, step: u64) -> Self {
        let (now, terminal) = (Instant::now(), std::io::stderr().is_terminal());
        let count = (proof.size)().div_ceil(step);
        Self { name: proof.name, count, started: now, terminal, last: Mutex::new(now) }
    }

    fn tell(&self, done: u64) {
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() < PAUSES[usize::from(!self.terminal)] {
            return;
        }
        *last = Instant::now();
        let part = done as f64 / self.count.max(1) as f64;
        let left = self.started.elapsed().as_secs_f64() * (1.0 / part.max(1e-6) - 1.0);
        let (start, end) = if self.terminal { ("\r", "\x1b[K") } else { ("", "\n") };
        let _ = write!(
            std::io::stderr(),
            "{start}{}: {:.1} % of {}, {left:.0} s left{end}",
            self.name,
            part * 100.0,
            self.count
        );
    }

    fn clear(&self) {
        if self.terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
