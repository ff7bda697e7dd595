//! Binding: surface and sampler states are checked and decoded once, before messages run.

pub(super) mod controls;
pub(super) mod mcs;
pub(super) mod query;
pub(super) mod refuse;
pub(super) mod sampler;
pub(super) mod texture;
