//! Random surfaces with their memory.
//!
//! Weights (out of 100): format from a list of common ones 40, any code that has a name 59, any 10-bit code 1. Tiling: linear 55, X 18, Y
//! 22, W 5 (only for one-byte elements). 12 are tiled resources instead, up to 200 texels wide; three quarters of them have a mip tail
//! where a driver would start it, 4 of a hundred an illegal field. Gen9 15, otherwise Gen11. Sizes: 1 to 40, biased to powers of two and
//! their neighbours; a full mip chain 40, some levels 35, one level 25; a view that may start at a later level 25. Memory holds every
//! element; it ends early in 3 (lanes fault), has null pages in 8. Float texels: -1..2 in 90, small whole numbers in 5, NaN, infinities,
//! denormals and 1e30 in 5 (none if the job asks for tame texels). Of the surfaces with samples 40 have an auxiliary surface: in 95 of
//! these a control surface with random elements, and in 40 a clear colour in memory.

use super::state::{percent, surface_rest, weighted};
use crate::emulator::formats::{Codec, Format, NAMES, code};
use crate::emulator::state::{set_surface, surface as surface_field};
use crate::emulator::surface::{Surface, SurfaceType};
use crate::emulator::tiles::Tile;
use crate::engine::{Region, Regions};
use arbitrary::{Result, Unstructured};

/// ARGB entries for palette formats; no two are equal.
pub static PALETTE: [u32; 256] = {
    let mut palette = [0; 256];
    let mut index = 0;
    while index < palette.len() {
        palette[index] = (index as u32).wrapping_mul(0x9e37_79b9);
        index += 1;
    }
    palette
};

const EVERYDAY: &[&str] = &[
    "R8G8B8A8_UNORM",
    "R8G8B8A8_UNORM_SRGB",
    "B8G8R8A8_UNORM",
    "R16G16B16A16_FLOAT",
    "R32_FLOAT",
    "R32G32B32A32_FLOAT",
    "R8_UNORM",
    "R16_UNORM",
    "R24_UNORM_X8_TYPELESS",
    "R8G8B8A8_UINT",
    "R32_SINT",
    "R11G11B10_FLOAT",
    "BC1_UNORM",
    "BC3_UNORM_SRGB",
    "BC5_SNORM",
    "BC6H_UF16",
    "BC7_UNORM",
    "ETC2_RGB8",
    "R10G10B10A2_UNORM",
    "R32G32B32_FLOAT",
    "L8A8_UNORM",
    "ASTC_LDR_2D_4X4_U8SRGB",
    "ASTC_LDR_2D_6X6_FLT16",
    "ASTC_HDR_2D_8X5_FLT16",
];
const DEPTH: &[&str] =
    &["R32_FLOAT", "R16_UNORM", "R24_UNORM_X8_TYPELESS", "R32_FLOAT_X8X24_TYPELESS", "R8_UNORM", "R16_FLOAT"];

/// What a message needs of its surface.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceNeeds {
    /// The surface types with their weights.
    pub kinds: &'static [(u32, u64)],
    /// A format that supports comparison is likely.
    pub depth: bool,
    /// Several samples per texel are likely.
    pub samples: bool,
    /// No NaN, infinity, null page or fault: the taps of a long footprint cannot be moved one by one when results are compared, so that it
    /// is uncertain whether one of them is read.
    pub tame: bool,
}

/// A generated surface and its memory.
#[derive(Clone, Debug)]
pub struct GeneratedSurface {
    /// The generation of the GPU: 9 or 11.
    pub platform: u8,
    /// RENDER_SURFACE_STATE.
    pub state: [u32; 16],
    /// Mapped memory.
    pub memory: Regions,
    /// Null pages.
    pub null_pages: Vec<(u64, u64)>,
    /// The palette of palette formats, mostly with 256 entries.
    pub palette: Vec<u32>,
    /// Width, height and depth of the surface's level 0, from which coordinates are chosen.
    pub size: [u64; 3],
    /// Array layers or cubes.
    pub layers: u64,
    /// Levels of the view.
    pub levels: u64,
    /// Samples per texel.
    pub samples: u64,
}

