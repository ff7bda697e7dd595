//! Encodes jobs as vISA messages.

use crate::core_engine::lane_bytes;
use crate::engine::Job;
use texwire::message::Op;
use texwire::trace::VisaRecord;
use texwire::visa::{FIRST_VARIABLE, Operation, SamplerOpcode, Type, Version};

/// The vISA version of the encoding.
const VERSION: Version = Version::V4_1;

/// A job encoded as a vISA instruction, with the values of its parameters.
pub(super) struct JobInstruction {
    instruction: Vec<u8>,
    aoffimmi: u16,
    half: bool,
    params: Vec<u8>,
    lanes: u32,
    dst_type: Type,
}

impl JobInstruction {
    pub(super) fn new(job: &Job, surface: u8, sampler: u8) -> Result<Self, String> {
        let op = Op::from_name(&job.op).ok_or_else(|| format!("unknown operation at job: {}", job.op))?;
        let row = Operation::all()
            .iter()
            .find(|row| row.op == op)
            .ok_or_else(|| format!("unsupported operation at job: {op:?} is no vISA operation"))?;
        let info = row.opcode == SamplerOpcode::Info as u8;
        let gather = op.flags().gather;
        if job.kill_mask || !gather && job.channels == 0 || info && (job.null_mask || job.half_params) {
            return Err(format!("unsupported mask at job: no {} of vISA says it", row.name));
        }
        if job.cps.is_some() && row.opcode != SamplerOpcode::Sample as u8 {
            return Err(format!("unsupported coarse pixels at job: no {} of vISA asks for them", row.name));
        }
        // Parameters that a job does not have are 0. resinfo always has its LOD, and only sampleinfo has no parameter at all.
        let count = match op {
            Op::Resinfo => 1,
            Op::Sampleinfo => job.params.len(),
            _ => job.params.len().max(1),
        };
        let aoffimmi = job.offsets.iter().fold(0, |value, &offset| value << 4 | (offset as u16 & 15));

        let mut code = vec![row.opcode, row.number];
        if !info {
            code.push(u8::from(job.null_mask) | u8::from(job.cps.is_some()) << 1);
        }
        code.push(job.simd.trailing_zeros() as u8);
        if !info {
            code.extend([0; 2]);
        }
        code.push(if gather { job.gather } else { job.channels });
        if !info {
            code.extend([5, Type::Uw.code()]);
            code.extend(u32::from(aoffimmi).to_le_bytes());
        }
        if row.opcode == SamplerOpcode::Sample as u8 || gather {
            code.push(sampler);
        }
        code.push(surface);
        let variables = (FIRST_VARIABLE + 1..).take(count);
        if op == Op::Resinfo {
            variables.clone().for_each(|variable| push_raw(&mut code, variable));
        }
        push_raw(&mut code, FIRST_VARIABLE);
        if !info {
            code.push(count as u8);
            variables.for_each(|variable| push_raw(&mut code, variable));
        }

        let mut params = Vec::new();
        for index in 0..count {
            params.extend(lane_bytes(job, index));
            params.resize(params.len().next_multiple_of(4), 0);
        }
        Ok(Self {
            instruction: code,
            aoffimmi,
            half: job.half_params,
            params,
            lanes: job.lanes,
            dst_type: if job.half_return { Type::Hf } else { Type::F },
        })
    }

    pub(super) fn record(&self, thread: u32) -> VisaRecord<'_> {
        VisaRecord {
            thread,
            dispatch: self.lanes,
            predicate: u32::MAX,
            aoffimmi: self.aoffimmi,
            dst_type: self.dst_type.code(),
            version: [VERSION.major, VERSION.minor],
            instruction: &self.instruction,
            half: self.half,
            params: &self.params,
        }
    }
}

fn push_raw(code: &mut Vec<u8>, variable: u32) {
    code.extend(variable.to_le_bytes());
    code.extend([0; 2]);
}
