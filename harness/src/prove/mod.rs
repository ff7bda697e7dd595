//! Proofs by exhaustion: for every input of a small domain, the core is compared with the oracle.
//!
//! A proof numbers its inputs from 0 on, and ranges of them are given to all processors. Domains of more than 2^33 inputs are left to
//! property tests and fuzz targets.
//!
//! Imports: the core, [`emulator`](crate::emulator), [`simd`](crate::simd), a palette and the formats of
//! [`generators`](crate::generators), and a comparison of [`properties`](crate::properties).

mod encodings;
mod floats;
mod formats;
mod surface;

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Judges inputs in order. `Err`: for the first input on which they differ, the results of core and oracle.
pub type Judge = fn(&mut dyn Iterator<Item = u64>) -> Result<(), String>;

/// A proof: its domain, and the function that judges the domain's inputs.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// Its name on the command line.
    pub name: &'static str,
    /// The domain and what is compared, in words.
    pub domain: &'static str,
    /// Returns the number of inputs.
    pub size: fn() -> u64,
    /// The function that judges inputs.
    pub judge: Judge,
}

/// Every proof, in the order of execution.
pub const PROOFS: &[Proof] = &[
    Proof {
        name: "codecs",
        domain: "elements of all formats of 8 and 16 bits, every value of each channel of up to 16 bits of wider ones \
            (other bits 0 and 1), with and without sRGB, decoder and SIMD16 ld",
        size: formats::size,
        judge: formats::judge,
    },
    Proof {
        name: "half-coordinates",
        domain: "16-bit U coordinates, 8 address modes, 6 level sizes, SIMD16 NEAREST",
        size: || floats::HALF_COORDINATES,
        judge: floats::half_coordinates,
    },
    Proof {
        name: "txq-control",
        domain: "TXQ control fields of each slot, neighbours 0 and 1",
        size: || encodings::CONTROL,
        judge: encodings::control,
    },
    Proof {
        name: "txq-words",
        domain: "TXQ words: opcode bits, query, texture phase; registers, mask, guard; text and source registers",
        size: || encodings::WORDS,
        judge: encodings::words,
    },
    Proof {
        name: "visa-headers",
        domain: "header bytes of vISA instructions: every opcode with every next byte, and every value of each pair of header \
            bytes of the four sampler instructions, CISA 3.0, 3.2, 3.4, 3.6, 4.0, 4.1",
        size: || encodings::HEADERS,
        judge: encodings::headers,
    },
    Proof {
        name: "descriptor-modes",
        domain: "sampler message types and SIMD modes of each platform: symbol, lanes, parameter width",
        size: || encodings::MODES,
        judge: encodings::modes,
    },
    Proof {
        name: "descriptors",
        domain: "sampler message descriptors: every field of every word",
        size: || 1 << 32,
        judge: encodings::descriptors,
    },
    Proof {
        name: "writeback",
        domain: "floats: to half precision (scalar), and through SIMD16 ld to 32-bit and 16-bit results",
        size: || 1 << 32,
        judge: floats::writeback,
    },
    Proof {
        name: "coordinate-wrap",
        domain: "floats as normalized U, WRAP, 5 texels, SIMD16 NEAREST",
        size: || 1 << 32,
        judge: floats::wrap,
    },
    Proof {
        name: "coordinate-clamp",
        domain: "floats as non-normalized U, CLAMP, 1000 texels, SIMD16 NEAREST",
        size: || 1 << 32,
        judge: floats::clamp,
    },
    Proof {
        name: "coordinate-border",
        domain: "floats as normalized U, CLAMP_BORDER, 8 texels, SIMD16 NEAREST",
        size: || 1 << 32,
        judge: floats::border,
    },
    Proof {
        name: "array-index",
        domain: "floats as array index R, 7 slices, SIMD16",
        size: || 1 << 32,
        judge: floats::array_index,
    },
    Proof {
        name: "unorm32",
        domain: "32-bit UNORM channels to floats, SIMD16 ld",
        size: || 1 << 32,
        judge: floats::unorm32,
    },
    Proof {
        name: "snorm32",
        domain: "32-bit SNORM channels to floats, SIMD16 ld",
        size: || 1 << 32,
        judge: floats::snorm32,
    },
    Proof {
        name: "uscaled32",
        domain: "32-bit USCALED channels to floats, SIMD16 ld",
        size: || 1 << 32,
        judge: floats::uscaled32,
    },
    Proof {
        name: "sscaled32",
        domain: "32-bit SSCALED channels to floats, SIMD16 ld",
        size: || 1 << 32,
        judge: floats::sscaled32,
    },
    Proof {
        name: "sfixed32",
        domain: "32-bit SFIXED channels to floats, SIMD16 ld",
        size: || 1 << 32,
        judge: floats::sfixed32,
    },
];

/// The result of a proof.
#[derive(Clone, Debug)]
pub struct ProofResult {
    /// The number of inputs that were judged.
    pub checked: u64,
    /// The elapsed time.
    pub time: Duration,
    /// The first difference that was found.
    pub difference: Option<String>,
}

/// The number of inputs that a thread takes at once.
const BATCH: u64 = 1 << 16;

impl Proof {
    /// Judges every `step`th input (1: all inputs) on `threads` threads. `progress` gets the number of inputs judged so far.
    pub fn run(&self, step: u64, threads: usize, progress: &(dyn Fn(u64) + Sync)) -> ProofResult {
        let count = (self.size)().div_ceil(step);
        let started = Instant::now();
        let (next, done, failed) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
        let difference = Mutex::new(None);
        let work = || {
            while !failed.load(Ordering::Relaxed) {
                let first = next.fetch_add(BATCH, Ordering::Relaxed);
                let batch: Range<u64> = first..count.min(first.saturating_add(BATCH));
                if batch.is_empty() {
                    return;
                }
                let len = batch.end - batch.start;
                if let Err(why) = (self.judge)(&mut batch.map(|number| number * step)) {
                    failed.store(true, Ordering::Relaxed);
                    difference.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(why);
                    return;
                }
                progress(done.fetch_add(len, Ordering::Relaxed) + len);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
        ProofResult {
            checked: done.into_inner(),
            time: started.elapsed(),
            difference: difference.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner),
        }
    }
}
