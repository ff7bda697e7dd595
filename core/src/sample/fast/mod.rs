//! Hot paths: common messages on linear surfaces in one mapped range, eight lanes at a time.
//!
//! A path applies or it does not ([`execute`] answers `None`, the general path runs); where it
//! applies it gives the same bits. `tests` compares them.

mod blocks;
mod kernels;
mod levels;
mod simd;
#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]
mod tests;
mod texels;

pub(super) use blocks::Blocks;
pub(super) use levels::Flat;

use super::address::floor;
use super::bind::{Dim, Filter, Mip, Reduction, Sampler, Select, Source, Texture};
use super::execute::{Outcome, canonical, layer};
use super::lod::{self, Footprint, Limits};
use super::{Precision, compare, cube};
use crate::format::{BlockCache, Path, Texel};
use crate::memory::Memory;
use crate::message::{LodSource, Message, Op, Param, Payload, Response, Width};
use kernels::{Bytes, Mode, Where};
use levels::{Grid, Levels8};
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

/// A message that a hot path takes.
struct Job<'a> {
    texture: &'a Texture<'a>,
    message: &'a Message,
    sampler: &'a Sampler,
    payload: &'a Payload<'a>,
    response: Response,
    flat: &'a Flat,
    bytes: Bytes<'a>,
    modes: [Mode; 3],
    mip: Mip,
    limits: Limits,
    coordinates: [&'a [u8]; 3],
}

/// Runs a lane on the general path.
pub(super) type General<'g> = &'g mut dyn FnMut(usize) -> Texel;

/// A cache that keeps nothing.
pub(super) const fn no_cache() -> BlockCache<0> {
    BlockCache::new()
}

/// Executes the message if a hot path fits. `blocks` keeps decoded blocks.
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
    let kernel = kernel(texture, message, sampler)?;
    let data = memory.slice(flat.start, flat.len as usize)?;
    run(texture, message, payload, sampler, flat, kernel, data, out, blocks, general)
}

/// The part that does not depend on the caller's memory.
#[expect(clippy::too_many_arguments, reason = "the message with everything it needs")]
fn run(
    texture: &Texture<'_>,
    message: &Message,
    payload: &Payload<'_>,
    sampler: &Sampler,
    flat: &Flat,
    kernel: Kernel,
    data: &[u8],
    out: &mut [u8],
    blocks: &mut dyn Blocks,
    general: General<'_>,
) -> Option<Outcome> {
    let path = texture.info?.path();
    let parameter = |param| payload.param(message, param).unwrap_or_default();
    let enough = usize::from(message.simd).wrapping_mul(4);
    let fits = |lanes: &[u8]| lanes.is_empty() || lanes.len() >= enough;
    if !(0..payload.len()).all(|index| fits(payload.slot(index))) {
        return None;
    }
    let modes = match kernel {
        Kernel::Fetch | Kernel::Cube => [Mode::Clamp; 3],
        _ => {
            let [u, v, r] = sampler.wrap;
            let mode = |wrap| Mode::of(wrap, flat.powers);
            [mode(u)?, mode(v)?, if texture.dim == Dim::D3 { mode(r)? } else { Mode::Clamp }]
        }
    };
    let job = Job {
        texture,
        message,
        sampler,
        payload,
        response: message.response(),
        flat,
        bytes: Bytes { data, pitch: flat.pitch, slice: flat.slice },
        modes,
        mip: sampler.mip,
        limits: Limits { levels: texture.levels, resource_min: texture.resource_min, message_min: 0.0 },
        coordinates: [parameter(Param::U), parameter(Param::V), parameter(Param::R)],
    };
    match path {
        Path::Rgba8Unorm => job.run::<texels::Rgba8>(kernel, out, general),
        Path::Bgra8Unorm => job.run::<texels::Bgra8>(kernel, out, general),
        Path::Rgba8Srgb if !sampler.srgb_skip_decode => job.run::<texels::Rgba8Srgb>(kernel, out, general),
        Path::Bgra8Srgb if !sampler.srgb_skip_decode => job.run::<texels::Bgra8Srgb>(kernel, out, general),
        Path::Rgba16Float => job.run::<texels::Rgba16Float>(kernel, out, general),
        Path::R8Unorm => job.run::<texels::R8>(kernel, out, general),
        Path::R16Unorm => job.run::<texels::R16>(kernel, out, general),
        Path::R24Unorm => job.run::<texels::R24>(kernel, out, general),
        Path::R32 if !texture.integer => job.run::<texels::R32Float>(kernel, out, general),
        Path::Rgba32 if !texture.integer => job.run::<texels::Rgba32Float>(kernel, out, general),
        _ => return job.run_blocks(kernel, out, blocks),
    }
    Some(Outcome::default())
}

