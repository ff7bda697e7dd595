//! The registers of a send in a thread's register file: the blocks of its payload, and its destination.

use crate::error::{Error, Kind, Result, What};
use crate::eu::{Descriptor, Operand, RegisterFile, SendInstruction};
use core::ops::Range;

/// Bytes of a general register of the platforms that have native sends.
pub(super) const REGISTER: usize = 32;

/// The longest result of a send: four channels of 16 lanes, and the pixel null mask.
pub(super) const LONGEST: usize = 9 * REGISTER;

/// The byte ranges of a send in a register file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RegisterRanges {
    /// The blocks of the payload.
    pub(super) payload: [Range<usize>; 2],
    /// The destination; empty when nothing is written back.
    pub(super) destination: Range<usize>,
}

impl RegisterRanges {
    /// Returns the ranges of `send` with its descriptors' values, in a register file of `length` bytes.
    pub(super) fn of(send: &SendInstruction, descriptor: u32, extended: u32, length: usize) -> Result<Self> {
        let descriptor = Descriptor(descriptor);
        let within = |operand, registers| range(operand, registers, length);
        Ok(Self {
            payload: [within(send.src0, descriptor.mlen())?, within(send.src1, send.second_block(extended))?],
            destination: if send.dst.is_null() { 0..0 } else { within(send.dst, descriptor.rlen())? },
        })
    }

    /// Returns the bytes of the payload's blocks.
    pub(super) fn payload<'r>(&self, registers: &'r [u8]) -> [&'r [u8]; 2] {
        self.payload.each_ref().map(|block| registers.get(block.clone()).unwrap_or_default())
    }

    /// Removes the header, its first register, from the payload.
    pub(super) fn skip_header(&mut self) {
        let [first, second] = &mut self.payload;
        let block = if Range::is_empty(first) { second } else { first };
        block.start = block.start.wrapping_add(REGISTER).min(block.end);
    }

    /// Borrows the payload's blocks and the destination separately; `None` when they have a register in common, or there is
    /// no destination.
    #[inline]
    pub(super) fn split<'r>(&self, registers: &'r mut [u8]) -> Option<([&'r [u8]; 2], &'r mut [u8])> {
        if self.destination.is_empty() {
            return None;
        }
        let (before, rest) = registers.split_at_mut_checked(self.destination.start)?;
        let (destination, after) = rest.split_at_mut_checked(self.destination.len())?;
        let (before, after): (&[u8], &[u8]) = (before, after);
        let [first, second] = &self.payload;
        let block = |range: &Range<usize>| {
            if range.is_empty() {
                return Some(&[][..]);
            }
            match range.start.checked_sub(self.destination.end) {
                Some(start) => after.get(start..range.end.wrapping_sub(self.destination.end)),
                // A block that does not end before the destination has a register in common with it.
                None => before.get(range.clone()),
            }
        };
        Some(([block(first)?, block(second)?], destination))
    }
}

/// Returns the byte range of `count` registers from an operand on, in a register file of `length` bytes.
fn range(operand: Operand, count: u8, length: usize) -> Result<Range<usize>> {
    if count == 0 {
        return Ok(0..0);
    }
    if operand.indirect || operand.file != RegisterFile::Grf {
        return Err(Error::new(Kind::Unsupported, What::RegisterFile).value(operand.number.into()));
    }
    let start = usize::from(operand.number).wrapping_mul(REGISTER);
    let size = usize::from(count).wrapping_mul(REGISTER);
    let end = start.wrapping_add(size);
    if end > length { Err(Error::truncated(What::Registers, start, size)) } else { Ok(start..end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_borrowed_apart() {
        let mut file: std::vec::Vec<u8> = (0..8 * 32u32).map(|at| (at / 32) as u8).collect();
        let blocks = |a: Range<usize>, b: Range<usize>, d: Range<usize>| RegisterRanges {
            payload: [a.start * 32..a.end * 32, b.start * 32..b.end * 32],
            destination: d.start * 32..d.end * 32,
        };
        let cases = [
            (blocks(0..2, 5..6, 2..5), Some([0, 5])),
            (blocks(5..6, 0..2, 2..5), Some([5, 0])),
            (blocks(1..3, 6..7, 2..5), None),
            (blocks(6..7, 4..6, 2..5), None),
            (blocks(6..7, 7..8, 0..0), None),
        ];
        for (blocks, want) in cases {
            let split = blocks.split(&mut file);
            assert_eq!(split.map(|(payload, _)| payload.map(|block| block[0])), want, "{blocks:?}");
        }
        let truncated = range(Operand::grf(7), 2, 8 * 32).unwrap_err();
        assert_eq!(
            (truncated.what(), truncated.offset(), truncated.found()),
            (What::Registers, Some(224), 64)
        );
        assert_eq!(range(Operand::NULL, 0, 0), Ok(0..0));
        assert!(range(Operand::NULL, 1, 64).is_err());
    }
}