fn extent(u: &mut Unstructured<'_>) -> Result<u64> {
    if percent(u, 60)? {
        Ok(*u.choose(&[1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33])?)
    } else {
        u.int_in_range(1..=40)
    }
}

fn format_code(u: &mut Unstructured<'_>, needs: SurfaceNeeds) -> Result<u64> {
    if needs.depth && percent(u, 75)? {
        return Ok(code(u.choose(DEPTH)?).unwrap_or(0));
    }
    Ok(match u.int_in_range(0..=99u32)? {
        0 => u.int_in_range(0..=1023)?,
        1..=40 => code(u.choose(EVERYDAY)?).unwrap_or(0),
        _ => u64::from(u.choose(NAMES)?.0),
    })
}

/// Generates a surface for the message's needs.
///
/// # Errors
/// As [`Unstructured`].
pub fn surface(u: &mut Unstructured<'_>, needs: SurfaceNeeds) -> Result<GeneratedSurface> {
    let mut state = [0u32; 16];
    let kind = weighted(u, needs.kinds)?;
    let code = format_code(u, needs)?;
    let format = Format::of(code).ok();
    let (mut width, mut height) = (extent(u)?, extent(u)?);
    if kind == 0 {
        height = 1;
    }
    let platform = if percent(u, 15)? { 9 } else { 11 };
    let element = format.as_ref().map_or(4, |f| f.bytes as u64);
    let resource = kind < 4 && percent(u, 12)?;
    if resource && percent(u, 50)? {
        let most = if needs.samples {
            40
        } else if element > 4 {
            100
        } else {
            200
        };
        (width, height) = (u.int_in_range(1..=most)?, if kind == 0 { 1 } else { u.int_in_range(1..=most)? });
    }
    if kind == 3 {
        let face = if resource { width.min(90) } else { width.min(20) };
        (width, height) = (face, face);
    }
    let depth =
        if kind == 2 { extent(u)?.min(12) } else { u.int_in_range(1..=if resource { 2 } else { 4 })? };
    let planar = format.as_ref().is_some_and(|f| matches!(f.codec, Codec::Planar(_)));
    // Planar surfaces cannot have samples; a few have them, and must be refused.
    let samples = if needs.samples && kind == 1 && (!planar || percent(u, 10)?) {
        u.int_in_range(0..=4u64)?
    } else {
        0
    };
    let longest = width.max(height).max(if kind == 2 { depth } else { 1 });
    let full = u64::from(longest.ilog2()) + 1;
    let mips = match u.int_in_range(0..=99u32)? {
        _ if samples > 0 || planar => 1,
        0..=39 => full,
        40..=74 => u.int_in_range(1..=full)?,
        _ => 1,
    };
    let base = if percent(u, 25)? { u.int_in_range(0..=mips - 1)? } else { 0 };
    let levels = if percent(u, 80)? { mips - base } else { u.int_in_range(1..=mips - base)? };
    let tile = match weighted(u, &[(55, 0), (18, 2), (22, 3), (5, 1)])? {
        1 if element != 1 => 3,
        _ if kind >= 4 => 0,
        tile => tile,
    };
    let block = format.as_ref().map_or((1, 1), |f| (f.block.0 as u64, f.block.1 as u64));
    let (tile_width, tile_height) = [(1u64, 4u64), (128, 64), (512, 8), (128, 32)][tile as usize];
    let interleaved = samples > 0 && percent(u, 40)?;
    let grow = if interleaved { 4 } else { 1 };
    let columns = (width.div_ceil(block.0) + 16).next_multiple_of(16) * grow * 2;
    let pitch = (columns * element).next_multiple_of(tile_width);
    let rows = (height.div_ceil(block.1) + 16).next_multiple_of(16) * grow * 3;
    let qpitch = if kind == 0 && tile == 0 {
        width.next_multiple_of(64) + 64 * mips
    } else {
        rows.next_multiple_of(tile_height)
    };
    let address = 0x10_0000 + if tile == 0 { u.int_in_range(0..=64)? * 16 } else { 0 };
    for (name, value) in [
        ("Surface Type", kind),
        ("Surface Array", u64::from(kind != 2 && kind < 4 && percent(u, 60)?)),
        ("Surface Format", code),
        (
            "Surface Horizontal Alignment",
            if mips == 1 { u.int_in_range(0..=3)? } else { u.int_in_range(1..=3)? },
        ),
        (
            "Surface Vertical Alignment",
            if mips == 1 { u.int_in_range(0..=3)? } else { u.int_in_range(1..=3)? },
        ),
        ("Tile Mode", tile),
        ("Surface QPitch", qpitch / 4),
        ("Width", width - 1),
        ("Height", height - 1),
        ("Depth", depth - 1),
        ("Surface Pitch", pitch - 1),
        ("Number of Multisamples", samples),
        ("Multisampled Surface Storage Format", u64::from(interleaved)),
        ("MIP Count / LOD", levels - 1),
        ("Surface Min LOD", base),
        ("Minimum Array Element", if percent(u, 15)? { u.int_in_range(0..=3)? } else { 0 }),
        ("Surface Base Address", address),
        ("Shader Channel Select Red", 4),
        ("Shader Channel Select Green", 5),
        ("Shader Channel Select Blue", 6),
        ("Shader Channel Select Alpha", 7),
    ] {
        set_surface(&mut state, name, value);
    }
    if resource {
        tiled_resource(u, &mut state, platform)?;
    }
    if kind >= 4 && kind < 7 {
        buffer(u, &mut state, element)?;
    }
    let one_picture = kind == 1 && mips == 1 && samples == 0;
    if percent(u, if one_picture && tile != 0 { 25 } else { 1 })? {
        let step = [4, 2, 1][(element.trailing_zeros() as usize).min(2)];
        let odd = u64::from(percent(u, 5)?);
        set_surface(&mut state, "X Offset", u.int_in_range(0..=5)? * step + odd);
        set_surface(&mut state, "Y Offset", u.int_in_range(0..=7)?);
        if percent(u, 90)? {
            set_surface(&mut state, "Surface Array", 0);
        }
    }
    if percent(u, if one_picture { 20 } else { 1 })? {
        set_surface(&mut state, "Vertical Line Stride", 1);
    }
    set_surface(&mut state, "Vertical Line Stride Offset", u.int_in_range(0..=1)?);
    if planar {
        set_surface(&mut state, "Separate UV Plane Enable", u64::from(percent(u, 3)?));
        if percent(u, 90)? {
            set_surface(&mut state, "Surface Array", 0);
        }
        // Hardware requires that the chroma plane of a tiled surface starts with a tile. Half of the surfaces break this, and a few start
        // at an odd column.
        let (row, column) = if tile == 0 || percent(u, 50)? {
            let odd = u64::from(percent(u, 5)?);
            (height + u.int_in_range(0..=4)?, u.int_in_range(0..=9)? * 2 + odd)
        } else {
            (height.next_multiple_of(64), 0)
        };
        set_surface(&mut state, "Y Offset for U or UV Plane", row);
        set_surface(&mut state, "X Offset for U or UV Plane", column);
        set_surface(&mut state, "Y Offset for V Plane", height + height / 2 + 1);
    }
    if samples > 0 && !planar && percent(u, 40)? {
        auxiliary(u, &mut state, rows)?;
    }
    let tail = surface_field(&state, "Mip Tail Start LOD");
    surface_rest(u, &mut state)?;
    if resource && percent(u, 97)? {
        set_surface(&mut state, "Mip Tail Start LOD", tail);
    }
    let mut made = GeneratedSurface {
        platform,
        state,
        memory: Regions::default(),
        null_pages: Vec::new(),
        palette: Vec::new(),
        size: [width, height, depth],
        layers: depth,
        levels,
        samples: 1 << samples,
    };
    fill(u, needs, &mut made)?;
    Ok(made)
}

