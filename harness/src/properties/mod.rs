//! Every property once: called by the tests (bolero) and by the fuzz targets. A property panics when it does not hold.

pub mod execute;
pub mod format;
pub mod gen_native;
pub mod state;
pub mod trace;
pub mod txq;
pub mod visa;
