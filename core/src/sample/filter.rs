//! Filters: a subspan at a time, any surface, any sampler.
//!
//! This is the reference of the hot paths: those give the same bits or do not apply.

use super::address::Axis;
use super::bind::{Dim, Filter, Reduction, Select};
use super::lanes::{self, ALL, LANES, Lanes, Texels, map, mask, numbers, zip};
use super::lod::Footprint;
use super::reader::{Face, Reader};
use super::{compare, cube};
use crate::format::Texel;
use crate::memory::Memory;

/// Where the lanes of a subspan sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    /// U, V and R.
    pub(super) coordinate: [Lanes<f32>; 3],
    /// First slice of the layer (3D: 0).
    pub(super) slice: Lanes<u32>,
    pub(super) offset: [Lanes<i32>; 3],
    /// Lanes that are magnified.
    pub(super) mag: u32,
    pub(super) reference: Lanes<f32>,
}

/// The levels that the lanes' LODs choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The finer and the coarser level, and the weight of the latter.
    pub(super) first: Lanes<u32>,
    pub(super) second: Lanes<u32>,
    pub(super) fraction: Lanes<f32>,
    /// Lanes that are magnified, that read the finer level, and the coarser.
    pub(super) mag: u32,
    pub(super) finer: u32,
    pub(super) coarser: u32,
}

impl Choice {
    /// The base level alone, magnified.
    pub(super) const BASE: Self = Self {
        first: [0; LANES],
        second: [0; LANES],
        fraction: [0.0; LANES],
        mag: ALL,
        finer: ALL,
        coarser: 0,
    };
}

/// What is made of the texels of a footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// Their weighted sum.
    Mean,
    Minimum,
    Maximum,
    /// The texel, which is the only one.
    Only,
    /// This of each of four.
    Corners(Select),
}

/// Texels folded into one for each lane.
#[derive(Debug)]
pub(super) struct Sum {
    pub(super) value: Texels,
    fold: Fold,
}

impl Sum {
    /// Nothing yet: -0 is what a sum leaves as it is, NaN what any texel replaces.
    pub(super) fn new(fold: Fold) -> Self {
        Self { value: [[Self::nothing(fold); LANES]; 4], fold }
    }

    fn nothing(fold: Fold) -> u32 {
        if fold == Fold::Mean { (-0.0_f32).to_bits() } else { f32::NAN.to_bits() }
    }

    /// Adds a texel to every lane. What the lanes that are not in `on` hold afterwards means nothing,
    /// but for minimum and maximum, which may go on later.
    #[inline(always)]
    fn add(&mut self, texels: &Texels, weight: &Lanes<f32>, on: u32) {
        match self.fold {
            Fold::Mean => {
                for (sum, texels) in self.value.iter_mut().zip(texels) {
                    let weighted = zip(*texels, *weight, |texel, w| f32::from_bits(texel) * w);
                    *sum = zip(*sum, weighted, |sum, t| (f32::from_bits(sum) + t).to_bits());
                }
            }
            Fold::Only => self.value = *texels,
            _ => {
                for lane in numbers(on) {
                    self.add_to(lane, lanes::take(texels, lane), lanes::lane(weight, lane));
                }
            }
        }
    }

    /// Adds a texel to one lane.
    #[inline(never)]
    fn add_to(&mut self, lane: usize, texel: Texel, weight: f32) {
        let so_far = lanes::take(&self.value, lane);
        let mut next = so_far;
        match self.fold {
            Fold::Only => next = texel,
            Fold::Corners(select) => {
                let [_, b, c, d] = so_far;
                next = [b, c, d, select.of(&texel)];
            }
            Fold::Minimum | Fold::Maximum if weight == 0.0 => {}
            fold => {
                for (next, texel) in next.iter_mut().zip(texel) {
                    *next = one(fold, *next, texel, weight);
                }
            }
        }
        lanes::put(&mut self.value, lane, next);
    }

