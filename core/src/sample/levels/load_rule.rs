//! Loads: from integer coordinates to texels, with mip levels, texel offsets and range checks.
#![allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]

use super::level::{LevelArrays, LevelEntry};
use crate::memory::LevelAddressing;
use crate::message::Message;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::lanes::{LANES, Lanes, MULTI_LANE, ones};
use crate::sample::place::address::{self, BlockSize, GENERAL};
use crate::sample::place::axis::{AxisTaps, NEEDS_GENERAL};

/// Constants that turn the integer coordinates of loads into texels; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoadRule {
    /// Size of mip level 0 of the memory surface; 1 along axes that the surface does not have.
    size: [u32; 3],
    base: u32,
    levels: u32,
    layers: u32,
    offset: [i32; 3],
    /// For kernels that find elements.
    elements: [ElementRule; MULTI_LANE],
}

/// How the slice and the block that each lane reads are found.
#[derive(Clone, Copy, Debug)]
struct ElementRule {
    /// Lanes can read different slices.
    sliced: bool,
    /// The slice is the coordinate R (of a volume), not the array layer.
    volume: bool,
    /// Added to slices: the view's first slice, or 0 if the rows of mip levels already include its rows.
    first: u32,
    /// Width and height of a block, for kernels that read blocks.
    block: [BlockSize; 2],
}

impl LoadRule {
    pub(crate) fn new(texture: &Texture<'_>, message: &Message) -> Self {
        let buffer = texture.dim == Dim::Buffer;
        let (base, axes) = if buffer { (0, 0) } else { (texture.base, texture.axes()) };
        // Buffers take no offset, and arrays none along the axis of their index.
        let mut offset = [0; 3];
        for (offset, given) in offset.iter_mut().zip(message.offsets).take(axes) {
            *offset = given.into();
        }
        let volume = texture.dim == Dim::D3;
        let element = ElementRule { sliced: false, volume, first: 0, block: [BlockSize::new(1); 2] };
        let (levels, layers) = (texture.levels, texture.layers);
        Self { size: texture.size, base, levels, layers, offset, elements: [element; MULTI_LANE] }
    }

    /// Sets whether lanes can read different slices, the slice that they count from, and the size of blocks, if elements are blocks.
    pub(crate) fn set_elements(&mut self, sliced: bool, first: u32, block: Option<[BlockSize; 2]>) {
        for rule in &mut self.elements {
            (rule.sliced, rule.first, rule.block) = (sliced, first, block.unwrap_or(rule.block));
        }
    }
}

/// The integer parameters of each lane of a load, as raw bytes of a payload.
#[derive(Clone, Copy)]
pub(crate) struct IntegerLanes<'a> {
    pub(crate) coordinate: [&'a Lanes<[u8; 4]>; 3],
    pub(crate) level: &'a Lanes<[u8; 4]>,
    pub(crate) layer: &'a Lanes<[u8; 4]>,
}

/// Fills in texel coordinates, slices and mip levels. Lanes out of range get bit 0 of [`AxisTaps::outside`] along x, and texel 0 of
/// slice 0 (of mip level 0, if the view does not have their level). Returns whether there are any.
pub(crate) type LoadKernel = fn(
    &LoadRule,
    &IntegerLanes<'_>,
    &mut [AxisTaps; 3],
    slices: &mut Lanes<u32>,
    levels: &mut Lanes<u32>,
) -> bool;

/// See [`LoadKernel`].
#[inline(always)]
pub(crate) fn place(
    rule: &LoadRule,
    at: &IntegerLanes<'_>,
    [x, y, z]: &mut [AxisTaps; 3],
    slices: &mut Lanes<u32>,
    levels: &mut Lanes<u32>,
) -> bool {
    let mut any = 0;
    let [width, height, depth] = rule.size;
    for i in 0..LANES {
        let (level, layer) = (u32::from_le_bytes(at.level[i]), u32::from_le_bytes(at.layer[i]));
        let has_level = level < rule.levels;
        let level = if has_level { level } else { 0 };
        let shift = rule.base.wrapping_add(level) & 31;
        let size = |n: u32| {
            let n = n.wrapping_shr(shift);
            if n == 0 { 1 } else { n }
        };
        // Offsets are small: a coordinate that overflows with its offset is still out of range.
        let coordinate =
            |axis: usize| i32::from_le_bytes(at.coordinate[axis][i]).wrapping_add(rule.offset[axis]) as u32;
        let (cx, cy, cz) = (coordinate(0), coordinate(1), coordinate(2));
        let inside =
            has_level & (layer < rule.layers) & (cx < size(width)) & (cy < size(height)) & (cz < size(depth));
        let keep = |value: u32| if inside { value } else { 0 };
        x.texel[0][i] = keep(cx);
        y.texel[0][i] = keep(cy);
        z.texel[0][i] = keep(cz);
        let outside = u32::from(!inside);
        x.outside[i] = outside;
        any |= outside;
        slices[i] = keep(layer);
        levels[i] = level;
    }
    any != 0
}

/// Fills in the indices of the elements of lanes that all read one mip level, and `outside`: 1 in lanes out of range, whose index is 0, the
/// surface's first element. With blocks also `inside`, the texel's position in its block: column in bits 3:0, row from bit 4 up. Returns
/// [`NEEDS_GENERAL`] if lanes read several mip levels (all outputs are then unspecified), else 1 if any lane is out of range.
pub(crate) type LoadPlaneKernel = fn(
    &LoadRule,
    &LevelArrays,
    &LevelAddressing,
    &IntegerLanes<'_>,
    index: &mut Lanes<u32>,
    inside: &mut Lanes<u32>,
    outside: &mut Lanes<u32>,
) -> u32;

