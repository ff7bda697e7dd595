//! The general path: one lane at a time, any surface, any sampler.
//!
//! It is the reference of the hot paths: those give the same bits or do not apply.

use super::address::{Axis, BORDER, Rule};
use super::bind::{Dim, Filter, Mip, Reduction, Sampler, Source, Texture};
use super::lod::Levels;
use super::{compare, cube};
use crate::format::{Codec, Planar, Texel};
use crate::memory::{Access, Layout, Memory, Plane};
use crate::message::OpFlags;
use crate::state::TileMode;

/// What one message makes of a texture and a sampler: the same for every lane.
#[derive(Debug)]
pub(super) struct Plan<'a, 'p> {
    pub(super) texture: &'a Texture<'p>,
    pub(super) sampler: &'a Sampler,
    pub(super) flags: OpFlags,
    /// Reads texels without the sRGB curve.
    pub(super) linear: Option<Codec<'static>>,
    pub(super) rules: [Rule; 3],
    pub(super) mag: Filter,
    pub(super) min: Filter,
    pub(super) mip: Mip,
    pub(super) reduction: Reduction,
    pub(super) border: Texel,
    pub(super) compare: bool,
    pub(super) seamless: bool,
    /// The largest anisotropy; 1 = none.
    pub(super) anisotropy: f32,
}

/// Where a lane samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub(super) coordinate: [f32; 3],
    /// First slice of the layer (3D: 0).
    pub(super) slice: u32,
    pub(super) offset: [i32; 3],
    pub(super) mag: bool,
    pub(super) reference: f32,
}

/// The texels of one footprint on one level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) level: u32,
    /// Slice of the layer, with the face of a cube.
    pub(super) slice: u32,
    /// Face of a cube.
    face: u32,
    /// Set when the indices of `x`, `y` may leave the face: its size.
    across: Option<i32>,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) z: Axis,
}

/// Reads texels for one lane and keeps what went wrong.
#[derive(Debug)]
pub(super) struct Reader<'a, 'p, M: ?Sized> {
    pub(super) plan: &'a Plan<'a, 'p>,
    pub(super) memory: &'a M,
    /// Address of the first fault of the lane.
    pub(super) fault: Option<u64>,
    /// A null page was read.
    pub(super) null: bool,
    /// The plane read last: level, slice.
    key: (u32, u32),
    plane: Plane,
}

/// Sum, minimum or maximum of weighted texels.
struct Sum {
    value: [f32; 4],
    reduction: Reduction,
}

impl Sum {
    /// Nothing yet: -0 is what a sum leaves as it is, NaN what any texel replaces.
    #[inline]
    fn new(reduction: Reduction) -> Self {
        Self { value: [if reduction == Reduction::Mean { -0.0 } else { f32::NAN }; 4], reduction }
    }

    #[inline]
    fn add(&mut self, texel: Texel, weight: f32) {
        let [a, b, c, d] = self.value;
        let [r, g, b2, a2] = texel.map(f32::from_bits);
        // NaN texels lose every comparison, a NaN so far loses to any texel.
        let least = |v: f32, t: f32| if t < v || v.is_nan() { t } else { v };
        let greatest = |v: f32, t: f32| if t > v || v.is_nan() { t } else { v };
        self.value = match self.reduction {
            Reduction::Mean => [a + r * weight, b + g * weight, c + b2 * weight, d + a2 * weight],
            _ if weight == 0.0 => return,
            Reduction::Minimum => [least(a, r), least(b, g), least(c, b2), least(d, a2)],
            Reduction::Maximum => [greatest(a, r), greatest(b, g), greatest(c, b2), greatest(d, a2)],
        };
    }
}

impl<'a, 'p, M: Memory + ?Sized> Reader<'a, 'p, M> {
    pub(super) fn new(plan: &'a Plan<'a, 'p>, memory: &'a M) -> Self {
        let plane = Plane::surface(0, 0, 0, TileMode::Linear);
        Self { plan, memory, fault: None, null: false, key: (u32::MAX, u32::MAX), plane }
    }

