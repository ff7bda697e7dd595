//! NVIDIA TXQ (texture query), SM 5.0 to 6.2.
//!
//! ```text
//! code section ── Section ──▶ Slot (word + control field) ── Txq::decode ──▶ Txq ── message ──▶ Message
//!                                                                            └──── execute ──▶ R registers
//! ```
//! A [`Section`] walks code in groups of 32 bytes. A [`Txq`] keeps every bit of its word and of
//! its control field, and prints the disassembler's text, which [`Txq::parse`] reads.
//! [`Txq::validate`] returns the rules that an instruction breaks, [`Txq::execute`] answers the
//! header queries.
//!
//! ```
//! use texwire::txq::{Group, SchedulingControl, Section};
//!
//! let bytes = Group { control: 0x7e0, words: [0xdf48_0007_8047_0604, 0, 0] }.to_bytes();
//! let mut section = Section::new(&bytes);
//! while let Some(slot) = section.next_txq()? {
//!     if let Some(txq) = slot.txq()? {
//!         assert_eq!(txq.to_string(), "TXQ R4, R6, TEX_HEADER_DIMENSION, 0x0, 0xf;");
//!         assert_eq!(txq.control(), SchedulingControl::NEUTRAL);
//!     }
//! }
//! # Ok::<(), texwire::Error>(())
//! ```
//!
//! Sources: the TXQ page of the instruction manual (called "the manual" below), the texture
//! class headers that NVIDIA publishes, and the disassembler's text for every bit.

mod answer;
mod assemble;
mod control;
mod execute;
mod instruction;
mod lower;
mod query;
mod section;
mod text;
mod validate;

pub use answer::{STANDARD_16, sample_positions, samples};
pub use control::{Phase, SchedulingControl};
pub use execute::{DescriptorPools, FlatPools, Sources, TxqOutcome};
pub use instruction::{Guard, RZ, Txq, TxqFields};
pub use query::Query;
pub use section::{DualIssue, GROUP_BYTES, Group, Section, Slot};
pub use text::FullText;
pub use validate::TxqRule;

#[cfg(test)]
mod tests;
