//! Generators of structured inputs from bytes: those of a fuzzer or a property test, or random ones of a seed.
//!
//! Each generator documents its weights. [`kinds`] lists the generators by name.

pub mod blocks;
pub mod covering_trace;
pub mod device_binary;
pub mod endless;
pub mod extreme;
pub mod flipped;
pub mod gen_native;
pub mod job;
pub mod kinds;
pub mod large;
pub mod machine;
pub mod placed;
pub mod plain;
pub mod random;
pub mod state;
pub mod surface;
pub mod surface_shape;
pub mod trace;
pub mod txq;
pub mod visa;
