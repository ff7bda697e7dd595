//! The core as an [`Engine`].

use crate::engine::{Engine, Job, Outcome, Precision};
use crate::job_memory::{JobMemory, Paged};
use texwire::Platform;
use texwire::device::StateExecutor;
use texwire::memory::Memory;
use texwire::message::{Channels, Message, Op, Payload, Width};
use texwire::sample::{self, Prepared, Sampler, Scratch, Stages, Texture};
use texwire::state::{BorderColor, SamplerState, SurfaceState};

/// Executes jobs with `texwire`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoreEngine;

impl Engine for CoreEngine {
    fn name(&self) -> &str {
        "core"
    }

    fn execute(&self, job: &Job) -> Result<Option<Outcome>, String> {
        let memory = JobMemory::of(job);
        // Every fourth job is executed from memory in pages.
        if checksum(job).is_multiple_of(4) {
            return execute_on(job, &Paged::new(memory, log2_page(job))).map(Some);
        }
        execute_on(job, &memory).map(Some)
    }
}

/// Executes a job with its texels in `memory` instead of the job's own memory.
///
/// # Errors
/// As [`Engine::execute`].
pub fn execute_on(job: &Job, memory: &impl Memory) -> Result<Outcome, String> {
    execute_with(job, memory, crate::simd::best())
}

/// Executes a job with the stages compiled for one level of vector instructions; see [`stages`](crate::simd::stages).
///
/// # Errors
/// As [`Engine::execute`].
pub fn execute_with(job: &Job, memory: &impl Memory, stages: &'static Stages) -> Result<Outcome, String> {
    let say = |why: texwire::Error| why.to_string();
    let call = Call::of(job)?;
    let texture = Texture::with_palette(&call.surface, call.platform, &job.palette).map_err(say)?;
    let sampler = if call.message.op.flags().sampler {
        Sampler::bind(&call.sampler, &job.border).map_err(say)?
    } else {
        Sampler::none()
    };
    let sampler = sampler.with_precision(job.precision.into()).with_cps_lod(coarse_lod(job));
    let prepared = Prepared::with_stages(&texture, &sampler, &call.message, stages).map_err(say)?;
    let left_behind = left_behind(job);
    let mut scratch = Scratch::filled(left_behind);
    // Every other job is executed as a batch of two equal payloads.
    if left_behind & 1 != 0
        && let Some(block) = call.block()
    {
        return execute_twice(&prepared, &mut scratch, job.lanes, &block, memory);
    }
    let mut writeback = vec![0; call.message.response().len.into()];
    let outcome =
        prepared.execute(&mut scratch, job.lanes, &call.payload()?, memory, &mut writeback).map_err(say)?;
    Ok(Outcome { writeback, faults: outcome.faults })
}

/// Executes a batch of two messages with the same payload.
///
/// # Errors
/// The two results differ.
fn execute_twice(
    prepared: &Prepared<'_>,
    scratch: &mut Scratch,
    lanes: u32,
    block: &[u8],
    memory: &impl Memory,
) -> Result<Outcome, String> {
    let len = usize::from(prepared.response().len);
    let (mut writeback, mut outcomes) = (vec![0; 2 * len], Vec::new());
    let payloads = [[block, &[]]; 2];
    prepared
        .execute_batch(scratch, lanes, payloads, memory, &mut writeback, |outcome| outcomes.push(outcome))
        .map_err(|why| why.to_string())?;
    let second = writeback.split_off(len);
    match outcomes[..] {
        [first, other] if writeback == second && first == other => {
            Ok(Outcome { writeback, faults: first.faults })
        }
        _ => Err("two messages of a batch with the same payload have different results".to_owned()),
    }
}

impl From<Precision> for sample::Precision {
    fn from(precision: Precision) -> Self {
        match precision {
            Precision::Float => Self::Float,
            Precision::Fixed8 => Self::Fixed8,
        }
    }
}

/// A hash of the parameters and active lanes of a job, from which variations of its execution are chosen.
fn checksum(job: &Job) -> u32 {
    job.params.iter().flatten().fold(job.lanes, |sum, word| sum.wrapping_mul(31).wrapping_add(*word))
}

/// log2 of the page size in bytes for [`Paged`] memory of a job: 16 bytes to 2 KiB, so that small surfaces have many pages.
pub(crate) fn log2_page(job: &Job) -> u32 {
    4 + (checksum(job) >> 26) % 8
}

/// The word that fills the scratch memory before a job, as if other messages had left it there: small integers, floats, NaN. Results must
/// not depend on it.
fn left_behind(job: &Job) -> u32 {
    match checksum(job) >> 29 {
        0 => 0,
        1 => 1,
        2 => 3,
        3 => 5,
        4 => 1.0_f32.to_bits(),
        5 => 2.5_f32.to_bits(),
        6 => (-3.0_f32).to_bits(),
        _ => u32::MAX,
    }
}

fn coarse_lod(job: &Job) -> f32 {
    job.cps.map_or(0.0, f32::from_bits)
}

/// A job in the types of the core.
#[derive(Clone, Debug)]
pub struct Call {
    /// The platform.
    pub platform: Platform,
    /// The message.
    pub message: Message,
    /// The surface state.
    pub surface: SurfaceState,
    /// The sampler state.
    pub sampler: SamplerState,
    /// The border colour.
    pub border: BorderColor,
    /// The bytes of each parameter, as a payload has them.
    lanes: Vec<Vec<u8>>,
}

