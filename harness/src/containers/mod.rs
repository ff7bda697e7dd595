//! Parsers of files that hold messages, states and pictures.

pub mod cubin;
pub mod device_binary;
pub mod limits;
pub mod picture;
pub mod texture_file;
