//! Table look-ups of sRGB codes and palette indices by permutations (AVX-512 with VBMI), 64 at once, where loads find one after the other.
//!
//! A table of 256 words is four tables of 256 bytes, and the processor looks up 64 bytes among 128 at once. The values are those of the
//! tables of the plain loops: every vector level has the same bits.

use core::arch::x86_64::{
    __m512, __m512i, _mm512_and_si512, _mm512_castps_si512, _mm512_castsi512_ps, _mm512_mask_blend_epi8,
    _mm512_mask_blend_epi16, _mm512_mask_blend_ps, _mm512_movepi8_mask, _mm512_packus_epi16,
    _mm512_packus_epi32, _mm512_permutex2var_epi8, _mm512_permutex2var_ps, _mm512_set1_epi8,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_set4_epi32, _mm512_setzero_ps, _mm512_setzero_si512,
    _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_test_epi8_mask, _mm512_test_epi32_mask,
    _mm512_unpackhi_epi8, _mm512_unpackhi_epi16, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64,
    _mm512_unpacklo_epi8, _mm512_unpacklo_epi16, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};

use super::byte_planes::BytePlanes;
use super::colours::sums;
use super::vector::{Vector, add_part, field, floats, store, vector};
use super::{ChannelDecode, ChannelKind, TexelChannels, TexelWords, srgb};

/// The linear values of sRGB codes of 8 bits.
static CODES: BytePlanes<4> = BytePlanes::of(&srgb::table::<256>(255.0), 0);

/// The linear values of colours of BC1 to BC3 by sum of sixths: of codes of 5 bits, and of codes of 6 bits, whose second table begins with
/// sum 256.
static FIVE: BytePlanes<4> = BytePlanes::of(&srgb::table::<187>(186.0), 0);
static SIX: (BytePlanes<4>, BytePlanes<2>) = {
    let table = srgb::table::<379>(378.0);
    (BytePlanes::of(&table, 0), BytePlanes::of(&table, 256))
};

/// The linear values of sRGB codes of 10 bits.
static TENS: BytePlanes<16> = BytePlanes::of(&srgb::table::<1024>(1023.0), 0);

/// Four vectors in cache lines of their own.
#[repr(align(64))]
struct CacheLines([Vector<u32>; 4]);

/// Decodes an sRGB channel of 4 to 6 or 8 bits from the words of its field. `words` and `out` have one length, a multiple of 16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn look_up(decode: &ChannelDecode, words: &[u32], out: &mut [u32]) {
    if decode.kind == ChannelKind::Srgb8 {
        bytes(&CODES, decode.shift, words.as_chunks().0, out.as_chunks_mut().0);
    } else {
        narrow(decode, words.as_chunks().0, out.as_chunks_mut().0);
    }
}

/// See [`ChannelKernel`](super::ChannelKernel): [`look_up`] for several channels of one kind.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn decode(channels: &[ChannelDecode], words: TexelWords<'_>, out: TexelChannels<'_>) {
    let mut out = out;
    for decode in channels {
        let [low, _] = decode.words(&words);
        if let Some(out) = out.get_mut(usize::from(decode.channel)) {
            look_up(decode, low, out);
        }
    }
}

/// Looks up the words of a table for codes of 8 bits, from bit `shift` up of each word.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn bytes(planes: &BytePlanes<4>, shift: u8, words: &[Vector<u32>], out: &mut [Vector<u32>]) {
    let (fours, rest) = words.as_chunks();
    let (fours_out, rest_out) = out.as_chunks_mut();
    for (words, out) in fours.iter().zip(fours_out) {
        four(planes, shift, words.each_ref(), out);
    }
    // Up to three vectors are left.
    if let ([first, others @ ..], [out, others_out @ ..]) = (rest, rest_out) {
        let (second, third) = (others.first().unwrap_or(first), others.get(1).unwrap_or(first));
        let mut results = CacheLines([[0; 16]; 4]);
        four(planes, shift, [first, second, third, first], &mut results.0);
        let [first, results @ ..] = &results.0;
        *out = *first;
        for (to, from) in others_out.iter_mut().zip(results) {
            *to = *from;
        }
    }
}

// The following are macros, because functions with several callers pass vectors in memory, which takes longer than the look-up.

