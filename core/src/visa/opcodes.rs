//! Lengths of vISA instructions, computed by interpreting a byte code that takes 591 bytes of flash.
//!
//! `PROGRAM` has the layouts of instructions and `START` the position of each opcode's layout (halved). Both are
//! generated from `harness/data/visa-opcodes.json`, which says how each entry was confirmed. A layout is a
//! sequence of steps that describe the instruction's bytes, from the byte after the opcode on:
//!
//! ```text
//! 00          end
//! 01..3f      that many fixed bytes
//! 41..4f      1..15 raw operands
//! 51..5f      1..15 vector operands
//! 60, 61      key = the next byte, the next word of the instruction
//! 62, 63      key raw operands, key words
//! 64          operation of the sampler: 2 bytes, before 4.0 1 byte
//! 65          texel offsets: vector operand, before 3.4 a word
//! 66          index: 4 bytes, before 3.4 2 bytes
//! 67          ffid: 1 byte, before 3.6 none
//! 68          wait mask: vector operand, before 3.1 none
//! 69 v s      step s if key = v, else nothing
//! 6a f n p..  continue with layout p[key - f]; unknown sub-operation if that is 0 or not one of the n
//! 6b m p      continue with layout p if the version is before 3.m
//! 70..7f s    step s if bit 0..15 of key is set, else nothing
//! ```

use super::Version;
use super::opcodes_table::{MNEMONICS, PROGRAM, START, SUB_MNEMONICS};
use crate::error::{Error, Kind, Result, What};

/// Sizes that depend on the CISA version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Sizes {
    /// Bytes of a vector operand, tag included, by class; 0 = illegal. Wide immediates have four more.
    vector: [u8; 8],
    index: u8,
    op: u8,
    /// The minor version of 3.x; from 4.0 on 255, so that it compares as later.
    minor3: u8,
}

impl Sizes {
    pub(super) const fn new(version: Version) -> Self {
        let index = version.index_bytes() as u8;
        let minor3 = if version.major > 3 { u8::MAX } else { version.minor };
        let op = if version.major > 3 { 2 } else { 1 };
        Self { vector: [index + 5, 5, 3, 9, 0, 6, 5, 0], index, op, minor3 }
    }

    const fn raw(self) -> usize {
        self.index as usize + 2
    }
}

/// Mask of the type codes whose immediates have eight bytes: df, uq and q.
const WIDE_TYPES: u16 = 1 << 6 | 1 << 11 | 1 << 13;

/// Why the length of an instruction is not known, with the position and the value found (or the bytes needed). Small, so
/// that the walk keeps it in registers.
#[derive(Clone, Copy)]
enum LengthError {
    Short(usize),
    Class(usize, u8),
    SubOperation(usize, usize),
}

impl LengthError {
    #[cold]
    fn error(self) -> Error {
        match self {
            Self::Short(needed) => Error::truncated(What::Instruction, 0, needed),
            Self::Class(at, class) => {
                Error::new(Kind::Reserved, What::VectorOperand).at(at).value(class.into())
            }
            Self::SubOperation(at, key) => {
                Error::new(Kind::Unknown, What::SubOperation).at(at).value(key as u64)
            }
        }
    }
}

/// Returns the position after the vector operand at `at`, which may be past the end of `bytes`.
#[inline(always)]
fn after_vector(bytes: &[u8], at: usize, sizes: Sizes) -> core::result::Result<usize, LengthError> {
    let Some(&[tag, kind]) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
        return Err(LengthError::Short(at.wrapping_add(2)));
    };
    let class = tag & 7;
    let length = sizes.vector.get(usize::from(class)).copied().unwrap_or(0);
    if length == 0 {
        return Err(LengthError::Class(at, class));
    }
    let wide = usize::from(class == 5) & usize::from(WIDE_TYPES >> (kind & 15) & 1);
    Ok(at.wrapping_add(length.into()).wrapping_add(wide << 2))
}

