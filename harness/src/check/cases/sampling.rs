//! Runs sampling cases (a line per case: surface, view, sampler, lanes) as jobs.
//!
//! A case describes the sampler of an API; the state is what a driver programs for it:
//! - LOD PreClamp OGL, and with mip NONE and a minimum LOD above 0: Min LOD 0, mag filter = min filter (as
//!   Mesa does, because without mips the hardware takes floor(Min LOD) as the level);
//! - the case has the shadow function in the hardware's sense;
//! - rounding enables are set for filters other than NEAREST; cubes override the address modes (seamless);
//! - `max_aniso` above 1 makes LINEAR filters ANISOTROPIC.

use super::image::SurfaceSpec;
use super::{digits, run_lanes};
use crate::emulator::state::{set_sampler, set_surface};
use crate::engine::{Engine, Job, Precision};
use serde_json::Value;

/// Returns whether the line is a sampling case.
pub fn claims(case: &Value) -> bool {
    case["op"].is_string() && case["sampler"].is_object() && case["in"].is_string()
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value[key].as_str().ok_or_else(|| format!("`{key}` is no text"))
}

fn number(value: &Value, key: &str) -> Result<u64, String> {
    value[key].as_u64().ok_or_else(|| format!("`{key}` is no number"))
}

fn code(names: &[&str], name: &str) -> Result<u64, String> {
    names.iter().position(|n| *n == name).map(|i| i as u64).ok_or_else(|| format!("unknown code `{name}`"))
}

/// Returns the job of a case, without its lanes.
///
/// # Errors
/// The case is malformed.
pub fn job(case: &Value, precision: Precision) -> Result<Job, String> {
    let surface = &case["surface"];
    let kind = text(surface, "type")?;
    let image = SurfaceSpec {
        kind,
        format: text(surface, "format")?,
        width: number(surface, "width")?,
        height: number(surface, "height")?,
        depth: if kind == "3D" { number(surface, "depth")? } else { 1 },
        layers: number(surface, "layers")?,
        mips: number(surface, "mips")?,
        tile: 0,
    };
    let mut job = Job::new(text(case, "op")?);
    job.precision = precision;
    job.surface = image.state()?;
    let levels: Vec<Vec<u8>> = surface["levels"]
        .as_array()
        .ok_or("no levels")?
        .iter()
        .map(|level| crate::hex::decode(level.as_str().unwrap_or_default()))
        .collect::<Result<_, _>>()?;
    job.memory = vec![image.memory(&job.surface, &levels)?].into();
    let view = &case["view"];
    set_surface(&mut job.surface, "Surface Min LOD", number(view, "base_level")?);
    let further_levels = number(view, "levels")?.checked_sub(1).ok_or("a view without levels")?;
    set_surface(&mut job.surface, "MIP Count / LOD", further_levels);
    for (channel, select) in ["Red", "Green", "Blue", "Alpha"].iter().zip(0..) {
        let name = view["scs"][select as usize].as_str().ok_or("no scs")?;
        let value = code(&["ZERO", "ONE", "", "", "RED", "GREEN", "BLUE", "ALPHA"], name)?;
        set_surface(&mut job.surface, &format!("Shader Channel Select {channel}"), value);
    }
    job.gather = number(case, "component").unwrap_or(0) as u8;
    for axis in 0..3 {
        job.offsets[axis] = case["offset"][axis].as_i64().unwrap_or(0) as i8;
    }
    job.cps = case["cps"].as_f64().map(|lod| (lod as f32).to_bits());
    pack_sampler(&mut job, case, kind)?;
    Ok(job)
}

