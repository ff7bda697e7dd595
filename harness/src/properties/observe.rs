//! Property: the observer of a lane reports what the lane does when it is executed.
//!
//! For any job, each active lane is observed ([`StateExecutor::footprint`]) and executed on memory that records its reads:
//!
//! * the recorded reads are those of the taps, in the order of first reads, with the same accesses;
//! * the lane faults or reads a null page if and only if a tap does;
//! * the texels of the taps, decoded by the emulator and weighted (compared, reduced) in f64, give the executed result: integers bit for
//!   bit, floats within 128 roundings of f32 of the largest texel in their component;
//! * the taps of a load are at the coordinates, slice and level that the emulator reads from the payload;
//! * LOD and levels: taps are on the levels that the LOD selects, the weights on the coarser level add up to the fraction, and the LOD
//!   operation returns what the observer reports.

use crate::core_engine::Call;
use crate::emulator::memory::LaneMemory;
use crate::emulator::numbers::{Texel, float};
use crate::emulator::sample::ops::OpWork;
use crate::emulator::sample::sampler::Reduction;
use crate::emulator::sample::{BoundJob as Oracle, half};
use crate::emulator::surface::SurfaceType;
use crate::engine::{ByteMemory, Job};
use crate::generators;
use crate::job_memory::JobMemory;
use texwire::Platform;
use texwire::device::{Footprint, MemoryRead, Recorder, StateExecutor, Tap, TapKind};
use texwire::memory::{Access, Memory};
use texwire::message::{Channels, Message, Op, Payload};
use texwire::state::{BorderColor, SamplerState, SurfaceState};

/// The largest number of taps of a lane.
const MOST_TAPS: usize = 128;
/// The largest number of reads of a lane: up to three for each tap.
const MOST_READS: usize = 400;
/// The roundings of a result and of the weights that it is compared by.
const ROUNDINGS: f64 = 128.0 / 16_777_216.0;

/// Counts of what was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObservationCounts {
    /// Jobs that were executed.
    pub jobs: u64,
    /// Jobs that execution and observer both refuse.
    pub refused: u64,
    /// Lanes that were compared.
    pub lanes: u64,
    /// Taps of those lanes.
    pub taps: u64,
    /// Reads that the recording memory saw.
    pub reads: u64,
    /// Lanes that fault or read a null page.
    pub holes: u64,
    /// Lanes at the corner of a cube with a comparison, minimum or maximum: it is applied to the mean of three texels, so that the result
    /// is not a weighted sum of texels. Only their reads, LOD and levels are compared.
    pub corners: u64,
}

/// Fuzz target `footprint`: any bytes are made into a job, whose lanes are observed.
pub fn footprint(data: &[u8]) {
    let Ok(job) = generators::job::of_bytes(data) else { return };
    if let Err(why) = observe(&job, &mut ObservationCounts::default()) {
        panic!("{why}\n{}", crate::compare::words(&job));
    }
}

/// Observes and executes each active lane of a job, and compares what the observer reports with what the lane does.
///
/// # Errors
/// The difference, in words.
pub fn observe(job: &Job, counts: &mut ObservationCounts) -> Result<(), String> {
    observe_on(job, &JobMemory::of(job), job, counts)
}

