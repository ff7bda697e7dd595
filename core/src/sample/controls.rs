//! Reading the multisample control surface.

use super::mcs::{Clear, Mcs};
use super::texels::Reader;
use super::texture::{Select, Source, Texture};
use super::unspecified;
use crate::enums::SurfaceFormat;
use crate::format::{FormatDecoder, Texel};
use crate::memory::{Layout, Plane};
use crate::message::Width;
use crate::state::TileMode;

impl<'p> Texture<'p> {
    /// The control surface as a texture, whose texels are the results of `ld_mcs` in such a width. Prepared messages read it as every
    /// other surface. `None`: there is none.
    pub(super) fn of_controls(&self, width: Width) -> Option<Self> {
        let mcs = self.mcs.as_ref()?;
        let plane = mcs.plane(self.samples);
        let format = match (plane.bytes, width) {
            (8, Width::Full) => SurfaceFormat::R32G32_UINT,
            (8, Width::Half) => SurfaceFormat::R16G16B16A16_UINT,
            (4, Width::Full) => SurfaceFormat::R32_UINT,
            (4, Width::Half) => SurfaceFormat::R16G16_UINT,
            _ => SurfaceFormat::R8_UINT,
        };
        let codec = FormatDecoder::new(format).ok()?;
        let slices = self.first_slice.saturating_add(self.layers);
        let layout =
            Layout::of_plane(plane, codec.info().element(), [self.size[0], self.size[1], slices], mcs.qpitch);
        let mut surface = Self {
            samples: 1,
            source: Source::Plain { codec, layout },
            linear_source: None,
            mcs: None,
            is_control: true,
            ..self.clone()
        };
        surface.describe(codec.info());
        surface.outside = [0; 4];
        surface.select = [0, 1, 2, 3].map(|channel: u8| match surface.channels >> channel & 1 {
            0 => Select::Constant(0),
            _ => Select::Channel(channel),
        });
        Some(surface)
    }
}

impl Reader<'_, '_, '_> {
    /// The MCS value of a lane's texel of a slice, all in range: low and high dword.
    pub(super) fn control(&mut self, lane: usize, [x, y, slice]: [u32; 3]) -> [u32; 2] {
        let texture = self.texture;
        let Some(mcs) = &texture.mcs else { return unspecified::identity_mcs(texture.samples) };
        let mut value = [0; 8];
        let plane = mcs.plane(texture.samples);
        let row = slice.wrapping_mul(mcs.qpitch).wrapping_add(y);
        let out = value.get_mut(..plane.bytes as usize).unwrap_or_default();
        if !self.copy(&plane, [x, row], 0, lane, out) {
            return [0; 2];
        }
        let value = u64::from_le_bytes(value);
        [value as u32, (value >> 32) as u32]
    }

    /// The clear colour for a lane, as a texel of the surface's format.
    pub(super) fn clear_colour(&mut self, lane: usize, mcs: &Mcs) -> Texel {
        let texture = self.texture;
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
