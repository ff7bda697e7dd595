//! `texwire run`: the kernels of a device binary on pictures.
//!
//! ```text
//!   device binary ──kernel_run──▶ machine: the kernel itself, its messages compared with the oracle
//!                 ──plan──▶ PlannedMessage (instruction, image, sampler) ──image_argument──▶ bound picture (kernels that the
//!                                                                       ──execute──▶ picture, counts        machine cannot run)
//! ```

pub mod execute;
pub mod grid;
pub mod kernel_run;
pub mod paint;
pub mod parameters;
pub mod plan;
pub mod record;
