//! Every SURFACE_FORMAT with a defined meaning, in the order of the codes.
//!
//! Source: the Ice Lake PRM's table (vol. 2b). A name states the layout: components from bit 0 upward,
//! each with its width, then how they are read. Luminance fills R, G, B and intensity all four;
//! absent colours read 0 and absent alpha 1; `X` is padding. What the name does not state:
//! - passthru formats return their dwords in memory order, one a channel (more than four are not sampled);
//! - block sizes: 4x4 texels in 8 or 16 bytes, as the compression schemes define;
//! - `X8B8_UNORM_G8R8_SNORM` and similar mixed formats are read from bit 0 upward like all formats (unconfirmed);
//! - `P4A4` has the index in the low bits, `A4P4` the alpha (isl's layouts agree);
//! - `Y8` and all YUV formats: R = Cr, G = Y, B = Cb, alpha 1, no conversion to RGB (unconfirmed).
//!
//! FXT1 is not in the PRM's table, see [`super::names`]; the rows of ASTC (codes from 0x200) are in `astc/rows.rs`.

use super::fields::Component::{A, B, G, I, L, P, R, X};
use super::fields::Numeric::{self, Float, Raw, Sfixed, Sint, Snorm, Srgb, Sscaled, Uint, Unorm, Uscaled};
use super::fields::{BitLayout, BitSpan, ChannelField, layout};
use super::{Codec, FormatInfo, TexelKind};
use crate::enums::SurfaceFormat as F;

const RED: u8 = 0b0001;
const RG: u8 = 0b0011;
const RGB: u8 = 0b0111;
const RGBA: u8 = 0b1111;

