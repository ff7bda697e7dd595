//! Instructions of the arithmetic logic unit: moves, arithmetic, logic, comparisons and `math`.

mod across;
pub mod fast;
mod floats;
pub mod general;
pub mod instruction;
mod integers;
pub mod math;
pub mod operation;
pub mod value;

use super::error::Result;
use fast::VectorKernel;
use instruction::Alu;
use operation::Operation;
use texwire::eu::{CommonFields, Operands};

/// An ALU instruction, and its vector kernel if it has one.
#[derive(Clone, Debug)]
pub struct ComputeInstruction {
    /// The instruction.
    pub alu: Alu,
    /// Executes all lanes at once, for common forms of instructions.
    pub kernel: Option<VectorKernel>,
}

impl ComputeInstruction {
    /// Prepares an instruction.
    ///
    /// # Errors
    /// An operation that the machine does not execute, an operand that does not exist, an undefined conditional modifier.
    pub fn new(common: &CommonFields, operands: &Operands) -> Result<Self> {
        let alu = Alu::new(Operation::new(common)?, common, operands)?;
        let kernel = VectorKernel::new(&alu);
        Ok(Self { alu, kernel })
    }
}
