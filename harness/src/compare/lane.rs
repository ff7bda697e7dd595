//! The lanes of a writeback.

use super::disagreement_kind::DisagreementKind;
use crate::emulator::sample::BoundJob;
use crate::engine::{Job, Outcome};

/// The result of a lane as an engine returned it.
#[derive(Clone, Copy, Debug)]
pub struct LaneResult {
    /// The bits of R, G, B, A; `None` for channels that the job does not return.
    pub values: [Option<u32>; 4],
    /// True if the lane read a null page.
    pub null: bool,
    /// True if the lane faulted.
    pub fault: bool,
}

/// Splits an outcome into the results of the active lanes, with their numbers.
///
/// # Errors
/// The outcome is not a writeback of this job: its size is wrong, or bytes that belong to no active lane were written.
pub fn lanes_of(
    job: &Job,
    bound: &BoundJob<'_>,
    outcome: &Outcome,
) -> Result<Vec<(usize, LaneResult)>, (DisagreementKind, String)> {
    let width = if job.half_return { 2 } else { 4 };
    let gather = bound.op.name.starts_with("gather4");
    let stride = (usize::from(job.simd) * width).div_ceil(32) * 32;
    let enabled: Vec<usize> = (0..4).filter(|c| gather || job.channels >> c & 1 == 1).collect();
    let size = stride * enabled.len() + (usize::from(job.null_mask) + usize::from(job.kill_mask)) * 32;
    if outcome.writeback.len() != size {
        let found = outcome.writeback.len();
        return Err((DisagreementKind::Size, format!("a writeback of {found} bytes, expected {size}")));
    }
    let mut untouched = outcome.writeback.clone();
    let mask = masks(job, outcome, &mut untouched, stride * enabled.len())?;
    let active = (0..usize::from(job.simd)).filter(|lane| job.lanes >> lane & 1 == 1);
    let lanes = active.map(|lane| {
        let mut values = [None; 4];
        for (position, &channel) in enabled.iter().enumerate() {
            let at = position * stride + lane * width;
            let mut bytes = [0; 4];
            bytes[..width].copy_from_slice(&outcome.writeback[at..at + width]);
            values[channel] = Some(u32::from_le_bytes(bytes));
            untouched[at..at + width].fill(0);
        }
        (lane, LaneResult { values, null: mask >> lane & 1 == 0, fault: outcome.faults >> lane & 1 == 1 })
    });
    let lanes = lanes.collect();
    match untouched.iter().position(|byte| *byte != 0) {
        Some(at) => {
            let why = format!("byte {at} of the writeback belongs to no active lane but was written");
            Err((DisagreementKind::Untouched, why))
        }
        None => Ok(lanes),
    }
}

/// Returns the null mask, which is at byte `at` of the writeback (all ones if there is none). Checks it and the kill mask, and clears both
/// in `untouched`.
fn masks(
    job: &Job,
    outcome: &Outcome,
    untouched: &mut [u8],
    at: usize,
) -> Result<u32, (DisagreementKind, String)> {
    if job.kill_mask {
        let size = untouched.len();
        let kill = &mut untouched[size - 32..size - 28];
        if kill != [0xff; 4] {
            return Err((
                DisagreementKind::OutsideLanes,
                format!("a kill mask of {kill:02x?} without a chroma key"),
            ));
        }
        kill.fill(0);
    }
    let mask = if job.null_mask {
        let mask = u32::from_le_bytes(untouched[at..at + 4].try_into().unwrap_or_default());
        untouched[at..at + 4].fill(0);
        mask
    } else {
        u32::MAX
    };
    if mask | job.lanes != u32::MAX || outcome.faults & !job.lanes != 0 {
        let faults = outcome.faults;
        let why = format!("null mask {mask:#x} or faults {faults:#x} outside lanes {:#x}", job.lanes);
        return Err((DisagreementKind::OutsideLanes, why));
    }
    Ok(mask)
}