const R32G32B32A32: BitLayout = layout(&[(R, 32), (G, 32), (B, 32), (A, 32)]);
const R64G64: BitLayout = layout(&[(R, 64), (G, 64)]);
const R32G32B32X32: BitLayout = layout(&[(R, 32), (G, 32), (B, 32), (X, 32)]);
const R32G32B32: BitLayout = layout(&[(R, 32), (G, 32), (B, 32)]);
const R16G16B16A16: BitLayout = layout(&[(R, 16), (G, 16), (B, 16), (A, 16)]);
const R32G32: BitLayout = layout(&[(R, 32), (G, 32)]);
const R32X8X24: BitLayout = layout(&[(R, 32), (X, 8), (X, 24)]);
const X32G8X24: BitLayout = layout(&[(X, 32), (G, 8), (X, 24)]);
const L32A32: BitLayout = layout(&[(L, 32), (A, 32)]);
const R64: BitLayout = layout(&[(R, 64)]);
const R16G16B16X16: BitLayout = layout(&[(R, 16), (G, 16), (B, 16), (X, 16)]);
const A32X32: BitLayout = layout(&[(A, 32), (X, 32)]);
const L32X32: BitLayout = layout(&[(L, 32), (X, 32)]);
const I32X32: BitLayout = layout(&[(I, 32), (X, 32)]);
const B8G8R8A8: BitLayout = layout(&[(B, 8), (G, 8), (R, 8), (A, 8)]);
const R10G10B10A2: BitLayout = layout(&[(R, 10), (G, 10), (B, 10), (A, 2)]);
const R8G8B8A8: BitLayout = layout(&[(R, 8), (G, 8), (B, 8), (A, 8)]);
const R16G16: BitLayout = layout(&[(R, 16), (G, 16)]);
const B10G10R10A2: BitLayout = layout(&[(B, 10), (G, 10), (R, 10), (A, 2)]);
const R11G11B10: BitLayout = layout(&[(R, 11), (G, 11), (B, 10)]);
const R32: BitLayout = layout(&[(R, 32)]);
const R24X8: BitLayout = layout(&[(R, 24), (X, 8)]);
const X24G8: BitLayout = layout(&[(X, 24), (G, 8)]);
const L32: BitLayout = layout(&[(L, 32)]);
const A32: BitLayout = layout(&[(A, 32)]);
const L16A16: BitLayout = layout(&[(L, 16), (A, 16)]);
const I24X8: BitLayout = layout(&[(I, 24), (X, 8)]);
const L24X8: BitLayout = layout(&[(L, 24), (X, 8)]);
const A24X8: BitLayout = layout(&[(A, 24), (X, 8)]);
const I32: BitLayout = layout(&[(I, 32)]);
const X8B8G8R8: BitLayout = layout(&[(X, 8), (B, 8), (G, 8), (R, 8)]);
const A8X8G8R8: BitLayout = layout(&[(A, 8), (X, 8), (G, 8), (R, 8)]);
const B8X8G8R8: BitLayout = layout(&[(B, 8), (X, 8), (G, 8), (R, 8)]);
const B8G8R8X8: BitLayout = layout(&[(B, 8), (G, 8), (R, 8), (X, 8)]);
const R8G8B8X8: BitLayout = layout(&[(R, 8), (G, 8), (B, 8), (X, 8)]);
const B10G10R10X2: BitLayout = layout(&[(B, 10), (G, 10), (R, 10), (X, 2)]);
const R10G10B10X2: BitLayout = layout(&[(R, 10), (G, 10), (B, 10), (X, 2)]);
const B5G6R5: BitLayout = layout(&[(B, 5), (G, 6), (R, 5)]);
const B5G5R5A1: BitLayout = layout(&[(B, 5), (G, 5), (R, 5), (A, 1)]);
const B4G4R4A4: BitLayout = layout(&[(B, 4), (G, 4), (R, 4), (A, 4)]);
const R8G8: BitLayout = layout(&[(R, 8), (G, 8)]);
const R16: BitLayout = layout(&[(R, 16)]);
const A8P8: BitLayout = layout(&[(A, 8), (P, 8)]);
const I16: BitLayout = layout(&[(I, 16)]);
const L16: BitLayout = layout(&[(L, 16)]);
const A16: BitLayout = layout(&[(A, 16)]);
const L8A8: BitLayout = layout(&[(L, 8), (A, 8)]);
const R5G5B6: BitLayout = layout(&[(R, 5), (G, 5), (B, 6)]);
const B5G5R5X1: BitLayout = layout(&[(B, 5), (G, 5), (R, 5), (X, 1)]);
const P8A8: BitLayout = layout(&[(P, 8), (A, 8)]);
const A1B5G5R5: BitLayout = layout(&[(A, 1), (B, 5), (G, 5), (R, 5)]);
const A4B4G4R4: BitLayout = layout(&[(A, 4), (B, 4), (G, 4), (R, 4)]);
const R8: BitLayout = layout(&[(R, 8)]);
const A8: BitLayout = layout(&[(A, 8)]);
const I8: BitLayout = layout(&[(I, 8)]);
const L8: BitLayout = layout(&[(L, 8)]);
const P4A4: BitLayout = layout(&[(P, 4), (A, 4)]);
const A4P4: BitLayout = layout(&[(A, 4), (P, 4)]);
const P8: BitLayout = layout(&[(P, 8)]);
const P2: BitLayout = layout(&[(P, 2)]);
const R8G8B8: BitLayout = layout(&[(R, 8), (G, 8), (B, 8)]);
const R64G64B64A64: BitLayout = layout(&[(R, 64), (G, 64), (B, 64), (A, 64)]);
const R64G64B64: BitLayout = layout(&[(R, 64), (G, 64), (B, 64)]);
const R16G16B16: BitLayout = layout(&[(R, 16), (G, 16), (B, 16)]);
const Y8: BitLayout = layout(&[(G, 8)]);

