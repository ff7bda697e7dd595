//! Vector kernels: loops over all lanes at once, for the forms that most instructions have.
//!
//! Operands are direct, elements have at most 32 bits, results 32 bits (or are integers truncated to fewer), nothing saturates. Lanes
//! are loaded into arrays of dwords, computed in plain loops that compilers vectorise, and stored under the execution mask. The general
//! path gives the same bits (a test compares them). Float kernels run only while denormals are kept and rounding is to nearest.

mod choose;
mod lanes;

use super::instruction::Alu;
use super::operation::{Condition, Operation};
use super::value::{is_float, is_signed};
use crate::machine::lanes::Lanes;
use crate::machine::operand::{Storage, size_of};
use crate::machine::registers::{Registers, control};
use lanes::{
    blend, compare_dwords, compare_floats, extend, floats, fused, mach, nans, spread, zip, zip_floats, zip3,
};

/// The vector kernel of an instruction.
#[derive(Clone, Debug)]
pub struct VectorKernel {
    op: VectorOp,
    src: [Load; 3],
    store: Store,
    /// It runs only while cr0 keeps float denormals and rounds to nearest.
    float: bool,
    /// The condition on the result (compared with 0) that is written to the flag register.
    condition: Option<Condition>,
}

/// How the lanes of a source are loaded as dwords. The `u16` are byte offsets in the register array.
#[derive(Clone, Debug)]
enum Load {
    Nothing,
    Constant([u32; 8]),
    /// One dword for all lanes.
    Scalar32(u16),
    /// Consecutive dwords.
    Consecutive32(u16),
    /// Elements at the source's offsets, sign- or zero-extended to dwords.
    Elements,
    /// The low dwords of accumulator elements; the value is the element of lane 0.
    Accumulator(u8),
}

/// How the results are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Store {
    Nothing,
    /// Consecutive dwords, from this byte offset in the register array.
    Consecutive32(u16),
    /// The low 1, 2 or 4 bytes, at the destination's offsets.
    Elements(u8),
    /// Accumulator elements, floats; the value is the element of lane 0.
    Accumulator(u8),
}

/// The operation of a kernel, on dwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VectorOp {
    Copy,
    SignedToFloat,
    UnsignedToFloat,
    FloatToSigned,
    FloatToUnsigned,
    And,
    Or,
    Xor,
    Not,
    Shl,
    Shr,
    Asr,
    Rol,
    Add,
    Mul,
    Mad,
    Compare {
        signed: bool,
        condition: Condition,
    },
    SelectByPredicate,
    Select {
        signed: bool,
        condition: Condition,
    },
    /// Product of the first source and a word, in full into the accumulator.
    AccumulateProduct {
        signed: [bool; 2],
    },
    /// `mach`: the high half of the product (with AccWrEn) or the low half.
    Mach {
        signed: [bool; 2],
        high: bool,
    },
    AddFloat,
    MulFloat,
    MadFloat,
    MacFloat,
    CompareFloat(Condition),
    SelectFloat(Condition),
    CselFloat(Condition),
    Floor,
    Ceil,
    Even,
    Truncate,
}

impl VectorKernel {
    /// Returns the kernel for an instruction; `None` if it needs the general path.
    pub fn new(alu: &Alu) -> Option<Self> {
        if alu.saturate || alu.reads_state || alu.dst.lanes != u32::MAX || !matches!(alu.size, 1 | 8 | 16) {
            return None;
        }
        let op = VectorOp::new(alu)?;
        if alu.accumulator_write != matches!(op, VectorOp::Mach { high: true, .. }) {
            return None;
        }
        let mut src = [Load::Nothing, Load::Nothing, Load::Nothing];
        for (load, source) in src.iter_mut().zip(&alu.src) {
            *load = Load::new(source, alu.size)?;
        }
        let store = Store::new(alu, op)?;
        let decides = matches!(alu.operation, Operation::Cmp | Operation::Sel | Operation::Csel);
        let condition = alu.condition.filter(|_| !decides);
        // Conditions look at the result as the destination's type has it, also where the destination is null.
        let cut = size_of(alu.dst.kind) < 4;
        let unusual = matches!(condition, Some(Condition::Overflow | Condition::Unordered));
        if condition.is_some()
            && (cut || unusual || matches!(op, VectorOp::AccumulateProduct { .. } | VectorOp::Mach { .. }))
        {
            return None;
        }
        Some(Self { float: op.is_float(), op, src, store, condition })
    }

