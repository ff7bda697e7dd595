//! Decodes every SURFACE_FORMAT by its name (sampling page, section 13).
//!
//! A name lists the components from bit 0 upward, with a type after each group:
//! `R10G10B10_SNORM_A2_UNORM` is R 9:0, G 19:10, B 29:20 as SNORM, A 31:30 as UNORM.
//! Texels are `[f64; 4]` in R, G, B, A order: floats rounded to f32, or the raw 32-bit pattern of an integer.

mod names;

use super::numbers::{Numeric, Texel, little, number, ones, round32, srgb};
use super::{blocks_astc, blocks_bc, blocks_etc, blocks_fxt1};
pub use names::{NAMES, code, name};

/// A component of an uncompressed format.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    /// R, G, B, A, X, L (luminance), I (intensity), P (palette index), Y (luma).
    pub letter: char,
    /// Lowest bit in the element.
    pub low: usize,
    /// Width in bits.
    pub bits: usize,
    /// Numeric type.
    pub kind: Numeric,
}

/// How an element becomes texels.
#[derive(Clone, Debug)]
pub enum Codec {
    /// Components at fixed bits; several texels of less than a byte lie side by side in an element of one byte.
    Components(Vec<Component>),
    /// R9G9B9E5: three mantissas and a common exponent.
    SharedExponent,
    /// Packed 4:2:2, 2x1 texels; the byte positions of Y0, Y1, Cb, Cr.
    Packed422([usize; 4]),
    /// A Y plane and a half-size chroma plane; the number of bytes of a component.
    Planar(usize),
    /// 4x4 block that `blocks_bc` decodes.
    Bc,
    /// 4x4 block that `blocks_etc` decodes.
    Etc,
    /// Block that `blocks_astc` decodes, of the size that the name says.
    Astc,
    /// 8x4 block that `blocks_fxt1` decodes.
    Fxt1,
}

/// A format.
#[derive(Clone, Debug)]
pub struct Format {
    /// Name in the enumeration.
    pub name: &'static str,
    /// Width and height of an element in texels.
    pub block: (usize, usize),
    /// Number of bytes of an element.
    pub bytes: usize,
    /// Texels are raw integers, which are never filtered.
    pub integer: bool,
    /// The integers are signed.
    pub signed: bool,
    /// The red component is UNORM: comparison references are clamped.
    pub unorm: bool,
    /// R, G and B are sRGB-encoded.
    pub srgb: bool,
    /// Which of R, G, B, A are stored; components that are not read as (0, 0, 0, 1).
    pub present: [bool; 4],
    /// How an element becomes texels.
    pub codec: Codec,
}

fn refused(name: &str) -> Result<Format, String> {
    Err(format!("surface format {name} cannot be sampled"))
}

impl Format {
    /// Returns the largest number of roundings of f32 with which an element is decoded: none for floats that f32 represents, two for a
    /// division, which may be a product with a rounded reciprocal. Curves and ramps have a few more.
    pub fn roundings(&self) -> f64 {
        let is_exact =
            |one: &Component| one.kind == Numeric::Float && one.bits <= 32 || one.kind == Numeric::Typeless;
        match &self.codec {
            _ if self.srgb => 8.0,
            Codec::Components(components) if components.iter().all(is_exact) => 0.0,
            Codec::SharedExponent => 0.0,
            Codec::Components(_) => 2.0,
            Codec::Packed422(_) | Codec::Planar(_) => 2.0,
            Codec::Bc | Codec::Etc | Codec::Astc | Codec::Fxt1 => 8.0,
        }
    }

