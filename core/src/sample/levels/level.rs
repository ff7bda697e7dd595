//! The mip levels of a view: their sizes and where they are in the surface.

use crate::memory::MAX_LEVELS;
use crate::sample::bind::texture::{Dim, TexelSource, Texture};
use crate::sample::lanes::{LANES, Lanes};
use crate::sample::place::axis::AxisRule;
use crate::sample::place::level_lanes::LevelLanes;

/// Size and position of one mip level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelEntry {
    /// Texels along U, V and R.
    pub(crate) size: [u32; 3],
    /// See [`AxisRule::inverse`]. One-lane targets do not use it.
    inverse: [f32; 3],
    /// Column and row where the mip level begins in the view's first slice (or slice 0 of the surface: see [`LevelArrays::new`]), in
    /// elements of the surface.
    pub(crate) column: u32,
    pub(crate) row: u32,
    /// Slice of the mip level's slot in its tile: mip tails of tiled resources.
    pub(crate) layer: u32,
}

/// The number of mip levels that are computed beforehand: all levels of any view fit, and an array of them fills a 512-bit vector. One-lane
/// targets compute none beforehand.
pub(super) const TABLE_LEVELS: usize = if LANES > 1 { 16 } else { 0 };

const _: () = assert!(LANES == 1 || MAX_LEVELS <= TABLE_LEVELS);

/// The mip levels of a view that are computed beforehand: the fields of [`LevelEntry`] as arrays, indexed by mip level.
#[cfg_attr(target_pointer_width = "64", repr(align(64)))]
#[derive(Clone, Debug)]
pub(crate) struct LevelArrays {
    pub(crate) size: [[u32; TABLE_LEVELS]; 3],
    /// See [`AxisRule::inverse`].
    pub(crate) inverse: [[f32; TABLE_LEVELS]; 3],
    pub(crate) column: [u32; TABLE_LEVELS],
    pub(crate) row: [u32; TABLE_LEVELS],
    pub(crate) layer: [u32; TABLE_LEVELS],
}

impl LevelEntry {
    /// A mip level that the view does not have.
    pub(crate) const NONE: Self = Self { size: [1; 3], inverse: [1.0; 3], column: 0, row: 0, layer: 0 };

    /// Computes a mip level of the view. `first_layer`: see [`LevelArrays::new`].
    pub(crate) fn new(texture: &Texture<'_>, first_layer: u32, level: u32) -> Self {
        let mut entry = Self { size: texture.level_size(level), ..Self::NONE };
        if let TexelSource::Plain { layout, .. } = &texture.source
            && texture.dim != Dim::Buffer
        {
            let at = layout.level(texture.base.saturating_add(level));
            let (x, y) = layout.surface().origin();
            let first = texture.first_slice.wrapping_sub(first_layer).wrapping_mul(layout.qpitch());
            entry.layer = at.z;
            (entry.column, entry.row) = (at.x.wrapping_add(x), at.y.wrapping_add(y).wrapping_add(first));
        }
        entry
    }
}

impl LevelArrays {
    /// Computes the mip levels of the view of a texture. `first_layer`: what is added to slice numbers of the view, the view's first slice
    /// or 0; rows include the first slice if it is not added. `rules`: the wrap modes of the axes.
    pub(crate) fn new(texture: &Texture<'_>, first_layer: u32, rules: &[AxisRule; 3]) -> Self {
        let mut levels = [LevelEntry::NONE; _];
        for (level, number) in levels.iter_mut().zip(0..texture.levels) {
            *level = LevelEntry::new(texture, first_layer, number);
            for ((inverse, size), rule) in level.inverse.iter_mut().zip(level.size).zip(rules) {
                *inverse = rule.inverse(size);
            }
        }
        Self::of(levels)
    }

    /// Returns the fields of mip levels as arrays.
    pub(crate) fn of(levels: [LevelEntry; TABLE_LEVELS]) -> Self {
        let (size, inverse) = (levels.map(|level| level.size), levels.map(|level| level.inverse));
        Self {
            size: [size.map(|[u, ..]| u), size.map(|[_, v, _]| v), size.map(|[.., r]| r)],
            inverse: [inverse.map(|[u, ..]| u), inverse.map(|[_, v, _]| v), inverse.map(|[.., r]| r)],
            column: levels.map(|level| level.column),
            row: levels.map(|level| level.row),
            layer: levels.map(|level| level.layer),
        }
    }

