//! The records of sampler messages, one for each wire format: vISA, Gen and TXQ.

use super::bytes::{chunk, pair, rest};
use crate::bits::Reader;
use crate::error::{Error, Kind, Result, What};

/// Bytes of a register (GRF) of a Gen message.
const GRF: usize = 32;
/// Frame flag: the parameters of a visa message are 16 bits wide.
pub(super) const HALF: u8 = 1;

/// A vISA sampler instruction with its operands' values.
///
/// u32 thread, u32 dispatch mask, u32 predicate mask, u16 aoffimmi, u8 destination type, u8 0,
/// u8 major, u8 minor, u8 n, n bytes instruction, zeros to a multiple of 4, parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VisaRecord<'a> {
    /// The thread that sent the message.
    pub thread: u32,
    /// Lanes that were dispatched.
    pub dispatch: u32,
    /// Value of the predicate variable (inversion and control are the instruction's).
    pub predicate: u32,
    /// Value of the texel offsets at run time.
    pub aoffimmi: u16,
    /// Type code of the destination.
    pub dst_type: u8,
    /// Version of the CISA file: major, minor.
    pub version: [u8; 2],
    /// The instruction's bytes.
    pub instruction: &'a [u8],
    /// Parameters are 16 bits wide.
    pub half: bool,
    /// Parameters in order. Each has the lanes of the execution size and is padded to a multiple of 4 bytes.
    pub params: &'a [u8],
}

/// Bytes of a visa record before the instruction.
const VISA_HEAD: usize = 19;

impl<'a> VisaRecord<'a> {
    pub(super) fn read(r: &mut Reader<'a>, flags: u8) -> Result<Self> {
        let thread = r.u32(What::Record)?;
        let dispatch = r.u32(What::Record)?;
        let predicate = r.u32(What::Record)?;
        let aoffimmi = r.u16(What::Record)?;
        let dst_type = r.u8(What::Record)?;
        zeros(r, 1)?;
        let version = r.array(What::Record)?;
        let len = r.u8(What::Record)?;
        let instruction = r.bytes(len.into(), What::Record)?;
        zeros(r, padding(r.offset()))?;
        let (half, params) = (flags & HALF != 0, rest(r)?);
        Ok(Self { thread, dispatch, predicate, aoffimmi, dst_type, version, instruction, half, params })
    }

    pub(super) fn parts(&self, put: &mut dyn FnMut(&[u8])) {
        // The length byte holds at most 255; no instruction is longer.
        let instruction = self.instruction.get(..usize::from(u8::MAX)).unwrap_or(self.instruction);
        put(&self.thread.to_le_bytes());
        pair(put, &self.dispatch.to_le_bytes(), &self.predicate.to_le_bytes());
        pair(put, &self.aoffimmi.to_le_bytes(), &[self.dst_type, 0]);
        pair(put, &self.version, &[instruction.len() as u8]);
        put(instruction);
        put([0; 3].get(..padding(VISA_HEAD.wrapping_add(instruction.len()))).unwrap_or_default());
        put(self.params);
    }
}

/// Reads bytes that must be 0.
fn zeros(r: &mut Reader<'_>, count: usize) -> Result<()> {
    let at = r.offset();
    match r.bytes(count, What::Record)?.iter().position(|&byte| byte != 0) {
        Some(index) => Err(Error::new(Kind::Reserved, What::Record).at(at.saturating_add(index))),
        None => Ok(()),
    }
}

const fn padding(len: usize) -> usize {
    len.wrapping_neg() & 3
}

/// A Gen send instruction with its payload registers.
///
/// u32 thread, u32 dispatch mask, u32 flag mask, 16 bytes instruction, u32 descriptor,
/// u32 extended descriptor, registers of 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GenRecord<'a> {
    /// The thread that sent the message.
    pub thread: u32,
    /// Lanes that were dispatched.
    pub dispatch: u32,
    /// The flag register that the predicate reads.
    pub flags: u32,
    /// The instruction.
    pub instruction: &'a [u8; 16],
    /// The descriptor as resolved at run time.
    pub descriptor: u32,
    /// The extended descriptor as resolved at run time.
    pub extended: u32,
    /// The first block's registers, then the second's.
    pub payload: &'a [u8],
}

impl<'a> GenRecord<'a> {
    pub(super) fn read(r: &mut Reader<'a>) -> Result<Self> {
        let thread = r.u32(What::Record)?;
        let dispatch = r.u32(What::Record)?;
        let flags = r.u32(What::Record)?;
        let instruction = chunk(r)?;
        let descriptor = r.u32(What::Record)?;
        let extended = r.u32(What::Record)?;
        let payload = whole(r, GRF)?;
        Ok(Self { thread, dispatch, flags, instruction, descriptor, extended, payload })
    }

    pub(super) fn parts(&self, put: &mut dyn FnMut(&[u8])) {
        put(&self.thread.to_le_bytes());
        pair(put, &self.dispatch.to_le_bytes(), &self.flags.to_le_bytes());
        put(self.instruction);
        pair(put, &self.descriptor.to_le_bytes(), &self.extended.to_le_bytes());
        put(self.payload);
    }
}

/// A TXQ instruction with its source registers.
///
/// u32 warp, u32 active mask, u64 instruction, u32 control field, u32 sources lane by lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TxqRecord<'a> {
    /// The warp that executes the instruction.
    pub warp: u32,
    /// Lanes that execute it, after the predicate is applied.
    pub active: u32,
    /// The instruction word.
    pub word: u64,
    /// The scheduling control field of the instruction's slot.
    pub control: u32,
    /// The source registers of each active lane in order, 4 bytes each.
    pub sources: &'a [u8],
}

impl<'a> TxqRecord<'a> {
    pub(super) fn read(r: &mut Reader<'a>) -> Result<Self> {
        let warp = r.u32(What::Record)?;
        let active = r.u32(What::Record)?;
        let word = r.u64(What::Record)?;
        let control = r.u32(What::Record)?;
        Ok(Self { warp, active, word, control, sources: whole(r, 4)? })
    }

    pub(super) fn parts(&self, put: &mut dyn FnMut(&[u8])) {
        pair(put, &self.warp.to_le_bytes(), &self.active.to_le_bytes());
        pair(put, &self.word.to_le_bytes(), &self.control.to_le_bytes());
        put(self.sources);
    }
}

/// Reads all remaining bytes, which must be whole registers of `size` bytes.
fn whole<'a>(r: &mut Reader<'a>, size: usize) -> Result<&'a [u8]> {
    let (at, registers) = (r.offset(), rest(r)?);
    if registers.len() % size != 0 {
        return Err(Error::new(Kind::Invalid, What::Record).at(at).value(registers.len() as u64));
    }
    Ok(registers)
}
