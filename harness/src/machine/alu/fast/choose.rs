//! Chooses the vector kernel of an instruction, and how its lanes are loaded and stored.

use super::{Load, Store, VectorOp};
use crate::machine::alu::instruction::Alu;
use crate::machine::alu::operation::{Condition, ExecutionType, Operation};
use crate::machine::alu::value::{self, is_float, is_signed};
use crate::machine::operand::{Pattern, Source, Storage, size_of};
use crate::machine::registers::Registers;
use texwire::enums::DataType;

impl Load {
    /// Returns how a source of an instruction of `size` lanes is loaded.
    pub(super) fn new(source: &Source, size: usize) -> Option<Self> {
        let four = size_of(source.kind) == 4;
        if size_of(source.kind) > 4 || is_float(source.kind) && !four {
            return None;
        }
        let first = source.offsets[0];
        Some(match (&source.storage, source.pattern) {
            (Storage::Immediate(lanes), _) => {
                Self::Constant(lanes.map(|lane| extended(source.kind, lane as u32)))
            }
            (Storage::Bytes, Pattern::Scalar) if four => Self::Scalar32(first),
            (Storage::Bytes, Pattern::Consecutive) if four => Self::Consecutive32(first),
            (Storage::Bytes, _) => Self::Elements,
            (Storage::Accumulator(lane), pattern)
                if is_float(source.kind) && first == 0 && (pattern == Pattern::Consecutive || size == 1) =>
            {
                Self::Accumulator(*lane)
            }
            (Storage::Null, _) => Self::Constant([0; 8]),
            (Storage::Accumulator(_) | Storage::Indirect { .. } | Storage::Indexed { .. }, _) => return None,
        })
    }

