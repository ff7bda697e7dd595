//! Anisotropic filtering: the mean (or minimum or maximum) of bilinear samples along the longer derivative.

use super::texels::GeneralPath;
use crate::sample::place::footprint::MOST;
use crate::sample::plan::filter_stages::FilterStages;
use crate::sample::scratch::{PassScratch, SAMPLES};

impl GeneralPath<'_, '_, '_> {
    /// Filters all anisotropic samples of the lanes in `on` on one of the two mip levels (`level`: 0 finer, 1 coarser), and puts their mean
    /// (or minimum or maximum) in `values[target]`. A lane's `n` samples are `k / (n + 1) - 1/2` of the longer derivative away from its
    /// coordinates, k = 1 to n.
    #[inline(never)]
    pub(crate) fn samples(&mut self, filter: &FilterStages, level: usize, on: u32, target: usize) {
        let centre = self.scratch.coordinate;
        let mut here = on;
        for number in 1..=MOST {
            if here == 0 {
                break;
            }
            let PassScratch { coordinate, footprints, .. } = &mut *self.scratch;
            self.plan.sample_coords(number, footprints, &centre, coordinate);
            // Every lane has a first sample: its result is the sum so far.
            if number == 1 {
                self.filter(filter, level, here, target);
            } else {
                self.filter(filter, level, here, SAMPLES);
                let PassScratch { values, footprints, .. } = &mut *self.scratch;
                let (levels, others) = values.split_at_mut(SAMPLES);
                if let (Some(sum), [sample, ..]) = (levels.get_mut(target), others) {
                    self.plan.add_sample(number, footprints, sample, here, sum);
                }
            }
            here = on & self.scratch.footprints.lanes_with(number.wrapping_add(1));
        }
        self.scratch.coordinate = centre;
        let PassScratch { values, footprints, .. } = &mut *self.scratch;
        if let Some(sum) = values.get_mut(target) {
            self.plan.divide_samples(footprints, sum);
        }
    }
}
