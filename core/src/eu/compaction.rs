//! Expands the compacted instructions of Gen9 and Gen11 to full ones.
//!
//! An 8-byte instruction has indices into tables in place of most fields. With one or two sources:
//!
//! | bits | field |
//! |---|---|
//! | 6:0, 7 | opcode, breakpoint |
//! | 12:8 | control index |
//! | 17:13 | datatype index |
//! | 22:18 | subregister index |
//! | 23 | accumulator write |
//! | 27:24 | conditional modifier |
//! | 29 | 1 |
//! | 34:30, 39:35 | source 0 index, source 1 index |
//! | 47:40, 55:48, 63:56 | register of destination, source 0, source 1 |
//!
//! With an immediate, 39:35 and 63:56 are the upper and lower ones of its 13 bits, which are sign-extended.
//!
//! With three sources (only on Gen9):
//!
//! | bits | field |
//! |---|---|
//! | 9:8, 11:10 | control index, source index |
//! | 18:12 | destination register |
//! | 28, 32, 33 | source 0, 1, 2 is a scalar (replicate) |
//! | 30, 31 | breakpoint, saturate |
//! | 36:34, 39:37, 42:40 | subregister of source 0, 1, 2 |
//! | 49:43, 56:50, 63:57 | register of source 0, 1, 2 |
//!
//! All tables are confirmed by disassembling every index on Gen9 and, on Gen11, the indices that compilers use. The type codes of the
//! datatype table are those of Gen9 on both platforms.

use super::Encoding;
use super::fields::Word;
use crate::bits::{get, put, sign_extend};
use crate::enums::DataType;
use crate::platform::Platform;

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

/// Bits 63:61 (at 20:18), 94:89 (at 17:12) and 46:35 of the full instruction, by datatype index: destination stride, file and type of
/// source 1, files and types of source 0 and destination.
static DATA_TYPES: [u64; 32] = [
    0x40001, 0x40040, 0x40041, 0x400c1, 0x4015d, 0x405dd, 0x40741, 0x40745, 0x4075d, 0x41041, 0x43040,
    0x43041, 0x45145, 0x47144, 0x47145, 0x5c75d, 0x5d71d, 0x5d75c, 0x5d75d, 0x5f75c, 0x0040c, 0x4005d,
    0x40145, 0x41040, 0x45144, 0x47104, 0x49209, 0x5775d, 0x5f75d, 0x4f34c, 0x49248, 0x4b248,
];

/// Bits 100:96 (at 14:10), 68:64 (at 9:5) and 52:48: subregisters of source 1, source 0 and destination, by subregister index.
static SUBREGISTERS: [u64; 32] = [
    0x0000, 0x0001, 0x0008, 0x000f, 0x0010, 0x0080, 0x0100, 0x0180, 0x0200, 0x0210, 0x0280, 0x1000, 0x1001,
    0x1081, 0x1082, 0x1083, 0x1084, 0x1087, 0x1088, 0x108e, 0x108f, 0x1180, 0x11e8, 0x2000, 0x2180, 0x3000,
    0x3c87, 0x4000, 0x5000, 0x6000, 0x7000, 0x701c,
];

/// Bits 88:77 or 120:109: region and modifiers of a source, by source index.
static SOURCES: [u64; 32] = [
    0x000, 0x002, 0x010, 0x012, 0x018, 0x020, 0x028, 0x048, 0x050, 0x070, 0x078, 0x300, 0x302, 0x308, 0x310,
    0x312, 0x320, 0x328, 0x338, 0x340, 0x342, 0x348, 0x350, 0x360, 0x368, 0x370, 0x371, 0x378, 0x468, 0x469,
    0x46a, 0x588,
];

/// Three sources: bits 36:35 (at 25:24), 34:32 (at 23:21) and 28:8 of the full instruction, by control index.
static TERNARY_CONTROL: [u64; 4] = [0x806001, 0x006001, 0x008001, 0x008021];

/// Three sources: bits 126:125 (at 48:47), 105:104, 84, 83, 114:107, 93:86, 72:65 and 55:37, by source index.
static TERNARY_SOURCES: [u64; 4] = [0x7272720f000, 0x7272720f002, 0x7272720f008, 0x7272720f020];

/// Bits of an immediate in a compacted instruction.
const IMMEDIATE_BITS: u32 = 13;
/// The register file code of an immediate.
const IMMEDIATE: u64 = 3;

