//! Loops over all lanes at once, for the shapes that most instructions have.
//!
//! Operands are direct, elements at most 32 bits, results 32 bits (or integers cut to less), nothing saturates. Lanes are loaded into
//! arrays of dwords, computed in plain loops that compilers vectorise, and stored under the mask. The general way gives the same
//! bits (a test compares them); floats run here only while denormals are kept and rounding is to the nearest.

use super::value::{is_float, is_signed};
use super::{Alu, Condition, Domain, Lanes, Operation};
use crate::machine::operand::{Pattern, Place, Source, size_of};
use crate::machine::registers::{Registers, control};
use texwire::enums::DataType;

/// A prepared loop.
#[derive(Clone, Debug)]
pub struct Kernel {
    op: Op,
    src: [Load; 3],
    store: Store,
    /// Runs only in the usual float mode.
    float: bool,
    /// The condition that the flag gets, on the result.
    condition: Option<Condition>,
    dst_signed: bool,
    dst_float: bool,
}

/// How lanes are loaded as dwords.
#[derive(Clone, Debug)]
enum Load {
    Nothing,
    Constant([u32; 8]),
    /// One dword for all lanes.
    Scalar32(u16),
    /// Dwords one after another.
    Consecutive32(u16),
    /// Elements at the source's offsets, extended to dwords.
    Elements,
    /// Low dwords of the accumulator, from this lane.
    Accumulator(u8),
}

/// How a result is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Store {
    Nothing,
    /// Dwords one after another.
    Consecutive32(u16),
    /// The low 1, 2 or 4 bytes at the destination's offsets.
    Elements(u8),
    /// Lanes of the accumulator: floats.
    Accumulator(u8),
}

/// What is computed, on dwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
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
    /// Product into the accumulator, the second source's low word.
    AccumulateProduct {
        signed: [bool; 2],
    },
    /// The low or the high half, with the accumulator.
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

impl Kernel {
    /// The loop for an instruction, if its shape has one.
    pub fn new(alu: &Alu) -> Option<Self> {
        if alu.saturate || alu.reads_state || alu.dst.lanes != u32::MAX || !matches!(alu.size, 1 | 8 | 16) {
            return None;
        }
        let op = Op::new(alu)?;
        if alu.accumulator_write != matches!(op, Op::Mach { high: true, .. }) {
            return None;
        }
        let mut src = [Load::Nothing, Load::Nothing, Load::Nothing];
        for (load, source) in src.iter_mut().zip(&alu.src) {
            *load = Load::new(source)?;
        }
        let store = Store::new(alu, op)?;
        let decides = matches!(alu.operation, Operation::Cmp | Operation::Sel | Operation::Csel);
        let condition = alu.condition.filter(|_| !decides);
        let cut = matches!(store, Store::Elements(1 | 2));
        let unusual = matches!(condition, Some(Condition::Overflow | Condition::Unordered));
        if condition.is_some()
            && (cut || unusual || matches!(op, Op::AccumulateProduct { .. } | Op::Mach { .. }))
        {
            return None;
        }
        Some(Self {
            float: op.is_float(),
            op,
            src,
            store,
            condition,
            dst_signed: is_signed(alu.dst.kind),
            dst_float: is_float(alu.dst.kind),
        })
    }

