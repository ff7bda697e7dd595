//! ASTC: blocks of 4x4 to 12x12 texels in 16 bytes, LDR and HDR.
//!
//! Source: Khronos Data Format Specification, ASTC. A block holds, from bit 0 upward, its mode, its
//! partitions and their endpoint modes, and the endpoints' colours; from bit 127 downward the weights of a grid
//! of at most 64 points. A texel's weights are interpolated in that grid and mix the two endpoints of the
//! texel's partition, by 16-bit integers.
//!
//! Results are halves in the float formats (truncated from 16 bits of UNORM, or from a logarithmic scale),
//! and bytes in the sRGB formats, widened to f32 as those of other formats.

mod endpoints;
mod hdr;
mod mode;
mod partition;
mod rows;
mod sequence;
mod unquantise;

pub(super) use rows::{row, without_srgb};

use super::block::Eight;
use super::{FormatInfo, ONE, Path, Texel, half, head};
use endpoints::{Endpoints, endpoints};
use mode::{Block, VoidExtent, values_of};
use partition::largest;

/// Every texel of an illegal block, and texels that the format's operation cannot express: opaque magenta.
/// The format lets a decoder to halves answer NaN as well, and what Intel's sampler answers is not
/// published: this is a guess.
const ERROR: Texel = [ONE, 0, ONE, ONE];

/// What a format makes of its blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    /// Bytes; HDR is an error.
    Srgb(Eight),
    /// Halves; HDR is an error.
    Ldr,
    /// Halves.
    Hdr,
}

impl Operation {
    const fn of(info: &FormatInfo) -> Self {
        match info.path() {
            Path::AstcHdr => Self::Hdr,
            Path::AstcSrgb => Self::Srgb(Eight::of(info)),
            _ => Self::Ldr,
        }
    }
}

/// A block of one of the kinds.
enum Kind {
    Error,
    Constant(Texel),
    Block(Block),
}

fn read(info: &FormatInfo, element: &[u8], operation: Operation) -> Kind {
    let bits = u128::from_le_bytes(head(element));
    if VoidExtent::is(bits) {
        VoidExtent::new(bits, operation).map_or(Kind::Error, |void| Kind::Constant(constant(void, operation)))
    } else {
        let size = [info.block_width, info.block_height].map(u32::from);
        Block::new(bits, size).map_or(Kind::Error, Kind::Block)
    }
}

fn constant(void: VoidExtent, operation: Operation) -> Texel {
    if void.half {
        return void.colour.map(|c| half::to_f32(c).to_bits());
    }
    let colour = void.colour.map(u32::from);
    match operation {
        Operation::Srgb(eight) => bytes(colour, eight),
        Operation::Ldr | Operation::Hdr => colour.map(unorm),
    }
}

/// A texel of the bytes on top of 16 bits.
#[inline]
fn bytes(colour: [u32; 4], eight: Eight) -> Texel {
    eight.texel(colour.map(|c| (c >> 8) as u8))
}

/// 16 bits as a half, rounded toward zero, but 1.0 for all ones.
#[inline(always)]
fn unorm(c: u32) -> u32 {
    // 65535 becomes 65536. An f32 whose low 13 bits are 0 is a half: 2^-16 is none of its smallest
    // denormals.
    let c = (c + ((c + 1) >> 16)) as i32 as f32;
    (f32::from_bits(c.to_bits() & 0xffff_e000) * (1.0 / 65536.0)).to_bits()
}

/// 16 bits of a logarithmic scale as a half: five of exponent, eleven of mantissa, bent to three line
/// segments.
#[inline(always)]
fn logarithmic(c: u32) -> u32 {
    let (e, m) = (c >> 11, c & 0x7ff);
    let m = if m < 512 {
        3 * m
    } else if m < 1536 {
        4 * m - 512
    } else {
        5 * m - 2048
    };
    half::to_f32((e << 10 | m >> 3).min(0x7bff) as u16).to_bits()
}

/// A partition's endpoints as they are mixed.
#[derive(Clone, Copy)]
struct Line {
    /// 64 times the first endpoint, plus what rounds the sum, plus 2^23.
    start: [f32; 4],
    /// Second less first endpoint.
    step: [f32; 4],
    hdr_rgb: bool,
    hdr_alpha: bool,
}

/// Not an endpoint at all: HDR where the format has none.
const NO_LINE: Option<Line> = None;

