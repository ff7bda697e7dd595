//! Where the texels of such messages are.

use super::axes::Axes;
use super::kernels::Grid;
use super::ways::{Layer, LoadParams, find_faces, find_over_edges, load_lanes, outside, param_lanes};
use crate::format::Texel;
use crate::message::{Op, Param};
use crate::sample::bind::mcs::Mcs;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::filter::Weights;
use crate::sample::lanes::{LANES, TapLanes};
use crate::sample::levels::load_rule::LoadPlaneKernel;
use crate::sample::levels::multisample::{CLEAR, SampleLanes, SamplePlaneKernel, SampleRule, reads_samples};
use crate::sample::params::{LayerRowKernel, PassParams};
use crate::sample::place::address::LevelRows;
use crate::sample::place::axis::{AxisTaps, FAR, Subtexel};
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::place::plane::{
    AxisRules, BlockKernel, PlaneKernel, PlaneLanes, SliceLanes, VolumeKernel, VolumeLanes,
};
use crate::sample::place::seam::SeamKernel;
use crate::sample::plan::pass::Pass;
use crate::sample::plan::{Plan, Work};
use crate::sample::rounding::rounding;
use crate::sample::scratch::Room;
use crate::sample::unspecified;

/// How elements are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    way: Way,
    rules: AxisRules,
    /// What finds the blocks of texels in planes, if there are blocks.
    blocks: Option<BlockKernel>,
    /// Texel offsets in the payload.
    offsets: Option<Offsets>,
}

/// The numbers of the parameters with the offsets of U and of V, and where in each they are.
type Offsets = [(u8, u8); 2];

/// What finds the elements, and the numbers of its parameters in the payload.
#[derive(Clone, Copy, Debug)]
enum Way {
    Plane {
        kernel: PlaneKernel,
        numbers: [u8; 2],
    },
    /// The same of blocks, or with offsets in the payload.
    OtherPlane {
        kernel: PlaneKernel,
        numbers: [u8; 2],
    },
    /// A plane with slices: the layer too, if lanes have one.
    Slices {
        kernel: PlaneKernel,
        numbers: [u8; 2],
        layer: Option<Layer>,
        find_rows: LayerRowKernel,
    },
    /// A face: the numbers of a direction.
    Cube {
        kernel: PlaneKernel,
        numbers: [u8; 3],
        layer: Option<Layer>,
        seam: Option<Seam>,
    },
    Volume {
        kernel: VolumeKernel,
        numbers: [u8; 3],
    },
    Axes(Axes),
    Load {
        kernel: LoadPlaneKernel,
        numbers: LoadParams,
    },
    /// A load of samples of texels.
    Samples {
        kernel: SamplePlaneKernel,
        numbers: LoadParams,
        samples: Samples,
    },
}

/// Which samples of texels are read: the rule, and the numbers of the sample and of the control value's dwords.
#[derive(Clone, Copy, Debug)]
struct Samples {
    rule: SampleRule,
    numbers: [Option<u8>; 3],
    /// What texels without samples have; `None`: it is in memory, or there is none.
    clear: Option<Texel>,
}

/// What finds elements of footprints over edges.
#[derive(Clone, Copy, Debug)]
struct Seam {
    /// The number of the filter in the plan.
    pass: u8,
    kernel: SeamKernel,
}

impl Samples {
    fn new(plan: &Plan<'_>, texture: &Texture<'_>) -> Self {
        let numbers = [Param::Si, Param::Mcs0, Param::Mcs1].map(|param| plan.params.number(param));
        let colour = texture.mcs.as_ref().and_then(Mcs::clear_in_state);
        let clear = colour.zip(texture.info).map(|(colour, info)| info.border(colour));
        Self { rule: SampleRule::new(texture, plan.message.op), numbers, clear }
    }
}

