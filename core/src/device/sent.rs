//! A send that is lowered once: a program's sends do not change, only the registers do.

use super::registers::{Blocks, REGISTER};
use super::thread::Thread;
use crate::error::Result;
use crate::eu::{Descriptor, MessageHeader, Runtime, SendInstruction, stride};
use crate::message::{Message, Payload};

/// What a lowered send was made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    send: SendInstruction,
    /// The descriptors' values.
    descriptor: u32,
    extended: u32,
    /// The message's header; all zeros when it has none.
    header: MessageHeader,
    /// Bytes of the register file.
    length: usize,
}

impl Sent {
    #[inline]
    pub(super) fn new(send: &SendInstruction, thread: &Thread<'_>) -> Self {
        let [descriptor, extended] = thread.descriptors(send);
        let header = header(send, descriptor, thread.registers);
        Self { send: *send, descriptor, extended, header, length: thread.registers.len() }
    }

    /// It was made of this send, by a thread that had the same in its descriptors and header.
    #[inline]
    pub(super) fn is(&self, send: &SendInstruction, thread: &Thread<'_>) -> bool {
        let [descriptor, extended] = thread.descriptors(send);
        self.descriptor == descriptor
            && self.extended == extended
            && self.length == thread.registers.len()
            && self.send == *send
            && self.header == header(send, descriptor, thread.registers)
    }
}

/// The header of a message; all zeros when it has none.
#[inline]
fn header(send: &SendInstruction, descriptor: u32, registers: &[u8]) -> MessageHeader {
    let descriptor = Descriptor(descriptor);
    if !descriptor.header() {
        return MessageHeader::default();
    }
    let block = if descriptor.mlen() == 0 { send.src1 } else { send.src0 };
    let at = usize::from(block.number).wrapping_mul(REGISTER);
    MessageHeader::from_register(registers.get(at..).unwrap_or_default())
}

/// A lowered send: its message, and where the parameters and the result are.
#[derive(Clone, Debug)]
pub(super) struct Lowered {
    /// The message, with the lanes of the thread that sent it first.
    pub(super) message: Message,
    /// The message begins with a header: its sampler counts from dynamic state base.
    pub(super) header: bool,
    /// Bytes from one parameter to the next.
    stride: usize,
    /// The parameters and the destination.
    pub(super) blocks: Blocks,
}

impl Lowered {
    /// # Errors
    /// As [`Blocks::of`] and [`SendInstruction::lower`].
    pub(super) fn new(sent: &Sent, registers: &[u8]) -> Result<Self> {
        let Sent { send, descriptor, extended, .. } = sent;
        let mut blocks = Blocks::of(send, *descriptor, *extended, registers.len())?;
        let runtime = Runtime {
            descriptor: *descriptor,
            extended: *extended,
            payload: blocks.payload(registers),
            // A header's pointer counts from dynamic state base: so do the lowered message's samplers.
            sampler_table: 0,
            ..Runtime::default()
        };
        let (message, _) = send.lower(&runtime)?;
        let header = Descriptor(*descriptor).header();
        if header {
            blocks.skip_header();
        }
        Ok(Self { message, header, stride: stride(&message), blocks })
    }

    /// The parameters in their blocks.
    #[inline]
    pub(super) fn parameters<'r>(&self, blocks: [&'r [u8]; 2]) -> Result<Payload<'r>> {
        Payload::split(blocks, self.stride, self.message.params.into())
    }
}
