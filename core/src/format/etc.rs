//! ETC1 and ETC2 colour: 4x4 blocks of 8-bit RGB(A), bit-exact.
//!
//! Source: Khronos Data Format Specification, ETC1 and ETC2. A block is 64 bits, big-endian here;
//! texels are numbered by columns. ETC1's blocks are those of ETC2 whose differential colours do
//! not overflow; one that does is illegal in ETC1 and its 5-bit sum wraps here.
//!
//! Every rule is arithmetic and choices of values, without branches: the loops over texels that lanes read
//! ([`select`]) become vectors of the functions that decode a block.

use super::block::{Block, Eight};
use super::eac;
use super::{FormatInfo, Path, Texel, head};

/// How many texels are decoded together.
pub(super) const TOGETHER: usize = 16;

/// Four small numbers, the first in bits 7:0.
type Four = u32;

const fn four(numbers: [u8; 4]) -> Four {
    u32::from_le_bytes(numbers)
}

/// Small and large intensity modifier by table.
const SMALL: [Four; 2] = [four([2, 5, 9, 13]), four([18, 24, 33, 47])];
const LARGE: [Four; 2] = [four([8, 17, 29, 42]), four([60, 80, 106, 183])];
/// Distances of the T and H modes.
const DISTANCES: [Four; 2] = [four([3, 6, 11, 16]), four([23, 32, 41, 64])];

/// Number `index`, below 8.
#[inline(always)]
const fn pick([low, high]: [Four; 2], index: u32) -> i32 {
    let numbers = if index & 4 != 0 { high } else { low };
    (numbers.wrapping_shr((index & 3).wrapping_mul(8)) & 0xff) as i32
}

/// Three channels in the bytes of a word: red in bits 7:0, green, blue.
type Rgb = u32;

/// A number in each channel.
const fn each(number: u8) -> Rgb {
    four([number, number, number, 0])
}

/// What the formats make of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// No T, H and planar blocks.
    One,
    Two,
    /// The bit of differential colours says "opaque"; in other blocks selector 2 is transparent black.
    Punchthrough,
}

/// The colours of a block.
#[derive(Clone, Copy)]
pub(super) struct Colours {
    /// The first word as it is in memory: its bytes are red, green, blue and the rest.
    rgb: Rgb,
    /// Bits 63:32.
    high: u32,
    /// Bits 31:0.
    low: u32,
    variant: Variant,
}

/// How the colours are stored.
#[derive(Clone, Copy)]
struct Modes {
    differential: bool,
    t: bool,
    h: bool,
    planar: bool,
}

impl Colours {
    /// From the block's words as they are in memory, little-endian.
    #[inline(always)]
    pub(super) const fn new(first: u32, second: u32, variant: Variant) -> Self {
        Self { rgb: first, high: first.swap_bytes(), low: second.swap_bytes(), variant }
    }

    /// Bits 63:32 from bit 32 + `at` up; `mask` chooses some.
    #[inline(always)]
    const fn high(self, at: u32, mask: u32) -> u32 {
        self.high.wrapping_shr(at) & mask
    }

    /// Bits 31:0 from bit `at` up; `mask` chooses some.
    #[inline(always)]
    const fn low(self, at: u32, mask: u32) -> u32 {
        self.low.wrapping_shr(at) & mask
    }

    /// The differential bit, or what it says of transparency.
    #[inline(always)]
    const fn is_set(self) -> bool {
        self.high(1, 1) != 0
    }

    /// A differential colour, of 5 bits a channel: the first one, and the sum of both and 32.
    #[inline(always)]
    const fn sums(self) -> [Rgb; 2] {
        let first = self.rgb >> 3 & each(31);
        // The difference has three bits, of which the last is the sign.
        let difference = (self.rgb & each(7)) ^ each(4);
        [first, first.wrapping_add(difference).wrapping_add(each(32 - 4))]
    }

    /// A colour that overflows selects another mode, in ETC2.
    #[inline(always)]
    fn modes(self) -> Modes {
        let differential = self.is_set() | matches!(self.variant, Variant::Punchthrough);
        let overflows = differential & !matches!(self.variant, Variant::One);
        let [_, sums] = self.sums();
        let over = |channel: Rgb| overflows & (sums & channel & each(32) == 0);
        let (red, green, blue) = (over(0xff), over(0xff00), over(0xff_0000));
        Modes { differential, t: red, h: !red & green, planar: !(red | green) & blue }
    }

    /// The base colour of the first or the second half.
    #[inline(always)]
    const fn base(self, differential: bool, second: bool) -> Rgb {
        let [first, sums] = self.sums();
        let five = if second { sums & each(31) } else { first };
        let fours = if second { self.rgb } else { self.rgb >> 4 } & each(15);
        if differential { five << 3 | five >> 2 & each(7) } else { fours << 4 | fours }
    }

    /// The two colours of T blocks, of 4 bits (red in bits 11:8), and the number of their distance.
    #[inline(always)]
    const fn t_colours(self) -> ([u32; 2], u32) {
        let one = self.high(17, 0xc00) | self.high(16, 0x3ff);
        ([one, self.high(4, 0xfff)], self.high(1, 6) | self.high(0, 1))
    }

