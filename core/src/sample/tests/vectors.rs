//! The levels of vector instructions that the processor has. (`harness/src/simd.rs` enters them in the same way for hosts; core's own
//! tests cannot have a crate that depends on core.)

use super::random::Random;
use crate::sample::Stages;
use std::sync::LazyLock;
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

/// The stages of every level, the narrowest first; with AVX-512 for processors of either kind.
static LEVELS: LazyLock<Vec<Stages>> = LazyLock::new(|| {
    let mut all = vec![*Stages::BASELINE];
    #[cfg(target_arch = "x86_64")]
    {
        let level = fearless_simd::Level::new();
        all.extend(level.as_avx2().map(enter::avx2));
        let wide = level.as_avx512().map(enter::avx512);
        all.extend(wide);
        all.extend(wide.map(Stages::with_whole_vectors));
    }
    all
});

/// The stages of one of them: half of the time the widest.
pub(super) fn any(random: &mut Random) -> &'static Stages {
    let count = LEVELS.len();
    &LEVELS[if random.below(2) == 0 { count - 1 } else { random.below(count as u64) as usize }]
}

/// The stages of all of them.
pub(super) fn all() -> &'static [Stages] {
    &LEVELS
}
