//! What lanes read that have chosen their levels.

use super::call::{Call, Read};
use super::filter::LevelFilter;
use crate::sample::lanes::Lanes;
use crate::sample::params::PassParams;
use crate::sample::place::level_lanes::LevelLanes;
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
        call: Call<'_>,
        params: &PassParams<'_>,
        [room, other]: [&mut Room; 2],
    ) -> Option<()> {
        if let Some((on, level)) = self.only_level() {
            return self.filter.run_one(call, Read { params, on, level }, room);
        }
        let ([finer, coarser], [on, on_coarser]) = (self.level, self.on);
        let reads = [Read { params, on, level: finer }, Read { params, on: on_coarser, level: coarser }];
        self.filter.run(call, reads, [&mut *room, &mut *other])?;
        let (Room { values: [finer, ..], .. }, Room { values: [coarser, ..], .. }) = (room, other);
        call.plan.join_levels(finer, coarser, self.fraction);
        Some(())
    }
}
