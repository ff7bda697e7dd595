//! Messages that go through the stages without a decision between them.
//!
//! What most messages are: all lanes in the payload in 32 bits, a surface of packed texels, one filter without anisotropy. The
//! stages are those of every message. Payloads that need more (a lane that is too far away, a border, an edge of a cube, memory
//! that is not there) go the general way ([`run`](super::execute::run)), from the beginning.

mod levels;
mod place;

use super::compare::{ComparedGatherKernel, ComparedMeanKernel};
use super::elements::Elements;
use super::frames::Bytes;
use super::lanes::{ALL, LANES, TAPS, mask};
use super::mean::MeanKernel;
use super::pass::Pass;
use super::plan::{Decode, Plan, Work};
use super::sampler::Filter;
use super::scratch::{Channels, Chosen, LevelLanes, RESULT, Room, Scratch};
use super::texture::Texture;
use super::writeback::Outcome;
use crate::memory::Memory;
use crate::message::{Param, Payload};
use levels::LaneLevels;
use place::Place;

/// What such a message needs beside its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direct {
    place: Place,
    finish: Finish,
    /// `None`: all lanes read one level, which is the same for every payload.
    levels: Option<LaneLevels>,
    /// The response has masks.
    has_masks: bool,
    /// log2 of the texels of a footprint.
    footprint: u8,
}

