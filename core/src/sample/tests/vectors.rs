//! The levels of vector instructions that the processor has.

use super::random::Random;
use crate::sample::Stages;
use std::boxed::Box;
use std::vec;
use std::vec::Vec;

#[cfg(target_arch = "x86_64")]
mod enter {
    use crate::sample::stages::{self, Stages};
    use fearless_simd::kernel;

    kernel! {
        pub(super) fn avx2(_token: Avx2) -> Stages {
            stages::avx2()
        }
    }
    kernel! {
        pub(super) fn avx512(_token: Avx512) -> Stages {
            stages::avx512()
        }
    }
}

/// The stages of every level, the narrowest first.
pub(super) fn levels() -> Vec<&'static Stages> {
    let mut all = vec![Stages::BASELINE];
    #[cfg(target_arch = "x86_64")]
    {
        let level = fearless_simd::Level::new();
        let found = [level.as_avx2().map(enter::avx2), level.as_avx512().map(enter::avx512)];
        all.extend(found.into_iter().flatten().map(|stages| &*Box::leak(Box::new(stages))));
    }
    all
}

/// The stages of one of them: half of the time the widest.
pub(super) fn any(levels: &[&'static Stages], random: &mut Random) -> &'static Stages {
    if random.below(2) == 0 { levels[levels.len() - 1] } else { random.pick(levels) }
}
