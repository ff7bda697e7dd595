//! Look-ups of sRGB codes by permutations (AVX-512 with VBMI): 64 at once, where loads find one after the other.
//!
//! A table of 256 floats is four tables of 256 bytes, and the processor looks up 64 bytes among 128 at once. The values are those
//! of the tables: every level has the same bits. Arrays become vectors element by element; compilers make one load of that.

use core::arch::x86_64::{
    __m512, __m512i, _mm_cvtsi32_si128, _mm_extract_epi32, _mm512_and_si512, _mm512_castps_si512,
    _mm512_extracti32x4_epi32, _mm512_mask_blend_epi8, _mm512_mask_blend_ps, _mm512_movepi8_mask,
    _mm512_packus_epi16, _mm512_packus_epi32, _mm512_permutex2var_epi8, _mm512_permutex2var_ps,
    _mm512_set_epi32, _mm512_set_ps, _mm512_set1_epi32, _mm512_srl_epi32, _mm512_test_epi32_mask,
    _mm512_unpackhi_epi8, _mm512_unpackhi_epi16, _mm512_unpacklo_epi8, _mm512_unpacklo_epi16,
};

use super::{ChannelDecode, ChannelKind, TexelChannels, TexelWords, srgb};

/// What a vector holds.
type Vector<T> = [T; 16];

/// Four vectors in cache lines of their own.
#[repr(align(64))]
struct Lines([Vector<u32>; 4]);

/// Reads an sRGB channel of 4 to 6 or 8 bits from the words of its field: as many of each, a multiple of 16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn look_up(decode: &ChannelDecode, words: &[u32], out: &mut [u32]) {
    if decode.kind == ChannelKind::Srgb8 {
        bytes(decode.shift, words.as_chunks().0, out.as_chunks_mut().0);
    } else {
        narrow(decode, words.as_chunks().0, out.as_chunks_mut().0);
    }
}

/// The same of several channels that are of one kind: see [`ChannelKernel`](super::ChannelKernel).
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn decode(channels: &[ChannelDecode], words: TexelWords<'_>, out: TexelChannels<'_>) {
    let mut out = out;
    let [first, ..] = words;
    if first.len() == 16 && matches!(channels, [ChannelDecode { kind: ChannelKind::Srgb8, .. }, ..]) {
        return one_vector(channels, words, out);
    }
    for decode in channels {
        let [low, _] = decode.words(&words);
        if let Some(out) = out.get_mut(usize::from(decode.channel)) {
            look_up(decode, low, out);
        }
    }
}

/// Codes of 8 bits of 16 texels, all channels at once.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn one_vector(channels: &[ChannelDecode], words: TexelWords<'_>, mut out: TexelChannels<'_>) {
    let (mut shifts, mut codes) = ([0; 4], [&[0; 16]; 4]);
    for ((shift, codes), decode) in shifts.iter_mut().zip(&mut codes).zip(channels) {
        if let Some(words) = words.get(usize::from(decode.word)).and_then(first_vector) {
            (*shift, *codes) = (decode.shift, words);
        }
    }
    let mut results = Lines([[0; 16]; 4]);
    four(shifts, codes, &mut results.0);
    for (result, decode) in results.0.iter().zip(channels) {
        if let Some(out) = out.get_mut(usize::from(decode.channel)) {
            out.copy_from_slice(result);
        }
    }
}

/// The words of the first 16 texels.
fn first_vector<'w>(words: &&'w [u32]) -> Option<&'w Vector<u32>> {
    words.first_chunk()
}

/// Codes of 8 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn bytes(shift: u8, words: &[Vector<u32>], out: &mut [Vector<u32>]) {
    let (fours, rest) = words.as_chunks();
    let (fours_out, rest_out) = out.as_chunks_mut();
    for (words, out) in fours.iter().zip(fours_out) {
        four([shift; 4], words.each_ref(), out);
    }
    // Two or three, or one of several channels.
    if let ([first, others @ ..], [out, others_out @ ..]) = (rest, rest_out) {
        let (second, third) = (others.first().unwrap_or(first), others.get(1).unwrap_or(first));
        let mut results = Lines([[0; 16]; 4]);
        four([shift; 4], [first, second, third, first], &mut results.0);
        let [first, results @ ..] = &results.0;
        *out = *first;
        for (to, from) in others_out.iter_mut().zip(results) {
            *to = *from;
        }
    }
}

