//! Loads (texels by integer coordinates, without a sampler) and queries on the general path.
//!
//! Any coordinate, layer, sample or mip level out of range gives 0 in the components that the format
//! has and defaults in those that it lacks.

use super::texels::{Fetched, GeneralPath};
use crate::format::Texel;
use crate::message::{Message, Op, Param, Width};
use crate::sample::lanes::{ALL, LANES, lane, mask, numbers, set};
use crate::sample::levels::load_rule::IntegerLanes;
use crate::sample::levels::multisample::{SampleRule, SampleStorage, reads_samples};
use crate::sample::params::NamedParams;
use crate::sample::scratch::{PassScratch, RESULT};

impl GeneralPath<'_, '_, '_> {
    /// Executes a pass of a load.
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(crate) fn load(&mut self, params: &NamedParams<'_>, on: u32) {
        let p = self.plan;
        let mut outside = self.integer_coordinates(params);
        if p.message.op == Op::LdMcs && !self.texture.is_control {
            let [x, ..] = &self.scratch.taps;
            return self.load_controls(on & !mask(&x.outside));
        }
        let mut clear = 0;
        if reads_samples(p.message.op) {
            clear = self.planes_of_samples(params, on);
            outside = true;
        }
        self.find_rows(0, 1);
        let Some(filter) = p.filters.first() else { return };
        self.address(filter, 0);
        if self.read(1, on) == Fetched::Words {
            p.decode_words(1, self.scratch);
        }
        let PassScratch { values: [result, ..], texels, .. } = &mut *self.scratch;
        for (result, texels) in result.iter_mut().zip(texels) {
            [*result, ..] = *texels;
        }
        if let Some(border) = &p.border
            && outside
        {
            p.cover_results(border, 1, 0, self.scratch);
        }
        for at in numbers(clear) {
            let mcs = self.texture.mcs.as_ref();
            let colour = mcs.map_or(self.texture.outside(), |mcs| self.clear_colour(at, mcs));
            self.put_result(at, colour);
        }
    }

    fn put_result(&mut self, at: usize, texel: Texel) {
        let [result, ..] = &mut self.scratch.values;
        for (lanes, value) in result.iter_mut().zip(texel) {
            set(lanes, at, value);
        }
    }

    /// Computes mip levels, columns, rows and slices from the integers in the payload. Lanes out of range are marked as outside along x,
    /// with coordinates of 0. Returns true if there are any.
    #[inline(never)]
    pub(crate) fn integer_coordinates(&mut self, params: &NamedParams<'_>) -> bool {
        let p = self.plan;
        let [u, v, r, layer, level] = &params.words_of(p.load_params(self.texture), self.first);
        let at = IntegerLanes { coordinate: [u, v, r], layer, level };
        let PassScratch { taps, slice, levels, level: [finer, ..], .. } = &mut *self.scratch;
        let outside = (p.stages.load)(&p.load, &at, taps, slice, &mut levels.finer);
        p.fill_level(self.texture, &levels.finer, 0, finer);
        outside
    }

    /// Reads the elements of the multisample control surface as results (`ld_mcs`) of the lanes in `inside`, which are in range. All other
    /// lanes get 0.
    #[inline(never)]
    fn load_controls(&mut self, inside: u32) {
        for at in 0..LANES {
            let mut mcs = [0; 2];
            if inside >> at & 1 != 0 {
                let [x, y, _] = &self.scratch.taps;
                let slice = lane(&self.scratch.slice, at).wrapping_add(self.texture.first_slice);
                let cell = [lane(&x.texel[0], at), lane(&y.texel[0], at), slice];
                mcs = self.control(at, cell);
            }
            self.put_result(at, control(mcs, self.plan.message.return_width));
        }
    }

    /// Moves the lanes' texels to the planes that hold their samples. Lanes whose sample is in no plane are marked as outside. Returns
    /// the mask of the active ones among them whose texel has the clear colour.
    #[inline(never)]
    fn planes_of_samples(&mut self, params: &NamedParams<'_>, on: u32) -> u32 {
        let message = &self.plan.message;
        let rule = SampleRule::new(self.texture, message.op);
        let PassScratch { taps: [x, y, _], slice, .. } = &mut *self.scratch;
        let ([column, _], [row, _]) = (&mut x.texel, &mut y.texel);
        let mut clear = 0;
        for at in numbers(!mask(&x.outside) & ALL) {
            let number = self.first.wrapping_add(at);
            let plane = match rule.find(params.raw(Param::Si, number), mcs(message, params, number)) {
                SampleStorage::Plane(plane) => plane,
                SampleStorage::Clear => {
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

    /// Returns the plane that holds a lane's sample, or that the texel has the clear colour. The texel is in range; `lane` counts from
    /// the first of the message.
    #[inline]
    pub(crate) fn sample_of_lane(&self, params: &NamedParams<'_>, lane: usize) -> SampleStorage {
        let rule = SampleRule::new(self.texture, self.plan.message.op);
        rule.find(params.raw(Param::Si, lane), mcs(&self.plan.message, params, lane))
    }

    /// Answers a query: the size of a mip level, or the number of samples.
    #[inline(never)]
    pub(crate) fn query(&mut self, params: &NamedParams<'_>) {
        let texture = self.texture;
        let of_level = self.plan.message.op == Op::Resinfo;
        let levels = if of_level { params.all(Param::Lod, self.first) } else { [0; LANES] };
        let answer = |level| if of_level { texture.resinfo(level) } else { texture.sampleinfo() };
        let [first, ..] = levels;
        // Mostly all lanes ask for the same mip level.
        if levels == [first; LANES] {
            let [result, ..] = &mut self.scratch.values;
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

/// Returns the MCS value that a message carries for a lane, low and high dword: its parameters are one or two dwords, or four 16-bit words.
fn mcs(message: &Message, params: &NamedParams<'_>, lane: usize) -> [u32; 2] {
    let part = |p| params.raw(p, lane);
    match (message.op, params.layout.width) {
        (Op::Ld2dmsW, Width::Half) => {
            [part(Param::Mcs0) | part(Param::Mcs1) << 16, part(Param::Mcs2) | part(Param::Mcs3) << 16]
        }
        _ => [part(Param::Mcs0), part(Param::Mcs1)],
    }
}

/// Returns an MCS value as the channels of a result: two dwords, or four 16-bit words.
fn control([low, high]: [u32; 2], width: Width) -> Texel {
    match width {
        Width::Full => [low, high, 0, 0],
        Width::Half => [low & 0xffff, low >> 16, high & 0xffff, high >> 16],
    }
}
