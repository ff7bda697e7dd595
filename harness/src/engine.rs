//! Engines, which execute sampler jobs: the core, the emulator, or a model of yours.
//!
//! A [`Job`] is plain data (bytes and names), so that an engine can be another process.

mod regions;

pub use regions::{Region, Regions};

use regions::bytes;
use serde::{Deserialize, Serialize};

/// Arithmetic of LODs and filter weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "command", derive(clap::ValueEnum))]
pub enum Precision {
    /// Float weights, exact LOD.
    #[default]
    Float,
    /// 8-bit subtexel and LOD fractions.
    Fixed8,
}

/// One sampler message with everything that its execution needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Operation, in the spelling of `texwire::Op::name` (`sample_b_c`, `gather4_po_l`, `resinfo`, ...).
    pub op: String,
    /// Lanes: 1, 2, 4, 8, 16 or 32.
    pub simd: u8,
    /// Execution mask: one bit per lane.
    pub lanes: u32,
    /// Parameters in payload order; each has `simd` 32-bit patterns (16-bit ones in the low half).
    pub params: Vec<Vec<u32>>,
    /// Parameters are 16 bits wide.
    pub half_params: bool,
    /// Results are 16 bits wide.
    pub half_return: bool,
    /// Channel mask, bit 0 red.
    pub channels: u8,
    /// gather4 source channel.
    pub gather: u8,
    /// Immediate texel offsets u, v, r.
    pub offsets: [i8; 3],
    /// Return the pixel null mask.
    pub null_mask: bool,
    /// Return the kill mask (`sample+killpix`).
    #[serde(default)]
    pub kill_mask: bool,
    /// Generation of the GPU: 9, 11 or 12.
    pub platform: u8,
    /// RENDER_SURFACE_STATE, 16 dwords.
    pub surface: [u32; 16],
    /// SAMPLER_STATE, 4 dwords.
    pub sampler: [u32; 4],
    /// SAMPLER_BORDER_COLOR_STATE, 4 dwords.
    pub border: [u32; 4],
    /// Palette of the P* formats, 256 ARGB entries; empty: none.
    pub palette: Vec<u32>,
    /// Mapped memory. An address in neither `memory` nor `null_pages` faults.
    pub memory: Regions,
    /// Null pages: address and length in bytes.
    pub null_pages: Vec<(u64, u64)>,
    /// Arithmetic of LODs and filter weights.
    pub precision: Precision,
    /// Coarse pixel shading: the term that is added to the LOD, as f32 bits (log2 of the coarse pixel's rate). `None`: the message does not
    /// ask for it.
    #[serde(default)]
    pub cps: Option<u32>,
}

impl Job {
    /// Returns a job of SIMD8 on Gen11 that returns RGBA in 32 bits, without state, memory and parameters.
    pub fn new(op: &str) -> Self {
        Self {
            op: op.to_owned(),
            simd: 8,
            lanes: 0xff,
            params: Vec::new(),
            half_params: false,
            half_return: false,
            channels: 15,
            gather: 0,
            offsets: [0; 3],
            null_mask: false,
            kill_mask: false,
            platform: 11,
            surface: [0; 16],
            sampler: [0; 4],
            border: [0; 4],
            palette: Vec::new(),
            memory: Regions::default(),
            null_pages: Vec::new(),
            precision: Precision::Float,
            cps: None,
        }
    }

    /// Returns true if both jobs have equal state and equally many parameters, so that they differ in `params` and `lanes` at most.
    pub fn same_state(&self, other: &Self) -> bool {
        // Every field is named here, so that the compiler reports a new field that is not compared.
        let Self {
            op,
            simd,
            lanes: _,
            params,
            half_params,
            half_return,
            channels,
            gather,
            offsets,
            null_mask,
            kill_mask,
            platform,
            surface,
            sampler,
            border,
            palette,
            memory,
            null_pages,
            precision,
            cps,
        } = self;
        // Fields that are cheap to compare come first.
        *surface == other.surface
            && *sampler == other.sampler
            && *op == other.op
            && params.len() == other.params.len()
            && (*simd, *half_params, *half_return, *channels, *gather, *offsets)
                == (
                    other.simd,
                    other.half_params,
                    other.half_return,
                    other.channels,
                    other.gather,
                    other.offsets,
                )
            && (*null_mask, *kill_mask, *platform, *border, *precision, *cps)
                == (
                    other.null_mask,
                    other.kill_mask,
                    other.platform,
                    other.border,
                    other.precision,
                    other.cps,
                )
            && *null_pages == other.null_pages
            && *palette == other.palette
            && *memory == other.memory
    }

    /// The size of the writeback in bytes. A register has 32 bytes. Each channel takes whole registers (gather4 returns all four channels),
    /// the pixel null mask and the kill mask one register each.
    pub fn writeback_bytes(&self) -> usize {
        let width = if self.half_return { 2 } else { 4 };
        let channels =
            if self.op.starts_with("gather4") { 4 } else { (self.channels & 15).count_ones() as usize };
        let channel = (usize::from(self.simd) * width).next_multiple_of(32);
        channel * channels + 32 * (usize::from(self.null_mask) + usize::from(self.kill_mask))
    }
}

/// The contents of one byte of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Byte {
    /// Mapped, with this value.
    Mapped(u8),
    /// A null page.
    Null,
    /// Unmapped: reading it faults.
    Fault,
}

/// Memory, byte by byte: that of one job, or that of a trace, which many jobs share.
pub trait ByteMemory: std::fmt::Debug {
    /// Returns the contents of the byte at `address`.
    fn byte(&self, address: u64) -> Byte;
}