/// Returns the length in bytes of the instruction at the start of `bytes`.
///
/// # Errors
/// `Truncated Instruction`, `Reserved`/`Unknown Opcode`, `Unknown SubOperation`, `Reserved VectorOperand`;
/// positions count from the instruction's first byte.
#[inline]
pub(super) fn length(bytes: &[u8], sizes: Sizes) -> Result<usize> {
    let Some(&opcode) = bytes.first() else { return Err(Error::truncated(What::Instruction, 0, 1)) };
    let start = START.get(usize::from(opcode)).copied().unwrap_or(0);
    if start == 0 {
        let kind = if usize::from(opcode) < START.len() { Kind::Reserved } else { Kind::Unknown };
        return Err(Error::new(kind, What::Opcode).at(0).value(opcode.into()));
    }
    match run(bytes, usize::from(start) * 2, sizes) {
        Ok(at) if at <= bytes.len() => Ok(at),
        Ok(at) => Err(LengthError::Short(at).error()),
        Err(error) => Err(error.error()),
    }
}

/// Runs the layout at `pc`. Returns the position after the instruction, which may be past the end of `bytes`.
///
/// Every round consumes a byte of `PROGRAM`, and layouts refer only to layouts that refer to no
/// other, so the size of the table bounds the number of rounds.
#[inline(always)]
fn run(bytes: &[u8], mut pc: usize, sizes: Sizes) -> core::result::Result<usize, LengthError> {
    let mut at = 1usize;
    let mut key = 0usize;
    loop {
        let step = PROGRAM.get(pc).copied().unwrap_or(0);
        pc = pc.wrapping_add(1);
        let low = usize::from(step & 15);
        match step >> 4 {
            0..=3 if step == 0 => return Ok(at),
            0..=3 => at = at.wrapping_add(step.into()),
            4 => at = at.wrapping_add(low.wrapping_mul(sizes.raw())),
            5 => {
                for _ in 0..low {
                    at = after_vector(bytes, at, sizes)?;
                }
            }
            7 => pc = pc.wrapping_add(usize::from(key >> low & 1 == 0)),
            _ => match low {
                0 => {
                    key = usize::from(byte(bytes, at)?);
                    at = at.wrapping_add(1);
                }
                1 => {
                    key = usize::from(byte(bytes, at)?) | usize::from(byte(bytes, at.wrapping_add(1))?) << 8;
                    at = at.wrapping_add(2);
                }
                2 => at = at.wrapping_add(key.wrapping_mul(sizes.raw())),
                3 => at = at.wrapping_add(key.wrapping_mul(2)),
                4 => at = at.wrapping_add(sizes.op.into()),
                5 if sizes.index == 2 => at = at.wrapping_add(2),
                5 => at = after_vector(bytes, at, sizes)?,
                6 => at = at.wrapping_add(sizes.index.into()),
                7 => at = at.wrapping_add(usize::from(sizes.minor3 >= 6)),
                8 if sizes.minor3 == 0 => {}
                8 => at = after_vector(bytes, at, sizes)?,
                9 => {
                    let value = PROGRAM.get(pc).copied().unwrap_or(0);
                    pc = pc.wrapping_add(if usize::from(value) == key { 1 } else { 2 });
                }
                10 => pc = select(pc, key).ok_or(LengthError::SubOperation(at.wrapping_sub(1), key))?,
                _ => pc = before(pc, sizes),
            },
        }
    }
}

#[inline(always)]
fn byte(bytes: &[u8], at: usize) -> core::result::Result<u8, LengthError> {
    bytes.get(at).copied().ok_or(LengthError::Short(at.wrapping_add(1)))
}

fn select(pc: usize, key: usize) -> Option<usize> {
    let &[first, count] = PROGRAM.get(pc..)?.first_chunk()?;
    let index = key.checked_sub(first.into()).filter(|&index| index < usize::from(count))?;
    let position = PROGRAM.get(pc.wrapping_add(2).wrapping_add(index))?;
    (*position != 0).then_some(usize::from(*position) * 2)
}

