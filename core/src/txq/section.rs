//! Code sections: groups of 32 bytes, one control word and three instruction slots.
//!
//! | byte in group | content (little-endian) |
//! | --- | --- |
//! | 0..7 | control word: slot 0 = bits 20:0, slot 1 = 41:21, slot 2 = 62:42, bit 63 unused |
//! | 8..15, 16..23, 24..31 | instruction slots 0, 1, 2 |

use super::control::SchedulingControl;
use super::instruction::Txq;
use crate::error::{Error, Result, What};

/// Bytes of a group.
pub const GROUP_BYTES: usize = 32;
const SLOT_BYTES: usize = 8;
const SLOTS: u32 = 3;

/// A group: a control word and three instruction words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Group {
    /// The control word, bit 63 included.
    pub control: u64,
    /// The instruction words.
    pub words: [u64; 3],
}

impl Group {
    /// Reads a group.
    #[inline]
    pub fn from_bytes(bytes: &[u8; GROUP_BYTES]) -> Self {
        let (words, _) = bytes.as_chunks::<SLOT_BYTES>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let mut word = || words.next().unwrap_or_default();
        Self { control: word(), words: [word(), word(), word()] }
    }

    /// Writes the group.
    pub fn to_bytes(self) -> [u8; GROUP_BYTES] {
        let [a, b, c] = self.words;
        let mut bytes = [0; GROUP_BYTES];
        let (chunks, _) = bytes.as_chunks_mut::<SLOT_BYTES>();
        for (chunk, word) in chunks.iter_mut().zip([self.control, a, b, c]) {
            *chunk = word.to_le_bytes();
        }
        bytes
    }

    /// Returns the control field of slot `slot` (0..=2).
    pub const fn field(&self, slot: u32) -> SchedulingControl {
        SchedulingControl::of_word(self.control, slot)
    }
}

/// The position of a slot in a dual-issued pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DualIssue {
    /// Issues alone.
    Single,
    /// The first of a pair.
    First,
    /// The second of a pair.
    Second,
}

impl DualIssue {
    /// Returns the brace that the disassembler writes for the slot: nothing, `{` or `}`.
    pub const fn brace(self) -> &'static str {
        match self {
            Self::Single => "",
            Self::First => "{",
            Self::Second => "}",
        }
    }
}

/// An instruction slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Slot {
    /// Byte offset of the instruction word in the section.
    pub offset: usize,
    /// The instruction word.
    pub word: u64,
    /// The control field.
    pub control: SchedulingControl,
    /// The position in a dual-issued pair. The slot after one that opens a pair is the second of
    /// the pair, whatever its own control field says.
    pub issue: DualIssue,
}

impl Slot {
    /// Decodes the TXQ in this slot; `Ok(None)` if it holds another instruction.
    ///
    /// # Errors
    /// As [`Txq::decode`], at this slot's offset. The walk over the section can continue after it.
    #[inline]
    pub fn txq(&self) -> Result<Option<Txq>> {
        Txq::decode(self.word, self.control).map_err(|error| error.offset_by(self.offset))
    }
}

/// A walker over a code section.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// The bytes from the current group on.
    rest: &'a [u8],
    offset: usize,
    /// The number of the next slot in the current group.
    slot: u32,
    /// The slot before the next one opens a dual-issued pair.
    paired: bool,
}

impl<'a> Section<'a> {
    /// Returns a walker that starts at the first group.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, offset: 0, slot: 0, paired: false }
    }

    /// Returns the next instruction slot; `Ok(None)` at the end.
    ///
    /// # Errors
    /// `Truncated CodeSection` when fewer bytes are left than a group has; the walk ends there.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "an error ends the walk, which an Iterator cannot say")]
    pub fn next(&mut self) -> Result<Option<Slot>> {
        let Some(chunk) = self.rest.first_chunk::<GROUP_BYTES>() else { return self.end() };
        let group = Group::from_bytes(chunk);
        let slot = self.take(&group, self.slot);
        self.paired = slot.control.opens_pair();
        self.slot = self.slot.wrapping_add(1);
        if self.slot == SLOTS {
            self.next_group();
        }
        Ok(Some(slot))
    }

    /// Returns the next slot with a TXQ opcode (whose query may be undefined); `Ok(None)` at the end.
    /// Skips other instructions quickly.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    #[inline]
    pub fn next_txq(&mut self) -> Result<Option<Slot>> {
        loop {
            let Some(chunk) = self.rest.first_chunk::<GROUP_BYTES>() else { return self.end() };
            let group = Group::from_bytes(chunk);
            let [a, b, c] = group.words;
            let found = u32::from(Txq::matches(a))
                | u32::from(Txq::matches(b)) << 1
                | u32::from(Txq::matches(c)) << 2;
            let pending = found & u32::MAX.wrapping_shl(self.slot);
            if pending == 0 {
                self.paired = group.field(2).opens_pair();
                self.next_group();
                continue;
            }
            let index = pending.trailing_zeros();
            if index > self.slot {
                self.paired = group.field(index.wrapping_sub(1)).opens_pair();
            }
            let slot = self.take(&group, index);
            self.paired = slot.control.opens_pair();
            self.slot = index.wrapping_add(1);
            if self.slot == SLOTS {
                self.next_group();
            }
            return Ok(Some(slot));
        }
    }

    #[inline]
    fn take(&self, group: &Group, slot: u32) -> Slot {
        let control = group.field(slot);
        let issue = match (self.paired, control.opens_pair()) {
            (true, _) => DualIssue::Second,
            (false, true) => DualIssue::First,
            (false, false) => DualIssue::Single,
        };
        let [a, b, c] = group.words;
        let word = match slot {
            0 => a,
            1 => b,
            _ => c,
        };
        let offset = self.offset.wrapping_add(SLOT_BYTES.wrapping_mul(slot as usize + 1));
        Slot { offset, word, control, issue }
    }

    #[inline]
    fn next_group(&mut self) {
        self.slot = 0;
        self.rest = self.rest.get(GROUP_BYTES..).unwrap_or_default();
        self.offset = self.offset.wrapping_add(GROUP_BYTES);
    }

    #[cold]
    fn end(&mut self) -> Result<Option<Slot>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.rest = &[];
        Err(Error::truncated(What::CodeSection, self.offset, GROUP_BYTES))
    }
}