    /// The two colours of H blocks, of 4 bits, and the number of their distance: its last bit is the order of the colours.
    #[inline(always)]
    const fn h_colours(self) -> ([u32; 2], u32) {
        let one = self.high(19, 0xfe0) | self.high(16, 0x18) | self.high(15, 7);
        let two = self.high(3, 0xfff);
        ([one, two], self.high(0, 4) | self.high(0, 1) << 1 | (one >= two) as u32)
    }

    /// Selectors without a sign bit mean "no change", and with one transparent black.
    #[inline(always)]
    const fn is_clear(self) -> bool {
        matches!(self.variant, Variant::Punchthrough) & !self.is_set()
    }

    /// The selector of a texel: its sign bit and whether it is the larger one of two.
    #[inline(always)]
    const fn selector(self, x: u32, y: u32) -> (bool, bool) {
        let bits = self.low.wrapping_shr(x.wrapping_mul(4).wrapping_add(y));
        (bits >> 16 & 1 != 0, bits & 1 != 0)
    }

    /// The texel is in the second half of the block: the lower one, or the right one.
    #[inline(always)]
    const fn is_second(self, x: u32, y: u32) -> bool {
        (if self.high(0, 1) != 0 { y } else { x }) >= 2
    }

    /// The colour of a selector in a half of a block of two base colours.
    #[inline(always)]
    fn plain(self, differential: bool, (negative, large): (bool, bool), second: bool) -> u32 {
        let table = if second { self.high(2, 7) } else { self.high(5, 7) };
        let size = if large { pick(LARGE, table) } else { pick(SMALL, table) };
        let size = if self.is_clear() & !large { 0 } else { size };
        let colour = changed(self.base(differential, second), negative, size);
        if self.is_clear() & negative & !large { 0 } else { colour }
    }

    /// The colour of a selector of a T block (or else an H block).
    #[inline(always)]
    fn painted(self, is_t: bool, (negative, large): (bool, bool)) -> u32 {
        let (([t_one, t_two], t_number), ([h_one, h_two], h_number)) = (self.t_colours(), self.h_colours());
        let in_t = if large | negative { t_two } else { t_one };
        let in_h = if negative { h_two } else { h_one };
        let paint = if is_t { in_t } else { in_h };
        let paint = paint >> 8 | paint << 4 & 0xf00 | paint << 16 & 0xf_0000;
        let distance = pick(DISTANCES, if is_t { t_number } else { h_number });
        let size = if is_t & !large { 0 } else { distance };
        let colour = changed(paint << 4 | paint, if is_t { negative } else { large }, size);
        if self.is_clear() & negative & !large { 0 } else { colour }
    }

    /// The colour of a texel of a planar block: a plane through the colours of three corners.
    #[inline(always)]
    fn plane(self, x: u32, y: u32) -> u32 {
        // Red and, from bit 16 up, blue have 6 bits in a block, green has 7.
        let pair = |red: u32, blue: u32| {
            let both = blue << 16 | red;
            both << 2 | both >> 4 & 0x3_0003
        };
        let single = |green: u32| green << 1 | green >> 6;
        let blue = self.high(11, 0x20) | self.high(8, 0x18) | self.high(7, 7);
        let origin = (pair(self.high(25, 63), blue), single(self.high(18, 0x40) | self.high(17, 63)));
        let right = (pair(self.high(1, 0x3e) | self.high(0, 1), self.low(19, 63)), single(self.low(25, 127)));
        let below = (pair(self.low(13, 63), self.low(0, 63)), single(self.low(6, 127)));
        // In quarters, rounded, and 1024 more: so no channel is below 0 and takes from the next one.
        let back = 4_u32.wrapping_sub(x).wrapping_sub(y);
        let sum = |origin: u32, right: u32, below: u32| {
            let across = origin.wrapping_mul(back).wrapping_add(right.wrapping_mul(x));
            across.wrapping_add(below.wrapping_mul(y)).wrapping_add((1024 + 2) * 0x1_0001)
        };
        let (pair, green) = (sum(origin.0, right.0, below.0), sum(origin.1, right.1, below.1));
        let channel = |sum: u32| ((sum & 0xffff) >> 2) as i32 - 256;
        opaque([channel(pair), channel(green), channel(pair >> 16)])
    }

    /// The colour of a texel: R in bits 7:0, G, B, and A in bits 31:24.
    fn texel(self, x: u32, y: u32) -> u32 {
        let modes = self.modes();
        if modes.planar {
            return self.plane(x, y);
        }
        self.shade(modes, self.selector(x, y), self.is_second(x, y))
    }

    /// The colour of a selector in a half of a block that is not planar.
    fn shade(self, modes: Modes, selector: (bool, bool), second: bool) -> u32 {
        if modes.t | modes.h {
            self.painted(modes.t, selector)
        } else {
            self.plain(modes.differential, selector, second)
        }
    }
}

