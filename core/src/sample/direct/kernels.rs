//! The choice of fused kernels, each of which does the work of several stages at once, for messages that have one.

use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::filter::Reduction;
use crate::sample::filter::compare::{self, ComparedKernel};
use crate::sample::filter::results::ResultKernel;
use crate::sample::place::address::TEXELS;
use crate::sample::place::axis::WrapClass;
use crate::sample::place::plane::{PlaneKernel, VolumeKernel};
use crate::sample::plan::filter_stages::FilterStages;
use crate::sample::plan::{Plan, Work};

/// A kernel that places texels along all axes and finds their elements and weights.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlacementKernel {
    /// Two axes: 2D surfaces and faces of cubes.
    Plane(PlaneKernel),
    /// Three axes.
    Volume(VolumeKernel),
}

impl PlacementKernel {
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>, filter: &FilterStages) -> Option<Self> {
        let elements = plan.elements.as_ref()?;
        if plan.work == Work::Load || plan.block.is_some() && texture.dim == Dim::D3 {
            return None;
        }
        let [fold, others @ ..] = [0, 1, 2].map(|axis| plan.fold(texture, axis));
        // Kernels have one fold for all placed axes: where folds differ, one that reads the mode's numbers from each axis rule.
        let same = others.iter().take(texture.texel_axes().saturating_sub(1)).all(|other| *other == fold);
        let of_any = if plan.border.is_some() { WrapClass::ByData } else { WrapClass::Inside };
        let fold = if same { fold } else { of_any } as usize;
        let pattern = if plan.block.is_some() { TEXELS.into() } else { elements.pattern() as usize };
        let linear = filter.subtexel.map(|subtexel| subtexel.linear);
        let [is_linear, ..] = linear;
        let [fixed, ..] = filter.subtexel.map(|subtexel| usize::from(subtexel.fixed.is_some()));
        match texture.dim {
            Dim::D2 | Dim::Cube => {
                let number = if plan.work == Work::Gather { 2 } else { usize::from(is_linear) };
                let kernels = plan.stages.placement.planes.get(fold)?.get(pattern)?.get(number)?;
                kernels.get(fixed).copied().map(Self::Plane)
            }
            Dim::D3 if linear == [is_linear; 3] => {
                let kernels =
                    plan.stages.placement.volumes.get(fold)?.get(pattern)?.get(usize::from(is_linear))?;
                kernels.get(fixed).copied().map(Self::Volume)
            }
            Dim::D1 | Dim::D3 | Dim::Buffer | Dim::Null => None,
        }
    }
}

/// How results are computed from the words that were read.
#[derive(Clone, Copy, Debug)]
pub(super) enum DecodeAndFilter {
    /// One kernel that decodes and filters all channels, or decodes the channel of gather4.
    One(ResultKernel),
    /// One kernel that decodes the first channel and compares it, then filters or (gather4) returns the comparisons.
    Compared(ComparedKernel),
    /// One kernel for each kind of channel, which decodes and filters all channels of that kind.
    Means,
    /// gather4 of a channel that needs no decoding: the words are the results.
    GatherWords,
    /// Decoding, comparison and filter in separate stages.
    Steps,
}

impl DecodeAndFilter {
    pub(super) fn new(plan: &Plan<'_>, filter: &FilterStages) -> Self {
        let (stages, decoders, footprint) = (plan.stages, &plan.decoders, filter.footprint.into());
        let compared = || compare::kernel_index(decoders.first().kind);
        match (plan.work, plan.flags.compare) {
            (Work::Gather, false) if plan.border.is_none() && !plan.seamless && decoders.is_undecoded() => {
                Self::GatherWords
            }
            (Work::Gather, false) => decoders.gather(stages).map_or(Self::Steps, Self::One),
            (Work::Gather, true) => {
                let kernel = compared().and_then(|place| stages.compared_gather.get(place));
                kernel.copied().map_or(Self::Steps, Self::Compared)
            }
            // Not for footprints of one texel, which is its own mean, minimum and maximum.
            _ if plan.reduction != Reduction::Mean && footprint > 0 => Self::Steps,
            (_, true) => {
                let kernels = compared().and_then(|place| stages.compared_mean.get(place));
                kernels.and_then(|all| all.get(footprint)).copied().map_or(Self::Steps, Self::Compared)
            }
            (_, false) if !decoders.filters(footprint) => Self::Steps,
            (_, false) => decoders.only_mean(footprint).map_or(Self::Means, Self::One),
        }
    }
}