/// As [`observe`], with `memory`, which the core reads, and its `contents`, which the emulator reads.
///
/// # Errors
/// The difference, in words.
pub fn observe_on(
    job: &Job,
    memory: &impl Memory,
    contents: &dyn ByteMemory,
    counts: &mut ObservationCounts,
) -> Result<(), String> {
    if Platform::from_trace_code(job.platform).is_none() {
        return Ok(());
    }
    let call = Call::of(job)?;
    let (message, surface, payload) = (call.message, call.surface, call.payload()?);
    let mut core = call.executor::<2, 2>(job);
    let states = (call.sampler, call.border);
    let oracle = Oracle::of(job);
    for lane in (0..u32::from(job.simd)).filter(|lane| job.lanes >> lane & 1 == 1) {
        let recorder = Recorder::<_, MOST_READS>::new(memory);
        let alone = Message { lanes: 1 << lane, ..message };
        let mut out = [0xa5; 1024];
        let done = core.execute(&surface, Some(&states), &alone, &payload, &recorder, &mut out);
        let told = core.footprint::<MOST_TAPS, _>(&surface, Some(&states), &message, &payload, lane, memory);
        let (done, told) = match (done, told) {
            (Ok(done), Ok(told)) => (done, told),
            (Err(done), Err(told)) if done == told => {
                counts.refused += 1;
                return Ok(());
            }
            (done, told) => return Err(format!("lane {lane}: executed {done:?}, observed {told:?}")),
        };
        let Ok(Some(oracle)) = &oracle else { return Err("only the emulator refuses".into()) };
        let (reads, lost) = recorder.take();
        let case = Case { job, contents, oracle, told: &told, lane: lane as usize };
        let check = || {
            same_reads(&reads, lost, &told)?;
            case.same_accesses(done.faults != 0, done.null_lanes != 0)?;
            case.same_levels(surface.surface_min_lod())?;
            case.same_place(&surface)?;
            let got = values(&alone, &out, lane);
            if done.faults != 0 || case.has_corner() { Ok(()) } else { case.same_values(&got, &surface) }
        };
        check().map_err(|why: String| format!("lane {lane}: {why}\n{told:x?}"))?;
        case.same_lod(&mut core, (&surface, &states), &message, &payload)
            .map_err(|why| format!("lane {lane}: {why}\n{told:?}"))?;
        counts.lanes += 1;
        counts.taps += told.taps.len() as u64;
        counts.reads += reads.len() as u64;
        counts.holes += u64::from(done.faults | done.null_lanes != 0);
        counts.corners += u64::from(case.has_corner());
    }
    counts.jobs += 1;
    Ok(())
}

/// Returns the first occurrence of each read, in order.
fn firsts<'a>(reads: impl IntoIterator<Item = &'a MemoryRead>) -> Vec<MemoryRead> {
    let mut seen = std::collections::HashSet::new();
    reads.into_iter().filter(|read| seen.insert(**read)).copied().collect()
}

fn same_reads(reads: &[MemoryRead], lost: u32, told: &Footprint<MOST_TAPS>) -> Result<(), String> {
    let (saw, says) = (firsts(reads), firsts(told.taps.iter().flat_map(Tap::reads)));
    if lost != 0 || saw != says {
        return Err(format!("memory saw {saw:x?} and {lost} more, the observer says {says:x?}"));
    }
    Ok(())
}

/// Returns the bits of a lane's channels; `None` for those that are not returned.
fn values(message: &Message, out: &[u8], lane: u32) -> [Option<u32>; 4] {
    let response = message.response();
    let width = message.return_width.bytes();
    let gather = message.op.flags().gather;
    let mut position = 0;
    [0, 1, 2, 3].map(|channel: u8| {
        if !gather && message.channels.mask() >> channel & 1 == 0 {
            return None;
        }
        let at = position * usize::from(response.stride) + lane as usize * width;
        position += 1;
        let mut bytes = [0; 4];
        bytes[..width].copy_from_slice(&out[at..at + width]);
        Some(u32::from_le_bytes(bytes))
    })
}

/// A lane, and what the observer reports about it.
struct Case<'a> {
    job: &'a Job,
    contents: &'a dyn ByteMemory,
    oracle: &'a Oracle<'a>,
    told: &'a Footprint<MOST_TAPS>,
    lane: usize,
}

