//! Hot paths: common messages on linear surfaces in one mapped range, eight lanes at a time.
//!
//! A path applies or it does not ([`execute`] answers `None`, the general path runs); where it
//! applies it gives the same bits. `tests` compares them.

mod blocks;
mod kernels;
mod levels;
mod registers;
mod simd;
#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]
mod tests;
mod texels;

pub(super) use blocks::Blocks;
pub(super) use levels::Flat;

use super::bind::{Dim, Filter, Mip, Reduction, Sampler, Select, Source, Texture};
use super::execute::{Outcome, layer};
use super::lod::{self, Footprint, Limits};
use super::{Precision, compare, cube};
use crate::format::{BlockCache, Path, Texel};
use crate::memory::Memory;
use crate::message::{Channels, LodSource, Message, Op, OpFlags, Param, Payload, Response, Width};
use kernels::{Bytes, Mode, Where, edge, mix};
use levels::{Grid, Levels8};
use registers::Slots;
use simd::{F8, Lanes, U8};
use texels::Format;

/// What is done with the footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kernel {
    Point,
    Bilinear,
    Volume,
    Cube,
    Closer,
    Gather(usize),
    Fetch,
}

/// A kernel of one format.
type Run = fn(&Bytes<'_>, &Grid, &Where, &mut [F8; 4]);

/// The kernels of a format: compiled once each, called for eight lanes.
#[derive(Clone, Copy)]
struct Kernels {
    point: Run,
    bilinear: Run,
    volume: Run,
    /// Depth formats alone.
    closer: Option<Run>,
    four: Run,
    texel: Run,
    /// Results can be NaN.
    nan: bool,
    /// Bytes of a texel, and its channels: formats with padding share a codec's path.
    bytes: usize,
    channels: u8,
}

impl Kernels {
    const fn of<F: Format>() -> Self {
        Self {
            point: kernels::point::<F>,
            bilinear: kernels::bilinear::<F>,
            volume: kernels::trilinear::<F>,
            closer: None,
            four: kernels::gather::<F>,
            texel: kernels::texel::<F>,
            nan: F::NAN,
            bytes: size_of::<F::Raw>(),
            channels: F::CHANNELS,
        }
    }

    /// A format of depth.
    const fn depth<F: Format>() -> Self {
        Self { closer: Some(kernels::closer::<F>), ..Self::of::<F>() }
    }

    /// The kernels of a codec's path.
    fn find(path: Path) -> Option<&'static Self> {
        Some(match path {
            Path::Rgba8Unorm => &const { Self::of::<texels::Rgba8>() },
            Path::Bgra8Unorm => &const { Self::of::<texels::Bgra8>() },
            Path::Rgba8Srgb => &const { Self::of::<texels::Rgba8Srgb>() },
            Path::Rgba16Float => &const { Self::of::<texels::Rgba16Float>() },
            Path::R8Unorm => &const { Self::of::<texels::R8>() },
            Path::R16Unorm => &const { Self::depth::<texels::R16>() },
            Path::R24Unorm => &const { Self::depth::<texels::R24>() },
            Path::R32 => &const { Self::depth::<texels::R32Float>() },
            Path::Rgba32 => &const { Self::of::<texels::Rgba32Float>() },
            _ => return None,
        })
    }
}

/// A message that a hot path takes.
struct Job<'a> {
    texture: &'a Texture<'a>,
    message: &'a Message,
    sampler: &'a Sampler,
    slots: Slots<'a>,
    response: Response,
    flat: &'a Flat,
    bytes: Bytes<'a>,
    modes: [Mode; 3],
    mip: Mip,
    limits: Limits,
    flags: OpFlags,
    /// Results can be NaN.
    nan: bool,
    /// All channels of the texel are returned as they are.
    whole: bool,
}

/// Runs a lane on the general path.
pub(super) type General<'g> = &'g mut dyn FnMut(usize) -> Texel;

/// A cache that keeps nothing.
pub(super) const fn no_cache() -> BlockCache<0> {
    BlockCache::new()
}

