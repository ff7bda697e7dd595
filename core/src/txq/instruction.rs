//! The TXQ instruction word.
//!
//! | bits | field |
//! | --- | --- |
//! | 7:0 | Rd, 255 = RZ |
//! | 15:8 | Ra, 255 = RZ |
//! | 18:16 | guard predicate, 7 = PT |
//! | 19 | guard negation |
//! | 27:22 | query (bit 22: takes a coordinate) |
//! | 34:31 | write mask, bit 31 = R |
//! | 48:36 | index of the handle in the constant bank (TXQ; ignored in TXQ.B) |
//! | 49 | .NODEP |
//! | 63:51 | opcode: 0x1be9 TXQ, 0x1bea TXQ.B |
//!
//! Bits 21:20, 30:28, 35 and 50 are ignored. The phase is in the control field.

use super::control::SchedulingControl;
use super::query::Query;
use crate::bits::{get, mask, put};
use crate::error::{Error, Kind, Result, What};
use crate::message::Channels;

/// The register number of RZ, which reads as 0 and drops what is written.
pub const RZ: u8 = 255;

const OPCODE_LO: u32 = 51;
const BOUND: u64 = 0x1be9;
const BINDLESS: u64 = 0x1bea;
const QUERY_LO: u32 = 22;
const INDEX_LO: u32 = 36;
const INDEX_BITS: u64 = mask(13) << INDEX_LO;
const UNUSED: u64 = 3 << 20 | 7 << 28 | 1 << 35 | 1 << 50;

/// A guard predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Guard {
    /// P0..P6, 7 = PT (true).
    pub predicate: u8,
    /// Inverts the predicate: lanes execute where it is false.
    pub negate: bool,
}

impl Guard {
    /// The guard that is always true.
    pub const ALWAYS: Self = Self { predicate: 7, negate: false };

    /// Returns the mask of the lanes in `active` that execute; `predicates` holds P0..P6, a bit per lane.
    pub fn lanes(self, active: u32, predicates: &[u32; 7]) -> u32 {
        let value = predicates.get(usize::from(self.predicate)).copied().unwrap_or(u32::MAX);
        active & if self.negate { !value } else { value }
    }
}

/// The fields of a TXQ: [`Txq::fields`] splits an instruction into them, [`TxqFields::encode`] joins them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TxqFields {
    /// TXQ.B: the handle is in Ra.
    pub bindless: bool,
    /// The guard.
    pub guard: Guard,
    /// First destination register, [`RZ`] = none.
    pub rd: u8,
    /// First source register, [`RZ`] = none.
    pub ra: u8,
    /// The query.
    pub query: Query,
    /// Word index of the handle in the constant bank, 13 bits. Ignored in TXQ.B, but kept.
    pub index: u16,
    /// The components that are written.
    pub mask: Channels,
    /// .NODEP: no derivatives follow, killed lanes are off.
    pub nodep: bool,
    /// The bits without a meaning, at their positions in the word.
    pub unused: u64,
}

impl TxqFields {
    /// Returns the instruction with these fields (the low bits of each) and the control field `control`.
    pub fn encode(self, control: SchedulingControl) -> Txq {
        let opcode = if self.bindless { BINDLESS } else { BOUND };
        let fields = [
            (0, 8, u64::from(self.rd)),
            (8, 8, u64::from(self.ra)),
            (16, 3, u64::from(self.guard.predicate)),
            (19, 1, u64::from(self.guard.negate)),
            (QUERY_LO, 6, u64::from(self.query.raw())),
            (31, 4, u64::from(self.mask.mask())),
            (INDEX_LO, 13, u64::from(self.index)),
            (49, 1, u64::from(self.nodep)),
            (OPCODE_LO, 13, opcode),
        ];
        let word =
            fields.iter().fold(self.unused & UNUSED, |word, &(lo, width, value)| put(word, lo, width, value));
        Txq { word, control }
    }
}

