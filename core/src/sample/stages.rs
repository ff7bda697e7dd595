//! The stages of sampling as a table of kernels (function pointers), compiled once for every level of vector instructions.
//!
//! A stage is a plain loop over the lanes of a pass; the target features of the function it is compiled into decide how wide its vectors
//! are. Every vector level gives the same bits: results are IEEE operations in a fixed order, and Rust never fuses them by itself.
//!
//! [`Stages::BASELINE`] has the features of the crate's target. A host that can tell at run time what its processor has calls `avx2` or
//! `avx512` once (both are safe functions with target features, the form that dispatch crates call) and keeps the table.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod fetch_16_bytes;
#[cfg(target_arch = "x86_64")]
mod fetch_pairs;
#[cfg(target_arch = "x86_64")]
mod fetch_texels;
mod functions;
#[cfg(target_arch = "x86_64")]
mod half_floats;
mod kernel;
#[cfg(target_arch = "x86_64")]
mod page_lookup;
#[cfg(target_arch = "x86_64")]
mod palette;
mod placement;
pub(super) mod stored_blocks;
mod table;
#[cfg(target_arch = "x86_64")]
mod tiles;
#[cfg(target_arch = "x86_64")]
mod vector_256;

pub use functions::Stages;
pub(super) use functions::{PayloadStages, Placement};
#[cfg(target_arch = "x86_64")]
pub use {avx512::avx512, table::avx2};

/// The table behind [`Stages::BASELINE`]. It is an item of its own so that only the kernels it refers to are compiled: small targets leave
/// out most of them.
static BASELINE: Stages = table::baseline();

impl Stages {
    /// The stages with the features of the crate's target.
    pub const BASELINE: &'static Self = &BASELINE;
}
