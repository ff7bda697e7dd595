//! The generators by name: for `texwire gen`, and for the seeds of fuzz targets.

use super::random::random;
use super::{device_binary, gen_native, job, placed, plain, state, trace, txq, visa};
use crate::core_engine::CoreEngine;
use crate::engine::{Engine, Job};
use crate::trace_file::TraceWriter;
use arbitrary::{Result, Unstructured};
use texwire::Platform;
use texwire::visa::Version;

/// A kind of input.
#[derive(Clone, Copy, Debug)]
pub struct InputKind {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, and which command reads it.
    pub about: &'static str,
    /// The extension of its files.
    pub extension: &'static str,
    /// The wire that the bytes belong to; `None` for states, jobs and device binaries.
    pub wire: Option<&'static str>,
    /// Generates one.
    make: Generate,
}

/// Generates an input from random bytes.
type Generate = fn(&mut Unstructured<'_>) -> Result<Vec<u8>>;

macro_rules! kinds {
    ($($wire:expr => { $($name:literal $extension:literal $about:literal $make:expr;)* })*) => {
        /// All kinds by wire; the most common kind of each wire comes first.
        const KINDS: &[InputKind] = &[$($(
            InputKind { name: $name, about: $about, extension: $extension, wire: $wire, make: $make },
        )*)*];
    };
}

kinds! {
    Some("visa") => {
        "visa" "bin" "a vISA 4.1 instruction, mostly of the sampler (decode --wire visa)" |u| {
            if u.ratio(7, 8)? { visa::sampler(u, Version::V4_1) } else { visa::instruction(u, Version::V4_1) }
        };
        "cisa" "isa" "a CISA file whose tables are in order, its code full of near misses (decode)" |u| Ok(visa::cisa(u)?.bytes);
        "cisa-damaged" "isa" "a CISA file with bytes changed or cut off (decode)" |u| {
            let bytes = visa::cisa(u)?.bytes;
            damaged(u, bytes)
        };
    }
    Some("gen11") => {
        "gen11" "bin" "a Gen11 stream, one in four cut short (decode --wire gen11)" |u| gen_native::stream(u, Platform::Gen11);
    }
    Some("gen9") => {
        "gen9" "bin" "a Gen9 stream, one in four cut short (decode --wire gen9)" |u| gen_native::stream(u, Platform::Gen9);
    }
    Some("gen12") => {
        "gen12" "bin" "an Xe-LP stream, one in four cut short (decode --wire gen12)" |u| gen_native::stream(u, Platform::XeLp);
    }
    Some("xe-hpg") => {
        "xe-hpg" "bin" "an Xe-HPG stream, one in four cut short (decode --wire xe-hpg)" |u| gen_native::stream(u, Platform::XeHpg);
    }
    Some("maxwell") => {
        "maxwell" "bin" "a code section with TXQ and near misses, one in four cut short (decode --wire maxwell)" txq::section;
    }
    Some("trace") => {
        "trace-run" "twt" "a trace of messages that the core executed, with state and results (trace verify)" run;
        "trace" "twt" "a trace of arbitrary records (trace dump)" |u| Ok(trace::frames(u)?.concat());
        "trace-damaged" "twt" "a trace with losses, damage, repetitions and noise (trace dump)" |u| Ok(trace::received(u)?.bytes);
    }
    None => {
        "nv-header" "bin" "a 32-byte texture header of a pool (explain --state nv-header)" |u| Ok(txq::header(u)?.iter().flat_map(|d| d.to_le_bytes()).collect());
        "surface" "bin" "a RENDER_SURFACE_STATE with a defined layout (explain --state surface)" |u| Ok(placed::surface(u, Platform::Gen11)?.to_bytes().to_vec());
        "sampler" "bin" "a SAMPLER_STATE (explain --state sampler)" |u| Ok(state::sampler(u)?.iter().flat_map(|d| d.to_le_bytes()).collect());
        "job" "json" "a sampler message with its state and memory, as one line of JSON (serve)" |u| line(&job::job(u)?);
        "job-plain" "json" "a job that a young model does first: one level, 2D, linear, R8G8B8A8 (serve)" |u| line(&plain::job(u)?);
        "device-binary" "bin" "a device binary that is in order, its code full of near misses (decode)" |u| Ok(device_binary::device_binary(u)?.bytes);
        "device-binary-damaged" "bin" "a device binary with bytes changed or cut off (decode)" |u| {
            let bytes = device_binary::device_binary(u)?.bytes;
            damaged(u, bytes)
        };
    }
}

/// Returns all kinds: those of the wires first.
pub fn kinds() -> impl Iterator<Item = &'static InputKind> {
    KINDS.iter()
}

/// Returns a job as a line of JSON.
fn line(job: &Job) -> Result<Vec<u8>> {
    let line = serde_json::to_string(job).map_err(|_| arbitrary::Error::IncorrectFormat)?;
    Ok((line + "\n").into_bytes())
}

/// Records up to four jobs; those that a trace cannot hold are skipped.
fn run(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut writer = TraceWriter::new(Vec::new());
    for _ in 0..u.int_in_range(1..=4)? {
        let job = job::job(u)?;
        if let Ok(Some(outcome)) = CoreEngine.execute(&job) {
            // A job is refused before its first record, so that the trace stays valid.
            let _ = writer.job(&job, &outcome);
        }
    }
    writer.finish().map_err(|_| arbitrary::Error::IncorrectFormat)
}

/// Changes one to four bytes, and cuts off the end of every other input.
fn damaged(u: &mut Unstructured<'_>, mut bytes: Vec<u8>) -> Result<Vec<u8>> {
    for _ in 0..u.int_in_range(1..=4)? {
        let at = u.choose_index(bytes.len())?;
        bytes[at] ^= u.int_in_range(1..=255u8)?;
    }
    if u.arbitrary()? {
        bytes.truncate(u.choose_index(bytes.len())?);
    }
    Ok(bytes)
}

/// The number of random bytes that a generator gets first. If they are not enough, it gets twice as many.
const FIRST: usize = 1 << 15;
/// The largest number of random bytes that a generator gets.
const MOST: usize = 1 << 20;

impl InputKind {
    /// The kind with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        kinds().find(|kind| kind.name == name)
    }

    /// Returns input `number` of `seed`, which is the same on every machine.
    pub fn make(&self, seed: u64, number: u64) -> Vec<u8> {
        let start = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number;
        let mut len = FIRST;
        while len <= MOST {
            let bytes = random(start, len);
            if let Ok(made) = (self.make)(&mut Unstructured::new(&bytes)) {
                return made;
            }
            len *= 2;
        }
        Vec::new()
    }
}
