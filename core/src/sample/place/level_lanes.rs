//! The levels that lanes read, as the stages that place texels take them.

use super::axis::AxisSize;
use crate::sample::lanes::{LANES, Lanes};

/// The constants of the level that each lane reads.
#[cfg_attr(target_pointer_width = "64", repr(align(64)))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelLanes {
    /// Texels along U, V and R.
    pub(crate) size: [AxisSize; 3],
    /// Column of the level in elements of the surface.
    pub(crate) column: Lanes<u32>,
    /// Row of the level in the view's first slice.
    pub(crate) row: Lanes<u32>,
    /// Slice of the level in its tile.
    pub(crate) layer: Lanes<u32>,
}

impl LevelLanes {
    pub(crate) const NONE: Self =
        Self { size: [AxisSize::NONE; 3], column: [0; LANES], row: [0; LANES], layer: [0; LANES] };
}
