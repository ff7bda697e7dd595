//! Reading the multisample control surface (MCS), one lane at a time.

use super::texels::GeneralPath;
use crate::format::Texel;
use crate::memory::Plane;
use crate::sample::bind::mcs::{ClearColour, Mcs};
use crate::sample::unspecified;
use crate::state::TileMode;

impl GeneralPath<'_, '_, '_> {
    /// Returns the MCS value of a lane's texel, low and high dword; 0 on a null page or a fault. Column, row and slice (counted from the
    /// start of memory) are in range. A surface without an MCS gives the identity (U24).
    pub(crate) fn control(&mut self, lane: usize, [x, y, slice]: [u32; 3]) -> [u32; 2] {
        let texture = self.texture;
        let Some(mcs) = &texture.mcs else { return unspecified::identity_mcs(texture.samples) };
        let mut value = [0; 8];
        let plane = mcs.plane(texture.samples);
        let row = slice.wrapping_mul(mcs.qpitch).wrapping_add(y);
        let out = value.get_mut(..plane.bytes as usize).unwrap_or_default();
        self.copy(&plane, [x, row], 0, lane, out);
        let value = u64::from_le_bytes(value);
        [value as u32, (value >> 32) as u32]
    }

    /// Returns the clear colour for a lane as a texel of the surface's format. If the state has its address, it is read from memory: a null
    /// page or a fault there gives the texel of a load out of range.
    pub(crate) fn clear_colour(&mut self, lane: usize, mcs: &Mcs) -> Texel {
        let texture = self.texture;
        let colour = match mcs.clear {
            ClearColour::State(colour) => colour,
            ClearColour::Address(address) => {
                let mut bytes = [0; 16];
                let plane = Plane::surface(address, 0, 16, TileMode::Linear);
                if !self.copy(&plane, [0, 0], 0, lane, &mut bytes) {
                    return texture.outside();
                }
                let value = u128::from_le_bytes(bytes);
                [0, 32, 64, 96].map(|shift: u32| value.wrapping_shr(shift) as u32)
            }
        };
        texture.info.map_or([0; 4], |info| info.border(colour))
    }
}