impl Place {
    /// `None`: there is no such way.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>, number: u8) -> Option<Self> {
        let pass = plan.passes.get(usize::from(number))?;
        let way = if plan.work == Work::Load {
            Way::load(plan, texture)
        } else {
            Way::sample(plan, texture, number)
        };
        let offsets = if plan.rounding.is_none() { Some(offsets(plan)?) } else { None };
        let rules = AxisRules { axes: plan.rules, subtexel: pass.subtexel, whole: plan.stages.whole };
        Some(Self { way: way?, rules, blocks: block_kernel(plan, pass), offsets })
    }

    const fn is_linear(&self) -> bool {
        let [Subtexel { linear, .. }, ..] = self.rules.subtexel;
        linear
    }

    /// Axes along which texels can be outside.
    pub(super) fn axes(&self) -> usize {
        match &self.way {
            Way::Plane { .. } | Way::OtherPlane { .. } | Way::Slices { .. } | Way::Cube { .. } => 2,
            Way::Load { .. } | Way::Samples { .. } => 1,
            Way::Volume { .. } => 3,
            Way::Axes(axes) => axes.count.into(),
        }
    }

    /// The clear colour that may stand for texels.
    pub(super) const fn clear_colour(&self) -> Option<Texel> {
        if let Way::Samples { samples, .. } = &self.way { samples.clear } else { None }
    }

    /// Fills in elements and weights on a level, and says whether anything else stands for a texel: the border, the mean at a corner
    /// of a cube. `None` if lanes are too far away, over an edge that is not for this, or (loads) on several levels.
    #[inline(always)]
    pub(super) fn place(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        room: &mut Room,
    ) -> Option<bool> {
        // The rules first: a jump by a table costs more than a stage's arguments.
        if let Way::Plane { kernel, numbers } = self.way {
            self.place_plane::<false>(plan, params, level, room, kernel, numbers)
        } else if let Way::Load { kernel, numbers } = &self.way {
            Self::load(plan, params, room, *kernel, numbers)
        } else {
            self.place_other(plan, params, level, room)
        }
    }

    #[inline(never)]
    fn place_other(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        room: &mut Room,
    ) -> Option<bool> {
        if let Some(offsets) = self.offsets {
            read_offsets(offsets, plan, params, room)?;
        }
        match &self.way {
            Way::Plane { kernel, numbers } | Way::OtherPlane { kernel, numbers } => {
                self.place_plane::<true>(plan, params, level, room, *kernel, *numbers)
            }
            Way::Slices { kernel, numbers, layer, find_rows } => {
                let Room { rows: [row, _], deep: [deep, _], index, inside, weights, taps, rounding, .. } =
                    room;
                let ([u, v], (layer, layers)) = (*numbers, Layer::lanes(*layer, params)?);
                let tile = &plan.elements.as_ref()?.tile;
                let from = LevelRows { row: &level.row, layer: &level.layer };
                find_rows(tile, layer, [layers, plan.first_layer], from, row, deep);
                let lanes = PlaneLanes {
                    at: [params.get(u)?, params.get(v)?],
                    rounding: plan.rounding(rounding),
                    level,
                    slice: SliceLanes { row, deep },
                };
                outside(plan, self.find::<true>(plan, *kernel, &lanes, index, inside, weights, taps)?)
            }
            Way::Cube { kernel, numbers, layer, seam } => {
                let found = self.faces(plan, params, level, room, *kernel, *numbers, *layer)?;
                match (found, *seam) {
                    (0, _) => Some(false),
                    (_, Some(seam)) => self.over_edges(plan, level, room, found, seam),
                    _ if plan.seamless && self.is_linear() => None,
                    _ => outside(plan, found),
                }
            }
            Way::Volume { kernel, numbers } => self.volume(plan, params, level, room, *kernel, *numbers),
            Way::Axes(axes) => axes.place(plan, params, level, room),
            Way::Load { kernel, numbers } => Self::load(plan, params, room, *kernel, numbers),
            Way::Samples { kernel, numbers, samples } => {
                let (at, [sample, low, high]) =
                    (load_lanes(numbers, params)?, param_lanes(&samples.numbers, params)?);
                let lanes = SampleLanes { sample, mcs: [low, high] };
                let Room { index: [index, ..], taps: [x, ..], .. } = room;
                let (rules, tile) = ((&plan.load, &samples.rule), &plan.elements.as_ref()?.tile);
                let found = kernel(rules, &plan.table, tile, &at, &lanes, index, &mut x.outside);
                if found & CLEAR != 0 && samples.clear.is_none() { None } else { outside(plan, found) }
            }
        }
    }

    /// The elements of footprints in a plane; `BLOCKS`: it may have blocks. (Not of a [`Room`]: parts of it are in `lanes`.)
    #[inline(always)]
    fn find<const BLOCKS: bool>(
        &self,
        plan: &Plan<'_>,
        kernel: PlaneKernel,
        lanes: &PlaneLanes<'_>,
        index: &mut TapLanes<u32>,
        inside: &mut TapLanes<u32>,
        weights: &mut Weights,
        taps: &mut [AxisTaps; 3],
    ) -> Option<u32> {
        let tile = &plan.elements.as_ref()?.tile;
        let found = kernel(&self.rules, tile, lanes, index, weights, taps);
        if BLOCKS && let Some(blocks) = self.blocks {
            blocks(tile, plan.block?, lanes, index, inside);
        }
        Some(found)
    }

    #[inline(always)]
    fn place_plane<const BLOCKS: bool>(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        room: &mut Room,
        kernel: PlaneKernel,
        numbers: [u8; 2],
    ) -> Option<bool> {
        let Room { index, inside, weights, taps, rounding, .. } = room;
        let [u, v] = numbers;
        let at = [params.get(u)?, params.get(v)?];
        let lanes = PlaneLanes {
            at,
            rounding: plan.rounding(rounding),
            level,
            slice: SliceLanes { row: &level.row, deep: &[0; LANES] },
        };
        let found = self.find::<BLOCKS>(plan, kernel, &lanes, index, inside, weights, taps)?;
        outside(plan, found)
    }

    /// Of faces of cubes, without what is over their edges.
    #[inline(never)]
    fn faces(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        room: &mut Room,
        kernel: PlaneKernel,
        [u, v, r]: [u8; 3],
        layer: Option<Layer>,
    ) -> Option<u32> {
        find_faces(plan, params, [params.get(u)?, params.get(v)?, params.get(r)?], layer, room)?;
        let Room {
            slice, rows: [row, _], deep: [deep, _], index, inside, weights, taps, raw, rounding, ..
        } = room;
        let elements = plan.elements.as_ref()?;
        let from = LevelRows { row: &level.row, layer: &level.layer };
        (elements.rows.first()?)(&elements.tile, plan.first_layer, slice, from, row, deep);
        let lanes = PlaneLanes {
            at: raw.first()?.each_ref(),
            rounding: plan.rounding(rounding),
            level,
            slice: SliceLanes { row, deep },
        };
        self.find::<true>(plan, kernel, &lanes, index, inside, weights, taps)
    }

    /// Footprints over edges of faces. True: some have a corner.
    #[inline(never)]
    fn over_edges(
        &self,
        plan: &Plan<'_>,
        level: &LevelLanes,
        room: &mut Room,
        found: u32,
        Seam { pass, kernel }: Seam,
    ) -> Option<bool> {
        if found & FAR != 0 {
            return None;
        }
        let Room { raw, rounding, taps, .. } = &mut *room;
        let [s, t] = raw.first()?;
        plan.place_axes(plan.passes.get(usize::from(pass))?, 2, [s, t, t], rounding, level, taps);
        find_over_edges(plan, level, room, kernel)
    }

    #[inline(never)]
    fn volume(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        room: &mut Room,
        kernel: VolumeKernel,
        [u, v, r]: [u8; 3],
    ) -> Option<bool> {
        let Room { index, weights, taps, rounding, .. } = room;
        let at = [params.get(u)?, params.get(v)?, params.get(r)?];
        let lanes = VolumeLanes { at, rounding: plan.rounding(rounding), level, first: plan.first_layer };
        let tile = &plan.elements.as_ref()?.tile;
        let found = kernel(&self.rules, tile, &lanes, index, weights, taps);
        outside(plan, found)
    }

    #[inline(never)]
    fn load(
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        room: &mut Room,
        kernel: LoadPlaneKernel,
        numbers: &LoadParams,
    ) -> Option<bool> {
        let at = load_lanes(numbers, params)?;
        let Room { index: [index, ..], inside: [inside, ..], taps: [x, ..], .. } = room;
        let (rule, table, tile) = (&plan.load, &plan.table, &plan.elements.as_ref()?.tile);
        let found = kernel(rule, table, tile, &at, index, inside, &mut x.outside);
        outside(plan, found)
    }
}

