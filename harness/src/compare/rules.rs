//! By which rules an engine may differ from the emulator.
//!
//! The core may be off by the roundings of f32 alone. A device of another kind has documents of its own: of a Vulkan device the
//! limits and the chapters below say how far a result may be off, and where nothing says what it is.

use crate::emulator::formats::{Format, Layout};
use crate::emulator::numbers::Kind;
use crate::emulator::sample::Bound;
use crate::emulator::sample::nudge::Slack;
use crate::engine::Limits;
use serde::{Deserialize, Serialize};

/// A rule, as reports name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Precision of converted and filtered values.
    ValuePrecision,
    /// Sub-texel bits.
    TexelPrecision,
    /// Mip bits.
    MipPrecision,
    /// The scale factor of derivatives.
    Derivatives,
    /// Precision of a comparison's reference.
    Reference,
    /// NaN and infinity.
    NotFinite,
    /// Coordinates far outside.
    FarCoordinate,
    /// The taps of anisotropic filtering.
    Anisotropy,
    /// MIN or MAX over two levels.
    ReducedLevels,
    /// Texels that are no finite numbers.
    TexelNotFinite,
    /// The corner of a cube.
    CubeCorner,
    /// A quad on several faces of a cube.
    SeveralFaces,
    /// Coordinates that are denormal.
    Denormal,
    /// A LOD or tap that f32 cannot tell.
    IllConditioned,
}

impl Rule {
    /// All of them.
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

    /// Its identifier, what it says, and where that is written.
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

    /// Its identifier.
    pub const fn id(self) -> &'static str {
        self.about().0
    }
}

/// 2 to the minus `bits`; of more than a float has none are of use.
fn step(bits: u32) -> f64 {
    2f64.powi(-(bits.min(24) as i32))
}

/// Whether a format's channels are fixed-point numbers, and the bits of the smallest channel's fraction or mantissa.
fn precision(format: &Format) -> (bool, u32) {
    match &format.layout {
        Layout::Components(components) => {
            let shown = components.iter().filter(|one| one.letter != 'X' && one.kind != Kind::Typeless);
            let fixed = components.iter().any(|one| matches!(one.kind, Kind::Unorm | Kind::Snorm));
            let bits = shown.map(|one| match (one.kind, one.bits) {
                (Kind::Float, bits @ 0..=11) => bits as u32 - 5,
                (Kind::Float, 16) => 10,
                (Kind::Unorm, bits) => bits as u32,
                (Kind::Snorm, bits) => bits as u32 - 1,
                _ => 24,
            });
            (fixed, bits.min().unwrap_or(24))
        }
        Layout::SharedExponent => (false, 8),
        Layout::Packed422(_) | Layout::Planar(_) => (true, 8),
        // Ramps of blocks are made of 8-bit colours, those of BC6H and of ASTC's HDR profile of halves.
        Layout::Bc | Layout::Astc if format.unorm => (true, 8),
        Layout::Bc if format.name.contains("SNORM") => (true, 7),
        Layout::Bc | Layout::Astc => (false, 10),
        Layout::Etc | Layout::Fxt1 => (true, 8),
    }
}

/// A job as it is compared with an engine of such limits; `None`: one that rounds as f32 does.
pub fn bound<'a>(bound: Bound<'a>, limits: Option<Limits>) -> Bound<'a> {
    match limits {
        Some(limits) => {
            let slack = slack(limits, &bound);
            bound.with_slack(slack)
        }
        None => bound,
    }
}

/// How far a device of such limits may be off for a job's surface.
fn slack(limits: Limits, bound: &Bound<'_>) -> Slack {
    let (fixed, bits) = bound.surface.format.as_ref().map_or((false, 24), precision);
    // A fixed-point format converts and filters with its own bits, a float format with its mantissa's.
    // Ramps of blocks are computed from rounded end points.
    let blocks = bound.surface.format.as_ref().is_some_and(|format| matches!(format.layout, Layout::Bc));
    let steps = if blocks { 2.0 } else { 1.5 };
    let (value, relative) = if fixed { (steps * step(bits), 0.0) } else { (0.0, step(bits)) };
    // The sRGB curve is 2.3 times as steep at its end as a straight line.
    let srgb = bound.surface.format.as_ref().is_some_and(|format| format.srgb);
    let value = if srgb { 2.3 * value } else { value };
    Slack { texel: step(limits.texel_bits), lod: step(limits.mip_bits), value, relative, reference: value }
}