    /// Starts a lane anew.
    fn restart(&mut self, lane: usize) {
        lanes::put(&mut self.value, lane, [Self::nothing(self.fold); 4]);
    }
}

/// NaN texels lose every comparison, a NaN so far loses to any texel.
fn one(fold: Fold, so_far: u32, texel: u32, weight: f32) -> u32 {
    let (v, t) = (f32::from_bits(so_far), f32::from_bits(texel));
    let better = match fold {
        Fold::Minimum => t < v,
        Fold::Maximum => t > v,
        _ => return (v + t * weight).to_bits(),
    };
    if better || v.is_nan() { texel } else { so_far }
}

impl<M: Memory + ?Sized> Reader<'_, '_, M> {
    /// The comparisons' results as red, when there are any.
    #[inline(always)]
    fn compared(&self, texels: &mut Texels, reference: &Lanes<f32>) {
        if self.plan.flags.compare {
            let function = self.plan.sampler.shadow;
            let [red, ..] = *texels;
            let value = |red, r| compare::shadow(function, f32::from_bits(red), r).to_bits();
            *texels = [zip(red, *reference, value), [0; LANES], [0; LANES], [0; LANES]];
        }
    }

    /// Folds the texels of the lanes' footprints on their levels into `sum`. Every sampled texel is read here.
    // Apart, and once: its inner loop is large.
    #[inline(never)]
    pub(super) fn level(&mut self, probe: &Probe, on: u32, level: Lanes<u32>, linear: bool, sum: &mut Sum) {
        let plan = self.plan;
        let dim = plan.texture.dim;
        let [width, height, depth] = self.sizes(level);
        let ([ru, rv, rr], [u, v, r]) = (&plan.rules, probe.coordinate);
        let ([ou, ov, or], mag) = (probe.offset, probe.mag);
        if dim == Dim::Cube {
            return self.on_faces(probe, on, level, linear, sum);
        }
        let x = ru.axis(ru.texels(u, width, mag), ou, width, linear);
        let (mut y, mut z) = (Axis::NONE, Axis::NONE);
        if dim != Dim::D1 {
            y = rv.axis(rv.texels(v, height, mag), ov, height, linear);
        } else if plan.flags.gather {
            y.taps = 2;
        }
        if dim == Dim::D3 {
            // gather4 takes one slice.
            z = rr.axis(rr.texels(r, depth, mag), or, depth, linear && !plan.flags.gather);
        }
        self.fold(probe, on, level, &probe.slice, [&x, &y, &z], sum);
    }

    /// [`level`](Self::level) of a cube.
    #[inline(never)]
    fn on_faces(&mut self, probe: &Probe, on: u32, level: Lanes<u32>, linear: bool, sum: &mut Sum) {
        let plan = self.plan;
        let [width, ..] = self.sizes(level);
        let ([ru, rv, _], [mut s, mut t, r]) = (&plan.rules, probe.coordinate);
        let mut face = [0; LANES];
        for (((face, s), t), r) in face.iter_mut().zip(&mut s).zip(&mut t).zip(r) {
            (*face, [*s, *t, _]) = cube::project([*s, *t, r]);
        }
        let slice = zip(probe.slice, face, u32::wrapping_add);
        let [s, t] = [ru.texels(s, width, probe.mag), rv.texels(t, width, probe.mag)];
        if !(linear && plan.seamless) {
            let (x, y) = (ru.axis(s, [0; LANES], width, linear), rv.axis(t, [0; LANES], width, linear));
            return self.fold(probe, on, level, &slice, [&x, &y, &Axis::NONE], sum);
        }
        let (x, y) = (Axis::pair(s, [0; LANES]), Axis::pair(t, [0; LANES]));
        let over = on & (x.outside(width) | y.outside(width));
        if on & !over != 0 {
            self.fold(probe, on & !over, level, &slice, [&x, &y, &Axis::NONE], sum);
        }
        for lane in numbers(over) {
            let face = Face {
                lane,
                level: lanes::lane(&level, lane),
                slice: lanes::lane(&slice, lane),
                number: lanes::lane(&face, lane),
                width: lanes::lane(&width, lane),
            };
            self.over_edge(&face, lanes::lane(&probe.reference, lane), [&x, &y], sum);
        }
    }