    /// Returns the mip level with a number; `None` on one-lane targets. Numbers wrap around modulo the length of the arrays, so that at
    /// most one bounds check remains.
    #[inline(always)]
    pub(crate) fn get(&self, number: u32) -> Option<LevelEntry> {
        let number = number as usize & TABLE_LEVELS.wrapping_sub(1);
        let ([width, height, depth], [u, v, r]) = (&self.size, &self.inverse);
        Some(LevelEntry {
            size: [*width.get(number)?, *height.get(number)?, *depth.get(number)?],
            inverse: [*u.get(number)?, *v.get(number)?, *r.get(number)?],
            column: *self.column.get(number)?,
            row: *self.row.get(number)?,
            layer: *self.layer.get(number)?,
        })
    }
}

/// Fills in each lane's mip level, with the sizes of its first `axes` axes.
pub(crate) type LevelKernel = fn(&LevelArrays, numbers: &Lanes<u32>, axes: usize, out: &mut LevelLanes);

/// See [`LevelKernel`]. Most often all lanes read one mip level, which is checked first.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
pub(crate) fn fill(levels: &LevelArrays, numbers: &Lanes<u32>, axes: usize, out: &mut LevelLanes) {
    let [first, ..] = *numbers;
    let mut other = 0;
    for number in numbers {
        other |= number ^ first;
    }
    if let Some(level) = levels.get(first).filter(|_| other == 0) {
        return spread(&level, axes, out);
    }
    for i in 0..LANES {
        let Some(level) = levels.get(numbers[i]) else { continue };
        (out.column[i], out.row[i], out.layer[i]) = (level.column, level.row, level.layer);
        for ((axis, texels), inverse) in out.size.iter_mut().zip(level.size).zip(level.inverse).take(axes) {
            (axis.texels[i], axis.inverse[i]) = (texels as i32 as f32, inverse);
        }
    }
}

/// Fills in the same mip level for all lanes.
#[inline(always)]
pub(crate) fn spread(level: &LevelEntry, axes: usize, out: &mut LevelLanes) {
    for ((axis, texels), inverse) in out.size.iter_mut().zip(level.size).zip(level.inverse).take(axes) {
        axis.texels = [texels as i32 as f32; LANES];
        if LANES > 1 {
            axis.inverse = [inverse; LANES];
        }
    }
    (out.column, out.row) = ([level.column; LANES], [level.row; LANES]);
    out.layer = [level.layer; LANES];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passes whose lanes all read one mip level are filled in as passes with several are.
    #[test]
    fn lanes_have_their_levels() {
        if LANES == 1 {
            return;
        }
        let kept = LevelArrays::of(core::array::from_fn(|number| {
            let n = number as u32 + 1;
            let inverse = [n, n + 1, 0].map(|n| n as f32);
            LevelEntry { size: [n * 3, n * 5, 1], inverse, column: n * 7, row: n * 11, layer: n }
        }));
        let level_of = |lanes: &LevelLanes, lane: usize| {
            let axes = lanes.size.map(|axis| (axis.texels[lane], axis.inverse[lane]));
            (axes, lanes.column[lane], lanes.row[lane], lanes.layer[lane])
        };
        let (mut one, mut several) = (LevelLanes::NONE, LevelLanes::NONE);
        for number in 0..TABLE_LEVELS as u32 {
            fill(&kept, &[number; LANES], 2, &mut one);
            let mut numbers = [0; LANES];
            (numbers[0], numbers[LANES - 1]) = (number ^ 1, number);
            fill(&kept, &numbers, 2, &mut several);
            let n = (number + 1) as f32;
            let axes = [(3.0 * n, n), (5.0 * n, n + 1.0), (1.0, 1.0)];
            let expected = (axes, (number + 1) * 7, (number + 1) * 11, number + 1);
            assert_eq!(level_of(&one, 0), expected);
            assert_eq!(level_of(&one, LANES - 1), expected);
            assert_eq!(level_of(&several, LANES - 1), expected);
            assert_eq!(several.row[0], ((number ^ 1) + 1) * 11);
        }
    }
}
