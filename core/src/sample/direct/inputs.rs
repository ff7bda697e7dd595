//! Code that several ways of finding texels share: array layers, cube faces, parameters of loads, texels outside.

use crate::message::Param;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::lanes::{LANES, LaneBytes, Lanes};
use crate::sample::levels::load_rule::IntegerLanes;
use crate::sample::params::PassParams;
use crate::sample::place::axis::NEEDS_GENERAL;
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::place::seam::{FaceLanes, SeamKernel};
use crate::sample::plan::Plan;
use crate::sample::scratch::PassScratch;
use crate::sample::stages::PayloadStages;

/// The parameter that holds the array index, and the sizes that turn it into a slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerParam {
    /// The number of the parameter in the payload.
    number: u8,
    /// Layers of the view, and slices of each: 6 for a cube, else 1.
    layers: [u32; 2],
}

impl LayerParam {
    /// The array index in parameter `param`. `None`: the message does not have it or the surface is no array; lanes read layer 0 then.
    pub(super) fn of(plan: &Plan<'_>, texture: &Texture<'_>, param: Param) -> Option<Self> {
        let slices = if texture.dim == Dim::Cube { 6 } else { 1 };
        let number = plan.params.number(param).filter(|_| texture.array)?;
        Some(Self { number, layers: [texture.layers, slices] })
    }

    /// Fills in the first slice of each lane's layer, counted from the view's first. `None`: the parameter is not in the payload.
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

    /// Returns the array index of each lane, raw as in the payload, and the number of layers. `None`: the payload does not hold it.
    #[inline(always)]
    pub(super) fn lanes<'a>(
        layer: Option<Self>,
        params: &PassParams<'a>,
    ) -> Option<(&'a Lanes<LaneBytes>, u32)> {
        // Without a parameter, lanes read constant zeros: a vector load of zeros on the stack would wait for the smaller stores that put
        // them there.
        Some(match layer {
            Some(Self { number, layers: [layers, _] }) => (params.get(number)?, layers),
            None => (&[[0; 4]; LANES], 1),
        })
    }
}

/// Fills in the face that each direction points to, its slice (the first slice of the lane's layer plus the face), and in `raw` the
/// coordinates on the face. `None`: the parameter of the layer is not in the payload.
#[inline(always)]
pub(super) fn find_faces(
    plan: &Plan<'_>,
    params: &PassParams<'_>,
    direction: [&Lanes<LaneBytes>; 3],
    layer: Option<LayerParam>,
    PassScratch { raw, rows: [layers, _], face, slice, .. }: &mut PassScratch,
) -> Option<()> {
    let stages = plan.stages.payload.as_ref()?;
    let layers = match layer {
        // The buffer of rows is free here: rows are found later.
        Some(_) => {
            LayerParam::read(layer, stages, params, layers)?;
            &*layers
        }
        None => &[0; LANES],
    };
    (stages.faces)(direction, layers, raw.first_mut()?, face, slice);
    Some(())
}

/// The numbers of the parameters of a load: U, V, R, the layer and the mip level; `None`: 0 in all lanes.
pub(super) type LoadParams = [Option<u8>; 5];

/// Returns the lanes of parameters; 0 in all lanes of a parameter without a number. `None`: one is not in the payload.
#[inline(always)]
pub(super) fn param_lanes<'a, const N: usize>(
    numbers: &[Option<u8>; N],
    params: &PassParams<'a>,
) -> Option<[&'a Lanes<LaneBytes>; N]> {
    let mut lanes = [const { &[[0; 4]; LANES] }; N];
    for (lanes, number) in lanes.iter_mut().zip(numbers) {
        if let Some(number) = number {
            *lanes = params.get(*number)?;
        }
    }
    Some(lanes)
}

/// Returns the lanes of the parameters of a load. `None`: one is not in the payload.
#[inline(always)]
pub(super) fn load_lanes<'a>(numbers: &LoadParams, params: &PassParams<'a>) -> Option<IntegerLanes<'a>> {
    let [u, v, r, layer, level] = param_lanes(numbers, params)?;
    Some(IntegerLanes { coordinate: [u, v, r], layer, level })
}

/// Returns true if the border replaces a texel, from the bits that a kernel returned; `None` if [`NEEDS_GENERAL`] is among them, which the
/// general path has to handle.
#[inline(always)]
pub(super) const fn outside(plan: &Plan<'_>, found: u32) -> Option<bool> {
    if found & NEEDS_GENERAL == 0 { Some(found != 0 && plan.border.is_some()) } else { None }
}

/// Fills in the elements of footprints that reach over edges of cube faces, whose texels along both axes are known. Returns true if a
/// texel is at a corner of the cube.
pub(super) fn find_over_edges(
    plan: &Plan<'_>,
    level: &LevelLanes,
    scratch: &mut PassScratch,
    kernel: SeamKernel,
) -> Option<bool> {
    let PassScratch { taps, face, slice, texels, index, inside, corner, .. } = scratch;
    let edges = *plan.stages.edges.first()?;
    let lanes = FaceLanes { face, slice, level, first: plan.first_layer, block: plan.block, edges };
    let [texels, ..] = texels;
    let scratch = texels.first_chunk_mut()?;
    Some(kernel(&plan.elements.as_ref()?.tile, lanes, taps, scratch, index, inside, corner))
}
