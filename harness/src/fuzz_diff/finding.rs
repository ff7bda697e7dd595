//! A job on which two engines disagree, and what of it matters.

use super::labels::{Labels, labels};
use super::lane::LaneReport;
use super::settings::Settings;
use super::touches::touches;
use crate::compare::{Disagreement, Kind};
use crate::engine::{Job, Precision};
use crate::explain::{Explained, record};
use serde::{Deserialize, Serialize};

/// A job on which two engines disagree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The seed of the job; none for a job of a file.
    pub seed: Option<u64>,
    /// How they disagree.
    pub disagreement: Disagreement,
    /// The lane of the disagreement in the job as it is.
    pub lane: Option<LaneReport>,
    /// The command that repeats it.
    pub command: String,
    /// Message, surface, sampler and border colour of the job, field by field.
    pub explained: Vec<Explained>,
    /// The smallest job found that still disagrees in the same way; the job itself unless it was made [small](Self::small).
    pub minimal: Job,
    /// How that one disagrees.
    pub minimal_disagreement: Disagreement,
    /// The lane of that disagreement.
    pub minimal_lane: Option<LaneReport>,
    /// The fields of the minimal job that are not 0: `Mag Mode Filter LINEAR`.
    pub matters: Vec<String>,
    /// The parts of the documents that say what the result is.
    #[serde(default)]
    pub touches: Vec<String>,
    /// What the job is: operation, format, address mode, filter, dimension.
    #[serde(default)]
    pub labels: Labels,
    /// The minimal job was looked for. Else it is the job itself: one of the same sort was made small, or time was up.
    #[serde(default)]
    pub small: bool,
}

/// Fields that say where and how large, not what: they do not make a cause.
#[rustfmt::skip]
const SIZES: &[&str] = &[
    "Surface Base Address", "Surface Pitch", "Surface QPitch", "Width", "Height", "Depth", "Max LOD", "execution mask", "lanes",
    "Shader Channel Select Red", "Shader Channel Select Green", "Shader Channel Select Blue", "Shader Channel Select Alpha",
    "Surface Horizontal Alignment", "Surface Vertical Alignment", "parameters", "channels", "platform", "texel offsets",
    "Auxiliary Surface Base Address", "MIP Count / LOD",
];

impl Finding {
    /// A disagreement as it was found.
    pub fn of(settings: &Settings, seed: Option<u64>, job: &Job, disagreement: Disagreement) -> Self {
        Self {
            seed,
            labels: labels(job),
            lane: None,
            command: seed.map_or_else(String::new, |seed| settings.command(seed)),
            explained: Vec::new(),
            minimal: job.clone(),
            minimal_disagreement: disagreement.clone(),
            minimal_lane: None,
            matters: Vec::new(),
            touches: Vec::new(),
            small: false,
            disagreement,
        }
    }

    /// Says what of the minimal job matters, and which parts of the documents it touches.
    pub(super) fn describe(&mut self) {
        self.matters = matters(&record::job(&self.minimal), &self.minimal);
        self.touches = touches(&self.minimal).into_iter().map(str::to_owned).collect();
    }

    /// Disagreements of a sort: of the same engine in the same way, of jobs with the same labels.
    pub(super) fn sort(&self) -> (Kind, &str, &Labels) {
        (self.disagreement.kind, &self.disagreement.engine, &self.labels)
    }
}

/// The fields that are not 0 and say what is done, not where and how large.
fn matters(explained: &[Explained], job: &Job) -> Vec<String> {
    let mut all = vec![format!("operation {}", job.op)];
    let kind = explained.iter().flat_map(|one| &one.fields).filter(|line| {
        let set = line.raw != 0 || matches!(line.name.as_str(), "Surface Type" | "Surface Format");
        let address = line.name.contains("Rounding Enable") || line.name.starts_with("Border Color 32bit");
        set && line.value != "-" && !SIZES.contains(&line.name.as_str()) && !address
    });
    all.extend(kind.map(|line| format!("{} {}", line.name, line.value)));
    if job.offsets != [0; 3] {
        all.push(format!("texel offsets {:?}", job.offsets));
    }
    if job.precision == Precision::Fixed8 {
        all.push("precision fixed8".to_owned());
    }
    all
}
