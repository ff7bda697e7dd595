//! generators

pub mod gen_native;
pub mod job;
pub mod placed;
pub mod state;
pub mod surface;
pub mod trace;
pub mod txq;
pub mod visa;
