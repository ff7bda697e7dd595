//! Every SURFACE_FORMAT, decoded from its name (specification section 13).
//!
//! A name is a list of components from bit 0 upward with a type for each group:
//! `R10G10B10_SNORM_A2_UNORM` is R 9:0, G 19:10, B 29:20 as SNORM, A 31:30 as UNORM.
//! Texels are `[f64; 4]` in R, G, B, A order: floats rounded to f32, or the raw 32-bit pattern of an integer.

use super::{blocks_bc, blocks_etc};

/// Decoded texel: R, G, B, A.
pub type Texel = [f64; 4];

/// What a component's bits mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// v / (2^n - 1).
    Unorm,
    /// max(v / (2^(n-1) - 1), -1).
    Snorm,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Unsigned integer as a float.
    Uscaled,
    /// Signed integer as a float.
    Sscaled,
    /// IEEE float of 64, 32, 16 bits; unsigned small float of 11 or 10 bits.
    Float,
    /// Signed fixed point with 16 fraction bits.
    Sfixed,
    /// Raw dwords.
    Passthru,
    /// Takes room, means nothing.
    Typeless,
}

/// A component of an uncompressed format.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    /// R, G, B, A, X, L (luminance), I (intensity), P (palette index), Y (luma).
    pub letter: char,
    /// Lowest bit of the element.
    pub low: usize,
    /// Bits.
    pub bits: usize,
    /// Meaning.
    pub kind: Kind,
}

/// How an element becomes texels.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Components at fixed bits; an element of less than a byte repeats along x.
    Components(Vec<Component>),
    /// R9G9B9E5.
    SharedExponent,
    /// 2x1 texels; the byte positions of Y0, Y1, Cb, Cr.
    Packed422([usize; 4]),
    /// A Y plane and a half-size chroma plane; bytes of a component.
    Planar(usize),
    /// 4x4 block of blocks_bc.
    Bc,
    /// 4x4 block of blocks_etc.
    Etc,
}

/// A format.
#[derive(Clone, Debug)]
pub struct Format {
    /// Name in the enumeration.
    pub name: &'static str,
    /// Texels of an element.
    pub block: (usize, usize),
    /// Bytes of an element.
    pub bytes: usize,
    /// Texels are raw integers, never filtered.
    pub integer: bool,
    /// Signed ones.
    pub signed: bool,
    /// The red component is UNORM: comparison references are clamped.
    pub unorm: bool,
    /// R, G, B go through the sRGB curve.
    pub srgb: bool,
    /// Components that are stored, R, G, B, A; the others read as (0, 0, 0, 1).
    pub present: [bool; 4],
    /// How an element becomes texels.
    pub layout: Layout,
}

