//! Reads DDS and KTX2 files as textures, in the format that they have.
//!
//! DXGI and Vulkan's array formats name components as the PRM does, from the lowest bit up; Direct3D 9 and Vulkan's
//! packed formats from the highest bit down. All other names are in a table. Formats without a SURFACE_FORMAT are
//! refused by name: blue below red in 24 bits, 16-bit YUV, PVRTC, 3D ASTC and others.

use super::limits::PictureLimits;
use super::picture::Picture;
use ddsfile::{Caps2, Dds};
use ktx2::SupercompressionScheme;
use std::io::Read;
use texwire::enums::SurfaceFormat;
use texwire::format::{AstcResult, from_name};

type Error = Box<dyn std::error::Error>;

/// The convention by which a format is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamingScheme {
    /// DXGI_FORMAT: `B5G6R5_UNorm`.
    Dxgi,
    /// D3DFORMAT: `R5G6B5`.
    Direct3D9,
    /// VkFormat: `R5G6B5_UNORM_PACK16`.
    Vulkan,
}

/// Names that do not follow the rules (in capitals, without `_BLOCK` and `_PACK16`), with the PRM's names.
const ALIASES: &[(&str, &str)] = &[
    ("BC6H_SFLOAT", "BC6H_SF16"),
    ("BC6H_UFLOAT", "BC6H_UF16"),
    ("BC1_RGB_UNORM", "DXT1_RGB"),
    ("BC1_RGB_SRGB", "DXT1_RGB_SRGB"),
    ("BC1_RGBA_UNORM", "BC1_UNORM"),
    ("BC1_RGBA_SRGB", "BC1_UNORM_SRGB"),
    ("ETC2_R8G8B8_UNORM", "ETC2_RGB8"),
    ("ETC2_R8G8B8_SRGB", "ETC2_SRGB8"),
    ("ETC2_R8G8B8A1_UNORM", "ETC2_RGB8_PTA"),
    ("ETC2_R8G8B8A1_SRGB", "ETC2_SRGB8_PTA"),
    ("ETC2_R8G8B8A8_UNORM", "ETC2_EAC_RGBA8"),
    ("ETC2_R8G8B8A8_SRGB", "ETC2_EAC_SRGB8_A8"),
    ("EAC_R11_UNORM", "EAC_R11"),
    ("EAC_R11_SNORM", "EAC_SIGNED_R11"),
    ("EAC_R11G11_UNORM", "EAC_RG11"),
    ("EAC_R11G11_SNORM", "EAC_SIGNED_RG11"),
    ("R9G9B9E5_UFLOAT", "R9G9B9E5_SHAREDEXP"),
    ("R11G11B10_UFLOAT", "R11G11B10_FLOAT"),
    // Depth and stencil, as far as their memory is defined: depth in the low bits.
    ("D16_UNORM", "R16_UNORM"),
    ("X8_D24_UNORM", "R24_UNORM_X8_TYPELESS"),
    ("D24_UNORM_S8_UINT", "R24_UNORM_X8_TYPELESS"),
    ("R24G8_TYPELESS", "R24_UNORM_X8_TYPELESS"),
    ("D32_FLOAT", "R32_FLOAT"),
    ("D32_SFLOAT", "R32_FLOAT"),
    ("D32_FLOAT_S8X24_UINT", "R32_FLOAT_X8X24_TYPELESS"),
    ("D32_SFLOAT_S8_UINT", "R32_FLOAT_X8X24_TYPELESS"),
    ("R32G8X24_TYPELESS", "R32_FLOAT_X8X24_TYPELESS"),
    ("S8_UINT", "R8_UINT"),
    // Two texels in four bytes. (R = Cr, G = Y, B = Cb.)
    ("R8G8_B8G8_UNORM", "YCRCB_SWAPUVY"),
    ("G8R8_G8B8_UNORM", "YCRCB_SWAPUV"),
    ("G8B8G8R8_422_UNORM", "YCRCB_NORMAL"),
    ("B8G8R8G8_422_UNORM", "YCRCB_SWAPY"),
    ("YUY2", "YCRCB_NORMAL"),
    ("UYVY", "YCRCB_SWAPY"),
    ("R8G8_B8G8", "YCRCB_SWAPUVY"),
    ("G8R8_G8B8", "YCRCB_SWAPUV"),
    // Direct3D 9. DXT2 and DXT4 are the same blocks with premultiplied alpha.
    ("DXT1", "BC1_UNORM"),
    ("DXT2", "BC2_UNORM"),
    ("DXT3", "BC2_UNORM"),
    ("DXT4", "BC3_UNORM"),
    ("DXT5", "BC3_UNORM"),
    ("Q16W16V16U16", "R16G16B16A16_SNORM"),
];

