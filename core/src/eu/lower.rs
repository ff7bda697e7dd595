//! Lowers a send, with the thread's registers at run time, to a [`Message`].

use super::descriptor::{BINDLESS, Descriptor, HANDLE_MASK, SAMPLER};
use super::form::Form;
use super::{MessageHeader, SendInstruction};
use crate::error::{Error, Kind, Result, What};
use crate::message::{Binding, Channels, Message, Op, Payload};

/// Bytes of a general register.
pub(super) const REGISTER: usize = 32;

/// Bytes of a SAMPLER_STATE.
const SAMPLER_STATE: u32 = 16;

/// The register contents of a thread at the time of a send.
#[derive(Clone, Copy, Debug, Default)]
pub struct Runtime<'a> {
    /// Value of the descriptor; only used if the descriptor is in a register.
    pub descriptor: u32,
    /// Value of the extended descriptor; only used if it is in a register.
    pub extended: u32,
    /// The payload registers: the first and the second block, or an empty second block and both in the first.
    pub payload: [&'a [u8]; 2],
    /// The dispatch mask, bit n = channel n of the thread.
    pub dispatch: u32,
    /// The flag subregister that the predicate names, bit n = channel n.
    pub flag: u32,
    /// The same subregister of the other flag register (`anyv`, `allv`).
    pub other_flag: u32,
    /// Offset of the thread's sampler state table (r0.3), from which sampler indices count, also those of a header's table.
    pub sampler_table: u32,
}

/// The values of both descriptors, and the length of the second payload block in registers.
struct Resolved {
    descriptor: Descriptor,
    extended: u32,
    xlen: u8,
}

impl SendInstruction {
    /// Returns the wire-neutral message and its parameters.
    ///
    /// A response length of 0 (nothing is written back) gives a message without channels.
    ///
    /// # Errors
    /// `Invalid SharedFunction` when the send is not for the sampler; `Unsupported SimdMode` (media,
    /// SIMD4x2), `Unknown MessageType`; `Invalid MessageLength` or `ResponseLength` when the
    /// lengths do not fit the operation, its SIMD mode and its header; `Truncated Payload` when
    /// the registers are not there; `Unsupported Payload` when a parameter straddles the blocks;
    /// `Invalid BindingTableIndex`, `Invalid SamplerPointer`.
    pub fn lower<'a>(&self, runtime: &Runtime<'a>) -> Result<(Message, Payload<'a>)> {
        let resolved = self.resolve(runtime)?;
        let descriptor = resolved.descriptor;
        let mode = descriptor.simd_mode();
        let shape = mode.shape(self.platform);
        let (lanes, width) =
            shape.ok_or(Error::new(Kind::Unsupported, What::SimdMode).value(u64::from(mode.0)))?;
        let op = descriptor.op().ok_or(
            Error::new(Kind::Unknown, What::MessageType).value(u64::from(descriptor.message_type())),
        )?;
        let (header, blocks) = self.blocks(&resolved, runtime.payload)?;
        let mut message = Message::new(op);
        message.simd = lanes;
        message.param_width = width;
        message.return_width =
            if descriptor.ret16() { crate::message::Width::Half } else { crate::message::Width::Full };
        message.lanes = self.lanes(runtime.dispatch, runtime.flag, runtime.other_flag) & message.all_lanes();
        message.cps = self.cps() || self.form == Form::Unified && resolved.extended >> 11 & 1 == 1;
        if let Some(header) = header {
            message.offsets = header.offsets();
            message.null_mask = header.null_mask();
            message.gather = if matches!(op, Op::Gather4 | Op::Gather4Po) { header.gather() } else { 0 };
        }
        message.surface = surface(&resolved)?;
        message.sampler = sampler(descriptor, header, runtime.sampler_table)?;
        respond(&mut message, header, descriptor.rlen())?;
        let payload = parameters(&mut message, &resolved, blocks)?;
        Ok((message, payload))
    }

    /// Returns the execution mask as [`ExecutionControl::lanes`](super::ExecutionControl::lanes) does, for the instruction's access mode.
    #[inline]
    pub fn lanes(&self, dispatch: u32, flag: u32, other_flag: u32) -> u32 {
        if self.align16() {
            self.execution.lanes_align16(dispatch, flag)
        } else {
            self.execution.lanes(dispatch, flag, other_flag)
        }
    }

    fn resolve(&self, runtime: &Runtime<'_>) -> Result<Resolved> {
        let function = self.shared_function().unwrap_or((runtime.extended & 15) as u8);
        if function != SAMPLER {
            return Err(Error::new(Kind::Invalid, What::SharedFunction).value(u64::from(function)));
        }
        let extended = self.extended.resolve(runtime.extended);
        Ok(Resolved {
            descriptor: Descriptor(self.descriptor.resolve(runtime.descriptor)),
            extended,
            xlen: self.second_block(extended),
        })
    }

    /// Returns the header, if there is one, and the two payload blocks without it.
    fn blocks<'a>(
        &self,
        resolved: &Resolved,
        [first, second]: [&'a [u8]; 2],
    ) -> Result<(Option<MessageHeader>, [&'a [u8]; 2])> {
        let mlen = usize::from(resolved.descriptor.mlen()).wrapping_mul(REGISTER);
        let xlen = usize::from(resolved.xlen).wrapping_mul(REGISTER);
        let truncated = Error::truncated(What::Payload, 0, mlen.wrapping_add(xlen));
        let (mut first, mut second) = if second.is_empty() {
            first.split_at_checked(mlen.wrapping_add(xlen)).map(|(all, _)| (all, second)).ok_or(truncated)?
        } else {
            let first = first.get(..mlen).ok_or(truncated)?;
            (first, second.get(..xlen).ok_or(truncated)?)
        };
        if !resolved.descriptor.header() {
            return Ok((None, [first, second]));
        }
        if first.is_empty() {
            (first, second) = (second, &[]);
        }
        let length = Error::new(Kind::Invalid, What::MessageLength).value(0);
        let (header, first) = first.split_at_checked(REGISTER).ok_or(length)?;
        Ok((Some(MessageHeader::from_register(header)), [first, second]))
    }
}