/// Looks up one byte of the words of a table (a plane) for codes of 8 bits.
macro_rules! plane {
    ($parts:expr, $codes:expr) => {{
        let [first, second, third, fourth] = $parts;
        let low = _mm512_permutex2var_epi8(vector(first), $codes, vector(second));
        let high = _mm512_permutex2var_epi8(vector(third), $codes, vector(fourth));
        _mm512_mask_blend_epi8(_mm512_movepi8_mask($codes), low, high)
    }};
}

/// Joins four planes of bytes to four vectors of floats, in the order that the codes had before they were packed.
macro_rules! unpack {
    ($planes:expr) => {{
        let [a, b, c, d] = $planes;
        let (low_ab, high_ab) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
        let (low_cd, high_cd) = (_mm512_unpacklo_epi8(c, d), _mm512_unpackhi_epi8(c, d));
        [
            _mm512_castsi512_ps(_mm512_unpacklo_epi16(low_ab, low_cd)),
            _mm512_castsi512_ps(_mm512_unpackhi_epi16(low_ab, low_cd)),
            _mm512_castsi512_ps(_mm512_unpacklo_epi16(high_ab, high_cd)),
            _mm512_castsi512_ps(_mm512_unpackhi_epi16(high_ab, high_cd)),
        ]
    }};
}

/// The bytes of four vectors of words, as one vector for each place in a word (byte 0 to byte 3). Each has four bytes of each of the four
/// vectors in every 128 bits.
macro_rules! bytes_by_place {
    ($words:expr) => {{
        let by_place = _mm512_set4_epi32(0x0f0b_0703, 0x0e0a_0602, 0x0d09_0501, 0x0c08_0400);
        let [a, b, c, d] = $words;
        let (a, b) = (_mm512_shuffle_epi8(vector(a), by_place), _mm512_shuffle_epi8(vector(b), by_place));
        let (c, d) = (_mm512_shuffle_epi8(vector(c), by_place), _mm512_shuffle_epi8(vector(d), by_place));
        let (low_ab, high_ab) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        let (low_cd, high_cd) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
        [
            _mm512_unpacklo_epi64(low_ab, low_cd),
            _mm512_unpackhi_epi64(low_ab, low_cd),
            _mm512_unpacklo_epi64(high_ab, high_cd),
            _mm512_unpackhi_epi64(high_ab, high_cd),
        ]
    }};
}

/// Looks up the floats of a table for four vectors of codes of 8 bits.
macro_rules! linear {
    ($planes:expr, [$a:expr, $b:expr, $c:expr, $d:expr]) => {{
        // In each 128 bits: four codes of each vector.
        let codes = _mm512_packus_epi16(_mm512_packus_epi32($a, $b), _mm512_packus_epi32($c, $d));
        linear_of_packed!($planes, codes)
    }};
}

/// Splits four vectors of codes of more than 8 bits into their low bytes and their high bytes, packed as [`linear!`] does.
macro_rules! low_and_high_bytes {
    ($a:expr, $b:expr, $c:expr, $d:expr) => {{
        let (ab, cd) = (_mm512_packus_epi32($a, $b), _mm512_packus_epi32($c, $d));
        let byte = _mm512_set1_epi16(0xff);
        let low = _mm512_packus_epi16(_mm512_and_si512(ab, byte), _mm512_and_si512(cd, byte));
        (low, _mm512_packus_epi16(_mm512_srli_epi16::<8>(ab), _mm512_srli_epi16::<8>(cd)))
    }};
}

/// [`linear!`] for codes that are packed already.
macro_rules! linear_of_packed {
    ($planes:expr, $codes:expr) => {{
        let [a, b, c, d] = &$planes.0;
        unpack!([plane!(a, $codes), plane!(b, $codes), plane!(c, $codes), plane!(d, $codes)])
    }};
}

/// Adds four texels, each times its weight, to a mean; the first four (`$four` 0) replace it.
macro_rules! add_four {
    ($mean:ident, $four:expr, $texels:expr, $weights:expr) => {{
        let ([a, b, c, d], [first, second, third, fourth]) = ($texels, $weights);
        $mean = add_part::<4>($mean, $four, a, first);
        $mean = add_part::<4>($mean, 1, b, second);
        $mean = add_part::<4>($mean, 2, c, third);
        $mean = add_part::<4>($mean, 3, d, fourth);
    }};
}

