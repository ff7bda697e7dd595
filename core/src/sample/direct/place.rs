//! Finding texels on the direct path: from the parameters of a pass to elements and weights.

use super::axes::AxisPlacement;
use super::inputs::{LayerParam, LoadParams, find_faces, find_over_edges, load_lanes, outside, param_lanes};
use super::kernels::PlacementKernel;
use crate::format::Texel;
use crate::message::{Op, Param};
use crate::sample::bind::mcs::Mcs;
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::filter::Weights;
use crate::sample::lanes::{LANES, TapLanes};
use crate::sample::levels::load_rule::LoadPlaneKernel;
use crate::sample::levels::multisample::{CLEAR, SampleLanes, SamplePlaneKernel, SampleRule, reads_samples};
use crate::sample::params::{LayerRowKernel, PassParams};
use crate::sample::place::axis::{AxisTaps, NEEDS_GENERAL};
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::place::plane::{
    AxisRules, BlockKernel, PlaneKernel, PlaneLanes, SliceLanes, VolumeKernel, VolumeLanes,
};
use crate::sample::place::seam::SeamKernel;
use crate::sample::plan::filter_stages::FilterStages;
use crate::sample::plan::{Plan, Work};
use crate::sample::rounding::rounding;
use crate::sample::scratch::PassScratch;
use crate::sample::unspecified;

/// How the elements of texels are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct TexelPlacement {
    kind: PlacementKind,
    rules: AxisRules,
    /// The kernel that finds the blocks of texels in planes, for formats with blocks.
    blocks: Option<BlockKernel>,
    /// Texel offsets in the payload; `None`: the message has them, the same for all lanes.
    offsets: Option<OffsetParams>,
}

/// For U and for V: the number of the parameter with the texel offset, and the offset's position in it (0, or 1 for the second of a
/// packed pair).
type OffsetParams = [(u8, u8); 2];

/// The kernel that finds the elements, and the numbers of its parameters in the payload.
#[derive(Clone, Copy, Debug)]
enum PlacementKind {
    /// A 2D surface without slices and without blocks; no offsets in the payload.
    Plane {
        kernel: PlaneKernel,
        numbers: [u8; 2],
    },
    /// A 2D surface without slices, but with blocks or with offsets in the payload.
    PlaneWithBlocksOrOffsets {
        kernel: PlaneKernel,
        numbers: [u8; 2],
    },
    /// A 2D surface with slices; lanes read layer 0 if the message has no array index.
    Slices {
        kernel: PlaneKernel,
        numbers: [u8; 2],
        layer: Option<LayerParam>,
        find_rows: LayerRowKernel,
    },
    /// A cube: `numbers` are those of the direction.
    Cube {
        kernel: PlaneKernel,
        numbers: [u8; 3],
        layer: Option<LayerParam>,
        seam: Option<SeamPlacement>,
    },
    Volume {
        kernel: VolumeKernel,
        numbers: [u8; 3],
    },
    Axes(AxisPlacement),
    Load {
        kernel: LoadPlaneKernel,
        numbers: LoadParams,
    },
    /// A load of samples of a multisampled surface's texels.
    MultisampleLoad {
        kernel: SamplePlaneKernel,
        numbers: LoadParams,
        samples: MultisampleLoad,
    },
}

/// How the samples that a load reads are found: by the parameters of the sample index and of the multisample control value (MCS).
#[derive(Clone, Copy, Debug)]
struct MultisampleLoad {
    rule: SampleRule,
    /// The parameter numbers of the sample index and of both dwords of the MCS value.
    numbers: [Option<u8>; 3],
    /// The colour of texels whose MCS value means clear; `None`: it is in memory, or there is none.
    clear: Option<Texel>,
}

/// How the elements of footprints that reach over edges of cube faces are found.
#[derive(Clone, Copy, Debug)]
struct SeamPlacement {
    /// The index of the filter in [`Plan::filters`].
    filter: u8,
    kernel: SeamKernel,
}