impl Format {
    /// The format with this code.
    ///
    /// # Errors
    /// The code has no meaning, or not one that can be sampled.
    pub fn of(code: u64) -> Result<Self, String> {
        let name = name(code).ok_or_else(|| format!("unknown surface format {code:#x}"))?;
        let refuse = || Err(format!("surface format {name} cannot be sampled"));
        let block = |layout, bytes, integer: bool, present: &str| Format {
            name,
            block: (4, 4),
            bytes,
            integer,
            signed: false,
            unorm: !name.contains("SNORM") && !name.contains("SIGNED") && !name.contains("BC6H"),
            srgb: name.contains("SRGB"),
            present: "RGBA"
                .chars()
                .map(|c| present.contains(c))
                .collect::<Vec<_>>()
                .try_into()
                .expect("four"),
            layout,
        };
        Ok(match name {
            "RAW" | "R1_UNORM" | "MONO8" | "RESERVED_192" => return refuse(),
            "R9G9B9E5_SHAREDEXP" => {
                Format { block: (1, 1), unorm: false, ..block(Layout::SharedExponent, 4, false, "RGB") }
            }
            "PLANAR_420_8" | "PLANAR_420_16" => {
                let size = if name.ends_with("16") { 2 } else { 1 };
                Format { block: (1, 1), ..block(Layout::Planar(size), size, false, "RGB") }
            }
            _ if name.starts_with("YCRCB_") => {
                // byte positions of Y0, Y1, Cb, Cr
                let bytes = match name {
                    "YCRCB_NORMAL" => [0, 2, 1, 3],
                    "YCRCB_SWAPUV" => [0, 2, 3, 1],
                    "YCRCB_SWAPY" => [1, 3, 0, 2],
                    _ => [1, 3, 2, 0],
                };
                Format { block: (2, 1), ..block(Layout::Packed422(bytes), 4, false, "RGB") }
            }
            _ if name.starts_with("BC") || name.starts_with("DXT") => {
                let bytes = if ["BC1", "DXT", "BC4"].contains(&&name[..3]) { 8 } else { 16 };
                let present = match &name[..3] {
                    "BC4" => "R",
                    "BC5" => "RG",
                    "BC6" | "DXT" => "RGB",
                    _ => "RGBA",
                };
                block(Layout::Bc, bytes, false, present)
            }
            _ if name.starts_with("ETC") || name.starts_with("EAC") => {
                let wide = name.contains("RG11") || name.contains("ETC2_EAC");
                let present = match name {
                    _ if name.contains("RG11") => "RG",
                    _ if name.contains("R11") => "R",
                    _ if name.contains("PTA") || name.contains("ETC2_EAC") => "RGBA",
                    _ => "RGB",
                };
                block(Layout::Etc, if wide { 16 } else { 8 }, false, present)
            }
            _ => {
                let components = components(name);
                let bits: usize = components.iter().map(|c| c.bits).sum();
                let dwords = bits / 32;
                let passthru = components.iter().any(|c| c.kind == Kind::Passthru);
                if passthru && dwords > 4 {
                    return refuse();
                }
                let has = |letters: &str| {
                    components.iter().any(|c| c.kind != Kind::Typeless && letters.contains(c.letter))
                };
                let present = if passthru {
                    [true, dwords > 1, dwords > 2, dwords > 3]
                } else {
                    // A palette entry has alpha; Y is green as in every YUV format.
                    [has("RLIP"), has("GLIPY"), has("BLIP"), has("AIP")]
                };
                // Without a red component any other one says how numbers are meant.
                let red = components.iter().find(|c| "RLIP".contains(c.letter)).or(components.first());
                let red = red.map(|c| c.kind);
                Format {
                    name,
                    block: (if bits < 8 { 8 / bits } else { 1 }, 1),
                    bytes: bits.div_ceil(8),
                    integer: components
                        .iter()
                        .any(|c| matches!(c.kind, Kind::Uint | Kind::Sint | Kind::Passthru)),
                    signed: components.iter().any(|c| c.kind == Kind::Sint),
                    unorm: red == Some(Kind::Unorm),
                    srgb: name.contains("SRGB"),
                    present,
                    layout: Layout::Components(components),
                }
            }
        })
    }

    /// The format needs a palette.
    pub fn palette(&self) -> bool {
        self.name.contains("PALETTE")
    }

    /// Missing components get their defaults: green and blue 0, alpha 1 (section 0.3).
    pub fn with_defaults(&self, texel: Texel) -> Texel {
        std::array::from_fn(|c| if self.present[c] { texel[c] } else { f64::from(c as u8 / 3) })
    }

    /// The border value as a texel of this format (section 0.3).
    pub fn border(&self, border: [u32; 4]) -> Texel {
        let value =
            |c: usize| if self.integer { f64::from(border[c]) } else { f64::from(f32::from_bits(border[c])) };
        let own = self.with_defaults(std::array::from_fn(value));
        // Luminance and intensity take red.
        let letters: Vec<char> = match &self.layout {
            Layout::Components(list) => list.iter().map(|c| c.letter).collect(),
            _ => Vec::new(),
        };
        match () {
            () if letters.contains(&'I') => [value(0); 4],
            () if letters.contains(&'L') => [value(0), value(0), value(0), own[3]],
            () => own,
        }
    }

