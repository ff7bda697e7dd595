//! From words of memory to channels: one small loop for each way to read a bit field.
//!
//! A texel of up to 16 bytes is up to four words; a channel is a bit field of one of them (a 64-bit float is two
//! words). [`ChannelDecode`] holds the numbers that a field needs, made once for a format; a [`ChannelKernel`] turns
//! the words of many texels into one channel. The loops are plain so that compilers make vectors of them; each is
//! compiled once for every level of vector instructions (`sample::stages`).
//!
//! Every result is the value of the field rounded once to f32, the same bits at every level.

use super::shape::{Field, Numeric};
use super::{convert, half, srgb};
use crate::bits;

/// How a channel is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) enum ChannelKind {
    /// Unsigned normalized, 1 to 24 bits.
    Unorm,
    /// Signed normalized, 2 to 16 bits.
    Snorm,
    /// Floats of 16, 11 and 10 bits.
    SmallFloat,
    /// 32 bits as they are: floats, integers, raw bits.
    Word,
    /// Unsigned integers of less than 32 bits.
    Uint,
    /// Signed integers of less than 32 bits.
    Sint,
    /// The value of an unsigned integer as a float.
    Uscaled,
    /// The value of a signed integer as a float; fixed point with a scale.
    Sscaled,
    /// sRGB code of 8 bits.
    Srgb8,
    /// 9 bits of mantissa with the exponent in the word's top 5 bits.
    SharedExponent,
    /// Whatever is too rare for a loop of its own: normalized integers of more bits, sRGB codes of other
    /// widths, 64-bit floats.
    Rare,
    /// The channel is not stored: a constant.
    Constant,
}

/// Number of [`ChannelKind`]s.
pub(crate) const KINDS: usize = ChannelKind::Constant as usize + 1;

/// The numbers with which a channel is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChannelDecode {
    pub(crate) kind: ChannelKind,
    /// Which channel it is, red 0 to alpha 3.
    pub(crate) channel: u8,
    /// The word that holds the field (or the low half of 64 bits).
    pub(crate) word: u8,
    /// Where the field starts in its word.
    shift: u8,
    /// Bits of the field.
    width: u8,
    /// The field's bits after the shift; [`Constant`](ChannelKind::Constant): the value.
    mask: u32,
    /// Unorm, snorm, scaled: what the integer is multiplied with last.
    scale: f32,
    /// Unorm, snorm: the correction that makes the product correctly rounded.
    refine: f32,
    /// Snorm: the least integer.
    least: f32,
    /// How a [`Rare`](ChannelKind::Rare) field is read.
    numeric: Numeric,
}

/// Words 0 to 3 of texels.
pub(crate) type TexelWords<'a> = [&'a [u32]; 4];

/// Channels of texels, red to alpha.
pub(crate) type TexelChannels<'a> = [&'a mut [u32]; 4];

/// Reads channels that are of one kind, of as many texels as the slices have elements.
pub(crate) type ChannelKernel = fn(&[ChannelDecode], TexelWords<'_>, TexelChannels<'_>);

/// 2^-`bits` for `bits` up to 126.
const fn power(bits: u32) -> f32 {
    f32::from_bits((127 - bits) << 23)
}

impl ChannelDecode {
    /// A channel that is not stored.
    pub(crate) const fn constant(value: u32) -> Self {
        Self {
            kind: ChannelKind::Constant,
            channel: 0,
            word: 0,
            shift: 0,
            width: 0,
            mask: value,
            scale: 1.0,
            refine: 0.0,
            least: 0.0,
            numeric: Numeric::Raw,
        }
    }

