//! ETC1 and ETC2 colour: 4x4 blocks of 8-bit RGB(A), bit-exact.
//!
//! Source: Khronos Data Format Specification, ETC1 and ETC2. A block is 64 bits, big-endian here;
//! texels are numbered by columns. ETC1's blocks are those of ETC2 whose differential colours do
//! not overflow; one that does is illegal in ETC1 and its 5-bit sum wraps here.

use super::block::{Block, Eight};
use super::eac;
use super::{FormatInfo, Path, Texel, head};
use crate::bits::{get, sign_extend};

/// Small and large intensity modifier by table.
static MODIFIERS: [[u8; 2]; 8] =
    [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];
/// Distances of the T and H modes.
static DISTANCES: [u8; 8] = [3, 6, 11, 16, 23, 32, 41, 64];

type Rgb = [i32; 3];

enum Mode {
    /// Two halves, each with a base colour and an intensity table; `flip`: upper and lower.
    Halves { bases: [Rgb; 2], tables: [u32; 2], flip: bool },
    /// T and H: four colours.
    Paint([Rgb; 4]),
    /// A plane through three corners: origin, horizontal, vertical.
    Planar([Rgb; 3]),
}

/// A block whose header is read.
pub(super) struct Etc {
    word: u64,
    mode: Mode,
    /// Selector 2 is transparent black.
    punch: bool,
    alpha: Option<eac::Channel>,
    output: Eight,
}

impl Etc {
    pub(super) fn new(info: &FormatInfo, element: &[u8], output: Eight) -> Self {
        let with_alpha = matches!(info.path, Path::Etc2Eac);
        let colour = if with_alpha { element.get(8..).unwrap_or_default() } else { element };
        let alpha = with_alpha.then(|| eac::Channel::new(element));
        let word = u64::from_be_bytes(head(colour));
        // The differential bit; with punch-through it says "opaque" and all blocks are differential.
        let set = get(word, 33, 1) != 0;
        let punchthrough = matches!(info.path, Path::Etc2Punchthrough);
        let etc1 = matches!(info.path, Path::Etc1);
        Self { word, mode: mode(word, set || punchthrough, etc1), punch: punchthrough && !set, alpha, output }
    }
}

fn mode(word: u64, differential: bool, etc1: bool) -> Mode {
    let field = |at, width| get(word, at, width) as i32;
    let tables = [37, 34].map(|at| get(word, at, 3) as u32);
    let flip = field(32, 1) != 0;
    if !differential {
        let bases = [60, 56].map(|at| [at, at - 8, at - 16].map(|at| field(at, 4) * 17));
        return Mode::Halves { bases, tables, flip };
    }
    let first = [59, 51, 43].map(|at| field(at, 5));
    let delta = [56, 48, 40].map(|at| sign_extend(get(word, at, 3) as u32, 3));
    let ([r, g, b], [dr, dg, db]) = (first, delta);
    let second = [r + dr, g + dg, b + db];
    // A colour that overflows selects another mode, in ETC2.
    match second.map(|c| etc1 || (0..32).contains(&c)) {
        [false, ..] => Mode::Paint(t_colours(word)),
        [_, false, _] => Mode::Paint(h_colours(word)),
        [_, _, false] => Mode::Planar(corners(word)),
        _ => Mode::Halves {
            bases: [first, second].map(|c| c.map(|v| (v & 31) << 3 | (v & 31) >> 2)),
            tables,
            flip,
        },
    }
}

fn distance(index: u64) -> i32 {
    DISTANCES.get(index as usize).copied().unwrap_or_default().into()
}

fn shifted(colour: Rgb, by: i32) -> Rgb {
    colour.map(|c| (c + by).clamp(0, 255))
}

fn t_colours(word: u64) -> [Rgb; 4] {
    let field = |at, width| get(word, at, width) as i32;
    let one = [field(59, 2) << 2 | field(56, 2), field(52, 4), field(48, 4)].map(|c| c * 17);
    let two = [44, 40, 36].map(|at| field(at, 4) * 17);
    let d = distance(get(word, 34, 2) << 1 | get(word, 32, 1));
    [one, shifted(two, d), two, shifted(two, -d)]
}

fn h_colours(word: u64) -> [Rgb; 4] {
    let field = |at, width| get(word, at, width) as i32;
    let one = [field(59, 4), field(56, 3) << 1 | field(52, 1), field(51, 1) << 3 | field(47, 3)];
    let two = [field(43, 4), field(39, 4), field(35, 4)];
    // The order of the colours is the last bit of the distance.
    let d = distance(get(word, 34, 1) << 2 | get(word, 32, 1) << 1 | u64::from(one >= two));
    let (one, two) = (one.map(|c| c * 17), two.map(|c| c * 17));
    [shifted(one, d), shifted(one, -d), shifted(two, d), shifted(two, -d)]
}

