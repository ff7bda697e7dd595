//! Parameters of 16 bits become those of 32, and half a pass a whole one: the stages of prepared messages read one shape.

use core::slice;

use super::{Plan, Work};
use crate::message::{Message, Op, Param, Payload, Width};
use crate::sample::lanes::{HALF, LANES, Lanes, RawFloat};
use crate::sample::params::{JoinKernel, WidenKernel};
use crate::sample::scratch::WIDENED;
use crate::sample::stages::PayloadStages;

/// A multisample control value of `ld2dms_w` in 16 bits; the first is parameter number [`FIRST_CONTROL`].
const CONTROLS: [Param; 4] = [Param::Mcs0, Param::Mcs1, Param::Mcs2, Param::Mcs3];
const FIRST_CONTROL: usize = 1;

/// Parameters that are widened by one kernel.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The number of the first one after them.
    end: u8,
    kernel: WidenKernel,
}

/// The most that messages have: floats, integers, words of several parts.
const RUNS: usize = 3;

/// How a message's parameters are widened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widen {
    /// Parameters of one kind that follow each other; those after the last one are none.
    runs: [Run; RUNS],
    join: JoinKernel,
    /// How many there are, and the passes of each.
    count: u8,
    passes: u8,
    /// They are of 16 bits.
    half: bool,
    /// The four words of a multisample control value are to be two dwords.
    controls: bool,
    /// The message has the lanes of half a pass.
    doubles: bool,
    /// The message has fewer lanes than that: they are repeated over the pass.
    repeats: bool,
}

impl Run {
    /// Those of a message, in order; `None`: there are more.
    fn all_of(message: &Message, stages: &PayloadStages) -> Option<[Self; RUNS]> {
        let mut runs = [Self { end: 0, kernel: stages.halves }; RUNS];
        let (mut number, mut before) = (0, None);
        let params = message.op.params(Width::Half).iter().zip(1..=message.params);
        for (param, end) in params {
            // Packed words have parts that are read later.
            let packed = matches!(param, Param::LodOffUv | Param::BiasOffUv);
            let has_no_sign = *param == Param::Si || packed || CONTROLS.contains(param);
            let kind = (message.op.takes_integer(*param), has_no_sign);
            if before.replace(kind).is_some_and(|before| before != kind) {
                number = usize::wrapping_add(number, 1);
            }
            let kernel = match kind {
                (_, true) => stages.words,
                (true, false) => stages.shorts,
                (false, false) => stages.halves,
            };
            *runs.get_mut(number)? = Self { end, kernel };
        }
        Some(runs)
    }
}

impl Widen {
    /// `None` if parameters are of 32 bits and of whole passes, or stay as they are: those of small targets.
    pub(crate) fn new(plan: &Plan<'_>) -> Option<Self> {
        let message = &plan.message;
        let half = message.param_width == Width::Half;
        let (part, doubles) = (plan.params.is_part_of_a_pass(), plan.params.is_half_a_pass());
        let (count, passes) = (message.params, plan.params.widened().passes());
        let numbers = plan.work != Work::Query;
        let room = if passes > 1 { WIDENED } else { WIDENED / 2 };
        let has_room = passes > 0 && usize::from(count).wrapping_mul(passes) <= room;
        if LANES == 1 || !has_room || !(half && numbers || !half && part) {
            return None;
        }
        let stages = plan.stages.payload.as_ref()?;
        Some(Self {
            runs: Run::all_of(message, stages)?,
            join: stages.join,
            count,
            passes: passes as u8,
            half,
            controls: half && message.op == Op::Ld2dmsW,
            doubles,
            repeats: part && !doubles,
        })
    }

    /// The message has the lanes of half a pass.
    #[inline(always)]
    pub(crate) const fn joins_halves(&self) -> bool {
        self.doubles
    }

    /// The parameters of a payload (twice) in 32 bits, in `room`, or those of two of half a pass. `None`: some are not there.
    #[inline(always)]
    pub(crate) fn blocks(
        &self,
        plan: &Plan<'_>,
        [first, second]: [&[&[u8]; 2]; 2],
        room: &mut [Lanes<RawFloat>],
    ) -> Option<()> {
        let ([block, _], [next, _]) = (first, second);
        if self.join([block, next], room).is_some() || self.widen_block(block, room).is_some() {
            return Some(());
        }
        self.several_blocks(plan, [*first, *second], room)
    }

