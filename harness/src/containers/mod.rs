//! Files that hold messages, states and pictures, turned into what the core wants.

pub mod cubin;
pub mod device_binary;
pub mod limits;
pub mod picture;
pub mod texture_file;
