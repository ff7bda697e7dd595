//! Properties: execute. The core and the emulator agree on every job.
//!
//! # What equal means
//!
//! Both refuse a job or both execute it. Per lane, integers, faults, null mask bits and everything outside active
//! lanes are equal bit for bit. A float result is equal when it lies within `tolerance` of the emulator's f64 result, before the
//! last rounding (both ends of the interval are rounded to the width of the return):
//!
//! ```text
//! tolerance = M * (k * 2^-24 + 2 * slope) + k * 2^-150
//! ```
//! M is the largest texel component of the footprint. k bounds the roundings: 8 for a single decoded texel (exact
//! formats need none, curves and block ramps a few), 64 for a filtered one (5 for a weight, 1 for a product, at most 8
//! texels x 2 levels x 16 taps summed in pairs of levels and taps: 7 + 2 + 16 sums, decoding 8, the last
//! division); of denormal numbers a rounding is half of the smallest one. `slope` is how far the weights may be off because the coordinate (2^-22 of the texel coordinate + 1, see
//! `emulator::sample::nudge`) and the LOD (its own bound, from the rounding of the derivatives) are off.
//!
//! # Decisions
//!
//! Which texel, which level, magnified or not, lit or not: where the exact quantity is within its
//! rounding bound of the boundary, f32 may decide otherwise. A lane that is not equal is therefore tried against the emulator with
//! those quantities moved by their bound ([`Nudge`]): each axis up, down, as f32 computes it; LOD, ratio of anisotropy, reference up and
//! down. The whole lane (all channels, fault, null bit) must be equal to one of these. Only a lane whose LOD no bound
//! describes (derivatives that cancel to less than 2^-10 of their parts, or squares outside f32's range), or one of whose anisotropic taps is
//! within its bound of another texel (which may be larger than M by any factor) is set aside, and counted.

use crate::core_engine::CoreEngine;
use crate::emulator::formats::small_float;
use crate::emulator::sample::nudge::{Nudge, Way};
use crate::emulator::sample::{Bound, Lane, half};
use crate::emulator::surface::Type;
use crate::engine::{Contents, Engine, Job, Outcome};
use crate::generators;

/// What a comparison counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Jobs that both execute.
    pub executed: u64,
    /// Jobs that both refuse.
    pub refused: u64,
    /// Jobs that the engine does not do.
    pub declined: u64,
    /// Lanes compared.
    pub lanes: u64,
    /// Of these: equal at coordinates within the rounding bound only.
    pub nudged: u64,
    /// Of these: set aside, the LOD or the place of a tap has no bound.
    pub unconditioned: u64,
}

/// A lane as an engine returned it.
#[derive(Clone, Copy, Debug)]
pub struct Got {
    values: [Option<u32>; 4],
    null: bool,
    fault: bool,
}

/// Compares an engine with the emulator.
///
/// # Errors
/// How they disagree, in words.
pub fn agree(job: &Job, engine: &dyn Engine, counts: &mut Counts) -> Result<(), String> {
    let theirs = engine.execute(job);
    if let Some(why) = engine.failure() {
        return Err(why);
    }
    agree_on(job, job, theirs, engine.name(), counts)
}

/// Compares what `engine` answered to a job on `memory` with the emulator.
///
/// # Errors
/// How they disagree, in words.
pub fn agree_on(
    job: &Job,
    memory: &dyn Contents,
    theirs: Result<Option<Outcome>, String>,
    engine: &str,
    counts: &mut Counts,
) -> Result<(), String> {
    let outcome = match theirs {
        Ok(None) => {
            counts.declined += 1;
            return Ok(());
        }
        Ok(Some(outcome)) => Ok(outcome),
        Err(why) => Err(why),
    };
    let (bound, outcome) = match (Bound::on(job, memory), outcome) {
        (Err(_), Err(_)) => {
            counts.refused += 1;
            return Ok(());
        }
        (Err(why), Ok(_)) => return Err(format!("the emulator refuses ({why}), {engine} executes")),
        (Ok(_), Err(why)) => return Err(format!("{engine} refuses ({why}), the emulator executes")),
        (Ok(None), Ok(_)) => return Ok(()),
        (Ok(Some(bound)), Ok(outcome)) => (bound, outcome),
    };
    counts.executed += 1;
    let mut first = None;
    compare_lanes(job, &bound, &outcome, counts, |lane, verdict| {
        if let Verdict::Different(exact, got) = verdict {
            first.get_or_insert_with(|| difference(job, lane, exact, got, engine));
        }
    })?;
    first.map_or(Ok(()), Err)
}