/// Looks up the words of a table for four vectors of words with codes of 8 bits, and stores them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn four(
    planes: &BytePlanes<4>,
    shift: u8,
    [a, b, c, d]: [&Vector<u32>; 4],
    out: &mut [Vector<u32>; 4],
) {
    let [a, b] = [field(a, shift, 0xff), field(b, shift, 0xff)];
    let [c, d] = [field(c, shift, 0xff), field(d, shift, 0xff)];
    let [a, b, c, d] = linear!(planes, [a, b, c, d]);
    let [a_out, b_out, c_out, d_out] = out;
    store(_mm512_castps_si512(a), a_out);
    store(_mm512_castps_si512(b), b_out);
    store(_mm512_castps_si512(c), c_out);
    store(_mm512_castps_si512(d), d_out);
}

/// Decodes sRGB channels of 8 bits, which are bytes of one word, of 16 texels.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn texels_of_bytes(channels: &[ChannelDecode], words: &Vector<u32>, out: &mut [Vector<u32>; 4]) {
    // In each 128 bits: the bytes of red of four texels, those of green, ...
    let mut by_channel = [0; 4];
    for decode in channels {
        for (channel, places) in (0..).zip(&mut by_channel) {
            if channel == decode.channel {
                *places = 0x0c08_0400 + i32::from(decode.shift / 8) * 0x0101_0101;
            }
        }
    }
    let [red, green, blue, alpha] = by_channel;
    let codes = _mm512_shuffle_epi8(vector(words), _mm512_set4_epi32(alpha, blue, green, red));
    let values = linear_of_packed!(CODES, codes);
    for decode in channels {
        for (channel, (value, out)) in (0..).zip(values.into_iter().zip(out.iter_mut())) {
            if channel == decode.channel {
                store(_mm512_castps_si512(value), out);
            }
        }
    }
}

/// The weighted means of `4 * FOURS` texels of sRGB channels of 8 bits, which are bytes of one word.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[allow(clippy::indexing_slicing, reason = "an array of 4, indexed below 4")]
pub(crate) fn means_of_bytes<const FOURS: usize, const WORDS: usize>(
    channels: &[ChannelDecode],
    words: &[u32; WORDS],
    weights: &[Vector<f32>],
    out: &mut [Vector<u32>; 4],
) {
    let mut bytes = [[_mm512_setzero_si512(); 4]; FOURS];
    for (bytes, words) in bytes.iter_mut().zip(words.as_chunks().0.as_chunks().0) {
        *bytes = bytes_by_place!(words);
    }
    for decode in channels {
        let (place, channel) = (usize::from(decode.shift / 8), usize::from(decode.channel));
        let mut mean = _mm512_setzero_ps();
        for (four, (bytes, weights)) in bytes.iter().zip(weights.as_chunks().0).enumerate() {
            add_four!(mean, four, linear_of_packed!(CODES, bytes[place & 3]), weights);
        }
        store(_mm512_castps_si512(mean), &mut out[channel & 3]);
    }
}

/// The weighted mean of `T` texels, 4 or 8, of a colour of BC1 to BC3 with the sRGB curve.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn mean_of_srgb_colours<const T: usize>(
    decode: &ChannelDecode,
    [endpoints, sixths]: [&[Vector<u32>]; 2],
    weights: &[Vector<f32>],
) -> __m512 {
    let mut mean = _mm512_setzero_ps();
    let fours = endpoints.as_chunks().0.iter().zip(sixths.as_chunks().0).zip(weights.as_chunks().0);
    for (four, (([a, b, c, d], [a_part, b_part, c_part, d_part]), weights)) in fours.enumerate().take(T / 4) {
        let [a, b] = [sums(decode, a, a_part), sums(decode, b, b_part)];
        let [c, d] = [sums(decode, c, c_part), sums(decode, d, d_part)];
        let values = if decode.width == 6 {
            // Sums of 9 bits: the upper byte selects the table.
            let (codes, upper) = low_and_high_bytes!(a, b, c, d);
            let upper = _mm512_test_epi8_mask(upper, upper);
            let (BytePlanes(low), BytePlanes(high)) = &SIX;
            let mut planes = [codes; 4];
            for ((out, low), [first, second]) in planes.iter_mut().zip(low).zip(high) {
                let high = _mm512_permutex2var_epi8(vector(first), codes, vector(second));
                *out = _mm512_mask_blend_epi8(upper, plane!(low, codes), high);
            }
            unpack!(planes)
        } else {
            linear!(FIVE, [a, b, c, d])
        };
        add_four!(mean, four, values, weights);
    }
    mean
}

