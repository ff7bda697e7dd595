//! Every SURFACE_FORMAT with a defined meaning, in the order of the codes.
//!
//! Source: the Ice Lake PRM's table (vol. 2b). A name states the layout: components from bit 0 upward,
//! each with its width, then how they are read. Luminance fills R, G, B and intensity all four;
//! absent colours read 0 and absent alpha 1; `X` is padding. What the name does not state:
//! - passthru formats return their dwords in memory order, one a channel (more than four are not sampled);
//! - block sizes: 4x4 texels in 8 or 16 bytes, as the compression schemes define;
//! - `X8B8_UNORM_G8R8_SNORM` and similar mixed formats are read from bit 0 upward like all formats (isl's layouts agree);
//! - `P4A4` has the index in the low bits, `A4P4` the alpha (isl's layouts agree);
//! - `Y8` and all YUV formats: R = Cr, G = Y, B = Cb, alpha 1, no conversion to RGB (unconfirmed).
//!
//! FXT1 is not in the PRM's table, see [`super::names`]; the rows of ASTC (codes from 0x200) are in `astc/rows.rs`.

use super::fields::Numeric::{self, Float, Raw, Sfixed, Sint, Snorm, Srgb, Sscaled, Uint, Unorm, Uscaled};
use super::fields::{BitSpan, ChannelField, layout};
use super::{Codec, FormatInfo, TexelKind};
use crate::enums::SurfaceFormat as F;

const RED: u8 = 0b0001;
const RG: u8 = 0b0011;
const RGB: u8 = 0b0111;
const RGBA: u8 = 0b1111;

const fn field(span: BitSpan, numeric: Numeric) -> ChannelField {
    ChannelField { shift: span.0, width: span.1, numeric }
}

const fn stored(span: BitSpan) -> u8 {
    (span.1 != 0) as u8
}