    /// Folds a lane's footprint over the edge of a cube's face.
    #[inline(never)]
    fn over_edge(&mut self, face: &Face, reference: f32, [x, y]: [&Axis; 2], sum: &mut Sum) {
        let one = |of: &Lanes<i32>| lanes::lane(of, face.lane);
        let four = self.around(face, x.index.each_ref().map(one), y.index.each_ref().map(one));
        if !matches!(sum.fold, Fold::Minimum | Fold::Maximum) {
            sum.restart(face.lane);
        }
        let weight = |of: &Lanes<f32>| lanes::lane(of, face.lane);
        let ([x0, x1], [y0, y1]) = (x.weight.each_ref().map(weight), y.weight.each_ref().map(weight));
        for (mut texel, weight) in four.into_iter().zip([x0 * y0, x1 * y0, x0 * y1, x1 * y1]) {
            if self.plan.flags.compare {
                let [red, ..] = texel;
                let value = compare::shadow(self.plan.sampler.shadow, f32::from_bits(red), reference);
                texel = [value.to_bits(), 0, 0, 0];
            }
            sum.add_to(face.lane, texel, weight);
        }
    }

    /// Folds the texels of addressed footprints.
    #[inline(never)]
    fn fold(
        &mut self,
        probe: &Probe,
        on: u32,
        level: Lanes<u32>,
        slice: &Lanes<u32>,
        [x, y, z]: [&Axis; 3],
        sum: &mut Sum,
    ) {
        let volume = self.plan.texture.dim == Dim::D3;
        for (z, wz) in z.taps() {
            let slice = if volume { map(*z, |z| z.max(0) as u32) } else { *slice };
            self.turn_to(&level, &slice);
            for (y, wy) in y.taps() {
                for (x, wx) in x.taps() {
                    // Indices are not negative, but for the border's.
                    let outside = if self.plan.bordered {
                        mask(zip(zip(*x, *y, |x, y| x | y), *z, |xy, z| xy | z), |i| i < 0)
                    } else {
                        0
                    };
                    let at = [map(*x, |i| i as u32), map(*y, |i| i as u32)];
                    let mut texels = self.texels(on & !outside, &at);
                    if outside != 0 {
                        lanes::put_all(&mut texels, outside, self.plan.border);
                    }
                    self.compared(&mut texels, &probe.reference);
                    let weight = zip(zip(*wx, *wy, |x, y| x * y), *wz, |xy, z| xy * z);
                    sum.add(&texels, &weight, on);
                }
            }
        }
    }

    /// Adds levels with all taps of the anisotropic filter.
    fn taps(
        &mut self,
        probe: &Probe,
        on: u32,
        level: Lanes<u32>,
        filter: Filter,
        footprints: &Lanes<Footprint>,
        sum: &mut Sum,
    ) {
        let mut walking = 0;
        if filter == Filter::Anisotropic {
            for (lane, footprint) in footprints.iter().enumerate() {
                walking |= u32::from(footprint.taps >= 2) << lane;
            }
        }
        if on & !walking != 0 {
            self.level(probe, on & !walking, level, filter != Filter::Nearest, sum);
        }
        if on & walking != 0 {
            self.walk(probe, on & walking, level, footprints, sum);
        }
    }

