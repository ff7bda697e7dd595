//! `texwire fuzz-diff`

use super::inputs::{self, CommandResult};
use crate::compare::words;
use crate::console::{Stdout, caution, complain, say};
use crate::devices;
use crate::engine::{Engine, Job};
use crate::fuzz_diff::{Baseline, Finding, Report, Settings, Shard, check_all, end, run as campaign};
use crate::interrupt::{INTERRUPTED, is_interrupted, on_interrupt};
use crate::output;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Compares core and emulator, or a model of yours and the emulator, on random jobs over the whole state space.
///
/// Every job has a seed; `--job SEED` repeats one, and files of jobs (one JSON object a line, - for standard input) are compared
/// instead of random ones. What equal means, and how lanes at a decision boundary are compared, is in the documentation of
/// `compare`. The report does not depend on --threads. Ctrl-C ends a campaign of random jobs with the report of what was
/// compared before (a second one ends it at once). Exit status 1: a disagreement, nothing was compared, or it was interrupted.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Lanes to compare, in all shards together
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    lanes: u64,
    /// Jobs to compare at most, in all shards together [default: as many as it takes for --lanes]
    #[arg(long, visible_alias = "count", value_parser = clap::value_parser!(u64).range(1..))]
    jobs: Option<u64>,
    /// Messages in a row that share their state and differ in their parameters [default: 1, of a Vulkan device 64]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=65536))]
    group: Option<u64>,
    /// Threads; each starts a model of its own [default: all cores]
    #[arg(short = 'j', long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Compare only part I of N of the seeds, I from 1 to N; `--merge` joins the reports
    #[arg(long, value_name = "I/N", default_value_t = Shard::default())]
    shard: Shard,
    /// Compare this model as well: a command that answers as `texwire serve` does, or a Vulkan device: vulkan[:INDEX|:NAME]
    #[arg(long, value_name = "COMMAND")]
    against: Option<String>,
    /// Known disagreements, which are counted but accepted: JSON as --write-baseline makes it
    #[arg(long, value_name = "JSON")]
    baseline: Option<PathBuf>,
    /// Writes a baseline that accepts what this campaign finds
    #[arg(long, value_name = "JSON")]
    write_baseline: Option<PathBuf>,
    /// Only jobs that a young model does first: see `generators::plain`
    #[arg(long)]
    plain: bool,
    /// The seed of the first job; those after it have the next ones, so campaigns from neighbouring seeds are nearly the same
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after so many disagreements
    #[arg(long, default_value_t = 10)]
    stop: usize,
    /// Run the job of one seed and print it as JSON, and in words on standard error
    #[arg(long, conflicts_with_all = ["inputs", "merge", "report"])]
    job: Option<u64>,
    /// The report as JSON
    #[arg(long)]
    json: bool,
    /// Writes a page with the disagreements to this HTML file
    #[arg(long, value_name = "HTML")]
    report: Option<PathBuf>,
    /// Join the JSON reports of shards, given as files, to one
    #[arg(long)]
    merge: bool,
    /// Jobs to compare, one JSON object a line; - is standard input. With --merge: reports
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,
}

impl Args {
    fn input_paths(&self) -> Vec<&Path> {
        self.inputs.iter().map(PathBuf::as_path).collect()
    }

    fn settings(&self) -> Result<Settings, Box<dyn std::error::Error>> {
        let device = self.against.as_deref().and_then(devices::named).is_some();
        let known = match &self.baseline {
            Some(path) => serde_json::from_slice(&inputs::read(path)?)
                .map_err(|why| format!("no baseline at {}: {why}", path.display()))?,
            None => Baseline::default(),
        };
        Ok(Settings {
            plain: self.plain,
            group: self.group.unwrap_or(if device { 64 } else { 1 }),
            known,
            against: self.against.clone(),
            seed: self.seed,
            shard: self.shard,
            lanes: self.lanes,
            count: self.jobs,
            stop: self.stop.max(1),
        })
    }
}

pub(super) fn run(args: &Args) -> CommandResult {
    let settings = args.settings()?;
    for path in args.report.iter().chain(&args.write_baseline) {
        super::report::check(path)?;
    }
    if let Some(seed) = args.job {
        return one(args, &settings, seed);
    }
    let report = match (args.merge, args.inputs.is_empty()) {
        (true, true) => return Err("no reports at --merge: name the JSON reports of the shards".into()),
        (true, false) => merged(&args.inputs)?,
        (false, false) => of_files(&args.inputs, &settings)?,
        (false, true) => random(args, &settings)?,
    };
    print(&report, args.json)?;
    // The report covers what was compared before an interrupt.
    let interrupted = is_interrupted();
    if interrupted {
        complain!("interrupted at fuzz-diff: {} lanes compared before", report.counts.lanes);
    }
    write_baseline(args, &report)?;
    if let Some(path) = &args.report {
        super::report::write(path, &args.input_paths(), &crate::report::campaign::page(&report))?;
    }
    if report.is_empty() && report.disagreements == 0 && !interrupted {
        complain!("nothing compared at fuzz-diff: {} jobs, all of them declined", report.jobs);
        return Ok(false);
    }
    Ok(report.disagreements == 0 && !interrupted)
}

