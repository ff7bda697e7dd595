//! Executes an instruction lane by lane: every type, region and modifier.

use super::math;
use super::value::{self, FloatMode, Rounding, Value, float, integer, is_float, is_signed, sign_bit};
use super::{Alu, Condition, Domain, Function, Operation};
use crate::machine::error::Result;
use crate::machine::operand::{LANES, Place, Source, size_of};
use crate::machine::registers::{Registers, control};
use texwire::enums::DataType;

/// Which lanes of an instruction do what.
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    /// Lanes that execute.
    pub execute: u32,
    /// Lanes that are on, whatever the predicate.
    pub on: u32,
    /// Lanes whose predicate holds.
    pub predicate: u32,
    /// The first flag bit: of the flag subregister, and the instruction's first channel.
    pub flag_bit: u32,
    /// Flag register.
    pub flag: u8,
    /// It is predicated.
    pub predicated: bool,
}

/// The float mode that cr0 sets.
pub(in crate::machine) fn float_mode(registers: &Registers) -> FloatMode {
    let bits = registers.control();
    FloatMode {
        rounding: Rounding::new(bits >> control::ROUNDING_SHIFT),
        flush: [control::DENORMAL_HALF, control::DENORMAL_FLOAT, control::DENORMAL_DOUBLE]
            .map(|keep| bits & keep == 0),
    }
}

impl Source {
    /// Bits after the modifiers of a float: the sign bit.
    fn signed_bits(&self, bits: u64) -> u64 {
        let sign = sign_bit(self.kind);
        let bits = if self.absolute { bits & !sign } else { bits };
        if self.negate { bits ^ sign } else { bits }
    }

    fn integer(&self, bits: u64, bitwise: bool) -> i128 {
        let value = integer(self.kind, bits);
        let value = if self.absolute { value.abs() } else { value };
        match (self.negate, bitwise) {
            (true, true) => !value,
            (true, false) => -value,
            (false, _) => value,
        }
    }

    fn float(&self, bits: u64, mode: FloatMode) -> f64 {
        if is_float(self.kind) {
            float(self.kind, value::flushed(self.kind, self.signed_bits(bits), mode))
        } else {
            self.integer(bits, false) as f64
        }
    }
}

/// What a lane's operation sees.
struct Lane<'a> {
    alu: &'a Alu,
    bits: [u64; 3],
    accumulator: u64,
    predicate: bool,
    mode: FloatMode,
}

/// What a lane gives.
struct Output {
    value: Value,
    /// What the condition says, when it is not of the result.
    flag: Option<bool>,
    /// What the accumulator gets, when it is not the result.
    accumulator: Option<u64>,
    /// The second destination of `math.idiv`.
    second: Option<Value>,
}

impl From<Value> for Output {
    fn from(value: Value) -> Self {
        Self { value, flag: None, accumulator: None, second: None }
    }
}

impl Alu {
    /// Executes the instruction on `registers`.
    ///
    /// # Errors
    /// An address register that points outside the general registers.
    pub fn execute_general(&self, registers: &mut Registers, lanes: &Lanes) -> Result<()> {
        let mode = float_mode(registers);
        // Chosen by the predicate, a lane is written either way; the larger or smaller obeys it like any result.
        let sel = self.operation == Operation::Sel && lanes.predicated && self.condition.is_none();
        let execute = if sel { lanes.on } else { lanes.execute } & self.dst.lanes;
        let mut outputs = [const { None }; LANES];
        for lane in bits(execute) {
            let mut lane_bits = [0; 3];
            for (bits, source) in lane_bits.iter_mut().zip(&self.src) {
                *bits = source.bits(registers, lane)?;
            }
            let input = Lane {
                alu: self,
                bits: lane_bits,
                accumulator: registers.accumulator[lane],
                predicate: lanes.predicate >> lane & 1 == 1,
                mode,
            };
            outputs[lane] = Some(match self.operation {
                Operation::Dp4 | Operation::Dph | Operation::Dp3 | Operation::Dp2 | Operation::Line => {
                    self.of_four(registers, lane, mode)?
                }
                _ => input.compute(),
            });
        }
        let (mut written, mut set_bits) = (0, 0);
        for lane in bits(execute) {
            let Some(output) = &outputs[lane] else { continue };
            let stored = output.value.encode(self.dst.kind, self.saturate, mode);
            let wide = output.value.wide(self.dst.kind, stored);
            self.dst.write(registers, lane, stored, wide)?;
            if self.accumulator_write {
                registers.accumulator[lane] = output.accumulator.unwrap_or(wide);
            }
            if let Some(second) = output.second {
                self.write_second(registers, lane, second.encode(self.dst.kind, false, mode));
            }
            if let Some(set) = output.flag.or_else(|| self.result_flag(output.value, stored)) {
                let bit = 1u32.checked_shl(lanes.flag_bit + lane as u32).unwrap_or(0);
                written |= bit;
                set_bits |= if set { bit } else { 0 };
            }
        }
        // Not when no condition is set: the flag may be the destination itself.
        if written != 0 {
            let flag = registers.flag(lanes.flag);
            registers.set_flag(lanes.flag, flag & !written | set_bits);
        }
        Ok(())
    }

