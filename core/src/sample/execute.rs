//! Running a message: parameters in, registers out.

use super::address::{self, Rule, Wrap};
use super::bind::{Dim, Filter, Mip, Reduction, Sampler, Texture};
use super::filter::{Plan, Probe, Reader, Walk};
use super::lod::{self, Footprint, Levels, Limits};
use super::{compare, cube, guess, query};
use crate::bits::sign_extend;
use crate::error::{Error, Kind, Result, What};
#[cfg(feature = "fast")]
use crate::format::BlockCache;
use crate::format::{Texel, half};
use crate::memory::Memory;
use crate::message::{LodSource, Message, Op, Param, Payload, Response, Width};

/// What happened while a message ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome {
    /// Lanes that read memory that is not there: their result is 0.
    pub faults: u32,
    /// The first such lane and the address.
    pub first_fault: Option<(u8, u64)>,
    /// Lanes that read a null page.
    pub null_lanes: u32,
}

/// The parameters of a message by name; what the message does not carry reads 0.
#[derive(Debug)]
pub(super) struct Params<'a> {
    slots: [&'a [u8]; PARAMS],
    width: Width,
    simd: usize,
}

const PARAMS: usize = Param::Mcs3 as usize + 1;

impl<'a> Params<'a> {
    pub(super) fn new(message: &Message, payload: &Payload<'a>) -> Self {
        let mut slots: [&[u8]; PARAMS] = [&[]; PARAMS];
        for (index, param) in message.present().iter().enumerate() {
            if let Some(slot) = slots.get_mut(*param as usize) {
                *slot = payload.slot(index);
            }
        }
        Self { slots, width: message.param_width, simd: usize::from(message.simd) }
    }

    /// The lanes of a parameter as bytes.
    pub(super) fn bytes(&self, param: Param) -> &'a [u8] {
        self.slots.get(param as usize).copied().unwrap_or_default()
    }

    /// The pattern, zero-extended.
    #[inline]
    pub(super) fn raw(&self, param: Param, lane: usize) -> u32 {
        if lane >= self.simd {
            return 0;
        }
        crate::message::raw_lane(self.bytes(param), lane, self.width)
    }

    /// A signed integer.
    #[inline]
    pub(super) fn signed(&self, param: Param, lane: usize) -> i32 {
        let raw = self.raw(param, lane);
        if self.width == Width::Half { sign_extend(raw, 16) } else { raw as i32 }
    }

    /// A float.
    #[inline]
    pub(super) fn float(&self, param: Param, lane: usize) -> f32 {
        self.as_float(self.raw(param, lane))
    }

    fn as_float(&self, raw: u32) -> f32 {
        if self.width == Width::Half { half::to_f32(raw as u16) } else { f32::from_bits(raw) }
    }

    /// A LOD or bias that shares its parameter with offsets.
    fn packed_float(&self, param: Param, lane: usize) -> f32 {
        self.as_float(guess::packed_lod(self.raw(param, lane)))
    }
}

impl<'p> Texture<'p> {
    /// Executes `message` and writes its result to `out`, laid out as [`Message::response`] says.
    ///
    /// Bytes of lanes and channels that are off are not touched. A lane whose memory is not there
    /// reads 0 and is reported in the [`Outcome`]; the others complete. Messages without a sampler
    /// take any ([`Sampler::none`]).
    ///
    /// # Errors
    /// Nothing is written then. `Unsupported` operation (`sample_min`, `sample_max`, TXQ),
    /// `Invalid` execution size, `Invalid` surface type or number of samples for the operation, `Invalid`
    /// format (comparison of integers), `Capacity` writeback.
    pub fn execute<M: Memory + ?Sized>(
        &self,
        message: &Message,
        payload: &Payload<'_>,
        sampler: &Sampler,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        #[cfg(feature = "fast")]
        return self.execute_cached(message, payload, sampler, memory, &mut super::fast::no_cache(), out);
        #[cfg(not(feature = "fast"))]
        self.execute_plain(message, payload, sampler, memory, out)
    }

