//! Jobs with illegal states: some bits of the surface state and the sampler state are flipped.

use super::surface::Random;
use crate::engine::Job;

/// Flips one to four bits, three quarters of them in the surface state.
pub fn change(job: &mut Job, random: &mut Random) -> Option<()> {
    for _ in 0..1 + random.next() % 4 {
        let any = random.next();
        let bit = 1 << (any >> 8) % 32;
        match any % 4 {
            0 => job.sampler[(any >> 16) as usize % 4] ^= bit,
            _ => job.surface[(any >> 16) as usize % 16] ^= bit,
        }
    }
    Some(())
}