impl TexelPlacement {
    /// How filter `number` of [`Plan::filters`] finds elements. `None`: only the general path can.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>, number: u8) -> Option<Self> {
        let filter = plan.filters.get(usize::from(number))?;
        let kind = if plan.work == Work::Load {
            PlacementKind::load(plan, texture)
        } else {
            PlacementKind::sample(plan, texture, number)
        };
        let offsets = if plan.rounding.is_none() { Some(offsets(plan)?) } else { None };
        let rules = AxisRules { axes: plan.rules, subtexel: filter.subtexel, whole: plan.stages.whole };
        Some(Self { kind: kind?, rules, blocks: block_kernel(plan, filter), offsets })
    }

    /// The number of axes whose [`AxisTaps::outside`] says which texels are outside: loads use the first alone.
    pub(super) fn axes(&self) -> usize {
        match &self.kind {
            PlacementKind::Plane { .. }
            | PlacementKind::PlaneWithBlocksOrOffsets { .. }
            | PlacementKind::Slices { .. }
            | PlacementKind::Cube { .. } => 2,
            PlacementKind::Load { .. } | PlacementKind::MultisampleLoad { .. } => 1,
            PlacementKind::Volume { .. } => 3,
            PlacementKind::Axes(axes) => axes.count.into(),
        }
    }

    /// Returns the clear colour of loads of samples, if it is not in memory.
    pub(super) const fn clear_colour(&self) -> Option<Texel> {
        if let PlacementKind::MultisampleLoad { samples, .. } = &self.kind { samples.clear } else { None }
    }

    /// Fills in elements and weights on a mip level. Returns true if any texel is replaced: by the border, the clear colour, or the mean
    /// at a corner of a cube. `None` (the general path is needed) if a lane is too far away or over an edge of a cube's face that no kernel
    /// handles, if loads read several mip levels, or if a texel has a clear colour that is in memory.
    #[inline(always)]
    pub(super) fn place(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        scratch: &mut PassScratch,
    ) -> Option<bool> {
        // The usual cases first: a jump through a table costs more than a stage's arguments.
        if let PlacementKind::Plane { kernel, numbers } = self.kind {
            self.place_plane::<false>(plan, params, level, scratch, kernel, numbers)
        } else if let PlacementKind::Load { kernel, numbers } = &self.kind {
            Self::load(plan, params, scratch, *kernel, numbers)
        } else {
            self.place_uncommon(plan, params, level, scratch)
        }
    }

    #[inline(never)]
    fn place_uncommon(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        scratch: &mut PassScratch,
    ) -> Option<bool> {
        if let Some(offsets) = self.offsets {
            read_offsets(offsets, plan, params, scratch)?;
        }
        match &self.kind {
            PlacementKind::Plane { kernel, numbers }
            | PlacementKind::PlaneWithBlocksOrOffsets { kernel, numbers } => {
                self.place_plane::<true>(plan, params, level, scratch, *kernel, *numbers)
            }
            PlacementKind::Slices { kernel, numbers, layer, find_rows } => {
                let PassScratch {
                    rows: [row, _],
                    slice_offset: [slice_offset, _],
                    index,
                    inside,
                    weights,
                    taps,
                    rounding,
                    ..
                } = scratch;
                let ([u, v], (layer, layers)) = (*numbers, LayerParam::lanes(*layer, params)?);
                let tile = &plan.elements.as_ref()?.tile;
                find_rows(tile, layer, [layers, plan.first_layer], level, row, slice_offset);
                let lanes = PlaneLanes {
                    at: [params.get(u)?, params.get(v)?],
                    rounding: plan.rounding(rounding),
                    level,
                    slice: SliceLanes { row, slice_offset },
                };
                outside(plan, self.find::<true>(plan, *kernel, &lanes, index, inside, weights, taps)?)
            }
            PlacementKind::Cube { kernel, numbers, layer, seam } => {
                let found = self.faces(plan, params, level, scratch, *kernel, *numbers, *layer)?;
                match (found, *seam) {
                    (0, _) => Some(false),
                    (_, Some(seam)) => self.over_edges(plan, level, scratch, found, seam),
                    _ if plan.seamless && self.rules.subtexel[0].linear => None,
                    _ => outside(plan, found),
                }
            }
            PlacementKind::Volume { kernel, numbers } => {
                self.volume(plan, params, level, scratch, *kernel, *numbers)
            }
            PlacementKind::Axes(axes) => axes.place(plan, params, level, scratch),
            PlacementKind::Load { kernel, numbers } => Self::load(plan, params, scratch, *kernel, numbers),
            PlacementKind::MultisampleLoad { kernel, numbers, samples } => {
                let (at, [sample, low, high]) =
                    (load_lanes(numbers, params)?, param_lanes(&samples.numbers, params)?);
                let lanes = SampleLanes { sample, mcs: [low, high] };
                let PassScratch { index: [index, ..], taps: [x, ..], .. } = scratch;
                let (rules, tile) = ((&plan.load, &samples.rule), &plan.elements.as_ref()?.tile);
                let found = kernel(rules, &plan.table, tile, &at, &lanes, index, &mut x.outside);
                if found & CLEAR != 0 && samples.clear.is_none() { None } else { outside(plan, found) }
            }
        }
    }

    /// Fills in the elements and weights of footprints in a plane; returns the bits of [`PlaneKernel`]. `BLOCKS`: there may be blocks.
    /// (It takes fields of a [`PassScratch`], not the scratch: `lanes` borrows other fields of it.)
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
        scratch: &mut PassScratch,
        kernel: PlaneKernel,
        numbers: [u8; 2],
    ) -> Option<bool> {
        let PassScratch { index, inside, weights, taps, rounding, .. } = scratch;
        let [u, v] = numbers;
        let at = [params.get(u)?, params.get(v)?];
        let lanes = PlaneLanes {
            at,
            rounding: plan.rounding(rounding),
            level,
            slice: SliceLanes { row: &level.row, slice_offset: &[0; LANES] },
        };
        let found = self.find::<BLOCKS>(plan, kernel, &lanes, index, inside, weights, taps)?;
        outside(plan, found)
    }

    /// Finds elements on faces of cubes, without those over the edges of the faces. Returns the bits of [`PlaneKernel`].
    #[inline(never)]
    fn faces(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        scratch: &mut PassScratch,
        kernel: PlaneKernel,
        [u, v, r]: [u8; 3],
        layer: Option<LayerParam>,
    ) -> Option<u32> {
        find_faces(plan, params, [params.get(u)?, params.get(v)?, params.get(r)?], layer, scratch)?;
        let PassScratch {
            slice,
            rows: [row, _],
            slice_offset: [slice_offset, _],
            index,
            inside,
            weights,
            taps,
            raw,
            rounding,
            ..
        } = scratch;
        let elements = plan.elements.as_ref()?;
        (elements.rows.first()?)(&elements.tile, plan.first_layer, slice, level, row, slice_offset);
        let lanes = PlaneLanes {
            at: raw.first()?.each_ref(),
            rounding: plan.rounding(rounding),
            level,
            slice: SliceLanes { row, slice_offset },
        };
        self.find::<true>(plan, kernel, &lanes, index, inside, weights, taps)
    }

    /// Finds the elements of footprints that reach over edges of faces. Returns true if a texel is at a corner of the cube, `None` if a
    /// lane is too far away. `found`: the bits that [`faces`](Self::faces) returned.
    #[inline(never)]
    fn over_edges(
        &self,
        plan: &Plan<'_>,
        level: &LevelLanes,
        scratch: &mut PassScratch,
        found: u32,
        SeamPlacement { filter, kernel }: SeamPlacement,
    ) -> Option<bool> {
        if found & NEEDS_GENERAL != 0 {
            return None;
        }
        let PassScratch { raw, rounding, taps, .. } = &mut *scratch;
        let [s, t] = raw.first()?;
        plan.place_axes(plan.filters.get(usize::from(filter))?, 2, [s, t, t], rounding, level, taps);
        find_over_edges(plan, level, scratch, kernel)
    }

    #[inline(never)]
    fn volume(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        level: &LevelLanes,
        scratch: &mut PassScratch,
        kernel: VolumeKernel,
        [u, v, r]: [u8; 3],
    ) -> Option<bool> {
        let PassScratch { index, weights, taps, rounding, .. } = scratch;
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
        scratch: &mut PassScratch,
        kernel: LoadPlaneKernel,
        numbers: &LoadParams,
    ) -> Option<bool> {
        let at = load_lanes(numbers, params)?;
        let PassScratch { index: [index, ..], inside: [inside, ..], taps: [x, ..], .. } = scratch;
        let (rule, table, tile) = (&plan.load, &plan.table, &plan.elements.as_ref()?.tile);
        let found = kernel(rule, table, tile, &at, index, inside, &mut x.outside);
        outside(plan, found)
    }
}

