//! Texels by their place: memory, formats, borders, faults.

use super::bind::Source;
use super::cube;
use super::execute::Outcome;
use super::lanes::{ALL, LANES, Lanes, Texels, lane, map, numbers, once, put, zip};
use super::lod::Footprints;
use super::plan::Plan;
use crate::format::{Codec, FormatInfo, Path, Planar, Texel, half, srgb8, unorm8, unorm8_at};
use crate::memory::{Access, Layout, Memory, Plane};
use crate::state::TileMode;

/// A face of a cube on a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// The lane of the subspan.
    pub(super) lane: usize,
    pub(super) level: u32,
    pub(super) slice: u32,
    pub(super) number: u32,
    /// Texels in both directions.
    pub(super) width: i32,
}

impl Face {
    /// Slice, column and row of a texel that may be over an edge; `None` over two.
    #[inline(never)]
    fn place(&self, x: i32, y: i32) -> Option<[u32; 3]> {
        let inside = |i: i32| 0 <= i && i < self.width;
        let (number, x, y) = match (inside(x), inside(y)) {
            (true, true) => (self.number, x, y),
            (false, false) => return None,
            _ => cube::across(self.number, x, y, self.width),
        };
        let slice = self.slice.wrapping_sub(self.number).wrapping_add(number);
        Some([slice, x as u32, y as u32])
    }
}

/// How the elements of a surface become texels.
#[derive(Clone, Copy, Debug)]
struct Elements<'a, 'p> {
    codec: Codec<'p>,
    layout: &'a Layout,
}

const ONE: u32 = 1.0_f32.to_bits();

/// Four channels of 8 bits, colours by `colour` from the bit where they start.
#[inline(always)]
fn rgba8(texels: Lanes<[u8; 4]>, colour: impl Fn(u32, u32) -> f32) -> Texels {
    let words = map(texels, u32::from_le_bytes);
    let channel = |shift: u32| map(words, |word| colour(word, shift).to_bits());
    [channel(0), channel(8), channel(16), map(words, |word| unorm8_at(word, 24).to_bits())]
}

#[inline(always)]
fn srgb8_at(word: u32, shift: u32) -> f32 {
    srgb8((word >> shift) as u8)
}

#[inline(always)]
fn swapped([b, g, r, a]: Texels) -> Texels {
    [r, g, b, a]
}

/// One channel of floats.
#[inline(always)]
fn red(red: Lanes<u32>) -> Texels {
    [red, [0; LANES], [0; LANES], [ONE; LANES]]
}

/// The decoder of a format whose elements are decoded together.
fn together(info: &FormatInfo) -> Path {
    let bytes = match info.path() {
        Path::Rgba8Unorm | Path::Bgra8Unorm | Path::Rgba8Srgb | Path::Bgra8Srgb => 4,
        Path::R32 if info.one() == ONE => 4,
        Path::R8Unorm => 1,
        Path::Rgba16Float => 8,
        _ => return Path::Unsampled,
    };
    if info.bytes == bytes { info.path() } else { Path::Unsampled }
}

/// Lanes halves.
#[inline(always)]
fn rgba16(texels: Lanes<[u8; 8]>) -> Texels {
    let words = map(texels, u64::from_le_bytes);
    let channel = |shift: u32| map(words, |word| half::to_f32((word >> shift) as u16).to_bits());
    [channel(0), channel(16), channel(32), channel(48)]
}

/// What the lanes read from: the elements of slices of levels.
#[derive(Clone, Copy, Debug)]
struct Kept {
    level: Lanes<u32>,
    slice: Lanes<u32>,
    planes: Lanes<Plane>,
}

const KEPT: usize = if LANES > 1 { 2 } else { 1 };

impl Kept {
    #[inline(always)]
    fn holds(&self, level: &Lanes<u32>, slice: &Lanes<u32>) -> bool {
        self.level == *level && self.slice == *slice
    }
}

/// Texels to read: of the lanes that are on, from positions to the right.
struct Row<'a, const C: usize> {
    on: &'a mut u32,
    x: &'a Lanes<i32>,
    y: &'a Lanes<i32>,
    out: &'a mut [Texels; C],
}

