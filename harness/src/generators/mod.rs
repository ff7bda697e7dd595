//! generators

pub mod trace;
