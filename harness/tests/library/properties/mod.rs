//! The properties of the fuzz targets on random inputs, and that the generators reach what the properties are for.

mod device;
mod device_binary;
mod execute;
mod format;
mod gen_native;
mod machine;
mod observe;
mod state;
mod trace;
mod txq;
mod visa;
mod wires;
