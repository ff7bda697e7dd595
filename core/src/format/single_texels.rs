//! Decoding of single texels of BC1 to BC5, ETC, EAC and 4:2:2 blocks, and of palette indices.
//!
//! For loops over the texels that lanes read: no other texel of a block is decoded.
//!
//! A block is one or two halves of 8 bytes. [`select`] replaces the second word of each half by the data of one texel; after that a
//! [`ChannelKernel`](super::ChannelKernel) reads each channel from two words.

use super::channel::{ALL_CHANNEL_KINDS, BytePlanes, ChannelDecode};
use super::fields::{ChannelField, Numeric};
use super::texel::ONE;
use super::{Codec, FormatInfo};
#[cfg(feature = "etc")]
use super::{eac, etc};
use crate::bits;

/// The contents of 8 bytes of a block; "for a texel": what [`select`] puts into the second word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockHalf {
    /// Two 5:6:5 colours and 2-bit selectors. For a texel: its weights in sixths, of the first colour in bits 2:0 and of the second from
    /// bit 3 up. With `three`, blocks whose first colour is not above the second have the mean of both and black in place of the two
    /// colours at thirds.
    Colour { three: bool },
    /// Two 8-bit values and 3-bit selectors. For a texel: its selector.
    Ramp,
    /// 4-bit values. For a texel: its value.
    Explicit,
    /// Palette indices of `width` bits, one for each of the `texels` of an element, from bit `shift` up. For a texel: its palette entry.
    Index { shift: u8, width: u8, texels: u8 },
    /// Two texels that share their chroma (4:2:2): the bit where the first one's luma starts; the second one's is 16 bits above. For a
    /// texel: its luma.
    Luma(u8),
    /// ETC colours. For a texel: its colour, 8 bits a channel.
    #[cfg(feature = "etc")]
    Etc(etc::Variant),
    /// EAC values of 8 bits. For a texel: its value.
    #[cfg(feature = "etc")]
    Eight,
    /// EAC values of 11 bits. For a texel: its value.
    #[cfg(feature = "etc")]
    Eleven { signed: bool },
}

/// The palette of a format whose texels are palette indices.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Palette<'p> {
    /// The entries as ARGB words, blue in bits 7:0.
    pub(crate) entries: &'p [u32],
    /// The same entries split by byte, if indices have 8 bits. Only AVX-512 kernels look bytes up.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "no kernel of the target looks bytes up")
    )]
    pub(crate) planes: Option<&'p BytePlanes<4>>,
}

/// The number of kinds of [`BlockHalf`].
pub(crate) const HALVES: usize = 8;

/// The [kind](BlockHalf::kind) of palette indices.
pub(crate) const INDEX: usize = 3;

impl BlockHalf {
    /// The number of the kind, below [`HALVES`]: the place of its kernel in tables of kernels.
    #[inline(always)]
    pub(crate) const fn kind(self) -> usize {
        match self {
            Self::Colour { .. } => 0,
            Self::Ramp => 1,
            Self::Explicit => 2,
            Self::Index { .. } => INDEX,
            Self::Luma(_) => 4,
            #[cfg(feature = "etc")]
            Self::Etc(_) => 5,
            #[cfg(feature = "etc")]
            Self::Eight => 6,
            #[cfg(feature = "etc")]
            Self::Eleven { .. } => 7,
        }
    }
}

/// Returns the halves of a block; `None` if there is no kernel for single texels of the format, and on small targets.
pub(crate) const fn halves(info: &FormatInfo) -> Option<[Option<BlockHalf>; 2]> {
    if !ALL_CHANNEL_KINDS {
        return None;
    }
    match info.codec {
        Codec::Yuv => {
            let [_, luma, ..] = info.fields;
            Some([Some(BlockHalf::Luma(luma.shift)), None])
        }
        Codec::Palette => {
            let [ChannelField { shift, width, .. }, ..] = info.fields;
            Some([Some(BlockHalf::Index { shift, width, texels: info.block_width }), None])
        }
        Codec::Bc1 | Codec::Bc1Opaque => Some([Some(BlockHalf::Colour { three: true }), None]),
        Codec::Bc2 => Some([Some(BlockHalf::Explicit), Some(BlockHalf::Colour { three: false })]),
        Codec::Bc3 => Some([Some(BlockHalf::Ramp), Some(BlockHalf::Colour { three: false })]),
        Codec::Bc4Unorm | Codec::Bc4Snorm => Some([Some(BlockHalf::Ramp), None]),
        Codec::Bc5Unorm | Codec::Bc5Snorm => Some([Some(BlockHalf::Ramp), Some(BlockHalf::Ramp)]),
        #[cfg(feature = "etc")]
        Codec::Etc1 => Some([Some(BlockHalf::Etc(etc::Variant::One)), None]),
        #[cfg(feature = "etc")]
        Codec::Etc2 => Some([Some(BlockHalf::Etc(etc::Variant::Two)), None]),
        #[cfg(feature = "etc")]
        Codec::Etc2Punchthrough => Some([Some(BlockHalf::Etc(etc::Variant::Punchthrough)), None]),
        #[cfg(feature = "etc")]
        Codec::Etc2Eac => Some([Some(BlockHalf::Eight), Some(BlockHalf::Etc(etc::Variant::Two))]),
        #[cfg(feature = "etc")]
        Codec::EacUnorm => Some([Some(BlockHalf::Eleven { signed: false }), None]),
        #[cfg(feature = "etc")]
        Codec::EacSnorm => Some([Some(BlockHalf::Eleven { signed: true }), None]),
        #[cfg(feature = "etc")]
        Codec::EacRgUnorm => Some([Some(BlockHalf::Eleven { signed: false }); 2]),
        #[cfg(feature = "etc")]
        Codec::EacRgSnorm => Some([Some(BlockHalf::Eleven { signed: true }); 2]),
        _ => None,
    }
}

