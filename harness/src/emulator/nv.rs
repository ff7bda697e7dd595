//! Decodes NVIDIA texture headers field by field from the published layouts, and answers queries (txq page, sections 7 and 8).
//!
//! The layouts are parsed from `spec/nv-texhead.json` at run time; a header is held as 256 single bits.

use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static SPEC: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../spec/nv-texhead.json")).expect("the bundled layouts are JSON")
});

/// A layout: the class it belongs to, its name, its fields.
#[derive(Debug)]
struct HeaderLayout {
    class: &'static str,
    name: &'static str,
    fields: BTreeMap<&'static str, Field>,
}

/// A field's lowest bit, its width, and the enumeration of its values.
#[derive(Debug)]
struct Field {
    lsb: usize,
    width: usize,
    names: Option<&'static str>,
}

/// The layouts, taken from the JSON once.
static LAYOUTS: LazyLock<Vec<HeaderLayout>> = LazyLock::new(|| {
    let text = |value: &'static Value| value.as_str().expect("a text");
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    let field = |field: &'static Value| {
        let names = field["enum"].as_str();
        (text(&field["name"]), Field { lsb: number(&field["lsb"]), width: number(&field["width"]), names })
    };
    let layout = |layout: &'static Value| HeaderLayout {
        class: text(&layout["class"]),
        name: text(&layout["layout"]),
        // Reversed: of several fields with one name the first counts, and a map keeps the last that it is given.
        fields: layout["fields"].as_array().into_iter().flatten().rev().map(field).collect(),
    };
    SPEC["layouts"].as_array().into_iter().flatten().map(layout).collect()
});

/// A texture header.
#[derive(Clone, Debug)]
pub struct TextureHeader {
    layout: &'static HeaderLayout,
    bits: Vec<bool>,
}

impl TextureHeader {
    /// Makes a header of class `class` (such as `B197`). The header itself says which of the class's layouts it has (section 7).
    ///
    /// # Errors
    /// The class is not known, or the header's version is not defined.
    pub fn new(class: &str, dwords: [u32; 8]) -> Result<Self, String> {
        let bits: Vec<bool> =
            dwords.iter().flat_map(|dword| (0..32).map(move |bit| dword >> bit & 1 == 1)).collect();
        let name = match class {
            "9097" | "A097" => match bits[159] {
                false => "v1",
                true => "v2",
            },
            _ => match number(&bits[85..88]) {
                0 => "one_d_buffer",
                1 => "pitch_color_key",
                2 => "pitch",
                3 => "blocklinear",
                4 => "blocklinear_color_key",
                other => return Err(format!("header version {other} is not defined")),
            },
        };
        let layout = LAYOUTS
            .iter()
            .find(|layout| layout.class == class && layout.name == name)
            .ok_or_else(|| format!("class {class} has no layout {name}"))?;
        Ok(Self { layout, bits })
    }

    /// Returns a field by its name in NVIDIA's class headers; `None`: the layout does not have it.
    pub fn field(&self, name: &str) -> Option<u64> {
        let field = self.layout.fields.get(name)?;
        Some(number(&self.bits[field.lsb..field.lsb + field.width]))
    }

    /// Returns the name of a field's value in its enumeration.
    fn value_name(&self, name: &str) -> Option<&'static str> {
        let value = self.field(name)?;
        let names = SPEC["enums"][self.layout.fields.get(name)?.names?].as_object()?;
        names.iter().find(|(_, known)| known.as_u64() == Some(value)).map(|(name, _)| name.as_str())
    }

    /// Returns the first of these fields that the layout has.
    fn any(&self, names: &[&str]) -> Option<u64> {
        names.iter().find_map(|name| self.field(name))
    }

    /// Returns true for the layouts of Fermi and Kepler, which store sizes as they are, not minus one.
    fn older(&self) -> bool {
        self.layout.name.starts_with('v')
    }

    fn width(&self) -> u64 {
        if self.older() {
            return self.field("WIDTH").unwrap_or(1);
        }
        let low = self.any(&["WIDTH_MINUS_ONE", "WIDTH_MINUS_ONE_BITS15TO0"]).unwrap_or(0);
        let high = self.field("WIDTH_MINUS_ONE_BITS31TO16").unwrap_or(0);
        // A size is a 32-bit number: that of a buffer of 2^32 elements wraps to 0, which `dimension` raises to 1.
        (high * 65536 + low + 1) % (1 << 32)
    }

    fn height(&self) -> u64 {
        if self.older() {
            return self.field("HEIGHT").unwrap_or(1) + 65536 * self.field("HEIGHT_MSB").unwrap_or(0);
        }
        1 + self.field("HEIGHT_MINUS_ONE").unwrap_or(0)
            + 65536 * self.field("HEIGHT_MINUS_ONE_BIT16").unwrap_or(0)
    }

    fn depth(&self) -> u64 {
        if self.older() {
            // DEPTH_MSB counts only with extended dimensions enabled, which they are not here.
            return self.field("DEPTH").unwrap_or(1);
        }
        1 + self.field("DEPTH_MINUS_ONE").unwrap_or(0)
            + 16384 * self.field("DEPTH_MINUS_ONE_BIT14").unwrap_or(0)
    }

    /// Returns the first mip level of the view and the number of its levels, 0 if its last level is before the first.
    fn levels(&self) -> (u64, u64) {
        match (self.field("RES_VIEW_MIN_MIP_LEVEL"), self.field("RES_VIEW_MAX_MIP_LEVEL")) {
            (Some(first), Some(last)) if last < first => (first, 0),
            (Some(first), Some(last)) => (first, last - first + 1),
            _ => (0, self.field("MAX_MIP_LEVEL").unwrap_or(0) + 1),
        }
    }

    /// Returns the name of the multisample mode without `MODE_`; `1X1` if the layout has none.
    fn mode(&self) -> Result<&'static str, String> {
        match self.field("MULTI_SAMPLE_COUNT") {
            None => Ok("1X1"),
            Some(value) => self
                .value_name("MULTI_SAMPLE_COUNT")
                .and_then(|name| name.strip_prefix("MODE_"))
                .ok_or_else(|| format!("multisample mode {value} is not defined")),
        }
    }
}

