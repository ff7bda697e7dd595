//! texwire's harness: everything around the core that may use std.
//!
//! - [`emulator`]: the oracle. Reads like the specification, shares no code with the core.
//! - [`core_engine`]: the core behind that interface.
//! - [`engine`]: what can execute a sampler job: the core, the emulator, somebody else's model.
//! - [`compare`]: what equal means, and by which rules an engine may differ from the emulator.
//! - `vulkan`: any Vulkan device as an engine (feature `vulkan`).
//! - [`explain`]: instructions and state structures in words.
//! - [`devices`]: Vulkan devices by name.
//! - [`external`]: another process as an engine (`guarded`: processes that end with this one).
//! - [`footprint`]: what the lanes of a message read, as text and picture.
//! - [`trace_file`]: writing traces, and their state as jobs.
//! - [`wires`]: the trait of a wire and the list of all: what commands and fuzz targets go by.
//! - [`fuzz_diff`]: campaigns of random jobs, and their reports.
//! - [`run`]: the main job: the messages of a real kernel on pictures.
//! - [`machine`]: an execution unit that runs whole kernels.
//! - [`image_argument`]: pictures as the image arguments of a kernel.
//! - [`textures`]: PNG, JPEG, DDS and KTX2 files in surfaces and back.
//! - [`containers`]: files that hold messages, states and pictures.
//! - [`generators`], [`properties`]: what the property tests and the fuzz targets share.
//! - [`prove`]: small domains, every input beside the oracle.
//! - [`report`]: surfaces, samplers and messages on one HTML page.
//! - [`output`], [`interrupt`]: output files that are whole or not there, also after Ctrl-C.
//! - [`seeds`]: corpora and dictionaries of the fuzz targets.
//! - [`codegen`]: makes the enumerations of their tables.
//! - [`check`]: comparison with ground truth, and its executable cases.
//!
//! What only the command line and its campaigns and reports need is there with the feature `command` (on by default): fuzz
//! targets, and tests of other projects that want engines and generators, do without it and without its dependencies.

// `console` prints: a full disk is an error and a closed pipe is none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod bench;
#[cfg(feature = "command")]
pub mod check;
#[cfg(feature = "command")]
pub mod cli;
pub mod codegen;
pub mod compare;
#[cfg(feature = "command")]
pub(crate) mod console;
pub mod containers;
pub mod core_engine;
#[cfg(feature = "command")]
pub mod devices;
pub mod emulator;
pub mod engine;
pub mod explain;
#[cfg(feature = "command")]
pub mod external;
#[cfg(feature = "command")]
pub mod footprint;
#[cfg(feature = "command")]
pub mod fuzz_diff;
pub mod generators;
#[cfg(feature = "command")]
mod guarded;
pub mod hex;
pub mod image_argument;
pub mod interrupt;
pub mod job_memory;
#[cfg(feature = "command")]
pub(crate) mod json;
#[cfg(feature = "command")]
pub mod lines;
pub mod machine;
pub mod output;
pub mod properties;
#[cfg(feature = "command")]
pub mod prove;
#[cfg(feature = "command")]
pub mod report;
#[cfg(feature = "command")]
pub mod run;
pub mod seeds;
pub mod simd;
#[cfg(feature = "command")]
pub mod textures;
pub mod trace_file;
#[cfg(feature = "vulkan")]
pub mod vulkan;
pub mod wires;
