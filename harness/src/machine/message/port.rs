//! The context in which a message is executed: payload, execution mask, memories of the thread, and destination.

use crate::machine::error::{Error, Result};
use crate::machine::memory::read_little;
use crate::machine::registers::{GENERAL, REGISTER, Registers};
use crate::machine::thread::{Environment, Thread};
use texwire::eu::SendInstruction;

/// The memory that a data port message accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressSpace {
    /// A surface of the binding table.
    Surface(u8),
    /// Shared local memory (SLM).
    Local,
    /// Stateless memory, by 32-bit addresses; the thread's scratch memory is here.
    Flat32,
    /// Stateless memory, by 64-bit addresses (A64).
    Flat64,
}

impl AddressSpace {
    pub(super) fn new(descriptor: u32, a64: bool) -> Self {
        match descriptor & 0xff {
            _ if a64 => Self::Flat64,
            254 => Self::Local,
            index @ 0..=239 => Self::Surface(index as u8),
            _ => Self::Flat32,
        }
    }

    /// Returns the bytes of an address in the payload.
    pub const fn address_bytes(self) -> usize {
        if matches!(self, Self::Flat64) { 8 } else { 4 }
    }
}

/// The payload of a message: a copy of its registers.
#[derive(Clone, Debug)]
pub struct Payload {
    bytes: [u8; MAX_REGISTERS * REGISTER],
    /// Bytes of both blocks.
    length: usize,
    /// Bytes of the first block.
    first: usize,
}

/// Most registers of a payload: the lengths of both blocks have 4 bits.
const MAX_REGISTERS: usize = 15 + 15;

impl Payload {
    /// Copies the registers of a send: `mlen` of its first block and `xlen` of its second.
    ///
    /// # Errors
    /// Registers that do not exist.
    #[inline] // Saves copying the 1.5 KiB that a call would return.
    pub(super) fn new(
        send: &SendInstruction,
        registers: &Registers,
        mlen: usize,
        xlen: usize,
    ) -> Result<Self> {
        let mut payload = Self { bytes: [0; MAX_REGISTERS * REGISTER], length: 0, first: mlen * REGISTER };
        for (operand, count) in [(send.src0, mlen), (send.src1, xlen)] {
            let start = usize::from(operand.number) * REGISTER;
            let bytes = count * REGISTER;
            let found = registers.bytes[..GENERAL].get(start..start + bytes).ok_or_else(|| {
                let why = format!("{count} registers from r{}", operand.number);
                Error::new("message outside the general registers", why)
            })?;
            payload.bytes[payload.length..payload.length + bytes].copy_from_slice(found);
            payload.length += bytes;
        }
        Ok(payload)
    }

    /// Returns the bytes of both blocks.
    #[inline]
    pub fn all(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Returns the bytes of the first and of the second block.
    #[inline]
    pub fn blocks(&self) -> [&[u8]; 2] {
        let (first, second) = self.all().split_at(self.first);
        [first, second]
    }

    /// Returns the dword at byte `offset`; 0 past the end.
    #[inline]
    pub fn dword(&self, offset: usize) -> u32 {
        let mut bytes = [0; 4];
        if let Some(found) = self.bytes.get(offset..offset + 4) {
            bytes.copy_from_slice(found);
        }
        u32::from_le_bytes(bytes)
    }

    /// Returns the qword at byte `offset`; past the end its dwords are 0.
    #[inline]
    pub fn qword(&self, offset: usize) -> u64 {
        u64::from(self.dword(offset)) | u64::from(self.dword(offset + 4)) << 32
    }
}

/// The context in which a message is executed.
#[derive(Debug)]
pub struct Port<'a, 'e> {
    /// The payload.
    pub payload: &'a Payload,
    /// Mask of the lanes that execute.
    pub lanes: u32,
    /// Execution size of the send.
    pub size: usize,
    /// The send has NoMask and no predicate: block messages move all dwords.
    pub unmasked: bool,
    /// Bytes of the header: 0, or those of a register.
    pub header: usize,
    /// Byte offset of the response in the register array.
    pub dst: usize,
    /// The message has a response in general registers.
    pub writes: bool,
    /// The lane that is being executed, for error messages.
    pub lane: Option<usize>,
    /// The thread that sends.
    pub thread: &'a mut Thread,
    /// The environment that all threads share.
    pub environment: &'a Environment<'e>,
}

impl Port<'_, '_> {
    /// Writes the dword at byte `offset` of the response.
    #[inline]
    pub fn respond(&mut self, offset: usize, value: u32) {
        let at = self.dst + offset;
        if self.writes && at + 4 <= GENERAL {
            self.thread.registers.set_dword(at, value);
        }
    }

    /// Returns the base of 32-bit stateless addresses, from dword 5 of the header; 0 without a header, and for other memories.
    #[inline]
    pub fn flat_base(&self, space: AddressSpace) -> u64 {
        if space == AddressSpace::Flat32 && self.header != 0 {
            u64::from(self.payload.dword(20) & !0x3ff)
        } else {
            0
        }
    }

    /// Returns true if a block message moves its dword `index`; it does not move the dwords of lanes that are off.
    #[inline]
    pub fn moves(&self, index: usize) -> bool {
        self.unmasked || self.lanes >> (index % self.size) & 1 == 1
    }

