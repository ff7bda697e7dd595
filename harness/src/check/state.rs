//! Checks ground truth of states: surface layouts (`surface-layout.*.json`, `layout-tiled.jsonl`), sampler states
//! (`sampler-compiled.json`) and the table of fields (`gen11-state.json`).

use super::tally::{Checker, Tally, equal};
use crate::emulator;
use crate::json::layouts;
use serde_json::{Value, json};
use std::path::Path;
use texwire::Platform;
use texwire::state::{BindingTableEntry, BorderColor, Field, SamplerState, SurfaceState};

/// The checker.
pub const CHECKER: Checker = Checker {
    name: "state",
    claims: |path| {
        let name = name(path);
        name.starts_with("surface-layout.")
            || ["sampler-compiled.json", "gen11-state.json", "layout-tiled.jsonl"].contains(&name)
    },
    check: |path, tally| {
        if name(path) == "layout-tiled.jsonl" {
            return tiled(&std::fs::read_to_string(path)?, tally);
        }
        let truth: Value = serde_json::from_slice(&std::fs::read(path)?)?;
        match name(path) {
            "sampler-compiled.json" => samplers(&truth, tally),
            "gen11-state.json" => fields(&truth, tally),
            name => layouts(&truth, name, tally),
        }
    },
};

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

type CheckResult = Result<(), Box<dyn std::error::Error>>;

fn layouts(truth: &Value, file: &str, tally: &mut Tally) -> CheckResult {
    // The keys that are compared. Left out is what the state does not hold: sizes before the view, and the whole allocation.
    const KEYS: &[&str] = &[
        "dim",
        "format",
        "w",
        "h",
        "levels",
        "samples",
        "cube",
        "tiling",
        "halign_el",
        "valign_el",
        "row_pitch",
        "qpitch_rows",
        "offsets",
    ];
    let platform = Platform::ALL.into_iter().find(|known| truth["platform"] == known.name());
    let platform = platform.ok_or("no known `platform`")?;
    for (index, case) in list(truth, "cases")?.iter().enumerate() {
        let place = format!("{file}[{index}]");
        let state = layouts::state(case).map_err(|why| format!("{place}: {why}"))?;
        match layouts::describe(&state, platform) {
            Ok(got) => {
                let (left, right) = (&got, case);
                tally.note(
                    "surface layouts",
                    differ(KEYS.iter().map(|key| (*key, &left[*key], &right[*key])), &place),
                );
                let keys = left["view"].as_object().into_iter().flatten();
                let pairs = keys.map(|(key, got)| (key.as_str(), got, &right["view"][key]));
                tally.note("surface views", differ(pairs, &place));
            }
            Err(why) => tally.note("surface layouts", Err(format!("{place}: {why}"))),
        }
    }
    Ok(())
}

/// Checks tiled resources, one surface a line: tile sizes and level origins of the core, offsets of points of core and emulator.
fn tiled(text: &str, tally: &mut Tally) -> CheckResult {
    for (number, line) in (1..).zip(text.lines()) {
        let truth: Value = serde_json::from_str(line).map_err(|why| format!("line {number}: {why}"))?;
        // Two libraries of one vendor lay out these surfaces differently.
        if truth["grade"] == "weak" {
            continue;
        }
        let platform = Platform::ALL.into_iter().find(|known| truth["platform"] == known.name());
        let platform = platform.ok_or("no known `platform`")?;
        let state = layouts::state(&truth).map_err(|why| format!("line {number}: {why}"))?;
        let place = format!("layout-tiled.jsonl:{number}");
        let points = list(&truth, "points")?;
        let want: Vec<_> = points.iter().map(|point| point[5].as_u64()).collect();
        let pairs = |got: &[Option<u64>]| match got.iter().zip(&want).position(|(got, want)| got != want) {
            Some(at) => Err(format!("{place} {}: {:?}", points[at], got[at])),
            None => Ok(()),
        };
        tally.note(
            "tiled resources",
            layouts::offsets_of_points(&truth, platform)
                .map_err(|why| format!("{place}: {why}"))
                .and_then(|bytes| pairs(&bytes.into_iter().map(Some).collect::<Vec<_>>())),
        );
        tally.note("tiled resources, levels", tiles_and_levels(&state, platform, &truth, &place));
        let oracle = emulator::surface::Surface::of(&state.dwords, platform.trace_code());
        tally.note(
            "tiled resources, emulator",
            oracle.map_err(|why| format!("{place}: {why}")).and_then(|surface| {
                let offset = |point: &Value| offset_in(&surface, point, &truth, state.base_address());
                pairs(&points.iter().map(offset).collect::<Vec<_>>())
            }),
        );
    }
    Ok(())
}

/// Compares the extent of a tile and the origins of levels.
fn tiles_and_levels(
    state: &SurfaceState,
    platform: Platform,
    truth: &Value,
    place: &str,
) -> Result<(), String> {
    let layout = layouts::layout(state, platform).map_err(|why| format!("{place}: {why}"))?;
    let levels: Vec<_> = (0..layout.levels())
        .map(|number| (number, layout.level(number)))
        .map(|(number, level)| [number, level.x, level.y, level.z])
        .collect();
    let got = json!({ "tile_el": layout.tile_extent(), "offsets": levels });
    differ(["tile_el", "offsets"].iter().map(|key| (*key, &got[*key], &truth[*key])), place)
}

