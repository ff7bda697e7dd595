//! Messages: what a send asks of the sampler, the data ports, the gateway and the thread spawner.

pub mod atomic;
pub mod block;
pub mod request;
pub mod sampler;
pub mod scattered;
pub mod typed;

pub use atomic::AtomicOperation;
pub use request::{BlockUnit, Request, Where};
pub use sampler::SamplerRecord;

use super::error::{Fault, Result};
use super::registers::{GENERAL, REGISTER};
use super::thread::{Environment, Thread};
use texwire::eu::{self, DescriptorSource};

/// A send, with what its descriptor asks for when the instruction says it.
#[derive(Clone, Debug)]
pub struct Message {
    /// The instruction.
    pub send: eu::SendInstruction,
    /// What it asks for; `None` when a descriptor is in a register.
    pub request: Option<Request>,
    /// Registers of the second block, when the instruction says it.
    pub xlen: u8,
}

/// The registers of a message.
#[derive(Clone, Debug)]
pub struct Payload {
    bytes: [u8; MAX_REGISTERS * REGISTER],
    /// Bytes of the message.
    length: usize,
    /// Bytes of the first block.
    first: usize,
}

/// mlen has 4 bits, the second block's length up to 5.
const MAX_REGISTERS: usize = 15 + 31;

impl Payload {
    /// All of it.
    pub fn all(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Both blocks.
    pub fn blocks(&self) -> [&[u8]; 2] {
        let (first, second) = self.all().split_at(self.first);
        [first, second]
    }

    /// A dword at byte `offset`; 0 past the end.
    #[inline]
    pub fn dword(&self, offset: usize) -> u32 {
        let mut bytes = [0; 4];
        if let Some(found) = self.bytes.get(offset..offset + 4) {
            bytes.copy_from_slice(found);
        }
        u32::from_le_bytes(bytes)
    }

    /// A qword at byte `offset`.
    #[inline]
    pub fn qword(&self, offset: usize) -> u64 {
        u64::from(self.dword(offset)) | u64::from(self.dword(offset + 4)) << 32
    }
}

/// What a message does to the thread besides its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// It has arrived at the barrier.
    Barrier,
    /// It ends.
    End,
}

impl Message {
    /// Prepares a send.
    ///
    /// # Errors
    /// A message that the machine does not do, operands through address registers.
    pub fn new(send: eu::SendInstruction) -> Result<Self> {
        if send.src0.indirect || send.src1.indirect || send.dst.indirect {
            return Err(Fault::new(
                "unsupported instruction",
                "a send of registers behind address registers",
            ));
        }
        let request = match (send.shared_function(), send.descriptor.immediate()) {
            (Some(function), Some(descriptor)) => Some(Request::new(function, descriptor)?),
            _ => None,
        };
        Ok(Self { send, request, xlen: send.xlen().unwrap_or(0) })
    }

    /// The descriptors' values.
    fn descriptors(&self, thread: &Thread) -> (u32, u32) {
        let value = |source: DescriptorSource| match source {
            DescriptorSource::Immediate(value) => value,
            DescriptorSource::Register(sub) => {
                thread.registers.dword(super::registers::at::ADDRESS + usize::from(sub) * 4)
            }
        };
        (value(self.send.descriptor), value(self.send.extended))
    }

    fn payload(&self, thread: &Thread, mlen: usize, xlen: usize) -> Result<Payload> {
        let mut payload = Payload { bytes: [0; MAX_REGISTERS * REGISTER], length: 0, first: mlen * REGISTER };
        for (operand, count) in [(self.send.src0, mlen), (self.send.src1, xlen)] {
            let start = usize::from(operand.number) * REGISTER;
            let bytes = count * REGISTER;
            let registers = thread.registers.bytes[..GENERAL].get(start..start + bytes);
            let registers = registers.ok_or_else(|| {
                let why = format!("{count} registers from r{}", operand.number);
                Fault::new("message outside the general registers", why)
            })?;
            payload.bytes[payload.length..payload.length + bytes].copy_from_slice(registers);
            payload.length += bytes;
        }
        Ok(payload)
    }