/// The kernel of a message, when everything that it assumes holds.
fn kernel(texture: &Texture<'_>, message: &Message, sampler: &Sampler) -> Option<Kernel> {
    let flags = message.op.flags();
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
    fn run<F: Format>(&self, kernel: Kernel, out: &mut [u8], general: General<'_>) {
        match kernel {
            Kernel::Point => {
                let volume = self.texture.dim == Dim::D3;
                self.sampled(out, |grid, at| kernels::point::<F>(&self.bytes, grid, at, volume));
            }
            Kernel::Bilinear => {
                self.sampled(out, |grid, at| kernels::bilinear::<F>(&self.bytes, grid, at))
            }
            Kernel::Volume => {
                self.sampled(out, |grid, at| kernels::trilinear::<F>(&self.bytes, grid, at))
            }
            Kernel::Cube => self.cube::<F>(out, general),
            Kernel::Closer => self.closer::<F>(out),
            Kernel::Gather(channel) => self.groups(|group, active| {
                let grid = Grid::same(self.flat.entry(0));
                let values = kernels::gather::<F>(&self.bytes, &grid, &self.place(group), channel);
                self.store(out, group, active, values, true);
            }),
            Kernel::Fetch => self.fetch::<F>(out),
        }
    }

    /// Formats of 4x4 blocks.
    fn run_blocks(&self, kernel: Kernel, out: &mut [u8], blocks: &mut dyn Blocks) -> Option<Outcome> {
        let info = self.texture.info?;
        let Source::Plain { codec, .. } = self.texture.source else { return None };
        let four = info.block_width == 4 && info.block_height == 4 && !self.texture.integer;
        if !four || self.texture.dim != Dim::D2 || info.srgb && self.sampler.srgb_skip_decode {
            return None;
        }
        let mut source = blocks::Source { bytes: self.bytes, codec, start: self.flat.start, cache: blocks };
        match kernel {
            Kernel::Point => self.sampled(out, |grid, at| source.point(grid, at)),
            Kernel::Bilinear => self.sampled(out, |grid, at| source.bilinear(grid, at)),
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

    /// The parameter's eight lanes of a group.
    #[inline(always)]
    fn parameter(&self, param: Param, group: usize) -> F8 {
        F8::load(self.payload.param(self.message, param).unwrap_or_default(), group)
    }

    /// Coordinates and layers of a group.
    #[inline(always)]
    fn place(&self, group: usize) -> Where {
        let texture = self.texture;
        let coordinate = self.coordinates.map(|lanes| F8::load(lanes, group));
        let slice = if texture.array && texture.layers > 1 {
            let (index, faces) = match texture.dim {
                Dim::Cube => (self.parameter(Param::Ai, group), 6),
                _ => {
                    let [_, _, r] = coordinate;
                    (r, 1)
                }
            };
            index.map(|a| layer(a, texture.layers).wrapping_mul(faces).wrapping_add(texture.first_slice))
        } else {
            Lanes::splat(texture.first_slice)
        };
        let offsets = self.message.offsets.map(i32::from);
        Where { coordinate, modes: self.modes, offsets, slice }
    }

    /// The levels of a group; `None`: level `.1` for every lane.
    #[inline(always)]
    fn levels(&self, group: usize, at: &Where) -> Levels8 {
        let lambda = match self.message.op.flags().lod {
            LodSource::Explicit => self.parameter(Param::Lod, group),
            LodSource::Quad => self.derived(at),
            LodSource::QuadBias => self.derived(at) + self.parameter(Param::Bias, group),
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
    #[inline(always)]
    fn sampled(&self, out: &mut [u8], mut kernel: impl FnMut(&Grid, &Where) -> [F8; 4]) {
        let zero = (self.message.op.flags().lod == LodSource::Zero).then(|| self.constant_level()).flatten();
        self.groups(|group, active| {
            let at = self.place(group);
            if let Some(level) = zero {
                let values = kernel(&Grid::same(self.flat.entry(level)), &at);
                return self.store(out, group, active, values, false);
            }
            let levels = self.levels(group, &at);
            let grid = match levels.uniform() {
                Some(level) => Grid::same(self.flat.entry(level)),
                None => Grid::each(self.flat, levels.first),
            };
            let mut values = kernel(&grid, &at);
            if !levels.single() {
                let coarse = kernel(&Grid::each(self.flat, levels.second), &at);
                values = mix(values, coarse, levels.fraction);
            }
            self.store(out, group, active, values, false);
        });
    }

    /// The level of a LOD that no lane changes, if it is one level.
    fn constant_level(&self) -> Option<u32> {
        let levels = lod::select(self.sampler, self.mip, self.limits, lod::biased(self.sampler, 0.0));
        (levels.fraction == 0.0).then_some(levels.first)
    }

    #[inline(always)]
    fn closer<F: Format>(&self, out: &mut [u8]) {
        let unorm = self.texture.unorm;
        self.groups(|group, active| {
            let at = self.place(group);
            let reference = self.parameter(Param::Ref, group).map(|r| compare::reference(r, unorm));
            let closer =
                |grid: &Grid| kernels::closer::<F>(&self.bytes, grid, &at, self.sampler.shadow, reference);
            let levels = self.levels(group, &at);
            let grid = match levels.uniform() {
                Some(level) => Grid::same(self.flat.entry(level)),
                None => Grid::each(self.flat, levels.first),
            };
            let rest = [Lanes::splat(0.0), Lanes::splat(0.0), Lanes::splat(1.0)];
            let mut red = closer(&grid);
            if !levels.single() {
                let coarse = closer(&Grid::each(self.flat, levels.second));
                let [mixed, ..] = mix([red; 4], [coarse; 4], levels.fraction);
                red = mixed;
            }
            let [g, b, a] = rest;
            self.store(out, group, active, [red, g, b, a], false);
        });
    }

    /// Cubes: lanes whose footprint leaves the face take the general path.
    #[inline(always)]
    fn cube<F: Format>(&self, out: &mut [u8], general: General<'_>) {
        self.groups(|group, active| {
            let mut at = self.place(group);
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
            at.offsets = [0; 3];
            let grid = Grid::each(self.flat, levels.first);
            let mut values = kernels::bilinear::<F>(&self.bytes, &grid, &at);
            let mut edges = edge(&at, grid.width);
            if !levels.single() {
                let grid = Grid::each(self.flat, levels.second);
                let coarse = kernels::bilinear::<F>(&self.bytes, &grid, &at);
                values = mix(values, coarse, levels.fraction);
                edges |= edge(&at, grid.width);
            }
            self.store(out, group, active & !edges, values, false);
            let mut rest = active & edges;
            while rest != 0 {
                let lane = rest.trailing_zeros() as usize;
                rest &= rest.wrapping_sub(1);
                let lane = group.wrapping_mul(8).wrapping_add(lane);
                self.store_one(out, lane, general(lane));
            }
        });
    }

    #[inline(always)]
    fn fetch<F: Format>(&self, out: &mut [u8]) {
        let texture = self.texture;
        let [ou, ov, _] = self.message.offsets.map(i32::from);
        let lod = match self.message.op {
            Op::Ld => self.payload.param(self.message, Param::Lod).unwrap_or_default(),
            _ => &[],
        };
        let outside = texture.outside.map(|bits| F8::splat(f32::from_bits(bits)));
        self.groups(|group, active| {
            let [x, y, layer] = self.coordinates.map(|lanes| U8::load(lanes, group));
            let x = x.map(|x| (x as i32).saturating_add(ou) as u32);
            let y = y.map(|y| (y as i32).saturating_add(ov) as u32);
            let layer = if texture.array { layer } else { Lanes::splat(0) };
            let level = U8::load(lod, group);
            let [first, ..] = level.0;
            let grid = if level.iter().all(|l| l == first) {
                Grid::same(self.flat.entry(first))
            } else {
                Grid::each(self.flat, level)
            };
            let below = |a: U8, n: U8| a.zip(n, |a, n| u32::from(a < n));
            let inside = below(x, grid.width)
                .zip(below(y, grid.height), |a, b| a & b)
                .zip(below(layer, Lanes::splat(texture.layers)), |a, b| a & b)
                .zip(below(level, Lanes::splat(texture.levels)), |a, b| a & b);
            let hold = |a: U8| a.zip(inside, |a, inside| if inside == 1 { a } else { 0 });
            let slice = hold(layer).map(|l| l.wrapping_add(texture.first_slice));
            let offset = self.bytes.slices(hold(grid.offset), slice);
            let values = F::decode(self.bytes.texel::<F>(offset, hold(x), hold(y)));
            let mut values = values.into_iter().zip(outside).map(|(value, outside)| {
                let pair = value.zip(outside, |v, o| (v, o));
                pair.zip(inside, |(v, o), inside| if inside == 1 { v } else { o })
            });
            let mut next = || values.next().unwrap_or(Lanes::splat(0.0));
            let values = [next(), next(), next(), next()];
            self.store(out, group, active, values, false);
        });
    }

    /// The channel select, and the registers of a group.
    #[inline(always)]
    fn store(&self, out: &mut [u8], group: usize, active: u32, values: [F8; 4], raw: bool) {
        let stride = usize::from(self.response.stride);
        let mut at = group.wrapping_mul(32);
        let selects = self.texture.select;
        for (channel, select) in selects.into_iter().enumerate() {
            if !raw && !self.message.channels.contains(channel) {
                continue;
            }
            let lanes = if raw || self.texture.identity {
                values.get(channel).copied()
            } else {
                match select {
                    Select::Constant(bits) => Some(Lanes::splat(f32::from_bits(bits))),
                    Select::Channel(c) => values.get(usize::from(c)).copied(),
                }
            };
            let (Some(lanes), Some(target)) =
                (lanes, out.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<32>))
            else {
                return;
            };
            at = at.wrapping_add(stride);
            let bits = lanes.map(|value| canonical(value.to_bits()));
            let (chunks, _) = target.as_chunks_mut::<4>();
            if active == 0xff {
                for (target, bits) in chunks.iter_mut().zip(bits.iter()) {
                    *target = bits.to_le_bytes();
                }
            } else {
                for (lane, (target, bits)) in chunks.iter_mut().zip(bits.iter()).enumerate() {
                    if active >> lane & 1 == 1 {
                        *target = bits.to_le_bytes();
                    }
                }
            }
        }
    }

    /// One lane of the general path.
    #[cold]
    fn store_one(&self, out: &mut [u8], lane: usize, texel: Texel) {
        let mut at = lane.wrapping_mul(4);
        for (channel, bits) in texel.into_iter().enumerate() {
            if !self.message.channels.contains(channel) {
                continue;
            }
            if let Some(target) = out.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<4>) {
                *target = canonical(bits).to_le_bytes();
            }
            at = at.wrapping_add(usize::from(self.response.stride));
        }
    }
}

/// Interpolation between two levels; a fraction of 0 is the first alone.
#[inline(always)]
fn mix(fine: [F8; 4], coarse: [F8; 4], fraction: F8) -> [F8; 4] {
    let mut values = fine;
    let rest = fraction.map(|f| 1.0 - f);
    for (value, coarse) in values.iter_mut().zip(coarse) {
        let mixed = *value * rest + coarse * fraction;
        let pair = value.zip(mixed, |value, mixed| (value, mixed));
        *value = pair.zip(fraction, |(value, mixed), f| if f == 0.0 { value } else { mixed });
    }
    values
}

/// Lanes whose bilinear footprint leaves the level, bit per lane.
#[inline(always)]
fn edge(at: &Where, size: U8) -> u32 {
    let [s, t, _] = at.coordinate;
    let outside = |c: F8| {
        c.zip(size, |c, n| {
            let (i, _) = floor(c * n as i32 as f32 - 0.5);
            u32::from(i < 0) | u32::from(i >= (n as i32).wrapping_sub(1))
        })
    };
    let lanes = outside(s).zip(outside(t), |a, b| a | b);
    lanes.iter().zip(0..).fold(0, |bits, (lane, index)| bits | lane << index)
}
