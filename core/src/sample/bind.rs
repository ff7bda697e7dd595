//! Binding: what texture and sampler states say, decided once.

pub(super) mod controls;
pub(super) mod mcs;
pub(super) mod query;
pub(super) mod refuse;
pub(super) mod sampler;
pub(super) mod texture;