/// Returns the components of a name's first word in reverse order: `A2R10G10B10` becomes `B10G10R10A2`.
fn reversed(word: &str) -> String {
    let starts: Vec<usize> =
        word.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([word.len()]);
    let parts: Vec<&str> = starts.iter().zip(ends).map(|(start, end)| &word[*start..end]).collect();
    parts.into_iter().rev().collect()
}

/// Parses an ASTC format as in `ASTC_8X6_SRGB`: width, height and result.
fn astc(name: &str) -> Option<SurfaceFormat> {
    let (size, result) = name.strip_prefix("ASTC_")?.split_once('_')?;
    let (width, height) = size.split_once('X')?;
    let result = match result {
        "UNORM" => AstcResult::LdrFloat,
        "SRGB" | "UNORM_SRGB" => AstcResult::LdrSrgb,
        "SFLOAT" => AstcResult::HdrFloat,
        _ => return None,
    };
    SurfaceFormat::astc(result, width.parse().ok()?, height.parse().ok()?)
}

/// Returns the PRM's format for a name; `None` if the PRM has none.
fn format(scheme: NamingScheme, name: &str) -> Option<SurfaceFormat> {
    let name = name.to_ascii_uppercase();
    let name = name.trim_end_matches("_BLOCK");
    let (name, packed) = match name.split_once("_PACK") {
        Some((name, _)) => (name, true),
        None => (name, scheme == NamingScheme::Direct3D9),
    };
    // Vulkan's format has depth in the high bits, as OpenGL's UNSIGNED_INT_24_8 does; Direct3D's has it in the low bits.
    if scheme == NamingScheme::Vulkan && name == "D24_UNORM_S8_UINT" {
        return None;
    }
    let mut name = name.to_owned();
    if scheme == NamingScheme::Direct3D9 && !ALIASES.iter().any(|(theirs, _)| *theirs == name) {
        name = match name.strip_suffix('F') {
            Some(float) => format!("{float}_FLOAT"),
            None => format!("{name}_UNORM"),
        };
    }
    let alias = |name: &str| ALIASES.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours);
    if let Some(ours) = alias(&name) {
        return from_name(ours);
    }
    if packed && let Some((components, numeric)) = name.split_once('_') {
        name = format!("{}_{numeric}", reversed(components));
    }
    if let Some(ours) = alias(&name) {
        return from_name(ours);
    }
    // Typeless formats are read as most of their views are: 32-bit components as floats, BC6H as unsigned floats, others as UNORM.
    if let Some(components) = name.strip_suffix("_TYPELESS").filter(|name| !name.contains('_')) {
        let numeric = match components {
            "BC6H" => "UF16",
            _ if components.starts_with("R32") => "FLOAT",
            _ => "UNORM",
        };
        name = format!("{components}_{numeric}");
    }
    let spelled = name.replace("_SFLOAT", "_FLOAT");
    let srgb = spelled.replace("_SRGB", "_UNORM_SRGB");
    astc(&name).or_else(|| from_name(&spelled)).or_else(|| from_name(&srgb))
}

