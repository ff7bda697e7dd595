//! What a message makes of a texture and a sampler: the same for every lane; and the inputs of a subspan.

use super::address::{Rule, Wrap};
use super::bind::{Dim, Filter, Mip, Reduction, Sampler, Select, Texture};
use super::execute::layer;
use super::filter::Probe;
use super::lanes::{ALL, LANES, Lanes, Texels, lane, map, once, put, zip};
use super::lod::{self, Chosen, Footprint, Footprints, Levels, Limits};
use super::registers::Params;
use super::{compare, cube, guess, query};
use crate::bits::sign_extend;
use crate::format::{Codec, Texel};
use crate::message::{LodSource, Message, Op, OpFlags, Param};

/// What one message makes of a texture and a sampler.
#[derive(Debug)]
pub(super) struct Plan<'a, 'p> {
    pub(super) texture: &'a Texture<'p>,
    pub(super) sampler: &'a Sampler,
    pub(super) message: &'a Message,
    pub(super) flags: OpFlags,
    /// Reads texels without the sRGB curve.
    pub(super) linear: Option<Codec<'p>>,
    pub(super) rules: [Rule; 3],
    pub(super) mag: Filter,
    pub(super) min: Filter,
    pub(super) mip: Mip,
    pub(super) reduction: Reduction,
    pub(super) border: Texel,
    /// An address mode can lead to the border.
    pub(super) bordered: bool,
    pub(super) seamless: bool,
    /// The largest anisotropy; 1 = none.
    pub(super) anisotropy: f32,
}

impl<'p> Texture<'p> {
    /// What a message makes of this texture and `sampler`.
    pub(super) fn plan<'a>(&'a self, message: &'a Message, sampler: &'a Sampler) -> Plan<'a, 'p> {
        let flags = message.op.flags();
        let [fu, fv, fr] = sampler.fixed();
        let [wu, wv, wr] = if self.dim == Dim::Cube { [Wrap::Clamp; 3] } else { sampler.wrap };
        // Non-normalized coordinates mean nothing to a cube.
        let normalized = sampler.normalized || self.dim == Dim::Cube;
        let plain = matches!(self.dim, Dim::D3 | Dim::Cube) || !normalized;
        let filter = |filter| match filter {
            _ if self.integer => Filter::Nearest,
            Filter::Anisotropic if plain => Filter::Linear,
            filter => filter,
        };
        let (mag, min) = (filter(sampler.mag), filter(sampler.min));
        let bordered = [wu, wv, wr].iter().any(|mode| matches!(mode, Wrap::Border | Wrap::HalfBorder));
        let anisotropic = mag == Filter::Anisotropic || min == Filter::Anisotropic;
        Plan {
            texture: self,
            sampler,
            message,
            flags,
            linear: if sampler.srgb_skip_decode && flags.sampler { self.linear_source } else { None },
            rules: [(wu, fu), (wv, fv), (wr, fr)].map(|(mode, fixed)| Rule::new(mode, normalized, fixed)),
            mag,
            min,
            mip: if self.integer && sampler.mip == Mip::Linear { Mip::Nearest } else { sampler.mip },
            reduction: if flags.compare || self.integer { Reduction::Mean } else { sampler.reduction },
            border: self.info.filter(|_| bordered).map_or([0; 4], |info| info.border(sampler.border)),
            bordered,
            seamless: self.dim == Dim::Cube && sampler.seamless(),
            anisotropy: if anisotropic { sampler.max_anisotropy } else { 1.0 },
        }
    }
}

impl Plan<'_, '_> {
    /// The channel select, with the defaults of what the format (or a comparison) does not have: a filter
    /// does not give them exactly, its weights do not add up to 1. `None`: every channel shows itself.
    pub(super) fn select(&self) -> Option<[Select; 4]> {
        let channels = if self.flags.compare { 1 } else { self.texture.channels };
        let mut all = self.texture.select;
        let mut other = false;
        for (own, select) in (0..).zip(&mut all) {
            if let Select::Channel(c) = *select
                && !self.texture.integer
                && channels >> c & 1 == 0
            {
                *select = Select::Constant(if c == 3 { 1.0_f32.to_bits() } else { 0 });
            }
            other |= *select != Select::Channel(own);
        }
        other.then_some(all)
    }

    /// Where lanes sample, as far as it is the same for all of them.
    pub(super) fn probe(&self) -> Probe {
        Probe {
            coordinate: [[0.0; LANES]; 3],
            slice: [self.texture.first_slice; LANES],
            offset: self.message.offsets.map(|offset| [i32::from(offset); LANES]),
            mag: ALL,
            reference: [0.0; LANES],
        }
    }

