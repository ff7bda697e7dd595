//! Bit positions of the fields of a send.
//!
//! One [`SendFields`] per form; a field that the form does not have has no pieces and reads as 0.
//! Bits are numbered in the 128-bit little-endian word.
//!
//! | field | send, sendc | sends, sendsc | Gen12 send, sendc |
//! |---|---|---|---|
//! | opcode | 6:0 | 6:0 | 6:0 |
//! | channel offset / 4 | 13:12, 11 | 13:12, 11 | 21:20, 19 |
//! | thread control | 15:14 | 15:14 | 33:32 |
//! | scoreboard | - | - | 15:8 |
//! | predicate control, inverse | 19:16, 20 | 19:16, 20 | 27:24, 28 |
//! | flag register and subregister | 33:32 | 33:32 | 23:22 |
//! | execution size | 23:21 | 23:21 | 18:16 |
//! | shared function | 27:24 | 27:24 | 95:92 |
//! | NoSrcDepSet, breakpoint | 28, 30 | 28, 30 | -, 30 |
//! | NoMask | 34 | 34 | 31 |
//! | destination file, type | 36:35, 40:37 | 35, 40:37 | 50, - |
//! | destination register, indirect | 60:53, 63 | 60:53, 63 | 63:56, - |
//! | first source file, type | 42:41, 46:43 | -, - | 66, - |
//! | first source register, indirect | 76:69, 79 | 76:69, 79 | 79:72, - |
//! | second source file, register | - | 36, 51:44 | 98, 111:104 |
//! | descriptor selector, descriptor | 90:89, 126:96 | 77, 126:96 | 48, scattered |
//! | extended descriptor selector, register | - | 61, 82:80 | 49, 42:40 |
//! | extended descriptor | 31:28, 27:24, 23:20, 19:16 at 94, 88, 83, 67 | 31:16, 9:6 at 95, 67 | scattered |
//! | coarse pixel shading | (extended descriptor 31) | 31 | (extended descriptor 11) |
//! | end of thread | 127 | 127 | 34 |

use crate::error::{Error, Kind, Result, What};

/// A 128-bit instruction as two little-endian halves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Word {
    /// Bits 63:0.
    pub lo: u64,
    /// Bits 127:64.
    pub hi: u64,
}

impl Word {
    /// Returns the word of 16 bytes.
    #[inline]
    pub const fn from_bytes(bytes: &[u8; 16]) -> Self {
        let word = u128::from_le_bytes(*bytes);
        Self { lo: word as u64, hi: (word >> 64) as u64 }
    }

    /// Returns the 16 bytes.
    #[inline]
    pub const fn to_bytes(self) -> [u8; 16] {
        ((self.hi as u128) << 64 | self.lo as u128).to_le_bytes()
    }

    /// Returns `width` (at most 32) bits from bit `at` on, which do not straddle the halves.
    #[inline(always)]
    pub const fn get(self, at: u8, width: u8) -> u32 {
        let half = if at < 64 { self.lo } else { self.hi };
        (half >> (at & 63)) as u32 & low(width)
    }

    #[inline(always)]
    pub(super) const fn put(mut self, at: u8, width: u8, value: u32) -> Self {
        let mask = (low(width) as u64) << (at & 63);
        let bits = (value as u64) << (at & 63) & mask;
        if at < 64 {
            self.lo = self.lo & !mask | bits;
        } else {
            self.hi = self.hi & !mask | bits;
        }
        self
    }
}

const fn low(width: u8) -> u32 {
    if width >= 32 { u32::MAX } else { (1 << width) - 1 }
}

/// Consecutive bits of the word that hold consecutive bits of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldPiece {
    /// Lowest bit in the word.
    pub at: u8,
    /// Number of bits.
    pub width: u8,
    /// Lowest bit in the value.
    pub to: u8,
}

/// A field: its name, and the pieces that its value is split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionField {
    /// The field's name.
    pub name: &'static str,
    /// The pieces, from the value's lowest bits up; empty if the form does not have the field.
    pub pieces: &'static [FieldPiece],
}

impl InstructionField {
    /// Returns the lowest bit in the word of the first piece, to which errors of decoding refer; 0 if the form does not have the field.
    pub const fn at(&self) -> u8 {
        match self.pieces {
            [piece, ..] => piece.at,
            [] => 0,
        }
    }