/// Reads texels for one subspan after another and keeps what went wrong.
#[derive(Debug)]
pub(super) struct Reader<'a, 'p, M: ?Sized> {
    pub(super) plan: &'a Plan<'a, 'p>,
    memory: &'a M,
    /// `None`: the texels have planes, or there are none.
    elements: Option<Elements<'a, 'p>>,
    /// What four elements are decoded by at once, if there is such.
    together: Path,
    /// Texels of a row are one after the other in memory.
    pub(super) linear: bool,
    /// The subspan's first lane.
    first: usize,
    outcome: Outcome,
    pub(super) footprints: Footprints,
    /// What the lanes read from, and what they read from before that if there is room.
    kept: [Kept; KEPT],
    now: usize,
}

impl<'a, 'p, M: Memory + ?Sized> Reader<'a, 'p, M> {
    pub(super) fn new(plan: &'a Plan<'a, 'p>, memory: &'a M) -> Self {
        let elements = match &plan.texture.source {
            Source::Plain { codec, layout } => {
                let codec = plan.linear.unwrap_or(*codec);
                Some(Elements { codec, layout })
            }
            _ => None,
        };
        let plane = Plane::surface(0, 0, 0, TileMode::Linear);
        let kept = Kept { level: [u32::MAX; LANES], slice: [u32::MAX; LANES], planes: [plane; LANES] };
        let (mut linear, mut decoder) = (false, Path::Unsampled);
        if let Some(Elements { codec, layout }) = &elements
            && layout.is_contiguous()
        {
            linear = layout.tiling() == TileMode::Linear;
            decoder = together(codec.info());
        }
        Self {
            plan,
            memory,
            elements,
            together: decoder,
            linear,
            first: 0,
            outcome: Outcome::default(),
            footprints: Footprints::NONE,
            kept: [kept; KEPT],
            now: 0,
        }
    }

    /// The subspan that reads from now on.
    pub(super) fn start(&mut self, first: usize) {
        self.first = first;
    }

    /// The lanes with a fault of the subspan that starts at `first`.
    pub(super) fn failed(&self, first: usize) -> u32 {
        self.outcome.faults.wrapping_shr(first as u32) & ALL
    }

    /// What happened. A lane with a fault does not count as one that read a null page.
    pub(super) fn outcome(&self) -> Outcome {
        let outcome = self.outcome;
        Outcome { null_lanes: outcome.null_lanes & !outcome.faults, ..outcome }
    }

    /// Reads from the lanes' slices (of memory) of their levels (of the view) from now on.
    #[inline]
    pub(super) fn turn_to(&mut self, level: &Lanes<u32>, slice: &Lanes<u32>) {
        if !self.kept().holds(level, slice) {
            // Levels, and slices of volumes, take turns.
            self.now = self.now.wrapping_add(1) % KEPT;
            if !self.kept().holds(level, slice) {
                self.turn(level, slice);
            }
        }
    }

    /// What the lanes read from.
    #[inline(always)]
    fn kept(&self) -> &Kept {
        let [first, ..] = &self.kept;
        self.kept.get(self.now).unwrap_or(first)
    }

    // Apart: its frame is gone when texels are read.
    #[inline(never)]
    fn turn(&mut self, level: &Lanes<u32>, slice: &Lanes<u32>) {
        let Some(elements) = &self.elements else { return };
        let base = self.plan.texture.base;
        let Some(kept) = self.kept.get_mut(self.now) else { return };
        kept.level = *level;
        kept.slice = *slice;
        let places = zip(*level, *slice, |level, slice| (level, slice));
        kept.planes = once(places, |(level, slice)| elements.layout.plane(level.saturating_add(base), slice));
    }

