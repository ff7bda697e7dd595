//! `texwire run`: the kernels of a device binary on pictures.
//!
//! ```text
//!   device binary ──whole──▶ machine: the kernel itself, its messages compared with the oracle
//!                 ──plan──▶ Shot (instruction, image, sampler) ──image_argument──▶ bound picture (kernels that the
//!                                                             ──execute──▶ picture, counts        machine cannot run)
//! ```

pub mod execute;
pub mod grid;
pub mod paint;
pub mod plan;
pub mod record;
pub mod scene;
pub mod whole;
