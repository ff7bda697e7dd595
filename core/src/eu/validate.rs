//! The rules for sends, which decoding does not check: a send that breaks some of them still decodes.

use super::descriptor::{BINDLESS, Descriptor, SAMPLER};
use super::fields::Word;
use super::form::Form;
use super::operand::{Operand, RegisterFile};
use super::payload::{MAX_REGISTERS, simd8_only};
use super::send::{ADDRESS_REGISTER, ALIGN16, SendInstruction};
use crate::message::{Op, Width};
use crate::platform::Platform;
use crate::rules::Violations;

crate::rules! {
    /// The rules of sends and sampler descriptors.
    pub enum GenRule {
        RegisterRange = "register-range", "a thread has registers r0 to r127; payload and response end there (PRM, register files)";
        ArchDestination = "arch-destination", "the destination of a send is a general register or null";
        ChannelAlignment = "channel-alignment", "the channel offset is a multiple of the execution size (PRM, QtrCtrl)";
        ChannelRange = "channel-range", "execution size and channel offset stay within 32 channels";
        ReservedBits = "reserved-bits", "bits that no field has are 0";
        AccessMode = "access-mode", "sends are in align1 mode, bit 8 is 0";
        EndOfThread = "end-of-thread", "a sampler message does not end the thread";
        SecondBlock = "second-block", "a second payload block has a register and a length, or neither";
        MessageLength = "message-length", "the first payload block has at least one register";
        MessageLimit = "message-limit", "a sampler message has at most 11 registers";
        ParameterCount = "parameter-count", "the payload is a header and whole parameters of the operation, no more than it has";
        ResponseLength = "response-length", "the response is whole channels, at most four, and the null mask";
        NullResponse = "null-response", "a message with the null destination has response length 0";
        SimdMode = "simd-mode", "the SIMD mode is defined on the platform (PRM, SIMD Mode)";
        MessageType = "message-type", "the message type is not reserved";
        Simd8Only = "simd8-only", "gradient and killpix messages are SIMD8";
        ExecutionSize = "execution-size", "the execution size is not larger than the message's lanes";
        HalfParameters = "half-parameters", "16-bit parameters are Gen11 and later";
        BindingTable = "binding-table", "the binding table index is 0 to 239, or 252 for a bindless surface";
        BindlessHandle = "bindless-handle", "a bindless surface needs an extended descriptor with its handle";
        CpsOperation = "cps-operation", "LOD compensation is for sample, sample_b, sample_c, sample_b_c and LOD with a response";
        CpsPlatform = "cps-platform", "Gen9 send has no LOD compensation";
        DescriptorBit31 = "descriptor-bit-31", "bit 31 of a sampler descriptor is 0";
    }
}

/// Number of general registers of a thread.
const REGISTERS: u32 = 128;

/// Bits 62:61 of `send`: the destination's horizontal stride.
const DST_STRIDE: u64 = 3 << 61;

impl SendInstruction {
    /// Returns the rules that this send breaks. Messages of other shared functions are only checked against the
    /// rules of the instruction.
    pub fn validate(&self) -> Violations<GenRule> {
        let mut broken = Violations::NONE;
        self.validate_instruction(&mut broken);
        if self.is_sampler() == Some(true) {
            self.validate_sampler(&mut broken);
        }
        broken
    }

    fn validate_instruction(&self, broken: &mut Violations<GenRule>) {
        let e = &self.execution;
        let (size, offset) = (u32::from(e.size), u32::from(e.offset));
        // Channel offsets are encoded in units of four channels.
        broken.add(GenRule::ChannelAlignment, offset.checked_rem(size.max(4)) != Some(0));
        broken.add(GenRule::ChannelRange, size.saturating_add(offset) > 32);
        let null_or_grf = self.dst.file == RegisterFile::Grf || self.dst.is_null();
        broken.add(GenRule::ArchDestination, !null_or_grf);
        broken.add(GenRule::AccessMode, self.form != Form::Unified && self.rest.lo & ALIGN16 != 0);
        broken.add(GenRule::ReservedBits, self.reserved_bits() != Word::default());
        if let Some(xlen) = self.xlen() {
            broken.add(GenRule::SecondBlock, self.form != Form::Plain && (xlen > 0) == self.src1.is_null());
            broken.add(GenRule::RegisterRange, past_the_end(self.src1, u32::from(xlen)));
        }
        let (mlen, rlen) = self.lengths();
        broken.add(GenRule::RegisterRange, past_the_end(self.src0, mlen) || past_the_end(self.dst, rlen));
    }