/// Returns the row of a format of single texels with the [components](layout) of its name, whose channels differ in numeric kind (given
/// for R, G, B, A).
const fn mixed(code: F, components: &str, [r, g, b, a]: [Numeric; 4]) -> FormatInfo {
    let s = layout(components);
    FormatInfo {
        code,
        block_width: 1,
        block_height: 1,
        bytes: s.bits.div_ceil(8) as u8,
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
const fn texel(code: F, components: &str, numeric: Numeric) -> FormatInfo {
    let alpha = if matches!(numeric, Srgb) { Unorm } else { numeric };
    let kind = match numeric {
        Uint => TexelKind::Uint,
        Sint => TexelKind::Sint,
        Raw => TexelKind::Raw,
        _ => TexelKind::Float,
    };
    FormatInfo { kind, ..mixed(code, components, [numeric, numeric, numeric, alpha]) }
}

const fn shared_exponent(code: F) -> FormatInfo {
    texel(code, "R9G9B9", Float).with_codec(Codec::SharedExponent)
}

/// Returns the row of a format of indices into palette 0 or 1. `P2` packs four texels into a byte.
const fn palette(code: F, components: &str, palette: u8) -> FormatInfo {
    let row = texel(code, components, Unorm).with_codec(Codec::Palette);
    let [index, ..] = row.fields;
    FormatInfo { palette: Some(palette), block_width: if index.width == 2 { 4 } else { 1 }, ..row }
}

/// Returns the row of a format of packed 4:2:2 YUV, two texels in four bytes: R is Cr, G the luma of the first texel, B Cb, and `X` the luma
/// of the second texel. The layout of `NORMAL` is agreed on; those of the other formats follow their names: SWAPY swaps luma with chroma,
/// SWAPUV Cb with Cr.
const fn yuv(code: F, components: &str) -> FormatInfo {
    FormatInfo { block_width: 2, ..texel(code, components, Unorm).with_codec(Codec::Yuv) }
}

const fn planar(code: F) -> FormatInfo {
    FormatInfo { channels: RGB, ..texel(code, "", Unorm).with_codec(Codec::Unsampled) }
}

/// Returns the row of a UNORM format of 4x4 blocks of `bytes` bytes; callers override what differs.
pub(super) const fn block(code: F, bytes: u8, codec: Codec, channels: u8) -> FormatInfo {
    FormatInfo {
        block_width: 4,
        block_height: 4,
        bytes,
        channels,
        ..texel(code, "", Unorm).with_codec(codec)
    }
}

/// Returns the row of a format without a decoder. Its element, `texels` in a row of `bytes` bytes, is there for layouts.
const fn unsampled(code: F, texels: u8, bytes: u8) -> FormatInfo {
    FormatInfo { block_width: texels, bytes, ..texel(code, "", Raw).with_codec(Codec::Unsampled) }
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
    texel(F::R32G32B32A32_FLOAT, "R32G32B32A32", Float),
    texel(F::R32G32B32A32_SINT, "R32G32B32A32", Sint),
    texel(F::R32G32B32A32_UINT, "R32G32B32A32", Uint),
    texel(F::R32G32B32A32_UNORM, "R32G32B32A32", Unorm),
    texel(F::R32G32B32A32_SNORM, "R32G32B32A32", Snorm),
    texel(F::R64G64_FLOAT, "R64G64", Float),
    texel(F::R32G32B32X32_FLOAT, "R32G32B32X32", Float),
    texel(F::R32G32B32A32_SSCALED, "R32G32B32A32", Sscaled),
    texel(F::R32G32B32A32_USCALED, "R32G32B32A32", Uscaled),
    texel(F::R32G32B32A32_SFIXED, "R32G32B32A32", Sfixed),
    texel(F::R64G64_PASSTHRU, "R32G32B32A32", Raw),
    texel(F::R32G32B32_FLOAT, "R32G32B32", Float),
    texel(F::R32G32B32_SINT, "R32G32B32", Sint),
    texel(F::R32G32B32_UINT, "R32G32B32", Uint),
    texel(F::R32G32B32_UNORM, "R32G32B32", Unorm),
    texel(F::R32G32B32_SNORM, "R32G32B32", Snorm),
    texel(F::R32G32B32_SSCALED, "R32G32B32", Sscaled),
    texel(F::R32G32B32_USCALED, "R32G32B32", Uscaled),
    texel(F::R32G32B32_SFIXED, "R32G32B32", Sfixed),
    texel(F::R16G16B16A16_UNORM, "R16G16B16A16", Unorm),
    texel(F::R16G16B16A16_SNORM, "R16G16B16A16", Snorm),
    texel(F::R16G16B16A16_SINT, "R16G16B16A16", Sint),
    texel(F::R16G16B16A16_UINT, "R16G16B16A16", Uint),
    texel(F::R16G16B16A16_FLOAT, "R16G16B16A16", Float),
    texel(F::R32G32_FLOAT, "R32G32", Float),
    texel(F::R32G32_SINT, "R32G32", Sint),
    texel(F::R32G32_UINT, "R32G32", Uint),
    texel(F::R32_FLOAT_X8X24_TYPELESS, "R32X8X24", Float),
    texel(F::X32_TYPELESS_G8X24_UINT, "X32G8X24", Uint),
    texel(F::L32A32_FLOAT, "L32A32", Float),
    texel(F::R32G32_UNORM, "R32G32", Unorm),
    texel(F::R32G32_SNORM, "R32G32", Snorm),
    texel(F::R64_FLOAT, "R64", Float),
    texel(F::R16G16B16X16_UNORM, "R16G16B16X16", Unorm),
    texel(F::R16G16B16X16_FLOAT, "R16G16B16X16", Float),
    texel(F::A32X32_FLOAT, "A32X32", Float),
    texel(F::L32X32_FLOAT, "L32X32", Float),
    texel(F::I32X32_FLOAT, "I32X32", Float),
    texel(F::R16G16B16A16_SSCALED, "R16G16B16A16", Sscaled),
    texel(F::R16G16B16A16_USCALED, "R16G16B16A16", Uscaled),
    texel(F::R32G32_SSCALED, "R32G32", Sscaled),
    texel(F::R32G32_USCALED, "R32G32", Uscaled),
    texel(F::R32G32_SFIXED, "R32G32", Sfixed),
    texel(F::R64_PASSTHRU, "R32G32", Raw),
    texel(F::B8G8R8A8_UNORM, "B8G8R8A8", Unorm),
    texel(F::B8G8R8A8_UNORM_SRGB, "B8G8R8A8", Srgb),
    texel(F::R10G10B10A2_UNORM, "R10G10B10A2", Unorm),
    texel(F::R10G10B10A2_UNORM_SRGB, "R10G10B10A2", Srgb),
    texel(F::R10G10B10A2_UINT, "R10G10B10A2", Uint),
    mixed(F::R10G10B10_SNORM_A2_UNORM, "R10G10B10A2", [Snorm, Snorm, Snorm, Unorm]),
    texel(F::R8G8B8A8_UNORM, "R8G8B8A8", Unorm),
    texel(F::R8G8B8A8_UNORM_SRGB, "R8G8B8A8", Srgb),
    texel(F::R8G8B8A8_SNORM, "R8G8B8A8", Snorm),
    texel(F::R8G8B8A8_SINT, "R8G8B8A8", Sint),
    texel(F::R8G8B8A8_UINT, "R8G8B8A8", Uint),
    texel(F::R16G16_UNORM, "R16G16", Unorm),
    texel(F::R16G16_SNORM, "R16G16", Snorm),
    texel(F::R16G16_SINT, "R16G16", Sint),
    texel(F::R16G16_UINT, "R16G16", Uint),
    texel(F::R16G16_FLOAT, "R16G16", Float),
    texel(F::B10G10R10A2_UNORM, "B10G10R10A2", Unorm),
    texel(F::B10G10R10A2_UNORM_SRGB, "B10G10R10A2", Srgb),
    texel(F::R11G11B10_FLOAT, "R11G11B10", Float),
    texel(F::R32_SINT, "R32", Sint),
    texel(F::R32_UINT, "R32", Uint),
    texel(F::R32_FLOAT, "R32", Float),
    texel(F::R24_UNORM_X8_TYPELESS, "R24X8", Unorm),
    texel(F::X24_TYPELESS_G8_UINT, "X24G8", Uint),
    texel(F::L32_UNORM, "L32", Unorm),
    texel(F::A32_UNORM, "A32", Unorm),
    texel(F::L16A16_UNORM, "L16A16", Unorm),
    texel(F::I24X8_UNORM, "I24X8", Unorm),
    texel(F::L24X8_UNORM, "L24X8", Unorm),
    texel(F::A24X8_UNORM, "A24X8", Unorm),
    texel(F::I32_FLOAT, "I32", Float),
    texel(F::L32_FLOAT, "L32", Float),
    texel(F::A32_FLOAT, "A32", Float),
    mixed(F::X8B8_UNORM_G8R8_SNORM, "X8B8G8R8", [Snorm, Snorm, Unorm, Snorm]),
    mixed(F::A8X8_UNORM_G8R8_SNORM, "A8X8G8R8", [Snorm, Snorm, Snorm, Unorm]),
    mixed(F::B8X8_UNORM_G8R8_SNORM, "B8X8G8R8", [Snorm, Snorm, Unorm, Snorm]),
    texel(F::B8G8R8X8_UNORM, "B8G8R8X8", Unorm),
    texel(F::B8G8R8X8_UNORM_SRGB, "B8G8R8X8", Srgb),
    texel(F::R8G8B8X8_UNORM, "R8G8B8X8", Unorm),
    texel(F::R8G8B8X8_UNORM_SRGB, "R8G8B8X8", Srgb),
    shared_exponent(F::R9G9B9E5_SHAREDEXP),
    texel(F::B10G10R10X2_UNORM, "B10G10R10X2", Unorm),
    texel(F::L16A16_FLOAT, "L16A16", Float),
    texel(F::R32_UNORM, "R32", Unorm),
    texel(F::R32_SNORM, "R32", Snorm),
    texel(F::R10G10B10X2_USCALED, "R10G10B10X2", Uscaled),
    texel(F::R8G8B8A8_SSCALED, "R8G8B8A8", Sscaled),
    texel(F::R8G8B8A8_USCALED, "R8G8B8A8", Uscaled),
    texel(F::R16G16_SSCALED, "R16G16", Sscaled),
    texel(F::R16G16_USCALED, "R16G16", Uscaled),
    texel(F::R32_SSCALED, "R32", Sscaled),
    texel(F::R32_USCALED, "R32", Uscaled),
    texel(F::B5G6R5_UNORM, "B5G6R5", Unorm),
    texel(F::B5G6R5_UNORM_SRGB, "B5G6R5", Srgb),
    texel(F::B5G5R5A1_UNORM, "B5G5R5A1", Unorm),
    texel(F::B5G5R5A1_UNORM_SRGB, "B5G5R5A1", Srgb),
    texel(F::B4G4R4A4_UNORM, "B4G4R4A4", Unorm),
    texel(F::B4G4R4A4_UNORM_SRGB, "B4G4R4A4", Srgb),
    texel(F::R8G8_UNORM, "R8G8", Unorm),
    texel(F::R8G8_SNORM, "R8G8", Snorm),
    texel(F::R8G8_SINT, "R8G8", Sint),
    texel(F::R8G8_UINT, "R8G8", Uint),
    texel(F::R16_UNORM, "R16", Unorm),
    texel(F::R16_SNORM, "R16", Snorm),
    texel(F::R16_SINT, "R16", Sint),
    texel(F::R16_UINT, "R16", Uint),
    texel(F::R16_FLOAT, "R16", Float),
    palette(F::A8P8_UNORM_PALETTE0, "A8P8", 0),
    palette(F::A8P8_UNORM_PALETTE1, "A8P8", 1),
    texel(F::I16_UNORM, "I16", Unorm),
    texel(F::L16_UNORM, "L16", Unorm),
    texel(F::A16_UNORM, "A16", Unorm),
    texel(F::L8A8_UNORM, "L8A8", Unorm),
    texel(F::I16_FLOAT, "I16", Float),
    texel(F::L16_FLOAT, "L16", Float),
    texel(F::A16_FLOAT, "A16", Float),
    texel(F::L8A8_UNORM_SRGB, "L8A8", Srgb),
    mixed(F::R5G5_SNORM_B6_UNORM, "R5G5B6", [Snorm, Snorm, Unorm, Snorm]),
    texel(F::B5G5R5X1_UNORM, "B5G5R5X1", Unorm),
    texel(F::B5G5R5X1_UNORM_SRGB, "B5G5R5X1", Srgb),
    texel(F::R8G8_SSCALED, "R8G8", Sscaled),
    texel(F::R8G8_USCALED, "R8G8", Uscaled),
    texel(F::R16_SSCALED, "R16", Sscaled),
    texel(F::R16_USCALED, "R16", Uscaled),
    palette(F::P8A8_UNORM_PALETTE0, "P8A8", 0),
    palette(F::P8A8_UNORM_PALETTE1, "P8A8", 1),
    texel(F::A1B5G5R5_UNORM, "A1B5G5R5", Unorm),
    texel(F::A4B4G4R4_UNORM, "A4B4G4R4", Unorm),
    texel(F::L8A8_UINT, "L8A8", Uint),
    texel(F::L8A8_SINT, "L8A8", Sint),
    texel(F::R8_UNORM, "R8", Unorm),
    texel(F::R8_SNORM, "R8", Snorm),
    texel(F::R8_SINT, "R8", Sint),
    texel(F::R8_UINT, "R8", Uint),
    texel(F::A8_UNORM, "A8", Unorm),
    texel(F::I8_UNORM, "I8", Unorm),
    texel(F::L8_UNORM, "L8", Unorm),
    palette(F::P4A4_UNORM_PALETTE0, "P4A4", 0),
    palette(F::A4P4_UNORM_PALETTE0, "A4P4", 0),
    texel(F::R8_SSCALED, "R8", Sscaled),
    texel(F::R8_USCALED, "R8", Uscaled),
    palette(F::P8_UNORM_PALETTE0, "P8", 0),
    texel(F::L8_UNORM_SRGB, "L8", Srgb),
    palette(F::P8_UNORM_PALETTE1, "P8", 1),
    palette(F::P4A4_UNORM_PALETTE1, "P4A4", 1),
    palette(F::A4P4_UNORM_PALETTE1, "A4P4", 1),
    texel(F::Y8_UNORM, "Y8", Unorm),
    texel(F::L8_UINT, "L8", Uint),
    texel(F::L8_SINT, "L8", Sint),
    texel(F::I8_UINT, "I8", Uint),
    texel(F::I8_SINT, "I8", Sint),
    block(F::DXT1_RGB_SRGB, 8, Codec::Bc1Opaque, RGB).srgb(),
    unsampled(F::R1_UNORM, 8, 1),
    yuv(F::YCRCB_NORMAL, "G8B8X8R8"),
    yuv(F::YCRCB_SWAPUVY, "R8G8B8X8"),
    palette(F::P2_UNORM_PALETTE0, "P2", 0),
    palette(F::P2_UNORM_PALETTE1, "P2", 1),
    block(F::BC1_UNORM, 8, Codec::Bc1, RGBA),
    block(F::BC2_UNORM, 16, Codec::Bc2, RGBA),
    block(F::BC3_UNORM, 16, Codec::Bc3, RGBA),
    block(F::BC4_UNORM, 8, Codec::Bc4Unorm, RED),
    block(F::BC5_UNORM, 16, Codec::Bc5Unorm, RG),
    block(F::BC1_UNORM_SRGB, 8, Codec::Bc1, RGBA).srgb(),
    block(F::BC2_UNORM_SRGB, 16, Codec::Bc2, RGBA).srgb(),
    block(F::BC3_UNORM_SRGB, 16, Codec::Bc3, RGBA).srgb(),
    unsampled(F::MONO8, 8, 1),
    yuv(F::YCRCB_SWAPUV, "G8R8X8B8"),
    yuv(F::YCRCB_SWAPY, "B8G8R8X8"),
    block(F::DXT1_RGB, 8, Codec::Bc1Opaque, RGB),
    FormatInfo { block_width: 8, ..block(F::FXT1, 16, Codec::Fxt1, RGBA) },
    texel(F::R8G8B8_UNORM, "R8G8B8", Unorm),
    texel(F::R8G8B8_SNORM, "R8G8B8", Snorm),
    texel(F::R8G8B8_SSCALED, "R8G8B8", Sscaled),
    texel(F::R8G8B8_USCALED, "R8G8B8", Uscaled),
    texel(F::R64G64B64A64_FLOAT, "R64G64B64A64", Float),
    texel(F::R64G64B64_FLOAT, "R64G64B64", Float),
    block(F::BC4_SNORM, 8, Codec::Bc4Snorm, RED).signed(),
    block(F::BC5_SNORM, 16, Codec::Bc5Snorm, RG).signed(),
    texel(F::R16G16B16_FLOAT, "R16G16B16", Float),
    texel(F::R16G16B16_UNORM, "R16G16B16", Unorm),
    texel(F::R16G16B16_SNORM, "R16G16B16", Snorm),
    texel(F::R16G16B16_SSCALED, "R16G16B16", Sscaled),
    texel(F::R16G16B16_USCALED, "R16G16B16", Uscaled),
    block(F::BC6H_SF16, 16, Codec::Bc6hSigned, RGB).signed(),
    block(F::BC7_UNORM, 16, Codec::Bc7, RGBA),
    block(F::BC7_UNORM_SRGB, 16, Codec::Bc7, RGBA).srgb(),
    block(F::BC6H_UF16, 16, Codec::Bc6hUnsigned, RGB).signed(),
    planar(F::PLANAR_420_8),
    planar(F::PLANAR_420_16),
    texel(F::R8G8B8_UNORM_SRGB, "R8G8B8", Srgb),
    block(F::ETC1_RGB8, 8, Codec::Etc1, RGB),
    block(F::ETC2_RGB8, 8, Codec::Etc2, RGB),
    block(F::EAC_R11, 8, Codec::EacUnorm, RED),
    block(F::EAC_RG11, 16, Codec::EacRgUnorm, RG),
    block(F::EAC_SIGNED_R11, 8, Codec::EacSnorm, RED).signed(),
    block(F::EAC_SIGNED_RG11, 16, Codec::EacRgSnorm, RG).signed(),
    block(F::ETC2_SRGB8, 8, Codec::Etc2, RGB).srgb(),
    texel(F::R16G16B16_UINT, "R16G16B16", Uint),
    texel(F::R16G16B16_SINT, "R16G16B16", Sint),
    texel(F::R32_SFIXED, "R32", Sfixed),
    texel(F::R10G10B10A2_SNORM, "R10G10B10A2", Snorm),
    texel(F::R10G10B10A2_USCALED, "R10G10B10A2", Uscaled),
    texel(F::R10G10B10A2_SSCALED, "R10G10B10A2", Sscaled),
    texel(F::R10G10B10A2_SINT, "R10G10B10A2", Sint),
    texel(F::B10G10R10A2_SNORM, "B10G10R10A2", Snorm),
    texel(F::B10G10R10A2_USCALED, "B10G10R10A2", Uscaled),
    texel(F::B10G10R10A2_SSCALED, "B10G10R10A2", Sscaled),
    texel(F::B10G10R10A2_UINT, "B10G10R10A2", Uint),
    texel(F::B10G10R10A2_SINT, "B10G10R10A2", Sint),
    texel(F::R64G64B64A64_PASSTHRU, "R64G64B64A64", Raw).with_codec(Codec::Unsampled),
    texel(F::R64G64B64_PASSTHRU, "R64G64B64", Raw).with_codec(Codec::Unsampled),
    block(F::ETC2_RGB8_PTA, 8, Codec::Etc2Punchthrough, RGBA),
    block(F::ETC2_SRGB8_PTA, 8, Codec::Etc2Punchthrough, RGBA).srgb(),
    block(F::ETC2_EAC_RGBA8, 16, Codec::Etc2Eac, RGBA),
    block(F::ETC2_EAC_SRGB8_A8, 16, Codec::Etc2Eac, RGBA).srgb(),
    texel(F::R8G8B8_UINT, "R8G8B8", Uint),
    texel(F::R8G8B8_SINT, "R8G8B8", Sint),
    unsampled(F::RAW, 1, 0),
];
