//! Operands: raw (a variable and a byte offset) and vector (seven classes).
//!
//! ```text
//! raw     index (u32, before 3.4 u16), byte offset (u16)
//! vector  tag: 2..0 class, 5..3 modifier, 7..6 unused; then by class
//!   0 general    index, row (u8), column (u8), region (u16)
//!   1 address    index (u16), offset (u8), width (u8)
//!   2 predicate  index (u16)
//!   3 indirect   address index (u16), address offset (u8), byte offset (i16), type (u8), region (u16)
//!   5 immediate  type (u8; 3..0), value: 8 bytes for df, uq, q, else 4
//!   6 state      class (u8; 0 surface, 1 sampler), index (u16), offset (u8)
//! region  3..0 vertical stride, 7..4 width, 11..8 horizontal stride: 0 none, then 0, 1, 2, 4, 8, 16, 32
//! ```

use super::Version;
use super::encode::ByteWriter;
use crate::bits::Reader;
use crate::error::{Error, Kind, Result, What};
use crate::message::Width;

macro_rules! types {
    ($($code:literal $name:ident $text:literal $bytes:literal $meaning:literal;)*) => {
        /// The type of a variable's elements, by its code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[repr(u8)]
        pub enum Type { $(#[doc = $meaning] $name = $code,)* }

        impl Type {
            /// Returns the type whose code is the low four bits of `code`.
            pub const fn from_code(code: u8) -> Self {
                match code & 15 { $($code => Self::$name,)* _ => Self::Ud }
            }
            /// The name in text.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
            /// Returns the bytes of an element (bool: 1; packed vectors: the bytes of the immediate).
            pub const fn bytes(self) -> usize {
                match self { $(Self::$name => $bytes,)* }
            }
            /// Returns the type called `name`, any case.
            pub fn from_name(name: &[u8]) -> Option<Self> {
                $(if name.eq_ignore_ascii_case($text.as_bytes()) { return Some(Self::$name); })*
                None
            }
        }
    };
}

types! {
    0 Ud "ud" 4 "Unsigned doubleword.";
    1 D "d" 4 "Signed doubleword.";
    2 Uw "uw" 2 "Unsigned word.";
    3 W "w" 2 "Signed word.";
    4 Ub "ub" 1 "Unsigned byte.";
    5 B "b" 1 "Signed byte.";
    6 Df "df" 8 "Double float.";
    7 F "f" 4 "Float.";
    8 V "v" 4 "Eight packed signed nibbles.";
    9 Vf "vf" 4 "Four packed byte floats.";
    10 Bool "bool" 1 "Predicate.";
    11 Uq "uq" 8 "Unsigned quadword.";
    12 Uv "uv" 4 "Eight packed unsigned nibbles.";
    13 Q "q" 8 "Signed quadword.";
    14 Hf "hf" 2 "Half float.";
    15 Bf "bf" 2 "Brain float.";
}

impl Type {
    /// The code.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the width of a sampler's parameter or result of this type: hf, w, uw have 16 bits, f, d, ud 32 bits;
    /// `None` for types that the sampler does not use.
    pub const fn width(self) -> Option<Width> {
        match self {
            Self::Hf | Self::W | Self::Uw => Some(Width::Half),
            Self::F | Self::D | Self::Ud => Some(Width::Full),
            _ => None,
        }
    }

    /// Returns whether an immediate of this type has eight bytes.
    pub const fn is_wide(self) -> bool {
        matches!(self, Self::Df | Self::Uq | Self::Q)
    }
}

/// A raw operand: a variable and a byte offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RawOperand {
    /// Variable: 0 is `%null`, 1 to 20 are predefined, from 32 on the container's table.
    pub index: u32,
    /// Bytes from the variable's start. Ignored for `%null`.
    pub offset: u16,
}

/// The first index of the container's variable table.
pub const FIRST_VARIABLE: u32 = 32;

/// The largest predicate index: 12 bits, in an instruction's predicate field and in a vector operand.
pub(super) const MAX_PREDICATE: u16 = 0xfff;

impl RawOperand {
    /// `%null`.
    pub const NULL: Self = Self { index: 0, offset: 0 };

    /// Returns whether it is `%null`, which reads as 0 and drops what is written.
    pub const fn is_null(self) -> bool {
        self.index == 0
    }

    /// Reads a raw operand and refuses indices that can never name a variable.
    #[inline]
    pub(super) fn decode(reader: &mut Reader<'_>, version: Version) -> Result<Self> {
        let at = reader.offset();
        let raw = Self::read(reader, version)?;
        check_variable(raw.index, at)?;
        Ok(raw)
    }

    /// Reads a raw operand of any index.
    #[inline]
    pub(super) fn read(reader: &mut Reader<'_>, version: Version) -> Result<Self> {
        Ok(if version.index_bytes() == 4 {
            let [a, b, c, d, e, f] = reader.array(What::Instruction)?;
            Self { index: u32::from_le_bytes([a, b, c, d]), offset: u16::from_le_bytes([e, f]) }
        } else {
            let [a, b, c, d] = reader.array(What::Instruction)?;
            Self { index: u16::from_le_bytes([a, b]).into(), offset: u16::from_le_bytes([c, d]) }
        })
    }

    pub(super) fn encode(self, out: &mut ByteWriter<'_>, version: Version) -> Result<()> {
        out.index(self.index, version)?;
        out.put(&self.offset.to_le_bytes())
    }
}

/// Refuses indices 21 to 31, which lie between the predefined variables and the container's table.
#[inline]
fn check_variable(index: u32, at: usize) -> Result<()> {
    if matches!(index, 21..=31) {
        return Err(Error::new(Kind::Reserved, What::Variable).at(at).value(index.into()));
    }
    Ok(())
}

/// The contents of a vector operand, by class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VectorKind {
    /// Elements of a variable.
    General {
        /// Variable index, as [`RawOperand::index`].
        index: u32,
        /// Register row.
        row: u8,
        /// Element in the row.
        column: u8,
        /// Region code: see [`region`](super::region()).
        region: u16,
    },
    /// An address variable.
    Address {
        /// Address index.
        index: u16,
        /// First element.
        offset: u8,
        /// Number of elements (code as stored).
        width: u8,
    },
    /// A predicate.
    Predicate {
        /// Predicate index in the low 12 bits; the upper bits are kept as stored.
        index: u16,
    },
    /// Elements that an address variable points at.
    Indirect {
        /// Address index.
        index: u16,
        /// Element of the address variable.
        offset: u8,
        /// Bytes added to the address.
        bytes: i16,
        /// Type code, low four bits.
        kind: u8,
        /// Region code: see [`region`](super::region()).
        region: u16,
    },
    /// A number.
    Immediate {
        /// Type code, low four bits.
        kind: u8,
        /// The stored bytes, zero-extended.
        value: u64,
    },
    /// A surface or sampler variable.
    State {
        /// 0 surface, 1 sampler.
        class: u8,
        /// Index of the surface or sampler.
        index: u16,
        /// Element.
        offset: u8,
    },
}

