//! Levels: LODs, which levels they select, and which level, texel and sample a load reads.

pub(super) mod level;
pub(super) mod load_rule;
pub(super) mod lod;
mod log2;
pub(super) mod multisample;
pub(super) mod select;
