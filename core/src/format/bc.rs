//! BC1 to BC5. Interpolation is real-valued, as Direct3D defines it: each result is one quotient of
//! small integers, rounded once.

use super::block::Block;
use super::convert::{unorm, unorm8};
use super::single_texels::sixths;
use super::srgb;
use super::texel::ONE;
use super::{Codec, FormatInfo, Texel, head};
use crate::bits::{get, sign_extend};

/// A BC1, BC2 or BC3 block.
pub(super) struct Bc1To3 {
    endpoints: [[u16; 3]; 2],
    selectors: u32,
    /// The block has three colours: selector 2 is the mean of the endpoints, selector 3 black (transparent in BC1 with alpha).
    three: bool,
    srgb: bool,
    alpha: Alpha,
}

enum Alpha {
    /// 0 for selector 3 of a block with three colours, else 1.
    Selector,
    One,
    /// Four bits per texel.
    Explicit(u64),
    Interpolated(Bc4Channel),
}

impl Bc1To3 {
    pub(super) fn new(info: &FormatInfo, element: &[u8]) -> Self {
        let (alpha, at) = match info.codec {
            Codec::Bc1 => (Alpha::Selector, 0),
            Codec::Bc1Opaque => (Alpha::One, 0),
            Codec::Bc2 => (Alpha::Explicit(u64::from_le_bytes(head(element))), 8),
            _ => (Alpha::Interpolated(Bc4Channel::new(element, false)), 8),
        };
        let word = u64::from_le_bytes(head(element.get(at..).unwrap_or_default()));
        let [first, second] = [0, 16].map(|at| get(word, at, 16) as u16);
        Self {
            endpoints: [first, second].map(|c| [c >> 11, c >> 5 & 63, c & 31]),
            selectors: (word >> 32) as u32,
            three: at == 0 && first <= second,
            srgb: info.srgb,
            alpha,
        }
    }

    /// Returns the colour of a selector. Its alpha is 1, or 0 for the transparent black of BC1.
    fn colour(&self, selector: u32) -> Texel {
        let sixths = sixths(selector, self.three) as u16;
        let (p, q) = (sixths & 7, sixths >> 3);
        let [[r0, g0, b0], [r1, g1, b1]] = self.endpoints;
        let [r, g, b] = [p * r0 + q * r1, p * g0 + q * g1, p * b0 + q * b1];
        let rgb = if self.srgb {
            let from = |table: &[f32], v: u16| table.get(usize::from(v)).copied().unwrap_or(1.0);
            [from(&srgb::OF_FIVE, r), from(&srgb::OF_SIX, g), from(&srgb::OF_FIVE, b)]
        } else {
            let [five, six] = [srgb::MOST_OF_FIVE, srgb::MOST_OF_SIX].map(f32::from);
            [f32::from(r) / five, f32::from(g) / six, f32::from(b) / five]
        };
        let [r, g, b] = rgb.map(f32::to_bits);
        let transparent = matches!(self.alpha, Alpha::Selector) && sixths == 0;
        [r, g, b, if transparent { 0 } else { ONE }]
    }
}

impl Block for Bc1To3 {
    fn texel(&self, i: u32) -> Texel {
        let [r, g, b, a] = self.colour(self.selectors >> (2 * i) & 3);
        let a = match &self.alpha {
            Alpha::Selector | Alpha::One => a,
            Alpha::Explicit(word) => unorm(get(*word, 4 * i, 4) as u32, 4).to_bits(),
            Alpha::Interpolated(channel) => channel.value(i),
        };
        [r, g, b, a]
    }

    fn texels(&self, out: &mut [Texel; 16]) {
        let palette = [0, 1, 2, 3].map(|selector| self.colour(selector));
        let mut selectors = self.selectors;
        for texel in out.iter_mut() {
            *texel = palette.get((selectors & 3) as usize).copied().unwrap_or_default();
            selectors >>= 2;
        }
        match &self.alpha {
            Alpha::Selector | Alpha::One => {}
            Alpha::Explicit(word) => {
                let mut rest = *word;
                for [.., alpha] in out {
                    // v / 15 is 17 v / 255.
                    *alpha = unorm8((rest & 15) as u8 * 17).to_bits();
                    rest >>= 4;
                }
            }
            Alpha::Interpolated(channel) => {
                for ([.., alpha], value) in out.iter_mut().zip(channel.values()) {
                    *alpha = value;
                }
            }
        }
    }
}

/// One channel of a block: two 8-bit endpoints and 3-bit selectors.
pub(super) struct Bc4Channel {
    endpoints: [i32; 2],
    selectors: u64,
    /// Selectors 2 to 7 give six values between the endpoints; else they give four, and both ends of the range.
    six: bool,
    signed: bool,
}

impl Bc4Channel {
    fn new(element: &[u8], signed: bool) -> Self {
        let word = u64::from_le_bytes(head(element));
        let [first, second] = [0, 8].map(|at| get(word, at, 8) as u32);
        // Signed endpoints are compared as they are; as values, -128 is -127.
        let [a, b] = [first, second].map(|v| if signed { sign_extend(v, 8) } else { v as i32 });
        Self { endpoints: [a, b].map(|v| v.max(-127)), selectors: word >> 16, six: a > b, signed }
    }

    /// Returns the values of all texels: computes the eight possible values first, then selects.
    fn values(&self) -> [u32; 16] {
        let values = [0, 1, 2, 3, 4, 5, 6, 7].map(|selector| self.selected(selector));
        let mut selectors = self.selectors;
        let mut all = [0; 16];
        for out in &mut all {
            *out = values.get((selectors & 7) as usize).copied().unwrap_or_default();
            selectors >>= 3;
        }
        all
    }

    fn value(&self, i: u32) -> u32 {
        self.selected(get(self.selectors, 3 * i, 3) as i32)
    }

    fn selected(&self, selector: i32) -> u32 {
        let steps = if self.six { 7 } else { 5 };
        let [a, b] = self.endpoints;
        let sum = match selector {
            0 => a * steps,
            1 => b * steps,
            _ if selector <= steps => a * (steps + 1 - selector) + b * (selector - 1),
            6 if self.signed => return (-1.0f32).to_bits(),
            6 => return 0,
            _ => return ONE,
        };
        let range = if self.signed { 127 } else { 255 };
        (sum as f32 / (steps * range) as f32).to_bits()
    }
}

/// A BC4 or BC5 block: R, or R and G.
pub(super) struct Bc4To5 {
    r: Bc4Channel,
    g: Option<Bc4Channel>,
}

impl Bc4To5 {
    pub(super) fn new(info: &FormatInfo, element: &[u8]) -> Self {
        let signed = matches!(info.codec, Codec::Bc4Snorm | Codec::Bc5Snorm);
        let two = matches!(info.codec, Codec::Bc5Unorm | Codec::Bc5Snorm);
        let second = || Bc4Channel::new(element.get(8..).unwrap_or_default(), signed);
        Self { r: Bc4Channel::new(element, signed), g: two.then(second) }
    }
}

impl Block for Bc4To5 {
    fn texel(&self, i: u32) -> Texel {
        [self.r.value(i), self.g.as_ref().map_or(0, |g| g.value(i)), 0, ONE]
    }
    fn texels(&self, out: &mut [Texel; 16]) {
        let (r, g) = (self.r.values(), self.g.as_ref().map_or([0; 16], Bc4Channel::values));
        for (texel, (r, g)) in out.iter_mut().zip(r.into_iter().zip(g)) {
            *texel = [r, g, 0, ONE];
        }
    }
}