/// Makes a surface a tiled resource: tile mode, resource mode, pitches of whole tiles, and a mip tail.
fn tiled_resource(u: &mut Unstructured<'_>, state: &mut [u32; 16], platform: u8) -> Result<()> {
    let get = |name| surface_field(state, name);
    let large = percent(u, 50)?;
    let format = Format::of(get("Surface Format")).ok();
    let (element, block) = format.as_ref().map_or((4, (1, 1)), |f| (f.bytes as u64, f.block));
    let planes = get("Multisampled Surface Storage Format") == 0;
    let samples = if planes { 1 << get("Number of Multisamples") } else { 1 };
    let kind = get("Surface Type");
    let dimensions = [1, 2, 3, 2][kind as usize];
    let Some(tile) = Tile::new(large, dimensions, element, samples, platform > 9) else { return Ok(()) };
    let size = [get("Width") + 1, get("Height") + 1, if kind == 2 { get("Depth") + 1 } else { 1 }];
    let interleaved = if planes { 1 } else { 4 };
    let blocks = |texels: u64, block: usize| texels.div_ceil(block as u64);
    let levels = get("Surface Min LOD") + get("MIP Count / LOD") + 1;
    let fits = |level: &u64| {
        let minify = |size: u64| (size >> level).max(1);
        let narrow = kind != 2 || large;
        let (w, h) =
            if narrow { (tile.columns() / 2, tile.rows()) } else { (tile.columns(), tile.rows() / 2) };
        let deep = kind != 2 || minify(size[2]) <= tile.depth();
        let left = levels.saturating_sub(level + 1);
        blocks(minify(size[0]), block.0) <= w
            && blocks(minify(size[1]), block.1) <= h
            && deep
            && tile.slot(left).is_some()
    };
    let start = (0..levels).find(fits).filter(|_| samples == 1 && interleaved == 1);
    let start = if percent(u, 75)? { start.unwrap_or(15) } else { 15 };
    // Level 1 lies below level 0, level 2 to the right of level 1, all smaller levels below level 2.
    let wide =
        |k: u64| (blocks((size[0] >> k).max(1), block.0) * interleaved).next_multiple_of(tile.columns());
    let high = |k: u64| (blocks((size[1] >> k).max(1), block.1) * interleaved).next_multiple_of(tile.rows());
    let columns = wide(0).max(wide(1) + if levels > 2 { wide(2) } else { 0 });
    let below: u64 = (2..levels.min(start + 1)).map(high).sum();
    let qpitch = high(0) + if levels > 1 { below.max(high(1)) } else { 0 };
    let tiles = columns / tile.columns();
    for (name, value) in [
        ("Tile Mode", if percent(u, 98)? { 3 } else { u.int_in_range(0..=3)? }),
        ("Tiled Resource Mode", if percent(u, 99)? { 1 + u64::from(large) } else { 3 }),
        ("Mip Tail Start LOD", start),
        ("Surface Pitch", (tiles + u.int_in_range(0..=1)?) * tile.width() - 1),
        ("Surface QPitch", qpitch.next_multiple_of(tile.rows().max(4)) / 4),
        ("Surface Base Address", 0x10_0000),
    ] {
        set_surface(state, name, value);
    }
    if percent(u, 2)? {
        set_surface(state, "Surface Pitch", tiles * tile.width() + 127);
    }
    Ok(())
}

