//! The loops over the lanes of a message. Each gives the lanes that are left for the general path.

use super::super::bind::{Dim, Sampler, Texture};
use super::super::execute::layer;
use super::super::lod::Limits;
use super::super::{address, compare};
use super::blocks;
use super::kernels::{self, Bilinear, Filter, mix};
use super::levels::{Flat, Grid, Levels4, Side};
use super::lods::{Kept, Lods};
use super::places::{Coordinate, Mode, Where};
use super::registers::{Axis, Group, Registers, Slots};
use super::simd::{ALL, F4, I4, LANES, Lanes, U4};
use super::texels::Format;
use crate::message::{LodSource, Message};

/// A message that a hot path takes.
pub(super) struct Job<'a> {
    pub(super) texture: &'a Texture<'a>,
    pub(super) message: &'a Message,
    pub(super) sampler: &'a Sampler,
    pub(super) slots: Slots<'a>,
    pub(super) flat: &'a Flat,
    /// Bytes of the surface.
    pub(super) data: &'a [u8],
    pub(super) modes: [Mode; 3],
    /// Source channel of a gather.
    pub(super) channel: u8,
    pub(super) limits: Limits,
}

/// A filter on surfaces of one format.
pub(super) fn filter<F: Format, K: Filter>(job: &Job<'_>, out: &mut Registers<'_>) -> u32 {
    let place = kernels::place::<K>(job.modes);
    let (Some(inputs), Some(mut target)) =
        (job.inputs(K::VOLUME, K::REFERENCE), out.channels(job.slots.groups))
    else {
        return u32::MAX;
    };
    let mut at = job.start();
    let layered = job.texture.layers > 1;
    let mut left = 0;
    let mut odd = I4::ZERO;
    let level = if layered { None } else { job.level() };
    let lods = if level.is_some() { None } else { Some(Lods::new(job, &inputs)) };
    let only = if layered { None } else { lods.as_ref().and_then(Lods::only) };
    if let Some(level) = level.or(only) {
        let grid = Grid::same(job.flat.entry(level));
        // Finding texels and reading them both want all registers: some of the one, some of the other.
        let mut footprints = [K::NOWHERE; 4];
        let (mut found, mut done) = (0_usize, 0_usize);
        while done < job.slots.groups {
            for footprint in &mut footprints {
                let Some([u, v, r]) = inputs.coordinate(found) else { break };
                place(&at, &grid, u, v, r, footprint, &mut odd);
                found = found.wrapping_add(1);
            }
            let plain = odd.positive();
            for footprint in &footprints {
                let Some(mut one) = target.group(done) else { break };
                if K::REFERENCE {
                    at.reference = inputs.reference(done);
                }
                if !plain {
                    match apart::<F, K, false>(job.data, footprint, &at) {
                        Some(values) => one.store(&values, F::NAN),
                        None => left |= whole(done),
                    }
                } else if let Some(values) = K::sample::<F, true>(job.data, footprint, &at) {
                    one.store(&values, F::NAN);
                } else {
                    left |= whole(done);
                }
                done = done.wrapping_add(1);
            }
        }
    } else if let Some(lods) = &lods {
        let mut footprint = K::NOWHERE;
        let layers = job.layers();
        let mut kept = Kept::new(lods);
        for group in job.groups() {
            let Some(coordinate) = inputs.coordinate(group) else { break };
            at.reference = inputs.reference(group);
            if layered {
                at.layer = job.layer(layers, group);
            }
            let values = between(kept.group(group), |grid| {
                let [u, v, r] = coordinate;
                let mut this = I4::ZERO;
                place(&at, grid, u, v, r, &mut footprint, &mut this);
                odd = odd.or(this);
                sample::<F, K>(job.data, this.positive(), &footprint, &at)
            });
            match values {
                Some(values) => target.store(group, &values, F::NAN),
                None => left |= whole(group),
            }
        }
    }
    if odd.positive() { left } else { left | job.far(K::VOLUME) }
}

