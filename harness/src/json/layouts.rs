//! Surface states and their layouts as JSON, in the keys of the ground truth.

use serde_json::{Value, json};
use texwire::Platform;
use texwire::enums::Enumeration;
use texwire::memory::{Element, Layout};
use texwire::state::{SurfaceState, SurfaceType, TileMode};

/// Returns the surface state of a case.
pub(crate) fn state(case: &Value) -> Result<SurfaceState, String> {
    let words = case["state"].as_array().ok_or("no list `state`")?;
    let mut dwords = [0; 16];
    if words.len() != dwords.len() {
        return Err(format!("{} dwords, want 16", words.len()));
    }
    for (dword, word) in dwords.iter_mut().zip(words) {
        let hex = word.as_str().ok_or("a dword is no string")?;
        *dword = u32::from_str_radix(hex.trim_start_matches("0x"), 16)
            .map_err(|_| format!("`{hex}` is no dword"))?;
    }
    Ok(SurfaceState { dwords })
}

/// Describes a surface with the keys of the ground truth.
pub(crate) fn describe(state: &SurfaceState, platform: Platform) -> Result<Value, String> {
    let layout = layout(state, platform)?;
    let (level0, samples) = (layout.level(0), layout.samples());
    let kind = state.surface_type();
    let cube = kind == SurfaceType::Cube;
    let (depth, array) = if kind == SurfaceType::D3 { (level0.depth, 1) } else { (1, level0.depth) };
    let in_row = kind == SurfaceType::D1 && state.tile_mode() == TileMode::Linear;
    let (halign, valign, pitch, qpitch) = if in_row {
        (64, 1, layout.qpitch() * u32::from(layout.element().bytes), 1)
    } else {
        (state.halign(), state.valign(), state.pitch(), layout.qpitch())
    };
    Ok(json!({
        "dim": dimensions(kind), "format": format_name(state), "w": level0.width, "h": level0.height, "d": depth,
        "levels": layout.levels(), "array": array, "samples": samples, "cube": u8::from(cube),
        "tiling": tiling(layout.tiling()), "halign_el": halign, "valign_el": valign,
        "row_pitch": pitch, "qpitch_rows": qpitch, "offsets": offsets(&layout, in_row),
        "view": view(state), "state": state.dwords.map(|dword| format!("{dword:08x}")),
    }))
}

/// Returns the byte offsets of a surface's `points` from its base address. A point is level, layer (or z), sample, column, row of an
/// element.
pub(crate) fn offsets_of_points(surface: &Value, platform: Platform) -> Result<Vec<u64>, String> {
    let state = state(surface)?;
    let layout = layout(&state, platform)?;
    let points = surface["points"].as_array().ok_or("no list `points`")?;
    let offset = |point: &Value| {
        let number = |at: usize| point[at].as_u64().and_then(|number| u32::try_from(number).ok());
        let numbers = [0, 1, 2, 3, 4].map(number);
        let [Some(level), Some(layer), Some(sample), Some(x), Some(y)] = numbers else {
            return Err(format!("`{point}` is not level, layer, sample, x, y"));
        };
        let (x, y, slice) = layout.sample(x, y, layer, sample);
        Ok(layout.address(level, slice, x, y).wrapping_sub(state.base_address()))
    };
    points.iter().map(offset).collect()
}

/// Returns the layout of a surface for the elements of its format. Formats without elements of their own (RAW) use one byte.
pub(crate) fn layout(state: &SurfaceState, platform: Platform) -> Result<Layout, String> {
    let element = match texwire::format::info(state.format()) {
        Some(info) if info.bytes > 0 => info.element(),
        _ => Element::texel(1),
    };
    Layout::new(state, element, platform).map_err(|why| why.to_string())
}

/// Returns rows of level, slice, column and row, for the first, middle and last slice. In linear 1D surfaces each slice is a row, and the
/// row pitch is QPitch elements.
fn offsets(layout: &Layout, in_row: bool) -> Value {
    let mut rows = Vec::new();
    for number in 0..layout.levels() {
        let level = layout.level(number);
        let mut slices = vec![0, level.depth / 2, level.depth.saturating_sub(1)];
        slices.dedup();
        for slice in slices {
            let (x, y, plane) = layout.sample(level.x, level.y, slice, 0);
            let skip = u64::from(plane) * u64::from(layout.qpitch());
            let y = if in_row { u64::from(slice) } else { u64::from(y) + skip };
            rows.push(json!([number, slice, x, y]));
        }
    }
    rows.into()
}

fn view(state: &SurfaceState) -> Value {
    let each = if state.surface_type() == SurfaceType::Cube { 6 } else { 1 };
    json!({
        "base_level": state.surface_min_lod(), "levels": state.mip_count(),
        "base_layer": state.min_array_element(), "layers": state.depth() * each,
        "min_lod": f64::from(state.resource_min_lod()) / 256.0,
        "swizzle": state.channel_select().map(|select| select.code()),
        "mocs": state.mocs(), "address": format!("{:#x}", state.base_address()),
    })
}

fn dimensions(kind: SurfaceType) -> u32 {
    match kind {
        SurfaceType::D1 | SurfaceType::Buffer | SurfaceType::Strbuf => 1,
        SurfaceType::D3 => 3,
        _ => 2,
    }
}

fn tiling(mode: TileMode) -> &'static str {
    match mode {
        TileMode::Linear => "LINEAR",
        TileMode::WMajor => "W",
        TileMode::XMajor => "X",
        TileMode::YMajor => "Y",
    }
}

fn format_name(state: &SurfaceState) -> String {
    state.format().name().map_or_else(|| format!("{:#x}", state.format().0), str::to_owned)
}