/// The address of control surfaces; the clear colour is stored before it.
const CONTROL: u64 = 0x4000_0000;
/// Bytes before a control surface, with the clear colour.
const CLEAR: u64 = 64;

/// Sets the fields of an auxiliary surface; `rows` is its QPitch in rows.
fn auxiliary(u: &mut Unstructured<'_>, state: &mut [u32; 16], rows: u64) -> Result<()> {
    let in_memory = percent(u, 40)?;
    for (name, value) in [
        ("Auxiliary Surface Mode", weighted(u, &[(95, 1), (1, 2), (1, 3), (1, 4), (2, 5)])?),
        ("Auxiliary Surface Pitch", u.int_in_range(2..=4)?),
        ("Auxiliary Surface QPitch", rows / 4),
        ("Auxiliary Surface Base Address", CONTROL >> 12),
        ("Clear Value Address Enable", u64::from(in_memory)),
    ] {
        set_surface(state, name, value);
    }
    if in_memory {
        set_surface(state, "Clear Value Address", (CONTROL - CLEAR) >> 6);
        return Ok(());
    }
    for name in ["Red Clear Color", "Green Clear Color", "Blue Clear Color", "Alpha Clear Color"] {
        let colour = *u.choose(&[0.0f32, 1.0, 0.25, -0.5, 3.5, f32::NAN, 1e-40])?;
        set_surface(state, name, colour.to_bits().into());
    }
    Ok(())
}

