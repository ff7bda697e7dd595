//! Plans the sampler of a group: address modes, filters, border colour, comparison.

use super::levels::LevelPlan;
use crate::emulator::sample::axis::{CLAMP, CLAMP_BORDER, CUBE, HALF_BORDER};
use crate::emulator::sample::sampler::{Filter, Reduction};
use crate::vulkan::info::DeviceInfo;
use ash::vk;

/// A border colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::vulkan) enum Border {
    /// One of Vulkan's named border colours.
    Named(vk::BorderColor),
    /// Any colour, for floats: the patterns of the components of the image's format.
    Custom([u32; 4]),
    /// Any colour, for integers.
    CustomInteger([u32; 4]),
}

/// The plan of a sampler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::vulkan) struct SamplerPlan {
    pub(in crate::vulkan) mag: vk::Filter,
    pub(in crate::vulkan) min: vk::Filter,
    pub(in crate::vulkan) mip: vk::SamplerMipmapMode,
    pub(in crate::vulkan) modes: [vk::SamplerAddressMode; 3],
    pub(in crate::vulkan) bias: f32,
    pub(in crate::vulkan) min_lod: f32,
    pub(in crate::vulkan) max_lod: f32,
    /// The largest anisotropy; 1: no anisotropic filter.
    pub(in crate::vulkan) anisotropy: f32,
    pub(in crate::vulkan) compare: Option<vk::CompareOp>,
    pub(in crate::vulkan) reduction: vk::SamplerReductionMode,
    pub(in crate::vulkan) border: Border,
    pub(in crate::vulkan) unnormalized: bool,
    pub(in crate::vulkan) seams: bool,
}

impl Default for SamplerPlan {
    fn default() -> Self {
        Self {
            mag: vk::Filter::NEAREST,
            min: vk::Filter::NEAREST,
            mip: vk::SamplerMipmapMode::NEAREST,
            modes: [vk::SamplerAddressMode::CLAMP_TO_EDGE; 3],
            bias: 0.0,
            min_lod: 0.0,
            max_lod: vk::LOD_CLAMP_NONE,
            anisotropy: 1.0,
            compare: None,
            reduction: vk::SamplerReductionMode::WEIGHTED_AVERAGE,
            border: Border::Named(vk::BorderColor::FLOAT_TRANSPARENT_BLACK),
            unnormalized: false,
            seams: false,
        }
    }
}

impl SamplerPlan {
    /// Sets filters, LOD clamps and anisotropy.
    pub(super) fn filters(
        &mut self,
        levels: &LevelPlan,
        max_anisotropy: f64,
        device: &DeviceInfo,
    ) -> Result<(), &'static str> {
        let anisotropic = [levels.mag, levels.min].map(|f| f == Filter::Anisotropic);
        if anisotropic[0] != anisotropic[1] {
            return Err("anisotropic when magnified or minified only");
        }
        if anisotropic[0] {
            if !device.offers.anisotropy {
                return Err("feature samplerAnisotropy");
            }
            if max_anisotropy > f64::from(device.max_anisotropy) {
                return Err("more anisotropy than the device has");
            }
            self.anisotropy = max_anisotropy as f32;
        }
        let filter = |f| if f == Filter::Nearest { vk::Filter::NEAREST } else { vk::Filter::LINEAR };
        (self.mag, self.min) = (filter(levels.mag), filter(levels.min));
        if levels.mip_linear {
            self.mip = vk::SamplerMipmapMode::LINEAR;
        }
        (self.min_lod, self.max_lod) = (levels.min_lod as f32, levels.max_lod as f32);
        Ok(())
    }

    /// Sets the reduction: MIN or MAX.
    pub(super) fn reduce(
        &mut self,
        reduction: Reduction,
        swizzled: bool,
        device: &DeviceInfo,
    ) -> Result<(), &'static str> {
        let linear = self.mag == vk::Filter::LINEAR || self.min == vk::Filter::LINEAR;
        self.reduction = match reduction {
            _ if !linear && self.mip == vk::SamplerMipmapMode::NEAREST => return Ok(()),
            Reduction::Standard => return Ok(()),
            Reduction::Minimum => vk::SamplerReductionMode::MIN,
            Reduction::Maximum => vk::SamplerReductionMode::MAX,
        };
        match device.offers.minmax {
            false => Err("feature samplerFilterMinmax"),
            true if swizzled && !device.offers.minmax_mapping => Err("MIN or MAX of swizzled channels"),
            true => Ok(()),
        }
    }
}

