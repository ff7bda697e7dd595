//! NVIDIA: the pools of texture headers and samplers, and TXQ on a warp's registers.

use super::heaps::read;
use crate::bits::copy_front;
use crate::error::{Error, Kind, Result, What};
use crate::memory::Memory;
use crate::state::nv::{Class, Handle, Limits, SamplerEntry, TextureHeader};
use crate::txq::{self, RZ, Sources, Txq, TxqOutcome};

/// Bytes of an R register: 32 lanes of 4 bytes.
const REGISTER: usize = 128;

/// What the zero register RZ reads.
static ZEROS: [u8; REGISTER] = [0; REGISTER];

/// The texture state of a Maxwell or Pascal: the addresses of both pools and of the constant bank with the handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Pools {
    /// The class whose headers these are.
    pub class: Class,
    /// The header pool, 32 bytes an entry.
    pub headers: u64,
    /// The sampler pool, 32 bytes an entry.
    pub samplers: u64,
    /// The constant bank.
    pub constants: u64,
    /// The sizes of the pools and the binding mode.
    pub limits: Limits,
}

/// The registers and masks of a warp.
#[derive(Debug)]
pub struct Warp<'r> {
    /// R registers from R0 on, 128 bytes each: lane 0 to 31, 4 bytes a lane.
    pub registers: &'r mut [u8],
    /// Lanes that are active, bit per lane.
    pub active: u32,
    /// Predicates P0 to P6, bit per lane.
    pub predicates: [u32; 7],
}

/// Pools with the memory that they are in.
struct InMemory<'a, M: ?Sized>(&'a Pools, &'a M);

impl<M: Memory + ?Sized> txq::DescriptorPools for InMemory<'_, M> {
    fn header(&self, index: u32) -> Option<TextureHeader> {
        self.0.header(index, self.1).ok()
    }

    fn constant(&self, byte_offset: u32) -> Option<u32> {
        let address = self.0.constants.wrapping_add(byte_offset.into());
        read(self.1, address, What::ConstantBank).ok().map(u32::from_le_bytes)
    }

    fn limits(&self) -> Limits {
        self.0.limits
    }
}

impl Pools {
    /// Reads an entry of the header pool.
    ///
    /// # Errors
    /// `Fault TextureHeader` with the address when its memory is not mapped.
    pub fn header<M: Memory + ?Sized>(&self, index: u32, memory: &M) -> Result<TextureHeader> {
        let address = self.header_address(index.into());
        Ok(TextureHeader::from_bytes(self.class, &read(memory, address, What::TextureHeader)?))
    }

    const fn header_address(&self, index: u64) -> u64 {
        self.headers.wrapping_add(index.wrapping_mul(TextureHeader::BYTES as u64))
    }

    /// Returns an error of [`Txq::execute`] with the address of the fault: pools that are not in memory have an index or offset only.
    fn with_address(&self, error: Error) -> Error {
        match (error.kind(), error.what()) {
            (Kind::Fault, What::TextureHeader) => error.value(self.header_address(error.found())),
            (Kind::Fault, What::ConstantBank) => error.value(self.constants.wrapping_add(error.found())),
            _ => error,
        }
    }

    /// Reads the sampler that a handle names, by the binding mode of the [limits](Self::limits).
    ///
    /// # Errors
    /// `Fault SamplerState` with the address when its memory is not mapped.
    pub fn sampler<M: Memory + ?Sized>(&self, handle: Handle, memory: &M) -> Result<SamplerEntry> {
        let offset = u64::from(self.limits.sampler(handle)).wrapping_mul(SamplerEntry::BYTES as u64);
        let address = self.samplers.wrapping_add(offset);
        Ok(SamplerEntry::from_bytes(self.class, &read(memory, address, What::SamplerState)?))
    }

    /// Executes a query under its guard: takes its sources from the warp's registers and writes its components there.
    /// Inactive lanes keep what the destination held. Sources and destination may overlap. Faults, also that of
    /// [`TxqOutcome::first_error`], have the address in memory.
    ///
    /// # Errors
    /// No register is written then. As [`Txq::execute`]; `Truncated Registers` (at the register's byte) when a register is
    /// not in the warp's.
    pub fn txq<M: Memory + ?Sized>(&self, query: Txq, warp: &mut Warp<'_>, memory: &M) -> Result<TxqOutcome> {
        let active = query.guard().lanes(warp.active, &warp.predicates);
        let sources = usize::from(query.sources());
        let source = |number: usize| match (number < sources, query.ra()) {
            (false, _) | (_, RZ) => Ok(&ZEROS[..]),
            (true, ra) => {
                let at = usize::from(ra).wrapping_add(number).wrapping_mul(REGISTER);
                let missing = Error::truncated(What::Registers, at, REGISTER);
                warp.registers.get(at..at.wrapping_add(REGISTER)).ok_or(missing)
            }
        };
        let sources = Sources::Registers(source(0)?, source(1)?);
        let (at, size) =
            (usize::from(query.rd()).wrapping_mul(REGISTER), query.destinations().wrapping_mul(REGISTER));
        let range = if size == 0 { 0..0 } else { at..at.wrapping_add(size) };
        let held = warp.registers.get(range.clone()).ok_or(Error::truncated(What::Registers, at, size))?;
        let mut result = [0; 4 * REGISTER];
        copy_front(&mut result, held);
        let executed = query.execute(active, sources, &InMemory(self, memory), &mut result);
        let mut outcome = executed.map_err(|error| self.with_address(error))?;
        outcome.first_error = outcome.first_error.map(|(lane, error)| (lane, self.with_address(error)));
        let capacity = Error::new(Kind::Capacity, What::Registers);
        copy_front(warp.registers.get_mut(range).ok_or(capacity)?, &result);
        Ok(outcome)
    }
}
