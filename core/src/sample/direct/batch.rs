//! Several payloads of such a message: their passes are executed together.

use super::call::Call;
use super::{Direct, pass_lanes};
use crate::sample::lanes::{HALF, LANES, Lanes, RawFloat};
use crate::sample::params::{PassInput, PassParams};
use crate::sample::plan::Plan;
use crate::sample::plan::widen::Widen;
use crate::sample::scratch::{Room, Rooms, Scratch, Widened};

/// The blocks of a payload, as a `send` has them.
type Blocks<'b> = [&'b [u8]; 2];

impl Direct {
    /// Executes payloads of a message of one pass, of two or of half of one; returns how many: none if there is no room for all
    /// results. The next one has its parameters elsewhere, or is to go the general way, or is half a pass and the last one.
    #[inline(always)]
    pub(in crate::sample) fn execute_several(
        &self,
        call: Call<'_>,
        widen: Option<&Widen>,
        Scratch { rooms, widened }: &mut Scratch,
        lanes: u32,
        payloads: &[Blocks<'_>],
        out: &mut [u8],
    ) -> usize {
        let (plan, lanes) = (call.plan, lanes & call.plan.message.all_lanes());
        let len = usize::from(plan.response.len);
        if out.len() < len.wrapping_mul(payloads.len()) {
            return 0;
        }
        match widen {
            None if plan.params.passes() > 1 => self.two_passes(call, rooms, lanes, payloads, out),
            None => self.whole(call, rooms, lanes, payloads, out),
            Some(widen) => {
                let mut executed = 0_usize;
                while executed < payloads.len() {
                    let out = out.get_mut(executed.wrapping_mul(len)..).unwrap_or_default();
                    let left = payloads.get(executed..).unwrap_or_default();
                    match self.widened(call, widen, (rooms, widened), lanes, left, out) {
                        0 => break,
                        these => executed = executed.wrapping_add(these),
                    }
                }
                executed
            }
        }
    }

    /// Payloads of one pass; returns how many were executed.
    #[inline(never)]
    fn whole(
        &self,
        call @ Call { plan, .. }: Call<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payloads: &[Blocks<'_>],
        out: &mut [u8],
    ) -> usize {
        let input = |pass: usize| {
            let [block, _] = payloads.get(pass)?;
            Some(PassInput { params: PassParams::of_block(&plan.params, block)?, on: lanes })
        };
        let done = |pass, room: &Room| self.write_result(plan, room, pass, 0, lanes, out);
        self.passes(call, rooms, payloads.len(), input, done)
    }

    /// Payloads of two passes.
    #[inline(never)]
    fn two_passes(
        &self,
        call @ Call { plan, .. }: Call<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        payloads: &[Blocks<'_>],
        out: &mut [u8],
    ) -> usize {
        let params = |number: usize, first| {
            let [block, _] = payloads.get(number)?;
            PassParams::pass_of_block(&plan.params, block, first)
        };
        self.by_two_passes(call, rooms, lanes, payloads.len(), params, out)
    }

    /// So many payloads of two passes, whose parameters were widened.
    #[inline(never)]
    fn two_widened_passes(
        &self,
        call @ Call { plan, .. }: Call<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        (wide, count): (&[Lanes<RawFloat>], usize),
        out: &mut [u8],
    ) -> usize {
        let len = usize::from(plan.message.params).wrapping_mul(2);
        let params = |number: usize, first| {
            let at = number.wrapping_mul(len).wrapping_add(first / LANES);
            Some(PassParams::of_lanes(wide.get(at..)?, 2))
        };
        self.by_two_passes(call, rooms, lanes, count, params, out)
    }

    /// So many payloads of two passes, with the parameters of a payload from a lane on.
    #[inline(always)]
    fn by_two_passes<'p>(
        &self,
        call @ Call { plan, .. }: Call<'_>,
        rooms: &mut Rooms,
        lanes: u32,
        count: usize,
        params: impl Fn(usize, usize) -> Option<PassParams<'p>>,
        out: &mut [u8],
    ) -> usize {
        let part = |pass: usize| (pass / 2, pass % 2 * LANES);
        let input = |pass| {
            let (number, first) = part(pass);
            Some(PassInput { params: params(number, first)?, on: pass_lanes(lanes, first) })
        };
        let done = |pass, room: &Room| {
            let (number, first) = part(pass);
            self.write_result(plan, room, number, first, pass_lanes(lanes, first), out);
        };
        self.passes(call, rooms, count.wrapping_mul(2), input, done) / 2
    }

    /// Payloads whose parameters are widened: the first of them.
    #[inline(never)]
    fn widened(
        &self,
        call @ Call { plan, .. }: Call<'_>,
        widen: &Widen,
        (rooms, widened): (&mut Rooms, &mut Widened),
        lanes: u32,
        payloads: &[Blocks<'_>],
        out: &mut [u8],
    ) -> usize {
        let (passes, halves) = (plan.params.passes(), widen.joins_halves());
        let len = usize::from(plan.message.params).wrapping_mul(passes);
        let (mut room, mut count) = (widened.as_flattened_mut(), 0_usize);
        for payloads in payloads.chunks_exact(if halves { 2 } else { 1 }) {
            let (Some(first), Some(second)) = (payloads.first(), payloads.last()) else { break };
            let Some((params, rest)) = room.split_at_mut_checked(len) else { break };
            if widen.blocks(plan, [first, second], params).is_none() {
                break;
            }
            (room, count) = (rest, count.wrapping_add(1));
        }
        let wide = widened.as_flattened();
        if passes > 1 {
            return self.two_widened_passes(call, rooms, lanes, (wide, count), out);
        }
        let on = if halves { lanes | lanes << HALF } else { lanes };
        let input = |pass: usize| {
            let params = PassParams::of_lanes(wide.get(pass.wrapping_mul(len)..)?, 1);
            Some(PassInput { params, on })
        };
        if halves {
            let done = |pass, room: &Room| self.write_two_results(plan, room, pass, lanes, out);
            self.passes(call, rooms, count, input, done).wrapping_mul(2)
        } else {
            let done = |pass, room: &Room| self.write_result(plan, room, pass, 0, lanes, out);
            self.passes(call, rooms, count, input, done)
        }
    }

    /// Writes the results of two payloads of half a pass, which are in the lanes of a pass.
    #[inline(always)]
    fn write_two_results(&self, plan: &Plan<'_>, room: &Room, pass: usize, on: u32, out: &mut [u8]) {
        let len = usize::from(plan.response.len);
        let out = out.get_mut(pass.wrapping_mul(2).wrapping_mul(len)..).unwrap_or_default();
        if let Some((first, rest)) = out.split_at_mut_checked(len)
            && let Some(second) = rest.get_mut(..len)
        {
            plan.write.write_two(self.results(plan, room), on, first, second);
            self.write_masks(plan, first);
            self.write_masks(plan, second);
        }
    }

    /// Writes the result of a payload, which is in the lanes of a pass from `first` on.
    #[inline(always)]
    fn write_result(
        &self,
        plan: &Plan<'_>,
        room: &Room,
        number: usize,
        first: usize,
        on: u32,
        out: &mut [u8],
    ) {
        let len = usize::from(plan.response.len);
        let out = out.get_mut(number.wrapping_mul(len)..).unwrap_or_default();
        if let Some(out) = out.get_mut(..len) {
            self.write(plan, room, first, on, out);
            self.write_masks(plan, out);
        }
    }
}
