//! Seamless cubes on the general path, lane by lane. The direct path has a kernel for all lanes ([`seam`](crate::sample::place::seam)), but
//! not for surfaces whose elements are not at multiples of their size, nor on targets without vectors.

use super::texels::GeneralPath;
use crate::sample::fetch::put_words;
use crate::sample::lanes::{LANES, Lanes, lane, numbers, set};
use crate::sample::place::cube::{EDGES, over_edge};
use crate::sample::place::seam::NO_CORNER;
use crate::sample::plan::Plan;
use crate::sample::scratch::PassScratch;

impl GeneralPath<'_, '_, '_> {
    /// Moves the texels that are across an edge of their face to the neighbouring face. `crossing`: the mask of lanes whose footprints have
    /// such texels. A texel across two edges, which is no texel of the surface, is only noted as the lane's corner. `columns` and `rows` are those of the first and the second
    /// texel along each axis, on the lane's own face and not yet split into blocks.
    #[inline(never)]
    pub(super) fn cross_edges(
        &mut self,
        level: usize,
        crossing: u32,
        [columns, rows]: &[[Lanes<u32>; 2]; 2],
    ) {
        self.scratch.corner = [NO_CORNER; LANES];
        for at in numbers(crossing) {
            let PassScratch { face, taps: [x, y, _], level: chosen, .. } = &*self.scratch;
            let (face, outside) = (lane(face, at), [lane(&x.outside, at), lane(&y.outside, at)]);
            let [size, ..] = &self.plan.level(level, chosen).size;
            let last = (lane(&size.texels, at) as u32).wrapping_sub(1);
            for tap in 0..4 {
                let (right, low) = (tap & 1, tap >> 1);
                let of = |both: &[Lanes<u32>; 2], number: usize| {
                    both.get(number).map_or(0, |lanes| lane(lanes, at))
                };
                let (column, row) = (of(columns, right), of(rows, low));
                let (edge, along) = match [outside[0] >> right & 1 != 0, outside[1] >> low & 1 != 0] {
                    // The texel is on the lane's own face.
                    [false, false] => continue,
                    [true, true] => {
                        set(&mut self.scratch.corner, at, tap as u32);
                        self.seam |= 1 << at;
                        continue;
                    }
                    [true, false] => (right, row),
                    [false, true] => (2 | low, column),
                };
                let entry = EDGES.get((face as usize) << 2 | edge).copied().unwrap_or(0);
                let [next, column, row] = over_edge(entry, along, last);
                let slice = lane(&self.scratch.slice, at).wrapping_sub(face).wrapping_add(next);
                self.move_texel(level, tap, at, [column, row, slice]);
            }
        }
    }

    /// Lets a lane read texel `tap` from another column and row of the mip level and another slice, counted from the view's first.
    fn move_texel(&mut self, level: usize, tap: usize, at: usize, [mut x, mut y, slice]: [u32; 3]) {
        let p: &Plan<'_> = self.plan;
        let PassScratch { level: chosen, index, inside, words, .. } = &mut *self.scratch;
        let level = p.level(level, chosen);
        if let Some([width, height]) = p.block {
            let ((column, in_x), (row, in_y)) = (width.split(x), height.split(y));
            (x, y) = (column, row);
            if let Some(lanes) = inside.get_mut(tap) {
                set(lanes, at, in_y << 4 | in_x);
            }
        }
        let column = x.wrapping_add(lane(&level.column, at));
        let (skip, slice_offset) = p.slice(slice.wrapping_add(lane(&level.layer, at)));
        let row = skip.wrapping_add(lane(&level.row, at)).wrapping_add(y);
        match (&p.elements, index.get_mut(tap)) {
            (Some(elements), Some(lanes)) => set(lanes, at, elements.index(column, row, slice_offset)),
            (Some(_), None) => {}
            (None, _) => put_words(words, tap, at, [column, row, slice_offset, 0]),
        }
    }
}
