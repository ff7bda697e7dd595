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
//! Numbers are f32 with IEEE rounding, no fused operations, functions of `libm`; a NaN result is
//! 0x7fc00000: the same bits on every target. What the documents leave open is in `guess`.
//!
//! Work is bounded: a lane reads at most 16 taps x 8 texels x 2 levels.

mod address;
mod bind;
mod compare;
mod cube;
mod execute;
#[cfg(feature = "fast")]
mod fast;
mod filter;
mod gather;
mod guess;
mod lanes;
mod load;
mod lod;
mod mcs;
mod plan;
mod query;
mod reader;
mod registers;
mod sampler;
#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]
mod tests;

pub use bind::Texture;
pub use registers::Outcome;
pub use sampler::Sampler;

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