/// Returns the memory of a control surface with the clear colour before it.
fn control(random: &mut Random, surface: &Surface) -> Option<Region> {
    let [w, h, _] = surface.level(0);
    let last = surface.control(surface.layers() - 1, w - 1, h - 1)?.into_iter().max()?;
    let mut bytes: Vec<u8> = (0..4).flat_map(|_| (random.value(true) as f32).to_le_bytes()).collect();
    bytes.resize_with((last / 4096 * 4096 + 4096 - CONTROL + CLEAR) as usize, || random.next() as u8);
    Some(Region { address: CONTROL - CLEAR, bytes })
}

fn buffer(u: &mut Unstructured<'_>, state: &mut [u32; 16], element: u64) -> Result<()> {
    // Some buffers have more elements than any other surface has columns.
    let most = if percent(u, 95)? { 300 } else { 70_000 };
    let count = u.int_in_range(0..=most)?;
    let stride = element + if percent(u, 20)? { u.int_in_range(0..=16)? } else { 0 };
    for (name, value) in [
        ("Width", count % 128),
        ("Height", count / 128),
        ("Depth", 0),
        ("Surface Pitch", stride - 1),
        ("MIP Count / LOD", 0),
        ("Surface Min LOD", 0),
        ("Surface Horizontal Alignment", 0),
        ("Surface Vertical Alignment", 0),
    ] {
        set_surface(state, name, value);
    }
    Ok(())
}

/// Fills in the memory, null pages and palette of a surface, after finding the last byte of its elements.
fn fill(u: &mut Unstructured<'_>, needs: SurfaceNeeds, made: &mut GeneratedSurface) -> Result<()> {
    let Ok(surface) = Surface::of(&made.state, made.platform) else { return Ok(()) };
    let Some(format) = surface.format.clone() else { return Ok(()) };
    let start = 0x10_0000;
    let mut end = start;
    let mut reach = |addresses: &[u64]| end = addresses.iter().fold(end, |end: u64, a| end.max(a + 1));
    if matches!(surface.kind, SurfaceType::Buffer | SurfaceType::Strbuf) {
        reach(&surface.buffer_element(surface.elements - 1).0);
    } else {
        for level in 0..surface.levels {
            let [w, h, d] = surface.level(level);
            let last = match surface.kind {
                SurfaceType::D3 => d,
                SurfaceType::Cube => surface.size[2] * 6,
                _ => surface.size[2] * surface.samples,
            } - 1;
            // Addresses in a tile are not monotonous, so that whole last rows (of tiles) are included.
            let (w, h) = if surface.samples > 1 { (w * 4, h * 4) } else { (w, h) };
            if let Codec::Planar(bytes) = format.codec {
                surface.planes(last, w + 64, h + 8, bytes as u64).iter().for_each(|plane| reach(plane));
            } else {
                reach(&surface.element(level, last, w - 1, h - 1).0);
            }
        }
        end += match (
            surface_field(&made.state, "Tile Mode"),
            surface_field(&made.state, "Tiled Resource Mode"),
        ) {
            (0, _) => 64,
            (_, 2) => 0x1_0000,
            _ => 4096 * 2,
        };
    }
    let mut size = (end - start).min(1 << 22) as usize;
    if !needs.tame && percent(u, 3)? {
        size = u.int_in_range(0..=size)?;
    }
    if !needs.tame && percent(u, 8)? {
        let page = *u.choose(&[16u64, 64, 256, 4096])?;
        let at = u.int_in_range(0..=size as u64 / page)?;
        made.null_pages.push((start + at * page, page));
    }
    made.memory.push(Region { address: start, bytes: contents(u.arbitrary()?, size, &format, needs.tame) });
    if let Some(mut region) = control(&mut Random(size as u64), &surface) {
        if !needs.tame && percent(u, 5)? {
            region.bytes.truncate(u.int_in_range(0..=region.bytes.len())?);
        }
        if !needs.tame && percent(u, 8)? {
            made.null_pages.push((CONTROL + u.int_in_range(0..=3)? * 64 - CLEAR, 64));
        }
        made.memory.push(region);
    }
    if format.palette() && percent(u, 97)? {
        let mut random = Random(u.arbitrary()?);
        // Some palettes have entries for a part of the indices only, or too many.
        let entries = if percent(u, 90)? { 256 } else { u.int_in_range(1..=300)? };
        made.palette = (0..entries).map(|_| random.next() as u32).collect();
    }
    Ok(())
}

