//! Anisotropic filtering on the direct path: the samples of footprints are filtered in pairs, the two of a pair side by side.

use super::call::{DirectCall, FilterInput};
use super::chosen::ChosenFilter;
use super::filter::LevelFilter;
use super::levels::LaneLevels;
use crate::message::MAX_PARAMS;
use crate::sample::lanes::{ChannelLanes, LANES, LaneBytes, Lanes};
use crate::sample::levels::lod::PixelFootprints;
use crate::sample::params::PassParams;
use crate::sample::place::footprint::MOST;
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::scratch::{PassScratch, RESULT};

/// Filters anisotropic footprints of several samples.
#[derive(Clone, Copy)]
pub(super) struct AnisotropicSamples<'a> {
    pub(super) call: DirectCall<'a>,
    pub(super) levels: &'a LaneLevels,
    pub(super) footprints: &'a PixelFootprints,
    pub(super) filter: &'a LevelFilter,
}

/// The parameters of an anisotropic sample: those of the message, with the coordinates moved to the sample.
type SampleParams = [Lanes<LaneBytes>; MAX_PARAMS];

impl AnisotropicSamples<'_> {
    /// Filters all samples within the chosen mip levels and between these; the results are in the first scratch. `None`: a lane needs the
    /// general path.
    #[inline(never)]
    pub(super) fn run(
        &self,
        chosen: &ChosenFilter<'_>,
        params: &PassParams<'_>,
        [scratch, other]: [&mut PassScratch; 2],
    ) -> Option<()> {
        let Self { call: DirectCall { plan, .. }, levels, footprints, .. } = *self;
        let mut centre = [[0.0; LANES]; 3];
        LaneLevels::read(plan, params, &levels.coordinates, &mut centre)?;
        let mut aimed: [SampleParams; 2] = [[[[0; 4]; LANES]; MAX_PARAMS]; 2];
        for number in (0..plan.message.params).filter(|number| levels.others >> number & 1 != 0) {
            for aimed in &mut aimed {
                *aimed.get_mut(usize::from(number))? = *params.get(number)?;
            }
        }
        let mut results = [[[0; LANES]; 4]; 2];
        for ((on, level), result) in chosen.on.into_iter().zip(chosen.level).zip(&mut results) {
            if on != 0 {
                self.in_level(&centre, &mut aimed, on, level, [&mut *scratch, &mut *other], result)?;
                plan.divide_samples(footprints, result);
            }
        }
        let ([finer, coarser], [on_finer, on_coarser]) = (&mut results, chosen.on);
        if on_finer != 0 && on_coarser != 0 {
            plan.join_levels(finer, coarser, chosen.fraction);
        }
        scratch.values[RESULT] = if on_finer != 0 { *finer } else { *coarser };
        Some(())
    }

    /// Computes the sum (or the minimum or maximum) of the samples on a mip level, for the lanes in `on`.
    #[inline(always)]
    fn in_level(
        &self,
        centre: &[Lanes<f32>; 3],
        [first, second]: &mut [SampleParams; 2],
        on: u32,
        level: &LevelLanes,
        [scratch, other]: [&mut PassScratch; 2],
        sum: &mut ChannelLanes,
    ) -> Option<()> {
        let Self { call, footprints, filter, .. } = *self;
        for number in (1..=MOST).step_by(2) {
            let next = number.wrapping_add(1);
            let [here, on_next] = [number, next].map(|number| on & footprints.lanes_with(number));
            if here == 0 {
                break;
            }
            self.sample_coords(number, centre, first)?;
            if on_next == 0 {
                let params = &PassParams::of_lanes(first, 1);
                filter.run_one(call, FilterInput { params, on: here, level }, scratch)?;
            } else {
                self.sample_coords(next, centre, second)?;
                let [params, next] = [&PassParams::of_lanes(first, 1), &PassParams::of_lanes(second, 1)];
                let reads = [
                    FilterInput { params, on: here, level },
                    FilterInput { params: next, on: on_next, level },
                ];
                filter.run(call, reads, [&mut *scratch, &mut *other])?;
            }
            for (number, on, scratch) in [(number, here, &*scratch), (next, on_next, &*other)] {
                if number == 1 {
                    // Every lane has a first sample: its result is the sum so far.
                    *sum = scratch.values[RESULT];
                } else if on != 0 {
                    call.plan.add_sample(number, footprints, &scratch.values[RESULT], on, sum);
                }
            }
        }
        Some(())
    }

    /// Moves the coordinates in `aimed` to sample `number` (from 1).
    fn sample_coords(&self, number: u32, centre: &[Lanes<f32>; 3], aimed: &mut SampleParams) -> Option<()> {
        let mut moved = [[0.0; LANES]; 3];
        self.call.plan.sample_coords(number, self.footprints, centre, &mut moved);
        for (moved, number) in moved.iter().zip(self.levels.coordinates.iter().flatten()) {
            self.call.plan.stages.raw?(moved, aimed.get_mut(usize::from(*number))?);
        }
        Some(())
    }
}
