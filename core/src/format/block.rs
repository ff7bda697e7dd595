//! 4x4 blocks: one interface for all families.

#[cfg(any(feature = "bc", feature = "etc"))]
use super::Path;
use super::convert::unorm8;
use super::srgb;
use super::{FormatInfo, Texel};
#[cfg(feature = "bc")]
use super::{bc, bc6h, bc7};
#[cfg(feature = "etc")]
use super::{eac, etc};

/// A block that is ready to give texels; `i` is the texel in raster order, below 16.
pub(super) trait Block {
    fn texel(&self, i: u32) -> Texel;

    /// All texels in raster order.
    fn texels(&self, out: &mut [Texel; 16]) {
        for (texel, i) in out.iter_mut().zip(0..) {
            *texel = self.texel(i);
        }
    }
}

/// How 8-bit colours become texels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Eight {
    Linear,
    Srgb,
}

impl Eight {
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

    /// Texels of R, G, B, A bytes (R in bits 7:0).
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

/// Each family in a frame of its own: blocks are large.
#[inline(never)]
fn apart<B: Block, R>(make: impl FnOnce() -> B, f: impl FnOnce(&dyn Block) -> R) -> R {
    f(&make())
}

/// Reads a block's header and hands the block to `f`; `None` = the path is not one of blocks
/// (or not in this build). Missing bytes are 0.
#[inline]
pub(super) fn with<R>(info: &FormatInfo, element: &[u8], f: impl FnOnce(&dyn Block) -> R) -> Option<R> {
    let eight = Eight::of(info);
    Some(match info.path {
        #[cfg(feature = "bc")]
        Path::Bc1 | Path::Bc1Opaque | Path::Bc2 | Path::Bc3 => apart(|| bc::Colour::new(info, element), f),
        #[cfg(feature = "bc")]
        Path::Bc4Unorm | Path::Bc4Snorm | Path::Bc5Unorm | Path::Bc5Snorm => {
            apart(|| bc::Channels::new(info, element), f)
        }
        #[cfg(feature = "bc")]
        Path::Bc6hUnsigned => apart(|| bc6h::Bc6h::new(super::head(element), false), f),
        #[cfg(feature = "bc")]
        Path::Bc6hSigned => apart(|| bc6h::Bc6h::new(super::head(element), true), f),
        #[cfg(feature = "bc")]
        Path::Bc7 => apart(|| bc7::Bc7::new(super::head(element), eight), f),
        #[cfg(feature = "etc")]
        Path::Etc1 | Path::Etc2 | Path::Etc2Punchthrough | Path::Etc2Eac => {
            apart(|| etc::Etc::new(info, element, eight), f)
        }
        #[cfg(feature = "etc")]
        Path::EacUnorm | Path::EacSnorm | Path::EacRgUnorm | Path::EacRgSnorm => {
            apart(|| eac::Channels::new(info, element), f)
        }
        _ => {
            let _ = eight;
            return None;
        }
    })
}
