//! Enumerations, surface states and layouts as JSON, in the keys of the ground truth; floats of reports.

pub(crate) mod enumerations;
pub(crate) mod layouts;
pub(crate) mod numbers;