    /// Reads up to 8 bytes of `space`; 0 outside a surface or local memory.
    #[inline]
    pub fn load(&mut self, space: AddressSpace, address: u64, bytes: usize) -> Result<u64> {
        let found = match space {
            AddressSpace::Surface(index) => match self.buffer(index, address, bytes)? {
                Some(address) => return self.environment.memory.load(address, bytes),
                None => None,
            },
            AddressSpace::Local => self.thread.local.load(address, bytes),
            AddressSpace::Flat32 => match self.thread.scratch_at(address, bytes) {
                Some(at) => Some(read_little(&self.thread.scratch, at, bytes)),
                None => return self.environment.memory.load(address, bytes),
            },
            AddressSpace::Flat64 => return self.environment.memory.load(address, bytes),
        };
        match found {
            Some(value) => Ok(value),
            None => self.count_out_of_bounds(space, Attempt::Read, address, bytes).map(|()| 0),
        }
    }

    /// Writes up to 8 bytes of `space`; nothing outside a surface or local memory.
    #[inline]
    pub fn store(&mut self, space: AddressSpace, address: u64, bytes: usize, value: u64) -> Result<()> {
        let done = match space {
            AddressSpace::Surface(index) => match self.buffer(index, address, bytes)? {
                Some(address) => return self.environment.memory.store(address, bytes, value),
                None => None,
            },
            AddressSpace::Local => self.thread.local.store(address, bytes, value),
            AddressSpace::Flat32 => match self.thread.scratch_at(address, bytes) {
                Some(at) => {
                    self.thread.scratch[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
                    Some(())
                }
                None => return self.environment.memory.store(address, bytes, value),
            },
            AddressSpace::Flat64 => return self.environment.memory.store(address, bytes, value),
        };
        match done {
            Some(()) => Ok(()),
            None => self.count_out_of_bounds(space, Attempt::Write, address, bytes),
        }
    }

    /// Replaces the value of 4 or 8 bytes of `space` by `new` of it. Returns the old value; 0 outside a surface or local memory.
    pub fn update(
        &mut self,
        space: AddressSpace,
        address: u64,
        bytes: usize,
        new: impl Fn(u64) -> u64,
    ) -> Result<u64> {
        match space {
            AddressSpace::Surface(index) => match self.buffer(index, address, bytes)? {
                Some(address) => self.environment.memory.update(address, bytes, new),
                None => self.count_out_of_bounds(space, Attempt::Atomic, address, bytes).map(|()| 0),
            },
            AddressSpace::Local => match self.thread.local.load(address, bytes) {
                Some(old) => {
                    self.thread.local.store(address, bytes, new(old));
                    Ok(old)
                }
                None => self.count_out_of_bounds(space, Attempt::Atomic, address, bytes).map(|()| 0),
            },
            AddressSpace::Flat32 => {
                let old = self.load(space, address, bytes)?;
                self.store(space, address, bytes, new(old))?;
                Ok(old)
            }
            AddressSpace::Flat64 => self.environment.memory.update(address, bytes, new),
        }
    }

    /// Returns false if a bound surface does not have all of `bytes` bytes; true for other memories, which check every access.
    #[inline]
    pub fn binds(&self, space: AddressSpace, address: u64, bytes: usize) -> Result<bool> {
        match space {
            AddressSpace::Surface(index) => Ok(self.buffer(index, address, bytes)?.is_some()),
            AddressSpace::Local | AddressSpace::Flat32 | AddressSpace::Flat64 => Ok(true),
        }
    }

    /// Returns the address of `bytes` bytes of a bound buffer; `None` outside it, and for a null surface.
    #[inline]
    fn buffer(&self, index: u8, offset: u64, bytes: usize) -> Result<Option<u64>> {
        Ok(self.environment.buffer(index)?.and_then(|buffer| buffer.at(offset, bytes)))
    }

    /// Counts an access outside a surface or local memory, whose bounds the hardware checks; in a strict launch it is an error.
    #[cold]
    pub(super) fn count_out_of_bounds(
        &mut self,
        space: AddressSpace,
        attempt: Attempt,
        address: u64,
        bytes: usize,
    ) -> Result<()> {
        let (out_of_bounds, strict) = (&mut self.thread.out_of_bounds, self.environment.strict);
        match attempt {
            _ if strict => {}
            Attempt::Read => out_of_bounds.reads += 1,
            Attempt::Write | Attempt::Atomic => out_of_bounds.writes += 1,
        }
        if out_of_bounds.first.is_some() && !strict {
            return Ok(());
        }
        let what = match attempt {
            Attempt::Read => "read",
            Attempt::Write => "write",
            Attempt::Atomic => "atomic",
        };
        let whole = match space {
            AddressSpace::Surface(index) => match self.environment.buffer(index)? {
                Some(buffer) => format!("binding table entry {index}, {:#x} bytes", buffer.bytes),
                None => format!("binding table entry {index}, a null surface"),
            },
            AddressSpace::Local => format!("local memory, {:#x} bytes", self.thread.local.size()),
            AddressSpace::Flat32 | AddressSpace::Flat64 => "memory".to_owned(),
        };
        let why = format!("{what} of {bytes} bytes at offset {address:#x} of {whole}");
        let mut error = Error::new("access outside a surface", why);
        error.location.offset = Some(self.thread.offset);
        error.location.lane = self.lane.and_then(|lane| u32::try_from(lane).ok());
        if strict {
            return Err(error);
        }
        self.thread.out_of_bounds.first = Some(Box::new(error));
        Ok(())
    }
}

/// The kind of an access.
#[derive(Clone, Copy, Debug)]
pub(super) enum Attempt {
    /// A read.
    Read,
    /// A write.
    Write,
    /// A read and write.
    Atomic,
}
