//! ETC1 and ETC2 colour: 4x4 blocks of 8-bit RGB(A), bit-exact.
//!
//! Source: Khronos Data Format Specification, ETC1 and ETC2. A block is 64 bits, big-endian here;
//! texels are numbered by columns. A legal ETC1 block is an ETC2 block whose differential colours do
//! not overflow; a block whose colours do is illegal in ETC1, and its 5-bit sum wraps here.
//!
//! All decoding is arithmetic and selection of values, without branches: so compilers vectorise the same functions
//! in the loops over the texels that lanes read ([`select`]).

use super::block::{Block, ColourSpace};
use super::eac;
use super::{Codec, FormatInfo, Texel, head};

/// The most texels that [`select`] decodes in one call.
pub(super) const MAX_SELECTED: usize = 16;

/// Four 8-bit numbers, the first in bits 7:0.
type Four = u32;

const fn four(numbers: [u8; 4]) -> Four {
    u32::from_le_bytes(numbers)
}

/// The small and the large intensity modifier, by table (0 to 7).
const SMALL: [Four; 2] = [four([2, 5, 9, 13]), four([18, 24, 33, 47])];
const LARGE: [Four; 2] = [four([8, 17, 29, 42]), four([60, 80, 106, 183])];
/// The distances of the T and H modes, by index (0 to 7).
const DISTANCES: [Four; 2] = [four([3, 6, 11, 16]), four([23, 32, 41, 64])];

/// Returns number `index` of eight.
#[inline(always)]
const fn pick([low, high]: [Four; 2], index: u32) -> i32 {
    let numbers = if index & 4 != 0 { high } else { low };
    (numbers.wrapping_shr((index & 3).wrapping_mul(8)) & 0xff) as i32
}

/// Three channels in the bytes of a word: red in bits 7:0, green, blue.
type Rgb = u32;

/// Puts a number in each channel.
const fn each(number: u8) -> Rgb {
    four([number, number, number, 0])
}

/// How a format interprets the bits of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// ETC1, without T, H and planar blocks.
    One,
    Two,
    /// ETC2 with punchthrough alpha. The differential bit means "opaque"; if it is 0, selector 2 is transparent black.
    Punchthrough,
}

/// A block of colours.
#[derive(Clone, Copy)]
pub(super) struct EtcColours {
    /// The first word as read from memory: its bytes are red, green, blue, and tables and mode bits.
    rgb: Rgb,
    /// Bits 63:32.
    high: u32,
    /// Bits 31:0.
    low: u32,
    variant: Variant,
}

/// The mode of a block. `planar`, `t` and `h` exclude each other; without them a block has two base colours, of which
/// the second is a difference to the first if `differential`.
#[derive(Clone, Copy)]
struct Modes {
    differential: bool,
    t: bool,
    h: bool,
    planar: bool,
}

impl EtcColours {
    /// Makes a block from its two words, each read from memory as little-endian.
    #[inline(always)]
    pub(super) const fn new(first: u32, second: u32, variant: Variant) -> Self {
        Self { rgb: first, high: first.swap_bytes(), low: second.swap_bytes(), variant }
    }

    /// Returns the block's bits from bit 32 + `at` to bit 63, masked by `mask`.
    #[inline(always)]
    const fn high(self, at: u32, mask: u32) -> u32 {
        self.high.wrapping_shr(at) & mask
    }

    /// Returns the block's bits from bit `at` to bit 31, masked by `mask`.
    #[inline(always)]
    const fn low(self, at: u32, mask: u32) -> u32 {
        self.low.wrapping_shr(at) & mask
    }

    /// Whether the differential bit is set, which means "opaque" with punchthrough alpha.
    #[inline(always)]
    const fn is_set(self) -> bool {
        self.high(1, 1) != 0
    }

    /// Returns the two base colours of a differential block, 5 bits a channel; the second has 32 added in each channel, so that
    /// bit 5 is 0 where it overflows.
    #[inline(always)]
    const fn sums(self) -> [Rgb; 2] {
        let first = self.rgb >> 3 & each(31);
        // The difference has three bits, of which the highest is the sign.
        let difference = (self.rgb & each(7)) ^ each(4);
        [first, first.wrapping_add(difference).wrapping_add(each(32 - 4))]
    }

    /// Returns the mode of the block. In ETC2 a channel of a differential colour that overflows selects T, H or planar.
    #[inline(always)]
    fn modes(self) -> Modes {
        let differential = self.is_set() | matches!(self.variant, Variant::Punchthrough);
        let overflows = differential & !matches!(self.variant, Variant::One);
        let [_, sums] = self.sums();
        let over = |channel: Rgb| overflows & (sums & channel & each(32) == 0);
        let (red, green, blue) = (over(0xff), over(0xff00), over(0xff_0000));
        Modes { differential, t: red, h: !red & green, planar: !(red | green) & blue }
    }