/// A vector operand: its tag and the contents for the tag's class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VectorOperand {
    /// The tag byte as stored (class, modifier and the unused top bits).
    pub tag: u8,
    /// The contents.
    pub kind: VectorKind,
}

impl VectorOperand {
    /// Returns an unsigned word as immediate, the usual form of texel offsets.
    pub const fn uw(value: u16) -> Self {
        Self { tag: 5, kind: VectorKind::Immediate { kind: Type::Uw.code(), value: value as u64 } }
    }

    /// Modifier, tag bits 5..3: 0 none, 1 abs, 2 neg, 3 neg abs, 4 sat, 5 not.
    pub const fn modifier(&self) -> u8 {
        self.tag >> 3 & 7
    }

    /// Reads a vector operand.
    pub(super) fn decode(reader: &mut Reader<'_>, version: Version) -> Result<Self> {
        let at = reader.offset();
        let what = What::Instruction;
        let tag = reader.u8(what)?;
        let kind = match tag & 7 {
            0 => {
                let index = version.read_index(reader, what)?;
                check_variable(index, at.wrapping_add(1))?;
                let [row, column, low, high] = reader.array(what)?;
                VectorKind::General { index, row, column, region: u16::from_le_bytes([low, high]) }
            }
            1 => {
                let [low, high, offset, width] = reader.array(what)?;
                VectorKind::Address { index: u16::from_le_bytes([low, high]), offset, width }
            }
            2 => VectorKind::Predicate { index: reader.u16(what)? },
            3 => {
                let [a, b, offset, c, d, kind, e, f] = reader.array(what)?;
                VectorKind::Indirect {
                    index: u16::from_le_bytes([a, b]),
                    offset,
                    bytes: i16::from_le_bytes([c, d]),
                    kind,
                    region: u16::from_le_bytes([e, f]),
                }
            }
            5 => {
                let kind = reader.u8(what)?;
                let wide = Type::from_code(kind).is_wide();
                let value = if wide { reader.u64(what)? } else { reader.u32(what)?.into() };
                VectorKind::Immediate { kind, value }
            }
            6 => {
                let [class, low, high, offset] = reader.array(what)?;
                VectorKind::State { class, index: u16::from_le_bytes([low, high]), offset }
            }
            class => return Err(Error::new(Kind::Reserved, What::VectorOperand).at(at).value(class.into())),
        };
        Ok(Self { tag, kind })
    }

