//! What can execute a sampler job: the core, the emulator, or a model of yours.
//!
//! A [`Job`] is plain data (bytes and names), so that an engine may be another process.

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

/// Bytes at an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Address of the first byte.
    pub address: u64,
    /// Contents.
    pub bytes: Vec<u8>,
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
    pub memory: Vec<Region>,
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
            memory: Vec::new(),
            null_pages: Vec::new(),
            precision: Precision::Float,
            cps: None,
        }
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
    pub writeback: Vec<u8>,
    /// Lanes with a memory fault.
    pub faults: u32,
}

/// A sampler model.
pub trait Engine {
    /// Its name, as reports and `--engine` spell it.
    fn name(&self) -> &str;

    /// Executes a job. `Ok(None)`: this engine does not do that kind of job.
    ///
    /// # Errors
    /// A sentence: the job's state or message is not legal.
    fn execute(&self, job: &Job) -> Result<Option<Outcome>, String>;

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