    /// Executes; `false` when the general way must.
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
        let out = match self.op {
            Op::Copy => load(0),
            Op::SignedToFloat => map(load(0), |a| (a as i32 as f32).to_bits()),
            Op::UnsignedToFloat => map(load(0), |a| (a as f32).to_bits()),
            Op::FloatToSigned => map(load(0), |a| f32::from_bits(a) as i32 as u32),
            Op::FloatToUnsigned => map(load(0), |a| f32::from_bits(a) as u32),
            Op::Not => map(load(0), |a| !a),
            Op::And => zip(load(0), load(1), |a, b| a & b),
            Op::Or => zip(load(0), load(1), |a, b| a | b),
            Op::Xor => zip(load(0), load(1), |a, b| a ^ b),
            Op::Shl => zip(load(0), load(1), |a, b| a << (b & 31)),
            Op::Shr => zip(load(0), load(1), |a, b| a >> (b & 31)),
            Op::Asr => zip(load(0), load(1), |a, b| (a as i32 >> (b & 31)) as u32),
            Op::Rol => zip(load(0), load(1), |a, b| a.rotate_left(b & 31)),
            Op::Add => zip(load(0), load(1), u32::wrapping_add),
            Op::Mul => zip(load(0), load(1), u32::wrapping_mul),
            Op::Mad => zip3(load(0), load(1), load(2), |a, b, c| a.wrapping_add(b.wrapping_mul(c))),
            Op::Compare { signed, condition } => {
                let (a, b) = (load(0), load(1));
                let holds = if signed {
                    compare(condition, a.map(|a| a as i32), b.map(|b| b as i32))
                } else {
                    compare(condition, a, b)
                };
                self.set_flag::<N>(registers, lanes, holds);
                spread(holds)
            }
            Op::CompareFloat(condition) => {
                let holds = compare_floats(condition, floats(load(0)), floats(load(1)));
                self.set_flag::<N>(registers, lanes, holds);
                spread(holds)
            }
            Op::SelectByPredicate => {
                mask = lanes.on;
                blend(lanes.predicate, load(0), load(1))
            }
            Op::Select { signed, condition } => {
                let (a, b) = (load(0), load(1));
                let first = if signed {
                    compare(condition, a.map(|a| a as i32), b.map(|b| b as i32))
                } else {
                    compare(condition, a, b)
                };
                blend(first, a, b)
            }
            Op::SelectFloat(condition) => {
                let (a, b) = (load(0), load(1));
                let (x, y) = (floats(a), floats(b));
                let first = compare_floats(condition, x, y) & !nans(x) | nans(y);
                blend(first, a, b)
            }
            Op::CselFloat(condition) => {
                let first = compare_floats(condition, floats(load(2)), [0.0; N]);
                blend(first, load(0), load(1))
            }
            Op::AccumulateProduct { signed } => {
                return self.accumulate::<N>(alu, registers, mask, load(0), load(1), signed);
            }
            Op::Mach { signed, high } => {
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
            Op::AddFloat => zip_floats(load(0), load(1), |a, b| a + b),
            Op::MulFloat => zip_floats(load(0), load(1), |a, b| a * b),
            Op::MadFloat => zip3(load(0), load(1), load(2), |c, a, b| fused(a, b, c)),
            Op::MacFloat => {
                let sum: [u32; N] = std::array::from_fn(|lane| registers.accumulator[lane] as u32);
                zip3(sum, load(0), load(1), |c, a, b| fused(a, b, c))
            }
            Op::Floor => map(load(0), |a| f32::from_bits(a).floor().to_bits()),
            Op::Ceil => map(load(0), |a| f32::from_bits(a).ceil().to_bits()),
            Op::Even => map(load(0), |a| f32::from_bits(a).round_ties_even().to_bits()),
            Op::Truncate => map(load(0), |a| f32::from_bits(a).trunc().to_bits()),
        };
        if let Some(condition) = self.condition {
            let holds = match (self.dst_float, self.dst_signed) {
                (true, _) => compare_floats(condition, floats(out), [0.0; N]),
                (false, true) => compare(condition, out.map(|a| a as i32), [0; N]),
                (false, false) => compare(condition, out, [0; N]),
            };
            self.set_flag::<N>(registers, lanes, holds);
        }
        self.store(alu, registers, mask, &out);
    }

