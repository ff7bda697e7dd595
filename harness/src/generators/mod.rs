//! generators

pub mod gen_native;
pub mod placed;
pub mod trace;
pub mod txq;
pub mod visa;
