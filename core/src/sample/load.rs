//! Loads: texels by integer coordinates, without a sampler.
//!
//! Any coordinate, layer, sample or level out of range gives 0 in the components that the format
//! has and defaults in the others.

use super::bind::{Dim, Source};
use super::guess;
use super::lanes::{LANES, Lanes, lane, map, mask, numbers, put, put_all, zip};
use super::lod::{Chosen, Level};
use super::reader::Reader;
use super::registers::{Params, Span};
use crate::format::Texel;
use crate::memory::Memory;
use crate::message::{Message, Op, Param, Width};

/// Where lanes load from.
struct Places {
    level: Lanes<u32>,
    slice: Lanes<u32>,
    x: Lanes<i32>,
    y: Lanes<i32>,
    /// Lanes that are on and in range; what the others have means nothing.
    inside: u32,
}

impl<M: Memory + ?Sized> Reader<'_, '_, M> {
    /// The lanes of a subspan, for a message of the load family.
    pub(super) fn load(&mut self, params: &Params<'_, '_>, chosen: &mut Chosen, span: &mut Span) {
        let (texture, message) = (self.plan.texture, self.plan.message);
        self.start(span.first);
        let mut places = self.places(params, chosen, span);
        if message.op == Op::LdMcs {
            self.controls(&places, span);
            span.failed = self.failed(span.first);
            return;
        }
        let mut clear = 0;
        if matches!(message.op, Op::Ld2dms | Op::Ld2dmsW | Op::Ld2dss) {
            clear = self.samples(params, span.first, &mut places);
        }
        self.turn_to(&places.level, &places.slice);
        self.texels(places.inside, &places.x, &places.y, core::array::from_mut(&mut span.texels));
        if span.on & !places.inside != 0 {
            put_all(&mut span.texels, !places.inside, texture.outside);
        }
        for number in numbers(clear) {
            let colour = texture.mcs.as_ref().map_or(texture.outside, |mcs| self.clear(number, mcs));
            put(&mut span.texels, number, colour);
        }
        span.failed = self.failed(span.first);
    }

    /// Levels, columns, rows and slices of the lanes' coordinates.
    // Apart, as the next two: its frame is gone when texels are read.
    #[inline(never)]
    fn places(&mut self, params: &Params<'_, '_>, chosen: &mut Chosen, span: &Span) -> Places {
        let (texture, message) = (self.plan.texture, self.plan.message);
        let signed = |param| params.signed(param, span.first);
        let [u, v, r] = [signed(Param::U), signed(Param::V), signed(Param::R)];
        let level = if message.op == Op::LdLz { [0; LANES] } else { signed(Param::Lod) };
        let level = map(level, |level| level as u32);
        // Coordinates that the surface does not have are ignored; the layer follows them.
        let none = [0; LANES];
        let (mut at, axes, layer) = match texture.dim {
            Dim::Buffer => ([u, none, none], 0, none),
            Dim::D1 => ([u, none, none], 1, v),
            Dim::D3 => ([u, v, r], 3, none),
            _ => ([u, v, none], 2, r),
        };
        let layer = map(if texture.array { layer } else { none }, |layer| layer as u32);
        let mut inside = span.on & mask(level, |level| level < texture.levels);
        inside &= mask(layer, |layer| layer < texture.layers);
        // Offsets are small: those that wrap a coordinate around do not get it into range.
        for (axis, offset) in at.iter_mut().zip(message.offsets).take(axes) {
            *axis = map(*axis, |coordinate| coordinate.wrapping_add(offset.into()));
        }
        if chosen.differs([level, [0; LANES]]) {
            chosen.levels.first = Level::new(texture, level);
        }
        for (axis, size) in at.iter().zip(&chosen.levels.first.size) {
            inside &= mask(zip(*axis, *size, |at, size| (at as u32) < size as u32), |inside| inside);
        }
        let [x, y, z] = at;
        let slice = if texture.dim == Dim::D3 {
            map(z, |z| z as u32)
        } else {
            map(layer, |layer| texture.first_slice.wrapping_add(layer))
        };
        Places { level, slice, x, y, inside }
    }

    /// The elements of a multisample control surface as results.
    #[inline(never)]
    fn controls(&mut self, places: &Places, span: &mut Span) {
        for number in numbers(span.on) {
            let mut mcs = [0; 2];
            if places.inside >> number & 1 != 0 {
                let [x, y] = [&places.x, &places.y].map(|axis| lane(axis, number) as u32);
                mcs = self.control(number, [x, y, lane(&places.slice, number)]);
            }
            put(&mut span.texels, number, control(mcs, self.plan.message.return_width));
        }
    }

    /// Goes from texels to the planes of the lanes' samples. Lanes without one are no longer inside; those that
    /// have the clear colour are returned.
    #[inline(never)]
    fn samples(&mut self, params: &Params<'_, '_>, first: usize, places: &mut Places) -> u32 {
        let texture = self.plan.texture;
        let mut clear = 0;
        for number in numbers(places.inside) {
            match self.plane_of_sample(params, first.wrapping_add(number)) {
                Sample::Plane(plane) if plane < texture.samples.max(1) => {
                    if let Source::Plain { layout, .. } = &texture.source
                        && texture.samples > 1
                    {
                        places.move_to(number, |x, y, slice| layout.sample(x, y, slice, plane));
                    }
                    continue;
                }
                Sample::Clear => clear |= 1 << number,
                Sample::Plane(_) => {}
            }
            places.inside &= !(1 << number);
        }
        clear
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

impl Places {
    /// Moves a lane.
    fn move_to(&mut self, lane: usize, to: impl FnOnce(u32, u32, u32) -> (u32, u32, u32)) {
        let Self { x, y, slice, .. } = self;
        if let (Some(x), Some(y), Some(slice)) = (x.get_mut(lane), y.get_mut(lane), slice.get_mut(lane)) {
            let place = to(*x as u32, *y as u32, *slice);
            (*x, *y, *slice) = (place.0 as i32, place.1 as i32, place.2);
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