/// Executes the message if a hot path fits. `blocks` keeps decoded blocks.
#[expect(clippy::too_many_arguments, reason = "the message with everything it needs")]
pub(super) fn execute<M: Memory + ?Sized>(
    texture: &Texture<'_>,
    message: &Message,
    payload: &Payload<'_>,
    sampler: &Sampler,
    memory: &M,
    out: &mut [u8],
    blocks: &mut dyn Blocks,
    general: General<'_>,
) -> Option<Outcome> {
    let flat = texture.flat.as_ref()?;
    let flags = message.op.flags();
    let kernel = kernel(texture, message, flags, sampler)?;
    let data = memory.slice(flat.start, flat.len as usize)?;
    run(texture, message, flags, payload, sampler, flat, kernel, data, out, blocks, general)
}

/// The part that does not depend on the caller's memory.
#[expect(clippy::too_many_arguments, reason = "the message with everything it needs")]
fn run(
    texture: &Texture<'_>,
    message: &Message,
    flags: OpFlags,
    payload: &Payload<'_>,
    sampler: &Sampler,
    flat: &Flat,
    kernel: Kernel,
    data: &[u8],
    out: &mut [u8],
    blocks: &mut dyn Blocks,
    general: General<'_>,
) -> Option<Outcome> {
    let info = texture.info?;
    let kernels = Kernels::find(info.path());
    if kernels.is_some_and(|k| k.bytes != usize::from(info.bytes) || k.channels != info.channels) {
        return None;
    }
    let modes = match kernel {
        Kernel::Fetch | Kernel::Cube => [Mode::Clamp; 3],
        _ => {
            let [u, v, r] = sampler.wrap;
            let mode = |wrap| Mode::of(wrap, flat.powers);
            // The third says nothing on 2D.
            [mode(u)?, mode(v)?, mode(if texture.dim == Dim::D3 { r } else { u })?]
        }
    };
    let job = Job {
        texture,
        message,
        sampler,
        slots: Slots::new(message, payload)?,
        response: message.response(),
        flat,
        bytes: Bytes { data, pitch: flat.pitch, slice: flat.slice },
        modes,
        mip: sampler.mip,
        limits: Limits { levels: texture.levels, resource_min: texture.resource_min, message_min: 0.0 },
        flags,
        nan: kernels.is_none_or(|kernels| kernels.nan),
        whole: flags.gather || texture.identity && message.channels == Channels::RGBA,
    };
    if info.srgb && sampler.srgb_skip_decode && flags.sampler {
        return None;
    }
    match kernels {
        Some(kernels) => job.run(kernel, kernels, out, general),
        None => job.run_blocks(kernel, out, blocks, general),
    }
}

/// The kernel of a message, when everything that it assumes holds.
#[inline]
fn kernel(texture: &Texture<'_>, message: &Message, flags: OpFlags, sampler: &Sampler) -> Option<Kernel> {
    let wide = message.param_width == Width::Full && message.return_width == Width::Full;
    if !wide || message.simd & 7 != 0 || message.cps || !matches!(texture.source, Source::Plain { .. }) {
        return None;
    }
    if matches!(message.op, Op::Ld | Op::LdLz) {
        let plain = texture.dim == Dim::D2 && texture.samples == 1 && !texture.integer;
        return plain.then_some(Kernel::Fetch);
    }
    let lod = matches!(flags.lod, LodSource::Zero | LodSource::Explicit) || quad(texture, message);
    let plain = sampler.precision == Precision::Float && sampler.normalized && !texture.integer;
    if !flags.sampler || !plain || message.present().contains(&Param::Mlod) {
        return None;
    }
    if flags.gather {
        let simple = matches!(message.op, Op::Gather4) && texture.dim == Dim::D2;
        return match texture.select.get(usize::from(message.gather)) {
            Some(Select::Channel(channel)) if simple => Some(Kernel::Gather(usize::from(*channel))),
            _ => None,
        };
    }
    let same = sampler.mag == sampler.min && sampler.trilinear_quality == 0;
    if !lod || !same || sampler.reduction != Reduction::Mean && !flags.compare {
        return None;
    }
    match (texture.dim, sampler.mag, flags.compare) {
        (Dim::D2, Filter::Linear, true) => Some(Kernel::Closer),
        (Dim::D2 | Dim::D3, Filter::Nearest, false) => Some(Kernel::Point),
        (Dim::D2, Filter::Linear, false) => Some(Kernel::Bilinear),
        (Dim::D3, Filter::Linear, false) => Some(Kernel::Volume),
        (Dim::Cube, Filter::Linear, false) if sampler.seamless() => Some(Kernel::Cube),
        _ => None,
    }
}

