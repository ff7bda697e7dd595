//! Explains NVIDIA texture headers and sampler entries: the names of the class headers, with units and meanings.

use super::units::{Unit, pattern};
use super::{Explained, FieldLine, in_hex, padded};
use texwire::state::nv::{Class, FieldInfo, SamplerEntry, TextureHeader};

use Unit::{Address, Count, Fixed8, Flag, Minus1, Pattern, Plain, Signed8};

/// The units and meanings of the fields, by name. The names of values are in the core's tables.
#[rustfmt::skip]
const ROWS: &[(&str, Unit, &str)] = &[
    ("ADDRESS_BITS31TO0", Address(0), "Low bits of the address."),
    ("ADDRESS_BITS31TO5", Address(5), "Low bits of the address."),
    ("ADDRESS_BITS31TO9", Address(9), "Low bits of the address."),
    ("ADDRESS_BITS47TO32", Address(32), "High bits of the address."),
    ("ADDRESS_BITS48TO32", Address(32), "High bits of the address."),
    ("OFFSET_LOWER", Address(0), "Low bits of the address."),
    ("OFFSET_UPPER", Address(32), "High bits of the address."),
    ("RESERVED_ADDRESS", Plain, "Bits of the address that blocks do not use."),
    ("ADDRESS_U", Plain, "Address mode of U."),
    ("ADDRESS_V", Plain, "Address mode of V."),
    ("ADDRESS_P", Plain, "Address mode of P (the third coordinate)."),
    ("ANISO_BIAS", Plain, "Bias of the anisotropic LOD."),
    ("ANISO_CLAMP_AT_MAX_LOD", Flag, "Anisotropy ends at the last LOD."),
    ("ANISO_COARSE_SPREAD_FUNC", Plain, "Spread of anisotropic probes, coarse level."),
    ("ANISO_COARSE_SPREAD_MODIFIER", Plain, "Modifier of that spread."),
    ("ANISO_FINE_SPREAD_FUNC", Plain, "Spread of anisotropic probes, fine level."),
    ("ANISO_FINE_SPREAD_MODIFIER", Plain, "Modifier of that spread."),
    ("ANISO_POW2", Flag, "The number of probes is a power of two."),
    ("ANISO_ROUND_DOWN", Flag, "The number of probes is rounded down."),
    ("ANISO_SPREAD_MAX_LOG2", Plain, "Largest spread, as a logarithm."),
    ("ANISO_SPREAD_MAX_LOG2_L_S_B", Plain, "Largest spread, as a logarithm: bits 1:0."),
    ("ANISO_SPREAD_MAX_LOG2_M_S_B", Plain, "Largest spread, as a logarithm: bit 2."),
    ("ANISO_SPREAD_SCALE", Plain, "Scale of the spread."),
    ("A_DATA_TYPE", Plain, "Data type of the alpha component."),
    ("B_DATA_TYPE", Plain, "Data type of the blue component."),
    ("G_DATA_TYPE", Plain, "Data type of the green component."),
    ("R_DATA_TYPE", Plain, "Data type of the red component."),
    ("BORDER_COLOR_A", Pattern, "Border colour, alpha."),
    ("BORDER_COLOR_B", Pattern, "Border colour, blue."),
    ("BORDER_COLOR_G", Pattern, "Border colour, green."),
    ("BORDER_COLOR_R", Pattern, "Border colour, red."),
    ("BORDER_SIZE", Plain, "Border texels stored around the texture."),
    ("BORDER_SOURCE", Plain, "Whether the border is a colour or texels."),
    ("COLOR_KEY_OP", Flag, "Texels are compared with the colour key."),
    ("COLOR_KEY_VALUE", Plain, "The colour key."),
    ("COMPONENTS", Plain, "Sizes of the components."),
    ("COMPONENT_SIZES", Plain, "Sizes of the components."),
    ("CUBEMAP_INTERFACE_FILTERING", Plain, "Filtering across the edges of cube faces."),
    ("DEPTH", Count("slices"), "Depth, or length of an array."),
    ("DEPTH_COMPARE", Flag, "Texels are compared with the reference."),
    ("DEPTH_COMPARE_FUNC", Plain, "The comparison."),
    ("DEPTH_MINUS_ONE", Minus1("slices"), "Depth, or length of an array."),
    ("DEPTH_MINUS_ONE_BIT14", Plain, "Bit 14 of DEPTH_MINUS_ONE."),
    ("DEPTH_MSB", Plain, "High bits of DEPTH with extended dimensions."),
    ("DEPTH_TEXTURE", Flag, "Texels are depth values."),
    ("FLOAT_COORD_NORMALIZATION", Plain, "Who normalizes float coordinates."),
    ("FONT_FILTER_HEIGHT", Plain, "Height of the font filter."),
    ("FONT_FILTER_WIDTH", Plain, "Width of the font filter."),
    ("GOB3D", Flag, "Groups of bytes are three-dimensional."),
    ("GOBS_PER_BLOCK_DEPTH", Plain, "Depth of a block of 512-byte groups."),
    ("GOBS_PER_BLOCK_HEIGHT", Plain, "Height of a block of 512-byte groups."),
    ("GOBS_PER_BLOCK_WIDTH", Plain, "Width of a block of 512-byte groups."),
    ("GOB_DEPTH_OFFSET", Plain, "First slice inside a block."),
    ("HEADER_VERSION", Plain, "The layout of this header."),
    ("HEIGHT", Count("texels"), "Height of level 0."),
    ("HEIGHT_MINUS_ONE", Minus1("texels"), "Height of level 0."),
    ("HEIGHT_MINUS_ONE_BIT16", Plain, "Bit 16 of HEIGHT_MINUS_ONE."),
    ("HEIGHT_MSB", Plain, "High bit of HEIGHT."),
    ("LOD_ANISO_QUALITY", Plain, "Quality of the LOD, anisotropic."),
    ("LOD_ANISO_QUALITY2", Plain, "Quality of the LOD, anisotropic, second bit."),
    ("LOD_ISO_QUALITY", Plain, "Quality of the LOD, isotropic."),
    ("MAG_FILTER", Plain, "Filter when the texture is enlarged."),
    ("MAX_ANISOTROPY", Plain, "Largest ratio of anisotropy."),
    ("MAX_LOD_CLAMP", Fixed8("levels"), "Highest LOD, U4.8."),
    ("MAX_MIP_LEVEL", Plain, "Last level of the texture."),
    ("MEMORY_LAYOUT", Plain, "Block linear or pitch."),
    ("MIN_FILTER", Plain, "Filter when the texture is reduced."),
    ("MIN_LOD_CLAMP", Fixed8("levels"), "Lowest LOD, U4.8."),
    ("MIN_LOD_CLAMP_BEHAVIOR_FOR_NEAREST_MIP", Plain, "Lowest LOD with the nearest mip filter."),
    ("MIP_FILTER", Plain, "Choice of levels."),
    ("MIP_LOD_BIAS", Signed8(13, "levels"), "Added to the LOD, S4.8."),
    ("MULTI_SAMPLE_COUNT", Plain, "Samples of a texel."),
    ("NORMALIZED_COORDS", Flag, "Coordinates are 0 to 1, not texels."),
    ("PACK_COMPONENTS", Flag, "Components are packed for the shader."),
    ("PITCH", Count("bytes"), "Distance of rows."),
    ("PITCH_BIT21", Plain, "Bit 21 of the pitch."),
    ("PITCH_BITS20TO5", Unit::Code(|raw| (super::units::counted(raw * 32, "bytes"), "")), "Distance of rows, without bit 21."),
    ("REDUCTION_FILTER", Plain, "How texels become one."),
    ("RESOURCE_VIEW_COHERENCY_HASH", Plain, "Hash of the resource view, for the caches."),
    ("RES_VIEW_MAX_MIP_LEVEL", Plain, "Last level of the view."),
    ("RES_VIEW_MIN_MIP_LEVEL", Plain, "First level of the view."),
    ("SECTOR_PROMOTION", Plain, "Sectors that the cache reads together."),
    ("SPARSE_ENABLE", Flag, "Pages may be missing."),
    ("S_R_G_B_BORDER_COLOR_B", Plain, "Border colour of sRGB textures, blue, of 255."),
    ("S_R_G_B_BORDER_COLOR_G", Plain, "Border colour of sRGB textures, green, of 255."),
    ("S_R_G_B_BORDER_COLOR_R", Plain, "Border colour of sRGB textures, red, of 255."),
    ("S_R_G_B_CONVERSION", Flag, "sRGB texels are made linear."),
    ("TEXTURE_TYPE", Plain, "What the texture is."),
    ("TILE_WIDTH_IN_GOBS", Plain, "Width of a tile of blocks."),
    ("TRILIN_OPT", Plain, "How soon one level is enough."),
    ("USE_ARRAY_TILE_ALIGNMENT", Flag, "Slices of an array are aligned to tiles."),
    ("USE_COMPONENT_SIZES_EXTENDED", Flag, "COMPONENT_SIZES are the extended ones."),
    ("USE_HEADER_OPT_CONTROL", Flag, "The header's quality fields count."),
    ("USE_TEXTURE_HEADER_VERSION2", Plain, "The layout of this header: 0 version 1, 1 version 2."),
    ("WIDTH", Count("texels"), "Width of level 0."),
    ("WIDTH_MINUS_ONE", Minus1("texels"), "Width of level 0."),
    ("WIDTH_MINUS_ONE_BITS15TO0", Plain, "Width of the buffer minus 1, low bits."),
    ("WIDTH_MINUS_ONE_BITS31TO16", Plain, "Width of the buffer minus 1, high bits."),
    ("W_SOURCE", Plain, "What the shader sees as alpha."),
    ("X_SOURCE", Plain, "What the shader sees as red."),
    ("Y_SOURCE", Plain, "What the shader sees as green."),
    ("Z_SOURCE", Plain, "What the shader sees as blue."),
];

