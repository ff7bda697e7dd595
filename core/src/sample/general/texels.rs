//! Footprints on the general path: from coordinates to texel coordinates, elements of the surface, words and decoded texels.

use crate::format::BlockStore;
use crate::memory::Memory;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::fetch::frames::SurfaceBytes;
use crate::sample::lanes::{ALL, LANES, Lanes, TAPS, mask};
use crate::sample::place::axis::{NEEDS_GENERAL, place_exact};
use crate::sample::plan::Plan;
use crate::sample::plan::filter_stages::FilterStages;
use crate::sample::scratch::PassScratch;
use crate::sample::writeback::Outcome;

/// What [`GeneralPath::read`] leaves in the scratch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// Words, to be decoded by channel.
    Words,
    /// Decoded texels.
    Texels,
}

/// A message while it is executed on the general path: its constants, scratch and memory, and the state of the current pass.
pub(crate) struct GeneralPath<'a, 'p, 's> {
    pub(crate) texture: &'a Texture<'p>,
    pub(crate) plan: &'a Plan<'p>,
    pub(crate) scratch: &'a mut PassScratch,
    /// The store of decoded blocks, if the caller keeps one.
    pub(crate) blocks: Option<&'a mut BlockStore<'s>>,
    /// What the memory hands out of the surface at once.
    pub(crate) bytes: SurfaceBytes<'a>,
    pub(crate) memory: &'a dyn Memory,
    /// The first lane of this pass.
    pub(crate) first: usize,
    pub(crate) outcome: Outcome,
    /// The first lane of the subspan whose derivatives are in the scratch; `usize::MAX`: none are.
    pub(super) derived_subspan: usize,
    /// Masks of the lanes that read the finer mip level, and the coarser one.
    pub(crate) level_lanes: [u32; 2],
    /// Mask of the lanes that are magnified; all of them if the message has one filter for both.
    pub(crate) magnified: u32,
    /// Mask of the lanes whose footprints have a corner of a cube.
    pub(crate) seam: u32,
}

