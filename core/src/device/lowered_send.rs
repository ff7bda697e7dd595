//! Lowered sends and their cache keys. A send is lowered once: a program's sends do not change, only the registers do.

use super::registers::{REGISTER, RegisterRanges};
use super::thread::Thread;
use crate::error::Result;
use crate::eu::{Descriptor, MessageHeader, Runtime, SendInstruction, stride};
use crate::message::Message;

/// The cache key of a lowered send: everything that it was lowered from.
#[derive(Clone, Copy, Debug)]
pub(super) struct SendKey {
    send: SendInstruction,
    /// The values of the descriptor and the extended descriptor.
    descriptor: u32,
    extended: u32,
    /// The message's header; all zeros when it has none.
    header: MessageHeader,
    /// Bytes of the register file.
    length: usize,
}

impl SendKey {
    #[inline]
    pub(super) fn new(send: &SendInstruction, thread: &Thread<'_>) -> Self {
        let [descriptor, extended] = thread.descriptors(send);
        let header = header(send, descriptor, thread.registers);
        Self { send: *send, descriptor, extended, header, length: thread.registers.len() }
    }

    /// Returns true if it is the key of this send: with the same descriptor values, header and size of the register file.
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

/// A lowered send: its message, and the registers of its parameters and its result.
#[derive(Clone, Debug)]
pub(super) struct LoweredSend {
    /// The message. Its lanes are not those of a thread: each execution has its own.
    pub(super) message: Message,
    /// The message begins with a header: its sampler's index counts from dynamic state base.
    pub(super) header: bool,
    /// Bytes from one parameter to the next.
    pub(super) stride: usize,
    /// The registers of the parameters, without a header, and of the destination.
    pub(super) blocks: RegisterRanges,
}

impl LoweredSend {
    /// # Errors
    /// As [`RegisterRanges::of`] and [`SendInstruction::lower`].
    pub(super) fn new(key: &SendKey, registers: &[u8]) -> Result<Self> {
        let SendKey { send, descriptor, extended, .. } = key;
        let mut blocks = RegisterRanges::of(send, *descriptor, *extended, registers.len())?;
        let runtime = Runtime {
            descriptor: *descriptor,
            extended: *extended,
            payload: blocks.payload(registers),
            // A header's pointer counts from dynamic state base. With 0 here, so does the lowered message's sampler index.
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
}