// Packed 4:2:2 YUV: two texels in four bytes; the constants are named after the bytes in memory. The layout of
// `NORMAL` is agreed on; those of the other formats follow their names: SWAPY swaps luma with chroma, SWAPUV Cb with Cr.
const Y0_CB_Y1_CR: BitLayout = yuv_layout(0, 8, 24);
const Y0_CR_Y1_CB: BitLayout = yuv_layout(0, 24, 8);
const CB_Y0_CR_Y1: BitLayout = yuv_layout(8, 0, 16);
const CR_Y0_CB_Y1: BitLayout = yuv_layout(8, 16, 0);

const fn yuv_layout(y0: u8, cb: u8, cr: u8) -> BitLayout {
    BitLayout { r: (cr, 8), g: (y0, 8), b: (cb, 8), a: (0, 0) }
}

const fn field(span: BitSpan, numeric: Numeric) -> ChannelField {
    ChannelField { shift: span.0, width: span.1, numeric }
}

const fn stored(span: BitSpan) -> u8 {
    (span.1 != 0) as u8
}

/// Returns the row of a format of single texels whose channels differ in numeric kind (given for R, G, B, A).
const fn mixed(code: F, bytes: u8, s: BitLayout, [r, g, b, a]: [Numeric; 4]) -> FormatInfo {
    FormatInfo {
        code,
        block_width: 1,
        block_height: 1,
        bytes,
        kind: TexelKind::Float,
        channels: stored(s.r) | stored(s.g) << 1 | stored(s.b) << 2 | stored(s.a) << 3,
        unorm: matches!(r, Unorm | Srgb),
        srgb: matches!(r, Srgb),
        palette: None,
        codec: Codec::Fields,
        fields: [field(s.r, r), field(s.g, g), field(s.b, b), field(s.a, a)],
    }
}

/// Returns the row of a format of single texels whose channels have one numeric kind; the alpha of sRGB formats is linear.
const fn texel(code: F, bytes: u8, s: BitLayout, numeric: Numeric) -> FormatInfo {
    let alpha = if matches!(numeric, Srgb) { Unorm } else { numeric };
    let kind = match numeric {
        Uint => TexelKind::Uint,
        Sint => TexelKind::Sint,
        Raw => TexelKind::Raw,
        _ => TexelKind::Float,
    };
    FormatInfo { kind, ..mixed(code, bytes, s, [numeric, numeric, numeric, alpha]) }
}

const fn shared_exponent(code: F) -> FormatInfo {
    texel(code, 4, layout(&[(R, 9), (G, 9), (B, 9)]), Float).with_codec(Codec::SharedExponent)
}

/// Returns the row of a format of indices into palette 0 or 1. `P2` packs four texels into a byte.
const fn palette(code: F, bytes: u8, s: BitLayout, palette: u8) -> FormatInfo {
    let block_width = if s.r.1 == 2 { 4 } else { 1 };
    FormatInfo {
        palette: Some(palette),
        block_width,
        ..texel(code, bytes, s, Unorm).with_codec(Codec::Palette)
    }
}

const fn yuv(code: F, s: BitLayout) -> FormatInfo {
    FormatInfo { block_width: 2, ..texel(code, 4, s, Unorm).with_codec(Codec::Yuv) }
}

const fn planar(code: F) -> FormatInfo {
    FormatInfo { channels: RGB, ..texel(code, 0, layout(&[]), Unorm).with_codec(Codec::Unsampled) }
}

/// Returns the row of a UNORM format of 4x4 blocks of `bytes` bytes; callers override what differs.
pub(super) const fn block(code: F, bytes: u8, codec: Codec, channels: u8) -> FormatInfo {
    FormatInfo {
        block_width: 4,
        block_height: 4,
        channels,
        ..texel(code, bytes, layout(&[]), Unorm).with_codec(codec)
    }
}

/// Returns the row of a format without a decoder. Its element, `texels` in a row of `bytes` bytes, is there for layouts.
const fn unsampled(code: F, texels: u8, bytes: u8) -> FormatInfo {
    FormatInfo { block_width: texels, ..texel(code, bytes, layout(&[]), Raw).with_codec(Codec::Unsampled) }
}

