//! Binding of samplers: a sampler state is decoded once into a [`Sampler`].

use super::refuse::refuse;
use crate::error::{Kind, Result, What};
use crate::format::Texel;
use crate::sample::filter::Reduction;
use crate::state::{
    AddressMode, ChromaKeyMode, Filter as FilterCode, LodPreclamp, MipFilter, ReductionType, SamplerState,
};

/// The precision of filter weights and LODs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Precision {
    /// Float weights, exact LOD.
    #[default]
    Float,
    /// 8-bit fractions of texel coordinates and LOD, as in hardware.
    Fixed8,
}

/// The filter within one mip level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) enum Filter {
    Nearest,
    Linear,
    Anisotropic,
}

/// The mip filter: how many mip levels are read, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) enum Mip {
    None,
    Nearest,
    Linear,
}

/// A decoded sampler state, with the caller's options ([precision](Self::with_precision), [coarse-pixel LOD](Self::with_cps_lod)).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sampler {
    pub(crate) disable: bool,
    /// A chroma key that kills lanes is enabled. It affects only the kill mask.
    pub(crate) chroma_key: bool,
    pub(crate) preclamp: bool,
    pub(crate) mip: Mip,
    pub(crate) mag: Filter,
    pub(crate) min: Filter,
    pub(crate) lod_bias: f32,
    pub(crate) min_lod: f32,
    pub(crate) max_lod: f32,
    pub(crate) magnify_by_mip_filter: bool,
    pub(crate) max_anisotropy: f32,
    pub(crate) shadow: u8,
    /// Cubes are filtered across the edges of their faces (U23).
    pub(crate) seamless: bool,
    pub(crate) border: Texel,
    /// Address rounding enables of U, V and R: those of magnification, then those of minification.
    pub(crate) rounding: [[bool; 3]; 2],
    pub(crate) trilinear_quality: u8,
    pub(crate) normalized: bool,
    pub(crate) reduction: Reduction,
    pub(crate) wrap: [AddressMode; 3],
    pub(crate) srgb_skip_decode: bool,
    pub(crate) precision: Precision,
    pub(crate) cps_lod: f32,
}

impl Sampler {
    /// Decodes a sampler state and its border colour (SAMPLER_BORDER_COLOR_STATE: f32 bits or integers).
    ///
    /// # Errors
    /// `Reserved` filter or mip filter codes, `Unsupported` MONO filter, chroma key that replaces texels, returned filter
    /// weights, forced gather4. The error's offset and bit are those of the field in SAMPLER_STATE.
    pub fn bind(state: &SamplerState, border: &[u32; 4]) -> Result<Self> {
        for (set, what, dword, bit) in [
            (state.null_texel_weight(), What::FilterWeightReturn, 2, 2),
            (state.border_texel_weight(), What::FilterWeightReturn, 2, 3),
            (state.force_gather4(), What::ForcedGather4, 2, 5),
            (
                state.chroma_key() && state.chroma_key_mode() == ChromaKeyMode::ReplaceBlack,
                What::ChromaKey,
                1,
                7,
            ),
        ] {
            if set {
                return Err(refuse(Kind::Unsupported, what, dword, bit, 1_u32));
            }
        }
        let filter = |code: FilterCode, bit: u8| match code {
            FilterCode::Nearest => Ok(Filter::Nearest),
            FilterCode::Linear => Ok(Filter::Linear),
            FilterCode::Anisotropic => Ok(Filter::Anisotropic),
            FilterCode::Mono => Err(refuse(Kind::Unsupported, What::Filter, 0, bit, code.code())),
            FilterCode::Reserved(code) => Err(refuse(Kind::Reserved, What::Filter, 0, bit, code)),
        };
        let mip = match state.mip_filter() {
            MipFilter::None => Mip::None,
            MipFilter::Nearest => Mip::Nearest,
            MipFilter::Linear => Mip::Linear,
            MipFilter::Reserved(code) => return Err(refuse(Kind::Reserved, What::MipFilter, 0, 20, code)),
        };
        let wrap @ [u, ..] = state.address_modes();
        Ok(Self {
            disable: state.disable(),
            chroma_key: state.chroma_key(),
            preclamp: state.lod_preclamp() == LodPreclamp::Ogl,
            mip,
            mag: filter(state.mag_filter(), 17)?,
            min: filter(state.min_filter(), 14)?,
            lod_bias: state.lod_bias() as f32 / 256.0,
            min_lod: state.min_lod() as f32 / 256.0,
            max_lod: state.max_lod() as f32 / 256.0,
            magnify_by_mip_filter: state.lod_clamp_mag_mip_filter(),
            max_anisotropy: state.max_anisotropy() as f32,
            shadow: state.shadow_function().code(),
            seamless: state.cube_control_override() || u == AddressMode::Cube,
            border: *border,
            rounding: [state.mag_rounding(), state.min_rounding()],
            trilinear_quality: state.trilinear_quality().code(),
            normalized: !state.non_normalized(),
            reduction: match state.reduction() {
                Some(ReductionType::Minimum) => Reduction::Minimum,
                Some(ReductionType::Maximum) => Reduction::Maximum,
                _ => Reduction::Mean,
            },
            wrap,
            srgb_skip_decode: state.srgb_skip_decode(),
            ..Self::none()
        })
    }

    /// Returns a sampler for messages that use none (`ld`, `resinfo`, ...): that of a state whose fields are all 0.
    pub const fn none() -> Self {
        Self {
            disable: false,
            chroma_key: false,
            preclamp: false,
            mip: Mip::None,
            mag: Filter::Nearest,
            min: Filter::Nearest,
            lod_bias: 0.0,
            min_lod: 0.0,
            max_lod: 0.0,
            magnify_by_mip_filter: false,
            max_anisotropy: 2.0,
            shadow: 0,
            seamless: false,
            border: [0; 4],
            rounding: [[false; 3]; 2],
            trilinear_quality: 0,
            normalized: true,
            reduction: Reduction::Mean,
            wrap: [AddressMode::Wrap; 3],
            srgb_skip_decode: false,
            precision: Precision::Float,
            cps_lod: 0.0,
        }
    }

    /// Returns the sampler with another precision.
    #[must_use]
    pub const fn with_precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    /// Returns the sampler with a coarse-pixel term: log2 of the coarse pixel's rate, added to the LOD of messages that
    /// ask for compensation ([`Message::cps`](crate::Message::cps)).
    #[must_use]
    pub const fn with_cps_lod(mut self, lod: f32) -> Self {
        self.cps_lod = lod;
        self
    }
}

impl Default for Sampler {
    fn default() -> Self {
        Self::none()
    }
}
