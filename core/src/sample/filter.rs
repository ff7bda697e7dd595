//! Filters: a subspan at a time, any surface, any sampler.
//!
//! This is the reference of the hot paths: those give the same bits or do not apply.

use super::address::{Axis, Rule, Tap};
use super::bind::{Dim, Filter, Reduction, Select};
use super::lanes::{self, ALL, LANES, Lanes, Texels, map, mask, numbers, zip};
use super::lod::{Choice, Level};
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

/// What is made of the texels of a footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// Their weighted sum.
    Mean,
    Minimum,
    Maximum,
    /// The texel, which is the only one.
    Only,
    /// A channel of each of four.
    Corners,
}

/// Texels folded into one for each lane.
#[derive(Debug)]
pub(super) struct Sum<'a> {
    value: &'a mut Texels,
    fold: Fold,
    /// What [`Fold::Corners`] takes.
    channel: Select,
}

impl<'a> Sum<'a> {
    /// Nothing yet: -0 is what a sum leaves as it is, NaN what any texel replaces.
    pub(super) fn new(fold: Fold, value: &'a mut Texels) -> Self {
        *value = [[Self::nothing(fold); LANES]; 4];
        Self { value, fold, channel: Select::Channel(0) }
    }

    /// A channel of the corners of footprints, in the order of their texels.
    pub(super) fn corners(channel: Select, value: &'a mut Texels) -> Self {
        Self { channel, ..Self::new(Fold::Corners, value) }
    }

    fn nothing(fold: Fold) -> u32 {
        if fold == Fold::Mean { (-0.0_f32).to_bits() } else { f32::NAN.to_bits() }
    }

    /// Adds texels to every lane. What the lanes that are not in `on` hold afterwards means nothing,
    /// but for minimum and maximum, which may go on later.
    #[inline(always)]
    fn add<const C: usize>(&mut self, row: &[Texels; C], weights: impl Fn() -> [Lanes<f32>; C], on: u32) {
        match self.fold {
            Fold::Mean => {
                let weights = weights();
                for (channel, out) in self.value.iter_mut().enumerate() {
                    let mut sum = *out;
                    for (texels, weight) in row.iter().zip(&weights) {
                        let texels = texels.get(channel).copied().unwrap_or_default();
                        let weighted = zip(texels, *weight, |texel, w| f32::from_bits(texel) * w);
                        sum = zip(sum, weighted, |sum, t| (f32::from_bits(sum) + t).to_bits());
                    }
                    *out = sum;
                }
            }
            Fold::Only => row.iter().for_each(|texels| *self.value = *texels),
            _ => self.add_others(row, &weights(), on),
        }
    }

    #[inline(never)]
    fn add_others(&mut self, row: &[Texels], weights: &[Lanes<f32>], on: u32) {
        for (texels, weight) in row.iter().zip(weights) {
            if self.fold == Fold::Corners {
                let [_, b, c, d] = *self.value;
                *self.value = [b, c, d, self.channel.of_lanes(texels)];
                continue;
            }
            for lane in numbers(on) {
                self.add_to(lane, lanes::take(texels, lane), lanes::lane(weight, lane));
            }
        }
    }

    /// Adds a texel to one lane.
    #[inline(never)]
    fn add_to(&mut self, lane: usize, texel: Texel, weight: f32) {
        let so_far = lanes::take(self.value, lane);
        let mut next = so_far;
        match self.fold {
            Fold::Only => next = texel,
            Fold::Corners => {
                let [_, b, c, d] = so_far;
                next = [b, c, d, self.channel.of(&texel)];
            }
            Fold::Minimum | Fold::Maximum if weight == 0.0 => {}
            fold => {
                for (next, texel) in next.iter_mut().zip(texel) {
                    *next = one(fold, *next, texel, weight);
                }
            }
        }
        lanes::put(self.value, lane, next);
    }

    /// Goes from these, of finer levels, towards those of the coarser ones.
    #[inline(never)]
    fn mix(&mut self, coarser: &Texels, fraction: &Lanes<f32>) {
        let rest = map(*fraction, |fraction| 1.0 - fraction);
        for (finer, coarser) in self.value.iter_mut().zip(*coarser) {
            let part = |bits, weight| zip(bits, weight, |bits, weight| f32::from_bits(bits) * weight);
            let mixed = zip(part(*finer, rest), part(coarser, *fraction), |a, b| (a + b).to_bits());
            // What a level without weight holds means nothing.
            let mixed = zip(zip(mixed, *finer, pair), *fraction, |(m, a), f| if f == 0.0 { a } else { m });
            *finer = zip(zip(mixed, coarser, pair), *fraction, |(m, b), f| if f >= 1.0 { b } else { m });
        }
    }

    /// Starts a lane anew.
    fn restart(&mut self, lane: usize) {
        lanes::put(self.value, lane, [Self::nothing(self.fold); 4]);
    }
}