/// Returns the kernel that finds the blocks of texels in planes; `None`: the format has no blocks.
fn block_kernel(plan: &Plan<'_>, filter: &FilterStages) -> Option<BlockKernel> {
    let pattern = plan.elements.filter(|_| plan.block.is_some())?.pattern();
    plan.stages.placement.blocks.get(pattern as usize)?.get(usize::from(filter.texels() > 1)).copied()
}

/// Returns where texel offsets are in the payload; `None` if the message does not carry their parameters.
fn offsets(plan: &Plan<'_>) -> Option<OffsetParams> {
    let [(u, in_u), (v, in_v)] = unspecified::offset_params(plan.message.op)?;
    Some([(plan.params.number(u)?, in_u), (plan.params.number(v)?, in_v)])
}

/// Reads the texel offsets of all lanes from the payload.
#[inline(never)]
fn read_offsets(
    numbers: OffsetParams,
    plan: &Plan<'_>,
    params: &PassParams<'_>,
    scratch: &mut PassScratch,
) -> Option<()> {
    let stages = plan.stages.payload.as_ref()?;
    // There are no offsets along R.
    let [.., along_r] = &mut scratch.rounding;
    *along_r = [rounding(0); LANES];
    for ((number, part), axis) in numbers.into_iter().zip(&mut scratch.rounding) {
        (stages.offsets)(params.get(number)?, part.into(), axis);
    }
    Some(())
}

