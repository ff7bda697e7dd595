//! Runs a campaign: seeds in order, on several threads, until enough lanes are compared or enough of them disagree.

use super::check::{CheckedJob, check_all, end};
use super::finding::Finding;
use super::report::Report;
use super::settings::{MakeEngine, Settings};
use super::small;
use crate::compare::Disagreement;
use crate::engine::Engine;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

/// Jobs that a thread takes at a time if the engine is a device (rounded up to whole groups).
const BLOCK: u64 = 1024;

/// What the worker threads share.
struct Campaign<'a> {
    settings: &'a Settings,
    make: MakeEngine<'a>,
    /// Jobs that a worker executes in one call.
    block: u64,
    next: AtomicU64,
    /// Set by the caller to end the campaign.
    stop: &'a AtomicBool,
    /// Set when the report has enough lanes or disagreements.
    counted: AtomicBool,
    /// The disagreement about the last job of a model that answered it twice, and the seed of that job.
    broken: Mutex<Option<(u64, Disagreement)>>,
}

impl Campaign<'_> {
    /// Returns whether the campaign ends: the caller ends it, or the report has enough lanes or disagreements.
    fn finished(&self, report: &Report) -> bool {
        self.stop.load(Ordering::Relaxed)
            || report.counts.lanes >= self.settings.lanes_here()
            || report.disagreements >= self.settings.stop
    }
}

/// Runs a campaign on `threads` threads. `progress` gets the number of lanes compared so far. When `stop` is set, the campaign ends, and
/// the report covers what was compared until then.
///
/// Jobs are added to the report in the order of their seeds, so that the report is the same for any number of threads.
///
/// # Errors
/// The model's command is invalid, the model cannot start, or the generator has no job for a seed.
pub fn run(
    settings: &Settings,
    threads: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, String> {
    run_with(settings, &|| settings.model(), threads, stop, progress)
}

/// As [`run`], with engines made by `make`, one for each thread.
///
/// # Errors
/// An engine cannot be made, or the generator has no job for a seed.
pub fn run_with(
    settings: &Settings,
    make: MakeEngine<'_>,
    threads: usize,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<Report, String> {
    let first = make()?;
    let limits = first.as_ref().and_then(|model| model.limits());
    let engine = first.as_ref().and_then(|model| model.about());
    drop(first);
    // A device gets many jobs in one call; another process gets one after the other.
    let block = limits.map_or(1, |_| BLOCK.div_ceil(settings.group.max(1)) * settings.group.max(1));
    let mut report = Report::new(settings.clone());
    let campaign = Campaign {
        make,
        settings,
        block,
        next: AtomicU64::new(0),
        stop,
        counted: AtomicBool::new(false),
        broken: Mutex::default(),
    };
    std::thread::scope(|scope| {
        // The channel is bounded, so that the workers do not run far ahead of the thread that fills the report.
        let (sender, results) = sync_channel(threads * 64);
        for _ in 0..threads.max(1) {
            let (campaign, sender) = (&campaign, sender.clone());
            scope.spawn(move || worker(campaign, &sender));
        }
        drop(sender);
        let end = collect(&campaign, &results, &mut report, progress);
        campaign.counted.store(true, Ordering::Relaxed);
        drop(results);
        end
    })?;
    if let Some((seed, broken)) = campaign.broken.into_inner().unwrap_or_else(PoisonError::into_inner) {
        report.add_finding(Finding::of(settings, Some(seed), &settings.job(seed)?, broken));
    }
    report.engine = engine;
    small::make_small_on(threads, report.findings_mut(), make);
    report.conclude(limits);
    Ok(report)
}

/// Fills the report with blocks of compared jobs in the order of their numbers, until it has enough or no worker is left.
///
/// # Errors
/// That of a worker.
fn collect(
    campaign: &Campaign<'_>,
    results: &Receiver<JobBlock>,
    report: &mut Report,
    progress: &mut dyn FnMut(u64),
) -> Result<(), String> {
    // Blocks that came before one with a smaller number.
    let mut waiting = BTreeMap::new();
    let mut number = 0;
    while !campaign.finished(report) {
        let Ok(done) = results.recv() else { break };
        let (done_number, block) = done?;
        waiting.insert(done_number, block);
        while let Some(block) = waiting.remove(&number) {
            number += 1;
            for done in block {
                if !campaign.finished(report) {
                    report.add(done);
                }
            }
            progress(report.counts.lanes);
            if campaign.finished(report) {
                break;
            }
        }
    }
    Ok(())
}

/// A block of compared jobs with its number, or the error that ended the worker.
type JobBlock = Result<(u64, Vec<CheckedJob>), String>;

fn worker(campaign: &Campaign<'_>, results: &SyncSender<JobBlock>) {
    let model = match (campaign.make)() {
        Ok(model) => model,
        Err(why) => return drop(results.send(Err(why))),
    };
    let last = compare_seeds(campaign, model.as_deref(), results);
    // The last job is compared already, and maybe sent: what the model adds to its answer is kept elsewhere.
    if let (Some(seed), Some(broken)) = (last, model.and_then(|model| end(&*model))) {
        *campaign.broken.lock().unwrap_or_else(PoisonError::into_inner) = Some((seed, broken));
    }
}

/// Compares blocks of seeds until there are enough. Returns the last seed.
fn compare_seeds(
    campaign: &Campaign<'_>,
    model: Option<&dyn Engine>,
    results: &SyncSender<JobBlock>,
) -> Option<u64> {
    let mut last = None;
    while !campaign.stop.load(Ordering::Relaxed) && !campaign.counted.load(Ordering::Relaxed) {
        let number = campaign.next.fetch_add(1, Ordering::Relaxed);
        let seeds = campaign.settings.seeds_of(number, campaign.block);
        if seeds.is_empty() {
            break;
        }
        last = seeds.last().copied();
        let jobs = campaign.settings.jobs(seeds);
        let block = jobs.map(|jobs| {
            let (seeds, jobs): (Vec<_>, Vec<_>) =
                jobs.into_iter().map(|(seed, job)| (Some(seed), job)).unzip();
            (number, check_all(campaign.settings, &seeds, &jobs, model))
        });
        let end = block.is_err();
        if results.send(block).is_err() || end {
            break;
        }
    }
    last
}