    /// The texels at positions in range and those right of them, `C` in all, for the lanes that are on. More
    /// than one must be one after the other in memory. The formats that are sampled most are decoded together.
    // Apart: once for each `C`.
    #[inline(never)]
    pub(super) fn texels<const C: usize>(
        &mut self,
        mut on: u32,
        x: &Lanes<i32>,
        y: &Lanes<i32>,
        out: &mut [Texels; C],
    ) {
        let row = Row { on: &mut on, x, y, out };
        match self.together {
            Path::Rgba8Unorm => self.decode(row, |raw| rgba8(raw, unorm8_at)),
            Path::Bgra8Unorm => self.decode(row, |raw| swapped(rgba8(raw, unorm8_at))),
            Path::Rgba8Srgb => self.decode(row, |raw| rgba8(raw, srgb8_at)),
            Path::Bgra8Srgb => self.decode(row, |raw| swapped(rgba8(raw, srgb8_at))),
            Path::R8Unorm => self.decode(row, |raw| red(map(raw, |[v]| unorm8(v).to_bits()))),
            Path::R32 => self.decode(row, |raw| red(map(raw, u32::from_le_bytes))),
            Path::Rgba16Float => self.decode(row, rgba16),
            _ => {}
        }
        if on != 0 {
            for (column, texels) in (0..).zip(out) {
                self.others(on, &map(*x, |x| x.wrapping_add(column)), y, texels);
            }
        }
    }

    /// Decodes the lanes whose elements are in plain memory, and takes them out of those that are on.
    #[inline(always)]
    fn decode<const N: usize, const C: usize>(
        &self,
        row: Row<'_, C>,
        decode: impl Fn(Lanes<[u8; N]>) -> Texels,
    ) {
        let mut raw = [[[0; N]; LANES]; C];
        let addresses = self.addresses(row.x, row.y);
        for (lane, address) in addresses.into_iter().enumerate() {
            if *row.on >> lane & 1 != 0
                && let Some(bytes) = self.memory.slice(address, N.wrapping_mul(C))
                && let Some(bytes) = bytes.as_chunks().0.first_chunk::<C>()
            {
                for (raw, bytes) in raw.iter_mut().zip(bytes) {
                    if let Some(raw) = raw.get_mut(lane) {
                        *raw = *bytes;
                    }
                }
                *row.on &= !(1 << lane);
            }
        }
        for (out, raw) in row.out.iter_mut().zip(raw) {
            *out = decode(raw);
        }
    }

    /// The addresses of the lanes' elements.
    #[inline(always)]
    fn addresses(&self, x: &Lanes<i32>, y: &Lanes<i32>) -> Lanes<u64> {
        let planes = &self.kept().planes;
        // Linear ones differ in their base alone.
        let [first, ..] = planes;
        let mut addresses = [0; LANES];
        let lanes = addresses.iter_mut().zip(planes).zip(x.iter().zip(y));
        if self.linear {
            for ((out, plane), (x, y)) in lanes {
                *out = plane.base.wrapping_add(first.linear(*x as u32, *y as u32));
            }
        } else {
            for ((out, plane), (x, y)) in lanes {
                *out = plane.address(*x as u32, *y as u32);
            }
        }
        addresses
    }

    /// The texels of lanes one by one.
    #[inline(never)]
    fn others(&mut self, on: u32, x: &Lanes<i32>, y: &Lanes<i32>, texels: &mut Texels) {
        for number in numbers(on) {
            let texel = self.here(number, lane(x, number) as u32, lane(y, number) as u32);
            put(texels, number, texel);
        }
    }

    /// A lane's texel.
    #[inline(never)]
    fn texel(&mut self, lane: usize, x: u32, y: u32) -> Texel {
        self.here(lane, x, y)
    }

    /// The same in the caller's frame.
    #[inline(always)]
    fn here(&mut self, lane: usize, x: u32, y: u32) -> Texel {
        let texel = match (&self.elements, self.kept().planes.get(lane)) {
            (Some(elements), Some(plane)) => {
                let (codec, plane) = (elements.codec, *plane);
                self.element(&codec, &plane, lane, x, y)
            }
            _ => self.planar(lane, x, y),
        };
        texel.unwrap_or(self.plan.texture.outside)
    }

    /// A lane's texel of a surface with planes.
    #[inline(never)]
    fn planar(&mut self, lane: usize, x: u32, y: u32) -> Option<Texel> {
        let Source::Planar { luma, chroma } = &self.plan.texture.source else { return None };
        let luma = self.element(&luma.0, &luma.1, lane, x, y);
        let chroma = self.element(&chroma.0, &chroma.1, lane, x >> 1, y >> 1);
        luma.zip(chroma).map(|(luma, chroma)| Planar::combine(luma, chroma))
    }