/// What the memory hands out of the surface; and the memory.
type Source<'a> = (Bytes<'a>, &'a dyn Memory);

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
            has_masks: plan.response.null_mask.or(plan.response.kill_mask).is_some(),
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
        source: &Source<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        let out = out.get_mut(..usize::from(plan.response.len))?;
        hands_out(plan, source)?;
        if plan.params.passes() > 1 {
            self.passes(plan, scratch, lanes, payload, source, out)?;
        } else if let Some(levels) = &self.levels {
            self.one_on_levels(levels, plan, scratch, lanes, payload, source, out)?;
        } else {
            self.filter(plan, source, [payload], [0], [plan.only_level()], [&mut scratch.room])?;
            self.write(plan, &scratch.room, 0, lanes, out);
        }
        self.write_masks(plan, out);
        Some(())
    }

    /// Executes a message of one pass with two payloads side by side. `None`: they are to go one after the other.
    #[inline(never)]
    pub(super) fn execute_both(
        &self,
        plan: &Plan<'_>,
        scratch: &mut Scratch,
        lanes: u32,
        payloads: [&Payload<'_>; 2],
        source: &Source<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        hands_out(plan, source)?;
        let len = usize::from(plan.response.len);
        let (out, second_out) = out.split_at_mut_checked(len)?;
        let second_out = second_out.get_mut(..len)?;
        self.two(plan, scratch, lanes, payloads, [0; 2], source, |number, room| {
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
        scratch: &mut Scratch,
        lanes: u32,
        payload: &Payload<'_>,
        source: &Source<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        // Several are a power of two.
        for number in (0..plan.params.passes()).step_by(2) {
            let first = number.wrapping_mul(LANES);
            let firsts @ [first, next] = [first, first.wrapping_add(LANES)];
            self.two(plan, scratch, lanes, [payload; 2], firsts, source, |number, room| {
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
        scratch: &mut Scratch,
        lanes: u32,
        payloads: [&Payload<'_>; 2],
        firsts: [usize; 2],
        source: &Source<'_>,
        mut done: impl FnMut(usize, &Room),
    ) -> Option<()> {
        if let Some(levels) = &self.levels {
            return self.two_on_levels(levels, plan, scratch, lanes, payloads, firsts, source, done);
        }
        let (room, other, level) = (&mut scratch.room, scratch.other.first_mut()?, plan.only_level());
        self.filter(plan, source, payloads, firsts, [level; 2], [&mut *room, &mut *other])?;
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
        scratch: &mut Scratch,
        lanes: u32,
        payload: &Payload<'_>,
        source: &Source<'_>,
        out: &mut [u8],
    ) -> Option<()> {
        let Scratch { room, other, chosen } = scratch;
        let (other, [chosen, _]) = (other.first_mut()?, chosen.first_mut()?);
        levels.choose(plan, [payload], [0], [&mut *room], [&mut *chosen])?;
        self.filter_levels(plan, source, (payload, 0), lanes, chosen, [&mut *room, other])?;
        self.write(plan, room, 0, lanes, out);
        Some(())
    }

    /// [`two`](Self::two) of lanes that choose their levels: they choose side by side, then each has its two levels side by side.
    #[inline(never)]
    fn two_on_levels(
        &self,
        levels: &LaneLevels,
        plan: &Plan<'_>,
        scratch: &mut Scratch,
        lanes: u32,
        payloads: [&Payload<'_>; 2],
        firsts: [usize; 2],
        source: &Source<'_>,
        mut done: impl FnMut(usize, &Room),
    ) -> Option<()> {
        let Scratch { room, other, chosen } = scratch;
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
        let values =
            if let Finish::Mean(_) = self.finish { &room.values[RESULT] } else { self.values(plan, room) };
        let on = (lanes & plan.message.all_lanes()).checked_shr(first as u32).unwrap_or(0);
        plan.write.write(&plan.response, values, first, [on & ALL, 0], out);
    }

    /// Where the results are.
    #[inline(never)]
    fn values<'r>(&self, plan: &Plan<'_>, room: &'r Room) -> &'r Channels {
        match self.finish {
            Finish::Mean(_) | Finish::Means | Finish::Compared(..) => &room.values[RESULT],
            Finish::Gather | Finish::ComparedGather(..) => plan.results(room),
            Finish::GatherWords => plan.decoders.undecoded(&room.words).unwrap_or(&room.values[RESULT]),
        }
    }

    /// Masks of messages without lanes that failed.
    #[inline(always)]
    fn write_masks(&self, plan: &Plan<'_>, out: &mut [u8]) {
        if self.has_masks {
            Outcome::default().masks(&plan.response, out);
        }
    }

    /// Results side by side, each of the lanes from a first one on, on a level. Every stage waits for what the one before it has
    /// stored; in this order the stages of one are executed while those of another wait. `None` if lanes need more than these
    /// stages.
    #[inline(always)]
    fn filter<const N: usize>(
        &self,
        plan: &Plan<'_>,
        source: &Source<'_>,
        payloads: [&Payload<'_>; N],
        firsts: [usize; N],
        levels: [&LevelLanes; N],
        mut rooms: [&mut Room; N],
    ) -> Option<()> {
        for (((payload, first), level), room) in payloads.into_iter().zip(firsts).zip(levels).zip(&mut rooms)
        {
            self.place.place(plan, payload, first, level, room)?;
        }
        let elements = plan.elements.as_ref()?;
        for room in &mut rooms {
            if elements.read(&source.0, 1 << self.footprint, room).is_none() {
                self.read_pages(elements, source.1, room)?;
            }
        }
        for ((payload, first), room) in payloads.into_iter().zip(firsts).zip(&mut rooms) {
            // The rule first: jumps by a table cost more than a stage's arguments.
            if let Finish::Mean(kernel) = self.finish {
                let Room { weights, words, values: [result, ..], .. } = &mut **room;
                kernel(plan.decoders.first_run(), words, weights, result);
            } else {
                self.finish(plan, payload, first, room)?;
            }
        }
        Some(())
    }

    /// [`filter`](Self::filter), not a part of each of its callers.
    #[inline(never)]
    fn filter_one(
        &self,
        plan: &Plan<'_>,
        source: &Source<'_>,
        payload: &Payload<'_>,
        first: usize,
        level: &LevelLanes,
        room: &mut Room,
    ) -> Option<()> {
        self.filter(plan, source, [payload], [first], [level], [room])
    }

    /// Reads elements of a surface that is in pieces; `None` if some of them are not there.
    #[inline(never)]
    fn read_pages(&self, elements: &Elements, memory: &dyn Memory, room: &mut Room) -> Option<()> {
        let Room { index, words, .. } = room;
        let mut left = [0; TAPS];
        left.get_mut(..1 << self.footprint)?.fill(ALL);
        elements.fetch_pages(memory, index, &mut left, words);
        (left == [0; TAPS]).then_some(())
    }

    /// Makes results of words, where that takes more than one kernel.
    #[inline(never)]
    fn finish(&self, plan: &Plan<'_>, payload: &Payload<'_>, first: usize, room: &mut Room) -> Option<()> {
        let Room { weights, words, values: [result, ..], reference, texels, .. } = room;
        match self.finish {
            Finish::Compared(kernel, number) => {
                plan.read(payload).numbered_floats(number, first, reference)?;
                let [red, ..] = result;
                kernel(plan.decoders.first(), words, (&plan.shadow, reference), weights, red);
            }
            Finish::ComparedGather(kernel, number) => {
                plan.read(payload).numbered_floats(number, first, reference)?;
                let [red, ..] = texels;
                kernel(plan.decoders.first(), words, (&plan.shadow, reference), red);
            }
            Finish::Gather => plan.decoders.run(words, texels, 1 << self.footprint),
            Finish::GatherWords => {}
            Finish::Mean(_) | Finish::Means => {
                plan.decoders.mean(words, weights, self.footprint.into(), result);
            }
        }
        Some(())
    }

    /// The results of lanes, each on its levels, in the first room.
    #[inline(never)]
    fn filter_levels(
        &self,
        plan: &Plan<'_>,
        source: &Source<'_>,
        (payload, first): (&Payload<'_>, usize),
        lanes: u32,
        Chosen { levels, level: [finer, coarser] }: &Chosen,
        [room, other]: [&mut Room; 2],
    ) -> Option<()> {
        let on = lanes.checked_shr(first as u32).unwrap_or(0) & ALL;
        // The stages are those of magnified lanes.
        if plan.two_filters && on & !mask(&levels.magnified) != 0 {
            return None;
        }
        let [reads_finer, reads_coarser] = levels.lanes.map(|lanes| lanes & on != 0);
        if !reads_coarser {
            return self.filter_one(plan, source, payload, first, finer, room);
        }
        if reads_finer {
            let rooms = [&mut *room, &mut *other];
            self.filter(plan, source, [payload; 2], [first; 2], [finer, coarser], rooms)?;
        } else {
            self.filter_one(plan, source, payload, first, coarser, other)?;
        }
        let (Room { values: [finer, ..], .. }, Room { values: [coarser, ..], .. }) = (room, other);
        plan.blend_levels(finer, coarser, &levels.fraction);
        Some(())
    }
}

/// `None`: the memory hands out nothing, texels are read one after the other.
#[inline(always)]
fn hands_out(plan: &Plan<'_>, (whole, memory): &Source<'_>) -> Option<()> {
    if let Bytes::Unknown = whole {
        memory.contiguous(plan.elements.as_ref()?.base)?;
    }
    Some(())
}
