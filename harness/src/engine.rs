//! What can execute a sampler job: the core, the emulator, or a model of yours.
//!
//! A [`Job`] is plain data (bytes and names), so that an engine may be another process.

mod regions;

pub use regions::{Region, Regions};

use regions::bytes;
use serde::{Deserialize, Serialize};

/// Arithmetic of the filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Float weights, exact LOD.
    #[default]
    Float,
    /// 8-bit subtexel and LOD fractions.
    Fixed8,
}

/// One sampler message with everything it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Operation, in the spelling of `texwire::Op::name` (`sample_b_c`, `gather4_po_l`, `resinfo`, ...).
    pub op: String,
    /// Lanes: 1, 2, 4, 8, 16 or 32.
    pub simd: u8,
    /// Lanes that are executed, bit per lane.
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
    /// 9, 11 or 12.
    pub platform: u8,
    /// RENDER_SURFACE_STATE, 16 dwords.
    pub surface: [u32; 16],
    /// SAMPLER_STATE, 4 dwords.
    pub sampler: [u32; 4],
    /// SAMPLER_BORDER_COLOR_STATE, 4 dwords.
    pub border: [u32; 4],
    /// Palette of the P* formats, 256 entries ARGB; empty = none.
    pub palette: Vec<u32>,
    /// Mapped memory. What is in neither list faults.
    pub memory: Regions,
    /// Null pages: (address, length).
    pub null_pages: Vec<(u64, u64)>,
    /// Arithmetic.
    pub precision: Precision,
    /// Coarse pixel shading: the message asks for compensation, by this LOD (an f32 pattern: log2 of the coarse pixel's
    /// rate).
    #[serde(default)]
    pub cps: Option<u32>,
}

impl Job {
    /// A job with nothing set: SIMD8, RGBA, 32 bits, Gen11.
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

    /// The two differ in `params` and `lanes` at most, and have as many parameters: one state executes both.
    pub fn same_state(&self, other: &Self) -> bool {
        // Every field is named, so that a new one is not forgotten.
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
        // The cheap ones first.
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

    /// Bytes of the destination registers: 32 a register, each channel in whole ones (a gather returns all four), and one
    /// each for the pixel null mask and the kill mask.
    pub fn writeback_bytes(&self) -> usize {
        let width = if self.half_return { 2 } else { 4 };
        let channels =
            if self.op.starts_with("gather4") { 4 } else { (self.channels & 15).count_ones() as usize };
        let channel = (usize::from(self.simd) * width).next_multiple_of(32);
        channel * channels + 32 * (usize::from(self.null_mask) + usize::from(self.kill_mask))
    }
}

/// What is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Byte {
    /// A byte of contents.
    Mapped(u8),
    /// A null page.
    Null,
    /// Nothing.
    Fault,
}

/// Memory, byte by byte: a job's own, or that of a trace, which many jobs share.
pub trait Contents: std::fmt::Debug {
    /// What is at `address`.
    fn byte(&self, address: u64) -> Byte;
}

impl Contents for Job {
    fn byte(&self, address: u64) -> Byte {
        let inside = |start: u64, len: u64| address >= start && address - start < len;
        if self.null_pages.iter().any(|&(start, len)| inside(start, len)) {
            return Byte::Null;
        }
        let region = self.memory.iter().find(|r| inside(r.address, r.bytes.len() as u64));
        region.map_or(Byte::Fault, |region| Byte::Mapped(region.bytes[(address - region.address) as usize]))
    }
}

/// What an engine answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The destination registers (see `texwire::message::Response`); bytes not written are 0.
    #[serde(with = "bytes")]
    pub writeback: Vec<u8>,
    /// Lanes with a memory fault.
    pub faults: u32,
}

/// What an engine says to one job of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It executed the job.
    Done(Outcome),
    /// It does not do that kind of job: a short constant reason, so that reasons can be counted.
    Declined(String),
    /// The job's state or message is not legal.
    Refused(String),
    /// The engine broke: a crash, no answer in time, an answer that is none.
    Broken(String),
}

impl Answer {
    /// What an engine says to one job, as an answer.
    pub fn of(said: Result<Option<Outcome>, String>) -> Self {
        match said {
            Ok(Some(outcome)) => Self::Done(outcome),
            Ok(None) => Self::Declined(NOT_DONE.to_owned()),
            Err(why) => Self::Refused(why),
        }
    }

    /// The answer to the one job of a batch, as [`Engine::execute`] gives it.
    ///
    /// # Errors
    /// As [`outcome`](Self::outcome), or there is no answer.
    pub fn only(mut answers: Vec<Self>) -> Result<Option<Outcome>, String> {
        answers.pop().ok_or("no answer")?.outcome()
    }

    /// An answer as [`Engine::execute`] gives it.
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

/// The reason of an engine that declines without one.
pub const NOT_DONE: &str = "not a kind of job that it does";

/// What a device says about its precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bits of a texel coordinate's fraction.
    pub texel_bits: u32,
    /// Bits of a LOD's fraction.
    pub mip_bits: u32,
}

/// A sampler model.
pub trait Engine {
    /// Its name, as reports and `--engine` spell it.
    fn name(&self) -> &str;

    /// What it says about its precision; `None`: results are the emulator's but for the rounding of f32.
    fn limits(&self) -> Option<Limits> {
        None
    }

    /// What it is, in a sentence, for reports: device, driver, versions.
    fn about(&self) -> Option<String> {
        None
    }

    /// Executes a job. `Ok(None)`: this engine does not do that kind of job.
    ///
    /// # Errors
    /// A sentence: the job's state or message is not legal.
    fn execute(&self, job: &Job) -> Result<Option<Outcome>, String>;

    /// Executes jobs, an answer each.
    ///
    /// Consecutive jobs often share everything but `params` and `lanes` ([`Job::same_state`]): an engine may make use of that;
    /// answers do not depend on it.
    fn execute_all(&self, jobs: &[Job]) -> Vec<Answer> {
        let answer = |job| match Answer::of(self.execute(job)) {
            Answer::Refused(why) => self.failure().map_or(Answer::Refused(why), Answer::Broken),
            answer => answer,
        };
        jobs.iter().map(answer).collect()
    }

    /// Why the last job has no answer, when the engine broke rather than refused it.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Says that no more jobs come.
    ///
    /// # Errors
    /// The engine broke: it had more to say than there were jobs.
    fn finish(&self) -> Result<(), String> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers by the operation's name.
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
