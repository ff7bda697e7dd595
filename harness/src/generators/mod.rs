//! Structured inputs, made from bytes: what the fuzzer or the property test has, or what a seed gives.
//!
//! Each generator documents its weights. [`kinds`] is the list by name.

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
pub mod trace;
pub mod txq;
pub mod visa;