    /// An element's texel, in place or copied, or `None` when its memory is not there.
    #[inline(never)]
    fn element(&mut self, codec: &Codec<'_>, plane: &Plane, lane: usize, x: u32, y: u32) -> Option<Texel> {
        let info = codec.info();
        let [[ex, ey], _] = info.split(x, y);
        if plane.is_contiguous()
            && let Some(bytes) = self.memory.slice(plane.address(ex, ey), info.bytes.into())
        {
            return Some(codec.decode(bytes, x, y));
        }
        let mut bytes = [0_u8; 32];
        let bytes = bytes.get_mut(..usize::from(info.bytes)).unwrap_or_default();
        self.copy(plane, lane, ex, ey, bytes).then(|| codec.decode(bytes, x, y))
    }

    /// Copies an element for a lane; false when its memory is not there.
    // Apart: its frame is gone when the element is decoded.
    #[inline(never)]
    pub(super) fn copy(&mut self, plane: &Plane, lane: usize, x: u32, y: u32, out: &mut [u8]) -> bool {
        match plane.read(self.memory, x, y, out) {
            Access::Mapped => return true,
            Access::NullPage => self.outcome.null_lanes |= 1 << (self.first.wrapping_add(lane) & 31),
            Access::Fault => self.fault(lane, plane.address(x, y)),
        }
        false
    }

    fn fault(&mut self, lane: usize, address: u64) {
        let lane = self.first.wrapping_add(lane) & 31;
        self.outcome.faults |= 1 << lane;
        // The first lane's first: lanes take turns.
        if self.outcome.first_fault.is_none_or(|(first, _)| lane < usize::from(first)) {
            self.outcome.first_fault = Some((lane as u8, address));
        }
    }

    /// The four texels of a lane's footprint at a face's edge: (x0, y0), (x1, y0), (x0, y1), (x1, y1).
    pub(super) fn around(&mut self, face: &Face, [x0, x1]: [i32; 2], [y0, y1]: [i32; 2]) -> [Texel; 4] {
        let corners = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)];
        let mut texels = [[0; 4]; 4];
        let mut missing = 4;
        for (number, (texel, (x, y))) in texels.iter_mut().zip(corners).enumerate() {
            match self.on_cube(face, x, y) {
                Some(found) => *texel = found,
                None => missing = number,
            }
        }
        if missing < 4 {
            let average = self.corner(&texels, missing);
            if let Some(texel) = texels.get_mut(missing) {
                *texel = average;
            }
        }
        texels
    }

    /// A texel of a cube, from the neighbouring face if it is over one edge; `None` over two.
    #[inline]
    fn on_cube(&mut self, face: &Face, x: i32, y: i32) -> Option<Texel> {
        let [slice, x, y] = face.place(x, y)?;
        self.turn_to(&[face.level; LANES], &[slice; LANES]);
        Some(self.texel(face.lane, x, y))
    }

    /// The texel at a cube's corner: the average of the other three.
    #[inline(never)]
    fn corner(&self, texels: &[Texel; 4], corner: usize) -> Texel {
        let signed = self.plan.texture.sint;
        let integer = self.plan.texture.integer;
        let mut average = [0_u32; 4];
        for (channel, out) in average.iter_mut().enumerate() {
            let of = |texel: &Texel| texel.get(channel).copied().unwrap_or(0);
            let others = texels.iter().enumerate().filter(|(number, _)| *number != corner);
            let values = others.map(|(_, texel)| of(texel));
            *out = if !integer {
                let mut sum = None;
                for value in values.map(f32::from_bits) {
                    sum = Some(sum.map_or(value, |sum: f32| sum + value));
                }
                (sum.unwrap_or(0.0) / 3.0).to_bits()
            } else if signed {
                (values.map(|v| i64::from(v as i32)).sum::<i64>() / 3) as u32
            } else {
                (values.map(u64::from).sum::<u64>() / 3) as u32
            };
        }
        average
    }
}