impl Case<'_> {
    fn same_accesses(&self, fault: bool, null: bool) -> Result<(), String> {
        let any = |access| self.told.taps.iter().any(|tap| tap.access() == access);
        let (faults, nulls) = (any(Access::Fault), any(Access::NullPage) && !any(Access::Fault));
        if (faults, nulls) != (fault, null) {
            return Err(format!("fault {fault}, null page {null}; the observer says {faults}, {nulls}"));
        }
        Ok(())
    }

    /// Returns true if the result is not a weighted sum: see [`ObservationCounts::corners`].
    fn has_corner(&self) -> bool {
        let plain = !self.oracle.op.compares() && self.oracle.sampler.reduction == Reduction::Standard;
        if plain || self.oracle.surface.kind != SurfaceType::Cube {
            return false;
        }
        let faces = |level| {
            let of = self.told.taps.iter().filter(|tap| tap.level == level);
            of.map(|tap| tap.slice).collect::<std::collections::BTreeSet<_>>().len()
        };
        self.told.lod.is_some_and(|lod| lod.levels.into_iter().any(|level| faces(level) == 3))
    }

    /// Checks that the taps of a load are at the texel that the payload names. (Elements of buffers have addresses, which are compared.)
    fn same_place(&self, state: &SurfaceState) -> Result<(), String> {
        let (surface, work) = (&self.oracle.surface, self.oracle.op.work);
        let is_load = matches!(work, OpWork::Load | OpWork::LoadSample | OpWork::LoadMcs);
        let has_rows = !matches!(surface.kind, SurfaceType::Buffer | SurfaceType::Strbuf | SurfaceType::Null);
        if !is_load || !has_rows {
            return Ok(());
        }
        let texel = self.oracle.in_range(self.lane);
        let want = texel.map(|(x, y, slice, level)| {
            let first = self.first_slice(state);
            [x, y, slice + u64::from(first), level + surface.base_level]
        });
        for tap in &self.told.taps {
            let told = [tap.x, tap.y, tap.slice, tap.level].map(u64::from);
            if want != Some(told) {
                return Err(format!("x, y, slice and level {told:?}, the payload has {want:?}"));
            }
        }
        Ok(())
    }

    /// Returns the slice of memory that the view's slices count from.
    fn first_slice(&self, state: &SurfaceState) -> u32 {
        if self.oracle.surface.kind == SurfaceType::D3 { 0 } else { state.min_array_element() }
    }

    /// Checks that texels are on the levels that the LOD selects, with weights by its fraction.
    fn same_levels(&self, base: u32) -> Result<(), String> {
        let Some(lod) = self.told.lod else { return Ok(()) };
        let [finer, coarser] = lod.levels;
        let reads = |level| level == finer && lod.fraction < 1.0 || level == coarser && lod.fraction > 0.0;
        if let Some(tap) = self.told.taps.iter().find(|tap| !reads(tap.level)) {
            return Err(format!("a texel of level {} with {lod:?}", tap.level));
        }
        let end = base + self.oracle.surface.levels as u32;
        if finer < base || coarser < finer || coarser >= end || coarser > finer + 1 {
            return Err(format!("levels {base}..{end} with {lod:?}"));
        }
        if !(0.0..=1.0).contains(&lod.fraction) || lod.samples == 0 || lod.samples > 16 {
            return Err(format!("{lod:?}"));
        }
        let weights = |level| -> f64 {
            let of = self.told.taps.iter().filter(|tap| tap.level == level);
            of.map(|tap| f64::from(tap.weight)).sum()
        };
        let coarse = if coarser == finer { 0.0 } else { weights(coarser) };
        let filtered = self.oracle.op.work == OpWork::Sample && self.told.border == [0.0; 4];
        let apart = coarser != finer && lod.fraction > 0.0;
        if filtered && apart && (coarse - f64::from(lod.fraction)).abs() > 1e-5 {
            return Err(format!("level {coarser} weighs {coarse}, with {lod:?}"));
        }
        let whole = weights(finer) + coarse;
        if filtered && !self.told.taps.is_empty() && (whole - 1.0).abs() > 1e-5 {
            return Err(format!("texels weigh {whole}"));
        }
        Ok(())
    }

    /// Checks that the LOD operation returns the LODs that the observer reports.
    fn same_lod(
        &self,
        core: &mut StateExecutor<'_, 2, 2>,
        (surface, states): (&SurfaceState, &(SamplerState, BorderColor)),
        message: &Message,
        payload: &Payload<'_>,
    ) -> Result<(), String> {
        let comparable =
            matches!(message.op, Op::Sample | Op::SampleKillpix | Op::Lod) && message.params <= 4;
        let Some(lod) = self.told.lod.filter(|_| comparable) else { return Ok(()) };
        let query = Message {
            op: Op::Lod,
            lanes: 1 << self.lane,
            return_width: texwire::message::Width::Full,
            channels: Channels::new(3),
            null_mask: false,
            kill_mask: false,
            offsets: [0; 3],
            ..*message
        };
        let mut out = [0; 256];
        let memory = JobMemory { mapped: &[], null: &[] };
        core.execute(surface, Some(states), &query, payload, &memory, &mut out)
            .map_err(|why| why.to_string())?;
        let got = values(&query, &out, self.lane as u32);
        let told =
            [lod.clamped, lod.lod].map(|lod| Some(if lod.is_nan() { 0x7fc0_0000 } else { lod.to_bits() }));
        if got[..2] != told {
            return Err(format!("the LOD operation returns {got:x?}, the observer says {told:x?}"));
        }
        Ok(())
    }

    /// Returns the texel of a tap, as the emulator decodes it.
    fn texel(&self, tap: &Tap, memory: &LaneMemory<'_>, state: &SurfaceState) -> Texel {
        let surface = &self.oracle.surface;
        let format = surface.format.as_ref().expect("a format");
        if tap.kind == TapKind::ClearColor {
            return self.oracle.clear(memory);
        }
        if matches!(surface.kind, SurfaceType::Buffer | SurfaceType::Strbuf) {
            let (addresses, x) = surface.buffer_element(tap.x.into());
            let bytes = memory.read(&addresses);
            let outside = format.with_defaults([0.0; 4]);
            return bytes.map_or(outside, |bytes| format.decode(&bytes, x, 0, &self.job.palette, false));
        }
        let level = u64::from(tap.level) - surface.base_level;
        let slice = u64::from(tap.slice - self.first_slice(state));
        let (x, y, slice) = if surface.samples > 1 {
            surface.sample(slice, tap.sample.into(), tap.x.into(), tap.y.into())
        } else {
            (tap.x.into(), tap.y.into(), slice)
        };
        self.oracle.texel(memory, level, slice, x, y, self.oracle.sampler.skip_srgb)
    }

    /// Checks that the weighted texels give the result.
    fn same_values(&self, got: &[Option<u32>; 4], state: &SurfaceState) -> Result<(), String> {
        let op = &self.oracle.op;
        if matches!(op.work, OpWork::Lod | OpWork::Resinfo | OpWork::Sampleinfo) {
            return Ok(());
        }
        if op.uses_sampler() && self.oracle.sampler.disable || self.oracle.surface.kind == SurfaceType::Null {
            return if self.told.taps.is_empty() { Ok(()) } else { Err("texels of nothing".into()) };
        }
        if op.work == OpWork::LoadMcs {
            return self.same_control(got);
        }
        let want = self.expected(state);
        if want.equals(got, self.job.half_return) {
            return Ok(());
        }
        Err(format!("the result is {got:x?}, the weighted texels give {want:x?}"))
    }

    /// Checks that the result is the element of the control surface.
    fn same_control(&self, got: &[Option<u32>; 4]) -> Result<(), String> {
        let memory = LaneMemory::new(self.contents);
        let Some(tap) = self.told.taps.first() else { return Ok(()) };
        let read = tap.reads()[0];
        let addresses: Vec<u64> = (0..u64::from(read.len)).map(|at| read.address + at).collect();
        let bytes = memory.read(&addresses).unwrap_or_default();
        let value = bytes.iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        let want = if self.job.half_return {
            [0, 16, 32, 48].map(|shift| (value >> shift) as u32 & 0xffff)
        } else {
            [value as u32, (value >> 32) as u32, 0, 0]
        };
        let same = got.iter().zip(want).all(|(got, want)| got.is_none_or(|got| got == want));
        if same { Ok(()) } else { Err(format!("ld_mcs returns {got:x?}, memory holds {want:x?}")) }
    }

    fn expected(&self, state: &SurfaceState) -> Expected {
        let oracle = self.oracle;
        let format = oracle.surface.format.as_ref().expect("a format");
        let memory = LaneMemory::new(self.contents);
        let counted = |texel| oracle.counted(texel, self.lane);
        let texels: Vec<(Texel, &Tap)> =
            self.told.taps.iter().map(|tap| (counted(self.texel(tap, &memory, state)), tap)).collect();
        let border = counted(oracle.border());
        let loads = matches!(oracle.op.work, OpWork::Load | OpWork::LoadSample);
        if loads && texels.is_empty() {
            return Expected {
                bits: oracle.channels(format.with_defaults([0.0; 4])),
                tolerance: [0.0; 4],
                infinite: false,
            };
        }
        let all = texels.iter().map(|(texel, _)| texel).chain([&border]);
        let infinite = !format.integer && all.clone().flatten().any(|c| !c.is_finite());
        // Nothing is computed from two components.
        let bound =
            |largest: f64| if format.integer { 0.0 } else { largest * ROUNDINGS + 128.0 * 2_f64.powi(-150) };
        let largest: Texel = std::array::from_fn(|c| {
            let of = all.clone().map(|texel| texel[c]).filter(|value| value.is_finite());
            of.fold(0.0, |most: f64, value| most.max(value.abs()))
        });
        let mean = |channel: u8, value: &dyn Fn(&Texel) -> f64| -> f64 {
            let of = texels.iter().filter(|(_, tap)| tap.channel == channel);
            let weight = self.told.border[usize::from(channel)];
            if format.integer {
                return integer(
                    of.map(|(texel, tap)| (value(texel), tap.weight)),
                    (value(&border), weight),
                    format.signed,
                );
            }
            let sum: f64 = of.map(|(texel, tap)| value(texel) * f64::from(tap.weight)).sum();
            if weight == 0.0 { sum } else { sum + value(&border) * f64::from(weight) }
        };
        let bits = |value: f64| if format.integer { value as u32 } else { (value as f32).to_bits() };
        if oracle.op.work == OpWork::Gather {
            let bits = [0, 1, 2, 3].map(|channel| bits(mean(channel, &|texel| oracle.gathered(*texel))));
            return Expected { bits, tolerance: [bound(oracle.gathered(largest)); 4], infinite };
        }
        let reduction = if oracle.op.compares() || format.integer {
            Reduction::Standard
        } else {
            oracle.sampler.reduction
        };
        let extreme = |c: usize, pick: fn(f64, f64) -> f64| {
            let weighed = texels.iter().filter(|(_, tap)| tap.weight != 0.0).map(|(texel, _)| texel[c]);
            let border = Some(border[c]).filter(|_| self.told.border[0] != 0.0);
            weighed.chain(border).fold(f64::NAN, pick)
        };
        let value: Texel = std::array::from_fn(|c| match reduction {
            Reduction::Standard => mean(0, &|texel| texel[c]),
            Reduction::Minimum => extreme(c, f64::min),
            Reduction::Maximum => extreme(c, f64::max),
        });
        let value = if oracle.op.compares() { [value[0], 0.0, 0.0, 1.0] } else { value };
        let tolerance = oracle.tolerances(largest.map(bound));
        Expected { bits: oracle.channels(value), tolerance, infinite }
    }
}

