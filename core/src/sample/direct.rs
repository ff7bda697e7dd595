//! Messages whose every step is known beforehand: all lanes read one level of a surface, with one filter.
//!
//! The stages are those of every message; nothing is asked between them. Payloads that need more (a lane that is too far
//! away, a border, lanes on several levels) go the general way ([`run`](super::execute::run)), from the beginning.

use super::address::LevelRows;
use super::compare::{ComparedGatherKernel, ComparedMeanKernel};
use super::lanes::{ALL, LANES, Lanes, TAPS};
use super::load_rule::{IntegerLanes, LoadPlaneKernel};
use super::mean::MeanKernel;
use super::params::Params;
use super::plan::{Decode, Plan, Plane, Settled, Work};
use super::plane::{CROSSING, PlaneLanes, RawFloat, SliceLanes};
use super::scratch::{Channels, RESULT, Scratch};
use super::texture::{Dim, Texture};
use super::writeback::Outcome;
use crate::memory::Memory;
use crate::message::{Op, Param, Payload};

/// What such a message needs beside its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direct {
    place: Place,
    finish: Finish,
    /// The null mask or the kill mask is returned.
    masks: bool,
    /// Texels of all lanes' footprints, and log2 of those of one.
    texels: u16,
    footprint: u8,
}

/// The whole surface if the memory hands it out; and the memory.
pub(super) type Source<'a> = (Option<&'a [u8]>, &'a dyn Memory);

/// What finds the elements, and the numbers of its parameters in the payload.
#[derive(Clone, Copy, Debug)]
enum Place {
    Plane {
        plane: Plane,
        params: [u8; 2],
    },
    /// A plane with slices: the number of the layer too, if lanes have one.
    Slices {
        plane: Plane,
        params: [u8; 2],
        layer: Option<u8>,
    },
    /// A face: the numbers of a direction.
    Cube {
        plane: Plane,
        params: [u8; 3],
        layer: Option<u8>,
    },
    Load {
        kernel: LoadPlaneKernel,
        params: LoadParams,
    },
}

/// U, V, R, the layer and the level; `None`: 0 in all lanes.
type LoadParams = [Option<u8>; 5];

/// What makes results of words.
#[derive(Clone, Copy, Debug)]
enum Finish {
    /// One kernel for all channels.
    Mean(MeanKernel),
    /// A kernel for each kind of channels.
    Means,
    /// With the number of the reference value in the payload.
    Compared(ComparedMeanKernel, u8),
    Gather,
    /// gather4 of words as they are.
    GatherWords,
    /// gather4 with comparisons.
    ComparedGather(ComparedGatherKernel, u8),
}

