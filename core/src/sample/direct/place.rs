//! Where the texels of such messages are.

use super::axes::Axes;
use super::ways::{Layer, find_over_edges, outside};
use crate::message::{Op, Param, Payload};
use crate::sample::address::LevelRows;
use crate::sample::axis::{FAR, Subtexel};
use crate::sample::lanes::{LANES, Lanes, RawFloat};
use crate::sample::load_rule::{IntegerLanes, LoadKernels};
use crate::sample::pass::Grid;
use crate::sample::plan::{Plan, Work};
use crate::sample::plane::{PlaneKernel, PlaneLanes, SliceLanes, VolumeKernel, VolumeLanes};
use crate::sample::scratch::{LevelLanes, Room};
use crate::sample::seam::SeamKernel;
use crate::sample::texture::{Dim, Texture};
use crate::sample::unspecified;

/// How elements are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    way: Way,
    /// What is made of coordinates along each axis.
    subtexel: [Subtexel; 3],
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
        params: [u8; 2],
    },
    /// The same with offsets in the payload.
    OffsetPlane {
        kernel: PlaneKernel,
        params: [u8; 2],
    },
    /// A plane with slices: the layer too, if lanes have one.
    Slices {
        kernel: PlaneKernel,
        params: [u8; 2],
        layer: Option<Layer>,
    },
    /// A face: the numbers of a direction.
    Cube {
        kernel: PlaneKernel,
        params: [u8; 3],
        layer: Option<Layer>,
        seam: Option<Seam>,
    },
    Volume {
        kernel: VolumeKernel,
        params: [u8; 3],
    },
    Axes(Axes),
    Load {
        kernels: LoadKernels,
        params: LoadParams,
    },
}

/// What finds elements of footprints over edges.
#[derive(Clone, Copy, Debug)]
struct Seam {
    /// The number of the filter in the plan.
    pass: u8,
    kernel: SeamKernel,
}

/// U, V, R, the layer and the level; `None`: 0 in all lanes.
type LoadParams = [Option<u8>; 5];

