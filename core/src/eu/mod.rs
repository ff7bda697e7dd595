//! Intel Gen native code: the instruction stream and its sampler messages.
//!
//! ```text
//!  bytes ─▶ Stream ─▶ Instruction ─▶ SendInstruction ─▶ Descriptor, MessageHeader ─▶ Message + Payload
//!                                     │
//!                                     └─▶ text, as the reference disassembler prints it
//! ```
//! Gen9 and Gen11 share one encoding with two forms of send (`send`, and `sends` with a second
//! payload block); Gen12 (Xe-LP, Xe-HPG) has one form. The bit positions of a send's fields are
//! defined once, in [`fields`], for decoding, encoding and explaining.

pub mod assemble;
mod common;
mod compaction;
pub mod descriptor;
mod encode;
mod execution;
pub mod fields;
mod form;
mod functions;
mod header;
mod instruction;
mod lower;
mod names;
mod opcode;
mod operand;
mod operands;
pub mod payload;
mod send;
mod stream;
pub mod text;
mod validate;
mod xe2;

pub use crate::enums::DataType;
pub use common::{CommonFields, OperandKind};
pub use descriptor::{Descriptor, SimdMode};
pub use execution::{ExecutionControl, PredicateControl};
pub use form::{DescriptorSource, Form};
pub use header::MessageHeader;
pub use instruction::Instruction;
pub use lower::Runtime;
pub(crate) use lower::stride;
pub use opcode::{Encoding, Opcode};
pub use operand::{Operand, RegisterFile};
pub use operands::{DestinationOperand, Jump, Location, Operands, RegisterRegion, SourceOperand};
pub use send::SendInstruction;
pub use stream::Stream;
pub use validate::GenRule;
pub use xe2::Xe2Descriptor;

#[cfg(test)]
mod tests;
