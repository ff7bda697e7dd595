//! Engines compared with the emulator, lane by lane.
//!
//! # What equal means
//!
//! Either both sides refuse a job or both execute it. For each lane, integers, faults and null mask bits must be equal bit for bit, and so
//! must everything outside active lanes. A float result is equal if it lies within `tolerance` of the emulator's f64 result before the last
//! rounding (both ends of the interval are rounded to the width of the return):
//!
//! ```text
//! tolerance = M * (k * 2^-24 + 2 * slope) + k * 2^-150
//! ```
//! M is the largest value that the channel's component has in the texels of the footprint (of gather4: in the one texel that it returns;
//! at the corner of a cube, where a texel is the mean of three, in all). k bounds the number of roundings. A single decoded texel, also the
//! smallest or largest one of a reduction, has none with formats of floats, 2 with those that divide, 8 with curves and block ramps, and 3
//! more on a cube. A filtered one has 64 (5 for a weight, 1 for a product, at most 8 texels x 2 levels x 16 taps summed in pairs of levels
//! and taps: 7 + 2 + 16 sums, decoding 8, the last division). Results of comparisons that are not filtered are exact. For denormal numbers
//! a rounding is half of the smallest denormal. `slope` is how far the weights may be off
//! because of errors in the coordinate (2^-22 of the texel coordinate + 1, see `emulator::sample::nudge`) and in the LOD (its own bound,
//! from the rounding of the derivatives).
//!
//! # Decisions
//!
//! Which texel is read, which level, whether the lane is magnified, whether a comparison passes: where the exact quantity is within its
//! rounding bound of the boundary, f32 may decide otherwise. A lane that is not equal is therefore compared again with the emulator while
//! these quantities are moved by their bound ([`Nudge`]): each axis up, down, and as f32 computes it; LOD and ratio of anisotropy up and
//! down; the mean of three texels at a cube's corner up, down and onto the reference that it is compared with. The whole lane (all
//! channels, fault, null bit) must be equal for one of these moves. A lane is set aside, and counted, only in two cases: no bound describes
//! its LOD (derivatives that cancel to less than 2^-10 of their parts, or squares outside f32's range), or one of its anisotropic taps is
//! within its bound of another texel (which may be larger than M by any factor).

mod disagreement;
mod disagreement_kind;
mod lane;
pub(crate) mod numbers;
pub mod rules;
mod verdict;
mod words;

pub use disagreement::{ChannelValue, Disagreement, LaneValues, ResultValue, values};
pub use disagreement_kind::DisagreementKind;
pub use lane::{LaneResult, lanes_of};
pub use verdict::{Verdict, verdict};
pub use words::{parameters, words};

use crate::emulator::sample::nudge::Nudge;
use crate::emulator::sample::{BoundJob, ExactLane};
use crate::engine::{Answer, ByteMemory, DeviceLimits, Engine, Job, Outcome};
use disagreement::differs;
use serde::{Deserialize, Serialize};
use verdict::distance;

/// Counts of compared jobs and lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Jobs that both sides execute.
    pub executed: u64,
    /// Jobs that both sides refuse.
    pub refused: u64,
    /// Jobs that the engine does not support.
    pub declined: u64,
    /// Lanes compared.
    pub lanes: u64,
    /// Compared lanes that are equal only with coordinates (or other deciding quantities) moved within the rounding bound.
    pub nudged: u64,
    /// Compared lanes that are equal only within the deviation that a rule allows.
    #[serde(default)]
    pub allowed: u64,
    /// Compared lanes that are set aside, as no document defines their result; for the core: the LOD or the place of a tap has no bound.
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

/// Executes a job with an engine and compares the result with the emulator's.
///
/// # Errors
/// The disagreement, in words.
pub fn agree(job: &Job, engine: &dyn Engine, counts: &mut Counts) -> Result<(), String> {
    compare(job, engine, counts).map_err(|why| why.to_string())
}

/// Executes a job with an engine and compares the result with the emulator's.
///
/// # Errors
/// The disagreement.
pub fn compare(job: &Job, engine: &dyn Engine, counts: &mut Counts) -> Result<(), Box<Disagreement>> {
    let answer = engine.execute_all(std::slice::from_ref(job)).pop();
    let answer = answer.unwrap_or_else(|| Answer::Broken("no answer".to_owned()));
    judge(job, job, answer, &ComparedEngine::of(engine), counts, |_, _| ())
}

/// Compares the answer of `engine` to a job with the emulator's, which reads `memory`.
///
/// # Errors
/// The disagreement, in words.
pub fn agree_on(
    job: &Job,
    memory: &dyn ByteMemory,
    theirs: Result<Option<Outcome>, String>,
    engine: &str,
    counts: &mut Counts,
) -> Result<(), String> {
    let judged = ComparedEngine { name: engine, limits: None };
    judge(job, memory, Answer::of(theirs), &judged, counts, |_, _| ()).map_err(|why| why.to_string())
}

/// The engine that is compared with the emulator.
#[derive(Clone, Copy, Debug)]
pub struct ComparedEngine<'a> {
    /// Its name.
    pub name: &'a str,
    /// The precision that it reports; `None`: it differs from the emulator by rounding to f32 only.
    pub limits: Option<DeviceLimits>,
}

impl<'a> ComparedEngine<'a> {
    /// Describes an engine.
    pub fn of(engine: &'a dyn Engine) -> Self {
        Self { name: engine.name(), limits: engine.limits() }
    }
}

