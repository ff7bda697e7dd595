//! The vector instructions of this processor, and the core's sampling stages compiled for them.
//!
//! The core has its stages compiled for each level, as safe functions with target features. This module calls them from ordinary code, if
//! the processor has the features.

use std::sync::LazyLock;
use texwire::sample::Stages;

/// A level of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimdLevel {
    /// The features that the program was compiled for.
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
            // Only AMD's processors have SSE4a. Zen 4 executes 512-bit vectors in halves; which choice is faster on Zen 5 was not measured.
            if std::arch::is_x86_feature_detected!("sse4a") {
                stages::avx512()
            } else {
                stages::avx512().with_whole_vectors()
            }
        }
    }
}

/// Returns the stages of a level; `None` if this processor does not have its instructions.
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

/// Returns the levels that this processor has.
pub fn available() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| stages(*level).is_some())
}

/// Returns the stages of the widest level that this processor has.
pub fn best() -> &'static Stages {
    static BEST: LazyLock<&'static Stages> =
        LazyLock::new(|| available().last().and_then(stages).unwrap_or(Stages::BASELINE));
    *BEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use texwire::Platform;
    use texwire::enums::SurfaceFormat as F;
    use texwire::memory::LinearMemory;
    use texwire::message::{Message, Op, Payload};
    use texwire::sample::{Prepared, Sampler, Scratch, Texture};
    use texwire::state::{AddressMode, Filter, SamplerState, SurfaceState};
    use texwire::transfer::SurfaceDescription;

    /// Loads, gathers and filters the texels of a surface of `size` by `size`; every level must give the same results.
    fn assert_levels_agree(format: F, size: u32, bytes: &[u8]) {
        let memory = LinearMemory { base: 0x4000, bytes };
        let mut state = SamplerState::default();
        state.set_mag_filter(Filter::Linear).set_min_filter(Filter::Linear);
        state.set_address_modes([AddressMode::Wrap; 3]);
        let sampler = Sampler::bind(&state, &[0; 4]).unwrap();
        let shape = SurfaceDescription::texture_2d(format, size, size).with_base_address(0x4000);
        let texture =
            Texture::bind(&SurfaceState::new(&shape, Platform::Gen11).unwrap(), Platform::Gen11).unwrap();
        for op in [Op::LdLz, Op::SampleLz, Op::Gather4] {
            let message = Message { params: 2, simd: 16, ..Message::new(op) };
            let results = |level: SimdLevel| {
                let prepared =
                    Prepared::with_stages(&texture, &sampler, &message, stages(level).unwrap()).unwrap();
                let (mut all, mut scratch) = (Vec::new(), Scratch::new());
                for at in (0..size * size).step_by(16) {
                    let texel = |axis: u32, lane| if axis == 0 { at % size + lane } else { at / size };
                    let lanes = (0..2).flat_map(|axis| (0..16).map(move |lane| texel(axis, lane)));
                    let block: Vec<u8> = if op == Op::LdLz {
                        lanes.flat_map(u32::to_le_bytes).collect()
                    } else {
                        lanes.flat_map(|texel| ((texel as f32 + 0.7) / size as f32).to_le_bytes()).collect()
                    };
                    let payload = Payload::split([&block, &[]], 64, 2).unwrap();
                    let mut out = [0; 256];
                    prepared.execute(&mut scratch, u32::MAX, &payload, &memory, &mut out).unwrap();
                    all.extend(out);
                }
                all
            };
            let baseline = results(SimdLevel::Baseline);
            for level in available() {
                assert!(results(level) == baseline, "{format:?} {op:?} {level:?}");
            }
        }
    }

    /// Covers every code of sRGB channels of 4 to 10 bits, floats of 10 to 16 bits (infinities and NaN, too) and elements of 16 bytes.
    #[test]
    fn levels_with_stages_of_their_own_have_the_same_results() {
        let formats = [
            F::R8G8B8A8_UNORM_SRGB,
            F::B5G6R5_UNORM_SRGB,
            F::B5G5R5A1_UNORM_SRGB,
            F::B4G4R4A4_UNORM_SRGB,
            F::R10G10B10A2_UNORM_SRGB,
            F::L8_UNORM_SRGB,
            F::R16G16B16A16_FLOAT,
            F::R16G16_FLOAT,
            F::R11G11B10_FLOAT,
            F::R32G32B32A32_FLOAT,
        ];
        let bytes: Vec<u8> =
            (0..1_u32 << 14).flat_map(|at| at.wrapping_mul(0x0040_1005).to_le_bytes()).collect();
        for format in formats {
            assert_levels_agree(format, 64, &bytes);
        }
    }

    /// Covers blocks of BC1 to BC3 with every pair of 6-bit codes, every pair of 5-bit codes and every selector.
    #[test]
    fn colours_of_blocks_are_the_same_at_every_level() {
        let endpoint = |green: u32| green % 32 << 11 | green << 5 | green / 2;
        let half = |number: u32| {
            let colours = endpoint(number % 64) | endpoint(number / 64) << 16;
            u64::from(colours) | u64::from(0xb1e4_1be4_u32.rotate_left(number % 32)) << 32
        };
        let blocks: Vec<u8> = (0..64 * 64).flat_map(|number| half(number).to_le_bytes()).collect();
        for format in [F::BC1_UNORM, F::BC1_UNORM_SRGB] {
            assert_levels_agree(format, 256, &blocks);
        }
        let other_half = [0x1e, 0xe1, 0x05, 0x39, 0x77, 0xfa, 0xc6, 0x88];
        let blocks: Vec<u8> =
            blocks.as_chunks::<8>().0.iter().flat_map(|half| [other_half, *half]).flatten().collect();
        for format in [F::BC2_UNORM, F::BC2_UNORM_SRGB, F::BC3_UNORM, F::BC3_UNORM_SRGB] {
            assert_levels_agree(format, 256, &blocks);
        }
    }
}