/// What a lane's comparison with the emulator says.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<'a> {
    /// Equal within the rounding bound.
    Equal,
    /// Equal at coordinates within the rounding bound: a decision may go either way.
    Boundary,
    /// Set aside: no bound describes the lane.
    Unbounded,
    /// Not equal.
    Different(&'a Lane, &'a Got),
}

/// Compares every active lane of an outcome with the emulator; `each` hears of each.
///
/// # Errors
/// The outcome is no writeback of this job: its size, or bytes that belong to no active lane.
pub fn compare_lanes(
    job: &Job,
    bound: &Bound<'_>,
    outcome: &Outcome,
    counts: &mut Counts,
    mut each: impl FnMut(usize, Verdict<'_>),
) -> Result<(), String> {
    let width = if job.half_return { 2 } else { 4 };
    let gather = bound.op.name.starts_with("gather4");
    let stride = (usize::from(job.simd) * width).div_ceil(32) * 32;
    let enabled: Vec<usize> = (0..4).filter(|c| gather || job.channels >> c & 1 == 1).collect();
    let size = stride * enabled.len() + if job.null_mask { 32 } else { 0 };
    if outcome.writeback.len() != size {
        return Err(format!("a writeback of {} bytes, expected {size}", outcome.writeback.len()));
    }
    let mut untouched = outcome.writeback.clone();
    let mask = if job.null_mask {
        let at = size - 32;
        let mask = u32::from_le_bytes(untouched[at..at + 4].try_into().unwrap_or_default());
        untouched[at..at + 4].fill(0);
        mask
    } else {
        u32::MAX
    };
    if mask | job.lanes != u32::MAX || outcome.faults & !job.lanes != 0 {
        return Err(format!(
            "null mask {mask:#x} or faults {:#x} outside lanes {:#x}",
            outcome.faults, job.lanes
        ));
    }
    for lane in (0..usize::from(job.simd)).filter(|lane| job.lanes >> lane & 1 == 1) {
        let mut values = [None; 4];
        for (position, &channel) in enabled.iter().enumerate() {
            let at = position * stride + lane * width;
            let mut bytes = [0; 4];
            bytes[..width].copy_from_slice(&outcome.writeback[at..at + width]);
            values[channel] = Some(u32::from_le_bytes(bytes));
            untouched[at..at + width].fill(0);
        }
        let got = Got { values, null: mask >> lane & 1 == 0, fault: outcome.faults >> lane & 1 == 1 };
        counts.lanes += 1;
        let exact = bound.lane(lane, &Nudge::default());
        let verdict = verdict(job, bound, lane, &exact, &got);
        counts.nudged += u64::from(matches!(verdict, Verdict::Boundary));
        counts.unconditioned += u64::from(matches!(verdict, Verdict::Unbounded));
        each(lane, verdict);
    }
    match untouched.iter().position(|byte| *byte != 0) {
        Some(at) => Err(format!("byte {at} of the writeback belongs to no active lane but was written")),
        None => Ok(()),
    }
}

fn verdict<'a>(job: &Job, bound: &Bound<'_>, lane: usize, exact: &'a Lane, got: &'a Got) -> Verdict<'a> {
    if equal(job, exact, got) {
        Verdict::Equal
    } else if nudges(bound).any(|nudge| equal(job, &bound.lane(lane, &nudge), got)) {
        Verdict::Boundary
    } else if exact.unconditioned {
        Verdict::Unbounded
    } else {
        Verdict::Different(exact, got)
    }
}

