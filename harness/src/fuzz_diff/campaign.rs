//! Runs a campaign: seeds in order, on several threads, until enough lanes are compared or enough disagree.

use super::accepted::Baseline;
use super::agreement::{Tally, labels};
use super::report::{Finding, Report};
use super::small;
use crate::compare::{Counts, Disagreement, Judged, compare, judge};
use crate::core_engine::CoreEngine;
use crate::devices;
use crate::engine::{Answer, Engine, Job};
use crate::external::External;
use crate::generators::job::Messages;
use crate::generators::plain;
use crate::generators::random::random;
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
    /// Messages in a row that share all of their state but parameters.
    #[serde(default = "one")]
    pub group: u64,
    /// Disagreements that are accepted.
    #[serde(default)]
    pub known: Baseline,
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

/// Jobs that a thread takes at a time.
const BLOCK: u64 = 1024;

const fn one() -> u64 {
    1
}

impl Settings {
    /// The job of a seed.
    ///
    /// # Errors
    /// The generator has no job for it.
    pub fn job(&self, seed: u64) -> Result<Job, String> {
        let mut jobs = self.jobs(seed..=seed)?;
        jobs.pop().map(|(_, job)| job).ok_or_else(|| format!("no job at seed {seed}"))
    }

    /// The jobs of seeds.
    ///
    /// # Errors
    /// The generator has no job for one.
    pub fn jobs(&self, seeds: impl IntoIterator<Item = u64>) -> Result<Vec<(u64, Job)>, String> {
        let mut messages: Option<(u64, Messages)> = None;
        let mut make = |seed: u64| {
            if self.plain {
                return plain::job(&mut Unstructured::new(&random(seed, 1 << 12)));
            }
            let group = self.group.max(1);
            let (state, number) = (seed / group, seed % group);
            match &messages {
                Some((of, messages)) if *of == state => messages.message(number),
                _ => messages.insert((state, Messages::of(state)?)).1.message(number),
            }
        };
        let made =
            |seed| make(seed).map(|job| (seed, job)).map_err(|why| format!("no job at seed {seed}: {why}"));
        seeds.into_iter().map(made).collect()
    }

