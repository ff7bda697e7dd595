//! Execution of sampler messages.
//!
//! [`Texture::bind`] and [`Sampler::bind`] check and decode states once; [`Texture::execute`] runs a message:
//!
//! ```text
//! parameters -> array index, face -> LOD -> mip levels -> texel addresses -> texels -> compare
//!            -> filter in a mip level -> filter between mip levels -> channel select -> writeback
//! ```
//!
//! [`Prepared`] does what lies between the two once for many payloads:
//!
//! ```
//! use texwire::memory::LinearMemory;
//! use texwire::message::{MAX_RESPONSE, Message, Op, Payload};
//! use texwire::sample::{Prepared, Sampler, Scratch, Texture};
//! use texwire::state::{SamplerState, SurfaceState};
//! use texwire::transfer::SurfaceDescription;
//! use texwire::{Platform, enums::SurfaceFormat};
//!
//! // One row of two R8_UNORM texels, 0 and 255, at address 0x1000, and SIMD8 sample_lz of U = 0.75 and V = 0.
//! let description = SurfaceDescription::texture_2d(SurfaceFormat::R8_UNORM, 2, 1).with_base_address(0x1000);
//! let texture = Texture::bind(&SurfaceState::new(&description, Platform::Gen11)?, Platform::Gen11)?;
//! let sampler = Sampler::bind(&SamplerState::default(), &[0; 4])?;
//! let prepared = Prepared::new(&texture, &sampler, &Message::new(Op::SampleLz))?;
//!
//! let u: Vec<u8> = [0.75_f32.to_le_bytes(); 8].concat();
//! let mut payload = Payload::new();
//! payload.push(&u)?;
//! payload.push(&[0; 32])?;
//! let (mut scratch, mut result) = (Scratch::new(), [0; MAX_RESPONSE]);
//! let memory = LinearMemory { base: 0x1000, bytes: &[0, 255] };
//! let outcome = prepared.execute(&mut scratch, 0xff, &payload, &memory, &mut result)?;
//! assert_eq!(outcome.faults, 0);
//! assert_eq!(result[..4], 1_f32.to_le_bytes());
//! # Ok::<(), texwire::Error>(())
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
