//! Atomic messages. The lanes of a message are executed in ascending order.

use super::port::{AddressSpace, Port};
use super::scattered::{address, lanes};
use crate::machine::error::Result;

/// The function that computes the new value from the old one and the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the operations")]
pub enum AtomicOperation {
    CompareWide,
    And,
    Or,
    Xor,
    Exchange,
    Increment,
    Decrement,
    Add,
    Subtract,
    ReverseSubtract,
    SignedMax,
    SignedMin,
    UnsignedMax,
    UnsignedMin,
    CompareExchange,
    PreDecrement,
    FloatMax,
    FloatMin,
    FloatCompareExchange,
}

impl AtomicOperation {
    /// Returns the operation with this code, of float messages if `float`; `None` if it is not defined.
    pub fn new(code: u32, float: bool) -> Option<Self> {
        use AtomicOperation::*;
        const INTEGER: [AtomicOperation; 16] = [
            CompareWide,
            And,
            Or,
            Xor,
            Exchange,
            Increment,
            Decrement,
            Add,
            Subtract,
            ReverseSubtract,
            SignedMax,
            SignedMin,
            UnsignedMax,
            UnsignedMin,
            CompareExchange,
            PreDecrement,
        ];
        const FLOAT: [Option<AtomicOperation>; 4] =
            [None, Some(FloatMax), Some(FloatMin), Some(FloatCompareExchange)];
        if float { FLOAT.get(code as usize).copied().flatten() } else { INTEGER.get(code as usize).copied() }
    }

    /// Returns true if the final value in memory does not depend on the order of lanes and threads.
    pub const fn commutes(self) -> bool {
        use AtomicOperation::*;
        match self {
            And | Or | Xor | Increment | Decrement | Add | Subtract | SignedMax | SignedMin | UnsignedMax
            | UnsignedMin => true,
            CompareWide | Exchange | ReverseSubtract | CompareExchange | PreDecrement | FloatMax
            | FloatMin | FloatCompareExchange => false,
        }
    }

    /// Returns the number of operands that follow the addresses in the payload.
    pub const fn operand_count(self) -> usize {
        use AtomicOperation::*;
        match self {
            Increment | Decrement | PreDecrement => 0,
            CompareWide | CompareExchange | FloatCompareExchange => 2,
            And | Or | Xor | Exchange | Add | Subtract | ReverseSubtract | SignedMax | SignedMin
            | UnsignedMax | UnsignedMin | FloatMax | FloatMin => 1,
        }
    }

    /// Returns the value that a message returns: the old one, of a pre-decrement the new one.
    pub fn returned(self, old: u64, new: u64) -> u64 {
        if self == Self::PreDecrement { new } else { old }
    }

    /// Returns the new value for the old value and operands `a` and `b`: of 64 bits if `wide`, else of 32.
    pub fn apply(self, old: u64, a: u64, b: u64, wide: bool) -> u64 {
        let signed = |value: u64| if wide { value as i64 } else { i64::from(value as u32 as i32) };
        let float = |value: u64| f32::from_bits(value as u32);
        let larger = |first: bool| if first { old } else { a };
        let result = match self {
            Self::CompareWide | Self::CompareExchange => {
                if old == a {
                    b
                } else {
                    old
                }
            }
            Self::And => old & a,
            Self::Or => old | a,
            Self::Xor => old ^ a,
            Self::Exchange => a,
            Self::Increment => old.wrapping_add(1),
            Self::Decrement | Self::PreDecrement => old.wrapping_sub(1),
            Self::Add => old.wrapping_add(a),
            Self::Subtract => old.wrapping_sub(a),
            Self::ReverseSubtract => a.wrapping_sub(old),
            Self::SignedMax => larger(signed(old) >= signed(a)),
            Self::SignedMin => larger(signed(old) <= signed(a)),
            Self::UnsignedMax => old.max(a),
            Self::UnsignedMin => old.min(a),
            Self::FloatMax => larger(float(old) >= float(a) || float(a).is_nan()),
            Self::FloatMin => larger(float(old) <= float(a) || float(a).is_nan()),
            Self::FloatCompareExchange => {
                if float(old) == float(a) {
                    b
                } else {
                    old
                }
            }
        };
        if wide { result } else { result & 0xffff_ffff }
    }
}

/// An atomic message.
#[derive(Clone, Copy, Debug)]
pub struct AtomicMessage {
    /// The memory that is accessed.
    pub space: AddressSpace,
    /// The atomic operation.
    pub operation: AtomicOperation,
    /// Values and operands have 64 bits, not 32.
    pub wide: bool,
    /// Lanes of the message.
    pub lanes: usize,
    /// The message returns a value.
    pub returns: bool,
}

impl AtomicMessage {
    /// Returns true if the outcome may depend on the order in which groups run: for atomics outside local memory that return a value, do
    /// not commute, or have 64 bits (which [`LaunchMemory`](crate::machine::memory::LaunchMemory) does not update atomically).
    pub const fn order_matters(&self) -> bool {
        !matches!(self.space, AddressSpace::Local)
            && (self.returns || self.wide || !self.operation.commutes())
    }

    /// Executes the message.
    pub fn execute(&self, port: &mut Port<'_, '_>) -> Result<()> {
        let bytes = if self.wide { 8 } else { 4 };
        let data = port.header + self.lanes * self.space.address_bytes();
        let operand = |port: &Port<'_, '_>, index: usize, lane: usize| {
            let at = data + (index * self.lanes + lane) * bytes;
            if self.wide { port.payload.qword(at) } else { u64::from(port.payload.dword(at)) }
        };
        for lane in lanes(port, self.lanes) {
            port.lane = Some(lane);
            let address = address(port, self.space, lane) & !(bytes as u64 - 1);
            let count = self.operation.operand_count();
            let a = if count > 0 { operand(port, 0, lane) } else { 0 };
            let b = if count > 1 { operand(port, 1, lane) } else { 0 };
            let apply = |old| self.operation.apply(old, a, b, self.wide);
            let old = port.update(self.space, address, bytes, apply).map_err(|error| error.lane(lane))?;
            if self.returns {
                let value = self.operation.returned(old, apply(old));
                port.respond(lane * bytes, value as u32);
                if self.wide {
                    port.respond(lane * bytes + 4, (value >> 32) as u32);
                }
            }
        }
        Ok(())
    }
}
