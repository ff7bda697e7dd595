//! What the checks of both engines share: the engines, the test for equal results, and a defect of the ground truth.

use crate::core_engine::CoreEngine;
use crate::emulator::Emulator;
use crate::engine::Engine;
use serde_json::Value;
use std::path::Path;

/// The engines that are checked.
pub(super) const ENGINES: &[&dyn Engine] = &[&CoreEngine, &Emulator];

/// Returns the first line of a `.jsonl` file; `None` for other files.
pub(super) fn first_line(path: &Path) -> Option<Value> {
    if path.extension()? != "jsonl" {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    serde_json::from_str(text.lines().next()?).ok()
}

/// Returns the cases of the text of a `.jsonl` file, one a line; errors have the line's number.
pub(super) fn cases(text: &str) -> impl Iterator<Item = Result<Value, String>> {
    let lines = (1..).zip(text.lines());
    lines.map(|(number, line)| serde_json::from_str(line).map_err(|why| format!("line {number}: {why}")))
}

/// Returns whether the patterns are equal or, with a tolerance, the floats are within it (relative above 1); NaN equals NaN.
pub(super) fn close(got: u32, expected: u32, tol: Option<f64>) -> bool {
    let Some(tol) = tol else { return got == expected };
    let (x, y) = (f64::from(f32::from_bits(got)), f64::from(f32::from_bits(expected)));
    if y.is_nan() {
        return x.is_nan();
    }
    // An infinite bound would let any number pass for an infinity.
    x == y || y.is_finite() && (x - y).abs() <= tol * y.abs().max(1.0)
}

/// The reference engine converts negative components of 2-10-10-10 SSCALED formats as if they were
/// unsigned (4294967295 for -1); every other signed scaled format of the same files is right. Such a value
/// is no ground truth (`harness/corpus/formats/README.md` says how it comes about).
pub(super) const DEFECT: &str = "negative 2-10-10-10 SSCALED (wrong in the ground truth)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_infinities_are_close_to_infinities() {
        let close = |got: f32, expected: f32| close(got.to_bits(), expected.to_bits(), Some(1e-6));
        assert!(close(f32::INFINITY, f32::INFINITY) && close(1.0, 1.0 + f32::EPSILON));
        for got in [0.0, f32::MAX, f32::NEG_INFINITY, f32::NAN] {
            assert!(!close(got, f32::INFINITY) && !close(f32::INFINITY, got), "{got}");
        }
    }
}
