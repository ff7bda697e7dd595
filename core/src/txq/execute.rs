//! Execution: the header queries for every active lane of a warp of 32.

use super::instruction::Txq;
use crate::error::{Error, Kind, Result, What};
use crate::message::{Channels, Op};
use crate::state::nv::{Class, Handle, Limits, TextureHeader};

const LANES: usize = 32;
const REGISTER_BYTES: usize = LANES * 4;

/// The state that TXQ instructions read: the header pool and the constant bank with the handles.
pub trait DescriptorPools {
    /// Returns entry `index` of the header pool; `None` when the caller does not have it.
    fn header(&self, index: u32) -> Option<TextureHeader>;
    /// Returns the word at `byte_offset` of the constant bank; `None` when the caller does not have it.
    fn constant(&self, byte_offset: u32) -> Option<u32>;
    /// The sizes of the pools and the binding mode.
    fn limits(&self) -> Limits {
        Limits::default()
    }
}

/// Pools in memory, in the hardware's layout.
#[derive(Clone, Copy, Debug)]
pub struct FlatPools<'a> {
    /// The class that defines the headers' fields.
    pub class: Class,
    /// The header pool, 32 bytes an entry.
    pub headers: &'a [u8],
    /// The constant bank.
    pub constants: &'a [u8],
    /// The sizes of the pools and the binding mode.
    pub limits: Limits,
}

impl DescriptorPools for FlatPools<'_> {
    fn header(&self, index: u32) -> Option<TextureHeader> {
        let at = usize::try_from(index).ok()?.checked_mul(TextureHeader::BYTES)?;
        let bytes = self.headers.get(at..)?.first_chunk()?;
        Some(TextureHeader::from_bytes(self.class, bytes))
    }

    fn constant(&self, byte_offset: u32) -> Option<u32> {
        let bytes = self.constants.get(usize::try_from(byte_offset).ok()?..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    fn limits(&self) -> Limits {
        self.limits
    }
}

/// The source registers of a warp; [`Txq::sources`] says how many are read.
#[derive(Clone, Copy, Debug)]
pub enum Sources<'a> {
    /// Ra and Ra+1 as registers: 32 lanes of 4 bytes each.
    Registers(&'a [u8], &'a [u8]),
    /// The active lanes only, in order, each with the registers that it reads (as in trace records).
    Packed(&'a [u8]),
}

impl Sources<'_> {
    /// Returns source `register` (of `count`) of `lane`, which is active lane number `rank`.
    fn read(&self, lane: usize, rank: usize, register: usize, count: usize) -> Result<u32> {
        let (bytes, word) = match (self, register) {
            (Self::Registers(ra, _), 0) => (ra, lane),
            (Self::Registers(_, next), _) => (next, lane),
            (Self::Packed(bytes), _) => (bytes, rank.wrapping_mul(count).wrapping_add(register)),
        };
        let at = word.wrapping_mul(4);
        let bytes = bytes.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map(|word| u32::from_le_bytes(*word)).ok_or(Error::truncated(What::Payload, at, 4))
    }
}

/// The lanes of an executed query that have no valid answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TxqOutcome {
    /// Mask of the lanes whose handle names a header past the pool's limit: an invalid texture, which answers 0.
    pub invalid: u32,
    /// Mask of the lanes without an answer (see [`first_error`](Self::first_error)); their components are 0.
    pub failed: u32,
    /// The first failed lane and its error: `Fault TextureHeader` with the header's index when the pool does not have it,
    /// else an error of the query itself.
    pub first_error: Option<(u8, Error)>,
}

impl Txq {
    /// Executes the query for the lanes of `active` (guard applied, see
    /// [`Guard::lanes`](super::Guard::lanes)).
    ///
    /// `registers` begins with Rd in R layout: lane 0..31 of Rd, then of Rd+1, ..., 4 bytes each, little
    /// endian; [`destinations`](Self::destinations) x 128 bytes are used. Only active lanes are written.
    /// The enabled components go to consecutive registers.
    ///
    /// An invalid texture (header index past the limit) answers 0 in every component (guess: the rule
    /// of Direct3D for an unbound resource). The sampler's validity does not matter here (guess).
    ///
    /// # Errors
    /// `Unsupported QueryResult` for the queries that are not documented; `Capacity Writeback`;
    /// `Truncated Payload`; `Fault ConstantBank` with the byte offset when the constant bank does not have the handle of a
    /// TXQ.
    pub fn execute(
        self,
        active: u32,
        sources: Sources<'_>,
        pools: &impl DescriptorPools,
        registers: &mut [u8],
    ) -> Result<TxqOutcome> {
        let op = self.op()?;
        let needed = self.destinations().wrapping_mul(REGISTER_BYTES);
        let short = Error::new(Kind::Capacity, What::Writeback).value(needed as u64);
        let registers = registers.get_mut(..needed).ok_or(short)?;
        let limits = pools.limits();
        let bound = if self.bindless() || active == 0 { Handle::default() } else { self.bound(pools)? };
        let count = usize::from(self.sources());
        let mut outcome = TxqOutcome::default();
        let mut rank = 0_usize;
        for lane in (0..LANES).filter(|&lane| active.wrapping_shr(lane as u32) & 1 == 1) {
            let read = |register| sources.read(lane, rank, register, count);
            let handle = if self.bindless() { Handle::new(read(0)?) } else { bound };
            let argument = if self.query().takes_argument() { read(count.wrapping_sub(1))? } else { 0 };
            rank = rank.wrapping_add(1);
            let bit = 1_u32.wrapping_shl(lane as u32);
            let answer = if limits.header_valid(handle) {
                answer(op, handle, argument, pools)
            } else {
                outcome.invalid |= bit;
                Ok([0; 4])
            };
            let answer = answer.unwrap_or_else(|error| {
                outcome.failed |= bit;
                outcome.first_error.get_or_insert((lane as u8, error));
                [0; 4]
            });
            write(registers, lane, self.mask(), answer);
        }
        Ok(outcome)
    }

    /// Returns the handle of a TXQ without .B, from the constant bank.
    fn bound(self, pools: &impl DescriptorPools) -> Result<Handle> {
        let offset = u32::from(self.index()).wrapping_mul(4);
        let missing = Error::new(Kind::Fault, What::ConstantBank).value(u64::from(offset));
        pools.constant(offset).map(Handle::new).ok_or(missing)
    }
}

fn answer(op: Op, handle: Handle, argument: u32, pools: &impl DescriptorPools) -> Result<[u32; 4]> {
    let missing = Error::new(Kind::Fault, What::TextureHeader).value(u64::from(handle.header()));
    let header = pools.header(handle.header()).ok_or(missing)?;
    match op {
        Op::TxqDimension => header.query_dimension(argument),
        Op::TxqSamplerPos => header.query_sampler_pos(argument),
        _ => header.query_texture_type(),
    }
}

/// Writes the components in `mask` to lane `lane` of consecutive registers.
fn write(registers: &mut [u8], lane: usize, mask: Channels, answer: [u32; 4]) {
    let enabled = answer.into_iter().enumerate().filter(|(index, _)| mask.contains(*index));
    let (registers, _) = registers.as_chunks_mut::<REGISTER_BYTES>();
    for (register, (_, value)) in registers.iter_mut().zip(enabled) {
        let (lanes, _) = register.as_chunks_mut::<4>();
        if let Some(bytes) = lanes.get_mut(lane) {
            *bytes = value.to_le_bytes();
        }
    }
}
