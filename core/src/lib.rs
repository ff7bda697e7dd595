//! texwire decodes and executes GPU texture-sampler messages.
//!
//! ```text
//!   bytes ──decode──▶ wire view ──lower──▶ Message ──bind──▶ Texture, Sampler ──execute──▶ Writeback
//!         visa, eu, txq            (wire-neutral)    state, memory             LOD, address, fetch, filter
//! ```
//!
//! The crate is `no_std`, allocates nothing, has no `unsafe` and no reachable panic. Every
//! loop is bounded by the input's length or by a constant.
//!
//! # Features
//!
//! Every family of block-compressed formats is a feature (`bc`, `etc`, `astc`); none is on by default. `defmt` implements
//! `defmt::Format` for public types.
#![cfg_attr(feature = "document-features", doc = document_features::document_features!())]
//!
//! `EMBEDDING.md` beside this crate has chapters for simulators in Rust and C++, firmware and Python.
//! `ARCHITECTURE.md` beside this crate says what each module does and may import, and has a glossary.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::std_instead_of_core,
        reason = "a test may panic: that is how it fails"
    )
)]

#[cfg(test)]
extern crate std;

pub mod bits;
pub mod error;
#[macro_use]
pub mod rules;
pub mod platform;

pub mod enums;

pub mod eu;
pub mod txq;
pub mod visa;

pub mod device;
pub mod format;
pub mod memory;
pub mod message;
#[cfg(any(test, kani))]
mod proofs;
pub mod sample;
pub mod state;
pub mod trace;
pub mod transfer;
mod validity;

pub use error::{Error, Kind, Result, What};
pub use message::{Message, Op};
pub use platform::Platform;

/// Compiles and runs the program in the README as a doc-test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