/// The LOD comes from subspans in a way that is done here.
fn quad(texture: &Texture<'_>, message: &Message) -> bool {
    texture.dim == Dim::D2 && matches!(message.op, Op::Sample | Op::SampleB | Op::SampleC | Op::SampleBC)
}

impl Job<'_> {
    fn run(
        &self,
        kernel: Kernel,
        kernels: &Kernels,
        out: &mut [u8],
        general: General<'_>,
    ) -> Option<Outcome> {
        let bytes = &self.bytes;
        let plain =
            |run: Run| move |grid: &Grid, at: &Where, values: &mut [F8; 4]| run(bytes, grid, at, values);
        match kernel {
            Kernel::Point => self.sampled(out, plain(kernels.point), general),
            Kernel::Bilinear => self.sampled(out, plain(kernels.bilinear), general),
            Kernel::Volume => self.sampled(out, plain(kernels.volume), general),
            Kernel::Cube => self.cube(out, kernels.bilinear, general),
            Kernel::Closer => self.sampled(out, plain(kernels.closer?), general),
            Kernel::Gather(channel) => self.gather(out, kernels.four, channel, general),
            Kernel::Fetch => self.fetch(out, kernels.texel),
        }
        Some(Outcome::default())
    }

    /// Formats of 4x4 blocks.
    fn run_blocks(
        &self,
        kernel: Kernel,
        out: &mut [u8],
        blocks: &mut dyn Blocks,
        general: General<'_>,
    ) -> Option<Outcome> {
        let info = self.texture.info?;
        let Source::Plain { codec, .. } = self.texture.source else { return None };
        let four = info.block_width == 4 && info.block_height == 4;
        if !four || self.texture.dim != Dim::D2 {
            return None;
        }
        let mut source = blocks::Source { bytes: self.bytes, codec, start: self.flat.start, cache: blocks };
        match kernel {
            Kernel::Point => self.sampled(out, |grid, at, values| *values = source.point(grid, at), general),
            Kernel::Bilinear => {
                self.sampled(out, |grid, at, values| *values = source.bilinear(grid, at), general)
            }
            _ => return None,
        }
        Some(Outcome::default())
    }

    /// Calls `each` for every group of eight lanes with a lane that is on.
    #[inline(always)]
    fn groups(&self, mut each: impl FnMut(usize, u32)) {
        let mut lanes = self.message.lanes & self.message.all_lanes();
        let mut group = 0;
        while lanes != 0 {
            if lanes & 0xff != 0 {
                each(group, lanes & 0xff);
            }
            lanes >>= 8;
            group += 1;
        }
    }

    /// What all groups have in common.
    #[inline(always)]
    fn start(&self) -> Where {
        Where {
            modes: self.modes,
            offsets: self.message.offsets.map(i32::from),
            slice: Lanes::splat(self.texture.first_slice),
            function: self.sampler.shadow,
            volume: self.texture.dim == Dim::D3,
            ..Where::default()
        }
    }

    /// Coordinates and layers of a group.
    #[inline(always)]
    fn place(&self, at: &mut Where, group: usize) {
        let texture = self.texture;
        let [u, v, r] = self.slots.coordinates;
        at.coordinate = [F8::load(u, group), F8::load(v, group), F8::load(r, group)];
        if texture.array && texture.layers > 1 {
            let (lanes, faces) = if texture.dim == Dim::Cube { (self.slots.layer, 6) } else { (r, 1) };
            at.slice = F8::load(lanes, group)
                .map(|a| layer(a, texture.layers).wrapping_mul(faces).wrapping_add(texture.first_slice));
        }
        if self.flags.compare {
            let unorm = texture.unorm;
            at.reference = F8::load(self.slots.reference, group).map(|r| compare::reference(r, unorm));
        }
    }

    /// The levels of a group.
    #[inline(always)]
    fn levels(&self, group: usize, at: &Where) -> Levels8 {
        let lambda = match self.flags.lod {
            LodSource::Explicit => F8::load(self.slots.lod, group),
            LodSource::Quad => self.derived(at),
            LodSource::QuadBias => self.derived(at) + F8::load(self.slots.bias, group),
            _ => Lanes::splat(0.0),
        };
        Levels8::select(self.sampler, self.mip, self.limits, lambda)
    }

    /// The LOD of the group's two subspans.
    #[inline(always)]
    fn derived(&self, at: &Where) -> F8 {
        let [u, v, _] = at.coordinate;
        let ([u0, u1, u2, _, u4, u5, u6, _], [v0, v1, v2, _, v4, v5, v6, _]) = (u.0, v.0);
        let entry = self.flat.entry(0);
        let size = [entry.width as f32, entry.height as f32, 0.0];
        let lambda = |d: [[f32; 3]; 2]| Footprint::new(d, d, size, 1.0, false).lambda;
        let a = lambda([[u1 - u0, v1 - v0, 0.0], [u2 - u0, v2 - v0, 0.0]]);
        let b = lambda([[u5 - u4, v5 - v4, 0.0], [u6 - u4, v6 - v4, 0.0]]);
        Lanes([a, a, a, a, b, b, b, b])
    }

    /// A filter on one level or two.
    fn sampled(
        &self,
        out: &mut [u8],
        mut kernel: impl FnMut(&Grid, &Where, &mut [F8; 4]),
        general: General<'_>,
    ) {
        let constant = if self.flags.lod == LodSource::Zero { self.constant_level() } else { None };
        let mut values = [F8::splat(0.0); 4];
        let mut at = self.start();
        let size = self.flat.entry(0).size();
        if let Some(level) = constant {
            let grid = Grid::same(self.flat.entry(level));
            return self.groups(|group, active| {
                self.place(&mut at, group);
                if at.far(size) {
                    return self.lanes(out, group, active, general);
                }
                kernel(&grid, &at, &mut values);
                self.store(out, group, active, &values, false);
            });
        }
        self.groups(|group, active| {
            self.place(&mut at, group);
            if at.far(size) {
                return self.lanes(out, group, active, general);
            }
            let levels = self.levels(group, &at);
            kernel(&self.grid(levels.first), &at, &mut values);
            if !levels.single() {
                let mut coarse = [F8::splat(0.0); 4];
                kernel(&self.grid(levels.second), &at, &mut coarse);
                mix(&mut values, &coarse, levels.fraction);
            }
            self.store(out, group, active, &values, false);
        });
    }

    /// The levels' sizes and places.
    #[inline(always)]
    fn grid(&self, levels: U8) -> Grid {
        let [first, ..] = levels.0;
        if levels.iter().fold(true, |same, level| same & (level == first)) {
            Grid::same(self.flat.entry(first))
        } else {
            Grid::each(self.flat, levels)
        }
    }

    fn gather(&self, out: &mut [u8], kernel: Run, channel: usize, general: General<'_>) {
        let grid = Grid::same(self.flat.entry(0));
        let mut values = [F8::splat(0.0); 4];
        let mut at = Where { channel, ..self.start() };
        let size = self.flat.entry(0).size();
        self.groups(|group, active| {
            self.place(&mut at, group);
            if at.far(size) {
                return self.lanes(out, group, active, general);
            }
            kernel(&self.bytes, &grid, &at, &mut values);
            self.store(out, group, active, &values, true);
        });
    }

    /// The level of a LOD that no lane changes, if it is one level.
    fn constant_level(&self) -> Option<u32> {
        let levels = lod::select(self.sampler, self.mip, self.limits, lod::biased(self.sampler, 0.0));
        (levels.fraction == 0.0).then_some(levels.first)
    }

    /// Cubes: lanes whose footprint leaves the face take the general path.
    fn cube(&self, out: &mut [u8], kernel: Run, general: General<'_>) {
        let mut values = [F8::splat(0.0); 4];
        let start = Where { offsets: [0; 3], ..self.start() };
        self.groups(|group, active| {
            let mut at = start;
            self.place(&mut at, group);
            let levels = self.levels(group, &at);
            let [u, v, r] = at.coordinate;
            let mut face = [0_u32; 8];
            let (mut s, mut t) = ([0.0_f32; 8], [0.0_f32; 8]);
            let lanes = u.iter().zip(v.iter()).zip(r.iter());
            for ((((u, v), r), face), (s, t)) in lanes.zip(&mut face).zip(s.iter_mut().zip(&mut t)) {
                let (on, [a, b, _]) = cube::project(cube::finite([u, v, r]));
                (*face, *s, *t) = (on, a, b);
            }
            at.coordinate = [Lanes(s), Lanes(t), r];
            at.slice = at.slice.zip(Lanes(face), u32::wrapping_add);
            let grid = self.grid(levels.first);
            kernel(&self.bytes, &grid, &at, &mut values);
            let mut edges = edge(&at, grid.width);
            if !levels.single() {
                let grid = self.grid(levels.second);
                let mut coarse = [F8::splat(0.0); 4];
                kernel(&self.bytes, &grid, &at, &mut coarse);
                mix(&mut values, &coarse, levels.fraction);
                edges |= edge(&at, grid.width);
            }
            self.store(out, group, active & !edges, &values, false);
            self.lanes(out, group, active & edges, general);
        });
    }

    fn fetch(&self, out: &mut [u8], kernel: Run) {
        let texture = self.texture;
        let [ou, ov, _] = self.message.offsets.map(i32::from);
        let lod = match self.message.op {
            Op::Ld => self.slots.lod,
            _ => &[],
        };
        let outside = texture.outside.map(f32::from_bits);
        let mut values = [F8::splat(0.0); 4];
        self.groups(|group, active| {
            let [u, v, r] = self.slots.coordinates;
            let (x, y, layer) = (U8::load(u, group), U8::load(v, group), U8::load(r, group));
            let x = x.map(|x| (x as i32).saturating_add(ou) as u32);
            let y = y.map(|y| (y as i32).saturating_add(ov) as u32);
            let layer = if texture.array { layer } else { Lanes::splat(0) };
            let level = U8::load(lod, group);
            let grid = self.grid(level);
            let below = |a: U8, n: U8| a.zip(n, |a, n| u32::from(a < n));
            let inside = below(x, grid.width)
                .zip(below(y, grid.height), |a, b| a & b)
                .zip(below(layer, Lanes::splat(texture.layers)), |a, b| a & b)
                .zip(below(level, Lanes::splat(texture.levels)), |a, b| a & b);
            let hold = |a: U8| a.zip(inside, |a, inside| if inside == 1 { a } else { 0 });
            let at = Where {
                texel: [hold(x), hold(y)],
                slice: hold(layer).map(|l| l.wrapping_add(texture.first_slice)),
                ..Where::default()
            };
            kernel(&self.bytes, &Grid { offset: hold(grid.offset), ..grid }, &at, &mut values);
            if inside.iter().fold(false, |any, inside| any | (inside == 0)) {
                for (value, outside) in values.iter_mut().zip(outside) {
                    *value = value.zip(inside, |v, inside| if inside == 1 { v } else { outside });
                }
            }
            self.store(out, group, active, &values, false);
        });
    }
}
