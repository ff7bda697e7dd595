//! An ALU instruction with its operands prepared.

use super::operation::{Condition, ExecutionType, Function, Operation};
use super::value::is_float;
use crate::machine::error::{Error, Result};
use crate::machine::operand::{Destination, Source, Storage, size_of};
use texwire::enums::DataType;
use texwire::eu::{CommonFields, Operands};

/// An ALU instruction.
#[derive(Clone, Debug)]
pub struct Alu {
    /// The operation.
    pub operation: Operation,
    /// The destination.
    pub dst: Destination,
    /// The sources that the operation reads.
    pub src: Vec<Source>,
    /// The condition that is written to the flag register; for `sel` and `csel` the condition that selects the source.
    pub condition: Option<Condition>,
    /// The result is clamped (saturation).
    pub saturate: bool,
    /// The accumulator is written too (AccWrEn).
    pub accumulator_write: bool,
    /// The execution type.
    pub execution_type: ExecutionType,
    /// Execution size in lanes.
    pub size: usize,
    /// A source is the time stamp, the instruction pointer or the channel enables.
    pub reads_state: bool,
}

impl Alu {
    /// Prepares an instruction.
    ///
    /// # Errors
    /// An operand that does not exist, an undefined conditional modifier.
    pub fn new(operation: Operation, common: &CommonFields, operands: &Operands) -> Result<Self> {
        let size = usize::from(common.execution.size);
        let count = common.sources();
        let mut src = Vec::with_capacity(count);
        for operand in operands.src.iter().take(count).flatten() {
            src.push(Source::new(operand, size)?);
        }
        let no_destination = || Error::new("invalid instruction", "it has no destination");
        let destination = operands.dst.as_ref().ok_or_else(no_destination)?;
        let mut dst = Destination::new(destination, size)?;
        let stride = size_of(destination.data_type) * usize::from(destination.stride);
        for (source, operand) in src.iter_mut().zip(operands.src.iter().flatten()) {
            if matches!(operand.data_type, DataType::V | DataType::Uv) {
                source.spread(stride);
            }
        }
        if common.operation.name() == "smov" {
            dst.lanes &= scattered_lanes(&src)?;
            src.truncate(1);
        }
        if operation == Operation::Movi {
            src.truncate(1);
            src.iter_mut().try_for_each(Source::index)?;
        }
        if matches!(operation, Operation::Math(Function::DivideMacro | Function::SqrtMacro))
            || common.operation.name() == "madm"
        {
            // Where align16 has swizzles and channel enables, macros have the numbers of extension registers: their lanes are consecutive.
            dst.lanes = u32::MAX;
            for (source, operand) in src.iter_mut().zip(operands.src.iter().flatten()) {
                *source = Source::new(&texwire::eu::SourceOperand { swizzle: 0xe4, ..*operand }, size)?;
            }
        }
        Ok(Self {
            operation,
            dst,
            execution_type: execution_type(&src),
            src,
            condition: common.condition.map_or(Ok(None), |condition| Condition::new(condition.0))?,
            saturate: common.saturate,
            accumulator_write: common.accumulator_write,
            size,
            reads_state: operands.src.iter().flatten().any(reads_state),
        })
    }
}

/// Returns the mask of the lanes that a scattered move (`smov`) writes, which is its second source. The compiler writes an element of a
/// private array in registers by one `smov` for each lane, since each lane's index is in an address register of its own.
fn scattered_lanes(src: &[Source]) -> Result<u32> {
    match src.get(1).map(|source| &source.storage) {
        Some(Storage::Immediate(lanes)) => Ok(lanes[0] as u32),
        _ => Err(Error::new("invalid instruction", "smov without an immediate mask of lanes")),
    }
}

/// Returns true if an operand is a register whose value the thread keeps outside the register array: channel enables, instruction
/// pointer, time stamp.
fn reads_state(operand: &texwire::eu::SourceOperand) -> bool {
    let texwire::eu::Location::Direct { register, .. } = operand.location else { return false };
    operand.file == texwire::enums::RegFile::ARF && matches!(register >> 4, 4 | 10 | 12)
}

fn execution_type(src: &[Source]) -> ExecutionType {
    let widest = |kinds: &[DataType]| src.iter().any(|source| kinds.contains(&source.kind));
    if !src.iter().any(|source| is_float(source.kind)) {
        ExecutionType::Integer
    } else if widest(&[DataType::Df, DataType::Nf]) {
        ExecutionType::Float(DataType::Df)
    } else if widest(&[DataType::F]) {
        ExecutionType::Float(DataType::F)
    } else {
        ExecutionType::Float(DataType::Hf)
    }
}
