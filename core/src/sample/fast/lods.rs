//! LODs of a message: where lanes have them in common they are found for all groups at once.

use super::super::lod::Footprint;
use super::job::{Inputs, Job};
use super::levels::{Choice, Grid, Levels4};
use super::registers::{GROUPS, Group};
use super::simd::{F4, LANES, Lanes, U4};
use crate::message::LodSource;

/// The levels of the groups of a message.
pub(super) struct Lods<'a> {
    job: &'a Job<'a>,
    /// LODs or biases of the lanes.
    lanes: &'a [Group],
    /// LODs of the groups, where that makes sense.
    lambda: [F4; GROUPS / LANES],
    /// The levels that they choose, where no lane adds to them.
    choices: [Choice; GROUPS / LANES],
    common: bool,
}

/// The levels of a group, and their numbers: often those of the group before.
pub(super) struct Kept<'a> {
    lods: &'a Lods<'a>,
    levels: Levels4,
    names: [u32; 2],
}

impl<'a> Lods<'a> {
    #[inline(never)]
    pub(super) fn new(job: &'a Job<'a>, inputs: &Inputs<'_>) -> Self {
        let source = job.slots.flags().lod;
        let lanes = if source == LodSource::QuadBias { job.slots.bias() } else { job.slots.lod() };
        let mut lambda = [F4::ZERO; GROUPS / LANES];
        let common = match source {
            LodSource::Explicit => {
                let Lanes([first, ..]) = U4::load(lanes, 0);
                lambda = [Lanes::splat(f32::from_bits(first)); GROUPS / LANES];
                let differs = |group: &Group| U4::read(group).map(|lod| lod ^ first);
                let none: U4 = Lanes::splat(0);
                lanes.iter().fold(none, |any, lods| any.zip(differs(lods), |a, b| a | b)).all(|any| any == 0)
            }
            LodSource::Quad | LodSource::QuadBias => {
                let [width, height, _] = job.flat.entry(0).size;
                for (first, lambda) in (0..job.slots.groups).step_by(LANES).zip(&mut lambda) {
                    derive(inputs, first, [width, height], lambda);
                }
                source == LodSource::Quad
            }
            _ => true,
        };
        let mut lods = Self { job, lanes, lambda, choices: [Choice::NONE; GROUPS / LANES], common };
        // Base is level 0, whatever the clamps are.
        if common && source != LodSource::Base {
            let [first, second] = &mut lods.choices;
            let [lambda, other] = &lods.lambda;
            Choice::choose(job.sampler, job.limits, lambda, first);
            if source == LodSource::Quad && job.slots.groups > LANES {
                Choice::choose(job.sampler, job.limits, other, second);
            } else {
                *second = *first;
            }
        }
        lods
    }

    /// The level that all lanes read, if there is one.
    #[inline(always)]
    pub(super) fn only(&self) -> Option<u32> {
        let [Choice { first: Lanes([level, ..]), .. }, _] = &self.choices;
        let reads = |choice: &Choice| {
            choice.first.all(|first| first == *level) && choice.fraction.all(|fraction| fraction == 0.0)
        };
        let [first, second] = &self.choices;
        (self.common && reads(first) && reads(second)).then_some(*level)
    }
}

impl<'a> Kept<'a> {
    #[inline(always)]
    pub(super) fn new(lods: &'a Lods<'a>) -> Self {
        Self { lods, levels: Levels4::one(lods.job.flat, 0), names: [0; 2] }
    }

    /// The levels of a group.
    #[inline(always)]
    pub(super) fn group(&mut self, group: usize) -> &Levels4 {
        let (at, lane) = (group / LANES, group % LANES);
        match self.lods.choices.get(at) {
            Some(choice) if self.lods.common => {
                let of = |Lanes(lanes): &U4| lanes.get(lane).copied().unwrap_or(0);
                let fraction = choice.fraction.0.get(lane).copied().unwrap_or(0.0);
                let first = of(&choice.first);
                let names = [first, if fraction == 0.0 { first } else { of(&choice.second) }];
                if self.names != names {
                    self.renew(names);
                }
                self.levels.fraction = Lanes::splat(fraction);
            }
            _ => self.own(group),
        }
        &self.levels
    }

    /// The same two levels for all lanes; twice the same is one.
    #[inline(always)]
    fn renew(&mut self, names: [u32; 2]) {
        let [first, second] = names;
        let flat = self.lods.job.flat;
        self.names = names;
        self.levels.first = Grid::same(flat.entry(first));
        self.levels.second = if first == second { None } else { Some(Grid::same(flat.entry(second))) };
    }

