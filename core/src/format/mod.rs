//! Surface formats: what an element holds, and codecs that turn it into a texel.
//!
//! A [`FormatDecoder`] is made once per surface; after that [`FormatDecoder::decode`] turns an element (a texel,
//! or one block of a block format) into a [`Texel`]. Nothing here knows addresses, channel
//! selects or filters.
//!
//! | family | how |
//! |---|---|
//! | unorm, snorm, integers, scaled, fixed, float, packed, X/L/I/A, depth and stencil | one table of bit fields ([`ChannelField`]) |
//! | sRGB | the exact curve, a table for 8 bits |
//! | shared exponent | c * 2^(E - 24) |
//! | 64-bit float | rounded to f32; passthru formats give their dwords, as far as four channels hold them |
//! | palette | the caller's palette, [`FormatDecoder::with_palette`] |
//! | packed YUV | R = Cr, G = Y, B = Cb; [`Planar`] names the planes of the planar ones |
//! | BC1..BC7, FXT1 | feature `bc` |
//! | ETC1, ETC2, EAC | feature `etc` |
//! | ASTC, LDR and HDR, every 2D footprint | feature `astc` |
//! | R1_UNORM, MONO8, RAW, 3 and 4 component passthru | not sampled: [`FormatDecoder::new`] says so |
//!
//! **NaN**: decoding keeps what memory holds (payload and sign; 64-bit floats give the canonical
//! NaN). Who writes results back makes NaNs canonical, once, at the end.

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
#[cfg(feature = "bc")]
mod fxt1;
pub mod half;
mod info;
mod names;
mod planar;
mod shape;
mod srgb;
mod table;
pub(crate) mod taps;
mod texel;

pub(crate) use channel::{ChannelDecode, ChannelKernel, KINDS, TexelChannels, TexelWords};
pub(crate) use convert::double;
pub use convert::{snorm, snorm8, snorm16, unorm, unorm8, unorm16, unorm24};
pub(crate) use decoded::StoreLayout;
pub use decoded::{BlockStore, DecodedTexel};
pub use decoder::FormatDecoder;
pub use element::Element;
pub use info::{FormatInfo, Path};
pub use names::{ASTC_FOOTPRINTS, AstcResult, from_name, name, others};
pub use planar::Planar;
pub use shape::{ChannelField, Numeric};
pub use srgb::decode8 as srgb8;
pub(crate) use texel::head;
pub use texel::{Texel, TexelKind};

use crate::enums::SurfaceFormat;

/// The same layout without the sRGB curve; `format` itself when it has none.
fn linear(format: &'static FormatInfo) -> &'static FormatInfo {
    #[cfg(feature = "astc")]
    if format.path == Path::AstcSrgb {
        return astc::without_srgb(format);
    }
    let plain = |numeric| if numeric == Numeric::Srgb { Numeric::Unorm } else { numeric };
    let same = |f: &&FormatInfo| {
        (f.bytes, f.channels, f.srgb) == (format.bytes, format.channels, false)
            && f.fields
                .iter()
                .zip(&format.fields)
                .all(|(f, with)| *f == ChannelField { numeric: plain(with.numeric), ..*with })
            && (f.path == format.path || !f.is_block() && !format.is_block())
    };
    if format.srgb { table::FORMATS.iter().find(same).unwrap_or(format) } else { format }
}

/// The row of a format; `None` = the code is not defined (or ASTC, in a build without it).
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
