//! Batches on the direct path: the passes of several payloads of one message are executed together.

use super::call::DirectCall;
use super::{Direct, pass_lanes};
use crate::sample::lanes::{HALF, LANES, LaneBytes, Lanes};
use crate::sample::params::{PassInput, PassParams};
use crate::sample::plan::Plan;
use crate::sample::plan::widen::Widen;
use crate::sample::scratch::{PassScratch, PassScratches, Scratch, Widened};

/// The two blocks of registers in which a `send` hands over a payload.
type PayloadBlocks<'b> = [&'b [u8]; 2];

impl Direct {
    /// Executes payloads of a message of one pass, of two, or of part of one. Returns how many were executed: 0 if `out` has no room for
    /// the results of all. If some are left, the next payload, or one that would be executed with it, has parameters that are not in its
    /// first block or needs the general path; or it is the last one and half a pass, with no other payload to fill the pass.
    #[inline(always)]
    pub(in crate::sample) fn execute_several(
        &self,
        call: DirectCall<'_>,
        widen: Option<&Widen>,
        Scratch { scratches, widened }: &mut Scratch,
        lanes: u32,
        payloads: &[PayloadBlocks<'_>],
        out: &mut [u8],
    ) -> usize {
        let (plan, lanes) = (call.plan, lanes & call.plan.message.all_lanes());
        let len = usize::from(plan.response.len);
        if out.len() < len.wrapping_mul(payloads.len()) {
            return 0;
        }
        let Some(widen) = widen else {
            return if plan.params.passes() == 1 {
                self.given::<1>(call, scratches, lanes, payloads, out)
            } else {
                self.given::<2>(call, scratches, lanes, payloads, out)
            };
        };
        let mut executed = 0_usize;
        while executed < payloads.len() {
            let out = out.get_mut(executed.wrapping_mul(len)..).unwrap_or_default();
            let left = payloads.get(executed..).unwrap_or_default();
            match self.widened(call, widen, (scratches, widened), lanes, left, out) {
                0 => break,
                these => executed = executed.wrapping_add(these),
            }
        }
        executed
    }

    /// Executes payloads of `PASSES` passes each, with parameters as they are; returns how many were executed.
    #[inline(never)]
    fn given<const PASSES: usize>(
        &self,
        call: DirectCall<'_>,
        scratches: &mut PassScratches,
        lanes: u32,
        payloads: &[PayloadBlocks<'_>],
        out: &mut [u8],
    ) -> usize {
        let params = |number: usize, first| {
            let [block, _] = payloads.get(number)?;
            PassParams::of_block::<PASSES>(&call.plan.params, block, first)
        };
        self.whole::<PASSES>(call, scratches, lanes, payloads.len(), params, out)
    }

    /// Executes `count` payloads of `PASSES` passes each, whose widened parameters are in `wide`; returns how many were executed.
    #[inline(never)]
    fn wide<const PASSES: usize>(
        &self,
        call: DirectCall<'_>,
        scratches: &mut PassScratches,
        lanes: u32,
        (wide, count): (&[Lanes<LaneBytes>], usize),
        out: &mut [u8],
    ) -> usize {
        let len = usize::from(call.plan.message.params).wrapping_mul(PASSES);
        let params = |number: usize, first| {
            let at = number.wrapping_mul(len).wrapping_add(first / LANES);
            Some(PassParams::of_lanes(wide.get(at..)?, PASSES))
        };
        self.whole::<PASSES>(call, scratches, lanes, count, params, out)
    }

    /// Executes `count` payloads of `PASSES` passes each; returns how many were executed. `params` returns the parameters of a pass, by
    /// the number of the payload and the first lane of the pass.
    #[inline(always)]
    fn whole<'p, const PASSES: usize>(
        &self,
        call @ DirectCall { plan, .. }: DirectCall<'_>,
        scratches: &mut PassScratches,
        lanes: u32,
        count: usize,
        params: impl Fn(usize, usize) -> Option<PassParams<'p>>,
        out: &mut [u8],
    ) -> usize {
        let part = |pass: usize| (pass / PASSES, pass % PASSES * LANES);
        let input = |pass| {
            let (number, first) = part(pass);
            Some(PassInput { params: params(number, first)?, on: pass_lanes(lanes, first) })
        };
        let done = |pass, scratch: &PassScratch| {
            let (number, first) = part(pass);
            self.write_result(plan, scratch, number, first, pass_lanes(lanes, first), out);
        };
        self.passes(call, scratches, count.wrapping_mul(PASSES), input, done) / PASSES
    }

    /// Widens the parameters of the first payloads, as many as `widened` has room for, and executes these; returns how many were executed.
    #[inline(never)]
    fn widened(
        &self,
        call @ DirectCall { plan, .. }: DirectCall<'_>,
        widen: &Widen,
        (scratches, widened): (&mut PassScratches, &mut Widened),
        lanes: u32,
        payloads: &[PayloadBlocks<'_>],
        out: &mut [u8],
    ) -> usize {
        let (passes, halves) = (plan.params.passes(), widen.joins_halves);
        let len = usize::from(plan.message.params).wrapping_mul(passes);
        let (mut scratch, mut count) = (widened.as_flattened_mut(), 0_usize);
        for payloads in payloads.chunks_exact(if halves { 2 } else { 1 }) {
            let (Some(first), Some(second)) = (payloads.first(), payloads.last()) else { break };
            let Some((params, rest)) = scratch.split_at_mut_checked(len) else { break };
            if widen.blocks(plan, [first, second], params).is_none() {
                break;
            }
            (scratch, count) = (rest, count.wrapping_add(1));
        }
        let wide = widened.as_flattened();
        if halves {
            let input = |pass: usize| {
                let params = PassParams::of_lanes(wide.get(pass.wrapping_mul(len)..)?, 1);
                Some(PassInput { params, on: lanes | lanes << HALF })
            };
            let done = |pass, scratch: &PassScratch| self.write_two_results(plan, scratch, pass, lanes, out);
            self.passes(call, scratches, count, input, done).wrapping_mul(2)
        } else if passes == 1 {
            self.wide::<1>(call, scratches, lanes, (wide, count), out)
        } else {
            self.wide::<2>(call, scratches, lanes, (wide, count), out)
        }
    }

    /// Writes the results of two payloads of half a pass each, which were executed in one pass. `on`: the active lanes of each payload.
    #[inline(always)]
    fn write_two_results(
        &self,
        plan: &Plan<'_>,
        scratch: &PassScratch,
        pass: usize,
        on: u32,
        out: &mut [u8],
    ) {
        let len = usize::from(plan.response.len);
        let out = out.get_mut(pass.wrapping_mul(2).wrapping_mul(len)..).unwrap_or_default();
        if let Some((first, rest)) = out.split_at_mut_checked(len)
            && let Some(second) = rest.get_mut(..len)
        {
            plan.write.write_two(self.results(plan, scratch), on, first, second);
            self.write_masks(plan, first);
            self.write_masks(plan, second);
        }
    }

    /// Writes the part of payload `number`'s result that is in a pass: the payload's lanes from `first` on.
    #[inline(always)]
    fn write_result(
        &self,
        plan: &Plan<'_>,
        scratch: &PassScratch,
        number: usize,
        first: usize,
        on: u32,
        out: &mut [u8],
    ) {
        let len = usize::from(plan.response.len);
        let out = out.get_mut(number.wrapping_mul(len)..).unwrap_or_default();
        if let Some(out) = out.get_mut(..len) {
            self.write(plan, scratch, first, on, out);
            self.write_masks(plan, out);
        }
    }
}