    /// Returns true if the form has this field.
    pub const fn exists(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// Returns the field's value in `word`.
    #[inline(always)]
    pub const fn get(&self, word: Word) -> u32 {
        let mut value = 0;
        let mut rest = self.pieces;
        while let [piece, tail @ ..] = rest {
            value |= word.get(piece.at, piece.width) << piece.to;
            rest = tail;
        }
        value
    }

    /// Returns true if the field's value is not 0.
    #[inline(always)]
    pub const fn is_set(&self, word: Word) -> bool {
        self.get(word) != 0
    }

    /// Returns `word` with the field set to `value`.
    ///
    /// # Errors
    /// `Invalid FieldValue` when the pieces do not hold every bit of `value`.
    #[inline]
    pub const fn put(&self, mut word: Word, value: u32) -> Result<Word> {
        let mut left = value;
        let mut at = u8::MAX;
        let mut rest = self.pieces;
        while let [piece, tail @ ..] = rest {
            word = word.put(piece.at, piece.width, value >> piece.to);
            left &= !(low(piece.width) << piece.to);
            at = piece.at;
            rest = tail;
        }
        if left != 0 {
            let error = Error::new(Kind::Invalid, What::FieldValue).value(value as u64);
            return Err(if at == u8::MAX { error } else { error.bit(at) });
        }
        Ok(word)
    }

    /// Returns `word` with the field's bits cleared.
    #[inline(always)]
    pub const fn clear(&self, mut word: Word) -> Word {
        let mut rest = self.pieces;
        while let [piece, tail @ ..] = rest {
            word = word.put(piece.at, piece.width, 0);
            rest = tail;
        }
        word
    }
}

macro_rules! send_fields {
    ($($(#[doc = $doc:literal])* $name:ident = $text:literal;)*) => {
        /// The fields of one form of send.
        #[derive(Clone, Copy, Debug)]
        pub struct SendFields { $($(#[doc = $doc])* pub $name: InstructionField,)* }

        impl SendFields {
            /// A form without any field, which the real forms start from.
            const NONE: Self = Self { $($name: InstructionField { name: $text, pieces: &[] },)* };

            /// Returns a mask of the bits that belong to a field.
            pub const fn used_bits(&self) -> Word {
                let ones = Word { lo: u64::MAX, hi: u64::MAX };
                let mut rest = ones;
                $(rest = self.$name.clear(rest);)*
                Word { lo: !rest.lo, hi: !rest.hi }
            }

            /// Returns every field, in order of declaration.
            pub fn all(&self) -> impl Iterator<Item = &InstructionField> {
                [$(&self.$name,)*].into_iter()
            }
        }
    };
}

send_fields! {
    /// Opcode.
    opcode = "opcode";
    /// Channel offset in units of 4 channels (QtrCtrl and NibCtrl).
    channel_offset = "channel offset / 4";
    /// Thread control.
    thread = "thread control";
    /// Software scoreboard of Gen12, raw.
    scoreboard = "software scoreboard";
    /// Predicate control.
    predicate = "predicate control";
    /// Inverse of the predicate.
    inverse = "predicate inverse";
    /// Flag register (upper bit) and subregister (lower bit).
    flag = "flag register";
    /// Execution size, log2.
    exec = "execution size";
    /// Shared function.
    sfid = "shared function";
    /// NoSrcDepSet: no dependency is set on the source registers.
    no_src_dep_set = "NoSrcDepSet";
    /// Breakpoint.
    breakpoint = "breakpoint";
    /// NoMask: the dispatch mask is ignored.
    no_mask = "NoMask";
    /// Destination register file.
    dst_file = "destination file";
    /// Destination type.
    dst_type = "destination type";
    /// Destination register.
    dst = "destination register";
    /// Destination through an address register.
    dst_indirect = "destination indirect";
    /// First source register file.
    src0_file = "source 0 file";
    /// First source type.
    src0_type = "source 0 type";
    /// First source register.
    src0 = "source 0 register";
    /// First source through an address register.
    src0_indirect = "source 0 indirect";
    /// Second source register file.
    src1_file = "source 1 file";
    /// Second source register.
    src1 = "source 1 register";
    /// Says whether the descriptor is immediate.
    desc_select = "descriptor selector";
    /// The descriptor.
    desc = "descriptor";
    /// Says whether the extended descriptor is in a register.
    ex_desc_select = "extended descriptor selector";
    /// Subregister of a0 with the extended descriptor.
    ex_desc_register = "extended descriptor register";
    /// The extended descriptor without its low 6 bits.
    ex_desc = "extended descriptor";
    /// Coarse pixel shading.
    cps = "CPS LOD compensation";
    /// End of thread.
    eot = "end of thread";
}

macro_rules! at {
    ($field:ident: $($at:literal / $width:literal $(=> $to:literal)?),+) => {
        InstructionField { name: SendFields::NONE.$field.name, pieces: &[$(FieldPiece { at: $at, width: $width, to: 0 $(+ $to)? }),+] }
    };
}

/// What `send` and `sends` of Gen9 and Gen11 have in common.
const GEN9_COMMON: SendFields = SendFields {
    opcode: at!(opcode: 0 / 7),
    channel_offset: at!(channel_offset: 11 / 1, 12 / 2 => 1),
    thread: at!(thread: 14 / 2),
    predicate: at!(predicate: 16 / 4),
    inverse: at!(inverse: 20 / 1),
    exec: at!(exec: 21 / 3),
    sfid: at!(sfid: 24 / 4),
    no_src_dep_set: at!(no_src_dep_set: 28 / 1),
    breakpoint: at!(breakpoint: 30 / 1),
    flag: at!(flag: 32 / 2),
    no_mask: at!(no_mask: 34 / 1),
    dst_type: at!(dst_type: 37 / 4),
    dst: at!(dst: 53 / 8),
    dst_indirect: at!(dst_indirect: 63 / 1),
    src0: at!(src0: 69 / 8),
    src0_indirect: at!(src0_indirect: 79 / 1),
    desc: at!(desc: 96 / 31),
    eot: at!(eot: 127 / 1),
    ..SendFields::NONE
};

/// `send` and `sendc` of Gen9 and Gen11.
pub const PLAIN: SendFields = SendFields {
    dst_file: at!(dst_file: 35 / 2),
    src0_file: at!(src0_file: 41 / 2),
    src0_type: at!(src0_type: 43 / 4),
    desc_select: at!(desc_select: 89 / 2),
    ex_desc: at!(ex_desc: 64 / 4 => 16, 80 / 4 => 20, 85 / 4 => 24, 91 / 4 => 28),
    ..GEN9_COMMON
};

/// `sends` and `sendsc` of Gen9 and Gen11.
pub const SPLIT: SendFields = SendFields {
    cps: at!(cps: 31 / 1),
    dst_file: at!(dst_file: 35 / 1),
    src1_file: at!(src1_file: 36 / 1),
    src1: at!(src1: 44 / 8),
    ex_desc_select: at!(ex_desc_select: 61 / 1),
    ex_desc_register: at!(ex_desc_register: 80 / 3),
    ex_desc: at!(ex_desc: 64 / 4 => 6, 80 / 16 => 16),
    desc_select: at!(desc_select: 77 / 1),
    ..GEN9_COMMON
};

/// `send` and `sendc` of Gen12 (Xe-LP, Xe-HPG).
pub const UNIFIED: SendFields = SendFields {
    opcode: at!(opcode: 0 / 7),
    scoreboard: at!(scoreboard: 8 / 8),
    exec: at!(exec: 16 / 3),
    channel_offset: at!(channel_offset: 19 / 1, 20 / 2 => 1),
    flag: at!(flag: 22 / 2),
    predicate: at!(predicate: 24 / 4),
    inverse: at!(inverse: 28 / 1),
    breakpoint: at!(breakpoint: 30 / 1),
    no_mask: at!(no_mask: 31 / 1),
    thread: at!(thread: 32 / 2),
    eot: at!(eot: 34 / 1),
    ex_desc_register: at!(ex_desc_register: 40 / 3),
    desc_select: at!(desc_select: 48 / 1),
    ex_desc_select: at!(ex_desc_select: 49 / 1),
    dst_file: at!(dst_file: 50 / 1),
    dst: at!(dst: 56 / 8),
    src0_file: at!(src0_file: 66 / 1),
    src0: at!(src0: 72 / 8),
    sfid: at!(sfid: 92 / 4),
    src1_file: at!(src1_file: 98 / 1),
    src1: at!(src1: 104 / 8),
    desc: at!(desc: 81 / 11, 113 / 9 => 11, 51 / 5 => 20, 67 / 5 => 25, 122 / 2 => 30),
    ex_desc: at!(ex_desc: 99 / 5 => 6, 35 / 13 => 11, 64 / 2 => 24, 96 / 2 => 26, 124 / 4 => 28),
    ..SendFields::NONE
};
