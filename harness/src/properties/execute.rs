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
//! those quantities moved by their bound ([`Nudge`]): each axis up, down, as f32 computes it; LOD and ratio of
//! anisotropy up and down; the mean of three texels at a cube's corner up, down and onto the reference that it is compared with. The whole lane (all channels, fault, null bit) must be equal to one of these. Only a lane whose LOD no bound
//! describes (derivatives that cancel to less than 2^-10 of their parts, or squares outside f32's range), or one of whose anisotropic taps is
//! within its bound of another texel (which may be larger than M by any factor) is set aside, and counted.

use crate::core_engine::CoreEngine;
use crate::emulator::formats::small_float;
use crate::emulator::sample::nudge::{Nudge, Way};
use crate::emulator::sample::{Bound, Lane, half};
use crate::emulator::surface::Type;
use crate::engine::{Contents, Engine, Job, Outcome};
use crate::generators;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a comparison counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl Counts {
    /// Adds the counts of another comparison.
    pub fn add(&mut self, other: &Self) {
        let Self { executed, refused, declined, lanes, nudged, unconditioned } = other;
        self.executed += executed;
        self.refused += refused;
        self.declined += declined;
        self.lanes += lanes;
        self.nudged += nudged;
        self.unconditioned += unconditioned;
    }
}

/// In what two engines disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The engine broke: it died, answered nonsense or not in time.
    Broken,
    /// The engine executes what the emulator refuses.
    Accepts,
    /// The engine refuses what the emulator executes.
    Refuses,
    /// The writeback has another size.
    Size,
    /// Faults or null bits outside of the active lanes.
    OutsideLanes,
    /// A lane faults, or it does not.
    Fault,
    /// A lane's bit of the null mask.
    NullMask,
    /// The values of a lane.
    Values,
    /// Bytes of no active lane are written.
    Untouched,
}

impl Kind {
    /// What differs, in words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Broken => "the model is broken",
            Self::Accepts => "only the emulator refuses the job",
            Self::Refuses => "only the emulator executes the job",
            Self::Size => "the writeback has another size",
            Self::OutsideLanes => "faults or null bits outside of the active lanes",
            Self::Fault => "memory faults differ",
            Self::NullMask => "the null mask differs",
            Self::Values => "values differ",
            Self::Untouched => "bytes of no active lane are written",
        }
    }
}

/// How an engine and the emulator disagree about a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disagreement {
    /// In what.
    pub kind: Kind,
    /// The engine that disagrees with the emulator.
    pub engine: String,
    /// The same in words.
    pub why: String,
    /// The lane, if it is about one.
    pub lane: Option<LaneValues>,
}

/// What both sides return for a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaneValues {
    /// The lane.
    pub lane: usize,
    /// The channels.
    pub channels: Vec<ChannelValue>,
    /// Whether the lane reads a null page: engine, emulator.
    pub null: [bool; 2],
    /// Whether the lane faults: engine, emulator.
    pub fault: [bool; 2],
    /// How far a correct result may be from the emulator's.
    pub tolerance: f64,
}

/// What both sides return for a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChannelValue {
    /// `R`, `G`, `B`, `A`.
    pub channel: char,
    /// The engine's; `None`: the channel is not returned.
    pub engine: Option<Value>,
    /// The emulator's.
    pub emulator: Value,
    /// They are equal within the tolerance.
    pub equal: bool,
}

/// A result: its bits, and the float or integer that they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value {
    /// The bits.
    pub bits: String,
    /// The number; integers as integers.
    pub value: String,
}

impl Value {
    fn of(bits: u32, bound: &Bound<'_>, half_return: bool) -> Self {
        let signed = bound.surface.format.as_ref().is_some_and(|f| f.signed);
        let value = match (bound.returns_integers(), signed, half_return) {
            (false, ..) => number(bits, half_return).to_string(),
            (true, true, true) => (bits as u16 as i16).to_string(),
            (true, true, false) => (bits as i32).to_string(),
            (true, false, _) => bits.to_string(),
        };
        Self { bits: if half_return { format!("{bits:#06x}") } else { format!("{bits:#010x}") }, value }
    }
}

