//! The fields that instructions of every opcode have.
//!
//! | Gen9, Gen11 | Gen12 | field |
//! |---|---|---|
//! | 6:0 | 6:0 | opcode |
//! | 8 | | access mode: align16 (Gen9) |
//! | 10:9 | | dependency control |
//! | | 15:8 | software scoreboard |
//! | 13:12, 11 | 21:20, 19 | channel offset |
//! | 15:14 | 32 | thread control (Gen12: atomic) |
//! | 19:16, 20 | 27:24, 28 | predicate control, inverse |
//! | 23:21 | 18:16 | execution size |
//! | 27:24 | 95:92 | conditional modifier; function of `math` |
//! | 28 | 33 | accumulator write control |
//! | 30, 31 | 30, 34 | breakpoint, saturate |
//! | 33:32, 34 | 23:22, 31 | flag register, NoMask |
//!
//! Files and types of operands:
//!
//! | | destination | source 0 | source 1 | source 2 |
//! |---|---|---|---|---|
//! | one or two sources | 36:35, 40:37 | 42:41, 46:43 | 90:89, 94:91 | |
//! | three, Gen11 | 36, 48:46 | 43, 66:64 | 44, 87:85 | 45, 108:106 |
//! | three, Gen9 | 48:46 | 45:43 | 45:43 | 45:43 |
//! | one or two, Gen12 | 50, 39:36 | 46 and 66, 43:40 | 47 and 98, 91:88 | |
//! | three, Gen12 | 50, 38:36 | 46 and 66, 42:40 | 98, 90:88 | 47 and 114, 82:80 |
//!
//! With three sources, bit 35 (Gen11) or 39 (Gen12) says whether the type codes are of floats or of integers. Source for Gen12, and for
//! the fields of Gen9 and Gen11 that sends do not have: Mesa, `brw_inst.h`, `brw_reg_type.c`.

use super::execution::ExecutionControl;
use super::fields::Word;
use super::send::opcode;
use super::{Encoding, Form, Instruction, Opcode, SendInstruction, compaction};
use crate::enums::{CondModifier, DataType, DepCtrl, MathFc, RegFile, TernaryAlign1DataType, ThreadCtrl};
use crate::error::{Error, Kind, Result, What};
use crate::platform::Platform;

/// The register file and the type of an operand.
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
pub struct CommonFields {
    /// The operation.
    pub operation: Opcode,
    /// Size, offset, mask and predicate.
    pub execution: ExecutionControl,
    /// Thread control.
    pub thread: ThreadCtrl,
    /// Dependency control; 0 on Gen12.
    pub dependency: DepCtrl,
    /// Software scoreboard of Gen12; 0 on others.
    pub scoreboard: u8,
    /// Access mode: align16, which only Gen9 has.
    pub align16: bool,
    /// The result is written to the accumulator too (sends: the bit is NoSrcDepSet).
    pub accumulator_write: bool,
    /// Breakpoint: execution stops in the debugger.
    pub breakpoint: bool,
    /// Saturation: the result is clamped.
    pub saturate: bool,
    /// The condition whose result is written to the flag register, for instructions with one.
    pub condition: Option<CondModifier>,
    /// The function of `math`.
    pub function: Option<MathFc>,
    /// The destination.
    pub dst: Option<OperandKind>,
    /// The first source (of a jump: its distance or its target).
    pub src0: Option<OperandKind>,
    /// The second source; without meaning if the instruction reads only one (see [`sources`](Self::sources)).
    pub src1: Option<OperandKind>,
    /// The third source.
    pub src2: Option<OperandKind>,
}

/// The lowest bit and the width of a field.
type BitRange = (u8, u8);

/// Types of the operands of Gen9 instructions with three sources, by code.
const GEN9_TERNARY: [DataType; 5] = [DataType::F, DataType::D, DataType::Ud, DataType::Df, DataType::Hf];

