//! Messages that go through the stages without a decision between them.
//!
//! What most messages are: all lanes in the payload, texels that are decoded one by one, or LODs. The stages
//! are those of every message. Payloads that need more (a lane that is too far away, memory that is not there) go the general way
//! ([`run`](super::general::execute::run)), from the beginning.

mod axes;
mod batch;
pub(in crate::sample) mod call;
mod chosen;
mod filter;
mod kernels;
mod levels;
mod place;
mod samples;
mod ways;

use super::bind::texture::Texture;
use super::lanes::{ALL, Channels, LANES, mask};
use super::params::{PassInput, PassParams};
use super::plan::{Decode, Plan, Work};
use super::scratch::{Chosen, MAGNIFIED, RESULT, Room, Rooms, TOGETHER};
use super::writeback::Outcome;
use crate::format::channel;
use crate::message::Payload;
use call::{Call, Read};
use chosen::ChosenLevels;
use filter::LevelFilter;
use levels::LaneLevels;
use samples::Samples;

/// What such a message needs beside its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direct {
    /// `None`: LODs are the results.
    filter: Option<LevelFilter>,
    /// The filter of lanes that are not magnified, if it is another one.
    minified: Option<LevelFilter>,
    /// `None`: all lanes read one level, which is the same for every payload.
    levels: Option<LaneLevels>,
    /// The response has masks.
    has_masks: bool,
}