    /// Texel (x, y) of an element.
    pub fn decode(&self, element: &[u8], x: usize, y: usize, palette: &[u32], skip_srgb: bool) -> Texel {
        let raw = match &self.layout {
            Layout::Components(list) => self.components(list, element, x, palette),
            Layout::SharedExponent => shared_exponent(element),
            Layout::Packed422([y0, y1, cb, cr]) => {
                let luma = element[if x == 0 { *y0 } else { *y1 }];
                [element[*cr], luma, element[*cb], 0].map(|v| f64::from(v) / 255.0)
            }
            Layout::Planar(_) => unreachable!("planes are fetched by planar()"),
            Layout::Bc => blocks_bc::decode(self.name, element, x, y),
            Layout::Etc => blocks_etc::decode(self.name, element, x, y),
        };
        let texel = self.with_defaults(raw);
        if self.integer {
            return texel;
        }
        let curve = self.srgb && !skip_srgb;
        std::array::from_fn(|c| round32(if curve && c < 3 { srgb(texel[c]) } else { texel[c] }))
    }

    /// A texel of a planar format from its Y, Cb, Cr bytes.
    pub fn planar(&self, [y, cb, cr]: [u64; 3], bytes: usize) -> Texel {
        let max = ones(bytes * 8);
        self.with_defaults([cr, y, cb, 0].map(|v| round32(v as f64 / max)))
    }