const fn pair(a: u32, b: u32) -> (u32, u32) {
    (a, b)
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

/// The lanes whose texel is the border's: the other indices are not negative.
#[inline(never)]
fn outside(taps: [&Tap; 3]) -> u32 {
    let [x, y, z] = taps.map(|tap| tap.index);
    mask(zip(zip(x, y, |x, y| x | y), z, |xy, z| xy | z), |i| i < 0)
}

impl<M: Memory + ?Sized> Reader<'_, '_, M> {
    /// The comparisons' results as red.
    #[inline(never)]
    fn compared(&self, row: &mut [Texels], reference: &Lanes<f32>) {
        let function = self.plan.sampler.shadow;
        for texels in row {
            let [red, ..] = *texels;
            let value = |red, r| compare::shadow(function, f32::from_bits(red), r).to_bits();
            *texels = [zip(red, *reference, value), [0; LANES], [0; LANES], [0; LANES]];
        }
    }

    /// Folds the texels of the lanes' footprints on their levels into `sum`. Every sampled texel is read here.
    // Apart, and once: its inner loop is large.
    #[inline(never)]
    pub(super) fn level(&mut self, probe: &Probe, on: u32, level: &Level, linear: bool, sum: &mut Sum<'_>) {
        let plan = self.plan;
        let dim = plan.texture.dim;
        if dim == Dim::Cube {
            return self.on_faces(probe, on, level, linear, sum);
        }
        let [width, height, depth] = &level.size;
        let ([ru, rv, rr], [u, v, r]) = (&plan.rules, &probe.coordinate);
        let ([ou, ov, or], mag) = (&probe.offset, probe.mag);
        let mut x = ru.place(u, ou, width, mag, linear);
        ru.address(&mut x, width);
        let (mut rows, mut slices);
        let y = if dim != Dim::D1 {
            rows = rv.place(v, ov, height, mag, linear);
            rv.address(&mut rows, height);
            &rows
        } else if plan.flags.gather {
            &Axis::TWICE
        } else {
            &Axis::NONE
        };
        let z = if dim == Dim::D3 {
            // gather4 takes one slice.
            slices = rr.place(r, or, depth, mag, linear && !plan.flags.gather);
            rr.address(&mut slices, depth);
            &slices
        } else {
            &Axis::NONE
        };
        self.fold(probe, on, level, &probe.slice, [&x, y, z], sum);
    }

    /// [`level`](Self::level) of a cube.
    #[inline(never)]
    fn on_faces(&mut self, probe: &Probe, on: u32, level: &Level, linear: bool, sum: &mut Sum<'_>) {
        let plan = self.plan;
        let [width, ..] = level.size;
        let ([ru, rv, _], [mut s, mut t, r]) = (&plan.rules, probe.coordinate);
        let mut face = [0; LANES];
        for (((face, s), t), r) in face.iter_mut().zip(&mut s).zip(&mut t).zip(r) {
            (*face, [*s, *t, _]) = cube::project([*s, *t, r]);
        }
        let slice = zip(probe.slice, face, u32::wrapping_add);
        let place = |rule: &Rule, at: &_| rule.place(at, &[0; LANES], &width, probe.mag, linear);
        let (mut x, mut y) = (place(ru, &s), place(rv, &t));
        if !(linear && plan.seamless) {
            ru.address(&mut x, &width);
            rv.address(&mut y, &width);
            return self.fold(probe, on, level, &slice, [&x, &y, &Axis::NONE], sum);
        }
        let over = on & (x.outside(&width) | y.outside(&width));
        if on & !over != 0 {
            self.fold(probe, on & !over, level, &slice, [&x, &y, &Axis::NONE], sum);
        }
        for lane in numbers(over) {
            let face = Face {
                lane,
                level: lanes::lane(&level.number, lane),
                slice: lanes::lane(&slice, lane),
                number: lanes::lane(&face, lane),
                width: lanes::lane(&width, lane),
            };
            self.over_edge(&face, lanes::lane(&probe.reference, lane), [&x, &y], sum);
        }
    }

    /// Folds a lane's footprint over the edge of a cube's face.
    #[inline(never)]
    fn over_edge(&mut self, face: &Face, reference: f32, [x, y]: [&Axis; 2], sum: &mut Sum<'_>) {
        let one = |of: &Tap| lanes::lane(&of.index, face.lane);
        let four = self.around(face, x.both.each_ref().map(one), y.both.each_ref().map(one));
        if !matches!(sum.fold, Fold::Minimum | Fold::Maximum) {
            sum.restart(face.lane);
        }
        let weight = |of: &Tap| lanes::lane(&of.weight, face.lane);
        let ([x0, x1], [y0, y1]) = (x.both.each_ref().map(weight), y.both.each_ref().map(weight));
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
        level: &Level,
        slice: &Lanes<u32>,
        [x, y, z]: [&Axis; 3],
        sum: &mut Sum<'_>,
    ) {
        let volume = self.plan.texture.dim == Dim::D3;
        if !volume {
            self.turn_to(&level.number, slice);
        }
        let together = LANES > 1 && x.beside && self.linear;
        let mut row = [[[0; LANES]; 4]; 2];
        for z in z.taps() {
            if volume {
                self.turn_to(&level.number, &map(z.index, |z| z.max(0) as u32));
            }
            for y in y.taps() {
                let weight = |x: &Tap| {
                    let xy = zip(x.weight, y.weight, |x, y| x * y);
                    zip(xy, z.weight, |xy, z| xy * z)
                };
                if together {
                    let [first, second] = &x.both;
                    self.row(on, [first, y, z], &probe.reference, &mut row);
                    sum.add(&row, || [weight(first), weight(second)], on);
                    continue;
                }
                for x in x.taps() {
                    let [one, _] = &mut row;
                    let one = core::array::from_mut(one);
                    self.row(on, [x, y, z], &probe.reference, one);
                    sum.add(one, || [weight(x)], on);
                }
            }
        }
    }

    /// The texels at addressed positions and those right of them, or their comparisons.
    #[inline(always)]
    fn row<const C: usize>(
        &mut self,
        on: u32,
        [x, y, z]: [&Tap; 3],
        reference: &Lanes<f32>,
        row: &mut [Texels; C],
    ) {
        let outside = if self.plan.bordered { outside([x, y, z]) } else { 0 };
        self.texels(on & !outside, &x.index, &y.index, row);
        if outside != 0 {
            row.iter_mut().for_each(|texels| lanes::put_all(texels, outside, self.plan.border));
        }
        if self.plan.flags.compare {
            self.compared(row, reference);
        }
    }

    /// Adds levels with all taps of the anisotropic filter.
    fn taps(&mut self, probe: &Probe, on: u32, level: &Level, filter: Filter, sum: &mut Sum<'_>) {
        let mut walking = 0;
        if filter == Filter::Anisotropic {
            walking = mask(self.footprints.lanes, |footprint| footprint.taps >= 2);
        }
        if on & !walking != 0 {
            self.level(probe, on & !walking, level, filter != Filter::Nearest, sum);
        }
        if on & walking != 0 {
            self.walk(probe, on & walking, level, sum);
        }
    }

    /// Adds levels: the mean of bilinear taps along a line.
    #[inline(never)]
    fn walk(&mut self, probe: &Probe, on: u32, level: &Level, sum: &mut Sum<'_>) {
        let footprints = self.footprints.lanes;
        let (mut all, mut one) = ([[0; LANES]; 4], [[0; LANES]; 4]);
        let mut all = Sum::new(Fold::Mean, &mut all);
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
                self.level(&at, here, level, true, &mut Sum::new(Fold::Mean, &mut one));
                for lane in numbers(here) {
                    all.add_to(lane, lanes::take(&one, lane), 1.0);
                }
            } else {
                self.level(&at, here, level, true, sum);
            }
        }
        if sum.fold == Fold::Mean {
            for (lane, footprint) in footprints.iter().enumerate() {
                if on >> lane & 1 != 0 {
                    let count = f32::from(footprint.taps);
                    let mean = lanes::take(all.value, lane).map(|v| (f32::from_bits(v) / count).to_bits());
                    lanes::put(sum.value, lane, mean);
                }
            }
        }
    }

    /// The filtered texels of a subspan, before the channel select. What the lanes that are off hold afterwards
    /// means nothing.
    pub(super) fn filtered(&mut self, probe: &Probe, levels: &Choice, on: u32, out: &mut Texels) {
        let plan = self.plan;
        let magnified = if plan.mag == plan.min { ALL } else { levels.mag };
        let (filter, some) = match on & magnified {
            0 => (plan.min, on),
            magnified => (plan.mag, magnified),
        };
        self.between(probe, levels, some, filter, out);
        if on & !some != 0 {
            let mut others = [[0; LANES]; 4];
            self.between(probe, levels, on & !some, plan.min, &mut others);
            for lane in numbers(on & !some) {
                lanes::put(out, lane, lanes::take(&others, lane));
            }
        }
    }

    /// The filter in and between levels, for the lanes that are on.
    #[inline(never)]
    fn between(&mut self, probe: &Probe, levels: &Choice, on: u32, filter: Filter, out: &mut Texels) {
        let fold = match (self.plan.reduction, filter) {
            (Reduction::Mean, Filter::Nearest) => Fold::Only,
            (Reduction::Mean, _) => Fold::Mean,
            (Reduction::Minimum, _) => Fold::Minimum,
            (Reduction::Maximum, _) => Fold::Maximum,
        };
        let mut sum = Sum::new(fold, out);
        if on & levels.finer != 0 {
            self.taps(probe, on & levels.finer, &levels.first, filter, &mut sum);
        }
        if on & levels.coarser != 0 {
            let on = on & levels.coarser;
            if matches!(fold, Fold::Mean | Fold::Only) {
                let mut other = [[0; LANES]; 4];
                self.taps(probe, on, &levels.second, filter, &mut Sum::new(fold, &mut other));
                sum.mix(&other, &levels.fraction);
            } else {
                self.taps(probe, on, &levels.second, filter, &mut sum);
            }
        }
    }
}
