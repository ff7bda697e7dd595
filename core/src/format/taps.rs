//! Single texels of BC1 to BC5 blocks, for loops over the texels that lanes read: nothing else of a block is decoded.
//!
//! A block is one or two halves of 8 bytes. [`select`] replaces the second word of each half by what belongs to the
//! texel; after that each channel is read from two words by a [`ChannelKernel`](super::ChannelKernel).

use super::channel::{ChannelDecode, TAPS};
use super::{FormatInfo, ONE, Path};

/// What 8 bytes of a block hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// Two 5:6:5 colours and 2-bit selectors.
    Colour,
    /// Two 8-bit values and 3-bit selectors.
    Ramp,
    /// 4-bit values.
    Explicit,
}

/// The halves of a block; `None` if single texels of the format have no loop of their own.
pub(crate) const fn halves(info: &FormatInfo) -> Option<[Option<Half>; 2]> {
    if !TAPS {
        return None;
    }
    match info.path {
        Path::Bc1 | Path::Bc1Opaque => Some([Some(Half::Colour), None]),
        Path::Bc2 => Some([Some(Half::Explicit), Some(Half::Colour)]),
        Path::Bc3 => Some([Some(Half::Ramp), Some(Half::Colour)]),
        Path::Bc4Unorm | Path::Bc4Snorm => Some([Some(Half::Ramp), None]),
        Path::Bc5Unorm | Path::Bc5Snorm => Some([Some(Half::Ramp), Some(Half::Ramp)]),
        _ => None,
    }
}

/// How a channel is read after [`select`].
pub(crate) const fn channel(info: &FormatInfo, channel: u8) -> ChannelDecode {
    let (shift, width) = match channel {
        0 => (11, 5),
        1 => (5, 6),
        _ => (0, 5),
    };
    let alpha = channel == 3;
    let none = ChannelDecode::constant(if alpha { ONE } else { 0 });
    match (info.path, channel) {
        (Path::Bc1, 3) => ChannelDecode::bc_transparency(),
        (Path::Bc1Opaque, 3) => none,
        (Path::Bc1 | Path::Bc1Opaque, _) => ChannelDecode::bc_colour(0, shift, width, true, info.srgb),
        (Path::Bc2, 3) => ChannelDecode::low_unorm(1, 4),
        (Path::Bc3, 3) => ChannelDecode::bc_ramp(0, false),
        (Path::Bc2 | Path::Bc3, _) => ChannelDecode::bc_colour(2, shift, width, false, info.srgb),
        (Path::Bc4Unorm | Path::Bc5Unorm, 0) => ChannelDecode::bc_ramp(0, false),
        (Path::Bc4Snorm | Path::Bc5Snorm, 0) => ChannelDecode::bc_ramp(0, true),
        (Path::Bc5Unorm, 1) => ChannelDecode::bc_ramp(2, false),
        (Path::Bc5Snorm, 1) => ChannelDecode::bc_ramp(2, true),
        _ => none,
    }
}

/// Replaces the second word of a half (`high`) by what belongs to texels. `inside`: column, and row from bit 4 up.
pub(crate) type SelectTapKernel = fn(Half, inside: &[u32], low: &[u32], high: &mut [u32]);

/// See [`SelectTapKernel`].
#[inline(always)]
pub(crate) fn select(half: Half, inside: &[u32], low: &[u32], high: &mut [u32]) {
    let each = high.iter_mut().zip(low).zip(inside);
    let texel = |inside: u32| inside >> 2 & 12 | inside & 3;
    match half {
        Half::Colour => {
            for ((high, _), inside) in each {
                *high = high.wrapping_shr(texel(*inside).wrapping_mul(2)) & 3;
            }
        }
        Half::Ramp => {
            for ((high, low), inside) in each {
                let word = u64::from(*high) << 32 | u64::from(*low);
                *high = word.wrapping_shr(texel(*inside).wrapping_mul(3).wrapping_add(16)) as u32 & 7;
            }
        }
        Half::Explicit => {
            for ((high, low), inside) in each {
                let word = u64::from(*high) << 32 | u64::from(*low);
                *high = word.wrapping_shr(texel(*inside).wrapping_mul(4)) as u32 & 15;
            }
        }
    }
}
