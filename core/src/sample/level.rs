//! The levels of a view: their sizes and where they are in the surface.

use super::lanes::{LANES, Lanes, WIDE};
use super::scratch::LevelLanes;
use super::texture::{Dim, Source, Texture};
use crate::memory::MAX_LEVELS;

/// A level as the stages want it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelEntry {
    /// Texels along U, V and R.
    pub(super) size: [u32; 3],
    /// 1 / size.
    inverse: [[f32; 3]; WIDE],
    /// Column and row of the view's first slice, in elements of the surface.
    pub(super) column: u32,
    pub(super) row: u32,
    /// Slice of the level in its tile: tiled resources.
    pub(super) layer: u32,
}

/// Levels that are computed beforehand: all of them, or on small targets none.
pub(super) const KEPT: usize = if LANES > 1 { MAX_LEVELS } else { 0 };

/// The levels of a view.
#[derive(Clone, Debug)]
pub(super) struct LevelTable {
    absolute: bool,
    levels: [LevelEntry; KEPT],
}

impl LevelEntry {
    /// `absolute`: slices count from the start of memory, else from the view's first.
    fn new(texture: &Texture<'_>, absolute: bool, level: u32) -> Self {
        let size = texture.level_size(level);
        let (mut column, mut row, mut layer) = (0, 0, 0);
        if let Source::Plain { layout, .. } = &texture.source
            && texture.dim != Dim::Buffer
        {
            let at = layout.level(texture.base.saturating_add(level));
            let (x, y) = layout.surface().origin();
            let first = if absolute { 0 } else { texture.first_slice.wrapping_mul(texture.slice_rows()) };
            layer = at.z;
            (column, row) = (at.x.wrapping_add(x), at.y.wrapping_add(y).wrapping_add(first));
        }
        let inverse = [size.map(|texels| 1.0 / texels as i32 as f32); WIDE];
        Self { size, inverse, column, row, layer }
    }
}

impl LevelTable {
    pub(super) const NONE: Self = Self {
        absolute: false,
        levels: [LevelEntry { size: [1; 3], inverse: [[1.0; 3]; WIDE], column: 0, row: 0, layer: 0 }; KEPT],
    };

    /// `absolute`: slices count from the start of memory.
    pub(super) fn new(texture: &Texture<'_>, absolute: bool) -> Self {
        let Self { mut levels, .. } = Self::NONE;
        for (number, level) in (0..texture.levels).zip(&mut levels) {
            *level = LevelEntry::new(texture, absolute, number);
        }
        Self { absolute, levels }
    }

    /// A level of the view of the texture that the table was made of.
    #[inline]
    pub(super) fn level(&self, texture: &Texture<'_>, number: u32) -> LevelEntry {
        if KEPT == 0 {
            return LevelEntry::new(texture, self.absolute, number);
        }
        match self.levels.get(number as usize) {
            Some(level) => *level,
            None => LevelEntry::new(texture, self.absolute, number),
        }
    }

    /// A level that was computed beforehand.
    #[inline(always)]
    pub(super) fn kept(&self, number: u32) -> Option<&LevelEntry> {
        self.levels.get(number as usize)
    }

    /// Fills in the levels of all lanes with the sizes of their first `axes` axes; numbers are levels of the view.
    pub(super) fn fill(
        &self,
        texture: &Texture<'_>,
        numbers: &Lanes<u32>,
        axes: usize,
        kernels: Option<LevelStages>,
        out: &mut LevelLanes,
    ) {
        match kernels {
            Some(kernels) if KEPT > 0 => self.fill_kept(numbers, axes, kernels, out),
            _ => {
                let [number, ..] = *numbers;
                spread(&self.level(texture, number), axes, out);
            }
        }
    }

    /// [`fill`](Self::fill) from levels that were computed beforehand.
    #[inline(always)]
    pub(super) fn fill_kept(
        &self,
        numbers: &Lanes<u32>,
        axes: usize,
        kernels: LevelStages,
        out: &mut LevelLanes,
    ) {
        if !(kernels.one)(&self.levels, numbers, axes, out) {
            (kernels.each)(&self.levels, numbers, axes, out);
        }
    }
}

