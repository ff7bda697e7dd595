//! Loads: texels by integer coordinates, without a sampler; and queries.
//!
//! Any coordinate, layer, sample or level out of range gives 0 in the components that the format
//! has and defaults in the others.

use super::axis::AxisTaps;
use super::lanes::{LANES, Lanes, lane, mask, numbers, set};
use super::params::Params;
use super::scratch::{RESULT, Scratch};
use super::texels::Reader;
use super::texture::{Dim, Source, Texture};
use super::unspecified;
use crate::format::Texel;
use crate::message::{Message, Op, Param, Width};

/// Where a sample is.
enum Sample {
    /// In this plane.
    Plane(u32),
    /// Nowhere: the texel has the clear colour.
    Clear,
}

/// What loads do with coordinates; the same for every lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoadRule {
    /// Size of level 0 of the memory surface; what the surface does not have is 1.
    size: [u32; 3],
    base: u32,
    levels: u32,
    layers: u32,
    offset: [i32; 3],
}

impl LoadRule {
    pub(super) fn new(texture: &Texture<'_>, message: &Message) -> Self {
        let buffer = texture.dim == Dim::Buffer;
        let axes = if buffer { 1 } else { texture.axes() };
        let (mut size, mut offset) = (texture.size, message.offsets.map(i32::from));
        for (number, (size, offset)) in size.iter_mut().zip(&mut offset).enumerate() {
            if number >= axes {
                (*size, *offset) = (1, 0);
            } else if buffer {
                *offset = 0;
            }
        }
        let base = if buffer { 0 } else { texture.base };
        Self { size, base, levels: texture.levels, layers: texture.layers, offset }
    }
}

/// Integer parameters of lanes.
pub(super) struct IntegerLanes {
    pub(super) coordinate: [Lanes<i32>; 3],
    pub(super) level: Lanes<i32>,
    pub(super) layer: Lanes<i32>,
}

/// Fills in texel coordinates, slices and levels; lanes out of range are outside along x, at 0 of level 0.
pub(super) type LoadKernel =
    fn(&LoadRule, &IntegerLanes, &mut [AxisTaps; 3], slices: &mut Lanes<u32>, levels: &mut Lanes<u32>);

/// See [`LoadKernel`].
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
pub(super) fn place(
    rule: &LoadRule,
    at: &IntegerLanes,
    [x, y, z]: &mut [AxisTaps; 3],
    slices: &mut Lanes<u32>,
    levels: &mut Lanes<u32>,
) {
    let [width, height, depth] = rule.size;
    for i in 0..LANES {
        let (level, layer) = (at.level[i] as u32, at.layer[i] as u32);
        let has_level = level < rule.levels;
        let level = if has_level { level } else { 0 };
        let shift = rule.base.wrapping_add(level) & 31;
        let size = |n: u32| {
            let n = n.wrapping_shr(shift);
            if n == 0 { 1 } else { n }
        };
        // Offsets are small: those that wrap a coordinate around do not get it into range.
        let coordinate = |axis: usize| at.coordinate[axis][i].wrapping_add(rule.offset[axis]) as u32;
        let (cx, cy, cz) = (coordinate(0), coordinate(1), coordinate(2));
        let inside =
            has_level & (layer < rule.layers) & (cx < size(width)) & (cy < size(height)) & (cz < size(depth));
        let keep = |value: u32| if inside { value } else { 0 };
        x.texel[0][i] = keep(cx);
        y.texel[0][i] = keep(cy);
        z.texel[0][i] = keep(cz);
        x.outside[i] = u32::from(!inside);
        slices[i] = keep(layer);
        levels[i] = level;
    }
}

