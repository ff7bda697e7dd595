//! Decoding of channels from words of memory: one small loop for each kind of bit field.
//!
//! A texel of up to 16 bytes is up to four words; a channel is a bit field of one of them (a 64-bit float is two words). [`ChannelDecode`]
//! holds the constants for a field, computed once for a format; a [`ChannelKernel`] decodes the channels of one kind from the words of
//! many texels. The loops are plain so that compilers vectorise them; each is compiled once for every level of vector instructions
//! (`sample::stages`).
//!
//! Every decoded value is the value of the field rounded once to f32, with the same bits at every vector level. Means of UNORM and SNORM
//! texels are made of unrefined values instead ([`refine`]).

mod byte_planes;
#[cfg(target_arch = "x86_64")]
pub(crate) mod colours;
mod kind;
pub(crate) mod loops;
#[cfg(target_arch = "x86_64")]
pub(crate) mod permute;
pub(crate) mod refine;
#[cfg(target_arch = "x86_64")]
pub(crate) mod vector;

pub(crate) use byte_planes::BytePlanes;
pub(crate) use kind::{ChannelKind, KINDS};

use super::fields::{ChannelField, Numeric};
use super::{convert, half, srgb};
use crate::bits;
use refine::{MantissaField, Refinement};

/// True on 64-bit targets: single texels of blocks are decoded by channel, and less common kinds of channels have loops of their own.
/// Small targets decode blocks.
pub(crate) const ALL_CHANNEL_KINDS: bool = cfg!(target_pointer_width = "64");

/// The constants that decode a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChannelDecode {
    pub(crate) kind: ChannelKind,
    /// Which channel it is, red 0 to alpha 3.
    pub(crate) channel: u8,
    /// The word that holds the field (or the low half of 64 bits).
    pub(crate) word: u8,
    /// The lowest bit of the field in its word. [`SmallFloat`](ChannelKind::SmallFloat): see [`small_float_place`].
    shift: u8,
    /// Bits of the field.
    width: u8,
    /// The mask of the field after the shift, for small floats without the sign. [`Constant`](ChannelKind::Constant): the value.
    mask: u32,
    /// Unorm, snorm, scaled: the factor that the integer is multiplied with last.
    pub(crate) scale: f32,
    /// Unorm, snorm: the correction that makes the product correctly rounded.
    refine: f32,
    /// Snorm: the least integer.
    least: f32,
    /// BC: the endpoints are signed.
    is_signed: bool,
    /// How a [`Rare`](ChannelKind::Rare) field is read.
    numeric: Numeric,
    /// Unorm, snorm: how fields become floats for a mean. Empty on small targets, which decode before they filter.
    pub(crate) whole: [MantissaField; ALL_CHANNEL_KINDS as usize],
}

/// Words 0 to 3 of texels.
pub(crate) type TexelWords<'a> = [&'a [u32]; 4];

/// Channels of texels, red to alpha.
pub(crate) type TexelChannels<'a> = [&'a mut [u32]; 4];

/// Decodes channels that are of one kind, for as many texels as the slices have elements.
pub(crate) type ChannelKernel = fn(&[ChannelDecode], TexelWords<'_>, TexelChannels<'_>);

/// 2^-`bits` for `bits` up to 126.
const fn power(bits: u32) -> f32 {
    f32::from_bits((127 - bits) << 23)
}

/// The scale and the correction of normalized numbers: x * 2^-b * (1 + 1 / (2^b - 1)) = x / (2^b - 1), rounded once up to 24 bits. A
/// number of one bit is its own value.
const fn normalized(bits: u32) -> (f32, f32) {
    if bits == 1 { (1.0, 0.0) } else { (power(bits), 1.0 / bits::mask(bits) as f32) }
}

/// Returns the left shift that moves the highest bit of a small float to bit 31, and the mask of its exponent and mantissa when the
/// exponent starts at bit 23.
const fn small_float_place(shift: u8, width: u32) -> (u8, u32) {
    let magnitude = if width == 16 { 15 } else { width };
    let up = 32_u32.wrapping_sub(width).wrapping_sub(shift as u32);
    (up as u8, (bits::mask(magnitude) as u32) << 28_u32.wrapping_sub(magnitude))
}

