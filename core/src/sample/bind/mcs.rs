//! The multisample control surface (MCS): for every texel, which plane holds each of its samples.
//!
//! It is the auxiliary surface (mode CCS_D) of a multisampled surface that stores each sample in a plane of its own.
//! It has one element for each texel, of 8 bits (2 and 4 samples), 32 bits (8) or 64 bits (16). It is Y-major, its pitch
//! is Auxiliary Surface Pitch in tiles of 128 bytes, and its slices are Auxiliary Surface QPitch rows apart
//! (Mesa, `isl_surf_get_mcs_surf`). The bits of an element are described in [`unspecified`](crate::sample::unspecified).

use crate::error::{Error, Kind, Result, What};
use crate::format::Texel;
use crate::memory::Plane;
use crate::state::{AuxMode, SurfaceState, TileMode};

/// Width of a Y-major tile in bytes.
const TILE_WIDTH: u32 = 128;

/// Address, pitch, QPitch (rows from slice to slice) and clear colour of a control surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mcs {
    pub(crate) base: u64,
    pub(crate) pitch: u32,
    pub(crate) qpitch: u32,
    pub(crate) clear: ClearColour,
}

/// The source of the clear colour: the value in the surface state, or its address in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClearColour {
    State(Texel),
    Address(u64),
}

impl Mcs {
    /// Returns the clear colour if the surface state holds it, `None` if it is in memory.
    pub(crate) const fn clear_in_state(&self) -> Option<Texel> {
        if let ClearColour::State(colour) = self.clear { Some(colour) } else { None }
    }

    /// Returns the plane of the control surface's elements (see [`Plane`]), for texels with `samples` samples.
    pub(crate) fn plane(&self, samples: u32) -> Plane {
        let bytes = match samples {
            0..=4 => 1,
            5..=8 => 4,
            _ => 8,
        };
        Plane::surface(self.base, self.pitch, bytes, TileMode::YMajor)
    }

    /// Returns the control surface of a surface state, `None` without an auxiliary surface. `flat`: the surface is 2D.
    ///
    /// # Errors
    /// `Unsupported` auxiliary surface: any mode but CCS_D, or a surface that does not store each sample in a plane of its own.
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
            ClearColour::Address(state.clear_address())
        } else {
            ClearColour::State(state.clear_color())
        };
        Ok(Some(Self {
            base: state.aux_base_address(),
            pitch: state.aux_pitch().wrapping_mul(TILE_WIDTH),
            qpitch: state.aux_qpitch(),
            clear,
        }))
    }
}
