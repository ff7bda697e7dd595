//! Names of the fields of texture headers and sampler entries, and of their values.
//!
//! Made by `harness/tests/nv_tables.rs` from `harness/spec/nv-texhead.json`; do not edit.

/// A field of a texture header or sampler entry, by the class headers' name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NvField {
    #[doc = "ADDRESS_BITS31TO0"] AddressBits31to0, #[doc = "ADDRESS_BITS31TO5"] AddressBits31to5,
    #[doc = "ADDRESS_BITS31TO9"] AddressBits31to9, #[doc = "ADDRESS_BITS47TO32"] AddressBits47to32,
    #[doc = "ADDRESS_BITS48TO32"] AddressBits48to32, #[doc = "ADDRESS_P"] AddressP,
    #[doc = "ADDRESS_U"] AddressU, #[doc = "ADDRESS_V"] AddressV, #[doc = "ANISO_BIAS"] AnisoBias,
    #[doc = "ANISO_CLAMP_AT_MAX_LOD"] AnisoClampAtMaxLod,
    #[doc = "ANISO_COARSE_SPREAD_FUNC"] AnisoCoarseSpreadFunc,
    #[doc = "ANISO_COARSE_SPREAD_MODIFIER"] AnisoCoarseSpreadModifier,
    #[doc = "ANISO_FINE_SPREAD_FUNC"] AnisoFineSpreadFunc,
    #[doc = "ANISO_FINE_SPREAD_MODIFIER"] AnisoFineSpreadModifier, #[doc = "ANISO_POW2"] AnisoPow2,
    #[doc = "ANISO_ROUND_DOWN"] AnisoRoundDown, #[doc = "ANISO_SPREAD_MAX_LOG2"] AnisoSpreadMaxLog2,
    #[doc = "ANISO_SPREAD_MAX_LOG2_L_S_B"] AnisoSpreadMaxLog2LSB,
    #[doc = "ANISO_SPREAD_MAX_LOG2_M_S_B"] AnisoSpreadMaxLog2MSB,
    #[doc = "ANISO_SPREAD_SCALE"] AnisoSpreadScale, #[doc = "A_DATA_TYPE"] ADataType,
    #[doc = "BORDER_COLOR_A"] BorderColorA, #[doc = "BORDER_COLOR_B"] BorderColorB,
    #[doc = "BORDER_COLOR_G"] BorderColorG, #[doc = "BORDER_COLOR_R"] BorderColorR,
    #[doc = "BORDER_SIZE"] BorderSize, #[doc = "BORDER_SOURCE"] BorderSource,
    #[doc = "B_DATA_TYPE"] BDataType, #[doc = "COLOR_KEY_OP"] ColorKeyOp,
    #[doc = "COLOR_KEY_VALUE"] ColorKeyValue, #[doc = "COMPONENTS"] Components,
    #[doc = "COMPONENT_SIZES"] ComponentSizes,
    #[doc = "CUBEMAP_INTERFACE_FILTERING"] CubemapInterfaceFiltering, #[doc = "DEPTH"] Depth,
    #[doc = "DEPTH_COMPARE"] DepthCompare, #[doc = "DEPTH_COMPARE_FUNC"] DepthCompareFunc,
    #[doc = "DEPTH_MINUS_ONE"] DepthMinusOne, #[doc = "DEPTH_MINUS_ONE_BIT14"] DepthMinusOneBit14,
    #[doc = "DEPTH_MSB"] DepthMsb, #[doc = "DEPTH_TEXTURE"] DepthTexture,
    #[doc = "FLOAT_COORD_NORMALIZATION"] FloatCoordNormalization,
    #[doc = "FONT_FILTER_HEIGHT"] FontFilterHeight, #[doc = "FONT_FILTER_WIDTH"] FontFilterWidth,
    #[doc = "GOB3D"] Gob3d, #[doc = "GOBS_PER_BLOCK_DEPTH"] GobsPerBlockDepth,
    #[doc = "GOBS_PER_BLOCK_HEIGHT"] GobsPerBlockHeight, #[doc = "GOBS_PER_BLOCK_WIDTH"] GobsPerBlockWidth,
    #[doc = "GOB_DEPTH_OFFSET"] GobDepthOffset, #[doc = "G_DATA_TYPE"] GDataType,
    #[doc = "HEADER_VERSION"] HeaderVersion, #[doc = "HEIGHT"] Height,
    #[doc = "HEIGHT_MINUS_ONE"] HeightMinusOne, #[doc = "HEIGHT_MINUS_ONE_BIT16"] HeightMinusOneBit16,
    #[doc = "HEIGHT_MSB"] HeightMsb, #[doc = "HEIGHT_MSB_RESERVED"] HeightMsbReserved,
    #[doc = "LOD_ANISO_QUALITY"] LodAnisoQuality, #[doc = "LOD_ANISO_QUALITY2"] LodAnisoQuality2,
    #[doc = "LOD_ISO_QUALITY"] LodIsoQuality, #[doc = "MAG_FILTER"] MagFilter,
    #[doc = "MAX_ANISOTROPY"] MaxAnisotropy, #[doc = "MAX_LOD_CLAMP"] MaxLodClamp,
    #[doc = "MAX_MIP_LEVEL"] MaxMipLevel, #[doc = "MEMORY_LAYOUT"] MemoryLayout,
    #[doc = "MIN_FILTER"] MinFilter, #[doc = "MIN_LOD_CLAMP"] MinLodClamp,
    #[doc = "MIN_LOD_CLAMP_BEHAVIOR_FOR_NEAREST_MIP"] MinLodClampBehaviorForNearestMip,
    #[doc = "MIP_FILTER"] MipFilter, #[doc = "MIP_LOD_BIAS"] MipLodBias,
    #[doc = "MULTI_SAMPLE_COUNT"] MultiSampleCount, #[doc = "NORMALIZED_COORDS"] NormalizedCoords,
    #[doc = "OFFSET_LOWER"] OffsetLower, #[doc = "OFFSET_UPPER"] OffsetUpper,
    #[doc = "PACK_COMPONENTS"] PackComponents, #[doc = "PITCH"] Pitch, #[doc = "PITCH_BIT21"] PitchBit21,
    #[doc = "PITCH_BITS20TO5"] PitchBits20to5, #[doc = "REDUCTION_FILTER"] ReductionFilter,
    #[doc = "RESERVED"] Reserved, #[doc = "RESERVED0A"] Reserved0a, #[doc = "RESERVED0B"] Reserved0b,
    #[doc = "RESERVED12"] Reserved12, #[doc = "RESERVED1A"] Reserved1a, #[doc = "RESERVED1X"] Reserved1x,
    #[doc = "RESERVED1Y"] Reserved1y, #[doc = "RESERVED2A"] Reserved2a, #[doc = "RESERVED3A"] Reserved3a,
    #[doc = "RESERVED3B"] Reserved3b, #[doc = "RESERVED3X"] Reserved3x, #[doc = "RESERVED3Y"] Reserved3y,
    #[doc = "RESERVED3Z"] Reserved3z, #[doc = "RESERVED4"] Reserved4, #[doc = "RESERVED4A"] Reserved4a,
    #[doc = "RESERVED4X"] Reserved4x, #[doc = "RESERVED4Y"] Reserved4y, #[doc = "RESERVED5A"] Reserved5a,
    #[doc = "RESERVED5X"] Reserved5x, #[doc = "RESERVED5Y"] Reserved5y, #[doc = "RESERVED6A"] Reserved6a,
    #[doc = "RESERVED6X"] Reserved6x, #[doc = "RESERVED6Y"] Reserved6y, #[doc = "RESERVED7A"] Reserved7a,
    #[doc = "RESERVED7X"] Reserved7x, #[doc = "RESERVED7Y"] Reserved7y,
    #[doc = "RESERVED_ADDRESS"] ReservedAddress, #[doc = "RESERVED_HEADER_VERSION"] ReservedHeaderVersion,
    #[doc = "RESOURCE_VIEW_COHERENCY_HASH"] ResourceViewCoherencyHash,
    #[doc = "RES_VIEW_MAX_MIP_LEVEL"] ResViewMaxMipLevel,
    #[doc = "RES_VIEW_MIN_MIP_LEVEL"] ResViewMinMipLevel, #[doc = "R_DATA_TYPE"] RDataType,
    #[doc = "SECTOR_PROMOTION"] SectorPromotion, #[doc = "SPARSE_ENABLE"] SparseEnable,
    #[doc = "S_R_G_B_BORDER_COLOR_B"] SRGBBorderColorB, #[doc = "S_R_G_B_BORDER_COLOR_G"] SRGBBorderColorG,
    #[doc = "S_R_G_B_BORDER_COLOR_R"] SRGBBorderColorR, #[doc = "S_R_G_B_CONVERSION"] SRGBConversion,
    #[doc = "TEXTURE_TYPE"] TextureType, #[doc = "TILE_WIDTH_IN_GOBS"] TileWidthInGobs,
    #[doc = "TRILIN_OPT"] TrilinOpt, #[doc = "USE_ARRAY_TILE_ALIGNMENT"] UseArrayTileAlignment,
    #[doc = "USE_COMPONENT_SIZES_EXTENDED"] UseComponentSizesExtended,
    #[doc = "USE_HEADER_OPT_CONTROL"] UseHeaderOptControl,
    #[doc = "USE_TEXTURE_HEADER_VERSION2"] UseTextureHeaderVersion2, #[doc = "WIDTH"] Width,
    #[doc = "WIDTH_MINUS_ONE"] WidthMinusOne, #[doc = "WIDTH_MINUS_ONE_BITS15TO0"] WidthMinusOneBits15to0,
    #[doc = "WIDTH_MINUS_ONE_BITS31TO16"] WidthMinusOneBits31to16, #[doc = "W_SOURCE"] WSource,
    #[doc = "X_SOURCE"] XSource, #[doc = "Y_SOURCE"] YSource, #[doc = "Z_SOURCE"] ZSource,
}

