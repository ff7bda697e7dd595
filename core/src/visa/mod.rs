//! Intel vISA: parses CISA containers, walks all instructions of their routines and decodes those of the sampler.
//!
//! ```text
//! Module::parse ─▶ routines (kernels, functions) ─▶ Instructions ─▶ SamplerInstruction ─▶ text, bytes, rules, Message
//! ```
//! ```
//! use texwire::{Platform, Result, visa};
//!
//! /// Prints the sampler instructions of a file, with the rules that they break on Ice Lake.
//! fn list(file: &[u8], out: &mut impl core::fmt::Write) -> Result<()> {
//!     for routine in visa::Module::parse(file)?.routines() {
//!         let routine = routine?;
//!         let mut instructions = routine.instructions();
//!         while let Some(instruction) = instructions.next()? {
//!             if let Some(sampler) = instruction.sampler()? {
//!                 let broken = sampler.validate(Platform::Gen11, &routine);
//!                 let _ = writeln!(out, "{:#x}: {} {broken}", instruction.offset(), sampler.display(&routine));
//!             }
//!         }
//!     }
//!     Ok(())
//! }
//! # assert!(list(b"CISA", &mut String::new()).is_err());
//! ```
//!
//! The reference is the `GenX_IR` tool, release 1.0.12504.6 of the Intel graphics compiler. The table lists
//! where the documents `3D_SAMPLE`, `3D_SAMPLE4` and `INFO` of the compiler's vISA specification and the tool
//! differ, or where this module does more than the tool:
//!
//! | document says | the tool does | this module does |
//! |---|---|---|
//! | `3D_SAMPLE`: operation is a byte, flags in bits 5 to 7 | true of streams before 4.0; from 4.0 a word, flags in bits 8 to 10 | both, by version |
//! | execution size is bits 2..0 | four bits, 6 to 15 refused | as the tool |
//! | sizes 8 and 16 (`3D_SAMPLE4` also 32) | 1, 2, 4 and 32 too | decodes all; rule `exec-size` |
//! | offset bits 15..12 are reserved | bit 15: the sampler index may be 16 or more; 14..12 masked off | kept; rule `aoffimmi-reserved` for 14..12 |
//! | `INFO` has no channels byte and no suffix | channels byte after the execution size, suffix in text | as the tool; the assembler also takes the form without suffix as RGBA |
//! | `INFO`: operation in bits 4..0 | whole byte | whole byte |
//! | `3D_SAMPLE4`: 14 `gather4_i`, 15 `gather4_b` | unknown; later sources: 14 `_b`, 15 `_i` | as later sources: [`GATHER4_B_IS_15`] |
//! | `3D_SAMPLE4`: nine more operations | unknown to this release | complete support, with the spelling of later sources |
//! | `3D_SAMPLE4`: 1 to 15 parameters | complains from 8 on | 1 to 7 |
//! | text `SAMPLE_3d`, `SAMPLE4`, `RESINFO` | lower case only | prints lower case, assembles any case |
//! | `.divS` in text | never printed, never written | prints and assembles it, since bit 10 of the operation field has it |
//! | all operands before Ice Lake have type F | not checked | rule `half-platform` |
//! | CPS needs Ice Lake | not checked | rule `cps-platform` |
//!
//! Decoding refuses what has no sensible meaning (the tool crashes, hangs or reads something else):
//! execution size code above 5, channel mask 0, gather channel above 3, predicate field without index or with
//! control 3, parameter count 0 or too large, variable index 21 to 31, vector operand classes 4 and 7, an operation
//! that is unknown or belongs to another opcode.

mod assemble;
mod container;
mod encode;
mod instruction;
mod lower;
mod media;
mod opcodes;
#[rustfmt::skip]
mod opcodes_table;
mod operand;
mod operation;
mod sampler;
mod symbols;
mod tables;
mod text;
mod validate;

pub use assemble::assemble;
pub use container::{GenBinary, Module, Routine, RoutineEntry, RoutineKind, Routines};
pub use encode::MAX_SAMPLER_BYTES;
pub use instruction::{Instructions, VisaInstruction};
pub use lower::{Registers, Runtime};
pub use media::{MediaField, MediaFields, MediaInstruction, MediaValue};
pub use operand::{FIRST_VARIABLE, RawOperand, Type, VectorKind, VectorOperand, region, region_code};
pub use operation::{GATHER4_B_IS_15, Operation};
pub use sampler::{
    ExecMask, Params, Predicate, PredicateCombine, SamplerInstruction, SamplerOpcode, TexelOffsets,
};
pub use symbols::{Anonymous, PREDEFINED_SURFACES, PREDEFINED_VARIABLES, SymbolIndex, Symbols, Variable};
pub use tables::{Attribute, Attributes, Input, Inputs, RecordTable, Symbol};
pub use text::{Display, write_sampler};
pub use validate::VisaRule;

use crate::bits::Reader;
use crate::error::{Result, What};

/// A CISA version. The encoding depends on it as follows:
///
/// | field | 3.0 .. 3.3 | 3.4 .. 3.7 | 4.x |
/// |---|---|---|---|
/// | indices of variables, strings, names | u16 | u32 | u32 |
/// | name length in the header | u8 | u8, from 3.7 u16 | u16 |
/// | input count | u8 | u8, from 3.5 u32 | u32 |
/// | sampler operation | byte | byte | word |
/// | texel offsets | u16 | vector operand | vector operand |
/// | execution mask | 3.0: 0..7 M1..M8, 8 M1_NM, 9 M1 | as 4.x | 0..7 M1..M8, 8..15 M1_NM..M8_NM |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Version {
    /// The major version, 3 or more.
    pub major: u8,
    /// The minor version, any value.
    pub minor: u8,
}

impl Version {
    /// Version 4.1, which the compilers write.
    pub const V4_1: Self = Self::new(4, 1);

    /// Version `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }

    /// Returns whether this version is `major.minor` or later.
    pub const fn at_least(self, major: u8, minor: u8) -> bool {
        self.major > major || (self.major == major && self.minor >= minor)
    }

    /// Returns the number of bytes of an index of a variable, string or name.
    pub const fn index_bytes(self) -> usize {
        if self.at_least(3, 4) { 4 } else { 2 }
    }

    fn read_index(self, reader: &mut Reader<'_>, what: What) -> Result<u32> {
        if self.index_bytes() == 4 { reader.u32(what) } else { reader.u16(what).map(u32::from) }
    }
}

impl core::fmt::Display for Version {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