impl Line {
    fn new(ends: &Endpoints, operation: Operation) -> Option<Self> {
        if (ends.hdr_rgb || ends.hdr_alpha) && operation != Operation::Hdr {
            return None;
        }
        let widen = |value: i32, hdr: bool| match operation {
            _ if hdr => value << 4,
            Operation::Srgb(_) => value << 8 | 0x80,
            Operation::Ldr | Operation::Hdr => value << 8 | value,
        };
        let wide = |[r, g, b, a]: [i32; 4]| {
            [widen(r, ends.hdr_rgb), widen(g, ends.hdr_rgb), widen(b, ends.hdr_rgb), widen(a, ends.hdr_alpha)]
        };
        let [from, to] = ends.colours.map(wide);
        let mut step = [0.0; 4];
        for (step, (from, to)) in step.iter_mut().zip(from.into_iter().zip(to)) {
            *step = (to - from) as f32;
        }
        let start = from.map(|c| (c << 6 | 32) as f32 + 8_388_608.0);
        Some(Self { start, step, hdr_rgb: ends.hdr_rgb, hdr_alpha: ends.hdr_alpha })
    }

    /// 16 bits of every channel by its weight.
    #[inline(always)]
    fn mix(&self, weights: [f32; 4]) -> [u32; 4] {
        let mut out = [0; 4];
        for (((out, start), step), weight) in out.iter_mut().zip(self.start).zip(self.step).zip(weights) {
            // Whole numbers from 2^23 to 2^24: f32 is exact and its mantissa is the sum.
            *out = ((start + step * weight).to_bits() & 0x7f_ffff) >> 6;
        }
        out
    }

    /// The texel of such a mixture.
    #[inline(always)]
    fn texel(&self, mixed: [u32; 4], operation: Operation) -> Texel {
        match operation {
            Operation::Srgb(eight) => bytes(mixed, eight),
            Operation::Ldr => mixed.map(unorm),
            Operation::Hdr => {
                let ([r, g, b, a], [hr, hg, hb, ha]) = (mixed.map(unorm), mixed.map(logarithmic));
                let [r, g, b] = if self.hdr_rgb { [hr, hg, hb] } else { [r, g, b] };
                [r, g, b, if self.hdr_alpha { ha } else { a }]
            }
        }
    }
}

/// Where a coordinate of a texel is in a grid of weights: the point before it, and sixteenths.
#[derive(Clone, Copy, Default)]
struct Position {
    point: u32,
    fraction: u32,
}

/// The position of texel `at` of `size` (4 to 12) among `points`.
#[inline]
const fn position(at: u32, scale: u32, points: u32) -> Position {
    let fixed = (scale * at * (points.wrapping_sub(1)) + 32) >> 6;
    Position { point: fixed >> 4, fraction: fixed & 15 }
}

/// 1024 over the steps between `size` texels, rounded.
const fn steps(size: u32) -> u32 {
    // Sizes of 1 do not exist.
    match (1024 + size / 2).checked_div(size.wrapping_sub(1)) {
        Some(scale) => scale,
        None => 0,
    }
}

/// The weight between four points: (0, 0), (1, 0), (0, 1), (1, 1). Two planes may share a word, 16 bits each.
#[inline(always)]
fn between([a, b, c, d]: [u32; 4], x: u32, y: u32) -> u32 {
    let both = (x * y + 8) >> 4;
    (a * (16 + both - x - y) + b * (x - both) + c * (y - both) + d * both + 0x8_0008) >> 4 & 0x7f_007f
}

impl Block {
    /// Colour values of a partition, from value `first`.
    fn values(&self, partition: u32) -> [u8; 8] {
        let before = self.modes.iter().take(partition as usize).map(|mode| values_of(*mode)).sum::<u32>();
        let mut values = [0; 8];
        for (value, index) in values.iter_mut().zip(before..) {
            *value = self.colours.value(index);
        }
        unquantise::colours(self.colours.range, &mut values);
        values
    }

    /// The line of a partition.
    fn line(&self, partition: u32, operation: Operation) -> Option<Line> {
        let mode = self.modes.get(partition as usize).copied().unwrap_or(0);
        Line::new(&endpoints(mode, self.values(partition)), operation)
    }

    /// The lines of all partitions.
    fn lines(&self, operation: Operation) -> [Option<Line>; 4] {
        let mut values = [0; 24];
        let used = self.modes.iter().zip(0..self.count).map(|(mode, _)| values_of(*mode)).sum::<u32>();
        let values_used = values.get_mut(..used as usize).unwrap_or_default();
        self.colours.values(values_used);
        unquantise::colours(self.colours.range, values_used);
        let mut rest: &[u8] = &values;
        let mut lines = [NO_LINE; 4];
        for ((line, mode), _) in lines.iter_mut().zip(self.modes).zip(0..self.count) {
            *line = Line::new(&endpoints(mode, head(rest)), operation);
            rest = rest.get(values_of(mode) as usize..).unwrap_or_default();
        }
        lines
    }