fn pack_sampler(job: &mut Job, case: &Value, kind: &str) -> Result<(), String> {
    let sampler = &case["sampler"];
    let float = |key: &str| sampler[key].as_f64().ok_or_else(|| format!("sampler `{key}` is no number"));
    let modes =
        ["WRAP", "MIRROR", "CLAMP", "CUBE", "CLAMP_BORDER", "MIRROR_ONCE", "HALF_BORDER", "MIRROR_101"];
    let aniso = float("max_aniso")?;
    let filter = |key| match (text(sampler, key)?, aniso > 1.0) {
        ("NEAREST", _) => Ok(0),
        ("LINEAR", false) => Ok(1),
        ("LINEAR", true) => Ok(2),
        (name, _) => Err(format!("unknown filter `{name}`")),
    };
    let mip = code(&["NONE", "NEAREST", "", "LINEAR"], text(sampler, "mip")?)?;
    let (mut mag, min, mut min_lod) = (filter("mag")?, filter("min")?, float("min_lod")?);
    if mip == 0 && min_lod > 0.0 {
        (mag, min_lod) = (min, 0.0);
    }
    let fixed = |x: f64| (x * 256.0).round().clamp(0.0, 4095.0) as u64;
    let mut fields = vec![
        ("LOD PreClamp Mode", 2),
        ("Mip Mode Filter", mip),
        ("Mag Mode Filter", mag),
        ("Min Mode Filter", min),
        ("Texture LOD Bias", (float("lod_bias")? * 256.0).round() as i64 as u64),
        ("Min LOD", fixed(min_lod)),
        ("Max LOD", fixed(float("max_lod")?)),
        ("Maximum Anisotropy", ((aniso / 2.0).round() as u64).max(1) - 1),
        ("Shadow Function", sampler["shadow_function"].as_u64().unwrap_or(0)),
        ("Cube Surface Control Mode", u64::from(kind.starts_with("CUBE"))),
        ("Non-normalized Coordinate Enable", u64::from(sampler["unnormalized"] == true)),
        ("TCX Address Control Mode", code(&modes, text(sampler, "tcx")?)?),
        ("TCY Address Control Mode", code(&modes, text(sampler, "tcy")?)?),
        ("TCZ Address Control Mode", code(&modes, text(sampler, "tcz")?)?),
    ];
    match text(sampler, "reduction")? {
        "MIN" => fields.extend([("Reduction Type Enable", 1), ("Reduction Type", 2)]),
        "MAX" => fields.extend([("Reduction Type Enable", 1), ("Reduction Type", 3)]),
        _ => {}
    }
    for (name, value) in fields {
        set_sampler(&mut job.sampler, name, value);
    }
    for axis in ["U", "V", "R"] {
        for (which, filter) in [("Mag", mag), ("Min", min)] {
            let name = format!("{axis} Address {which} Filter Rounding Enable");
            set_sampler(&mut job.sampler, &name, u64::from(filter != 0));
        }
    }
    let integer = case["ret"] != "F32";
    let value = |x: f64| if integer { x as i64 as u32 } else { (x as f32).to_bits() };
    job.border = match &sampler["border"] {
        Value::String(name) => match name.as_str() {
            "OPAQUE_BLACK" => [0.0, 0.0, 0.0, 1.0].map(value),
            "OPAQUE_WHITE" => [1.0; 4].map(value),
            _ => [0; 4],
        },
        list => std::array::from_fn(|c| value(list[c].as_f64().unwrap_or(0.0))),
    };
    Ok(())
}

/// Runs a case. Returns the R, G, B, A patterns of each lane.
///
/// # Errors
/// The case is malformed, or the engine refuses it.
pub fn run(engine: &dyn Engine, case: &Value, precision: Precision) -> Result<Vec<[u32; 4]>, String> {
    let job = job(case, precision)?;
    let names: Vec<&str> = case["args"]
        .as_array()
        .ok_or("no args")?
        .iter()
        .map(|name| match name.as_str().unwrap_or_default() {
            "x" => "u",
            "y" => "v",
            "z" => "r",
            "ilod" => "lod",
            name => name,
        })
        .collect();
    let values = words(text(case, "in")?)?;
    let lanes: Vec<Vec<u32>> = values.chunks(names.len().max(1)).map(<[u32]>::to_vec).collect();
    run_lanes(engine, &job, &names, &lanes)
}

/// Parses numbers of eight hex digits each.
///
/// # Errors
/// A character is not a hex digit, or the last number has less than eight.
pub fn words(text: &str) -> Result<Vec<u32>, String> {
    let bytes = crate::hex::decode(text)?;
    let (words, rest) = bytes.as_chunks();
    if !rest.is_empty() {
        return Err(format!("{} bytes are no whole words of 32 bits", bytes.len()));
    }
    Ok(words.iter().copied().map(u32::from_be_bytes).collect())
}

/// Runs a case and returns its output line.
pub fn line(engine: &dyn Engine, case: &Value, precision: Precision) -> Value {
    match run(engine, case, precision) {
        Ok(results) => serde_json::json!({"id": case["id"], "out": digits(&results)}),
        Err(why) => serde_json::json!({"id": case["id"], "error": why}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sizes_that_a_state_does_not_hold_are_refused() {
        for (key, value, field) in [
            ("width", 0, "Width"),
            ("height", 1_u64 << 40, "Height"),
            ("layers", 0, "Depth"),
            ("mips", 0, "MIP Count"),
            ("mips", 1 << 40, "MIP Count"),
        ] {
            let mut case = json!({"op": "sample_lz", "surface": {
                "type": "2D", "format": "R8_UNORM", "width": 4, "height": 4, "layers": 1, "mips": 1, "levels": [],
            }});
            case["surface"][key] = json!(value);
            let why = job(&case, Precision::Float).unwrap_err();
            assert!(why.contains(&format!("field {field} of the surface state")), "{key} {value}: {why}");
        }
    }
}