impl FormatInfo {
    const fn with_codec(self, codec: Codec) -> Self {
        Self { codec, ..self }
    }

    /// Marks the format as one whose values are not limited to 0..1.
    const fn signed(self) -> Self {
        Self { unorm: false, ..self }
    }

    const fn srgb(self) -> Self {
        Self { srgb: true, ..self }
    }
}

/// The rows of all formats but ASTC, sorted by code for a binary search.
pub(super) static FORMATS: [FormatInfo; 222] = [
    texel(F::R32G32B32A32_FLOAT, 16, R32G32B32A32, Float),
    texel(F::R32G32B32A32_SINT, 16, R32G32B32A32, Sint),
    texel(F::R32G32B32A32_UINT, 16, R32G32B32A32, Uint),
    texel(F::R32G32B32A32_UNORM, 16, R32G32B32A32, Unorm),
    texel(F::R32G32B32A32_SNORM, 16, R32G32B32A32, Snorm),
    texel(F::R64G64_FLOAT, 16, R64G64, Float),
    texel(F::R32G32B32X32_FLOAT, 16, R32G32B32X32, Float),
    texel(F::R32G32B32A32_SSCALED, 16, R32G32B32A32, Sscaled),
    texel(F::R32G32B32A32_USCALED, 16, R32G32B32A32, Uscaled),
    texel(F::R32G32B32A32_SFIXED, 16, R32G32B32A32, Sfixed),
    texel(F::R64G64_PASSTHRU, 16, R32G32B32A32, Raw),
    texel(F::R32G32B32_FLOAT, 12, R32G32B32, Float),
    texel(F::R32G32B32_SINT, 12, R32G32B32, Sint),
    texel(F::R32G32B32_UINT, 12, R32G32B32, Uint),
    texel(F::R32G32B32_UNORM, 12, R32G32B32, Unorm),
    texel(F::R32G32B32_SNORM, 12, R32G32B32, Snorm),
    texel(F::R32G32B32_SSCALED, 12, R32G32B32, Sscaled),
    texel(F::R32G32B32_USCALED, 12, R32G32B32, Uscaled),
    texel(F::R32G32B32_SFIXED, 12, R32G32B32, Sfixed),
    texel(F::R16G16B16A16_UNORM, 8, R16G16B16A16, Unorm),
    texel(F::R16G16B16A16_SNORM, 8, R16G16B16A16, Snorm),
    texel(F::R16G16B16A16_SINT, 8, R16G16B16A16, Sint),
    texel(F::R16G16B16A16_UINT, 8, R16G16B16A16, Uint),
    texel(F::R16G16B16A16_FLOAT, 8, R16G16B16A16, Float),
    texel(F::R32G32_FLOAT, 8, R32G32, Float),
    texel(F::R32G32_SINT, 8, R32G32, Sint),
    texel(F::R32G32_UINT, 8, R32G32, Uint),
    texel(F::R32_FLOAT_X8X24_TYPELESS, 8, R32X8X24, Float),
    texel(F::X32_TYPELESS_G8X24_UINT, 8, X32G8X24, Uint),
    texel(F::L32A32_FLOAT, 8, L32A32, Float),
    texel(F::R32G32_UNORM, 8, R32G32, Unorm),
    texel(F::R32G32_SNORM, 8, R32G32, Snorm),
    texel(F::R64_FLOAT, 8, R64, Float),
    texel(F::R16G16B16X16_UNORM, 8, R16G16B16X16, Unorm),
    texel(F::R16G16B16X16_FLOAT, 8, R16G16B16X16, Float),
    texel(F::A32X32_FLOAT, 8, A32X32, Float),
    texel(F::L32X32_FLOAT, 8, L32X32, Float),
    texel(F::I32X32_FLOAT, 8, I32X32, Float),
    texel(F::R16G16B16A16_SSCALED, 8, R16G16B16A16, Sscaled),
    texel(F::R16G16B16A16_USCALED, 8, R16G16B16A16, Uscaled),
    texel(F::R32G32_SSCALED, 8, R32G32, Sscaled),
    texel(F::R32G32_USCALED, 8, R32G32, Uscaled),
    texel(F::R32G32_SFIXED, 8, R32G32, Sfixed),
    texel(F::R64_PASSTHRU, 8, R32G32, Raw),
    texel(F::B8G8R8A8_UNORM, 4, B8G8R8A8, Unorm),
    texel(F::B8G8R8A8_UNORM_SRGB, 4, B8G8R8A8, Srgb),
    texel(F::R10G10B10A2_UNORM, 4, R10G10B10A2, Unorm),
    texel(F::R10G10B10A2_UNORM_SRGB, 4, R10G10B10A2, Srgb),
    texel(F::R10G10B10A2_UINT, 4, R10G10B10A2, Uint),
    mixed(F::R10G10B10_SNORM_A2_UNORM, 4, R10G10B10A2, [Snorm, Snorm, Snorm, Unorm]),
    texel(F::R8G8B8A8_UNORM, 4, R8G8B8A8, Unorm),
    texel(F::R8G8B8A8_UNORM_SRGB, 4, R8G8B8A8, Srgb),
    texel(F::R8G8B8A8_SNORM, 4, R8G8B8A8, Snorm),
    texel(F::R8G8B8A8_SINT, 4, R8G8B8A8, Sint),
    texel(F::R8G8B8A8_UINT, 4, R8G8B8A8, Uint),
    texel(F::R16G16_UNORM, 4, R16G16, Unorm),
    texel(F::R16G16_SNORM, 4, R16G16, Snorm),
    texel(F::R16G16_SINT, 4, R16G16, Sint),
    texel(F::R16G16_UINT, 4, R16G16, Uint),
    texel(F::R16G16_FLOAT, 4, R16G16, Float),
    texel(F::B10G10R10A2_UNORM, 4, B10G10R10A2, Unorm),
    texel(F::B10G10R10A2_UNORM_SRGB, 4, B10G10R10A2, Srgb),
    texel(F::R11G11B10_FLOAT, 4, R11G11B10, Float),
    texel(F::R32_SINT, 4, R32, Sint),
    texel(F::R32_UINT, 4, R32, Uint),
    texel(F::R32_FLOAT, 4, R32, Float),
    texel(F::R24_UNORM_X8_TYPELESS, 4, R24X8, Unorm),
    texel(F::X24_TYPELESS_G8_UINT, 4, X24G8, Uint),
    texel(F::L32_UNORM, 4, L32, Unorm),
    texel(F::A32_UNORM, 4, A32, Unorm),
    texel(F::L16A16_UNORM, 4, L16A16, Unorm),
    texel(F::I24X8_UNORM, 4, I24X8, Unorm),
    texel(F::L24X8_UNORM, 4, L24X8, Unorm),
    texel(F::A24X8_UNORM, 4, A24X8, Unorm),
    texel(F::I32_FLOAT, 4, I32, Float),
    texel(F::L32_FLOAT, 4, L32, Float),
    texel(F::A32_FLOAT, 4, A32, Float),
    mixed(F::X8B8_UNORM_G8R8_SNORM, 4, X8B8G8R8, [Snorm, Snorm, Unorm, Snorm]),
    mixed(F::A8X8_UNORM_G8R8_SNORM, 4, A8X8G8R8, [Snorm, Snorm, Snorm, Unorm]),
    mixed(F::B8X8_UNORM_G8R8_SNORM, 4, B8X8G8R8, [Snorm, Snorm, Unorm, Snorm]),
    texel(F::B8G8R8X8_UNORM, 4, B8G8R8X8, Unorm),
    texel(F::B8G8R8X8_UNORM_SRGB, 4, B8G8R8X8, Srgb),
    texel(F::R8G8B8X8_UNORM, 4, R8G8B8X8, Unorm),
    texel(F::R8G8B8X8_UNORM_SRGB, 4, R8G8B8X8, Srgb),
    shared_exponent(F::R9G9B9E5_SHAREDEXP),
    texel(F::B10G10R10X2_UNORM, 4, B10G10R10X2, Unorm),
    texel(F::L16A16_FLOAT, 4, L16A16, Float),
    texel(F::R32_UNORM, 4, R32, Unorm),
    texel(F::R32_SNORM, 4, R32, Snorm),
    texel(F::R10G10B10X2_USCALED, 4, R10G10B10X2, Uscaled),
    texel(F::R8G8B8A8_SSCALED, 4, R8G8B8A8, Sscaled),
    texel(F::R8G8B8A8_USCALED, 4, R8G8B8A8, Uscaled),
    texel(F::R16G16_SSCALED, 4, R16G16, Sscaled),
    texel(F::R16G16_USCALED, 4, R16G16, Uscaled),
    texel(F::R32_SSCALED, 4, R32, Sscaled),
    texel(F::R32_USCALED, 4, R32, Uscaled),
    texel(F::B5G6R5_UNORM, 2, B5G6R5, Unorm),
    texel(F::B5G6R5_UNORM_SRGB, 2, B5G6R5, Srgb),
    texel(F::B5G5R5A1_UNORM, 2, B5G5R5A1, Unorm),
    texel(F::B5G5R5A1_UNORM_SRGB, 2, B5G5R5A1, Srgb),
    texel(F::B4G4R4A4_UNORM, 2, B4G4R4A4, Unorm),
    texel(F::B4G4R4A4_UNORM_SRGB, 2, B4G4R4A4, Srgb),
    texel(F::R8G8_UNORM, 2, R8G8, Unorm),
    texel(F::R8G8_SNORM, 2, R8G8, Snorm),
    texel(F::R8G8_SINT, 2, R8G8, Sint),
    texel(F::R8G8_UINT, 2, R8G8, Uint),
    texel(F::R16_UNORM, 2, R16, Unorm),
    texel(F::R16_SNORM, 2, R16, Snorm),
    texel(F::R16_SINT, 2, R16, Sint),
    texel(F::R16_UINT, 2, R16, Uint),
    texel(F::R16_FLOAT, 2, R16, Float),
    palette(F::A8P8_UNORM_PALETTE0, 2, A8P8, 0),
    palette(F::A8P8_UNORM_PALETTE1, 2, A8P8, 1),
    texel(F::I16_UNORM, 2, I16, Unorm),
    texel(F::L16_UNORM, 2, L16, Unorm),
    texel(F::A16_UNORM, 2, A16, Unorm),
    texel(F::L8A8_UNORM, 2, L8A8, Unorm),
    texel(F::I16_FLOAT, 2, I16, Float),
    texel(F::L16_FLOAT, 2, L16, Float),
    texel(F::A16_FLOAT, 2, A16, Float),
    texel(F::L8A8_UNORM_SRGB, 2, L8A8, Srgb),
    mixed(F::R5G5_SNORM_B6_UNORM, 2, R5G5B6, [Snorm, Snorm, Unorm, Snorm]),
    texel(F::B5G5R5X1_UNORM, 2, B5G5R5X1, Unorm),
    texel(F::B5G5R5X1_UNORM_SRGB, 2, B5G5R5X1, Srgb),
    texel(F::R8G8_SSCALED, 2, R8G8, Sscaled),
    texel(F::R8G8_USCALED, 2, R8G8, Uscaled),
    texel(F::R16_SSCALED, 2, R16, Sscaled),
    texel(F::R16_USCALED, 2, R16, Uscaled),
    palette(F::P8A8_UNORM_PALETTE0, 2, P8A8, 0),
    palette(F::P8A8_UNORM_PALETTE1, 2, P8A8, 1),
    texel(F::A1B5G5R5_UNORM, 2, A1B5G5R5, Unorm),
    texel(F::A4B4G4R4_UNORM, 2, A4B4G4R4, Unorm),
    texel(F::L8A8_UINT, 2, L8A8, Uint),
    texel(F::L8A8_SINT, 2, L8A8, Sint),
    texel(F::R8_UNORM, 1, R8, Unorm),
    texel(F::R8_SNORM, 1, R8, Snorm),
    texel(F::R8_SINT, 1, R8, Sint),
    texel(F::R8_UINT, 1, R8, Uint),
    texel(F::A8_UNORM, 1, A8, Unorm),
    texel(F::I8_UNORM, 1, I8, Unorm),
    texel(F::L8_UNORM, 1, L8, Unorm),
    palette(F::P4A4_UNORM_PALETTE0, 1, P4A4, 0),
    palette(F::A4P4_UNORM_PALETTE0, 1, A4P4, 0),
    texel(F::R8_SSCALED, 1, R8, Sscaled),
    texel(F::R8_USCALED, 1, R8, Uscaled),
    palette(F::P8_UNORM_PALETTE0, 1, P8, 0),
    texel(F::L8_UNORM_SRGB, 1, L8, Srgb),
    palette(F::P8_UNORM_PALETTE1, 1, P8, 1),
    palette(F::P4A4_UNORM_PALETTE1, 1, P4A4, 1),
    palette(F::A4P4_UNORM_PALETTE1, 1, A4P4, 1),
    texel(F::Y8_UNORM, 1, Y8, Unorm),
    texel(F::L8_UINT, 1, L8, Uint),
    texel(F::L8_SINT, 1, L8, Sint),
    texel(F::I8_UINT, 1, I8, Uint),
    texel(F::I8_SINT, 1, I8, Sint),
    block(F::DXT1_RGB_SRGB, 8, Codec::Bc1Opaque, RGB).srgb(),
    unsampled(F::R1_UNORM, 8, 1),
    yuv(F::YCRCB_NORMAL, Y0_CB_Y1_CR),
    yuv(F::YCRCB_SWAPUVY, CR_Y0_CB_Y1),
    palette(F::P2_UNORM_PALETTE0, 1, P2, 0),
    palette(F::P2_UNORM_PALETTE1, 1, P2, 1),
    block(F::BC1_UNORM, 8, Codec::Bc1, RGBA),
    block(F::BC2_UNORM, 16, Codec::Bc2, RGBA),
    block(F::BC3_UNORM, 16, Codec::Bc3, RGBA),
    block(F::BC4_UNORM, 8, Codec::Bc4Unorm, RED),
    block(F::BC5_UNORM, 16, Codec::Bc5Unorm, RG),
    block(F::BC1_UNORM_SRGB, 8, Codec::Bc1, RGBA).srgb(),
    block(F::BC2_UNORM_SRGB, 16, Codec::Bc2, RGBA).srgb(),
    block(F::BC3_UNORM_SRGB, 16, Codec::Bc3, RGBA).srgb(),
    unsampled(F::MONO8, 8, 1),
    yuv(F::YCRCB_SWAPUV, Y0_CR_Y1_CB),
    yuv(F::YCRCB_SWAPY, CB_Y0_CR_Y1),
    block(F::DXT1_RGB, 8, Codec::Bc1Opaque, RGB),
    FormatInfo { block_width: 8, ..block(F::FXT1, 16, Codec::Fxt1, RGBA) },
    texel(F::R8G8B8_UNORM, 3, R8G8B8, Unorm),
    texel(F::R8G8B8_SNORM, 3, R8G8B8, Snorm),
    texel(F::R8G8B8_SSCALED, 3, R8G8B8, Sscaled),
    texel(F::R8G8B8_USCALED, 3, R8G8B8, Uscaled),
    texel(F::R64G64B64A64_FLOAT, 32, R64G64B64A64, Float),
    texel(F::R64G64B64_FLOAT, 24, R64G64B64, Float),
    block(F::BC4_SNORM, 8, Codec::Bc4Snorm, RED).signed(),
    block(F::BC5_SNORM, 16, Codec::Bc5Snorm, RG).signed(),
    texel(F::R16G16B16_FLOAT, 6, R16G16B16, Float),
    texel(F::R16G16B16_UNORM, 6, R16G16B16, Unorm),
    texel(F::R16G16B16_SNORM, 6, R16G16B16, Snorm),
    texel(F::R16G16B16_SSCALED, 6, R16G16B16, Sscaled),
    texel(F::R16G16B16_USCALED, 6, R16G16B16, Uscaled),
    block(F::BC6H_SF16, 16, Codec::Bc6hSigned, RGB).signed(),
    block(F::BC7_UNORM, 16, Codec::Bc7, RGBA),
    block(F::BC7_UNORM_SRGB, 16, Codec::Bc7, RGBA).srgb(),
    block(F::BC6H_UF16, 16, Codec::Bc6hUnsigned, RGB).signed(),
    planar(F::PLANAR_420_8),
    planar(F::PLANAR_420_16),
    texel(F::R8G8B8_UNORM_SRGB, 3, R8G8B8, Srgb),
    block(F::ETC1_RGB8, 8, Codec::Etc1, RGB),
    block(F::ETC2_RGB8, 8, Codec::Etc2, RGB),
    block(F::EAC_R11, 8, Codec::EacUnorm, RED),
    block(F::EAC_RG11, 16, Codec::EacRgUnorm, RG),
    block(F::EAC_SIGNED_R11, 8, Codec::EacSnorm, RED).signed(),
    block(F::EAC_SIGNED_RG11, 16, Codec::EacRgSnorm, RG).signed(),
    block(F::ETC2_SRGB8, 8, Codec::Etc2, RGB).srgb(),
    texel(F::R16G16B16_UINT, 6, R16G16B16, Uint),
    texel(F::R16G16B16_SINT, 6, R16G16B16, Sint),
    texel(F::R32_SFIXED, 4, R32, Sfixed),
    texel(F::R10G10B10A2_SNORM, 4, R10G10B10A2, Snorm),
    texel(F::R10G10B10A2_USCALED, 4, R10G10B10A2, Uscaled),
    texel(F::R10G10B10A2_SSCALED, 4, R10G10B10A2, Sscaled),
    texel(F::R10G10B10A2_SINT, 4, R10G10B10A2, Sint),
    texel(F::B10G10R10A2_SNORM, 4, B10G10R10A2, Snorm),
    texel(F::B10G10R10A2_USCALED, 4, B10G10R10A2, Uscaled),
    texel(F::B10G10R10A2_SSCALED, 4, B10G10R10A2, Sscaled),
    texel(F::B10G10R10A2_UINT, 4, B10G10R10A2, Uint),
    texel(F::B10G10R10A2_SINT, 4, B10G10R10A2, Sint),
    texel(F::R64G64B64A64_PASSTHRU, 32, R64G64B64A64, Raw).with_codec(Codec::Unsampled),
    texel(F::R64G64B64_PASSTHRU, 24, R64G64B64, Raw).with_codec(Codec::Unsampled),
    block(F::ETC2_RGB8_PTA, 8, Codec::Etc2Punchthrough, RGBA),
    block(F::ETC2_SRGB8_PTA, 8, Codec::Etc2Punchthrough, RGBA).srgb(),
    block(F::ETC2_EAC_RGBA8, 16, Codec::Etc2Eac, RGBA),
    block(F::ETC2_EAC_SRGB8_A8, 16, Codec::Etc2Eac, RGBA).srgb(),
    texel(F::R8G8B8_UINT, 3, R8G8B8, Uint),
    texel(F::R8G8B8_SINT, 3, R8G8B8, Sint),
    unsampled(F::RAW, 1, 0),
];