/// Samples of any footprint; `plain`: texels can be read two by two.
#[inline(always)]
fn sample<F: Format, K: Filter>(
    data: &[u8],
    plain: bool,
    footprint: &K::Footprint,
    at: &Where,
) -> Option<[F4; 4]> {
    if plain { apart::<F, K, true>(data, footprint, at) } else { apart::<F, K, false>(data, footprint, at) }
}

/// [`Filter::sample`], one function for each way to read: the compiler is not to join what they have in common.
#[inline(never)]
fn apart<F: Format, K: Filter, const BESIDE: bool>(
    data: &[u8],
    footprint: &K::Footprint,
    at: &Where,
) -> Option<[F4; 4]> {
    K::sample::<F, BESIDE>(data, footprint, at)
}

/// Bits of all lanes of a group.
#[inline(always)]
fn whole(group: usize) -> u32 {
    ALL << (group.wrapping_mul(LANES) & 31)
}

/// The coordinates and references of a message: as many groups of each as it has.
pub(super) struct Inputs<'a> {
    pub(super) u: &'a [Group],
    pub(super) v: &'a [Group],
    /// R where it is a coordinate of space.
    r: Option<&'a [Group]>,
    /// The references, and that they are held in 0..=1.
    reference: Option<(&'a [Group], bool)>,
}

impl<'a> Inputs<'a> {
    #[inline(always)]
    fn coordinate(&self, group: usize) -> Option<Coordinate<'a>> {
        let (u, v) = (self.u.get(group)?, self.v.get(group)?);
        Some([u, v, if let Some(r) = self.r { r.get(group)? } else { u }])
    }

    #[inline(always)]
    fn reference(&self, group: usize) -> F4 {
        match self.reference {
            Some((lanes, unorm)) => F4::load(lanes, group).map(|r| compare::reference(r, unorm)),
            None => F4::ZERO,
        }
    }
}