    /// Returns the base colour of the first or the second half of the block, 8 bits a channel.
    #[inline(always)]
    const fn base(self, differential: bool, second: bool) -> Rgb {
        let [first, sums] = self.sums();
        let five = if second { sums & each(31) } else { first };
        let fours = if second { self.rgb } else { self.rgb >> 4 } & each(15);
        if differential { five << 3 | five >> 2 & each(7) } else { fours << 4 | fours }
    }

    /// Returns the two colours of a T block, 4 bits a channel (red in bits 11:8), and the index of its distance.
    #[inline(always)]
    const fn t_colours(self) -> ([u32; 2], u32) {
        let one = self.high(17, 0xc00) | self.high(16, 0x3ff);
        ([one, self.high(4, 0xfff)], self.high(1, 6) | self.high(0, 1))
    }

    /// Returns the two colours of an H block, 4 bits a channel, and the index of its distance, whose lowest bit is the order of the
    /// colours.
    #[inline(always)]
    const fn h_colours(self) -> ([u32; 2], u32) {
        let one = self.high(19, 0xfe0) | self.high(16, 0x18) | self.high(15, 7);
        let two = self.high(3, 0xfff);
        ([one, two], self.high(0, 4) | self.high(0, 1) << 1 | (one >= two) as u32)
    }

    /// Whether the block is a punchthrough block that is not opaque. Then selector 2 (small and negative) is transparent black,
    /// and with two base colours selector 0 (small and positive) is the base colour itself.
    #[inline(always)]
    const fn is_clear(self) -> bool {
        matches!(self.variant, Variant::Punchthrough) & !self.is_set()
    }

    /// Returns the selector of a texel: whether its modifier is negative, and whether it is the large one.
    #[inline(always)]
    const fn selector(self, x: u32, y: u32) -> (bool, bool) {
        let bits = self.low.wrapping_shr(x.wrapping_mul(4).wrapping_add(y));
        (bits >> 16 & 1 != 0, bits & 1 != 0)
    }

    /// Whether a texel is in the second half of the block: the lower half if the block is flipped, else the right half.
    #[inline(always)]
    const fn is_second(self, x: u32, y: u32) -> bool {
        (if self.high(0, 1) != 0 { y } else { x }) >= 2
    }

    /// Returns the colour of a selector in one half of a block that has two base colours.
    #[inline(always)]
    fn plain(self, differential: bool, (negative, large): (bool, bool), second: bool) -> u32 {
        let table = if second { self.high(2, 7) } else { self.high(5, 7) };
        let size = if large { pick(LARGE, table) } else { pick(SMALL, table) };
        let size = if self.is_clear() & !large { 0 } else { size };
        let colour = changed(self.base(differential, second), negative, size);
        if self.is_clear() & negative & !large { 0 } else { colour }
    }

    /// Returns the colour of a selector of a T block (`is_t`) or of an H block.
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

    /// Returns the colour of a texel of a planar block: the plane through the colours of three corners.
    #[inline(always)]
    fn plane(self, x: u32, y: u32) -> u32 {
        // Red and blue have 6 bits in a block, green has 7. Red and blue share a word, blue from bit 16 up.
        let pair = |red: u32, blue: u32| {
            let both = blue << 16 | red;
            both << 2 | both >> 4 & 0x3_0003
        };
        let single = |green: u32| green << 1 | green >> 6;
        let blue = self.high(11, 0x20) | self.high(8, 0x18) | self.high(7, 7);
        let origin = (pair(self.high(25, 63), blue), single(self.high(18, 0x40) | self.high(17, 63)));
        let right = (pair(self.high(1, 0x3e) | self.high(0, 1), self.low(19, 63)), single(self.low(25, 127)));
        let below = (pair(self.low(13, 63), self.low(0, 63)), single(self.low(6, 127)));
        // The sum in quarters, with 2 to round and 1024 that keep it positive: a negative red would borrow from blue.
        let back = 4_u32.wrapping_sub(x).wrapping_sub(y);
        let sum = |origin: u32, right: u32, below: u32| {
            let across = origin.wrapping_mul(back).wrapping_add(right.wrapping_mul(x));
            across.wrapping_add(below.wrapping_mul(y)).wrapping_add((1024 + 2) * 0x1_0001)
        };
        let (pair, green) = (sum(origin.0, right.0, below.0), sum(origin.1, right.1, below.1));
        let channel = |sum: u32| ((sum & 0xffff) >> 2) as i32 - 256;
        opaque([channel(pair), channel(green), channel(pair >> 16)])
    }

