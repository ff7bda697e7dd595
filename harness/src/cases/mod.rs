//! Executable ground truth: cases read from its files, run on an engine.

pub mod headers;