impl Job<'_> {
    /// What all groups have in common.
    #[inline(always)]
    fn start(&self) -> Where {
        let first = Lanes::splat(self.texture.first_slice);
        Where {
            offsets: self.message.offsets.map(|offset| Lanes::splat(offset.into())),
            layer: first.map(|first| first.wrapping_mul(self.flat.slice)),
            modes: self.modes,
            pitch: Lanes::splat(self.flat.pitch),
            slice: self.flat.slice,
            reference: F4::ZERO,
            function: self.sampler.shadow,
            channel: self.channel,
        }
    }

    /// The groups that have a lane that is on.
    #[inline(always)]
    fn groups(&self) -> impl Iterator<Item = usize> + use<> {
        let lanes = self.message.lanes;
        (0..self.slots.groups).filter(move |group| lanes & whole(*group) != 0)
    }

    #[inline(always)]
    fn inputs(&self, volume: bool, reference: bool) -> Option<Inputs<'_>> {
        let slots = &self.slots;
        Some(Inputs {
            u: slots.coordinate(Axis::U)?,
            v: slots.coordinate(Axis::V)?,
            r: if volume { Some(slots.coordinate(Axis::R)?) } else { None },
            reference: if reference { Some((slots.reference()?, self.texture.unorm)) } else { None },
        })
    }

    /// What names the layers of an array.
    #[inline(always)]
    fn layers(&self) -> &[Group] {
        if self.texture.dim == Dim::Cube { self.slots.layer() } else { self.slots.index(Axis::R) }
    }

    /// The layers of a group.
    #[inline(never)]
    fn layer(&self, layers: &[Group], group: usize) -> U4 {
        let texture = self.texture;
        let faces = if texture.dim == Dim::Cube { 6 } else { 1 };
        let slice = F4::load(layers, group)
            .map(|a| layer(a, texture.layers).wrapping_mul(faces).wrapping_add(texture.first_slice));
        slice.map(|slice| slice.wrapping_mul(self.flat.slice))
    }

    /// The level of every lane, where a glance shows that it is level 0.
    #[inline(always)]
    fn level(&self) -> Option<u32> {
        let (sampler, texture) = (self.sampler, self.texture);
        match self.slots.flags().lod {
            LodSource::Base => Some(0),
            LodSource::Zero => {
                // Nothing that would lift it.
                let lifts = [sampler.lod_bias, sampler.min_lod, texture.resource_min];
                let any = lifts.iter().fold(0, |any, lift| any | lift.to_bits());
                (any == 0).then_some(0)
            }
            _ => None,
        }
    }

    /// A filter of blocks, on one level or two.
    #[inline(always)]
    fn blocks(
        &self,
        out: &mut Registers<'_>,
        mut kernel: impl FnMut(&Where, &Grid, [F4; 3]) -> [F4; 4],
    ) -> u32 {
        let mut at = self.start();
        let (Some(inputs), Some(mut target)) = (self.inputs(false, false), out.channels(self.slots.groups))
        else {
            return u32::MAX;
        };
        let layers = self.layers();
        let lods = Lods::new(self, &inputs);
        let mut kept = Kept::new(&lods);
        for group in self.groups() {
            let Some(coordinate) = inputs.coordinate(group) else { break };
            if self.texture.layers > 1 {
                at.layer = self.layer(layers, group);
            }
            let coordinate = coordinate.map(F4::read);
            if let Some(values) = between(kept.group(group), |grid| Some(kernel(&at, grid, coordinate))) {
                target.store(group, &values, true);
            }
        }
        self.far(false)
    }

    /// Lanes with a coordinate too far away for [`F4::floor`], or NaN.
    #[inline(never)]
    fn far(&self, volume: bool) -> u32 {
        let Some(inputs) = self.inputs(volume, false) else { return u32::MAX };
        let [w, h, d] = self.flat.near;
        let outside = |c: f32, bound: f32| if c.abs() <= bound { 0 } else { u32::MAX };
        let load = |group: &Group| U4::read(group).map(f32::from_bits);
        let mut any: U4 = Lanes::splat(0);
        let (u, v, r) = (inputs.u, inputs.v, inputs.r.unwrap_or_default());
        for (u, v) in u.iter().zip(v) {
            any = any.zip(load(u), |any, c| any | outside(c, w)).zip(load(v), |any, c| any | outside(c, h));
        }
        for r in r {
            any = any.zip(load(r), |any, c| any | outside(c, d));
        }
        if any.all(|lane| lane == 0) {
            return 0;
        }
        far(u, w) | far(v, h) | far(r, d)
    }
}

/// NEAREST of 4x4 blocks.
pub(super) fn points_of_blocks(
    job: &Job<'_>,
    out: &mut Registers<'_>,
    mut source: blocks::Source<'_>,
) -> u32 {
    job.blocks(out, |at, grid, coordinate| source.point(at, grid, coordinate))
}

/// LINEAR of 4x4 blocks.
pub(super) fn bilinear_of_blocks(
    job: &Job<'_>,
    out: &mut Registers<'_>,
    mut source: blocks::Source<'_>,
) -> u32 {
    job.blocks(out, |at, grid, coordinate| source.bilinear(at, grid, coordinate))
}

/// The lanes that are not within +-`bound`, bit per lane.
#[cold]
fn far(lanes: &[Group], bound: f32) -> u32 {
    (0..lanes.len()).rev().fold(0, |far, group| {
        let Lanes(group) = F4::load(lanes, group);
        group.iter().rev().fold(far, |far, c| far << 1 | u32::from(c.is_nan() || c.abs() > bound))
    })
}