impl Direct {
    /// `None` if the message is not such a one.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>) -> Option<Self> {
        let is_words = match plan.decode {
            Decode::Channels | Decode::Blocks => true,
            Decode::Taps => channel::TAPS,
            Decode::Codec | Decode::Planar => false,
        };
        let has_texels = plan.work != Work::Lod;
        if plan.params.passes() == 0 || has_texels && !is_words || plan.write.kernel.is_none() {
            return None;
        }
        let (number, levels) = match (plan.work, plan.only_pass) {
            (Work::Load, _) => (0, None),
            (_, Some(number)) => (number, None),
            (_, None) => (0, Some(LaneLevels::new(plan, texture)?)),
        };
        // gather4 takes its four texels with any filter.
        let another = levels.is_some() && plan.two_filters && plan.work == Work::Sample;
        Some(Self {
            filter: if has_texels { Some(LevelFilter::new(plan, texture, number)?) } else { None },
            minified: if another { Some(LevelFilter::new(plan, texture, 1)?) } else { None },
            levels,
            has_masks: plan.response.null_mask.or(plan.response.kill_mask).is_some(),
        })
    }

    /// No texels are decoded before results are made of them, unless something stands for them.
    #[cfg(test)]
    pub(super) fn decodes_at_once(&self) -> bool {
        self.filter.is_none_or(|filter| filter.decodes_at_once())
    }

    /// Executes the message. `None`: it is to go the general way.
    #[inline(never)]
    pub(super) fn execute(
        &self,
        call: Call<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payload: &Payload<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        let plan = call.plan;
        let (out, lanes) = (out.get_mut(..usize::from(plan.response.len))?, lanes & plan.message.all_lanes());
        if plan.params.passes() == 1 {
            let input = PassInput { params: PassParams::of(&plan.params, payload, 0), on: lanes & ALL };
            self.only_pass(call, rooms, &input, |room| self.write(plan, room, 0, lanes & ALL, out))?;
        } else {
            self.all_passes(call, rooms, lanes, payload, out)?;
        }
        self.write_masks(plan, out);
        Some(())
    }

    /// Executes the only pass of a message.
    #[inline(always)]
    fn only_pass(
        &self,
        call: Call<'_>,
        rooms: &mut Rooms,
        input: &PassInput<'_>,
        mut done: impl FnMut(&Room),
    ) -> Option<()> {
        if let Some(levels) = &self.levels {
            let done = |_, room: &Room| done(room);
            return (self.on_levels(levels, call, rooms, 1, |_| Some(*input), done) == 1).then_some(());
        }
        self.filter.as_ref()?.run(call, [call.read(input)], [&mut rooms.room])?;
        done(&rooms.room);
        Some(())
    }

    /// Executes the passes of a message of several.
    #[inline(never)]
    fn all_passes(
        &self,
        call: Call<'_>,
        rooms: &mut Rooms,
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
        let done = |pass, room: &Room| {
            let (first, on) = part(pass);
            self.write(plan, room, first, on, out);
        };
        // They are a power of two.
        let passes = plan.params.passes();
        (self.passes(call, rooms, passes, input, done) == passes).then_some(())
    }

    /// Executes passes two side by side: the stages of one are executed while those of the other wait for what is stored. `input` says
    /// what a pass is of by its number, `done` has its results. Returns how many were executed: the next one is to go the
    /// general way.
    #[inline(always)]
    fn passes<'p>(
        &self,
        call: Call<'_>,
        rooms: &mut Rooms,
        count: usize,
        input: impl Fn(usize) -> Option<PassInput<'p>>,
        mut done: impl FnMut(usize, &Room),
    ) -> usize {
        if let Some(levels) = &self.levels {
            return self.on_levels(levels, call, rooms, count, input, done);
        }
        let mut pass = 0_usize;
        let Rooms { room, other, .. } = rooms;
        let (Some(other), Some(filter)) = (other.first_mut(), &self.filter) else { return 0 };
        while let next = pass.wrapping_add(1)
            && next < count
            && let (Some(first), Some(second)) = (input(pass), input(next))
        {
            let reads = [call.read(&first), call.read(&second)];
            if filter.run(call, reads, [&mut *room, &mut *other]).is_none() {
                break;
            }
            done(pass, room);
            done(next, other);
            pass = pass.wrapping_add(2);
        }
        if pass.wrapping_add(1) == count
            && let Some(input) = input(pass)
            && filter.run_one(call, call.read(&input), room).is_some()
        {
            done(pass, room);
            return count;
        }
        pass
    }

    /// The same of lanes that choose their levels: those of [`TOGETHER`] passes do before any of these is read.
    #[inline(never)]
    fn on_levels<'p>(
        &self,
        levels: &LaneLevels,
        call: Call<'_>,
        Rooms { room, other, chosen }: &mut Rooms,
        count: usize,
        input: impl Fn(usize) -> Option<PassInput<'p>>,
        mut done: impl FnMut(usize, &Room),
    ) -> usize {
        let (Some(other), Some(chosen)) = (other.first_mut(), chosen.first_mut()) else { return 0 };
        let mut executed = 0_usize;
        while executed < count {
            let Some(chosen) = chosen.get_mut(..count.wrapping_sub(executed).min(TOGETHER)) else { break };
            let first = executed;
            if levels.choose(call.plan, |pass| input(first.wrapping_add(pass)), room, chosen).is_none() {
                break;
            }
            if self.filter.is_none() {
                for (number, chosen) in chosen.iter().enumerate() {
                    room.values[RESULT] = chosen.levels.results();
                    done(first.wrapping_add(number), room);
                }
                executed = executed.wrapping_add(chosen.len());
                continue;
            }
            for chosen in chosen.chunks(2) {
                let first = executed;
                let (rooms, input) = ([&mut *room, &mut *other], |pass| input(first.wrapping_add(pass)));
                let done = |pass: usize, room: &Room| done(first.wrapping_add(pass), room);
                if self.two_chosen(levels, call, rooms, chosen, input, done).is_none() {
                    return executed;
                }
                executed = executed.wrapping_add(chosen.len());
            }
        }
        executed
    }

    /// One pass or two whose lanes have chosen their levels. Two that read one level with one filter do so side by side, others both of
    /// their levels.
    #[inline(always)]
    fn two_chosen<'p>(
        &self,
        levels: &LaneLevels,
        call: Call<'_>,
        [room, other]: [&mut Room; 2],
        chosen: &[Chosen],
        input: impl Fn(usize) -> Option<PassInput<'p>>,
        mut done: impl FnMut(usize, &Room),
    ) -> Option<()> {
        let has_samples = |chosen: &Chosen| levels.is_anisotropic && chosen.footprints.samples != [1; LANES];
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
                let first = Read { params: &pass.params, on, level };
                let second = Read { params: &next.params, on: next_on, level: next_level };
                chosen.filter.run(call, [first, second], [&mut *room, &mut *other])?;
                done(0, room);
                done(1, other);
                return Some(());
            }
            for (number, (pass, chosen)) in [(pass, chosen), (next, next_chosen)].iter().enumerate() {
                chosen.run(call, &pass.params, [&mut *room, &mut *other])?;
                done(number, room);
            }
            return Some(());
        }
        for (number, chosen) in chosen.iter().enumerate() {
            self.sample(levels, call, &input(number)?, chosen, [&mut *room, &mut *other])?;
            done(number, room);
        }
        Some(())
    }

    /// The results of lanes that have chosen their levels, with all samples of their footprints, in the first room: those of magnified
    /// lanes before those of the others, if they have different filters.
    #[inline(never)]
    fn sample(
        &self,
        levels: &LaneLevels,
        call: Call<'_>,
        PassInput { params, on }: &PassInput<'_>,
        chosen: &Chosen,
        rooms: [&mut Room; 2],
    ) -> Option<()> {
        let footprints = &chosen.footprints;
        let with_filter = |chosen: &ChosenLevels<'_>, rooms: [&mut Room; 2]| {
            if chosen.filter.is_anisotropic && footprints.samples != [1; LANES] {
                let samples = Samples { call, levels, footprints, filter: chosen.filter };
                return samples.run(chosen, params, rooms);
            }
            chosen.run(call, params, rooms)
        };
        if let Some(chosen) = self.chosen(chosen, *on) {
            return with_filter(&chosen, rooms);
        }
        let [room, other] = rooms;
        let magnified = on & mask(&chosen.levels.magnified);
        with_filter(&ChosenLevels::new(self.filter.as_ref()?, chosen, magnified), [&mut *room, &mut *other])?;
        room.values[MAGNIFIED] = room.values[RESULT];
        let others = ChosenLevels::new(self.minified.as_ref()?, chosen, on & !magnified);
        with_filter(&others, [&mut *room, other])?;
        room.join_magnified(magnified);
        Some(())
    }

    /// Writes the results of the lanes of a pass that are on.
    #[inline(always)]
    fn write(&self, plan: &Plan<'_>, room: &Room, first: usize, on: u32, out: &mut [u8]) {
        plan.write.write(self.results(plan, room), first, [on, 0], out);
    }

    /// Where the results are.
    #[inline(always)]
    fn results<'r>(&self, plan: &Plan<'_>, room: &'r Room) -> &'r Channels {
        match &self.filter {
            Some(filter) => filter.results(plan, room),
            None => &room.values[RESULT],
        }
    }

    /// Masks of messages without lanes that failed.
    #[inline(always)]
    fn write_masks(&self, plan: &Plan<'_>, out: &mut [u8]) {
        if self.has_masks {
            Outcome::default().masks(&plan.response, out);
        }
    }

    /// What the lanes in `on` read that have chosen their levels; `None` if they have different filters.
    #[inline(always)]
    fn chosen<'a>(&'a self, chosen: &'a Chosen, on: u32) -> Option<ChosenLevels<'a>> {
        let magnified = self.filter.as_ref()?;
        let filter = match &self.minified {
            Some(minified) => match on & mask(&chosen.levels.magnified) {
                0 => minified,
                lanes if lanes == on => magnified,
                _ => return None,
            },
            None => magnified,
        };
        Some(ChosenLevels::new(filter, chosen, on))
    }
}

/// Of the lanes of a message those of the pass that begins with a lane.
#[inline(always)]
fn pass_lanes(lanes: u32, first: usize) -> u32 {
    lanes.checked_shr(first as u32).unwrap_or(0) & ALL
}