    /// Sends the message for the lanes of `lanes`.
    ///
    /// # Errors
    /// A memory fault, a message that the machine does not do, registers that do not exist.
    pub fn execute(&self, thread: &mut Thread, environment: &Environment<'_>, lanes: u32) -> Result<Effect> {
        let (descriptor, extended) = self.descriptors(thread);
        let built;
        let request = match &self.request {
            Some(request) => request,
            None => {
                let function = self.send.shared_function().unwrap_or((extended & 15) as u8);
                built = Request::new(function, descriptor)?;
                &built
            }
        };
        let fields = eu::Descriptor(descriptor);
        let mlen = usize::from(fields.mlen());
        let xlen = match self.send.xlen() {
            Some(xlen) => usize::from(xlen),
            None => (extended >> 6 & 31) as usize,
        };
        self.check_response(usize::from(fields.rlen()))?;
        let payload = self.payload(thread, mlen, xlen)?;
        let mut port = Port {
            payload: &payload,
            lanes,
            size: usize::from(self.send.execution.size),
            unmasked: self.send.execution.no_mask && self.send.execution.predicate.code() == 0,
            header: if fields.header() { REGISTER } else { 0 },
            dst: usize::from(self.send.dst.number) * REGISTER,
            writes: self.send.dst.file == eu::File::Grf && fields.rlen() > 0,
            lane: None,
            thread,
            environment,
        };
        match request {
            Request::End => return Ok(Effect::End),
            Request::Barrier => return Ok(Effect::Barrier),
            Request::Nothing => {}
            Request::Sampler => sampler::execute(self, &mut port, descriptor, extended)?,
            Request::Untyped(untyped) => untyped.execute(&mut port)?,
            Request::Scattered(scattered) => scattered.execute(&mut port)?,
            Request::Atomic(atomic) => atomic.execute(&mut port)?,
            Request::Block(block) => block.execute(&mut port)?,
            Request::Scratch(scratch) => scratch.execute(&mut port)?,
            Request::Media(media) => media.execute(&mut port)?,
            Request::Typed(typed) => typed.execute(&mut port)?,
        }
        Ok(if self.send.eot { Effect::End } else { Effect::None })
    }

    fn check_response(&self, rlen: usize) -> Result<()> {
        let last = usize::from(self.send.dst.number) + rlen;
        if self.send.dst.file == eu::File::Grf && rlen > 0 && last > GENERAL / REGISTER {
            let why = format!("{rlen} registers from r{}", self.send.dst.number);
            return Err(Fault::new("response outside the general registers", why));
        }
        Ok(())
    }
}

/// A message on its way: its registers, its lanes, and where its result goes.
pub struct Port<'a, 'e> {
    /// The registers sent.
    pub payload: &'a Payload,
    /// Lanes that take part.
    pub lanes: u32,
    /// Lanes of the instruction.
    pub size: usize,
    /// Neither mask nor predicate: blocks move whole.
    pub unmasked: bool,
    /// Bytes of the header: 0 or a register.
    pub header: usize,
    /// First byte of the result.
    pub dst: usize,
    /// There is a result.
    pub writes: bool,
    /// The lane whose element moves.
    pub lane: Option<usize>,
    /// The thread.
    pub thread: &'a mut Thread,
    /// What all threads share.
    pub environment: &'a Environment<'e>,
}

impl std::fmt::Debug for Port<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Port").field("lanes", &self.lanes).field("dst", &self.dst).finish_non_exhaustive()
    }
}

impl Port<'_, '_> {
    /// Writes a dword of the result.
    #[inline]
    pub fn respond(&mut self, offset: usize, value: u32) {
        let at = self.dst + offset;
        if self.writes && at + 4 <= GENERAL {
            self.thread.registers.set_dword(at, value);
        }
    }

    /// What 32-bit addresses of all memory count from: dword 5 of the header, when there is one.
    #[inline]
    pub fn flat_base(&self, place: Where) -> u64 {
        if place == Where::Flat32 && self.header != 0 {
            u64::from(self.payload.dword(20) & !0x3ff)
        } else {
            0
        }
    }

    /// Whether a block message moves its dword `index`: those of lanes that are off stay.
    #[inline]
    pub fn moves(&self, index: usize) -> bool {
        self.unmasked || self.lanes >> (index % self.size) & 1 == 1
    }

    /// Reads up to 8 bytes of `place`; 0 outside a surface.
    #[inline]
    pub fn load(&mut self, place: Where, address: u64, bytes: usize) -> Result<u64> {
        let found = match place {
            Where::Surface(index) => match self.buffer(index, address, bytes)? {
                Some(address) => return self.environment.memory.load(address, bytes),
                None => None,
            },
            Where::Local => self.thread.local.load(address, bytes),
            Where::Flat32 => match self.thread.scratch_at(address, bytes) {
                Some(at) => Some(read_little(&self.thread.scratch, at, bytes)),
                None => return self.environment.memory.load(address, bytes),
            },
            Where::Flat64 => return self.environment.memory.load(address, bytes),
        };
        match found {
            Some(value) => Ok(value),
            None => self.outside(place, Attempt::Read, address, bytes).map(|()| 0),
        }
    }

