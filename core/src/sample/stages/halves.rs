//! Parameters of 16 bits become floats by an instruction.

use core::arch::x86_64::{_mm_set_epi64x, _mm256_castps_si256, _mm256_cvtph_ps, _mm256_extract_epi64};

use crate::sample::lanes::{Lanes, RawFloat};

/// See [`WidenKernel`](crate::sample::params::WidenKernel): the values of [`widen_halves`](crate::sample::params::widen_halves). (NaNs
/// become quiet, as the first operation on them makes them.)
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,f16c")]
pub(super) fn widen(halves: &[Lanes<[u8; 2]>], out: &mut [Lanes<RawFloat>]) {
    let (eights, _) = halves.as_flattened().as_chunks::<8>();
    let targets = out.as_flattened_mut().as_chunks_mut::<8>().0;
    for (halves, out) in eights.iter().zip(targets) {
        let [a, b, c, d, e, f, g, h] = *halves;
        let four =
            |[a, b, c, d]: [[u8; 2]; 4]| i64::from_le_bytes([a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]);
        let floats =
            _mm256_castps_si256(_mm256_cvtph_ps(_mm_set_epi64x(four([e, f, g, h]), four([a, b, c, d]))));
        let pairs = [
            _mm256_extract_epi64::<0>(floats),
            _mm256_extract_epi64::<1>(floats),
            _mm256_extract_epi64::<2>(floats),
            _mm256_extract_epi64::<3>(floats),
        ];
        for (out, pair) in out.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
            let [a, b, c, d, e, f, g, h] = pair.to_le_bytes();
            *out = [[a, b, c, d], [e, f, g, h]];
        }
    }
}