impl PlacementKind {
    /// The placement of a message that samples or gathers. `None`: only the general path finds the elements.
    fn sample(plan: &Plan<'_>, texture: &Texture<'_>, filter_number: u8) -> Option<Self> {
        let filter = plan.filters.get(usize::from(filter_number))?;
        let Some(placement) = PlacementKernel::new(plan, texture, filter) else {
            return AxisPlacement::new(plan, texture, filter_number).map(Self::Axes);
        };
        let number = |param| plan.params.number(param);
        let numbers @ [u, v] = [number(Param::U)?, number(Param::V)?];
        let kernel = match placement {
            PlacementKernel::Plane(kernel) => kernel,
            PlacementKernel::Volume(kernel) => {
                return Some(Self::Volume { kernel, numbers: [u, v, number(Param::R)?] });
            }
        };
        if texture.dim == Dim::D2 && !plan.sliced {
            let is_other = plan.rounding.is_none() || plan.block.is_some();
            return Some(if is_other {
                Self::PlaneWithBlocksOrOffsets { kernel, numbers }
            } else {
                Self::Plane { kernel, numbers }
            });
        }
        let layer = |param| LayerParam::of(plan, texture, param);
        match texture.dim {
            Dim::D2 => {
                let in_tiles = usize::from(plan.elements.as_ref()?.tile.slice_mask != 0);
                let find_rows = *plan.stages.payload.as_ref()?.layer_rows.get(in_tiles)?;
                Some(Self::Slices { kernel, numbers, layer: layer(Param::R), find_rows })
            }
            Dim::Cube => {
                let seam = plan.seam_kernel().filter(|_| filter.footprint > 0);
                let seam = seam.map(|kernel| SeamPlacement { filter: filter_number, kernel });
                Some(Self::Cube { kernel, numbers: [u, v, number(Param::R)?], layer: layer(Param::Ai), seam })
            }
            Dim::D1 | Dim::D3 | Dim::Buffer | Dim::Null => None,
        }
    }

    /// The placement of a message that loads. `None`: only the general path finds the elements.
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
            let colour = texture.mcs.as_ref().and_then(Mcs::clear_in_state);
            let samples = MultisampleLoad {
                rule: SampleRule::new(texture, plan.message.op),
                numbers: [Param::Si, Param::Mcs0, Param::Mcs1].map(|param| plan.params.number(param)),
                clear: colour.zip(texture.info).map(|(colour, info)| info.border(colour)),
            };
            return Some(Self::MultisampleLoad { kernel, numbers, samples });
        }
        let kernel = *plan.stages.placement.loads.get(pattern)?.get(usize::from(is_block))?;
        Some(Self::Load { kernel, numbers })
    }
}
