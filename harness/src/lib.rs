//! texwire's harness: everything around the core that may use std.
//!
//! - [`emulator`]: the oracle. Reads like the specification, shares no code with the core.
//! - [`engine`]: the interface of what executes sampler jobs: the core, the emulator, somebody else's model.
//! - [`core_engine`]: the core behind that interface.
//! - [`compare`]: what counts as equal, and the rules by which an engine may differ from the emulator.
//! - `vulkan`: any Vulkan device as an engine (feature `vulkan`).
//! - [`explain`]: instructions and state structures in words.
//! - [`devices`]: Vulkan devices by name.
//! - [`external`]: another process as an engine (`guarded`: child processes that end with this one).
//! - [`footprint`]: the texels that the lanes of a message read, as text and picture.
//! - [`trace_file`]: writing traces, and the state in them as jobs.
//! - [`wires`]: the trait `Wire` and the list of all wires, from which commands and fuzz targets work.
//! - [`fuzz_diff`]: campaigns of random jobs, and their reports.
//! - [`run`]: the demo: the messages of a real kernel on pictures.
//! - [`machine`]: an execution unit that runs whole kernels.
//! - [`image_argument`]: pictures as the image arguments of a kernel.
//! - [`textures`]: PNG, JPEG, DDS and KTX2 files to surfaces and back.
//! - [`containers`]: files that hold messages, states and pictures.
//! - [`generators`], [`properties`]: random inputs, and what must hold for them; shared by property tests and fuzz targets.
//! - [`prove`]: exhaustive comparison of core and oracle on small domains.
//! - [`report`]: surfaces, samplers and messages on one HTML page.
//! - [`output`], [`interrupt`]: output files that are either complete or absent, also after Ctrl-C.
//! - [`seeds`]: corpora and dictionaries of the fuzz targets.
//! - [`codegen`]: generates the enumerations from their tables.
//! - [`check`]: comparison with ground truth, and its executable cases.
//!
//! Modules that only the command line with its campaigns and reports needs have the feature `command` (on by default). Fuzz targets, and
//! tests of other projects that use engines and generators, build without it and without its dependencies.

// Output goes through `console`, where a full disk is an error and a closed pipe is not.
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
