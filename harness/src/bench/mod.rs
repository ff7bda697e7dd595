//! Workloads that `texwire bench` measures.
//!
//! A workload is a closure that does a known amount of work; [`measure`] runs it a few times and takes the median. Workloads run in this
//! process on one thread (those named `all_cores_*` on several), and only the processor's caches keep anything between runs.

mod aligned;
pub mod decoding;
pub mod describe;
pub mod embedding;
pub mod kernels;
pub mod pairs;
mod parameters;
mod random;
pub mod sampling;
mod scene;
pub mod state;
pub mod states;
mod workload;

pub use workload::{Amount, Measurement, Workload, measure};

use state::CoordinateOrder;

/// Makes a workload when it is about to be measured.
pub type Make = Box<dyn FnOnce() -> Result<Workload, String>>;

/// Returns every workload by name. `reads`: see [`sampling::workload`].
pub fn all(reads: bool) -> impl Iterator<Item = (&'static str, Make)> {
    let sampling = sampling::WORKLOADS.into_iter().flat_map(move |(name, _)| {
        [CoordinateOrder::Coherent, CoordinateOrder::Random]
            .map(|pattern| (name, Box::new(move || sampling::workload(name, pattern, reads)) as Make))
    });
    let decoding =
        decoding::WORKLOADS.into_iter().map(|(name, make)| (name, Box::new(move || Ok(make())) as Make));
    let kernels = kernels::WORKLOADS.into_iter().map(|(name, make)| (name, Box::new(make) as Make));
    let embedding = embedding::WORKLOADS.into_iter().map(|(name, make)| (name, Box::new(make) as Make));
    sampling.chain(decoding).chain(kernels).chain(embedding)
}