/// What all lanes of a load on one mip level need to find their texels.
#[derive(Clone, Copy)]
pub(super) struct LoadLevel<'a> {
    at: IntegerLanes<'a>,
    rule: LoadRule,
    elements: ElementRule,
    /// The mip level and its number.
    level: LevelEntry,
    number: u32,
    tile: LevelAddressing,
}

impl LoadLevel<'_> {
    /// Returns the coordinates of lane `i`, with the texel offset, and its array layer.
    #[inline(always)]
    pub(crate) fn texel(&self, i: usize) -> [u32; 4] {
        let IntegerLanes { coordinate: [u, v, r], layer, .. } = self.at;
        let [x, y, z] = self.rule.offset;
        let coordinate = |lane: [u8; 4], offset: i32| i32::from_le_bytes(lane).wrapping_add(offset) as u32;
        [coordinate(u[i], x), coordinate(v[i], y), coordinate(r[i], z), u32::from_le_bytes(layer[i])]
    }

    /// Returns all ones if a texel is out of range on this mip level, else 0.
    #[inline(always)]
    fn is_outside(&self, [x, y, z, layer]: [u32; 4]) -> u32 {
        let [width, height, depth] = self.level.size;
        ones(x >= width) | ones(y >= height) | ones(z >= depth) | ones(layer >= self.rule.layers)
    }

    /// Returns all ones if lane `i` is out of range or names a mip level that the view does not have, else 0.
    #[inline(always)]
    pub(super) fn is_missing(&self, i: usize) -> u32 {
        self.is_outside(self.texel(i)) | ones(u32::from_le_bytes(self.at.level[i]) >= self.rule.levels)
    }

    /// Returns a number other than 0 if lane `i` names another mip level of the view, which has another size.
    #[inline(always)]
    pub(super) fn has_another(&self, i: usize) -> u32 {
        let level = u32::from_le_bytes(self.at.level[i]);
        (level ^ self.number) & ones(level < self.rule.levels)
    }

    /// Returns the index of the element at coordinates (of a texel, or of a block) and a layer.
    #[inline(always)]
    pub(crate) fn element<const PATTERN: u8>(&self, [x, y, z, layer]: [u32; 4]) -> u32 {
        let Self { level, elements, tile, .. } = self;
        let volume = ones(elements.volume);
        let slice = (z & volume | layer & !volume).wrapping_add(level.layer).wrapping_add(elements.first);
        // What slices add inside a tile takes as long to compute as all the rest: it is left out for surfaces without slices.
        let (skip, slice_offset) = if PATTERN != GENERAL {
            (address::slice_row(tile, slice) & ones(elements.sliced), 0)
        } else if elements.sliced {
            address::slice(tile, slice)
        } else {
            (0, 0)
        };
        let column = address::column::<PATTERN>(tile, x.wrapping_add(level.column));
        let row = address::row::<PATTERN>(tile, y.wrapping_add(level.row).wrapping_add(skip));
        column.wrapping_add(row).wrapping_add(slice_offset)
    }
}

/// Returns what the lanes of a load have in common, on the mip level of lane 0 (level 0, if the view does not have that); `None` on
/// one-lane targets.
#[inline(always)]
pub(super) fn load_level<'a>(
    rule: &LoadRule,
    table: &LevelArrays,
    tile: &LevelAddressing,
    at: &IntegerLanes<'a>,
) -> Option<LoadLevel<'a>> {
    let number = u32::from_le_bytes(at.level[0]);
    // Local copies: no store in a loop can alias them.
    let number = if number < rule.levels { number } else { 0 };
    let (level, elements) = (table.get(number)?, *rule.elements.first()?);
    Some(LoadLevel { at: *at, rule: *rule, elements, level, number, tile: *tile })
}

/// See [`LoadPlaneKernel`]. `BLOCKS`: elements are blocks.
#[inline(always)]
pub(crate) fn place_plane<const PATTERN: u8, const BLOCKS: bool>(
    rule: &LoadRule,
    table: &LevelArrays,
    tile: &LevelAddressing,
    at: &IntegerLanes<'_>,
    index: &mut Lanes<u32>,
    inside: &mut Lanes<u32>,
    outside: &mut Lanes<u32>,
) -> u32 {
    let Some(loads) = load_level(rule, table, tile, at) else { return NEEDS_GENERAL };
    let (mut other, mut any) = (0, 0);
    for i in 0..LANES {
        let kept = !loads.is_missing(i);
        other |= loads.has_another(i);
        outside[i] = !kept & 1;
        any |= outside[i];
        let [x, y, z, layer] = loads.texel(i);
        let (x, y) = if BLOCKS {
            let [width, height] = loads.elements.block;
            let ((x, column), (y, row)) = (width.split(x), height.split(y));
            inside[i] = (column | row << 4) & kept;
            (x, y)
        } else {
            (x, y)
        };
        index[i] = loads.element::<PATTERN>([x, y, z, layer]) & kept;
    }
    if other != 0 { NEEDS_GENERAL } else { any }
}
