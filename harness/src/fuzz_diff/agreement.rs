//! Statistics of agreement: a cell for each operation, format, address mode, filter and dimension.

use super::labels::{AXES, Labels};
use super::lane::{LaneReport, known_lane};
use super::settings::Settings;
use crate::compare::rules::{self, DeviationRule};
use crate::compare::{ComparedLane, LaneResult, LaneValues, Verdict, values};
use crate::emulator::sample::BoundJob;
use crate::emulator::sample::nudge::Nudge;
use crate::engine::DeviceLimits;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The results of the jobs that share a label.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Jobs, declined ones included.
    pub jobs: u64,
    /// Jobs that the engine declined.
    pub declined: u64,
    /// Lanes equal within the rounding of f32, or with a decision at a boundary moved within it.
    pub equal: u64,
    /// Lanes equal within the deviation that a rule allows, by the rule's identifier.
    pub allowed: BTreeMap<String, u64>,
    /// Lanes whose result no document defines, by the rule's identifier.
    pub undefined: BTreeMap<String, u64>,
    /// Lanes that differ.
    pub different: u64,
    /// The lane with the largest deviation; `None` if no lane has any.
    pub worst: Option<Worst>,
}

/// The lane of a cell with the largest deviation. Lanes with an undefined result are not considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// The deviation: 1 is the most that a rule allows.
    #[serde(with = "crate::compare::numbers")]
    pub distance: f64,
    /// The seed of the job; `None` for a job from a file.
    pub seed: Option<u64>,
    /// The number of the lane.
    pub lane: usize,
    /// The bits that the engine returned.
    pub returned: [Option<u32>; 4],
    /// The results of engine and emulator.
    pub values: Option<LaneValues>,
    /// Coordinates, LOD and the texels that the emulator reads.
    pub report: Option<LaneReport>,
    /// The command that repeats the job.
    pub command: String,
}

impl Cell {
    /// Counts a lane of a job.
    pub(super) fn count(&mut self, compared: &ComparedLane, got: &LaneResult) {
        let by = |rules: &mut BTreeMap<String, u64>, rule: DeviationRule| {
            *rules.entry(rule.id().to_owned()).or_default() += 1;
        };
        match compared.verdict {
            Verdict::Equal | Verdict::Boundary => self.equal += 1,
            Verdict::Allowed(rule) => by(&mut self.allowed, rule),
            Verdict::Undefined(rule) => return by(&mut self.undefined, rule),
            Verdict::Different => self.different += 1,
        }
        let most = self.worst.as_ref().map_or(0.0, |worst| worst.distance);
        if compared.distance > most {
            self.worst = Some(Worst {
                distance: compared.distance,
                seed: None,
                lane: compared.lane,
                returned: got.values,
                values: None,
                report: None,
                command: String::new(),
            });
        }
    }

    /// Lanes compared.
    pub fn lanes(&self) -> u64 {
        self.equal
            + self.different
            + self.allowed.values().sum::<u64>()
            + self.undefined.values().sum::<u64>()
    }

    fn add(&mut self, other: &Self) {
        self.jobs += other.jobs;
        self.declined += other.declined;
        self.equal += other.equal;
        self.different += other.different;
        for (mine, theirs) in [(&mut self.allowed, &other.allowed), (&mut self.undefined, &other.undefined)] {
            for (rule, lanes) in theirs {
                *mine.entry(rule.clone()).or_default() += lanes;
            }
        }
        let distance = |worst: &Option<Worst>| worst.as_ref().map_or(0.0, |worst| worst.distance);
        if distance(&other.worst) > distance(&self.worst) {
            self.worst.clone_from(&other.worst);
        }
    }
}

/// The cells of all axes, and the reasons of declined jobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// The cells by axis (see [`AXES`]) and label.
    pub axes: BTreeMap<String, BTreeMap<String, Cell>>,
    /// The number of declined jobs by reason.
    pub declined: BTreeMap<String, u64>,
}

impl Agreement {
    /// Adds the statistics of a job.
    pub fn add(&mut self, seed: Option<u64>, labels: &Labels, mut job: Cell) {
        if let Some(worst) = &mut job.worst {
            worst.seed = seed;
        }
        for (axis, label) in AXES.into_iter().zip(labels) {
            self.axes.entry(axis.to_owned()).or_default().entry(label.clone()).or_default().add(&job);
        }
    }

    /// Adds the statistics of another campaign.
    pub fn merge(&mut self, other: Self) {
        for (axis, cells) in other.axes {
            let mine = self.axes.entry(axis).or_default();
            for (label, cell) in cells {
                mine.entry(label).or_default().add(&cell);
            }
        }
        for (why, jobs) in other.declined {
            *self.declined.entry(why).or_default() += jobs;
        }
    }

    /// Fills in the values, the lane report and the command of each worst lane.
    pub fn explain(&mut self, settings: &Settings, limits: Option<DeviceLimits>) {
        let worst =
            self.axes.values_mut().flat_map(BTreeMap::values_mut).filter_map(|cell| cell.worst.as_mut());
        for worst in worst.filter(|worst| worst.values.is_none()) {
            let Some(seed) = worst.seed else { continue };
            worst.command = settings.command(seed);
            let Ok(job) = settings.job(seed) else { continue };
            let Ok(Some(bound)) = BoundJob::of(&job) else { continue };
            let bound = rules::bound(bound, limits);
            let exact = bound.lane(worst.lane, &Nudge::default());
            let got = LaneResult { values: worst.returned, null: exact.null, fault: exact.fault };
            worst.values = Some(values(&job, &bound, worst.lane, &got, &exact));
            worst.report = Some(known_lane(&job, worst.lane));
        }
    }

    /// Writes the rules that lanes needed, and the reasons of declined jobs.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, lanes) in self.rules() {
            let text =
                DeviationRule::ALL.into_iter().find(|rule| rule.id() == id).map_or("", |rule| rule.about().1);
            writeln!(f, "{lanes:>12} lanes by rule {id}: {text}")?;
        }
        let (jobs, declined) = self.jobs();
        if declined > 0 {
            let share = 100.0 * (jobs - declined) as f64 / jobs as f64;
            writeln!(f, "{share:.1} % of {jobs} jobs executed; declined:")?;
        }
        let mut reasons: Vec<_> = self.declined.iter().collect();
        reasons.sort_by_key(|(_, jobs)| std::cmp::Reverse(**jobs));
        reasons.iter().try_for_each(|(why, jobs)| writeln!(f, "{jobs:>12} jobs: {why}"))
    }

    /// Returns the number of all jobs and of declined jobs.
    pub fn jobs(&self) -> (u64, u64) {
        let cells = self.axes.get(AXES[0]).map(BTreeMap::values);
        cells.into_iter().flatten().fold((0, 0), |all, cell| (all.0 + cell.jobs, all.1 + cell.declined))
    }

    /// Returns the number of lanes that needed each rule, by the rule's identifier.
    pub fn rules(&self) -> BTreeMap<String, u64> {
        let mut all = BTreeMap::new();
        for cell in self.axes.get(AXES[0]).into_iter().flat_map(BTreeMap::values) {
            for (rule, lanes) in cell.allowed.iter().chain(&cell.undefined) {
                *all.entry(rule.clone()).or_default() += lanes;
            }
        }
        all
    }
}
