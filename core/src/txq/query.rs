//! The query field: six bits with the query's number and the number of coordinates that it takes, 0 or 1.

use crate::message::Op;

/// A defined query: bits 5:1 are its number, bit 0 is set if it takes a coordinate (LOD or sample index).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Query(u8);

/// The queries with names. All other even field values up to 0x3e, except 0 and 4, are queries without a name.
const NAMES: [(Query, &str); 7] = [
    (Query::DIMENSION, "TEX_HEADER_DIMENSION"),
    (Query::TEXTURE_TYPE, "TEX_HEADER_TEXTURE_TYPE"),
    (Query::SAMPLER_POS, "TEX_HEADER_SAMPLER_POS"),
    (Query::SAMPLER_FILTER, "TEX_SAMPLER_FILTER"),
    (Query::SAMPLER_LOD, "TEX_SAMPLER_LOD"),
    (Query::SAMPLER_WRAP, "TEX_SAMPLER_WRAP"),
    (Query::SAMPLER_BORDER_COLOR, "TEX_SAMPLER_BORDER_COLOR"),
];

/// A bit for each value of the 6-bit field: 1 = the disassembler's table defines it.
const DEFINED: u64 = 0x5555_5555_5555_5555 & !(1 << 0 | 1 << 4) | 1 << 1 | 1 << 5;

impl Query {
    /// Size of a level and number of levels; takes a LOD.
    pub const DIMENSION: Self = Self(0x01);
    /// Number of samples.
    pub const TEXTURE_TYPE: Self = Self(0x02);
    /// Position of a sample; takes a sample index.
    pub const SAMPLER_POS: Self = Self(0x05);
    /// A sampler query whose answer is not documented.
    pub const SAMPLER_FILTER: Self = Self(0x10);
    /// A sampler query whose answer is not documented.
    pub const SAMPLER_LOD: Self = Self(0x12);
    /// A sampler query whose answer is not documented.
    pub const SAMPLER_WRAP: Self = Self(0x14);
    /// A sampler query whose answer is not documented.
    pub const SAMPLER_BORDER_COLOR: Self = Self(0x16);

    /// Returns the query of a 6-bit field; `None` when it is not defined.
    #[inline]
    pub const fn from_raw(raw: u8) -> Option<Self> {
        if raw < 64 && DEFINED >> raw & 1 == 1 { Some(Self(raw)) } else { None }
    }

    /// The 6-bit field.
    #[inline]
    pub const fn raw(self) -> u8 {
        self.0
    }

    /// The query number, which the disassembler prints when the query has no name.
    pub const fn number(self) -> u8 {
        self.0 >> 1
    }

    /// Returns the query with this number, 0..=31. Each number has one query, with a coordinate or without.
    pub const fn from_number(number: u8) -> Option<Self> {
        let even = number.saturating_mul(2);
        match Self::from_raw(even) {
            None => Self::from_raw(even | 1),
            found => found,
        }
    }

    /// Returns whether the query takes a LOD or a sample index.
    pub const fn takes_argument(self) -> bool {
        self.0 & 1 == 1
    }

    /// The name, if it has one.
    pub fn name(self) -> Option<&'static str> {
        NAMES.iter().find(|(query, _)| *query == self).map(|(_, name)| *name)
    }

    /// Returns the query with this name, any case.
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(query, _)| *query)
    }

    /// Returns the wire-neutral operation; `None` if the query's answer is not documented.
    pub const fn op(self) -> Option<Op> {
        match self {
            Self::DIMENSION => Some(Op::TxqDimension),
            Self::TEXTURE_TYPE => Some(Op::TxqTextureType),
            Self::SAMPLER_POS => Some(Op::TxqSamplerPos),
            _ => None,
        }
    }
}

impl core::fmt::Display for Query {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{}", self.number()),
        }
    }
}

impl core::fmt::Debug for Query {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}