/// Returns the byte offset of a point, given in elements, as the emulator computes it.
fn offset_in(surface: &emulator::surface::Surface, point: &Value, truth: &Value, base: u64) -> Option<u64> {
    let number = |at: usize| point[at].as_u64();
    let (layer, sample) = (number(1)?, number(2)?);
    let (x, y, slice) = match truth["samples"].as_u64()? {
        1 => (number(3)?, number(4)?, layer),
        _ => surface.sample(layer, sample, number(3)?, number(4)?),
    };
    let block = |at: usize| truth["block"][at].as_u64();
    let (addresses, ..) = surface.element(number(0)?, slice, x * block(0)?, y * block(1)?);
    Some(addresses.first()?.wrapping_sub(base))
}

fn differ<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a Value, &'a Value)>,
    place: &str,
) -> Result<(), String> {
    for (key, got, want) in pairs {
        let same = got == want || got.as_f64().is_some_and(|got| Some(got) == want.as_f64());
        if !same {
            return Err(format!("{place} {key}: {got} want {want}"));
        }
    }
    Ok(())
}

fn samplers(truth: &Value, tally: &mut Tally) -> CheckResult {
    for (index, sampler) in list(truth, "samplers")?.iter().enumerate() {
        let place = format!("sampler-compiled.json[{index}]");
        let mut state = SamplerState::default();
        for (dword, word) in state.dwords.iter_mut().zip(list(sampler, "dwords")?) {
            *dword = u32::from_str_radix(word.as_str().unwrap_or_default(), 16)?;
        }
        let decoded = sampler["decoded"].as_object().ok_or("no `decoded`")?;
        for (name, want) in decoded {
            let field = SamplerState::FIELDS.iter().find(|field| field.name == name);
            let got = field.map(|field| field.get(&state.dwords));
            tally.note("sampler fields", equal(&format!("{place} {name}"), &json!(got), want));
        }
        let got = json!(state.border_offset());
        let want = &sampler["border_color_pointer"];
        tally.note("sampler fields", equal(&format!("{place} border offset"), &got, want));
    }
    Ok(())
}

/// Checks that the core has every field of the table at the same position, and no others.
fn fields(truth: &Value, tally: &mut Tally) -> CheckResult {
    let truth = truth.as_array().ok_or("no list of fields")?;
    for want in truth {
        let structure = want["struct"].as_str().unwrap_or_default();
        let name = want["field"].as_str().unwrap_or_default();
        // The border colour's floats are the same dwords as its integers.
        let own = name.replace("Color Float", "Color 32bit");
        let field = own_fields(structure).iter().find(|field| field.name == own);
        let got = field.map(|field| [field.dword, field.hi, field.lo].map(u64::from));
        let place = ["dword", "hi", "lo"].map(|key| &want[key]);
        tally.note("state fields", equal(&format!("{structure} {name}"), &json!(got), &json!(place)));
    }
    for structure in
        ["RENDER_SURFACE_STATE", "SAMPLER_STATE", "BINDING_TABLE_STATE", "SAMPLER_BORDER_COLOR_STATE"]
    {
        for field in own_fields(structure) {
            let known = truth.iter().any(|want| want["struct"] == structure && want["field"] == field.name);
            let same =
                if known { Ok(()) } else { Err(format!("{structure} {}: not in the table", field.name)) };
            tally.note("state fields", same);
        }
    }
    Ok(())
}

fn own_fields(structure: &str) -> &'static [Field] {
    match structure {
        "RENDER_SURFACE_STATE" => SurfaceState::FIELDS,
        "SAMPLER_STATE" => SamplerState::FIELDS,
        "BINDING_TABLE_STATE" => BindingTableEntry::FIELDS,
        "SAMPLER_BORDER_COLOR_STATE" => BorderColor::FIELDS,
        _ => &[],
    }
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], String> {
    value[key].as_array().map(Vec::as_slice).ok_or_else(|| format!("no list `{key}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use texwire::rules::Rule;

    /// States of tiled resources of the ground truth break no rule, and `fit` chooses the same pitches.
    #[test]
    fn real_tiled_resources_are_legal_and_ours() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/state/layout-tiled.jsonl");
        let text = std::fs::read_to_string(corpus).unwrap();
        for truth in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            let platform = Platform::ALL.into_iter().find(|known| truth["platform"] == known.name()).unwrap();
            let state = layouts::state(&truth).unwrap();
            let Some(info) = texwire::format::info(state.format()) else { continue };
            let broken: Vec<_> = state.validate(platform).map(Rule::name).collect();
            assert!(broken.is_empty(), "{broken:?}: {truth}");
            let mut fitted = state;
            let size = fitted.fit(info.element(), platform).unwrap();
            assert_eq!((fitted, Some(size)), (state, truth["size"].as_u64()), "{truth}");
        }
    }

    /// States that the drivers' library packs break no rule, and `fit` chooses the same pitches.
    #[test]
    fn real_surfaces_are_legal_and_ours() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/state");
        for (name, platform) in [("gen9", Platform::Gen9), ("gen11", Platform::Gen11)] {
            let bytes = std::fs::read(corpus.join(format!("surface-layout.{name}.json"))).unwrap();
            let truth: Value = serde_json::from_slice(&bytes).unwrap();
            for case in list(&truth, "cases").unwrap() {
                let broken: Vec<_> =
                    layouts::state(case).unwrap().validate(platform).map(Rule::name).collect();
                assert!(broken.is_empty(), "{broken:?}: {case}");
                let state = layouts::state(case).unwrap();
                let mut fitted = state;
                let info = texwire::format::info(state.format()).unwrap();
                let size = fitted.fit(info.element(), platform).unwrap();
                assert_eq!((fitted, Some(size)), (state, case["size"].as_u64()), "{case}");
            }
        }
    }
}
