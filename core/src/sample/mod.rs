//! Execution of sampler messages.
//!
//! [`Texture::bind`] and [`Sampler::bind`] check and decode states once; [`Texture::execute`] runs a message:
//!
//! ```text
//! parameters -> array index, face -> LOD -> mip levels -> texel addresses -> texels -> compare
//!            -> filter in a mip level -> filter between mip levels -> channel select -> writeback
//! ```
//!
//! A message is executed in passes of up to 16 lanes; each stage is a loop over the lanes of a pass. `plan` decides,
//! once for a message, what does not depend on lanes; `direct` runs messages that need no decision between stages,
//! `general` every message.
//!
//! Numbers are f32 with IEEE rounding and no fused operations; a NaN result is
//! 0x7fc00000: the same bits on every target. Behaviour that the documents leave
//! undefined is in `unspecified`, by identifiers U01 and up.
//!
//! Work is bounded: a lane reads at most 16 anisotropic samples x 8 texels x 2 mip levels.

mod bind;
mod direct;
mod fetch;
mod filter;
mod general;
mod lanes;
mod levels;
mod observe;
mod params;
mod place;
mod plan;
mod prepare;
mod rounding;
mod scratch;
pub mod stages;
#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]
mod tests;
mod unspecified;
mod writeback;

pub use bind::sampler::{Precision, Sampler};
pub use bind::texture::Texture;
pub use observe::LaneLod;
pub(crate) use observe::LoadedTexel;
pub use prepare::Prepared;
pub use scratch::Scratch;
pub use stages::Stages;
pub use writeback::Outcome;