impl NvField {
    /// Every field, by name.
    pub const ALL: [Self; 130] = [
    Self::AddressBits31to0, Self::AddressBits31to5, Self::AddressBits31to9, Self::AddressBits47to32,
    Self::AddressBits48to32, Self::AddressP, Self::AddressU, Self::AddressV, Self::AnisoBias,
    Self::AnisoClampAtMaxLod, Self::AnisoCoarseSpreadFunc, Self::AnisoCoarseSpreadModifier,
    Self::AnisoFineSpreadFunc, Self::AnisoFineSpreadModifier, Self::AnisoPow2, Self::AnisoRoundDown,
    Self::AnisoSpreadMaxLog2, Self::AnisoSpreadMaxLog2LSB, Self::AnisoSpreadMaxLog2MSB,
    Self::AnisoSpreadScale, Self::ADataType, Self::BorderColorA, Self::BorderColorB, Self::BorderColorG,
    Self::BorderColorR, Self::BorderSize, Self::BorderSource, Self::BDataType, Self::ColorKeyOp,
    Self::ColorKeyValue, Self::Components, Self::ComponentSizes, Self::CubemapInterfaceFiltering,
    Self::Depth, Self::DepthCompare, Self::DepthCompareFunc, Self::DepthMinusOne, Self::DepthMinusOneBit14,
    Self::DepthMsb, Self::DepthTexture, Self::FloatCoordNormalization, Self::FontFilterHeight,
    Self::FontFilterWidth, Self::Gob3d, Self::GobsPerBlockDepth, Self::GobsPerBlockHeight,
    Self::GobsPerBlockWidth, Self::GobDepthOffset, Self::GDataType, Self::HeaderVersion, Self::Height,
    Self::HeightMinusOne, Self::HeightMinusOneBit16, Self::HeightMsb, Self::HeightMsbReserved,
    Self::LodAnisoQuality, Self::LodAnisoQuality2, Self::LodIsoQuality, Self::MagFilter, Self::MaxAnisotropy,
    Self::MaxLodClamp, Self::MaxMipLevel, Self::MemoryLayout, Self::MinFilter, Self::MinLodClamp,
    Self::MinLodClampBehaviorForNearestMip, Self::MipFilter, Self::MipLodBias, Self::MultiSampleCount,
    Self::NormalizedCoords, Self::OffsetLower, Self::OffsetUpper, Self::PackComponents, Self::Pitch,
    Self::PitchBit21, Self::PitchBits20to5, Self::ReductionFilter, Self::Reserved, Self::Reserved0a,
    Self::Reserved0b, Self::Reserved12, Self::Reserved1a, Self::Reserved1x, Self::Reserved1y,
    Self::Reserved2a, Self::Reserved3a, Self::Reserved3b, Self::Reserved3x, Self::Reserved3y,
    Self::Reserved3z, Self::Reserved4, Self::Reserved4a, Self::Reserved4x, Self::Reserved4y,
    Self::Reserved5a, Self::Reserved5x, Self::Reserved5y, Self::Reserved6a, Self::Reserved6x,
    Self::Reserved6y, Self::Reserved7a, Self::Reserved7x, Self::Reserved7y, Self::ReservedAddress,
    Self::ReservedHeaderVersion, Self::ResourceViewCoherencyHash, Self::ResViewMaxMipLevel,
    Self::ResViewMinMipLevel, Self::RDataType, Self::SectorPromotion, Self::SparseEnable,
    Self::SRGBBorderColorB, Self::SRGBBorderColorG, Self::SRGBBorderColorR, Self::SRGBConversion,
    Self::TextureType, Self::TileWidthInGobs, Self::TrilinOpt, Self::UseArrayTileAlignment,
    Self::UseComponentSizesExtended, Self::UseHeaderOptControl, Self::UseTextureHeaderVersion2, Self::Width,
    Self::WidthMinusOne, Self::WidthMinusOneBits15to0, Self::WidthMinusOneBits31to16, Self::WSource,
    Self::XSource, Self::YSource, Self::ZSource,
    ];

