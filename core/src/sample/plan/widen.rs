//! Widening of payloads: 16-bit parameters become 32-bit ones, and messages of fewer lanes than a pass fill whole passes, so that the
//! stages of prepared messages read one layout.

use core::slice;

use super::{Plan, Work};
use crate::message::{Message, Op, Param, Payload, Width};
use crate::sample::lanes::{HALF, LANES, LaneBytes, Lanes};
use crate::sample::params::{JoinKernel, WidenKernel};
use crate::sample::scratch::WIDENED;
use crate::sample::stages::PayloadStages;

/// The four words of the multisample control value of a 16-bit `ld2dms_w`; the first is parameter number [`FIRST_CONTROL`].
const CONTROLS: [Param; 4] = [Param::Mcs0, Param::Mcs1, Param::Mcs2, Param::Mcs3];
const FIRST_CONTROL: usize = 1;

/// A run of consecutive parameters that one kernel widens.
#[derive(Clone, Copy, Debug)]
struct WidenRun {
    /// Number of the first parameter after the run.
    end: u8,
    kernel: WidenKernel,
}

/// The largest number of runs that a message has: floats, integers, words of several parts.
const RUNS: usize = 3;

/// How a message's parameters are widened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widen {
    /// The runs of the message's parameters, in order; entries after the last run are unused.
    runs: [WidenRun; RUNS],
    join: JoinKernel,
    /// Number of parameters.
    count: u8,
    /// Passes of each parameter.
    passes: u8,
    /// Bytes that the message's lanes of a parameter have.
    slot_bytes: u8,
    /// Parameters have 16 bits.
    half: bool,
    /// The four words of the multisample control value have to become two dwords.
    controls: bool,
    /// The message has half as many lanes as a pass: two payloads are joined to one pass.
    pub(crate) joins_halves: bool,
    /// The message has fewer lanes than a pass and is not joined with another: its first subspan is repeated over the pass.
    repeats: bool,
}

