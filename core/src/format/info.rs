//! What is known of a format.

use super::channel::{self, ChannelDecode, ChannelKind};
use super::element::Element;
use super::shape::{ChannelField, Numeric};
use super::texel::{ONE, Texel, TexelKind};
use crate::enums::SurfaceFormat;

/// The decoder of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
#[expect(missing_docs, reason = "the names are those of the formats")]
pub enum Path {
    /// Bit fields of a texel.
    Fields,
    /// Three mantissas and a common exponent.
    SharedExponent,
    Palette,
    /// Packed 4:2:2.
    Yuv,
    Bc1,
    /// BC1 without transparency.
    Bc1Opaque,
    Bc2,
    Bc3,
    Bc4Unorm,
    Bc4Snorm,
    Bc5Unorm,
    Bc5Snorm,
    Bc6hUnsigned,
    Bc6hSigned,
    Bc7,
    Fxt1,
    Etc1,
    Etc2,
    Etc2Punchthrough,
    Etc2Eac,
    EacUnorm,
    EacSnorm,
    EacRgUnorm,
    EacRgSnorm,
    /// To 8 bits a channel.
    AstcSrgb,
    /// LDR blocks to halves.
    AstcLdr,
    /// LDR and HDR blocks to halves.
    AstcHdr,
    /// No codec.
    Unsampled,
}

impl Path {
    #[cfg(feature = "astc")]
    pub(super) const fn is_astc(self) -> bool {
        matches!(self, Self::AstcSrgb | Self::AstcLdr | Self::AstcHdr)
    }

    /// There is a decoder in this build.
    pub(super) const fn available(self) -> bool {
        let path = self as u8;
        let bc = path >= Self::Bc1 as u8 && path <= Self::Fxt1 as u8;
        let etc = path >= Self::Etc1 as u8 && path <= Self::EacRgSnorm as u8;
        let astc = path >= Self::AstcSrgb as u8 && path <= Self::AstcHdr as u8;
        (!bc || cfg!(feature = "bc"))
            && (!etc || cfg!(feature = "etc"))
            && (!astc || cfg!(feature = "astc"))
            && !matches!(self, Self::Unsampled)
    }
}

/// What is known of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FormatInfo {
    /// The code.
    pub code: SurfaceFormat,
    /// Texels per element, horizontally.
    pub block_width: u8,
    /// Texels per element, vertically.
    pub block_height: u8,
    /// Bytes per element (texel or block); 0 = there is no single element (planar, raw).
    pub bytes: u8,
    /// What the channels are.
    pub kind: TexelKind,
    /// The channels that come from memory (bit 0 = R .. bit 3 = A); the others are defaults.
    pub channels: u8,
    /// Channel values lie in 0..1 (UNORM and sRGB; judged by R).
    pub unorm: bool,
    /// R, G, B are sRGB-coded.
    pub srgb: bool,
    /// The palette that indices refer to.
    pub palette: Option<u8>,
    pub(super) path: Path,
    pub(super) fields: [ChannelField; 4],
}

impl FormatInfo {
    /// The decoder.
    pub const fn path(&self) -> Path {
        self.path
    }

    /// Where the channels are in the element (R, G, B, A); all widths 0 for block formats.
    pub const fn fields(&self) -> &[ChannelField; 4] {
        &self.fields
    }

    /// The unit of memory, as layouts want it.
    pub const fn element(&self) -> Element {
        Element { block_width: self.block_width, block_height: self.block_height, bytes: self.bytes }
    }

    /// How a channel (0 red .. 3 alpha) is read from the words of a texel. Formats without bit fields (blocks,
    /// palettes, packed YUV) have constants here.
    pub(crate) fn channel(&self, channel: usize) -> ChannelDecode {
        let default = if channel == 3 { self.one() } else { 0 };
        match (self.path, self.fields.get(channel)) {
            (Path::Fields, Some(field)) => ChannelDecode::new(field, default),
            (Path::SharedExponent, Some(field)) if field.width != 0 => {
                ChannelDecode::with_exponent(field.shift)
            }
            _ => ChannelDecode::constant(default),
        }
    }

    /// How all channels are read from what stages have of an element (see `sample::fetch`): of floats of 64 bits that are more than
    /// 16 bytes words already, else the words of the element (see [`channel`](Self::channel)).
    pub(crate) fn all_channels(&self) -> [ChannelDecode; 4] {
        [0, 1, 2, 3].map(|number| {
            let channel = self.channel(number);
            let is_word = channel::TAPS && self.bytes > 16 && channel.kind != ChannelKind::Constant;
            if is_word { ChannelDecode::bits(number as u8, 0, 32, Numeric::Float) } else { channel }
        })
    }

    /// Every channel is a bit field of a word, or not stored.
    pub(crate) const fn has_fields(&self) -> bool {
        matches!(self.path, Path::Fields | Path::SharedExponent)
    }

    /// Texels are compressed in blocks.
    pub const fn is_block(&self) -> bool {
        self.block_width > 1 && self.block_height > 1
    }

    /// Texels of an element.
    pub const fn block_texels(&self) -> usize {
        self.block_width as usize * self.block_height as usize
    }

    /// Column and row of the element that holds texel (`x`, `y`), and the texel's place in it.
    #[inline]
    pub fn split(&self, x: u32, y: u32) -> [[u32; 2]; 2] {
        let [(column, x), (row, y)] = [(x, self.block_width), (y, self.block_height)].map(|(at, size)| {
            let size = u32::from(size);
            // Nearly always: no division.
            if size & size.wrapping_sub(1) == 0 {
                (at >> (size.trailing_zeros() & 31), at & size.wrapping_sub(1))
            } else {
                let element = at.checked_div(size).unwrap_or(0);
                (element, at.wrapping_sub(element.wrapping_mul(size)))
            }
        });
        [[column, row], [x, y]]
    }

    /// 1 as this format's channels have it.
    #[inline]
    pub const fn one(&self) -> u32 {
        match self.kind {
            TexelKind::Float => ONE,
            TexelKind::Uint | TexelKind::Sint | TexelKind::Raw => 1,
        }
    }

    /// A texel with nothing from memory: 0, 0, 0 and 1.
    #[inline]
    pub const fn defaults(&self) -> Texel {
        [0, 0, 0, self.one()]
    }

    /// A border colour as a texel of this format: components that the format stores come from
    /// `colour`, the others are defaults. Luminance takes red for R, G, B; intensity takes it
    /// for all four (one component in memory, one in the border). Palette formats take what the
    /// palette would give: all four. With `[0; 4]` this is the texel out of bounds.
    pub fn border(&self, colour: Texel) -> Texel {
        let mut texel = self.defaults();
        // A channel that is read from the bits of red (luminance, intensity) takes red.
        let [red, ..] = self.fields;
        let shared = self.palette.is_none();
        let channels = texel.iter_mut().zip(&self.fields).zip(colour);
        for (i, ((out, field), own)) in channels.enumerate() {
            if self.channels >> i & 1 != 0 {
                let from_red =
                    shared && field.width != 0 && (field.shift, field.width) == (red.shift, red.width);
                *out = if from_red { colour[0] } else { own };
            }
        }
        texel
    }
}
