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
use super::surface_shape::{SurfaceNeeds, SurfaceShape};
use crate::emulator::formats::{Codec, Format};
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

/// Generates a surface for the message's needs.
///
/// # Errors
/// As [`Unstructured`].
pub fn surface(u: &mut Unstructured<'_>, needs: SurfaceNeeds) -> Result<GeneratedSurface> {
    let shape = SurfaceShape::of(u, needs)?;
    let mut state = [0u32; 16];
    shape_fields(u, &shape, &mut state)?;
    if shape.resource {
        tiled_resource(u, &shape, &mut state)?;
    }
    if shape.kind >= 4 && shape.kind < 7 {
        buffer(u, &mut state, shape.element())?;
    }
    offsets_and_line_stride(u, &shape, &mut state)?;
    if shape.is_planar() {
        chroma_plane(u, &shape, &mut state)?;
    }
    if shape.samples > 0 && !shape.is_planar() && percent(u, 40)? {
        auxiliary(u, &mut state, shape.columns_and_rows().1)?;
    }
    let tail = surface_field(&state, "Mip Tail Start LOD");
    surface_rest(u, &mut state)?;
    if shape.resource && percent(u, 97)? {
        set_surface(&mut state, "Mip Tail Start LOD", tail);
    }
    let mut made = GeneratedSurface {
        platform: shape.platform,
        state,
        memory: Regions::default(),
        null_pages: Vec::new(),
        palette: Vec::new(),
        size: shape.size,
        layers: shape.size[2],
        levels: shape.levels,
        samples: 1 << shape.samples,
    };
    fill(u, needs, &mut made)?;
    Ok(made)
}

/// Sets the fields that follow from the shape, and the address.
fn shape_fields(u: &mut Unstructured<'_>, shape: &SurfaceShape, state: &mut [u32; 16]) -> Result<()> {
    let kind = shape.kind;
    let [width, height, depth] = shape.size;
    let (pitch, qpitch) = shape.pitches();
    let address = START + if shape.tile == 0 { u.int_in_range(0..=64)? * 16 } else { 0 };
    // Code 0 of an alignment is reserved where there are several levels.
    let alignments = if shape.mips == 1 { 0..=3 } else { 1..=3 };
    for (name, value) in [
        ("Surface Type", kind),
        ("Surface Array", u64::from(kind != 2 && kind < 4 && percent(u, 60)?)),
        ("Surface Format", shape.code),
        ("Surface Horizontal Alignment", u.int_in_range(alignments.clone())?),
        ("Surface Vertical Alignment", u.int_in_range(alignments)?),
        ("Tile Mode", shape.tile),
        ("Surface QPitch", qpitch / 4),
        ("Width", width - 1),
        ("Height", height - 1),
        ("Depth", depth - 1),
        ("Surface Pitch", pitch - 1),
        ("Number of Multisamples", shape.samples),
        ("Multisampled Surface Storage Format", u64::from(shape.interleaved)),
        ("MIP Count / LOD", shape.levels - 1),
        ("Surface Min LOD", shape.base),
        ("Minimum Array Element", if percent(u, 15)? { u.int_in_range(0..=3)? } else { 0 }),
        ("Surface Base Address", address),
        ("Shader Channel Select Red", 4),
        ("Shader Channel Select Green", 5),
        ("Shader Channel Select Blue", 6),
        ("Shader Channel Select Alpha", 7),
    ] {
        set_surface(state, name, value);
    }
    Ok(())
}

/// Sets X and Y offset and the line stride: often where a surface may have them, rarely where it must be refused.
fn offsets_and_line_stride(
    u: &mut Unstructured<'_>,
    shape: &SurfaceShape,
    state: &mut [u32; 16],
) -> Result<()> {
    let one_picture = shape.is_one_picture();
    if percent(u, if one_picture && shape.tile != 0 { 25 } else { 1 })? {
        let step = [4, 2, 1][(shape.element().trailing_zeros() as usize).min(2)];
        let odd = u64::from(percent(u, 5)?);
        set_surface(state, "X Offset", u.int_in_range(0..=5)? * step + odd);
        set_surface(state, "Y Offset", u.int_in_range(0..=7)?);
        if percent(u, 90)? {
            set_surface(state, "Surface Array", 0);
        }
    }
    if percent(u, if one_picture { 20 } else { 1 })? {
        set_surface(state, "Vertical Line Stride", 1);
    }
    set_surface(state, "Vertical Line Stride Offset", u.int_in_range(0..=1)?);
    Ok(())
}

