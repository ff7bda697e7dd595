//! The direct path: messages whose stages run over all lanes with no decision between one stage and the next.
//!
//! Most messages qualify: those whose parameters fill whole passes (after widening, if they need it), and whose results are LODs or
//! texels that kernels decode from words (not by the format's codec, not from two planes). The stages are those of the general path.
//! Payloads that need more (a coordinate that is too far away, memory that is not there) are executed by the general path
//! ([`run`](super::general::execute::run)) from the beginning.

mod axes;
mod batch;
pub(in crate::sample) mod call;
mod chosen;
mod filter;
mod inputs;
mod kernels;
mod levels;
mod place;
mod samples;

use super::bind::texture::Texture;
use super::lanes::{ALL, ChannelLanes, LANES, mask};
use super::params::{PassInput, PassParams};
use super::plan::{Decode, Plan, Work};
use super::scratch::{ChosenMips, MAGNIFIED, PASSES_TOGETHER, PassScratch, PassScratches, RESULT};
use super::writeback::Outcome;
use crate::format::channel;
use crate::message::Payload;
use call::{DirectCall, FilterInput};
use chosen::ChosenFilter;
use filter::LevelFilter;
use levels::LaneLevels;
use samples::AnisotropicSamples;

/// The direct path of a prepared message: its filters and its choice of mip levels. The rest is in the [`Plan`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Direct {
    /// The filter of all lanes, or of the magnified ones if `minified` is there. `None`: the message returns LODs.
    filter: Option<LevelFilter>,
    /// The filter of lanes that are not magnified, if it differs from that of magnified lanes.
    minified: Option<LevelFilter>,
    /// How lanes choose their mip levels. `None`: all lanes of every payload read the same mip level, or the message is a load.
    levels: Option<LaneLevels>,
    /// The response has a pixel null mask or a kill mask.
    has_masks: bool,
}

