//! One lane of a job: coordinates, LOD, and the texels and weights of both sides.
//!
//! The emulator records what it reads. An engine is only known from the outside: memory is removed part by part, and if the lane then
//! faults, the engine reads that part; an element is set to 0, and the change of the result shows its weight.

use crate::compare::parameters;
use crate::emulator::memory::TexelUse;
use crate::emulator::sample::BoundJob;
use crate::emulator::sample::nudge::Nudge;
use crate::emulator::sample::ops::{LodSource, OpWork};
use crate::engine::{Engine, Job, Region};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The parameters of a lane and the texels that it reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LaneReport {
    /// The lane's parameters by name.
    pub parameters: Vec<(String, String)>,
    /// LOD and levels as the emulator computes them, one line each.
    pub lod: Vec<String>,
    /// The texels that the emulator reads.
    pub texels: Vec<EmulatorTexel>,
    /// The elements that the engine reads; `None`: unknown.
    pub engine_texels: Option<Vec<EngineTexel>>,
}

/// A texel of the emulator's footprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmulatorTexel {
    /// Where it is: `level 1, slice 0, (12, 3)`, or `border`.
    pub place: String,
    /// The address of its element; `None` for the border.
    pub address: Option<u64>,
    /// R, G, B, A, as text.
    pub value: Vec<String>,
    /// Its weight in the result.
    #[serde(with = "crate::compare::numbers")]
    pub weight: f64,
}

/// An element that the engine reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineTexel {
    /// The texel, if the emulator knows a texel at this address.
    pub place: Option<String>,
    /// The address of the element; of its first byte that is read, if no texel is known there.
    pub address: u64,
    /// The weight in the result; `None` if setting the element to 0 does not show it.
    pub weight: Option<f64>,
}

/// The largest number of jobs that are executed to find out what an engine reads.
const MAX_PROBES: usize = 2000;
/// The largest footprint in elements: 16 taps on two levels with eight texels each.
const MAX_ELEMENTS: usize = 256;
/// The largest number of texels of a surface whose addresses are listed.
const MAX_PLACES: u64 = 1 << 18;

/// Returns what the emulator knows about a lane, without the engine.
pub(super) fn known_lane(job: &Job, lane: usize) -> LaneReport {
    let Ok(Some(bound)) = BoundJob::of(job) else { return LaneReport::default() };
    report(&bound, job, lane, |_| None)
}

/// Returns everything that can be found out about a lane.
pub fn lane(job: &Job, lane: usize, engine: &dyn Engine) -> LaneReport {
    // The memory of a device cannot be removed in part: it declines surfaces that are not mapped as a whole.
    if engine.limits().is_some() {
        return known_lane(job, lane);
    }
    let Ok(Some(bound)) = BoundJob::of(job) else { return LaneReport::default() };
    report(&bound, job, lane, |uses| Probe::new(job, lane, engine, &bound, uses).elements())
}

/// Makes a report; `probe` finds the elements that the engine reads, given the texels that the emulator reads.
fn report(
    bound: &BoundJob<'_>,
    job: &Job,
    lane: usize,
    probe: impl FnOnce(&[TexelUse]) -> Option<Vec<EngineTexel>>,
) -> LaneReport {
    let (_, uses) = bound.traced(lane, &Nudge::default());
    let pick = |(name, lanes): (String, Vec<String>)| Some((name, lanes.get(lane)?.clone()));
    LaneReport {
        parameters: parameters(job).into_iter().filter_map(pick).collect(),
        lod: lod(bound, lane),
        texels: uses.iter().map(|one| texel(bound, one)).collect(),
        engine_texels: probe(&uses),
    }
}

fn place(bound: &BoundJob<'_>, level: u64, slice: u64, x: u64, y: u64) -> String {
    let base = bound.surface.base_level;
    let view = if base > 0 { format!(" ({} of the surface)", level + base) } else { String::new() };
    format!("level {level}{view}, slice {slice}, ({x}, {y})")
}

fn texel(bound: &BoundJob<'_>, one: &TexelUse) -> EmulatorTexel {
    let signed = bound.surface.format.as_ref().is_some_and(|f| f.signed);
    let shown = |value: &f64| match (bound.surface.is_integer(), signed) {
        (true, true) => (*value as u32 as i32).to_string(),
        (true, false) => (*value as u32).to_string(),
        (false, _) => format!("{value}"),
    };
    EmulatorTexel {
        place: one.address.map_or("border".to_owned(), |_| place(bound, one.level, one.slice, one.x, one.y)),
        address: one.address,
        value: one.value.iter().map(shown).collect(),
        weight: one.weight,
    }
}