/// What finds the blocks of texels in planes; `None`: there are none.
fn block_kernel(plan: &Plan<'_>, pass: &Pass) -> Option<BlockKernel> {
    let pattern = plan.elements.filter(|_| plan.block.is_some())?.pattern();
    plan.stages.placement.blocks.get(pattern as usize)?.get(usize::from(pass.texels() > 1)).copied()
}

/// Where offsets are; `None` if the message does not have them.
fn offsets(plan: &Plan<'_>) -> Option<Offsets> {
    let [(u, in_u), (v, in_v)] = unspecified::offset_params(plan.message.op)?;
    Some([(plan.params.number(u)?, in_u), (plan.params.number(v)?, in_v)])
}

/// Reads offsets.
#[inline(never)]
fn read_offsets(numbers: Offsets, plan: &Plan<'_>, params: &PassParams<'_>, room: &mut Room) -> Option<()> {
    let stages = plan.stages.payload.as_ref()?;
    // Of a volume the slice has none.
    let [.., along_r] = &mut room.rounding;
    *along_r = [rounding(0); LANES];
    for ((number, part), axis) in numbers.into_iter().zip(&mut room.rounding) {
        (stages.offsets)(params.get(number)?, part.into(), axis);
    }
    Some(())
}

impl Way {
    /// Of a sample of a plane, a volume or a cube.
    fn sample(plan: &Plan<'_>, texture: &Texture<'_>, pass_number: u8) -> Option<Self> {
        let pass = plan.passes.get(usize::from(pass_number))?;
        let Some(grid) = Grid::new(plan, texture, pass) else {
            return Axes::new(plan, texture, pass_number).map(Self::Axes);
        };
        let number = |param| plan.params.number(param);
        let numbers @ [u, v] = [number(Param::U)?, number(Param::V)?];
        let kernel = match grid {
            Grid::Plane(kernel) => kernel,
            Grid::Volume(kernel) => return Some(Self::Volume { kernel, numbers: [u, v, number(Param::R)?] }),
        };
        if texture.dim == Dim::D2 && !plan.sliced {
            let is_other = plan.rounding.is_none() || plan.block.is_some();
            return Some(if is_other {
                Self::OtherPlane { kernel, numbers }
            } else {
                Self::Plane { kernel, numbers }
            });
        }
        let layer = |param| Layer::of(plan, texture, param);
        match texture.dim {
            Dim::D2 => {
                let in_tiles = usize::from(plan.elements.as_ref()?.tile.slice_mask != 0);
                let find_rows = *plan.stages.payload.as_ref()?.layer_rows.get(in_tiles)?;
                Some(Self::Slices { kernel, numbers, layer: layer(Param::R), find_rows })
            }
            Dim::Cube => {
                let seam = plan.seam_kernel().filter(|_| pass.linear);
                let seam = seam.map(|kernel| Seam { pass: pass_number, kernel });
                Some(Self::Cube { kernel, numbers: [u, v, number(Param::R)?], layer: layer(Param::Ai), seam })
            }
            Dim::D1 | Dim::D3 | Dim::Buffer | Dim::Null => None,
        }
    }

    /// Of a load.
    fn load(plan: &Plan<'_>, texture: &Texture<'_>) -> Option<Self> {
        if plan.message.op == Op::LdMcs && !texture.is_control {
            return None;
        }
        let number = |param: Option<Param>| plan.params.number(param?);
        let numbers = plan.load_params(texture).map(number);
        let pattern = plan.elements.as_ref()?.pattern() as usize;
        let is_block = plan.block.is_some();
        if let (Some([width, _]), [size, ..]) = (plan.block, texture.size)
            && !width.splits_all_below(size)
        {
            return None;
        }
        if reads_samples(plan.message.op) {
            let kernel = *plan.stages.placement.samples.get(pattern).filter(|_| !is_block)?;
            return Some(Self::Samples { kernel, numbers, samples: Samples::new(plan, texture) });
        }
        let kernel = *plan.stages.placement.loads.get(pattern)?.get(usize::from(is_block))?;
        Some(Self::Load { kernel, numbers })
    }
}