    /// The class headers' name.
    pub fn name(self) -> &'static str {
        NAMES.get(self as usize).copied().unwrap_or_default()
    }
}

static NAMES: [&str; 130] = [
    "ADDRESS_BITS31TO0", "ADDRESS_BITS31TO5", "ADDRESS_BITS31TO9", "ADDRESS_BITS47TO32",
    "ADDRESS_BITS48TO32", "ADDRESS_P", "ADDRESS_U", "ADDRESS_V", "ANISO_BIAS", "ANISO_CLAMP_AT_MAX_LOD",
    "ANISO_COARSE_SPREAD_FUNC", "ANISO_COARSE_SPREAD_MODIFIER", "ANISO_FINE_SPREAD_FUNC",
    "ANISO_FINE_SPREAD_MODIFIER", "ANISO_POW2", "ANISO_ROUND_DOWN", "ANISO_SPREAD_MAX_LOG2",
    "ANISO_SPREAD_MAX_LOG2_L_S_B", "ANISO_SPREAD_MAX_LOG2_M_S_B", "ANISO_SPREAD_SCALE", "A_DATA_TYPE",
    "BORDER_COLOR_A", "BORDER_COLOR_B", "BORDER_COLOR_G", "BORDER_COLOR_R", "BORDER_SIZE", "BORDER_SOURCE",
    "B_DATA_TYPE", "COLOR_KEY_OP", "COLOR_KEY_VALUE", "COMPONENTS", "COMPONENT_SIZES",
    "CUBEMAP_INTERFACE_FILTERING", "DEPTH", "DEPTH_COMPARE", "DEPTH_COMPARE_FUNC", "DEPTH_MINUS_ONE",
    "DEPTH_MINUS_ONE_BIT14", "DEPTH_MSB", "DEPTH_TEXTURE", "FLOAT_COORD_NORMALIZATION", "FONT_FILTER_HEIGHT",
    "FONT_FILTER_WIDTH", "GOB3D", "GOBS_PER_BLOCK_DEPTH", "GOBS_PER_BLOCK_HEIGHT", "GOBS_PER_BLOCK_WIDTH",
    "GOB_DEPTH_OFFSET", "G_DATA_TYPE", "HEADER_VERSION", "HEIGHT", "HEIGHT_MINUS_ONE",
    "HEIGHT_MINUS_ONE_BIT16", "HEIGHT_MSB", "HEIGHT_MSB_RESERVED", "LOD_ANISO_QUALITY", "LOD_ANISO_QUALITY2",
    "LOD_ISO_QUALITY", "MAG_FILTER", "MAX_ANISOTROPY", "MAX_LOD_CLAMP", "MAX_MIP_LEVEL", "MEMORY_LAYOUT",
    "MIN_FILTER", "MIN_LOD_CLAMP", "MIN_LOD_CLAMP_BEHAVIOR_FOR_NEAREST_MIP", "MIP_FILTER", "MIP_LOD_BIAS",
    "MULTI_SAMPLE_COUNT", "NORMALIZED_COORDS", "OFFSET_LOWER", "OFFSET_UPPER", "PACK_COMPONENTS", "PITCH",
    "PITCH_BIT21", "PITCH_BITS20TO5", "REDUCTION_FILTER", "RESERVED", "RESERVED0A", "RESERVED0B",
    "RESERVED12", "RESERVED1A", "RESERVED1X", "RESERVED1Y", "RESERVED2A", "RESERVED3A", "RESERVED3B",
    "RESERVED3X", "RESERVED3Y", "RESERVED3Z", "RESERVED4", "RESERVED4A", "RESERVED4X", "RESERVED4Y",
    "RESERVED5A", "RESERVED5X", "RESERVED5Y", "RESERVED6A", "RESERVED6X", "RESERVED6Y", "RESERVED7A",
    "RESERVED7X", "RESERVED7Y", "RESERVED_ADDRESS", "RESERVED_HEADER_VERSION",
    "RESOURCE_VIEW_COHERENCY_HASH", "RES_VIEW_MAX_MIP_LEVEL", "RES_VIEW_MIN_MIP_LEVEL", "R_DATA_TYPE",
    "SECTOR_PROMOTION", "SPARSE_ENABLE", "S_R_G_B_BORDER_COLOR_B", "S_R_G_B_BORDER_COLOR_G",
    "S_R_G_B_BORDER_COLOR_R", "S_R_G_B_CONVERSION", "TEXTURE_TYPE", "TILE_WIDTH_IN_GOBS", "TRILIN_OPT",
    "USE_ARRAY_TILE_ALIGNMENT", "USE_COMPONENT_SIZES_EXTENDED", "USE_HEADER_OPT_CONTROL",
    "USE_TEXTURE_HEADER_VERSION2", "WIDTH", "WIDTH_MINUS_ONE", "WIDTH_MINUS_ONE_BITS15TO0",
    "WIDTH_MINUS_ONE_BITS31TO16", "W_SOURCE", "X_SOURCE", "Y_SOURCE", "Z_SOURCE",
];