impl Instruction {
    /// Decodes the common fields of a full or compacted instruction. Sends have more fields, see [`send`](Self::send). The operands are
    /// `None` for sends and for instructions without operands; of the jumps only `jmpi` has a second source.
    ///
    /// # Errors
    /// `NotOnPlatform Instruction` on other platforms than Gen9, Gen11 and Gen12; `Unknown Opcode`, `ExecSize` or `PredicateControl`;
    /// `Unknown Compaction` of an opcode that has no compacted form, `Unsupported Compaction` of a compacted instruction of Gen12.
    pub fn common(&self) -> Result<CommonFields> {
        let here = |error: Error| error.offset_by(self.offset());
        let other = here(Error::new(Kind::NotOnPlatform, What::Instruction));
        // What all instructions have is where sends have it.
        let form = SendInstruction::form_of(self.platform(), opcode::SEND as u8).ok_or(other)?;
        let fields = form.fields();
        let operation = self.operation()?;
        let encoding = operation.encoding();
        let word = self.full_word()?;
        let execution = SendInstruction::execution_of(fields, word).map_err(here)?;
        let gen12 = form == Form::Unified;
        let bit = |old: u8, new: u8| word.get(if gen12 { new } else { old }, 1) == 1;
        let thread = if gen12 { word.get(32, 1) } else { fields.thread.get(word) };
        // Sends have their shared function in place of the modifier.
        let modifier = fields.sfid.get(word) as u8;
        let [dst, src0, src1, src2] = self.kinds(operation, word);
        Ok(CommonFields {
            operation,
            execution,
            thread: ThreadCtrl(thread as u8),
            dependency: DepCtrl(if gen12 { 0 } else { word.get(9, 2) as u8 }),
            scoreboard: fields.scoreboard.get(word) as u8,
            align16: self.platform() == Platform::Gen9 && word.get(8, 1) == 1,
            accumulator_write: bit(28, 33),
            breakpoint: fields.breakpoint.is_set(word),
            saturate: bit(31, 34),
            condition: matches!(encoding, Encoding::Basic | Encoding::Ternary)
                .then_some(CondModifier(modifier)),
            function: (encoding == Encoding::Math).then_some(MathFc(modifier)),
            dst,
            src0,
            src1,
            src2,
        })
    }

    /// Returns the 16-byte form: the word itself or, for a compacted instruction (Gen9, Gen11), its expansion.
    ///
    /// # Errors
    /// `Unknown Opcode`; `Unknown Compaction` of an opcode that has no compacted form, `Unsupported Compaction` of a compacted
    /// instruction of Gen12.
    pub fn full_word(&self) -> Result<Word> {
        let word = self.word();
        if !self.is_compacted() {
            return Ok(word);
        }
        let encoding = self.operation()?.encoding();
        let compaction = |kind| Error::new(kind, What::Compaction).at(self.offset()).value(1);
        if self.is_gen12() && encoding != Encoding::Send {
            return Err(compaction(Kind::Unsupported));
        }
        compaction::expand(self.platform(), encoding, word.lo).ok_or(compaction(Kind::Unknown))
    }

    fn is_gen12(&self) -> bool {
        matches!(self.platform(), Platform::XeLp | Platform::XeHpg)
    }

    /// Returns file and type of the destination and of up to three sources; `None` for operands that the instruction does not have.
    fn kinds(&self, operation: Opcode, word: Word) -> [Option<OperandKind>; 4] {
        let [dst, src0, src1] = match operation.encoding() {
            Encoding::Bare | Encoding::Send => return [None; 4],
            Encoding::Ternary if self.is_gen12() => return self.gen12_ternary(word).map(Some),
            Encoding::Ternary if self.platform() == Platform::Gen9 => return gen9_ternary(word).map(Some),
            Encoding::Ternary => return gen11_ternary(word).map(Some),
            _ if self.is_gen12() => [(None, 50, 36), (Some(46), 66, 40), (Some(47), 98, 88)]
                .map(|(immediate, file, code)| self.gen12_kind(word, immediate, file, (code, 4), 0)),
            _ => [35, 41, 89].map(|at| {
                let file = RegFile(word.get(at, 2) as u8);
                self.kind(file, word.get(at.wrapping_add(2), 4))
            }),
        };
        let second = operation.encoding() != Encoding::Branch || operation.name() == "jmpi";
        [Some(dst), Some(src0), second.then_some(src1), None]
    }