/// Returns the format of a DDS file.
fn dds_format(dds: &Dds) -> Result<SurfaceFormat, Error> {
    // Without a DX10 header, the Direct3D 9 format is taken: the DXGI format of `ddsfile` has DXT1 as sRGB, which these files do not state.
    let direct3d = if dds.header10.is_none() { dds.get_d3d_format() } else { None };
    let (scheme, name) = match (direct3d, dds.get_dxgi_format()) {
        (Some(d3d), _) => (NamingScheme::Direct3D9, format!("{d3d:?}")),
        (None, Some(dxgi)) => (NamingScheme::Dxgi, format!("{dxgi:?}")),
        (None, None) => {
            let code = dds.header.spf.fourcc.as_ref().map(|code| code.0.to_le_bytes());
            let known = match code.as_ref() {
                Some(b"BC4U") => "BC4_UNORM",
                Some(b"BC4S") => "BC4_SNORM",
                Some(b"BC5U") => "BC5_UNORM",
                Some(b"BC5S") => "BC5_SNORM",
                Some(code) => {
                    return Err(format!("no surface format for DDS code {}", code.escape_ascii()).into());
                }
                None => return Err("DDS file without a known format".into()),
            };
            (NamingScheme::Dxgi, known.to_owned())
        }
    };
    format(scheme, &name).ok_or_else(|| format!("no surface format for DDS format {name}").into())
}

/// Reads a DDS file.
///
/// # Errors
/// The file is damaged, larger than `limits`, or of a format that the sampler does not have.
pub fn parse_dds(bytes: &[u8], limits: PictureLimits) -> Result<Picture, Error> {
    let dds = Dds::read(bytes).map_err(|why| format!("no DDS file: {why}"))?;
    let format = dds_format(&dds)?;
    let volume = dds.header.caps2.contains(Caps2::VOLUME);
    if let Some(header) = dds.header10.as_ref().filter(|_| !volume) {
        // The number of layers is six times as many for cubes, which may overflow.
        limits.size([1, 1, header.array_size])?;
    }
    if volume
        && let Some(layers) = dds.header10.as_ref().map(|header| header.array_size).filter(|size| *size > 1)
    {
        return Err(format!("DDS volume of {layers} layers: surfaces are volumes or arrays").into());
    }
    let slices = if volume { dds.get_depth() } else { dds.get_num_array_layers() };
    let levels = dds.get_num_mipmap_levels();
    limits.size([dds.get_width(), dds.get_height(), slices])?;
    limits.levels(levels)?;
    let mut picture = Picture {
        format,
        width: dds.get_width(),
        height: dds.get_height(),
        slices,
        volume,
        levels: vec![Vec::new(); levels as usize],
    };
    limits.decoded(picture.bytes()?)?;
    // The file has all levels of one layer, then all levels of the next layer.
    let mut data = &dds.data[..];
    for layer in 0..if volume { 1 } else { picture.slices } {
        for level in 0..picture.levels.len() as u32 {
            let slices = if volume { picture.size(level)[2] as usize } else { 1 };
            let bytes = picture.slice_bytes(level)? * slices;
            let (head, rest) = data.split_at_checked(bytes).ok_or_else(|| {
                format!("DDS layer {layer} level {level}: {bytes} bytes needed, {} left", data.len())
            })?;
            picture.levels[level as usize].extend_from_slice(head);
            data = rest;
        }
    }
    Ok(picture)
}

/// Reads a KTX2 file.
///
/// # Errors
/// The file is damaged, larger than `limits`, of a supercompression other than zlib and Zstandard, or of a format that
/// the sampler does not have.
pub fn parse_ktx2(bytes: &[u8], limits: PictureLimits) -> Result<Picture, Error> {
    let reader = ktx2::Reader::new(bytes).map_err(|why| format!("no KTX2 file: {why:?}"))?;
    let header = reader.header();
    let name = header.format.map_or_else(|| "undefined".to_owned(), |f| format!("{f:?}"));
    let format = format(NamingScheme::Vulkan, &name)
        .ok_or_else(|| format!("no surface format for KTX2 format {name}"))?;
    let volume = header.pixel_depth > 0;
    let layers = header.layer_count.max(1).saturating_mul(header.face_count.max(1));
    if volume && layers > 1 {
        return Err(format!("KTX2 volume of {layers} layers or faces: surfaces are volumes or arrays").into());
    }
    let levels = header.level_count.max(1);
    let mut picture = Picture {
        format,
        width: header.pixel_width,
        height: header.pixel_height.max(1),
        slices: if volume { header.pixel_depth } else { layers },
        volume,
        levels: Vec::new(),
    };
    limits.size([picture.width, picture.height, picture.slices])?;
    limits.levels(levels)?;
    picture.levels = vec![Vec::new(); levels as usize];
    limits.decoded(picture.bytes()?)?;
    for (number, level) in (0..levels).zip(reader.levels()) {
        let needed = picture.slice_bytes(number)? * picture.size(number)[2] as usize;
        let data = expand(header.supercompression_scheme, level.data, needed)?;
        if data.len() < needed {
            let there = data.len();
            return Err(format!("KTX2 level {number}: {needed} bytes needed, {there} there").into());
        }
        picture.levels[number as usize] = data;
    }
    Ok(picture)
}