/// Replaces the second words of blocks by the colours of texels: R in bits 7:0, G, B, and A in bits 31:24. `inside`: column, and row
/// from bit 4 up. Up to [`TOGETHER`] of them: the modes that are rare are computed if one of them is there.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "slices of one length, indexed below it")]
#[allow(clippy::needless_range_loop, reason = "several slices, one number of the texel")]
pub(super) fn select(variant: Variant, inside: &[u32], low: &[u32], high: &mut [u32]) {
    let count = high.len().min(low.len()).min(inside.len()).min(TOGETHER);
    let (high, low, inside) = (&mut high[..count], &low[..count], &inside[..count]);
    let mut second = [0; TOGETHER];
    let second = &mut second[..count];
    second.copy_from_slice(high);
    let place = |inside: u32| (inside & 3, inside >> 4 & 3);
    let (mut painted, mut planar) = (0, 0);
    for i in 0..count {
        let colours = Colours::new(low[i], second[i], variant);
        let (modes, (x, y)) = (colours.modes(), place(inside[i]));
        painted |= u32::from(modes.t | modes.h);
        planar |= u32::from(modes.planar);
        high[i] = colours.plain(modes.differential, colours.selector(x, y), colours.is_second(x, y));
    }
    if painted != 0 {
        for i in 0..count {
            let colours = Colours::new(low[i], second[i], variant);
            let (modes, (x, y)) = (colours.modes(), place(inside[i]));
            let colour = colours.painted(modes.t, colours.selector(x, y));
            high[i] = if modes.t | modes.h { colour } else { high[i] };
        }
    }
    if planar != 0 {
        for i in 0..count {
            let colours = Colours::new(low[i], second[i], variant);
            let (modes, (x, y)) = (colours.modes(), place(inside[i]));
            let colour = colours.plane(x, y);
            high[i] = if modes.planar { colour } else { high[i] };
        }
    }
}

/// A colour, each channel of which is made larger, or smaller.
#[inline(always)]
fn changed(colour: Rgb, smaller: bool, size: i32) -> u32 {
    let change = if smaller { size.wrapping_neg() } else { size };
    let channel = |at: u32| ((colour >> at & 0xff) as i32).wrapping_add(change);
    opaque([channel(0), channel(8), channel(16)])
}

/// R in bits 7:0, G, B, and 255 in bits 31:24; channels below 0 and above 255 are clamped.
#[inline(always)]
fn opaque(rgb: [i32; 3]) -> u32 {
    let [r, g, b] = rgb.map(|c| c.clamp(0, 255) as u32);
    0xff << 24 | b << 16 | g << 8 | r
}

/// A block that is ready to give texels.
pub(super) struct Etc {
    colours: Colours,
    alpha: Option<eac::Channel>,
    output: Eight,
}

impl Etc {
    pub(super) fn new(info: &FormatInfo, element: &[u8], output: Eight) -> Self {
        let with_alpha = matches!(info.path, Path::Etc2Eac);
        let variant = match info.path {
            Path::Etc1 => Variant::One,
            Path::Etc2Punchthrough => Variant::Punchthrough,
            _ => Variant::Two,
        };
        let colour = if with_alpha { element.get(8..).unwrap_or_default() } else { element };
        let word = u64::from_le_bytes(head(colour));
        Self {
            colours: Colours::new(word as u32, (word >> 32) as u32, variant),
            alpha: with_alpha.then(|| eac::Channel::new(element)),
            output,
        }
    }

    /// All texels in raster order: R in bits 7:0, G, B, and A in bits 31:24.
    pub(super) fn bytes(&self) -> [u32; 16] {
        let colours = self.colours;
        let modes = colours.modes();
        let mut texels = [0; 16];
        if modes.planar {
            for (texel, i) in texels.iter_mut().zip(0..) {
                *texel = colours.plane(i & 3, i >> 2);
            }
        } else {
            let selectors = [(false, false), (false, true), (true, false), (true, true)];
            let shades =
                [false, true].map(|second| selectors.map(|selector| colours.shade(modes, selector, second)));
            for (texel, i) in texels.iter_mut().zip(0..) {
                let (x, y) = (i & 3, i >> 2);
                let half = shades.get(usize::from(colours.is_second(x, y))).copied().unwrap_or_default();
                let (negative, large) = colours.selector(x, y);
                *texel =
                    half.get(usize::from(negative) * 2 + usize::from(large)).copied().unwrap_or_default();
            }
        }
        if let Some(alpha) = &self.alpha {
            for (texel, alpha) in texels.iter_mut().zip(alpha.all(|index| alpha.eight(index))) {
                *texel = *texel & 0x00ff_ffff | alpha << 24;
            }
        }
        texels
    }
}

impl Block for Etc {
    fn texel(&self, i: u32) -> Texel {
        let mut texel = self.colours.texel(i & 3, i >> 2);
        if let Some(channel) = &self.alpha {
            texel = texel & 0x00ff_ffff | channel.eight(channel.index(i & 3, i >> 2)) << 24;
        }
        self.output.texel(texel.to_le_bytes())
    }

    fn texels(&self, out: &mut [Texel; 16]) {
        self.output.texels(&self.bytes(), out);
    }
}
