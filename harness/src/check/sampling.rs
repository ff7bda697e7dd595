//! Checks ground truth of sampling, on both engines and with both precisions.
//!
//! Results of cases of grade `check` must be equal within their tolerance, except in their ambiguous lanes; those of grade `info`
//! have no portable answer and must be finite and no larger than the texels and the border.

use super::both_engines::{DEFECT, ENGINES, cases, close, first_line};
use super::tally::{Checker, Tally};
use crate::check::cases::sampling::{claims as is_case, job, run, words};
use crate::emulator::formats::{Format, code};
use crate::engine::{Engine, Precision};
use serde_json::Value;
use std::path::Path;

/// The checker.
pub const CHECKER: Checker = Checker { name: "sampling", claims, check };

fn claims(path: &Path) -> bool {
    first_line(path).is_some_and(|case| is_case(&case))
}

fn check(path: &Path, tally: &mut Tally) -> Result<(), Box<dyn std::error::Error>> {
    for case in cases(&std::fs::read_to_string(path)?) {
        let case = case?;
        for engine in ENGINES {
            for precision in [Precision::Float, Precision::Fixed8] {
                let category = format!(
                    "{} ({}, {precision:?})",
                    case["cat"].as_str().unwrap_or_default(),
                    engine.name()
                );
                let result = one(*engine, &case, precision).map_err(|why| format!("{}: {why}", case["id"]));
                tally.note(&category, result);
            }
        }
        if is_defective(&case) {
            tally.skip(DEFECT);
        }
        let ambiguous = case["ambiguous"].as_array().map_or(0, Vec::len);
        (0..ambiguous).for_each(|_| tally.skip("ambiguous lanes"));
    }
    Ok(())
}

fn one(engine: &dyn Engine, case: &Value, precision: Precision) -> Result<(), String> {
    let got = run(engine, case, precision)?;
    let expected = words(case["exp"].as_str().ok_or("no exp")?)?;
    if got.len() * 4 != expected.len() {
        return Err(format!("{} lanes, expected {}", got.len(), expected.len() / 4));
    }
    if case["grade"] != "check" {
        return in_range(case, &got);
    }
    let tol = match precision {
        Precision::Fixed8 => case["tol_q8"].as_f64().or(case["tol"].as_f64()),
        Precision::Float => case["tol"].as_f64(),
    };
    let tol = if case["ret"] == "F32" { Some(tol.ok_or("no tol")?) } else { None };
    let op = case["op"].as_str().unwrap_or_default();
    let channels = match op {
        "LOD" => 2,
        _ if op.starts_with("sample") && op.contains("_c") => 1,
        _ => 4,
    };
    let skip = |lane: usize| {
        case["ambiguous"].as_array().is_some_and(|list| list.iter().any(|l| l.as_u64() == Some(lane as u64)))
    };
    let defect = |bits: u32| is_defective(case) && f32::from_bits(bits).abs() > 2048.0;
    for (lane, got) in got.iter().enumerate().filter(|(lane, _)| !skip(*lane)) {
        for channel in 0..channels {
            let expected = expected[lane * 4 + channel];
            if !defect(expected) && !close(got[channel], expected, tol) {
                return Err(format!(
                    "lane {lane} channel {channel}: {} ({:#x}), expected {} ({expected:#x})",
                    f32::from_bits(got[channel]),
                    got[channel],
                    f32::from_bits(expected)
                ));
            }
        }
    }
    Ok(())
}

/// Returns whether the case has the format whose values are wrong in the ground truth: see [`DEFECT`].
fn is_defective(case: &Value) -> bool {
    case["surface"]["format"].as_str().is_some_and(|format| format.ends_with("10A2_SSCALED"))
}

/// Checks that the results are finite, and not beyond the largest texel or border component.
fn in_range(case: &Value, got: &[[u32; 4]]) -> Result<(), String> {
    let surface = &case["surface"];
    let name = surface["format"].as_str().ok_or("no format")?;
    let format = Format::of(code(name).ok_or("unknown format")?)?;
    let mut largest = 1.0f64;
    for level in surface["levels"].as_array().ok_or("no levels")? {
        let bytes = crate::hex::decode(level.as_str().unwrap_or_default())?;
        for element in bytes.chunks_exact(format.bytes) {
            for y in 0..format.block.1 {
                for x in 0..format.block.0 {
                    let texel = format.decode(element, x, y, &[], false);
                    largest = texel.iter().fold(largest, |m, c| m.max(c.abs()));
                }
            }
        }
    }
    let border = job(case, Precision::Float)?.border;
    let largest = border.iter().fold(largest, |m, c| m.max(f64::from(f32::from_bits(*c)).abs()));
    for (lane, got) in got.iter().enumerate() {
        for bits in got {
            let value = f64::from(f32::from_bits(*bits));
            if !(value.abs() <= largest * 1.000_001) {
                return Err(format!("lane {lane}: {value} is beyond the largest texel {largest}"));
            }
        }
    }
    Ok(())
}
