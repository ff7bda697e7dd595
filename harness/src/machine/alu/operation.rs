//! Operations of ALU instructions, and conditional modifiers.

use crate::machine::error::{Error, Result};
use texwire::enums::{DataType, MathFc};
use texwire::eu::CommonFields;

/// An operation, named after its mnemonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Copy, with conversion to the destination's type.
    Mov,
    /// Selection of a source by the predicate; with a condition, minimum or maximum.
    Sel,
    /// Selection of one of the first two sources, by comparing the third with 0.
    Csel,
    /// Complement.
    Not,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Logical shift right.
    Shr,
    /// Shift left.
    Shl,
    /// Arithmetic shift right.
    Asr,
    /// Rotation right.
    Ror,
    /// Rotation left.
    Rol,
    /// Comparison.
    Cmp,
    /// Bits in reverse order.
    Bfrev,
    /// Bit field extract.
    Bfe,
    /// Bit field mask.
    Bfi1,
    /// Bit field insert.
    Bfi2,
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Average, rounded up.
    Avg,
    /// Fraction.
    Frc,
    /// Ceiling.
    Rndu,
    /// Floor.
    Rndd,
    /// Nearest integer, ties to even.
    Rnde,
    /// Truncation.
    Rndz,
    /// Product added to the accumulator.
    Mac,
    /// Upper part of a product of dwords.
    Mach,
    /// Leading zeros.
    Lzd,
    /// Position of the first bit that is set (of negative numbers: clear), from the high side.
    Fbh,
    /// Position of the first bit that is set, from the low side.
    Fbl,
    /// Number of bits that are set.
    Cbit,
    /// Sum, with the carry in the accumulator.
    Addc,
    /// Difference, with the borrow in the accumulator.
    Subb,
    /// First source plus the product of the second and the third.
    Mad,
    /// Linear interpolation.
    Lrp,
    /// Dot product of four components.
    Dp4,
    /// Dot product with a homogeneous second source.
    Dph,
    /// Dot product of three components.
    Dp3,
    /// Dot product of two components.
    Dp2,
    /// Line equation.
    Line,
    /// Plane equation.
    Pln,
    /// Sum of two absolute differences.
    Sad2,
    /// Sum of two absolute differences, added to the accumulator.
    Sada2,
    /// Copy of elements of one register, which the lanes' address registers select.
    Movi,
    /// A mathematical function.
    Math(Function),
}

/// The functions of `math`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// 1 / a.
    Inverse,
    /// log2 a.
    Log,
    /// 2^a.
    Exp,
    /// Square root.
    Sqrt,
    /// 1 / square root.
    Rsqrt,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// a / b.
    Divide,
    /// a^b.
    Pow,
    /// Quotient, and remainder in the next register.
    QuotientRemainder,
    /// Quotient.
    Quotient,
    /// Remainder.
    Remainder,
    /// Macro: correctly rounded a / b. The flag is set: no more steps are needed.
    DivideMacro,
    /// Macro: correctly rounded square root. The flag is set: no more steps are needed.
    SqrtMacro,
}

/// The operations by mnemonic.
static OPERATIONS: [(&str, Operation); 47] = {
    use Operation::*;
    [
        ("mov", Mov),
        ("smov", Mov),
        ("sel", Sel),
        ("csel", Csel),
        ("not", Not),
        ("and", And),
        ("or", Or),
        ("xor", Xor),
        ("shr", Shr),
        ("shl", Shl),
        ("asr", Asr),
        ("ror", Ror),
        ("rol", Rol),
        ("cmp", Cmp),
        ("cmpn", Cmp),
        ("bfrev", Bfrev),
        ("bfe", Bfe),
        ("bfi1", Bfi1),
        ("bfi2", Bfi2),
        ("add", Add),
        ("mul", Mul),
        ("avg", Avg),
        ("frc", Frc),
        ("rndu", Rndu),
        ("rndd", Rndd),
        ("rnde", Rnde),
        ("rndz", Rndz),
        ("mac", Mac),
        ("mach", Mach),
        ("lzd", Lzd),
        ("fbh", Fbh),
        ("fbl", Fbl),
        ("cbit", Cbit),
        ("addc", Addc),
        ("subb", Subb),
        ("mad", Mad),
        ("madm", Mad),
        ("lrp", Lrp),
        ("dp4", Dp4),
        ("dph", Dph),
        ("dp3", Dp3),
        ("dp2", Dp2),
        ("line", Line),
        ("pln", Pln),
        ("sad2", Sad2),
        ("sada2", Sada2),
        ("movi", Movi),
    ]
};

impl Operation {
    /// Returns the operation of an instruction.
    ///
    /// # Errors
    /// The machine does not execute the operation.
    pub fn new(common: &CommonFields) -> Result<Self> {
        let name = common.operation.name();
        let unsupported =
            |what: &str| Error::new("unsupported instruction", format!("{what} is not executed"));
        if let Some(function) = common.function {
            return Ok(Self::Math(match function {
                MathFc::INV => Function::Inverse,
                MathFc::LOG => Function::Log,
                MathFc::EXP => Function::Exp,
                MathFc::SQT => Function::Sqrt,
                MathFc::RSQT => Function::Rsqrt,
                MathFc::SIN => Function::Sin,
                MathFc::COS => Function::Cos,
                MathFc::FDIV => Function::Divide,
                MathFc::POW => Function::Pow,
                MathFc::IDIV => Function::QuotientRemainder,
                MathFc::IQOT => Function::Quotient,
                MathFc::IREM => Function::Remainder,
                MathFc::INVM => Function::DivideMacro,
                MathFc::RSQTM => Function::SqrtMacro,
                MathFc(code) => return Err(unsupported(&format!("math function {code}"))),
            }));
        }
        if name == "madm" && !common.align16 {
            // It is not known where Gen11 encodes the numbers of the extension registers; its compilers emit no `madm`.
            return Err(unsupported("madm of Gen11"));
        }
        let known = OPERATIONS.iter().find(|(known, _)| *known == name);
        known.map(|(_, operation)| *operation).ok_or_else(|| unsupported(name))
    }

    /// Returns true if the source modifier `-` is the complement.
    pub const fn is_bitwise(self) -> bool {
        matches!(self, Self::Not | Self::And | Self::Or | Self::Xor)
    }
}

/// A conditional modifier: a condition on a result compared with 0, or on two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Equal, zero.
    Equal,
    /// Not equal.
    NotEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
    /// Overflow.
    Overflow,
    /// Unordered: one of the values is NaN.
    Unordered,
}

impl Condition {
    pub(super) fn new(code: u8) -> Result<Option<Self>> {
        Ok(Some(match code {
            0 => return Ok(None),
            1 => Self::Equal,
            2 => Self::NotEqual,
            3 => Self::Greater,
            4 => Self::GreaterEqual,
            5 => Self::Less,
            6 => Self::LessEqual,
            8 => Self::Overflow,
            9 => Self::Unordered,
            _ => {
                return Err(Error::new(
                    "unknown condition",
                    format!("modifier {code} (expected 0..=6, 8 or 9)"),
                ));
            }
        }))
    }
}

/// The execution type of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionType {
    /// Exact integers.
    Integer,
    /// Floats of this type, that of the widest float source.
    Float(DataType),
}
