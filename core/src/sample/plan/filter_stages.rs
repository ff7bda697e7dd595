//! A filter in one mip level: which stages find the texels of footprints and reduce them to one value.

use crate::sample::bind::sampler::{Filter, Precision, Sampler};
use crate::sample::filter::{FoldKernel, WeightKernel};
use crate::sample::lanes::FOOTPRINTS;
use crate::sample::place::address::AddressKernel;
use crate::sample::place::axis::{AxisKernel, Subtexel};
use crate::sample::stages::Stages;

/// A filter in one mip level, and the stages that execute it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilterStages {
    pub(crate) kind: Filter,
    /// For each axis: whether two texels are read, and how fractions of coordinates are rounded to 8 bits.
    pub(crate) subtexel: [Subtexel; 3],
    /// The kernels that find texels along each axis. Small targets do without.
    pub(crate) axis: Option<[AxisKernel; 3]>,
    pub(crate) address: AddressKernel,
    /// log2 of the number of texels in a footprint: 0 for NEAREST; LINEAR and anisotropic filters read two texels along each axis that
    /// the surface has.
    pub(crate) footprint: u8,
    pub(crate) weights: Option<WeightKernel>,
    pub(crate) mean: Option<FoldKernel>,
}

impl FilterStages {
    pub(crate) const NONE: Self = {
        let [[address, ..], ..] = Stages::BASELINE.address;
        Self {
            kind: Filter::Nearest,
            subtexel: [Subtexel::new(false, None); 3],
            axis: None,
            address,
            footprint: 0,
            weights: None,
            mean: None,
        }
    };

    /// Returns the number of texels in a footprint.
    pub(crate) const fn texels(&self) -> usize {
        1 << (self.footprint as usize % FOOTPRINTS)
    }
}

/// Returns the rounding enables of U, V and R, if coordinates have 8-bit fractions: those for magnified lanes (`minified` 0) or for
/// minified lanes (1).
pub(crate) fn fixed(sampler: &Sampler, minified: usize) -> Option<[bool; 3]> {
    sampler.rounding.get(minified).copied().filter(|_| sampler.precision == Precision::Fixed8)
}