/// Decompresses at most the first `size` bytes of a KTX2 level.
fn expand(scheme: Option<SupercompressionScheme>, data: &[u8], size: usize) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let size = size as u64;
    let read = match scheme {
        None => data.take(size).read_to_end(&mut bytes),
        Some(SupercompressionScheme::ZLIB) => {
            flate2::read::ZlibDecoder::new(data).take(size).read_to_end(&mut bytes)
        }
        Some(SupercompressionScheme::Zstandard) => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(data)
                .map_err(|why| format!("KTX2 level, Zstandard: {why}"))?;
            decoder.take(size).read_to_end(&mut bytes)
        }
        Some(scheme) => return Err(format!("KTX2 supercompression {scheme:?} is not supported").into()),
    };
    read.map_err(|why| format!("KTX2 level, {scheme:?}: {why}"))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(scheme: NamingScheme, name: &str) -> Option<&'static str> {
        texwire::format::name(format(scheme, name)?)
    }

    #[test]
    fn names_of_the_other_worlds() {
        for (scheme, theirs, ours) in [
            (NamingScheme::Dxgi, "R8G8B8A8_UNorm_sRGB", "R8G8B8A8_UNORM_SRGB"),
            (NamingScheme::Dxgi, "BC7_UNorm_sRGB", "BC7_UNORM_SRGB"),
            (NamingScheme::Dxgi, "B5G6R5_UNorm", "B5G6R5_UNORM"),
            (NamingScheme::Dxgi, "D32_Float_S8X24_UInt", "R32_FLOAT_X8X24_TYPELESS"),
            (NamingScheme::Dxgi, "BC6H_Typeless", "BC6H_UF16"),
            (NamingScheme::Dxgi, "R32G32_Typeless", "R32G32_FLOAT"),
            (NamingScheme::Dxgi, "ASTC_10x8_UNorm_sRGB", "ASTC_LDR_2D_10X8_U8SRGB"),
            (NamingScheme::Vulkan, "ASTC_10x8_UNORM_BLOCK", "ASTC_LDR_2D_10X8_FLT16"),
            (NamingScheme::Vulkan, "ASTC_5x4_SRGB_BLOCK", "ASTC_LDR_2D_5X4_U8SRGB"),
            (NamingScheme::Vulkan, "ASTC_12x12_SFLOAT_BLOCK", "ASTC_HDR_2D_12X12_FLT16"),
            (NamingScheme::Vulkan, "BC7_SRGB_BLOCK", "BC7_UNORM_SRGB"),
            (NamingScheme::Vulkan, "R16G16B16A16_SFLOAT", "R16G16B16A16_FLOAT"),
            (NamingScheme::Vulkan, "A2B10G10R10_UNORM_PACK32", "R10G10B10A2_UNORM"),
            (NamingScheme::Vulkan, "A8B8G8R8_SRGB_PACK32", "R8G8B8A8_UNORM_SRGB"),
            (NamingScheme::Vulkan, "R5G6B5_UNORM_PACK16", "B5G6R5_UNORM"),
            (NamingScheme::Vulkan, "R4G4B4A4_UNORM_PACK16", "A4B4G4R4_UNORM"),
            (NamingScheme::Vulkan, "B10G11R11_UFLOAT_PACK32", "R11G11B10_FLOAT"),
            (NamingScheme::Vulkan, "E5B9G9R9_UFLOAT_PACK32", "R9G9B9E5_SHAREDEXP"),
            (NamingScheme::Vulkan, "ETC2_R8G8B8_UNORM_BLOCK", "ETC2_RGB8"),
            (NamingScheme::Direct3D9, "R5G6B5", "B5G6R5_UNORM"),
            (NamingScheme::Direct3D9, "A2R10G10B10", "B10G10R10A2_UNORM"),
            (NamingScheme::Direct3D9, "G16R16F", "R16G16_FLOAT"),
            (NamingScheme::Direct3D9, "A8L8", "L8A8_UNORM"),
            (NamingScheme::Direct3D9, "DXT5", "BC3_UNORM"),
        ] {
            assert_eq!(named(scheme, theirs), Some(ours), "{theirs}");
        }
        // Red in the low bits, blue below red: no surface format has these.
        for (scheme, theirs) in [
            (NamingScheme::Vulkan, "B5G6R5_UNORM_PACK16"),
            (NamingScheme::Vulkan, "B8G8R8_UNORM"),
            (NamingScheme::Direct3D9, "R8G8B8"),
            (NamingScheme::Vulkan, "ASTC_4x4x4_UNORM_BLOCK"),
            (NamingScheme::Vulkan, "ASTC_7x7_UNORM_BLOCK"),
            (NamingScheme::Dxgi, "NOT_A_FORMAT"),
        ] {
            assert_eq!(named(scheme, theirs), None, "{theirs}");
        }
    }

    /// Every format of the libraries either has a surface format or is one that the sampler lacks.
    #[test]
    fn every_format_is_known_or_lacking() {
        let lacking: Vec<String> = ktx2::Format::ALL
            .iter()
            .map(|format| format!("{format:?}"))
            .filter(|name| format(NamingScheme::Vulkan, name).is_none())
            .collect();
        // Without order of bits in a byte, with padding inside, of 64-bit integers, of other compressions.
        let parts = ["PVRTC", "X6", "X4", "X2", "R64", "SFIXED5", "G16B16", "B16G16", "ASTC_", "R4G4_"];
        // Blue below red (or above, where the PRM has it below), sRGB of one and two channels, split depth and stencil.
        let scheme = [
            "B4G4R4A4_UNORM_PACK16",
            "B5G6R5_UNORM_PACK16",
            "B5G5R5A1_UNORM_PACK16",
            "A4B4G4R4_UNORM_PACK16",
            "A1B5G5R5_UNORM_PACK16",
            "B8G8R8A8_SNORM",
            "B8G8R8A8_UINT",
            "B8G8R8A8_SINT",
            "R8_SRGB",
            "R8G8_SRGB",
            "D16_UNORM_S8_UINT",
            "D24_UNORM_S8_UINT",
        ];
        for name in &lacking {
            let known = scheme.contains(&name.as_str())
                || name.starts_with("B8G8R8_")
                || parts.iter().any(|part| name.contains(part));
            assert!(known, "{name}");
            // ASTC formats among them have three sizes: blocks with a depth.
            assert!(!name.starts_with("ASTC_") || name.matches('x').count() == 2, "{name}");
        }
        assert_eq!(lacking.len(), 89);
    }

    /// A surface is a volume or an array: layers of a volume are not left out without a word.
    #[test]
    fn volumes_have_one_layer() {
        let ktx2 = |layers: u32| {
            let mut file = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
            // Format, type size, width, height, depth, layers, faces, levels, supercompression; descriptors at 104; texels at 112.
            for dword in [37, 1, 2, 2, 2, layers, 1, 1, 0, 104, 4, 0, 0] {
                file.extend_from_slice(&u32::to_le_bytes(dword));
            }
            file.resize(80, 0);
            let bytes = u64::from(32 * layers.max(1));
            for number in [112, bytes, bytes] {
                file.extend_from_slice(&number.to_le_bytes());
            }
            file.resize(112 + bytes as usize, 9);
            parse_ktx2(&file, PictureLimits::default()).map_err(|why| why.to_string())
        };
        let picture = ktx2(0).unwrap();
        assert_eq!((picture.slices, picture.volume, picture.levels[0].len()), (2, true, 32));
        assert_eq!(ktx2(1), Ok(picture));
        let refused = "KTX2 volume of 3 layers or faces: surfaces are volumes or arrays";
        assert_eq!(ktx2(3), Err(refused.to_owned()));
    }

    #[test]
    fn every_alias_is_a_format() {
        for (theirs, ours) in ALIASES {
            assert!(from_name(ours).is_some(), "{theirs} -> {ours}");
        }
    }
}