/// Returns the full instruction of the compacted instruction `lo`; `None` if the encoding has no compacted form on the platform.
pub(super) fn expand(platform: Platform, encoding: Encoding, lo: u64) -> Option<Word> {
    match (encoding, platform) {
        (Encoding::Send, _) => None,
        (Encoding::Ternary, Platform::Gen9) => Some(ternary(lo)),
        (Encoding::Ternary, _) => None,
        (Encoding::Basic | Encoding::Math | Encoding::Branch | Encoding::Bare, _) => {
            Some(binary(platform, lo))
        }
    }
}

fn entry(table: &[u64], lo: u64, at: u32, width: u32) -> u64 {
    table.get(get(lo, at, width) as usize).copied().unwrap_or(0)
}

/// Returns `width` bits of `bits`, moved from bit `from` to bit `to`.
const fn moved(bits: u64, from: u32, width: u32, to: u32) -> u64 {
    get(bits, from, width) << to
}

fn binary(platform: Platform, c: u64) -> Word {
    let types = entry(&DATA_TYPES, c, 13, 5);
    let subregisters = entry(&SUBREGISTERS, c, 18, 5);
    let mut lo = moved(c, 0, 7, 0)
        | entry(&CONTROL, c, 8, 5)
        | moved(c, 7, 1, 30)
        | moved(c, 23, 1, 28)
        | moved(c, 24, 4, 24)
        | moved(types, 0, 12, 35)
        | moved(types, 18, 3, 61)
        | moved(subregisters, 0, 5, 48)
        | moved(c, 40, 8, 53);
    let mut hi = moved(types, 12, 6, 25)
        | moved(subregisters, 5, 5, 0)
        | moved(c, 48, 8, 5)
        | entry(&SOURCES, c, 30, 5) << 13;
    let immediate = get(lo, 41, 2) == IMMEDIATE || get(hi, 25, 2) == IMMEDIATE;
    if platform == Platform::Gen11 {
        lo = put(lo, 37, 4, gen11_code(get(lo, 35, 2), get(lo, 37, 4)));
        lo = put(lo, 43, 4, gen11_code(get(lo, 41, 2), get(lo, 43, 4)));
        hi = put(hi, 27, 4, gen11_code(get(hi, 25, 2), get(hi, 27, 4)));
    }
    if immediate {
        let bits = moved(c, 35, 5, 8) | get(c, 56, 8);
        let value = sign_extend(bits as u32, IMMEDIATE_BITS) as u32;
        hi |= u64::from(value) << 32;
    } else {
        hi |= moved(subregisters, 10, 5, 32) | moved(c, 56, 8, 37) | entry(&SOURCES, c, 35, 5) << 45;
    }
    Word { lo, hi }
}

/// Returns the Gen11 code of the type that has `code` on Gen9, or `code` itself if Gen11 does not have the type.
fn gen11_code(file: u64, code: u64) -> u64 {
    let immediate = file == IMMEDIATE;
    DataType::from_code(Platform::Gen9, immediate, code as u8)
        .and_then(|data_type| data_type.code(Platform::Gen11, immediate))
        .map_or(code, u64::from)
}

fn ternary(c: u64) -> Word {
    let control = entry(&TERNARY_CONTROL, c, 8, 2);
    let sources = entry(&TERNARY_SOURCES, c, 10, 2);
    let lo = moved(c, 0, 7, 0)
        | moved(control, 0, 21, 8)
        | moved(control, 21, 5, 32)
        | moved(c, 30, 2, 30)
        | moved(sources, 0, 19, 37)
        | moved(c, 12, 7, 56);
    let hi = moved(c, 28, 1, 0)
        | moved(sources, 19, 8, 1)
        | moved(c, 34, 3, 9)
        | moved(c, 43, 7, 12)
        | moved(sources, 43, 2, 19)
        | moved(c, 32, 1, 21)
        | moved(sources, 27, 8, 22)
        | moved(c, 37, 3, 30)
        | moved(c, 50, 7, 33)
        | moved(sources, 45, 2, 40)
        | moved(c, 33, 1, 42)
        | moved(sources, 35, 8, 43)
        | moved(c, 40, 3, 51)
        | moved(c, 57, 7, 54)
        | moved(sources, 47, 2, 61);
    Word { lo, hi }
}
