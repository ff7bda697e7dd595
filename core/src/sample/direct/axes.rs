//! Where texels are, an axis after the other: lines, blocks, what volumes have no stage for.

use super::ways::{Layer, find_over_edges, outside};
use crate::message::Param;
use crate::sample::address::LevelRows;
use crate::sample::lanes::TAPS;
use crate::sample::params::PassParams;
use crate::sample::pass::Pass;
use crate::sample::plan::Plan;
use crate::sample::scratch::{LevelLanes, Room};
use crate::sample::seam::SeamKernel;
use crate::sample::texture::{Dim, Texture};

/// The parameters of such a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    /// The numbers of the coordinates.
    coordinates: [Option<u8>; 3],
    layer: Option<Layer>,
    /// Axes that are placed.
    count: u8,
    /// The number of the filter in the plan.
    pass: u8,
    dim: Dim,
    /// What finds elements of footprints over edges of cubes.
    seam: Option<SeamKernel>,
}

impl Axes {
    /// `None`: there are other surfaces, or parameters are missing.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>, pass: u8) -> Option<Self> {
        plan.elements.as_ref()?;
        let number = |param| plan.params.number(param);
        let layer = |param| Layer::of(plan, texture, param);
        let [u, v, r] = [Param::U, Param::V, Param::R].map(number);
        let (coordinates, layer) = match texture.dim {
            Dim::D1 => ([Some(u?), None, None], layer(Param::V)),
            Dim::D2 => ([Some(u?), Some(v?), None], layer(Param::R)),
            Dim::D3 => ([Some(u?), Some(v?), Some(r?)], None),
            Dim::Cube => ([Some(u?), Some(v?), Some(r?)], layer(Param::Ai)),
            Dim::Buffer | Dim::Null => return None,
        };
        let over_edges = plan.seamless && plan.passes.get(usize::from(pass))?.linear;
        let seam = if over_edges { Some(plan.seam_kernel().filter(|_| !texture.integer)?) } else { None };
        Some(Self { coordinates, layer, count: texture.placed_axes() as u8, pass, dim: texture.dim, seam })
    }

    /// How many axes are placed.
    pub(super) const fn count(&self) -> usize {
        self.count as usize
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
        for (axis, number) in room.coordinate.iter_mut().zip(self.coordinates.iter().flatten()) {
            (plan.stages.floats)(params.get(*number)?, axis);
        }
        let Room { coordinate, offset, taps, slice, face, weights, .. } = &mut *room;
        if plan.sliced {
            Layer::read(self.layer, plan.stages.payload.as_ref()?, params, slice)?;
        }
        if self.dim == Dim::Cube {
            (plan.stages.faces)(coordinate, face, slice, self.layer.is_some());
        }
        let found = plan.place_axes(pass, self.count(), coordinate, offset, level, taps);
        let replaced = outside(plan, found)?;
        let [x, y, z] = taps;
        if let Some(kernel) = pass.weights {
            kernel([&x.fraction, &y.fraction, &z.fraction], weights);
        }
        if found != 0
            && let Some(seam) = self.seam
        {
            return find_over_edges(plan, level, room, seam);
        }
        if plan.sliced {
            self.find_rows(plan, pass, level, room)?;
        }
        let Room { taps, rows, deep, inside, index, thirds, .. } = room;
        plan.find_cells(self.count(), taps, inside);
        plan.find_elements(pass, plan.elements.as_ref()?, level, taps, [rows, deep], index, thirds);
        Some(replaced)
    }

    /// Where the lanes' slices are.
    fn find_rows(&self, plan: &Plan<'_>, pass: &Pass, level: &LevelLanes, room: &mut Room) -> Option<()> {
        let elements = plan.elements.as_ref()?;
        let Room { taps: [_, _, z], slice, rows, deep, .. } = room;
        let [near, far] = &z.texel;
        let slices = if self.dim == Dim::D3 { [near, far] } else { [&*slice; 2] };
        let several = if self.dim == Dim::D3 && pass.texels() == TAPS { 2 } else { 1 };
        let from = LevelRows { row: &level.row, layer: &level.layer };
        for ((slice, row), deep) in slices.into_iter().zip(rows).zip(deep).take(several) {
            (elements.rows.first()?)(&elements.tile, plan.first_layer, slice, from, row, deep);
        }
        Some(())
    }
}