/// Returns LOD and levels in words.
fn lod(bound: &BoundJob<'_>, lane: usize) -> Vec<String> {
    if !matches!(bound.op.work, OpWork::Sample | OpWork::Gather | OpWork::Lod)
        || bound.surface.format.is_none()
    {
        return Vec::new();
    }
    let footprint = bound.lambda(lane, &Nudge::default());
    let selection = bound.selection(lane, &footprint, &Nudge::default());
    let from = match bound.op.lod {
        LodSource::Base => "the first level",
        LodSource::Zero => "zero",
        LodSource::Explicit => "the message",
        LodSource::Gradients => "the message's gradients",
        LodSource::Quad => "the subspan's derivatives",
    };
    let mut lines =
        vec![format!("lambda {} from {from} (f32 may be {:.1e} off)", footprint.lambda, footprint.bound)];
    let filter = bound.filter(selection.mag);
    let kind = if selection.mag { "magnified" } else { "minified" };
    lines.push(format!(
        "LOD with biases {}, clamped {}: {kind}, filter {}",
        selection.unclamped,
        selection.clamped,
        format!("{filter:?}").to_uppercase()
    ));
    if footprint.taps > 1 {
        lines.push(format!("{} probes along {:?}", footprint.taps, footprint.major));
    }
    let levels = selection.levels.iter().map(|(level, weight)| format!("level {level} with weight {weight}"));
    lines.push(levels.collect::<Vec<_>>().join(", "));
    lines
}

/// Finds the elements that an engine reads for a lane.
struct Probe<'a> {
    job: Job,
    lane: usize,
    engine: &'a dyn Engine,
    bound: &'a BoundJob<'a>,
    uses: &'a [TexelUse],
    left: usize,
}

impl<'a> Probe<'a> {
    fn new(
        job: &Job,
        lane: usize,
        engine: &'a dyn Engine,
        bound: &'a BoundJob<'a>,
        uses: &'a [TexelUse],
    ) -> Self {
        // Only this lane executes; the other lanes keep their coordinates for the derivatives.
        let job = Job { lanes: 1 << lane, ..job.clone() };
        Self { job, lane, engine, bound, uses, left: MAX_PROBES }
    }

    /// Returns the elements that the engine reads; `None` if it does not execute the job, or if the lane faults even with all memory.
    fn elements(&mut self) -> Option<Vec<EngineTexel>> {
        if self.faults(&self.job.clone())? || self.bound.surface.format.is_none() {
            return None;
        }
        let ends: Vec<(u64, u64)> =
            self.job.memory.iter().map(|region| (region.address, region.end())).collect();
        let mut found = Vec::new();
        for (start, end) in ends {
            self.search(start, end, &mut found);
        }
        let (places, bytes) = self.places();
        let mut elements: Vec<EngineTexel> = Vec::new();
        for address in found {
            let known = places.range(..=address).next_back().filter(|(start, _)| address < **start + bytes);
            let address = known.map_or(address, |(start, _)| *start);
            if elements.iter().all(|element| element.address != address) {
                let place = known.map(|(_, place)| place.clone());
                elements.push(EngineTexel { place, address, weight: None });
            }
        }
        for element in &mut elements {
            element.weight = self.weight(element.address, bytes);
        }
        Some(elements)
    }

