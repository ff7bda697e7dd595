//! Runs cases of texel formats (a line per format: texels or blocks in memory order) by reading them with `ld`.
//!
//! Blocks have 4x4 texels unless `block_w` and `block_h` say otherwise.

use super::image::SurfaceSpec;
use super::{digits, run_lanes};
use crate::emulator::formats::{self, Format};
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

/// Returns the format of the case.
///
/// # Errors
/// There is no such format, or its elements are not those of the case.
pub fn format_of(case: &Value) -> Result<Format, String> {
    let name = case["format"].as_str().ok_or("no format")?;
    let format = Format::of(formats::code(name).ok_or_else(|| format!("unknown format {name}"))?)?;
    let size = if is_blocks(case) { "block_bytes" } else { "bytes_per_texel" };
    if case[size] != format.bytes {
        return Err(format!("{size} is {}: {name} has {}", case[size], format.bytes));
    }
    let side = |side: &str| case[side].as_u64().unwrap_or(4);
    let (width, height) = (side("block_w"), side("block_h"));
    if is_blocks(case) && (width, height) != (format.block.0 as u64, format.block.1 as u64) {
        let (own_width, own_height) = format.block;
        return Err(format!("blocks of {width} x {height} texels: {name} has {own_width} x {own_height}"));
    }
    Ok(format)
}

/// Returns the R, G, B, A patterns of every texel of the case: elements in memory order, the texels of a block in raster order.
///
/// # Errors
/// The case is malformed, or the engine refuses it.
pub fn run(engine: &dyn Engine, case: &Value, precision: Precision) -> Result<Vec<[u32; 4]>, String> {
    let Format { name: format, bytes, block, .. } = format_of(case)?;
    let (data, (width, height)) = if is_blocks(case) {
        let blocks = case["blocks"].as_array().ok_or("no blocks")?;
        let hex: Result<String, _> =
            blocks.iter().map(|block| block.as_str().ok_or("a block is no text")).collect();
        (crate::hex::decode(&hex?)?, (block.0 as u64, block.1 as u64))
    } else {
        (crate::hex::decode(case["texels"].as_str().unwrap_or_default())?, (1, 1))
    };
    if !data.len().is_multiple_of(bytes) {
        return Err(format!("{} bytes: an element of {format} has {bytes}", data.len()));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core_engine::CoreEngine;
    use serde_json::json;

    #[test]
    fn elements_are_those_of_the_format() {
        let run = |case: Value| run(&CoreEngine, &case, Precision::Float).map(|texels| texels.len());
        let texels =
            |bytes: u64| run(json!({"format": "R8_UNORM", "texels": "00ff", "bytes_per_texel": bytes}));
        assert_eq!(texels(1), Ok(2));
        // A row of 1024 elements of 2^54 bytes has 0 bytes in 64 bits.
        for bytes in [0, 2, 1 << 54] {
            assert_eq!(texels(bytes), Err(format!("bytes_per_texel is {bytes}: R8_UNORM has 1")));
        }
        let blocks = |width: u64| {
            let blocks = ["0011223344556677"];
            run(json!({"format": "BC1_UNORM", "blocks": blocks, "block_bytes": 8, "block_w": width}))
        };
        assert_eq!(blocks(4), Ok(16));
        for width in [0, 5, u64::MAX] {
            assert_eq!(blocks(width), Err(format!("blocks of {width} x 4 texels: BC1_UNORM has 4 x 4")));
        }
    }

    /// What is left after the last whole element is not passed over.
    #[test]
    fn data_are_whole_elements() {
        let run = |case: Value| run(&CoreEngine, &case, Precision::Float).map(|texels| texels.len());
        let texels = json!({"format": "R16_UNORM", "texels": "000011", "bytes_per_texel": 2});
        assert_eq!(run(texels), Err("3 bytes: an element of R16_UNORM has 2".into()));
        let blocks = json!({"format": "BC1_UNORM", "blocks": ["0011223344556677", 5], "block_bytes": 8});
        assert_eq!(run(blocks), Err("a block is no text".into()));
    }
}
