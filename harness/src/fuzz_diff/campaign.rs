//! Runs a campaign: seeds in order, on several threads, until enough lanes are compared or enough disagree.

use super::report::{Finding, Report};
use crate::compare::{Counts, Disagreement, compare};
use crate::core_engine::CoreEngine;
use crate::engine::{Engine, Job};
use crate::external::External;
use crate::generators::job::seeded;
use crate::generators::kinds::random;
use crate::generators::plain;
use arbitrary::Unstructured;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

/// Part `index` of `of`, from 1: the seeds whose distance from the first one leaves that remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, 1 to `of`.
    pub index: u64,
    /// How many parts.
    pub of: u64,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, of: 1 }
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(format!("`{text}` is no shard (expected I/N with I from 1 to N)")),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// What a campaign compares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Only jobs that a young model does first.
    pub plain: bool,
    /// The command of a model that is compared too.
    pub against: Option<String>,
    /// The first seed.
    pub seed: u64,
    /// The part of the seeds.
    pub shard: Shard,
    /// Lanes to compare, in all shards together.
    pub lanes: u64,
    /// Jobs at most, in all shards together.
    pub count: Option<u64>,
    /// Disagreements at which it ends.
    pub stop: usize,
}

impl Settings {
    /// The job of a seed.
    ///
    /// # Errors
    /// The generator has no job for it.
    pub fn job(&self, seed: u64) -> Result<Job, String> {
        let made = match self.plain {
            true => plain::job(&mut Unstructured::new(&random(seed, 1 << 12))),
            false => seeded(seed),
        };
        made.map_err(|why| format!("no job at seed {seed}: {why}"))
    }

    /// Seed number `number` of the shard; `None`: past the last one.
    fn seed_of(&self, number: u64) -> Option<u64> {
        let at = number.checked_mul(self.shard.of)?.checked_add(self.shard.index - 1)?;
        if self.count.is_some_and(|count| at >= count) {
            return None;
        }
        self.seed.checked_add(at)
    }

    /// Lanes of this shard.
    fn lanes_here(&self) -> u64 {
        self.lanes.div_ceil(self.shard.of)
    }

    /// The command that repeats the job of a seed.
    pub fn command(&self, seed: u64) -> String {
        let mut command = "texwire fuzz-diff".to_owned();
        if self.plain {
            command += " --plain";
        }
        command += &self.against_option();
        format!("{command} --job {seed}")
    }

    /// ` --against 'COMMAND'`, quoted for a shell.
    pub fn against_option(&self) -> String {
        self.against
            .as_ref()
            .map_or(String::new(), |against| format!(" --against '{}'", against.replace('\'', r"'\''")))
    }

    /// A model of its own for a thread.
    ///
    /// # Errors
    /// The command is none.
    pub fn model(&self) -> Result<Option<External>, String> {
        self.against.as_deref().map(External::new).transpose()
    }
}

/// Compares core and model with the emulator; `counts` are the model's if there is one, else the core's.
///
/// # Errors
/// The first disagreement.
pub fn check(job: &Job, model: Option<&External>, counts: &mut Counts) -> Result<(), Box<Disagreement>> {
    let Some(model) = model else { return compare(job, &CoreEngine, counts) };
    compare(job, &CoreEngine, &mut Counts::default())?;
    compare(job, model, counts)
}

/// What became of a job.
struct Done {
    number: u64,
    seed: u64,
    op: String,
    counts: Counts,
    finding: Option<Box<Finding>>,
}

/// What the threads share.
struct Work<'a> {
    settings: &'a Settings,
    next: AtomicU64,
    stop: AtomicBool,
    /// A model that had more to say than there were jobs.
    broken: Mutex<Option<String>>,
}

/// Runs a campaign on so many threads. `progress` is told the lanes so far.
///
/// Jobs are counted in the order of their seeds, so that the report is the same for any number of threads.
///
/// # Errors
/// The model's command is none, it cannot start, or a seed has no job.
pub fn run(settings: &Settings, threads: usize, progress: &mut dyn FnMut(u64)) -> Result<Report, String> {
    if let Some(model) = settings.model()? {
        model.start()?;
    }
    let mut report = Report::new(settings.clone());
    let work =
        Work { settings, next: AtomicU64::new(0), stop: AtomicBool::new(false), broken: Mutex::default() };
    std::thread::scope(|scope| {
        // Bounded: threads do not run far ahead of the one that counts.
        let (sender, results) = sync_channel(threads * 64);
        for _ in 0..threads.max(1) {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || worker(work, &sender));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut number = 0;
        let mut end = Ok(());
        while !finished(settings, &report) && end.is_ok() {
            let Ok(done) = results.recv() else { break };
            match done {
                Ok(done) => drop(waiting.insert(done.number, done)),
                Err(why) => end = Err(why),
            }
            while let Some(done) = waiting.remove(&number) {
                number += 1;
                report.add(done.seed, &done.op, &done.counts, done.finding);
                progress(report.counts.lanes);
                if finished(settings, &report) {
                    break;
                }
            }
        }
        work.stop.store(true, Ordering::Relaxed);
        drop(results);
        end
    })?;
    if let Some(why) = work.broken.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(why);
    }
    report.group();
    Ok(report)
}

fn finished(settings: &Settings, report: &Report) -> bool {
    report.counts.lanes >= settings.lanes_here() || report.disagreements >= settings.stop
}

fn worker(work: &Work<'_>, results: &SyncSender<Result<Done, String>>) {
    let model = match work.settings.model() {
        Ok(model) => model,
        Err(why) => return drop(results.send(Err(why))),
    };
    compare_seeds(work, model.as_ref(), results);
    // Whoever counts may be done: what a model says after its last answer is no result of a job.
    if let Some(Err(why)) = model.map(|model| model.finish()) {
        *work.broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
    }
}

fn compare_seeds(work: &Work<'_>, model: Option<&External>, results: &SyncSender<Result<Done, String>>) {
    while !work.stop.load(Ordering::Relaxed) {
        let number = work.next.fetch_add(1, Ordering::Relaxed);
        let Some(seed) = work.settings.seed_of(number) else { return };
        let done = one(work.settings, number, seed, model, &work.stop);
        let end = done.is_err();
        if results.send(done).is_err() || end {
            return;
        }
    }
}

fn one(
    settings: &Settings,
    number: u64,
    seed: u64,
    model: Option<&External>,
    stop: &AtomicBool,
) -> Result<Done, String> {
    let job = settings.job(seed)?;
    let mut counts = Counts::default();
    let finding = match check(&job, model, &mut counts) {
        Ok(()) => None,
        // Nobody counts what comes after the end.
        Err(_) if stop.load(Ordering::Relaxed) => None,
        Err(why) => Some(Box::new(Finding::of(settings, Some(seed), &job, *why, model))),
    };
    Ok(Done { number, seed, op: job.op, counts, finding })
}
