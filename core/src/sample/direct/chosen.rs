//! Filtering on the mip levels that lanes have chosen.

use super::call::{DirectCall, FilterInput};
use super::filter::LevelFilter;
use crate::sample::lanes::Lanes;
use crate::sample::params::PassParams;
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::scratch::{ChosenMips, PassScratch};

/// The filter of a pass and the mip levels that its lanes read.
pub(super) struct ChosenFilter<'a> {
    pub(super) filter: &'a LevelFilter,
    /// The mask of lanes that read the finer mip level, and that of lanes that read the coarser one.
    pub(super) on: [u32; 2],
    pub(super) level: &'a [LevelLanes; 2],
    /// The weight of the coarser mip level.
    pub(super) fraction: &'a Lanes<f32>,
}

impl<'a> ChosenFilter<'a> {
    /// The chosen mip levels of the lanes in `on`, to be read with `filter`.
    #[inline(always)]
    pub(super) fn new(
        filter: &'a LevelFilter,
        ChosenMips { levels, level, .. }: &'a ChosenMips,
        on: u32,
    ) -> Self {
        Self { filter, on: levels.lanes.map(|lanes| lanes & on), level, fraction: &levels.fraction }
    }

    /// Returns the lanes and their mip levels if all lanes read only the finer or only the coarser one; `None` if both are read.
    #[inline(always)]
    pub(super) const fn only_level(&self) -> Option<(u32, &LevelLanes)> {
        match (self.on, self.level) {
            ([on, 0], [finer, _]) => Some((on, finer)),
            ([0, on], [_, coarser]) => Some((on, coarser)),
            _ => None,
        }
    }

    /// Filters within the chosen mip levels and between them; the results are in the first scratch. `None`: a lane needs the general path.
    #[inline(never)]
    pub(super) fn run(
        &self,
        call: DirectCall<'_>,
        params: &PassParams<'_>,
        [scratch, other]: [&mut PassScratch; 2],
    ) -> Option<()> {
        if let Some((on, level)) = self.only_level() {
            return self.filter.run_one(call, FilterInput { params, on, level }, scratch);
        }
        let ([finer, coarser], [on, on_coarser]) = (self.level, self.on);
        let reads = [
            FilterInput { params, on, level: finer },
            FilterInput { params, on: on_coarser, level: coarser },
        ];
        self.filter.run(call, reads, [&mut *scratch, &mut *other])?;
        let (PassScratch { values: [finer, ..], .. }, PassScratch { values: [coarser, ..], .. }) =
            (scratch, other);
        call.plan.join_levels(finer, coarser, self.fraction);
        Some(())
    }
}
