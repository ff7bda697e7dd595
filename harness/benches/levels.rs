//! Whether code for wider vectors is slower: each state with AVX2 beside SSE2, and with AVX-512 beside AVX2.
//!
//! Compilers make scalar code or gathers of a loop for one level of instructions and not for another, which no test of results shows.
//! The fastest of several runs counts, and a state has several attempts, later ones after a pause; [`LIMIT`] leaves room for a busy
//! machine. Levels that the processor does not have are left out.
//!
//! `cargo bench -p texwire-harness --bench levels` lists what is slower. Exit status: 0, 1 = a level is slower.

use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;
use texwire_harness::bench::state::SamplingState;
use texwire_harness::bench::{Workload, measure, sampling};
use texwire_harness::simd;

/// A wider level may take so many times what a narrower one takes.
const LIMIT: f64 = 1.5;
/// Seconds before each attempt: a machine is slower for a while.
const PAUSES: [u64; 6] = [0, 0, 0, 1, 4, 16];
/// How long a state is measured at a level in an attempt.
const TIME: Duration = Duration::from_millis(5);

/// How texels are read, how they are decoded, how results are written: every kernel of a kind is in one of them.
const OPERATIONS: [&str; 11] = [
    "op=ld",
    "op=sample_lz,filter=nearest",
    "op=sample_lz",
    "op=sample_lz,kind=3d",
    "op=sample_lz,kind=cube",
    "op=sample_lz,kind=2d_array",
    "op=sample_l,mip=linear",
    "op=sample,mip=linear",
    "op=sample_d,mip=linear,lod=1.5,stretch=4,aniso=4",
    "op=sample_min",
    "op=gather4",
];
const FORMATS: [&str; 11] = [
    "R8G8B8A8_UNORM",
    "R8G8B8A8_SNORM",
    "R16G16B16A16_FLOAT",
    "R11G11B10_FLOAT",
    "R32G32B32A32_FLOAT",
    "R9G9B9E5_SHAREDEXP",
    "R8G8B8A8_UNORM_SRGB",
    "BC1_UNORM",
    "BC1_UNORM_SRGB",
    "BC5_UNORM",
    "EAC_R11",
];
const COMPARISONS: [&str; 3] = ["op=sample_c_lz", "op=sample_c,mip=linear", "op=gather4_c"];
const CHANGED: [&str; 3] = ["op=ld", "op=sample_lz", "op=sample_lz,format=R16G16_FLOAT"];
const CHANGES: [&str; 13] = [
    "tile=y",
    "tile=ys",
    "size=500",
    "mode=border",
    "mode=mirror",
    "memory=paged",
    "precision=fixed8",
    "return=16",
    "params=16",
    "simd=8",
    "lanes=0x7fff",
    "coords=texels",
    "swizzle=bgra",
];
const INTEGERS: [&str; 2] = ["format=R8G8B8A8_UINT", "format=R32G32B32A32_UINT,return=16"];

/// The states, each once. Some do not go together: filters of integers, say.
fn states() -> impl Iterator<Item = String> {
    let pairs = |states: &'static [&str], more: &'static [&str], key: &'static str| {
        states.iter().flat_map(move |state| more.iter().map(move |one| format!("{state},{key}{one}")))
    };
    pairs(&OPERATIONS, &FORMATS, "format=")
        .chain(COMPARISONS.iter().map(|state| format!("{state},format=R32_FLOAT")))
        .chain(pairs(&CHANGED, &CHANGES, ""))
        .chain(pairs(&CHANGED[..2], &INTEGERS, ""))
}

/// A level's name, the state's workload at that level, and the fastest run yet in nanoseconds a sample.
type Measured = (&'static str, Workload, f64);

/// The state at every level that this processor has; `None` if its parts do not go together.
fn levels(state: &str) -> Option<Vec<Measured>> {
    simd::available()
        .map(|level| {
            let state = format!("{state},simd_level={}", level.name()).parse::<SamplingState>().ok()?;
            let (workload, _) = sampling::prepare(&state, level.name()).ok()?;
            Some((level.name(), workload, f64::INFINITY))
        })
        .collect()
}

/// What is slower at a wider level after all attempts, in words.
fn slower(state: &str, levels: &mut [Measured]) -> Vec<String> {
    let mut found = Vec::new();
    for pause in PAUSES {
        sleep(Duration::from_secs(pause));
        for (_, workload, fastest) in &mut *levels {
            *fastest = measure(workload, TIME).fastest_nanoseconds().min(*fastest);
        }
        let pairs = levels.windows(2).filter_map(|pair| match pair {
            [(narrow, _, before), (wide, _, after)] if *after > *before * LIMIT => {
                Some(format!("{state}: {after:.1} ns a sample with {wide}, {before:.1} with {narrow}"))
            }
            _ => None,
        });
        found = pairs.collect();
        if found.is_empty() {
            break;
        }
    }
    found
}

fn main() -> ExitCode {
    let (mut measured, mut all) = (0, 0);
    for state in states() {
        let Some(mut levels) = levels(&state) else { continue };
        measured += 1;
        for line in slower(&state, &mut levels) {
            println!("{line}");
            all += 1;
        }
    }
    println!("{measured} states, {all} slower with wider vectors");
    // A typing error in a state would leave it out.
    assert!(measured >= 160, "only {measured} states can be executed");
    ExitCode::from(u8::from(all > 0))
}
