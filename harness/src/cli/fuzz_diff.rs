//! `texwire fuzz-diff`

use super::Done;
use crate::core_engine::CoreEngine;
use crate::engine::Job;
use crate::generators::job::seeded;
use crate::properties::execute::{Counts, agree, words};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;

/// Compares core and emulator on random jobs over the whole state space.
///
/// Every job has a seed; `--job SEED` repeats one. What equal means, and how lanes at a decision boundary are
/// compared, is in the documentation of `properties::execute`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Lanes to compare
    #[arg(long, default_value_t = 10_000_000)]
    lanes: u64,
    /// Where the seeds start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after so many disagreements
    #[arg(long, default_value_t = 10)]
    stop: usize,
    /// Run the job of one seed and print it as JSON
    #[arg(long)]
    job: Option<u64>,
}

fn make(seed: u64) -> Result<Job, String> {
    seeded(seed).map_err(|why| format!("no job at seed {seed}: {why}"))
}

pub(super) fn run(args: &Args) -> Done {
    let mut counts = Counts::default();
    if let Some(seed) = args.job {
        let job = make(seed)?;
        println!("{}", serde_json::to_string(&job)?);
        eprint!("{}", words(&job));
        return match agree(&job, &CoreEngine, &mut counts) {
            Ok(()) => Ok(true),
            Err(why) => {
                println!("{}", serde_json::json!({"seed": seed, "disagreement": why}));
                Ok(false)
            }
        };
    }
    let bar = ProgressBar::new(args.lanes);
    bar.set_style(ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} lanes, {eta} left, {msg}")?);
    let mut by_op: BTreeMap<String, u64> = BTreeMap::new();
    let mut disagreements = 0;
    let mut seed = args.seed;
    while counts.lanes < args.lanes && disagreements < args.stop {
        let job = make(seed)?;
        let before = counts.lanes;
        if let Err(why) = agree(&job, &CoreEngine, &mut counts) {
            disagreements += 1;
            bar.suspend(|| println!("seed {seed}: {why}\n{}", words(&job)));
        }
        *by_op.entry(job.op).or_default() += counts.lanes - before;
        bar.set_position(counts.lanes.min(args.lanes));
        seed = seed.wrapping_add(1);
    }
    bar.finish_and_clear();
    println!("{:24} {:>12}", "operation", "lanes");
    for (op, lanes) in by_op {
        println!("{op:24} {lanes:>12}");
    }
    println!(
        "{} jobs executed, {} refused by both; {} lanes: {} equal at coordinates within the rounding bound only, {} without a bound of the LOD; {disagreements} disagreements (seeds {}..{seed})",
        counts.executed, counts.refused, counts.lanes, counts.nudged, counts.unconditioned, args.seed
    );
    Ok(disagreements == 0)
}
