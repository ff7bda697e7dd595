//! A small trace with wide coverage: random jobs, chosen for the coverage that they add.

use super::job::seeded;
use super::random::random;
use super::surface::Random;
use super::txq;
use crate::core_engine::execute_on;
use crate::engine::{Job, Outcome, Region};
use crate::job_memory::JobMemory;
use crate::trace_file::TraceWriter;
use crate::trace_file::coverage::{self, Coverage, Feature, of_job};
use arbitrary::Unstructured;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use texwire::enums::SurfaceFormat;
use texwire::memory::{Access, Memory};
use texwire::state::SurfaceState;
use texwire::trace::replay::{Replay, Step};
use texwire::trace::{Decoder, MAX_FRAME, Record, StreamHeader, TxqRecord};
use texwire::{Platform, format};

/// The largest memory of a job in bytes, before the parts that it does not read are removed.
const MOST_MEMORY: usize = 64 << 10;
/// The granularity in bytes at which unread memory is removed.
const LINE: u64 = 16;
/// Lines at most this many bytes apart are kept as one run: a further record would cost about as much.
const GAP: u64 = 32;
/// The largest number of jobs that are tried to cover an operation with a family of formats.
const MOST_TRIES: usize = 400;
/// The largest number of separate runs of memory in a job.
pub const MOST_RUNS: usize = 12;
/// Jobs on surfaces with fewer texels are left out, as they test little.
const FEWEST_TEXELS: u32 = 12;
/// A wire on which jobs can be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum JobWire {
    Gen,
    Visa,
}

/// How to make a job: the seed of the generator, and a format that replaces the generated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Recipe {
    seed: u64,
    format: Option<u16>,
}

impl Recipe {
    fn job(self) -> Option<Job> {
        let mut job = seeded(self.seed).ok()?;
        if let Some(format) = self.format.map(SurfaceFormat) {
            let mut surface = SurfaceState { dwords: job.surface };
            surface.set_format(format);
            job.surface = surface.dwords;
            if format::info(format).is_some_and(|info| info.palette.is_some()) && job.palette.is_empty() {
                let mut entries = Random(self.seed);
                job.palette = (0..256).map(|_| entries.next() as u32).collect();
            }
        }
        Some(job)
    }
}

/// A job that may be chosen for the trace.
struct Candidate {
    /// The size of its records in bytes.
    cost: usize,
    recipe: Recipe,
    wire: JobWire,
    features: Vec<Feature>,
}

/// Records a job in a separate stream: state, message, writeback.
fn stream(job: &Job, outcome: &Outcome, wire: JobWire) -> io::Result<Vec<u8>> {
    let mut writer = TraceWriter::new(Vec::new());
    match wire {
        JobWire::Gen => writer.job(job, outcome)?,
        JobWire::Visa => writer.visa_job(job, outcome)?,
    }
    writer.finish()
}

/// Returns true if a replay of `stream` gives the recorded writebacks.
pub fn replays(stream: &[u8]) -> bool {
    let mut memory = vec![0; MOST_MEMORY * 2];
    let mut replay = Box::new(Replay::<16, 16>::new(&mut memory));
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let (mut rest, mut equal) = (stream, 0);
    while let Some(event) = decoder.feed(&mut rest) {
        match replay.event(&event) {
            Ok(Step::Compared(comparison)) if comparison.is_equal() => equal += 1,
            Ok(Step::State | Step::Note | Step::Executed(_)) => {}
            _ => return false,
        }
    }
    equal > 0
}

