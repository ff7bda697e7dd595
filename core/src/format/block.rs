//! The interface that the decoders of all families of 4x4 blocks share.

use super::convert::unorm8;
use super::srgb;
use super::{FormatInfo, Texel};

/// A 4x4 block whose header is read, so that its texels can be decoded; `i` is the texel in raster order, below 16.
pub(super) trait Block {
    fn texel(&self, i: u32) -> Texel;

    /// Decodes all texels, in raster order.
    fn texels(&self, out: &mut [Texel; 16]) {
        for (texel, i) in out.iter_mut().zip(0..) {
            *texel = self.texel(i);
        }
    }
}

/// How 8-bit colours become texels: with or without the sRGB curve.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ColourSpace {
    Linear,
    Srgb,
}

impl ColourSpace {
    pub(super) const fn of(info: &FormatInfo) -> Self {
        if info.srgb { Self::Srgb } else { Self::Linear }
    }

    #[inline]
    pub(super) fn texel(self, [r, g, b, a]: [u8; 4]) -> Texel {
        let [r, g, b] = match self {
            Self::Linear => [r, g, b].map(unorm8),
            Self::Srgb => [r, g, b].map(srgb::decode8),
        };
        [r, g, b, unorm8(a)].map(f32::to_bits)
    }

    /// Converts R, G, B, A bytes (R in bits 7:0) to texels.
    #[inline]
    pub(super) fn texels(self, bytes: &[u32; 16], out: &mut [Texel; 16]) {
        match self {
            Self::Linear => {
                let bytes = bytes.map(u32::to_le_bytes);
                for (channel, byte) in out.as_flattened_mut().iter_mut().zip(bytes.as_flattened()) {
                    *channel = unorm8(*byte).to_bits();
                }
            }
            Self::Srgb => {
                for (texel, bytes) in out.iter_mut().zip(bytes) {
                    *texel = self.texel(bytes.to_le_bytes());
                }
            }
        }
    }
}
