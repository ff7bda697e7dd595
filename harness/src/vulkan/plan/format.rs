//! Chooses the format of a group's image: one with the bits of the surface's format if the device offers it, else a decoded one
//! ("widened").

use super::super::formats::{NativeFormat, native};
use super::image::{ImagePlan, TexelLayout};
use super::sampler::{self, Border};
use crate::emulator::formats::{Codec, Format};
use crate::emulator::numbers::Numeric;
use crate::emulator::sample::BoundJob;
use crate::vulkan::device::Gpu;
use ash::vk;

/// The features that a group needs of its format.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormatNeeds {
    /// Linear filters.
    pub(super) linear: bool,
    /// MIN or MAX filters.
    pub(super) minmax: bool,
    /// Comparisons.
    pub(super) compare: bool,
    /// A border colour.
    pub(super) border: bool,
    /// Reading without the sRGB curve.
    pub(super) skip_srgb: bool,
    /// Decoded texels, even if the device offers the surface's format.
    pub(super) widen: bool,
}

/// A format and how its texels are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChosenFormat {
    /// The format.
    pub(super) format: vk::Format,
    /// The sources of R, G, B and A among its components.
    pub(super) mapping: [u8; 4],
    /// How texels are stored.
    pub(super) layout: TexelLayout,
    /// The texels do not have the bits of the surface's own format.
    pub(super) widened: bool,
    /// The border colour.
    pub(super) border: Border,
}

const IDENTITY: [u8; 4] = *b"RGBA";

/// Chooses the format of `image`, which is not multisampled.
pub(super) fn choose(
    gpu: &Gpu,
    bound: &BoundJob<'_>,
    format: &Format,
    image: &ImagePlan,
    needs: FormatNeeds,
) -> Result<ChosenFormat, &'static str> {
    if needs.compare {
        return depth(gpu, bound, format, image, needs);
    }
    if !needs.widen {
        if let Some(own) = native(format.name, needs.skip_srgb) {
            if fits(gpu, own.format, image, needs) && (!needs.border || in_range(bound, format, &own)) {
                let border = border(gpu, bound, format, own.mapping, needs)?;
                return Ok(ChosenFormat {
                    format: own.format,
                    mapping: own.mapping,
                    layout: TexelLayout::Elements,
                    widened: false,
                    border,
                });
            }
        }
    }
    let wide = wide(format);
    if !fits(gpu, wide, image, needs) {
        return planes(gpu, format, image, needs);
    }
    let border = border(gpu, bound, format, IDENTITY, needs)?;
    Ok(ChosenFormat { format: wide, mapping: IDENTITY, layout: TexelLayout::Widened, widened: true, border })
}

/// Returns the format of a multisampled image.
pub(super) fn multisampled(
    gpu: &Gpu,
    format: &Format,
    image: &ImagePlan,
) -> Result<vk::Format, &'static str> {
    let wide = wide(format);
    let usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::STORAGE;
    let limits = gpu.image_limits(wide, image.kind, usage, vk::ImageCreateFlags::empty());
    let fits = limits.is_some_and(|limits| {
        limits.sample_counts.contains(vk::SampleCountFlags::from_raw(image.samples))
            && image.size[0] <= limits.max_extent.width
            && image.size[1] <= limits.max_extent.height
            && image.layers <= limits.max_array_layers
    });
    if fits { Ok(wide) } else { Err("a number of samples that the device does not offer") }
}

/// Returns the format of decoded texels: four floats or integers.
fn wide(format: &Format) -> vk::Format {
    match (format.integer, format.signed) {
        (false, _) => vk::Format::R32G32B32A32_SFLOAT,
        (true, false) => vk::Format::R32G32B32A32_UINT,
        (true, true) => vk::Format::R32G32B32A32_SINT,
    }
}

