//! Enumerations, surface states and layouts as JSON, in the keys of the ground truth.

pub(crate) mod enumerations;
pub(crate) mod layouts;