    /// The register after the destination: remainders of `math.idiv`.
    fn write_second(&self, registers: &mut Registers, lane: usize, bits: u64) {
        if self.dst.place != Place::Bytes {
            return;
        }
        let size = size_of(self.dst.kind);
        let registers_of_result = (self.size * size).div_ceil(32) * 32;
        let at = usize::from(self.dst.offsets[lane]) + registers_of_result;
        if let Some(bytes) = registers.bytes.get_mut(at..at + size) {
            bytes.copy_from_slice(&bits.to_le_bytes()[..size]);
        }
    }

    /// What the condition says of a result that compares with 0.
    fn result_flag(&self, value: Value, stored: u64) -> Option<bool> {
        if matches!(self.operation, Operation::Sel | Operation::Csel) {
            return None;
        }
        let condition = self.condition?;
        let kind = self.dst.kind;
        Some(match (condition, value) {
            (Condition::Overflow, Value::Int(exact)) => {
                let (low, high) = value::range(kind);
                exact < low || exact > high
            }
            (Condition::Overflow, _) => is_float(kind) && float(kind, stored).is_infinite(),
            _ if is_float(kind) => condition.compare_floats(float(kind, stored), 0.0),
            _ => condition.compare(integer(kind, stored).cmp(&0)),
        })
    }

    /// Dot products and the line equation: each lane sees the four lanes of its group.
    fn of_four(&self, registers: &Registers, lane: usize, mode: FloatMode) -> Result<Output> {
        let first = lane & !3;
        let mut inputs = [[0.0; 4]; 2];
        for (input, source) in inputs.iter_mut().zip(&self.src) {
            for (component, value) in input.iter_mut().enumerate() {
                *value = source.float(source.bits(registers, first + component)?, mode);
            }
        }
        let [a, b] = inputs;
        let dot = |count: usize| (0..count).map(|i| a[i] * b[i]).sum::<f64>();
        let value = match self.operation {
            Operation::Dp2 => dot(2),
            Operation::Dp3 => dot(3),
            Operation::Dph => dot(3) + b[3],
            Operation::Line => {
                let own = self.src.get(1).map_or(Ok(0), |source| source.bits(registers, lane))?;
                a[0] * self.src.get(1).map_or(0.0, |source| source.float(own, mode)) + a[3]
            }
            _ => dot(4),
        };
        Ok(Value::Float(value, 0.0).into())
    }
}

impl Condition {
    /// The condition on an order.
    pub(super) fn compare(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
            Self::Overflow | Self::Unordered => false,
        }
    }

    /// The condition on two floats: with a NaN only "not equal" and "unordered" hold.
    pub(super) fn compare_floats(self, a: f64, b: f64) -> bool {
        match a.partial_cmp(&b) {
            Some(order) => self.compare(order),
            None => matches!(self, Self::NotEqual | Self::Unordered),
        }
    }
}

/// The numbers of the bits that are set.
pub(in crate::machine) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.checked_sub(1)?;
        Some(lane as usize)
    })
}