    pub(super) fn encode(&self, out: &mut ByteWriter<'_>, version: Version) -> Result<()> {
        let class = match self.kind {
            VectorKind::General { .. } => 0,
            VectorKind::Address { .. } => 1,
            VectorKind::Predicate { .. } => 2,
            VectorKind::Indirect { .. } => 3,
            VectorKind::Immediate { .. } => 5,
            VectorKind::State { .. } => 6,
        };
        out.put(&[self.tag & !7 | class])?;
        match self.kind {
            VectorKind::General { index, row, column, region } => {
                out.index(index, version)?;
                out.put(&[row, column])?;
                out.put(&region.to_le_bytes())
            }
            VectorKind::Address { index, offset, width } => {
                out.put(&index.to_le_bytes())?;
                out.put(&[offset, width])
            }
            VectorKind::Predicate { index } => out.put(&index.to_le_bytes()),
            VectorKind::Indirect { index, offset, bytes, kind, region } => {
                out.put(&index.to_le_bytes())?;
                out.put(&[offset])?;
                out.put(&bytes.to_le_bytes())?;
                out.put(&[kind])?;
                out.put(&region.to_le_bytes())
            }
            VectorKind::Immediate { kind, value } => {
                let bytes = value.to_le_bytes();
                let length = if Type::from_code(kind).is_wide() { 8 } else { 4 };
                out.put(&[kind])?;
                out.put(bytes.get(..length).unwrap_or(&bytes))
            }
            VectorKind::State { class, index, offset } => {
                out.put(&[class])?;
                out.put(&index.to_le_bytes())?;
                out.put(&[offset])
            }
        }
    }
}

/// Returns the three numbers of a region code: vertical stride, width, horizontal stride; `None` where the code is 0
/// or not defined.
pub const fn region(code: u16) -> [Option<u8>; 3] {
    [stride(code), stride(code >> 4), stride(code >> 8)]
}

const fn stride(code: u16) -> Option<u8> {
    match code & 15 {
        0 => None,
        1 => Some(0),
        n if n <= 7 => Some(1 << (n - 2)),
        _ => None,
    }
}

/// Returns the region code of vertical stride, width and horizontal stride; `None` if a number has no code.
pub fn region_code(strides: [Option<u8>; 3]) -> Option<u16> {
    let mut code = 0;
    for (index, stride) in strides.into_iter().enumerate() {
        let value = match stride {
            None => 0,
            Some(0) => 1,
            Some(n) if n.is_power_of_two() && n <= 32 => n.trailing_zeros() as u16 + 2,
            Some(_) => return None,
        };
        code |= value << (4 * index);
    }
    Some(code)
}
