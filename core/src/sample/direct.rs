//! Messages that go through the stages without a decision between them.
//!
//! What most messages are: all lanes in the payload in 32 bits, a surface of packed texels, one filter without anisotropy. The
//! stages are those of every message. Payloads that need more (a lane that is too far away, a border, an edge of a cube, memory
//! that is not there) go the general way ([`run`](super::execute::run)), from the beginning.

mod call;
mod levels;
mod place;

use super::compare::{ComparedGatherKernel, ComparedMeanKernel};
use super::lanes::{ALL, LANES, TAPS, mask};
use super::mean::MeanKernel;
use super::pass::Pass;
use super::plan::{Decode, Plan, Work};
use super::sampler::Filter;
use super::scratch::{Channels, RESULT, Scratch};
use super::texture::Texture;
use super::writeback::Outcome;
use crate::message::{Param, Payload};
use call::{Call, Source};
use levels::LaneLevels;
use place::Place;

/// What such a message needs beside its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direct {
    place: Place,
    finish: Finish,
    /// `None`: all lanes read one level, which is the same for every payload.
    levels: Option<LaneLevels>,
    /// The number of the filter.
    pass: u8,
    /// Texels of all lanes' footprints, and log2 of those of one.
    texels: u16,
    footprint: u8,
}

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

impl Finish {
    /// `None`: it takes more.
    fn new(plan: &Plan<'_>, pass: &Pass) -> Option<Self> {
        let reference = plan.params.number(Param::Ref);
        Some(match (plan.work, plan.flags.compare) {
            (Work::Gather, false) if plan.decoders.is_undecoded() => Self::GatherWords,
            (Work::Gather, false) => Self::Gather,
            (Work::Gather, true) => Self::ComparedGather(plan.compared_gather()?, reference?),
            (_, true) => Self::Compared(pass.compared?, reference?),
            (_, false) if !pass.fused => return None,
            (_, false) => plan.decoders.only_mean(pass.footprint).map_or(Self::Means, Self::Mean),
        })
    }
}

