//! Formats whose texels decode a group of lanes at a time.

use super::simd::{F4, Lanes, U4};
use crate::format::{srgb8, unorm8, unorm8_at, unorm16, unorm24};

/// A format of the hot paths.
pub(super) trait Format {
    /// A texel as it is in memory.
    type Raw: Copy;
    /// Channels in memory: bit 0 red .. bit 3 alpha; the others are 0, 0, 0, 1.
    const CHANNELS: u8;
    /// A sum of texels can be NaN.
    const NAN: bool = false;

    /// Texels by number; `None` past the end.
    fn read(data: &[u8], index: U4) -> Option<Lanes<Self::Raw>>;

    /// Texels by number, and those after them.
    fn read_two(data: &[u8], index: U4) -> Option<[Lanes<Self::Raw>; 2]>;

    /// Red, green, blue, alpha.
    fn decode(raw: Lanes<Self::Raw>) -> [F4; 4];
}

/// `load` makes a texel of its bytes where they are: what it takes apart are loads of parts.
#[inline(always)]
fn one<const N: usize, R: Copy>(data: &[u8], index: U4, load: impl Fn(&[u8; N]) -> R) -> Option<Lanes<R>> {
    let (texels, _) = data.as_chunks::<N>();
    // With all checks in front the loads go straight to vectors.
    if !index.all(|index| (index as usize) < texels.len()) {
        return None;
    }
    Some(index.map(|index| load(texels.get(index as usize).unwrap_or(&[0; N]))))
}

#[inline(always)]
fn two<const N: usize, R: Copy>(
    data: &[u8],
    index: U4,
    load: impl Fn(&[u8; N]) -> R,
) -> Option<[Lanes<R>; 2]> {
    let (texels, _) = data.as_chunks::<N>();
    let last = texels.len().checked_sub(1)?;
    if !index.all(|index| (index as usize) < last) {
        return None;
    }
    let texel = |index: usize| load(texels.get(index).unwrap_or(&[0; N]));
    Some([
        index.map(|index| texel(index as usize)),
        index.map(|index| texel((index as usize).wrapping_add(1))),
    ])
}

macro_rules! reads {
    ($raw:ty, $bytes:expr) => {
        reads!($raw, $bytes, |first, second| (first, second), |pair| pair.0, |pair| pair.1);
    };
    // `$both` is an integer of two texels: it makes the compiler read them as one.
    ($raw:ty, $bytes:expr, $both:ty) => {
        reads!(
            $raw,
            $bytes,
            |first, second| <$both>::from(first) | <$both>::from(second) << <$raw>::BITS,
            |pair| pair as $raw,
            |pair| (pair >> <$raw>::BITS) as $raw
        );
    };
    ($raw:ty, $bytes:expr, $join:expr, $first:expr, $second:expr) => {
        #[inline(always)]
        fn read(data: &[u8], index: U4) -> Option<Lanes<$raw>> {
            one(data, index, $bytes)
        }
        #[inline(always)]
        fn read_two(data: &[u8], index: U4) -> Option<[Lanes<$raw>; 2]> {
            let [first, second] = two(data, index, $bytes)?;
            let both = first.zip(second, $join);
            Some([both.map($first), both.map($second)])
        }
    };
}

#[inline(always)]
fn byte(raw: U4, shift: u32) -> F4 {
    raw.map(|word| unorm8_at(word, shift))
}

const ONE: F4 = F4::ONE;
const NONE: F4 = F4::ZERO;