    /// The weights of a point of the grid: of the second plane in the high half.
    fn point(&self, index: u32) -> u32 {
        let table = unquantise::weight_table(self.weight_range);
        let weight = |index| {
            let value = self.weights.value(index);
            table.get(usize::from(value)).copied().map_or(0, u32::from)
        };
        if self.dual { weight(2 * index) | weight(2 * index + 1) << 16 } else { weight(index) }
    }

    /// The weights of all points, and zeros after them.
    fn points(&self) -> [u32; POINTS] {
        let [columns, rows] = self.grid;
        let planes = 1 + usize::from(self.dual);
        let mut values = [0; 64];
        let used = values.get_mut(..(columns * rows) as usize * planes).unwrap_or_default();
        self.weights.values(used);
        let table = unquantise::weight_table(self.weight_range);
        let weight = |value: u8| table.get(usize::from(value & 31)).copied().map_or(0, u32::from);
        let mut points = [0; POINTS];
        if planes == 2 {
            for (point, [first, second]) in points.iter_mut().zip(used.as_chunks().0) {
                *point = weight(*first) | weight(*second) << 16;
            }
        } else {
            for (point, value) in points.iter_mut().zip(used) {
                *point = weight(*value);
            }
        }
        points
    }

    /// The weights of a texel's channels.
    #[inline(always)]
    fn spread(&self, weights: u32) -> [f32; 4] {
        let [first, second] = [weights & 0x7f, weights >> 16].map(|w| w as i32 as f32);
        // Small whole numbers: exact. The second plane's share is 1 or 0.
        self.second_share.map(|share| first + (second - first) * share)
    }
}

/// Points of a grid, and of the row after it: bilinear reads of the last row reach there, for nothing.
const POINTS: usize = 128;

/// Texel (`x`, `y`) of a block.
#[inline(never)]
pub(super) fn texel(info: &FormatInfo, element: &[u8], x: u32, y: u32) -> Texel {
    let operation = Operation::of(info);
    let block = match read(info, element, operation) {
        Kind::Error => return ERROR,
        Kind::Constant(texel) => return texel,
        Kind::Block(block) => block,
    };
    let Some(line) = block.line(block.partitions.at(x, y), operation) else { return ERROR };
    let [columns, rows] = block.grid;
    let px = position(x, steps(info.block_width.into()), columns);
    let py = position(y, steps(info.block_height.into()), rows);
    let first = px.point + py.point * columns;
    // A factor of 0 may go with a point past the grid, which reads as whatever.
    let points = [first, first + 1, first + columns, first + columns + 1].map(|index| block.point(index));
    let weights = between(points, px.fraction, py.fraction);
    line.texel(line.mix(block.spread(weights)), operation)
}

/// All texels of a block in raster order.
#[inline(never)]
pub(super) fn texels(info: &FormatInfo, element: &[u8], out: &mut [Texel]) {
    let operation = Operation::of(info);
    let block = match read(info, element, operation) {
        Kind::Error => return out.fill(ERROR),
        Kind::Constant(texel) => return out.fill(texel),
        Kind::Block(block) => block,
    };
    let lines = block.lines(operation);
    let points = block.points();
    let width = u32::from(info.block_width);
    let [columns, rows] = block.grid;
    let mut xs = [Position::default(); 12];
    let scale = steps(width);
    for (out, x) in xs.iter_mut().zip(0..width) {
        *out = position(x, scale, columns);
    }
    let scale = steps(info.block_height.into());
    for (out, y) in out.chunks_mut(width.max(1) as usize).zip(0..) {
        let py = position(y, scale, rows);
        let row = py.point * columns;
        let mut functions = block.partitions.row(y);
        for (out, px) in out.iter_mut().zip(xs) {
            let first = (row + px.point) as usize;
            let point = |index: usize| points.get(index % POINTS).copied().unwrap_or(0);
            let below = first + columns as usize;
            let corners = [point(first), point(first + 1), point(below), point(below + 1)];
            let weights = block.spread(between(corners, px.fraction, py.fraction));
            let line = lines.get(largest(functions) as usize);
            *out = match line {
                Some(Some(line)) => line.texel(line.mix(weights), operation),
                _ => ERROR,
            };
            functions = block.partitions.right(functions);
        }
    }
}