    /// How `field` is read; `default` where the format does not store it.
    pub(crate) const fn new(field: &Field, default: u32) -> Self {
        let width = field.width as u32;
        if width == 0 {
            return Self::constant(default);
        }
        let (kind, scale, refine, least) = match field.numeric {
            // x * 2^-b * (1 + 1 / (2^b - 1)) = x / (2^b - 1), rounded once up to 24 bits.
            Numeric::Unorm if width <= 24 => {
                (ChannelKind::Unorm, power(width), 1.0 / bits::mask(width) as f32, 0.0)
            }
            Numeric::Snorm if width <= 16 => {
                let largest = bits::mask(width - 1) as f32;
                (ChannelKind::Snorm, power(width - 1), 1.0 / largest, -largest)
            }
            Numeric::Srgb if width == 8 => (ChannelKind::Srgb8, 1.0, 0.0, 0.0),
            Numeric::Float if width <= 16 => (ChannelKind::SmallFloat, 1.0, 0.0, 0.0),
            Numeric::Float | Numeric::Uint | Numeric::Sint | Numeric::Raw if width == 32 => {
                (ChannelKind::Word, 1.0, 0.0, 0.0)
            }
            Numeric::Uint | Numeric::Raw => (ChannelKind::Uint, 1.0, 0.0, 0.0),
            Numeric::Sint => (ChannelKind::Sint, 1.0, 0.0, 0.0),
            Numeric::Uscaled => (ChannelKind::Uscaled, 1.0, 0.0, 0.0),
            Numeric::Sscaled => (ChannelKind::Sscaled, 1.0, 0.0, 0.0),
            Numeric::Sfixed => (ChannelKind::Sscaled, 1.0 / 65536.0, 0.0, 0.0),
            Numeric::Unorm | Numeric::Snorm | Numeric::Srgb | Numeric::Float => {
                (ChannelKind::Rare, 1.0, 0.0, 0.0)
            }
        };
        let (word, shift) = (field.shift / 32, field.shift % 32);
        let mask = bits::mask(width) as u32;
        let numeric = field.numeric;
        Self { kind, channel: 0, word, shift, width: field.width, mask, scale, refine, least, numeric }
    }

    /// A 9-bit mantissa that starts at bit `shift`; the exponent is in bits 31:27.
    pub(crate) const fn shared_exponent(shift: u8) -> Self {
        Self { kind: ChannelKind::SharedExponent, shift, width: 9, mask: 0x1ff, ..Self::constant(0) }
    }

    /// The same where the field's word is the first.
    pub(crate) const fn in_first_word(self) -> Self {
        Self { word: 0, channel: 0, ..self }
    }

    /// The same for channel number `channel`.
    pub(crate) const fn of(self, channel: u8) -> Self {
        Self { channel, ..self }
    }

    #[inline(always)]
    const fn unsigned(&self, word: u32) -> u32 {
        word.wrapping_shr(self.shift as u32) & self.mask
    }

    #[inline(always)]
    const fn signed(&self, word: u32) -> i32 {
        let unused = 32 - self.width as u32;
        (word.wrapping_shl(unused.wrapping_sub(self.shift as u32)) as i32).wrapping_shr(unused)
    }
}

/// Runs `one` for each of the channels, with the word of its field, the word after it and the channel.
#[inline(always)]
fn channels(
    all: &[ChannelDecode],
    words: TexelWords<'_>,
    out: TexelChannels<'_>,
    one: impl Fn(&ChannelDecode, &[u32], &[u32], &mut [u32]),
) {
    let [r, g, b, a] = out;
    for d in all {
        let out = match d.channel {
            0 => &mut *r,
            1 => &mut *g,
            2 => &mut *b,
            _ => &mut *a,
        };
        let word = |number: u8| {
            let [first, second, third, fourth] = words;
            match number & 3 {
                0 => first,
                1 => second,
                2 => third,
                _ => fourth,
            }
        };
        one(d, word(d.word), word(d.word.wrapping_add(1)), out);
    }
}

#[inline(always)]
fn each(low: &[u32], out: &mut [u32], f: impl Fn(u32) -> u32) {
    for (out, word) in out.iter_mut().zip(low) {
        *out = f(*word);
    }
}

/// Defines the kernels from functions that read one channel.
macro_rules! kernels {
    ($($kernel:ident)*) => {
        /// The kernels, each for channels of one kind.
        pub(crate) mod kernel {
            use super::{ChannelDecode, TexelChannels, TexelWords};
            $(#[inline(always)]
            pub(crate) fn $kernel(all: &[ChannelDecode], words: TexelWords<'_>, out: TexelChannels<'_>) {
                super::channels(all, words, out, super::$kernel);
            })*
        }

        /// The kernels in the order of [`ChannelKind`], with the instructions of the crate's target.
        pub(crate) const KERNELS: [ChannelKernel; KINDS] = [$(kernel::$kernel),*];
    };
}