/// Writes the baseline if there is to be one.
fn write_baseline(args: &Args, report: &Report) -> Result<(), Box<dyn std::error::Error>> {
    if let Some(path) = &args.write_baseline {
        let text = serde_json::to_string_pretty(&report.baseline())? + "\n";
        output::write(path, &args.input_paths(), text.as_bytes())?;
    }
    Ok(())
}

fn print(report: &Report, json: bool) -> std::io::Result<()> {
    match json {
        true => say!("{}", serde_json::to_string(report)?),
        false => write!(Stdout, "{report}")?,
    }
    Ok(())
}

fn random(args: &Args, settings: &Settings) -> Result<Report, Box<dyn std::error::Error>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or(cores, usize::from);
    let bar = ProgressBar::new(args.lanes.div_ceil(args.shard.of));
    bar.set_style(ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} lanes, {eta} left, {msg}")?);
    on_interrupt(|| ());
    let report = campaign(settings, threads, &INTERRUPTED, &mut |lanes| bar.set_position(lanes))?;
    bar.finish_and_clear();
    Ok(report)
}

/// Prints and compares the job of one seed. Returns whether all engines agree on it.
fn one(args: &Args, settings: &Settings, seed: u64) -> CommandResult {
    let job = settings.job(seed)?;
    let model = settings.model()?;
    say!("{}", serde_json::to_string(&job)?);
    let _ = write!(std::io::stderr(), "{}", words(&job));
    let mut report = Report::new(settings.clone());
    let from = JobOrigin { seed: Some(seed), place: None };
    compare(&mut report, &from, &job, model.as_deref());
    no_more_jobs(&mut report, &from, &job, model.as_deref());
    report.finish(model.as_deref());
    if report.disagreements > 0 || args.json {
        print(&report, args.json)?;
    }
    write_baseline(args, &report)?;
    Ok(report.disagreements == 0)
}

/// Where a job comes from: a seed, or a place in a file.
struct JobOrigin {
    seed: Option<u64>,
    place: Option<String>,
}

/// Compares a job and counts it.
fn compare(report: &mut Report, from: &JobOrigin, job: &Job, model: Option<&dyn Engine>) {
    for mut checked in check_all(&report.settings, &[from.seed], std::slice::from_ref(job), model) {
        if let Some(finding) = &mut checked.finding {
            finding.place.clone_from(&from.place);
        }
        report.add(checked);
    }
}

/// Adds a disagreement about the last job if the model answered it twice.
fn no_more_jobs(report: &mut Report, from: &JobOrigin, last: &Job, model: Option<&dyn Engine>) {
    if let Some(broken) = model.and_then(end) {
        let finding = Finding::of(&report.settings, from.seed, last, broken);
        report.add_finding(Finding { place: from.place.clone(), ..finding });
    }
}

/// Compares the jobs of files, one JSON object a line.
fn of_files(paths: &[PathBuf], settings: &Settings) -> Result<Report, Box<dyn std::error::Error>> {
    let model = settings.model()?;
    let mut report = Report::new(settings.clone());
    let mut last = None;
    'files: for path in paths {
        for line in inputs::lines(path)? {
            let (place, line) = line?;
            let job: Job = serde_json::from_str(&line).map_err(|why| format!("bad job at {place}: {why}"))?;
            let from = JobOrigin { seed: None, place: Some(place) };
            compare(&mut report, &from, &job, model.as_deref());
            last = Some((from, job));
            if report.disagreements >= settings.stop {
                break 'files;
            }
        }
    }
    let Some((from, job)) = &last else {
        return Err("nothing to compare: the files have no jobs".into());
    };
    no_more_jobs(&mut report, from, job, model.as_deref());
    report.finish(model.as_deref());
    Ok(report)
}

fn merged(paths: &[PathBuf]) -> Result<Report, Box<dyn std::error::Error>> {
    let read = |path: &PathBuf| -> Result<Report, Box<dyn std::error::Error>> {
        serde_json::from_slice(&inputs::read(path)?)
            .map_err(|why| format!("no report at {}: {why}", path.display()).into())
    };
    let reports = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let report = Report::merge(reports).map_err(|why| format!("cannot merge the reports: {why}"))?;
    let of = report.settings.shard.of;
    let missing = of.saturating_sub(report.shards.len() as u64);
    if missing > 0 {
        caution!("{missing} of {of} shards missing at --merge: this is not the whole campaign");
    }
    Ok(report)
}
