//! The filter in a level: which stages find its texels and make one value of them.

use crate::sample::bind::sampler::{Filter, Precision, Sampler};
use crate::sample::filter::{FoldKernel, WeightKernel};
use crate::sample::lanes::FOOTPRINTS;
use crate::sample::place::address::AddressKernel;
use crate::sample::place::axis::{AxisKernel, Subtexel};
use crate::sample::stages::Stages;

/// A filter in a level, and the stages that do it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    pub(crate) filter: Filter,
    /// Two texels along each axis that the surface has.
    pub(crate) linear: bool,
    /// What is made of coordinates along each axis.
    pub(crate) subtexel: [Subtexel; 3],
    /// Small targets do without.
    pub(crate) axis: Option<[AxisKernel; 3]>,
    pub(crate) address: AddressKernel,
    /// log2 of the texels of a footprint.
    pub(crate) footprint: u8,
    pub(crate) weights: Option<WeightKernel>,
    pub(crate) mean: Option<FoldKernel>,
}

impl Pass {
    pub(crate) const NONE: Self = {
        let [[address, ..], ..] = Stages::BASELINE.address;
        Self {
            filter: Filter::Nearest,
            linear: false,
            subtexel: [Subtexel::new(false, None); 3],
            axis: None,
            address,
            footprint: 0,
            weights: None,
            mean: None,
        }
    };

    /// Texels of a footprint.
    pub(crate) const fn texels(&self) -> usize {
        1 << (self.footprint as usize % FOOTPRINTS)
    }
}

/// The rounding of coordinates under 8-bit fractions: of magnified lanes (0) or the others (1).
pub(crate) fn fixed(sampler: &Sampler, minified: usize) -> Option<[bool; 3]> {
    let of = |[mag, min]: [bool; 2]| if minified == 0 { mag } else { min };
    (sampler.precision == Precision::Fixed8).then(|| sampler.rounding.map(of))
}
