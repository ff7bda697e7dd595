//! Seamless cubes: footprints that reach over the edges of faces.

use super::cube;
use super::lanes::{LANES, Lanes, lane, numbers, ones, set};
use super::pass::Pass;
use super::plan::Plan;
use super::scratch::{Corners, Room};
use super::texels::Reader;

/// The texels of lanes along both axes as they are before a face's edge holds them: the first of two.
pub(super) type Unfolded = [Lanes<i32>; 2];

impl Reader<'_, '_, '_> {
    /// Lanes whose footprint reaches over an edge: both texels along an axis are held at the same one.
    pub(super) fn crossing(&self) -> u32 {
        let [x, y, _] = &self.room.taps;
        let mut mask = 0;
        let [[x0, x1], [y0, y1]] = [&x.texel, &y.texel];
        for (at, ((x0, x1), (y0, y1))) in x0.iter().zip(x1).zip(y0.iter().zip(y1)).enumerate() {
            mask |= ones((x0 == x1) | (y0 == y1)) & 1 << at;
        }
        mask
    }

    /// Texels of lanes before they are held at edges.
    #[inline(never)]
    pub(super) fn unfolded(&self, pass: &Pass, level: usize, lanes: u32) -> Unfolded {
        let Room { coordinate, level: [finer, coarser], .. } = &*self.room;
        let mut all = [[0; LANES]; 2];
        let level = self.plan.level(level, finer, coarser);
        let axes = all.iter_mut().zip(coordinate).zip(&level.size).zip(&self.plan.rules).zip(&pass.subtexel);
        for ((((texels, at), size), rule), subtexel) in axes {
            for at_lane in numbers(lanes) {
                let numbers = (lane(at, at_lane), lane(&size.texels, at_lane));
                let ([first, _], _) = rule.texels(true, subtexel.fixed, numbers.0, 0.0, numbers.1);
                set(texels, at_lane, first);
            }
        }
        all
    }

    /// Moves the texels of footprints over edges to the neighbouring faces.
    #[inline(never)]
    pub(super) fn cross_seams(&mut self, level: usize, seam: u32, first: &Unfolded) {
        self.corners = Corners::NONE;
        // Only corners are anything but texels.
        self.seam = 0;
        for at in numbers(seam) {
            let number = lane(&self.room.face, at);
            let [x, y] = first.each_ref().map(|axis| lane(axis, at));
            let [finer, coarser] = &self.room.level;
            let [axis, ..] = &self.plan.level(level, finer, coarser).size;
            let width = lane(&axis.texels, at) as i32;
            for (tap, (dx, dy)) in [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().enumerate() {
                let (x, y) = (x.wrapping_add(dx), y.wrapping_add(dy));
                let inside = |i: i32| 0 <= i && i < width;
                let (face, x, y) = match (inside(x), inside(y)) {
                    // It is where it was.
                    (true, true) => continue,
                    (false, false) => {
                        set(&mut self.corners.0, at, tap as u8);
                        self.seam |= 1 << at;
                        continue;
                    }
                    _ => cube::across(number, x, y, width),
                };
                let slice = lane(&self.room.slice, at).wrapping_sub(number).wrapping_add(face);
                self.move_texel(level, tap, at, [x as u32, y as u32, slice]);
            }
        }
    }

    /// Reads a lane's texel from elsewhere: column, row and slice of the level.
    fn move_texel(&mut self, level: usize, tap: usize, at: usize, [x, y, slice]: [u32; 3]) {
        let p: &Plan<'_> = self.plan;
        let Room { level: [finer, coarser], index, inside, words: [columns, rows, ..], .. } = &mut *self.room;
        let level = p.level(level, finer, coarser);
        let mut cell = [x, y];
        if let Some([width, height]) = p.block {
            let (column, in_x) = width.split(x);
            let (row, in_y) = height.split(y);
            cell = [column, row];
            if let Some(lanes) = inside.get_mut(tap) {
                set(lanes, at, in_y << 4 | in_x);
            }
        }
        let [x, y] = cell;
        let column = x.wrapping_add(lane(&level.column, at));
        let (skip, deep) = p.slice(self.texture, slice.wrapping_add(lane(&level.layer, at)));
        let row = skip.wrapping_add(lane(&level.row, at)).wrapping_add(y);
        if let Some(elements) = &p.elements {
            if let Some(lanes) = index.get_mut(tap) {
                set(lanes, at, elements.index(column, row, deep));
            }
            return;
        }
        let place = tap.wrapping_mul(LANES).wrapping_add(at);
        for (all, value) in [columns, rows].into_iter().zip([column, row]) {
            if let Some(out) = all.get_mut(place) {
                *out = value;
            }
        }
    }

    /// The texel beyond a corner is the average of the other three (U22).
    #[inline(never)]
    pub(super) fn average_corners(&mut self) {
        let (integer, signed) = (self.texture.integer, self.texture.sint);
        for at in numbers(self.seam) {
            let corner = usize::from(lane(&self.corners.0, at));
            if corner >= 4 {
                continue;
            }
            for texels in &mut self.room.texels {
                let of = |tap: &usize| texels.get(*tap).map_or(0, |lanes| lane(lanes, at));
                let others = [0, 1, 2, 3].into_iter().filter(|tap| *tap != corner);
                let mut values = [0; 3];
                for (value, tap) in values.iter_mut().zip(others) {
                    *value = of(&tap);
                }
                let [a, b, c] = values;
                let average = if !integer {
                    ((f32::from_bits(a) + f32::from_bits(b) + f32::from_bits(c)) / 3.0).to_bits()
                } else if signed {
                    ((i64::from(a as i32) + i64::from(b as i32) + i64::from(c as i32)) / 3) as u32
                } else {
                    ((u64::from(a) + u64::from(b) + u64::from(c)) / 3) as u32
                };
                if let Some(lanes) = texels.get_mut(corner) {
                    set(lanes, at, average);
                }
            }
        }
    }
}