/// Returns the candidates of a job: one for each wire that can carry it.
fn candidates(recipe: Recipe) -> Vec<Candidate> {
    let Some(job) = recipe.job() else { return Vec::new() };
    let surface = SurfaceState { dwords: job.surface };
    let memory: usize = job.memory.iter().map(|region| region.bytes.len()).sum();
    if memory > MOST_MEMORY || surface.width() * surface.height() < FEWEST_TEXELS {
        return Vec::new();
    }
    let Some((job, outcome)) = trimmed(job) else { return Vec::new() };
    if job.lanes == 0 || outcome.faults == job.lanes {
        return Vec::new();
    }
    let memory = JobMemory::of(&job);
    let mut features = of_job(&job, &memory, !job.null_pages.is_empty());
    if outcome.faults != 0 {
        features.push(("message", "faults".to_owned()));
    }
    let wires =
        [(JobWire::Gen, "gen op"), (JobWire::Visa, "visa op")].into_iter().filter_map(|(wire, axis)| {
            let stream = stream(&job, &outcome, wire).ok().filter(|stream| replays(stream))?;
            let features = features.iter().cloned().chain([(axis, job.op.clone())]).collect();
            Some(Candidate { cost: stream.len(), recipe, wire, features })
        });
    wires.collect()
}

/// Chooses candidates from `jobs` random jobs of a seed: in the order of their cost, those that cover something new. For pairs of an
/// operation and a family of formats that are still missing, it then tries other formats in jobs of that operation.
fn choose(seed: u64, jobs: u64) -> Vec<Candidate> {
    let recipes = (0..jobs).map(|number| Recipe { seed: seed.wrapping_shl(32) | number, format: None });
    let mut all: Vec<_> = recipes.flat_map(candidates).collect();
    all.sort_by_key(|candidate| (candidate.cost, candidate.recipe, candidate.wire));
    let mut coverage = Coverage::default();
    let mut chosen = Vec::new();
    let mut take = |candidate: Candidate, coverage: &mut Coverage| {
        if candidate.features.iter().any(|feature| !coverage.has(feature)) {
            coverage.add(&candidate.features);
            chosen.push(candidate);
        }
    };
    let mut seeds: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for candidate in all {
        let op = candidate.features.iter().find(|(axis, _)| axis.ends_with("op"));
        let seeds = op.map(|(_, op)| seeds.entry(op.clone()).or_default());
        // No seed twice in a row: `candidates` makes one candidate for each wire anyway.
        seeds
            .filter(|seeds| seeds.last() != Some(&candidate.recipe.seed))
            .into_iter()
            .for_each(|seeds| seeds.push(candidate.recipe.seed));
        take(candidate, &mut coverage);
    }
    for pair in coverage::pairs().filter(|pair| !coverage.has(pair)).collect::<Vec<_>>() {
        let Some((op, family)) = pair.1.split_once(' ') else { continue };
        let formats: Vec<_> = coverage::codes()
            .filter(|code| coverage::family(*code) == Some(family))
            .map(|code| code.0)
            .collect();
        let seeds = seeds.get(op).into_iter().flatten().take(MOST_TRIES);
        let formats = formats.iter().cycle().map(|format| Some(*format));
        let tried = seeds.zip(formats).flat_map(|(&seed, format)| candidates(Recipe { seed, format }));
        let found = tried.into_iter().find(|candidate| candidate.features.contains(&pair));
        found.into_iter().for_each(|candidate| take(candidate, &mut coverage));
    }
    // Later candidates may cover everything that an earlier one covers: remove that one.
    for index in (0..chosen.len()).rev() {
        if chosen[index].features.iter().all(|(axis, value)| coverage.0[axis][value] > 1) {
            for (axis, value) in chosen.remove(index).features {
                *coverage.0.get_mut(axis).and_then(|values| values.get_mut(&value)).expect("counted") -= 1;
            }
        }
    }
    chosen.sort_by_key(|candidate| (candidate.wire, candidate.recipe));
    chosen
}

/// Memory that records which lines are read.
struct WatchedMemory<'a> {
    memory: JobMemory<'a>,
    lines: RefCell<BTreeSet<u64>>,
}

impl Memory for WatchedMemory<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let last = address.saturating_add(out.len().saturating_sub(1) as u64);
        self.lines.borrow_mut().extend(address / LINE..=last / LINE);
        self.memory.read(address, out)
    }
}