/// The samples of one level, or between two. One loop, so that the kernel is there once.
#[inline(always)]
fn between(levels: &Levels4, mut kernel: impl FnMut(&Grid) -> Option<[F4; 4]>) -> Option<[F4; 4]> {
    let mut fine = None;
    let mut grid = &levels.first;
    loop {
        let mut values = kernel(grid)?;
        match (&fine, &levels.second) {
            (None, Some(second)) => {
                fine = Some(values);
                grid = second;
            }
            (None, None) => return Some(values),
            (Some(fine), _) => {
                let coarse = core::mem::replace(&mut values, *fine);
                mix(&mut values, &coarse, levels.fraction);
                return Some(values);
            }
        }
    }
}

/// LINEAR on cubes: lanes whose footprint leaves the face are left.
pub(super) fn cube<F: Format>(job: &Job<'_>, out: &mut Registers<'_>) -> u32 {
    let mut left = 0;
    let modes = [Mode::Clamp; 3];
    let mut at = Where { modes, offsets: [Lanes::splat(0); 3], ..job.start() };
    let first = at.layer;
    let (Some(inputs), Some(mut target)) = (job.inputs(true, false), out.channels(job.slots.groups)) else {
        return u32::MAX;
    };
    let layers = job.layers();
    let lods = Lods::new(job, &inputs);
    let mut kept = Kept::new(&lods);
    let mut footprint = Bilinear::NOWHERE;
    let place = kernels::place::<Bilinear>(modes);
    for group in job.groups() {
        let Some(direction) = inputs.coordinate(group) else { break };
        let levels = kept.group(group);
        let (face, [s, t]) = project(direction.map(F4::read));
        let layer = if job.texture.layers > 1 { job.layer(layers, group) } else { first };
        at.layer = at.slices(face).zip(layer, u32::wrapping_add);
        let mut edges = outside(s, t, &levels.first);
        if let Some(second) = &levels.second {
            edges = edges.zip(outside(s, t, second), |a, b| a | b);
        }
        let Lanes([a, b, c, d]) = edges;
        let mut edge = a & 1 | b & 2 | c & 4 | d & 8;
        // They must not keep the others from having their columns beside each other.
        let held = |c: F4| edges.select(Lanes::splat(0.5), c);
        let (s, t) = (held(s).bytes(), held(t).bytes());
        let values = between(levels, |grid| {
            let mut odd = I4::ZERO;
            place(&at, grid, &s, &t, &t, &mut footprint, &mut odd);
            sample::<F, Bilinear>(job.data, odd.positive(), &footprint, &at)
        });
        match values {
            Some(values) => target.store(group, &values, F::NAN),
            None => edge = ALL,
        }
        left |= edge << (group.wrapping_mul(LANES) & 31);
    }
    left
}

/// Faces, and the coordinates on them; as [`project`](super::super::cube::project) of a finite direction.
#[inline(always)]
fn project(direction: [F4; 3]) -> (U4, [F4; 2]) {
    let finite = |c: F4| c.map(|c| if c.is_nan() { 0.0 } else { address::clamp(c, -f32::MAX, f32::MAX) });
    let [u, v, r] = direction;
    let (u, v, r) = (finite(u), finite(v), finite(r));
    let [x, y, z] = [u, v, r].map(|c| c.map(f32::abs));
    let not_less = |a: F4, b: F4| a.zip(b, |a, b| if a >= b { u32::MAX } else { 0 });
    let and = |a: U4, b: U4| a.zip(b, |a, b| a & b);
    let not = |a: U4| a.map(|a| !a);
    let on_z = and(not_less(z, x), not_less(z, y));
    let on_y = and(not(on_z), not_less(y, x));
    let on_x = not(on_z.zip(on_y, |a, b| a | b));
    let major = on_z.select(z, on_y.select(y, x));
    let negative = on_z.select(r, on_y.select(v, u)).map(|c| if c < 0.0 { u32::MAX } else { 0 });
    let flip = |c: F4, mask: U4| c.zip(mask, |c, mask| f32::from_bits(c.to_bits() ^ mask & 1 << 31));
    let sc = flip(on_x.select(r, u), and(on_z, negative).zip(and(on_x, not(negative)), |a, b| a | b));
    let tc = flip(on_y.select(r, v), not(and(on_y, not(negative))));
    let on_face = |c: F4| {
        let place = c.zip(major, |c, major| (c / major + 1.0) / 2.0);
        place.zip(major, |place, major| if major == 0.0 { 0.5 } else { place })
    };
    let face = on_z.zip(on_y, |z, y| z & 4 | y & 2).zip(negative, |face, negative| face | negative & 1);
    (face, [on_face(sc), on_face(tc)])
}

