//! The vector levels that the processor has. (`harness/src/simd.rs` enters them in the same way for hosts; core's own tests cannot use a
//! crate that depends on core.)

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

/// The stages of every vector level, narrowest first. AVX-512 is there twice: for processors that execute 512-bit vectors in halves, and
/// for those that execute them whole.
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

/// Returns the stages of a random vector level, half of the time the widest.
pub(super) fn any(random: &mut Random) -> &'static Stages {
    let count = LEVELS.len();
    &LEVELS[if random.below(2) == 0 { count - 1 } else { random.below(count as u64) as usize }]
}

/// Returns the stages of all vector levels.
pub(super) fn all() -> &'static [Stages] {
    &LEVELS
}
