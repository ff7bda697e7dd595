//! Messages that go through the stages without a decision between them.
//!
//! What most messages are: all lanes in the payload, texels that are decoded one by one, no anisotropy. The stages
//! are those of every message. Payloads that need more (a lane that is too far away, memory that is not there, lanes with different
//! filters) go the general way ([`run`](super::execute::run)), from the beginning.

mod axes;
mod filter;
mod levels;
mod place;
mod ways;

use super::frames::SurfaceMemory;
use super::lanes::{ALL, LANES, mask};
use super::plan::{Decode, Plan, Work};
use super::scratch::{Chosen, Room, Rooms};
use super::texture::Texture;
use super::writeback::Outcome;
use crate::format::channel;
use crate::message::Payload;
use filter::LevelFilter;
use levels::LaneLevels;

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
        let another = levels.is_some() && plan.two_filters;
        Some(Self {
            filter: LevelFilter::new(plan, texture, number)?,
            minified: if another { Some(LevelFilter::new(plan, texture, 1)?) } else { None },
            levels,
            has_masks: plan.response.null_mask.or(plan.response.kill_mask).is_some(),
        })
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
        let out = out.get_mut(..usize::from(plan.response.len))?;
        if plan.params.passes() > 1 {
            self.passes(plan, rooms, lanes, payload, source, out)?;
        } else {
            self.pass(plan, rooms, lanes, payload, source)?;
            self.write(plan, &rooms.room, 0, lanes, out);
        }
        self.write_masks(plan, out);
        Some(())
    }

    /// Executes two messages of half a pass: the payload has that of the second after that of the first. `None`: they are to go one
    /// after the other.
    #[inline(never)]
    pub(super) fn execute_halves(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payload: &Payload<'_>,
        source: &SurfaceMemory<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        const HALF: usize = LANES / 2;
        let [out, second_out] = two_results(plan, out)?;
        let lanes = lanes & plan.message.all_lanes();
        self.pass(plan, rooms, lanes | lanes << HALF, payload, source)?;
        self.write(plan, &rooms.room, 0, lanes, out);
        self.write_masks(plan, out);
        let values = self.filter.results(plan, &rooms.room);
        let mut second = [[0; LANES]; 4];
        for (to, from) in second.iter_mut().zip(values) {
            for (to, from) in to.iter_mut().zip(from.iter().skip(HALF)) {
                *to = *from;
            }
        }
        plan.write.write(&plan.response, &second, 0, [lanes, 0], second_out);
        self.write_masks(plan, second_out);
        Some(())
    }

    /// The only pass of a message: its results are in the first room.
    #[inline(always)]
    fn pass(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payload: &Payload<'_>,
        source: &SurfaceMemory<'_>,
    ) -> Option<()> {
        match &self.levels {
            Some(levels) => self.one_on_levels(levels, plan, rooms, lanes, payload, source),
            None => self.filter.run(
                plan,
                source,
                [payload],
                [0],
                [lanes & ALL],
                [plan.only_level()],
                [&mut rooms.room],
            ),
        }
    }

    /// Executes a message of one pass with two payloads side by side. `None`: they are to go one after the other.
    #[inline(never)]
    pub(super) fn execute_both(
        &self,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payloads: [&Payload<'_>; 2],
        source: &SurfaceMemory<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        let [out, second_out] = two_results(plan, out)?;
        self.two(plan, rooms, lanes, payloads, [0; 2], source, |number, room| {
            let out = if number == 0 { &mut *out } else { &mut *second_out };
            self.write(plan, room, 0, lanes, out);
            self.write_masks(plan, out);
        })
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
            let firsts @ [first, next] = [first, first.wrapping_add(LANES)];
            self.two(plan, rooms, lanes, [payload; 2], firsts, source, |number, room| {
                self.write(plan, room, if number == 0 { first } else { next }, lanes, out);
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
        lanes: u32,
        payloads: [&Payload<'_>; 2],
        firsts: [usize; 2],
        source: &SurfaceMemory<'_>,
        mut done: impl FnMut(usize, &Room),
    ) -> Option<()> {
        if let Some(levels) = &self.levels {
            return self.two_on_levels(levels, plan, rooms, lanes, payloads, firsts, source, done);
        }
        let (room, other, level) = (&mut rooms.room, rooms.other.first_mut()?, plan.only_level());
        let on = firsts.map(|first| pass_lanes(lanes, first));
        self.filter.run(plan, source, payloads, firsts, on, [level; 2], [&mut *room, &mut *other])?;
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
        lanes: u32,
        payload: &Payload<'_>,
        source: &SurfaceMemory<'_>,
    ) -> Option<()> {
        let Rooms { room, other, chosen } = rooms;
        let (other, [chosen, _]) = (other.first_mut()?, chosen.first_mut()?);
        levels.choose(plan, [payload], [0], [&mut *room], [&mut *chosen])?;
        self.filter_levels(plan, source, (payload, 0), lanes, chosen, [room, other])
    }

    /// [`two`](Self::two) of lanes that choose their levels: they choose side by side, then each has its two levels side by side.
    #[inline(never)]
    fn two_on_levels(
        &self,
        levels: &LaneLevels,
        plan: &Plan<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payloads: [&Payload<'_>; 2],
        firsts: [usize; 2],
        source: &SurfaceMemory<'_>,
        mut done: impl FnMut(usize, &Room),
    ) -> Option<()> {
        let Rooms { room, other, chosen } = rooms;
        let (other, [chosen, next]) = (other.first_mut()?, chosen.first_mut()?);
        levels.choose(plan, payloads, firsts, [&mut *room, &mut *other], [&mut *chosen, &mut *next])?;
        let passes = payloads.into_iter().zip(firsts);
        for ((number, pass), chosen) in passes.enumerate().zip([chosen, next]) {
            self.filter_levels(plan, source, pass, lanes, chosen, [&mut *room, &mut *other])?;
            done(number, room);
        }
        Some(())
    }

    /// Writes the results of a pass.
    #[inline(always)]
    fn write(&self, plan: &Plan<'_>, room: &Room, first: usize, lanes: u32, out: &mut [u8]) {
        let values = self.filter.results(plan, room);
        let on = pass_lanes(lanes & plan.message.all_lanes(), first);
        plan.write.write(&plan.response, values, first, [on, 0], out);
    }

    /// Masks of messages without lanes that failed.
    #[inline(always)]
    fn write_masks(&self, plan: &Plan<'_>, out: &mut [u8]) {
        if self.has_masks {
            Outcome::default().masks(&plan.response, out);
        }
    }

    /// The results of lanes, each on its levels, in the first room.
    #[inline(never)]
    fn filter_levels(
        &self,
        plan: &Plan<'_>,
        source: &SurfaceMemory<'_>,
        (payload, first): (&Payload<'_>, usize),
        lanes: u32,
        Chosen { levels, level: [finer, coarser] }: &Chosen,
        [room, other]: [&mut Room; 2],
    ) -> Option<()> {
        let on = pass_lanes(lanes, first);
        let filter = match &self.minified {
            Some(minified) => match on & mask(&levels.magnified) {
                0 => minified,
                magnified if magnified == on => &self.filter,
                _ => return None,
            },
            None => &self.filter,
        };
        let on @ [on_finer, on_coarser] = levels.lanes.map(|lanes| lanes & on);
        if on_finer == 0 || on_coarser == 0 {
            let level = if on_coarser == 0 { finer } else { coarser };
            return filter.run_one(plan, source, (payload, first), on_finer | on_coarser, level, room);
        }
        let rooms = [&mut *room, &mut *other];
        filter.run(plan, source, [payload; 2], [first; 2], on, [finer, coarser], rooms)?;
        let (Room { values: [finer, ..], .. }, Room { values: [coarser, ..], .. }) = (room, other);
        plan.join_levels(finer, coarser, on_coarser, &levels.fraction);
        Some(())
    }
}

/// Room for the results of two messages.
#[inline(always)]
fn two_results<'o>(plan: &Plan<'_>, out: &'o mut [u8]) -> Option<[&'o mut [u8]; 2]> {
    let len = usize::from(plan.response.len);
    let (out, second_out) = out.split_at_mut_checked(len)?;
    Some([out, second_out.get_mut(..len)?])
}

/// Of the lanes of a message those of the pass that begins with a lane.
#[inline(always)]
fn pass_lanes(lanes: u32, first: usize) -> u32 {
    lanes.checked_shr(first as u32).unwrap_or(0) & ALL
}