/// Returns whether the field has no published meaning.
fn reserved(name: &str) -> bool {
    name.starts_with("RESERVED") || name == "HEIGHT_MSB_RESERVED"
}

/// Explains a texture header of `class`; dwords that are missing read as 0.
pub fn texture_header(class: Class, dwords: &[u32]) -> Explained {
    let header = TextureHeader::from_dwords(class, padded(dwords));
    let what = format!("texture header (class {:#06x})", class.code());
    let (layout, fields) = match (header.layout(), header.fields()) {
        (Ok(layout), Ok(fields)) => (layout, fields),
        (Err(why), _) | (_, Err(why)) => {
            let mut explained =
                Explained::new(&what, "its layout is reserved, so that no field has a place".into());
            explained.raw = in_hex(&header.dwords);
            explained.breaks("header-version-reserved", &format!("The layout is defined: {why}."), &[]);
            return explained;
        }
    };
    let mut summary = layout.name().to_owned();
    if let (Ok(kind), Ok(size)) = (header.texture_type(), header.size()) {
        let name = texture_type_name(fields, &header.dwords).unwrap_or_else(|| format!("{kind:?}"));
        summary += &format!(" {name}, {} x {} x {}", size.width, size.height, size.depth);
    }
    let mut explained = entry(&what, summary, fields, &header.dwords);
    if let Err(why) = header.texture_type() {
        explained.breaks(
            "texture-type-reserved",
            &format!("The texture type is defined: {why}."),
            &["TEXTURE_TYPE"],
        );
    }
    explained
}