impl Disagreement {
    fn new(kind: Kind, engine: &str, why: String) -> Box<Self> {
        Box::new(Self { kind, engine: engine.to_owned(), why, lane: None })
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// A lane as an engine returned it.
#[derive(Clone, Copy, Debug)]
pub struct Got {
    /// The bits of R, G, B, A; `None` for what the job does not return.
    pub values: [Option<u32>; 4],
    null: bool,
    fault: bool,
}

/// Compares an engine with the emulator.
///
/// # Errors
/// How they disagree, in words.
pub fn agree(job: &Job, engine: &dyn Engine, counts: &mut Counts) -> Result<(), String> {
    compare(job, engine, counts).map_err(|why| why.to_string())
}

/// Compares an engine with the emulator.
///
/// # Errors
/// How they disagree.
pub fn compare(job: &Job, engine: &dyn Engine, counts: &mut Counts) -> Result<(), Box<Disagreement>> {
    let theirs = engine.execute(job);
    match engine.failure() {
        Some(why) => Err(Disagreement::new(Kind::Broken, engine.name(), why)),
        None => compare_on(job, job, theirs, engine.name(), counts),
    }
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
    compare_on(job, memory, theirs, engine, counts).map_err(|why| why.to_string())
}

/// [`compare`] on any memory.
fn compare_on(
    job: &Job,
    memory: &dyn Contents,
    theirs: Result<Option<Outcome>, String>,
    engine: &str,
    counts: &mut Counts,
) -> Result<(), Box<Disagreement>> {
    let fail = |kind, why| Err(Disagreement::new(kind, engine, why));
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
        (Err(why), Ok(_)) => {
            return fail(Kind::Accepts, format!("the emulator refuses ({why}), {engine} executes"));
        }
        (Ok(_), Err(why)) => {
            return fail(Kind::Refuses, format!("{engine} refuses ({why}), the emulator executes"));
        }
        (Ok(None), Ok(_)) => return Ok(()),
        (Ok(Some(bound)), Ok(outcome)) => (bound, outcome),
    };
    counts.executed += 1;
    let mut first = None;
    compare_lanes(job, &bound, &outcome, counts, |lane, verdict, exact, got| {
        if verdict == Verdict::Different {
            first.get_or_insert_with(|| differs(job, &bound, lane, got, engine, exact));
        }
    })
    .or_else(|(kind, why)| fail(kind, why))?;
    first.map_or(Ok(()), |why| Err(Box::new(why)))
}

/// What a lane's comparison with the emulator says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Equal within the rounding bound.
    Equal,
    /// Equal at coordinates within the rounding bound: a decision may go either way.
    Boundary,
    /// Set aside: no bound describes the lane.
    Unbounded,
    /// Not equal.
    Different,
}

/// Compares every active lane of an outcome with the emulator; `each` hears of each: the lane, what the emulator says, what
/// the outcome says.
///
/// # Errors
/// The outcome is no writeback of this job: its size, or bytes that belong to no active lane.
pub fn compare_lanes(
    job: &Job,
    bound: &Bound<'_>,
    outcome: &Outcome,
    counts: &mut Counts,
    mut each: impl FnMut(usize, Verdict, &Lane, &Got),
) -> Result<(), (Kind, String)> {
    let width = if job.half_return { 2 } else { 4 };
    let gather = bound.op.name.starts_with("gather4");
    let stride = (usize::from(job.simd) * width).div_ceil(32) * 32;
    let enabled: Vec<usize> = (0..4).filter(|c| gather || job.channels >> c & 1 == 1).collect();
    let masks = usize::from(job.null_mask) + usize::from(job.kill_mask);
    let size = stride * enabled.len() + masks * 32;
    if outcome.writeback.len() != size {
        let found = outcome.writeback.len();
        return Err((Kind::Size, format!("a writeback of {found} bytes, expected {size}")));
    }
    let mut untouched = outcome.writeback.clone();
    if job.kill_mask {
        let kill = &mut untouched[size - 32..size - 28];
        if kill != [0xff; 4] {
            return Err((Kind::OutsideLanes, format!("a kill mask of {kill:02x?} without a chroma key")));
        }
        kill.fill(0);
    }
    let mask = if job.null_mask {
        let at = stride * enabled.len();
        let mask = u32::from_le_bytes(untouched[at..at + 4].try_into().unwrap_or_default());
        untouched[at..at + 4].fill(0);
        mask
    } else {
        u32::MAX
    };
    if mask | job.lanes != u32::MAX || outcome.faults & !job.lanes != 0 {
        let faults = outcome.faults;
        let why = format!("null mask {mask:#x} or faults {faults:#x} outside lanes {:#x}", job.lanes);
        return Err((Kind::OutsideLanes, why));
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
        counts.nudged += u64::from(verdict == Verdict::Boundary);
        counts.unconditioned += u64::from(verdict == Verdict::Unbounded);
        each(lane, verdict, &exact, &got);
    }
    match untouched.iter().position(|byte| *byte != 0) {
        Some(at) => {
            let why = format!("byte {at} of the writeback belongs to no active lane but was written");
            Err((Kind::Untouched, why))
        }
        None => Ok(()),
    }
}

