//! Generators by name: what `texwire gen` writes, and seeds of fuzzing.

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
pub struct Kind {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, and how to read it.
    pub about: &'static str,
    /// Ending of its files.
    pub extension: &'static str,
    /// The name of the wire that its bytes are of; none: states, jobs, device binaries.
    pub wire: Option<&'static str>,
    /// Makes one.
    make: Make,
}

/// Makes an input of random bytes.
type Make = fn(&mut Unstructured<'_>) -> Result<Vec<u8>>;

macro_rules! kinds {
    ($($wire:expr => { $($name:literal $extension:literal $about:literal $make:expr;)* })*) => {
        /// All kinds, by wire: the most usual one of each first.
        const KINDS: &[Kind] = &[$($(
            Kind { name: $name, about: $about, extension: $extension, wire: $wire, make: $make },
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

/// All kinds: those of the wires, then the others.
pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    KINDS.iter()
}

/// A job as a line of JSON.
fn line(job: &Job) -> Result<Vec<u8>> {
    let line = serde_json::to_string(job).map_err(|_| arbitrary::Error::IncorrectFormat)?;
    Ok((line + "\n").into_bytes())
}

/// Up to four jobs, recorded; those that a trace has no words for are passed over.
fn run(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut writer = TraceWriter::new(Vec::new());
    for _ in 0..u.int_in_range(1..=4)? {
        let job = job::job(u)?;
        if let Ok(Some(outcome)) = CoreEngine.execute(&job) {
            // Refused before its first record: the trace is none the worse.
            let _ = writer.job(&job, &outcome);
        }
    }
    writer.finish().map_err(|_| arbitrary::Error::IncorrectFormat)
}

/// One to four bytes changed; one in two cut short.
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

/// Random bytes a generator starts with; when they do not suffice it gets twice as many.
const FIRST: usize = 1 << 15;
/// It never gets more than these.
const MOST: usize = 1 << 20;

impl Kind {
    /// The kind with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        kinds().find(|kind| kind.name == name)
    }

    /// Input `number` of `seed`: the same on every machine.
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
