//! The decoding loops, one for each kind of channel: stages are compiled from them.

use super::{ChannelDecode, ChannelKind, TexelChannels, TexelWords, bc_curve, curve};

/// Decodes channels of one kind. Functions of types are always inlined into the stages that call them and get their vector instructions;
/// closures are not.
pub(crate) trait DecodeChannel {
    /// The channel of a texel: `low` is the word of its field, `high` the word after it.
    fn read(decode: &ChannelDecode, low: u32, high: u32) -> u32;

    /// The channel of several texels; all slices have one length.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "slices of one length, indexed below it")]
    fn read_all(decode: &ChannelDecode, low: &[u32], high: &[u32], out: &mut [u32]) {
        let count = out.len();
        let (low, high) = (&low[..count], &high[..count]);
        for i in 0..count {
            out[i] = Self::read(decode, low[i], high[i]);
        }
    }

    /// The table of the kind's values, if [`read`](Self::read) gives indices into one. Values are looked up afterwards (see [`look_up`]):
    /// compilers do not vectorise a loop with a look-up.
    fn table(_: &ChannelDecode) -> Option<&'static [f32]> {
        None
    }
}

/// Decodes channels of one kind to floats, within a filter.
pub(crate) trait DecodeFloat {
    /// True if [`texel`](Self::texel) leaves out the product with the decoder's scale, which the filter then applies to its sum. A power
    /// of two after the filter gives the same bits as before it: the least value is 2^-32 and the least weight 2^-72, so that no product
    /// is subnormal; the largest value is less than 2^128 - 2^117, so that no sum of weighted values overflows.
    const SCALED: bool;
    /// The value of a texel, see [`SCALED`](Self::SCALED).
    fn texel(decode: &ChannelDecode, low: u32, high: u32) -> f32;
}

/// Defines types that decode a kind of channels.
macro_rules! decoders {
    ($($kind:ident: |$d:ident, $low:ident, $high:ident| $bits:expr $(, filtered $value:expr, scaled $scaled:literal)?
       $(, of $table:expr)?;)*) => {
        $(pub(crate) struct $kind;
        impl DecodeChannel for $kind {
            #[inline(always)]
            fn read($d: &ChannelDecode, $low: u32, $high: u32) -> u32 {
                $bits
            }
            $(#[inline(always)]
            fn table($d: &ChannelDecode) -> Option<&'static [f32]> {
                Some($table)
            })?
        }
        $(impl DecodeFloat for $kind {
            const SCALED: bool = $scaled;
            #[inline(always)]
            fn texel($d: &ChannelDecode, $low: u32, $high: u32) -> f32 {
                $value
            }
        })?)*
    };
}

decoders! {
    Unorm: |d, low, _high| d.unorm(low), filtered d.unscaled_unorm(low), scaled true;
    Snorm: |d, low, _high| d.snorm(low), filtered d.unscaled_snorm(low), scaled true;
    UnormUnrefined: |d, low, _high| d.unorm(low), filtered d.unscaled_unorm(low), scaled true;
    SnormUnrefined: |d, low, _high| d.snorm(low), filtered d.unscaled_snorm(low), scaled true;
    Unorm32: |d, low, _high| (d.unscaled_unorm32(low) * d.scale).to_bits(),
        filtered d.unscaled_unorm32(low), scaled true;
    Snorm32: |d, low, _high| (d.unscaled_snorm32(low) * d.scale).to_bits(),
        filtered d.unscaled_snorm32(low), scaled true;
    SmallFloat: |d, low, _high| (d.unscaled_small_float(low) * d.scale).to_bits(),
        filtered d.unscaled_small_float(low), scaled true;
    Double: |_d, low, high| ChannelDecode::double(low, high).to_bits(),
        filtered ChannelDecode::double(low, high), scaled false;
    Word: |_d, low, _high| low, filtered f32::from_bits(low), scaled false;
    Uint: |d, low, _high| d.unsigned(low);
    Sint: |d, low, _high| d.signed(low) as u32;
    Uscaled: |d, low, _high| d.uscaled(low), filtered f32::from_bits(d.uscaled(low)), scaled false;
    Sscaled: |d, low, _high| d.sscaled(low), filtered f32::from_bits(d.sscaled(low)), scaled false;
    Srgb8: |d, low, _high| d.srgb8(low), filtered f32::from_bits(d.srgb8(low)), scaled false;
    SharedExponent: |d, low, _high| d.shared_exponent(low),
        filtered f32::from_bits(d.shared_exponent(low)), scaled false;
    SrgbNarrow: |d, low, _high| d.srgb_narrow(low),
        filtered f32::from_bits(d.srgb_narrow(low)), scaled false;
    Srgb10: |d, low, _high| d.srgb_narrow(low),
        filtered f32::from_bits(d.srgb_narrow(low)), scaled false;
    BcColour: |d, low, high| d.read_bc_colour(low, high);
    BcColourSrgb: |d, low, high| d.bc_sum(low, high), of bc_curve(d.width == 6);
    Bc1Alpha: |_d, _low, high| ChannelDecode::read_bc1_alpha(high);
    BcRamp: |d, low, high| d.read_bc_ramp(low, high), filtered f32::from_bits(d.read_bc_ramp(low, high)), scaled false;
    Rare: |d, low, high| d.rare(low, high);
    Constant: |d, _low, _high| d.mask;
}

/// Decodes channels of every kind: for targets without vectors.
pub(crate) struct AnyKind;

impl DecodeChannel for AnyKind {
    #[inline(always)]
    fn read(d: &ChannelDecode, low: u32, high: u32) -> u32 {
        d.read(low, high)
    }

    /// The most common kind has a loop of its own.
    #[inline(always)]
    fn read_all(d: &ChannelDecode, low: &[u32], high: &[u32], out: &mut [u32]) {
        if d.kind == ChannelKind::Unorm {
            return Unorm::read_all(d, low, high, out);
        }
        for ((out, low), high) in out.iter_mut().zip(low).zip(high) {
            *out = d.read(*low, *high);
        }
    }
}

/// See [`ChannelKernel`](super::ChannelKernel).
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "slices of one length, indexed below it")]
pub(crate) fn decode<D: DecodeChannel>(all: &[ChannelDecode], words: TexelWords<'_>, out: TexelChannels<'_>) {
    let mut out = out;
    for d in all {
        // A copy that no store of the loops can change.
        let d = &{ *d };
        let Some(out) = out.get_mut(usize::from(d.channel)) else { return };
        let [low, high] = [d.word, d.word.wrapping_add(1)].map(|word| words.get(usize::from(word & 3)));
        let (Some(low), Some(high)) = (low, high) else { return };
        // One length for all three: compilers do not vectorise some loops that may end at any of three lengths.
        let count = out.len().min(low.len()).min(high.len());
        let (texels, low, high) = (&mut out[..count], &low[..count], &high[..count]);
        D::read_all(d, low, high, texels);
        look_up::<D>(d, out);
    }
}

/// Replaces the indices that [`DecodeChannel::read`] gave by the floats of the table, if the kind has one.
#[inline(always)]
pub(crate) fn look_up<D: DecodeChannel>(decode: &ChannelDecode, values: &mut [u32]) {
    if let Some(table) = D::table(decode) {
        for value in values {
            *value = curve(table, *value);
        }
    }
}