impl Place {
    /// `None`: there is no such way.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>, number: u8) -> Option<Self> {
        let pass = plan.passes.get(usize::from(number))?;
        let way = if plan.work == Work::Load {
            Way::load(plan, texture)
        } else {
            Way::sample(plan, texture, number)
        };
        let offsets = if plan.offset.is_none() { Some(offsets(plan)?) } else { None };
        Some(Self { way: way?, subtexel: pass.subtexel, offsets })
    }

    const fn is_linear(&self) -> bool {
        let [Subtexel { linear, .. }, ..] = self.subtexel;
        linear
    }

    /// Axes along which texels can be outside.
    pub(super) fn axes(&self) -> usize {
        match &self.way {
            Way::Plane { .. } | Way::OffsetPlane { .. } | Way::Slices { .. } | Way::Cube { .. } => 2,
            Way::Load { .. } => 1,
            Way::Volume { .. } => 3,
            Way::Axes(axes) => axes.count(),
        }
    }

    /// Fills in elements and weights on a level, and says whether anything else stands for a texel: the border, the mean at a corner
    /// of a cube. `None` if lanes are too far away, over an edge that is not for this, or (loads) on several levels.
    #[inline(always)]
    pub(super) fn place(
        &self,
        plan: &Plan<'_>,
        payload: &Payload<'_>,
        first: usize,
        level: &LevelLanes,
        room: &mut Room,
    ) -> Option<bool> {
        // The rule first: a jump by a table costs more than a stage's arguments.
        if let Way::Plane { kernel, params } = self.way {
            self.place_plane(plan, payload, first, level, room, kernel, params)
        } else {
            self.place_other(plan, payload, first, level, room)
        }
    }

    #[inline(never)]
    fn place_other(
        &self,
        plan: &Plan<'_>,
        payload: &Payload<'_>,
        first: usize,
        level: &LevelLanes,
        room: &mut Room,
    ) -> Option<bool> {
        if let Some(offsets) = self.offsets {
            read_offsets(offsets, plan, payload, first, room)?;
        }
        match &self.way {
            Way::Plane { kernel, params } | Way::OffsetPlane { kernel, params } => {
                self.place_plane(plan, payload, first, level, room, *kernel, *params)
            }
            Way::Slices { kernel, params, layer } => {
                let found = self.slices(plan, payload, first, level, room, *kernel, params, *layer)?;
                outside(plan, found)
            }
            Way::Cube { kernel, params, layer, seam } => {
                let found = self.slices(plan, payload, first, level, room, *kernel, params, *layer)?;
                match (found, *seam) {
                    (0, _) => Some(false),
                    (_, Some(seam)) => self.over_edges(plan, level, room, found, seam),
                    _ if plan.seamless && self.is_linear() => None,
                    _ => outside(plan, found),
                }
            }
            Way::Volume { kernel, params } => {
                self.volume(plan, payload, first, level, room, *kernel, *params)
            }
            Way::Axes(axes) => axes.place(plan, payload, first, level, room),
            Way::Load { kernels, params } => Self::load(plan, payload, first, room, kernels, params),
        }
    }

    #[inline(always)]
    fn place_plane(
        &self,
        plan: &Plan<'_>,
        payload: &Payload<'_>,
        first: usize,
        level: &LevelLanes,
        room: &mut Room,
        kernel: PlaneKernel,
        numbers: [u8; 2],
    ) -> Option<bool> {
        let Room { index, weights, taps, offset, .. } = room;
        let (params, [u, v]) = (plan.read(payload), numbers);
        let at = [params.numbered(u, first)?, params.numbered(v, first)?];
        let lanes = PlaneLanes { at, level, slice: SliceLanes { row: &level.row, deep: &[0; LANES] } };
        let tile = &plan.elements.as_ref()?.tile;
        let found = kernel(&plan.axis_rules(&self.subtexel, offset), tile, &lanes, index, weights, taps);
        outside(plan, found)
    }

    /// Of planes with slices (`numbers` of U and V) and of cubes (of U, V and R).
    #[inline(never)]
    fn slices(
        &self,
        plan: &Plan<'_>,
        payload: &Payload<'_>,
        first: usize,
        level: &LevelLanes,
        room: &mut Room,
        kernel: PlaneKernel,
        numbers: &[u8],
        layer: Option<Layer>,
    ) -> Option<u32> {
        let (params, stages) = (plan.read(payload), plan.stages.payload.as_ref()?);
        let Room { slice, face, rows, deep, index, weights, taps, raw, coordinate, offset, .. } = room;
        let (raw, [rows, _], [deep, _]) = (raw.first_mut()?, rows, deep);
        Layer::read(layer, stages, &params, first, slice)?;
        let at = match numbers {
            [u, v] => [params.numbered(*u, first)?, params.numbered(*v, first)?],
            direction => {
                for (axis, number) in coordinate.iter_mut().zip(direction) {
                    params.numbered_floats(*number, first, axis)?;
                }
                (stages.faces)(coordinate, raw, face, slice);
                raw.each_ref()
            }
        };
        let elements = plan.elements.as_ref()?;
        let tile = &elements.tile;
        let from = LevelRows { row: &level.row, layer: &level.layer };
        (elements.rows.first()?)(tile, plan.first_layer, slice, from, rows, deep);
        let lanes = PlaneLanes { at, level, slice: SliceLanes { row: rows, deep } };
        Some(kernel(&plan.axis_rules(&self.subtexel, offset), tile, &lanes, index, weights, taps))
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
        let Room { coordinate, raw, offset, taps, .. } = &mut *room;
        for (raw, coordinate) in raw.first()?.iter().zip(&mut *coordinate) {
            (plan.stages.floats)(raw, coordinate);
        }
        plan.place_axes(plan.passes.get(usize::from(pass))?, 2, coordinate, offset, level, taps);
        find_over_edges(plan, level, room, kernel)
    }

    #[inline(never)]
    fn volume(
        &self,
        plan: &Plan<'_>,
        payload: &Payload<'_>,
        first: usize,
        level: &LevelLanes,
        room: &mut Room,
        kernel: VolumeKernel,
        [u, v, r]: [u8; 3],
    ) -> Option<bool> {
        let Room { index, weights, taps, offset, .. } = room;
        let params = plan.read(payload);
        let at = [params.numbered(u, first)?, params.numbered(v, first)?, params.numbered(r, first)?];
        let lanes = VolumeLanes { at, level, first: plan.first_layer };
        let tile = &plan.elements.as_ref()?.tile;
        let found = kernel(&plan.axis_rules(&self.subtexel, offset), tile, &lanes, index, weights, taps);
        outside(plan, found)
    }

    #[inline(never)]
    fn load(
        plan: &Plan<'_>,
        payload: &Payload<'_>,
        first: usize,
        room: &mut Room,
        kernels: &LoadKernels,
        numbers: &LoadParams,
    ) -> Option<bool> {
        const NONE: &Lanes<RawFloat> = &[[0; 4]; LANES];
        let (params, mut lanes) = (plan.read(payload), [NONE; 5]);
        for (lanes, number) in lanes.iter_mut().zip(numbers) {
            if let Some(number) = number {
                *lanes = params.numbered(*number, first)?;
            }
        }
        let [u, v, r, layer, level] = lanes;
        let at = IntegerLanes { coordinate: [u, v, r], layer, level };
        let Room { index: [index, ..], taps: [x, ..], .. } = room;
        let (rule, table, tile) = (&plan.load, &plan.table, &plan.elements.as_ref()?.tile);
        if (kernels.inside)(rule, table, tile, &at, index) {
            return Some(false);
        }
        let found = (kernels.outside)(rule, table, tile, &at, index, &mut x.outside);
        outside(plan, found)
    }
}

