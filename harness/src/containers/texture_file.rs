//! DDS and KTX2 files as textures, in the format that they have.
//!
//! Both name their formats as the PRM does, but for spelling; a short table holds the exceptions.

use super::limits::Limits;
use super::picture::Picture;
use ddsfile::{Caps2, Dds};
use texwire::enums::{Enumeration, SurfaceFormat};

type Error = Box<dyn std::error::Error>;

/// Names that differ by more than case and suffix.
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
    ("A2B10G10R10_UNORM", "R10G10B10A2_UNORM"),
    ("A2R10G10B10_UNORM", "B10G10R10A2_UNORM"),
    ("B10G11R11_UFLOAT", "R11G11B10_FLOAT"),
    ("E5B9G9R9_UFLOAT", "R9G9B9E5_SHAREDEXP"),
    ("R5G6B5_UNORM", "B5G6R5_UNORM"),
    ("A1R5G5B5_UNORM", "B5G5R5A1_UNORM"),
    ("D16_UNORM", "R16_UNORM"),
    ("D32_SFLOAT", "R32_FLOAT"),
    ("DXT1", "BC1_UNORM"),
    ("DXT3", "BC2_UNORM"),
    ("DXT5", "BC3_UNORM"),
    ("A8B8G8R8", "R8G8B8A8_UNORM"),
    ("A8R8G8B8", "B8G8R8A8_UNORM"),
    ("X8R8G8B8", "B8G8R8X8_UNORM"),
];

/// The PRM's format of a DXGI, D3D or Vulkan name.
fn format(name: &str) -> Option<SurfaceFormat> {
    let name = name.to_ascii_uppercase();
    let name = name.trim_end_matches("_BLOCK");
    let name = name.split("_PACK").next().unwrap_or(name);
    if let Some((_, ours)) = ALIASES.iter().find(|(theirs, _)| *theirs == name) {
        return SurfaceFormat::from_name(ours);
    }
    let spelled = name.replace("_SFLOAT", "_FLOAT");
    let srgb = spelled.replace("_SRGB", "_UNORM_SRGB");
    SurfaceFormat::from_name(&spelled).or_else(|| SurfaceFormat::from_name(&srgb))
}

/// Reads a DDS file.
///
/// # Errors
/// Damaged, larger than `limits`, or of a format that the sampler does not have.
pub fn parse_dds(bytes: &[u8], limits: Limits) -> Result<Picture, Error> {
    let dds = Dds::read(bytes).map_err(|why| format!("no DDS file: {why}"))?;
    let name = match (dds.get_dxgi_format(), dds.get_d3d_format()) {
        (Some(dxgi), _) => format!("{dxgi:?}"),
        (None, Some(d3d)) => format!("{d3d:?}"),
        (None, None) => return Err("DDS file without a format".into()),
    };
    let format = format(&name).ok_or_else(|| format!("no surface format for DDS format {name}"))?;
    let volume = dds.header.caps2.contains(Caps2::VOLUME);
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
    // A layer holds its levels one after another.
    for layer in 0..if volume { 1 } else { picture.slices } {
        let mut data = dds.get_data(layer).map_err(|why| format!("DDS layer {layer}: {why}"))?;
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
/// Damaged, larger than `limits`, supercompressed, or of a format that the sampler does not have.
pub fn parse_ktx2(bytes: &[u8], limits: Limits) -> Result<Picture, Error> {
    let reader = ktx2::Reader::new(bytes).map_err(|why| format!("no KTX2 file: {why:?}"))?;
    let header = reader.header();
    if let Some(scheme) = header.supercompression_scheme {
        return Err(format!("KTX2 supercompression {scheme:?} is not supported").into());
    }
    let name = header.format.map_or_else(|| "undefined".to_owned(), |f| format!("{f:?}"));
    let format = format(&name).ok_or_else(|| format!("no surface format for KTX2 format {name}"))?;
    let volume = header.pixel_depth > 0;
    let layers = header.layer_count.max(1).saturating_mul(header.face_count.max(1));
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
        let there = level.data.len();
        let data = level.data.get(..needed);
        let data =
            data.ok_or_else(|| format!("KTX2 level {number}: {needed} bytes needed, {there} there"))?;
        picture.levels[number as usize] = data.to_vec();
    }
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_other_worlds() {
        for (theirs, ours) in [
            ("R8G8B8A8_UNorm_sRGB", "R8G8B8A8_UNORM_SRGB"),
            ("BC7_UNorm_sRGB", "BC7_UNORM_SRGB"),
            ("BC7_SRGB_BLOCK", "BC7_UNORM_SRGB"),
            ("R16G16B16A16_SFLOAT", "R16G16B16A16_FLOAT"),
            ("A2B10G10R10_UNORM_PACK32", "R10G10B10A2_UNORM"),
            ("ETC2_R8G8B8_UNORM_BLOCK", "ETC2_RGB8"),
        ] {
            assert_eq!(
                format(theirs).map(|f| f.name()),
                SurfaceFormat::from_name(ours).map(|f| f.name()),
                "{theirs}"
            );
            assert!(format(theirs).is_some(), "{theirs}");
        }
        assert_eq!(format("NOT_A_FORMAT"), None);
    }

    #[test]
    fn every_alias_is_a_format() {
        for (theirs, ours) in ALIASES {
            assert!(SurfaceFormat::from_name(ours).is_some(), "{theirs} -> {ours}");
        }
    }
}