/// The stages that fill in the levels of lanes. Small targets have one lane and no levels beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelStages {
    pub(super) one: OneLevelKernel,
    pub(super) each: LevelKernel,
}

/// Fills in the levels of all lanes if that is one; false if it is not.
pub(super) type OneLevelKernel =
    fn(levels: &[LevelEntry; KEPT], numbers: &Lanes<u32>, axes: usize, out: &mut LevelLanes) -> bool;

/// See [`OneLevelKernel`].
#[inline(always)]
pub(super) fn fill_one(
    levels: &[LevelEntry; KEPT],
    numbers: &Lanes<u32>,
    axes: usize,
    out: &mut LevelLanes,
) -> bool {
    let [first, ..] = *numbers;
    let mut other = 0;
    for number in numbers {
        other |= number ^ first;
    }
    let level = levels.get(first as usize).filter(|_| other == 0);
    if let Some(level) = level {
        for (axis, (texels, inverse)) in
            out.size.iter_mut().zip(level.size.iter().zip(level.inverse.as_flattened())).take(axes)
        {
            (axis.texels, axis.inverse) = ([*texels as i32 as f32; LANES], [*inverse; LANES]);
        }
        (out.column, out.row, out.layer) = ([level.column; LANES], [level.row; LANES], [level.layer; LANES]);
    }
    level.is_some()
}

/// Fills in the levels of all lanes, each its own.
pub(super) type LevelKernel =
    fn(levels: &[LevelEntry; KEPT], numbers: &Lanes<u32>, axes: usize, out: &mut LevelLanes);

/// See [`LevelKernel`].
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
pub(super) fn fill(levels: &[LevelEntry; KEPT], numbers: &Lanes<u32>, axes: usize, out: &mut LevelLanes) {
    let Some(last) = levels.last() else { return };
    for i in 0..LANES {
        let level = levels.get(numbers[i] as usize).unwrap_or(last);
        (out.column[i], out.row[i], out.layer[i]) = (level.column, level.row, level.layer);
        for (axis, texels) in out.size.iter_mut().zip(level.size).take(axes) {
            axis.texels[i] = texels as i32 as f32;
        }
    }
    for axis in out.size.iter_mut().take(axes) {
        for i in 0..LANES {
            axis.inverse[i] = 1.0 / axis.texels[i];
        }
    }
}

/// The same level for all lanes.
#[inline(always)]
fn spread(level: &LevelEntry, axes: usize, out: &mut LevelLanes) {
    for (axis, texels) in out.size.iter_mut().zip(level.size).take(axes) {
        axis.texels = [texels as i32 as f32; LANES];
        axis.inverse = [1.0 / texels as i32 as f32; LANES];
    }
    (out.column, out.row) = ([level.column; LANES], [level.row; LANES]);
    out.layer = [level.layer; LANES];
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    /// Lanes of one level are filled in without a look at each, and as the others are.
    #[test]
    fn lanes_of_one_level_are_filled_in_at_once() {
        if LANES == 1 {
            return;
        }
        let LevelTable { mut levels, .. } = LevelTable::NONE;
        for (number, level) in (1..).zip(&mut levels) {
            let size = [number * 3, number * 5, 1];
            let inverse = [size.map(|texels| 1.0 / texels as f32); WIDE];
            *level = LevelEntry { size, inverse, column: number * 7, row: number * 11, layer: number };
        }
        let of = |level: &LevelLanes| {
            let axes = level.size.map(|axis| (axis.texels, axis.inverse));
            (axes, level.column, level.row, level.layer)
        };
        for number in 0..KEPT as u32 {
            let (mut one, mut each) = (LevelLanes::NONE, LevelLanes::NONE);
            assert!(fill_one(&levels, &[number; LANES], 2, &mut one));
            fill(&levels, &[number; LANES], 2, &mut each);
            assert_eq!(of(&one), of(&each), "{number}");
            assert_eq!(one.row, [(number + 1) * 11; LANES]);
        }
        let mut several = [1; LANES];
        several[LANES - 1] = 2;
        let mut lanes = LevelLanes::NONE;
        assert!(!fill_one(&levels, &several, 2, &mut lanes));
    }
}