kernels!(unorm snorm small_float word uint sint uscaled sscaled srgb8 shared_exponent rare constant);

#[inline(always)]
fn unorm(d: &ChannelDecode, low: &[u32], _: &[u32], out: &mut [u32]) {
    each(low, out, |word| {
        let x = d.unsigned(word) as i32 as f32;
        ((x + x * d.refine) * d.scale).to_bits()
    });
}

#[inline(always)]
fn snorm(d: &ChannelDecode, low: &[u32], _: &[u32], out: &mut [u32]) {
    each(low, out, |word| {
        let x = d.signed(word) as f32;
        let x = if x > d.least { x } else { d.least };
        ((x + x * d.refine) * d.scale).to_bits()
    });
}

/// Exponent (5 bits, bias 15) and mantissa move to where f32 has them, the sign too if there is one.
#[inline(always)]
fn small_float(d: &ChannelDecode, low: &[u32], _: &[u32], out: &mut [u32]) {
    let mantissa = if d.width == 16 { 10 } else { u32::from(d.width).wrapping_sub(5) };
    let up = 23_u32.wrapping_sub(mantissa);
    let magnitude_bits = d.mask & 0x7fff;
    let sign_bit = d.mask & 0x8000;
    each(low, out, |word| {
        let bits = word.wrapping_shr(d.shift.into());
        let magnitude = (bits & magnitude_bits).wrapping_shl(up);
        half::rebias(magnitude) | (bits & sign_bit) << 16
    });
}

#[inline(always)]
fn word(_: &ChannelDecode, low: &[u32], _: &[u32], out: &mut [u32]) {
    each(low, out, |word| word);
}

#[inline(always)]
fn uint(d: &ChannelDecode, low: &[u32], _: &[u32], out: &mut [u32]) {
    each(low, out, |word| d.unsigned(word));
}

#[inline(always)]
fn sint(d: &ChannelDecode, low: &[u32], _: &[u32], out: &mut [u32]) {
    each(low, out, |word| d.signed(word) as u32);
}

#[inline(always)]
fn uscaled(d: &ChannelDecode, low: &[u32], _: &[u32], out: &mut [u32]) {
    each(low, out, |word| (d.unsigned(word) as f32).to_bits());
}

#[inline(always)]
fn sscaled(d: &ChannelDecode, low: &[u32], _: &[u32], out: &mut [u32]) {
    each(low, out, |word| (d.signed(word) as f32 * d.scale).to_bits());
}

#[inline(always)]
fn srgb8(d: &ChannelDecode, low: &[u32], _: &[u32], out: &mut [u32]) {
    each(low, out, |word| srgb::decode8(word.wrapping_shr(d.shift.into()) as u8).to_bits());
}

#[inline(always)]
fn shared_exponent(d: &ChannelDecode, low: &[u32], _: &[u32], out: &mut [u32]) {
    each(low, out, |word| {
        let scale = f32::from_bits((word >> 27).wrapping_add(127 - 24) << 23);
        (d.unsigned(word) as i32 as f32 * scale).to_bits()
    });
}

#[inline(always)]
fn constant(d: &ChannelDecode, _: &[u32], _: &[u32], out: &mut [u32]) {
    out.fill(d.mask);
}

#[inline(always)]
fn rare(d: &ChannelDecode, low: &[u32], high: &[u32], out: &mut [u32]) {
    for ((out, low), high) in out.iter_mut().zip(low).zip(high) {
        *out = one_rare(d, *low, *high);
    }
}

#[inline(never)]
fn one_rare(d: &ChannelDecode, low: u32, high: u32) -> u32 {
    let width = d.width.into();
    let value = match d.numeric {
        Numeric::Unorm => convert::unorm(d.unsigned(low), width),
        Numeric::Snorm => convert::snorm(d.signed(low), width),
        Numeric::Srgb => srgb::decode(d.unsigned(low), width),
        // The only floats that no loop reads.
        Numeric::Float => convert::double(u64::from(high) << 32 | u64::from(low)),
        Numeric::Uint
        | Numeric::Sint
        | Numeric::Uscaled
        | Numeric::Sscaled
        | Numeric::Sfixed
        | Numeric::Raw => {
            return d.unsigned(low);
        }
    };
    value.to_bits()
}
