//! Translates Intel's surface formats to Vulkan's: a format of the same bits, and its components that are red, green, blue and alpha.

use ash::vk::Format as F;

/// A Vulkan format that reads the same elements as a surface format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NativeFormat {
    /// The format.
    pub(super) format: F,
    /// The sources of R, G, B and A: a component of the format, `0` or `1`.
    pub(super) mapping: [u8; 4],
}

const SAME: [u8; 4] = *b"RGBA";
const NO_ALPHA: [u8; 4] = *b"RGB1";
const L: [u8; 4] = *b"RRR1";
const LA: [u8; 4] = *b"RRRG";
const I: [u8; 4] = *b"RRRR";
const A: [u8; 4] = *b"000R";

/// Names of surface formats with Vulkan's formats (source: Vulkan specification, chapter Formats: packed formats are named from the
/// highest bit down, all others from the lowest byte up).
#[rustfmt::skip]
const TABLE: &[(&str, F, [u8; 4])] = &[
    ("R32G32B32A32_FLOAT", F::R32G32B32A32_SFLOAT, SAME),
    ("R32G32B32A32_SINT", F::R32G32B32A32_SINT, SAME),
    ("R32G32B32A32_UINT", F::R32G32B32A32_UINT, SAME),
    ("R32G32B32X32_FLOAT", F::R32G32B32A32_SFLOAT, NO_ALPHA),
    ("R32G32B32_FLOAT", F::R32G32B32_SFLOAT, SAME),
    ("R32G32B32_SINT", F::R32G32B32_SINT, SAME),
    ("R32G32B32_UINT", F::R32G32B32_UINT, SAME),
    ("R16G16B16A16_UNORM", F::R16G16B16A16_UNORM, SAME),
    ("R16G16B16A16_SNORM", F::R16G16B16A16_SNORM, SAME),
    ("R16G16B16A16_SINT", F::R16G16B16A16_SINT, SAME),
    ("R16G16B16A16_UINT", F::R16G16B16A16_UINT, SAME),
    ("R16G16B16A16_FLOAT", F::R16G16B16A16_SFLOAT, SAME),
    ("R16G16B16A16_SSCALED", F::R16G16B16A16_SSCALED, SAME),
    ("R16G16B16A16_USCALED", F::R16G16B16A16_USCALED, SAME),
    ("R32G32_FLOAT", F::R32G32_SFLOAT, SAME),
    ("R32G32_SINT", F::R32G32_SINT, SAME),
    ("R32G32_UINT", F::R32G32_UINT, SAME),
    ("L32A32_FLOAT", F::R32G32_SFLOAT, LA),
    ("R16G16B16X16_UNORM", F::R16G16B16A16_UNORM, NO_ALPHA),
    ("R16G16B16X16_FLOAT", F::R16G16B16A16_SFLOAT, NO_ALPHA),
    ("A32X32_FLOAT", F::R32G32_SFLOAT, A),
    ("L32X32_FLOAT", F::R32G32_SFLOAT, L),
    ("I32X32_FLOAT", F::R32G32_SFLOAT, I),
    ("B8G8R8A8_UNORM", F::B8G8R8A8_UNORM, SAME),
    ("B8G8R8A8_UNORM_SRGB", F::B8G8R8A8_SRGB, SAME),
    ("R10G10B10A2_UNORM", F::A2B10G10R10_UNORM_PACK32, SAME),
    ("R10G10B10A2_UINT", F::A2B10G10R10_UINT_PACK32, SAME),
    ("R10G10B10A2_SNORM", F::A2B10G10R10_SNORM_PACK32, SAME),
    ("R10G10B10A2_SINT", F::A2B10G10R10_SINT_PACK32, SAME),
    ("R10G10B10A2_USCALED", F::A2B10G10R10_USCALED_PACK32, SAME),
    ("R10G10B10A2_SSCALED", F::A2B10G10R10_SSCALED_PACK32, SAME),
    ("R8G8B8A8_UNORM", F::R8G8B8A8_UNORM, SAME),
    ("R8G8B8A8_UNORM_SRGB", F::R8G8B8A8_SRGB, SAME),
    ("R8G8B8A8_SNORM", F::R8G8B8A8_SNORM, SAME),
    ("R8G8B8A8_SINT", F::R8G8B8A8_SINT, SAME),
    ("R8G8B8A8_UINT", F::R8G8B8A8_UINT, SAME),
    ("R8G8B8A8_SSCALED", F::R8G8B8A8_SSCALED, SAME),
    ("R8G8B8A8_USCALED", F::R8G8B8A8_USCALED, SAME),
    ("R16G16_UNORM", F::R16G16_UNORM, SAME),
    ("R16G16_SNORM", F::R16G16_SNORM, SAME),
    ("R16G16_SINT", F::R16G16_SINT, SAME),
    ("R16G16_UINT", F::R16G16_UINT, SAME),
    ("R16G16_FLOAT", F::R16G16_SFLOAT, SAME),
    ("R16G16_SSCALED", F::R16G16_SSCALED, SAME),
    ("R16G16_USCALED", F::R16G16_USCALED, SAME),
    ("B10G10R10A2_UNORM", F::A2R10G10B10_UNORM_PACK32, SAME),
    ("B10G10R10A2_UINT", F::A2R10G10B10_UINT_PACK32, SAME),
    ("B10G10R10A2_SNORM", F::A2R10G10B10_SNORM_PACK32, SAME),
    ("B10G10R10A2_SINT", F::A2R10G10B10_SINT_PACK32, SAME),
    ("B10G10R10A2_USCALED", F::A2R10G10B10_USCALED_PACK32, SAME),
    ("B10G10R10A2_SSCALED", F::A2R10G10B10_SSCALED_PACK32, SAME),
    ("B10G10R10X2_UNORM", F::A2R10G10B10_UNORM_PACK32, NO_ALPHA),
    ("R10G10B10X2_USCALED", F::A2B10G10R10_USCALED_PACK32, NO_ALPHA),
    ("R11G11B10_FLOAT", F::B10G11R11_UFLOAT_PACK32, SAME),
    ("R9G9B9E5_SHAREDEXP", F::E5B9G9R9_UFLOAT_PACK32, SAME),
    ("R32_SINT", F::R32_SINT, SAME),
    ("R32_UINT", F::R32_UINT, SAME),
    ("R32_FLOAT", F::R32_SFLOAT, SAME),
    ("L16A16_UNORM", F::R16G16_UNORM, LA),
    ("I32_FLOAT", F::R32_SFLOAT, I),
    ("L32_FLOAT", F::R32_SFLOAT, L),
    ("A32_FLOAT", F::R32_SFLOAT, A),
    ("B8G8R8X8_UNORM", F::B8G8R8A8_UNORM, NO_ALPHA),
    ("B8G8R8X8_UNORM_SRGB", F::B8G8R8A8_SRGB, NO_ALPHA),
    ("R8G8B8X8_UNORM", F::R8G8B8A8_UNORM, NO_ALPHA),
    ("R8G8B8X8_UNORM_SRGB", F::R8G8B8A8_SRGB, NO_ALPHA),
    ("L16A16_FLOAT", F::R16G16_SFLOAT, LA),
    ("B5G6R5_UNORM", F::R5G6B5_UNORM_PACK16, SAME),
    ("B5G5R5A1_UNORM", F::A1R5G5B5_UNORM_PACK16, SAME),
    ("B5G5R5X1_UNORM", F::A1R5G5B5_UNORM_PACK16, NO_ALPHA),
    ("B4G4R4A4_UNORM", F::A4R4G4B4_UNORM_PACK16, SAME),
    ("A1B5G5R5_UNORM", F::R5G5B5A1_UNORM_PACK16, SAME),
    ("A4B4G4R4_UNORM", F::R4G4B4A4_UNORM_PACK16, SAME),
    ("R8G8_UNORM", F::R8G8_UNORM, SAME),
    ("R8G8_SNORM", F::R8G8_SNORM, SAME),
    ("R8G8_SINT", F::R8G8_SINT, SAME),
    ("R8G8_UINT", F::R8G8_UINT, SAME),
    ("R8G8_SSCALED", F::R8G8_SSCALED, SAME),
    ("R8G8_USCALED", F::R8G8_USCALED, SAME),
    ("R16_UNORM", F::R16_UNORM, SAME),
    ("R16_SNORM", F::R16_SNORM, SAME),
    ("R16_SINT", F::R16_SINT, SAME),
    ("R16_UINT", F::R16_UINT, SAME),
    ("R16_FLOAT", F::R16_SFLOAT, SAME),
    ("R16_SSCALED", F::R16_SSCALED, SAME),
    ("R16_USCALED", F::R16_USCALED, SAME),
    ("I16_UNORM", F::R16_UNORM, I),
    ("L16_UNORM", F::R16_UNORM, L),
    ("A16_UNORM", F::R16_UNORM, A),
    ("I16_FLOAT", F::R16_SFLOAT, I),
    ("L16_FLOAT", F::R16_SFLOAT, L),
    ("A16_FLOAT", F::R16_SFLOAT, A),
    ("L8A8_UNORM", F::R8G8_UNORM, LA),
    ("L8A8_UINT", F::R8G8_UINT, LA),
    ("L8A8_SINT", F::R8G8_SINT, LA),
    ("R8_UNORM", F::R8_UNORM, SAME),
    ("R8_SNORM", F::R8_SNORM, SAME),
    ("R8_SINT", F::R8_SINT, SAME),
    ("R8_UINT", F::R8_UINT, SAME),
    ("R8_SSCALED", F::R8_SSCALED, SAME),
    ("R8_USCALED", F::R8_USCALED, SAME),
    ("A8_UNORM", F::R8_UNORM, A),
    ("I8_UNORM", F::R8_UNORM, I),
    ("L8_UNORM", F::R8_UNORM, L),
    ("L8_UNORM_SRGB", F::R8_SRGB, L),
    ("Y8_UNORM", F::R8_UNORM, *b"0R01"),
    ("L8_UINT", F::R8_UINT, L),
    ("L8_SINT", F::R8_SINT, L),
    ("I8_UINT", F::R8_UINT, I),
    ("I8_SINT", F::R8_SINT, I),
    ("DXT1_RGB", F::BC1_RGB_UNORM_BLOCK, SAME),
    ("DXT1_RGB_SRGB", F::BC1_RGB_SRGB_BLOCK, SAME),
    ("BC1_UNORM", F::BC1_RGBA_UNORM_BLOCK, SAME),
    ("BC1_UNORM_SRGB", F::BC1_RGBA_SRGB_BLOCK, SAME),
    ("BC2_UNORM", F::BC2_UNORM_BLOCK, SAME),
    ("BC2_UNORM_SRGB", F::BC2_SRGB_BLOCK, SAME),
    ("BC3_UNORM", F::BC3_UNORM_BLOCK, SAME),
    ("BC3_UNORM_SRGB", F::BC3_SRGB_BLOCK, SAME),
    ("BC4_UNORM", F::BC4_UNORM_BLOCK, SAME),
    ("BC4_SNORM", F::BC4_SNORM_BLOCK, SAME),
    ("BC5_UNORM", F::BC5_UNORM_BLOCK, SAME),
    ("BC5_SNORM", F::BC5_SNORM_BLOCK, SAME),
    ("BC6H_SF16", F::BC6H_SFLOAT_BLOCK, SAME),
    ("BC6H_UF16", F::BC6H_UFLOAT_BLOCK, SAME),
    ("BC7_UNORM", F::BC7_UNORM_BLOCK, SAME),
    ("BC7_UNORM_SRGB", F::BC7_SRGB_BLOCK, SAME),
    ("R8G8B8_UNORM", F::R8G8B8_UNORM, SAME),
    ("R8G8B8_SNORM", F::R8G8B8_SNORM, SAME),
    ("R8G8B8_SSCALED", F::R8G8B8_SSCALED, SAME),
    ("R8G8B8_USCALED", F::R8G8B8_USCALED, SAME),
    ("R8G8B8_UINT", F::R8G8B8_UINT, SAME),
    ("R8G8B8_SINT", F::R8G8B8_SINT, SAME),
    ("R8G8B8_UNORM_SRGB", F::R8G8B8_SRGB, SAME),
    ("R16G16B16_FLOAT", F::R16G16B16_SFLOAT, SAME),
    ("R16G16B16_UNORM", F::R16G16B16_UNORM, SAME),
    ("R16G16B16_SNORM", F::R16G16B16_SNORM, SAME),
    ("R16G16B16_SSCALED", F::R16G16B16_SSCALED, SAME),
    ("R16G16B16_USCALED", F::R16G16B16_USCALED, SAME),
    ("R16G16B16_UINT", F::R16G16B16_UINT, SAME),
    ("R16G16B16_SINT", F::R16G16B16_SINT, SAME),
    ("ETC2_RGB8", F::ETC2_R8G8B8_UNORM_BLOCK, SAME),
    ("ETC2_SRGB8", F::ETC2_R8G8B8_SRGB_BLOCK, SAME),
    ("ETC2_RGB8_PTA", F::ETC2_R8G8B8A1_UNORM_BLOCK, SAME),
    ("ETC2_SRGB8_PTA", F::ETC2_R8G8B8A1_SRGB_BLOCK, SAME),
    ("ETC2_EAC_RGBA8", F::ETC2_R8G8B8A8_UNORM_BLOCK, SAME),
    ("ETC2_EAC_SRGB8_A8", F::ETC2_R8G8B8A8_SRGB_BLOCK, SAME),
    ("EAC_R11", F::EAC_R11_UNORM_BLOCK, SAME),
    ("EAC_RG11", F::EAC_R11G11_UNORM_BLOCK, SAME),
    ("EAC_SIGNED_R11", F::EAC_R11_SNORM_BLOCK, SAME),
    ("EAC_SIGNED_RG11", F::EAC_R11G11_SNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_4X4_U8SRGB", F::ASTC_4X4_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_5X4_U8SRGB", F::ASTC_5X4_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_5X5_U8SRGB", F::ASTC_5X5_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_6X5_U8SRGB", F::ASTC_6X5_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_6X6_U8SRGB", F::ASTC_6X6_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_8X5_U8SRGB", F::ASTC_8X5_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_8X6_U8SRGB", F::ASTC_8X6_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_8X8_U8SRGB", F::ASTC_8X8_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_10X5_U8SRGB", F::ASTC_10X5_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_10X6_U8SRGB", F::ASTC_10X6_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_10X8_U8SRGB", F::ASTC_10X8_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_10X10_U8SRGB", F::ASTC_10X10_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_12X10_U8SRGB", F::ASTC_12X10_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_12X12_U8SRGB", F::ASTC_12X12_SRGB_BLOCK, SAME),
    ("ASTC_LDR_2D_4X4_FLT16", F::ASTC_4X4_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_5X4_FLT16", F::ASTC_5X4_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_5X5_FLT16", F::ASTC_5X5_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_6X5_FLT16", F::ASTC_6X5_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_6X6_FLT16", F::ASTC_6X6_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_8X5_FLT16", F::ASTC_8X5_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_8X6_FLT16", F::ASTC_8X6_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_8X8_FLT16", F::ASTC_8X8_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_10X5_FLT16", F::ASTC_10X5_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_10X6_FLT16", F::ASTC_10X6_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_10X8_FLT16", F::ASTC_10X8_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_10X10_FLT16", F::ASTC_10X10_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_12X10_FLT16", F::ASTC_12X10_UNORM_BLOCK, SAME),
    ("ASTC_LDR_2D_12X12_FLT16", F::ASTC_12X12_UNORM_BLOCK, SAME),
];