    /// Writes up to 8 bytes; nothing outside a surface.
    #[inline]
    pub fn store(&mut self, place: Where, address: u64, bytes: usize, value: u64) -> Result<()> {
        let done = match place {
            Where::Surface(index) => match self.buffer(index, address, bytes)? {
                Some(address) => return self.environment.memory.store(address, bytes, value),
                None => None,
            },
            Where::Local => self.thread.local.store(address, bytes, value),
            Where::Flat32 => match self.thread.scratch_at(address, bytes) {
                Some(at) => {
                    self.thread.scratch[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
                    Some(())
                }
                None => return self.environment.memory.store(address, bytes, value),
            },
            Where::Flat64 => return self.environment.memory.store(address, bytes, value),
        };
        match done {
            Some(()) => Ok(()),
            None => self.outside(place, Attempt::Write, address, bytes),
        }
    }

    /// Replaces 4 or 8 bytes by a function of them; the old value, 0 outside a surface.
    pub fn update(
        &mut self,
        place: Where,
        address: u64,
        bytes: usize,
        new: impl Fn(u64) -> u64,
    ) -> Result<u64> {
        match place {
            Where::Surface(index) => match self.buffer(index, address, bytes)? {
                Some(address) => self.environment.memory.update(address, bytes, new),
                None => self.outside(place, Attempt::Atomic, address, bytes).map(|()| 0),
            },
            Where::Local => match self.thread.local.load(address, bytes) {
                Some(old) => {
                    self.thread.local.store(address, bytes, new(old));
                    Ok(old)
                }
                None => self.outside(place, Attempt::Atomic, address, bytes).map(|()| 0),
            },
            Where::Flat32 => {
                let old = self.load(place, address, bytes)?;
                self.store(place, address, bytes, new(old))?;
                Ok(old)
            }
            Where::Flat64 => self.environment.memory.update(address, bytes, new),
        }
    }

    /// The address of bytes of a bound buffer; `None` outside it, and for a null surface.
    #[inline]
    fn buffer(&self, index: u8, offset: u64, bytes: usize) -> Result<Option<u64>> {
        Ok(self.environment.buffer(index)?.and_then(|buffer| buffer.at(offset, bytes)))
    }

    /// Counts an access outside a surface or local memory, which the hardware checks; an error when the launch is strict.
    #[cold]
    fn outside(&mut self, place: Where, attempt: Attempt, address: u64, bytes: usize) -> Result<()> {
        let (outside, strict) = (&mut self.thread.outside, self.environment.strict);
        match attempt {
            _ if strict => {}
            Attempt::Read => outside.reads += 1,
            Attempt::Write | Attempt::Atomic => outside.writes += 1,
        }
        if outside.first.is_some() && !strict {
            return Ok(());
        }
        let what = match attempt {
            Attempt::Read => "read",
            Attempt::Write => "write",
            Attempt::Atomic => "atomic",
        };
        let whole = match place {
            Where::Surface(index) => match self.environment.buffer(index)? {
                Some(buffer) => format!("binding table entry {index}, {:#x} bytes", buffer.bytes),
                None => format!("binding table entry {index}, a null surface"),
            },
            Where::Local => format!("local memory, {:#x} bytes", self.thread.local.size()),
            Where::Flat32 | Where::Flat64 => "memory".to_owned(),
        };
        let why = format!("{what} of {bytes} bytes at offset {address:#x} of {whole}");
        let mut fault = Fault::new("access outside a surface", why);
        fault.place.offset = Some(self.thread.offset);
        fault.place.lane = self.lane.and_then(|lane| u32::try_from(lane).ok());
        if strict {
            return Err(fault);
        }
        self.thread.outside.first = Some(Box::new(fault));
        Ok(())
    }
}

/// What an element's message wants.
#[derive(Clone, Copy, Debug)]
enum Attempt {
    Read,
    Write,
    Atomic,
}

/// `bytes` bytes at `at`, as a number.
pub(super) fn read_little(memory: &[u8], at: usize, bytes: usize) -> u64 {
    let mut out = [0; 8];
    if let Some(found) = memory.get(at..at + bytes) {
        out[..bytes].copy_from_slice(found);
    }
    u64::from_le_bytes(out)
}
