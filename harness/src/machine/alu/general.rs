//! The general path: executes an instruction lane by lane, with any type, region and modifier.

use super::instruction::Alu;
use super::operation::{Condition, ExecutionType, Operation};
use super::value::{self, FloatMode, Rounding, Value, float, integer, is_float, sign_bit};
use crate::machine::error::{Error, Result};
use crate::machine::lanes::{Lanes, bits};
use crate::machine::operand::{LANES, Source, Storage, size_of};
use crate::machine::registers::{GENERAL, Registers, control};

/// Returns the rounding mode and denormal handling that cr0 sets.
pub(in crate::machine) fn float_mode(registers: &Registers) -> FloatMode {
    let bits = registers.control();
    FloatMode {
        rounding: Rounding::new(bits >> control::ROUNDING_SHIFT),
        flush: [control::DENORMAL_HALF, control::DENORMAL_FLOAT, control::DENORMAL_DOUBLE]
            .map(|keep| bits & keep == 0),
    }
}

impl Source {
    /// Returns the bits of a float after the source modifiers, which only change its sign bit.
    fn signed_bits(&self, bits: u64) -> u64 {
        let sign = sign_bit(self.kind);
        let bits = if self.absolute { bits & !sign } else { bits };
        if self.negate { bits ^ sign } else { bits }
    }

    pub(super) fn integer(&self, bits: u64, bitwise: bool) -> i128 {
        let value = integer(self.kind, bits);
        let value = if self.absolute { value.abs() } else { value };
        match (self.negate, bitwise) {
            (true, true) => !value,
            (true, false) => -value,
            (false, _) => value,
        }
    }

    pub(super) fn float(&self, bits: u64, mode: FloatMode) -> f64 {
        if is_float(self.kind) {
            float(self.kind, value::flushed(self.kind, self.signed_bits(bits), mode))
        } else {
            self.integer(bits, false) as f64
        }
    }
}

/// The inputs of one lane's operation.
pub(super) struct LaneInputs<'a> {
    pub(super) alu: &'a Alu,
    pub(super) bits: [u64; 3],
    pub(super) accumulator: u64,
    pub(super) predicate: bool,
    pub(super) mode: FloatMode,
}

/// The results of one lane's operation.
pub(super) struct LaneOutput {
    pub(super) value: Value,
    /// The lane's flag bit; `None`: the condition on the result gives it.
    pub(super) flag: Option<bool>,
    /// The value for the accumulator; `None`: the result.
    pub(super) accumulator: Option<u64>,
    /// The second result of `math.idiv`, the remainder.
    pub(super) second: Option<Value>,
}

impl From<Value> for LaneOutput {
    fn from(value: Value) -> Self {
        Self { value, flag: None, accumulator: None, second: None }
    }
}

impl Alu {
    /// Executes the instruction on `registers`.
    ///
    /// # Errors
    /// An address register that points outside the general registers; a second result behind them.
    pub fn execute_general(&self, registers: &mut Registers, lanes: &Lanes) -> Result<()> {
        let mode = float_mode(registers);
        // A `sel` without a condition writes every active lane: the predicate selects the source. With a condition (minimum, maximum) the
        // predicate masks lanes, as for other instructions.
        let sel = self.operation == Operation::Sel && lanes.predicated && self.condition.is_none();
        let execute = if sel { lanes.on } else { lanes.execute } & self.dst.lanes;
        let mut outputs = [const { None }; LANES];
        for lane in bits(execute) {
            let mut lane_bits = [0; 3];
            for (bits, source) in lane_bits.iter_mut().zip(&self.src) {
                *bits = source.bits(registers, lane)?;
            }
            let input = LaneInputs {
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
                Operation::Sad2 | Operation::Sada2 => self.of_pair(registers, lane)?,
                Operation::Pln => self.plane(registers, lane, mode)?,
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
                self.write_second(registers, lane, second.encode(self.dst.kind, false, mode))?;
            }
            if let Some(set) = output.flag.or_else(|| self.result_flag(output.value, stored)) {
                let bit = 1u32.checked_shl(lanes.flag_bit + lane as u32).unwrap_or(0);
                written |= bit;
                set_bits |= if set { bit } else { 0 };
            }
        }
        // Without a condition the flag register stays as the result left it: it may be the destination itself.
        if written != 0 {
            let flag = registers.flag(lanes.flag);
            registers.set_flag(lanes.flag, flag & !written | set_bits);
        }
        Ok(())
    }

    /// Writes the second result of `math.idiv` to the registers after those of the first.
    fn write_second(&self, registers: &mut Registers, lane: usize, bits: u64) -> Result<()> {
        if self.dst.storage != Storage::Bytes {
            return Ok(());
        }
        let size = size_of(self.dst.kind);
        let registers_of_result = (self.size * size).div_ceil(32) * 32;
        let at = usize::from(self.dst.offsets[lane]) + registers_of_result;
        let bytes = registers.bytes[..GENERAL].get_mut(at..at + size).ok_or_else(|| {
            let why = format!("byte {at:#x} of {GENERAL:#x}");
            Error::new("region outside the register file", why).lane(lane)
        })?;
        bytes.copy_from_slice(&bits.to_le_bytes()[..size]);
        Ok(())
    }

    /// Returns the flag bit of a result, whose condition compares it with 0 or tests it for overflow; `None` if no flag is written.
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
}

impl Condition {
    /// Returns whether the condition holds for two values in this order.
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

    /// Returns whether the condition holds for two floats. With a NaN only "not equal" and "unordered" hold.
    pub(super) fn compare_floats(self, a: f64, b: f64) -> bool {
        match a.partial_cmp(&b) {
            Some(order) => self.compare(order),
            None => matches!(self, Self::NotEqual | Self::Unordered),
        }
    }
}

impl LaneInputs<'_> {
    pub(super) fn source(&self, index: usize) -> Option<&Source> {
        self.alu.src.get(index)
    }

    pub(super) fn integer(&self, index: usize) -> i128 {
        let bitwise = self.alu.operation.is_bitwise();
        self.source(index).map_or(0, |source| source.integer(self.bits[index], bitwise))
    }

    pub(super) fn float(&self, index: usize) -> f64 {
        self.source(index).map_or(0.0, |source| source.float(self.bits[index], self.mode))
    }

    fn compute(&self) -> LaneOutput {
        let operation = self.alu.operation;
        match operation {
            Operation::Mov | Operation::Movi => self.moved(0).into(),
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
                LaneOutput { flag: Some(holds), ..Value::Bits(all).into() }
            }
            Operation::Math(function) => self.math(function),
            _ => match self.alu.execution_type {
                ExecutionType::Integer => self.integers(),
                ExecutionType::Float(_) => self.floats().into(),
            },
        }
    }

    /// Returns a source as the result of a move. Between equal float types, without saturation, bits are copied; modifiers change the sign.
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
        match self.alu.execution_type {
            ExecutionType::Integer => condition.compare(self.integer(0).cmp(&self.integer(1))),
            ExecutionType::Float(_) => condition.compare_floats(self.float(0), self.float(1)),
        }
    }

    fn select(&self) -> LaneOutput {
        let first = match self.alu.condition {
            None => self.predicate,
            // Maximum or minimum; of a NaN and a number the number.
            Some(condition) => match self.alu.execution_type {
                ExecutionType::Float(_) if self.float(1).is_nan() => true,
                ExecutionType::Float(_) if self.float(0).is_nan() => false,
                _ => self.compare(condition),
            },
        };
        self.moved(if first { 0 } else { 1 }).into()
    }
}
