//! The texels of footprints: texel coordinates, elements of the surface, words, decoded values.

use crate::format::BlockStore;
use crate::memory::Memory;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::fetch::frames::Bytes;
use crate::sample::lanes::{ALL, LANES, Lanes, TAPS};
use crate::sample::place::axis::{FAR, place_exact};
use crate::sample::plan::Plan;
use crate::sample::plan::pass::Pass;
use crate::sample::scratch::Room;
use crate::sample::writeback::Outcome;

/// What was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// Words, to be decoded by channel.
    Words,
    /// Decoded texels.
    Texels,
}

/// A message on its way through the stages.
pub(crate) struct Reader<'a, 'p, 's> {
    pub(crate) texture: &'a Texture<'p>,
    pub(crate) plan: &'a Plan<'p>,
    pub(crate) room: &'a mut Room,
    /// Decoded blocks, if the caller keeps them.
    pub(crate) blocks: Option<&'a mut BlockStore<'s>>,
    /// The surface, if the memory hands it out.
    pub(crate) bytes: Bytes<'a>,
    pub(crate) memory: &'a dyn Memory,
    /// The first lane of this pass.
    pub(crate) first: usize,
    pub(crate) outcome: Outcome,
    /// The first lane of the subspan whose derivatives are in the scratch.
    pub(super) derived_from: usize,
    /// Lanes that read the finer level, and the coarser one.
    pub(crate) level_lanes: [u32; 2],
    /// Lanes that are magnified.
    pub(crate) magnified: u32,
    /// A texel of the footprints may be outside: the border stands for it.
    outside: bool,
    /// Lanes whose footprints have a corner of a cube.
    pub(crate) seam: u32,
}

