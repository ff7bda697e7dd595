//! Float results of a lane, exact or as a rounded value and its error (see [`Value::Float`]): they are rounded once, when stored.

use super::general::{LaneInputs, LaneOutput};
use super::math;
use super::operation::{ExecutionType, Function, Operation};
use super::value::{self, Value, float};
use texwire::enums::DataType;

impl LaneInputs<'_> {
    pub(super) fn floats(&self) -> Value {
        let (a, b) = (self.float(0), self.float(1));
        let exact = |value: f64| Value::Float(value, 0.0);
        let pair = |(value, rest)| Value::Float(value, rest);
        match self.alu.operation {
            Operation::Add => pair(value::exact_sum(a, b)),
            Operation::Mul => pair(value::exact_product(a, b)),
            Operation::Mad => pair(value::exact_fma(b, self.float(2), a)),
            Operation::Mac => pair(value::exact_fma(a, b, self.accumulated_float())),
            Operation::Lrp => pair(value::exact_fma(a, b, (1.0 - a) * self.float(2))),
            // A fraction just below 1 rounds to 1 when it is stored with round to nearest.
            Operation::Frc => pair(value::exact_sum(a, -a.floor())),
            Operation::Rndu => exact(a.ceil()),
            Operation::Rndd => exact(a.floor()),
            Operation::Rnde => exact(a.round_ties_even()),
            Operation::Rndz => exact(a.trunc()),
            Operation::Avg => exact((a + b) * 0.5),
            // Bitwise operations on floats take their bits as they are.
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
            | Operation::Pln
            | Operation::Sad2
            | Operation::Sada2
            | Operation::Movi
            | Operation::Math(_) => exact(a),
        }
    }

    /// Returns the accumulator as a float of the execution type.
    fn accumulated_float(&self) -> f64 {
        let kind = match self.alu.execution_type {
            ExecutionType::Float(kind) => kind,
            ExecutionType::Integer => DataType::F,
        };
        float(kind, self.accumulator)
    }

    pub(super) fn math(&self, function: Function) -> LaneOutput {
        match function {
            Function::Quotient | Function::Remainder | Function::QuotientRemainder => {
                let (quotient, remainder) = math::divide(self.integer(0), self.integer(1));
                match function {
                    Function::Quotient => Value::Int(quotient).into(),
                    Function::Remainder => Value::Int(remainder).into(),
                    _ => LaneOutput { second: Some(Value::Int(remainder)), ..Value::Int(quotient).into() },
                }
            }
            Function::DivideMacro | Function::SqrtMacro => {
                let kind = self.alu.dst.kind;
                let (value, rest) = math::exact_step(function, self.float(0), self.float(1));
                let bits = value::narrow(value, rest, kind, self.mode.rounding);
                LaneOutput { flag: Some(true), ..Value::Bits(bits).into() }
            }
            _ => Value::Float(math::function(function, self.float(0), self.float(1)), 0.0).into(),
        }
    }
}