/// Chooses a format of one component, so that each channel has layers of its own: devices may offer MIN and MAX for one component only.
fn planes(
    gpu: &Gpu,
    format: &Format,
    image: &ImagePlan,
    needs: FormatNeeds,
) -> Result<ChosenFormat, &'static str> {
    let mut separate = image.clone();
    separate.separate();
    let one = vk::Format::R32_SFLOAT;
    if !needs.minmax
        || format.integer
        || image.kind == vk::ImageType::TYPE_3D
        || !fits(gpu, one, &separate, needs)
    {
        return Err("an image that the device does not offer");
    }
    let border = Border::Named(vk::BorderColor::FLOAT_TRANSPARENT_BLACK);
    Ok(ChosenFormat { format: one, mapping: IDENTITY, layout: TexelLayout::Planes, widened: true, border })
}

/// Returns the border colours of the four channels, if each has layers of its own.
pub(super) fn plane_borders(
    gpu: &Gpu,
    bound: &BoundJob<'_>,
    needs: FormatNeeds,
) -> Result<[Border; 4], &'static str> {
    let mut all = [Border::Named(vk::BorderColor::FLOAT_TRANSPARENT_BLACK); 4];
    for (border, value) in all.iter_mut().zip(bound.border()).filter(|_| needs.border) {
        *border = sampler::border([Some((value as f32).to_bits()), None, None, None], false, &gpu.info)?;
    }
    Ok(all)
}

/// Chooses a depth format: one of the same bits, else the decoded red component as a float.
fn depth(
    gpu: &Gpu,
    bound: &BoundJob<'_>,
    format: &Format,
    image: &ImagePlan,
    needs: FormatNeeds,
) -> Result<ChosenFormat, &'static str> {
    let red = bound.border()[0];
    let unorm = !needs.border || (0.0..=1.0).contains(&red);
    let own = match format.name {
        "R16_UNORM" if unorm => &[(vk::Format::D16_UNORM, TexelLayout::Bits(2))][..],
        "R24_UNORM_X8_TYPELESS" if unorm => &[
            (vk::Format::X8_D24_UNORM_PACK32, TexelLayout::Bits(4)),
            (vk::Format::D24_UNORM_S8_UINT, TexelLayout::Bits(4)),
        ],
        _ => &[],
    };
    let same = ["R32_FLOAT", "R32_FLOAT_X8X24_TYPELESS"].contains(&format.name);
    let all =
        own.iter().map(|&(f, s)| (f, s, false)).chain([(vk::Format::D32_SFLOAT, TexelLayout::Depth, !same)]);
    let found = all.into_iter().find(|&(f, ..)| fits(gpu, f, image, needs));
    let (found, layout, widened) = found.ok_or("a depth image that the device does not offer")?;
    let border = border(gpu, bound, format, *b"R001", needs)?;
    Ok(ChosenFormat { format: found, mapping: IDENTITY, layout, widened, border })
}

/// Returns whether the device offers images of the format with this size and these features.
fn fits(gpu: &Gpu, format: vk::Format, image: &ImagePlan, needs: FormatNeeds) -> bool {
    use vk::FormatFeatureFlags as Feature;
    let mut features = Feature::SAMPLED_IMAGE | Feature::TRANSFER_DST;
    // Comparisons may be filtered in every depth format.
    if needs.linear && !needs.compare {
        features |= Feature::SAMPLED_IMAGE_FILTER_LINEAR;
    }
    if needs.minmax {
        features |= Feature::SAMPLED_IMAGE_FILTER_MINMAX;
    }
    let flags =
        if image.cube { vk::ImageCreateFlags::CUBE_COMPATIBLE } else { vk::ImageCreateFlags::empty() };
    let usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST;
    gpu.format(format).contains(features)
        && gpu.image_limits(format, image.kind, usage, flags).is_some_and(|limits| {
            let most = limits.max_extent;
            let large =
                image.size[0] > most.width || image.size[1] > most.height || image.size[2] > most.depth;
            !large && image.levels <= limits.max_mip_levels && image.layers <= limits.max_array_layers
        })
}

