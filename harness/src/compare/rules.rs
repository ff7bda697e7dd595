//! Rules by which an engine may differ from the emulator.
//!
//! The core may be off by the roundings of f32 only. Other devices follow other documents: for a Vulkan device, its limits and the chapters
//! cited below say how far a result may be off, and which results are not defined.

use crate::emulator::formats::{Codec, Format};
use crate::emulator::numbers::Numeric;
use crate::emulator::sample::BoundJob;
use crate::emulator::sample::nudge::Slack;
use crate::engine::DeviceLimits;
use serde::{Deserialize, Serialize};

/// A rule, as reports name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviationRule {
    /// The precision of converted and filtered values.
    ValuePrecision,
    /// The number of sub-texel bits.
    TexelPrecision,
    /// The number of fraction bits of a LOD.
    MipPrecision,
    /// The scale factor of derivatives.
    Derivatives,
    /// The precision of a comparison's reference.
    Reference,
    /// Coordinates, references and LODs that are NaN or infinite.
    NotFinite,
    /// Coordinates, array indices and LODs far outside the surface.
    FarCoordinate,
    /// The places and weights of anisotropic taps.
    Anisotropy,
    /// MIN or MAX over two levels.
    ReducedLevels,
    /// Texels that are NaN or infinite.
    TexelNotFinite,
    /// The missing texel at the corner of a cube.
    CubeCorner,
    /// Derivatives of a quad (subspan) that spans several faces of a cube.
    SeveralFaces,
    /// Denormal coordinates, references and texels.
    Denormal,
    /// A LOD or a tap that f32 cannot determine.
    IllConditioned,
}

impl DeviationRule {
    /// All rules.
    pub const ALL: [Self; 14] = [
        Self::ValuePrecision,
        Self::TexelPrecision,
        Self::MipPrecision,
        Self::Derivatives,
        Self::Reference,
        Self::NotFinite,
        Self::FarCoordinate,
        Self::Anisotropy,
        Self::ReducedLevels,
        Self::TexelNotFinite,
        Self::CubeCorner,
        Self::SeveralFaces,
        Self::Denormal,
        Self::IllConditioned,
    ];

    /// Returns the identifier, what the rule says, and the document that says so.
    pub const fn about(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::ValuePrecision => (
                "V01",
                "texels are converted, and may be filtered, with the precision of the format's channels",
                "Vulkan, Numeric Representation and Texel Filtering: no precision is required beyond the format's",
            ),
            Self::TexelPrecision => (
                "V02",
                "texel coordinates and filter weights have subTexelPrecisionBits bits of fraction",
                "Vulkan, Limits: subTexelPrecisionBits",
            ),
            Self::MipPrecision => (
                "V03",
                "a LOD has mipmapPrecisionBits bits of fraction",
                "Vulkan, Limits: mipmapPrecisionBits",
            ),
            Self::Derivatives => (
                "V04",
                "a scale factor may lie between the largest derivative and sqrt(2) times their sum; derivatives are those of the row and column or of the quad",
                "Vulkan, Scale Factor Operation",
            ),
            Self::Reference => (
                "V05",
                "a reference of a fixed-point depth format has the precision of the format",
                "Vulkan, Depth Compare Operation",
            ),
            Self::NotFinite => (
                "V06",
                "NaN and infinite coordinates, references and LODs, and cube directions of length 0, have undefined results",
                "Vulkan, Texel Coordinate Validation; Precision and Operation of SPIR-V Instructions",
            ),
            Self::FarCoordinate => (
                "V07",
                "coordinates, array indices and LODs beyond 65,536: devices make integers of them before they are held inside",
                "Vulkan, Unnormalized Texel Coordinate Operations: no range of the integers is required",
            ),
            Self::Anisotropy => (
                "V08",
                "the places and weights of anisotropic taps are the implementation's",
                "Vulkan, Texel Anisotropic Filtering",
            ),
            Self::ReducedLevels => (
                "V09",
                "how the minima or maxima of two levels become one value",
                "Vulkan, Texel Reduction, and PRM, Reduction Type: neither says whether levels are reduced or interpolated",
            ),
            Self::TexelNotFinite => (
                "V10",
                "a filter or comparison of NaN and infinite texels, or NaN and infinity beside such: weights of 0 and differences make NaN of them or do not",
                "Vulkan, Precision and Operation of SPIR-V Instructions: NaN and infinity need not be kept",
            ),
            Self::CubeCorner => (
                "V11",
                "the fourth texel at the corner of a cube: the mean of the other three is recommended, not required",
                "Vulkan, Cube Map Edge Handling",
            ),
            Self::SeveralFaces => (
                "V12",
                "derivatives of a quad whose pixels look at several faces of a cube",
                "Vulkan, Cube Map Derivative Transformation: derivatives are those of the face's coordinates, which jump between faces",
            ),
            Self::Denormal => (
                "V13",
                "denormal coordinates, references and compared texels may be flushed to zero",
                "Vulkan, Precision and Operation of SPIR-V Instructions: denormals may be flushed",
            ),
            Self::IllConditioned => (
                "R01",
                "derivatives that cancel, or squares outside of the range of f32: no LOD is the right one",
                "texwire, emulator::sample::nudge",
            ),
        }
    }

    /// Returns the identifier.
    pub const fn id(self) -> &'static str {
        self.about().0
    }
}