    /// Makes the format with this code of SURFACE_FORMAT.
    ///
    /// # Errors
    /// The code has no meaning, or not one that can be sampled.
    pub fn of(code: u64) -> Result<Self, String> {
        let name = name(code).ok_or_else(|| format!("unknown surface format {code:#x}"))?;
        Ok(match name {
            "RAW" | "R1_UNORM" | "MONO8" => return refused(name),
            "R9G9B9E5_SHAREDEXP" => Format {
                block: (1, 1),
                unorm: false,
                ..Self::with_codec(name, Codec::SharedExponent, 4, "RGB")
            },
            "PLANAR_420_8" | "PLANAR_420_16" => {
                let size = if name.ends_with("16") { 2 } else { 1 };
                Format { block: (1, 1), ..Self::with_codec(name, Codec::Planar(size), size, "RGB") }
            }
            _ if name.starts_with("YCRCB_") => {
                // Byte positions of Y0, Y1, Cb, Cr.
                let bytes = match name {
                    "YCRCB_NORMAL" => [0, 2, 1, 3],
                    "YCRCB_SWAPUV" => [0, 2, 3, 1],
                    "YCRCB_SWAPY" => [1, 3, 0, 2],
                    _ => [1, 3, 2, 0],
                };
                Format { block: (2, 1), ..Self::with_codec(name, Codec::Packed422(bytes), 4, "RGB") }
            }
            _ if name.starts_with("BC") || name.starts_with("DXT") => {
                let bytes = if ["BC1", "DXT", "BC4"].contains(&&name[..3]) { 8 } else { 16 };
                let present = match &name[..3] {
                    "BC4" => "R",
                    "BC5" => "RG",
                    "BC6" | "DXT" => "RGB",
                    _ => "RGBA",
                };
                Self::with_codec(name, Codec::Bc, bytes, present)
            }
            "FXT1" => Format { block: (8, 4), ..Self::with_codec(name, Codec::Fxt1, 16, "RGBA") },
            _ if name.starts_with("ASTC") => {
                let block = blocks_astc::footprint(name);
                Format { block, ..Self::with_codec(name, Codec::Astc, 16, "RGBA") }
            }
            _ if name.starts_with("ETC") || name.starts_with("EAC") => {
                let wide = name.contains("RG11") || name.contains("ETC2_EAC");
                let present = match name {
                    _ if name.contains("RG11") => "RG",
                    _ if name.contains("R11") => "R",
                    _ if name.contains("PTA") || name.contains("ETC2_EAC") => "RGBA",
                    _ => "RGB",
                };
                Self::with_codec(name, Codec::Etc, if wide { 16 } else { 8 }, present)
            }
            _ => return Self::of_components(name),
        })
    }

    /// Returns a format of 4x4 blocks of `bytes` bytes that is not integer, with the channels `present` stored.
    fn with_codec(name: &'static str, codec: Codec, bytes: usize, present: &str) -> Self {
        Format {
            name,
            block: (4, 4),
            bytes,
            integer: false,
            signed: false,
            unorm: !["SNORM", "SIGNED", "BC6H", "HDR"].iter().any(|word| name.contains(word)),
            srgb: name.contains("SRGB"),
            present: ['R', 'G', 'B', 'A'].map(|channel| present.contains(channel)),
            codec,
        }
    }

    /// Returns the format whose components are at fixed bits, as its name lists them.
    fn of_components(name: &'static str) -> Result<Self, String> {
        let components = components(name);
        let bits: usize = components.iter().map(|c| c.bits).sum();
        let dwords = bits / 32;
        let passthru = components.iter().any(|c| c.kind == Numeric::Passthru);
        if passthru && dwords > 4 {
            return refused(name);
        }
        let has = |letters: &str| {
            components.iter().any(|c| c.kind != Numeric::Typeless && letters.contains(c.letter))
        };
        let present = if passthru {
            [true, dwords > 1, dwords > 2, dwords > 3]
        } else {
            // A palette entry has all four components; Y is green, as in every YUV format.
            [has("RLIP"), has("GLIPY"), has("BLIP"), has("AIP")]
        };
        // Without a red component the first component says whether the format is UNORM.
        let red = components.iter().find(|c| "RLIP".contains(c.letter)).or(components.first());
        let red = red.map(|c| c.kind);
        Ok(Format {
            name,
            block: (if bits < 8 { 8 / bits } else { 1 }, 1),
            bytes: bits.div_ceil(8),
            integer: components
                .iter()
                .any(|c| matches!(c.kind, Numeric::Uint | Numeric::Sint | Numeric::Passthru)),
            signed: components.iter().any(|c| c.kind == Numeric::Sint),
            unorm: red == Some(Numeric::Unorm),
            srgb: name.contains("SRGB"),
            present,
            codec: Codec::Components(components),
        })
    }

    /// Returns true if the format needs a palette.
    pub fn palette(&self) -> bool {
        self.name.contains("PALETTE")
    }

    /// Gives missing components their defaults: colour 0, alpha 1 (section 0, consequence 3, and section 13).
    pub fn with_defaults(&self, texel: Texel) -> Texel {
        std::array::from_fn(|c| if self.present[c] { texel[c] } else { f64::from(c as u8 / 3) })
    }

