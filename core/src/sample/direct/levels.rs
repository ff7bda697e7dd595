//! Messages whose lanes choose their levels.

use crate::message::{LodSource, Param, Payload};
use crate::sample::filter::Reduction;
use crate::sample::lanes::LANES;
use crate::sample::lod::Derivatives;
use crate::sample::plan::{Plan, Work};
use crate::sample::scratch::{Chosen, Room};
use crate::sample::texture::{Dim, Texture};

/// Where LODs come from: numbers of parameters.
#[derive(Clone, Copy, Debug)]
enum LodParam {
    Explicit(u8),
    /// Differences of U and V in subspans, with a bias or none.
    Subspans([u8; 2], Option<u8>),
    /// Derivatives of U and V along x, then along y.
    Gradients([[u8; 2]; 2]),
}

/// How lanes choose their levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneLevels {
    lod: LodParam,
    /// The number of the minimum LOD, if the message has one.
    minimum: Option<u8>,
    /// Axes along which texels are placed.
    axes: u8,
}

impl LaneLevels {
    /// `None`: it takes more than this.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>) -> Option<Self> {
        let number = |param| plan.params.number(param);
        let mean = plan.work == Work::Sample && plan.reduction == Reduction::Mean;
        if !mean || plan.settled.is_some() || plan.message.cps || plan.derivative.max_ratio > 1.0 {
            return None;
        }
        let plane = texture.dim == Dim::D2;
        let lod = match plan.flags.lod {
            LodSource::Explicit => LodParam::Explicit(number(Param::Lod)?),
            LodSource::Quad if plane => LodParam::Subspans([number(Param::U)?, number(Param::V)?], None),
            LodSource::QuadBias if plane => {
                LodParam::Subspans([number(Param::U)?, number(Param::V)?], Some(number(Param::Bias)?))
            }
            LodSource::Gradients if plane => LodParam::Gradients([
                [number(Param::DuDx)?, number(Param::DvDx)?],
                [number(Param::DuDy)?, number(Param::DvDy)?],
            ]),
            LodSource::Quad | LodSource::QuadBias | LodSource::Gradients => return None,
            LodSource::Zero | LodSource::Base | LodSource::Integer | LodSource::None => return None,
        };
        Some(Self { lod, minimum: number(Param::Mlod), axes: texture.placed_axes() as u8 })
    }

    /// Fills in the levels of the lanes of passes, stage by stage: those of one pass are executed while those of another wait.
    #[inline(always)]
    pub(super) fn choose<const N: usize>(
        &self,
        plan: &Plan<'_>,
        payloads: [&Payload<'_>; N],
        firsts: [usize; N],
        mut rooms: [&mut Room; N],
        mut chosen: [&mut Chosen; N],
    ) -> Option<()> {
        for ((payload, first), room) in payloads.into_iter().zip(firsts).zip(&mut rooms) {
            self.find_lods(plan, payload, first, room)?;
        }
        for (((payload, first), room), chosen) in
            payloads.into_iter().zip(firsts).zip(&rooms).zip(&mut chosen)
        {
            let mut lanes;
            let minimum = match self.minimum {
                Some(number) => {
                    lanes = [0.0; LANES];
                    plan.read(payload).numbered_floats(number, first, &mut lanes)?;
                    &lanes
                }
                // Not on the stack: vectors would wait for what was stored in smaller parts.
                None => &[0.0; LANES],
            };
            (plan.stages.select)(&plan.level_rule, &room.footprints.lambda, minimum, &mut chosen.levels);
        }
        let (kernel, axes) = (plan.stages.level?, self.axes.into());
        for Chosen { levels, level: [finer, coarser] } in chosen {
            plan.table.fill_kept(&levels.finer, axes, kernel, finer);
            let [_, reads_coarser] = levels.lanes;
            if reads_coarser != 0 {
                plan.table.fill_kept(&levels.coarser, axes, kernel, coarser);
            }
        }
        Some(())
    }

    /// Fills in the LODs of lanes.
    #[inline(always)]
    fn find_lods(&self, plan: &Plan<'_>, payload: &Payload<'_>, first: usize, room: &mut Room) -> Option<()> {
        let params = plan.read(payload);
        let Room { footprints, derivatives, .. } = room;
        match &self.lod {
            LodParam::Explicit(number) => {
                params.numbered_floats(*number, first, &mut footprints.lambda)?;
            }
            LodParam::Subspans([u, v], bias) => {
                let at = [params.numbered(*u, first)?, params.numbered(*v, first)?];
                let bias = match bias {
                    Some(number) => Some(params.numbered(*number, first)?),
                    None => None,
                };
                (plan.stages.payload.as_ref()?.subspans)(&plan.derivative, at, bias, &mut footprints.lambda);
            }
            LodParam::Gradients(numbers) => {
                let derivatives: &mut Derivatives = derivatives;
                for (along, numbers) in derivatives.iter_mut().zip(numbers) {
                    for (axis, number) in along.iter_mut().zip(numbers) {
                        params.numbered_floats(*number, first, axis)?;
                    }
                }
                (plan.stages.derive)(&plan.derivative, derivatives, footprints);
            }
        }
        Some(())
    }
}
