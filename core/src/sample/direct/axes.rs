//! Finding texels one axis after the other: for 1D surfaces, and for volumes without a kernel for all axes (blocks, gather4).

use super::inputs::{LayerParam, outside, param_lanes};
use crate::message::Param;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::lanes::TAPS;
use crate::sample::params::PassParams;
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::plan::Plan;
use crate::sample::scratch::PassScratch;

/// The parameters of a message whose texels are found one axis after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisPlacement {
    /// The parameter numbers of U, V and R.
    coordinates: [Option<u8>; 3],
    layer: Option<LayerParam>,
    /// Axes along which texels are placed: 1 or 3.
    pub(super) count: u8,
    /// The index of the filter in [`Plan::filters`].
    filter: u8,
}

impl AxisPlacement {
    /// Returns `None` if the surface is not 1D or 3D, if elements have no index ([`Plan::elements`]), or if a coordinate is missing.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>, filter: u8) -> Option<Self> {
        plan.elements.as_ref()?;
        let number = |param| plan.params.number(param);
        let [u, v, r] = [Param::U, Param::V, Param::R].map(number);
        let (coordinates, layer) = match texture.dim {
            Dim::D1 => ([Some(u?), None, None], LayerParam::of(plan, texture, Param::V)),
            Dim::D3 => ([Some(u?), Some(v?), Some(r?)], None),
            // Planes and faces have kernels for both axes; buffers and null surfaces are not sampled.
            Dim::D2 | Dim::Cube | Dim::Buffer | Dim::Null => return None,
        };
        Some(Self { coordinates, layer, count: texture.texel_axes() as u8, filter })
    }

    /// See [`TexelPlacement::place`](super::place::TexelPlacement::place).
    #[inline(never)]
    pub(super) fn place(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        scratch: &mut PassScratch,
    ) -> Option<bool> {
        let filter = plan.filters.get(usize::from(self.filter))?;
        let elements = plan.elements.as_ref()?;
        let at = param_lanes(&self.coordinates, params)?;
        let PassScratch { slice, rounding, taps, weights, rows, slice_offset, inside, index, .. } = scratch;
        let found = plan.place_axes(filter, self.count.into(), at, rounding, level, taps);
        let replaced = outside(plan, found)?;
        if let Some(kernel) = filter.weights {
            kernel(taps.each_ref().map(|axis| &axis.fraction), weights);
        }
        if plan.sliced {
            let [_, _, z] = &*taps;
            let is_volume = self.count == 3;
            let slices = if is_volume {
                z.texel.each_ref()
            } else {
                LayerParam::read(self.layer, plan.stages.payload.as_ref()?, params, slice)?;
                [&*slice; 2]
            };
            let several = if is_volume && filter.texels() == TAPS { 2 } else { 1 };
            for ((slice, row), slice_offset) in
                slices.into_iter().zip(&mut *rows).zip(&mut *slice_offset).take(several)
            {
                (elements.rows.first()?)(&elements.tile, plan.first_layer, slice, level, row, slice_offset);
            }
        }
        plan.find_cells(self.count.into(), taps, inside);
        plan.find_elements(filter, elements, level, taps, [rows, slice_offset], index);
        Some(replaced)
    }
}