    /// Returns the border colour as a texel of this format (section 0, consequence 3).
    pub fn border(&self, border: [u32; 4]) -> Texel {
        let value =
            |c: usize| if self.integer { f64::from(border[c]) } else { f64::from(f32::from_bits(border[c])) };
        let own = self.with_defaults(std::array::from_fn(value));
        // Luminance and intensity take the red of the border colour.
        let letters: Vec<char> = match &self.codec {
            Codec::Components(list) => list.iter().map(|c| c.letter).collect(),
            _ => Vec::new(),
        };
        match () {
            () if letters.contains(&'I') => [value(0); 4],
            () if letters.contains(&'L') => [value(0), value(0), value(0), own[3]],
            () => own,
        }
    }

    /// Decodes texel (x, y) of an element.
    pub fn decode(&self, element: &[u8], x: usize, y: usize, palette: &[u32], skip_srgb: bool) -> Texel {
        let raw = match &self.codec {
            Codec::Components(list) => self.components(list, element, x, palette),
            Codec::SharedExponent => shared_exponent(element),
            Codec::Packed422([y0, y1, cb, cr]) => {
                let luma = element[if x == 0 { *y0 } else { *y1 }];
                [element[*cr], luma, element[*cb], 0].map(|v| f64::from(v) / 255.0)
            }
            Codec::Planar(_) => unreachable!("planes are fetched by planar()"),
            Codec::Bc => blocks_bc::decode(self.name, element, x, y),
            Codec::Etc => blocks_etc::decode(self.name, element, x, y),
            Codec::Astc => blocks_astc::decode(self.name, element, x, y),
            Codec::Fxt1 => blocks_fxt1::decode(element, x, y),
        };
        let texel = self.with_defaults(raw);
        if self.integer {
            return texel;
        }
        let curve = self.srgb && !skip_srgb;
        std::array::from_fn(|c| round32(if curve && c < 3 { srgb(texel[c]) } else { texel[c] }))
    }

    /// Returns a texel of a planar format from its Y, Cb and Cr, of `bytes` bytes each.
    pub fn planar(&self, [y, cb, cr]: [u64; 3], bytes: usize) -> Texel {
        let max = ones(bytes * 8);
        self.with_defaults([cr, y, cb, 0].map(|v| round32(v as f64 / max)))
    }

    fn components(&self, list: &[Component], element: &[u8], x: usize, palette: &[u32]) -> Texel {
        if list[0].kind == Numeric::Passthru {
            let dword = |i: usize| {
                let bytes = element.get(i * 4..i * 4 + 4)?;
                Some(f64::from(u32::from_le_bytes(bytes.try_into().ok()?)))
            };
            return std::array::from_fn(|c| dword(c).unwrap_or(0.0));
        }
        let total: usize = list.iter().map(|c| c.bits).sum();
        let mut texel = [0.0; 4];
        for component in list {
            let low = component.low + x * if total < 8 { total } else { 0 };
            let v = number_at(element, low, component.bits);
            let value = number(v, component.bits, component.kind);
            match component.letter {
                _ if component.kind == Numeric::Typeless => {}
                'R' => texel[0] = value,
                'G' | 'Y' => texel[1] = value,
                'B' => texel[2] = value,
                'A' => texel[3] = value,
                'L' => texel[..3].fill(value),
                'I' => texel.fill(value),
                'P' => {
                    let argb = palette.get(v as usize).copied().unwrap_or(0);
                    texel = [16, 8, 0, 24].map(|shift| f64::from(argb >> shift & 255) / 255.0);
                }
                _ => {}
            }
        }
        texel
    }
}

/// Returns the number in `bits` bits of an element from bit `low` upward; they must be inside eight bytes.
fn number_at(element: &[u8], low: usize, bits: usize) -> u64 {
    little(&element[low / 8..(low + bits).div_ceil(8)]) >> (low % 8) & (u64::MAX >> (64 - bits))
}

fn shared_exponent(element: &[u8]) -> Texel {
    let v = u32::from_le_bytes(element.try_into().expect("4 bytes"));
    let scale = 2f64.powi((v >> 27) as i32 - 15 - 9);
    [v & 511, v >> 9 & 511, v >> 18 & 511, 0].map(|c| f64::from(c) * scale)
}