fn surface(resolved: &Resolved) -> Result<Binding> {
    match resolved.descriptor.bti() {
        BINDLESS => Ok(Binding::Bindless(resolved.extended & HANDLE_MASK)),
        bti @ 0..=239 => Ok(Binding::Index(u32::from(bti))),
        bti => Err(Error::new(Kind::Invalid, What::BindingTableIndex).value(u64::from(bti))),
    }
}

/// Returns the sampler. The pointer of a header moves the sampler state table by whole states, which are added to the index.
fn sampler(descriptor: Descriptor, header: Option<MessageHeader>, table: u32) -> Result<Binding> {
    let index = u32::from(descriptor.sampler());
    let Some(header) = header else { return Ok(Binding::Index(index)) };
    if header.bindless() {
        return Ok(Binding::Bindless(header.pointer));
    }
    let error = Error::new(Kind::Invalid, What::SamplerPointer).value(u64::from(header.pointer));
    let moved = header.table().checked_sub(table & !31).ok_or(error)?;
    Ok(Binding::Index(index.wrapping_add(moved / SAMPLER_STATE)))
}

/// Sets the channels and the masks that are written back, and checks the response length.
fn respond(message: &mut Message, header: Option<MessageHeader>, rlen: u8) -> Result<()> {
    let error = Error::new(Kind::Invalid, What::ResponseLength).value(u64::from(rlen));
    if rlen == 0 {
        message.channels = Channels::new(0);
        message.null_mask = false;
        return Ok(());
    }
    message.channels = match header {
        _ if message.op.flags().gather => Channels::RGBA,
        Some(header) => header.channels(),
        None => {
            let per_channel = message.response().stride / REGISTER as u16;
            let count = u16::from(rlen).checked_div(per_channel).unwrap_or(0).min(4);
            Channels::new(((1u16 << count).wrapping_sub(1)) as u8)
        }
    };
    // If sample+killpix returns one register more than its channels, that is the kill mask.
    let registers = message.response().registers(message.register_bytes);
    message.kill_mask =
        message.op == Op::SampleKillpix && !message.null_mask && u16::from(rlen) == registers.wrapping_add(1);
    if message.response().registers(message.register_bytes) != u16::from(rlen) {
        return Err(error);
    }
    Ok(())
}

/// Divides the blocks into parameters, sets their number, and checks the message length.
fn parameters<'a>(message: &mut Message, resolved: &Resolved, blocks: [&'a [u8]; 2]) -> Result<Payload<'a>> {
    let length = resolved.descriptor.mlen().wrapping_add(resolved.xlen);
    let error = Error::new(Kind::Invalid, What::MessageLength).value(u64::from(length));
    let stride = stride(message);
    let [first, second] = blocks;
    let bytes = first.len().saturating_add(second.len());
    let most = message.op.params(message.param_width).len();
    if most == 0 {
        // A message has at least one register, even if the operation has no parameters.
        message.params = 0;
        return if bytes <= stride { Ok(Payload::new()) } else { Err(error) };
    }
    let count = bytes.checked_div(stride).unwrap_or(0);
    if count.checked_mul(stride) != Some(bytes) || count > most || count == 0 {
        return Err(error);
    }
    message.params = count as u8;
    if !second.is_empty() && first.len().checked_rem(stride) != Some(0) {
        return Err(Error::new(Kind::Unsupported, What::Payload).value(first.len() as u64));
    }
    Payload::split(blocks, stride, count)
}

/// Returns the bytes from one parameter to the next: whole registers.
pub(crate) fn stride(message: &Message) -> usize {
    usize::from(message.simd).wrapping_mul(message.param_width.bytes()).next_multiple_of(REGISTER)
}