fn number(bits: &[bool]) -> u64 {
    bits.iter().rev().fold(0, |value, bit| value * 2 + u64::from(*bit))
}

/// Returns the four components that the query `name` answers. `argument` is the LOD or the sample index.
///
/// # Errors
/// The header does not define an answer, or it is not documented.
pub fn query(header: &TextureHeader, name: &str, argument: u32) -> Result<[u32; 4], String> {
    match name {
        "TEX_HEADER_DIMENSION" => dimension(header, argument),
        "TEX_HEADER_TEXTURE_TYPE" => Ok([0, 0, samples(header.mode()?)?, 0]),
        "TEX_HEADER_SAMPLER_POS" => Ok([position(header.mode()?, argument)?, 0, 0, 0]),
        other => Err(format!("what {other} answers is not documented")),
    }
}

/// Answers TEX_HEADER_DIMENSION.
fn dimension(header: &TextureHeader, lod: u32) -> Result<[u32; 4], String> {
    let kind = header
        .value_name("TEXTURE_TYPE")
        .filter(|name| *name != "TT_BIT_FIELD_SIZE")
        .ok_or("the texture type is not defined")?;
    let (first, count) = header.levels();
    let levels = if matches!(kind, "ONE_D_BUFFER" | "TWO_D_NO_MIPMAP") { 1 } else { count };
    if u64::from(lod) >= levels {
        return Ok([0, 0, 0, levels as u32]);
    }
    let halved = |size: u64| (0..first + u64::from(lod)).fold(size, |size, _| size / 2).max(1);
    let multisampled = header.field("MULTI_SAMPLE_COUNT").unwrap_or(0) != 0;
    let (w, h, d) = (halved(header.width()), halved(header.height()), halved(header.depth()));
    let length = header.depth();
    let (g, b) = match kind {
        "ONE_D" | "ONE_D_BUFFER" => (0, 0),
        "TWO_D" => (h, u64::from(multisampled)),
        "THREE_D" => (h, d),
        "CUBEMAP" => (h, 0),
        "ONE_D_ARRAY" => (length, 0),
        "TWO_D_ARRAY" | "CUBEMAP_ARRAY" => (h, length),
        "TWO_D_NO_MIPMAP" => (h, if multisampled { length } else { 0 }),
        other => return Err(format!("texture type {other} has no row in the table")),
    };
    Ok([w as u32, g as u32, b as u32, levels as u32])
}

/// Returns the number of samples of a mode: the size of its grid, 8 for `4X2_VC_8`.
fn samples(mode: &str) -> Result<u32, String> {
    let grid = mode.split('_').next().unwrap_or_default();
    let (x, y) = grid.split_once('X').ok_or_else(|| format!("mode {mode} names no grid"))?;
    let side = |text: &str| text.parse::<u32>().map_err(|why| format!("mode {mode}: {why}"));
    Ok(side(x)? * side(y)?)
}

/// Answers TEX_HEADER_SAMPLER_POS: signed 4.12 offsets from the pixel centre, x in the low half, y in the high half.
fn position(mode: &str, index: u32) -> Result<u32, String> {
    let modes = SPEC["sample_positions"]["by_multi_sample_count"].as_object().into_iter().flatten();
    let pattern = modes
        .map(|(_, pattern)| pattern)
        .find(|pattern| pattern["mode"].as_str() == Some(&format!("MODE_{mode}")))
        .ok_or_else(|| format!("the positions of mode {mode} are not documented"))?;
    let point =
        pattern["xy16"].get(index as usize).ok_or_else(|| format!("mode {mode} has no sample {index}"))?;
    let fixed = |axis: usize| {
        let sixteenths = point[axis].as_i64().unwrap_or(8) - 8;
        (sixteenths as f64 / 16.0 * 4096.0) as i16 as u16
    };
    Ok(u32::from(fixed(1)) << 16 | u32::from(fixed(0)))
}
