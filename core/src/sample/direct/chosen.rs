//! What lanes read that have chosen their levels.

use super::filter::LevelFilter;
use crate::sample::fetch::frames::SurfaceMemory;
use crate::sample::lanes::Lanes;
use crate::sample::params::PassParams;
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::plan::Plan;
use crate::sample::scratch::{Chosen, Room};

/// What the lanes of a pass read.
pub(super) struct ChosenLevels<'a> {
    pub(super) filter: &'a LevelFilter,
    /// Lanes that read the finer level, and those that read the coarser one.
    pub(super) on: [u32; 2],
    pub(super) level: &'a [LevelLanes; 2],
    /// Weight of the coarser level.
    pub(super) fraction: &'a Lanes<f32>,
}

impl<'a> ChosenLevels<'a> {
    /// What the lanes in `on` read with a filter.
    #[inline(always)]
    pub(super) fn new(filter: &'a LevelFilter, Chosen { levels, level, .. }: &'a Chosen, on: u32) -> Self {
        Self { filter, on: levels.lanes.map(|lanes| lanes & on), level, fraction: &levels.fraction }
    }

    /// The only level, if it is one, and the lanes that read it.
    #[inline(always)]
    pub(super) const fn only_level(&self) -> Option<(u32, &LevelLanes)> {
        match (self.on, self.level) {
            ([on, 0], [finer, _]) => Some((on, finer)),
            ([0, on], [_, coarser]) => Some((on, coarser)),
            _ => None,
        }
    }

    /// The results, in the first room.
    #[inline(never)]
    pub(super) fn run(
        &self,
        plan: &Plan<'_>,
        source: &SurfaceMemory<'_>,
        params: &PassParams<'_>,
        [room, other]: [&mut Room; 2],
    ) -> Option<()> {
        if let Some((on, level)) = self.only_level() {
            return self.filter.run_one(plan, source, params, on, level, room);
        }
        let rooms = [&mut *room, &mut *other];
        self.filter.run(plan, source, [params; 2], self.on, self.level.each_ref(), rooms)?;
        let (Room { values: [finer, ..], .. }, Room { values: [coarser, ..], .. }) = (room, other);
        let [_, on_coarser] = self.on;
        plan.join_levels(finer, coarser, on_coarser, self.fraction);
        Some(())
    }
}
