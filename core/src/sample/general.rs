//! The general way: messages that need decisions between the stages, lane by lane where it must be.
//!
//! Every message can go this way: with faults, planes, borders over the edges of cubes, memory that is only read, and everything else. What most
//! messages are goes through the same stages without these decisions ([`direct`](super::direct)).

mod anisotropic;
mod controls;
mod edges;
pub(super) mod execute;
mod load;
mod read;
pub(super) mod texels;