fn corners(word: u64) -> [Rgb; 3] {
    let field = |at, width| get(word, at, width) as i32;
    let blue = field(48, 1) << 5 | field(43, 2) << 3 | field(39, 3);
    let origin = [field(57, 6), field(56, 1) << 6 | field(49, 6), blue];
    let horizontal = [field(34, 5) << 1 | field(32, 1), field(25, 7), field(19, 6)];
    let vertical = [field(13, 6), field(6, 7), field(0, 6)];
    [origin, horizontal, vertical].map(|[r, g, b]| [r << 2 | r >> 4, g << 1 | g >> 6, b << 2 | b >> 4])
}

impl Etc {
    /// RGB of a texel; `None` = transparent black.
    fn colour(&self, x: u32, y: u32) -> Option<Rgb> {
        match &self.mode {
            Mode::Planar(corners) => Some(plane(corners, x as i32, y as i32)),
            Mode::Halves { .. } | Mode::Paint(_) => self.shade(self.selector(x, y), self.second(x, y)),
        }
    }

    const fn selector(&self, x: u32, y: u32) -> u32 {
        let bits = self.word >> ((x & 3) * 4 + (y & 3));
        (bits >> 16 & 1) as u32 * 2 + (bits & 1) as u32
    }

    /// The texel is in the second half.
    const fn second(&self, x: u32, y: u32) -> bool {
        match self.mode {
            Mode::Halves { flip: true, .. } => y >= 2,
            _ => x >= 2,
        }
    }

    /// RGB by selector and half, of modes other than the planar one; `None` = transparent black.
    fn shade(&self, selector: u32, second: bool) -> Option<Rgb> {
        if self.punch && selector == 2 {
            return None;
        }
        Some(match &self.mode {
            Mode::Halves { bases: [a, b], tables: [s, t], .. } => {
                let (base, table) = if second { (b, t) } else { (a, s) };
                let [small, large] = MODIFIERS.get(*table as usize).copied().unwrap_or_default();
                let size = i32::from(if selector & 1 != 0 { large } else { small });
                let size = if self.punch && selector == 0 { 0 } else { size };
                shifted(*base, if selector & 2 != 0 { -size } else { size })
            }
            Mode::Paint(colours) => colours.get(selector as usize).copied().unwrap_or_default(),
            Mode::Planar(_) => return None,
        })
    }

    /// All texels in raster order: R in bits 7:0, G, B, and A in bits 31:24.
    pub(super) fn bytes(&self) -> [u32; 16] {
        let opaque = |[r, g, b]: Rgb| 0xff << 24 | (b as u32) << 16 | (g as u32) << 8 | r as u32;
        let mut texels = [0; 16];
        if let Mode::Planar(corners) = &self.mode {
            for (texel, i) in texels.iter_mut().zip(0..) {
                *texel = opaque(plane(corners, i & 3, i >> 2));
            }
        } else {
            let halves = [false, true];
            let shades = halves.map(|second| [0, 1, 2, 3].map(|s| self.shade(s, second).map_or(0, opaque)));
            for (texel, i) in texels.iter_mut().zip(0..) {
                let half = shades.get(usize::from(self.second(i & 3, i >> 2))).copied().unwrap_or_default();
                let selector = self.selector(i & 3, i >> 2) as usize;
                *texel = half.get(selector & 3).copied().unwrap_or_default();
            }
        }
        if let Some(alpha) = &self.alpha {
            for (texel, alpha) in texels.iter_mut().zip(alpha.all(|index| alpha.eight_of(index).into())) {
                *texel = *texel & 0x00ff_ffff | alpha << 24;
            }
        }
        texels
    }
}

/// RGB of the plane through `[origin, horizontal, vertical]` at a texel.
fn plane([origin, horizontal, vertical]: &[Rgb; 3], x: i32, y: i32) -> Rgb {
    let ([r, g, b], [rh, gh, bh], [rv, gv, bv]) = (*origin, *horizontal, *vertical);
    [(r, rh, rv), (g, gh, gv), (b, bh, bv)]
        .map(|(o, h, v)| ((x * (h - o) + y * (v - o) + 4 * o + 2) >> 2).clamp(0, 255))
}

impl Block for Etc {
    fn texel(&self, i: u32) -> Texel {
        let (x, y) = (i & 3, i >> 2);
        let alpha = self.alpha.as_ref().map_or(255, |channel| channel.eight(i));
        match self.colour(x, y) {
            Some(rgb) => {
                let [r, g, b] = rgb.map(|c| c as u8);
                self.output.texel([r, g, b, alpha])
            }
            None => [0; 4],
        }
    }

    fn texels(&self, out: &mut [Texel; 16]) {
        self.output.texels(&self.bytes(), out);
    }
}