macro_rules! dword_format {
    ($($(#[$doc:meta])* $name:ident $channels:literal $nan:literal |$raw:ident| $decode:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;
        impl Format for $name {
            type Raw = u32;
            const CHANNELS: u8 = $channels;
            const NAN: bool = $nan;
            reads!(u32, |bytes| u32::from_le_bytes(*bytes), u64);
            #[inline(always)]
            fn decode($raw: U4) -> [F4; 4] {
                $decode
            }
        }
    )*};
}

dword_format! {
    Rgba8 15 false |raw| [byte(raw, 0), byte(raw, 8), byte(raw, 16), byte(raw, 24)];
    Bgra8 15 false |raw| [byte(raw, 16), byte(raw, 8), byte(raw, 0), byte(raw, 24)];
    Rgba8Srgb 15 false |raw| [curve(raw, 0), curve(raw, 8), curve(raw, 16), byte(raw, 24)];
    R32Float 1 true |raw| [raw.map(f32::from_bits), NONE, NONE, ONE];
    R24 1 false |raw| [raw.map(|v| unorm24(v & 0x00ff_ffff)), NONE, NONE, ONE];
}

#[inline(always)]
fn curve(raw: U4, shift: u32) -> F4 {
    raw.map(|v| srgb8((v >> shift) as u8))
}

/// R8_UNORM.
pub(super) struct R8;
impl Format for R8 {
    type Raw = u8;
    const CHANNELS: u8 = 1;
    reads!(u8, |[byte]| *byte, u16);
    #[inline(always)]
    fn decode(raw: Lanes<u8>) -> [F4; 4] {
        [raw.map(unorm8), NONE, NONE, ONE]
    }
}

/// R16_UNORM.
pub(super) struct R16;
impl Format for R16 {
    type Raw = u16;
    const CHANNELS: u8 = 1;
    reads!(u16, |bytes| u16::from_le_bytes(*bytes), u32);
    #[inline(always)]
    fn decode(raw: Lanes<u16>) -> [F4; 4] {
        [raw.map(unorm16), NONE, NONE, ONE]
    }
}

/// The lower or upper half; as [`half::to_f32`](crate::format::half::to_f32), which the tests compare.
#[inline(always)]
fn half(raw: U4, upper: bool) -> F4 {
    raw.map(|v| {
        // Sign, exponent and mantissa to their places: an f32 that is 2^-112 of the value.
        let top = if upper { v } else { v << 16 } as i32;
        let value = f32::from_bits((top >> 3) as u32 & 0x8fff_e000) * f32::from_bits((112 + 127) << 23);
        let special = if value.abs() >= 65536.0 { f32::INFINITY.to_bits() } else { 0 };
        f32::from_bits(value.to_bits() | special)
    })
}

/// R16G16B16A16_FLOAT.
pub(super) struct Rgba16Float;
impl Format for Rgba16Float {
    // Two values for the compiler: of an array it makes one integer, and takes that apart by shifts.
    type Raw = (u32, u32);
    const CHANNELS: u8 = 15;
    const NAN: bool = true;
    reads!((u32, u32), |[a, b, c, d, e, f, g, h]| {
        (u32::from_le_bytes([*a, *b, *c, *d]), u32::from_le_bytes([*e, *f, *g, *h]))
    });
    #[inline(always)]
    fn decode(raw: Lanes<(u32, u32)>) -> [F4; 4] {
        let (low, high) = (raw.map(|(low, _)| low), raw.map(|(_, high)| high));
        [half(low, false), half(low, true), half(high, false), half(high, true)]
    }
}

/// R32G32B32A32_FLOAT.
pub(super) struct Rgba32Float;
impl Format for Rgba32Float {
    type Raw = [u32; 4];
    const CHANNELS: u8 = 15;
    const NAN: bool = true;
    reads!([u32; 4], |bytes| {
        let word = u128::from_le_bytes(*bytes);
        [word as u32, (word >> 32) as u32, (word >> 64) as u32, (word >> 96) as u32]
    });
    #[inline(always)]
    fn decode(raw: Lanes<[u32; 4]>) -> [F4; 4] {
        [
            raw.map(|[v, _, _, _]| f32::from_bits(v)),
            raw.map(|[_, v, _, _]| f32::from_bits(v)),
            raw.map(|[_, _, v, _]| f32::from_bits(v)),
            raw.map(|[_, _, _, v]| f32::from_bits(v)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_exact() {
        for v in 0..=u16::MAX {
            let (Lanes([low, ..]), Lanes([high, ..])) = (
                half(Lanes::splat(0xffff_0000 | u32::from(v)), false),
                half(Lanes::splat(u32::from(v) << 16 | 0xffff), true),
            );
            let expected = crate::format::half::to_f32(v).to_bits();
            assert_eq!((low.to_bits(), high.to_bits()), (expected, expected), "{v:#x}");
        }
    }
}