    /// Returns the bits that belong to no field and have no meaning, which excludes those of indirect addressing and the number of a0.
    fn reserved_bits(&self) -> Word {
        let mut rest = self.rest;
        rest.lo &= !ALIGN16;
        if self.form == Form::Plain {
            rest.lo &= !DST_STRIDE;
        }
        if self.form != Form::Unified && (self.dst.indirect || self.src0.indirect) {
            return Word::default();
        }
        if self.descriptor.immediate().is_none() {
            // Gen9 and Gen11 ignore the bits of an immediate descriptor.
            rest.hi &= if self.form == Form::Unified { u64::MAX } else { u64::from(u32::MAX) | 1 << 63 };
            rest.hi &= !ADDRESS_REGISTER;
        }
        rest
    }

    /// Returns the registers of the first payload block and of the response; 1 and 0 if the descriptor is in a register.
    fn lengths(&self) -> (u32, u32) {
        let descriptor = self.descriptor.immediate().map(Descriptor);
        descriptor.map_or((1, 0), |d| (u32::from(d.mlen()), u32::from(d.rlen())))
    }

    fn validate_sampler(&self, broken: &mut Violations<GenRule>) {
        broken.add(GenRule::EndOfThread, self.eot && self.sfid == SAMPLER);
        if let Some(descriptor) = self.descriptor.immediate().map(Descriptor) {
            self.validate_descriptor(descriptor, broken);
        }
        let dropped = self.form == Form::Plain && self.platform == Platform::Gen9;
        broken.add(GenRule::CpsPlatform, self.cps() && dropped);
    }

    fn validate_descriptor(&self, d: Descriptor, broken: &mut Violations<GenRule>) {
        let mode = d.simd_mode();
        broken.add(GenRule::DescriptorBit31, d.0 >> 31 == 1);
        broken.add(GenRule::SimdMode, !mode.is_valid(self.platform));
        broken.add(GenRule::MessageType, d.type_symbol().is_none());
        broken.add(GenRule::MessageLength, d.mlen() == 0);
        let bindless = d.bti() == BINDLESS;
        broken.add(GenRule::BindingTable, d.bti() >= 240 && !bindless);
        broken.add(
            GenRule::BindlessHandle,
            bindless && self.extended.immediate().is_some_and(|x| x >> 12 == 0),
        );
        broken.add(GenRule::NullResponse, self.dst.is_null() && d.rlen() > 0);
        let (Some(op), Some((lanes, width))) = (d.op(), mode.shape(self.platform)) else { return };
        broken.add(GenRule::Simd8Only, lanes == 16 && simd8_only(op));
        broken.add(GenRule::ExecutionSize, self.execution.size > lanes);
        broken.add(GenRule::HalfParameters, width == Width::Half && self.platform == Platform::Gen9);
        let compensated = matches!(op, Op::Sample | Op::SampleB | Op::SampleC | Op::SampleBC | Op::Lod);
        broken.add(GenRule::CpsOperation, self.cps() && (!compensated || d.rlen() == 0));
        self.validate_lengths(d, op, usize::from(lanes), width, broken);
    }

    fn validate_lengths(
        &self,
        d: Descriptor,
        op: Op,
        lanes: usize,
        width: Width,
        broken: &mut Violations<GenRule>,
    ) {
        let registers = |width: Width| lanes.wrapping_mul(width.bytes()).div_ceil(32);
        let channel = registers(if d.ret16() { Width::Half } else { Width::Full });
        let rlen = usize::from(d.rlen());
        // Only a header can request the null mask.
        let null_mask = usize::from(d.header() && rlen.checked_rem(channel.max(2)) == Some(1) && channel > 1);
        let channels = rlen.saturating_sub(null_mask).checked_div(channel).unwrap_or(0);
        let whole = channels.wrapping_mul(channel).wrapping_add(null_mask) == rlen;
        let most = if d.header() && channel == 1 { 5 } else { 4 };
        let gather = op.flags().gather && rlen > 0 && channels < 4;
        broken.add(GenRule::ResponseLength, !whole || channels > most || gather);
        let Some(xlen) = self.xlen() else { return };
        let total = usize::from(d.mlen()).wrapping_add(usize::from(xlen));
        broken.add(GenRule::MessageLimit, total > MAX_REGISTERS);
        let per_param = registers(width);
        let body = total.saturating_sub(usize::from(d.header()));
        let most = op.params(width).len();
        let count = body.checked_div(per_param).unwrap_or(0);
        let fits = match most {
            0 => body <= per_param,
            _ => count >= 1 && count <= most && count.wrapping_mul(per_param) == body,
        };
        broken.add(GenRule::ParameterCount, !fits);
    }
}

/// Returns true if `count` registers (at least 1) from `operand` on end past r127.
fn past_the_end(operand: Operand, count: u32) -> bool {
    operand.file == RegisterFile::Grf
        && !operand.indirect
        && u32::from(operand.number).saturating_add(count.max(1)) > REGISTERS
}
