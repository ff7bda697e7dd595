//! The filter in a level: which stages find its texels and make one value of them.

use super::Precision;
use super::address::AddressKernel;
use super::axis::{AxisKernel, Subtexel};
use super::filter::{FoldKernel, WeightKernel};
use super::lanes::FOOTPRINTS;
use super::sampler::{Filter, Sampler};
use super::stages::Stages;

/// A filter in a level, and the stages that do it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    pub(super) filter: Filter,
    /// Two texels along each axis that the surface has.
    pub(super) linear: bool,
    /// What is made of coordinates along each axis.
    pub(super) subtexel: [Subtexel; 3],
    /// Small targets do without.
    pub(super) axis: Option<[AxisKernel; 3]>,
    pub(super) address: AddressKernel,
    /// log2 of the texels of a footprint.
    pub(super) footprint: u8,
    pub(super) weights: Option<WeightKernel>,
    pub(super) mean: Option<FoldKernel>,
}

impl Pass {
    pub(super) const NONE: Self = {
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
    pub(super) const fn texels(&self) -> usize {
        1 << (self.footprint as usize % FOOTPRINTS)
    }
}

/// The rounding of coordinates under 8-bit fractions: of magnified lanes (0) or the others (1).
pub(super) fn fixed(sampler: &Sampler, minified: usize) -> Option<[bool; 3]> {
    let of = |[mag, min]: [bool; 2]| if minified == 0 { mag } else { min };
    (sampler.precision == Precision::Fixed8).then(|| sampler.rounding.map(of))
}