    fn set_flag<const N: usize>(&self, registers: &mut Registers, lanes: &Lanes, holds: u32) {
        let channels = lanes.execute.checked_shl(lanes.flag_bit).unwrap_or(0);
        let set = (holds & lanes.execute).checked_shl(lanes.flag_bit).unwrap_or(0);
        let flag = registers.flag(lanes.flag);
        registers.set_flag(lanes.flag, flag & !channels | set);
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

    /// A product of a dword and a low word, in full, into the accumulator.
    fn accumulate<const N: usize>(
        &self,
        alu: &Alu,
        registers: &mut Registers,
        mask: u32,
        a: [u32; N],
        b: [u32; N],
        [signed_a, signed_b]: [bool; 2],
    ) {
        let first = match alu.dst.place {
            Place::Accumulator(first) => usize::from(first),
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

/// A dword as 64 bits.
#[inline]
fn extend(value: u32, signed: bool) -> u64 {
    if signed { i64::from(value as i32) as u64 } else { u64::from(value) }
}

/// The accumulator plus the product of the first source and the upper word of the second, all 64 bits.
fn mach<const N: usize>(registers: &Registers, a: [u32; N], b: [u32; N], signed: [bool; 2]) -> [u64; N] {
    std::array::from_fn(|lane| {
        let upper = if signed[1] { (b[lane] as i32 >> 16) as u32 } else { b[lane] >> 16 };
        let product = extend(a[lane], signed[0]).wrapping_mul(extend(upper, signed[1]));
        registers.accumulator[lane].wrapping_add(product << 16)
    })
}

#[inline]
fn map<const N: usize>(a: [u32; N], f: impl Fn(u32) -> u32) -> [u32; N] {
    a.map(f)
}

#[inline]
fn zip<const N: usize>(a: [u32; N], b: [u32; N], f: impl Fn(u32, u32) -> u32) -> [u32; N] {
    let mut out = [0; N];
    for lane in 0..N {
        out[lane] = f(a[lane], b[lane]);
    }
    out
}

#[inline]
fn zip3<const N: usize>(a: [u32; N], b: [u32; N], c: [u32; N], f: impl Fn(u32, u32, u32) -> u32) -> [u32; N] {
    let mut out = [0; N];
    for lane in 0..N {
        out[lane] = f(a[lane], b[lane], c[lane]);
    }
    out
}

#[inline]
fn zip_floats<const N: usize>(a: [u32; N], b: [u32; N], f: impl Fn(f32, f32) -> f32) -> [u32; N] {
    zip(a, b, |a, b| f(f32::from_bits(a), f32::from_bits(b)).to_bits())
}

#[inline]
fn floats<const N: usize>(a: [u32; N]) -> [f32; N] {
    a.map(f32::from_bits)
}

/// A mask of the lanes where `f` holds.
#[inline]
fn mask_of<T: Copy, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> bool) -> u32 {
    let mut mask = 0;
    for lane in 0..N {
        mask |= u32::from(f(a[lane], b[lane])) << lane;
    }
    mask
}

#[inline]
fn nans<const N: usize>(a: [f32; N]) -> u32 {
    mask_of(a, a, |a, b| a != b)
}

#[inline]
fn compare<T: Copy + Ord, const N: usize>(condition: Condition, a: [T; N], b: [T; N]) -> u32 {
    match condition {
        Condition::Equal => mask_of(a, b, |a, b| a == b),
        Condition::NotEqual => mask_of(a, b, |a, b| a != b),
        Condition::Greater => mask_of(a, b, |a, b| a > b),
        Condition::GreaterEqual => mask_of(a, b, |a, b| a >= b),
        Condition::Less => mask_of(a, b, |a, b| a < b),
        Condition::LessEqual => mask_of(a, b, |a, b| a <= b),
        Condition::Overflow | Condition::Unordered => 0,
    }
}

#[inline]
fn compare_floats<const N: usize>(condition: Condition, a: [f32; N], b: [f32; N]) -> u32 {
    match condition {
        Condition::Equal => mask_of(a, b, |a, b| a == b),
        Condition::NotEqual => mask_of(a, b, |a, b| a != b),
        Condition::Greater => mask_of(a, b, |a, b| a > b),
        Condition::GreaterEqual => mask_of(a, b, |a, b| a >= b),
        Condition::Less => mask_of(a, b, |a, b| a < b),
        Condition::LessEqual => mask_of(a, b, |a, b| a <= b),
        Condition::Unordered => nans(a) | nans(b),
        Condition::Overflow => 0,
    }
}

/// All ones in the lanes of a mask.
#[inline]
fn spread<const N: usize>(mask: u32) -> [u32; N] {
    std::array::from_fn(|lane| 0u32.wrapping_sub(mask >> lane & 1))
}

/// `a` in the lanes of a mask, `b` in the others.
#[inline]
fn blend<const N: usize>(mask: u32, a: [u32; N], b: [u32; N]) -> [u32; N] {
    let mask: [u32; N] = spread(mask);
    std::array::from_fn(|lane| a[lane] & mask[lane] | b[lane] & !mask[lane])
}

/// `a * b + c`, rounded once. The product is exact in a double; the sum is rounded to odd, so that rounding it again to a float is
/// right.
#[inline]
fn fused(a: u32, b: u32, c: u32) -> u32 {
    let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
    let c = f64::from(f32::from_bits(c));
    let sum = product + c;
    let from_c = sum - product;
    let rest = (product - (sum - from_c)) + (c - from_c);
    let bits = sum.to_bits();
    // A rest that is no number comes of infinities and NaNs: nothing to correct.
    let inexact = rest != 0.0 && rest.is_finite() && bits & 1 == 0;
    let step = if (rest > 0.0) == (sum > 0.0) { 1 } else { u64::MAX };
    let odd = if inexact { bits.wrapping_add(step) } else { bits };
    (f64::from_bits(odd) as f32).to_bits()
}

impl Load {
    fn new(source: &Source) -> Option<Self> {
        let four = size_of(source.kind) == 4;
        if size_of(source.kind) > 4 || is_float(source.kind) && !four {
            return None;
        }
        let first = source.offsets[0];
        Some(match (&source.place, source.pattern) {
            (Place::Immediate(lanes), _) => {
                Self::Constant(lanes.map(|lane| extended(source.kind, lane as u32)))
            }
            (Place::Bytes, Pattern::Scalar) if four => Self::Scalar32(first),
            (Place::Bytes, Pattern::Consecutive) if four => Self::Consecutive32(first),
            (Place::Bytes, _) => Self::Elements,
            (Place::Accumulator(lane), Pattern::Consecutive | Pattern::Scalar) if is_float(source.kind) => {
                (first == 0).then_some(Self::Accumulator(*lane))?
            }
            (Place::Null, _) => Self::Constant([0; 8]),
            (Place::Accumulator(_) | Place::Indirect { .. }, _) => return None,
        })
    }

    /// The lanes of a source, with its modifiers.
    #[inline]
    fn lanes<const N: usize>(&self, source: Option<&Source>, registers: &Registers) -> [u32; N] {
        let mut out = [0; N];
        let Some(source) = source else { return out };
        match self {
            Self::Nothing => {}
            Self::Constant(lanes) => out = std::array::from_fn(|lane| lanes[lane % 8]),
            Self::Scalar32(at) => out = [registers.dword(usize::from(*at)); N],
            Self::Consecutive32(at) => {
                let from = &registers.bytes[usize::from(*at)..usize::from(*at) + N * 4];
                for (value, bytes) in out.iter_mut().zip(from.as_chunks::<4>().0) {
                    *value = u32::from_le_bytes(*bytes);
                }
            }
            Self::Elements => {
                for (value, at) in out.iter_mut().zip(source.offsets) {
                    let at = usize::from(at);
                    *value = match source.kind {
                        DataType::W => registers.word(at) as i16 as u32,
                        DataType::Uw => u32::from(registers.word(at)),
                        DataType::B => registers.bytes[at] as i8 as u32,
                        DataType::Ub => u32::from(registers.bytes[at]),
                        _ => registers.dword(at),
                    };
                }
            }
            Self::Accumulator(first) => {
                for (lane, value) in out.iter_mut().enumerate() {
                    *value = registers.accumulator[usize::from(*first) + lane] as u32;
                }
            }
        }
        if source.absolute || source.negate {
            modify(source, &mut out);
        }
        out
    }
}

/// An immediate's bits as a dword.
fn extended(kind: DataType, bits: u32) -> u32 {
    match kind {
        DataType::W => bits as i16 as u32,
        DataType::B => bits as i8 as u32,
        DataType::Uw => u32::from(bits as u16),
        DataType::Ub => u32::from(bits as u8),
        _ => bits,
    }
}

/// Absolute value and negation; the complement is part of the bitwise operations.
fn modify(source: &Source, lanes: &mut [u32]) {
    const SIGN: u32 = 1 << 31;
    let float = is_float(source.kind);
    if source.absolute {
        for value in lanes.iter_mut() {
            *value = if float { *value & !SIGN } else { (*value as i32).unsigned_abs() };
        }
    }
    if source.negate {
        for value in lanes.iter_mut() {
            *value = if float { *value ^ SIGN } else { value.wrapping_neg() };
        }
    }
}

impl Store {
    fn new(alu: &Alu, op: Op) -> Option<Self> {
        let size = size_of(alu.dst.kind);
        // Float results are dwords; half floats and doubles are converted in the general way.
        if size > 4 || alu.dst.kind == DataType::Hf {
            return None;
        }
        match &alu.dst.place {
            Place::Null => Some(Self::Nothing),
            Place::Bytes if size == 4 && alu.dst.pattern != Pattern::Scattered => {
                Some(Self::Consecutive32(alu.dst.offsets[0]))
            }
            Place::Bytes => Some(Self::Elements(size as u8)),
            Place::Accumulator(_) if matches!(op, Op::AccumulateProduct { .. }) => Some(Self::Nothing),
            Place::Accumulator(first)
                if matches!(op, Op::AddFloat | Op::MulFloat | Op::MadFloat | Op::MacFloat) =>
            {
                Some(Self::Accumulator(*first))
            }
            Place::Accumulator(_) | Place::Indirect { .. } | Place::Immediate(_) => None,
        }
    }
}

impl Op {
    const fn is_float(self) -> bool {
        matches!(
            self,
            Self::SignedToFloat
                | Self::UnsignedToFloat
                | Self::FloatToSigned
                | Self::FloatToUnsigned
                | Self::AddFloat
                | Self::MulFloat
                | Self::MadFloat
                | Self::MacFloat
                | Self::CompareFloat(_)
                | Self::SelectFloat(_)
                | Self::CselFloat(_)
                | Self::Floor
                | Self::Ceil
                | Self::Even
                | Self::Truncate
        )
    }

    fn new(alu: &Alu) -> Option<Self> {
        match alu.domain {
            Domain::Integer => Self::integer(alu),
            Domain::Float(DataType::F) => Self::float(alu),
            Domain::Float(_) => None,
        }
    }

    fn float(alu: &Alu) -> Option<Self> {
        let dst = alu.dst.kind;
        let all = alu.src.iter().all(|source| source.kind == DataType::F);
        if !all {
            return None;
        }
        let usual = |condition: Condition| (!matches!(condition, Condition::Overflow)).then_some(condition);
        if alu.operation == Operation::Cmp {
            // A narrow destination would cut the ones, which is right; a float one gets them as bits.
            return Some(Self::CompareFloat(usual(alu.condition?)?));
        }
        if alu.operation == Operation::Mov && dst != DataType::F {
            return match dst {
                DataType::D => Some(Self::FloatToSigned),
                DataType::Ud => Some(Self::FloatToUnsigned),
                _ => None,
            };
        }
        if dst != DataType::F {
            return None;
        }
        Some(match alu.operation {
            Operation::Mov => Self::Copy,
            Operation::Sel => match alu.condition {
                None => Self::SelectByPredicate,
                Some(condition) => Self::SelectFloat(usual(condition)?),
            },
            Operation::Csel => Self::CselFloat(usual(alu.condition?)?),
            Operation::Add => Self::AddFloat,
            Operation::Mul => Self::MulFloat,
            Operation::Mad => Self::MadFloat,
            Operation::Mac => Self::MacFloat,
            Operation::Rndd => Self::Floor,
            Operation::Rndu => Self::Ceil,
            Operation::Rnde => Self::Even,
            Operation::Rndz => Self::Truncate,
            _ => return None,
        })
    }

    fn integer(alu: &Alu) -> Option<Self> {
        let kind = |index: usize| alu.src.get(index).map(|source| source.kind);
        let float = is_float(alu.dst.kind);
        let modified = alu.src.iter().any(|source| source.negate || source.absolute);
        if alu.operation == Operation::Mov && float {
            // A negated dword is not always a dword.
            let signed = kind(0) != Some(DataType::Ud);
            let dword = kind(0).is_some_and(|kind| size_of(kind) == 4);
            return match (alu.dst.kind, modified) {
                (DataType::F, true) if dword => None,
                (DataType::F, _) if signed => Some(Self::SignedToFloat),
                (DataType::F, _) => Some(Self::UnsignedToFloat),
                _ => None,
            };
        }
        if float && !matches!(alu.operation, Operation::Cmp) {
            return None;
        }
        // The absolute value of the lowest integer is no dword of its sign.
        if alu.src.iter().any(|source| source.absolute) {
            return None;
        }
        if alu.operation.is_bitwise() {
            // The complement would be one of dwords: narrow results are cut, wide ones do not come here.
            return match (alu.operation, modified) {
                (_, true) => None,
                (Operation::Not, _) => Some(Self::Not),
                (Operation::And, _) => Some(Self::And),
                (Operation::Or, _) => Some(Self::Or),
                _ => Some(Self::Xor),
            };
        }
        let signs = || {
            // Unsigned types below a dword are the same number in a signed one.
            let unsigned = [0, 1].map(|index| kind(index) == Some(DataType::Ud));
            let small = [0, 1].map(|index| matches!(kind(index), Some(DataType::Uw | DataType::Ub)));
            match (modified, unsigned, small) {
                (true, [true, _] | [_, true], _) => None,
                (_, [true, true], _) => Some(false),
                (_, [true, false], [_, true]) | (_, [false, true], [true, _]) => Some(false),
                (_, [false, false], _) => Some(true),
                _ => immediate_sign(alu),
            }
        };
        let dword = |index: usize| kind(index).is_some_and(|kind| size_of(kind) == 4);
        Some(match alu.operation {
            Operation::Mov => Self::Copy,
            Operation::Shl => Self::Shl,
            Operation::Shr
                if !modified
                    && matches!(kind(0)?, DataType::D | DataType::Ud | DataType::Uw | DataType::Ub) =>
            {
                Self::Shr
            }
            Operation::Asr if !modified && kind(0)? != DataType::Ud => Self::Asr,
            Operation::Rol if !modified && dword(0) => Self::Rol,
            Operation::Add => Self::Add,
            Operation::Mul if matches!(alu.dst.place, Place::Accumulator(_)) => {
                if modified || dword(1) {
                    return None;
                }
                Self::AccumulateProduct { signed: [0, 1].map(|index| kind(index).is_some_and(is_signed)) }
            }
            Operation::Mul => Self::Mul,
            Operation::Mach if !modified && dword(0) && dword(1) && size_of(alu.dst.kind) == 4 => {
                Self::Mach {
                    signed: [0, 1].map(|index| kind(index).is_some_and(is_signed)),
                    high: alu.accumulator_write,
                }
            }
            Operation::Mad => Self::Mad,
            Operation::Cmp => {
                let condition = alu.condition?;
                if matches!(condition, Condition::Overflow | Condition::Unordered) {
                    return None;
                }
                // The negation of the lowest dword is no dword.
                if modified {
                    return None;
                }
                Self::Compare { signed: signs()?, condition }
            }
            Operation::Sel => match alu.condition {
                None => Self::SelectByPredicate,
                Some(condition) if !modified => Self::Select { signed: signs()?, condition },
                Some(_) => return None,
            },
            _ => return None,
        })
    }
}

/// The sign in which a pair with one unsigned dword compares, when the other is a constant that is not negative.
fn immediate_sign(alu: &Alu) -> Option<bool> {
    let other = alu.src.iter().find(|source| source.kind != DataType::Ud)?;
    match &other.place {
        Place::Immediate(lanes) => {
            let negative = |lane: &u64| super::value::integer(other.kind, *lane) < 0;
            (!lanes.iter().any(negative)).then_some(false)
        }
        _ => None,
    }
}
