//! Builds the registers and descriptors of a send from a [`Message`]: the inverse of lowering.
//!
//! For firmware that drives a sampler, and for making test messages.
//!
//! ```text
//! [header] param 0 | param 1 | ...      each parameter in whole registers of 32 bytes
//! ```

use super::descriptor::{BINDLESS, Descriptor, HANDLE_MASK, SAMPLER, SimdMode, type_of};
use super::form::{DescriptorSource, Form};
use super::lower::{REGISTER, stride};
use super::operand::Operand;
use super::send::SendInstruction;
use super::{ExecutionControl, MessageHeader};
use crate::bits::copy_front;
use crate::error::{Error, Kind, Result, What};
use crate::message::{Binding, Channels, Message, Op, Payload, Width};
use crate::platform::Platform;

/// The most registers that a sampler message can have, header included.
pub const MAX_REGISTERS: usize = 11;

/// Bytes of the longest message.
pub const MAX_BYTES: usize = MAX_REGISTERS * REGISTER;

/// How many sampler indices a descriptor can hold: 0..=15. A header moves the sampler state table by steps of this many samplers.
const SAMPLERS_PER_STEP: u32 = 16;

/// The encoding of a message, without its payload registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EncodedMessage {
    /// The descriptor; its message length is that of the whole message.
    pub descriptor: Descriptor,
    /// Bits 31:12 of the extended descriptor: the handle of a bindless surface.
    pub handle: u32,
    /// Registers of the whole message.
    pub registers: u8,
    /// Bytes of one parameter; a split send may divide the payload only between parameters.
    pub stride: u16,
    /// Coarse pixel shading.
    pub cps: bool,
}

/// Writes the header, if one is needed, and the parameters of `message` to `registers` (at most
/// [`MAX_BYTES`]; the rest is not changed). `sampler_table` is the offset of the thread's sampler
/// state table (r0.3), from which the pointer in a header is computed.
///
/// # Errors
/// `Unsupported Operation` when no message type has the operation; `Invalid SimdMode` for lanes
/// that are not 8 or 16, or 16 lanes of gradients or killpix; `Invalid ParameterCount`; `Invalid
/// MessageLength` past 11 registers (split the message with [`halves`]); `Invalid
/// BindingTableIndex`; `Capacity Payload` when `registers` is too small.
pub fn build(
    message: &Message,
    payload: &Payload<'_>,
    sampler_table: u32,
    registers: &mut [u8],
) -> Result<EncodedMessage> {
    let code =
        type_of(message.op).ok_or(Error::new(Kind::Unsupported, What::Operation).value(message.op as u64))?;
    let bad_mode = Error::new(Kind::Invalid, What::SimdMode).value(u64::from(message.simd));
    let mode = SimdMode::of(message.simd, message.param_width).ok_or(bad_mode)?;
    if message.simd == 16 && simd8_only(message.op) {
        return Err(bad_mode);
    }
    let count = usize::from(message.params);
    if count > message.op.params(message.param_width).len() {
        return Err(Error::new(Kind::Invalid, What::ParameterCount).value(count as u64));
    }
    let header = needs_header(message);
    let stride = stride(message);
    // The hardware requires at least one register.
    let length = count.saturating_mul(stride).saturating_add(if header { REGISTER } else { 0 }).max(REGISTER);
    if length > MAX_BYTES {
        return Err(Error::new(Kind::Invalid, What::MessageLength).value((length / REGISTER) as u64));
    }
    let capacity = Error::new(Kind::Capacity, What::Payload).value(length as u64);
    let registers = registers.get_mut(..length).ok_or(capacity)?;
    registers.fill(0);
    let (index, pointer) = sampler_of(message, sampler_table);
    let body = if header {
        let (head, body) = registers.split_at_mut(REGISTER.min(length));
        let control =
            MessageHeader::control_of(message.offsets, returned(message), message.gather, message.null_mask);
        let dwords = [control, pointer].map(u32::to_le_bytes);
        copy_front(head.get_mut(8..).unwrap_or_default(), dwords.as_flattened());
        body
    } else {
        registers
    };
    for (slot, lanes) in body.chunks_mut(stride).take(count).enumerate() {
        let given = payload.slot(slot);
        let bytes = usize::from(message.simd).wrapping_mul(message.param_width.bytes());
        copy_front(lanes, given.get(..bytes).unwrap_or(given));
    }
    let (bti, handle) = surface_of(message)?;
    let rlen = u32::from(message.response().registers(message.register_bytes));
    let length = (length / REGISTER) as u32;
    let mode = u32::from(mode.0);
    let bits = u32::from(bti)
        | index << 8
        | u32::from(code) << 12
        | (mode & 3) << 17
        | u32::from(header) << 19
        | (rlen & 31) << 20
        | (length & 15) << 25
        | mode >> 2 << 29
        | u32::from(message.return_width == Width::Half) << 30;
    Ok(EncodedMessage {
        descriptor: Descriptor(bits),
        handle,
        registers: length as u8,
        stride: stride as u16,
        cps: message.cps,
    })
}

/// Returns true for gradients and killpix, which exist for 8 lanes only.
pub(super) const fn simd8_only(op: Op) -> bool {
    matches!(op, Op::SampleD | Op::SampleDC | Op::SampleKillpix)
}

/// Returns the channels that a header enables: all of them for the gather4 family.
fn returned(message: &Message) -> Channels {
    if message.op.flags().gather { Channels::RGBA } else { message.channels }
}