    /// Returns true if the lane faults; `None`: the engine does not execute the job, or too many jobs were executed.
    fn faults(&mut self, job: &Job) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        let outcome = self.engine.execute(job).ok()??;
        Some(outcome.faults >> self.lane & 1 == 1)
    }

    /// Returns the job without bytes `start..end` of its memory.
    fn without(&self, start: u64, end: u64) -> Job {
        let mut memory = Vec::new();
        for region in &self.job.memory {
            let stop = region.end();
            if end <= region.address || stop <= start {
                memory.push(region.clone());
                continue;
            }
            let (from, to) = (start.max(region.address), end.min(stop));
            let (low, high) = ((from - region.address) as usize, (to - region.address) as usize);
            memory.push(Region { address: region.address, bytes: region.bytes[..low].to_vec() });
            memory.push(Region { address: to, bytes: region.bytes[high..].to_vec() });
        }
        Job { memory: memory.into(), ..self.job.clone() }
    }

    /// Finds the addresses that are read in `start..end` by bisection, down to 1, 2 or 4 bytes, as components are aligned to their size.
    fn search(&mut self, start: u64, end: u64, found: &mut Vec<u64>) {
        let bytes = self.bound.surface.format.as_ref().map_or(1, |format| format.bytes.max(1));
        let unit = 1u64 << bytes.trailing_zeros().min(2);
        let mut stack = vec![(start, end)];
        while let Some((start, end)) = stack.pop() {
            if found.len() >= MAX_ELEMENTS * 16 || start >= end {
                continue;
            }
            let job = self.without(start, end);
            if self.faults(&job) != Some(true) {
                continue;
            }
            let half = start + (end - start) / 2;
            let middle = match half.checked_next_multiple_of(unit) {
                Some(middle) if middle < end => middle,
                _ => half / unit * unit,
            };
            if middle <= start {
                found.push(start);
                continue;
            }
            stack.extend([(middle, end), (start, middle)]);
        }
    }

    /// Returns the texels of the surface by the address of their element, and the size of an element in bytes.
    fn places(&self) -> (BTreeMap<u64, String>, u64) {
        let surface = &self.bound.surface;
        let mut places = BTreeMap::new();
        let bytes = surface.format.as_ref().map_or(1, |format| format.bytes.max(1) as u64);
        for one in self.uses {
            if let Some(address) = one.address {
                places.insert(address, place(self.bound, one.level, one.slice, one.x, one.y));
            }
        }
        use crate::emulator::surface::SurfaceType;
        if matches!(surface.kind, SurfaceType::Buffer | SurfaceType::Strbuf | SurfaceType::Null) {
            return (places, bytes);
        }
        let mut left = MAX_PLACES;
        for level in 0..surface.levels {
            let [w, h, d] = surface.level(level);
            let faces = if surface.kind == SurfaceType::Cube { 6 } else { 1 };
            let slices = if surface.kind == SurfaceType::D3 { d } else { surface.layers() * faces };
            let Some(rest) =
                w.checked_mul(h).and_then(|n| n.checked_mul(slices)).and_then(|n| left.checked_sub(n))
            else {
                return (places, bytes);
            };
            left = rest;
            for slice in 0..slices {
                for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
                    if let Some(first) = surface.element(level, slice, x, y).0.first() {
                        places.entry(*first).or_insert_with(|| place(self.bound, level, slice, x, y));
                    }
                }
            }
        }
        (places, bytes)
    }

    /// Returns the weight of an element in the result: sets it to 0 and compares how far the result and the texel change.
    fn weight(&mut self, address: u64, bytes: u64) -> Option<f64> {
        let bound = self.bound;
        let format = bound.surface.format.as_ref()?;
        let single = format.block == (1, 1) && !format.integer;
        if !single || bound.op.work != OpWork::Sample || bound.op.compares() || self.job.half_return {
            return None;
        }
        let mut cleared = self.job.clone();
        let mut old = Vec::new();
        for at in (0..bytes).map(|byte| address.wrapping_add(byte)) {
            let region = cleared.memory.iter_mut().find(|region| {
                at.checked_sub(region.address).is_some_and(|offset| offset < region.bytes.len() as u64)
            })?;
            let offset = (at - region.address) as usize;
            old.push(std::mem::take(&mut region.bytes[offset]));
        }
        let decode = |bytes: &[u8]| format.decode(bytes, 0, 0, &self.job.palette, bound.sampler.skip_srgb);
        let (before, after) = (decode(&old), decode(&vec![0; bytes as usize]));
        let (results, moved) = (self.result(&self.job.clone())?, self.result(&cleared)?);
        let returned: Vec<usize> = (0..4).filter(|c| self.job.channels >> c & 1 == 1).collect();
        // The channel that changes most in the texel gives the most precise weight.
        let ratio = |(position, channel): (usize, &usize)| {
            let component = usize::try_from(bound.surface.select[*channel]).ok()?.checked_sub(4)?;
            let step = before[component] - after[component];
            let went = results.get(position)? - moved.get(position)?;
            (step != 0.0 && step.is_finite() && went.is_finite()).then_some((step.abs(), went / step))
        };
        let ratios = returned.iter().enumerate().filter_map(ratio);
        ratios.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, weight)| weight)
    }

    /// Returns the lane's returned channels as floats.
    fn result(&mut self, job: &Job) -> Option<Vec<f64>> {
        self.left = self.left.checked_sub(1)?;
        let outcome = self.engine.execute(job).ok()??;
        let stride = (usize::from(job.simd) * 4).div_ceil(32) * 32;
        let value = |channel: usize| {
            let at = channel * stride + self.lane * 4;
            let bytes = outcome.writeback.get(at..at + 4)?.try_into().ok()?;
            Some(f64::from(f32::from_le_bytes(bytes)))
        };
        (0..job.channels.count_ones() as usize).map(value).collect()
    }
}
