//! Messages whose every step is known beforehand: all lanes read one level of a surface, with one filter.
//!
//! The stages are those of every message; nothing is asked between them. Payloads that need more (a lane that is too far
//! away, a border, lanes on several levels) go the general way ([`run`](super::execute::run)), from the beginning.

use super::compare::ComparedMeanKernel;
use super::lanes::{ALL, LANES, Lanes};
use super::load_rule::{IntegerLanes, LoadPlaneKernel};
use super::mean::MeanKernel;
use super::params::Params;
use super::plan::{Decode, Plan, Plane, Settled, Work};
use super::plane::{CROSSING, PlaneLanes, RawFloat, SliceLanes};
use super::scratch::{Channels, RESULT, Scratch};
use super::texture::Texture;
use crate::message::{Op, Param, Payload};

/// What such a message needs beside its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direct {
    place: Place,
    finish: Finish,
    /// Texels of all lanes' footprints, and log2 of those of one.
    texels: u16,
    footprint: u8,
}

/// What finds the elements, and the numbers of its parameters in the payload.
#[derive(Clone, Copy, Debug)]
enum Place {
    Plane { plane: Plane, params: [u8; 2] },
    Load { kernel: LoadPlaneKernel, params: LoadParams },
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
}

impl Direct {
    /// `None` if the message is not such a one.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>) -> Option<Self> {
        let masks = plan.response.null_mask.is_some() || plan.response.kill_mask.is_some();
        let whole = plan.params.passes() > 0 && plan.decode == Decode::Channels;
        if masks || !whole || plan.write.kernel.is_none() {
            return None;
        }
        let number = if plan.work == Work::Load { 0 } else { plan.only_pass? };
        let pass = plan.passes.get(usize::from(number))?;
        let place = if plan.work == Work::Load {
            Place::load(plan, texture)?
        } else {
            Place::plane(plan, *pass.plane.first()?)?
        };
        let finish = match (plan.work, pass.compared, plan.decoders.only_mean(pass.footprint)) {
            (Work::Gather, _, _) if plan.flags.compare => return None,
            (Work::Gather, _, _) => Finish::Gather,
            (_, Some(kernel), _) => Finish::Compared(kernel, plan.params.number(Param::Ref)?),
            _ if !pass.fused => return None,
            (_, _, Some(kernel)) => Finish::Mean(kernel),
            _ => Finish::Means,
        };
        Some(Self { place, finish, texels: (pass.texels() * LANES) as u16, footprint: pass.footprint as u8 })
    }

    /// Executes the message on a surface that is in `bytes`. `None`: it is to go the general way.
    #[inline(never)]
    pub(super) fn execute(
        &self,
        plan: &Plan<'_>,
        scratch: &mut Scratch,
        lanes: u32,
        payload: &Payload<'_>,
        bytes: &[u8],
        out: &mut [u8],
    ) -> Option<()> {
        let out = out.get_mut(..usize::from(plan.response.len))?;
        let params = plan.read(payload);
        let rest = lanes & plan.lanes;
        self.pass(plan, scratch, &params, bytes, (0, rest), out)?;
        if plan.params.passes() > 1 {
            self.further_passes(plan, scratch, &params, bytes, rest, out)
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
        bytes: &[u8],
        lanes: u32,
        out: &mut [u8],
    ) -> Option<()> {
        for number in 1..plan.params.passes() {
            let first = number.wrapping_mul(LANES);
            let rest = lanes.checked_shr(first as u32).unwrap_or(0);
            self.pass(plan, scratch, params, bytes, (first, rest), out)?;
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
        bytes: &[u8],
        (first, on): (usize, u32),
        out: &mut [u8],
    ) -> Option<()> {
        let elements = plan.elements.as_ref()?;
        match &self.place {
            Place::Plane { plane, params: [u, v] } => {
                let Settled { level: [level, _], .. } = plan.settled.as_ref()?;
                let Scratch { index, weights, taps, .. } = &mut *scratch;
                let lanes = PlaneLanes {
                    at: [params.numbered((*u).into(), first)?, params.numbered((*v).into(), first)?],
                    level,
                    slice: SliceLanes { row: &level.row, deep: &[0; LANES] },
                };
                let found = (plane.kernel)(&plane.rule, &elements.tile, &lanes, index, weights, taps);
                if found & !CROSSING != 0 {
                    return None;
                }
            }
            Place::Load { kernel, params: numbers } => load(plan, scratch, params, first, *kernel, numbers)?,
        }
        let Scratch { index, weights, words, values: [result, ..], .. } = &mut *scratch;
        let index = index.as_flattened();
        (elements.fetch)(bytes, index.get(..self.texels.into()).unwrap_or(index), words);
        let values = match self.finish {
            Finish::Mean(kernel) => {
                kernel(plan.decoders.first_run(), words, weights, result);
                &*result
            }
            Finish::Means | Finish::Compared(..) | Finish::Gather => {
                self.finish(plan, scratch, params, first)?
            }
        };
        plan.write.write(&plan.response, values, first, [on & ALL, 0], out);
        Some(())
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
        let Scratch { weights, words, values: [result, ..], reference, texels, .. } = &mut *scratch;
        match self.finish {
            Finish::Compared(kernel, number) => {
                (plan.stages.floats)(params.numbered(number.into(), first)?, reference);
                let [red, ..] = result;
                kernel(plan.decoders.first(), words, (&plan.shadow, reference), weights, red);
            }
            Finish::Gather => plan.decoders.run(words, texels, 1 << self.footprint),
            Finish::Mean(_) | Finish::Means => {
                plan.decoders.mean(words, weights, self.footprint.into(), result)
            }
        }
        Some(plan.results(scratch))
    }
}

impl Place {
    /// Of a sample of a plane without slices.
    fn plane(plan: &Plan<'_>, plane: Option<Plane>) -> Option<Self> {
        let params = [plan.params.number(Param::U)?, plan.params.number(Param::V)?];
        plane.filter(|_| plan.plain).map(|plane| Self::Plane { plane, params })
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
