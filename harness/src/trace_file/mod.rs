//! Traces on the host: writing them, and following their state so that another engine can replay them.

pub mod coverage;
pub mod executor;
mod gen_native;
mod integrity;
mod memory;
mod segment;
mod state;
mod visa;
mod writer;

pub use integrity::Integrity;
pub use memory::MemoryMap;
pub use segment::Segment;
pub use state::TraceState;
pub use writer::{RecordingEngine, TraceWriter};