fn texture_type_name(fields: &[FieldInfo], dwords: &[u32; 8]) -> Option<String> {
    let info = fields.iter().find(|info| info.field.name() == "TEXTURE_TYPE")?;
    info.value_name(info.read(dwords)).map(str::to_owned)
}

/// Explains a sampler pool entry of `class`; dwords that are missing read as 0.
pub fn texture_sampler(class: Class, dwords: &[u32]) -> Explained {
    let sampler = SamplerEntry { class, dwords: padded(dwords) };
    let fields = sampler.fields();
    let named = |name: &str| {
        let info = fields.iter().find(|info| info.field.name() == name)?;
        info.value_name(info.read(&sampler.dwords))
    };
    let parts: Vec<String> = [
        ("mag", "MAG_FILTER"),
        ("min", "MIN_FILTER"),
        ("mip", "MIP_FILTER"),
        ("U", "ADDRESS_U"),
        ("V", "ADDRESS_V"),
        ("P", "ADDRESS_P"),
    ]
    .into_iter()
    .map(|(short, name)| format!("{short} {}", named(name).unwrap_or("undefined")))
    .collect();
    entry(&format!("sampler entry (class {:#06x})", class.code()), parts.join(", "), fields, &sampler.dwords)
}

fn entry(what: &str, summary: String, fields: &[FieldInfo], dwords: &[u32; 8]) -> Explained {
    let mut explained = Explained::new(what, summary);
    explained.raw = in_hex(dwords);
    explained.fields = fields.iter().map(|info| line(info, dwords)).collect();
    let undefined: Vec<&str> = fields
        .iter()
        .filter(|info| info.enumeration.is_some() && info.value_name(info.read(dwords)).is_none())
        .map(|info| info.field.name())
        .collect();
    for name in undefined {
        explained.breaks("value-undefined", "The class header has a name for the value.", &[name]);
    }
    explained
}

fn line(info: &FieldInfo, dwords: &[u32; 8]) -> FieldLine {
    let (name, raw) = (info.field.name(), info.read(dwords));
    let lo = info.lsb % 32;
    let bits = super::rows::bits(info.lsb / 32, lo + info.width - 1, lo);
    if reserved(name) {
        let value = if raw == 0 { "-".to_owned() } else { pattern(raw) };
        return FieldLine::new(&bits, name, raw.into(), &value, "No published meaning.");
    }
    let row = ROWS.iter().find(|row| row.0 == name);
    let (unit, meaning) = row.map_or((Plain, ""), |row| (row.1, row.2));
    let value = match info.enumeration {
        Some(_) => info.value_name(raw).unwrap_or("undefined").to_owned(),
        None => unit.show(raw.into()).0,
    };
    FieldLine::new(&bits, name, raw.into(), &value, meaning)
}

/// Returns whether the field has a unit and a meaning, or is reserved.
#[cfg(test)]
pub(super) fn is_known(name: &str) -> bool {
    reserved(name) || ROWS.iter().any(|row| row.0 == name)
}