    /// Executes the instruction. Returns false, with nothing done, if the current float mode needs the general path.
    #[inline]
    pub fn execute(&self, alu: &Alu, registers: &mut Registers, lanes: &Lanes) -> bool {
        const FLOAT_MODE: u32 = 3 << control::ROUNDING_SHIFT | control::DENORMAL_FLOAT;
        if self.float && registers.control() & FLOAT_MODE != control::DENORMAL_FLOAT {
            return false;
        }
        match alu.size {
            1 => self.run::<1>(alu, registers, lanes),
            8 => self.run::<8>(alu, registers, lanes),
            _ => self.run::<16>(alu, registers, lanes),
        }
        true
    }

    fn run<const N: usize>(&self, alu: &Alu, registers: &mut Registers, lanes: &Lanes) {
        let load = |index: usize| self.src[index].lanes::<N>(alu.src.get(index), registers);
        let mut mask = lanes.execute;
        // The lanes whose flag bits are set, if flags are written.
        let mut flags = None;
        let out = match self.op {
            VectorOp::Copy => load(0),
            VectorOp::SignedToFloat => load(0).map(|a| (a as i32 as f32).to_bits()),
            VectorOp::UnsignedToFloat => load(0).map(|a| (a as f32).to_bits()),
            VectorOp::FloatToSigned => load(0).map(|a| f32::from_bits(a) as i32 as u32),
            VectorOp::FloatToUnsigned => load(0).map(|a| f32::from_bits(a) as u32),
            VectorOp::Not => load(0).map(|a| !a),
            VectorOp::And => zip(load(0), load(1), |a, b| a & b),
            VectorOp::Or => zip(load(0), load(1), |a, b| a | b),
            VectorOp::Xor => zip(load(0), load(1), |a, b| a ^ b),
            VectorOp::Shl => zip(load(0), load(1), |a, b| a << (b & 31)),
            VectorOp::Shr => zip(load(0), load(1), |a, b| a >> (b & 31)),
            VectorOp::Asr => zip(load(0), load(1), |a, b| (a as i32 >> (b & 31)) as u32),
            VectorOp::Rol => zip(load(0), load(1), |a, b| a.rotate_left(b & 31)),
            VectorOp::Add => zip(load(0), load(1), u32::wrapping_add),
            VectorOp::Mul => zip(load(0), load(1), u32::wrapping_mul),
            VectorOp::Mad => zip3(load(0), load(1), load(2), |a, b, c| a.wrapping_add(b.wrapping_mul(c))),
            VectorOp::Compare { signed, condition } => {
                let holds = compare_dwords(condition, signed, load(0), load(1));
                flags = Some(holds);
                spread(holds)
            }
            VectorOp::CompareFloat(condition) => {
                let holds = compare_floats(condition, floats(load(0)), floats(load(1)));
                flags = Some(holds);
                spread(holds)
            }
            VectorOp::SelectByPredicate => {
                mask = lanes.on;
                blend(lanes.predicate, load(0), load(1))
            }
            VectorOp::Select { signed, condition } => {
                let (a, b) = (load(0), load(1));
                blend(compare_dwords(condition, signed, a, b), a, b)
            }
            VectorOp::SelectFloat(condition) => {
                let (a, b) = (load(0), load(1));
                let (x, y) = (floats(a), floats(b));
                let first = compare_floats(condition, x, y) & !nans(x) | nans(y);
                blend(first, a, b)
            }
            VectorOp::CselFloat(condition) => {
                let first = compare_floats(condition, floats(load(2)), [0.0; N]);
                blend(first, load(0), load(1))
            }
            VectorOp::AccumulateProduct { signed } => {
                return self.accumulate::<N>(alu, registers, mask, load(0), load(1), signed);
            }
            VectorOp::Mach { signed, high } => {
                let sums = mach::<N>(registers, load(0), load(1), signed);
                if high {
                    for (lane, sum) in sums.iter().enumerate() {
                        if mask >> lane & 1 == 1 {
                            registers.accumulator[lane] = sum & 0xffff_ffff;
                        }
                    }
                    sums.map(|sum| (sum >> 32) as u32)
                } else {
                    sums.map(|sum| sum as u32)
                }
            }
            VectorOp::AddFloat => zip_floats(load(0), load(1), |a, b| a + b),
            VectorOp::MulFloat => zip_floats(load(0), load(1), |a, b| a * b),
            VectorOp::MadFloat => zip3(load(0), load(1), load(2), |c, a, b| fused(a, b, c)),
            VectorOp::MacFloat => {
                let sum: [u32; N] = std::array::from_fn(|lane| registers.accumulator[lane] as u32);
                zip3(sum, load(0), load(1), |c, a, b| fused(a, b, c))
            }
            VectorOp::Floor => load(0).map(|a| f32::from_bits(a).floor().to_bits()),
            VectorOp::Ceil => load(0).map(|a| f32::from_bits(a).ceil().to_bits()),
            VectorOp::Even => load(0).map(|a| f32::from_bits(a).round_ties_even().to_bits()),
            VectorOp::Truncate => load(0).map(|a| f32::from_bits(a).trunc().to_bits()),
        };
        if let Some(condition) = self.condition {
            let kind = alu.dst.kind;
            flags = Some(match is_float(kind) {
                true => compare_floats(condition, floats(out), [0.0; N]),
                false => compare_dwords(condition, is_signed(kind), out, [0; N]),
            });
        }
        self.store(alu, registers, mask, &out);
        // After the result, which may be written to the flag register as well.
        if let Some(holds) = flags {
            let channels = lanes.execute.checked_shl(lanes.flag_bit).unwrap_or(0);
            let set = (holds & lanes.execute).checked_shl(lanes.flag_bit).unwrap_or(0);
            let flag = registers.flag(lanes.flag);
            registers.set_flag(lanes.flag, flag & !channels | set);
        }
    }

