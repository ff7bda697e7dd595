//! Any Vulkan device as an engine: jobs become images, views, samplers, and one dispatch or draw for many jobs that share a state.
//!
//! - [`VulkanModel`] is the engine: it has a device driven by a process of its own, which may crash.
//! - [`serve`] is that process: `texwire serve --engine vulkan --framed`.
//! - `plan` translates a job to Vulkan, or says why that is impossible; `shader` makes the shaders; `group` and `engine` run them.
//!
//! # What is executed
//!
//! | messages | where |
//! |---|---|
//! | explicit LOD, gradients, gather4, ld, sizes | a compute shader, one thread for each lane |
//! | derivatives (sample, _b, _c, _b_c, killpix, LOD) | a fragment shader: a subspan is a quad of 2x2 pixels, inactive lanes among them |
//!
//! The image holds every level and slice of the view, copied from the addresses that the emulator computes. If the device does not offer
//! the format, or Vulkan leaves results open (a border colour out of range), the emulator decodes texels to four floats or integers: the
//! image is "widened".
//!
//! # What the engine itself does
//!
//! 16-bit parameters are converted to 32 bits, 16-bit results are rounded to nearest even. NaN coordinates of messages without
//! derivatives are replaced as in the emulator; other values that Vulkan leaves undefined (infinite coordinates, NaN in derivatives or
//! references) reach the device unchanged. References are clamped to 0..=1 for UNORM. The engine applies the channel select of
//! comparisons, returns the texels of lanes whose level, layer or sample is out of range where Vulkan leaves them undefined, and adds
//! the offsets of ld to its coordinates. gather4 of a level samples a view of that level.
//!
//! Everything that Vulkan cannot express is declined with a constant reason.
//!
//! The only unsafe code of the harness is here: calls of the Vulkan API, which is unsafe as a whole. Handles free themselves
//! (`Owned` of `device`), and every submission is waited for before its handles are dropped.
#![allow(unsafe_code)]

mod child;
mod device;
mod engine;
mod features;
mod formats;
mod frames;
mod group;
mod info;
mod memory;
mod model;
mod pipelines;
mod plan;
mod results;
mod shader;

pub use child::{ABORT_AT, HANG_AT, VALIDATE, serve};
pub use device::devices;
pub use info::{DeviceFeatures, DeviceInfo, DeviceOptions};
pub use model::{TIMEOUT, VulkanModel};