    /// Forgets the faults of the lane before.
    pub(super) fn start_lane(&mut self) {
        self.fault = None;
        self.null = false;
    }

    /// One texel by its level (of the view), slice (of memory) and position, all in range.
    #[inline]
    pub(super) fn fetch(&mut self, level: u32, slice: u32, x: u32, y: u32) -> Texel {
        let level = level.saturating_add(self.plan.texture.base);
        match &self.plan.texture.source {
            Source::Plain { codec, layout } => {
                let codec = self.plan.linear.as_ref().unwrap_or(codec);
                self.plain(codec, layout, level, slice, x, y)
            }
            Source::Planar { luma, chroma } => {
                let luma = self.element(&luma.0, luma.1, x, y);
                let chroma = self.element(&chroma.0, chroma.1, x >> 1, y >> 1);
                match (luma, chroma) {
                    (Some(luma), Some(chroma)) => Planar::combine(luma, chroma),
                    _ => self.plan.texture.outside,
                }
            }
            Source::None => [0; 4],
        }
    }

    #[inline]
    fn plain(&mut self, codec: &Codec<'_>, layout: &Layout, level: u32, slice: u32, x: u32, y: u32) -> Texel {
        if self.key != (level, slice) {
            self.plane = layout.plane(level, slice);
            self.key = (level, slice);
        }
        self.element(codec, self.plane, x, y).unwrap_or(self.plan.texture.outside)
    }

    /// The texel, or `None` when its memory is not there.
    fn element(&mut self, codec: &Codec<'_>, plane: Plane, x: u32, y: u32) -> Option<Texel> {
        let info = codec.info();
        let size = usize::from(info.bytes);
        let mut bytes = [0_u8; 32];
        let bytes = bytes.get_mut(..size).unwrap_or_default();
        let (ex, ey) = match (info.block_width, info.block_height) {
            (1, 1) => (x, y),
            (w, h) => (x / u32::from(w).max(1), y / u32::from(h).max(1)),
        };
        if plane.is_contiguous() {
            // Plain memory need not be copied.
            if let Some(bytes) = self.memory.slice(plane.address(ex, ey), size) {
                return Some(codec.decode(bytes, x, y));
            }
        }
        match plane.read(self.memory, ex, ey, bytes) {
            Access::Mapped => Some(codec.decode(bytes, x, y)),
            Access::NullPage => {
                self.null = true;
                None
            }
            Access::Fault => {
                self.fault = self.fault.or(Some(plane.address(ex, ey)));
                None
            }
        }
    }

    /// The texel of three addressed indices, with the border.
    #[inline]
    fn addressed(&mut self, place: &Place, x: i32, y: i32, z: i32) -> Texel {
        if x == BORDER || y == BORDER || z == BORDER {
            return self.plan.border;
        }
        let slice = if self.plan.texture.dim == Dim::D3 { z as u32 } else { place.slice };
        self.fetch(place.level, slice, x as u32, y as u32)
    }

