//! Random jobs, executed by core, emulator and a model: campaigns on all cores, in shards, and their reports.
//!
//! The [`Report`] of a campaign is plain data: [`std::fmt::Display`] renders it as text, serde as JSON. It does not depend on the number of
//! threads. The reports of all shards of a campaign can be merged to one ([`Report::merge`]).

mod accepted;
mod agreement;
mod campaign;
mod chapters;
mod check;
mod finding;
mod labels;
mod lane;
mod minimize;
mod report;
mod report_text;
mod settings;
mod small;

pub use accepted::{Accepted, Baseline};
pub use agreement::{Agreement, Cell, Worst};
pub use campaign::{run, run_with};
pub use check::{CheckedJob, check, check_all, end};
pub use finding::Finding;
pub use labels::{AXES, Labels, labels};
pub use lane::{EmulatorTexel, EngineTexel, LaneReport, lane};
pub use minimize::minimal;
pub use report::{FindingGroup, Report};
pub use settings::{Settings, Shard};