/// Returns the sum of integers, whose weights are multiples of a third: at the corner of a cube the sum of three texels over 3, rounded
/// toward zero.
fn integer(texels: impl Iterator<Item = (f64, f32)>, border: (f64, f32), signed: bool) -> f64 {
    let number = |value: f64| if signed { i64::from(value as u32 as i32) } else { value as i64 };
    let sum: i64 =
        texels.chain([border]).map(|(value, weight)| number(value) * (weight * 3.0).round() as i64).sum();
    f64::from((sum / 3) as u32)
}

/// An expected result: 32 bits each for R, G, B, A, and the allowed deviation of floats in each.
#[derive(Debug)]
struct Expected {
    bits: [u32; 4],
    tolerance: [f64; 4],
    /// A texel is infinite or NaN. If it is in a footprint twice, once with weight 0, the result is NaN.
    infinite: bool,
}

impl Expected {
    fn equals(&self, got: &[Option<u32>; 4], half_return: bool) -> bool {
        let channels = got.iter().zip(self.bits).zip(self.tolerance);
        channels
            .filter_map(|((got, bits), tolerance)| Some((got.as_ref()?, bits, tolerance)))
            .all(|(got, bits, tolerance)| self.equal(*got, bits, tolerance, half_return))
    }

    fn equal(&self, got: u32, bits: u32, tolerance: f64, half_return: bool) -> bool {
        let exact = f64::from(f32::from_bits(bits));
        if tolerance == 0.0 {
            let halves = half_return && (bits & 0xffff == got || u32::from(half(exact)) == got);
            return bits == got || halves;
        }
        let end = |x: f64| if half_return { float(u32::from(half(x)), true) } else { f64::from(x as f32) };
        let got = float(got, half_return);
        if exact.is_nan() || got.is_nan() && self.infinite {
            return got.is_nan();
        }
        end(exact - tolerance) <= got && got <= end(exact + tolerance)
    }
}