    /// Adds levels: the mean of bilinear taps along a line.
    #[inline(never)]
    fn walk(
        &mut self,
        probe: &Probe,
        on: u32,
        level: Lanes<u32>,
        footprints: &Lanes<Footprint>,
        sum: &mut Sum,
    ) {
        let mut all = Sum::new(Fold::Mean);
        let mut at = *probe;
        let most = footprints.iter().map(|footprint| footprint.taps).max().unwrap_or(1);
        for tap in 1..=most {
            let mut here = 0;
            at.coordinate = probe.coordinate;
            for (lane, footprint) in footprints.iter().enumerate() {
                if footprint.taps < tap {
                    continue;
                }
                here |= on & 1 << lane;
                let along = f32::from(tap) / f32::from(footprint.taps.wrapping_add(1)) - 0.5;
                for (axis, d) in at.coordinate.iter_mut().zip(footprint.major) {
                    if let Some(c) = axis.get_mut(lane) {
                        *c += d * along;
                    }
                }
            }
            if here == 0 {
                continue;
            }
            if sum.fold == Fold::Mean {
                let mut one = Sum::new(Fold::Mean);
                self.level(&at, here, level, true, &mut one);
                for lane in numbers(here) {
                    all.add_to(lane, lanes::take(&one.value, lane), 1.0);
                }
            } else {
                self.level(&at, here, level, true, sum);
            }
        }
        if sum.fold == Fold::Mean {
            for (lane, footprint) in footprints.iter().enumerate() {
                if on >> lane & 1 != 0 {
                    let count = f32::from(footprint.taps);
                    let mean = lanes::take(&all.value, lane).map(|v| (f32::from_bits(v) / count).to_bits());
                    lanes::put(&mut sum.value, lane, mean);
                }
            }
        }
    }

    /// The filtered texels of a subspan, before the channel select.
    pub(super) fn filtered(
        &mut self,
        probe: &Probe,
        on: u32,
        levels: &Choice,
        footprints: &Lanes<Footprint>,
        out: &mut Texels,
    ) {
        let plan = self.plan;
        let magnified = if plan.mag == plan.min { ALL } else { levels.mag };
        for (filter, on) in [(plan.mag, on & magnified), (plan.min, on & !magnified)] {
            if on != 0 {
                self.between(probe, on, levels, filter, footprints, out);
            }
        }
    }

    /// The filter in and between levels, for the lanes that are on.
    fn between(
        &mut self,
        probe: &Probe,
        on: u32,
        levels: &Choice,
        filter: Filter,
        footprints: &Lanes<Footprint>,
        out: &mut Texels,
    ) {
        let fold = match (self.plan.reduction, filter) {
            (Reduction::Mean, Filter::Nearest) => Fold::Only,
            (Reduction::Mean, _) => Fold::Mean,
            (Reduction::Minimum, _) => Fold::Minimum,
            (Reduction::Maximum, _) => Fold::Maximum,
        };
        let mut sum = Sum::new(fold);
        let (finer, coarser) = (on & levels.finer, on & levels.coarser);
        if finer != 0 {
            self.taps(probe, finer, levels.first, filter, footprints, &mut sum);
        }
        if coarser != 0 {
            let level = levels.second;
            if matches!(fold, Fold::Mean | Fold::Only) {
                let mut other = Sum::new(fold);
                self.taps(probe, coarser, level, filter, footprints, &mut other);
                for (sum, other) in sum.value.iter_mut().zip(other.value) {
                    *sum = zip(zip(*sum, other, |a, b| (a, b)), levels.fraction, |(a, b), f| mixed(a, b, f));
                }
            } else {
                self.taps(probe, coarser, level, filter, footprints, &mut sum);
            }
        }
        if self.plan.mag == self.plan.min {
            return *out = sum.value;
        }
        for (out, value) in out.iter_mut().zip(sum.value) {
            for (lane, (out, value)) in out.iter_mut().zip(value).enumerate() {
                *out = if on >> lane & 1 != 0 { value } else { *out };
            }
        }
    }
}

/// A value between those of two levels; what a level without weight holds means nothing.
#[inline(always)]
fn mixed(finer: u32, coarser: u32, fraction: f32) -> u32 {
    if fraction == 0.0 {
        finer
    } else if fraction >= 1.0 {
        coarser
    } else {
        let (finer, coarser) = (f32::from_bits(finer), f32::from_bits(coarser));
        (finer * (1.0 - fraction) + coarser * fraction).to_bits()
    }
}