impl ChannelDecode {
    /// The decoder of a channel that is not stored and reads as `value`.
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
            is_signed: false,
            numeric: Numeric::Raw,
            whole: [MantissaField::new([0, 1], 0.0, 0.0, 1.0); _],
        }
    }

    /// The decoder of `field`; of the constant `default` where the format does not store the field.
    pub(crate) const fn new(field: &ChannelField, default: u32) -> Self {
        let width = field.width as u32;
        if width == 0 {
            return Self::constant(default);
        }
        let (kind, scale, refine, least) = match field.numeric {
            Numeric::Unorm if width <= 24 => {
                let (scale, refine) = normalized(width);
                let kind = if width == 24 { ChannelKind::UnormUnrefined } else { ChannelKind::Unorm };
                (kind, scale, refine, 0.0)
            }
            Numeric::Snorm if width <= 16 => {
                let (scale, refine) = normalized(width - 1);
                (ChannelKind::Snorm, scale, refine, -(bits::mask(width - 1) as f32))
            }
            Numeric::Unorm if ALL_CHANNEL_KINDS && width == 32 => {
                (ChannelKind::Unorm32, convert::UNORM32, 0.0, 0.0)
            }
            Numeric::Snorm if ALL_CHANNEL_KINDS && width == 32 => {
                (ChannelKind::Snorm32, convert::SNORM32, 0.0, 0.0)
            }
            Numeric::Srgb if width == 8 => (ChannelKind::Srgb8, 1.0, 0.0, 0.0),
            Numeric::Srgb if ALL_CHANNEL_KINDS && matches!(width, 4..=6) => {
                (ChannelKind::SrgbNarrow, 1.0, 0.0, 0.0)
            }
            Numeric::Srgb if ALL_CHANNEL_KINDS && width == 10 => (ChannelKind::Srgb10, 1.0, 0.0, 0.0),
            Numeric::Float if width <= 16 => (ChannelKind::SmallFloat, power(half::UNSCALED), 0.0, 0.0),
            Numeric::Float if ALL_CHANNEL_KINDS && width == 64 => (ChannelKind::Double, 1.0, 0.0, 0.0),
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
        let (shift, mask) = match kind {
            ChannelKind::SmallFloat => small_float_place(shift, width),
            _ => (shift, mask),
        };
        let numeric = field.numeric;
        let width = field.width;
        let whole = [MantissaField::new([shift, width], least, refine, scale); _];
        Self { kind, word, shift, width, mask, scale, refine, least, numeric, whole, ..Self::constant(0) }
    }

    /// The decoder of a 9-bit mantissa that starts at bit `shift`; the exponent is in bits 31:27.
    pub(crate) const fn with_exponent(shift: u8) -> Self {
        Self { kind: ChannelKind::SharedExponent, shift, width: 9, mask: 0x1ff, ..Self::constant(0) }
    }

    /// The decoder of `width` bits of a word from bit `shift` up.
    pub(crate) const fn bits(word: u8, shift: u8, width: u8, numeric: Numeric) -> Self {
        Self { word, ..Self::new(&ChannelField { shift, width, numeric }, 0) }
    }

    /// The decoder of a colour of a BC block whose endpoints are in `word`.
    pub(crate) const fn bc_colour(word: u8, shift: u8, width: u8, srgb: bool) -> Self {
        let mask = bits::mask(width as u32) as u32;
        let kind = if srgb { ChannelKind::BcColourSrgb } else { ChannelKind::BcColour };
        Self { kind, word, shift, width, mask, ..Self::constant(0) }
    }

    /// The decoder of the alpha of a BC1 block.
    pub(crate) const fn bc1_alpha() -> Self {
        Self { kind: ChannelKind::Bc1Alpha, ..Self::constant(0) }
    }

    /// The decoder of a value of a BC block whose endpoints are in `word`.
    pub(crate) const fn bc_ramp(word: u8, is_signed: bool) -> Self {
        Self { kind: ChannelKind::BcRamp, word, is_signed, ..Self::constant(0) }
    }

    /// The same decoder for channel number `channel`.
    pub(crate) const fn of(self, channel: u8) -> Self {
        Self { channel, ..self }
    }

    /// How the channel's means are refined: [`Refinement::NONE`] if they are made of decoded values.
    pub(crate) const fn refinement(&self) -> Refinement {
        let refines = matches!(self.kind, ChannelKind::Unorm | ChannelKind::Snorm);
        if refines { Refinement(self.refine) } else { Refinement::NONE }
    }

    /// The same decoder for texels of blocks, with means of decoded values. Several code paths lead to a texel of a block, some of which
    /// give decoded values, so that all of them take means of those.
    pub(crate) const fn of_block(self) -> Self {
        let kind = match self.kind {
            ChannelKind::Unorm => ChannelKind::UnormUnrefined,
            ChannelKind::Snorm => ChannelKind::SnormUnrefined,
            other => other,
        };
        Self { kind, ..self }
    }

    /// The word that holds the field, and the next one.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "below 4")]
    pub(crate) fn words<'a, W>(&self, words: &'a [W; 4]) -> [&'a W; 2] {
        [self.word, self.word.wrapping_add(1)].map(|word| &words[usize::from(word & 3)])
    }

    /// The byte of the word in which the field starts.
    #[inline(always)]
    pub(crate) const fn first_byte(&self) -> usize {
        (self.shift / 8) as usize
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

impl ChannelDecode {
    /// The value before it is multiplied by `scale`, a power of two.
    #[inline(always)]
    fn unscaled_unorm(&self, word: u32) -> f32 {
        let x = self.unsigned(word) as i32 as f32;
        x + x * self.refine
    }

    #[inline(always)]
    fn unorm(&self, word: u32) -> u32 {
        (self.unscaled_unorm(word) * self.scale).to_bits()
    }

    /// The value before it is multiplied by `scale`, a power of two.
    #[inline(always)]
    fn unscaled_snorm(&self, word: u32) -> f32 {
        let x = self.signed(word) as f32;
        let x = if x > self.least { x } else { self.least };
        x + x * self.refine
    }

    #[inline(always)]
    fn snorm(&self, word: u32) -> u32 {
        (self.unscaled_snorm(word) * self.scale).to_bits()
    }

    /// The value before it is multiplied by `scale`, a power of two.
    #[inline(always)]
    fn unscaled_unorm32(&self, word: u32) -> f32 {
        convert::wide(word, convert::UNORM32)
    }

    /// The value before it is multiplied by `scale`, a power of two.
    #[inline(always)]
    fn unscaled_snorm32(&self, word: u32) -> f32 {
        convert::wide_signed(word as i32)
    }

    /// Returns the magnitude of a small float, with its exponent (5 bits, bias 15) at bit 23 and the mantissa below, and its sign at bit
    /// 31.
    #[inline(always)]
    const fn small_float_parts(&self, word: u32) -> [u32; 2] {
        let field = word.wrapping_shl(self.shift as u32);
        let sign = ((self.width == 16) as u32) << 31;
        [field.wrapping_shr(4_u32.wrapping_sub(sign >> 31)) & self.mask, field & sign]
    }

    #[inline(always)]
    fn small_float(&self, word: u32) -> u32 {
        let [magnitude, sign] = self.small_float_parts(word);
        half::rebias(magnitude) | sign
    }

    /// The value before it is multiplied by `scale`, a power of two. A NaN stays a NaN, with unspecified bits.
    #[inline(always)]
    fn unscaled_small_float(&self, word: u32) -> f32 {
        let [magnitude, sign] = self.small_float_parts(word);
        f32::from_bits(half::unscaled(magnitude).to_bits() | sign)
    }

    #[inline(always)]
    fn uscaled(&self, word: u32) -> u32 {
        (self.unsigned(word) as f32).to_bits()
    }

    #[inline(always)]
    fn sscaled(&self, word: u32) -> u32 {
        (self.signed(word) as f32 * self.scale).to_bits()
    }

    #[inline(always)]
    fn srgb8(&self, word: u32) -> u32 {
        srgb::decode8(word.wrapping_shr(self.shift.into()) as u8).to_bits()
    }

    /// The linear values of the codes in the lower three bytes of a word.
    #[inline(always)]
    pub(crate) fn srgb_bytes(word: u32) -> [f32; 3] {
        let [a, b, c, _] = word.to_le_bytes();
        [srgb::decode8(a), srgb::decode8(b), srgb::decode8(c)]
    }

    #[inline(always)]
    fn srgb_narrow(&self, word: u32) -> u32 {
        srgb::narrow(self.unsigned(word), self.width.into()).to_bits()
    }

    #[inline(always)]
    fn shared_exponent(&self, word: u32) -> u32 {
        let scale = f32::from_bits((word >> 27).wrapping_add(127 - 24) << 23);
        (self.unsigned(word) as i32 as f32 * scale).to_bits()
    }

    /// The nearest f32 of a 64-bit float; `low` has bits 31:0.
    #[inline(always)]
    fn double(low: u32, high: u32) -> f32 {
        convert::double(u64::from(high) << 32 | u64::from(low))
    }

    #[inline(never)]
    fn rare(&self, low: u32, high: u32) -> u32 {
        let width = self.width.into();
        let value = match self.numeric {
            Numeric::Unorm => convert::unorm(self.unsigned(low), width),
            Numeric::Snorm => convert::snorm(self.signed(low), width),
            Numeric::Srgb => srgb::decode(self.unsigned(low), width),
            // 64-bit floats on small targets, the only ones without a loop.
            Numeric::Float => Self::double(low, high),
            Numeric::Uint
            | Numeric::Sint
            | Numeric::Uscaled
            | Numeric::Sscaled
            | Numeric::Sfixed
            | Numeric::Raw => return self.unsigned(low),
        };
        value.to_bits()
    }

    /// The sum of both endpoints, each times its weight in sixths.
    #[inline(always)]
    fn bc_sum(&self, endpoints: u32, sixths: u32) -> u32 {
        let field = |colour: u32| colour.wrapping_shr(self.shift.into()) & self.mask;
        let (first, second) = (field(endpoints & 0xffff), field(endpoints >> 16));
        first.wrapping_mul(sixths & 7).wrapping_add(second.wrapping_mul(sixths >> 3))
    }

    /// The largest [sum](Self::bc_sum): six times the largest code of 6 or 5 bits.
    #[inline(always)]
    const fn bc_range(&self) -> f32 {
        if self.width == 6 { 378.0 } else { 186.0 }
    }

    #[inline(always)]
    fn read_bc_colour(&self, endpoints: u32, sixths: u32) -> u32 {
        (self.bc_sum(endpoints, sixths) as i32 as f32 / self.bc_range()).to_bits()
    }

    /// The alpha of BC1: 0 if neither endpoint has a weight (the black of blocks of three colours), else 1.
    #[inline(always)]
    fn read_bc1_alpha(sixths: u32) -> u32 {
        if sixths == 0 { 0 } else { 1.0_f32.to_bits() }
    }

    #[inline(always)]
    fn read_bc_ramp(&self, endpoints: u32, selector: u32) -> u32 {
        let (sign, lowest, range) = if self.is_signed { (0x80, -1.0, 127.0) } else { (0, 0.0, 255.0) };
        let value = |v: u32| (v & 0xff ^ sign).wrapping_sub(sign) as i32;
        let (a, b) = (value(endpoints), value(endpoints >> 8));
        let six = a > b;
        // After the comparison of the endpoints: -128 is -127 in sums only.
        let least = |v: i32| if v < -127 { -127 } else { v };
        let (a, b) = (least(a), least(b));
        let steps = if six { 7 } else { 5 };
        let step = selector.wrapping_sub(1) as i32;
        let step = if step < 0 { 0 } else { step };
        let step = if selector == 1 { steps } else { step };
        let sum = a.wrapping_mul(steps.wrapping_sub(step)).wrapping_add(b.wrapping_mul(step));
        let value = sum as f32 / if six { 7.0 * range } else { 5.0 * range };
        let end = if selector == 7 { 1.0 } else { lowest };
        (if !six && selector >= 6 { end } else { value }).to_bits()
    }

    /// The channel of one texel: `low` is the word of its field, `high` the word after it.
    pub(crate) fn read(&self, low: u32, high: u32) -> u32 {
        match self.kind {
            ChannelKind::Unorm | ChannelKind::UnormUnrefined => self.unorm(low),
            ChannelKind::Snorm | ChannelKind::SnormUnrefined => self.snorm(low),
            ChannelKind::Unorm32 if ALL_CHANNEL_KINDS => (self.unscaled_unorm32(low) * self.scale).to_bits(),
            ChannelKind::Snorm32 if ALL_CHANNEL_KINDS => (self.unscaled_snorm32(low) * self.scale).to_bits(),
            ChannelKind::SmallFloat => self.small_float(low),
            ChannelKind::Double if ALL_CHANNEL_KINDS => Self::double(low, high).to_bits(),
            ChannelKind::Word => low,
            ChannelKind::Uint => self.unsigned(low),
            ChannelKind::Sint => self.signed(low) as u32,
            ChannelKind::Uscaled => self.uscaled(low),
            ChannelKind::Sscaled => self.sscaled(low),
            ChannelKind::Srgb8 => self.srgb8(low),
            ChannelKind::SharedExponent => self.shared_exponent(low),
            ChannelKind::SrgbNarrow | ChannelKind::Srgb10 if ALL_CHANNEL_KINDS => self.srgb_narrow(low),
            ChannelKind::BcColour if ALL_CHANNEL_KINDS => self.read_bc_colour(low, high),
            ChannelKind::BcColourSrgb if ALL_CHANNEL_KINDS => {
                curve(bc_curve(self.width == 6), self.bc_sum(low, high))
            }
            ChannelKind::Bc1Alpha if ALL_CHANNEL_KINDS => Self::read_bc1_alpha(high),
            ChannelKind::BcRamp if ALL_CHANNEL_KINDS => self.read_bc_ramp(low, high),
            ChannelKind::BcColour | ChannelKind::BcColourSrgb | ChannelKind::Bc1Alpha => 0,
            ChannelKind::BcRamp | ChannelKind::SrgbNarrow | ChannelKind::Srgb10 => 0,
            ChannelKind::Unorm32 | ChannelKind::Snorm32 | ChannelKind::Double => 0,
            ChannelKind::Rare => self.rare(low, high),
            ChannelKind::Constant => self.mask,
        }
    }
}

/// The bits of an entry of a table of values up to 1; past its end those of 1.
#[inline(always)]
fn curve(table: &[f32], at: u32) -> u32 {
    table.get(at as usize).copied().unwrap_or(1.0).to_bits()
}

/// The table of the linear values of sRGB codes of 5 bits, or of 6 bits (`six`), by [sum](ChannelDecode::bc_sum) of sixths.
#[inline(always)]
fn bc_curve(six: bool) -> &'static [f32] {
    #[cfg(feature = "bc")]
    {
        if six { &srgb::OF_SIX } else { &srgb::OF_FIVE }
    }
    #[cfg(not(feature = "bc"))]
    {
        let _ = six;
        &[]
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::{ChannelDecode, ChannelKind};
    use crate::format::{SurfaceFormat, info};

    /// The layout that [`ChannelDecode::srgb_bytes`] and the look-ups by permutations rely on.
    #[test]
    fn srgb_channels_of_8_bits_are_bytes_of_words() {
        let mut seen = 0;
        for row in (0..=0x3ff).filter_map(|code| info(SurfaceFormat(code))) {
            let stored = info(row.decoded_format()).unwrap_or(row);
            for row in [row, stored] {
                let channels: Vec<ChannelDecode> = row
                    .all_channels()
                    .into_iter()
                    .filter(|decode| decode.kind == ChannelKind::Srgb8)
                    .collect();
                for decode in &channels {
                    assert!(decode.shift.is_multiple_of(8) && decode.word < 4, "{decode:?}");
                }
                if let [first, _, _] = &channels[..] {
                    let together =
                        |decode: &ChannelDecode| decode.word == first.word && decode.first_byte() < 3;
                    assert!(channels.iter().all(together), "{row:?}");
                }
                seen += channels.len();
            }
        }
        assert!(seen > 30, "{seen}");
    }
}
