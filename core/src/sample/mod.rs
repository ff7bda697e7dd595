//! Execution of sampler messages.
//!
//! [`Texture::bind`] and [`Sampler::bind`] decide once what does not depend on lanes;
//! [`Texture::execute`] runs a message:
//!
//! ```text
//! parameters -> array index, face -> LOD -> levels -> texel addresses -> texels -> compare
//!            -> filter in a level -> filter between levels -> channel select -> writeback
//! ```
//!
//! Numbers are f32 with IEEE rounding and no fused operations; a NaN result is
//! 0x7fc00000: the same bits on every target. Behaviour that the documents leave
//! undefined is in `unspecified`, by identifiers U01 and up.
//!
//! Work is bounded: a lane reads at most 16 taps x 8 texels x 2 levels.

mod address;
mod anisotropic;
mod apart;
mod axis;
mod choose;
mod compare;
mod controls;
mod cube;
mod decoders;
mod direct;
mod edges;
mod elements;
mod execute;
mod fetch;
mod filter;
mod finish;
mod footprint;
mod frames;
mod gather;
mod lanes;
mod level;
mod level_lanes;
mod load;
mod load_rule;
mod lod;
mod log2;
mod mcs;
mod mean;
mod multisample;
mod observe;
mod params;
mod pass;
mod permit;
mod plan;
mod plane;
mod prepare;
mod query;
mod read;
mod refuse;
mod rounding;
mod sampler;
mod scratch;
mod seam;
mod select;
mod settle;
pub mod stages;
mod stored;
#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]
mod tests;
mod texels;
mod texture;
mod unspecified;
mod widen;
mod writeback;

pub use observe::LaneLod;
pub(crate) use observe::LoadedTexel;
pub use prepare::Prepared;
pub use sampler::Sampler;
pub use scratch::Scratch;
pub use stages::Stages;
pub use texture::Texture;
pub use writeback::Outcome;

/// The arithmetic of filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Precision {
    /// Float weights, exact LOD.
    #[default]
    Float,
    /// 8-bit fractions of texel coordinates and LOD, as hardware.
    Fixed8,
}