    fn store<const N: usize>(&self, alu: &Alu, registers: &mut Registers, mask: u32, out: &[u32; N]) {
        let all = texwire::bits::mask(N as u32) as u32;
        match self.store {
            Store::Nothing => {}
            Store::Consecutive32(at) => {
                let target = &mut registers.bytes[usize::from(at)..usize::from(at) + N * 4];
                if mask & all == all {
                    for (bytes, value) in target.chunks_exact_mut(4).zip(out) {
                        bytes.copy_from_slice(&value.to_le_bytes());
                    }
                } else {
                    for (lane, (bytes, value)) in target.chunks_exact_mut(4).zip(out).enumerate() {
                        if mask >> lane & 1 == 1 {
                            bytes.copy_from_slice(&value.to_le_bytes());
                        }
                    }
                }
            }
            Store::Elements(size) => {
                let size = usize::from(size);
                for (lane, value) in out.iter().enumerate() {
                    if mask >> lane & 1 == 1 {
                        let at = usize::from(alu.dst.offsets[lane]);
                        registers.bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
                    }
                }
            }
            Store::Accumulator(first) => {
                for (lane, value) in out.iter().enumerate() {
                    if mask >> lane & 1 == 1 {
                        registers.accumulator[usize::from(first) + lane] = u64::from(*value);
                    }
                }
            }
        }
    }

    /// Writes the full products of the lanes of `a` and `b` to the accumulator.
    fn accumulate<const N: usize>(
        &self,
        alu: &Alu,
        registers: &mut Registers,
        mask: u32,
        a: [u32; N],
        b: [u32; N],
        [signed_a, signed_b]: [bool; 2],
    ) {
        let first = match alu.dst.storage {
            Storage::Accumulator(first) => usize::from(first),
            _ => 0,
        };
        for lane in 0..N {
            if mask >> lane & 1 == 1 {
                registers.accumulator[first + lane] =
                    extend(a[lane], signed_a).wrapping_mul(extend(b[lane], signed_b));
            }
        }
    }
}
