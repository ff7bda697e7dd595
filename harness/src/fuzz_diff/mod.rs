//! Random jobs on core, emulator and a model: campaigns on all cores, in shards, and their reports.
//!
//! A campaign's [`Report`] is plain data: [`std::fmt::Display`] renders it as text, serde as JSON. It does not depend on
//! the number of threads, and reports of the shards of a campaign merge to one ([`Report::merge`]).

mod campaign;
mod lane;
mod minimize;
mod report;

pub use campaign::{Settings, Shard, check, run};
pub use lane::{EngineTexel, LaneReport, Texel};
pub use minimize::minimal;
pub use report::{Finding, Group, Report};

#[cfg(test)]
mod tests;
