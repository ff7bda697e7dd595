//! The main job: the sampler messages of a real kernel, executed over a grid of pixels.
//!
//! ```text
//!   device binary ──plan──▶ Shot (instruction, image, sampler) ──texture──▶ bound picture
//!                                                             ──execute──▶ picture, counts, oracle's agreement
//! ```

pub mod execute;
pub mod grid;
pub mod paint;
pub mod plan;
pub mod record;
pub mod scene;
pub mod texture;
