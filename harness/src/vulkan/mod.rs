//! Any Vulkan device as an engine: jobs become images, views, samplers and one dispatch or draw for many jobs of a state.
//!
//! - [`VulkanEngine`] drives a device in this process; [`VulkanModel`] one in a process of its own, which may crash.
//! - [`serve`] is that process: `texwire serve --engine vulkan --framed`.
//! - `plan` decides what a job is in Vulkan's terms, or why it is none; `shader` makes the shaders; `group` and `engine` run them.
//!
//! # What is executed
//!
//! | messages | where |
//! |---|---|
//! | explicit LOD, gradients, gather4, ld, sizes | a compute shader, a lane a thread |
//! | derivatives (sample, _b, _c, _b_c, killpix, LOD) | a fragment shader: a subspan is a quad of 2x2 pixels, inactive lanes among them |
//!
//! The image holds every level and slice of the view, copied by the emulator's addresses. A format that the device does not offer, or whose
//! numbers Vulkan leaves open (a border colour out of range), is decoded by the emulator to four floats or integers: "widened".
//!
//! # What the engine itself does
//!
//! 16-bit parameters are widened, 16-bit results rounded to nearest even. NaN coordinates of messages without derivatives are
//! taken as the emulator takes them; other values that Vulkan leaves undefined (infinite coordinates, NaN in derivatives or
//! references) reach the device as they are. References are held to 0..=1 for UNORM. The channel select of a comparison and texels out of range whose level, layer or sample Vulkan
//! leaves undefined are the engine's. ld adds its offsets before the device sees them. gather4 of a level samples a view of that level.
//!
//! Everything that Vulkan cannot express is declined with a constant reason.
//!
//! The only unsafe code of the harness is here: calls of the Vulkan API, which is unsafe as a whole. Handles free themselves
//! (`Owned` of `device`), and every submission is waited for before its handles go.
#![allow(unsafe_code)]

mod child;
mod device;
mod engine;
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
pub use engine::VulkanEngine;
pub use info::{DeviceInfo, Offers, Options};
pub use model::{TIMEOUT, VulkanModel};
