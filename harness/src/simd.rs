//! The vector instructions of this processor, and the core's sampling stages compiled for them.
//!
//! The core has its stages once for each level as safe functions with target features; this is where a host enters
//! them, when the processor has the features.

use std::sync::LazyLock;
use texwire::sample::Stages;

/// A level of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimdLevel {
    /// What the program was compiled for.
    Baseline,
    /// 256-bit vectors (x86-64-v3).
    Avx2,
    /// 512-bit vectors (Ice Lake and later, Zen 4 and later).
    Avx512,
}

impl SimdLevel {
    /// Every level, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod enter {
    use fearless_simd::kernel;
    use texwire::sample::{Stages, stages};

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

/// The stages of a level; `None` if this processor does not have its instructions.
pub fn stages(level: SimdLevel) -> Option<&'static Stages> {
    #[cfg(target_arch = "x86_64")]
    {
        static AVX2: LazyLock<Option<Stages>> =
            LazyLock::new(|| fearless_simd::Level::new().as_avx2().map(enter::avx2));
        static AVX512: LazyLock<Option<Stages>> =
            LazyLock::new(|| fearless_simd::Level::new().as_avx512().map(enter::avx512));
        match level {
            SimdLevel::Baseline => Some(Stages::BASELINE),
            SimdLevel::Avx2 => AVX2.as_ref(),
            SimdLevel::Avx512 => AVX512.as_ref(),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    match level {
        SimdLevel::Baseline => Some(Stages::BASELINE),
        SimdLevel::Avx2 | SimdLevel::Avx512 => None,
    }
}

/// The levels that this processor has.
pub fn available() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| stages(*level).is_some())
}

/// The stages of the widest level that this processor has.
pub fn best() -> &'static Stages {
    static BEST: LazyLock<&'static Stages> =
        LazyLock::new(|| available().last().and_then(stages).unwrap_or(Stages::BASELINE));
    *BEST
}
