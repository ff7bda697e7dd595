//! The multisample control surface (MCS): for every texel, which plane holds each of its samples.
//!
//! It is the auxiliary surface of a multisampled surface with a plane for each sample, mode CCS_D. Its elements
//! are texels of 8 bits (2 and 4 samples), 32 bits (8) or 64 bits (16), Y-major, Auxiliary Surface Pitch in
//! tiles of 128 bytes, slices Auxiliary Surface QPitch rows apart (Mesa, `isl_surf_get_mcs_surf`). What an element
//! means is in [`unspecified`].

use super::texels::Reader;
use super::texture::Dim;
use super::unspecified;
use crate::error::{Error, Kind, Result, What};
use crate::format::Texel;
use crate::memory::Plane;
use crate::state::{AuxMode, SurfaceState, TileMode};

/// Bytes of a row of a tile.
const TILE_WIDTH: u32 = 128;

/// Where a control surface is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mcs {
    base: u64,
    pitch: u32,
    qpitch: u32,
    clear: Clear,
}

/// Where the clear colour is.
#[derive(Clone, Copy, Debug)]
enum Clear {
    State(Texel),
    Address(u64),
}

impl Mcs {
    /// The control surface of a state, if it has one.
    ///
    /// # Errors
    /// `Unsupported` auxiliary surface: any other kind, or on a surface without planes of samples.
    pub(super) fn of(state: &SurfaceState, dim: Dim) -> Result<Option<Self>> {
        let mode = state.aux_mode();
        if mode == AuxMode::None {
            return Ok(None);
        }
        let planes = dim == Dim::D2 && state.samples() > 1 && !state.interleaved_samples();
        if mode != AuxMode::CcsD || !planes {
            return Err(Error::new(Kind::Unsupported, What::AuxMode).at(24).bit(0).value(mode.code().into()));
        }
        let clear = if state.clear_address_enable() {
            Clear::Address(state.clear_address())
        } else {
            Clear::State(state.clear_color())
        };
        Ok(Some(Self {
            base: state.aux_base_address(),
            pitch: state.aux_pitch().wrapping_mul(TILE_WIDTH),
            qpitch: state.aux_qpitch(),
            clear,
        }))
    }
}

impl Reader<'_, '_, '_> {
    /// The MCS value of a lane's texel of a slice, all in range: low and high dword.
    pub(super) fn control(&mut self, lane: usize, [x, y, slice]: [u32; 3]) -> [u32; 2] {
        let texture = &self.prepared.texture;
        let Some(mcs) = &texture.mcs else { return unspecified::identity_mcs(texture.samples) };
        let bytes = match texture.samples {
            0..=4 => 1,
            5..=8 => 4,
            _ => 8,
        };
        let mut value = [0; 8];
        let plane = Plane::surface(mcs.base, mcs.pitch, bytes, TileMode::YMajor);
        let row = slice.wrapping_mul(mcs.qpitch).wrapping_add(y);
        let out = value.get_mut(..bytes as usize).unwrap_or_default();
        if !self.copy(&plane, [x, row], 0, lane, out) {
            return [0; 2];
        }
        let value = u64::from_le_bytes(value);
        [value as u32, (value >> 32) as u32]
    }

    /// The clear colour for a lane, as a texel of the surface's format.
    pub(super) fn clear_colour(&mut self, lane: usize, mcs: &Mcs) -> Texel {
        let texture = &self.prepared.texture;
        let colour = match mcs.clear {
            Clear::State(colour) => colour,
            Clear::Address(address) => {
                let mut bytes = [0; 16];
                let plane = Plane::surface(address, 0, 16, TileMode::Linear);
                if !self.copy(&plane, [0, 0], 0, lane, &mut bytes) {
                    return texture.outside;
                }
                let value = u128::from_le_bytes(bytes);
                [0, 32, 64, 96].map(|shift: u32| value.wrapping_shr(shift) as u32)
            }
        };
        texture.info.map_or(texture.outside, |info| info.border(colour))
    }
}