/// The sRGB formats whose linear format has not just their name without `_SRGB`, and the names of these linear formats.
const LINEAR_TWINS: &[(&str, &str)] = &[
    ("ETC2_SRGB8", "ETC2_RGB8"),
    ("ETC2_SRGB8_PTA", "ETC2_RGB8_PTA"),
    ("ETC2_EAC_SRGB8_A8", "ETC2_EAC_RGBA8"),
];

/// Returns the Vulkan format for a surface format's name; `linear`: the one that reads it without the sRGB curve. `None`: there is none.
pub(super) fn native(name: &str, linear: bool) -> Option<NativeFormat> {
    let twin = LINEAR_TWINS.iter().find(|(srgb, _)| *srgb == name).map(|(_, twin)| *twin);
    let name = match twin {
        _ if !linear || !name.contains("SRGB") => name,
        Some(twin) => twin,
        // No Vulkan format decodes 8-bit ASTC without the curve as the sampler does.
        None => name.strip_suffix("_SRGB")?,
    };
    TABLE.iter().find(|row| row.0 == name).map(|&(_, format, mapping)| NativeFormat { format, mapping })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::formats::{Codec, Format, code};

    #[test]
    fn every_name_is_a_surface_format_with_these_components() {
        for &(name, _, mapping) in TABLE {
            let format = Format::of(code(name).expect(name)).unwrap();
            let letters: Vec<char> = match &format.codec {
                Codec::Components(list) => list.iter().map(|c| c.letter).collect(),
                _ => continue,
            };
            for (channel, (&source, present)) in mapping.iter().zip(format.present).enumerate() {
                let stored = letters.contains(&['R', 'G', 'B', 'A'][channel]);
                assert_eq!(source != b'0' && source != b'1', present || mapping == SAME, "{name} {channel}");
                assert!(!stored || present, "{name}");
            }
        }
    }

    #[test]
    fn formats_without_the_curve() {
        assert_eq!(native("R8G8B8A8_UNORM_SRGB", true).unwrap().format, F::R8G8B8A8_UNORM);
        assert_eq!(native("R8G8B8A8_UNORM_SRGB", false).unwrap().format, F::R8G8B8A8_SRGB);
        assert_eq!(native("ETC2_SRGB8_PTA", true).unwrap().format, F::ETC2_R8G8B8A1_UNORM_BLOCK);
        assert_eq!(native("ASTC_LDR_2D_4X4_U8SRGB", true), None);
        assert_eq!(native("R64_FLOAT", false), None);
    }
}