    /// [`blocks`](Self::blocks) of payloads whose parameters are not all in the first one, or of fewer lanes than half a pass.
    #[inline(never)]
    fn several_blocks(
        &self,
        plan: &Plan<'_>,
        payloads: [[&[u8]; 2]; 2],
        room: &mut [Lanes<RawFloat>],
    ) -> Option<()> {
        let [first, second] = payloads;
        let first = Payload::of_message(&plan.message, first).ok()?;
        if self.doubles {
            let second = Payload::of_message(&plan.message, second).ok()?;
            self.lanes([&first, &second], room);
        } else {
            self.lanes([&first; 2], room);
        }
        Some(())
    }

    /// The payload in 32 bits: see [`lanes`](Self::lanes).
    #[inline(always)]
    pub(crate) fn run<'r>(
        &self,
        payloads: [&Payload<'_>; 2],
        room: &'r mut [Lanes<RawFloat>],
    ) -> Payload<'r> {
        let words = self.lanes(payloads, room).as_flattened().as_flattened();
        let stride = usize::from(self.passes).wrapping_mul(LANES * 4);
        Payload::of_block(words, stride, self.count)
    }

    /// The parameters of the payload in 32 bits, in `room`, one after the other; 0 where lanes are not there. Of messages of half a
    /// pass those of both payloads, one after the other; the second does not matter to others.
    #[inline(never)]
    fn lanes<'r>(
        &self,
        [payload, second]: [&Payload<'_>; 2],
        room: &'r mut [Lanes<RawFloat>],
    ) -> &'r [Lanes<RawFloat>] {
        let stride = HALF * if self.half { 2 } else { 4 };
        if self.join([payload, second].map(|payload| payload.block(stride)), room).is_some() {
            return room;
        }
        let (count, passes) = (usize::from(self.count), usize::from(self.passes));
        if self.widen_block(payload.block(passes.wrapping_mul(LANES * 2)), room).is_some() {
            return room;
        }
        let (room, _) = room.split_at_mut_checked(count.wrapping_mul(passes)).unwrap_or_default();
        for (number, room) in room.chunks_mut(passes.max(1)).enumerate() {
            let both = [payload.slot(number), if self.doubles { second.slot(number) } else { &[] }];
            if self.half {
                self.widen(self.kernel(number), both, room);
            } else if let [room] = room {
                let [first, second] = both.map(|bytes| bytes.as_chunks().0);
                *room = some(first);
                for (lane, value) in room.iter_mut().skip(HALF).zip(second) {
                    *lane = *value;
                }
            }
        }
        self.join_controls(room);
        if self.repeats {
            // Lanes that are not there do as the others: they read one level if those do.
            for room in &mut *room {
                if let [subspan, others @ ..] = room.as_chunks_mut::<4>().0 {
                    others.fill(*subspan);
                }
            }
        }
        room
    }

    /// The same of two messages of half a pass whose blocks have all of their parameters; else `None`, and nothing is done.
    #[inline(always)]
    fn join(&self, blocks: [&[u8]; 2], room: &mut [Lanes<RawFloat>]) -> Option<()> {
        if !self.doubles {
            return None;
        }
        if self.half {
            return self.join_halves(blocks, room);
        }
        let count = usize::from(self.count);
        let [first, second] = blocks.map(|block| block.as_chunks().0.as_chunks().0);
        (self.join)(first.get(..count)?, second.get(..count)?, room.get_mut(..count)?);
        Some(())
    }

    /// [`join`](Self::join) of parameters of 16 bits.
    #[inline(never)]
    fn join_halves(&self, blocks: [&[u8]; 2], room: &mut [Lanes<RawFloat>]) -> Option<()> {
        let count = usize::from(self.count);
        let blocks = blocks.map(|block| block.as_chunks::<2>().0.as_chunks::<HALF>().0);
        let mut both = [[[0; 2]; LANES]; WIDENED / 2];
        for (half, block) in blocks.into_iter().enumerate() {
            for (both, words) in both.iter_mut().zip(block.get(..count)?) {
                *both.as_chunks_mut().0.get_mut(half)? = *words;
            }
        }
        self.widen_passes(both.get(..count)?, room.get_mut(..count)?);
        Some(())
    }

    /// The same of a block that has all parameters in 16 bits, of whole passes; else `None`, and nothing is done.
    #[inline(always)]
    fn widen_block(&self, block: &[u8], room: &mut [Lanes<RawFloat>]) -> Option<()> {
        if !self.half || self.doubles || self.repeats {
            return None;
        }
        let count = usize::from(self.count).wrapping_mul(self.passes.into());
        let halves = block.as_chunks().0.as_chunks().0.get(..count)?;
        self.widen_passes(halves, room.get_mut(..count)?);
        Some(())
    }

    /// The passes of parameters in 32 bits, of whole ones: those of one kind at once.
    #[inline(always)]
    fn widen_passes(&self, halves: &[Lanes<[u8; 2]>], room: &mut [Lanes<RawFloat>]) {
        let mut first = 0;
        for run in &self.runs {
            let end = usize::from(run.end).wrapping_mul(self.passes.into());
            let (Some(halves), Some(room)) = (halves.get(first..end), room.get_mut(first..end)) else {
                break;
            };
            (run.kernel)(halves, room);
            if run.end == self.count {
                break;
            }
            first = end;
        }
        self.join_controls(room);
    }

    /// Puts the words of multisample control values together: in the parameters of the first two words are both dwords then.
    #[inline(always)]
    fn join_controls(&self, room: &mut [Lanes<RawFloat>]) {
        if !self.controls {
            return;
        }
        let passes = usize::from(self.passes);
        for pass in 0..passes {
            let place =
                |word: usize| word.wrapping_add(FIRST_CONTROL).wrapping_mul(passes).wrapping_add(pass);
            let words = [0, 1, 2, 3].map(|word| room.get(place(word)).copied().unwrap_or([[0; 4]; LANES]));
            for (number, words) in words.as_chunks::<2>().0.iter().enumerate() {
                let [low, high] = words;
                let dword = room.get_mut(place(number)).into_iter().flatten();
                for ((dword, low), high) in dword.zip(low).zip(high) {
                    let [low, high] = [*low, *high].map(u32::from_le_bytes);
                    *dword = (low | high << 16).to_le_bytes();
                }
            }
        }
    }

    /// What widens a parameter.
    fn kernel(&self, number: usize) -> WidenKernel {
        let [first, ..] = &self.runs;
        self.runs.iter().find(|run| number < run.end.into()).unwrap_or(first).kernel
    }

    /// The lanes of a parameter in 32 bits.
    #[inline(always)]
    fn widen(&self, kernel: WidenKernel, [bytes, second]: [&[u8]; 2], room: &mut [Lanes<RawFloat>]) {
        let (lanes, _) = bytes.as_chunks();
        if self.doubles {
            let mut both = [[0; 2]; LANES];
            let halves = both.chunks_exact_mut(HALF).zip([lanes, second.as_chunks().0]);
            for (half, lanes) in halves {
                for (lane, value) in half.iter_mut().zip(lanes) {
                    *lane = *value;
                }
            }
            return kernel(&[both], room);
        }
        let (whole, rest) = lanes.as_chunks();
        for (pass, room) in room.iter_mut().enumerate() {
            let room = slice::from_mut(room);
            match whole.get(pass) {
                Some(lanes) => kernel(slice::from_ref(lanes), room),
                None if pass == whole.len() => kernel(&[some(rest)], room),
                None => kernel(&[[[0; 2]; LANES]], room),
            }
        }
    }
}

/// The lanes that are there; 0 in the others.
fn some<T: Copy + Default, const N: usize>(lanes: &[T]) -> [T; N] {
    let mut all = [T::default(); N];
    for (lane, value) in all.iter_mut().zip(lanes) {
        *lane = *value;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::stages::Stages;

    #[test]
    fn parameters_of_every_message_are_few_runs() {
        let Some(stages) = &Stages::BASELINE.payload else { return };
        for op in Op::ALL {
            let all = op.params(Width::Half).len();
            for params in 0..=all {
                let message = Message { params: params as u8, ..Message::new(*op) };
                let runs = Run::all_of(&message, stages);
                let last = runs.and_then(|runs| runs.iter().map(|run| usize::from(run.end)).max());
                assert_eq!(last, Some(params), "{op:?}");
            }
        }
    }
}
