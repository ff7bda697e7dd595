//! Sampler arguments.

use texwire::state::{AddressMode, Filter, MipFilter, SamplerState};

/// OpenCL's addressing mode: what is read outside the image. The numbers are those of OpenCL C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SamplerWrap {
    /// Undefined outside the image; here as [`ClampToEdge`](Self::ClampToEdge).
    None = 0,
    /// The border colour.
    Clamp = 1,
    /// The texel at the edge.
    #[default]
    ClampToEdge = 2,
    /// The image repeats.
    Repeat = 3,
    /// The image repeats, and every other repetition is mirrored.
    MirroredRepeat = 4,
}

/// OpenCL's filter mode.
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
    /// Coordinates are normalized (0 to 1 over the image), else in texels.
    pub normalized: bool,
    /// Addressing mode.
    pub wrap: SamplerWrap,
    /// Filter mode.
    pub filter: SamplerFilter,
}

impl SamplerWrap {
    /// The modes' names in cases and on the command line.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("none", Self::None),
        ("clamp_to_edge", Self::ClampToEdge),
        ("clamp", Self::Clamp),
        ("repeat", Self::Repeat),
        ("mirrored_repeat", Self::MirroredRepeat),
    ];
}

/// The maximum LOD that the compiler writes: 14.0.
const MAX_LOD: u32 = 0xe00;

impl SamplerValue {
    /// Returns `state`, the compiler's template, with the fields set that depend on the argument, as the compiler sets them for constant samplers.
    pub fn fill(&self, mut state: SamplerState) -> SamplerState {
        let mode = match self.wrap {
            SamplerWrap::None | SamplerWrap::ClampToEdge => AddressMode::Clamp,
            SamplerWrap::Clamp => AddressMode::ClampBorder,
            SamplerWrap::Repeat => AddressMode::Wrap,
            SamplerWrap::MirroredRepeat => AddressMode::Mirror,
        };
        let linear = self.filter == SamplerFilter::Linear;
        let filter = if linear { Filter::Linear } else { Filter::Nearest };
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

    /// Returns the value of data parameter 14: the addressing mode as OpenCL C numbers it.
    pub const fn addressing_code(&self) -> u32 {
        self.wrap as u32
    }

    /// Returns the value of data parameter 15: whether coordinates are normalized, as OpenCL C numbers it.
    pub const fn normalized_code(&self) -> u32 {
        if self.normalized { 8 } else { 0 }
    }

    /// Returns the value of data parameter 21: all ones if coordinates must be snapped, as for nearest filtering with a border; else 0.
    pub const fn snap_code(&self) -> u32 {
        if matches!((self.filter, self.wrap), (SamplerFilter::Nearest, SamplerWrap::Clamp)) {
            u32::MAX
        } else {
            0
        }
    }
}