/// The linear values of four vectors of codes of 8 bits, which are in words from a bit up.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn four([a_at, b_at, c_at, d_at]: [u8; 4], [a, b, c, d]: [&Vector<u32>; 4], out: &mut [Vector<u32>; 4]) {
    let [a, b] = [field(a, a_at, 0xff), field(b, b_at, 0xff)];
    let [c, d] = [field(c, c_at, 0xff), field(d, d_at, 0xff)];
    // By 128 bits: four codes of each vector.
    let codes = _mm512_packus_epi16(_mm512_packus_epi32(a, b), _mm512_packus_epi32(c, d));
    let upper = _mm512_movepi8_mask(codes);
    let mut planes = [codes; 4];
    for (plane, [first, second, third, fourth]) in planes.iter_mut().zip(&srgb::PLANES.0) {
        let low = _mm512_permutex2var_epi8(vector(first), codes, vector(second));
        let high = _mm512_permutex2var_epi8(vector(third), codes, vector(fourth));
        *plane = _mm512_mask_blend_epi8(upper, low, high);
    }
    let [a, b, c, d] = planes;
    let (low_ab, high_ab) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
    let (low_cd, high_cd) = (_mm512_unpacklo_epi8(c, d), _mm512_unpackhi_epi8(c, d));
    let [a_out, b_out, c_out, d_out] = out;
    store(_mm512_unpacklo_epi16(low_ab, low_cd), a_out);
    store(_mm512_unpackhi_epi16(low_ab, low_cd), b_out);
    store(_mm512_unpacklo_epi16(high_ab, high_cd), c_out);
    store(_mm512_unpackhi_epi16(high_ab, high_cd), d_out);
}

/// A bit field of words.
#[inline]
#[target_feature(enable = "avx512f")]
fn field(words: &Vector<u32>, shift: u8, mask: u32) -> __m512i {
    let shifted = _mm512_srl_epi32(vector(words), _mm_cvtsi32_si128(shift.into()));
    _mm512_and_si512(shifted, _mm512_set1_epi32(mask.cast_signed()))
}

/// Codes of 4 to 6 bits.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn narrow(decode: &ChannelDecode, words: &[Vector<u32>], out: &mut [Vector<u32>]) {
    let (table, _) = srgb::narrow_table(decode.width.into()).as_chunks();
    let part = |number: usize| table.get(number).or(table.first()).map_or(&[0.0; 16], |part| part);
    let [first, second] = [floats(part(0)), floats(part(1))];
    let [third, fourth] = [floats(part(2)), floats(part(3))];
    for (words, out) in words.iter().zip(out) {
        let codes = field(words, decode.shift, decode.mask);
        let low = _mm512_permutex2var_ps(first, codes, second);
        let high = _mm512_permutex2var_ps(third, codes, fourth);
        let upper = _mm512_test_epi32_mask(codes, _mm512_set1_epi32(32));
        store(_mm512_castps_si512(_mm512_mask_blend_ps(upper, low, high)), out);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn vector(words: &Vector<u32>) -> __m512i {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = words.map(u32::cast_signed);
    _mm512_set_epi32(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn floats(floats: &Vector<f32>) -> __m512 {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *floats;
    _mm512_set_ps(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a)
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn store(vector: __m512i, out: &mut Vector<u32>) {
    let quarters = [
        _mm512_extracti32x4_epi32::<0>(vector),
        _mm512_extracti32x4_epi32::<1>(vector),
        _mm512_extracti32x4_epi32::<2>(vector),
        _mm512_extracti32x4_epi32::<3>(vector),
    ];
    for (out, quarter) in out.as_chunks_mut().0.iter_mut().zip(quarters) {
        *out = [
            _mm_extract_epi32::<0>(quarter).cast_unsigned(),
            _mm_extract_epi32::<1>(quarter).cast_unsigned(),
            _mm_extract_epi32::<2>(quarter).cast_unsigned(),
            _mm_extract_epi32::<3>(quarter).cast_unsigned(),
        ];
    }
}