impl<'a, 'p, 's> Reader<'a, 'p, 's> {
    pub(crate) fn new(
        texture: &'a Texture<'p>,
        plan: &'a Plan<'p>,
        room: &'a mut Room,
        blocks: Option<&'a mut BlockStore<'s>>,
        (bytes, memory): (Bytes<'a>, &'a (impl Memory + 'a)),
    ) -> Self {
        Self {
            texture,
            plan,
            room,
            blocks,
            bytes,
            memory,
            first: 0,
            outcome: Outcome::default(),
            derived_from: usize::MAX,
            level_lanes: [ALL, 0],
            magnified: ALL,
            outside: false,
            seam: 0,
        }
    }

    /// Reads the footprints of lanes on one of the two levels and makes one value of each channel.
    #[inline(never)]
    pub(crate) fn filter(&mut self, pass: &Pass, level: usize, on: u32, target: usize) {
        self.footprint(pass, level, on);
        self.weigh(pass);
        self.plan.filter_texels(pass, on, target, self.room);
    }

    /// Reads and decodes the texels of the footprints of lanes on one of the two levels. Borders and comparisons are in place
    /// of texels afterwards.
    #[inline]
    pub(crate) fn footprint(&mut self, pass: &Pass, level: usize, on: u32) {
        self.place(pass, level, on);
        let found = self.read(pass.texels(), on);
        self.finish(pass, found);
    }

    /// Where the texels of footprints are.
    #[cfg_attr(target_pointer_width = "64", inline(always))]
    fn place(&mut self, pass: &Pass, level: usize, on: u32) {
        let p = self.plan;
        self.outside = self.place_axes(pass, level);
        if p.plain
            && let Some(elements) = &p.elements
        {
            // Two axes, no slices, blocks or seams: what is left of the general case.
            let Room { taps, rows, deep, level: [finer, coarser], index, .. } = &mut *self.room;
            let level = p.level(level, finer, coarser);
            p.find_elements(pass, elements, level, taps, [rows, deep], index);
        } else {
            self.place_elements(pass, level, on);
        }
    }

    /// Elements of any surface.
    #[inline(never)]
    fn place_elements(&mut self, pass: &Pass, level: usize, on: u32) {
        let crossing = if self.plan.seamless && pass.linear { self.crossing() & on } else { 0 };
        self.seam = 0;
        self.find_rows(level, pass.texels());
        let [x, y, _] = &self.room.taps;
        let texels = if crossing != 0 { Some([x.texel, y.texel]) } else { None };
        self.address(pass, level);
        if let Some(texels) = texels {
            self.cross_edges(level, crossing, &texels);
        }
    }

    /// Decodes what was read; then borders, corners of cubes and comparisons.
    #[inline]
    fn finish(&mut self, pass: &Pass, found: Found) {
        let (p, texels) = (self.plan, pass.texels());
        if found == Found::Words {
            p.decode_words(texels, self.room);
        }
        if let Some(border) = &p.border
            && self.outside
        {
            p.cover_border(border, self.texture.placed_axes(), texels, self.room);
        }
        if self.seam != 0 {
            p.average_corners(self.room);
        }
        p.compare_texels(texels, self.room);
    }

    /// The weights of the texels.
    #[inline]
    fn weigh(&mut self, pass: &Pass) {
        let Room { taps: [x, y, z], weights, .. } = &mut *self.room;
        if let Some(kernel) = pass.weights {
            kernel([&x.fraction, &y.fraction, &z.fraction], weights);
        }
    }

    /// Texel coordinates along each axis; true if a texel may be outside, and the border stands for it.
    #[inline]
    fn place_axes(&mut self, pass: &Pass, level: usize) -> bool {
        let p = self.plan;
        let found = if LANES == 1 {
            self.place_exactly(pass, level)
        } else {
            let Room { coordinate, rounding, taps, level: [finer, coarser], .. } = &mut *self.room;
            let (axes, level_lanes) = (self.texture.placed_axes(), p.level(level, finer, coarser));
            let at = &coordinate.map(|axis| axis.map(f32::to_le_bytes));
            let found = p.place_axes(pass, axes, at.each_ref(), rounding, level_lanes, taps);
            if found & FAR == 0 { found } else { self.place_exactly(pass, level) }
        };
        found != 0 && p.border.is_some()
    }

    /// Texel coordinates of lanes wherever they are: see [`place_exact`].
    #[inline(never)]
    fn place_exactly(&mut self, pass: &Pass, level: usize) -> u32 {
        let p = self.plan;
        let Room { coordinate, rounding, taps, level: [finer, coarser], .. } = &mut *self.room;
        let level = p.level(level, finer, coarser);
        let rounding = p.rounding(rounding);
        let axes =
            coordinate.iter().zip(rounding).zip(taps).zip(&level.size).zip(&p.rules).zip(&pass.subtexel);
        let mut found = 0;
        for (((((at, rounding), taps), size), rule), subtexel) in axes.take(self.texture.placed_axes()) {
            found |= place_exact(rule, subtexel, at, rounding, size, taps);
        }
        found
    }

    /// Where the lanes' slices are, if they can differ.
    pub(crate) fn find_rows(&mut self, level: usize, texels: usize) {
        let p = self.plan;
        if !p.sliced {
            return;
        }
        let Room {
            rows: [row, next_row],
            deep: [deep, next_deep],
            taps: [_, _, z],
            slice,
            level: levels,
            ..
        } = &mut *self.room;
        let [finer, coarser] = levels;
        let level = p.level(level, finer, coarser);
        let find = |slices: &Lanes<u32>, rows: &mut Lanes<u32>, deep: &mut Lanes<u32>| {
            let targets = rows.iter_mut().zip(deep).zip(&level.row).zip(&level.layer);
            for (slice, (((row, deep), start), layer)) in slices.iter().zip(targets) {
                let (skip, inside) = p.slice(slice.wrapping_add(*layer));
                *row = skip.wrapping_add(*start);
                *deep = inside;
            }
        };
        let [near, far] = &z.texel;
        let volume = self.texture.dim == Dim::D3;
        find(if volume { near } else { slice }, row, deep);
        if volume && texels == TAPS {
            find(far, next_row, next_deep);
        }
    }

    /// Elements of the surface, and with blocks the texels inside.
    pub(crate) fn address(&mut self, pass: &Pass, level: usize) {
        let p = self.plan;
        p.find_cells(self.texture.placed_axes(), &mut self.room.taps, &mut self.room.inside);
        let Some(elements) = &p.elements else { return self.columns_and_rows(pass.texels(), level) };
        let Room { taps, rows, deep, level: [finer, coarser], index, .. } = &mut *self.room;
        p.find_elements(pass, elements, p.level(level, finer, coarser), taps, [rows, deep], index);
    }

    /// Columns, rows and slices of elements that have no indices: in place of words.
    #[inline(never)]
    fn columns_and_rows(&mut self, texels: usize, level: usize) {
        let Room { taps: [x, y, _], rows, deep, level: [finer, coarser], words, .. } = &mut *self.room;
        let [columns, lines, slices, _] = words.each_mut().map(|words| words.as_chunks_mut::<LANES>().0);
        let level = self.plan.level(level, finer, coarser);
        // Copies: with references small targets have 400 bytes more of code.
        let (rows, deep) = (*rows, *deep);
        let targets = columns.iter_mut().zip(lines).zip(slices);
        for (tap, ((columns, lines), slices)) in targets.enumerate().take(texels) {
            let pick = |both: &[Lanes<u32>; 2], second: bool| {
                let [a, b] = *both;
                if second { b } else { a }
            };
            let (x, y) = (pick(&x.texel, tap & 1 != 0), pick(&y.texel, tap & 2 != 0));
            let rows = pick(&rows, tap & 4 != 0);
            *slices = pick(&deep, tap & 4 != 0);
            for ((out, x), start) in columns.iter_mut().zip(x).zip(&level.column) {
                *out = x.wrapping_add(*start);
            }
            for ((out, y), row) in lines.iter_mut().zip(y).zip(rows) {
                *out = y.wrapping_add(row);
            }
        }
    }
}
