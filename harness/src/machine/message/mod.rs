//! Messages that `send` instructions carry to the sampler, the data ports, the gateway and the thread spawner.

pub mod atomic;
pub mod block;
pub mod port;
pub mod request;
pub mod sampler;
pub mod scattered;
pub mod typed;

pub use request::Request;

use super::error::{Error, Result};
use super::registers::{GENERAL, REGISTER};
use super::thread::{Environment, Thread};
use port::{Payload, Port};
use texwire::eu::{self, DescriptorSource};

/// A prepared send: the instruction, and its request if the descriptor is an immediate.
#[derive(Clone, Debug)]
pub struct PreparedSend {
    /// The instruction.
    pub send: eu::SendInstruction,
    /// The decoded request; `None` if the descriptor or the shared function is in a register.
    pub request: Option<Request>,
}

/// The effect of a message on the thread's execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// None: the thread continues.
    None,
    /// The thread has arrived at the barrier.
    Barrier,
    /// The thread ends.
    End,
}

impl PreparedSend {
    /// Prepares a send.
    ///
    /// # Errors
    /// A message that the machine does not execute; operands addressed through a0.
    pub fn new(send: eu::SendInstruction) -> Result<Self> {
        if send.src0.indirect || send.src1.indirect || send.dst.indirect {
            return Err(Error::new(
                "unsupported instruction",
                "a send of registers behind address registers",
            ));
        }
        let request = match (send.shared_function(), send.descriptor.immediate()) {
            (Some(function), Some(descriptor)) => Some(Request::new(function, descriptor)?),
            _ => None,
        };
        Ok(Self { send, request })
    }

    /// Returns the values of descriptor and extended descriptor, from the instruction or from a0.
    fn descriptors(&self, thread: &Thread) -> (u32, u32) {
        let value = |source: DescriptorSource| match source {
            DescriptorSource::Immediate(value) => value,
            DescriptorSource::Register(sub) => {
                thread.registers.dword(super::registers::at::ADDRESS + usize::from(sub) * 4)
            }
        };
        (value(self.send.descriptor), value(self.send.extended))
    }

    /// Executes the message for the lanes in the mask `lanes`.
    ///
    /// # Errors
    /// A memory fault, a message that the machine does not execute, registers that do not exist.
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
        let xlen = usize::from(self.send.second_block(extended));
        self.check_response(usize::from(fields.rlen()))?;
        let payload = Payload::new(&self.send, &thread.registers, mlen, xlen)?;
        let mut port = Port {
            payload: &payload,
            lanes,
            size: usize::from(self.send.execution.size),
            unmasked: self.send.execution.no_mask && self.send.execution.predicate.code() == 0,
            header: if fields.header() { REGISTER } else { 0 },
            dst: usize::from(self.send.dst.number) * REGISTER,
            writes: self.send.dst.file == eu::RegisterFile::Grf && fields.rlen() > 0,
            lane: None,
            thread,
            environment,
        };
        match request {
            Request::End => return Ok(Effect::End),
            Request::Barrier => return Ok(Effect::Barrier),
            Request::Nothing => {}
            Request::Sampler => sampler::execute(&self.send, &mut port, descriptor, extended)?,
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
        if self.send.dst.file == eu::RegisterFile::Grf && rlen > 0 && last > GENERAL / REGISTER {
            let why = format!("{rlen} registers from r{}", self.send.dst.number);
            return Err(Error::new("response outside the general registers", why));
        }
        Ok(())
    }
}
