//! What the steps of a pass are given.

use crate::memory::Memory;
use crate::sample::params::Params;
use crate::sample::pass::Pass;
use crate::sample::plan::Plan;

/// The whole surface if the memory hands it out; and the memory.
pub(in crate::sample) type Source<'a> = (Option<&'a [u8]>, &'a dyn Memory);

/// A pass of a message.
pub(super) struct Call<'c, 'p> {
    pub(super) plan: &'c Plan<'p>,
    pub(super) pass: &'c Pass,
    pub(super) params: Params<'c, 'c>,
    pub(super) source: Source<'c>,
    /// The first lane.
    pub(super) first: usize,
}
