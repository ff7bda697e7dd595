//! The opcodes of Gen9, Gen11 and Gen12, and the kind of encoding that each has.
//!
//! Source: PRM table EU_OPCODE (Gen11); Gen9 and Gen12 as Intel's assembler numbers them.

use crate::platform::Platform;

/// What kind of encoding an opcode has: which of the common fields it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Encoding {
    /// One or two sources.
    Basic,
    /// One or two sources; bits 27:24 are the function of `math`.
    Math,
    /// Three sources.
    Ternary,
    /// Jumps: operands are distances.
    Branch,
    /// Sends: a message to a shared function.
    Send,
    /// No operands.
    Bare,
}

use Encoding::*;

const GEN9: u8 = 1;
const GEN11: u8 = 2;
const GEN12: u8 = 4;
const OLD: u8 = GEN9 | GEN11;
const ALL: u8 = OLD | GEN12;

/// An opcode: number, mask of the generations that have it, mnemonic, encoding.
type OpcodeRow = (u8, u8, &'static str, Encoding);

/// All opcodes. Gen9 and Gen11 have the same numbers; Gen12 has other numbers for moves, logic, shifts, comparisons and bit fields.
static OPCODES: [OpcodeRow; 92] = [
    (0x00, ALL, "illegal", Bare),
    (0x01, OLD, "mov", Basic),
    (0x02, OLD, "sel", Basic),
    (0x03, OLD, "movi", Basic),
    (0x04, OLD, "not", Basic),
    (0x05, OLD, "and", Basic),
    (0x06, OLD, "or", Basic),
    (0x07, OLD, "xor", Basic),
    (0x08, OLD, "shr", Basic),
    (0x09, OLD, "shl", Basic),
    (0x0a, OLD, "smov", Basic),
    (0x0c, OLD, "asr", Basic),
    (0x0e, GEN11, "ror", Basic),
    (0x0f, GEN11, "rol", Basic),
    (0x10, OLD, "cmp", Basic),
    (0x11, OLD, "cmpn", Basic),
    (0x12, OLD, "csel", Ternary),
    (0x17, OLD, "bfrev", Basic),
    (0x18, OLD, "bfe", Ternary),
    (0x19, OLD, "bfi1", Basic),
    (0x1a, OLD, "bfi2", Ternary),
    (0x20, ALL, "jmpi", Branch),
    (0x21, ALL, "brd", Branch),
    (0x22, ALL, "if", Branch),
    (0x23, ALL, "brc", Branch),
    (0x24, ALL, "else", Branch),
    (0x25, ALL, "endif", Branch),
    (0x27, ALL, "while", Branch),
    (0x28, ALL, "break", Branch),
    (0x29, ALL, "cont", Branch),
    (0x2a, ALL, "halt", Branch),
    (0x2b, ALL, "calla", Branch),
    (0x2c, ALL, "call", Branch),
    (0x2d, ALL, "ret", Branch),
    (0x2e, ALL, "goto", Branch),
    (0x2f, ALL, "join", Branch),
    (0x30, OLD, "wait", Basic),
    (0x31, ALL, "send", Send),
    (0x32, ALL, "sendc", Send),
    (0x33, OLD, "sends", Send),
    (0x34, OLD, "sendsc", Send),
    (0x38, ALL, "math", Math),
    (0x40, ALL, "add", Basic),
    (0x41, ALL, "mul", Basic),
    (0x42, ALL, "avg", Basic),
    (0x43, ALL, "frc", Basic),
    (0x44, ALL, "rndu", Basic),
    (0x45, ALL, "rndd", Basic),
    (0x46, ALL, "rnde", Basic),
    (0x47, ALL, "rndz", Basic),
    (0x48, ALL, "mac", Basic),
    (0x49, ALL, "mach", Basic),
    (0x4a, ALL, "lzd", Basic),
    (0x4b, ALL, "fbh", Basic),
    (0x4c, ALL, "fbl", Basic),
    (0x4d, ALL, "cbit", Basic),
    (0x4e, ALL, "addc", Basic),
    (0x4f, ALL, "subb", Basic),
    (0x50, GEN9, "sad2", Basic),
    (0x51, GEN9, "sada2", Basic),
    (0x54, GEN9, "dp4", Basic),
    (0x55, GEN9, "dph", Basic),
    (0x56, GEN9, "dp3", Basic),
    (0x57, GEN9, "dp2", Basic),
    (0x59, GEN9, "line", Basic),
    (0x5a, GEN9, "pln", Basic),
    (0x5b, ALL, "mad", Ternary),
    (0x5c, GEN9, "lrp", Ternary),
    (0x5d, OLD, "madm", Ternary),
    (0x7e, OLD, "nop", Bare),
    (0x01, GEN12, "sync", Basic),
    (0x58, GEN12, "dp4a", Ternary),
    (0x60, GEN12, "nop", Bare),
    (0x61, GEN12, "mov", Basic),
    (0x62, GEN12, "sel", Basic),
    (0x63, GEN12, "movi", Basic),
    (0x64, GEN12, "not", Basic),
    (0x65, GEN12, "and", Basic),
    (0x66, GEN12, "or", Basic),
    (0x67, GEN12, "xor", Basic),
    (0x68, GEN12, "shr", Basic),
    (0x69, GEN12, "shl", Basic),
    (0x6c, GEN12, "asr", Basic),
    (0x6e, GEN12, "ror", Basic),
    (0x6f, GEN12, "rol", Basic),
    (0x70, GEN12, "cmp", Basic),
    (0x71, GEN12, "cmpn", Basic),
    (0x72, GEN12, "csel", Ternary),
    (0x77, GEN12, "bfrev", Basic),
    (0x78, GEN12, "bfe", Ternary),
    (0x79, GEN12, "bfi1", Basic),
    (0x7a, GEN12, "bfi2", Ternary),
];

/// Marks a number that no row of [`OPCODES`] has.
const NONE: u8 = u8::MAX;

/// The row of [`OPCODES`] by opcode number, because every instruction of a stream is looked up.
static ROWS_OF_OLD: [u8; 128] = rows(OLD);
static ROWS_OF_GEN12: [u8; 128] = rows(GEN12);

// Evaluated at compile time: an opcode number of more than 7 bits is a compile error.
#[allow(clippy::indexing_slicing)]
const fn rows(on: u8) -> [u8; 128] {
    let mut rows = [NONE; 128];
    let mut row = 0;
    while row < OPCODES.len() {
        if OPCODES[row].1 & on != 0 {
            let number = OPCODES[row].0 as usize;
            assert!(rows[number] == NONE, "an opcode has two rows");
            rows[number] = row as u8;
        }
        row += 1;
    }
    rows
}

/// An opcode of a platform, as an index into the table, so that its name takes one look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Opcode(u8);

impl Opcode {
    /// Returns the opcode with this number on `platform`; `None` if it is not defined there.
    pub fn new(platform: Platform, number: u8) -> Option<Self> {
        let here = match platform {
            Platform::Gen9 => GEN9,
            Platform::Gen11 => GEN11,
            Platform::XeLp | Platform::XeHpg => GEN12,
            _ => return None,
        };
        let rows = if here == GEN12 { &ROWS_OF_GEN12 } else { &ROWS_OF_OLD };
        let row = *rows.get(usize::from(number))?;
        OPCODES.get(usize::from(row)).filter(|(_, on, ..)| on & here != 0)?;
        Some(Self(row))
    }

    /// Returns the mnemonic.
    pub fn name(self) -> &'static str {
        OPCODES.get(usize::from(self.0)).map_or("", |entry| entry.2)
    }

    /// Returns the kind of encoding.
    pub fn encoding(self) -> Encoding {
        OPCODES.get(usize::from(self.0)).map_or(Bare, |entry| entry.3)
    }
}
