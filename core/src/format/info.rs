//! The properties of a format: its element, its channels, its decoder.

use super::channel::{self, ChannelDecode, ChannelKind};
use super::element::Element;
use super::fields::{ChannelField, Numeric};
use super::texel::{ONE, Texel, TexelKind};
use crate::enums::SurfaceFormat;

/// The decoder that a format needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
#[expect(missing_docs, reason = "the names are those of the formats")]
pub enum Codec {
    /// Each channel is a bit field of the texel.
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
    /// LDR blocks decoded to 8 bits a channel.
    AstcSrgb,
    /// LDR blocks decoded to halves.
    AstcLdr,
    /// LDR and HDR blocks decoded to halves.
    AstcHdr,
    /// There is no decoder.
    Unsampled,
}

impl Codec {
    #[cfg(feature = "astc")]
    pub(super) const fn is_astc(self) -> bool {
        matches!(self, Self::AstcSrgb | Self::AstcLdr | Self::AstcHdr)
    }

    /// Whether this build has the decoder.
    pub(super) const fn available(self) -> bool {
        let codec = self as u8;
        let bc = codec >= Self::Bc1 as u8 && codec <= Self::Fxt1 as u8;
        let etc = codec >= Self::Etc1 as u8 && codec <= Self::EacRgSnorm as u8;
        let astc = codec >= Self::AstcSrgb as u8 && codec <= Self::AstcHdr as u8;
        (!bc || cfg!(feature = "bc"))
            && (!etc || cfg!(feature = "etc"))
            && (!astc || cfg!(feature = "astc"))
            && !matches!(self, Self::Unsampled)
    }
}

/// The properties of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FormatInfo {
    /// The SURFACE_FORMAT code.
    pub code: SurfaceFormat,
    /// Texels per element, horizontally.
    pub block_width: u8,
    /// Texels per element, vertically.
    pub block_height: u8,
    /// Bytes per element (texel or block); 0 if the format has no single element (planar, raw).
    pub bytes: u8,
    /// The type of the channels.
    pub kind: TexelKind,
    /// Mask of the channels that memory holds (bit 0 = R .. bit 3 = A); channels outside the mask have their defaults.
    pub channels: u8,
    /// Channel values lie in 0..1 (UNORM and sRGB; decided by R).
    pub unorm: bool,
    /// R, G, B are sRGB-coded.
    pub srgb: bool,
    /// The palette, 0 or 1, that indices refer to; `None` if the format has no indices.
    pub palette: Option<u8>,
    pub(super) codec: Codec,
    pub(super) fields: [ChannelField; 4],
}

impl FormatInfo {
    /// Returns which decoder the format needs.
    pub const fn codec(&self) -> Codec {
        self.codec
    }

    /// Returns the bit fields of R, G, B and A in the element; all widths are 0 for block formats.
    pub const fn fields(&self) -> &[ChannelField; 4] {
        &self.fields
    }

    /// Returns the element, as layouts take it.
    pub const fn element(&self) -> Element {
        Element { block_width: self.block_width, block_height: self.block_height, bytes: self.bytes }
    }

    /// Returns how a channel (0 red .. 3 alpha) is read from the words of a texel. For formats without bit fields
    /// (blocks, palettes, packed YUV) this is a constant, the channel's default.
    pub(crate) fn channel(&self, channel: usize) -> ChannelDecode {
        let default = if channel == 3 { self.one() } else { 0 };
        match (self.codec, self.fields.get(channel)) {
            (Codec::Fields, Some(field)) => ChannelDecode::new(field, default),
            (Codec::SharedExponent, Some(field)) if field.width != 0 => {
                ChannelDecode::with_exponent(field.shift)
            }
            _ => ChannelDecode::constant(default),
        }
    }

    /// Returns how all channels are read from the words that a fetch kernel delivers (see `sample::fetch`). These are the element's own
    /// words (see [`channel`](Self::channel)), except for 64-bit floats in elements of more than 16 bytes: fetch kernels convert them, and
    /// each channel is a word that holds an f32.
    pub(crate) fn all_channels(&self) -> [ChannelDecode; 4] {
        [0, 1, 2, 3].map(|number| {
            let channel = self.channel(number);
            let is_word =
                channel::ALL_CHANNEL_KINDS && self.bytes > 16 && channel.kind != ChannelKind::Constant;
            if is_word { ChannelDecode::bits(number as u8, 0, 32, Numeric::Float) } else { channel }
        })
    }

    /// Whether every channel is a bit field of a word, or not stored.
    pub(crate) const fn has_fields(&self) -> bool {
        matches!(self.codec, Codec::Fields | Codec::SharedExponent)
    }

    /// Whether the format is block-compressed.
    pub const fn is_block(&self) -> bool {
        self.block_width > 1 && self.block_height > 1
    }

    /// Returns the number of texels in an element.
    pub const fn block_texels(&self) -> usize {
        self.block_width as usize * self.block_height as usize
    }

    /// Returns the column and row of the element that holds texel (`x`, `y`), and the texel's column and row inside it.
    #[inline]
    pub fn split(&self, x: u32, y: u32) -> [[u32; 2]; 2] {
        let [(column, x), (row, y)] = [(x, self.block_width), (y, self.block_height)].map(|(at, size)| {
            let size = u32::from(size);
            // Nearly all sizes are powers of two, which need no division.
            if size & size.wrapping_sub(1) == 0 {
                (at >> (size.trailing_zeros() & 31), at & size.wrapping_sub(1))
            } else {
                let element = at.checked_div(size).unwrap_or(0);
                (element, at.wrapping_sub(element.wrapping_mul(size)))
            }
        });
        [[column, row], [x, y]]
    }

    /// Returns 1 in the type of this format's channels.
    #[inline]
    pub const fn one(&self) -> u32 {
        match self.kind {
            TexelKind::Float => ONE,
            TexelKind::Uint | TexelKind::Sint | TexelKind::Raw => 1,
        }
    }

    /// Returns the texel of defaults: 0, 0, 0 and 1.
    #[inline]
    pub const fn defaults(&self) -> Texel {
        [0, 0, 0, self.one()]
    }

    /// Converts a border colour to a texel of this format: components that the format stores come from
    /// `colour`, components that it lacks are defaults. Luminance takes red for R, G and B; intensity takes red
    /// for all four (one component in memory, one in the border). Palette formats take all four components, as
    /// the palette holds all four. With `[0; 4]` this is the texel out of bounds.
    pub fn border(&self, colour: Texel) -> Texel {
        let mut texel = self.defaults();
        // A channel whose bit field is that of red (luminance, intensity) takes red.
        let [red, ..] = self.fields;
        let shared = self.palette.is_none();
        let channels = texel.iter_mut().zip(&self.fields).zip(colour);
        for (i, ((out, field), own)) in channels.enumerate() {
            if self.channels >> i & 1 != 0 {
                let from_red = shared && field.width != 0 && *field == red;
                *out = if from_red { colour[0] } else { own };
            }
        }
        texel
    }
}
