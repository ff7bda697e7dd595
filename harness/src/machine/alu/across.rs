//! Operations in which a lane reads elements of other lanes: dot products, sums of absolute differences, line and plane equations.

use super::general::LaneOutput;
use super::instruction::Alu;
use super::operation::Operation;
use super::value::{self, FloatMode, Value};
use crate::machine::error::{Error, Result};
use crate::machine::operand::{Source, Storage};
use crate::machine::registers::{GENERAL, REGISTER, Registers};

/// Bytes of a float.
const FLOAT: usize = 4;
/// Lanes of a `pln` instruction whose u fill one register; their v fill the next one.
const PLANE_LANES: usize = REGISTER / FLOAT;

impl Alu {
    /// Computes a dot product or the line equation for `lane`, from the elements of the four lanes of its group.
    pub(super) fn of_four(&self, registers: &Registers, lane: usize, mode: FloatMode) -> Result<LaneOutput> {
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

    /// Computes `sad2` or `sada2`: the sum of the absolute differences of this lane's elements and of the next lane's. It is defined for
    /// even lanes only; odd lanes get the sum that begins with them. `sada2` adds the accumulator's lane.
    pub(super) fn of_pair(&self, registers: &Registers, lane: usize) -> Result<LaneOutput> {
        let mut sum = match self.operation {
            Operation::Sada2 => i128::from(registers.accumulator[lane] as i64),
            _ => 0,
        };
        for lane in [lane, (lane + 1).min(self.size.saturating_sub(1))] {
            let mut difference = 0;
            for (source, sign) in self.src.iter().zip([1, -1]) {
                difference += sign * source.integer(source.bits(registers, lane)?, false);
            }
            sum += difference.abs();
        }
        Ok(Value::Int(sum).into())
    }

    /// Computes the plane equation `p u + q v + r`. p, q, r are elements 0, 1 and 3 of the first source. The second source has a register
    /// with u and then a register with v for every eight lanes.
    pub(super) fn plane(&self, registers: &Registers, lane: usize, mode: FloatMode) -> Result<LaneOutput> {
        let element = |index: usize, byte: usize| -> Result<f64> {
            let Some(source @ Source { storage: Storage::Bytes, .. }) = self.src.get(index) else {
                return Err(Error::new("invalid operand", "pln of a source that is no register"));
            };
            let at = usize::from(source.offsets[0]) + byte;
            if at + FLOAT > GENERAL {
                return Err(Error::new(
                    "region outside the register file",
                    format!("byte {at:#x} of {GENERAL:#x}"),
                )
                .lane(lane));
            }
            Ok(source.float(u64::from(registers.dword(at)), mode))
        };
        let [p, q, r] = [element(0, 0)?, element(0, FLOAT)?, element(0, 3 * FLOAT)?];
        let first = lane / PLANE_LANES * 2 * REGISTER + lane % PLANE_LANES * FLOAT;
        let (u, v) = (element(1, first)?, element(1, first + REGISTER)?);
        let (value, rest) = value::exact_fma(p, u, q * v + r);
        Ok(Value::Float(value, rest).into())
    }
}