/// The comparison of a lane.
#[derive(Clone, Copy, Debug)]
pub struct ComparedLane {
    /// The number of the lane.
    pub lane: usize,
    /// The verdict.
    pub verdict: Verdict,
    /// The deviation of the lane, relative to the deviation that is allowed: 1 is the limit.
    pub distance: f64,
}

/// Compares an engine's answer to a job with the emulator's, which reads `memory`. Calls `each` for every lane.
///
/// # Errors
/// The disagreement; of lanes that differ, the first one.
pub fn judge(
    job: &Job,
    memory: &dyn ByteMemory,
    answer: Answer,
    judged: &ComparedEngine<'_>,
    counts: &mut Counts,
    mut each: impl FnMut(&ComparedLane, &LaneResult),
) -> Result<(), Box<Disagreement>> {
    let engine = judged.name;
    let fail = |kind, why| Err(Disagreement::new(kind, engine, why));
    let outcome = match answer {
        Answer::Declined(_) => {
            counts.declined += 1;
            return Ok(());
        }
        Answer::Broken(why) => return fail(DisagreementKind::Broken, why),
        Answer::Done(outcome) => Ok(outcome),
        Answer::Refused(why) => Err(why),
    };
    let (bound, outcome) = match (BoundJob::on(job, memory), outcome) {
        (Err(_), Err(_)) => {
            counts.refused += 1;
            return Ok(());
        }
        (Err(why), Ok(_)) => {
            return fail(
                DisagreementKind::Accepts,
                format!("the emulator refuses ({why}), {engine} executes"),
            );
        }
        (Ok(_), Err(why)) => {
            return fail(
                DisagreementKind::Refuses,
                format!("{engine} refuses ({why}), the emulator executes"),
            );
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
        // A lane that is equal only for a moved coordinate or LOD counts as at the limit, not beyond it.
        let distance = if verdict == Verdict::Different { off } else { off.min(1.0) };
        each(&ComparedLane { lane, verdict, distance }, got);
    })
    .or_else(|(kind, why)| fail(kind, why))?;
    first.map_or(Ok(()), |why| Err(Box::new(why)))
}

/// Compares every active lane of an outcome with the emulator. Calls `each` for every lane with its number, the verdict, the emulator's
/// result and the engine's.
///
/// # Errors
/// The outcome is not a writeback of this job: its size is wrong, or bytes that belong to no active lane were written.
pub fn compare_lanes(
    job: &Job,
    bound: &BoundJob<'_>,
    outcome: &Outcome,
    counts: &mut Counts,
    mut each: impl FnMut(usize, Verdict, &ExactLane, &LaneResult),
) -> Result<(), (DisagreementKind, String)> {
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

#[cfg(test)]
mod tests {
    use super::{Counts, agree_on};
    use crate::core_engine::CoreEngine;
    use crate::emulator::sample::tests::job;
    use crate::emulator::state::set_sampler;
    use crate::engine::{Engine, Job};

    /// A texel of 1e30 beside a smaller one gives the result of the smaller one no tolerance: it is 1 and not 4e20. Beside it are another
    /// channel, another texel of gather4, and a texel that is not the smallest.
    #[test]
    fn a_large_texel_hides_no_wrong_result() {
        let fields = [
            ("Surface Type", 1),
            ("Surface Horizontal Alignment", 1),
            ("Surface Vertical Alignment", 1),
            ("Width", 1),
            ("Surface Pitch", 31),
            ("Shader Channel Select Red", 4),
            ("Shader Channel Select Green", 5),
            ("Shader Channel Select Blue", 6),
            ("Shader Channel Select Alpha", 7),
        ];
        for (op, format, params, at) in [
            ("ld", "R32G32_FLOAT", [0, 0], 32),
            ("gather4", "R32_FLOAT", [0.5_f32.to_bits(), 0.5_f32.to_bits()], 32),
            ("sample_lz", "R32_FLOAT", [0.5_f32.to_bits(), 0.5_f32.to_bits()], 0),
        ] {
            let mut job = Job { simd: 8, ..job(op, format, &fields) };
            // The filter is LINEAR, its reduction the minimum.
            for (field, code) in [
                ("Mag Mode Filter", 1),
                ("Min Mode Filter", 1),
                ("Reduction Type Enable", 1),
                ("Reduction Type", 2),
            ] {
                set_sampler(&mut job.sampler, field, code);
            }
            job.params = params.map(|bits| vec![bits; 8]).into();
            job.memory[0].bytes[..8].copy_from_slice([1e30_f32, 1.0].map(f32::to_le_bytes).as_flattened());
            let mut outcome = CoreEngine.execute(&job).unwrap().unwrap();
            let mut counts = Counts::default();
            assert_eq!(agree_on(&job, &job, Ok(Some(outcome.clone())), "core", &mut counts), Ok(()), "{op}");
            assert_eq!(outcome.writeback[at..at + 4], 1_f32.to_le_bytes(), "{op}");
            outcome.writeback[at..at + 4].copy_from_slice(&4e20_f32.to_le_bytes());
            let why = agree_on(&job, &job, Ok(Some(outcome)), "off", &mut counts).expect_err(op);
            assert!(why.starts_with("lane 0: off") && why.contains("tolerance"), "{op}: {why}");
        }
    }
}