/// How an axis is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AxisAddress {
    /// The mode.
    pub(super) mode: vk::SamplerAddressMode,
    /// HALF_BORDER: the coordinate is first clamped to the image.
    pub(super) hold: bool,
    /// MIRROR_101: the coordinate is folded at the centres of the first and the last texel.
    pub(super) fold: bool,
}

/// Returns how an axis of `size` texels in level 0 is addressed. `folded`: coordinates can be folded, since the level is known.
pub(super) fn address(
    code: u64,
    size: u64,
    filters: [Filter; 2],
    offset: bool,
    folded: bool,
    device: &DeviceInfo,
) -> Result<AxisAddress, &'static str> {
    let nearest = filters == [Filter::Nearest; 2];
    let linear = !filters.contains(&Filter::Nearest);
    let plain = |mode| Ok(AxisAddress { mode, hold: false, fold: false });
    match code {
        0 => plain(vk::SamplerAddressMode::REPEAT),
        1 => plain(vk::SamplerAddressMode::MIRRORED_REPEAT),
        CLAMP | CUBE => plain(vk::SamplerAddressMode::CLAMP_TO_EDGE),
        CLAMP_BORDER => plain(vk::SamplerAddressMode::CLAMP_TO_BORDER),
        5 if device.offers.mirror_once => plain(vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE),
        5 => Err("feature samplerMirrorClampToEdge"),
        // With nearest filters, a clamped coordinate never reads a border texel.
        HALF_BORDER if nearest && !offset => plain(vk::SamplerAddressMode::CLAMP_TO_EDGE),
        HALF_BORDER if linear => {
            Ok(AxisAddress { mode: vk::SamplerAddressMode::CLAMP_TO_BORDER, hold: true, fold: false })
        }
        HALF_BORDER => Err("address mode HALF_BORDER"),
        // Mirrored at the centres of one or two texels, the texels alternate as with REPEAT.
        7 if size <= 2 => plain(vk::SamplerAddressMode::REPEAT),
        7 if folded => {
            Ok(AxisAddress { mode: vk::SamplerAddressMode::CLAMP_TO_EDGE, hold: false, fold: true })
        }
        _ => Err("address mode MIRROR_101"),
    }
}

/// Returns the comparison in Vulkan's sense, with the reference on the left: the emulator returns 0 if (texel OP reference) holds.
pub(super) fn compare(shadow: u64) -> vk::CompareOp {
    [
        vk::CompareOp::NEVER,
        vk::CompareOp::ALWAYS,
        vk::CompareOp::LESS_OR_EQUAL,
        vk::CompareOp::NOT_EQUAL,
        vk::CompareOp::LESS,
        vk::CompareOp::GREATER_OR_EQUAL,
        vk::CompareOp::EQUAL,
        vk::CompareOp::GREATER,
    ][shadow as usize % 8]
}

/// Returns the border colour with these patterns of the components of a Vulkan format; `None`: the format has no such component.
pub(super) fn border(
    components: [Option<u32>; 4],
    integer: bool,
    device: &DeviceInfo,
) -> Result<Border, &'static str> {
    let one = if integer { 1 } else { 1.0f32.to_bits() };
    let is = |colour: [u32; 4]| components.iter().zip(colour).all(|(c, k)| c.is_none_or(|c| c == k));
    let names = if integer {
        [
            vk::BorderColor::INT_TRANSPARENT_BLACK,
            vk::BorderColor::INT_OPAQUE_BLACK,
            vk::BorderColor::INT_OPAQUE_WHITE,
        ]
    } else {
        [
            vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
            vk::BorderColor::FLOAT_OPAQUE_BLACK,
            vk::BorderColor::FLOAT_OPAQUE_WHITE,
        ]
    };
    let colours = [[0; 4], [0, 0, 0, one], [one; 4]];
    if let Some(k) = (0..3).find(|&k| is(colours[k])) {
        return Ok(Border::Named(names[k]));
    }
    if !device.offers.custom_border {
        return Err("feature customBorderColors");
    }
    let custom = components.map(|c| c.unwrap_or(0));
    Ok(if integer { Border::CustomInteger(custom) } else { Border::Custom(custom) })
}