    fn components(&self, list: &[Component], element: &[u8], x: usize, palette: &[u32]) -> Texel {
        if list[0].kind == Kind::Passthru {
            let dword = |i: usize| {
                let bytes = element.get(i * 4..i * 4 + 4)?;
                Some(f64::from(u32::from_le_bytes(bytes.try_into().ok()?)))
            };
            return std::array::from_fn(|c| dword(c).unwrap_or(0.0));
        }
        let total: usize = list.iter().map(|c| c.bits).sum();
        let mut texel = [0.0; 4];
        // The palette first: an A component beside the index replaces its alpha.
        let order = |c: &&Component| c.letter != 'P';
        let mut sorted: Vec<&Component> = list.iter().collect();
        sorted.sort_by_key(order);
        for component in sorted {
            let low = component.low + x * if total < 8 { total } else { 0 };
            let v = (0..component.bits).rev().fold(0u64, |v, bit| {
                let at = low + bit;
                v * 2 + u64::from(element[at / 8] >> (at % 8) & 1)
            });
            let value = number(v, component.bits, component.kind);
            match component.letter {
                _ if component.kind == Kind::Typeless => {}
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

/// To f32 and back.
pub fn round32(x: f64) -> f64 {
    f64::from(x as f32)
}

fn ones(bits: usize) -> f64 {
    2f64.powi(bits as i32) - 1.0
}

fn number(v: u64, bits: usize, kind: Kind) -> f64 {
    let signed = || if v >> (bits - 1) & 1 == 1 { v as f64 - 2f64.powi(bits as i32) } else { v as f64 };
    match kind {
        Kind::Unorm => quotient(v as f64, ones(bits)),
        Kind::Snorm => quotient(signed(), ones(bits - 1)).max(-1.0),
        Kind::Uint | Kind::Uscaled => v as f64,
        Kind::Sint => f64::from(signed() as i32 as u32),
        Kind::Sscaled => signed(),
        Kind::Sfixed => signed() / 65536.0,
        Kind::Float => match bits {
            64 => f64::from_bits(v),
            32 => f64::from(f32::from_bits(v as u32)),
            16 => small_float(v & 0x7fff, 10) * if v >> 15 == 1 { -1.0 } else { 1.0 },
            _ => small_float(v, bits - 5),
        },
        Kind::Passthru | Kind::Typeless => 0.0,
    }
}

/// n / d, rounded to odd: where it is not exact, its last bit is 1. Rounded once more, to f32, it is the f32 nearest to the
/// exact quotient; a quotient rounded to nearest twice need not be (32-bit UNORM 0xffffff7f).
fn quotient(n: f64, d: f64) -> f64 {
    let q = n / d;
    let rest = (-q).mul_add(d, n);
    if rest == 0.0 || q.to_bits() & 1 == 1 {
        return q;
    }
    let larger = (rest > 0.0) == (q > 0.0);
    f64::from_bits(if larger { q.to_bits() + 1 } else { q.to_bits() - 1 })
}

/// An unsigned float with a 5-bit exponent (bias 15) above `mantissa` bits.
pub fn small_float(v: u64, mantissa: usize) -> f64 {
    let scale = 2f64.powi(mantissa as i32);
    let (exponent, fraction) = ((v >> mantissa) as i32, (v % (1 << mantissa)) as f64 / scale);
    match exponent {
        0 => fraction * 2f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2f64.powi(exponent - 15),
    }
}

fn shared_exponent(element: &[u8]) -> Texel {
    let v = u32::from_le_bytes(element.try_into().expect("4 bytes"));
    let scale = 2f64.powi((v >> 27) as i32 - 15 - 9);
    [v & 511, v >> 9 & 511, v >> 18 & 511, 0].map(|c| f64::from(c) * scale)
}

/// The sRGB curve.
pub fn srgb(c: f64) -> f64 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Reads the components off a name.
fn components(name: &str) -> Vec<Component> {
    let kind = |word: &str| match word {
        "UNORM" => Some(Kind::Unorm),
        "SNORM" => Some(Kind::Snorm),
        "UINT" => Some(Kind::Uint),
        "SINT" => Some(Kind::Sint),
        "USCALED" => Some(Kind::Uscaled),
        "SSCALED" => Some(Kind::Sscaled),
        "FLOAT" => Some(Kind::Float),
        "SFIXED" => Some(Kind::Sfixed),
        "PASSTHRU" => Some(Kind::Passthru),
        "TYPELESS" => Some(Kind::Typeless),
        _ => None,
    };
    let mut list: Vec<Component> = Vec::new();
    let (mut low, mut untyped) = (0, 0);
    for word in name.split('_') {
        if let Some(kind) = kind(word) {
            for component in &mut list[untyped..] {
                component.kind = if component.letter == 'X' { Kind::Typeless } else { kind };
            }
            untyped = list.len();
        } else if !word.starts_with("PALETTE") && word != "SRGB" {
            for part in split_components(word) {
                let bits = part[1..].parse().expect("component size");
                let letter = part.chars().next().expect("letter");
                list.push(Component { letter, low, bits, kind: Kind::Typeless });
                low += bits;
            }
        }
    }
    list
}

fn split_components(word: &str) -> Vec<&str> {
    let starts: Vec<usize> =
        word.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    let ends = starts.iter().skip(1).copied().chain([word.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &word[start..end]).collect()
}

/// The name of a code.
pub fn name(code: u64) -> Option<&'static str> {
    NAMES.iter().find(|(c, _)| u64::from(*c) == code).map(|(_, name)| *name)
}

/// The code of a name.
pub fn code(name: &str) -> Option<u64> {
    NAMES.iter().find(|(_, n)| *n == name).map(|(code, _)| u64::from(*code))
}

/// SURFACE_FORMAT (Ice Lake PRM volume 2b, enumerations).
#[rustfmt::skip]
pub const NAMES: &[(u16, &str)] = &[
    (0x000, "R32G32B32A32_FLOAT"),
    (0x001, "R32G32B32A32_SINT"),
    (0x002, "R32G32B32A32_UINT"),
    (0x003, "R32G32B32A32_UNORM"),
    (0x004, "R32G32B32A32_SNORM"),
    (0x005, "R64G64_FLOAT"),
    (0x006, "R32G32B32X32_FLOAT"),
    (0x007, "R32G32B32A32_SSCALED"),
    (0x008, "R32G32B32A32_USCALED"),
    (0x020, "R32G32B32A32_SFIXED"),
    (0x021, "R64G64_PASSTHRU"),
    (0x040, "R32G32B32_FLOAT"),
    (0x041, "R32G32B32_SINT"),
    (0x042, "R32G32B32_UINT"),
    (0x043, "R32G32B32_UNORM"),
    (0x044, "R32G32B32_SNORM"),
    (0x045, "R32G32B32_SSCALED"),
    (0x046, "R32G32B32_USCALED"),
    (0x050, "R32G32B32_SFIXED"),
    (0x080, "R16G16B16A16_UNORM"),
    (0x081, "R16G16B16A16_SNORM"),
    (0x082, "R16G16B16A16_SINT"),
    (0x083, "R16G16B16A16_UINT"),
    (0x084, "R16G16B16A16_FLOAT"),
    (0x085, "R32G32_FLOAT"),
    (0x086, "R32G32_SINT"),
    (0x087, "R32G32_UINT"),
    (0x088, "R32_FLOAT_X8X24_TYPELESS"),
    (0x089, "X32_TYPELESS_G8X24_UINT"),
    (0x08a, "L32A32_FLOAT"),
    (0x08b, "R32G32_UNORM"),
    (0x08c, "R32G32_SNORM"),
    (0x08d, "R64_FLOAT"),
    (0x08e, "R16G16B16X16_UNORM"),
    (0x08f, "R16G16B16X16_FLOAT"),
    (0x090, "A32X32_FLOAT"),
    (0x091, "L32X32_FLOAT"),
    (0x092, "I32X32_FLOAT"),
    (0x093, "R16G16B16A16_SSCALED"),
    (0x094, "R16G16B16A16_USCALED"),
    (0x095, "R32G32_SSCALED"),
    (0x096, "R32G32_USCALED"),
    (0x0a0, "R32G32_SFIXED"),
    (0x0a1, "R64_PASSTHRU"),
    (0x0c0, "B8G8R8A8_UNORM"),
    (0x0c1, "B8G8R8A8_UNORM_SRGB"),
    (0x0c2, "R10G10B10A2_UNORM"),
    (0x0c3, "R10G10B10A2_UNORM_SRGB"),
    (0x0c4, "R10G10B10A2_UINT"),
    (0x0c5, "R10G10B10_SNORM_A2_UNORM"),
    (0x0c7, "R8G8B8A8_UNORM"),
    (0x0c8, "R8G8B8A8_UNORM_SRGB"),
    (0x0c9, "R8G8B8A8_SNORM"),
    (0x0ca, "R8G8B8A8_SINT"),
    (0x0cb, "R8G8B8A8_UINT"),
    (0x0cc, "R16G16_UNORM"),
    (0x0cd, "R16G16_SNORM"),
    (0x0ce, "R16G16_SINT"),
    (0x0cf, "R16G16_UINT"),
    (0x0d0, "R16G16_FLOAT"),
    (0x0d1, "B10G10R10A2_UNORM"),
    (0x0d2, "B10G10R10A2_UNORM_SRGB"),
    (0x0d3, "R11G11B10_FLOAT"),
    (0x0d6, "R32_SINT"),
    (0x0d7, "R32_UINT"),
    (0x0d8, "R32_FLOAT"),
    (0x0d9, "R24_UNORM_X8_TYPELESS"),
    (0x0da, "X24_TYPELESS_G8_UINT"),
    (0x0dd, "L32_UNORM"),
    (0x0de, "A32_UNORM"),
    (0x0df, "L16A16_UNORM"),
    (0x0e0, "I24X8_UNORM"),
    (0x0e1, "L24X8_UNORM"),
    (0x0e2, "A24X8_UNORM"),
    (0x0e3, "I32_FLOAT"),
    (0x0e4, "L32_FLOAT"),
    (0x0e5, "A32_FLOAT"),
    (0x0e6, "X8B8_UNORM_G8R8_SNORM"),
    (0x0e7, "A8X8_UNORM_G8R8_SNORM"),
    (0x0e8, "B8X8_UNORM_G8R8_SNORM"),
    (0x0e9, "B8G8R8X8_UNORM"),
    (0x0ea, "B8G8R8X8_UNORM_SRGB"),
    (0x0eb, "R8G8B8X8_UNORM"),
    (0x0ec, "R8G8B8X8_UNORM_SRGB"),
    (0x0ed, "R9G9B9E5_SHAREDEXP"),
    (0x0ee, "B10G10R10X2_UNORM"),
    (0x0f0, "L16A16_FLOAT"),
    (0x0f1, "R32_UNORM"),
    (0x0f2, "R32_SNORM"),
    (0x0f3, "R10G10B10X2_USCALED"),
    (0x0f4, "R8G8B8A8_SSCALED"),
    (0x0f5, "R8G8B8A8_USCALED"),
    (0x0f6, "R16G16_SSCALED"),
    (0x0f7, "R16G16_USCALED"),
    (0x0f8, "R32_SSCALED"),
    (0x0f9, "R32_USCALED"),
    (0x100, "B5G6R5_UNORM"),
    (0x101, "B5G6R5_UNORM_SRGB"),
    (0x102, "B5G5R5A1_UNORM"),
    (0x103, "B5G5R5A1_UNORM_SRGB"),
    (0x104, "B4G4R4A4_UNORM"),
    (0x105, "B4G4R4A4_UNORM_SRGB"),
    (0x106, "R8G8_UNORM"),
    (0x107, "R8G8_SNORM"),
    (0x108, "R8G8_SINT"),
    (0x109, "R8G8_UINT"),
    (0x10a, "R16_UNORM"),
    (0x10b, "R16_SNORM"),
    (0x10c, "R16_SINT"),
    (0x10d, "R16_UINT"),
    (0x10e, "R16_FLOAT"),
    (0x10f, "A8P8_UNORM_PALETTE0"),
    (0x110, "A8P8_UNORM_PALETTE1"),
    (0x111, "I16_UNORM"),
    (0x112, "L16_UNORM"),
    (0x113, "A16_UNORM"),
    (0x114, "L8A8_UNORM"),
    (0x115, "I16_FLOAT"),
    (0x116, "L16_FLOAT"),
    (0x117, "A16_FLOAT"),
    (0x118, "L8A8_UNORM_SRGB"),
    (0x119, "R5G5_SNORM_B6_UNORM"),
    (0x11a, "B5G5R5X1_UNORM"),
    (0x11b, "B5G5R5X1_UNORM_SRGB"),
    (0x11c, "R8G8_SSCALED"),
    (0x11d, "R8G8_USCALED"),
    (0x11e, "R16_SSCALED"),
    (0x11f, "R16_USCALED"),
    (0x122, "P8A8_UNORM_PALETTE0"),
    (0x123, "P8A8_UNORM_PALETTE1"),
    (0x124, "A1B5G5R5_UNORM"),
    (0x125, "A4B4G4R4_UNORM"),
    (0x126, "L8A8_UINT"),
    (0x127, "L8A8_SINT"),
    (0x140, "R8_UNORM"),
    (0x141, "R8_SNORM"),
    (0x142, "R8_SINT"),
    (0x143, "R8_UINT"),
    (0x144, "A8_UNORM"),
    (0x145, "I8_UNORM"),
    (0x146, "L8_UNORM"),
    (0x147, "P4A4_UNORM_PALETTE0"),
    (0x148, "A4P4_UNORM_PALETTE0"),
    (0x149, "R8_SSCALED"),
    (0x14a, "R8_USCALED"),
    (0x14b, "P8_UNORM_PALETTE0"),
    (0x14c, "L8_UNORM_SRGB"),
    (0x14d, "P8_UNORM_PALETTE1"),
    (0x14e, "P4A4_UNORM_PALETTE1"),
    (0x14f, "A4P4_UNORM_PALETTE1"),
    (0x150, "Y8_UNORM"),
    (0x152, "L8_UINT"),
    (0x153, "L8_SINT"),
    (0x154, "I8_UINT"),
    (0x155, "I8_SINT"),
    (0x180, "DXT1_RGB_SRGB"),
    (0x181, "R1_UNORM"),
    (0x182, "YCRCB_NORMAL"),
    (0x183, "YCRCB_SWAPUVY"),
    (0x184, "P2_UNORM_PALETTE0"),
    (0x185, "P2_UNORM_PALETTE1"),
    (0x186, "BC1_UNORM"),
    (0x187, "BC2_UNORM"),
    (0x188, "BC3_UNORM"),
    (0x189, "BC4_UNORM"),
    (0x18a, "BC5_UNORM"),
    (0x18b, "BC1_UNORM_SRGB"),
    (0x18c, "BC2_UNORM_SRGB"),
    (0x18d, "BC3_UNORM_SRGB"),
    (0x18e, "MONO8"),
    (0x18f, "YCRCB_SWAPUV"),
    (0x190, "YCRCB_SWAPY"),
    (0x191, "DXT1_RGB"),
    (0x192, "RESERVED_192"),
    (0x193, "R8G8B8_UNORM"),
    (0x194, "R8G8B8_SNORM"),
    (0x195, "R8G8B8_SSCALED"),
    (0x196, "R8G8B8_USCALED"),
    (0x197, "R64G64B64A64_FLOAT"),
    (0x198, "R64G64B64_FLOAT"),
    (0x199, "BC4_SNORM"),
    (0x19a, "BC5_SNORM"),
    (0x19b, "R16G16B16_FLOAT"),
    (0x19c, "R16G16B16_UNORM"),
    (0x19d, "R16G16B16_SNORM"),
    (0x19e, "R16G16B16_SSCALED"),
    (0x19f, "R16G16B16_USCALED"),
    (0x1a1, "BC6H_SF16"),
    (0x1a2, "BC7_UNORM"),
    (0x1a3, "BC7_UNORM_SRGB"),
    (0x1a4, "BC6H_UF16"),
    (0x1a5, "PLANAR_420_8"),
    (0x1a6, "PLANAR_420_16"),
    (0x1a8, "R8G8B8_UNORM_SRGB"),
    (0x1a9, "ETC1_RGB8"),
    (0x1aa, "ETC2_RGB8"),
    (0x1ab, "EAC_R11"),
    (0x1ac, "EAC_RG11"),
    (0x1ad, "EAC_SIGNED_R11"),
    (0x1ae, "EAC_SIGNED_RG11"),
    (0x1af, "ETC2_SRGB8"),
    (0x1b0, "R16G16B16_UINT"),
    (0x1b1, "R16G16B16_SINT"),
    (0x1b2, "R32_SFIXED"),
    (0x1b3, "R10G10B10A2_SNORM"),
    (0x1b4, "R10G10B10A2_USCALED"),
    (0x1b5, "R10G10B10A2_SSCALED"),
    (0x1b6, "R10G10B10A2_SINT"),
    (0x1b7, "B10G10R10A2_SNORM"),
    (0x1b8, "B10G10R10A2_USCALED"),
    (0x1b9, "B10G10R10A2_SSCALED"),
    (0x1ba, "B10G10R10A2_UINT"),
    (0x1bb, "B10G10R10A2_SINT"),
    (0x1bc, "R64G64B64A64_PASSTHRU"),
    (0x1bd, "R64G64B64_PASSTHRU"),
    (0x1c0, "ETC2_RGB8_PTA"),
    (0x1c1, "ETC2_SRGB8_PTA"),
    (0x1c2, "ETC2_EAC_RGBA8"),
    (0x1c3, "ETC2_EAC_SRGB8_A8"),
    (0x1c8, "R8G8B8_UINT"),
    (0x1c9, "R8G8B8_SINT"),
    (0x1ff, "RAW"),
];

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
