//! Files that hold messages, states and pictures.

pub mod cubin;
