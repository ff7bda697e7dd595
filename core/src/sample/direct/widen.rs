//! Parameters of 16 bits become those of 32: the stages read one width.

use crate::message::{Payload, Width};
use crate::sample::lanes::{LANES, Lanes, RawFloat};
use crate::sample::plan::Plan;

/// Which parameters are integers: a bit for each. The others are floats.
#[derive(Clone, Copy, Debug)]
pub(in crate::sample) struct Widen {
    integers: u32,
}

impl Widen {
    pub(super) fn new(plan: &Plan<'_>) -> Self {
        let message = &plan.message;
        let params = message.op.params(Width::Half).iter().enumerate();
        let bits = params.map(|(number, param)| u32::from(message.op.takes_integer(*param)) << (number & 31));
        Self { integers: bits.fold(0, |all, bit| all | bit) }
    }

    /// The payload in 32 bits, in `room`; the eight lanes of a SIMD8 message twice. `None` if there is no room, or lanes are not
    /// there.
    #[inline(never)]
    pub(super) fn run<'r>(
        self,
        plan: &Plan<'_>,
        payload: &Payload<'_>,
        room: &'r mut [Lanes<RawFloat>],
    ) -> Option<Payload<'r>> {
        let stages = plan.stages.payload.as_ref()?;
        let (count, passes) = (usize::from(plan.message.params), plan.full_params().passes());
        let room = room.get_mut(..count.checked_mul(passes)?)?;
        for (number, room) in room.chunks_mut(passes.max(1)).enumerate() {
            let (lanes, _) = payload.slot(number).as_chunks();
            let kernel = if self.integers >> (number & 31) & 1 != 0 { stages.shorts } else { stages.halves };
            if usize::from(plan.message.simd) < LANES {
                kernel(&doubled(lanes)?, room.first_mut()?);
                continue;
            }
            let (lanes, _) = lanes.as_chunks();
            for (lanes, room) in lanes.get(..passes)?.iter().zip(room) {
                kernel(lanes, room);
            }
        }
        let words = room.as_flattened().as_flattened();
        Payload::split([words, &[]], passes.wrapping_mul(LANES * 4), count).ok()
    }
}

/// Half as many lanes as a pass has, twice.
fn doubled(lanes: &[[u8; 2]]) -> Option<[[u8; 2]; LANES]> {
    let lanes = lanes.get(..LANES / 2)?;
    let mut all = [[0; 2]; LANES];
    for half in all.chunks_exact_mut(lanes.len().max(1)) {
        half.copy_from_slice(lanes);
    }
    Some(all)
}
