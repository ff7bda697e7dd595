//! Integer results of a lane: exact, until they are truncated to the destination's type.

use super::general::{LaneInputs, LaneOutput};
use super::operation::Operation;
use super::value::{Value, is_signed};
use crate::machine::operand::{Storage, size_of};

impl LaneInputs<'_> {
    /// Returns the width in which shift counts wrap: 64 bits if a source or the destination has 64, else 32.
    fn width(&self) -> u32 {
        let kinds = self.alu.src.iter().map(|source| source.kind).chain([self.alu.dst.kind]);
        if kinds.map(size_of).any(|size| size == 8) { 64 } else { 32 }
    }

    pub(super) fn integers(&self) -> LaneOutput {
        let (a, b) = (self.integer(0), self.integer(1));
        let source_bits =
            |index: usize| self.source(index).map_or(32, |source| size_of(source.kind) as u32 * 8);
        let low = |value: i128, bits: u32| value & ((1i128 << bits) - 1);
        let count = || (b & i128::from(self.width() - 1)) as u32;
        let dword = || a as u32;
        let rotated = |left: bool| {
            let bits = source_bits(0).max(8);
            let value = low(a, bits) as u64;
            let count = (b & i128::from(bits - 1)) as u32;
            let count = if left { count } else { (bits - count) % bits };
            let high = if count == 0 { 0 } else { value >> (bits - count) };
            Value::Bits((value << count | high) & texwire::bits::mask(bits))
        };
        let value = match self.alu.operation {
            Operation::Not => !a,
            Operation::And => a & b,
            Operation::Or => a | b,
            Operation::Xor => a ^ b,
            Operation::Shl => a << count(),
            Operation::Shr => low(a, source_bits(0)) >> count(),
            Operation::Asr => a >> count(),
            Operation::Ror => return rotated(false).into(),
            Operation::Rol => return rotated(true).into(),
            Operation::Add => a + b,
            Operation::Avg => (a + b + 1) >> 1,
            Operation::Mul => self.product(a, b),
            Operation::Mac => self.accumulated().wrapping_add(a.wrapping_mul(b)),
            Operation::Mad => a.wrapping_add(b.wrapping_mul(self.integer(2))),
            Operation::Mach => return self.mach(a, b),
            Operation::Addc => {
                let sum = (a as u32 as u64) + (b as u32 as u64);
                return LaneOutput { accumulator: Some(sum >> 32), ..Value::Bits(sum & 0xffff_ffff).into() };
            }
            Operation::Subb => {
                let (difference, borrow) = (a as u32).overflowing_sub(b as u32);
                let value = Value::Bits(u64::from(difference));
                return LaneOutput { accumulator: Some(u64::from(borrow)), ..value.into() };
            }
            Operation::Lzd => i128::from(dword().leading_zeros()),
            Operation::Fbh => i128::from(self.first_high(dword())),
            Operation::Fbl => i128::from(if dword() == 0 { u32::MAX } else { dword().trailing_zeros() }),
            Operation::Cbit => i128::from(low(a, source_bits(0)).count_ones()),
            Operation::Bfrev => i128::from(dword().reverse_bits()),
            Operation::Bfe => self.extracted(),
            Operation::Bfi1 => ((1i128 << (a & 31)) - 1) << (b & 31),
            Operation::Bfi2 => (a & b) | (!a & self.integer(2)),
            Operation::Lrp => a.wrapping_mul(b).wrapping_add((1 - a).wrapping_mul(self.integer(2))),
            // Defined for floats only: an integer has the fraction 0, and rounding copies it.
            Operation::Frc => 0,
            Operation::Rndu | Operation::Rndd | Operation::Rnde | Operation::Rndz => a,
            Operation::Mov
            | Operation::Sel
            | Operation::Csel
            | Operation::Cmp
            | Operation::Dp4
            | Operation::Dph
            | Operation::Dp3
            | Operation::Dp2
            | Operation::Line
            | Operation::Pln
            | Operation::Sad2
            | Operation::Sada2
            | Operation::Movi
            | Operation::Math(_) => a,
        };
        Value::Int(value).into()
    }

    /// Returns all 64 bits of the accumulator as an integer, signed if a source is.
    fn accumulated(&self) -> i128 {
        let signed = self.alu.src.iter().any(|source| is_signed(source.kind));
        if signed { i128::from(self.accumulator as i64) } else { i128::from(self.accumulator) }
    }

    /// Returns a product. If the accumulator is the destination, only the low word of a dword in the second source counts.
    fn product(&self, a: i128, b: i128) -> i128 {
        let into_accumulator = matches!(self.alu.dst.storage, Storage::Accumulator(_));
        let dword = self.source(1).is_some_and(|source| size_of(source.kind) == 4);
        if into_accumulator && dword { a * (b & 0xffff) } else { a.wrapping_mul(b) }
    }

    /// Completes a product of dwords, whose part with the low word of the second source is in the accumulator: returns the upper half of
    /// the product, or the lower half without accumulator write (AccWrEn).
    fn mach(&self, a: i128, b: i128) -> LaneOutput {
        let product = self.accumulated().wrapping_add(a.wrapping_mul(b >> 16) << 16);
        let low = product as u64 & 0xffff_ffff;
        if self.alu.accumulator_write {
            LaneOutput { accumulator: Some(low), ..Value::Int(product >> 32).into() }
        } else {
            Value::Bits(low).into()
        }
    }

    fn first_high(&self, value: u32) -> u32 {
        let signed = self.source(0).is_some_and(|source| is_signed(source.kind));
        let value = if signed && value >> 31 == 1 { !value } else { value };
        if value == 0 { u32::MAX } else { value.leading_zeros() }
    }

    fn extracted(&self) -> i128 {
        let (width, offset) = ((self.integer(0) & 31) as u32, (self.integer(1) & 31) as u32);
        if width == 0 {
            return 0;
        }
        let signed = self.source(2).is_some_and(|source| is_signed(source.kind));
        let field = (self.integer(2) as u32 as u64) >> offset & texwire::bits::mask(width);
        let negative = signed && field >> (width - 1) & 1 == 1;
        i128::from(field) - if negative { 1i128 << width } else { 0 }
    }
}