/// Parses the components in the name of a format.
fn components(name: &str) -> Vec<Component> {
    let kind = |word: &str| match word {
        "UNORM" => Some(Numeric::Unorm),
        "SNORM" => Some(Numeric::Snorm),
        "UINT" => Some(Numeric::Uint),
        "SINT" => Some(Numeric::Sint),
        "USCALED" => Some(Numeric::Uscaled),
        "SSCALED" => Some(Numeric::Sscaled),
        "FLOAT" => Some(Numeric::Float),
        "SFIXED" => Some(Numeric::Sfixed),
        "PASSTHRU" => Some(Numeric::Passthru),
        "TYPELESS" => Some(Numeric::Typeless),
        _ => None,
    };
    let mut list: Vec<Component> = Vec::new();
    let (mut low, mut untyped) = (0, 0);
    for word in name.split('_') {
        if let Some(kind) = kind(word) {
            for component in &mut list[untyped..] {
                component.kind = if component.letter == 'X' { Numeric::Typeless } else { kind };
            }
            untyped = list.len();
        } else if !word.starts_with("PALETTE") && word != "SRGB" {
            let letters = word.chars().filter(char::is_ascii_alphabetic);
            let sizes = word.split(|c: char| c.is_ascii_alphabetic()).skip(1);
            for (letter, size) in letters.zip(sizes) {
                let bits = size.parse().expect("component size");
                list.push(Component { letter, low, bits, kind: Numeric::Typeless });
                low += bits;
            }
        }
    }
    // The palette index first: an A component next to it replaces the alpha of the palette entry.
    list.sort_by_key(|component| component.letter != 'P');
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texel(name: &str, element: &[u8]) -> Texel {
        Format::of(code(name).unwrap()).unwrap().decode(element, 0, 0, &[], false)
    }

    #[test]
    fn names_say_it_all() {
        // Specification section 13: component order, defaults, mixed types.
        assert_eq!(texel("B5G6R5_UNORM", &[0x1f, 0]), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(texel("R10G10B10_SNORM_A2_UNORM", &[0xff, 1, 0, 0xc0]), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(texel("R24_UNORM_X8_TYPELESS", &[255, 255, 255, 9]), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(texel("X24_TYPELESS_G8_UINT", &[1, 2, 3, 7]), [0.0, 7.0, 0.0, 1.0]);
        assert_eq!(texel("X32_TYPELESS_G8X24_UINT", &[9, 9, 9, 9, 7, 1, 1, 1]), [0.0, 7.0, 0.0, 1.0]);
        assert_eq!(texel("L8A8_UNORM", &[255, 0]), [1.0, 1.0, 1.0, 0.0]);
        assert_eq!(texel("I8_UNORM", &[255]), [1.0; 4]);
        assert_eq!(texel("A8_UNORM", &[255]), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(texel("R32_SFIXED", &0xffff_8000u32.to_le_bytes()), [-0.5, 0.0, 0.0, 1.0]);
        assert_eq!(texel("R64_FLOAT", &1.5f64.to_le_bytes()), [1.5, 0.0, 0.0, 1.0]);
        assert_eq!(texel("R9G9B9E5_SHAREDEXP", &(1u32 | 24 << 27).to_le_bytes()), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(texel("YCRCB_NORMAL", &[255, 0, 0, 255]), [1.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn quotients_are_rounded_once() {
        // (2^32 - 129) / (2^32 - 1) lies just below the middle of the two largest f32 below and at 1.
        assert_eq!(texel("R32_UNORM", &0xffff_ff7fu32.to_le_bytes())[0], f64::from(1.0f32.next_down()));
        assert_eq!(texel("R32_UNORM", &0xffff_ff80u32.to_le_bytes())[0], 1.0);
        assert_eq!(texel("R32_SNORM", &(-0x7fff_ffffi32).to_le_bytes())[0], -1.0);
    }

    #[test]
    fn palette() {
        let format = Format::of(code("A8P8_UNORM_PALETTE0").unwrap()).unwrap();
        let palette = [0, 0x11ff_0000];
        assert_eq!(format.decode(&[255, 1], 0, 0, &palette, false), [1.0, 0.0, 0.0, 1.0]);
        let format = Format::of(code("P2_UNORM_PALETTE0").unwrap()).unwrap();
        assert_eq!((format.block, format.bytes), ((4, 1), 1));
        assert_eq!(format.decode(&[0b0001_0000], 2, 0, &palette, false)[0], 1.0);
    }
}
