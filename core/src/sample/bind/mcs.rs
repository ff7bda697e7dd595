//! The multisample control surface (MCS): for every texel, which plane holds each of its samples.
//!
//! It is the auxiliary surface of a multisampled surface with a plane for each sample, mode CCS_D. Its elements
//! are texels of 8 bits (2 and 4 samples), 32 bits (8) or 64 bits (16), Y-major, Auxiliary Surface Pitch in
//! tiles of 128 bytes, slices Auxiliary Surface QPitch rows apart (Mesa, `isl_surf_get_mcs_surf`). What an element
//! means is in [`unspecified`](crate::sample::unspecified).

use crate::error::{Error, Kind, Result, What};
use crate::format::Texel;
use crate::memory::Plane;
use crate::state::{AuxMode, SurfaceState, TileMode};

/// Bytes of a row of a tile.
const TILE_WIDTH: u32 = 128;

/// Where a control surface is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mcs {
    pub(crate) base: u64,
    pub(crate) pitch: u32,
    pub(crate) qpitch: u32,
    pub(crate) clear: Clear,
}

/// Where the clear colour is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Clear {
    State(Texel),
    Address(u64),
}

impl Mcs {
    /// The clear colour, if it is not in memory.
    pub(crate) const fn clear_in_state(&self) -> Option<Texel> {
        if let Clear::State(colour) = self.clear { Some(colour) } else { None }
    }

    /// Its elements, of texels with so many samples.
    pub(crate) fn plane(&self, samples: u32) -> Plane {
        let bytes = match samples {
            0..=4 => 1,
            5..=8 => 4,
            _ => 8,
        };
        Plane::surface(self.base, self.pitch, bytes, TileMode::YMajor)
    }

    /// The control surface of a state, if it has one. `flat`: the surface is 2D.
    ///
    /// # Errors
    /// `Unsupported` auxiliary surface: any other kind, or on a surface without planes of samples.
    pub(crate) fn of(state: &SurfaceState, flat: bool) -> Result<Option<Self>> {
        let mode = state.aux_mode();
        if mode == AuxMode::None {
            return Ok(None);
        }
        let planes = flat && state.samples() > 1 && !state.interleaved_samples();
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
