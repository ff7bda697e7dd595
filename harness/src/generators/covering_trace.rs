//! A small trace that covers much: random jobs, chosen for what they add.

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

/// Memory of a job at most, before what it does not read is left out.
const MOST_MEMORY: usize = 64 << 10;
/// Memory is kept in lines of so many bytes.
const LINE: u64 = 16;
/// Lines closer together than this are one run: a record more costs about as much.
const GAP: u64 = 32;
/// Jobs that are tried with a format for an operation.
const MOST_TRIES: usize = 400;
/// Separate runs of a job at most.
pub const MOST_RUNS: usize = 12;
/// Surfaces with fewer texels in a level have little to say.
const FEWEST_TEXELS: u32 = 12;
/// A wire that carries jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wire {
    Gen,
    Visa,
}

/// What a job is made from: the generator's seed, and another format than it gave the surface.
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

/// A job that could be in the trace.
struct Candidate {
    /// Bytes of its records.
    cost: usize,
    recipe: Recipe,
    wire: Wire,
    features: Vec<Feature>,
}

/// A job as a stream of its own: state, message, writeback.
fn stream(job: &Job, outcome: &Outcome, wire: Wire) -> io::Result<Vec<u8>> {
    let mut writer = TraceWriter::new(Vec::new());
    match wire {
        Wire::Gen => writer.job(job, outcome)?,
        Wire::Visa => writer.visa_job(job, outcome)?,
    }
    writer.finish()
}

/// A replay of `stream` gives the recorded writebacks.
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

/// The candidates of a job, one for each wire that says it.
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
    let wires = [(Wire::Gen, "gen op"), (Wire::Visa, "visa op")].into_iter().filter_map(|(wire, axis)| {
        let stream = stream(&job, &outcome, wire).ok().filter(|stream| replays(stream))?;
        let features = features.iter().cloned().chain([(axis, job.op.clone())]).collect();
        Some(Candidate { cost: stream.len(), recipe, wire, features })
    });
    wires.collect()
}

/// Of `jobs` random jobs from `seed` on, the cheapest first, those that touch something that none before did;
/// then other formats in such jobs for the operations that have not met a family.
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
        // Each wire has its turn in `candidates`.
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
    // What came later may have made an early choice needless.
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

/// Memory that remembers what was read of it.
struct Watched<'a> {
    memory: JobMemory<'a>,
    lines: RefCell<BTreeSet<u64>>,
}

impl Memory for Watched<'_> {
    fn read(&self, address: u64, out: &mut [u8]) -> Access {
        let last = address.saturating_add(out.len().saturating_sub(1) as u64);
        self.lines.borrow_mut().extend(address / LINE..=last / LINE);
        self.memory.read(address, out)
    }
}

/// A job with only the memory that it reads, and its result; `None` when it is refused.
fn trimmed(mut job: Job) -> Option<(Job, Outcome)> {
    let memory = JobMemory::of(&job);
    let watched = Watched { memory, lines: RefCell::default() };
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

/// Writes the trace: each message with its state is a stream of its own, so that no other's memory is in its way.
///
/// # Errors
/// The output's; in words what does not replay.
pub fn write(out: &mut TraceWriter<impl io::Write>, seed: u64, jobs: u64) -> io::Result<()> {
    for candidate in choose(seed, jobs) {
        let broken = || io::Error::other(format!("{:?} does not execute again", candidate.recipe));
        let (job, outcome) = candidate.recipe.job().and_then(trimmed).ok_or_else(broken)?;
        out.restart()?;
        match candidate.wire {
            Wire::Gen => out.job(&job, &outcome)?,
            Wire::Visa => out.visa_job(&job, &outcome)?,
        }
    }
    queries(out, seed)
}

/// Every TXQ query that has an answer, bound and bindless, with all lanes answered and with some failed.
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

/// What the core answers to the last record, and whether lanes failed.
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
