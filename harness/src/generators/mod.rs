//! generators

pub mod placed;
pub mod trace;
pub mod txq;
pub mod visa;
