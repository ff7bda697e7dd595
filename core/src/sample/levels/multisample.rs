//! Multisampled surfaces: which sample plane holds a texel's sample, and where it is in the surface.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::level::LevelArrays;
use super::load_rule::{IntegerLanes, LoadRule, load_level};
use crate::memory::{LevelAddressing, SampleAddressing};
use crate::message::Op;
use crate::sample::bind::texture::{TexelSource, Texture};
use crate::sample::lanes::{LANES, LaneBytes, Lanes, ones};
use crate::sample::place::axis::NEEDS_GENERAL;
use crate::sample::unspecified::{mcs_is_clear, mcs_plane};

/// Returns whether the operation reads single samples of multisampled texels.
pub(crate) const fn reads_samples(op: Op) -> bool {
    matches!(op, Op::Ld2dms | Op::Ld2dmsW | Op::Ld2dss)
}

/// Where a sample of a texel is stored.
pub(crate) enum SampleStorage {
    /// In the sample plane with this number.
    Plane(u32),
    /// Not stored: the texel has the clear colour.
    Clear,
}

/// How a message finds samples; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleRule {
    samples: u32,
    /// `ld2dss`: the sample index of the message is the number of the plane.
    by_plane: bool,
    /// There is a multisample control surface: its values (MCS) can say that a texel has the clear colour.
    controlled: bool,
    /// How samples are laid out; `None`: texels have one sample, at the place of the texel.
    places: Option<SampleAddressing>,
    /// The view's first slice.
    first_slice: u32,
}

impl SampleRule {
    pub(crate) fn new(texture: &Texture<'_>, op: Op) -> Self {
        let places = match &texture.source {
            TexelSource::Plain { layout, .. } if texture.samples > 1 => Some(layout.sample_addressing()),
            TexelSource::Plain { .. } | TexelSource::Planar { .. } | TexelSource::None => None,
        };
        Self {
            samples: texture.samples,
            by_plane: op == Op::Ld2dss,
            controlled: texture.mcs.is_some(),
            places,
            first_slice: texture.first_slice,
        }
    }

    /// Returns where a sample is, from the MCS value of its texel (low and high dword). Plane `u32::MAX`: there is no such sample.
    #[inline(always)]
    pub(crate) fn find(&self, sample: u32, mcs: [u32; 2]) -> SampleStorage {
        if self.by_plane || sample >= self.samples {
            return SampleStorage::Plane(if self.by_plane { sample } else { u32::MAX });
        }
        if self.controlled && mcs_is_clear(mcs, self.samples) {
            return SampleStorage::Clear;
        }
        SampleStorage::Plane(mcs_plane(mcs, sample, if self.controlled { self.samples } else { 16 }))
    }

    /// Returns the plane of lane `i`'s sample, which is past the last plane if there is no sample; and all ones if its texel has the
    /// clear colour, else 0.
    #[inline(always)]
    fn plane(&self, SampleLanes { sample, mcs: [low, high] }: &SampleLanes<'_>, i: usize) -> (u32, u32) {
        let mcs = [u32::from_le_bytes(low[i]), u32::from_le_bytes(high[i])];
        match self.find(u32::from_le_bytes(sample[i]), mcs) {
            SampleStorage::Plane(plane) => (plane, 0),
            SampleStorage::Clear => (u32::MAX, u32::MAX),
        }
    }

    /// Returns column, row and slice (counted from the view's first) of the element that holds a texel's sample of a plane.
    #[inline(always)]
    pub(crate) fn element(&self, [x, y, slice]: [u32; 3], plane: u32) -> [u32; 3] {
        let Some(places) = self.places else { return [x, y, slice] };
        let (column, row, slice) = places.place(x, y, slice.wrapping_add(self.first_slice), plane);
        [column, row, slice.wrapping_sub(self.first_slice)]
    }

    /// Returns all ones if the surface has a plane of this number, else 0.
    #[inline(always)]
    pub(crate) fn has(&self, plane: u32) -> u32 {
        ones(plane < self.samples.max(1))
    }
}

/// The sample index of each lane, and the MCS value of its texel: low and high dwords.
pub(crate) struct SampleLanes<'a> {
    pub(crate) sample: &'a Lanes<LaneBytes>,
    pub(crate) mcs: [&'a Lanes<LaneBytes>; 2],
}

/// The bit of `outside`, and its number, that says that a lane's texel has the clear colour: see [`SamplePlaneKernel`].
pub(crate) const CLEAR: u32 = 1 << CLEAR_BIT;
pub(crate) const CLEAR_BIT: usize = 1;

/// Fills in the index of the element of each lane's sample, all on one mip level, and `outside`: 0, or 1 in lanes without a sample, or 3 if
/// their texel has the clear colour. The index of lanes without a sample is 0, the surface's first element. Returns [`NEEDS_GENERAL`] if
/// lanes read several mip levels (all outputs are then unspecified), else the OR of `outside` over all lanes.
pub(crate) type SamplePlaneKernel = fn(
    (&LoadRule, &SampleRule),
    &LevelArrays,
    &LevelAddressing,
    &IntegerLanes<'_>,
    &SampleLanes<'_>,
    index: &mut Lanes<u32>,
    outside: &mut Lanes<u32>,
) -> u32;

/// See [`SamplePlaneKernel`].
#[inline(always)]
pub(crate) fn place_plane<const PATTERN: u8>(
    (rule, samples): (&LoadRule, &SampleRule),
    table: &LevelArrays,
    tile: &LevelAddressing,
    at: &IntegerLanes<'_>,
    lanes: &SampleLanes<'_>,
    index: &mut Lanes<u32>,
    outside: &mut Lanes<u32>,
) -> u32 {
    let Some(loads) = load_level(rule, table, tile, at) else { return NEEDS_GENERAL };
    // A local copy: no store in the loop can alias it.
    let samples = *samples;
    let (mut other, mut any) = (0, 0);
    for i in 0..LANES {
        let inside = !loads.is_missing(i);
        let (plane, is_clear) = samples.plane(lanes, i);
        other |= loads.has_another(i);
        let exists = inside & samples.has(plane);
        let [x, y, _, layer] = loads.texel(i);
        let [x, y, slice] = samples.element([x, y, layer], plane);
        index[i] = loads.element::<PATTERN>([x, y, 0, slice]) & exists;
        outside[i] = !exists & 1 | is_clear & inside & CLEAR;
        any |= outside[i];
    }
    if other != 0 { NEEDS_GENERAL } else { any }
}
