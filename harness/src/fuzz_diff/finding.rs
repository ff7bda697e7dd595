//! A job on which an engine and the emulator disagree, and the properties of it that matter.

use super::chapters::chapters;
use super::labels::{Labels, labels};
use super::lane::LaneReport;
use super::settings::Settings;
use crate::compare::{Disagreement, DisagreementKind};
use crate::engine::{Job, Precision};
use crate::explain::{Explained, record};
use serde::{Deserialize, Serialize};

/// A job on which an engine and the emulator disagree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The seed of the job; `None` for a job from a file.
    pub seed: Option<u64>,
    /// File and line of a job from a file. JSON reports do not have it.
    #[serde(skip)]
    pub place: Option<String>,
    /// The disagreement.
    pub disagreement: Disagreement,
    /// Report of the lane that differs, for the original job.
    pub lane: Option<LaneReport>,
    /// The command that repeats the job.
    pub command: String,
    /// Message, surface, sampler and border colour of the job, field by field.
    pub explained: Vec<Explained>,
    /// The smallest job found that still disagrees in the same way; the original job unless it was made [small](Self::small).
    pub minimal: Job,
    /// The disagreement about the minimal job.
    pub minimal_disagreement: Disagreement,
    /// Report of the lane that differs, for the minimal job.
    pub minimal_lane: Option<LaneReport>,
    /// The operation and the state fields of the minimal job that are not 0, with their values: `Mag Mode Filter LINEAR`.
    pub matters: Vec<String>,
    /// The chapters of documents that define the result.
    #[serde(default)]
    pub touches: Vec<String>,
    /// The labels of the original job: operation, format, address mode, filter, dimension.
    #[serde(default)]
    pub labels: Labels,
    /// True if a smaller job was searched. Otherwise `minimal` is the original job, because a similar one was made small or time was up.
    #[serde(default)]
    pub small: bool,
}

/// Fields that say where data is and how large it is. They are not considered a cause of a disagreement.
#[rustfmt::skip]
const SIZES: &[&str] = &[
    "Surface Base Address", "Surface Pitch", "Surface QPitch", "Width", "Height", "Depth", "Max LOD", "execution mask", "lanes",
    "Shader Channel Select Red", "Shader Channel Select Green", "Shader Channel Select Blue", "Shader Channel Select Alpha",
    "Surface Horizontal Alignment", "Surface Vertical Alignment", "parameters", "channels", "platform", "texel offsets",
    "Auxiliary Surface Base Address", "MIP Count / LOD",
];

impl Finding {
    /// Makes a finding of a disagreement, without details.
    pub fn of(settings: &Settings, seed: Option<u64>, job: &Job, disagreement: Disagreement) -> Self {
        Self {
            seed,
            place: None,
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

    /// Returns where the job comes from: its seed, or file and line.
    pub(crate) fn origin(&self) -> Option<String> {
        self.seed.map(|seed| format!("seed {seed}")).or_else(|| self.place.clone())
    }

    /// Fills in what matters in the minimal job, and the document chapters that it concerns.
    pub(super) fn describe(&mut self) {
        self.matters = matters(&record::job(&self.minimal), &self.minimal);
        self.touches = chapters(&self.minimal).into_iter().map(str::to_owned).collect();
    }

    /// Returns the key of similar disagreements: same kind, same engine, same labels of the job.
    pub(super) fn sort(&self) -> (DisagreementKind, &str, &Labels) {
        (self.disagreement.kind, &self.disagreement.engine, &self.labels)
    }
}

/// Returns the fields that are not 0 and affect what is computed. Fields of addresses and sizes are left out.
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