impl Direct {
    /// Returns `None` if the message always needs the general path.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>) -> Option<Self> {
        let is_words = match plan.decode {
            Decode::Channels | Decode::Blocks => true,
            Decode::SingleTexels => channel::ALL_CHANNEL_KINDS,
            Decode::Codec | Decode::Planar => false,
        };
        let has_texels = plan.work != Work::Lod;
        if plan.params.passes() == 0 || has_texels && !is_words || plan.write.kernel.is_none() {
            return None;
        }
        let (number, levels) = match (plan.work, plan.only_filter()) {
            (Work::Load, _) => (0, None),
            (_, Some(number)) => (number, None),
            (_, None) => (0, Some(LaneLevels::new(plan, texture)?)),
        };
        // gather4 takes the same four texels with either filter.
        let another = levels.is_some() && plan.two_filters && plan.work == Work::Sample;
        Some(Self {
            filter: if has_texels { Some(LevelFilter::new(plan, texture, number)?) } else { None },
            minified: if another { Some(LevelFilter::new(plan, texture, 1)?) } else { None },
            levels,
            has_masks: plan.response.null_mask.or(plan.response.kill_mask).is_some(),
        })
    }

    /// Returns true if kernels decode and filter at once: texels are decoded first only where the border or a corner replaces one.
    #[cfg(test)]
    pub(super) fn decodes_at_once(&self) -> bool {
        self.filter.is_none_or(|filter| filter.decodes_at_once())
    }

    /// Executes the message with a payload, for the lanes in `lanes`. `None`: the general path has to execute it, from the beginning.
    #[inline(never)]
    pub(super) fn execute(
        &self,
        call: DirectCall<'_>,
        scratches: &mut PassScratches,
        lanes: u32,
        payload: &Payload<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        let plan = call.plan;
        let (out, lanes) = (out.get_mut(..usize::from(plan.response.len))?, lanes & plan.message.all_lanes());
        if plan.params.passes() == 1 {
            let input = PassInput { params: PassParams::of(&plan.params, payload, 0), on: lanes & ALL };
            self.only_pass(call, scratches, &input, |scratch| {
                self.write(plan, scratch, 0, lanes & ALL, out)
            })?;
        } else {
            self.all_passes(call, scratches, lanes, payload, out)?;
        }
        self.write_masks(plan, out);
        Some(())
    }

    /// Executes the only pass of a message; `done` gets the scratch with the results.
    #[inline(always)]
    fn only_pass(
        &self,
        call: DirectCall<'_>,
        scratches: &mut PassScratches,
        input: &PassInput<'_>,
        mut done: impl FnMut(&PassScratch),
    ) -> Option<()> {
        if let Some(levels) = &self.levels {
            let done = |_, scratch: &PassScratch| done(scratch);
            return (self.on_levels(levels, call, scratches, 1, |_| Some(*input), done) == 1).then_some(());
        }
        self.filter.as_ref()?.run(call, [call.read(input)], [&mut scratches.scratch])?;
        done(&scratches.scratch);
        Some(())
    }

    /// Executes a message of several passes and writes their results.
    #[inline(never)]
    fn all_passes(
        &self,
        call: DirectCall<'_>,
        scratches: &mut PassScratches,
        lanes: u32,
        payload: &Payload<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        let plan = call.plan;
        let part = |pass: usize| {
            let first = pass.wrapping_mul(LANES);
            (first, pass_lanes(lanes, first))
        };
        let input = |pass| {
            let (first, on) = part(pass);
            Some(PassInput { params: PassParams::of(&plan.params, payload, first), on })
        };
        let done = |pass, scratch: &PassScratch| {
            let (first, on) = part(pass);
            self.write(plan, scratch, first, on, out);
        };
        // A power of two, so that passes come in pairs.
        let passes = plan.params.passes();
        (self.passes(call, scratches, passes, input, done) == passes).then_some(())
    }

    /// Executes `count` passes, two of them side by side: the stages of one execute while those of the other wait for values that were
    /// just stored. `input` returns the parameters and active lanes of a pass by its number, `done` gets the scratch with its results.
    /// Returns how many passes were executed: if fewer than `count`, the next one is for the general path.
    #[inline(always)]
    fn passes<'p>(
        &self,
        call: DirectCall<'_>,
        scratches: &mut PassScratches,
        count: usize,
        input: impl Fn(usize) -> Option<PassInput<'p>>,
        mut done: impl FnMut(usize, &PassScratch),
    ) -> usize {
        if let Some(levels) = &self.levels {
            return self.on_levels(levels, call, scratches, count, input, done);
        }
        let mut pass = 0_usize;
        let PassScratches { scratch, other, .. } = scratches;
        let (Some(other), Some(filter)) = (other.first_mut(), &self.filter) else { return 0 };
        while let next = pass.wrapping_add(1)
            && next < count
            && let (Some(first), Some(second)) = (input(pass), input(next))
        {
            let reads = [call.read(&first), call.read(&second)];
            if filter.run(call, reads, [&mut *scratch, &mut *other]).is_none() {
                break;
            }
            done(pass, scratch);
            done(next, other);
            pass = pass.wrapping_add(2);
        }
        if pass.wrapping_add(1) == count
            && let Some(input) = input(pass)
            && filter.run_one(call, call.read(&input), scratch).is_some()
        {
            done(pass, scratch);
            return count;
        }
        pass
    }

    /// [`passes`](Self::passes) for lanes that choose their mip levels: the lanes of up to [`PASSES_TOGETHER`] passes choose before any of
    /// these passes reads texels.
    #[inline(never)]
    fn on_levels<'p>(
        &self,
        levels: &LaneLevels,
        call: DirectCall<'_>,
        PassScratches { scratch, other, chosen }: &mut PassScratches,
        count: usize,
        input: impl Fn(usize) -> Option<PassInput<'p>>,
        mut done: impl FnMut(usize, &PassScratch),
    ) -> usize {
        let (Some(other), Some(chosen)) = (other.first_mut(), chosen.first_mut()) else { return 0 };
        let mut executed = 0_usize;
        while executed < count {
            let Some(chosen) = chosen.get_mut(..count.wrapping_sub(executed).min(PASSES_TOGETHER)) else {
                break;
            };
            let first = executed;
            if levels.choose(call.plan, |pass| input(first.wrapping_add(pass)), scratch, chosen).is_none() {
                break;
            }
            if self.filter.is_none() {
                for (number, chosen) in chosen.iter().enumerate() {
                    scratch.values[RESULT] = chosen.levels.results();
                    done(first.wrapping_add(number), scratch);
                }
                executed = executed.wrapping_add(chosen.len());
                continue;
            }
            for chosen in chosen.chunks(2) {
                let first = executed;
                let (scratches, input) =
                    ([&mut *scratch, &mut *other], |pass| input(first.wrapping_add(pass)));
                let done = |pass: usize, scratch: &PassScratch| done(first.wrapping_add(pass), scratch);
                if self.two_chosen(levels, call, scratches, chosen, input, done).is_none() {
                    return executed;
                }
                executed = executed.wrapping_add(chosen.len());
            }
        }
        executed
    }

    /// Filters one or two passes whose lanes have chosen their mip levels. Two passes that each read one of the two mip levels (finer or
    /// coarser), both with the same filter, run side by side; in a pass that reads both, the two mip levels do. `None`: a lane needs the
    /// general path.
    #[inline(always)]
    fn two_chosen<'p>(
        &self,
        levels: &LaneLevels,
        call: DirectCall<'_>,
        [scratch, other]: [&mut PassScratch; 2],
        chosen: &[ChosenMips],
        input: impl Fn(usize) -> Option<PassInput<'p>>,
        mut done: impl FnMut(usize, &PassScratch),
    ) -> Option<()> {
        let has_samples =
            |chosen: &ChosenMips| levels.is_anisotropic && chosen.footprints.samples != [1; LANES];
        if let [chosen, next_chosen] = chosen
            && !has_samples(chosen)
            && !has_samples(next_chosen)
            && let (pass, next) = (input(0)?, input(1)?)
            && let (Some(chosen), Some(next_chosen)) =
                (self.chosen(chosen, pass.on), self.chosen(next_chosen, next.on))
        {
            if let (Some((on, level)), Some((next_on, next_level))) =
                (chosen.only_level(), next_chosen.only_level())
                && core::ptr::eq(chosen.filter, next_chosen.filter)
            {
                let first = FilterInput { params: &pass.params, on, level };
                let second = FilterInput { params: &next.params, on: next_on, level: next_level };
                chosen.filter.run(call, [first, second], [&mut *scratch, &mut *other])?;
                done(0, scratch);
                done(1, other);
                return Some(());
            }
            for (number, (pass, chosen)) in [(pass, chosen), (next, next_chosen)].iter().enumerate() {
                chosen.run(call, &pass.params, [&mut *scratch, &mut *other])?;
                done(number, scratch);
            }
            return Some(());
        }
        for (number, chosen) in chosen.iter().enumerate() {
            self.sample(levels, call, &input(number)?, chosen, [&mut *scratch, &mut *other])?;
            done(number, scratch);
        }
        Some(())
    }

    /// Filters a pass whose lanes have chosen their mip levels, with all samples of anisotropic footprints. The results are in the first
    /// scratch. If magnified and minified lanes have different filters, magnified lanes are filtered first and joined with the rest.
    #[inline(never)]
    fn sample(
        &self,
        levels: &LaneLevels,
        call: DirectCall<'_>,
        PassInput { params, on }: &PassInput<'_>,
        chosen: &ChosenMips,
        scratches: [&mut PassScratch; 2],
    ) -> Option<()> {
        let footprints = &chosen.footprints;
        let with_filter = |chosen: &ChosenFilter<'_>, scratches: [&mut PassScratch; 2]| {
            if chosen.filter.is_anisotropic && footprints.samples != [1; LANES] {
                let samples = AnisotropicSamples { call, levels, footprints, filter: chosen.filter };
                return samples.run(chosen, params, scratches);
            }
            chosen.run(call, params, scratches)
        };
        if let Some(chosen) = self.chosen(chosen, *on) {
            return with_filter(&chosen, scratches);
        }
        let [scratch, other] = scratches;
        let magnified = on & mask(&chosen.levels.magnified);
        with_filter(
            &ChosenFilter::new(self.filter.as_ref()?, chosen, magnified),
            [&mut *scratch, &mut *other],
        )?;
        scratch.values[MAGNIFIED] = scratch.values[RESULT];
        let others = ChosenFilter::new(self.minified.as_ref()?, chosen, on & !magnified);
        with_filter(&others, [&mut *scratch, other])?;
        scratch.join_magnified(magnified);
        Some(())
    }

    /// Writes the results of the active lanes, `on`, of a pass; `first` is the number of its first lane in the message.
    #[inline(always)]
    fn write(&self, plan: &Plan<'_>, scratch: &PassScratch, first: usize, on: u32, out: &mut [u8]) {
        plan.write.write(self.results(plan, scratch), first, [on, 0], out);
    }

    /// Returns the results of a pass in its scratch, before the channel select.
    #[inline(always)]
    fn results<'r>(&self, plan: &Plan<'_>, scratch: &'r PassScratch) -> &'r ChannelLanes {
        match &self.filter {
            Some(filter) => filter.results(plan, scratch),
            None => &scratch.values[RESULT],
        }
    }

    /// Writes the masks of the response, for a message in which no lane faulted or read a null page.
    #[inline(always)]
    fn write_masks(&self, plan: &Plan<'_>, out: &mut [u8]) {
        if self.has_masks {
            Outcome::default().masks(&plan.response, out);
        }
    }

    /// Returns the filter and the chosen mip levels of the lanes in `on`; `None` if magnified and minified lanes among them have different
    /// filters.
    #[inline(always)]
    fn chosen<'a>(&'a self, chosen: &'a ChosenMips, on: u32) -> Option<ChosenFilter<'a>> {
        let magnified = self.filter.as_ref()?;
        let filter = match &self.minified {
            Some(minified) => match on & mask(&chosen.levels.magnified) {
                0 => minified,
                lanes if lanes == on => magnified,
                _ => return None,
            },
            None => magnified,
        };
        Some(ChosenFilter::new(filter, chosen, on))
    }
}

/// Returns the mask of the lanes of a pass, out of the mask of a message's lanes; the pass begins with lane `first`.
#[inline(always)]
fn pass_lanes(lanes: u32, first: usize) -> u32 {
    lanes.checked_shr(first as u32).unwrap_or(0) & ALL
}
