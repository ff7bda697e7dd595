//! The fields that every instruction of Gen9 and Gen11 has.
//!
//! | bits | field |
//! |---|---|
//! | 6:0 | opcode |
//! | 8 | access mode: align16 (Gen9) |
//! | 10:9 | dependency control |
//! | 13:12, 11 | channel offset |
//! | 15:14 | thread control |
//! | 19:16, 20 | predicate control, inverse |
//! | 23:21 | execution size |
//! | 27:24 | conditional modifier; function of `math` |
//! | 28 | accumulator write control |
//! | 30, 31 | breakpoint, saturate |
//! | 33:32, 34 | flag register, NoMask |
//! | 36:35, 40:37 | destination file, type |
//! | 42:41, 46:43 | first source file, type |
//! | 90:89, 94:91 | second source file, type |

use super::execution::{Execution, PredicateControl};
use super::fields::Word;
use super::{Encoding, Instruction, Opcode, compaction};
use crate::enums::{CondModifier, DataType, DepCtrl, MathFc, RegFile, ThreadCtrl};
use crate::error::{Error, Kind, Result, What};
use crate::platform::Platform;

/// File and type of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OperandKind {
    /// The register file, or an immediate.
    pub file: RegFile,
    /// The type; `None` for a code that is reserved on the platform.
    pub data_type: Option<DataType>,
}

/// The common fields of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Common {
    /// The operation.
    pub operation: Opcode,
    /// Size, offset, mask and predicate.
    pub execution: Execution,
    /// Thread control.
    pub thread: ThreadCtrl,
    /// Dependency control.
    pub dependency: DepCtrl,
    /// Access mode: align16, which only Gen9 has.
    pub align16: bool,
    /// Writes the accumulator too (sends: NoSrcDepSet).
    pub accumulator_write: bool,
    /// Stops in the debugger.
    pub breakpoint: bool,
    /// Clamps the result.
    pub saturate: bool,
    /// The condition that is written to the flag, for instructions with one.
    pub condition: Option<CondModifier>,
    /// The function of `math`.
    pub function: Option<MathFc>,
    /// The destination of an instruction with one or two sources.
    pub dst: Option<OperandKind>,
    /// Its first source.
    pub src0: Option<OperandKind>,
    /// Its second source; a type that it does not use reads as what the bits say.
    pub src1: Option<OperandKind>,
}

impl Instruction {
    /// The common fields, of full and of compacted instructions. Sends have more, see
    /// [`send`](Self::send); of three-source instructions and jumps the operands are left out.
    ///
    /// # Errors
    /// `NotOnPlatform Instruction` on other platforms than Gen9 and Gen11; `Unknown Opcode`,
    /// `ExecSize` or `PredicateControl`; `Unknown Compaction` of what has no compacted form.
    pub fn common(&self) -> Result<Common> {
        let fail = |kind, what, value: u32| Error::new(kind, what).at(self.offset()).value(u64::from(value));
        if !matches!(self.platform(), Platform::Gen9 | Platform::Gen11) {
            return Err(fail(Kind::NotOnPlatform, What::Instruction, 0));
        }
        let operation = self.operation()?;
        let encoding = operation.encoding();
        let compacted = self.is_compacted();
        let lo = match (compacted, encoding) {
            (false, _) => self.word().lo,
            (true, Encoding::Send) => return Err(fail(Kind::Unknown, What::Compaction, 1)),
            (true, Encoding::Ternary) => compaction::ternary_control(self.word().lo),
            (true, _) => compaction::control(self.word().lo),
        };
        let word = Word { lo, hi: self.word().hi };
        let size = word.get(21, 3);
        if size > 5 {
            return Err(fail(Kind::Unknown, What::ExecSize, size));
        }
        let control = word.get(16, 4);
        let predicate = PredicateControl::new(control as u8).ok_or(fail(
            Kind::Unknown,
            What::PredicateControl,
            control,
        ))?;
        let execution = Execution {
            size: 1 << size,
            offset: (word.get(12, 2) << 3 | word.get(11, 1) << 2) as u8,
            no_mask: word.get(34, 1) == 1,
            predicate,
            inverse: word.get(20, 1) == 1,
            flag: (word.get(33, 1) as u8, word.get(32, 1) as u8),
        };
        let modifier = word.get(24, 4) as u8;
        let [dst, src0, src1] = self.kinds(encoding);
        Ok(Common {
            operation,
            execution,
            thread: ThreadCtrl(word.get(14, 2) as u8),
            dependency: DepCtrl(word.get(9, 2) as u8),
            align16: self.platform() == Platform::Gen9 && word.get(8, 1) == 1,
            accumulator_write: word.get(28, 1) == 1,
            breakpoint: word.get(30, 1) == 1,
            saturate: word.get(31, 1) == 1,
            condition: matches!(encoding, Encoding::Basic | Encoding::Ternary)
                .then_some(CondModifier(modifier)),
            function: (encoding == Encoding::Math).then_some(MathFc(modifier)),
            dst,
            src0,
            src1,
        })
    }

    fn kinds(&self, encoding: Encoding) -> [Option<OperandKind>; 3] {
        if !matches!(encoding, Encoding::Basic | Encoding::Math) {
            return [None; 3];
        }
        let word = self.word();
        if self.is_compacted() {
            return compaction::data_types(word.lo)
                .map(|(file, data_type)| Some(OperandKind { file, data_type: Some(data_type) }));
        }
        [35, 41, 89].map(|at| {
            let file = RegFile(word.get(at, 2) as u8);
            let code = word.get(at.wrapping_add(2), 4) as u8;
            let data_type = DataType::from_code(self.platform(), file == RegFile::IMM, code);
            Some(OperandKind { file, data_type })
        })
    }
}
