//! Disagreements of an engine with the emulator, as data.

use super::disagreement_kind::DisagreementKind;
use super::lane::LaneResult;
use super::verdict::value_equal;
use crate::emulator::numbers::float;
use crate::emulator::sample::{BoundJob, ExactLane};
use crate::engine::Job;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A disagreement of an engine with the emulator about a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disagreement {
    /// What differs.
    pub kind: DisagreementKind,
    /// The engine that disagrees with the emulator.
    pub engine: String,
    /// The disagreement in words.
    pub why: String,
    /// The lane that differs, if the disagreement is about a lane.
    pub lane: Option<LaneValues>,
}

/// The results of engine and emulator for a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaneValues {
    /// The number of the lane.
    pub lane: usize,
    /// The channels.
    pub channels: Vec<ChannelValue>,
    /// Whether the lane reads a null page: engine, emulator.
    pub null: [bool; 2],
    /// Whether the lane faults: engine, emulator.
    pub fault: [bool; 2],
    /// The largest allowed difference from the emulator's value, of the channel that may differ most.
    #[serde(with = "crate::compare::numbers")]
    pub tolerance: f64,
}

/// The results of engine and emulator for a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChannelValue {
    /// `R`, `G`, `B`, `A`.
    pub channel: char,
    /// The engine's value; `None`: the channel is not returned.
    pub engine: Option<ResultValue>,
    /// The emulator's value.
    pub emulator: ResultValue,
    /// True if the values are equal within the tolerance.
    pub equal: bool,
}

/// A result: its bits, and the float or integer that they represent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultValue {
    /// The bits, as hex.
    pub bits: String,
    /// The number; integers are printed as integers.
    pub value: String,
}

impl ResultValue {
    fn of(bits: u32, bound: &BoundJob<'_>, half_return: bool) -> Self {
        let signed = bound.surface.format.as_ref().is_some_and(|f| f.signed);
        let value = match (bound.returns_integers(), signed, half_return) {
            (false, ..) => float(bits, half_return).to_string(),
            (true, true, true) => (bits as u16 as i16).to_string(),
            (true, true, false) => (bits as i32).to_string(),
            (true, false, _) => bits.to_string(),
        };
        Self { bits: if half_return { format!("{bits:#06x}") } else { format!("{bits:#010x}") }, value }
    }
}

impl Disagreement {
    pub(super) fn new(kind: DisagreementKind, engine: &str, why: String) -> Box<Self> {
        Box::new(Self { kind, engine: engine.to_owned(), why, lane: None })
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// Returns the results of engine (`got`) and emulator (`exact`) for a lane.
pub fn values(
    job: &Job,
    bound: &BoundJob<'_>,
    lane: usize,
    got: &LaneResult,
    exact: &ExactLane,
) -> LaneValues {
    let slack = exact.slack.iter().sum::<f64>();
    let value = |bits: u32| ResultValue::of(bits, bound, job.half_return);
    let channel = |c: usize| ChannelValue {
        channel: ['R', 'G', 'B', 'A'][c],
        engine: got.values[c].map(value),
        emulator: value(exact.returned[c]),
        equal: got.values[c].is_none_or(|value| value_equal(job, exact, c, value, slack)),
    };
    LaneValues {
        lane,
        channels: (0..4).map(channel).collect(),
        null: [got.null, exact.null],
        fault: [got.fault, exact.fault],
        tolerance: exact.tolerance.into_iter().fold(0.0, f64::max) + slack,
    }
}

/// Returns the disagreement about a lane. `lod`: the lane's values are right for another LOD.
pub(super) fn differs(job: &Job, values: LaneValues, lod: bool, engine: &str) -> Disagreement {
    let LaneValues { lane, channels, null, fault, tolerance } = &values;
    let shown =
        |value: Option<&ResultValue>| value.map_or("-".to_owned(), |v| format!("{} ({})", v.bits, v.value));
    let list = |side: &dyn Fn(&ChannelValue) -> String| -> String {
        channels.iter().map(side).collect::<Vec<_>>().join(", ")
    };
    let why = format!(
        "lane {lane}: {engine} [{}] null {} fault {}, emulator [{}] null {} fault {}, tolerance {tolerance:e}",
        list(&|c| shown(c.engine.as_ref())),
        null[0],
        fault[0],
        list(&|c| shown(Some(&c.emulator))),
        null[1],
        fault[1],
    );
    let kind = match (fault[0] != fault[1], job.null_mask && null[0] != null[1]) {
        (true, _) => DisagreementKind::Fault,
        (false, true) if channels.iter().all(|channel| channel.equal) => DisagreementKind::NullMask,
        (false, _) if lod => DisagreementKind::Lod,
        (false, _) => DisagreementKind::Values,
    };
    Disagreement { kind, engine: engine.to_owned(), why, lane: Some(values) }
}
