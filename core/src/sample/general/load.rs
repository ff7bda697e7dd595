//! Loads: texels by integer coordinates, without a sampler; and queries.
//!
//! Any coordinate, layer, sample or level out of range gives 0 in the components that the format
//! has and defaults in the others.

use super::texels::{Found, Reader};
use crate::format::Texel;
use crate::message::{Message, Op, Param, Width};
use crate::sample::lanes::{ALL, LANES, lane, mask, numbers, set};
use crate::sample::levels::load_rule::IntegerLanes;
use crate::sample::levels::multisample::{Sample, SampleRule, reads_samples};
use crate::sample::params::Params;
use crate::sample::place::axis::AxisTaps;
use crate::sample::scratch::{RESULT, Room};

impl Reader<'_, '_, '_> {
    /// The lanes of a message of the load family.
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(crate) fn load(&mut self, params: &Params<'_>, on: u32) {
        let p = self.plan;
        let mut outside = self.integer_coordinates(params);
        let in_range = |x: &AxisTaps| on & !mask(&x.outside);
        let [x, ..] = &self.room.taps;
        if p.message.op == Op::LdMcs && !self.texture.is_control {
            return self.load_controls(in_range(x));
        }
        let mut clear = 0;
        if reads_samples(p.message.op) {
            clear = self.planes_of_samples(params, on);
            outside = true;
        }
        self.find_rows(0, 1);
        let Some(pass) = p.passes.first() else { return };
        self.address(pass, 0);
        if self.read(1, on) == Found::Words {
            p.decode_words(1, self.room);
        }
        let Room { values: [result, ..], texels, .. } = &mut *self.room;
        for (result, texels) in result.iter_mut().zip(texels) {
            [*result, ..] = *texels;
        }
        if let Some(border) = &p.border
            && outside
        {
            p.cover_results(border, 1, 0, self.room);
        }
        for at in numbers(clear) {
            let mcs = self.texture.mcs.as_ref();
            let colour = mcs.map_or(self.texture.outside, |mcs| self.clear_colour(at, mcs));
            self.put_result(at, colour);
        }
    }

    fn put_result(&mut self, at: usize, texel: Texel) {
        let [result, ..] = &mut self.room.values;
        for (lanes, value) in result.iter_mut().zip(texel) {
            set(lanes, at, value);
        }
    }

    /// Levels, columns, rows and slices of the lanes' coordinates; those out of range are outside along x, at 0. True if there
    /// are any.
    #[inline(never)]
    pub(crate) fn integer_coordinates(&mut self, params: &Params<'_>) -> bool {
        let p = self.plan;
        let [u, v, r, layer, level] = &params.words_of(p.load_params(self.texture), self.first);
        let at = IntegerLanes { coordinate: [u, v, r], layer, level };
        let Room { taps, slice, levels, level: [finer, ..], .. } = &mut *self.room;
        let outside = (p.stages.load)(&p.load, &at, taps, slice, &mut levels.finer);
        p.table.fill(self.texture, &levels.finer, 0, p.stages.level, finer);
        outside
    }

    /// The elements of a multisample control surface as results; 0 out of range.
    #[inline(never)]
    fn load_controls(&mut self, inside: u32) {
        for at in 0..LANES {
            let mut mcs = [0; 2];
            if inside >> at & 1 != 0 {
                let [x, y, _] = &self.room.taps;
                let slice = lane(&self.room.slice, at).wrapping_add(self.texture.first_slice);
                let cell = [lane(&x.texel[0], at), lane(&y.texel[0], at), slice];
                mcs = self.control(at, cell);
            }
            self.put_result(at, control(mcs, self.plan.message.return_width));
        }
    }

    /// Goes from texels to the planes of the lanes' samples. Lanes without one are outside from now on; those that
    /// have the clear colour are returned.
    #[inline(never)]
    fn planes_of_samples(&mut self, params: &Params<'_>, on: u32) -> u32 {
        let message = &self.plan.message;
        let rule = SampleRule::new(self.texture, message.op);
        let Room { taps: [x, y, _], slice, .. } = &mut *self.room;
        let ([column, _], [row, _]) = (&mut x.texel, &mut y.texel);
        let mut clear = 0;
        for at in numbers(!mask(&x.outside) & ALL) {
            let number = self.first.wrapping_add(at);
            let plane = match rule.find(params.raw(Param::Si, number), mcs(message, params, number)) {
                Sample::Plane(plane) => plane,
                Sample::Clear => {
                    clear |= 1 << at;
                    u32::MAX
                }
            };
            if rule.has(plane) == 0 {
                set(&mut x.outside, at, 1);
                continue;
            }
            let element = rule.element([lane(column, at), lane(row, at), lane(slice, at)], plane);
            for (lanes, value) in [&mut *column, &mut *row, &mut *slice].into_iter().zip(element) {
                set(lanes, at, value);
            }
        }
        on & clear
    }

    /// Where a lane's sample is, for a texel that is inside.
    #[inline]
    pub(crate) fn sample_of_lane(&self, params: &Params<'_>, lane: usize) -> Sample {
        let rule = SampleRule::new(self.texture, self.plan.message.op);
        rule.find(params.raw(Param::Si, lane), mcs(&self.plan.message, params, lane))
    }

    /// Sizes and sample counts.
    #[inline(never)]
    pub(crate) fn query(&mut self, params: &Params<'_>) {
        let texture = self.texture;
        let of_level = self.plan.message.op == Op::Resinfo;
        let levels = if of_level { params.all(Param::Lod, self.first) } else { [0; LANES] };
        let answer = |level| if of_level { texture.resinfo(level) } else { texture.sampleinfo() };
        let [first, ..] = levels;
        // Lanes mostly ask for the same level.
        if levels == [first; LANES] {
            let [result, ..] = &mut self.room.values;
            for (lanes, value) in result.iter_mut().zip(answer(first)) {
                *lanes = [value; LANES];
            }
            return;
        }
        for (at, level) in levels.into_iter().enumerate() {
            self.put_result(at, answer(level));
        }
    }
}

const _: () = assert!(RESULT == 0);

/// The MCS value of a message: one or two dwords, or four words.
fn mcs(message: &Message, params: &Params<'_>, lane: usize) -> [u32; 2] {
    let part = |p| params.raw(p, lane);
    match (message.op, params.layout.width) {
        (Op::Ld2dmsW, Width::Half) => {
            [part(Param::Mcs0) | part(Param::Mcs1) << 16, part(Param::Mcs2) | part(Param::Mcs3) << 16]
        }
        _ => [part(Param::Mcs0), part(Param::Mcs1)],
    }
}

/// An MCS value as a result: two dwords, or four words.
fn control([low, high]: [u32; 2], width: Width) -> Texel {
    match width {
        Width::Full => [low, high, 0, 0],
        Width::Half => [low & 0xffff, low >> 16, high & 0xffff, high >> 16],
    }
}