impl Lane<'_> {
    fn source(&self, index: usize) -> Option<&Source> {
        self.alu.src.get(index)
    }

    fn integer(&self, index: usize) -> i128 {
        let bitwise = self.alu.operation.is_bitwise();
        self.source(index).map_or(0, |source| source.integer(self.bits[index], bitwise))
    }

    fn float(&self, index: usize) -> f64 {
        self.source(index).map_or(0.0, |source| source.float(self.bits[index], self.mode))
    }

    fn compute(&self) -> Output {
        let operation = self.alu.operation;
        match operation {
            Operation::Mov => self.moved(0).into(),
            Operation::Sel => self.select(),
            Operation::Csel => {
                let condition = self.alu.condition.unwrap_or(Condition::NotEqual);
                let holds = match self.source(2).map(|source| source.kind) {
                    Some(kind) if is_float(kind) => condition.compare_floats(self.float(2), 0.0),
                    _ => condition.compare(self.integer(2).cmp(&0)),
                };
                self.moved(if holds { 0 } else { 1 }).into()
            }
            Operation::Cmp => {
                let condition = self.alu.condition.unwrap_or(Condition::NotEqual);
                let holds = self.compare(condition);
                let all = if holds { u64::MAX } else { 0 };
                Output { flag: Some(holds), ..Value::Bits(all).into() }
            }
            Operation::Math(function) => self.math(function),
            _ => match self.alu.domain {
                Domain::Integer => self.integers(),
                Domain::Float(_) => self.floats().into(),
            },
        }
    }

    /// A source as the destination has it: bits when the types are the same.
    fn moved(&self, index: usize) -> Value {
        let Some(source) = self.source(index) else { return Value::Bits(0) };
        let bits = self.bits[index];
        let kind = self.alu.dst.kind;
        match is_float(source.kind) {
            true if source.kind == kind && !self.alu.saturate => Value::Bits(source.signed_bits(bits)),
            true => Value::Float(source.float(bits, self.mode), 0.0),
            false => Value::Int(source.integer(bits, self.alu.operation.is_bitwise())),
        }
    }

    fn compare(&self, condition: Condition) -> bool {
        match self.alu.domain {
            Domain::Integer => condition.compare(self.integer(0).cmp(&self.integer(1))),
            Domain::Float(_) => condition.compare_floats(self.float(0), self.float(1)),
        }
    }

    fn select(&self) -> Output {
        let first = match self.alu.condition {
            None => self.predicate,
            // The larger or the smaller; of a NaN and a number the number.
            Some(condition) => match self.alu.domain {
                Domain::Float(_) if self.float(1).is_nan() => true,
                Domain::Float(_) if self.float(0).is_nan() => false,
                _ => self.compare(condition),
            },
        };
        self.moved(if first { 0 } else { 1 }).into()
    }

    /// Bits of the type that shifts compute in: the widest operand's, the destination among them.
    fn width(&self) -> u32 {
        let kinds = self.alu.src.iter().map(|source| source.kind).chain([self.alu.dst.kind]);
        if kinds.map(size_of).any(|size| size == 8) { 64 } else { 32 }
    }

    fn integers(&self) -> Output {
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
                return Output { accumulator: Some(sum >> 32), ..Value::Bits(sum & 0xffff_ffff).into() };
            }
            Operation::Subb => {
                let (difference, borrow) = (a as u32).overflowing_sub(b as u32);
                let value = Value::Bits(u64::from(difference));
                return Output { accumulator: Some(u64::from(borrow)), ..value.into() };
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
            // Floats only: integers are copied.
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
            | Operation::Math(_) => a,
        };
        Value::Int(value).into()
    }

    /// The accumulator as an integer: all of its 64 bits.
    fn accumulated(&self) -> i128 {
        let signed = self.alu.src.iter().any(|source| is_signed(source.kind));
        if signed { i128::from(self.accumulator as i64) } else { i128::from(self.accumulator) }
    }

    /// A product; into the accumulator a dword as second source counts with its low word.
    fn product(&self, a: i128, b: i128) -> i128 {
        let into_accumulator = matches!(self.alu.dst.place, Place::Accumulator(_));
        let dword = self.source(1).is_some_and(|source| size_of(source.kind) == 4);
        if into_accumulator && dword { a * (b & 0xffff) } else { a.wrapping_mul(b) }
    }

    /// The upper half of a dword product whose lower words are in the accumulator; without accumulator write the lower half.
    fn mach(&self, a: i128, b: i128) -> Output {
        let product = self.accumulated().wrapping_add(a.wrapping_mul(b >> 16) << 16);
        let low = product as u64 & 0xffff_ffff;
        if self.alu.accumulator_write {
            Output { accumulator: Some(low), ..Value::Int(product >> 32).into() }
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

    fn floats(&self) -> Value {
        let (a, b) = (self.float(0), self.float(1));
        let exact = |value: f64| Value::Float(value, 0.0);
        let pair = |(value, rest)| Value::Float(value, rest);
        match self.alu.operation {
            Operation::Add => pair(value::exact_sum(a, b)),
            Operation::Mul => pair(value::exact_product(a, b)),
            Operation::Mad => pair(value::exact_fma(b, self.float(2), a)),
            Operation::Mac => pair(value::exact_fma(a, b, self.accumulated_float())),
            Operation::Lrp => {
                let c = self.float(2);
                pair(value::exact_fma(a, b, (1.0 - a) * c))
            }
            Operation::Frc => {
                let (fraction, rest) = value::exact_sum(a, -a.floor());
                // Just below 1 rounds to 1: the largest float below it.
                pair((fraction, rest))
            }
            Operation::Rndu => exact(a.ceil()),
            Operation::Rndd => exact(a.floor()),
            Operation::Rnde => exact(a.round_ties_even()),
            Operation::Rndz => exact(a.trunc()),
            Operation::Avg => exact((a + b) * 0.5),
            // Bitwise operations on floats work on their bits.
            Operation::Not => Value::Bits(!self.bits[0]),
            Operation::And => Value::Bits(self.bits[0] & self.bits[1]),
            Operation::Or => Value::Bits(self.bits[0] | self.bits[1]),
            Operation::Xor => Value::Bits(self.bits[0] ^ self.bits[1]),
            Operation::Mov
            | Operation::Sel
            | Operation::Csel
            | Operation::Cmp
            | Operation::Shr
            | Operation::Shl
            | Operation::Asr
            | Operation::Ror
            | Operation::Rol
            | Operation::Bfrev
            | Operation::Bfe
            | Operation::Bfi1
            | Operation::Bfi2
            | Operation::Mach
            | Operation::Lzd
            | Operation::Fbh
            | Operation::Fbl
            | Operation::Cbit
            | Operation::Addc
            | Operation::Subb
            | Operation::Dp4
            | Operation::Dph
            | Operation::Dp3
            | Operation::Dp2
            | Operation::Line
            | Operation::Math(_) => exact(a),
        }
    }

    /// The accumulator as a float of the type that is computed in.
    fn accumulated_float(&self) -> f64 {
        let kind = match self.alu.domain {
            Domain::Float(kind) => kind,
            Domain::Integer => DataType::F,
        };
        float(kind, self.accumulator)
    }

    fn math(&self, function: Function) -> Output {
        match function {
            Function::Quotient | Function::Remainder | Function::QuotientRemainder => {
                let (quotient, remainder) = math::divide(self.integer(0), self.integer(1));
                match function {
                    Function::Quotient => Value::Int(quotient).into(),
                    Function::Remainder => Value::Int(remainder).into(),
                    _ => Output { second: Some(Value::Int(remainder)), ..Value::Int(quotient).into() },
                }
            }
            Function::DivideMacro | Function::SqrtMacro => {
                let kind = self.alu.dst.kind;
                let (value, rest) = math::exact_step(function, self.float(0), self.float(1));
                let bits = value::narrow(value, rest, kind, self.mode.rounding);
                Output { flag: Some(true), ..Value::Bits(bits).into() }
            }
            _ => Value::Float(math::function(function, self.float(0), self.float(1)), 0.0).into(),
        }
    }
}