    /// [`execute`](Self::execute) with a cache of decoded blocks for block-compressed formats.
    ///
    /// The cache belongs to this surface and its memory: [`BlockCache::clear`] when either changes.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    #[cfg(feature = "fast")]
    pub fn execute_cached<M: Memory + ?Sized, const N: usize>(
        &self,
        message: &Message,
        payload: &Payload<'_>,
        sampler: &Sampler,
        memory: &M,
        cache: &mut BlockCache<N>,
        out: &mut [u8],
    ) -> Result<Outcome> {
        let response = message.response();
        if out.len() >= usize::from(response.len)
            && let Some(outcome) = self.fast(message, payload, sampler, memory, cache, out)
        {
            if message.null_mask {
                Run::new(message, outcome).null_mask(out);
            }
            return Ok(outcome);
        }
        self.execute_plain(message, payload, sampler, memory, out)
    }

    /// The general path.
    #[inline(never)]
    fn execute_plain<M: Memory + ?Sized>(
        &self,
        message: &Message,
        payload: &Payload<'_>,
        sampler: &Sampler,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        self.permit(message)?;
        let response = message.response();
        let out = out
            .get_mut(..usize::from(response.len))
            .ok_or(Error::new(Kind::Capacity, What::Writeback).value(response.len.into()))?;
        let flags = message.op.flags();
        let params = Params::new(message, payload);
        let mut run = Run::new(message, Outcome::default());
        if self.dim == Dim::Null || flags.sampler && sampler.disable {
            run.each(out, |_, _| [0; 4]);
        } else if flags.lod == LodSource::None {
            run.float = false;
            run.each(out, |lane, _| match message.op {
                Op::Resinfo => self.resinfo(params.raw(Param::Lod, lane)),
                _ => self.sampleinfo(),
            });
        } else {
            self.read(message, &params, sampler, memory, &mut run, out);
        }
        run.null_mask(out);
        Ok(run.outcome)
    }

    /// The hot paths, which take nothing but what [`permit`](Self::permit) permits.
    #[cfg(feature = "fast")]
    #[inline]
    fn fast<M: Memory + ?Sized>(
        &self,
        message: &Message,
        payload: &Payload<'_>,
        sampler: &Sampler,
        memory: &M,
        blocks: &mut dyn super::fast::Blocks,
        out: &mut [u8],
    ) -> Option<Outcome> {
        // The whole surface is mapped there: no lane of the general path can fault.
        let mut general = |lane: usize| {
            let params = Params::new(message, payload);
            let plan = self.plan(message, sampler);
            let mut reader = Reader::new(&plan, memory);
            let footprint =
                plan.footprint(message, &params, lane, &mut (usize::MAX, Footprint::explicit(0.0)));
            reader.lane(message, &params, lane, &footprint)
        };
        super::fast::execute(self, message, payload, sampler, memory, out, blocks, &mut general)
    }

    /// Combinations of surface and operation that there are not.
    fn permit(&self, message: &Message) -> Result<()> {
        let flags = message.op.flags();
        let invalid = |what: What, value: u32| Err(Error::new(Kind::Invalid, what).value(value.into()));
        match message.op {
            Op::SampleMin | Op::SampleMax | Op::TxqDimension | Op::TxqTextureType | Op::TxqSamplerPos => {
                return Err(Error::new(Kind::Unsupported, What::Operation).value(message.op as u64));
            }
            _ => {}
        }
        if !matches!(message.simd, 1 | 2 | 4 | 8 | 16 | 32) {
            return invalid(What::ExecSize, message.simd.into());
        }
        if self.dim == Dim::Null {
            return Ok(());
        }
        let multisample = matches!(message.op, Op::LdMcs | Op::Ld2dms | Op::Ld2dmsW | Op::Ld2dss);
        let load = flags.lod == LodSource::Integer || message.op == Op::LdLz;
        let type_fits = match self.dim {
            Dim::Buffer => load && !multisample || flags.lod == LodSource::None,
            Dim::Cube => !load,
            Dim::D2 => true,
            _ => !multisample,
        };
        if !type_fits {
            return invalid(What::SurfaceType, self.dim as u32);
        }
        if self.samples > 1 && self.dim == Dim::D2 && !multisample && flags.lod != LodSource::None {
            return invalid(What::Samples, self.samples);
        }
        if flags.compare && self.integer {
            return invalid(What::Format, self.info.map_or(0, |info| info.code.0.into()));
        }
        Ok(())
    }

