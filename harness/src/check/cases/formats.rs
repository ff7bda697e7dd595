//! Runs cases of texel formats (a line per format: texels or blocks in memory order) by reading them with `ld`.
//!
//! Blocks have 4x4 texels unless `block_w` and `block_h` say otherwise.

use super::image::SurfaceSpec;
use super::{digits, run_lanes};
use crate::engine::{Engine, Job, Precision};
use serde_json::Value;

/// Returns whether the line is one of `texels.jsonl`.
pub fn is_texels(case: &Value) -> bool {
    case["texels"].is_string()
}

/// Returns whether the line is one of `blocks.jsonl`, `astc.jsonl`, `fxt1.jsonl`.
pub fn is_blocks(case: &Value) -> bool {
    case["blocks"].is_array()
}

/// Returns the width and height of an element of the case, in texels.
pub fn footprint(case: &Value) -> (u64, u64) {
    let side = |name: &str| case[name].as_u64().unwrap_or(4);
    if is_blocks(case) { (side("block_w"), side("block_h")) } else { (1, 1) }
}

/// Returns the R, G, B, A patterns of every texel of the case: elements in memory order, the texels of a block in raster order.
///
/// # Errors
/// The case is malformed, or the engine refuses it.
pub fn run(engine: &dyn Engine, case: &Value, precision: Precision) -> Result<Vec<[u32; 4]>, String> {
    let format = case["format"].as_str().ok_or("no format")?;
    let (data, size) = if is_blocks(case) {
        let blocks = case["blocks"].as_array().ok_or("no blocks")?;
        let hex: String = blocks.iter().filter_map(Value::as_str).collect();
        (crate::hex::decode(&hex)?, "block_bytes")
    } else {
        (crate::hex::decode(case["texels"].as_str().unwrap_or_default())?, "bytes_per_texel")
    };
    let (width, height) = footprint(case);
    let bytes = case[size].as_u64().filter(|bytes| *bytes > 0).ok_or("no size")? as usize;
    if width == 0 || height == 0 {
        return Err("a block without texels".to_owned());
    }
    // ASTC surfaces are Y-major, others may be linear.
    let tile = if format.starts_with("ASTC") { 3 } else { 0 };
    let mut results = Vec::new();
    // Every 1024 elements are read as a 2D surface of one row of elements.
    for row in data.chunks(bytes * 1024) {
        let count = (row.len() / bytes) as u64;
        let image = SurfaceSpec {
            kind: "2D",
            format,
            width: count * width,
            height,
            depth: 1,
            layers: 1,
            mips: 1,
            tile,
        };
        let mut job = Job::new("ld");
        job.precision = precision;
        job.surface = image.state()?;
        job.memory = vec![image.memory(&job.surface, &[row.to_vec()])?].into();
        let lanes: Vec<Vec<u32>> = (0..count * width * height)
            .map(|i| {
                let (element, inside) = (i / (width * height), i % (width * height));
                vec![(element * width + inside % width) as u32, (inside / width) as u32]
            })
            .collect();
        results.extend(run_lanes(engine, &job, &["u", "v"], &lanes)?);
    }
    Ok(results)
}

/// Runs a case and returns its output line.
pub fn line(engine: &dyn Engine, case: &Value, precision: Precision) -> Value {
    match run(engine, case, precision) {
        Ok(results) => serde_json::json!({"format": case["format"], "out": digits(&results)}),
        Err(why) => serde_json::json!({"format": case["format"], "error": why}),
    }
}
