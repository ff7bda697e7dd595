//! `texwire fuzz-diff`

use super::Done;
use crate::console::say;
use crate::core_engine::CoreEngine;
use crate::engine::Job;
use crate::external::External;
use crate::generators::job::seeded;
use crate::generators::kinds::random;
use crate::generators::plain;
use crate::properties::execute::{Counts, agree, words};
use arbitrary::Unstructured;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::Write;

/// Compares core and emulator, or a model of yours and the emulator, on random jobs over the whole state space.
///
/// Every job has a seed; `--job SEED` repeats one. What equal means, and how lanes at a decision boundary are
/// compared, is in the documentation of `properties::execute`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Lanes to compare
    #[arg(long, default_value_t = 10_000_000)]
    lanes: u64,
    /// Jobs at most, for a model that does few of them
    #[arg(long)]
    jobs: Option<u64>,
    /// Compare this model as well: a command that answers as `texwire serve` does
    #[arg(long, value_name = "COMMAND")]
    against: Option<String>,
    /// Only jobs that a young model does first: see `generators::plain`
    #[arg(long)]
    plain: bool,
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

fn make(args: &Args, seed: u64) -> Result<Job, String> {
    let made =
        if args.plain { plain::job(&mut Unstructured::new(&random(seed, 1 << 12))) } else { seeded(seed) };
    made.map_err(|why| format!("no job at seed {seed}: {why}"))
}

/// The core and the model each agree with the emulator; `counts` are the last one's.
fn all_agree(job: &Job, model: Option<&External>, counts: &mut Counts) -> Result<(), String> {
    let Some(model) = model else { return agree(job, &CoreEngine, counts) };
    agree(job, &CoreEngine, &mut Counts::default()).and_then(|()| agree(job, model, counts))
}

pub(super) fn run(args: &Args) -> Done {
    let model = args.against.as_deref().map(External::new).transpose()?;
    let model = model.as_ref();
    let mut counts = Counts::default();
    if let Some(seed) = args.job {
        let job = make(args, seed)?;
        say!("{}", serde_json::to_string(&job)?);
        let _ = write!(std::io::stderr(), "{}", words(&job));
        return match all_agree(&job, model, &mut counts) {
            Ok(()) => Ok(true),
            Err(why) => {
                say!("{}", serde_json::json!({"seed": seed, "disagreement": why}));
                Ok(false)
            }
        };
    }
    let bar = ProgressBar::new(args.lanes);
    bar.set_style(ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} lanes, {eta} left, {msg}")?);
    let mut by_op: BTreeMap<String, u64> = BTreeMap::new();
    let mut disagreements = 0;
    let mut seed = args.seed;
    let last = args.jobs.map_or(u64::MAX, |jobs| args.seed.saturating_add(jobs));
    while counts.lanes < args.lanes && disagreements < args.stop && seed < last {
        let job = make(args, seed)?;
        let before = counts.lanes;
        if let Err(why) = all_agree(&job, model, &mut counts) {
            disagreements += 1;
            bar.suspend(|| say!("seed {seed}: {why}\n{}", words(&job)));
        }
        *by_op.entry(job.op).or_default() += counts.lanes - before;
        bar.set_position(counts.lanes.min(args.lanes));
        seed = seed.saturating_add(1);
    }
    bar.finish_and_clear();
    say!("{:24} {:>12}", "operation", "lanes");
    for (op, lanes) in by_op {
        say!("{op:24} {lanes:>12}");
    }
    say!(
        "{} jobs executed, {} refused by both, {} declined; {} lanes: {} equal at coordinates within the rounding bound only, {} without a bound of the LOD or of a tap; {disagreements} disagreements (seeds {}..{seed})",
        counts.executed,
        counts.refused,
        counts.declined,
        counts.lanes,
        counts.nudged,
        counts.unconditioned,
        args.seed
    );
    Ok(disagreements == 0)
}