    /// The messages that read texels (and LOD).
    fn read<M: Memory + ?Sized>(
        &self,
        message: &Message,
        params: &Params<'_>,
        sampler: &Sampler,
        memory: &M,
        run: &mut Run<'_>,
        out: &mut [u8],
    ) {
        let flags = message.op.flags();
        let plan = self.plan(message, sampler);
        let mut reader = Reader::new(&plan, memory);
        run.float = !self.integer || flags.compare || message.op == Op::Lod;
        if !flags.sampler {
            run.float &= message.op != Op::LdMcs;
            run.each(out, |lane, report| {
                reader.start_lane();
                let texel = reader.load(message, params, lane);
                report.lane(lane, &reader);
                if message.op == Op::LdMcs { texel } else { self.selected(texel) }
            });
            return;
        }
        let mut quad = (usize::MAX, Footprint::explicit(0.0));
        run.each(out, |lane, report| {
            reader.start_lane();
            let footprint = plan.footprint(message, params, lane, &mut quad);
            let texel = reader.lane(message, params, lane, &footprint);
            report.lane(lane, &reader);
            texel
        });
    }

    /// What a message makes of this texture and `sampler`.
    pub(super) fn plan<'a>(&'a self, message: &Message, sampler: &'a Sampler) -> Plan<'a, 'p> {
        let flags = message.op.flags();
        let [fu, fv, fr] = sampler.fixed();
        let [wu, wv, wr] = if self.dim == Dim::Cube { [Wrap::Clamp; 3] } else { sampler.wrap };
        // Non-normalized coordinates mean nothing to a cube.
        let normalized = sampler.normalized || self.dim == Dim::Cube;
        let rule = |mode, fixed| Rule { mode, normalized, fixed };
        let plain = matches!(self.dim, Dim::D3 | Dim::Cube) || !normalized;
        let filter = |filter| match filter {
            _ if self.integer => Filter::Nearest,
            Filter::Anisotropic if plain => Filter::Linear,
            filter => filter,
        };
        let (mag, min) = (filter(sampler.mag), filter(sampler.min));
        let anisotropic = mag == Filter::Anisotropic || min == Filter::Anisotropic;
        Plan {
            texture: self,
            sampler,
            flags,
            linear: if sampler.srgb_skip_decode && flags.sampler { self.linear_source } else { None },
            rules: [rule(wu, fu), rule(wv, fv), rule(wr, fr)],
            mag,
            min,
            mip: if self.integer && sampler.mip == Mip::Linear { Mip::Nearest } else { sampler.mip },
            reduction: if flags.compare || self.integer { Reduction::Mean } else { sampler.reduction },
            border: self.info.map_or([0; 4], |info| info.border(sampler.border)),
            compare: flags.compare,
            seamless: self.dim == Dim::Cube && sampler.seamless(),
            anisotropy: if anisotropic { sampler.max_anisotropy } else { 1.0 },
        }
    }
}

impl Plan<'_, '_> {
    /// A lane's coordinates; those that the surface does not have are 0.
    #[inline]
    fn coordinate(&self, params: &Params<'_>, lane: usize) -> [f32; 3] {
        let float = |p| params.float(p, lane);
        self.spatial([float(Param::U), float(Param::V), float(Param::R)])
    }

