//! ASTC: blocks of 4x4 to 12x12 texels in 16 bytes, LDR and HDR.
//!
//! Source: Khronos Data Format Specification, ASTC. A block holds, from bit 0 upward, its mode, its
//! partitions and their endpoint modes, and the endpoints' colours; from bit 127 downward the weights of a grid
//! of at most 64 points. A texel's weights are interpolated in that grid and mix the two endpoints of the
//! texel's partition, by 16-bit integers.
//!
//! Results are halves in the float formats (truncated from 16 bits of UNORM, or from a logarithmic scale),
//! and bytes in the sRGB formats; both are widened to f32 like the channels of other formats.

mod endpoints;
mod hdr;
mod mode;
mod partition;
mod profile;
mod rows;
mod sequence;
mod unquantise;

pub(super) use rows::{row, without_srgb};

use self::profile::Profile;
use super::block::ColourSpace;
use super::texel::ONE;
use super::{FormatInfo, Texel, half, head};
use endpoints::endpoints;
use hdr::Endpoints;
use mode::{BlockHeader, VoidExtent, values_of};
use partition::{larger, largest};

/// The error colour, opaque magenta: of every texel of an illegal block, and of HDR texels in formats that take LDR
/// only. ASTC lets a decoder to halves return NaN as well, and what Intel's sampler returns is not
/// published: this is a guess.
const ERROR: Texel = [ONE, 0, ONE, ONE];

/// Reads the head of the block in `element`. `Err` is the texel that fills a void extent or an illegal block.
fn read(info: &FormatInfo, element: &[u8], profile: Profile) -> Result<BlockHeader, Texel> {
    let bits = u128::from_le_bytes(head(element));
    if VoidExtent::is(bits) {
        return Err(VoidExtent::new(bits, profile).map_or(ERROR, |void| constant(void, profile)));
    }
    BlockHeader::new(bits, [info.block_width, info.block_height].map(u32::from), ERROR)
}

#[cfg_attr(target_pointer_width = "32", inline(never))]
fn constant(void: VoidExtent, profile: Profile) -> Texel {
    if void.half {
        return void.colour.map(|c| half::to_f32(c).to_bits());
    }
    let colour = void.colour.map(u32::from);
    match profile {
        Profile::Srgb(space) => bytes(colour, space),
        Profile::Ldr | Profile::Hdr => colour.map(unorm),
    }
}

/// Returns the texel of the high bytes of 16-bit channels.
#[inline]
fn bytes(colour: [u32; 4], space: ColourSpace) -> Texel {
    space.texel(colour.map(|c| (c >> 8) as u8))
}

/// Converts 16 bits of UNORM to the value of a half, as f32 bits: rounded toward zero, but 1.0 for all ones.
#[inline(always)]
fn unorm(c: u32) -> u32 {
    // 65535 becomes 65536. An f32 whose low 13 bits are 0 is a half here: results are multiples of 2^-16, and
    // the denormals of a half have a smaller step.
    let c = (c + ((c + 1) >> 16)) as i32 as f32;
    (f32::from_bits(c.to_bits() & 0xffff_e000) * (1.0 / 65536.0)).to_bits()
}

/// Converts 16 bits of the logarithmic scale to the value of a half, as f32 bits: five bits of exponent, and eleven of
/// mantissa, mapped by three line segments. It has no branches, so that compilers vectorise it, and avoids f32
/// denormals, which are slow.
#[inline(always)]
fn logarithmic(c: u32) -> u32 {
    const LARGEST_HALF: f32 = 65504.0;
    const SMALLEST_NORMAL: f32 = 1.0 / 16384.0;
    // Eight times the half's mantissa is 3m, 4m - 512 from m = 512 and 5m - 2048 from m = 1536 on.
    let m = (c & 0x7ff) as i32;
    let bent = 3 * m + (m - 512).max(0) + (m - 1536).max(0);
    let half = ((c & 0xf800) >> 1) + (bent as u32 >> 3);
    let value = f32::from_bits((half << 13) + (112 << 23));
    let value = if value < LARGEST_HALF { value } else { LARGEST_HALF };
    // A half whose exponent field is 0 has no hidden one, and its step is that of exponent 1.
    let lacking = value - SMALLEST_NORMAL;
    (value + if lacking < 0.0 { lacking } else { 0.0 }).to_bits()
}

/// The endpoints of a partition, prepared for interpolation.
#[derive(Clone, Copy)]
struct EndpointLine {
    /// 64 times the first endpoint, plus 32 to round the sum, plus 2^23.
    start: [f32; 4],
    /// The second endpoint minus the first. The channel of the second plane, whose weights come multiplied by 2^16, has it
    /// divided by 2^16.
    step: [f32; 4],
    /// All ones for a channel that is logarithmic, else 0.
    hdr: [u32; 4],
}