/// Lanes whose footprint leaves the face, as masks.
#[inline(always)]
fn outside(s: F4, t: F4, grid: &Grid) -> U4 {
    let [Side { size, .. }, ..] = grid.sides;
    let out = |coordinate: F4| {
        coordinate.zip(size, |c, n| {
            let x = c * n - 0.5;
            if x < 0.0 || x >= n - 1.0 { u32::MAX } else { 0 }
        })
    };
    out(s).zip(out(t), |s, t| s | t)
}

/// Texels by their position.
pub(super) fn fetch<F: Format>(job: &Job<'_>, out: &mut Registers<'_>) -> u32 {
    let Some(mut target) = out.channels(job.slots.groups) else { return u32::MAX };
    let outside = job.texture.outside.map(f32::from_bits);
    let mut left = 0;
    let mut found = (Lanes::splat(0), Lanes::splat(0));
    let at = job.start();
    let slots = &job.slots;
    let indices = [slots.index(Axis::U), slots.index(Axis::V), slots.index(Axis::R), slots.lod()];
    for group in job.groups() {
        job.find(&at, &indices, group, &mut found);
        let (texels, inside) = found;
        let Some(texels) = F::read(job.data, texels) else {
            left |= whole(group);
            continue;
        };
        let mut values = F::decode(texels);
        if !inside.all(|inside| inside != 0) {
            for (value, outside) in values.iter_mut().zip(outside) {
                *value = inside.select(*value, Lanes::splat(outside));
            }
        }
        target.store(group, &values, F::NAN);
    }
    left
}

impl Job<'_> {
    /// The texels that a load reads, and a mask of those that there are.
    #[inline(never)]
    fn find(&self, at: &Where, [u, v, r, lod]: &[&[Group]; 4], group: usize, out: &mut (U4, U4)) {
        let texture = self.texture;
        let [ou, ov, _] = self.message.offsets.map(i32::from);
        let (mut x, mut y) = (U4::load(u, group), U4::load(v, group));
        if ou | ov != 0 {
            x = x.map(|x| (x as i32).saturating_add(ou) as u32);
            y = y.map(|y| (y as i32).saturating_add(ov) as u32);
        }
        let level = U4::load(lod, group);
        let grid = Grid::of(self.flat, level);
        let below = |a: U4, n: U4| a.zip(n, |a, n| if a < n { u32::MAX } else { 0 });
        let and = |a: U4, b: U4| a.zip(b, |a, b| a & b);
        let level = below(level, Lanes::splat(texture.levels));
        let [width, height, _] = grid.sides.map(|side| side.last.map(|last| last.wrapping_add(1)));
        let mut inside = and(and(below(x, width), below(y, height)), level);
        let mut layers = at.layer;
        if texture.array {
            let layer = U4::load(r, group);
            inside = and(inside, below(layer, Lanes::splat(texture.layers)));
            let slice = and(layer, inside).map(|l| l.wrapping_add(texture.first_slice));
            layers = at.slices(slice);
        }
        let start = and(grid.offset, inside).zip(layers, u32::wrapping_add);
        let texel = at.row(start, and(y, inside)).zip(and(x, inside), u32::wrapping_add);
        *out = (texel, inside);
    }
}
