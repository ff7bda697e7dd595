//! Where texels are, an axis after the other: lines, volumes with blocks or what else there is no kernel for, loads from blocks.

use super::ways::{Layer, LoadParams, load_lanes, outside, param_lanes};
use crate::message::Param;
use crate::sample::address::LevelRows;
use crate::sample::lanes::TAPS;
use crate::sample::params::PassParams;
use crate::sample::pass::Pass;
use crate::sample::plan::Plan;
use crate::sample::scratch::{LevelLanes, Room};
use crate::sample::texture::{Dim, Texture};

/// The parameters of such a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    at: Coordinates,
    /// Axes that are placed.
    count: u8,
    /// The number of the filter in the plan.
    pass: u8,
    dim: Dim,
}

/// The numbers of what says where texels are.
#[derive(Clone, Copy, Debug)]
enum Coordinates {
    /// Coordinates of a sample, and its layer.
    Sample([Option<u8>; 3], Option<Layer>),
    /// Those of a load, of one texel.
    Load(LoadParams),
}

impl Axes {
    /// Of a load.
    pub(super) fn of_load(plan: &Plan<'_>, texture: &Texture<'_>, numbers: LoadParams) -> Option<Self> {
        plan.elements.as_ref()?;
        let at = Coordinates::Load(numbers);
        let count = texture.placed_axes() as u8;
        Some(Self { at, count, pass: 0, dim: texture.dim })
    }

    /// `None`: there are other surfaces, or parameters are missing.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>, pass: u8) -> Option<Self> {
        plan.elements.as_ref()?;
        let number = |param| plan.params.number(param);
        let [u, v, r] = [Param::U, Param::V, Param::R].map(number);
        let (coordinates, layer) = match texture.dim {
            Dim::D1 => ([Some(u?), None, None], Layer::of(plan, texture, Param::V)),
            Dim::D3 => ([Some(u?), Some(v?), Some(r?)], None),
            // Those have kernels.
            Dim::D2 | Dim::Cube | Dim::Buffer | Dim::Null => return None,
        };
        let at = Coordinates::Sample(coordinates, layer);
        Some(Self { at, count: texture.placed_axes() as u8, pass, dim: texture.dim })
    }

    /// Axes along which texels can be outside: loads say along the first whether they are out of range.
    pub(super) const fn outside(&self) -> usize {
        match self.at {
            Coordinates::Sample(..) => self.count as usize,
            Coordinates::Load(..) => 1,
        }
    }

    /// See [`Place::place`](super::place::Place::place).
    #[inline(never)]
    pub(super) fn place(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        room: &mut Room,
    ) -> Option<bool> {
        let pass = plan.passes.get(usize::from(self.pass))?;
        match &self.at {
            Coordinates::Load(numbers) => {
                let replaced = load_texels(numbers, plan, params, room)?;
                self.find_elements(plan, pass, None, room)?;
                Some(replaced)
            }
            Coordinates::Sample(coordinates, layer) => {
                let found = self.sample_texels(plan, pass, coordinates, *layer, params, level, room)?;
                let replaced = outside(plan, found)?;
                let Room { taps: [x, y, z], weights, .. } = &mut *room;
                if let Some(kernel) = pass.weights {
                    kernel([&x.fraction, &y.fraction, &z.fraction], weights);
                }
                self.find_elements(plan, pass, Some(level), room)?;
                Some(replaced)
            }
        }
    }

    /// The texels of a sample along each axis: what an axis says of any.
    #[inline(always)]
    fn sample_texels(
        &self,
        plan: &Plan<'_>,
        pass: &Pass,
        coordinates: &[Option<u8>; 3],
        layer: Option<Layer>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        room: &mut Room,
    ) -> Option<u32> {
        let at = param_lanes(coordinates, params)?;
        let Room { slice, rounding, taps, .. } = room;
        if plan.sliced {
            Layer::read(layer, plan.stages.payload.as_ref()?, params, slice)?;
        }
        Some(plan.place_axes(pass, self.count.into(), at, rounding, level, taps))
    }

    /// The elements of texels that are known along each axis, on a level or each on its own.
    #[inline(always)]
    fn find_elements(
        &self,
        plan: &Plan<'_>,
        pass: &Pass,
        level: Option<&LevelLanes>,
        room: &mut Room,
    ) -> Option<()> {
        let elements = plan.elements.as_ref()?;
        let Room { taps, slice, level: [own, _], rows, deep, inside, index, .. } = room;
        let level = level.unwrap_or(own);
        if plan.sliced {
            let [_, _, z] = &*taps;
            let [near, far] = &z.texel;
            let slices = if self.dim == Dim::D3 { [near, far] } else { [&*slice; 2] };
            let several = if self.dim == Dim::D3 && pass.texels() == TAPS { 2 } else { 1 };
            let from = LevelRows { row: &level.row, layer: &level.layer };
            for ((slice, row), deep) in slices.into_iter().zip(&mut *rows).zip(&mut *deep).take(several) {
                (elements.rows.first()?)(&elements.tile, plan.first_layer, slice, from, row, deep);
            }
        }
        plan.find_cells(self.count.into(), taps, inside);
        plan.find_elements(pass, elements, level, taps, [rows, deep], index);
        Some(())
    }
}

/// The texels of a load along each axis, on the lanes' levels. True: some are out of range.
#[inline(always)]
fn load_texels(
    numbers: &LoadParams,
    plan: &Plan<'_>,
    params: &PassParams<'_>,
    room: &mut Room,
) -> Option<bool> {
    let Room { taps, slice, levels, level: [level, _], .. } = room;
    let outside =
        (plan.stages.load)(&plan.load, &load_lanes(numbers, params)?, taps, slice, &mut levels.finer);
    (plan.stages.level?)(&plan.table.kept, &levels.finer, 0, level);
    Some(outside)
}
