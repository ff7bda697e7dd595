//! What is handed from step to step.

use crate::sample::fetch::frames::SurfaceMemory;
use crate::sample::params::{PassInput, PassParams};
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::plan::Plan;

/// What is the same for every pass of a call.
#[derive(Clone, Copy)]
pub(in crate::sample) struct Call<'a> {
    pub(in crate::sample) plan: &'a Plan<'a>,
    pub(in crate::sample) source: &'a SurfaceMemory<'a>,
}

impl Call<'_> {
    /// What a pass reads of the only level.
    #[inline(always)]
    pub(super) fn read<'r>(&'r self, PassInput { params, on }: &'r PassInput<'_>) -> Read<'r> {
        Read { params, on: *on, level: self.plan.only_level() }
    }
}

/// What a filter reads for the lanes of a pass: with which parameters, for which lanes, on which level.
#[derive(Clone, Copy)]
pub(super) struct Read<'a> {
    pub(super) params: &'a PassParams<'a>,
    pub(super) on: u32,
    pub(super) level: &'a LevelLanes,
}