impl Direct {
    /// `None` if the message is not such a one.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>) -> Option<Self> {
        let whole = plan.params.is_whole() && plan.decode == Decode::Channels;
        if !whole || plan.write.kernel.is_none() {
            return None;
        }
        let number = if plan.work == Work::Load { 0 } else { plan.only_pass? };
        let pass = plan.passes.get(usize::from(number))?;
        let place = if plan.work == Work::Load {
            Place::load(plan, texture)?
        } else {
            Place::plane(plan, texture, (*pass.plane.first()?)?)?
        };
        let reference = plan.params.number(Param::Ref);
        let finish = match (plan.work, plan.flags.compare) {
            (Work::Gather, false) if plan.decoders.is_undecoded() => Finish::GatherWords,
            (Work::Gather, false) => Finish::Gather,
            (Work::Gather, true) => Finish::ComparedGather(plan.compared_gather()?, reference?),
            (_, true) => Finish::Compared(pass.compared?, reference?),
            (_, false) if !pass.fused => return None,
            (_, false) => plan.decoders.only_mean(pass.footprint).map_or(Finish::Means, Finish::Mean),
        };
        let masks = plan.response.null_mask.is_some() || plan.response.kill_mask.is_some();
        Some(Self {
            place,
            finish,
            masks,
            texels: (pass.texels() * LANES) as u16,
            footprint: pass.footprint as u8,
        })
    }

    /// Executes the message. `None`: it is to go the general way.
    #[inline(never)]
    pub(super) fn execute(
        &self,
        plan: &Plan<'_>,
        scratch: &mut Scratch,
        lanes: u32,
        payload: &Payload<'_>,
        source: Source<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        let out = out.get_mut(..usize::from(plan.response.len))?;
        let params = plan.read(payload);
        let rest = lanes & plan.lanes;
        self.pass(plan, scratch, &params, source, (0, rest), out)?;
        if self.masks {
            Outcome::default().masks(&plan.response, out);
        }
        if plan.params.passes() > 1 {
            self.further_passes(plan, scratch, &params, source, rest, out)
        } else {
            Some(())
        }
    }

    /// The passes after the first one. (Not in one loop with it: what is the same for all would be kept ready, at a cost.)
    #[inline(never)]
    fn further_passes(
        &self,
        plan: &Plan<'_>,
        scratch: &mut Scratch,
        params: &Params<'_, '_>,
        source: Source<'_>,
        lanes: u32,
        out: &mut [u8],
    ) -> Option<()> {
        for number in 1..plan.params.passes() {
            let first = number.wrapping_mul(LANES);
            let rest = lanes.checked_shr(first as u32).unwrap_or(0);
            self.pass(plan, scratch, params, source, (first, rest), out)?;
        }
        Some(())
    }

    /// A pass: from lane `first` of the message on, those lanes of `on`.
    #[inline(always)]
    fn pass(
        &self,
        plan: &Plan<'_>,
        scratch: &mut Scratch,
        params: &Params<'_, '_>,
        source: Source<'_>,
        (first, on): (usize, u32),
        out: &mut [u8],
    ) -> Option<()> {
        let elements = plan.elements.as_ref()?;
        match &self.place {
            Place::Plane { plane, params: [u, v] } => {
                let Settled { level: [level, _], .. } = plan.settled.as_ref()?;
                let Scratch { index, weights, taps, raw, .. } = &mut *scratch;
                let room = raw.first_mut()?;
                let lanes = PlaneLanes {
                    at: params.pair([*u, *v], first, room)?,
                    level,
                    slice: SliceLanes { row: &level.row, deep: &[0; LANES] },
                };
                let found = (plane.kernel)(&plane.rule, &elements.tile, &lanes, index, weights, taps);
                if found & !CROSSING != 0 {
                    return None;
                }
            }
            Place::Slices { .. } | Place::Cube { .. } => self.place_slices(plan, scratch, params, first)?,
            Place::Load { kernel, params: numbers } => load(plan, scratch, params, first, *kernel, numbers)?,
        }
        let Scratch { index, words, .. } = &mut *scratch;
        let index = index.as_flattened();
        match source.0 {
            Some(bytes) => (elements.fetch)(bytes, index.get(..self.texels.into()).unwrap_or(index), words),
            None => self.read_pages(plan, scratch, source.1)?,
        }
        let Scratch { weights, words, values: [result, ..], .. } = &mut *scratch;
        let values = match self.finish {
            Finish::Mean(kernel) => {
                kernel(plan.decoders.first_run(), words, weights, result);
                &*result
            }
            Finish::Means
            | Finish::Compared(..)
            | Finish::Gather
            | Finish::GatherWords
            | Finish::ComparedGather(..) => self.finish(plan, scratch, params, first)?,
        };
        plan.write.write(&plan.response, values, first, [on & ALL, 0], out);
        Some(())
    }

    /// Reads elements of a surface that is in pieces; `None` if some of them are not there.
    #[inline(never)]
    fn read_pages(&self, plan: &Plan<'_>, scratch: &mut Scratch, memory: &dyn Memory) -> Option<()> {
        let Scratch { index, words, .. } = scratch;
        let mut left = [0; TAPS];
        left.get_mut(..1 << self.footprint)?.fill(ALL);
        plan.elements.as_ref()?.fetch_pages(memory, index, &mut left, words);
        (left == [0; TAPS]).then_some(())
    }

    /// What takes more than one kernel.
    #[inline(never)]
    fn finish<'s>(
        &self,
        plan: &Plan<'_>,
        scratch: &'s mut Scratch,
        params: &Params<'_, '_>,
        first: usize,
    ) -> Option<&'s Channels> {
        if matches!(self.finish, Finish::GatherWords) {
            return plan.decoders.undecoded(&scratch.words);
        }
        let Scratch { weights, words, values: [result, ..], reference, texels, .. } = &mut *scratch;
        match self.finish {
            Finish::Compared(kernel, number) => {
                params.numbered_floats(number.into(), first, reference);
                let [red, ..] = result;
                kernel(plan.decoders.first(), words, (&plan.shadow, reference), weights, red);
            }
            Finish::ComparedGather(kernel, number) => {
                params.numbered_floats(number.into(), first, reference);
                let [red, ..] = texels;
                kernel(plan.decoders.first(), words, (&plan.shadow, reference), red);
            }
            Finish::Gather | Finish::GatherWords => plan.decoders.run(words, texels, 1 << self.footprint),
            Finish::Mean(_) | Finish::Means => {
                plan.decoders.mean(words, weights, self.footprint.into(), result)
            }
        }
        Some(plan.results(scratch))
    }
}