impl Reader<'_, '_, '_> {
    /// The lanes of a message of the load family.
    pub(super) fn load(&mut self, params: &Params<'_, '_>, on: u32) {
        let p = self.prepared;
        self.integer_coordinates(params);
        let out_of_range = {
            let [x, ..] = &self.scratch.taps;
            mask(&x.outside)
        };
        if p.message.op == Op::LdMcs {
            return self.load_controls(on & !out_of_range);
        }
        let mut clear = 0;
        if matches!(p.message.op, Op::Ld2dms | Op::Ld2dmsW | Op::Ld2dss) {
            clear = self.planes_of_samples(params, on & !out_of_range);
        }
        self.find_rows(0, 1);
        let Some(pass) = p.passes.first() else { return };
        self.address(pass, 0);
        self.read(1, on);
        let Scratch { values, texels, .. } = &mut *self.scratch;
        let [result, ..] = values;
        for (result, texels) in result.iter_mut().zip(texels) {
            [*result, ..] = *texels;
        }
        for at in numbers(clear) {
            let mcs = p.texture.mcs.as_ref();
            let colour = mcs.map_or(p.texture.outside, |mcs| self.clear_colour(at, mcs));
            self.put_result(at, colour);
        }
    }

    fn put_result(&mut self, at: usize, texel: Texel) {
        let [result, ..] = &mut self.scratch.values;
        for (lanes, value) in result.iter_mut().zip(texel) {
            set(lanes, at, value);
        }
    }

    /// Levels, columns, rows and slices of the lanes' coordinates; those out of range are outside along x, at 0.
    #[inline(never)]
    fn integer_coordinates(&mut self, params: &Params<'_, '_>) {
        let p = self.prepared;
        let (texture, first) = (&p.texture, self.first);
        let mut at = IntegerLanes { coordinate: [[0; LANES]; 3], level: [0; LANES], layer: [0; LANES] };
        // Coordinates that the surface does not have are ignored; the layer follows them.
        let axes = if texture.dim == Dim::Buffer { 1 } else { p.axes };
        for (axis, param) in at.coordinate.iter_mut().zip([Param::U, Param::V, Param::R]).take(axes) {
            params.signed(param, first, axis);
        }
        if texture.array {
            let layer = if texture.dim == Dim::D1 { Param::V } else { Param::R };
            params.signed(layer, first, &mut at.layer);
        }
        if p.message.op != Op::LdLz && params.has(Param::Lod) {
            params.signed(Param::Lod, first, &mut at.level);
        }
        let Scratch { taps, slice, levels, level: [finer, ..], .. } = &mut *self.scratch;
        (p.stages.load)(&p.load, &at, taps, slice, &mut levels.finer);
        p.table.fill_places(texture, &levels.finer, finer);
    }

    /// The elements of a multisample control surface as results; 0 out of range.
    #[inline(never)]
    fn load_controls(&mut self, inside: u32) {
        for at in 0..LANES {
            let mut mcs = [0; 2];
            if inside >> at & 1 != 0 {
                let [x, y, _] = &self.scratch.taps;
                let slice = lane(&self.scratch.slice, at).wrapping_add(self.prepared.texture.first_slice);
                let cell = [lane(&x.texel[0], at), lane(&y.texel[0], at), slice];
                mcs = self.control(at, cell);
            }
            self.put_result(at, control(mcs, self.prepared.message.return_width));
        }
    }

    /// Goes from texels to the planes of the lanes' samples. Lanes without one are outside from now on; those that
    /// have the clear colour are returned.
    #[inline(never)]
    fn planes_of_samples(&mut self, params: &Params<'_, '_>, inside: u32) -> u32 {
        let texture = &self.prepared.texture;
        let mut clear = 0;
        for at in numbers(inside) {
            match self.plane_of_sample(params, self.first.wrapping_add(at)) {
                Sample::Plane(plane) if plane < texture.samples.max(1) => {
                    if let Source::Plain { layout, .. } = &texture.source
                        && texture.samples > 1
                    {
                        let Scratch { taps: [x, y, _], slice, .. } = &mut *self.scratch;
                        let layer = lane(slice, at).wrapping_add(texture.first_slice);
                        let (column, row, layer) =
                            layout.sample(lane(&x.texel[0], at), lane(&y.texel[0], at), layer, plane);
                        let layer = layer.wrapping_sub(texture.first_slice);
                        set(&mut x.texel[0], at, column);
                        set(&mut y.texel[0], at, row);
                        set(slice, at, layer);
                    }
                    continue;
                }
                Sample::Clear => clear |= 1 << at,
                Sample::Plane(_) => {}
            }
            let [x, ..] = &mut self.scratch.taps;
            set(&mut x.outside, at, 1);
        }
        clear
    }

    /// Where a lane's sample is, for a texel that is inside.
    #[inline]
    fn plane_of_sample(&self, params: &Params<'_, '_>, lane: usize) -> Sample {
        let texture = &self.prepared.texture;
        match self.prepared.message.op {
            Op::Ld2dms | Op::Ld2dmsW => {
                let sample = params.raw(Param::Si, lane);
                let value = mcs(&self.prepared.message, params, lane);
                let fields = if texture.mcs.is_some() { texture.samples } else { 16 };
                if sample >= texture.samples {
                    Sample::Plane(u32::MAX)
                } else if texture.mcs.is_some() && unspecified::mcs_is_clear(value, texture.samples) {
                    Sample::Clear
                } else {
                    Sample::Plane(unspecified::mcs_plane(value, sample, fields))
                }
            }
            Op::Ld2dss => Sample::Plane(params.raw(Param::Si, lane)),
            _ => Sample::Plane(0),
        }
    }

    /// Sizes and sample counts.
    #[inline(never)]
    pub(super) fn query(&mut self, params: &Params<'_, '_>) {
        for at in 0..LANES {
            let texel = match self.prepared.message.op {
                Op::Resinfo => {
                    let level = params.raw(Param::Lod, self.first.wrapping_add(at));
                    self.prepared.texture.resinfo(level)
                }
                _ => self.prepared.texture.sampleinfo(),
            };
            self.put_result(at, texel);
        }
    }
}

const _: () = assert!(RESULT == 0);

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
