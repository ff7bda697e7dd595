//! ETC1 and ETC2 colour: 4x4 blocks of 8-bit RGB(A), bit-exact.
//!
//! Source: Khronos Data Format Specification, ETC1 and ETC2. A block is 64 bits, big-endian here;
//! texels are numbered by columns. ETC1's blocks are those of ETC2 whose differential colours do
//! not overflow; one that does is illegal in ETC1 and its 5-bit sum wraps here.
//!
//! Every rule is arithmetic and choices of values, without branches: the loop over texels that lanes read
//! ([`taps`](super::taps)) becomes vectors of the functions that decode a block.

use super::block::{Block, Eight};
use super::eac;
use super::{FormatInfo, Path, Texel, head};

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

type Rgb = [i32; 3];

/// What the formats make of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// No T, H and planar blocks.
    One,
    Two,
    /// The bit of differential colours says "opaque"; in other blocks selector 2 is transparent black.
    Punchthrough,
}

/// The colours of a block: bits 63:32 and 31:0.
#[derive(Clone, Copy)]
pub(super) struct Colours {
    high: u32,
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
        Self { high: first.swap_bytes(), low: second.swap_bytes(), variant }
    }

    /// `width` bits from bit `at`, which is at least 32, up.
    #[inline(always)]
    const fn field(self, at: u32, width: u32) -> i32 {
        (self.high.wrapping_shr(at.wrapping_sub(32)) & 1_u32.wrapping_shl(width).wrapping_sub(1)) as i32
    }

    /// The differential bit, or what it says of transparency.
    #[inline(always)]
    const fn is_set(self) -> bool {
        self.high >> 1 & 1 != 0
    }

    /// A differential colour: red, green and blue start at bits 56, 48 and 40. The first one, and the sum of both.
    #[inline(always)]
    const fn sum(self, at: u32) -> (i32, i32) {
        let first = self.field(at.wrapping_add(3), 5);
        let difference = (self.field(at, 3) ^ 4).wrapping_sub(4);
        (first, first.wrapping_add(difference))
    }

    /// A colour that overflows selects another mode, in ETC2.
    #[inline(always)]
    fn modes(self) -> Modes {
        let differential = self.is_set() | matches!(self.variant, Variant::Punchthrough);
        let overflows = differential & !matches!(self.variant, Variant::One);
        let over = |at| overflows & (self.sum(at).1 as u32 > 31);
        let (red, green, blue) = (over(56), over(48), over(40));
        Modes { differential, t: red, h: !red & green, planar: !(red | green) & blue }
    }

    /// A channel of the base colour of the first or the second half.
    #[inline(always)]
    const fn base(self, at: u32, differential: bool, second: bool) -> i32 {
        let (first, sum) = self.sum(at);
        let five = if second { sum & 31 } else { first };
        let four = if second { self.field(at, 4) } else { self.field(at.wrapping_add(4), 4) };
        if differential { five << 3 | five >> 2 } else { four.wrapping_mul(17) }
    }

    /// The two colours of T blocks, of 4 bits, and their distance.
    #[inline(always)]
    const fn t_colours(self) -> ([Rgb; 2], i32) {
        let one = [self.field(59, 2) << 2 | self.field(56, 2), self.field(52, 4), self.field(48, 4)];
        let two = [self.field(44, 4), self.field(40, 4), self.field(36, 4)];
        ([one, two], pick(DISTANCES, (self.field(34, 2) << 1 | self.field(32, 1)) as u32))
    }

    /// The two colours of H blocks, of 4 bits, and their distance: its last bit is the order of the colours.
    #[inline(always)]
    fn h_colours(self) -> ([Rgb; 2], i32) {
        let green = self.field(56, 3) << 1 | self.field(52, 1);
        let blue = self.field(51, 1) << 3 | self.field(47, 3);
        let one = [self.field(59, 4), green, blue];
        let two = [self.field(43, 4), self.field(39, 4), self.field(35, 4)];
        let [first, second] = [one, two].map(|[r, g, b]| r << 8 | g << 4 | b);
        let order = i32::from(first >= second);
        ([one, two], pick(DISTANCES, (self.field(34, 1) << 2 | self.field(32, 1) << 1 | order) as u32))
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
        (if self.field(32, 1) != 0 { y } else { x }) >= 2
    }

    /// The colour of a selector in a half of a block that is not planar.
    #[inline(always)]
    fn shade(self, modes: Modes, (negative, large): (bool, bool), second: bool) -> u32 {
        let ([t_one, t_two], t_distance) = self.t_colours();
        let ([h_one, h_two], h_distance) = self.h_colours();
        let table = (if second { self.field(34, 3) } else { self.field(37, 3) }) as u32;
        let size = if large { pick(LARGE, table) } else { pick(SMALL, table) };
        let size = if self.is_clear() & !large { 0 } else { size };
        let signed = |size: i32, negative: bool| if negative { size.wrapping_neg() } else { size };
        let in_t = if large { signed(t_distance, negative) } else { 0 };
        let in_paint = if modes.t { in_t } else { signed(h_distance, large) };
        let paint = modes.t | modes.h;
        let change = if paint { in_paint } else { signed(size, negative) };
        let channel = |at: u32, [t_one, t_two, h_one, h_two]: [i32; 4]| {
            let in_t = if large | negative { t_two } else { t_one };
            let in_h = if negative { h_two } else { h_one };
            let painted = (if modes.t { in_t } else { in_h }).wrapping_mul(17);
            let base = if paint { painted } else { self.base(at, modes.differential, second) };
            base.wrapping_add(change)
        };
        let ([tr, tg, tb], [ur, ug, ub], [hr, hg, hb], [ir, ig, ib]) = (t_one, t_two, h_one, h_two);
        let rgb =
            [channel(56, [tr, ur, hr, ir]), channel(48, [tg, ug, hg, ig]), channel(40, [tb, ub, hb, ib])];
        if self.is_clear() & negative & !large { 0 } else { opaque(rgb) }
    }

    /// The colour of a texel of a planar block: a plane through the colours of three corners.
    #[inline(always)]
    fn plane(self, x: u32, y: u32) -> u32 {
        let low = |at: u32, width: u32| {
            (self.low.wrapping_shr(at) & 1_u32.wrapping_shl(width).wrapping_sub(1)) as i32
        };
        let blue = self.field(48, 1) << 5 | self.field(43, 2) << 3 | self.field(39, 3);
        let origin = [self.field(57, 6), self.field(56, 1) << 6 | self.field(49, 6), blue];
        let horizontal = [self.field(34, 5) << 1 | self.field(32, 1), low(25, 7), low(19, 6)];
        let vertical = [low(13, 6), low(6, 7), low(0, 6)];
        let [origin, horizontal, vertical] = [origin, horizontal, vertical]
            .map(|[r, g, b]| [r << 2 | r >> 4, g << 1 | g >> 6, b << 2 | b >> 4]);
        let ([r, g, b], [rh, gh, bh], [rv, gv, bv]) = (origin, horizontal, vertical);
        let (x, y) = (x as i32, y as i32);
        let channel = |o: i32, h: i32, v: i32| {
            let across = x.wrapping_mul(h.wrapping_sub(o));
            let down = y.wrapping_mul(v.wrapping_sub(o));
            across.wrapping_add(down).wrapping_add(o.wrapping_mul(4)).wrapping_add(2) >> 2
        };
        opaque([channel(r, rh, rv), channel(g, gh, gv), channel(b, bh, bv)])
    }

    /// The colour of a texel: R in bits 7:0, G, B, and A in bits 31:24.
    #[inline(always)]
    pub(super) fn texel(self, x: u32, y: u32) -> u32 {
        let modes = self.modes();
        let shade = self.shade(modes, self.selector(x, y), self.is_second(x, y));
        let plane = self.plane(x, y);
        if modes.planar { plane } else { shade }
    }
}

/// R in bits 7:0, G, B, and 255 in bits 31:24; channels below 0 and above 255 are clamped.
#[inline(always)]
fn opaque(rgb: Rgb) -> u32 {
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