/// The decoder of red, green or blue of 8 bits, in byte `channel` of a word.
const fn eight(word: u8, channel: u8, srgb: bool) -> ChannelDecode {
    let numeric = if srgb { Numeric::Srgb } else { Numeric::Unorm };
    ChannelDecode::bits(word, channel.wrapping_mul(8), 8, numeric)
}

/// Returns the decoder of a channel for words that [`select`] has prepared.
pub(crate) const fn channel(info: &FormatInfo, channel: u8) -> ChannelDecode {
    let (shift, width) = match channel {
        0 => (11, 5),
        1 => (5, 6),
        _ => (0, 5),
    };
    let alpha = channel == 3;
    let none = ChannelDecode::constant(if alpha { ONE } else { 0 });
    match (info.codec, channel) {
        (Codec::Yuv, 0 | 2) => {
            let [cr, _, cb, _] = &info.fields;
            ChannelDecode::new(if channel == 0 { cr } else { cb }, 0)
        }
        (Codec::Palette, 0..=2) => {
            ChannelDecode::bits(1, 16_u8.wrapping_sub(channel.wrapping_mul(8)), 8, Numeric::Unorm)
        }
        (Codec::Palette, _) => {
            let [index, _, _, own] = &info.fields;
            if own.shift != index.shift || own.width != index.width {
                ChannelDecode::new(own, ONE)
            } else {
                ChannelDecode::bits(1, 24, 8, Numeric::Unorm)
            }
        }
        (Codec::Yuv, 1) => ChannelDecode::bits(1, 0, 8, Numeric::Unorm),
        (Codec::Bc1, 3) => ChannelDecode::bc1_alpha(),
        (Codec::Bc1Opaque, 3) => none,
        (Codec::Bc1 | Codec::Bc1Opaque, _) => ChannelDecode::bc_colour(0, shift, width, info.srgb),
        (Codec::Bc2, 3) => ChannelDecode::bits(1, 0, 4, Numeric::Unorm),
        (Codec::Bc3, 3) => ChannelDecode::bc_ramp(0, false),
        (Codec::Bc2 | Codec::Bc3, _) => ChannelDecode::bc_colour(2, shift, width, info.srgb),
        (Codec::Bc4Unorm | Codec::Bc5Unorm, 0) => ChannelDecode::bc_ramp(0, false),
        (Codec::Bc4Snorm | Codec::Bc5Snorm, 0) => ChannelDecode::bc_ramp(0, true),
        (Codec::Bc5Unorm, 1) => ChannelDecode::bc_ramp(2, false),
        (Codec::Bc5Snorm, 1) => ChannelDecode::bc_ramp(2, true),
        (Codec::Etc2Eac, 3) => ChannelDecode::bits(1, 0, 8, Numeric::Unorm),
        (Codec::Etc2Punchthrough, 3) => ChannelDecode::bits(1, 24, 8, Numeric::Unorm),
        (Codec::Etc1 | Codec::Etc2 | Codec::Etc2Punchthrough, 0..=2) => eight(1, channel, info.srgb),
        (Codec::Etc2Eac, _) => eight(3, channel, info.srgb),
        (Codec::EacUnorm | Codec::EacRgUnorm, 0) => ChannelDecode::bits(1, 0, 11, Numeric::Unorm),
        (Codec::EacSnorm | Codec::EacRgSnorm, 0) => ChannelDecode::bits(1, 0, 11, Numeric::Snorm),
        (Codec::EacRgUnorm, 1) => ChannelDecode::bits(3, 0, 11, Numeric::Unorm),
        (Codec::EacRgSnorm, 1) => ChannelDecode::bits(3, 0, 11, Numeric::Snorm),
        _ => none,
    }
}

