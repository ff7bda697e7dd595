//! The sampling stages for the vector instructions of this processor. Results are the same at every level.

use texwire::sample::Stages;

/// The widest stages that this processor executes; it is asked once.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) fn best() -> &'static Stages {
    static BEST: std::sync::LazyLock<Option<Stages>> = std::sync::LazyLock::new(x86::best);
    BEST.as_ref().unwrap_or(Stages::BASELINE)
}

/// The stages with the instructions that the library was compiled for: nobody can be asked for others here.
#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
pub(crate) const fn best() -> &'static Stages {
    Stages::BASELINE
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod x86 {
    use std::arch::is_x86_feature_detected as has;
    use texwire::sample::{Stages, stages};

    pub(super) fn best() -> Option<Stages> {
        let narrow =
            has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt") && has!("f16c");
        let wide = has!("avx512f")
            && has!("avx512bw")
            && has!("avx512cd")
            && has!("avx512dq")
            && has!("avx512vl")
            && has!("avx512vbmi")
            // Before Ice Lake processors lower their clock for vectors of 512 bits.
            && has!("avx512vbmi2");
        if narrow && wide {
            // SAFETY: the processor has every feature that these stages are compiled with.
            let stages = unsafe { stages::avx512() };
            // Only AMD's processors have SSE4a. Of them Zen 4 computes such vectors in halves, Intel's compute them whole.
            return Some(if has!("sse4a") { stages } else { stages.with_whole_vectors() });
        }
        // SAFETY: the processor has every feature that these stages are compiled with.
        narrow.then(|| unsafe { stages::avx2() })
    }
}
