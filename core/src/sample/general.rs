//! The general execution path: it decides between the stages what to do next, and works lane by lane where it has to.
//!
//! It executes every message: with faults, planar surfaces, footprints over the edges of cubes, memory that offers nothing but `read`, and
//! everything else. Most messages go through the same stages without these decisions ([`direct`](super::direct)).

mod anisotropic;
mod controls;
mod edges;
pub(super) mod execute;
mod load;
mod read;
pub(super) mod texels;