impl Direct {
    /// Elements and weights of a plane with slices or of a cube; `None` if lanes are too far away or over an edge of a face.
    #[inline(never)]
    fn place_slices(
        &self,
        plan: &Plan<'_>,
        scratch: &mut Scratch,
        params: &Params<'_, '_>,
        first: usize,
    ) -> Option<()> {
        let (plane, layer) = match &self.place {
            Place::Slices { plane, layer, .. } | Place::Cube { plane, layer, .. } => (plane, layer),
            Place::Plane { .. } | Place::Load { .. } => return None,
        };
        let (elements, settled) = (plan.elements.as_ref()?, plan.settled.as_ref()?);
        let Settled { level: [level, _], .. } = settled;
        let stages = plan.stages.slices.as_ref()?;
        let Scratch {
            slice,
            face,
            rows: [rows, _],
            deep: [deep, _],
            index,
            weights,
            taps,
            raw,
            coordinate,
            ..
        } = scratch;
        let room = raw.first_mut()?;
        match layer {
            Some(number) => {
                let [_, second] = &mut *room;
                (stages.layers)(params.one(*number, first, second)?, plan.layers, slice);
            }
            None => *slice = [0; LANES],
        }
        let at = match &self.place {
            Place::Cube { params: numbers, .. } => {
                for (axis, number) in coordinate.iter_mut().zip(numbers) {
                    params.numbered_floats((*number).into(), first, axis);
                }
                (stages.faces)(coordinate, room, face, slice);
                let [s, t] = &*room;
                [s, t]
            }
            Place::Slices { params: numbers, .. } => params.pair(*numbers, first, room)?,
            Place::Plane { .. } | Place::Load { .. } => return None,
        };
        let from = LevelRows { row: &level.row, layer: &level.layer };
        (plan.stages.rows?)(&elements.tile, plan.first_layer, slice, from, rows, deep);
        let lanes = PlaneLanes { at, level, slice: SliceLanes { row: rows, deep } };
        let found = (plane.kernel)(&plane.rule, &elements.tile, &lanes, index, weights, taps);
        let found = if plan.seamless { found } else { found & !CROSSING };
        (found == 0).then_some(())
    }
}

impl Place {
    /// Of a sample of a plane or of a cube.
    fn plane(plan: &Plan<'_>, texture: &Texture<'_>, plane: Plane) -> Option<Self> {
        let number = |param| plan.params.number(param);
        let params = [number(Param::U)?, number(Param::V)?];
        if plan.plain {
            return Some(Self::Plane { plane, params });
        }
        let (param, cube) = match texture.dim {
            Dim::D2 => (Param::R, false),
            Dim::Cube => (Param::Ai, true),
            Dim::D1 | Dim::D3 | Dim::Buffer | Dim::Null => return None,
        };
        let layer = if texture.array { Some(number(param)?) } else { None };
        let [u, v] = params;
        Some(if cube {
            Self::Cube { plane, params: [u, v, number(Param::R)?], layer }
        } else {
            Self::Slices { plane, params, layer }
        })
    }

    /// Of a load.
    fn load(plan: &Plan<'_>, texture: &Texture<'_>) -> Option<Self> {
        let plain = matches!(plan.message.op, Op::Ld | Op::LdLz) && plan.block.is_none();
        let pattern = plan.elements.filter(|_| plain)?.pattern();
        let kernel = *plan.stages.load_plane.get(pattern as usize)?;
        let number = |param: Option<Param>| plan.params.number(param?);
        Some(Self::Load { kernel, params: plan.load_params(texture).map(number) })
    }
}

/// Elements of a load; `None` if lanes are out of range or on several levels.
#[inline(never)]
fn load(
    plan: &Plan<'_>,
    scratch: &mut Scratch,
    params: &Params<'_, '_>,
    first: usize,
    kernel: LoadPlaneKernel,
    numbers: &LoadParams,
) -> Option<()> {
    const NONE: &Lanes<RawFloat> = &[[0; 4]; LANES];
    let mut lanes = [NONE; 5];
    for (lanes, number) in lanes.iter_mut().zip(numbers) {
        if let Some(number) = number {
            *lanes = params.numbered((*number).into(), first)?;
        }
    }
    let [u, v, r, layer, level] = lanes;
    let at = IntegerLanes { coordinate: [u, v, r], layer, level };
    let elements = plan.elements.as_ref()?;
    let [index, ..] = &mut scratch.index;
    kernel(&plan.load, &plan.table, &elements.tile, &at, index).then_some(())
}

const _: () = assert!(RESULT == 0);