const TWO_23: f32 = 8_388_608.0;

impl EndpointLine {
    /// The line whose texels are all [`ERROR`].
    const ERROR: Self = {
        let (all, none) = ((0xffff * 64) as f32 + TWO_23, TWO_23);
        Self { start: [all, none, all, all], step: [0.0; 4], hdr: [0; 4] }
    };

    fn new(ends: &Endpoints, block: &BlockHeader, profile: Profile) -> Self {
        if ends.hdr_rgb && profile != Profile::Hdr {
            return Self::ERROR;
        }
        let widen = |value: i32, hdr: bool| match profile {
            _ if hdr => value << 4,
            Profile::Srgb(_) => value << 8 | 0x80,
            Profile::Ldr | Profile::Hdr => value << 8 | value,
        };
        let hdr = [ends.hdr_rgb, ends.hdr_rgb, ends.hdr_rgb, ends.hdr_alpha];
        let [from, to] = &ends.colours;
        let (mut start, mut step) = ([0.0; 4], block.scale());
        let channels = start.iter_mut().zip(&mut step).zip(hdr).zip(from.iter().zip(to));
        for (((start, step), hdr), (from, to)) in channels {
            let (from, to) = (widen(*from, hdr), widen(*to, hdr));
            *start = (from << 6 | 32) as f32 + TWO_23;
            *step *= (to - from) as f32;
        }
        Self { start, step, hdr: hdr.map(|hdr| if hdr { u32::MAX } else { 0 }) }
    }

    /// Interpolates every channel by its weight, to 16 bits. `masks` has the bits of each channel's weight in `weights`.
    #[inline(always)]
    fn mix(&self, weights: u32, masks: &[u32; 4]) -> [u32; 4] {
        let mut out = [0; 4];
        for (((out, start), step), mask) in out.iter_mut().zip(&self.start).zip(&self.step).zip(masks) {
            // Whole numbers from 2^23 to 2^24: f32 is exact and its mantissa is the sum.
            let weight = (weights & mask) as i32 as f32;
            *out = ((start + step * weight).to_bits() & 0x7f_ffff) >> 6;
        }
        out
    }
}

/// The position of a texel on one axis of the weight grid: the grid point at or before it, and the sixteenths from there.
#[derive(Clone, Copy, Default)]
struct GridPosition {
    point: u32,
    fraction: u32,
}

/// Returns the position of texel `at` among `points` grid points of an axis. `scale` is [`steps`] of the block's size (4 to 12).
#[inline]
const fn position(at: u32, scale: u32, points: u32) -> GridPosition {
    let fixed = (scale * at * (points.wrapping_sub(1)) + 32) >> 6;
    GridPosition { point: fixed >> 4, fraction: fixed & 15 }
}

/// Returns 1024 divided by the number of steps between `size` texels, rounded.
const fn steps(size: u32) -> u32 {
    // No block has a size of 1.
    match (1024 + size / 2).checked_div(size.wrapping_sub(1)) {
        Some(scale) => scale,
        None => 0,
    }
}

/// Interpolates the weights of four points: (0, 0), (1, 0), (0, 1), (1, 1); `x` and `y` are sixteenths. Two planes may
/// share a word, 16 bits each; bits 15:7 of the result are meaningless then.
#[inline(always)]
const fn between([a, b, c, d]: [u32; 4], x: u32, y: u32) -> u32 {
    let both = (x * y + 8) >> 4;
    (a * (16 + both - x - y) + b * (x - both) + c * (y - both) + d * both + 0x8_0008) >> 4
}

/// The most points of a weight grid.
const POINTS: usize = 64;

impl BlockHeader {
    /// Returns the line of a partition.
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    fn line(&self, partition: u32, profile: Profile) -> EndpointLine {
        let before = self.modes.iter().take(partition as usize).map(|mode| values_of(*mode)).sum::<u32>();
        let mut values = [0; 8];
        self.colours.values_from(before, &mut values);
        unquantise::colours(self.colours.range, &mut values);
        let mode = self.modes.get(partition as usize).copied().unwrap_or(0);
        EndpointLine::new(&endpoints(mode, values), self, profile)
    }

    /// Returns the lines of all partitions.
    fn lines(&self, profile: Profile) -> [EndpointLine; 4] {
        let mut values = [0; 24];
        let used = values.get_mut(..self.values as usize).unwrap_or_default();
        self.colours.values(used);
        unquantise::colours(self.colours.range, used);
        let mut rest: &[u8] = &values;
        let mut lines = [EndpointLine::ERROR; 4];
        for ((line, mode), _) in lines.iter_mut().zip(self.modes).zip(0..self.count) {
            *line = EndpointLine::new(&endpoints(mode, head(rest)), self, profile);
            rest = rest.get(values_of(mode) as usize..).unwrap_or_default();
        }
        lines
    }

