//! Surface formats: the contents of an element, and the decoders that turn it into a texel.
//!
//! A [`FormatDecoder`] is made once per surface; after that [`FormatDecoder::decode`] turns an element (a texel,
//! or a block of a compressed format) into a [`Texel`]. Addresses, channel selects and filters are not part of
//! this module.
//!
//! | family | decoding |
//! |---|---|
//! | unorm, snorm, integers, scaled, fixed, float, packed, X/L/I/A, depth and stencil | one table of bit fields ([`ChannelField`]) |
//! | sRGB | the exact curve; tables, except for codes of 4, 5, 6 and 10 bits on small targets |
//! | shared exponent | c * 2^(E - 24), with the mantissa c and the exponent field E |
//! | 64-bit float | rounded to f32; passthru formats of up to four dwords return them unchanged |
//! | palette | colours from the caller's palette, [`FormatDecoder::with_palette`] |
//! | packed YUV | R = Cr, G = Y, B = Cb; [`Planar`] names the planes of planar formats |
//! | BC1..BC7, FXT1 | feature `bc` |
//! | ETC1, ETC2, EAC | feature `etc` |
//! | ASTC, LDR and HDR, every 2D footprint | feature `astc` |
//! | R1_UNORM, MONO8, RAW, 3 and 4 component passthru | cannot be sampled: [`FormatDecoder::new`] returns an error |
//!
//! **NaN**: decoding keeps the payload and sign that memory holds, except that NaNs of 64-bit floats become the
//! canonical NaN. Writeback makes all NaNs canonical, once, at the end.

#[cfg(feature = "astc")]
mod astc;
#[cfg(feature = "bc")]
mod bc;
#[cfg(feature = "bc")]
mod bc6h;
#[cfg(feature = "bc")]
mod bc7;
#[cfg_attr(
    not(any(feature = "bc", feature = "etc")),
    allow(unused, reason = "without these formats nothing makes a block")
)]
mod block;
#[cfg(feature = "bc")]
mod bptc;
pub(crate) mod channel;
mod convert;
mod decoded;
mod decoder;
#[cfg(feature = "etc")]
mod eac;
mod element;
#[cfg(feature = "etc")]
mod etc;
#[cfg_attr(
    not(any(feature = "bc", feature = "etc")),
    allow(unused, unreachable_code, reason = "without these formats nothing makes a block")
)]
mod families;
mod fields;
#[cfg(feature = "bc")]
mod fxt1;
pub mod half;
mod info;
mod names;
mod planar;
pub(crate) mod single_texels;
mod srgb;
mod table;
mod texel;

pub(crate) use channel::{ChannelDecode, ChannelKernel, KINDS, TexelChannels, TexelWords};
pub(crate) use convert::double;
pub use convert::{snorm, snorm8, snorm16, unorm, unorm8, unorm16, unorm24};
pub(crate) use decoded::StoreLayout;
pub use decoded::{BlockStore, DecodedTexel};
pub use decoder::FormatDecoder;
pub use element::Element;
pub use fields::{ChannelField, Numeric};
pub use info::{Codec, FormatInfo};
pub use names::{ASTC_FOOTPRINTS, AstcResult, from_name, name, not_in_prm};
pub use planar::Planar;
pub use srgb::decode8 as srgb8;
pub(crate) use texel::head;
pub use texel::{Texel, TexelKind};

use crate::enums::SurfaceFormat;

/// Returns the format of the same layout without the sRGB curve; `format` itself if it has no sRGB curve.
fn linear(format: &'static FormatInfo) -> &'static FormatInfo {
    #[cfg(feature = "astc")]
    if format.codec == Codec::AstcSrgb {
        return astc::without_srgb(format);
    }
    let plain = |numeric| if numeric == Numeric::Srgb { Numeric::Unorm } else { numeric };
    let fields = format.fields.map(|field| ChannelField { numeric: plain(field.numeric), ..field });
    let wanted = FormatInfo { srgb: false, fields, ..*format };
    let same = |f: &&FormatInfo| FormatInfo { code: format.code, ..**f } == wanted;
    if format.srgb { table::FORMATS.iter().find(same).unwrap_or(format) } else { format }
}

/// Returns the table row of a format; `None` if the code is not defined, or is of ASTC in a build without that feature.
pub fn info(format: SurfaceFormat) -> Option<&'static FormatInfo> {
    #[cfg(feature = "astc")]
    if format.0 & 0x200 != 0 {
        return astc::row(format);
    }
    let at = table::FORMATS.binary_search_by_key(&format.0, |f| f.code.0).ok()?;
    table::FORMATS.get(at)
}

#[cfg(test)]
mod tests;
