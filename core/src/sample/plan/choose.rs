//! The choice of a filter's stages, and the steps that find the elements of its footprints.

use super::elements::Elements;
use super::filter_stages::FilterStages;
use super::{Plan, Work};
use crate::sample::bind::sampler::Filter;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::lanes::{LANES, LaneBytes, Lanes, TapLanes};
use crate::sample::place::address::{BlockSize, Cells, Pattern};
use crate::sample::place::axis::{AxisTaps, NEEDS_GENERAL, Subtexel, WrapClass};
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::place::seam::SeamKernel;

impl Plan<'_> {
    /// Returns the kernel that finds the elements of footprints across the edges of cube faces, for all lanes at once. `None`: elements
    /// are not at multiples of their size or of a third of it, or the target has no vectors.
    pub(crate) fn seam_kernel(&self) -> Option<SeamKernel> {
        self.stages.seam.get(self.elements.as_ref()?.pattern() as usize).copied()
    }

    /// Returns the class of wrap modes by which coordinates along an axis are folded into a mip level.
    pub(crate) fn fold(&self, texture: &Texture<'_>, axis: usize) -> WrapClass {
        let fold = match (self.rules.get(axis), texture.size.get(axis)) {
            (Some(rule), Some(size)) => rule.fold(*size),
            _ => WrapClass::ByData,
        };
        // If there is a border, the kernel of every axis has to report which texels are outside.
        if self.border.is_some() && fold != WrapClass::Border { WrapClass::ByData } else { fold }
    }

    /// Returns the numbers that round the lanes' coordinates and add texel offsets: the message's own, or those in its payload.
    #[inline(always)]
    pub(crate) fn rounding<'a>(&'a self, in_payload: &'a [Lanes<f32>; 3]) -> &'a [Lanes<f32>; 3] {
        self.rounding.as_ref().unwrap_or(in_payload)
    }

    /// Finds the texels along the first `axes` axes, one axis after the other. Returns the bits that the
    /// [`AxisKernel`](crate::sample::place::axis::AxisKernel)s of all these axes return; [`NEEDS_GENERAL`] without kernels.
    #[inline]
    pub(crate) fn place_axes(
        &self,
        filter: &FilterStages,
        axes: usize,
        [u, v, r]: [&Lanes<LaneBytes>; 3],
        rounding: &[Lanes<f32>; 3],
        level: &LevelLanes,
        [x, y, z]: &mut [AxisTaps; 3],
    ) -> u32 {
        let [width, height, depth] = &level.size;
        let [tu, tv, tr] = self.rounding(rounding);
        let Some([ku, kv, kr]) = filter.axis else { return NEEDS_GENERAL };
        let ([ru, rv, rr], [hu, hv, hr]) = (&self.rules, &filter.subtexel);
        let mut found = ku(ru, hu, u, tu, width, x);
        if axes > 1 {
            found |= kv(rv, hv, v, tv, height, y);
        }
        if axes > 2 {
            found |= kr(rr, hr, r, tr, depth, z);
        }
        found
    }

    /// If elements are blocks, replaces texel coordinates by columns and rows of blocks, and fills in the texels inside the blocks.
    /// Surfaces with one axis are read in row 0.
    #[inline]
    pub(crate) fn find_cells(&self, axes: usize, [x, y, _]: &mut [AxisTaps; 3], inside: &mut TapLanes<u32>) {
        if axes == 1 {
            y.texel = AxisTaps::NONE.texel;
        }
        match &self.block {
            // Loads have coordinates that are too large for the stage; on small targets it splits any coordinate.
            Some(block) if LANES > 1 && self.work == Work::Load => {
                let ([x, _], [y, _], [inside, ..]) = (&mut x.texel, &mut y.texel, inside);
                divide(block, [x, y], inside);
            }
            Some(block) => (self.stages.split)(*block, &mut x.texel, &mut y.texel, inside),
            None => {}
        }
    }

    /// Computes the indices of elements from their columns and rows. `rows`: where the lanes' slices begin, and `slice_offset`: what the
    /// slices add to indices inside a tile; both are ignored if the surface is not `sliced`.
    #[inline]
    pub(crate) fn find_elements(
        &self,
        filter: &FilterStages,
        elements: &Elements,
        level: &LevelLanes,
        [x, y, _]: &[AxisTaps; 3],
        [rows, slice_offset]: [&[Lanes<u32>; 2]; 2],
        index: &mut TapLanes<u32>,
    ) {
        let (rows, slice_offset) = match self.sliced {
            true => (rows.each_ref(), slice_offset.each_ref()),
            false => ([&level.row; 2], [&[0; LANES]; 2]),
        };
        let cells = Cells { x: &x.texel, y: &y.texel, origin: &level.column, rows, slice_offset };
        (filter.address)(&elements.tile, cells, index);
    }

    /// Chooses the stages of a filter. `fixed`: see [`fixed`](super::filter_stages::fixed).
    pub(crate) fn filter_stages(
        &self,
        texture: &Texture<'_>,
        kind: Filter,
        fixed: Option<[bool; 3]>,
    ) -> FilterStages {
        let linear = kind != Filter::Nearest;
        let gather = self.work == Work::Gather;
        let footprint = match texture.dim {
            _ if !linear => 0,
            // gather4 takes four texels whatever the surface is, and one slice of a volume.
            Dim::D1 if !gather => 1,
            Dim::D3 if !gather => 3,
            _ => 2,
        };
        let subtexel = |axis: usize| {
            // gather4 takes one slice of a volume.
            let fixed = fixed.and_then(|rounding| rounding.get(axis).copied());
            Subtexel::new(linear && !(gather && axis == 2), fixed)
        };
        let kernel = |axis: usize| {
            let fold = self.fold(texture, axis);
            let [nearest, two] = self.stages.axis.get(fold as usize)?;
            let [plain, cut] = if subtexel(axis).linear { two } else { nearest };
            Some(if fixed.is_some() { *cut } else { *plain })
        };
        let pattern = self.elements.map_or(Pattern::Linear, |elements| elements.pattern());
        let address = self.stages.address.get(pattern as usize).and_then(|all| all.get(footprint));
        let several = footprint.checked_sub(1);
        FilterStages {
            kind,
            subtexel: [subtexel(0), subtexel(1), subtexel(2)],
            axis: (|| Some([kernel(0)?, kernel(1)?, kernel(2)?]))(),
            address: address.copied().unwrap_or(FilterStages::NONE.address),
            footprint: footprint as u8,
            weights: several.and_then(|at| self.stages.weights.get(at)).copied(),
            mean: several.and_then(|at| self.stages.mean.get(at)).copied(),
        }
    }
}

/// Splits the coordinates of loaded texels into blocks and the texels in them, by divisions: buffers and rows of interleaved samples
/// have more texels than the stage can split.
#[inline(never)]
fn divide([width, height]: &[BlockSize; 2], [x, y]: [&mut Lanes<u32>; 2], inside: &mut Lanes<u32>) {
    for ((x, y), inside) in x.iter_mut().zip(y).zip(inside) {
        let ((column, left), (row, upper)) = (width.divide(*x), height.divide(*y));
        (*x, *y, *inside) = (column, row, upper << 4 | left);
    }
}