    /// Returns the lanes of a source, after its modifiers.
    #[inline]
    pub(super) fn lanes<const N: usize>(&self, source: Option<&Source>, registers: &Registers) -> [u32; N] {
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

/// Returns the bits of an immediate, sign- or zero-extended to a dword.
fn extended(kind: DataType, bits: u32) -> u32 {
    match kind {
        DataType::W => bits as i16 as u32,
        DataType::B => bits as i8 as u32,
        DataType::Uw => u32::from(bits as u16),
        DataType::Ub => u32::from(bits as u8),
        _ => bits,
    }
}

/// Applies absolute value and negation. Kernels of bitwise operations, where `-` is the complement, have sources without modifiers.
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
    pub(super) fn new(alu: &Alu, op: VectorOp) -> Option<Self> {
        let size = size_of(alu.dst.kind);
        // Float results have 32 bits; the general path converts to half floats and doubles.
        if size > 4 || alu.dst.kind == DataType::Hf {
            return None;
        }
        match &alu.dst.storage {
            Storage::Null => Some(Self::Nothing),
            Storage::Bytes if size == 4 && alu.dst.pattern != Pattern::Scattered => {
                Some(Self::Consecutive32(alu.dst.offsets[0]))
            }
            Storage::Bytes => Some(Self::Elements(size as u8)),
            Storage::Accumulator(_) if alu.dst.pattern == Pattern::Scattered => None,
            Storage::Accumulator(_) if matches!(op, VectorOp::AccumulateProduct { .. }) => {
                Some(Self::Nothing)
            }
            Storage::Accumulator(first)
                if matches!(
                    op,
                    VectorOp::AddFloat | VectorOp::MulFloat | VectorOp::MadFloat | VectorOp::MacFloat
                ) =>
            {
                Some(Self::Accumulator(*first))
            }
            Storage::Accumulator(_)
            | Storage::Indirect { .. }
            | Storage::Indexed { .. }
            | Storage::Immediate(_) => None,
        }
    }
}

impl VectorOp {
    pub(super) const fn is_float(self) -> bool {
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

    pub(super) fn new(alu: &Alu) -> Option<Self> {
        match alu.execution_type {
            ExecutionType::Integer => Self::integer(alu),
            ExecutionType::Float(DataType::F) => Self::float(alu),
            ExecutionType::Float(_) => None,
        }
    }

    pub(super) fn float(alu: &Alu) -> Option<Self> {
        let dst = alu.dst.kind;
        let all = alu.src.iter().all(|source| source.kind == DataType::F);
        if !all {
            return None;
        }
        let usual = |condition: Condition| (!matches!(condition, Condition::Overflow)).then_some(condition);
        if alu.operation == Operation::Cmp {
            // A narrower destination truncates the all-ones result, which is right; a float destination gets it as bits.
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

    /// Returns the operation of an instruction whose sources are integers.
    pub(super) fn integer(alu: &Alu) -> Option<Self> {
        let float = is_float(alu.dst.kind);
        if alu.operation == Operation::Mov && float {
            return Self::integer_to_float(alu);
        }
        if float && !matches!(alu.operation, Operation::Cmp) {
            return None;
        }
        // The absolute value of the lowest signed dword does not fit a signed dword.
        if alu.src.iter().any(|source| source.absolute) {
            return None;
        }
        if alu.operation.is_bitwise() {
            return Self::bitwise(alu);
        }
        let modified = is_modified(alu);
        let dword = |index: usize| is_dword(alu, index);
        Some(match alu.operation {
            Operation::Mov => Self::Copy,
            Operation::Shl => Self::Shl,
            Operation::Shr
                if !modified
                    && matches!(
                        source_type(alu, 0)?,
                        DataType::D | DataType::Ud | DataType::Uw | DataType::Ub
                    ) =>
            {
                Self::Shr
            }
            Operation::Asr if !modified && source_type(alu, 0)? != DataType::Ud => Self::Asr,
            Operation::Rol if !modified && dword(0) => Self::Rol,
            Operation::Add => Self::Add,
            Operation::Mul if matches!(alu.dst.storage, Storage::Accumulator(_)) => {
                if modified || dword(1) {
                    return None;
                }
                Self::AccumulateProduct { signed: source_signs(alu) }
            }
            Operation::Mul => Self::Mul,
            Operation::Mach if !modified && dword(0) && dword(1) && size_of(alu.dst.kind) == 4 => {
                Self::Mach { signed: source_signs(alu), high: alu.accumulator_write }
            }
            Operation::Mad => Self::Mad,
            // The negation of the lowest signed dword does not fit a dword.
            Operation::Cmp | Operation::Sel if modified && alu.condition.is_some() => return None,
            Operation::Cmp => match alu.condition? {
                Condition::Overflow | Condition::Unordered => return None,
                condition => Self::Compare { signed: comparison_sign(alu)?, condition },
            },
            Operation::Sel => match alu.condition {
                None => Self::SelectByPredicate,
                Some(condition) => Self::Select { signed: comparison_sign(alu)?, condition },
            },
            _ => return None,
        })
    }

    /// Returns the conversion of `mov` from integers to floats.
    fn integer_to_float(alu: &Alu) -> Option<Self> {
        // The negation or absolute value of a dword may not fit a dword.
        if alu.dst.kind != DataType::F || is_modified(alu) && is_dword(alu, 0) {
            return None;
        }
        let unsigned = source_type(alu, 0) == Some(DataType::Ud);
        Some(if unsigned { Self::UnsignedToFloat } else { Self::SignedToFloat })
    }

    /// Returns the operation of a bitwise instruction; `None` if a source is complemented.
    fn bitwise(alu: &Alu) -> Option<Self> {
        // The complement is one of whole dwords: narrower results are truncated, and wider ones have no kernel.
        if is_modified(alu) {
            return None;
        }
        match alu.operation {
            Operation::Not => Some(Self::Not),
            Operation::And => Some(Self::And),
            Operation::Or => Some(Self::Or),
            Operation::Xor => Some(Self::Xor),
            _ => None,
        }
    }
}

/// Returns whether a source has a modifier.
fn is_modified(alu: &Alu) -> bool {
    alu.src.iter().any(|source| source.negate || source.absolute)
}

fn source_type(alu: &Alu, index: usize) -> Option<DataType> {
    alu.src.get(index).map(|source| source.kind)
}

/// Returns whether the elements of a source have 32 bits.
fn is_dword(alu: &Alu, index: usize) -> bool {
    source_type(alu, index).is_some_and(|kind| size_of(kind) == 4)
}

/// Returns whether the types of the first two sources are signed.
fn source_signs(alu: &Alu) -> [bool; 2] {
    [0, 1].map(|index| source_type(alu, index).is_some_and(is_signed))
}

/// Returns whether the first two sources are compared as signed dwords; `None` if dwords cannot express the comparison.
fn comparison_sign(alu: &Alu) -> Option<bool> {
    // Values of unsigned types narrower than a dword are the same as signed dwords.
    let unsigned = [0, 1].map(|index| source_type(alu, index) == Some(DataType::Ud));
    let small = [0, 1].map(|index| matches!(source_type(alu, index), Some(DataType::Uw | DataType::Ub)));
    match (unsigned, small) {
        ([true, true], _) => Some(false),
        ([true, false], [_, true]) | ([false, true], [true, _]) => Some(false),
        ([false, false], _) => Some(true),
        _ => immediate_sign(alu),
    }
}

/// Returns the signedness in which an unsigned dword compares with another type: `Some(false)`, unsigned, if the other source is an
/// immediate that is not negative in any lane; else `None`.
fn immediate_sign(alu: &Alu) -> Option<bool> {
    let other = alu.src.iter().find(|source| source.kind != DataType::Ud)?;
    match &other.storage {
        Storage::Immediate(lanes) => {
            let negative = |lane: &u64| value::integer(other.kind, *lane) < 0;
            (!lanes.iter().any(negative)).then_some(false)
        }
        _ => None,
    }
}