impl WidenRun {
    /// Returns the runs of a message's parameters, in order; `None` if there are more than [`RUNS`].
    fn all_of(message: &Message, stages: &PayloadStages) -> Option<[Self; RUNS]> {
        let mut runs = [Self { end: 0, kernel: stages.halves }; RUNS];
        let (mut number, mut before) = (0, None);
        let params = message.op.params(Width::Half).iter().zip(1..=message.params);
        for (param, end) in params {
            // Packed words hold a LOD or bias and texel offsets, which are separated later.
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
    /// Returns how the parameters of a message are widened. `None` if they are read as they are: 32-bit parameters of whole passes, 16-bit
    /// parameters of queries, parameters that do not fit in the scratch, and all parameters on small targets.
    pub(crate) fn new(plan: &Plan<'_>) -> Option<Self> {
        let message = &plan.message;
        let half = message.param_width == Width::Half;
        let simd = usize::from(message.simd);
        // Exactly half the lanes of a pass, which are whole subspans.
        let joins_halves = simd.wrapping_mul(2) == LANES && simd.is_multiple_of(4);
        let (count, passes) = (message.params, plan.params.widened().passes());
        let read_unchanged = if half { plan.work == Work::Query } else { simd >= LANES };
        let scratch = if passes > 1 { WIDENED } else { WIDENED / 2 };
        let has_room = passes > 0 && usize::from(count).wrapping_mul(passes) <= scratch;
        if LANES == 1 || !has_room || read_unchanged {
            return None;
        }
        let stages = plan.stages.payload.as_ref()?;
        Some(Self {
            runs: WidenRun::all_of(message, stages)?,
            join: stages.join,
            count,
            passes: passes as u8,
            slot_bytes: message.simd.wrapping_mul(message.param_width.bytes() as u8),
            half,
            controls: half && message.op == Op::Ld2dmsW,
            joins_halves,
            repeats: simd < LANES && !joins_halves,
        })
    }

    /// Widens the parameters of a payload, which is given twice, into `scratch`; or those of two payloads of half a pass, joined. Each
    /// payload is the two blocks of a `send`. `None`: parameters are missing.
    #[inline(always)]
    pub(crate) fn blocks(
        &self,
        plan: &Plan<'_>,
        [first, second]: [&[&[u8]; 2]; 2],
        scratch: &mut [Lanes<LaneBytes>],
    ) -> Option<()> {
        let ([block, _], [next, _]) = (first, second);
        if self.join([block, next], scratch).is_some() || self.widen_block(block, scratch).is_some() {
            return Some(());
        }
        self.several_blocks(plan, [*first, *second], scratch)
    }

    /// [`blocks`](Self::blocks) for payloads whose parameters are not all in the first block, and for messages whose subspan is repeated.
    #[inline(never)]
    fn several_blocks(
        &self,
        plan: &Plan<'_>,
        payloads: [[&[u8]; 2]; 2],
        scratch: &mut [Lanes<LaneBytes>],
    ) -> Option<()> {
        let [first, second] = payloads.map(|blocks| Payload::of_message(&plan.message, blocks).ok());
        self.lanes([&first?, &second?], scratch);
        Some(())
    }

    /// Returns the payload with 32-bit parameters of whole passes, which are in `scratch`: see [`lanes`](Self::lanes).
    #[inline(always)]
    pub(crate) fn run<'r>(&self, payload: &Payload<'_>, scratch: &'r mut [Lanes<LaneBytes>]) -> Payload<'r> {
        let words = self.lanes([payload; 2], scratch).as_flattened().as_flattened();
        let stride = usize::from(self.passes).wrapping_mul(LANES * 4);
        Payload::of_block(words, stride, self.count)
    }

    /// Widens the parameters of the payload to 32 bits into `scratch`, one after the other, and returns them; missing lanes are 0, or
    /// repeat the first subspan. For messages of half a pass, the lanes of the first payload come first in a pass, then those of the
    /// second; other messages ignore the second payload.
    #[inline(never)]
    fn lanes<'r>(
        &self,
        [payload, second]: [&Payload<'_>; 2],
        scratch: &'r mut [Lanes<LaneBytes>],
    ) -> &'r [Lanes<LaneBytes>] {
        let (count, passes) = (usize::from(self.count), usize::from(self.passes));
        let stride = HALF * if self.half { 2 } else { 4 };
        if self.join([payload, second].map(|payload| payload.block(stride)), scratch).is_some()
            || self.widen_block(payload.block(passes.wrapping_mul(LANES * 2)), scratch).is_some()
        {
            return scratch;
        }
        let (scratch, _) = scratch.split_at_mut_checked(count.wrapping_mul(passes)).unwrap_or_default();
        for (number, scratch) in scratch.chunks_mut(passes.max(1)).enumerate() {
            let [first, next] = [payload, second].map(|payload| self.slot(payload, number));
            let both = [first, if self.joins_halves { next } else { &[] }];
            if self.half {
                self.widen(number, both, scratch);
            } else if let [scratch] = scratch {
                *scratch = of_halves(both.map(|bytes| bytes.as_chunks().0));
            }
        }
        self.join_controls(scratch);
        if self.repeats {
            // Missing lanes repeat the first subspan: if its lanes read one mip level, the whole pass does.
            for scratch in &mut *scratch {
                if let [subspan, others @ ..] = scratch.as_chunks_mut::<4>().0 {
                    others.fill(*subspan);
                }
            }
        }
        scratch
    }

    /// Returns the bytes of parameter `number` without those past the message's lanes, which read 0 (U07).
    #[inline(always)]
    fn slot<'b>(&self, payload: &Payload<'b>, number: usize) -> &'b [u8] {
        let bytes = payload.slot(number);
        bytes.get(..self.slot_bytes.into()).unwrap_or(bytes)
    }

    /// [`lanes`](Self::lanes) for two payloads of half a pass whose blocks have all of their parameters. Otherwise returns `None` and
    /// writes nothing.
    #[inline(always)]
    fn join(&self, blocks: [&[u8]; 2], scratch: &mut [Lanes<LaneBytes>]) -> Option<()> {
        if !self.joins_halves {
            return None;
        }
        if self.half {
            return self.join_halves(blocks, scratch);
        }
        let count = usize::from(self.count);
        let [first, second] = blocks.map(|block| block.as_chunks().0.as_chunks().0);
        (self.join)(first.get(..count)?, second.get(..count)?, scratch.get_mut(..count)?);
        Some(())
    }

    /// [`join`](Self::join) for 16-bit parameters.
    #[inline(never)]
    fn join_halves(&self, blocks: [&[u8]; 2], scratch: &mut [Lanes<LaneBytes>]) -> Option<()> {
        let count = usize::from(self.count);
        let blocks = blocks.map(|block| block.as_chunks::<2>().0.as_chunks::<HALF>().0);
        let mut both = [[[0; 2]; LANES]; WIDENED / 2];
        for (half, block) in blocks.into_iter().enumerate() {
            for (both, words) in both.iter_mut().zip(block.get(..count)?) {
                *both.as_chunks_mut().0.get_mut(half)? = *words;
            }
        }
        self.widen_passes(both.get(..count)?, scratch.get_mut(..count)?);
        Some(())
    }

    /// [`lanes`](Self::lanes) for a block that has all parameters, in 16 bits and of whole passes. Otherwise returns `None` and writes
    /// nothing.
    #[inline(always)]
    fn widen_block(&self, block: &[u8], scratch: &mut [Lanes<LaneBytes>]) -> Option<()> {
        if !self.half || self.joins_halves || self.repeats {
            return None;
        }
        let count = usize::from(self.count).wrapping_mul(self.passes.into());
        let halves = block.as_chunks().0.as_chunks().0.get(..count)?;
        self.widen_passes(halves, scratch.get_mut(..count)?);
        Some(())
    }

    /// Widens 16-bit parameters of whole passes, each run of parameters with one call of its kernel.
    #[inline(always)]
    fn widen_passes(&self, halves: &[Lanes<[u8; 2]>], scratch: &mut [Lanes<LaneBytes>]) {
        let mut first = 0;
        for run in &self.runs {
            let end = usize::from(run.end).wrapping_mul(self.passes.into());
            let (Some(halves), Some(scratch)) = (halves.get(first..end), scratch.get_mut(first..end)) else {
                break;
            };
            (run.kernel)(halves, scratch);
            if run.end == self.count {
                break;
            }
            first = end;
        }
        self.join_controls(scratch);
    }

    /// Joins the four words of multisample control values to two dwords, which replace the parameters of the first two words.
    #[inline(always)]
    fn join_controls(&self, scratch: &mut [Lanes<LaneBytes>]) {
        if !self.controls {
            return;
        }
        let passes = usize::from(self.passes);
        for pass in 0..passes {
            let place =
                |word: usize| word.wrapping_add(FIRST_CONTROL).wrapping_mul(passes).wrapping_add(pass);
            let words = [0, 1, 2, 3].map(|word| scratch.get(place(word)).copied().unwrap_or([[0; 4]; LANES]));
            for (number, words) in words.as_chunks::<2>().0.iter().enumerate() {
                let [low, high] = words;
                let dword = scratch.get_mut(place(number)).into_iter().flatten();
                for ((dword, low), high) in dword.zip(low).zip(high) {
                    let [low, high] = [*low, *high].map(u32::from_le_bytes);
                    *dword = (low | high << 16).to_le_bytes();
                }
            }
        }
    }

    /// Widens the lanes of parameter `number` into `scratch`, which has its passes; missing lanes are 0.
    #[inline(always)]
    fn widen(&self, number: usize, [bytes, second]: [&[u8]; 2], scratch: &mut [Lanes<LaneBytes>]) {
        let [first, ..] = &self.runs;
        let kernel = self.runs.iter().find(|run| number < run.end.into()).unwrap_or(first).kernel;
        let (lanes, _) = bytes.as_chunks();
        if self.joins_halves {
            return kernel(&[of_halves([lanes, second.as_chunks().0])], scratch);
        }
        let mut passes = lanes.chunks(LANES);
        for scratch in scratch.chunks_mut(1) {
            let pass = passes.next().unwrap_or_default();
            match pass.first_chunk() {
                Some(pass) => kernel(slice::from_ref(pass), scratch),
                None => {
                    let (first, second) = pass.split_at_checked(HALF).unwrap_or((pass, &[]));
                    kernel(&[of_halves([first, second])], scratch);
                }
            }
        }
    }
}

/// Joins the halves of a pass; missing lanes are 0.
fn of_halves<T: Copy + Default>(halves: [&[T]; 2]) -> Lanes<T> {
    let mut lanes = [T::default(); LANES];
    // Not `chunks_mut`: zipped, it would link the panic for a division by zero.
    for (lanes, half) in lanes.as_chunks_mut::<HALF>().0.iter_mut().zip(halves) {
        for (lane, value) in lanes.iter_mut().zip(half) {
            *lane = *value;
        }
    }
    lanes
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
                let runs = WidenRun::all_of(&message, stages);
                let last = runs.and_then(|runs| runs.iter().map(|run| usize::from(run.end)).max());
                assert_eq!(last, Some(params), "{op:?}");
            }
        }
    }
}
