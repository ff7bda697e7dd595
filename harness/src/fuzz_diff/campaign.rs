//! Runs a campaign: seeds in order, on several threads, until enough lanes are compared or enough disagree.

use super::check::{Checked, check_all};
use super::report::Report;
use super::settings::{Make, Settings};
use super::small;
use crate::engine::Engine;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

/// Jobs that a thread takes at a time.
const BLOCK: u64 = 1024;

/// What the threads share.
struct Work<'a> {
    settings: &'a Settings,
    make: Make<'a>,
    /// Jobs that are executed in one go.
    block: u64,
    next: AtomicU64,
    /// Set by the caller when the campaign is to end.
    stop: &'a AtomicBool,
    /// Set when enough was counted.
    counted: AtomicBool,
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

/// [`run`] with engines that `make` makes, one for each thread.
///
/// # Errors
/// An engine cannot be made, or a seed has no job.
pub fn run_with(
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
        stop,
        counted: AtomicBool::new(false),
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
        work.counted.store(true, Ordering::Relaxed);
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
    while !work.stop.load(Ordering::Relaxed) && !work.counted.load(Ordering::Relaxed) {
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