/// A small random number generator for bulk data (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns the next 64 random bits.
    #[allow(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn value(&mut self, tame: bool) -> f64 {
        let bits = self.next();
        let fraction = (bits >> 11) as f64 / 9_007_199_254_740_992.0;
        match bits % 100 {
            0..=4 if !tame => [f64::NAN, f64::INFINITY, -1e30, 1e-40, -0.0][(bits >> 8) as usize % 5],
            5..=9 => ((bits >> 8) % 5) as f64,
            _ => fraction * 3.0 - 1.0,
        }
    }
}

/// The period in bytes of the contents of a surface: whole elements of every size, and a factor (331) that no pitch of tiles, rows or
/// slices shares, so that a wrong address reads other bytes. Generating millions of random bytes for the few texels that a job reads took
/// nine tenths of the time.
pub(super) const PERIOD: usize = 48 * 331;

fn contents(seed: u64, size: usize, format: &Format, tame: bool) -> Vec<u8> {
    let mut random = Random(seed);
    if let Codec::Astc = format.codec {
        let blocks = super::blocks::astc(|| random.next(), size.min(PERIOD), format.name, tame);
        return repeated(blocks, size);
    }
    let mut bytes = Vec::with_capacity(size.max(PERIOD) + 8);
    let float_bits = match &format.codec {
        Codec::Components(list) if format.name.contains("FLOAT") => list[0].bits,
        _ => 0,
    };
    while bytes.len() < size.min(PERIOD) {
        match float_bits {
            32 => bytes.extend((random.value(tame) as f32).to_le_bytes()),
            64 => bytes.extend(random.value(tame).to_le_bytes()),
            // Half and smaller floats: clear an exponent bit, so that there are no infinities and NaN.
            16 if tame => bytes.extend([random.next() as u8, random.next() as u8 & 0xbf]),
            _ if tame && float_bits > 0 => bytes.extend((random.next() as u32 & 0x7fdf_fbff).to_le_bytes()),
            _ => bytes.extend(random.next().to_le_bytes()),
        }
    }
    bytes.truncate(size.min(PERIOD));
    repeated(bytes, size)
}

/// Returns `size` bytes: `bytes` repeated.
fn repeated(mut bytes: Vec<u8>, size: usize) -> Vec<u8> {
    while bytes.len() < size && !bytes.is_empty() {
        let more = bytes.len().min(size - bytes.len());
        bytes.extend_from_within(..more);
    }
    bytes
}