    /// Returns the colour of a texel: R in bits 7:0, G, B, and A in bits 31:24.
    fn texel(self, x: u32, y: u32) -> u32 {
        let modes = self.modes();
        if modes.planar {
            return self.plane(x, y);
        }
        self.shade(modes, self.selector(x, y), self.is_second(x, y))
    }

    /// Returns the colour of a selector in one half of a block that is not planar.
    fn shade(self, modes: Modes, selector: (bool, bool), second: bool) -> u32 {
        if modes.t | modes.h {
            self.painted(modes.t, selector)
        } else {
            self.plain(modes.differential, selector, second)
        }
    }
}

/// Decodes one texel of each of up to [`MAX_SELECTED`] blocks, with the first words `low` and the second words `high`, and replaces `high`
/// by the colours: R in bits 7:0, G, B, and A in bits 31:24. `inside` has the texel's column in the block, and its row from bit 4 up.
/// The rare modes (T and H, planar) are computed only if one of the blocks has them.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "slices of one length, indexed below it")]
pub(super) fn select(variant: Variant, inside: &[u32], low: &[u32], high: &mut [u32]) {
    let count = high.len().min(low.len()).min(inside.len()).min(MAX_SELECTED);
    let (high, low, inside) = (&mut high[..count], &low[..count], &inside[..count]);
    let mut second = [0; MAX_SELECTED];
    let second = &mut second[..count];
    second.copy_from_slice(high);
    let place = |inside: u32| (inside & 3, inside >> 4 & 3);
    let (mut painted, mut planar) = (0, 0);
    for i in 0..count {
        let colours = EtcColours::new(low[i], second[i], variant);
        let (modes, (x, y)) = (colours.modes(), place(inside[i]));
        painted |= u32::from(modes.t | modes.h);
        planar |= u32::from(modes.planar);
        high[i] = colours.plain(modes.differential, colours.selector(x, y), colours.is_second(x, y));
    }
    if painted != 0 {
        for i in 0..count {
            let colours = EtcColours::new(low[i], second[i], variant);
            let (modes, (x, y)) = (colours.modes(), place(inside[i]));
            let colour = colours.painted(modes.t, colours.selector(x, y));
            high[i] = if modes.t | modes.h { colour } else { high[i] };
        }
    }
    if planar != 0 {
        for i in 0..count {
            let colours = EtcColours::new(low[i], second[i], variant);
            let (modes, (x, y)) = (colours.modes(), place(inside[i]));
            let colour = colours.plane(x, y);
            high[i] = if modes.planar { colour } else { high[i] };
        }
    }
}

/// Adds `size` to each channel of a colour, or subtracts it if `smaller`.
#[inline(always)]
fn changed(colour: Rgb, smaller: bool, size: i32) -> u32 {
    let change = if smaller { size.wrapping_neg() } else { size };
    let channel = |at: u32| ((colour >> at & 0xff) as i32).wrapping_add(change);
    opaque([channel(0), channel(8), channel(16)])
}

/// Packs a colour with alpha 255: R in bits 7:0, G, B, and A in bits 31:24. Channels are clamped to 0..=255.
#[inline(always)]
fn opaque(rgb: [i32; 3]) -> u32 {
    let [r, g, b] = rgb.map(|c| c.clamp(0, 255) as u32);
    0xff << 24 | b << 16 | g << 8 | r
}

/// A block of colours, with the EAC block that holds its alpha in ETC2_EAC formats.
pub(super) struct Etc {
    colours: EtcColours,
    alpha: Option<eac::EacChannel>,
    output: ColourSpace,
}

impl Etc {
    pub(super) fn new(info: &FormatInfo, element: &[u8]) -> Self {
        let with_alpha = matches!(info.codec, Codec::Etc2Eac);
        let variant = match info.codec {
            Codec::Etc1 => Variant::One,
            Codec::Etc2Punchthrough => Variant::Punchthrough,
            _ => Variant::Two,
        };
        let colour = if with_alpha { element.get(8..).unwrap_or_default() } else { element };
        let word = u64::from_le_bytes(head(colour));
        Self {
            colours: EtcColours::new(word as u32, (word >> 32) as u32, variant),
            alpha: with_alpha.then(|| eac::EacChannel::new(element)),
            output: ColourSpace::of(info),
        }
    }

    /// Decodes all texels, in raster order: R in bits 7:0, G, B, and A in bits 31:24.
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