/// The named values of a field; a number after the name: a later class's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NvEnumeration {
    #[doc = "COMPONENT_SIZES"] ComponentSizes, #[doc = "DATA_TYPE"] DataType, #[doc = "SOURCE"] Source,
    #[doc = "TEXTURE_TYPE"] TextureType, #[doc = "MEMORY_LAYOUT"] MemoryLayout,
    #[doc = "GOBS_PER_BLOCK_WIDTH"] GobsPerBlockWidth, #[doc = "GOBS_PER_BLOCK_HEIGHT"] GobsPerBlockHeight,
    #[doc = "GOBS_PER_BLOCK_DEPTH"] GobsPerBlockDepth, #[doc = "SECTOR_PROMOTION"] SectorPromotion,
    #[doc = "BORDER_SOURCE"] BorderSource, #[doc = "LOD_ANISO_QUALITY"] LodAnisoQuality,
    #[doc = "LOD_ISO_QUALITY"] LodIsoQuality,
    #[doc = "ANISO_COARSE_SPREAD_MODIFIER"] AnisoCoarseSpreadModifier,
    #[doc = "ANISO_FINE_SPREAD_FUNC"] AnisoFineSpreadFunc,
    #[doc = "ANISO_COARSE_SPREAD_FUNC"] AnisoCoarseSpreadFunc, #[doc = "MAX_ANISOTROPY"] MaxAnisotropy,
    #[doc = "ANISO_FINE_SPREAD_MODIFIER"] AnisoFineSpreadModifier,
    #[doc = "MULTI_SAMPLE_COUNT"] MultiSampleCount, #[doc = "ADDRESS"] Address,
    #[doc = "DEPTH_COMPARE_FUNC"] DepthCompareFunc, #[doc = "FONT_FILTER_WIDTH"] FontFilterWidth,
    #[doc = "FONT_FILTER_HEIGHT"] FontFilterHeight, #[doc = "MAG_FILTER"] MagFilter,
    #[doc = "MIN_FILTER"] MinFilter, #[doc = "MIP_FILTER"] MipFilter,
    #[doc = "MULTI_SAMPLE_COUNT_2"] MultiSampleCount2,
    #[doc = "MIN_LOD_CLAMP_BEHAVIOR_FOR_NEAREST_MIP"] MinLodClampBehaviorForNearestMip,
    #[doc = "CUBEMAP_INTERFACE_FILTERING"] CubemapInterfaceFiltering,
    #[doc = "FLOAT_COORD_NORMALIZATION"] FloatCoordNormalization,
    #[doc = "COMPONENT_SIZES_2"] ComponentSizes2, #[doc = "COMPONENTS"] Components,
    #[doc = "HEADER_VERSION"] HeaderVersion, #[doc = "TILE_WIDTH_IN_GOBS"] TileWidthInGobs,
    #[doc = "BORDER_SIZE"] BorderSize, #[doc = "MULTI_SAMPLE_COUNT_3"] MultiSampleCount3,
    #[doc = "COMPONENT_SIZES_3"] ComponentSizes3, #[doc = "REDUCTION_FILTER"] ReductionFilter,
}

