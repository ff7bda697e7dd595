//! Executable ground truth: cases read from its files, run on an engine.

pub mod formats;
pub mod headers;
pub mod image;
pub mod sampling;

use crate::emulator::sample::ops::Op;
use crate::engine::{Engine, Job};

/// Runs `inputs[lane][parameter]` (parameters named by `names`) in SIMD8 messages. Returns the R, G,
/// B, A patterns, lane after lane.
///
/// # Errors
/// The engine refuses the job, or a lane faults.
pub fn run_lanes(
    engine: &dyn Engine,
    job: &Job,
    names: &[&str],
    inputs: &[Vec<u32>],
) -> Result<Vec<[u32; 4]>, String> {
    let op = Op::find(&job.op, false).ok_or_else(|| format!("unknown operation {}", job.op))?;
    let order: Vec<&str> = op.params.split_whitespace().collect();
    if let Some(name) = names.iter().find(|name| !order.contains(*name)) {
        return Err(format!("{} has no parameter {name}", job.op));
    }
    let count = order.iter().rposition(|p| names.contains(p)).map_or(0, |last| last + 1);
    let mut results = Vec::new();
    for lanes in inputs.chunks(8) {
        let value = |param: &str, lane: usize| {
            let index = names.iter().position(|name| *name == param);
            index.and_then(|i| lanes.get(lane)?.get(i).copied()).unwrap_or(0)
        };
        let params = order[..count].iter().map(|p| (0..8).map(|lane| value(p, lane)).collect()).collect();
        let job = Job { simd: 8, lanes: (1 << lanes.len()) - 1, params, ..job.clone() };
        let outcome =
            engine.execute(&job)?.ok_or_else(|| format!("{} does not execute {}", engine.name(), job.op))?;
        if outcome.faults != 0 {
            return Err(format!("lanes {:#x} fault", outcome.faults));
        }
        for lane in 0..lanes.len() {
            results.push(std::array::from_fn(|channel| {
                let at = channel * 32 + lane * 4;
                let bytes = outcome.writeback.get(at..at + 4).and_then(|b| b.try_into().ok());
                bytes.map_or(0, u32::from_le_bytes)
            }));
        }
    }
    Ok(results)
}

/// Returns results as hex: lane after lane, eight digits a value, most significant digit first.
pub fn digits(results: &[[u32; 4]]) -> String {
    results.iter().flatten().map(|value| format!("{value:08x}")).collect()
}
