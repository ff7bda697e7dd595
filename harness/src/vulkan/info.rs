//! Properties of a device, and options for opening it.

use crate::engine::DeviceLimits;
use serde::{Deserialize, Serialize};

/// The properties that a device reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// Its index among the devices: the INDEX of `vulkan:INDEX`.
    pub index: usize,
    /// Its name; a part of it is the NAME of `vulkan:NAME`.
    pub name: String,
    /// Name of the driver.
    pub driver: String,
    /// The driver's version as its makers write it.
    pub driver_version: String,
    /// Vulkan version.
    pub api_version: String,
    /// Bits of the fraction of a texel coordinate (`subTexelPrecisionBits`).
    pub sub_texel_bits: u32,
    /// Bits of the fraction of a LOD (`mipmapPrecisionBits`).
    pub mipmap_bits: u32,
    /// Largest LOD bias (`maxSamplerLodBias`).
    pub max_lod_bias: f32,
    /// Largest anisotropy (`maxSamplerAnisotropy`).
    pub max_anisotropy: f32,
    /// Features that jobs may need.
    pub offers: DeviceFeatures,
}

/// Features that jobs may need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceFeatures {
    /// `samplerAnisotropy`.
    pub anisotropy: bool,
    /// `customBorderColors` of VK_EXT_custom_border_color.
    pub custom_border: bool,
    /// Border colours with swizzled views: `borderColorSwizzleFromImage` of VK_EXT_border_color_swizzle.
    pub border_swizzle: bool,
    /// `samplerFilterMinmax`.
    pub minmax: bool,
    /// MIN and MAX through swizzled views (`filterMinmaxImageComponentMapping`).
    pub minmax_mapping: bool,
    /// `samplerMirrorClampToEdge`.
    pub mirror_once: bool,
    /// `imageCubeArray`.
    pub cube_array: bool,
    /// `shaderImageGatherExtended`.
    pub gather_extended: bool,
    /// `fragmentStoresAndAtomics`.
    pub fragment_stores: bool,
    /// `textureCompressionBC`.
    pub bc: bool,
    /// `textureCompressionETC2`.
    pub etc2: bool,
    /// `textureCompressionASTC_LDR`.
    pub astc: bool,
    /// `robustImageAccess2`.
    pub robust_image: bool,
    /// `nonSeamlessCubeMap`.
    pub non_seamless: bool,
    /// VK_EXT_depth_range_unrestricted.
    pub depth_unrestricted: bool,
    /// `shaderStorageImageMultisample`.
    pub storage_multisample: bool,
}

impl DeviceInfo {
    /// Returns its precision.
    pub fn limits(&self) -> DeviceLimits {
        DeviceLimits { texel_bits: self.sub_texel_bits, mip_bits: self.mipmap_bits }
    }

    /// Returns whether the driver prepares images before they are sampled (decodes blocks, joins the faces of cubes) for draws only:
    /// in dispatches, SwiftShader 5.0.0 returns stale memory.
    pub(super) fn prepares_for_draws(&self) -> bool {
        self.name.contains("SwiftShader")
    }

    /// Returns device, driver, versions and precision in a sentence.
    pub fn about(&self) -> String {
        let Self { name, driver, driver_version, api_version, sub_texel_bits, mipmap_bits, .. } = self;
        format!(
            "{name}, driver {driver} {driver_version}, Vulkan {api_version}, sub-texel bits {sub_texel_bits}, mipmap bits {mipmap_bits}"
        )
    }
}

/// How devices are opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceOptions {
    /// Enable the Khronos validation layer.
    pub validate: bool,
}
