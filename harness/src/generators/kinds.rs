//! Generators by name: what `texwire gen` writes, and seeds of fuzzing.

use super::{device_binary, job, placed, plain, state, txq};
use crate::core_engine::CoreEngine;
use crate::engine::{Engine, Job};
use crate::trace_file::TraceWriter;
use crate::wires::WIRES;
use arbitrary::{Result, Unstructured};

/// A kind of input.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, and how to read it.
    pub about: &'static str,
    /// Ending of its files.
    pub extension: &'static str,
    /// Makes one.
    pub(crate) make: Make,
}

/// Makes an input of random bytes.
pub type Make = fn(&mut Unstructured<'_>) -> Result<Vec<u8>>;

macro_rules! kinds {
    ($($name:literal $extension:literal $about:literal $make:expr;)*) => {
        /// The kinds that are of no wire.
        const OTHERS: &[Kind] = &[$(Kind { name: $name, about: $about, extension: $extension, make: $make }),*];
    };
}

kinds! {
    "nv-header" "bin" "a 32-byte texture header of a pool (explain --state nv-header)" |u| Ok(txq::header(u)?.iter().flat_map(|d| d.to_le_bytes()).collect());
    "surface" "bin" "a RENDER_SURFACE_STATE with a defined layout (explain --state surface)" |u| Ok(placed::surface(u, texwire::Platform::Gen11)?.to_bytes().to_vec());
    "sampler" "bin" "a SAMPLER_STATE (explain --state sampler)" |u| Ok(state::sampler(u)?.iter().flat_map(|d| d.to_le_bytes()).collect());
    "job" "json" "a sampler message with its state and memory, as one line of JSON (serve)" |u| line(&job::job(u)?);
    "job-plain" "json" "a job that a young model does first: one level, 2D, linear, R8G8B8A8 (serve)" |u| line(&plain::job(u)?);
    "device-binary" "bin" "a device binary that is in order, its code full of near misses (decode)" |u| Ok(device_binary::device_binary(u)?.bytes);
    "device-binary-damaged" "bin" "a device binary with bytes changed or cut off (decode)" |u| {
        let bytes = device_binary::device_binary(u)?.bytes;
        damaged(u, bytes)
    };
}

/// All kinds: those of the wires, then the others.
pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    WIRES.into_iter().flat_map(|wire| wire.generators()).chain(OTHERS)
}

/// A job as a line of JSON.
fn line(job: &Job) -> Result<Vec<u8>> {
    let line = serde_json::to_string(job).map_err(|_| arbitrary::Error::IncorrectFormat)?;
    Ok((line + "\n").into_bytes())
}

/// Up to four jobs, recorded; those that a trace has no words for are passed over.
pub(crate) fn run(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
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
pub(crate) fn damaged(u: &mut Unstructured<'_>, mut bytes: Vec<u8>) -> Result<Vec<u8>> {
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

/// `len` random bytes (splitmix64); longer ones begin with shorter ones.
pub fn random(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31).to_le_bytes()
    };
    let mut bytes: Vec<u8> = (0..len.div_ceil(8)).flat_map(|_| next()).collect();
    bytes.truncate(len);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind makes different, mostly non-empty inputs, the same ones again for the same seed.
    #[test]
    fn kinds_are_reproducible_and_varied() {
        for kind in kinds() {
            let made: Vec<_> = (0..24).map(|number| kind.make(7, number)).collect();
            assert_eq!(made[3], kind.make(7, 3), "{}", kind.name);
            assert_ne!(made, (0..24).map(|number| kind.make(8, number)).collect::<Vec<_>>(), "{}", kind.name);
            let filled = made.iter().filter(|bytes| !bytes.is_empty()).count();
            assert!(filled >= 16, "{}: {filled} of 24", kind.name);
            let distinct: std::collections::BTreeSet<_> = made.iter().collect();
            assert!(distinct.len() >= 16, "{}: {} of 24", kind.name, distinct.len());
        }
    }

    #[test]
    fn files_are_of_their_kind() {
        use crate::containers::device_binary::is_device_binary;
        for number in 0..20 {
            assert!(Kind::find("cisa").unwrap().make(1, number).starts_with(b"CISA"));
            assert!(is_device_binary(&Kind::find("device-binary").unwrap().make(1, number)));
        }
    }
}
