//! What loads do with integer coordinates: levels, offsets, and what is out of range.

use super::axis::AxisTaps;
use super::lanes::{LANES, Lanes};
use super::texture::{Dim, Texture};
use crate::message::Message;

/// What loads do with coordinates; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoadRule {
    /// Size of level 0 of the memory surface; what the surface does not have is 1.
    size: [u32; 3],
    base: u32,
    levels: u32,
    layers: u32,
    offset: [i32; 3],
}

impl LoadRule {
    pub(super) fn new(texture: &Texture<'_>, message: &Message) -> Self {
        let buffer = texture.dim == Dim::Buffer;
        let axes = if buffer { 1 } else { texture.axes() };
        let (mut size, mut offset) = (texture.size, message.offsets.map(i32::from));
        for (number, (size, offset)) in size.iter_mut().zip(&mut offset).enumerate() {
            if number >= axes {
                (*size, *offset) = (1, 0);
            } else if buffer {
                *offset = 0;
            }
        }
        let base = if buffer { 0 } else { texture.base };
        Self { size, base, levels: texture.levels, layers: texture.layers, offset }
    }
}

/// Integer parameters of lanes, as a payload has them.
pub(super) struct IntegerLanes<'a> {
    pub(super) coordinate: [&'a Lanes<[u8; 4]>; 3],
    pub(super) level: &'a Lanes<[u8; 4]>,
    pub(super) layer: &'a Lanes<[u8; 4]>,
}

/// Fills in texel coordinates, slices and levels; lanes out of range are outside along x, at 0 of level 0. True if there are
/// such lanes.
pub(super) type LoadKernel = fn(
    &LoadRule,
    &IntegerLanes<'_>,
    &mut [AxisTaps; 3],
    slices: &mut Lanes<u32>,
    levels: &mut Lanes<u32>,
) -> bool;

/// See [`LoadKernel`].
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
pub(super) fn place(
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
        // Offsets are small: those that wrap a coordinate around do not get it into range.
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