/// A TXQ or TXQ.B with a defined query: the word and the control field, every bit kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Txq {
    word: u64,
    control: SchedulingControl,
}

impl Txq {
    /// Returns whether `word` has one of the two opcodes (its query may still be undefined).
    #[inline]
    pub const fn matches(word: u64) -> bool {
        matches!(word >> OPCODE_LO, BOUND | BINDLESS)
    }

    /// Decodes an instruction word; `Ok(None)` if it is another instruction.
    ///
    /// # Errors
    /// `Unknown Query`: the opcode is TXQ but its query is not defined (the disassembler refuses it too).
    #[inline]
    pub const fn decode(word: u64, control: SchedulingControl) -> Result<Option<Self>> {
        if !Self::matches(word) {
            return Ok(None);
        }
        let raw = get(word, QUERY_LO, 6);
        match Query::from_raw(raw as u8) {
            Some(_) => Ok(Some(Self { word, control })),
            None => Err(Error::new(Kind::Unknown, What::Query).at(0).bit(QUERY_LO as u8).value(raw)),
        }
    }

    /// The instruction word.
    #[inline]
    pub const fn word(self) -> u64 {
        self.word
    }

    /// The control field.
    #[inline]
    pub const fn control(self) -> SchedulingControl {
        self.control
    }

    /// TXQ.B: the handle is in Ra.
    #[inline]
    pub const fn bindless(self) -> bool {
        self.word >> OPCODE_LO == BINDLESS
    }

    /// First destination register.
    #[inline]
    pub const fn rd(self) -> u8 {
        get(self.word, 0, 8) as u8
    }

    /// First source register.
    #[inline]
    pub const fn ra(self) -> u8 {
        get(self.word, 8, 8) as u8
    }

    /// The guard.
    #[inline]
    pub const fn guard(self) -> Guard {
        Guard { predicate: get(self.word, 16, 3) as u8, negate: get(self.word, 19, 1) == 1 }
    }

    /// The query.
    #[inline]
    pub const fn query(self) -> Query {
        match Query::from_raw(get(self.word, QUERY_LO, 6) as u8) {
            Some(query) => query,
            // Never reached: `decode` and `encode` admit only defined queries.
            None => Query::TEXTURE_TYPE,
        }
    }

    /// Word index of the handle in the constant bank; 0 for TXQ.B, which ignores the field.
    #[inline]
    pub const fn index(self) -> u16 {
        if self.bindless() { 0 } else { get(self.word, INDEX_LO, 13) as u16 }
    }

    /// The components that are written.
    #[inline]
    pub const fn mask(self) -> Channels {
        Channels::new(get(self.word, 31, 4) as u8)
    }

    /// .NODEP.
    #[inline]
    pub const fn nodep(self) -> bool {
        get(self.word, 49, 1) == 1
    }

    /// Returns the set bits that have no effect; compilers leave them 0.
    #[inline]
    pub const fn ignored_bits(self) -> u64 {
        self.word & if self.bindless() { UNUSED | INDEX_BITS } else { UNUSED }
    }

    /// Number of source registers that are read, 0..=2. With two, the handle comes first.
    #[inline]
    pub const fn sources(self) -> u8 {
        self.bindless() as u8 + self.query().takes_argument() as u8
    }

    /// Number of registers that are written from Rd on, 0..=4; 0 when Rd is RZ.
    #[inline]
    pub const fn destinations(self) -> usize {
        if self.rd() == RZ { 0 } else { self.mask().count() }
    }

    /// All fields.
    pub const fn fields(self) -> TxqFields {
        TxqFields {
            bindless: self.bindless(),
            guard: self.guard(),
            rd: self.rd(),
            ra: self.ra(),
            query: self.query(),
            index: get(self.word, INDEX_LO, 13) as u16,
            mask: self.mask(),
            nodep: self.nodep(),
            unused: self.word & UNUSED,
        }
    }
}