#[cold]
fn before(pc: usize, sizes: Sizes) -> usize {
    match PROGRAM.get(pc..).and_then(<[u8]>::first_chunk) {
        Some(&[minor, position]) if sizes.minor3 < minor => usize::from(position) * 2,
        _ => pc.wrapping_add(2),
    }
}

/// Splits `text` at the first `mark`: returns the text before it and the text after it. Without a `mark`, returns
/// the whole text and an empty one.
///
/// Used instead of `split_once` and `lines` of the library, which would link panics.
pub(super) fn cut(text: &'static str, mark: u8) -> (&'static str, &'static str) {
    let at = text.bytes().position(|byte| byte == mark).unwrap_or(text.len());
    (text.get(..at).unwrap_or_default(), text.get(at.wrapping_add(1)..).unwrap_or_default())
}

/// Start of each line of [`MNEMONICS`], by opcode, and the length of the text.
static LINES: [u16; START.len() + 1] = line_starts(MNEMONICS.as_bytes());
/// Key (high byte opcode, low byte sub-operation) and start of each line of [`SUB_MNEMONICS`], by ascending key.
static SUB_LINES: [(u16, u16); count(SUB_MNEMONICS.as_bytes(), b'\n')] = sub_lines(SUB_MNEMONICS.as_bytes());

#[expect(clippy::indexing_slicing, reason = "run by the compiler alone")]
const fn count(text: &[u8], byte: u8) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < text.len() {
        count += (text[at] == byte) as usize;
        at += 1;
    }
    count
}

#[expect(clippy::indexing_slicing, reason = "run by the compiler alone")]
const fn line_starts<const N: usize>(text: &[u8]) -> [u16; N] {
    let mut starts = [0; N];
    let (mut line, mut at) = (1, 0);
    while at < text.len() {
        if text[at] == b'\n' {
            starts[line] = at as u16 + 1;
            line += 1;
        }
        at += 1;
    }
    assert!(line == N, "a mnemonic for every opcode");
    starts
}

/// Returns the key and the start of each line of `text`. A line is the key in four hexadecimal digits, a space and a name.
#[expect(clippy::indexing_slicing, reason = "run by the compiler alone")]
const fn sub_lines<const N: usize>(text: &[u8]) -> [(u16, u16); N] {
    let mut lines = [(0, 0); N];
    let (mut line, mut at) = (0, 0);
    while at < text.len() {
        let (mut key, mut digit) = (0, 0);
        while digit < 4 {
            let byte = text[at + digit];
            key = key << 4 | (if byte <= b'9' { byte - b'0' } else { byte - b'a' + 10 }) as u16;
            digit += 1;
        }
        assert!(line == 0 || lines[line - 1].0 < key, "lines ascend");
        lines[line] = (key, at as u16);
        line += 1;
        while text[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    lines
}

/// Returns the mnemonic of an opcode; `None` past the end of the table. `sub` is the byte after the opcode, which
/// selects the name if the opcode has sub-operations.
pub(super) fn mnemonic(opcode: u8, sub: u8) -> Option<&'static str> {
    let key = u16::from_be_bytes([opcode, sub]);
    if let Ok(index) = SUB_LINES.binary_search_by_key(&key, |&(key, _)| key) {
        let (_, at) = SUB_LINES.get(index)?;
        let line = SUB_MNEMONICS.get(usize::from(*at)..)?;
        return Some(cut(cut(line, b'\n').0, b' ').1);
    }
    let line = usize::from(opcode);
    let (first, end) = (LINES.get(line)?, LINES.get(line.wrapping_add(1))?);
    let name = MNEMONICS.get(usize::from(*first)..usize::from(*end).checked_sub(1)?)?;
    (!name.is_empty()).then_some(name)
}
