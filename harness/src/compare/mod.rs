//! Engines compared with the emulator, lane by lane.
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

mod disagreement;
mod kind;
mod lane;
pub mod rules;
mod verdict;
mod words;

pub use disagreement::{ChannelValue, Disagreement, LaneValues, Value, values};
pub use kind::Kind;
pub use lane::{Got, lanes_of};
pub use verdict::{Verdict, verdict};
pub use words::{parameters, words};

use crate::emulator::sample::nudge::Nudge;
use crate::emulator::sample::{Bound, Lane};
use crate::engine::{Answer, Contents, Engine, Job, Limits, Outcome};
use disagreement::differs;
use serde::{Deserialize, Serialize};
use verdict::distance;

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
    /// Of these: equal as far as a rule lets the engine be off.
    #[serde(default)]
    pub allowed: u64,
    /// Of these: set aside, as nothing says what they are; of the core: the LOD or the place of a tap has no bound.
    pub unconditioned: u64,
}

impl Counts {
    /// Adds the counts of another comparison.
    pub fn add(&mut self, other: &Self) {
        let Self { executed, refused, declined, lanes, nudged, allowed, unconditioned } = other;
        self.executed += executed;
        self.refused += refused;
        self.declined += declined;
        self.lanes += lanes;
        self.nudged += nudged;
        self.allowed += allowed;
        self.unconditioned += unconditioned;
    }
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
    let answer = engine.execute_all(std::slice::from_ref(job)).pop();
    let answer = answer.unwrap_or_else(|| Answer::Broken("no answer".to_owned()));
    judge(job, job, answer, &Judged::of(engine), counts, |_, _| ())
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
    let judged = Judged { name: engine, limits: None };
    judge(job, memory, Answer::of(theirs), &judged, counts, |_, _| ()).map_err(|why| why.to_string())
}

/// Who is compared with the emulator.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it says about its precision; `None`: it has the emulator's, but for the rounding of f32.
    pub limits: Option<Limits>,
}

impl<'a> Judged<'a> {
    /// An engine.
    pub fn of(engine: &'a dyn Engine) -> Self {
        Self { name: engine.name(), limits: engine.limits() }
    }
}

/// A lane that was compared.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// The lane.
    pub lane: usize,
    /// What the comparison says.
    pub verdict: Verdict,
    /// How far the lane is off, in parts of what it may be off.
    pub distance: f64,
}

/// Compares an engine's answer to a job on `memory` with the emulator; `each` hears of every lane.
///
/// # Errors
/// How they disagree: the first lane that is different.
pub fn judge(
    job: &Job,
    memory: &dyn Contents,
    answer: Answer,
    judged: &Judged<'_>,
    counts: &mut Counts,
    mut each: impl FnMut(&Compared, &Got),
) -> Result<(), Box<Disagreement>> {
    let engine = judged.name;
    let fail = |kind, why| Err(Disagreement::new(kind, engine, why));
    let outcome = match answer {
        Answer::Declined(_) => {
            counts.declined += 1;
            return Ok(());
        }
        Answer::Broken(why) => return fail(Kind::Broken, why),
        Answer::Done(outcome) => Ok(outcome),
        Answer::Refused(why) => Err(why),
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
    let bound = rules::bound(bound, judged.limits);
    counts.executed += 1;
    let mut first = None;
    compare_lanes(job, &bound, &outcome, counts, |lane, verdict, exact, got| {
        if verdict == Verdict::Different {
            first.get_or_insert_with(|| {
                let lod = verdict::at_another_lod(job, &bound, lane, got);
                differs(job, values(job, &bound, lane, got, exact), lod, engine)
            });
        }
        let off = distance(job, exact, got);
        // A lane that is equal for a coordinate or LOD nearby is as far off as it may be.
        let distance = if verdict == Verdict::Different { off } else { off.min(1.0) };
        each(&Compared { lane, verdict, distance }, got);
    })
    .or_else(|(kind, why)| fail(kind, why))?;
    first.map_or(Ok(()), |why| Err(Box::new(why)))
}

/// Compares every active lane of an outcome with the emulator; `each` hears of each: the lane, the verdict, what the emulator
/// says, what the outcome says.
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
    for (lane, got) in lanes_of(job, bound, outcome)? {
        let exact = bound.lane(lane, &Nudge::default());
        let verdict = verdict(job, bound, lane, &exact, &got);
        counts.lanes += 1;
        match verdict {
            Verdict::Equal | Verdict::Different => {}
            Verdict::Boundary => counts.nudged += 1,
            Verdict::Allowed(_) => counts.allowed += 1,
            Verdict::Undefined(_) => counts.unconditioned += 1,
        }
        each(lane, verdict, &exact, &got);
    }
    Ok(())
}