/// Returns true if the message has something that only a header can encode.
fn needs_header(message: &Message) -> bool {
    let prefix = matches!(returned(message).mask(), 0b0001 | 0b0011 | 0b0111 | 0b1111);
    let far = matches!(message.sampler, Binding::Index(index) if index >= SAMPLERS_PER_STEP);
    message.offsets != [0; 3]
        || message.null_mask
        || message.gather != 0
        || !prefix
        || far
        || matches!(message.sampler, Binding::Bindless(_))
}

/// Returns the sampler index of the descriptor and the sampler state pointer of the header.
fn sampler_of(message: &Message, table: u32) -> (u32, u32) {
    let table = table & !31;
    match message.sampler {
        Binding::Index(index) => {
            let step = (index / SAMPLERS_PER_STEP).wrapping_mul(MessageHeader::STEP);
            (index % SAMPLERS_PER_STEP, table.wrapping_add(step))
        }
        Binding::Bindless(handle) => (0, handle | 1),
        Binding::Unresolved => (0, table),
    }
}

fn surface_of(message: &Message) -> Result<(u8, u32)> {
    match message.surface {
        Binding::Index(index @ 0..=239) => Ok((index as u8, 0)),
        Binding::Bindless(handle) => Ok((BINDLESS, handle & HANDLE_MASK)),
        Binding::Index(index) => {
            Err(Error::new(Kind::Invalid, What::BindingTableIndex).value(u64::from(index)))
        }
        Binding::Unresolved => Err(Error::new(Kind::Invalid, What::BindingTableIndex)),
    }
}

impl EncodedMessage {
    /// Returns the send of this message. The response goes to `dst` (`None`: the null register); the
    /// payload is in `src0` and the registers after it, with its second block in `src1` if given.
    ///
    /// With a second block, the first block is the header or, without a header, the first parameter,
    /// as compilers do it; Gen12 always has the form with two blocks. For a bindless surface the send
    /// takes its extended descriptor, which has the handle, from a0.2: [`extended`](Self::extended) is
    /// the value to put there.
    pub fn send(
        &self,
        platform: Platform,
        execution: ExecutionControl,
        dst: Option<u8>,
        src0: u8,
        src1: Option<u8>,
    ) -> SendInstruction {
        let bindless = self.descriptor.bti() == BINDLESS;
        let gen12 = matches!(platform, Platform::XeLp | Platform::XeHpg);
        let form = match (gen12, src1.is_some() || bindless) {
            (true, _) => Form::Unified,
            (false, true) => Form::Split,
            (false, false) => Form::Plain,
        };
        let xlen = if src1.is_some() { self.second_block() } else { 0 };
        let mut send = SendInstruction::new(platform, form);
        send.execution = execution;
        send.dst = dst.map_or(Operand::NULL, Operand::grf);
        send.src0 = Operand::grf(src0);
        send.src1 = src1.filter(|_| xlen > 0).map_or(Operand::NULL, Operand::grf);
        send.descriptor = DescriptorSource::Immediate(self.first_block(xlen).0);
        let cps = self.cps && form != Form::Split;
        let cps_bit = if form == Form::Unified { 11 } else { 31 };
        send.extended = if bindless {
            DescriptorSource::Register(2)
        } else {
            DescriptorSource::Immediate(u32::from(xlen) << 6 | u32::from(cps) << cps_bit)
        };
        send.cps_bit = self.cps && form == Form::Split;
        if bindless && form == Form::Split {
            send.sfid = 0;
        }
        send
    }

    /// Returns the extended descriptor of a bindless surface with a second block of `xlen` registers.
    /// Bit 11 requests LOD compensation on Gen12.
    pub const fn extended(&self, xlen: u8) -> u32 {
        self.handle | (self.cps as u32) << 11 | (xlen as u32) << 6 | SAMPLER as u32
    }

    /// Returns the registers of the second block of a split send: all but the header or, without a
    /// header, all but the first parameter; 0 if there are no more.
    pub fn second_block(&self) -> u8 {
        let first = if self.descriptor.header() { 1 } else { (self.stride / REGISTER as u16) as u8 };
        self.registers.saturating_sub(first)
    }

    /// Returns the descriptor for a second block of `xlen` registers: its message length is that of the first block.
    pub const fn first_block(&self, xlen: u8) -> Descriptor {
        let mlen = self.registers.saturating_sub(xlen) as u32;
        Descriptor(self.descriptor.0 & !(15 << 25) | (mlen & 15) << 25)
    }
}

/// Splits a 16-lane message into two of 8 lanes, with the parameters of each, as compilers do when
/// it would be longer than 11 registers. `None` if it does not have 16 lanes.
pub fn halves<'a>(message: &Message, payload: &Payload<'a>) -> Option<[(Message, Payload<'a>); 2]> {
    if message.simd != 16 {
        return None;
    }
    let bytes = message.param_width.bytes().wrapping_mul(8);
    let half = |upper: bool| {
        let mut part = *message;
        part.simd = 8;
        part.lanes = if upper { message.lanes >> 8 } else { message.lanes } & 0xff;
        let mut params = Payload::new();
        for index in 0..payload.len() {
            let (low, high) =
                payload.slot(index).split_at_checked(bytes).unwrap_or((payload.slot(index), &[]));
            // Cannot fail: there are as many parameters as in `payload`.
            let _ = params.push(if upper { high } else { low });
        }
        (part, params)
    };
    Some([half(false), half(true)])
}
