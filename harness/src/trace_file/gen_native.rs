//! Encodes jobs as Gen messages.

use crate::core_engine::{lane_bytes, message};
use crate::engine::Job;
use texwire::Platform;
use texwire::eu::{self, SimdMode};
use texwire::message::{Channels, Message};

/// Bytes of a GRF register.
const GRF: usize = 32;
/// The sampler's shared function ID.
const SAMPLER: u32 = 2;

/// A job encoded as a send instruction, with its payload.
pub(super) struct JobSend {
    pub(super) platform: Platform,
    simd: u8,
    /// The message descriptor, without the slots of surface and sampler.
    pub(super) descriptor: u32,
    /// The extended descriptor.
    pub(super) extended: u32,
    rlen: u16,
    pub(super) payload: Vec<u8>,
}

impl JobSend {
    pub(super) fn new(job: &Job) -> Result<Self, String> {
        let platform = Platform::from_trace_code(job.platform)
            .ok_or_else(|| format!("unknown platform at job: {}", job.platform))?;
        let mut message = message(job)?;
        let op = message.op;
        if op.flags().gather {
            message.channels = Channels::RGBA;
        }
        if job.null_mask && job.kill_mask {
            return Err("unsupported kill mask at job: no Gen message returns a null mask, too".into());
        }
        let mode = SimdMode::of(job.simd, message.param_width)
            .ok_or_else(|| format!("unsupported SIMD size at job: {} (expected 8 or 16)", job.simd))?;
        let code = eu::descriptor::type_of(op)
            .ok_or_else(|| format!("unsupported operation at job: {op:?} is no Gen message"))?;
        let header = needs_header(job, &message);
        let mut payload = Vec::new();
        if header {
            let control =
                eu::MessageHeader::control_of(job.offsets, message.channels, job.gather, job.null_mask);
            payload.resize(GRF, 0);
            payload[8..12].copy_from_slice(&control.to_le_bytes());
        }
        // A message has the registers of one parameter even if all of its parameters are left out (and 0).
        for index in 0..job.params.len().max(1) {
            payload.extend(lane_bytes(job, index));
            payload.resize(payload.len().next_multiple_of(GRF), 0);
        }
        let (mlen, rlen) = (payload.len() / GRF, message.response().registers(GRF as u8));
        if mlen > 15 {
            return Err(format!("too long a message at job: {mlen} registers"));
        }
        let mode = u32::from(mode.0);
        let descriptor = u32::from(code) << 12
            | (mode & 3) << 17
            | u32::from(header) << 19
            | u32::from(rlen) << 20
            | (mlen as u32) << 25
            | (mode >> 2) << 29
            | u32::from(job.half_return) << 30;
        let extended = if job.cps.is_some() { SAMPLER | compensation(platform)? } else { SAMPLER };
        Ok(Self { platform, simd: job.simd, descriptor, extended, rlen, payload })
    }

    pub(super) fn instruction(&self, descriptor: u32) -> Result<[u8; 16], String> {
        let form = form(self.platform);
        let mut send = eu::SendInstruction::new(self.platform, form);
        send.execution.size = self.simd;
        send.src0 = eu::Operand::grf(2);
        if self.rlen > 0 {
            send.dst = eu::Operand::grf(16);
        }
        send.descriptor = eu::DescriptorSource::Immediate(descriptor);
        // The shared function ID is a separate field of the instruction.
        send.extended = eu::DescriptorSource::Immediate(self.extended & !SAMPLER);
        Ok(send.encode().map_err(|why| why.to_string())?.to_bytes())
    }
}

fn form(platform: Platform) -> eu::Form {
    if platform == Platform::XeLp { eu::Form::Unified } else { eu::Form::Plain }
}

/// Returns the extended descriptor's bit that requests LOD compensation for coarse pixels.
fn compensation(platform: Platform) -> Result<u32, String> {
    match form(platform) {
        _ if platform == Platform::Gen9 => {
            Err("unsupported coarse pixels at job: no Gen9 send asks for them".into())
        }
        eu::Form::Unified => Ok(1 << 11),
        _ => Ok(1 << 31),
    }
}

fn needs_header(job: &Job, message: &Message) -> bool {
    let mask = message.channels.mask();
    let prefix = mask & mask.wrapping_add(1) == 0;
    let gather = message.op.flags().gather && job.gather != 0;
    // Without a header, the kill mask would be one more channel.
    let kill = job.kill_mask && mask != 15;
    job.offsets != [0; 3] || job.null_mask || gather || !prefix || mask == 0 || kill
}