/// Returns the weights of two colours in sixths, the first in bits 2:0 and the second in bits 5:3. By selector they are 6:0, 0:6, 4:2,
/// 2:4, and in blocks of three colours 6:0, 0:6, 3:3, 0:0.
#[inline(always)]
pub(super) fn sixths(selector: u32, three: bool) -> u32 {
    const FOUR: u32 = 0o42_24_60_06;
    const THREE: u32 = 0o00_33_60_06;
    let table = if three { THREE } else { FOUR };
    table.wrapping_shr(selector.wrapping_mul(6)) & 0o77
}

/// Replaces the second words of halves (`high`) by the data of one texel each: see [`BlockHalf`]. `low` has the first words. `inside` has the
/// texels in their blocks, column in bits 3:0 and row from bit 4 up; it has no meaning where an element is one texel. Entries that the
/// palette lacks are 0.
pub(crate) type SelectTexelKernel =
    fn(BlockHalf, palette: &Palette<'_>, inside: &[u32], low: &[u32], high: &mut [u32]);

/// See [`SelectTexelKernel`]; halves of the kind `KIND`. (One function for all kinds would for each of them save the registers that ETC
/// needs.)
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "slices of one length, indexed below it")]
pub(crate) fn select<const KIND: usize>(
    half: BlockHalf,
    palette: &Palette<'_>,
    inside: &[u32],
    low: &[u32],
    high: &mut [u32],
) {
    if !ALL_CHANNEL_KINDS || half.kind() != KIND {
        return;
    }
    // One length for all three: compilers do not vectorise loops that may end at any of three lengths.
    let count = high.len().min(low.len()).min(inside.len());
    let (high, low, inside) = (&mut high[..count], &low[..count], &inside[..count]);
    let texel = |inside: u32| inside >> 2 & 12 | inside & 3;
    match half {
        BlockHalf::Colour { three } => {
            for i in 0..count {
                let selector = high[i].wrapping_shr(texel(inside[i]).wrapping_mul(2)) & 3;
                high[i] = sixths(selector, three && low[i] & 0xffff <= low[i] >> 16);
            }
        }
        BlockHalf::Ramp => {
            for i in 0..count {
                let word = u64::from(high[i]) << 32 | u64::from(low[i]);
                high[i] = word.wrapping_shr(texel(inside[i]).wrapping_mul(3).wrapping_add(16)) as u32 & 7;
            }
        }
        BlockHalf::Index { shift, width, texels } => {
            let mask = bits::mask(width.into()) as u32;
            // A loop of its own, whose shift is the same for all texels: without AVX2, vectors have no shifts by element.
            if texels == 1 {
                for i in 0..count {
                    high[i] = low[i].wrapping_shr(shift.into()) & mask;
                }
            } else {
                for i in 0..count {
                    let texel = inside[i] & u32::from(texels).wrapping_sub(1);
                    let at = texel.wrapping_mul(width.into()).wrapping_add(shift.into());
                    high[i] = low[i].wrapping_shr(at) & mask;
                }
            }
            look_up(palette.entries, high);
        }
        BlockHalf::Luma(shift) => {
            for i in 0..count {
                high[i] =
                    low[i].wrapping_shr((inside[i] & 1).wrapping_mul(16).wrapping_add(shift.into())) & 0xff;
            }
        }
        BlockHalf::Explicit => {
            for i in 0..count {
                let word = u64::from(high[i]) << 32 | u64::from(low[i]);
                high[i] = word.wrapping_shr(texel(inside[i]).wrapping_mul(4)) as u32 & 15;
            }
        }
        #[cfg(feature = "etc")]
        BlockHalf::Etc(variant) => {
            let inside = inside.chunks(etc::MAX_SELECTED).zip(low.chunks(etc::MAX_SELECTED));
            for (high, (inside, low)) in high.chunks_mut(etc::MAX_SELECTED).zip(inside) {
                etc::select(variant, inside, low, high);
            }
        }
        #[cfg(feature = "etc")]
        BlockHalf::Eight => {
            for i in 0..count {
                let channel = eac::EacChannel::of_words(low[i], high[i]);
                high[i] = channel.eight(channel.index(inside[i] & 3, inside[i] >> 4 & 3));
            }
        }
        #[cfg(feature = "etc")]
        BlockHalf::Eleven { signed } => {
            for i in 0..count {
                let channel = eac::EacChannel::of_words(low[i], high[i]);
                high[i] = channel.eleven(channel.index(inside[i] & 3, inside[i] >> 4 & 3), signed) as u32;
            }
        }
    }
}

/// Replaces indices by the entries of a palette. Not inlined: with the caller's target features compilers may make gathers of this loop,
/// which take longer.
#[inline(never)]
#[allow(clippy::indexing_slicing, reason = "an array of 256, indexed by a byte")]
fn look_up(palette: &[u32], values: &mut [u32]) {
    match palette.first_chunk::<256>() {
        Some(all) => values.iter_mut().for_each(|value| *value = all[usize::from(*value as u8)]),
        None => values.iter_mut().for_each(|value| {
            *value = palette.get(*value as usize).copied().unwrap_or(0);
        }),
    }
}