impl ByteMemory for Job {
    fn byte(&self, address: u64) -> Byte {
        let inside = |start: u64, len: u64| address >= start && address - start < len;
        if self.null_pages.iter().any(|&(start, len)| inside(start, len)) {
            return Byte::Null;
        }
        let region = self.memory.iter().find(|r| inside(r.address, r.bytes.len() as u64));
        region.map_or(Byte::Fault, |region| Byte::Mapped(region.bytes[(address - region.address) as usize]))
    }
}

/// The result of executing a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The destination registers (see `texwire::message::Response`); bytes that are not written are 0.
    #[serde(with = "bytes")]
    pub writeback: Vec<u8>,
    /// Lanes with a memory fault.
    pub faults: u32,
}

/// The answer of an engine to one job of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It executed the job.
    Done(Outcome),
    /// It does not support this kind of job. The reason is short and constant, so that reasons can be counted.
    Declined(String),
    /// The job's state or message is not legal.
    Refused(String),
    /// The engine broke: it crashed, did not answer in time, or answered something else.
    Broken(String),
}

impl Answer {
    /// Converts a result of [`Engine::execute`].
    pub fn of(said: Result<Option<Outcome>, String>) -> Self {
        match said {
            Ok(Some(outcome)) => Self::Done(outcome),
            Ok(None) => Self::Declined(NOT_DONE.to_owned()),
            Err(why) => Self::Refused(why),
        }
    }

    /// Takes the only answer of a batch of one job and converts it to a result of [`Engine::execute`].
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome), or there is no answer.
    pub fn only(mut answers: Vec<Self>) -> Result<Option<Outcome>, String> {
        answers.pop().ok_or("no answer")?.outcome()
    }

    /// Converts an answer to a result of [`Engine::execute`].
    ///
    /// # Errors
    /// The job is refused, or the engine broke.
    pub fn outcome(self) -> Result<Option<Outcome>, String> {
        match self {
            Self::Done(outcome) => Ok(Some(outcome)),
            Self::Declined(_) => Ok(None),
            Self::Refused(why) | Self::Broken(why) => Err(why),
        }
    }
}

/// The reason that is reported if an engine declines a job without giving one.
pub const NOT_DONE: &str = "not a kind of job that it does";

/// The precision that a device reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceLimits {
    /// Bits of a texel coordinate's fraction.
    pub texel_bits: u32,
    /// Bits of a LOD's fraction.
    pub mip_bits: u32,
}

/// A sampler model.
pub trait Engine {
    /// Its name, as reports and `--engine` spell it.
    fn name(&self) -> &str;

    /// Returns the precision that the engine reports. `None`: its results differ from the emulator's by rounding to f32 only.
    fn limits(&self) -> Option<DeviceLimits> {
        None
    }

    /// Returns a sentence about the engine for reports: device, driver, versions.
    fn about(&self) -> Option<String> {
        None
    }

    /// Executes a job. `Ok(None)`: the engine does not support this kind of job.
    ///
    /// # Errors
    /// The job's state or message is not legal; the error is a sentence.
    fn execute(&self, job: &Job) -> Result<Option<Outcome>, String>;

    /// Executes jobs and returns one answer for each.
    ///
    /// Consecutive jobs often have the same state ([`Job::same_state`]). An engine may use that to be faster; answers must not depend on
    /// it.
    fn execute_all(&self, jobs: &[Job]) -> Vec<Answer> {
        let answer = |job| match Answer::of(self.execute(job)) {
            Answer::Refused(why) => self.failure().map_or(Answer::Refused(why), Answer::Broken),
            answer => answer,
        };
        jobs.iter().map(answer).collect()
    }

    /// Returns why the last job has no answer, if the engine broke; `None` if it did not break (it may have refused the job).
    fn failure(&self) -> Option<String> {
        None
    }

    /// Tells the engine that there are no more jobs.
    ///
    /// # Errors
    /// The engine broke: it gave more answers than there were jobs.
    fn finish(&self) -> Result<(), String> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine whose answer depends on the name of the operation only.
    struct Model(std::cell::Cell<bool>);

    impl Engine for Model {
        fn name(&self) -> &str {
            "model"
        }

        fn execute(&self, job: &Job) -> Result<Option<Outcome>, String> {
            self.0.set(job.op == "breaks");
            match job.op.as_str() {
                "declined" => Ok(None),
                "refused" | "breaks" => Err("why".into()),
                _ => Ok(Some(Outcome { writeback: vec![1], faults: 0 })),
            }
        }

        fn failure(&self) -> Option<String> {
            self.0.get().then(|| "gone".to_owned())
        }
    }

    #[test]
    fn a_batch_is_answered_job_by_job() {
        let jobs = ["done", "declined", "refused", "breaks", "done"].map(Job::new);
        let done = Answer::Done(Outcome { writeback: vec![1], faults: 0 });
        let expected = [
            done.clone(),
            Answer::Declined(NOT_DONE.into()),
            Answer::Refused("why".into()),
            Answer::Broken("gone".into()),
            done,
        ];
        assert_eq!(Model(false.into()).execute_all(&jobs), expected);
    }

    #[test]
    fn jobs_of_one_state_differ_in_payload_and_lanes() {
        let job = || Job { params: vec![vec![0; 8]; 2], ..Job::new("sample") };
        let other = Job { params: vec![vec![1; 8]; 2], lanes: 3, ..job() };
        assert!(job().same_state(&other));
        assert!(!job().same_state(&Job { params: vec![vec![0; 8]], ..job() }));
        assert!(!job().same_state(&Job { border: [0, 0, 0, 1], ..job() }));
        let memory = vec![Region { address: 0, bytes: vec![0] }].into();
        assert!(!job().same_state(&Job { memory, ..job() }));
        assert!(!job().same_state(&Job { cps: Some(0), ..job() }));
    }
}
