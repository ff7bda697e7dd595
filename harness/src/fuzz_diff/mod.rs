//! Random jobs on core, emulator and a model: campaigns on all cores, in shards, and their reports.
//!
//! A campaign's [`Report`] is plain data: [`std::fmt::Display`] renders it as text, serde as JSON. It does not depend on
//! the number of threads, and reports of the shards of a campaign merge to one ([`Report::merge`]).

mod accepted;
mod agreement;
mod campaign;
mod lane;
mod minimize;
mod report;
mod report_text;
mod small;
mod touches;

pub use accepted::{Accepted, Baseline};
pub use agreement::{AXES, Agreement, Cell, Labels, Worst, labels};
pub use campaign::{Checked, Settings, Shard, check, check_all, run};
pub use lane::{EngineTexel, LaneReport, Texel};
pub use minimize::minimal;
pub use report::{Finding, Group, Report};

#[cfg(test)]
mod tests;
