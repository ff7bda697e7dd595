//! generators

pub mod trace;
pub mod txq;
