//! An execution unit of Gen9 and Gen11 that runs whole kernels of device binaries.
//!
//! ```text
//!  device binary ─▶ Program (instructions, decoded once) ─┐
//!  arguments, NDRange ─▶ launch: memory, states, payloads ─┼─▶ groups ─▶ threads ─▶ buffers, images, sampler messages
//!                                                          └─ patch tokens
//! ```
//! Decoding is the core's ([`texwire::eu`]), so is the sampler ([`texwire::device`]). Groups run on all cores, the threads of a group
//! one after another, changing at barriers; results do not depend on the number of cores.
//! Behaviour that no published source settles is marked in the specification that the modules follow.

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
pub mod outside;
pub mod printf;
pub mod program;
pub mod registers;
pub mod sampler_record;
pub mod snippet;
pub mod text;
pub mod thread;
pub mod watch;

pub use error::{Fault, Place, Result};
pub use memory::{Memory, Use};
pub use outside::Outside;
pub use program::{Action, Instruction, Program};
pub use sampler_record::SamplerRecord;
