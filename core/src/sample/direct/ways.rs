//! What the ways to find texels share.

use crate::message::Param;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::lanes::{LANES, Lanes, RawFloat};
use crate::sample::levels::load_rule::IntegerLanes;
use crate::sample::params::PassParams;
use crate::sample::place::axis::FAR;
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::place::seam::{FaceLanes, SeamKernel};
use crate::sample::plan::Plan;
use crate::sample::scratch::Room;
use crate::sample::stages::PayloadStages;

/// An array index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    /// The number in the payload.
    number: u8,
    /// Layers of the view, and the slices of each.
    layers: [u32; 2],
}

impl Layer {
    /// That of a parameter; `None`: the message, or the surface, has none, and lanes are of layer 0.
    pub(super) fn of(plan: &Plan<'_>, texture: &Texture<'_>, param: Param) -> Option<Self> {
        let slices = if texture.dim == Dim::Cube { 6 } else { 1 };
        let number = plan.params.number(param).filter(|_| texture.array)?;
        Some(Self { number, layers: [texture.layers, slices] })
    }

    /// The slices of lanes, counted from the view's first.
    #[inline(always)]
    pub(super) fn read(
        layer: Option<Self>,
        stages: &PayloadStages,
        params: &PassParams<'_>,
        slices: &mut Lanes<u32>,
    ) -> Option<()> {
        let slices_of_each = layer.map_or(1, |Self { layers: [_, slices], .. }| slices);
        let (index, layers) = Self::lanes(layer, params)?;
        (stages.layers)(index, [layers, slices_of_each], slices);
        Some(())
    }

    /// The array indices of lanes, and how many layers there are.
    #[inline(always)]
    pub(super) fn lanes<'a>(
        layer: Option<Self>,
        params: &PassParams<'a>,
    ) -> Option<(&'a Lanes<RawFloat>, u32)> {
        // Lanes without a layer read 0, not what is on the stack: vectors would wait for what was stored in smaller parts.
        Some(match layer {
            Some(Self { number, layers: [layers, _] }) => (params.get(number)?, layers),
            None => (&[[0; 4]; LANES], 1),
        })
    }
}

/// The faces of directions, their slices (counted from those of the layers), and in `raw` the coordinates on them.
#[inline(always)]
pub(super) fn find_faces(
    plan: &Plan<'_>,
    params: &PassParams<'_>,
    direction: [&Lanes<RawFloat>; 3],
    layer: Option<Layer>,
    Room { raw, rows: [layers, _], face, slice, .. }: &mut Room,
) -> Option<()> {
    let stages = plan.stages.payload.as_ref()?;
    let layers = match layer {
        // Where there is room before the rows are known.
        Some(_) => {
            Layer::read(layer, stages, params, layers)?;
            &*layers
        }
        None => &[0; LANES],
    };
    (stages.faces)(direction, layers, raw.first_mut()?, face, slice);
    Some(())
}

/// The numbers of the parameters of a load: U, V, R, the layer and the level; `None`: 0 in all lanes.
pub(super) type LoadParams = [Option<u8>; 5];

/// The lanes of parameters; 0 in all lanes of those without a number.
#[inline(always)]
pub(super) fn param_lanes<'a, const N: usize>(
    numbers: &[Option<u8>; N],
    params: &PassParams<'a>,
) -> Option<[&'a Lanes<RawFloat>; N]> {
    let mut lanes = [const { &[[0; 4]; LANES] }; N];
    for (lanes, number) in lanes.iter_mut().zip(numbers) {
        if let Some(number) = number {
            *lanes = params.get(*number)?;
        }
    }
    Some(lanes)
}

/// The lanes of the parameters of a load.
#[inline(always)]
pub(super) fn load_lanes<'a>(numbers: &LoadParams, params: &PassParams<'a>) -> Option<IntegerLanes<'a>> {
    let [u, v, r, layer, level] = param_lanes(numbers, params)?;
    Some(IntegerLanes { coordinate: [u, v, r], layer, level })
}

/// Whether the border stands for a texel; `None` if a lane is too far away.
#[inline(always)]
pub(super) const fn outside(plan: &Plan<'_>, found: u32) -> Option<bool> {
    if found & FAR == 0 { Some(found != 0 && plan.border.is_some()) } else { None }
}

/// Elements of footprints over edges, of which the texels along both axes are known. True: some have a corner.
pub(super) fn find_over_edges(
    plan: &Plan<'_>,
    level: &LevelLanes,
    room: &mut Room,
    kernel: SeamKernel,
) -> Option<bool> {
    let Room { taps, face, slice, texels, index, inside, corner, .. } = room;
    let edges = *plan.stages.edges.first()?;
    let lanes = FaceLanes { face, slice, level, first: plan.first_layer, block: plan.block, edges };
    let [texels, ..] = texels;
    let room = texels.first_chunk_mut()?;
    Some(kernel(&plan.elements.as_ref()?.tile, lanes, taps, room, index, inside, corner))
}