    /// The seeds of block `number` of the shard, whole groups; none: past the last one.
    fn seeds_of(&self, number: u64, block: u64) -> Vec<u64> {
        let of = |inside: u64| {
            let group = self.group.max(1);
            let place = number.checked_mul(block)?.checked_add(inside)?;
            let (index, member) = (place / group, place % group);
            let index = index.checked_mul(self.shard.of)?.checked_add(self.shard.index - 1)?;
            let at = index.checked_mul(group)?.checked_add(member)?;
            if self.count.is_some_and(|count| at >= count) {
                return None;
            }
            self.seed.checked_add(at)
        };
        (0..block).map_while(of).collect()
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
        if self.group > 1 {
            command += &format!(" --group {}", self.group);
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
    /// The command is none, or the model cannot start.
    pub fn model(&self) -> Result<Option<Box<dyn Engine>>, String> {
        let Some(against) = &self.against else { return Ok(None) };
        if let Some(device) = devices::named(against) {
            return devices::open(device).map(Some);
        }
        let model = External::new(against)?;
        model.start()?;
        Ok(Some(Box::new(model)))
    }
}

/// Compares core and model with the emulator; `counts` are the model's if there is one, else the core's.
///
/// # Errors
/// The first disagreement.
pub fn check(job: &Job, model: Option<&dyn Engine>, counts: &mut Counts) -> Result<(), Box<Disagreement>> {
    let Some(model) = model else { return compare(job, &CoreEngine, counts) };
    core_beside(job, model)?;
    compare(job, model, counts)
}

/// Compares the core as well, beside a model. A device that has limits of its own is compared alone: the core has nothing to do with
/// them.
fn core_beside(job: &Job, model: &dyn Engine) -> Result<(), Box<Disagreement>> {
    match model.limits() {
        Some(_) => Ok(()),
        None => compare(job, &CoreEngine, &mut Counts::default()),
    }
}

/// What became of a job.
#[derive(Debug)]
pub struct Checked {
    /// Its seed; none for a job of a file.
    pub seed: Option<u64>,
    /// What it is.
    pub labels: [String; 5],
    /// What was compared.
    pub counts: Counts,
    /// Its lanes.
    pub tally: Tally,
    /// Why it was declined.
    pub declined: Option<String>,
    /// The disagreement, unless it is accepted.
    pub finding: Option<Box<Finding>>,
    /// The entry of the baseline that accepts its disagreement.
    pub accepted: Option<usize>,
}

/// Compares the answers of core or model to jobs with the emulator. `seeds`: one for each job, none for a job of a file.
pub fn check_all(
    settings: &Settings,
    seeds: &[Option<u64>],
    jobs: &[Job],
    model: Option<&dyn Engine>,
) -> Vec<Checked> {
    let engine = model.unwrap_or(&CoreEngine);
    let judged = Judged::of(engine);
    let answers = engine.execute_all(jobs);
    let missing = std::iter::repeat_with(|| Answer::Broken("no answer".to_owned()));
    let all = seeds.iter().zip(jobs).zip(answers.into_iter().chain(missing));
    all.map(|((seed, job), answer)| {
        let (mut counts, mut tally, mut declined) = (Counts::default(), Tally::compared(), None);
        if let Answer::Declined(why) = &answer {
            (tally, declined) = (Tally::declined(), Some(why.clone()));
        }
        let core = model.map_or(Ok(()), |model| core_beside(job, model));
        let found = core.and_then(|()| {
            judge(job, job, answer, &judged, &mut counts, |compared, got| tally.add(compared, got))
        });
        let labels = labels(job);
        let (mut finding, mut accepted) = (None, None);
        if let Err(why) = found {
            accepted = settings.known.accepts(job, &labels, why.kind);
            if accepted.is_none() {
                finding = Some(Box::new(Finding::of(settings, *seed, job, *why)));
            }
        }
        Checked { seed: *seed, labels, counts, tally, declined, finding, accepted }
    })
    .collect()
}

/// What the threads share.
struct Work<'a> {
    settings: &'a Settings,
    make: Make<'a>,
    /// Jobs that are executed in one go.
    block: u64,
    next: AtomicU64,
    stop: AtomicBool,
    /// A model that had more to say than there were jobs.
    broken: Mutex<Option<String>>,
}

/// Runs a campaign on so many threads. `progress` is told the lanes so far; once `stop` is set, the report is of those.
///
/// Jobs are counted in the order of their seeds, so that the report is the same for any number of threads.
///
/// # Errors
/// The model's command is none, it cannot start, or a seed has no job.
pub fn run(
    settings: &Settings,
    threads: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, String> {
    run_with(settings, &|| settings.model(), threads, stop, progress)
}

/// Makes an engine for a thread.
pub(super) type Make<'a> = &'a (dyn Fn() -> Result<Option<Box<dyn Engine>>, String> + Sync);

/// [`run`] with engines from elsewhere.
pub(super) fn run_with(
    settings: &Settings,
    make: Make<'_>,
    threads: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, String> {
    let first = make()?;
    let limits = first.as_ref().and_then(|model| model.limits());
    let engine = first.as_ref().and_then(|model| model.about());
    drop(first);
    // A device is given many jobs in one go; another process one after the other.
    let block = limits.map_or(1, |_| BLOCK.div_ceil(settings.group.max(1)) * settings.group.max(1));
    let mut report = Report::new(settings.clone());
    let finished = |report: &Report| stop.load(Ordering::Relaxed) || finished(settings, report);
    let work = Work {
        make,
        settings,
        block,
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        broken: Mutex::default(),
    };
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
        while !finished(&report) && end.is_ok() {
            let Ok(done) = results.recv() else { break };
            match done {
                Ok((number, block)) => drop(waiting.insert(number, block)),
                Err(why) => end = Err(why),
            }
            while let Some(block) = waiting.remove(&number) {
                number += 1;
                for done in block {
                    if !finished(&report) {
                        report.add(done);
                    }
                }
                progress(report.counts.lanes);
                if finished(&report) {
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
    report.engine = engine;
    small::make_small_on(threads, report.findings_mut(), make);
    report.conclude(limits);
    Ok(report)
}

fn finished(settings: &Settings, report: &Report) -> bool {
    report.counts.lanes >= settings.lanes_here() || report.disagreements >= settings.stop
}

/// A block of jobs, by its number; or why there is none.
type Block = Result<(u64, Vec<Checked>), String>;

fn worker(work: &Work<'_>, results: &SyncSender<Block>) {
    let model = match (work.make)() {
        Ok(model) => model,
        Err(why) => return drop(results.send(Err(why))),
    };
    compare_seeds(work, model.as_deref(), results);
    // Whoever counts may be done: what a model says after its last answer is no result of a job.
    if let Some(Err(why)) = model.map(|model| model.finish()) {
        *work.broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
    }
}

fn compare_seeds(work: &Work<'_>, model: Option<&dyn Engine>, results: &SyncSender<Block>) {
    while !work.stop.load(Ordering::Relaxed) {
        let number = work.next.fetch_add(1, Ordering::Relaxed);
        let seeds = work.settings.seeds_of(number, work.block);
        if seeds.is_empty() {
            return;
        }
        let jobs = work.settings.jobs(seeds);
        let block = jobs.map(|jobs| {
            let (seeds, jobs): (Vec<_>, Vec<_>) =
                jobs.into_iter().map(|(seed, job)| (Some(seed), job)).unzip();
            (number, check_all(work.settings, &seeds, &jobs, model))
        });
        let end = block.is_err();
        if results.send(block).is_err() || end {
            return;
        }
    }
}
