//! What compacted instructions of Gen9 and Gen11 stand for.
//!
//! An 8-byte instruction has indices of tables in place of its control and type fields:
//!
//! | bits | field |
//! |---|---|
//! | 6:0, 7 | opcode, breakpoint |
//! | 12:8 | control index |
//! | 17:13 | datatype index |
//! | 23 | accumulator write |
//! | 27:24 | conditional modifier |
//! | 29 | 1 |
//!
//! Both tables confirmed by disassembling every index on both platforms.

use crate::enums::{DataType, RegFile};
use DataType::*;

const A: RegFile = RegFile::ARF;
const G: RegFile = RegFile::GRF;
const I: RegFile = RegFile::IMM;

/// Bits 34:31, 23:12 and 10:8 of the full instruction, by control index.
static CONTROL: [u64; 32] = [
    0x400000000,
    0x000400000,
    0x000400100,
    0x400400000,
    0x400400100,
    0x000400200,
    0x000400300,
    0x400400300,
    0x000400400,
    0x000400500,
    0x000400700,
    0x000600000,
    0x000600100,
    0x400600000,
    0x400600100,
    0x000600200,
    0x000600300,
    0x400600300,
    0x000600500,
    0x000600700,
    0x000601000,
    0x000610000,
    0x000800000,
    0x400800000,
    0x000800200,
    0x000810000,
    0x080600000,
    0x080601000,
    0x080800000,
    0x080810000,
    0x100800000,
    0x100810000,
];

/// File and type of destination and sources, by datatype index.
static DATA_TYPES: [[(RegFile, DataType); 3]; 32] = [
    [(G, Ud), (A, Ud), (A, Ud)],
    [(A, Ud), (G, Ud), (A, Ud)],
    [(G, Ud), (G, Ud), (A, Ud)],
    [(G, Ud), (I, Ud), (A, Ud)],
    [(G, F), (G, D), (A, Ud)],
    [(G, F), (I, Vf), (A, Ud)],
    [(G, Ud), (G, F), (A, Ud)],
    [(G, D), (G, F), (A, Ud)],
    [(G, F), (G, F), (A, Ud)],
    [(G, Ud), (G, Ud), (G, Ud)],
    [(A, Ud), (G, Ud), (I, Ud)],
    [(G, Ud), (G, Ud), (I, Ud)],
    [(G, D), (G, D), (G, D)],
    [(A, D), (G, D), (I, D)],
    [(G, D), (G, D), (I, D)],
    [(G, F), (G, F), (A, F)],
    [(G, F), (A, F), (G, F)],
    [(A, F), (G, F), (G, F)],
    [(G, F), (G, F), (G, F)],
    [(A, F), (G, F), (I, F)],
    [(A, W), (A, Ub), (A, Ud)],
    [(G, F), (G, Ud), (A, Ud)],
    [(G, D), (G, D), (A, Ud)],
    [(A, Ud), (G, Ud), (G, Ud)],
    [(A, D), (G, D), (G, D)],
    [(A, D), (A, D), (I, D)],
    [(G, Uw), (A, Uw), (G, Uw)],
    [(G, F), (G, F), (I, Vf)],
    [(G, F), (G, F), (I, F)],
    [(A, W), (G, W), (I, W)],
    [(A, Uw), (G, Uw), (G, Uw)],
    [(A, Uw), (G, Uw), (I, Uw)],
];

/// Three sources: bits 34:32 and 28:8 of the full instruction, by bits 9:8.
static TERNARY_CONTROL: [u64; 4] = [0x400600100, 0x000600100, 0x000800100, 0x000802100];

/// Bits that a compacted instruction has where the full one has them: opcode, accumulator
/// write and conditional modifier have moved, or come with the tables.
const SAME: u64 = 0x7f;

const fn moved(lo: u64, from: u32, width: u32, to: u32) -> u64 {
    crate::bits::get(lo, from, width) << to
}

/// The lower half of the full instruction, as far as its control fields go.
pub(super) fn control(lo: u64) -> u64 {
    let table = CONTROL.get(crate::bits::get(lo, 8, 5) as usize).copied().unwrap_or(0);
    lo & SAME | table | moved(lo, 7, 1, 30) | moved(lo, 23, 1, 28) | moved(lo, 24, 4, 24)
}

/// The same of an instruction with three sources.
pub(super) fn ternary_control(lo: u64) -> u64 {
    let table = TERNARY_CONTROL.get(crate::bits::get(lo, 8, 2) as usize).copied().unwrap_or(0);
    lo & SAME | table | moved(lo, 30, 1, 30) | moved(lo, 31, 1, 31)
}

/// File and type of destination, first and second source.
pub(super) fn data_types(lo: u64) -> [(RegFile, DataType); 3] {
    DATA_TYPES.get(crate::bits::get(lo, 13, 5) as usize).copied().unwrap_or([(A, Ud); 3])
}
