//! The mip level that each lane reads, in the form that the addressing stages take.

use super::axis::AxisSize;
use crate::sample::lanes::{LANES, Lanes};

/// Size and position of the mip level that each lane reads.
#[cfg_attr(target_pointer_width = "64", repr(align(64)))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelLanes {
    /// Texels along U, V and R.
    pub(crate) size: [AxisSize; 3],
    /// Column where the mip level begins, in elements of the surface.
    pub(crate) column: Lanes<u32>,
    /// Row where the mip level begins in the view's first slice, or in slice 0 of the surface if slices count from there (see
    /// [`LevelArrays::new`](crate::sample::levels::level::LevelArrays::new)).
    pub(crate) row: Lanes<u32>,
    /// Slice of the mip level's slot in its tile (mip tails of tiled resources), else 0.
    pub(crate) layer: Lanes<u32>,
}

impl LevelLanes {
    pub(crate) const NONE: Self =
        Self { size: [AxisSize::NONE; 3], column: [0; LANES], row: [0; LANES], layer: [0; LANES] };
}