/// Where offsets are; `None` if the message does not have them.
fn offsets(plan: &Plan<'_>) -> Option<Offsets> {
    let [(u, in_u), (v, in_v)] = unspecified::offset_params(plan.message.op)?;
    Some([(plan.params.number(u)?, in_u), (plan.params.number(v)?, in_v)])
}

/// Reads offsets.
#[inline(never)]
fn read_offsets(
    numbers: Offsets,
    plan: &Plan<'_>,
    payload: &Payload<'_>,
    first: usize,
    room: &mut Room,
) -> Option<()> {
    let (params, stages) = (plan.read(payload), plan.stages.payload.as_ref()?);
    // Of a volume the slice has none.
    let [.., along_r] = &mut room.offset;
    *along_r = [0.0; LANES];
    for ((number, part), axis) in numbers.into_iter().zip(&mut room.offset) {
        (stages.offsets)(params.numbered(number, first)?, part.into(), axis);
    }
    Some(())
}

impl Way {
    /// Of a sample of a plane, a volume or a cube.
    fn sample(plan: &Plan<'_>, texture: &Texture<'_>, pass_number: u8) -> Option<Self> {
        let pass = plan.passes.get(usize::from(pass_number))?;
        let Some(grid) = *pass.grid.first()? else {
            return Axes::new(plan, texture, pass_number).map(Self::Axes);
        };
        let number = |param| plan.params.number(param);
        let params @ [u, v] = [number(Param::U)?, number(Param::V)?];
        let kernel = match grid {
            Grid::Plane(kernel) => kernel,
            Grid::Volume(kernel) => return Some(Self::Volume { kernel, params: [u, v, number(Param::R)?] }),
        };
        if plan.plain {
            let is_offset = plan.offset.is_none();
            return Some(if is_offset {
                Self::OffsetPlane { kernel, params }
            } else {
                Self::Plane { kernel, params }
            });
        }
        let layer = |param| Layer::of(plan, texture, param);
        match texture.dim {
            Dim::D2 => Some(Self::Slices { kernel, params, layer: layer(Param::R) }),
            Dim::Cube => {
                let seam = plan.seam_kernel().filter(|_| pass.linear && !texture.integer);
                let seam = seam.map(|kernel| Seam { pass: pass_number, kernel });
                Some(Self::Cube { kernel, params: [u, v, number(Param::R)?], layer: layer(Param::Ai), seam })
            }
            Dim::D1 | Dim::D3 | Dim::Buffer | Dim::Null => None,
        }
    }

    /// Of a load.
    fn load(plan: &Plan<'_>, texture: &Texture<'_>) -> Option<Self> {
        let plain = matches!(plan.message.op, Op::Ld | Op::LdLz) && plan.block.is_none();
        let pattern = plan.elements.filter(|_| plain)?.pattern();
        let kernels = *plan.stages.load_plane.get(pattern as usize)?;
        let number = |param: Option<Param>| plan.params.number(param?);
        Some(Self::Load { kernels, params: plan.load_params(texture).map(number) })
    }
}