/// How a lane differs, in words.
fn difference(job: &Job, lane: usize, exact: &Lane, got: &Got, engine: &str) -> String {
    let shown = |bits: u32| format!("{bits:#010x} ({})", number(bits, job.half_return));
    let theirs: Vec<String> = got.values.iter().map(|v| v.map_or("-".to_owned(), shown)).collect();
    let ours: Vec<String> = exact.returned.iter().map(|v| shown(*v)).collect();
    format!(
        "lane {lane}: {} [{}] null {} fault {}, emulator [{}] null {} fault {}, tolerance {:e}",
        engine,
        theirs.join(", "),
        got.null,
        got.fault,
        ours.join(", "),
        exact.null,
        exact.fault,
        exact.tolerance
    )
}

fn number(bits: u32, half_width: bool) -> f64 {
    if half_width {
        let magnitude = small_float(u64::from(bits & 0x7fff), 10);
        if bits >> 15 & 1 == 1 { -magnitude } else { magnitude }
    } else {
        f64::from(f32::from_bits(bits))
    }
}

fn equal(job: &Job, ours: &Lane, got: &Got) -> bool {
    let values = (0..4).all(|c| got.values[c].is_none_or(|value| value_equal(job, ours, c, value)));
    values && ours.fault == got.fault && (!job.null_mask || ours.null == got.null)
}

fn value_equal(job: &Job, ours: &Lane, channel: usize, value: u32) -> bool {
    if ours.returned[channel] == value {
        return true;
    }
    if ours.tolerance == 0.0 {
        // Zeros of either sign are one number.
        return ours.returned[channel] | value == if job.half_return { 0x8000 } else { 0x8000_0000 };
    }
    let exact = f64::from(f32::from_bits(ours.bits[channel]));
    let end = |x: f64| {
        if job.half_return { number(u32::from(half(x)), true) } else { f64::from(x as f32) }
    };
    let value = number(value, job.half_return);
    end(exact - ours.tolerance) <= value && value <= end(exact + ours.tolerance)
}

const WAYS: [Way; 4] = [Way::Exact, Way::Up, Way::Down, Way::Rounded];
const MOVES: [Way; 3] = [Way::Exact, Way::Up, Way::Down];

/// Everything that may decide differently, the likely ones first.
fn nudges(bound: &Bound<'_>) -> impl Iterator<Item = Nudge> {
    let axes = match bound.surface.kind {
        Type::D1 => 1,
        Type::D3 => 3,
        _ => 2,
    };
    let texels: Vec<[Way; 3]> = (0..4usize.pow(axes))
        .map(|code| {
            std::array::from_fn(|a| {
                if a < axes as usize { WAYS[code / 4usize.pow(a as u32) % 4] } else { Way::Exact }
            })
        })
        .collect();
    let references = if bound.op.compares() { MOVES.to_vec() } else { vec![Way::Exact] };
    let (a, b, c, d) = (texels.clone(), texels.clone(), texels.clone(), texels);
    let together = MOVES.into_iter().flat_map(move |lod| {
        let references = references.clone();
        a.clone().into_iter().flat_map(move |t| {
            references.clone().into_iter().map(move |reference| Nudge {
                texel: [t, t],
                lod,
                reference,
                ..Nudge::default()
            })
        })
    });
    let footprints = MOVES.into_iter().flat_map(|ratio| {
        [false, true].into_iter().flat_map(move |swap| {
            MOVES.into_iter().flat_map(move |lod| {
                WAYS.into_iter().map(move |w| Nudge {
                    texel: [[w; 3]; 2],
                    lod,
                    ratio,
                    swap,
                    ..Nudge::default()
                })
            })
        })
    });
    let ranges = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN].into_iter().flat_map(move |lod| {
        b.clone().into_iter().map(move |t| Nudge { texel: [t, t], lod_is: Some(lod), ..Nudge::default() })
    });
    let wild = bound.op.lod == crate::emulator::sample::ops::Lod::Quad
        || bound.op.lod == crate::emulator::sample::ops::Lod::Gradients;
    let apart = c.into_iter().flat_map(move |first| {
        let d = d.clone();
        d.into_iter().map(move |second| Nudge { texel: [first, second], ..Nudge::default() })
    });
    together.chain(footprints).chain(ranges.filter(move |_| wild)).chain(apart)
}