    fn kind(&self, file: RegFile, code: u32) -> OperandKind {
        let data_type = DataType::from_code(self.platform(), file == RegFile::IMM, code as u8);
        OperandKind { file, data_type }
    }

    /// Returns an operand of Gen12, from the bit that marks an immediate, the bit of the register file, and the type code, whose upper bits
    /// are in `float`.
    fn gen12_kind(
        &self,
        word: Word,
        immediate: Option<u8>,
        file: u8,
        (code, width): BitRange,
        float: u32,
    ) -> OperandKind {
        let bit = |at| word.get(at, 1) == 1;
        let file = match bit(file) {
            _ if immediate.is_some_and(bit) => RegFile::IMM,
            true => RegFile::GRF,
            false => RegFile::ARF,
        };
        self.kind(file, float | word.get(code, width))
    }

    fn gen12_ternary(&self, word: Word) -> [OperandKind; 4] {
        let float = word.get(39, 1) << 3;
        [(None, 50, 36), (Some(46), 66, 40), (None, 98, 88), (Some(47), 114, 80)]
            .map(|(immediate, file, code)| self.gen12_kind(word, immediate, file, (code, 3), float))
    }
}

fn gen11_ternary(word: Word) -> [OperandKind; 4] {
    let float = word.get(35, 1) == 1;
    let rows =
        [(36, RegFile::ARF, 46), (43, RegFile::IMM, 64), (44, RegFile::ARF, 85), (45, RegFile::IMM, 106)];
    rows.map(|(file, other, code)| {
        let data_type = TernaryAlign1DataType(word.get(code, 3) as u8).data_type(float);
        let file = if word.get(file, 1) == 0 { RegFile::GRF } else { other };
        // Only the accumulator has native precision (nf): for this type the file bit means the accumulator and not an immediate.
        let native = data_type == Some(DataType::Nf) && file == RegFile::IMM;
        OperandKind { file: if native { RegFile::ARF } else { file }, data_type }
    })
}

/// Decodes a Gen9 instruction with three sources. Bits 45:43 are the type of all sources. If it is `f` or `hf`, it is that of the first
/// source only: the second and the third are `hf` if bit 36 or 35 is set, else `f`.
fn gen9_ternary(word: Word) -> [OperandKind; 4] {
    let coded = |at| GEN9_TERNARY.get(word.get(at, 3) as usize).copied();
    let source = coded(43);
    let mixed = |at| match source {
        Some(DataType::F | DataType::Hf) if word.get(at, 1) == 1 => Some(DataType::Hf),
        Some(DataType::Hf) => Some(DataType::F),
        _ => source,
    };
    [coded(46), source, mixed(36), mixed(35)].map(|data_type| OperandKind { file: RegFile::GRF, data_type })
}

/// Mnemonics of the basic encoding with one source.
static ONE_SOURCE: [&str; 14] = [
    "mov", "not", "bfrev", "frc", "rndu", "rndd", "rnde", "rndz", "lzd", "fbh", "fbl", "cbit", "wait", "sync",
];

impl CommonFields {
    /// Returns how many sources the instruction reads; 0 for sends, jumps and instructions without operands. The bits of further
    /// sources have no meaning.
    pub fn sources(&self) -> usize {
        match (self.operation.encoding(), self.function) {
            (Encoding::Bare | Encoding::Send | Encoding::Branch, _) => 0,
            (Encoding::Ternary, _) => 3,
            (
                Encoding::Math,
                Some(
                    MathFc::INV
                    | MathFc::LOG
                    | MathFc::EXP
                    | MathFc::SQT
                    | MathFc::RSQT
                    | MathFc::SIN
                    | MathFc::COS
                    | MathFc::RSQTM,
                ),
            ) => 1,
            (Encoding::Basic, _) if ONE_SOURCE.contains(&self.operation.name()) => 1,
            (Encoding::Basic | Encoding::Math, _) => 2,
        }
    }
}