/// Returns whether every component of the border colour is in the range of the format: Vulkan does not define the result of others.
fn in_range(bound: &BoundJob<'_>, format: &Format, own: &NativeFormat) -> bool {
    let colour = bound.border();
    let stored = own.mapping.iter().zip(colour).filter(|(source, _)| b"RGBA".contains(source));
    let range = match &format.codec {
        Codec::Components(list) => {
            let of = |c: &crate::emulator::formats::Component| match c.kind {
                Numeric::Unorm => (0.0, 1.0),
                Numeric::Snorm => (-1.0, 1.0),
                Numeric::Uint => (0.0, 2f64.powi(c.bits as i32) - 1.0),
                // The border colour has them as unsigned patterns of 32 bits.
                Numeric::Sint if c.bits == 32 => (0.0, f64::from(u32::MAX)),
                Numeric::Sint => (0.0, 2f64.powi(c.bits as i32 - 1) - 1.0),
                Numeric::Uscaled => (0.0, 2f64.powi(c.bits as i32) - 1.0),
                Numeric::Sscaled => (-(2f64.powi(c.bits as i32 - 1)), 2f64.powi(c.bits as i32 - 1) - 1.0),
                Numeric::Float if c.bits == 32 => (f64::NEG_INFINITY, f64::INFINITY),
                Numeric::Float if c.bits == 16 => (-65504.0, 65504.0),
                Numeric::Float => (0.0, 64512.0),
                Numeric::Sfixed | Numeric::Passthru | Numeric::Typeless => (f64::NEG_INFINITY, f64::INFINITY),
            };
            let all = list.iter().filter(|c| c.kind != Numeric::Typeless).map(of);
            all.fold((f64::NEG_INFINITY, f64::INFINITY), |(low, high), (l, h)| (low.max(l), high.min(h)))
        }
        Codec::SharedExponent => (0.0, 65408.0),
        _ if format.name.contains("SNORM") || format.name.contains("SIGNED") => (-1.0, 1.0),
        _ if format.name == "BC6H_SF16" => (-65504.0, 65504.0),
        _ if format.name == "BC6H_UF16" || format.name.contains("HDR") => (0.0, 65504.0),
        _ => (0.0, 1.0),
    };
    let mut values = stored.map(|(_, value)| value);
    values.all(|value| range.0 <= value && value <= range.1)
}

/// Returns the border colour of the sampler, if lanes can read it: each component of the format has the value of the channel that it
/// is the source of.
fn border(
    gpu: &Gpu,
    bound: &BoundJob<'_>,
    format: &Format,
    mapping: [u8; 4],
    needs: FormatNeeds,
) -> Result<Border, &'static str> {
    if !needs.border {
        return Ok(Border::Named(vk::BorderColor::FLOAT_TRANSPARENT_BLACK));
    }
    let colour = bound.border();
    let components = std::array::from_fn(|k| {
        let channel = mapping.iter().position(|&source| source == b"RGBA"[k])?;
        let value = colour[channel];
        Some(if format.integer { value as u32 } else { (value as f32).to_bits() })
    });
    sampler::border(components, format.integer, &gpu.info)
}

/// Returns the view's swizzle: the shader channel selects, applied to the components of the format.
pub(super) fn swizzle(select: [u64; 4], mapping: [u8; 4]) -> [vk::ComponentSwizzle; 4] {
    let source = |source: u8| match source {
        b'0' => vk::ComponentSwizzle::ZERO,
        b'1' => vk::ComponentSwizzle::ONE,
        b'R' => vk::ComponentSwizzle::R,
        b'G' => vk::ComponentSwizzle::G,
        b'B' => vk::ComponentSwizzle::B,
        _ => vk::ComponentSwizzle::A,
    };
    let of = |select: u64| match select {
        0 => vk::ComponentSwizzle::ZERO,
        1 => vk::ComponentSwizzle::ONE,
        k => source(mapping[(k as usize).clamp(4, 7) - 4]),
    };
    select.map(of)
}

/// Returns whether the swizzle changes nothing.
pub(super) fn is_identity(swizzle: [vk::ComponentSwizzle; 4]) -> bool {
    use vk::ComponentSwizzle as S;
    swizzle == [S::R, S::G, S::B, S::A]
}