/// Fuzz target `diff_execute`: any bytes, as a job (see [`generators::job::of_bytes`]).
pub fn core_equals_emulator(data: &[u8]) {
    let Ok(job) = generators::job::of_bytes(data) else { return };
    if let Err(why) = agree(&job, &CoreEngine, &mut Counts::default()) {
        panic!("{why}\n{}", words(&job));
    }
}

/// The job of an input, in words and as JSON.
pub(super) fn input(data: &[u8]) -> String {
    let Ok(job) = generators::job::of_bytes(data) else { return String::new() };
    words(&job) + &serde_json::to_string(&job).unwrap_or_default() + "\n"
}

/// A job in words.
pub fn words(job: &Job) -> String {
    use crate::emulator::state::{SAMPLER, SURFACE, get};
    use std::fmt::Write;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} SIMD{} lanes {:#x} channels {:#x} gather {} offsets {:?} half {}/{} null mask {} {:?}",
        job.op,
        job.simd,
        job.lanes,
        job.channels,
        job.gather,
        job.offsets,
        job.half_params,
        job.half_return,
        job.null_mask,
        job.precision
    );
    for (name, table, dwords) in
        [("surface", SURFACE, &job.surface[..]), ("sampler", SAMPLER, &job.sampler[..])]
    {
        let _ = write!(text, "{name}:");
        for field in table {
            let value = get(table, dwords, field.name);
            if value != 0 {
                let _ = write!(text, " {} {value:#x};", field.name);
            }
        }
        let _ = writeln!(text);
    }
    let format =
        crate::emulator::formats::name(crate::emulator::state::surface(&job.surface, "Surface Format"));
    let _ = writeln!(text, "format {format:?}, border {:x?}", job.border);
    let names = crate::emulator::sample::ops::Op::find(&job.op, job.half_params).map_or("", |op| op.params);
    for (name, lanes) in names.split_whitespace().zip(&job.params) {
        let shown: Vec<String> =
            lanes.iter().map(|v| format!("{v:#x}={}", number(*v, job.half_params))).collect();
        let _ = writeln!(text, "  {name}: {}", shown.join(" "));
    }
    for region in &job.memory {
        let _ = writeln!(
            text,
            "memory {:#x} + {:#x}, null {:x?}",
            region.address,
            region.bytes.len(),
            job.null_pages
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_as_jobs() {
        bolero::check!()
            .with_type::<Vec<u8>>()
            .with_iterations(100)
            .for_each(|data| core_equals_emulator(data));
    }

    /// An input of few bytes, or of zeros, is as good a job as any.
    #[test]
    fn short_inputs_execute() {
        let mut counts = Counts::default();
        for length in 0..100 {
            let job = generators::job::of_bytes(&vec![length; usize::from(length % 9)]).unwrap();
            if let Err(why) = agree(&job, &CoreEngine, &mut counts) {
                panic!("{length}: {why}\n{}", words(&job));
            }
        }
        assert!(counts.executed >= 80, "{counts:?}");
    }

    #[test]
    fn seeded_jobs() {
        let mut counts = Counts::default();
        for seed in 0..3000 {
            let job = generators::job::seeded(seed).unwrap();
            if let Err(why) = agree(&job, &CoreEngine, &mut counts) {
                panic!("seed {seed}: {why}\n{}", words(&job));
            }
        }
        assert!(counts.lanes > 20_000, "{counts:?}");
        assert!(counts.refused * 4 < counts.executed, "{counts:?}");
    }
}