/// Sets where the chroma plane of a planar surface starts. Hardware requires that it starts with a tile if the surface is tiled. Half of
/// the surfaces break this, and a few start at an odd column.
fn chroma_plane(u: &mut Unstructured<'_>, shape: &SurfaceShape, state: &mut [u32; 16]) -> Result<()> {
    let height = shape.size[1];
    set_surface(state, "Separate UV Plane Enable", u64::from(percent(u, 3)?));
    if percent(u, 90)? {
        set_surface(state, "Surface Array", 0);
    }
    let (row, column) = if shape.tile == 0 || percent(u, 50)? {
        let odd = u64::from(percent(u, 5)?);
        (height + u.int_in_range(0..=4)?, u.int_in_range(0..=9)? * 2 + odd)
    } else {
        (height.next_multiple_of(64), 0)
    };
    set_surface(state, "Y Offset for U or UV Plane", row);
    set_surface(state, "X Offset for U or UV Plane", column);
    set_surface(state, "Y Offset for V Plane", height + height / 2 + 1);
    Ok(())
}

/// Makes a surface a tiled resource: tile mode, resource mode, pitches of whole tiles, and a mip tail.
fn tiled_resource(u: &mut Unstructured<'_>, shape: &SurfaceShape, state: &mut [u32; 16]) -> Result<()> {
    let large = percent(u, 50)?;
    let (kind, block, levels) = (shape.kind, shape.block(), shape.base + shape.levels);
    let samples = if shape.interleaved { 1 } else { 1 << shape.samples };
    let dimensions = [1, 2, 3, 2][kind as usize];
    let Some(tile) = Tile::new(large, dimensions, shape.element(), samples, shape.platform > 9) else {
        return Ok(());
    };
    let [width, height, depth] = shape.size;
    let size = [width, height, if kind == 2 { depth } else { 1 }];
    let interleaved = if shape.interleaved { 4 } else { 1 };
    let blocks = |texels: u64, block: usize| texels.div_ceil(block as u64);
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
    let start = (0..levels).find(fits).filter(|_| shape.samples == 0);
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
        ("Surface Base Address", START),
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

/// The address of the first byte of every surface that is tiled, and the lowest one of the others.
const START: u64 = 0x10_0000;

/// Returns the address behind the last byte of the surface's elements.
fn end(state: &[u32; 16], surface: &Surface, format: &Format) -> u64 {
    let behind = |addresses: &[u64]| addresses.iter().fold(START, |end, address| end.max(address + 1));
    if matches!(surface.kind, SurfaceType::Buffer | SurfaceType::Strbuf) {
        return behind(&surface.buffer_element(surface.elements - 1).0);
    }
    let level_end = |level| {
        let [w, h, d] = surface.level(level);
        let last = match surface.kind {
            SurfaceType::D3 => d,
            SurfaceType::Cube => surface.size[2] * 6,
            _ => surface.size[2] * surface.samples,
        } - 1;
        let (w, h) = if surface.samples > 1 { (w * 4, h * 4) } else { (w, h) };
        if let Codec::Planar(bytes) = format.codec {
            behind(&surface.planes(last, w + 64, h + 8, bytes as u64).concat())
        } else {
            behind(&surface.element(level, last, w - 1, h - 1).0)
        }
    };
    // Addresses in a tile are not monotonous, so that whole last rows (of tiles) are included.
    let rest = match (surface_field(state, "Tile Mode"), surface_field(state, "Tiled Resource Mode")) {
        (0, _) => 64,
        (_, 2) => 0x1_0000,
        _ => 4096 * 2,
    };
    (0..surface.levels).map(level_end).fold(START, u64::max) + rest
}

/// Fills in the memory, null pages and palette of a surface.
fn fill(u: &mut Unstructured<'_>, needs: SurfaceNeeds, made: &mut GeneratedSurface) -> Result<()> {
    let Ok(surface) = Surface::of(&made.state, made.platform) else { return Ok(()) };
    let Some(format) = surface.format.clone() else { return Ok(()) };
    let mut size = (end(&made.state, &surface, &format) - START).min(1 << 22) as usize;
    if !needs.tame && percent(u, 3)? {
        size = u.int_in_range(0..=size)?;
    }
    if !needs.tame && percent(u, 8)? {
        let page = *u.choose(&[16u64, 64, 256, 4096])?;
        let at = u.int_in_range(0..=size as u64 / page)?;
        made.null_pages.push((START + at * page, page));
    }
    made.memory.push(Region { address: START, bytes: contents(u.arbitrary()?, size, &format, needs.tame) });
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

/// The period in bytes of the contents of a surface: whole elements of every size up to 24 bytes, whole channels of larger ones, and a
/// factor (331) that no pitch of tiles, rows or slices shares, so that a wrong address reads other bytes. Generating millions of random
/// bytes for the few texels that a job reads took nine tenths of the time.
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
