//! Loads: texels by integer coordinates, without a sampler.
//!
//! Any coordinate, layer, sample or level out of range gives 0 in the components that the format
//! has and defaults in the others.

use super::bind::{Dim, Source};
use super::execute::Params;
use super::filter::Reader;
use super::guess;
use crate::format::Texel;
use crate::memory::Memory;
use crate::message::{Message, Op, Param, Width};

impl<M: Memory + ?Sized> Reader<'_, '_, M> {
    /// One lane of the load family.
    pub(super) fn load(&mut self, message: &Message, params: &Params<'_>, lane: usize) -> Texel {
        let texture = self.plan.texture;
        let lod = if message.op == Op::LdLz { 0 } else { params.signed(Param::Lod, lane) };
        let [ou, ov, or] = message.offsets.map(i32::from);
        let [u, v, r] = [Param::U, Param::V, Param::R].map(|p| params.signed(p, lane));
        // Coordinates that the surface does not have are ignored; the layer follows them.
        let [x, y, z, layer] = match (texture.dim, texture.array) {
            (Dim::D1, array) => [u.wrapping_add(ou), 0, 0, if array { v } else { 0 }],
            (Dim::D3, _) => [u.wrapping_add(ou), v.wrapping_add(ov), r.wrapping_add(or), 0],
            (Dim::Buffer, _) => [u, 0, 0, 0],
            (_, array) => [u.wrapping_add(ou), v.wrapping_add(ov), 0, if array { r } else { 0 }],
        };
        // An offset may not wrap a coordinate around into range.
        let wrapped = |a: i32, o: i32| a.checked_add(o).is_none();
        let wraps = match texture.dim {
            Dim::Buffer => false,
            Dim::D1 => wrapped(u, ou),
            Dim::D3 => wrapped(u, ou) || wrapped(v, ov) || wrapped(r, or),
            _ => wrapped(u, ou) || wrapped(v, ov),
        };
        let within = |i: i32, n: u32| (i as u32) < n;
        let level = lod as u32;
        let [width, height, depth] = texture.level_size(if level < texture.levels { level } else { 0 });
        let inside = !wraps
            && level < texture.levels
            && within(x, width)
            && within(y, height)
            && within(z, depth)
            && within(layer, texture.layers);
        if message.op == Op::LdMcs {
            let slice = texture.first_slice.wrapping_add(layer as u32);
            let mcs = if inside { self.control(texture, slice, x as u32, y as u32) } else { [0; 2] };
            return control(mcs, message.return_width);
        }
        let plane = match message.op {
            Op::Ld2dms | Op::Ld2dmsW => {
                let sample = params.raw(Param::Si, lane);
                let value = mcs(message, params, lane);
                if let Some(control) = &texture.mcs
                    && inside
                    && sample < texture.samples
                    && guess::mcs_is_clear(value, texture.samples)
                {
                    return self.clear(texture, control);
                }
                let samples = if texture.mcs.is_some() { texture.samples } else { 16 };
                let plane = guess::mcs_plane(value, sample, samples);
                if sample < texture.samples { plane } else { u32::MAX }
            }
            Op::Ld2dss => params.raw(Param::Si, lane),
            _ => 0,
        };
        if !inside || plane >= texture.samples.max(1) {
            return texture.outside;
        }
        let slice = texture.first_slice.wrapping_add(layer as u32);
        let (x, y) = (x as u32, y as u32);
        match (&texture.source, texture.dim) {
            (_, Dim::D3) => self.fetch(level, z as u32, x, y),
            (Source::Plain { layout, .. }, Dim::D2) if texture.samples > 1 => {
                let (x, y, slice) = layout.sample(x, y, slice, plane);
                self.fetch(level, slice, x, y)
            }
            _ => self.fetch(level, slice, x, y),
        }
    }
}

/// The MCS value of a message: one or two dwords, or four words.
fn mcs(message: &Message, params: &Params<'_>, lane: usize) -> [u32; 2] {
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
