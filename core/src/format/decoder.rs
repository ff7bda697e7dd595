//! Decoders of formats, which turn the bytes of an element into any of its texels.

#[cfg(feature = "astc")]
use super::astc;
use super::fields::ChannelField;
#[cfg(feature = "bc")]
use super::fxt1;
use super::texel::ONE;
use super::{Codec, FormatInfo, Texel, block, families, head, info, linear, unorm, unorm8};
use crate::enums::SurfaceFormat;
use crate::error::{Error, Kind as Why, Result, What};

/// A format's decoder, chosen once.
#[derive(Clone, Copy, Debug)]
pub struct FormatDecoder<'p> {
    info: &'static FormatInfo,
    palette: &'p [u32],
}

impl FormatDecoder<'static> {
    /// Returns the decoder of `format`.
    ///
    /// # Errors
    /// `Unknown` when the code is not defined; `Unsupported` when the format cannot be sampled,
    /// needs a palette, or is behind a cargo feature that is off.
    pub fn new(format: SurfaceFormat) -> Result<Self> {
        let codec = FormatDecoder::with_palette(format, &[])?;
        if codec.info.palette.is_some() { Err(refused(Why::Unsupported, format)) } else { Ok(codec) }
    }
}

impl<'p> FormatDecoder<'p> {
    /// Returns the decoder of `format`, with the palette that its indices refer to if it has indices
    /// ([`FormatInfo::palette`] says which palette). Entries are alpha 31:24, red 23:16, green 15:8,
    /// blue 7:0; entries past the end are 0.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_palette(format: SurfaceFormat, palette: &'p [u32]) -> Result<Self> {
        match info(format) {
            Some(info) if info.codec.available() => Ok(Self { info, palette }),
            Some(_) => Err(refused(Why::Unsupported, format)),
            None if format.as_astc().is_some() => Err(refused(Why::Unsupported, format)),
            None => Err(refused(Why::Unknown, format)),
        }
    }

    /// Returns the decoder without the sRGB curve (SAMPLER_STATE "sRGB skip decode"): that of the
    /// UNORM format with the same layout. Decoders of formats that are not sRGB are returned unchanged.
    #[must_use]
    pub fn without_srgb(self) -> Self {
        Self { info: linear(self.info), ..self }
    }

    /// Returns the properties of the format.
    #[inline]
    pub const fn info(&self) -> &'static FormatInfo {
        self.info
    }

    /// Decodes the texel at (`x`, `y`) inside `element` (0, 0 for formats without blocks; the position
    /// wraps at the block's size). Bytes that `element` lacks read as 0.
    #[inline(never)]
    pub fn decode(&self, element: &[u8], x: u32, y: u32) -> Texel {
        match self.info.codec {
            Codec::Palette => self.indexed(element, x),
            Codec::Yuv => self.yuv(element, x),
            Codec::Fields | Codec::SharedExponent => self.fields(element),
            _ => self.block_texel(element, x, y),
        }
    }

    /// Decodes all texels of a 4x4 block, in raster order, to the same values as [`decode`](Self::decode) of each;
    /// `None` for formats that are not 4x4 [blocks](FormatInfo::is_block).
    pub fn decode_block(&self, block: &[u8]) -> Option<[Texel; 16]> {
        if self.info.block_texels() != 16 {
            return None;
        }
        let mut texels = [[0; 4]; 16];
        (self.decode_block_into(block, &mut texels) == 16).then_some(texels)
    }

    /// Decodes all texels of a block of any size, in raster order, to the same values as [`decode`](Self::decode) of each, into
    /// the first [`block_texels`](FormatInfo::block_texels) entries of `out` (or as many as `out` has). Returns the number of
    /// texels decoded: 0 for formats that are not [blocks](FormatInfo::is_block).
    pub fn decode_block_into(&self, block: &[u8], out: &mut [Texel]) -> usize {
        if !self.info.is_block() {
            return 0;
        }
        let count = out.len().min(self.info.block_texels());
        let out = out.get_mut(..count).unwrap_or_default();
        #[cfg(feature = "astc")]
        if self.info.codec.is_astc() {
            astc::texels(self.info, block, out);
            return count;
        }
        let whole = out.first_chunk_mut().and_then(|out| families::with(self.info, block, |b| b.texels(out)));
        if whole.is_none() {
            // FXT1, or room for part of a block.
            for (row, y) in out.chunks_mut(self.info.block_width.max(1).into()).zip(0..) {
                for (texel, x) in row.iter_mut().zip(0..) {
                    *texel = self.block_texel(block, x, y);
                }
            }
        }
        count
    }

    fn block_texel(&self, element: &[u8], x: u32, y: u32) -> Texel {
        #[cfg(feature = "bc")]
        if self.info.codec == Codec::Fxt1 {
            return fxt1::texel(element, x & 7, y & 3);
        }
        #[cfg(feature = "astc")]
        if self.info.codec.is_astc() {
            let [_, [x, y]] = self.info.split(x, y);
            return astc::texel(self.info, element, x, y);
        }
        self.texel_of_sixteen(element, x, y)
    }

    /// Decodes a texel of a 4x4 block. Not inlined, so that FXT1 and ASTC are decoded without its stack frame.
    #[inline(never)]
    fn texel_of_sixteen(&self, element: &[u8], x: u32, y: u32) -> Texel {
        let texel = |b: &dyn block::Block| b.texel((y & 3) << 2 | x & 3);
        families::with(self.info, element, texel).unwrap_or_default()
    }

    /// Decodes each channel from its bit field.
    // inline(never): keeps the frame of `decode`, which is below those of the block decoders, small.
    #[inline(never)]
    fn fields(&self, element: &[u8]) -> Texel {
        let mut texel = [0; 4];
        for (channel, out) in texel.iter_mut().enumerate() {
            let decode = self.info.channel(channel);
            let word = |number: u8| {
                let at = usize::from(number).wrapping_mul(4);
                u32::from_le_bytes(head(element.get(at..).unwrap_or_default()))
            };
            *out = decode.read(word(decode.word), word(decode.word.wrapping_add(1)));
        }
        texel
    }

    /// Returns the palette that indices refer to; empty if there is none.
    pub(crate) const fn palette(&self) -> &'p [u32] {
        self.palette
    }

    /// Looks up a texel's colour in the palette; alpha too, unless the texel stores its own.
    #[inline(never)]
    fn indexed(&self, element: &[u8], x: u32) -> Texel {
        let [r, _, _, a] = self.info.fields;
        // Texels of less than a byte are packed from bit 0 up; their number is a power of two.
        let step = (x as u8 & self.info.block_width.wrapping_sub(1)).wrapping_mul(r.width);
        let index = extract(element, &ChannelField { shift: r.shift.wrapping_add(step), ..r });
        let entry = self.palette.get(index as usize).copied().unwrap_or_default();
        let [blue, green, red, alpha] = entry.to_le_bytes().map(|v| unorm8(v).to_bits());
        let alpha = if a != r { unorm(extract(element, &a) as u32, a.width.into()).to_bits() } else { alpha };
        [red, green, blue, alpha]
    }

    /// Decodes a texel of packed 4:2:2 YUV. Two texels share Cb and Cr; their luma values are 16 bits apart.
    #[inline(never)]
    fn yuv(&self, element: &[u8], x: u32) -> Texel {
        let [cr, y, cb, _] = self.info.fields;
        let y = ChannelField { shift: y.shift.wrapping_add(16 * (x as u8 & 1)), ..y };
        let [r, g, b] = [cr, y, cb].map(|f| unorm8(extract(element, &f) as u8).to_bits());
        [r, g, b, ONE]
    }
}

fn refused(why: Why, format: SurfaceFormat) -> Error {
    Error::new(why, What::Format).value(format.0.into())
}

/// Returns the bits of a field, which must end within the 8 bytes from the one that it starts in.
#[inline]
fn extract(element: &[u8], field: &ChannelField) -> u64 {
    let byte = usize::from(field.shift / 8);
    let word = u64::from_le_bytes(head(element.get(byte..).unwrap_or_default()));
    crate::bits::get(word, u32::from(field.shift % 8), field.width.into())
}
