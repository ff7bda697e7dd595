//! An interpreter of Gen9 and Gen11 execution units (EUs) that runs whole kernels of device binaries.
//!
//! ```text
//!  device binary ─▶ Program (instructions, decoded once) ─┐
//!  arguments, NDRange ─▶ launch: memory, states, payloads ─┼─▶ groups ─▶ threads ─▶ buffers, images, sampler messages
//!                                                          └─ patch tokens
//! ```
//! Instructions are decoded by the core ([`texwire::eu`]), which also has the sampler ([`texwire::device`]). Work groups run on all
//! cores; the threads of a group take turns on one core and switch at barriers. Results do not depend on the number of cores.
//! Behaviour that no published source defines is marked in the specification that the modules follow.

pub mod alu;
pub mod case;
pub mod error;
pub mod flow;
pub mod group;
pub mod image;
pub mod instruction_index;
pub mod interpreter;
pub mod lanes;
pub mod launch;
pub mod memory;
pub mod message;
pub mod operand;
pub mod out_of_bounds;
pub mod printf;
pub mod program;
pub mod registers;
pub mod sampler_record;
pub mod snippet;
pub mod text;
pub mod thread;
pub mod watch;

pub use error::{Error, ErrorLocation, Result};
pub use memory::{AllocationUse, LaunchMemory};
pub use out_of_bounds::OutOfBoundsCounts;
pub use program::{Action, PreparedInstruction, Program};
pub use sampler_record::SamplerRecord;
