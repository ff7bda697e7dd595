//! Loads: texels by integer coordinates, without a sampler.
//!
//! Any coordinate, layer, sample or level out of range gives 0 in the components that the format
//! has and defaults in the others.

use super::bind::{Dim, Source};
use super::guess;
use super::lanes::{LANES, lane, map, mask, numbers, put, put_all};
use super::reader::Reader;
use super::registers::{Params, Span};
use crate::format::Texel;
use crate::memory::Memory;
use crate::message::{Message, Op, Param, Width};

impl<M: Memory + ?Sized> Reader<'_, '_, M> {
    /// The lanes of a subspan, for a message of the load family.
    pub(super) fn load(&mut self, params: &Params<'_, '_>, span: &mut Span) {
        let (plan, first) = (self.plan, span.first);
        let (texture, message) = (plan.texture, plan.message);
        let coordinates = [Param::U, Param::V, Param::R].map(|param| params.signed(param, first));
        let lods = match message.op {
            Op::LdLz => [0; LANES],
            _ => params.signed(Param::Lod, first),
        };
        self.start(first);
        let mut found = [None; LANES];
        let mut clear = 0;
        for number in numbers(span.on) {
            let at = coordinates.each_ref().map(|axis| lane(axis, number));
            let place = self.place(at, lane(&lods, number) as u32);
            if message.op == Op::LdMcs {
                let mcs = place.map_or([0; 2], |[_, x, y, slice]| self.control(number, [x, y, slice]));
                put(&mut span.texels, number, control(mcs, message.return_width));
                continue;
            }
            let (Some(place), Some(found)) = (place, found.get_mut(number)) else { continue };
            match self.plane_of_sample(params, first.wrapping_add(number)) {
                Sample::Clear => clear |= 1 << number,
                Sample::Plane(plane) if plane < texture.samples.max(1) => {
                    *found = Some(self.sample_of(place, plane));
                }
                Sample::Plane(_) => {}
            }
        }
        if message.op != Op::LdMcs {
            let inside = mask(found, |found| found.is_some());
            let part = |which: fn([u32; 4]) -> u32| map(found, |found| found.map_or(0, which));
            let (level, slice) = (part(|[level, ..]| level), part(|[.., slice]| slice));
            let (x, y) = (part(|[_, x, ..]| x), part(|[_, _, y, _]| y));
            let (x, y) = (map(x, |x| x as i32), map(y, |y| y as i32));
            self.turn_to(&level, &slice);
            self.texels(inside, &x, &y, core::array::from_mut(&mut span.texels));
            put_all(&mut span.texels, !inside, texture.outside);
            for number in numbers(clear) {
                let colour = texture.mcs.as_ref().map_or(texture.outside, |mcs| self.clear(number, mcs));
                put(&mut span.texels, number, colour);
            }
        }
        span.failed = self.failed(first);
    }

    /// Level, column, row and slice of a coordinate, if it is inside.
    #[inline]
    fn place(&self, [u, v, r]: [i32; 3], level: u32) -> Option<[u32; 4]> {
        let texture = self.plan.texture;
        // Coordinates that the surface does not have are ignored; the layer follows them.
        let (at, axes, layer) = match texture.dim {
            Dim::Buffer => ([u, 0, 0], 0, 0),
            Dim::D1 => ([u, 0, 0], 1, v),
            Dim::D3 => ([u, v, r], 3, 0),
            _ => ([u, v, 0], 2, r),
        };
        let layer = if texture.array { layer as u32 } else { 0 };
        if level >= texture.levels || layer >= texture.layers {
            return None;
        }
        let mut place = [0; 3];
        let inputs = at.into_iter().zip(self.plan.message.offsets).zip(texture.level_size(level));
        for (axis, (out, ((coordinate, offset), size))) in place.iter_mut().zip(inputs).enumerate() {
            // An offset may not wrap a coordinate around into range.
            let moved = coordinate.checked_add(if axis < axes { offset.into() } else { 0 })? as u32;
            if moved >= size {
                return None;
            }
            *out = moved;
        }
        let [x, y, z] = place;
        let first = texture.first_slice;
        Some([level, x, y, if texture.dim == Dim::D3 { z } else { first.wrapping_add(layer) }])
    }

    /// The place of a sample's plane.
    #[inline]
    fn sample_of(&self, place: [u32; 4], plane: u32) -> [u32; 4] {
        let texture = self.plan.texture;
        match &texture.source {
            Source::Plain { layout, .. } if texture.dim == Dim::D2 && texture.samples > 1 => {
                let [level, x, y, slice] = place;
                let (x, y, slice) = layout.sample(x, y, slice, plane);
                [level, x, y, slice]
            }
            _ => place,
        }
    }

    /// Where a lane's sample is, for a texel that is inside.
    #[inline]
    fn plane_of_sample(&self, params: &Params<'_, '_>, lane: usize) -> Sample {
        let texture = self.plan.texture;
        match self.plan.message.op {
            Op::Ld2dms | Op::Ld2dmsW => {
                let sample = params.raw(Param::Si, lane);
                let value = mcs(self.plan.message, params, lane);
                let fields = if texture.mcs.is_some() { texture.samples } else { 16 };
                if sample >= texture.samples {
                    Sample::Plane(u32::MAX)
                } else if texture.mcs.is_some() && guess::mcs_is_clear(value, texture.samples) {
                    Sample::Clear
                } else {
                    Sample::Plane(guess::mcs_plane(value, sample, fields))
                }
            }
            Op::Ld2dss => Sample::Plane(params.raw(Param::Si, lane)),
            _ => Sample::Plane(0),
        }
    }
}

/// Where a sample is.
enum Sample {
    /// In this plane.
    Plane(u32),
    /// Nowhere: the texel has the clear colour.
    Clear,
}

/// The MCS value of a message: one or two dwords, or four words.
fn mcs(message: &Message, params: &Params<'_, '_>, lane: usize) -> [u32; 2] {
    let part = |p| params.raw(p, lane);
    match (message.op, message.param_width) {
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