impl NvEnumeration {
    /// The values and their names, as the class headers list them.
    pub const fn values(self) -> &'static [(u8, &'static str)] {
        match self {
            Self::ComponentSizes => &[
    (1, "R32_G32_B32_A32"), (2, "R32_G32_B32"), (3, "R16_G16_B16_A16"), (4, "R32_G32"), (5, "R32_B24G8"),
    (7, "X8B8G8R8"), (8, "A8B8G8R8"), (9, "A2B10G10R10"), (12, "R16_G16"), (13, "G8R24"), (14, "G24R8"),
    (15, "R32"), (18, "A4B4G4R4"), (19, "A5B5G5R1"), (20, "A1B5G5R5"), (21, "B5G6R5"), (22, "B6G5R5"),
    (24, "G8R8"), (27, "R16"), (28, "Y8_VIDEO"), (29, "R8"), (30, "G4R4"), (31, "R1"),
    (32, "E5B9G9R9_SHAREDEXP"), (33, "BF10GF11RF11"), (34, "G8B8G8R8"), (35, "B8G8R8G8"), (36, "DXT1"),
    (37, "DXT23"), (38, "DXT45"), (39, "DXN1"), (40, "DXN2"), (16, "BC6H_SF16"), (17, "BC6H_UF16"),
    (23, "BC7U"), (41, "Z24S8"), (42, "X8Z24"), (43, "S8Z24"), (44, "X4V4Z24__COV4R4V"),
    (45, "X4V4Z24__COV8R8V"), (46, "V8Z24__COV4R12V"), (47, "ZF32"), (48, "ZF32_X24S8"),
    (49, "X8Z24_X20V4S8__COV4R4V"), (50, "X8Z24_X20V4S8__COV8R8V"), (51, "ZF32_X20V4X8__COV4R4V"),
    (52, "ZF32_X20V4X8__COV8R8V"), (53, "ZF32_X20V4S8__COV4R4V"), (54, "ZF32_X20V4S8__COV8R8V"),
    (55, "X8Z24_X16V8S8__COV4R12V"), (56, "ZF32_X16V8X8__COV4R12V"), (57, "ZF32_X16V8S8__COV4R12V"),
    (58, "Z16"), (59, "V8Z24__COV8R24V"), (60, "X8Z24_X16V8S8__COV8R24V"), (61, "ZF32_X16V8X8__COV8R24V"),
    (62, "ZF32_X16V8S8__COV8R24V"), (63, "CS_BITFIELD_SIZE"),
            ],
            Self::DataType => &[
    (1, "NUM_SNORM"), (2, "NUM_UNORM"), (3, "NUM_SINT"), (4, "NUM_UINT"), (5, "NUM_SNORM_FORCE_FP16"),
    (6, "NUM_UNORM_FORCE_FP16"), (7, "NUM_FLOAT"),
            ],
            Self::Source => &[
    (0, "IN_ZERO"), (2, "IN_R"), (3, "IN_G"), (4, "IN_B"), (5, "IN_A"), (6, "IN_ONE_INT"),
    (7, "IN_ONE_FLOAT"),
            ],
            Self::TextureType => &[
    (0, "ONE_D"), (1, "TWO_D"), (2, "THREE_D"), (3, "CUBEMAP"), (4, "ONE_D_ARRAY"), (5, "TWO_D_ARRAY"),
    (6, "ONE_D_BUFFER"), (7, "TWO_D_NO_MIPMAP"), (8, "CUBEMAP_ARRAY"), (15, "TT_BIT_FIELD_SIZE"),
            ],
            Self::MemoryLayout => &[
    (0, "BLOCKLINEAR"), (1, "PITCH"),
            ],
            Self::GobsPerBlockWidth => &[
    (0, "ONE_GOB"),
            ],
            Self::GobsPerBlockHeight => &[
    (0, "ONE_GOB"), (1, "TWO_GOBS"), (2, "FOUR_GOBS"), (3, "EIGHT_GOBS"), (4, "SIXTEEN_GOBS"),
    (5, "THIRTYTWO_GOBS"),
            ],
            Self::GobsPerBlockDepth => &[
    (0, "ONE_GOB"), (1, "TWO_GOBS"), (2, "FOUR_GOBS"), (3, "EIGHT_GOBS"), (4, "SIXTEEN_GOBS"),
    (5, "THIRTYTWO_GOBS"),
            ],
            Self::SectorPromotion => &[
    (0, "NO_PROMOTION"), (1, "PROMOTE_TO_2_V"), (2, "PROMOTE_TO_2_H"), (3, "PROMOTE_TO_4"),
            ],
            Self::BorderSource => &[
    (0, "BORDER_TEXTURE"), (1, "BORDER_COLOR"),
            ],
            Self::LodAnisoQuality => &[
    (0, "LOD_QUALITY_LOW"), (1, "LOD_QUALITY_HIGH"),
            ],
            Self::LodIsoQuality => &[
    (0, "LOD_QUALITY_LOW"), (1, "LOD_QUALITY_HIGH"),
            ],
            Self::AnisoCoarseSpreadModifier => &[
    (0, "SPREAD_MODIFIER_NONE"), (1, "SPREAD_MODIFIER_CONST_ONE"), (2, "SPREAD_MODIFIER_CONST_TWO"),
    (3, "SPREAD_MODIFIER_SQRT"),
            ],
            Self::AnisoFineSpreadFunc => &[
    (0, "SPREAD_FUNC_HALF"), (1, "SPREAD_FUNC_ONE"), (2, "SPREAD_FUNC_TWO"), (3, "SPREAD_FUNC_MAX"),
            ],
            Self::AnisoCoarseSpreadFunc => &[
    (0, "SPREAD_FUNC_HALF"), (1, "SPREAD_FUNC_ONE"), (2, "SPREAD_FUNC_TWO"), (3, "SPREAD_FUNC_MAX"),
            ],
            Self::MaxAnisotropy => &[
    (0, "ANISO_1_TO_1"), (1, "ANISO_2_TO_1"), (2, "ANISO_4_TO_1"), (3, "ANISO_6_TO_1"), (4, "ANISO_8_TO_1"),
    (5, "ANISO_10_TO_1"), (6, "ANISO_12_TO_1"), (7, "ANISO_16_TO_1"),
            ],
            Self::AnisoFineSpreadModifier => &[
    (0, "SPREAD_MODIFIER_NONE"), (1, "SPREAD_MODIFIER_CONST_ONE"), (2, "SPREAD_MODIFIER_CONST_TWO"),
    (3, "SPREAD_MODIFIER_SQRT"),
            ],
            Self::MultiSampleCount => &[
    (0, "MODE_1X1"), (1, "MODE_2X1"), (2, "MODE_2X2"), (3, "MODE_4X2"), (4, "MODE_4X2_D3D"),
    (5, "MODE_2X1_D3D"), (6, "MODE_4X4"), (8, "MODE_2X2_VC_4"), (9, "MODE_2X2_VC_12"), (10, "MODE_4X2_VC_8"),
    (11, "MODE_4X2_VC_24"),
            ],
            Self::Address => &[
    (0, "WRAP"), (1, "MIRROR"), (2, "CLAMP_TO_EDGE"), (3, "BORDER"), (4, "CLAMP_OGL"),
    (5, "MIRROR_ONCE_CLAMP_TO_EDGE"), (6, "MIRROR_ONCE_BORDER"), (7, "MIRROR_ONCE_CLAMP_OGL"),
            ],
            Self::DepthCompareFunc => &[
    (0, "ZC_NEVER"), (1, "ZC_LESS"), (2, "ZC_EQUAL"), (3, "ZC_LEQUAL"), (4, "ZC_GREATER"),
    (5, "ZC_NOTEQUAL"), (6, "ZC_GEQUAL"), (7, "ZC_ALWAYS"),
            ],
            Self::FontFilterWidth => &[
    (0, "SIZE_1"), (1, "SIZE_2"), (2, "SIZE_3"), (3, "SIZE_4"), (4, "SIZE_5"), (5, "SIZE_6"), (6, "SIZE_7"),
    (7, "SIZE_8"),
            ],
            Self::FontFilterHeight => &[
    (0, "SIZE_1"), (1, "SIZE_2"), (2, "SIZE_3"), (3, "SIZE_4"), (4, "SIZE_5"), (5, "SIZE_6"), (6, "SIZE_7"),
    (7, "SIZE_8"),
            ],
            Self::MagFilter => &[
    (1, "MAG_POINT"), (2, "MAG_LINEAR"), (3, "VCAA_4_TAP"), (4, "VCAA_8_TAP"),
            ],
            Self::MinFilter => &[
    (1, "MIN_POINT"), (2, "MIN_LINEAR"), (3, "MIN_ANISO"),
            ],
            Self::MipFilter => &[
    (1, "MIP_NONE"), (2, "MIP_POINT"), (3, "MIP_LINEAR"),
            ],
            Self::MultiSampleCount2 => &[
    (0, "MODE_1X1"), (1, "MODE_2X1"), (2, "MODE_2X2"), (3, "MODE_4X2"), (4, "MODE_4X2_D3D"),
    (5, "MODE_2X1_D3D"), (6, "MODE_4X4"), (8, "MODE_2X2_VC_4"), (9, "MODE_2X2_VC_12"), (10, "MODE_4X2_VC_8"),
    (11, "MODE_4X2_VC_24"), (12, "MODE_2X1_CENTER"), (13, "MODE_2X2_CENTER"), (14, "MODE_4X2_CENTER"),
            ],
            Self::MinLodClampBehaviorForNearestMip => &[
    (0, "INTEGER_AND_FRACTION"), (1, "INTEGER_ONLY"),
            ],
            Self::CubemapInterfaceFiltering => &[
    (0, "USE_WRAP"), (1, "OVERRIDE_WRAP"), (2, "AUTO_SPAN_SEAM"), (3, "AUTO_CROSS_SEAM"),
            ],
            Self::FloatCoordNormalization => &[
    (0, "USE_HEADER_SETTING"), (1, "FORCE_UNNORMALIZED_COORDS"),
            ],
            Self::ComponentSizes2 => &[
    (1, "R32_G32_B32_A32"), (2, "R32_G32_B32"), (3, "R16_G16_B16_A16"), (4, "R32_G32"), (5, "R32_B24G8"),
    (7, "X8B8G8R8"), (8, "A8B8G8R8"), (9, "A2B10G10R10"), (12, "R16_G16"), (13, "G8R24"), (14, "G24R8"),
    (15, "R32"), (18, "A4B4G4R4"), (19, "A5B5G5R1"), (20, "A1B5G5R5"), (21, "B5G6R5"), (22, "B6G5R5"),
    (24, "G8R8"), (27, "R16"), (28, "Y8_VIDEO"), (29, "R8"), (30, "G4R4"), (31, "R1"),
    (32, "E5B9G9R9_SHAREDEXP"), (33, "BF10GF11RF11"), (34, "G8B8G8R8"), (35, "B8G8R8G8"), (36, "DXT1"),
    (37, "DXT23"), (38, "DXT45"), (39, "DXN1"), (40, "DXN2"), (16, "BC6H_SF16"), (17, "BC6H_UF16"),
    (23, "BC7U"), (6, "ETC2_RGB"), (10, "ETC2_RGB_PTA"), (11, "ETC2_RGBA"), (25, "EAC"), (26, "EACX2"),
    (41, "Z24S8"), (42, "X8Z24"), (43, "S8Z24"), (44, "X4V4Z24__COV4R4V"), (45, "X4V4Z24__COV8R8V"),
    (46, "V8Z24__COV4R12V"), (47, "ZF32"), (48, "ZF32_X24S8"), (49, "X8Z24_X20V4S8__COV4R4V"),
    (50, "X8Z24_X20V4S8__COV8R8V"), (51, "ZF32_X20V4X8__COV4R4V"), (52, "ZF32_X20V4X8__COV8R8V"),
    (53, "ZF32_X20V4S8__COV4R4V"), (54, "ZF32_X20V4S8__COV8R8V"), (55, "X8Z24_X16V8S8__COV4R12V"),
    (56, "ZF32_X16V8X8__COV4R12V"), (57, "ZF32_X16V8S8__COV4R12V"), (58, "Z16"), (59, "V8Z24__COV8R24V"),
    (60, "X8Z24_X16V8S8__COV8R24V"), (61, "ZF32_X16V8X8__COV8R24V"), (62, "ZF32_X16V8S8__COV8R24V"),
    (63, "CS_BITFIELD_SIZE"),
            ],
            Self::Components => &[
    (1, "SIZES_R32_G32_B32_A32"), (2, "SIZES_R32_G32_B32"), (3, "SIZES_R16_G16_B16_A16"),
    (4, "SIZES_R32_G32"), (5, "SIZES_R32_B24G8"), (7, "SIZES_X8B8G8R8"), (8, "SIZES_A8B8G8R8"),
    (9, "SIZES_A2B10G10R10"), (12, "SIZES_R16_G16"), (13, "SIZES_G8R24"), (14, "SIZES_G24R8"),
    (15, "SIZES_R32"), (18, "SIZES_A4B4G4R4"), (19, "SIZES_A5B5G5R1"), (20, "SIZES_A1B5G5R5"),
    (21, "SIZES_B5G6R5"), (22, "SIZES_B6G5R5"), (24, "SIZES_G8R8"), (27, "SIZES_R16"),
    (28, "SIZES_Y8_VIDEO"), (29, "SIZES_R8"), (30, "SIZES_G4R4"), (31, "SIZES_R1"),
    (32, "SIZES_E5B9G9R9_SHAREDEXP"), (33, "SIZES_BF10GF11RF11"), (34, "SIZES_G8B8G8R8"),
    (35, "SIZES_B8G8R8G8"), (36, "SIZES_DXT1"), (37, "SIZES_DXT23"), (38, "SIZES_DXT45"), (39, "SIZES_DXN1"),
    (40, "SIZES_DXN2"), (16, "SIZES_BC6H_SF16"), (17, "SIZES_BC6H_UF16"), (23, "SIZES_BC7U"),
    (6, "SIZES_ETC2_RGB"), (10, "SIZES_ETC2_RGB_PTA"), (11, "SIZES_ETC2_RGBA"), (25, "SIZES_EAC"),
    (26, "SIZES_EACX2"), (41, "SIZES_Z24S8"), (42, "SIZES_X8Z24"), (43, "SIZES_S8Z24"),
    (44, "SIZES_X4V4Z24__COV4R4V"), (45, "SIZES_X4V4Z24__COV8R8V"), (46, "SIZES_V8Z24__COV4R12V"),
    (47, "SIZES_ZF32"), (48, "SIZES_ZF32_X24S8"), (49, "SIZES_X8Z24_X20V4S8__COV4R4V"),
    (50, "SIZES_X8Z24_X20V4S8__COV8R8V"), (51, "SIZES_ZF32_X20V4X8__COV4R4V"),
    (52, "SIZES_ZF32_X20V4X8__COV8R8V"), (53, "SIZES_ZF32_X20V4S8__COV4R4V"),
    (54, "SIZES_ZF32_X20V4S8__COV8R8V"), (55, "SIZES_X8Z24_X16V8S8__COV4R12V"),
    (56, "SIZES_ZF32_X16V8X8__COV4R12V"), (57, "SIZES_ZF32_X16V8S8__COV4R12V"), (58, "SIZES_Z16"),
    (59, "SIZES_V8Z24__COV8R24V"), (60, "SIZES_X8Z24_X16V8S8__COV8R24V"),
    (61, "SIZES_ZF32_X16V8X8__COV8R24V"), (62, "SIZES_ZF32_X16V8S8__COV8R24V"), (64, "SIZES_ASTC_2D_4X4"),
    (80, "SIZES_ASTC_2D_5X4"), (65, "SIZES_ASTC_2D_5X5"), (81, "SIZES_ASTC_2D_6X5"),
    (66, "SIZES_ASTC_2D_6X6"), (85, "SIZES_ASTC_2D_8X5"), (82, "SIZES_ASTC_2D_8X6"),
    (68, "SIZES_ASTC_2D_8X8"), (86, "SIZES_ASTC_2D_10X5"), (87, "SIZES_ASTC_2D_10X6"),
    (83, "SIZES_ASTC_2D_10X8"), (69, "SIZES_ASTC_2D_10X10"), (84, "SIZES_ASTC_2D_12X10"),
    (70, "SIZES_ASTC_2D_12X12"), (127, "SIZES_CS_BITFIELD_SIZE"),
            ],
            Self::HeaderVersion => &[
    (0, "SELECT_ONE_D_BUFFER"), (1, "SELECT_PITCH_COLOR_KEY"), (2, "SELECT_PITCH"),
    (3, "SELECT_BLOCKLINEAR"), (4, "SELECT_BLOCKLINEAR_COLOR_KEY"),
            ],
            Self::TileWidthInGobs => &[
    (0, "ONE_GOB"), (1, "TWO_GOBS"), (2, "FOUR_GOBS"), (3, "EIGHT_GOBS"), (4, "SIXTEEN_GOBS"),
    (5, "THIRTYTWO_GOBS"),
            ],
            Self::BorderSize => &[
    (0, "BORDER_SIZE_ONE"), (1, "BORDER_SIZE_TWO"), (2, "BORDER_SIZE_FOUR"), (3, "BORDER_SIZE_EIGHT"),
    (7, "BORDER_SAMPLER_COLOR"),
            ],
            Self::MultiSampleCount3 => &[
    (0, "MODE_1X1"), (1, "MODE_2X1"), (2, "MODE_2X2"), (3, "MODE_4X2"), (4, "MODE_4X2_D3D"),
    (5, "MODE_2X1_D3D"), (6, "MODE_4X4"), (8, "MODE_2X2_VC_4"), (9, "MODE_2X2_VC_12"), (10, "MODE_4X2_VC_8"),
    (11, "MODE_4X2_VC_24"), (12, "MODE_2X1_CENTER"), (13, "MODE_2X2_CENTER"), (14, "MODE_4X2_CENTER"),
    (15, "MODE_4X4_REGULAR"),
            ],
            Self::ComponentSizes3 => &[
    (0, "ASTC_2D_4X4"), (16, "ASTC_2D_5X4"), (1, "ASTC_2D_5X5"), (17, "ASTC_2D_6X5"), (2, "ASTC_2D_6X6"),
    (21, "ASTC_2D_8X5"), (18, "ASTC_2D_8X6"), (4, "ASTC_2D_8X8"), (22, "ASTC_2D_10X5"), (23, "ASTC_2D_10X6"),
    (19, "ASTC_2D_10X8"), (5, "ASTC_2D_10X10"), (20, "ASTC_2D_12X10"), (6, "ASTC_2D_12X12"),
            ],
            Self::ReductionFilter => &[
    (0, "RED_NONE"), (1, "RED_MINIMUM"), (2, "RED_MAXIMUM"),
            ],
        }
    }
}