    /// Turns a probe to the lanes from `first` on.
    // Apart, as `lambda`: its frame is gone when texels are read.
    #[inline(never)]
    pub(super) fn aim(&self, probe: &mut Probe, params: &Params<'_, '_>, first: usize) {
        let texture = self.texture;
        probe.coordinate = self.spatial([Param::U, Param::V, Param::R], |param| params.floats(param, first));
        if texture.array {
            probe.slice = self.layers(params, first);
        }
        if self.flags.gather {
            self.read_offsets(&mut probe.offset, params, first);
        }
        if self.flags.compare {
            let unorm = |value| compare::reference(value, texture.unorm);
            probe.reference = map(params.floats(Param::Ref, first), unorm);
        }
    }

    /// The first slices of the lanes' array indices.
    #[inline(never)]
    fn layers(&self, params: &Params<'_, '_>, first: usize) -> Lanes<u32> {
        let texture = self.texture;
        let (index, faces) = match texture.dim {
            Dim::D1 => (Param::V, 1),
            Dim::Cube => (Param::Ai, 6),
            _ => (Param::R, 1),
        };
        once(params.floats(index, first), |index| {
            texture.first_slice.wrapping_add(layer(index, texture.layers).wrapping_mul(faces))
        })
    }

    /// Coordinates or their derivatives; what the surface does not have is 0.
    #[inline]
    fn spatial(&self, params: [Param; 3], read: impl Fn(Param) -> Lanes<f32>) -> [Lanes<f32>; 3] {
        let axes = match self.texture.dim {
            Dim::D1 => 1,
            Dim::D2 => 2,
            _ => 3,
        };
        let mut all = [[0.0; LANES]; 3];
        for (axis, param) in all.iter_mut().zip(params).take(axes) {
            *axis = read(param);
        }
        if self.texture.dim == Dim::Cube {
            for axis in &mut all {
                *axis = map(*axis, cube::finite);
            }
        }
        all
    }

    /// What derivatives say at a coordinate.
    fn derived(&self, at: [f32; 3], derivatives: [[f32; 3]; 2]) -> Footprint {
        let [rule, ..] = &self.rules;
        let [w, h, d] = self.texture.level_size(0).map(|n| if rule.normalized { n as f32 } else { 1.0 });
        let reduce = self.min == Filter::Anisotropic;
        let (on_surface, size) = match self.texture.dim {
            Dim::D1 => (derivatives, [w, 0.0, 0.0]),
            Dim::Cube => (derivatives.map(|d| cube::gradient(at, d)), [w, h, 0.0]),
            Dim::D3 => (derivatives, [w, h, d]),
            _ => (derivatives, [w, h, 0.0]),
        };
        Footprint::new(derivatives, on_surface, size, self.anisotropy, reduce)
    }

    /// The LODs of the lanes with the message's bias, without the sampler's. `kept` has the footprints of the
    /// lanes before, and gets these if they come from derivatives.
    #[inline(never)]
    pub(super) fn lambda(
        &self,
        params: &Params<'_, '_>,
        first: usize,
        at: &[Lanes<f32>; 3],
        kept: &mut Footprints,
    ) -> Lanes<f32> {
        let mut lambda = match self.flags.lod {
            LodSource::Quad | LodSource::QuadBias => {
                if kept.first != first & !3 {
                    kept.first = first & !3;
                    kept.lanes = [self.subspan(params, first & !3, at); LANES];
                }
                map(kept.lanes, |footprint| footprint.lambda)
            }
            LodSource::Gradients => {
                self.gradients(params, first, at, &mut kept.lanes);
                map(kept.lanes, |footprint| footprint.lambda)
            }
            LodSource::Explicit => match self.message.op {
                Op::Gather4PoL | Op::Gather4PoLC => params.packed_floats(Param::LodOffUv, first),
                _ => params.floats(Param::Lod, first),
            },
            _ => [0.0; LANES],
        };
        if self.flags.lod == LodSource::QuadBias {
            let bias = match self.message.op {
                Op::Gather4PoB => params.packed_floats(Param::BiasOffUv, first),
                _ => params.floats(Param::Bias, first),
            };
            lambda = zip(lambda, bias, |lambda, bias| lambda + bias);
        }
        if self.message.cps {
            lambda = map(lambda, |lambda| lambda + self.sampler.cps_lod);
        }
        lambda
    }

    /// The same levels for every lane of the message.
    pub(super) fn settled(&self) -> bool {
        matches!(self.flags.lod, LodSource::Base | LodSource::Zero)
    }