impl Call {
    /// Translates a job.
    ///
    /// # Errors
    /// An unknown platform or operation, or more parameters than the operation has.
    pub fn of(job: &Job) -> Result<Self, String> {
        let platform = Platform::from_trace_code(job.platform)
            .ok_or_else(|| format!("unknown platform {}", job.platform))?;
        let message = message(job)?;
        Ok(Self {
            platform,
            message,
            surface: SurfaceState { dwords: job.surface },
            sampler: SamplerState { dwords: job.sampler },
            border: BorderColor { dwords: job.border },
            lanes: job.params.iter().map(|lanes| bytes(lanes, message.param_width)).collect(),
        })
    }

    /// Returns the parameters as a payload.
    ///
    /// # Errors
    /// More parameters than any message has.
    pub fn payload(&self) -> Result<Payload<'_>, String> {
        let mut payload = Payload::new();
        for lanes in &self.lanes {
            payload.push(lanes).map_err(|why| why.to_string())?;
        }
        Ok(payload)
    }

    /// Returns the parameters in one block, one after the other; `None` unless every parameter of the message has all lanes.
    fn block(&self) -> Option<Vec<u8>> {
        let stride = usize::from(self.message.simd) * self.message.param_width.bytes();
        let whole = self.lanes.len() == usize::from(self.message.params)
            && self.lanes.iter().all(|lanes| lanes.len() == stride);
        whole.then(|| self.lanes.concat())
    }

    /// Returns a [`StateExecutor`] (states without heaps) with the precision, coarse LOD and palette of the job.
    pub fn executor<'p, const TEXTURES: usize, const SAMPLERS: usize>(
        &self,
        job: &'p Job,
    ) -> StateExecutor<'p, TEXTURES, SAMPLERS> {
        let mut executor = StateExecutor::new(self.platform);
        executor.set_precision(job.precision.into());
        executor.set_stages(crate::simd::best());
        executor.set_coarse_lod(coarse_lod(job));
        executor.set_palettes([&job.palette; 2]);
        executor
    }
}

/// Returns the message of a job.
///
/// # Errors
/// An unknown operation, or more parameters than it has.
pub fn message(job: &Job) -> Result<Message, String> {
    let op = Op::from_name(&job.op).ok_or_else(|| format!("unknown operation {}", job.op))?;
    let width = |half| if half { Width::Half } else { Width::Full };
    let (count, param_width) = (job.params.len(), width(job.half_params));
    if count > op.params(param_width).len() {
        return Err(format!("{} has no {count} parameters", job.op));
    }
    Ok(Message {
        simd: job.simd,
        lanes: job.lanes,
        params: count as u8,
        param_width,
        return_width: width(job.half_return),
        channels: Channels::new(job.channels),
        gather: job.gather,
        offsets: job.offsets,
        null_mask: job.null_mask,
        kill_mask: job.kill_mask,
        cps: job.cps.is_some(),
        ..Message::new(op)
    })
}

/// Returns parameter `index` of a job as a payload has it, for the lanes of the message: more are left out, missing ones are 0.
pub(crate) fn lane_bytes(job: &Job, index: usize) -> Vec<u8> {
    let width = if job.half_params { Width::Half } else { Width::Full };
    let mut lanes = job.params.get(index).map_or_else(Vec::new, |lanes| bytes(lanes, width));
    lanes.resize(usize::from(job.simd) * width.bytes(), 0);
    lanes
}

/// Returns the lanes of a parameter as a payload has them, each in `width` bits.
fn bytes(lanes: &[u32], width: Width) -> Vec<u8> {
    match width {
        Width::Full => lanes.iter().flat_map(|lane| lane.to_le_bytes()).collect(),
        Width::Half => lanes.iter().flat_map(|lane| (*lane as u16).to_le_bytes()).collect(),
    }
}

/// Returns a message and its parameters as a job. State and memory are missing and the coarse LOD is 0: the caller fills them in.
pub fn job(message: &Message, payload: &Payload<'_>) -> Job {
    Job {
        simd: message.simd,
        lanes: message.lanes,
        params: (0..usize::from(message.params)).map(|index| lanes(message, payload, index)).collect(),
        half_params: message.param_width == Width::Half,
        half_return: message.return_width == Width::Half,
        channels: message.channels.mask(),
        gather: message.gather,
        offsets: message.offsets,
        null_mask: message.null_mask,
        kill_mask: message.kill_mask,
        cps: message.cps.then_some(0),
        ..Job::new(message.op.name())
    }
}

fn lanes(message: &Message, payload: &Payload<'_>, index: usize) -> Vec<u32> {
    let step = message.param_width.bytes();
    let lane = |bytes: &[u8]| bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
    payload.slot(index).chunks_exact(step).take(message.simd.into()).map(lane).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_parameters_of_its_operation() {
        for op in Op::ALL {
            let most = op.params(Width::Full).len();
            let job = |count| Job { params: vec![vec![0; 8]; count], ..Job::new(op.name()) };
            assert_eq!(message(&job(most)).map(|message| message.present().len()), Ok(most), "{op:?}");
            assert!(message(&job(most + 1)).is_err(), "{op:?}");
        }
    }
}