    /// A level for each lane.
    #[inline(never)]
    fn own(&mut self, group: usize) {
        let Lods { job, lanes, lambda, .. } = self.lods;
        let lanes = F4::load(lanes, group);
        let base = lambda.get(group / LANES).and_then(|Lanes(l)| l.get(group % LANES));
        let lambda = match (job.slots.flags().lod, base) {
            (LodSource::QuadBias, Some(base)) => lanes.map(|bias| base + bias),
            _ => lanes,
        };
        let mut choice = Choice::NONE;
        Choice::choose(job.sampler, job.limits, &lambda, &mut choice);
        self.levels = Levels4::select(job.flat, &choice);
    }
}

/// LODs of four subspans from group `first` on: as [`Footprint::new`] without anisotropy.
#[inline(never)]
fn derive(inputs: &Inputs<'_>, first: usize, [width, height]: [f32; 2], out: &mut F4) {
    // Groups past the last are the first again.
    let corners = |lanes: &[Group]| {
        let one = |group: usize| {
            let bytes = lanes.get(first.wrapping_add(group)).or(lanes.first());
            let Lanes([origin, right, below, _]) = bytes.map_or(F4::ZERO, F4::read);
            (origin, right, below)
        };
        let all = Lanes([one(0), one(1), one(2), one(3)]);
        let origin = all.map(|(origin, _, _)| origin);
        (all.map(|(_, right, _)| right) - origin, all.map(|(_, _, below)| below) - origin)
    };
    let ((ux, uy), (vx, vy)) = (corners(inputs.u), corners(inputs.v));
    let square = |u: F4, v: F4| {
        let (a, b) = (u.map(|u| u * width), v.map(|v| v * height));
        a * a + b * b
    };
    let (x2, y2) = (square(ux, vx), square(uy, vy));
    let long = x2.zip(y2, |x2, y2| if x2 >= y2 { x2 } else { y2 });
    *out = log2(long).map(|log2| 0.5 * log2);
    // There nothing is scaled, and no logarithm special.
    let usual = long.zip(x2 + y2, |long, sum| long >= 4e-30 && sum <= 1e35);
    if usual.all(|usual| usual) {
        return;
    }
    let d = Lanes([0, 1, 2, 3]).map(|k| {
        let lane = |Lanes(lanes): F4| lanes.get(k).copied().unwrap_or(0.0);
        [[lane(ux), lane(vx), 0.0], [lane(uy), lane(vy), 0.0]]
    });
    *out = d.map(|d| Footprint::new(d, d, [width, height, 0.0], 1.0, false).lambda);
}

/// [`libm::log2f`] of numbers that are normal and positive, operation for operation, for the same bits.
// Its algorithm and constants are those of FreeBSD's e_log2f.c: "Copyright (C) 1993 by Sun Microsystems, Inc. All
// rights reserved. Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and
// distribute this software is freely granted, provided that this notice is preserved."
#[inline(always)]
fn log2(x: F4) -> F4 {
    const ROOT_HALF: u32 = 0x3f35_04f3;
    let from_root = x.map(|x| x.to_bits().wrapping_add(1.0_f32.to_bits() - ROOT_HALF));
    let k = from_root.map(|bits| ((bits >> 23) as i32).wrapping_sub(0x7f) as f32);
    let f = from_root.map(|bits| f32::from_bits((bits & 0x7f_ffff).wrapping_add(ROOT_HALF)) - 1.0);
    let s = f.map(|f| f / (2.0 + f));
    let z = s * s;
    let w = z * z;
    let t1 = w * w.map(|w| 0.400_009_72 + w * 0.242_790_79);
    let t2 = z * w.map(|w| 0.666_666_6 + w * 0.284_987_87);
    let r = t2 + t1;
    let hfsq = f.map(|f| 0.5 * f * f);
    let hi = (f - hfsq).map(|hi| f32::from_bits(hi.to_bits() & 0xffff_f000));
    let lo = f - hi - hfsq + s * (hfsq + r);
    const LOW: f32 = -1.760_528_5e-4;
    const HIGH: f32 = 1.442_871_1;
    (lo + hi).map(|x| x * LOW) + lo.map(|lo| lo * HIGH) + hi.map(|hi| hi * HIGH) + k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_libm() {
        for bits in (0x0080_0000..0x7f80_0000_u32).step_by(997) {
            let x = f32::from_bits(bits);
            let Lanes([got, ..]) = log2(Lanes::splat(x));
            assert_eq!(got.to_bits(), libm::log2f(x).to_bits(), "{x:e}");
        }
        let Lanes([one, ..]) = log2(F4::ONE);
        assert_eq!(one.to_bits(), 0);
    }
}
