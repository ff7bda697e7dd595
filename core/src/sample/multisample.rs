//! Samples of texels: which plane holds each, and where it is.
#![allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::axis::AxisTaps;
use super::lanes::{BITS, LANES, Lanes, RawFloat, ones};
use super::texture::{Source, Texture};
use super::unspecified::{mcs_is_clear, mcs_plane};
use crate::memory::SamplePlaces;
use crate::message::Op;

/// Where a sample is.
pub(super) enum Sample {
    /// In this plane.
    Plane(u32),
    /// Nowhere: the texel has the clear colour.
    Clear,
}

/// How a message finds samples; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleRule {
    samples: u32,
    /// The plane is what a message says.
    by_plane: bool,
    /// There is a control surface: its values can say that a texel has the clear colour.
    controlled: bool,
    /// `None`: samples are all at one place.
    places: Option<SamplePlaces>,
    /// Slices of the surface count from here.
    first_slice: u32,
}

impl SampleRule {
    pub(super) fn new(texture: &Texture<'_>, op: Op) -> Self {
        let places = match &texture.source {
            Source::Plain { layout, .. } if texture.samples > 1 => Some(layout.sample_places()),
            Source::Plain { .. } | Source::Planar { .. } | Source::None => None,
        };
        Self {
            samples: texture.samples,
            by_plane: op == Op::Ld2dss,
            controlled: texture.mcs.is_some(),
            places,
            first_slice: texture.first_slice,
        }
    }

    /// Where a sample is, by the MCS value of its texel.
    #[inline(always)]
    pub(super) fn find(&self, sample: u32, mcs: [u32; 2]) -> Sample {
        if self.by_plane || sample >= self.samples {
            return Sample::Plane(if self.by_plane { sample } else { u32::MAX });
        }
        if self.controlled && mcs_is_clear(mcs, self.samples) {
            return Sample::Clear;
        }
        Sample::Plane(mcs_plane(mcs, sample, if self.controlled { self.samples } else { 16 }))
    }
}

/// Samples of lanes, and the MCS values of their texels: low and high dwords.
pub(super) struct SampleLanes<'a> {
    pub(super) sample: &'a Lanes<RawFloat>,
    pub(super) mcs: [&'a Lanes<RawFloat>; 2],
}

/// Goes from texels to the planes of lanes' samples. Lanes without one are outside along x from now on; returns the bits of those
/// that have the clear colour.
pub(super) type SampleKernel =
    fn(&SampleRule, &SampleLanes<'_>, &mut [AxisTaps; 3], slices: &mut Lanes<u32>) -> u32;

/// See [`SampleKernel`].
#[inline(always)]
pub(super) fn place(
    rule: &SampleRule,
    at: &SampleLanes<'_>,
    [x, y, _]: &mut [AxisTaps; 3],
    slices: &mut Lanes<u32>,
) -> u32 {
    let (rule, SampleLanes { sample, mcs: [low, high] }) = (*rule, at);
    let mut clear = 0;
    for i in 0..LANES {
        let mcs = [u32::from_le_bytes(low[i]), u32::from_le_bytes(high[i])];
        let inside = ones(x.outside[i] == 0);
        let (plane, is_clear) = match rule.find(u32::from_le_bytes(sample[i]), mcs) {
            Sample::Plane(plane) => (plane, 0),
            Sample::Clear => (u32::MAX, inside),
        };
        clear |= is_clear & BITS[i];
        let exists = inside & ones(plane < rule.samples.max(1));
        if let Some(places) = rule.places {
            let layer = slices[i].wrapping_add(rule.first_slice);
            let (column, row, layer) = places.place(x.texel[0][i], y.texel[0][i], layer, plane);
            x.texel[0][i] = column & exists | x.texel[0][i] & !exists;
            y.texel[0][i] = row & exists | y.texel[0][i] & !exists;
            slices[i] = layer.wrapping_sub(rule.first_slice) & exists | slices[i] & !exists;
        }
        x.outside[i] = !exists & 1;
    }
    clear
}
