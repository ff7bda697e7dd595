//! Samplers of arguments.

use texwire::state::{AddressMode, Filter, MipFilter, SamplerState};

/// What happens outside the image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SamplerWrap {
    /// Undefined: as to the edge.
    None,
    /// The edge's texel.
    #[default]
    ClampToEdge,
    /// The border colour.
    Clamp,
    /// The image repeats.
    Repeat,
    /// The image repeats, every other time mirrored.
    MirroredRepeat,
}

/// How texels make a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SamplerFilter {
    /// The nearest texel.
    #[default]
    Nearest,
    /// Linear interpolation.
    Linear,
}

/// A sampler argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SamplerValue {
    /// Coordinates from 0 to 1.
    pub normalized: bool,
    /// Outside the image.
    pub wrap: SamplerWrap,
    /// Filter.
    pub filter: SamplerFilter,
}

impl SamplerWrap {
    /// The names in cases and on the command line.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("none", Self::None),
        ("clamp_to_edge", Self::ClampToEdge),
        ("clamp", Self::Clamp),
        ("repeat", Self::Repeat),
        ("mirrored_repeat", Self::MirroredRepeat),
    ];
}

/// Highest LOD, 14.0, as the compiler writes it.
const MAX_LOD: u32 = 0xe00;

impl SamplerValue {
    /// Fills the compiler's template: the fields as the compiler writes them for constant samplers.
    pub fn fill(&self, template: SamplerState) -> SamplerState {
        let mode = match self.wrap {
            SamplerWrap::None | SamplerWrap::ClampToEdge => AddressMode::Clamp,
            SamplerWrap::Clamp => AddressMode::ClampBorder,
            SamplerWrap::Repeat => AddressMode::Wrap,
            SamplerWrap::MirroredRepeat => AddressMode::Mirror,
        };
        let linear = self.filter == SamplerFilter::Linear;
        let filter = if linear { Filter::Linear } else { Filter::Nearest };
        let mut state = template;
        state
            .set_mag_filter(filter)
            .set_min_filter(filter)
            .set_mip_filter(MipFilter::Nearest)
            .set_address_modes([mode; 3])
            .set_non_normalized(!self.normalized)
            .set_rounding(linear)
            .set_max_lod(MAX_LOD);
        state
    }

    /// Patch token 14: the addressing mode's enumeration of OpenCL C.
    pub const fn addressing_code(&self) -> u32 {
        match self.wrap {
            SamplerWrap::None => 0,
            SamplerWrap::Clamp => 1,
            SamplerWrap::ClampToEdge => 2,
            SamplerWrap::Repeat => 3,
            SamplerWrap::MirroredRepeat => 4,
        }
    }

    /// Patch token 15: the enumeration of OpenCL C.
    pub const fn normalized_code(&self) -> u32 {
        if self.normalized { 8 } else { 0 }
    }

    /// Patch token 21: all ones where coordinates must be snapped before nearest filtering with a border.
    pub const fn snap_code(&self) -> u32 {
        if matches!((self.filter, self.wrap), (SamplerFilter::Nearest, SamplerWrap::Clamp)) {
            u32::MAX
        } else {
            0
        }
    }
}
