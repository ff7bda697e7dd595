//! Lengths of vISA instructions, from a byte code of 591 bytes of flash.
//!
//! `START` has a position for every opcode and `PROGRAM` the layouts, both generated from
//! `harness/data/visa-opcodes.json` (which says how each entry was confirmed). A layout is a row of steps:
//!
//! ```text
//! 00          end
//! 01..3f      that many fixed bytes
//! 41..4f      1..15 raw operands
//! 51..5f      1..15 vector operands
//! 60, 61      key = a byte, a word; its bytes are part of the instruction
//! 62, 63      key x raw operand, key x word
//! 64          operation of the sampler: 2 bytes, before 4.0 1 byte
//! 65          texel offsets: vector operand, before 3.4 a word
//! 66          index: 4 bytes, before 3.4 2 bytes
//! 67          ffid: 1 byte, before 3.6 none
//! 68          wait mask: vector operand, before 3.1 none
//! 69 v s      step s if key = v
//! 6a f n p..  layout p[key - f]; no such sub-operation where it is 0
//! 6b m p      layout p if the version is before 3.m
//! 70..7f s    step s if bit 0..15 of key
//! ```

use super::Version;
use super::opcodes_table::{MNEMONICS, PROGRAM, START, SUB_MNEMONICS};
use crate::error::{Error, Kind, Result, What};

/// Sizes that depend on the CISA version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Bytes of a vector operand after its tag, by class; 0 = illegal.
    vector: [u8; 8],
    index: u8,
    op: u8,
    /// The minor version of 3.x; from 4.0 on the highest.
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

/// df, uq and q immediates have eight bytes.
const WIDE_TYPES: u16 = 1 << 6 | 1 << 11 | 1 << 13;

/// Bytes of the vector operand at `at`, its tag included.
#[inline]
pub(super) fn vector_length(bytes: &[u8], at: usize, sizes: Sizes) -> Result<usize> {
    let Some(&[tag, kind]) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
        return Err(Error::truncated(What::Instruction, 0, at.wrapping_add(2)));
    };
    let class = usize::from(tag & 7);
    let base = sizes.vector.get(class).copied().unwrap_or(0);
    let wide = class == 5 && WIDE_TYPES >> (kind & 15) & 1 == 1;
    if base == 0 {
        return Err(Error::new(Kind::Reserved, What::VectorOperand).at(at).value(class as u64));
    }
    Ok(usize::from(base) + if wide { 4 } else { 0 })
}

/// Bytes of the instruction at the start of `bytes`.
///
/// # Errors
/// `Truncated Instruction`, `Reserved`/`Unknown Opcode`, `Unknown SubOperation`, `Reserved VectorOperand`;
/// positions count from the instruction's first byte.
#[inline]
pub(super) fn length(bytes: &[u8], sizes: Sizes) -> Result<usize> {
    let Some(&opcode) = bytes.first() else { return Err(Error::truncated(What::Instruction, 0, 1)) };
    let Some(&start) = START.get(usize::from(opcode)) else {
        return Err(Error::new(Kind::Unknown, What::Opcode).at(0).value(opcode.into()));
    };
    if start == 0 {
        return Err(Error::new(Kind::Reserved, What::Opcode).at(0).value(opcode.into()));
    }
    let at = run(bytes, usize::from(start) * 2, sizes)?;
    if at > bytes.len() {
        return Err(Error::truncated(What::Instruction, 0, at));
    }
    Ok(at)
}

/// Runs the layout at `pc`; the position after the instruction, which may be past the end of `bytes`.
///
/// Every round consumes a byte of `PROGRAM` and layouts only refer to layouts without a further
/// reference, so the number of rounds is bounded by the table.
#[inline]
fn run(bytes: &[u8], mut pc: usize, sizes: Sizes) -> Result<usize> {
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
                    at = at.wrapping_add(vector_length(bytes, at, sizes)?);
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
                5 => at = at.wrapping_add(vector_length(bytes, at, sizes)?),
                6 => at = at.wrapping_add(sizes.index.into()),
                7 => at = at.wrapping_add(usize::from(sizes.minor3 >= 6)),
                8 if sizes.minor3 == 0 => {}
                8 => at = at.wrapping_add(vector_length(bytes, at, sizes)?),
                9 => {
                    let value = PROGRAM.get(pc).copied().unwrap_or(0);
                    pc = pc.wrapping_add(if usize::from(value) == key { 1 } else { 2 });
                }
                10 => pc = select(pc, key, at)?,
                _ => pc = before(pc, sizes),
            },
        }
    }
}

fn byte(bytes: &[u8], at: usize) -> Result<u8> {
    bytes.get(at).copied().ok_or(Error::truncated(What::Instruction, 0, at.wrapping_add(1)))
}

#[cold]
fn select(pc: usize, key: usize, at: usize) -> Result<usize> {
    let error = Error::new(Kind::Unknown, What::SubOperation).at(at.wrapping_sub(1)).value(key as u64);
    let Some(&[first, count]) = PROGRAM.get(pc..).and_then(<[u8]>::first_chunk) else { return Err(error) };
    let index = key.wrapping_sub(first.into());
    if index >= usize::from(count) {
        return Err(error);
    }
    match PROGRAM.get(pc.wrapping_add(2).wrapping_add(index)) {
        Some(&position) if position != 0 => Ok(usize::from(position) * 2),
        _ => Err(error),
    }
}

#[cold]
fn before(pc: usize, sizes: Sizes) -> usize {
    match PROGRAM.get(pc..).and_then(<[u8]>::first_chunk) {
        Some(&[minor, position]) if sizes.minor3 < minor => usize::from(position) * 2,
        _ => pc.wrapping_add(2),
    }
}

/// The mnemonic of an opcode; `None` where the table ends. `sub` is the byte after the opcode: it names
/// the instructions that have a sub-operation.
pub(super) fn mnemonic(opcode: u8, sub: u8) -> Option<&'static str> {
    let family = SUB_MNEMONICS.lines().find_map(|line| {
        let (key, name) = line.split_once(' ')?;
        let key = u16::from_str_radix(key, 16).ok()?;
        (key == u16::from_be_bytes([opcode, sub])).then_some(name)
    });
    family.or_else(|| MNEMONICS.lines().nth(opcode.into()))
}
