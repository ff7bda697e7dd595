//! The features of Vulkan devices that jobs need: querying them, and enabling them when a device is opened.

use super::info::DeviceFeatures;
use ash::{Instance, vk};
use std::ffi::CStr;

/// Returns the features that jobs may need of those that a device reports. `has` tells whether it has an extension; `modern`: it has
/// Vulkan 1.2.
pub(super) fn query(
    instance: &Instance,
    device: vk::PhysicalDevice,
    has: &dyn Fn(&CStr) -> bool,
    modern: bool,
    minmax: &vk::PhysicalDeviceSamplerFilterMinmaxProperties<'_>,
) -> DeviceFeatures {
    let mut twelve = vk::PhysicalDeviceVulkan12Features::default();
    let mut border = vk::PhysicalDeviceCustomBorderColorFeaturesEXT::default();
    let mut swizzle = vk::PhysicalDeviceBorderColorSwizzleFeaturesEXT::default();
    let mut robust = vk::PhysicalDeviceRobustness2FeaturesEXT::default();
    let mut seamless = vk::PhysicalDeviceNonSeamlessCubeMapFeaturesEXT::default();
    let mut features = vk::PhysicalDeviceFeatures2::default();
    if modern {
        features = features.push_next(&mut twelve);
    }
    if has(ash::ext::custom_border_color::NAME) {
        features = features.push_next(&mut border);
    }
    if has(ash::ext::border_color_swizzle::NAME) {
        features = features.push_next(&mut swizzle);
    }
    if has(ash::ext::robustness2::NAME) {
        features = features.push_next(&mut robust);
    }
    if has(ash::ext::non_seamless_cube_map::NAME) {
        features = features.push_next(&mut seamless);
    }
    // SAFETY: the structures of the chain are known to the device.
    unsafe { instance.get_physical_device_features2(device, &mut features) };
    let base = features.features;
    let on = |flag: vk::Bool32| flag == vk::TRUE;
    // A feature of Vulkan 1.2 that was an extension before.
    let promoted = |flag: vk::Bool32, extension: &CStr| if modern { on(flag) } else { has(extension) };
    DeviceFeatures {
        anisotropy: on(base.sampler_anisotropy),
        custom_border: on(border.custom_border_colors) && on(border.custom_border_color_without_format),
        border_swizzle: on(swizzle.border_color_swizzle) && on(swizzle.border_color_swizzle_from_image),
        minmax: promoted(twelve.sampler_filter_minmax, ash::ext::sampler_filter_minmax::NAME),
        minmax_mapping: on(minmax.filter_minmax_image_component_mapping),
        mirror_once: promoted(
            twelve.sampler_mirror_clamp_to_edge,
            ash::khr::sampler_mirror_clamp_to_edge::NAME,
        ),
        cube_array: on(base.image_cube_array),
        gather_extended: on(base.shader_image_gather_extended),
        fragment_stores: on(base.fragment_stores_and_atomics),
        bc: on(base.texture_compression_bc),
        etc2: on(base.texture_compression_etc2),
        astc: on(base.texture_compression_astc_ldr),
        robust_image: on(robust.robust_image_access2),
        non_seamless: on(seamless.non_seamless_cube_map),
        depth_unrestricted: has(ash::ext::depth_range_unrestricted::NAME),
        storage_multisample: on(base.shader_storage_image_multisample),
    }
}

/// The feature structures of a device that is opened.
pub(super) struct EnabledFeatures {
    /// The features of Vulkan 1.0.
    pub(super) base: vk::PhysicalDeviceFeatures,
    twelve: vk::PhysicalDeviceVulkan12Features<'static>,
    border: vk::PhysicalDeviceCustomBorderColorFeaturesEXT<'static>,
    swizzle: vk::PhysicalDeviceBorderColorSwizzleFeaturesEXT<'static>,
    robust: vk::PhysicalDeviceRobustness2FeaturesEXT<'static>,
    seamless: vk::PhysicalDeviceNonSeamlessCubeMapFeaturesEXT<'static>,
}

impl EnabledFeatures {
    /// Returns the structures that enable features.
    pub(super) fn new(offers: &DeviceFeatures) -> Self {
        Self {
            base: vk::PhysicalDeviceFeatures::default()
                .sampler_anisotropy(offers.anisotropy)
                .image_cube_array(offers.cube_array)
                .shader_image_gather_extended(offers.gather_extended)
                .fragment_stores_and_atomics(offers.fragment_stores)
                .texture_compression_bc(offers.bc)
                .texture_compression_etc2(offers.etc2)
                .texture_compression_astc_ldr(offers.astc)
                .shader_storage_image_multisample(offers.storage_multisample),
            twelve: vk::PhysicalDeviceVulkan12Features::default()
                .sampler_filter_minmax(offers.minmax)
                .sampler_mirror_clamp_to_edge(offers.mirror_once),
            border: vk::PhysicalDeviceCustomBorderColorFeaturesEXT::default()
                .custom_border_colors(true)
                .custom_border_color_without_format(true),
            swizzle: vk::PhysicalDeviceBorderColorSwizzleFeaturesEXT::default()
                .border_color_swizzle(true)
                .border_color_swizzle_from_image(true),
            robust: vk::PhysicalDeviceRobustness2FeaturesEXT::default().robust_image_access2(true),
            seamless: vk::PhysicalDeviceNonSeamlessCubeMapFeaturesEXT::default().non_seamless_cube_map(true),
        }
    }

    /// Adds to `create` the structures of Vulkan 1.2 and of the extensions that are offered.
    pub(super) fn enable<'a>(
        &'a mut self,
        mut create: vk::DeviceCreateInfo<'a>,
        offers: &DeviceFeatures,
        modern: bool,
    ) -> vk::DeviceCreateInfo<'a> {
        if modern {
            create = create.push_next(&mut self.twelve);
        }
        if offers.custom_border {
            create = create.push_next(&mut self.border);
        }
        if offers.border_swizzle {
            create = create.push_next(&mut self.swizzle);
        }
        if offers.robust_image {
            create = create.push_next(&mut self.robust);
        }
        if offers.non_seamless {
            create = create.push_next(&mut self.seamless);
        }
        create
    }
}

/// Returns the extensions of features. `modern`: two of them belong to Vulkan 1.2 and need none.
pub(super) fn extensions(offers: &DeviceFeatures, modern: bool) -> impl Iterator<Item = &'static CStr> {
    [
        (ash::ext::custom_border_color::NAME, offers.custom_border),
        (ash::ext::border_color_swizzle::NAME, offers.border_swizzle),
        (ash::ext::robustness2::NAME, offers.robust_image),
        (ash::ext::non_seamless_cube_map::NAME, offers.non_seamless),
        (ash::ext::depth_range_unrestricted::NAME, offers.depth_unrestricted),
        (ash::ext::sampler_filter_minmax::NAME, !modern && offers.minmax),
        (ash::khr::sampler_mirror_clamp_to_edge::NAME, !modern && offers.mirror_once),
    ]
    .into_iter()
    .filter_map(|(name, used)| used.then_some(name))
}
