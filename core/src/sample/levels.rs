//! Mip levels: LODs, the mip levels that they select, and the mip level, texel and sample that a load reads.

pub(super) mod level;
pub(super) mod load_rule;
pub(super) mod lod;
mod log2;
pub(super) mod multisample;
pub(super) mod select;
