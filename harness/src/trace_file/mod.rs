//! Traces on the host: writing them, and following their state so that another engine can replay them.

pub mod cover;
pub mod coverage;
mod gen_native;
mod state;
mod visa;
mod writer;

pub use state::State;
pub use writer::{Recorder, TraceWriter};

#[cfg(test)]
mod tests;