/// The weighted mean of `T` texels, 4 or 8, of an sRGB channel of 10 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn mean_of_tens<const T: usize>(
    decode: &ChannelDecode,
    [words, _]: [&[Vector<u32>]; 2],
    weights: &[Vector<f32>],
) -> __m512 {
    let mut mean = _mm512_setzero_ps();
    let fours = words.as_chunks().0.iter().zip(weights.as_chunks().0);
    for (four, ([a, b, c, d], weights)) in fours.enumerate().take(T / 4) {
        let [a, b] = [field(a, decode.shift, decode.mask), field(b, decode.shift, decode.mask)];
        let [c, d] = [field(c, decode.shift, decode.mask), field(d, decode.shift, decode.mask)];
        let (codes, upper) = low_and_high_bytes!(a, b, c, d);
        let second = _mm512_test_epi8_mask(upper, _mm512_set1_epi8(1));
        let fourth = _mm512_test_epi8_mask(upper, _mm512_set1_epi8(2));
        let mut planes = [codes; 4];
        for (out, plane) in planes.iter_mut().zip(&TENS.0) {
            let ([a, b, c, d], _) = plane.as_chunks() else { continue };
            let low = _mm512_mask_blend_epi8(second, plane!(a, codes), plane!(b, codes));
            let high = _mm512_mask_blend_epi8(second, plane!(c, codes), plane!(d, codes));
            *out = _mm512_mask_blend_epi8(fourth, low, high);
        }
        add_four!(mean, four, unpack!(planes), weights);
    }
    mean
}

/// Looks up the linear values of a vector of words whose sRGB codes have 4 to 6 bits.
macro_rules! linear_narrow {
    ($decode:expr, $table:expr, $words:expr) => {{
        let [first, second, third, fourth] = $table;
        let codes = field($words, $decode.shift, $decode.mask);
        let low = _mm512_permutex2var_ps(floats(first), codes, floats(second));
        let high = _mm512_permutex2var_ps(floats(third), codes, floats(fourth));
        _mm512_mask_blend_ps(_mm512_test_epi32_mask(codes, _mm512_set1_epi32(32)), low, high)
    }};
}

/// Decodes an sRGB channel of 4 to 6 bits.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn narrow(decode: &ChannelDecode, words: &[Vector<u32>], out: &mut [Vector<u32>]) {
    let table = srgb::narrow_table(decode.width.into());
    for (words, out) in words.iter().zip(out) {
        store(_mm512_castps_si512(linear_narrow!(decode, table, words)), out);
    }
}

/// The weighted mean of `T` texels of an sRGB channel of 4 to 6 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn mean_of_narrow<const T: usize>(
    decode: &ChannelDecode,
    [words, _]: [&[Vector<u32>]; 2],
    weights: &[Vector<f32>],
) -> __m512 {
    let table = srgb::narrow_table(decode.width.into());
    let mut mean = _mm512_setzero_ps();
    for (tap, (words, weight)) in words.iter().zip(weights).enumerate().take(T) {
        mean = add_part::<T>(mean, tap, linear_narrow!(decode, table, words), weight);
    }
    mean
}

/// Looks up the words of a table for one vector of codes of 8 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(crate) fn one(planes: &BytePlanes<4>, codes: __m512i) -> __m512i {
    // Each code in all four bytes of its word.
    let four_times = _mm512_set4_epi32(0x0c0c_0c0c, 0x0808_0808, 0x0404_0404, 0);
    let codes = _mm512_shuffle_epi8(codes, four_times);
    let [a, b, c, d] = &planes.0;
    let ab = _mm512_mask_blend_epi8(0x2222_2222_2222_2222, plane!(a, codes), plane!(b, codes));
    let cd = _mm512_mask_blend_epi8(0x8888_8888_8888_8888, plane!(c, codes), plane!(d, codes));
    _mm512_mask_blend_epi16(0xaaaa_aaaa, ab, cd)
}