impl Direct {
    /// `None` if the message is not such a one.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>) -> Option<Self> {
        let whole = plan.params.is_whole() && plan.decode == Decode::Channels;
        if !whole || plan.write.kernel.is_none() {
            return None;
        }
        let (number, levels) = match (plan.work, plan.only_pass) {
            (Work::Load, _) => (0, None),
            (_, Some(number)) => (number, None),
            (_, None) => (0, Some(LaneLevels::new(plan, texture)?)),
        };
        let pass = plan.passes.get(usize::from(number))?;
        if pass.filter == Filter::Anisotropic {
            return None;
        }
        Some(Self {
            place: Place::new(plan, texture, pass)?,
            finish: Finish::new(plan, pass)?,
            levels,
            pass: number,
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
        let (whole, memory) = source;
        if whole.is_none() {
            // Memory that hands out nothing is read one texel after the other.
            memory.contiguous(plan.elements.as_ref()?.base)?;
        }
        let pass = plan.passes.get(usize::from(self.pass))?;
        let call = Call { plan, pass, params: plan.read(payload), source, first: 0 };
        let rest = lanes & plan.message.all_lanes();
        self.pass(&call, scratch, rest, out)?;
        Outcome::default().masks(&plan.response, out);
        if plan.params.passes() > 1 { self.further_passes(call, scratch, rest, out) } else { Some(()) }
    }

    /// The passes after the first one. (Not in one loop with it: what is the same for all would be kept ready, at a cost.)
    #[inline(never)]
    fn further_passes(
        &self,
        mut call: Call<'_, '_>,
        scratch: &mut Scratch,
        lanes: u32,
        out: &mut [u8],
    ) -> Option<()> {
        for number in 1..call.plan.params.passes() {
            call.first = number.wrapping_mul(LANES);
            let rest = lanes.checked_shr(call.first as u32).unwrap_or(0);
            self.pass(&call, scratch, rest, out)?;
        }
        Some(())
    }

    /// A pass, for the lanes in `on`.
    #[inline(always)]
    fn pass(&self, call: &Call<'_, '_>, scratch: &mut Scratch, on: u32, out: &mut [u8]) -> Option<()> {
        let plan = call.plan;
        match &self.levels {
            None => self.filter(call, scratch, 0)?,
            Some(levels) => self.filter_levels(levels, call, scratch, on)?,
        }
        let values = match self.finish {
            Finish::Mean(_) | Finish::Means | Finish::Compared(..) => &scratch.values[RESULT],
            Finish::Gather | Finish::ComparedGather(..) => plan.results(scratch),
            Finish::GatherWords => plan.decoders.undecoded(&scratch.words)?,
        };
        plan.write.write(&plan.response, values, call.first, [on & ALL, 0], out);
        Some(())
    }

    /// The results on one of two levels.
    #[inline(always)]
    fn filter(&self, call: &Call<'_, '_>, scratch: &mut Scratch, level: usize) -> Option<()> {
        self.place.place(call, scratch, level)?;
        let elements = call.plan.elements.as_ref()?;
        let Scratch { index, words, .. } = &mut *scratch;
        let index = index.as_flattened();
        match call.source.0 {
            Some(bytes) => (elements.fetch)(bytes, index.get(..self.texels.into()).unwrap_or(index), words),
            None => self.read_pages(call, scratch)?,
        }
        match self.finish {
            Finish::Mean(kernel) => {
                let Scratch { weights, words, values, .. } = &mut *scratch;
                kernel(call.plan.decoders.first_run(), words, weights, values.get_mut(level)?);
            }
            Finish::GatherWords => {}
            Finish::Means | Finish::Compared(..) | Finish::Gather | Finish::ComparedGather(..) => {
                self.finish(call, scratch, level)?;
            }
        }
        Some(())
    }

    /// Reads elements of a surface that is in pieces; `None` if some of them are not there.
    #[inline(never)]
    fn read_pages(&self, call: &Call<'_, '_>, scratch: &mut Scratch) -> Option<()> {
        let Scratch { index, words, .. } = scratch;
        let mut left = [0; TAPS];
        left.get_mut(..1 << self.footprint)?.fill(ALL);
        call.plan.elements.as_ref()?.fetch_pages(call.source.1, index, &mut left, words);
        (left == [0; TAPS]).then_some(())
    }

    /// What takes more than one kernel.
    #[inline(never)]
    fn finish(&self, call: &Call<'_, '_>, scratch: &mut Scratch, level: usize) -> Option<()> {
        let Call { plan, params, first, .. } = call;
        let Scratch { weights, words, values, reference, texels, .. } = &mut *scratch;
        let result: &mut Channels = values.get_mut(level)?;
        match self.finish {
            Finish::Compared(kernel, number) => {
                params.numbered_floats(number, *first, reference)?;
                let [red, ..] = result;
                kernel(plan.decoders.first(), words, (&plan.shadow, reference), weights, red);
            }
            Finish::ComparedGather(kernel, number) => {
                params.numbered_floats(number, *first, reference)?;
                let [red, ..] = texels;
                kernel(plan.decoders.first(), words, (&plan.shadow, reference), red);
            }
            Finish::Gather | Finish::GatherWords => plan.decoders.run(words, texels, 1 << self.footprint),
            Finish::Mean(_) | Finish::Means => {
                plan.decoders.mean(words, weights, self.footprint.into(), result)
            }
        }
        Some(())
    }

    /// The results of the lanes in `on`, each on its levels.
    #[inline(never)]
    fn filter_levels(
        &self,
        levels: &LaneLevels,
        call: &Call<'_, '_>,
        scratch: &mut Scratch,
        on: u32,
    ) -> Option<()> {
        let plan = call.plan;
        levels.select(call, scratch)?;
        let on = on & ALL;
        // The stages are those of magnified lanes.
        if plan.two_filters && on & !mask(&scratch.levels.magnified) != 0 {
            return None;
        }
        let lanes = scratch.levels.lanes;
        for (level, lanes) in lanes.into_iter().enumerate() {
            if on & lanes != 0 {
                self.filter_level(call, scratch, level)?;
            }
        }
        let [_, coarser] = lanes;
        if on & coarser != 0 {
            plan.blend_levels(scratch);
        }
        Some(())
    }

    /// [`filter`](Self::filter), once for both levels.
    #[inline(never)]
    fn filter_level(&self, call: &Call<'_, '_>, scratch: &mut Scratch, level: usize) -> Option<()> {
        self.filter(call, scratch, level)
    }
}
