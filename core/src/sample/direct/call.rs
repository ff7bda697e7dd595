//! The values that the steps of the direct path hand to each other.

use crate::sample::fetch::frames::SurfaceMemory;
use crate::sample::params::{PassInput, PassParams};
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::plan::Plan;

/// The plan and the memory of a call: the same for all its passes.
#[derive(Clone, Copy)]
pub(in crate::sample) struct DirectCall<'a> {
    pub(in crate::sample) plan: &'a Plan<'a>,
    pub(in crate::sample) source: &'a SurfaceMemory<'a>,
}

impl DirectCall<'_> {
    /// Returns what a pass reads if all its lanes read the only mip level of the plan (loads find their mip level themselves).
    #[inline(always)]
    pub(super) fn read<'r>(&'r self, PassInput { params, on }: &'r PassInput<'_>) -> FilterInput<'r> {
        FilterInput { params, on: *on, level: self.plan.only_level() }
    }
}

/// What a filter reads in a pass: its parameters, the mask of active lanes, and the mip level that each lane reads.
#[derive(Clone, Copy)]
pub(super) struct FilterInput<'a> {
    pub(super) params: &'a PassParams<'a>,
    pub(super) on: u32,
    pub(super) level: &'a LevelLanes,
}