fn verdict(job: &Job, bound: &Bound<'_>, lane: usize, exact: &Lane, got: &Got) -> Verdict {
    if equal(job, exact, got) {
        Verdict::Equal
    } else if nudges(bound).any(|nudge| equal(job, &bound.lane(lane, &nudge), got)) {
        Verdict::Boundary
    } else if exact.unconditioned {
        Verdict::Unbounded
    } else {
        Verdict::Different
    }
}

/// The disagreement about a lane.
fn differs(job: &Job, bound: &Bound<'_>, lane: usize, got: &Got, engine: &str, exact: &Lane) -> Disagreement {
    let value = |bits: u32| Value::of(bits, bound, job.half_return);
    let channel = |c: usize| ChannelValue {
        channel: ['R', 'G', 'B', 'A'][c],
        engine: got.values[c].map(value),
        emulator: value(exact.returned[c]),
        equal: got.values[c].is_none_or(|value| value_equal(job, exact, c, value)),
    };
    let channels: Vec<ChannelValue> = (0..4).map(channel).collect();
    let shown = |value: Option<&Value>| value.map_or("-".to_owned(), |v| format!("{} ({})", v.bits, v.value));
    let list = |side: &dyn Fn(&ChannelValue) -> String| -> String {
        channels.iter().map(side).collect::<Vec<_>>().join(", ")
    };
    let why = format!(
        "lane {lane}: {engine} [{}] null {} fault {}, emulator [{}] null {} fault {}, tolerance {:e}",
        list(&|c| shown(c.engine.as_ref())),
        got.null,
        got.fault,
        list(&|c| shown(Some(&c.emulator))),
        exact.null,
        exact.fault,
        exact.tolerance
    );
    let kind = match (got.fault != exact.fault, job.null_mask && got.null != exact.null) {
        (true, _) => Kind::Fault,
        (false, true) if channels.iter().all(|channel| channel.equal) => Kind::NullMask,
        (false, _) => Kind::Values,
    };
    let values = LaneValues {
        lane,
        channels,
        null: [got.null, exact.null],
        fault: [got.fault, exact.fault],
        tolerance: exact.tolerance,
    };
    Disagreement { kind, engine: engine.to_owned(), why, lane: Some(values) }
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
    let cube = bound.surface.kind == Type::Cube;
    let corners = if cube && bound.op.compares() { WAYS.to_vec() } else { vec![Way::Exact] };
    let (a, b, c, d) = (texels.clone(), texels.clone(), texels.clone(), texels);
    let together = MOVES.into_iter().flat_map(move |lod| {
        let corners = corners.clone();
        a.clone().into_iter().flat_map(move |t| {
            corners.clone().into_iter().map(move |corner| Nudge {
                texel: [t, t],
                lod,
                corner,
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

/// A job in words: message, state, parameters and memory.
pub fn words(job: &Job) -> String {
    use std::fmt::Write;
    let mut text: String = crate::explain::record::job(job).iter().map(ToString::to_string).collect();
    for (name, lanes) in parameters(job) {
        let _ = writeln!(text, "  {name}: {}", lanes.join(" "));
    }
    for region in &job.memory {
        let _ = writeln!(text, "memory {:#x} + {:#x} bytes", region.address, region.bytes.len());
    }
    for (address, length) in &job.null_pages {
        let _ = writeln!(text, "null page {address:#x} + {length:#x} bytes");
    }
    text
}

/// The parameters of a job by name, every lane's bits and the number that they are.
pub fn parameters(job: &Job) -> Vec<(String, Vec<String>)> {
    use crate::emulator::sample::ops::{Op, Work};
    let op = Op::find(&job.op, job.half_params);
    let loads = op.is_some_and(|op| {
        matches!(op.work, Work::Load | Work::LoadSample | Work::LoadMcs | Work::Resinfo | Work::Sampleinfo)
    });
    let names: Vec<&str> = op.map_or("", |op| op.params).split_whitespace().collect();
    let shown = |name: &str, bits: u32| match name {
        _ if name.starts_with("mcs") || name == "offuv" || name == "offuvr" => format!("{bits:#x}"),
        _ if loads || matches!(name, "offu" | "offv" | "si") => {
            let value = if job.half_params { i32::from(bits as u16 as i16) } else { bits as i32 };
            format!("{value}")
        }
        _ => format!("{bits:#x}={}", number(bits, job.half_params)),
    };
    let each = job.params.iter().enumerate().map(|(index, lanes)| {
        let name = names.get(index).copied().unwrap_or("(extra)");
        (name.to_owned(), lanes.iter().map(|bits| shown(name, *bits)).collect())
    });
    each.collect()
}

#[cfg(test)]
mod tests;