    /// Chooses the levels of LODs (without the sampler's bias) and minimum LODs.
    #[inline(never)]
    pub(super) fn choose(&self, chosen: &mut Chosen, lambda: Lanes<f32>, minimum: Lanes<f32>) {
        let key = [map(lambda, f32::to_bits), map(minimum, f32::to_bits)];
        if !chosen.differs(key) {
            return;
        }
        let levels = |(lambda, minimum)| {
            if self.flags.lod == LodSource::Base {
                return Levels { mag: true, ..Levels::default() };
            }
            self.select_levels(lod::biased(self.sampler, lambda), minimum)
        };
        let lods = zip(lambda, minimum, |lambda, minimum| (lambda, minimum));
        let [first, ..] = lods;
        if key.iter().all(|key| key.iter().all(|lane| Some(lane) == key.first())) {
            chosen.levels.all(self.texture, &levels(first));
        } else {
            chosen.levels.each(self.texture, map(lods, levels));
        }
    }

    /// What the LOD message answers.
    #[inline(never)]
    pub(super) fn lods(&self, lambda: Lanes<f32>, minimum: Lanes<f32>, texels: &mut Texels) {
        for (lane, (lambda, minimum)) in lambda.into_iter().zip(minimum).enumerate() {
            let lod = lod::biased(self.sampler, lambda);
            put(texels, lane, query::lod(&self.select_levels(lod, minimum), lod));
        }
    }

    /// The levels of a LOD with every bias.
    pub(super) fn select_levels(&self, lod: f32, minimum: f32) -> Levels {
        let limits = Limits {
            levels: self.texture.levels,
            resource_min: self.texture.resource_min,
            message_min: minimum,
        };
        if self.flags.gather {
            lod::nearest(self.sampler, limits, lod)
        } else {
            lod::select(self.sampler, self.mip, limits, lod)
        }
    }

    /// The footprint of the subspan that starts at `first`.
    #[inline(never)]
    fn subspan(&self, params: &Params<'_, '_>, first: usize, coordinate: &[Lanes<f32>; 3]) -> Footprint {
        let at = |number| {
            if LANES >= 4 {
                return coordinate.each_ref().map(|axis| lane(axis, number));
            }
            let raw = |param| [params.float(param, first.wrapping_add(number)); LANES];
            self.spatial([Param::U, Param::V, Param::R], raw).map(|axis| lane(&axis, 0))
        };
        let (corner, right, below) = (at(0), at(1), at(2));
        self.derived(corner, [difference(right, corner), difference(below, corner)])
    }

    #[inline(never)]
    fn gradients(
        &self,
        params: &Params<'_, '_>,
        first: usize,
        coordinate: &[Lanes<f32>; 3],
        footprints: &mut Lanes<Footprint>,
    ) {
        let [x, y] = [[Param::DuDx, Param::DvDx, Param::DrDx], [Param::DuDy, Param::DvDy, Param::DrDy]]
            .map(|d| self.spatial(d, |param| params.floats(param, first)));
        for (number, footprint) in footprints.iter_mut().enumerate() {
            let [at, x, y] = [coordinate, &x, &y].map(|axes| axes.each_ref().map(|axis| lane(axis, number)));
            *footprint = self.derived(at, [x, y]);
        }
    }

    /// Programmable offsets in U, V and R, of operations that have them.
    #[inline(never)]
    fn read_offsets(&self, offsets: &mut [Lanes<i32>; 3], params: &Params<'_, '_>, first: usize) {
        let packed = match self.message.op {
            Op::Gather4Po | Op::Gather4PoC => {
                let low = |param| map(params.signed(param, first), |raw| sign_extend(raw as u32, 6));
                *offsets = [low(Param::OffU), low(Param::OffV), [0; LANES]];
                return;
            }
            Op::Gather4PoPacked | Op::Gather4PoI => Param::OffUv,
            Op::Gather4PoCPacked | Op::Gather4PoIC => Param::OffUvR,
            Op::Gather4PoL | Op::Gather4PoLC => Param::LodOffUv,
            Op::Gather4PoB => Param::BiasOffUv,
            _ => return,
        };
        for (lane, raw) in params.signed(packed, first).into_iter().enumerate() {
            for (axis, offset) in offsets.iter_mut().zip(guess::packed_offsets(raw as u32)) {
                if let Some(out) = axis.get_mut(lane) {
                    *out = offset;
                }
            }
        }
    }
}

fn difference([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a - x, b - y, c - z]
}