/// Returns 2^-`bits`; bits beyond the 24 of a float's mantissa are ignored.
fn step(bits: u32) -> f64 {
    2f64.powi(-(bits.min(24) as i32))
}

/// Returns whether a format's channels are fixed-point numbers, and the number of bits of the smallest channel: of its fraction, or of the
/// mantissa of a float.
fn precision(format: &Format) -> (bool, u32) {
    match &format.codec {
        Codec::Components(components) => {
            let shown = components.iter().filter(|one| one.letter != 'X' && one.kind != Numeric::Typeless);
            let fixed = components.iter().any(|one| matches!(one.kind, Numeric::Unorm | Numeric::Snorm));
            let bits = shown.map(|one| match (one.kind, one.bits) {
                (Numeric::Float, bits @ 0..=11) => bits as u32 - 5,
                (Numeric::Float, 16) => 10,
                (Numeric::Unorm, bits) => bits as u32,
                (Numeric::Snorm, bits) => bits as u32 - 1,
                _ => 24,
            });
            (fixed, bits.min().unwrap_or(24))
        }
        Codec::SharedExponent => (false, 8),
        Codec::Packed422(_) | Codec::Planar(_) => (true, 8),
        // The colour ramps of blocks are made from 8-bit colours, those of BC6H and of ASTC's HDR profile from half floats.
        Codec::Bc | Codec::Astc if format.unorm => (true, 8),
        Codec::Bc if format.name.contains("SNORM") => (true, 7),
        Codec::Bc | Codec::Astc => (false, 10),
        Codec::Etc | Codec::Fxt1 => (true, 8),
    }
}

/// Returns a job with the slack that an engine with these limits is allowed; `None`: only the rounding of f32 is allowed.
pub fn bound<'a>(bound: BoundJob<'a>, limits: Option<DeviceLimits>) -> BoundJob<'a> {
    match limits {
        Some(limits) => {
            let slack = slack(limits, &bound);
            bound.with_slack(slack)
        }
        None => bound,
    }
}

/// Returns how far a device with these limits may be off for a job's surface.
fn slack(limits: DeviceLimits, bound: &BoundJob<'_>) -> Slack {
    let (fixed, bits) = bound.surface.format.as_ref().map_or((false, 24), precision);
    // A fixed-point format is converted and filtered with the precision of its own bits, a float format with that of its mantissa. The
    // ramps of blocks are computed from rounded end points, so that more is allowed for them.
    let blocks = bound.surface.format.as_ref().is_some_and(|format| matches!(format.codec, Codec::Bc));
    let steps = if blocks { 2.0 } else { 1.5 };
    let (value, relative) = if fixed { (steps * step(bits), 0.0) } else { (0.0, step(bits)) };
    // At its steepest, the sRGB curve is 2.3 times as steep as a straight line.
    let srgb = bound.surface.format.as_ref().is_some_and(|format| format.srgb);
    let value = if srgb { 2.3 * value } else { value };
    Slack { texel: step(limits.texel_bits), lod: step(limits.mip_bits), value, relative, reference: value }
}