    #[inline]
    fn spatial(&self, [u, v, r]: [f32; 3]) -> [f32; 3] {
        match self.texture.dim {
            Dim::D1 => [u, 0.0, 0.0],
            Dim::D2 => [u, v, 0.0],
            Dim::Cube => cube::finite([u, v, r]),
            _ => [u, v, r],
        }
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

    /// A lane's LOD with the message's bias, without the sampler's. `quad` remembers the last subspan.
    fn footprint(
        &self,
        message: &Message,
        params: &Params<'_>,
        lane: usize,
        quad: &mut (usize, Footprint),
    ) -> Footprint {
        let first = lane & !3;
        let source = self.flags.lod;
        if matches!(source, LodSource::Quad | LodSource::QuadBias) && quad.0 != first {
            let [c0, c1, c2] = [0, 1, 2].map(|k| self.coordinate(params, first | k));
            *quad = (first, self.derived(c0, [difference(c1, c0), difference(c2, c0)]));
        }
        let cps = if message.cps { self.sampler.cps_lod } else { 0.0 };
        let mut footprint = match source {
            LodSource::Quad => quad.1,
            LodSource::QuadBias => {
                let bias = match message.op {
                    Op::Gather4PoB => params.packed_float(Param::BiasOffUv, lane),
                    _ => params.float(Param::Bias, lane),
                };
                Footprint { lambda: quad.1.lambda + bias, ..quad.1 }
            }
            LodSource::Explicit => Footprint::explicit(match message.op {
                Op::Gather4PoL | Op::Gather4PoLC => params.packed_float(Param::LodOffUv, lane),
                _ => params.float(Param::Lod, lane),
            }),
            LodSource::Gradients => {
                let d = |u, v, r| self.spatial([u, v, r].map(|p| params.float(p, lane)));
                let derivatives =
                    [d(Param::DuDx, Param::DvDx, Param::DrDx), d(Param::DuDy, Param::DvDy, Param::DrDy)];
                self.derived(self.coordinate(params, lane), derivatives)
            }
            _ => Footprint::explicit(0.0),
        };
        if message.cps {
            footprint.lambda += cps;
        }
        footprint
    }

    /// First slice of the layer that a lane samples.
    fn slice(&self, params: &Params<'_>, lane: usize) -> u32 {
        let texture = self.texture;
        let (param, faces) = match texture.dim {
            _ if !texture.array => return texture.first_slice,
            Dim::D1 => (Param::V, 1),
            Dim::Cube => (Param::Ai, 6),
            _ => (Param::R, 1),
        };
        let index = layer(params.float(param, lane), texture.layers);
        texture.first_slice.wrapping_add(index.wrapping_mul(faces))
    }
}

/// An array index: rounded half to even, then clamped. NaN is 0.
pub(super) fn layer(index: f32, layers: u32) -> u32 {
    let last = layers.saturating_sub(1);
    let held = address::clamp(index, 0.0, last as f32);
    let (whole, floor) = address::floor(if held.is_nan() { 0.0 } else { held });
    let rest = held - floor;
    let up = rest > 0.5 || rest == 0.5 && whole & 1 == 1;
    (whole as u32).saturating_add(u32::from(up)).min(last)
}

fn difference([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a - x, b - y, c - z]
}

/// Immediate or programmable offsets of a lane.
fn offsets(message: &Message, params: &Params<'_>, lane: usize) -> [i32; 3] {
    let packed = |param| guess::packed_offsets(params.raw(param, lane));
    match message.op {
        Op::Gather4Po | Op::Gather4PoC => {
            let low = |param| sign_extend(params.raw(param, lane), 6);
            [low(Param::OffU), low(Param::OffV), 0]
        }
        Op::Gather4PoPacked | Op::Gather4PoI => packed(Param::OffUv),
        Op::Gather4PoCPacked | Op::Gather4PoIC => packed(Param::OffUvR),
        Op::Gather4PoL | Op::Gather4PoLC => packed(Param::LodOffUv),
        Op::Gather4PoB => packed(Param::BiasOffUv),
        _ => message.offsets.map(i32::from),
    }
}

impl<M: Memory + ?Sized> Reader<'_, '_, M> {
    /// One lane of a message with a sampler.
    fn lane(&mut self, message: &Message, params: &Params<'_>, lane: usize, footprint: &Footprint) -> Texel {
        let plan = self.plan;
        let (texture, sampler, flags) = (plan.texture, plan.sampler, plan.flags);
        let limits = Limits {
            levels: texture.levels,
            resource_min: texture.resource_min,
            message_min: params.float(Param::Mlod, lane),
        };
        let unclamped = lod::biased(sampler, footprint.lambda);
        if message.op == Op::Lod {
            return query::lod(&lod::select(sampler, plan.mip, limits, unclamped), unclamped);
        }
        let levels = match (flags.lod, flags.gather) {
            (LodSource::Base, _) => Levels::BASE,
            (_, true) => lod::nearest(sampler, limits, unclamped),
            _ => lod::select(sampler, plan.mip, limits, unclamped),
        };
        let reference = if flags.compare {
            compare::reference(params.float(Param::Ref, lane), texture.unorm)
        } else {
            0.0
        };
        let probe = Probe {
            coordinate: plan.coordinate(params, lane),
            slice: plan.slice(params, lane),
            offset: offsets(message, params, lane),
            mag: levels.mag || flags.gather,
            reference,
        };
        if flags.gather {
            return self.gather(&probe, levels.first, message.gather);
        }
        let walk = Walk { taps: footprint.taps, major: footprint.major };
        let texel = self.sample(&probe, &levels, walk);
        texture.selected(texel)
    }
}

/// A message on its way to the registers.
struct Run<'a> {
    message: &'a Message,
    response: Response,
    outcome: Outcome,
    /// Results are floats: NaN becomes canonical, 16-bit results are converted.
    float: bool,
    /// Channels that are written.
    channels: u8,
}

