//! Checks ground truth of formats (`texels.jsonl`, `blocks.jsonl`, `astc.jsonl`, `fxt1.jsonl`), on both engines.

use super::both_engines::{DEFECT, ENGINES, cases, close, first_line};
use super::tally::{Checker, Tally};
use crate::check::cases::formats::{format_of, is_blocks, is_texels, run};
use crate::engine::Precision;
use serde_json::Value;
use std::path::Path;

/// The checker.
pub const CHECKER: Checker = Checker { name: "formats", claims, check };

fn claims(path: &Path) -> bool {
    first_line(path).is_some_and(|case| is_texels(&case) || is_blocks(&case))
}

fn check(path: &Path, tally: &mut Tally) -> Result<(), Box<dyn std::error::Error>> {
    for case in cases(&std::fs::read_to_string(path)?) {
        let case = case?;
        let expected = if is_blocks(&case) { blocks(&case)? } else { texels(&case)? };
        let tol = case["tol"].as_f64().ok_or("no tol")?;
        let float = case["kind"] == "F32" || is_blocks(&case);
        if !is_blocks(&case) && expected.iter().flatten().any(Option::is_none) {
            tally.skip(DEFECT);
        }
        for engine in ENGINES {
            let kind = if is_blocks(&case) { "blocks" } else { "texels" };
            let category = format!("formats {kind} ({})", engine.name());
            let result = run(*engine, &case, Precision::Float)
                .and_then(|got| compare(&got, &expected, float.then_some(tol)))
                .map_err(|why| format!("{}: {why}", case["format"]));
            tally.note(&category, result);
        }
    }
    Ok(())
}

/// The expected texels: each channel's pattern, or `None` where the file has nothing to compare.
type Expected = Vec<[Option<u32>; 4]>;

fn defect(format: &str, bits: u32) -> bool {
    format.ends_with("10A2_SSCALED") && f32::from_bits(bits) >= 4_294_966_000.0
}

fn texels(case: &Value) -> Result<Expected, String> {
    let words = crate::check::cases::sampling::words(case["rgba"].as_str().ok_or("no rgba")?)?;
    let format = case["format"].as_str().unwrap_or_default();
    let known = |bits: u32| (!defect(format, bits)).then_some(bits);
    let (texels, rest) = words.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(format!("{} channels are no whole texels", words.len()));
    }
    Ok(texels.iter().map(|texel| texel.map(known)).collect())
}

fn blocks(case: &Value) -> Result<Expected, String> {
    let channels = case["channels"].as_str().ok_or("no channels")?;
    let encoding = case["encoding"].as_str();
    let digits = match encoding {
        Some("u8" | "srgb8") => 2,
        Some("f16") => 4,
        _ => 8,
    };
    let value = |hex: &str, channel: char| -> Result<u32, String> {
        let raw = u32::from_str_radix(hex, 16).map_err(|why| why.to_string())?;
        Ok(match digits {
            2 if encoding == Some("srgb8") && channel != 'A' => {
                (crate::emulator::numbers::srgb(f64::from(raw) / 255.0) as f32).to_bits()
            }
            2 => (raw as f32 / 255.0).to_bits(),
            4 => (crate::emulator::numbers::float(raw, true) as f32).to_bits(),
            _ => raw,
        })
    };
    let (width, height) = format_of(case)?.block;
    let mut expected = Vec::new();
    for block in case["texels"].as_array().ok_or("no texels")? {
        let text = block.as_str().ok_or("a block is no text")?;
        for texel in 0..width * height {
            let mut rgba = [None; 4];
            for (index, channel) in channels.chars().enumerate() {
                let at = (texel * channels.len() + index) * digits;
                let place = "RGBA".find(channel).ok_or("unknown channel")?;
                rgba[place] = Some(value(text.get(at..at + digits).ok_or("a block is too short")?, channel)?);
            }
            expected.push(rgba);
        }
    }
    Ok(expected)
}

fn compare(got: &[[u32; 4]], expected: &Expected, tol: Option<f64>) -> Result<(), String> {
    if got.len() != expected.len() {
        return Err(format!("{} texels, expected {}", got.len(), expected.len()));
    }
    for (index, (got, expected)) in got.iter().zip(expected).enumerate() {
        for channel in 0..4 {
            let Some(expected) = expected[channel] else { continue };
            if !close(got[channel], expected, tol) {
                return Err(format!(
                    "texel {index} channel {channel}: {:#x}, expected {expected:#x}",
                    got[channel]
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The expected texels of blocks of any size would not fit into memory.
    #[test]
    fn blocks_have_the_size_of_their_format() {
        let case = json!({"format": "BC1_UNORM", "block_bytes": 8, "block_w": 1_u64 << 40, "channels": "",
            "blocks": [""], "texels": [""]});
        let why = "blocks of 1099511627776 x 4 texels: BC1_UNORM has 4 x 4";
        assert_eq!(blocks(&case), Err(why.to_owned()));
    }

    #[test]
    fn expected_texels_are_whole() {
        for (rgba, why) in [
            ("00000000", "1 channels are no whole texels"),
            ("0000000000", "5 bytes are no whole words of 32 bits"),
        ] {
            assert_eq!(texels(&json!({"format": "R8_UNORM", "rgba": rgba})), Err(why.to_owned()));
        }
    }
}