/// Returns a job with only the memory that it reads, and its result; `None` if the job is refused or reads too many separate runs.
fn trimmed(mut job: Job) -> Option<(Job, Outcome)> {
    let memory = JobMemory::of(&job);
    let watched = WatchedMemory { memory, lines: RefCell::default() };
    let outcome = execute_on(&job, &watched).ok()?;
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for line in watched.lines.into_inner() {
        let (start, end) = (line * LINE, line * LINE + LINE);
        match runs.last_mut() {
            Some(run) if start - run.1 <= GAP => run.1 = end,
            _ => runs.push((start, end)),
        }
    }
    if runs.len() > MOST_RUNS {
        return None;
    }
    let cut = |region: &Region| {
        let whole = region.address..region.address + region.bytes.len() as u64;
        let parts = runs.iter().map(|run| run.0.max(whole.start)..run.1.min(whole.end));
        let part = |part: Range<u64>| Region {
            bytes: region.bytes[(part.start - whole.start) as usize..(part.end - whole.start) as usize]
                .to_vec(),
            address: part.start,
        };
        parts.filter(|part| part.start < part.end).map(part).collect::<Vec<_>>()
    };
    job.memory = job.memory.iter().flat_map(cut).collect();
    Some((job, outcome))
}

/// Writes the trace. Each message is in a stream of its own with its state, so that no memory of another message is mapped.
///
/// # Errors
/// Those of the output; a job that does not execute again, in words.
pub fn write(out: &mut TraceWriter<impl io::Write>, seed: u64, jobs: u64) -> io::Result<()> {
    for candidate in choose(seed, jobs) {
        let broken = || io::Error::other(format!("{:?} does not execute again", candidate.recipe));
        let (job, outcome) = candidate.recipe.job().and_then(trimmed).ok_or_else(broken)?;
        out.restart()?;
        match candidate.wire {
            JobWire::Gen => out.job(&job, &outcome)?,
            JobWire::Visa => out.visa_job(&job, &outcome)?,
        }
    }
    queries(out, seed)
}

/// Writes an example of every TXQ query that has an answer: bound and bindless, with all lanes answered and with failed lanes.
fn queries(out: &mut TraceWriter<impl io::Write>, seed: u64) -> io::Result<()> {
    let mut seen = BTreeSet::new();
    for number in 0..4000 {
        let bytes = random(seed.wrapping_shl(32) | number, 1024);
        let Ok(warp) = txq::warp(&mut Unstructured::new(&bytes)) else { continue };
        let control = warp.txq.control().raw();
        let sources: Vec<u8> = warp.sources.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let query = Record::Txq(TxqRecord {
            warp: number as u32,
            active: warp.active,
            word: warp.txq.word(),
            control,
            sources: &sources,
        });
        let bytes = |header: &[u32; 8]| std::array::from_fn(|at| header[at / 4].to_le_bytes()[at % 4]);
        let headers: Vec<[u8; 32]> = warp.headers.iter().map(bytes).collect();
        let handle = warp.handle.unwrap_or_default().to_le_bytes();
        let header = Record::Header(StreamHeader::new(Platform::Maxwell, true, false));
        let state =
            (0..).zip(&headers).map(|(index, header)| Record::TexHeader { index, header, class: warp.class });
        let constant = Record::Constant { offset: u32::from(warp.txq.index()) * 4, bytes: &handle };
        let records: Vec<_> = [header].into_iter().chain(state).chain([constant, query]).collect();
        let Some((writeback, failed)) = answer(&records) else { continue };
        let distinct = writeback.chunks(4).any(|lane| lane.iter().any(|byte| *byte > 1));
        if !distinct || !seen.insert((warp.txq.query().raw(), warp.txq.bindless(), failed)) {
            continue;
        }
        out.restart()?;
        records.iter().try_for_each(|record| out.record(record))?;
        out.writeback(query.kind(), &writeback)?;
    }
    Ok(())
}

/// Returns the core's answer to the last record, and whether lanes failed.
fn answer(records: &[Record<'_>]) -> Option<(Vec<u8>, bool)> {
    let mut memory = vec![0; MOST_MEMORY];
    let mut replay = Box::new(Replay::<16, 16>::new(&mut memory));
    for record in records {
        if let Step::Executed(executed) = replay.record(record).ok()? {
            return Some((executed.writeback.to_vec(), executed.faults != 0));
        }
    }
    None
}