    /// The four texels of a footprint at depth `z`: (x0, y0), (x1, y0), (x0, y1), (x1, y1).
    pub(super) fn four(&mut self, place: &Place, z: i32) -> [Texel; 4] {
        let [x0, x1] = place.x.index;
        let [y0, y1] = place.y.index;
        let corners = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)];
        match place.across {
            None => corners.map(|(x, y)| self.addressed(place, x, y, z)),
            Some(n) => {
                let texels = corners.map(|(x, y)| self.on_cube(place, n, x, y));
                let missing = self.corner(&texels);
                texels.map(|texel| texel.unwrap_or(missing))
            }
        }
    }

    /// A texel of a cube, from the neighbouring face if it is over one edge; `None` over two.
    fn on_cube(&mut self, place: &Place, n: i32, x: i32, y: i32) -> Option<Texel> {
        let inside = |i: i32| 0 <= i && i < n;
        match (inside(x), inside(y)) {
            (true, true) => Some(self.fetch(place.level, place.slice, x as u32, y as u32)),
            (false, false) => None,
            _ => {
                let (face, x, y) = cube::across(place.face, x, y, n);
                let slice = place.slice.wrapping_sub(place.face).wrapping_add(face);
                Some(self.fetch(place.level, slice, x as u32, y as u32))
            }
        }
    }

    /// The texel at a cube's corner: the average of the other three.
    fn corner(&self, texels: &[Option<Texel>; 4]) -> Texel {
        if texels.iter().all(Option::is_some) {
            return [0; 4];
        }
        let signed = self.plan.texture.sint;
        let integer = self.plan.texture.integer;
        let mut average = [0_u32; 4];
        for (channel, out) in average.iter_mut().enumerate() {
            let of = |texel: &Texel| texel.get(channel).copied().unwrap_or(0);
            let values = texels.iter().flatten().map(of);
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

    /// The comparison's texel, when there is one.
    #[inline]
    pub(super) fn compared(&self, texel: Texel, reference: f32) -> Texel {
        if !self.plan.compare {
            return texel;
        }
        let [red, ..] = texel;
        let value = compare::shadow(self.plan.sampler.shadow, f32::from_bits(red), reference);
        [value.to_bits(), 0, 0, 1.0_f32.to_bits()]
    }

    /// The footprint of a coordinate on a level. gather4 is `linear` but takes one slice of 3D.
    pub(super) fn place(&self, probe: &Probe, level: u32, linear: bool, one_slice: bool) -> Place {
        let texture = self.plan.texture;
        let [width, height, depth] = texture.level_size(level).map(|n| n as i32);
        let [ru, rv, rr] = &self.plan.rules;
        let axis = |rule: &Rule, coordinate: f32, offset: i32, size: i32, linear: bool| {
            let texels = rule.texels(coordinate, size, probe.mag);
            if linear { rule.linear(texels, offset, size) } else { rule.nearest(texels, offset, size) }
        };
        let [u, v, r] = probe.coordinate;
        let [ou, ov, or] = probe.offset;
        let mut place = Place {
            level,
            slice: probe.slice,
            face: 0,
            across: None,
            x: Axis::NONE,
            y: Axis::NONE,
            z: Axis::NONE,
        };
        match texture.dim {
            Dim::D1 => place.x = axis(ru, u, ou, width, linear),
            Dim::Cube => {
                let (face, [s, t, _]) = cube::project(probe.coordinate);
                place.face = face;
                place.slice = probe.slice.wrapping_add(face);
                if linear && self.plan.seamless {
                    place.across = Some(width);
                    place.x = Rule::pair(ru.texels(s, width, probe.mag), 0);
                    place.y = Rule::pair(rv.texels(t, width, probe.mag), 0);
                } else {
                    place.x = axis(ru, s, 0, width, linear);
                    place.y = axis(rv, t, 0, width, linear);
                }
            }
            _ => {
                place.x = axis(ru, u, ou, width, linear);
                place.y = axis(rv, v, ov, height, linear);
                if texture.dim == Dim::D3 {
                    place.z = axis(rr, r, or, depth, linear && !one_slice);
                }
            }
        }
        place
    }

    /// Adds the texels of one level to `sum`.
    fn level(&mut self, probe: &Probe, level: u32, sum: &mut Sum) {
        let place = self.place(probe, level, true, false);
        for (z, wz) in place.z.taps() {
            if place.across.is_some() {
                let four = self.four(&place, z);
                let ([x0, x1], [y0, y1]) = (place.x.weight, place.y.weight);
                for (texel, weight) in four.into_iter().zip([x0 * y0, x1 * y0, x0 * y1, x1 * y1]) {
                    sum.add(self.compared(texel, probe.reference), weight);
                }
                continue;
            }
            for (y, wy) in place.y.taps() {
                for (x, wx) in place.x.taps() {
                    let texel = self.addressed(&place, x, y, z);
                    sum.add(self.compared(texel, probe.reference), wx * wy * wz);
                }
            }
        }
    }

    /// The texel of NEAREST on one level.
    fn nearest(&mut self, probe: &Probe, level: u32) -> Texel {
        let place = self.place(probe, level, false, false);
        let ([x, _], [y, _], [z, _]) = (place.x.index, place.y.index, place.z.index);
        let texel = self.addressed(&place, x, y, z);
        self.compared(texel, probe.reference)
    }

    /// Adds a level, with all taps of the anisotropic filter.
    fn taps(&mut self, probe: &Probe, level: u32, filter: Filter, walk: Walk, sum: &mut Sum) {
        match (filter, walk.taps) {
            (Filter::Nearest, _) => {
                let texel = self.nearest(probe, level);
                sum.add(texel, 1.0);
            }
            (Filter::Anisotropic, 2..) => {
                let mut all = Sum::new(sum.reduction);
                for tap in 1..=walk.taps {
                    let along = f32::from(tap) / f32::from(walk.taps.wrapping_add(1)) - 0.5;
                    let mut at = *probe;
                    for (c, d) in at.coordinate.iter_mut().zip(walk.major) {
                        *c += d * along;
                    }
                    if sum.reduction == Reduction::Mean {
                        let mut one = Sum::new(Reduction::Mean);
                        self.level(&at, level, &mut one);
                        all.add(one.value.map(f32::to_bits), 1.0);
                    } else {
                        self.level(&at, level, sum);
                    }
                }
                if sum.reduction == Reduction::Mean {
                    let count = f32::from(walk.taps);
                    sum.add(all.value.map(|v| (v / count).to_bits()), 1.0);
                }
            }
            _ => self.level(probe, level, sum),
        }
    }

    /// The filtered texel of a lane, before the channel select.
    pub(super) fn sample(&mut self, probe: &Probe, levels: &Levels, walk: Walk) -> Texel {
        let filter = if levels.mag { self.plan.mag } else { self.plan.min };
        let fraction = levels.fraction;
        if fraction == 0.0 && filter == Filter::Nearest {
            return self.nearest(probe, levels.first);
        }
        let reduction = self.plan.reduction;
        let mut sum = Sum::new(reduction);
        if reduction != Reduction::Mean {
            if fraction < 1.0 {
                self.taps(probe, levels.first, filter, walk, &mut sum);
            }
            if fraction > 0.0 {
                self.taps(probe, levels.second, filter, walk, &mut sum);
            }
        } else if fraction == 0.0 || fraction >= 1.0 {
            let level = if fraction == 0.0 { levels.first } else { levels.second };
            self.taps(probe, level, filter, walk, &mut sum);
        } else {
            let mut one = Sum::new(reduction);
            self.taps(probe, levels.first, filter, walk, &mut one);
            sum.add(one.value.map(f32::to_bits), 1.0 - fraction);
            one = Sum::new(reduction);
            self.taps(probe, levels.second, filter, walk, &mut one);
            sum.add(one.value.map(f32::to_bits), fraction);
        }
        self.with_defaults(sum.value.map(f32::to_bits))
    }

    /// A filtered texel with the defaults of what the format (or a comparison) does not have:
    /// the sum of weights is not exactly 1.
    fn with_defaults(&self, texel: Texel) -> Texel {
        let channels = if self.plan.compare { 1 } else { self.plan.texture.channels };
        let mut out = [0, 0, 0, 1.0_f32.to_bits()];
        for (channel, (out, value)) in out.iter_mut().zip(texel).enumerate() {
            if channels >> channel & 1 == 1 {
                *out = value;
            }
        }
        out
    }
}

/// How an anisotropic filter walks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    pub(super) taps: u8,
    pub(super) major: [f32; 3],
}