/// What a lane reports besides its value.
#[derive(Default)]
struct Report {
    fault: Option<u64>,
    null: bool,
}

impl Report {
    fn lane<M: ?Sized>(&mut self, _lane: usize, reader: &Reader<'_, '_, M>) {
        *self = Self { fault: reader.fault, null: reader.null };
    }
}

impl<'a> Run<'a> {
    fn new(message: &'a Message, outcome: Outcome) -> Self {
        let channels = if message.op.flags().gather { 15 } else { message.channels.mask() };
        Self { message, response: message.response(), outcome, float: true, channels }
    }

    /// Calls `value` for every lane that is on and writes what it gives.
    #[inline]
    fn each(&mut self, out: &mut [u8], mut value: impl FnMut(usize, &mut Report) -> Texel) {
        let mut rest = self.message.lanes & self.message.all_lanes();
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            let mut report = Report::default();
            let mut texel = value(lane as usize, &mut report);
            let bit = 1_u32.wrapping_shl(lane);
            if let Some(address) = report.fault {
                texel = [0; 4];
                self.outcome.faults |= bit;
                self.outcome.first_fault = self.outcome.first_fault.or(Some((lane as u8, address)));
            } else if report.null {
                self.outcome.null_lanes |= bit;
            }
            self.store(out, lane as usize, texel);
        }
    }

    /// Writes the channels of a lane.
    #[inline]
    fn store(&self, out: &mut [u8], lane: usize, texel: Texel) {
        let stride = usize::from(self.response.stride);
        let mut at = lane.wrapping_mul(self.response.width.bytes());
        let mut channels = self.channels;
        for value in texel {
            if channels & 1 == 1 {
                let value = if self.float { canonical(value) } else { value };
                let target = out.get_mut(at..).unwrap_or_default();
                if self.response.width == Width::Full {
                    if let Some(target) = target.first_chunk_mut() {
                        *target = value.to_le_bytes();
                    }
                } else if let Some(target) = target.first_chunk_mut() {
                    let value = if self.float { half::from_f32(f32::from_bits(value)) } else { value as u16 };
                    *target = value.to_le_bytes();
                }
                at = at.wrapping_add(stride);
            }
            channels >>= 1;
        }
    }

    /// Writes the pixel null mask: a one for every lane (on, off or past the width) without a null page.
    fn null_mask(&self, out: &mut [u8]) {
        let Some(at) = self.response.null_mask else { return };
        if let Some(target) = out.get_mut(usize::from(at)..).and_then(<[u8]>::first_chunk_mut) {
            *target = (!self.outcome.null_lanes).to_le_bytes();
        }
    }
}

/// NaN as every target writes it.
#[inline]
pub(super) const fn canonical(bits: u32) -> u32 {
    if f32::from_bits(bits).is_nan() { 0x7fc0_0000 } else { bits }
}