impl<'a, 'p, 's> GeneralPath<'a, 'p, 's> {
    pub(crate) fn new(
        texture: &'a Texture<'p>,
        plan: &'a Plan<'p>,
        scratch: &'a mut PassScratch,
        blocks: Option<&'a mut BlockStore<'s>>,
        (bytes, memory): (SurfaceBytes<'a>, &'a (impl Memory + 'a)),
    ) -> Self {
        // The mip levels, if they are the same for every payload.
        let (mut level_lanes, mut magnified) = ([ALL, 0], ALL);
        if let Some(uniform) = &plan.uniform_levels {
            (level_lanes, magnified) = (uniform.lanes, uniform.magnified);
            scratch.levels.fraction = uniform.fraction;
        }
        Self {
            texture,
            plan,
            scratch,
            blocks,
            bytes,
            memory,
            first: 0,
            outcome: Outcome::default(),
            derived_subspan: usize::MAX,
            level_lanes,
            magnified,
            seam: 0,
        }
    }

    /// Reads the footprints of the lanes in `on` on one of the two mip levels (`level`: 0 finer, 1 coarser), and filters each channel to
    /// one value in `values[target]`.
    #[inline(never)]
    pub(crate) fn filter(&mut self, filter: &FilterStages, level: usize, on: u32, target: usize) {
        self.footprint(filter, level, on);
        if let Some(kernel) = filter.weights {
            let PassScratch { taps, weights, .. } = &mut *self.scratch;
            kernel(taps.each_ref().map(|axis| &axis.fraction), weights);
        }
        self.plan.filter_texels(filter, on, target, self.scratch);
    }

    /// Reads and decodes the footprints of lanes on one of the two mip levels, and then replaces texels by the border where they are
    /// outside, and by the results of a comparison.
    #[inline]
    pub(crate) fn footprint(&mut self, filter: &FilterStages, level: usize, on: u32) {
        let outside = self.place_axes(filter, level);
        self.place_elements(filter, level, on);
        let found = self.read(filter.texels(), on);
        self.finish(filter, found, outside);
    }

    /// Computes the elements that hold the texels.
    #[inline(never)]
    fn place_elements(&mut self, filter: &FilterStages, level: usize, on: u32) {
        let [x, y, _] = &self.scratch.taps;
        let can_cross = self.plan.seamless && filter.footprint > 0;
        let crossing = if can_cross { (mask(&x.outside) | mask(&y.outside)) & on } else { 0 };
        let texels = if crossing != 0 { Some([x.texel, y.texel]) } else { None };
        self.seam = 0;
        self.find_rows(level, filter.texels());
        self.address(filter, level);
        if let Some(texels) = texels {
            self.cross_edges(level, crossing, &texels);
        }
    }

    /// Decodes the words that were read, if they were; then applies the border, averages corners of cubes, and compares.
    #[inline]
    fn finish(&mut self, filter: &FilterStages, found: Fetched, outside: bool) {
        let (p, texels) = (self.plan, filter.texels());
        if found == Fetched::Words {
            p.decode_words(texels, self.scratch);
        }
        if let Some(border) = &p.border
            && outside
        {
            p.cover_border(border, self.texture.texel_axes(), texels, self.scratch);
        }
        if self.seam != 0 {
            p.average_corners(self.scratch);
        }
        p.compare_texels(texels, self.scratch);
    }

    /// Computes texel coordinates along each axis. Returns true if any texel is outside and the message has a border.
    #[inline]
    fn place_axes(&mut self, filter: &FilterStages, level: usize) -> bool {
        let p = self.plan;
        let found = if LANES == 1 {
            self.place_exactly(filter, level)
        } else {
            let PassScratch { coordinate, rounding, taps, level: chosen, .. } = &mut *self.scratch;
            let (axes, level_lanes) = (self.texture.texel_axes(), p.level(level, chosen));
            let at = &coordinate.map(|axis| axis.map(f32::to_le_bytes));
            let found = p.place_axes(filter, axes, at.each_ref(), rounding, level_lanes, taps);
            if found & NEEDS_GENERAL == 0 { found } else { self.place_exactly(filter, level) }
        };
        found != 0 && p.border.is_some()
    }

    /// Computes texel coordinates, however far away they are: see [`place_exact`]. Returns the `outside` bits that any lane has.
    #[inline(never)]
    fn place_exactly(&mut self, filter: &FilterStages, level: usize) -> u32 {
        let p = self.plan;
        let PassScratch { coordinate, rounding, taps, level: chosen, .. } = &mut *self.scratch;
        let level = p.level(level, chosen);
        let rounding = p.rounding(rounding);
        let axes =
            coordinate.iter().zip(rounding).zip(taps).zip(&level.size).zip(&p.rules).zip(&filter.subtexel);
        let mut found = 0;
        for (((((at, rounding), taps), size), rule), subtexel) in axes.take(self.texture.texel_axes()) {
            found |= place_exact(rule, subtexel, at, rounding, size, taps);
        }
        found
    }

    /// Computes the rows where the lanes' slices begin, and what slices add to indices inside of tiles, if lanes can read different ones.
    /// Of volumes, a footprint of 8 texels has two slices.
    pub(crate) fn find_rows(&mut self, level: usize, texels: usize) {
        let p = self.plan;
        if !p.sliced {
            return;
        }
        let PassScratch { rows, slice_offset, taps: [_, _, z], slice, level: chosen, .. } =
            &mut *self.scratch;
        let level = p.level(level, chosen);
        let volume = self.texture.dim == Dim::D3;
        let slices = if volume { z.texel.each_ref() } else { [&*slice; 2] };
        let several = if volume && texels == TAPS { 2 } else { 1 };
        for ((slices, rows), offsets) in slices.into_iter().zip(rows).zip(slice_offset).take(several) {
            let targets = rows.iter_mut().zip(offsets).zip(&level.row).zip(&level.layer);
            for (slice, (((row, slice_offset), start), layer)) in slices.iter().zip(targets) {
                let (skip, inside) = p.slice(slice.wrapping_add(*layer));
                *row = skip.wrapping_add(*start);
                *slice_offset = inside;
            }
        }
    }

    /// Computes the indices of the elements that hold the texels (columns, rows and slices, if elements have no indices), and with blocks
    /// the positions of the texels in them.
    pub(crate) fn address(&mut self, filter: &FilterStages, level: usize) {
        let p = self.plan;
        p.find_cells(self.texture.texel_axes(), &mut self.scratch.taps, &mut self.scratch.inside);
        let Some(elements) = &p.elements else { return self.columns_and_rows(filter.texels(), level) };
        let PassScratch { taps, rows, slice_offset, level: chosen, index, .. } = &mut *self.scratch;
        p.find_elements(filter, elements, p.level(level, chosen), taps, [rows, slice_offset], index);
    }

    /// Puts the columns, rows and slices of elements that have no indices in place of their words.
    #[inline(never)]
    fn columns_and_rows(&mut self, texels: usize, level: usize) {
        let PassScratch { taps: [x, y, _], rows, slice_offset, level: chosen, words, .. } =
            &mut *self.scratch;
        let [columns, lines, slices, _] = words.each_mut().map(|words| words.as_chunks_mut::<LANES>().0);
        let level = self.plan.level(level, chosen);
        // Copies: with references small targets have 400 bytes more of code.
        let (rows, slice_offset) = (*rows, *slice_offset);
        let targets = columns.iter_mut().zip(lines).zip(slices);
        for (tap, ((columns, lines), slices)) in targets.enumerate().take(texels) {
            let pick = |both: &[Lanes<u32>; 2], second: bool| {
                let [a, b] = *both;
                if second { b } else { a }
            };
            let (x, y) = (pick(&x.texel, tap & 1 != 0), pick(&y.texel, tap & 2 != 0));
            let rows = pick(&rows, tap & 4 != 0);
            *slices = pick(&slice_offset, tap & 4 != 0);
            for ((out, x), start) in columns.iter_mut().zip(x).zip(&level.column) {
                *out = x.wrapping_add(*start);
            }
            for ((out, y), row) in lines.iter_mut().zip(y).zip(rows) {
                *out = y.wrapping_add(row);
            }
        }
    }
}
