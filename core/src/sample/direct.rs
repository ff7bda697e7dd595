//! Messages that go through the stages without a decision between them.
//!
//! What most messages are: all lanes in the payload, texels that are decoded one by one. The stages
//! are those of every message. Payloads that need more (a lane that is too far away, memory that is not there, lanes with different
//! filters) go the general way ([`run`](super::execute::run)), from the beginning.

mod axes;
mod chosen;
mod filter;
mod kernels;
mod levels;
mod place;
mod samples;
mod ways;

use super::frames::SurfaceMemory;
use super::lanes::{ALL, HALF, LANES, Lanes, RawFloat, mask};
use super::params::PassParams;
use super::plan::{Decode, Plan, Work};
use super::scratch::{Chosen, Room, Rooms, TOGETHER};
use super::texture::Texture;
use super::writeback::Outcome;
use crate::format::channel;
use crate::message::Payload;
use chosen::ChosenLevels;
use filter::LevelFilter;
use levels::LaneLevels;
use samples::Samples;

/// What such a message needs beside its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direct {
    filter: LevelFilter,
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
        if plan.params.passes() == 0 || !is_words || plan.write.kernel.is_none() {
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
            filter: LevelFilter::new(plan, texture, number)?,
            minified: if another { Some(LevelFilter::new(plan, texture, 1)?) } else { None },
            levels,
            has_masks: plan.response.null_mask.or(plan.response.kill_mask).is_some(),
        })
    }

    /// No texels are decoded before results are made of them, unless something stands for them.
    #[cfg(test)]
    pub(super) fn decodes_at_once(&self) -> bool {
        self.filter.decodes_at_once()
    }

    /// Executes the message. `None`: it is to go the general way.
    #[inline(never)]
    pub(super) fn execute(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payload: &Payload<'_>,
        source: &SurfaceMemory<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        let (out, lanes) = (out.get_mut(..usize::from(plan.response.len))?, lanes & plan.message.all_lanes());
        if plan.params.passes() > 1 {
            self.passes(plan, rooms, lanes, payload, source, out)?;
        } else {
            let params = PassParams::of(&plan.params, payload, 0);
            self.pass(plan, rooms, lanes & ALL, &params, source)?;
            self.write(plan, &rooms.room, 0, lanes & ALL, out);
        }
        self.write_masks(plan, out);
        Some(())
    }

    /// Executes payloads of a message of one pass two by two; returns how many. The next one has its parameters elsewhere, or is
    /// to go the general way, or has no room for its result, or is the last one.
    #[inline(never)]
    pub(super) fn execute_pairs(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payloads: &[[&[u8]; 2]],
        source: &SurfaceMemory<'_>,
        out: &mut [u8],
    ) -> usize {
        let (mut out, mut left, mut executed) = (out, payloads, 0_usize);
        if let Some(levels) = &self.levels {
            let (groups, rest) = payloads.as_chunks();
            for group in groups {
                let done = self.execute_group(levels, plan, rooms, lanes, group, source, out);
                executed = executed.wrapping_add(done);
                if done < group.len() {
                    return executed;
                }
                out = out.get_mut(done.wrapping_mul(plan.response.len.into())..).unwrap_or_default();
            }
            left = rest;
        }
        let (pairs, _) = left.as_chunks();
        for [[first, _], [second, _]] in pairs {
            let [first, second] = [first, second].map(|block| PassParams::of_block(&plan.params, block));
            let (Some(first), Some(second)) = (first, second) else { break };
            let Some([result, second_result, rest]) = two_results(plan, core::mem::take(&mut out)) else {
                break;
            };
            if self.pair(plan, rooms, lanes, &[first, second], source, [result, second_result]).is_none() {
                break;
            }
            (out, executed) = (rest, executed.wrapping_add(2));
        }
        executed
    }

    /// The same of a group of payloads whose lanes choose their levels: those of all are chosen before the first is read.
    #[inline(never)]
    fn execute_group(
        &self,
        levels: &LaneLevels,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payloads: &[[&[u8]; 2]; TOGETHER],
        source: &SurfaceMemory<'_>,
        out: &mut [u8],
    ) -> usize {
        let params = payloads.each_ref().map(|[block, _]| PassParams::of_block(&plan.params, block));
        let [Some(a), Some(b), Some(c), Some(d)] = params else { return 0 };
        let (params, Rooms { room, other, chosen }) = ([a, b, c, d], rooms);
        let (Some(other), Some(chosen)) = (other.first_mut(), chosen.first_mut()) else { return 0 };
        if levels.choose(plan, &params, room, chosen.each_mut()).is_none() {
            return 0;
        }
        let on = lanes & plan.message.all_lanes() & ALL;
        let (mut out, mut executed) = (out, 0_usize);
        for (params, chosen) in params.as_chunks().0.iter().zip(chosen.as_chunks().0) {
            let Some([first, second, rest]) = two_results(plan, core::mem::take(&mut out)) else { break };
            let (mut results, rooms) = ([first, second], [&mut *room, &mut *other]);
            let done = |number, room: &Room| self.write_of_pair(plan, room, on, number, &mut results);
            if self.two_chosen(levels, plan, rooms, chosen, [on; 2], params, source, done).is_none() {
                break;
            }
            (out, executed) = (rest, executed.wrapping_add(2));
        }
        executed
    }

    /// Executes payloads of a message of two passes, which are done side by side; returns how many. The next one has its parameters
    /// elsewhere, or is to go the general way, or has no room for its result.
    #[inline(never)]
    pub(super) fn execute_passes(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payloads: &[[&[u8]; 2]],
        source: &SurfaceMemory<'_>,
        out: &mut [u8],
    ) -> usize {
        let (mut out, mut executed) = (out, 0_usize);
        let lanes = lanes & plan.message.all_lanes();
        let on = [0, LANES].map(|first| pass_lanes(lanes, first));
        for [block, _] in payloads {
            let Some(params) = PassParams::passes_of_block(&plan.params, block) else { break };
            let len = plan.response.len.into();
            let Some((result, rest)) = core::mem::take(&mut out).split_at_mut_checked(len) else { break };
            let done = self.two(plan, rooms, on, &params, source, |number, room| {
                let [first, second] = on;
                let (first, on) = if number == 0 { (0, first) } else { (LANES, second) };
                self.write(plan, room, first, on, result);
            });
            if done.is_none() {
                break;
            }
            self.write_masks(plan, result);
            (out, executed) = (rest, executed.wrapping_add(1));
        }
        executed
    }

    /// Executes messages of half a pass, two in each pass: one pass, or two side by side. `None`: they are to go one after the other.
    #[inline(never)]
    pub(super) fn execute_halves<const N: usize>(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        params: [&[Lanes<RawFloat>]; N],
        source: &SurfaceMemory<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        let len = usize::from(plan.response.len);
        let lanes = lanes & plan.message.all_lanes();
        let both = lanes | lanes << HALF;
        out.get(..len.wrapping_mul(N).wrapping_mul(2))?;
        let mut done = |number: usize, room: &Room| {
            let at = number.wrapping_mul(len).wrapping_mul(2);
            let Some([out, second_out, _]) = two_results(plan, out.get_mut(at..).unwrap_or_default()) else {
                return;
            };
            self.write(plan, room, 0, lanes, out);
            self.write_masks(plan, out);
            self.write(plan, room, 0_usize.wrapping_sub(HALF), lanes << HALF, second_out);
            self.write_masks(plan, second_out);
        };
        match params.map(PassParams::of_lanes).as_slice() {
            [first, second] => self.two(plan, rooms, [both; 2], &[*first, *second], source, done),
            [only] => {
                self.pass(plan, rooms, both, only, source)?;
                done(0, &rooms.room);
                Some(())
            }
            _ => None,
        }
    }

    /// Executes two messages of one pass side by side. `None`: they are to go one after the other.
    #[inline(never)]
    pub(super) fn execute_both(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        params: [&[Lanes<RawFloat>]; 2],
        source: &SurfaceMemory<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        let [out, second_out, _] = two_results(plan, out)?;
        self.pair(plan, rooms, lanes, &params.map(PassParams::of_lanes), source, [out, second_out])
    }

    #[inline(always)]
    fn pair(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        params: &[PassParams<'_>; 2],
        source: &SurfaceMemory<'_>,
        mut results: [&mut [u8]; 2],
    ) -> Option<()> {
        let on = lanes & plan.message.all_lanes() & ALL;
        let done = |number, room: &Room| self.write_of_pair(plan, room, on, number, &mut results);
        self.two(plan, rooms, [on; 2], params, source, done)
    }

    /// Writes the results of one of two messages of one pass.
    #[inline(always)]
    fn write_of_pair(
        &self,
        plan: &Plan<'_>,
        room: &Room,
        on: u32,
        number: usize,
        [first, second]: &mut [&mut [u8]; 2],
    ) {
        let out = if number == 0 { first } else { second };
        self.write(plan, room, 0, on, out);
        self.write_masks(plan, out);
    }

    /// The only pass of a message: its results are in the first room.
    #[inline(always)]
    fn pass(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        on: u32,
        params: &PassParams<'_>,
        source: &SurfaceMemory<'_>,
    ) -> Option<()> {
        match &self.levels {
            Some(levels) => self.one_on_levels(levels, plan, rooms, on, params, source),
            None => self.filter.run(plan, source, &[*params], [on], [plan.only_level()], [&mut rooms.room]),
        }
    }

    /// The passes of a message, two side by side.
    #[inline(never)]
    fn passes(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payload: &Payload<'_>,
        source: &SurfaceMemory<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        // Several are a power of two.
        for number in (0..plan.params.passes()).step_by(2) {
            let first = number.wrapping_mul(LANES);
            let firsts = [first, first.wrapping_add(LANES)];
            let params = firsts.map(|first| PassParams::of(&plan.params, payload, first));
            let on = firsts.map(|first| pass_lanes(lanes, first));
            self.two(plan, rooms, on, &params, source, |number, room| {
                let ([first, next], [on, next_on]) = (firsts, on);
                let (first, on) = if number == 0 { (first, on) } else { (next, next_on) };
                self.write(plan, room, first, on, out);
            })?;
        }
        Some(())
    }

    /// Two passes side by side; `done` gets the number and the results of each.
    #[inline(always)]
    fn two(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        on: [u32; 2],
        params: &[PassParams<'_>; 2],
        source: &SurfaceMemory<'_>,
        mut done: impl FnMut(usize, &Room),
    ) -> Option<()> {
        if let Some(levels) = &self.levels {
            return self.two_on_levels(levels, plan, rooms, on, params, source, done);
        }
        let (room, other, level) = (&mut rooms.room, rooms.other.first_mut()?, plan.only_level());
        self.filter.run(plan, source, params, on, [level; 2], [&mut *room, &mut *other])?;
        done(0, room);
        done(1, other);
        Some(())
    }

    /// The only pass of a message whose lanes choose their levels.
    #[inline(never)]
    fn one_on_levels(
        &self,
        levels: &LaneLevels,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        on: u32,
        params: &PassParams<'_>,
        source: &SurfaceMemory<'_>,
    ) -> Option<()> {
        let Rooms { room, other, chosen } = rooms;
        let (other, [chosen, ..]) = (other.first_mut()?, chosen.first_mut()?);
        levels.choose(plan, &[*params], room, [&mut *chosen])?;
        if levels.is_anisotropic {
            return self.sample(levels, plan, source, params, chosen, on, [room, other]);
        }
        self.chosen(chosen, on)?.run(plan, source, params, [room, other])
    }

    /// [`two`](Self::two) of lanes that choose their levels: they choose side by side, then both read their one level side by side, or
    /// each its two.
    #[inline(never)]
    fn two_on_levels(
        &self,
        levels: &LaneLevels,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        on: [u32; 2],
        params: &[PassParams<'_>; 2],
        source: &SurfaceMemory<'_>,
        done: impl FnMut(usize, &Room),
    ) -> Option<()> {
        let Rooms { room, other, chosen } = rooms;
        let (other, chosen) = (other.first_mut()?, chosen.first_mut()?.first_chunk_mut()?);
        levels.choose(plan, params, room, chosen.each_mut())?;
        self.two_chosen(levels, plan, [room, other], chosen, on, params, source, done)
    }

    /// [`two_on_levels`](Self::two_on_levels) of lanes that have chosen theirs.
    #[inline(never)]
    fn two_chosen(
        &self,
        levels: &LaneLevels,
        plan: &Plan<'_>,
        [room, other]: [&mut Room; 2],
        [chosen, next]: &[Chosen; 2],
        on: [u32; 2],
        params: &[PassParams<'_>; 2],
        source: &SurfaceMemory<'_>,
        mut done: impl FnMut(usize, &Room),
    ) -> Option<()> {
        if levels.is_anisotropic
            && [chosen, next].iter().any(|chosen| chosen.footprints.samples != [1; LANES])
        {
            for ((number, params), (chosen, on)) in
                params.iter().enumerate().zip([chosen, next].into_iter().zip(on))
            {
                self.sample(levels, plan, source, params, chosen, on, [&mut *room, &mut *other])?;
                done(number, room);
            }
            return Some(());
        }
        let [on, next_on] = on;
        let both = [self.chosen(chosen, on)?, self.chosen(next, next_on)?];
        let [first, second] = &both;
        if let (Some((on, level)), Some((next_on, next_level))) = (first.only_level(), second.only_level())
            && core::ptr::eq(first.filter, second.filter)
        {
            let rooms = [&mut *room, &mut *other];
            first.filter.run(plan, source, params, [on, next_on], [level, next_level], rooms)?;
            done(0, room);
            done(1, other);
            return Some(());
        }
        for ((number, params), chosen) in params.iter().enumerate().zip(&both) {
            chosen.run(plan, source, params, [&mut *room, &mut *other])?;
            done(number, room);
        }
        Some(())
    }

    /// The results of lanes that have chosen their levels, with all samples of their footprints, in the first room.
    #[inline(never)]
    fn sample(
        &self,
        levels: &LaneLevels,
        plan: &Plan<'_>,
        source: &SurfaceMemory<'_>,
        params: &PassParams<'_>,
        chosen: &Chosen,
        on: u32,
        rooms: [&mut Room; 2],
    ) -> Option<()> {
        let (footprints, chosen) = (&chosen.footprints, self.chosen(chosen, on)?);
        if chosen.filter.is_anisotropic && footprints.samples != [1; LANES] {
            let samples = Samples { plan, source, levels, footprints, filter: chosen.filter };
            return samples.run(&chosen, params, rooms);
        }
        chosen.run(plan, source, params, rooms)
    }

    /// Writes the results of the lanes of a pass that are on.
    #[inline(always)]
    fn write(&self, plan: &Plan<'_>, room: &Room, first: usize, on: u32, out: &mut [u8]) {
        plan.write.write(&plan.response, self.filter.results(plan, room), first, [on, 0], out);
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
    fn chosen<'a>(&'a self, Chosen { levels, level, .. }: &'a Chosen, on: u32) -> Option<ChosenLevels<'a>> {
        let filter = match &self.minified {
            Some(minified) => match on & mask(&levels.magnified) {
                0 => minified,
                magnified if magnified == on => &self.filter,
                _ => return None,
            },
            None => &self.filter,
        };
        let on = levels.lanes.map(|lanes| lanes & on);
        Some(ChosenLevels { filter, on, level, fraction: &levels.fraction })
    }
}

/// Room for the results of two messages, and what is behind it.
#[inline(always)]
fn two_results<'o>(plan: &Plan<'_>, out: &'o mut [u8]) -> Option<[&'o mut [u8]; 3]> {
    let len = usize::from(plan.response.len);
    let (out, rest) = out.split_at_mut_checked(len)?;
    let (second_out, rest) = rest.split_at_mut_checked(len)?;
    Some([out, second_out, rest])
}

/// Of the lanes of a message those of the pass that begins with a lane.
#[inline(always)]
fn pass_lanes(lanes: u32, first: usize) -> u32 {
    lanes.checked_shr(first as u32).unwrap_or(0) & ALL
}