    /// Returns the weight of a point of the grid in the low half, and that of the second plane, if any, in the high half.
    fn point(&self, index: u32) -> u32 {
        let table = unquantise::weight_table(self.weight_range);
        let weight = |index| {
            let value = self.weights.value(index);
            table.get(usize::from(value)).copied().map_or(0, u32::from)
        };
        if self.second.is_some() { weight(2 * index) | weight(2 * index + 1) << 16 } else { weight(index) }
    }

    /// Returns the weights of all points, each as [`point`](Self::point) does.
    fn points(&self) -> [u32; POINTS] {
        let [columns, rows] = self.grid;
        let count = columns * rows * if self.second.is_some() { 2 } else { 1 };
        let mut values = [0; POINTS];
        let used = values.get_mut(..count as usize).unwrap_or_default();
        self.weights.values(used);
        let table = unquantise::weight_table(self.weight_range);
        let weight = |value: u8| table.get(usize::from(value & 31)).copied().map_or(0, u32::from);
        let mut points = [0; POINTS];
        if self.second.is_some() {
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
}

/// Decodes texel (`x`, `y`) of a block.
#[inline(never)]
pub(super) fn texel(info: &FormatInfo, element: &[u8], x: u32, y: u32) -> Texel {
    let profile = Profile::of(info);
    // Matched by reference: `match` on the value would copy the block.
    let block = read(info, element, profile);
    let block = match &block {
        Err(texel) => return *texel,
        Ok(block) => block,
    };
    let line = block.line(block.partitions.at(x, y), profile);
    let [columns, rows] = block.grid;
    let px = position(x, steps(info.block_width.into()), columns);
    let py = position(y, steps(info.block_height.into()), rows);
    let first = px.point + py.point * columns;
    // Points past the grid have the factor 0.
    let points = [first, first + 1, first + columns, first + columns + 1].map(|index| block.point(index));
    let mixed = line.mix(between(points, px.fraction, py.fraction), &block.masks());
    match profile {
        Profile::Srgb(space) => bytes(mixed, space),
        Profile::Ldr => mixed.map(unorm),
        Profile::Hdr => {
            let mut texel = [0; 4];
            for ((out, mixed), hdr) in texel.iter_mut().zip(&mixed).zip(&line.hdr) {
                *out = either(*mixed, *hdr);
            }
            texel
        }
    }
}

/// Decodes all texels of a block, in raster order.
#[inline(never)]
pub(super) fn texels(info: &FormatInfo, element: &[u8], out: &mut [Texel]) {
    let profile = Profile::of(info);
    // Matched by reference: `match` on the value would copy the block.
    let block = read(info, element, profile);
    let block = match &block {
        Err(texel) => return out.fill(*texel),
        Ok(block) => block,
    };
    let lines = block.lines(profile);
    let hdr = |all: u32| lines.iter().zip(0..block.count).all(|(line, _)| line.hdr == [all; 4]);
    // LDR blocks in HDR formats are frequent.
    let convert: ConvertRow = match profile {
        Profile::Srgb(ColourSpace::Srgb) => |row, out| row_of_bytes(row, out, ColourSpace::Srgb),
        Profile::Srgb(ColourSpace::Linear) => |row, out| row_of_bytes(row, out, ColourSpace::Linear),
        Profile::Hdr if hdr(u32::MAX) => |row, out| row_of_halves(row, out, logarithmic),
        Profile::Hdr if !hdr(0) => row_of_either,
        Profile::Ldr | Profile::Hdr => |row, out| row_of_halves(row, out, unorm),
    };
    fill(info, block, &lines, out, convert);
}

/// A row of interpolated texels before conversion: 16 bits of every channel, and masks of the channels that are logarithmic.
#[derive(Default)]
struct TexelRow {
    mixed: [[u32; 4]; 12],
    /// As [`EndpointLine::hdr`].
    hdr: [[u32; 4]; 12],
}

/// Converts a row of interpolated texels to texels of the format.
type ConvertRow = fn(&TexelRow, &mut [Texel]);

#[inline(always)]
fn row_of_bytes(row: &TexelRow, out: &mut [Texel], space: ColourSpace) {
    for (out, mixed) in out.iter_mut().zip(&row.mixed) {
        *out = bytes(*mixed, space);
    }
}

#[inline(always)]
fn row_of_halves(row: &TexelRow, out: &mut [Texel], convert: impl Fn(u32) -> u32) {
    for (out, mixed) in out.as_flattened_mut().iter_mut().zip(row.mixed.as_flattened()) {
        *out = convert(*mixed);
    }
}

fn row_of_either(row: &TexelRow, out: &mut [Texel]) {
    let mixed = row.mixed.as_flattened().iter().zip(row.hdr.as_flattened());
    for (out, (mixed, hdr)) in out.as_flattened_mut().iter_mut().zip(mixed) {
        *out = either(*mixed, *hdr);
    }
}

/// Converts 16 bits to the value of a half, as f32 bits: from the logarithmic scale if `hdr` is all ones, from UNORM if it is 0.
#[inline(always)]
fn either(mixed: u32, hdr: u32) -> u32 {
    unorm(mixed) & !hdr | logarithmic(mixed) & hdr
}

/// Decodes a block by rows: interpolates the texels of a row, then converts them by `convert`.
fn fill(
    info: &FormatInfo,
    block: &BlockHeader,
    lines: &[EndpointLine; 4],
    out: &mut [Texel],
    convert: ConvertRow,
) {
    let points = block.points();
    let (width, height) = (u32::from(info.block_width), u32::from(info.block_height));
    let [across, down] = block.grid;
    let mut row = [WeightColumn::default(); 16];
    let mut mixtures = TexelRow::default();
    let mut xs = [GridPosition::default(); 12];
    let scale = steps(width);
    for (out, x) in xs.iter_mut().zip(0..width) {
        *out = position(x, scale, across);
    }
    let scale = steps(height);
    for (out, y) in out.chunks_mut(width.max(1) as usize).zip(0..) {
        let py = position(y, scale, down);
        columns(&points, across, py, &mut row);
        mix_row(block, lines, &row, (&xs, width), (y, py.fraction), &mut mixtures);
        convert(&mixtures, out);
    }
}

/// Interpolates the row of texels at `y`. `row` has the columns of its weights, `xs` the positions of its texels.
#[inline(always)]
fn mix_row(
    block: &BlockHeader,
    lines: &[EndpointLine; 4],
    row: &[WeightColumn; 16],
    (xs, width): (&[GridPosition; 12], u32),
    (y, fraction): (u32, u32),
    out: &mut TexelRow,
) {
    let [line, ..] = lines;
    let masks = block.masks();
    let places = out.mixed.iter_mut().zip(&mut out.hdr).zip(xs).zip(0..width);
    if block.count == 1 {
        for (((mixed, hdr), px), _) in places {
            *mixed = line.mix(weights(row, px, fraction), &masks);
            *hdr = line.hdr;
        }
        return;
    }
    let mut functions = block.partitions.row(y);
    for (((mixed, hdr), px), _) in places {
        let partition = if block.count == 2 { larger(functions) } else { largest(functions) };
        let line = lines.get(partition as usize % 4).unwrap_or(line);
        *mixed = line.mix(weights(row, px, fraction), &masks);
        *hdr = line.hdr;
        functions = block.partitions.right(functions);
    }
}

/// The terms of [`between`] for a row of texels and one column of grid points, collected by how they depend on x. The
/// sums of both planes fit their halves of a word, so that arithmetic modulo 2^32 computes them exactly.
#[derive(Clone, Copy, Default)]
struct WeightColumn {
    constant: u32,
    /// Multiplied by the fraction of x.
    right: u32,
    /// Multiplied by the product of the fractions.
    both: u32,
}

/// Computes the columns of the row of texels at `y`, from a grid of `width` columns.
#[inline(always)]
fn columns(points: &[u32; POINTS], width: u32, y: GridPosition, out: &mut [WeightColumn; 16]) {
    let first = y.point * width;
    // Points past the grid have the factor 0.
    let point = |index: u32| points.get(index as usize % POINTS).copied().unwrap_or(0);
    let (mut a, mut c) = (point(first), point(first + width));
    for (out, x) in out.iter_mut().zip(1..=width) {
        let (b, d) = (point(first + x), point(first + width + x));
        let down = c.wrapping_sub(a);
        out.constant = (a << 4).wrapping_add(y.fraction.wrapping_mul(down)).wrapping_add(0x8_0008);
        out.right = b.wrapping_sub(a);
        out.both = d.wrapping_sub(b).wrapping_sub(down);
        (a, c) = (b, d);
    }
}

/// Returns the weights of a texel in a row; bits 15:7 are meaningless if there are two planes.
#[inline(always)]
fn weights(columns: &[WeightColumn; 16], x: &GridPosition, y_fraction: u32) -> u32 {
    let column = columns.get(x.point as usize % 16).copied().unwrap_or_default();
    let share = (x.fraction * y_fraction + 8) >> 4;
    let sum = x.fraction.wrapping_mul(column.right).wrapping_add(share.wrapping_mul(column.both));
    column.constant.wrapping_add(sum) >> 4
}

#[cfg(test)]
mod tests;
