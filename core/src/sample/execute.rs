//! Running a message.

use super::address;
use super::bind::{Dim, Sampler, Texture};
use super::filter::Probe;
use super::lanes::{self, LANES};
use super::lod::Chosen;
use super::reader::Reader;
pub(super) use super::registers::Outcome;
#[cfg(feature = "fast")]
pub(super) use super::registers::canonical;
use super::registers::{Params, Results, Span};
use crate::error::{Error, Kind, Result, What};
#[cfg(feature = "fast")]
use crate::format::BlockCache;
use crate::memory::Memory;
use crate::message::{LodSource, Message, Op, Param, Payload, Response};

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
        self.execute_plain(message, &message.response(), payload, sampler, memory, out)
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
        if out.len() < usize::from(response.len) {
            return self.execute_plain(message, &response, payload, sampler, memory, out);
        }
        match super::fast::execute(self, message, &response, payload, sampler, memory, out, cache) {
            Some(0) => {
                let outcome = Outcome::default();
                outcome.null_mask(&response, out);
                Ok(outcome)
            }
            // The whole surface is mapped there: no lane of the general path can fault.
            Some(lanes) => {
                self.execute_plain(&Message { lanes, ..*message }, &response, payload, sampler, memory, out)
            }
            None => self.execute_plain(message, &response, payload, sampler, memory, out),
        }
    }

    /// The general path.
    #[inline(never)]
    fn execute_plain<M: Memory + ?Sized>(
        &self,
        message: &Message,
        response: &Response,
        payload: &Payload<'_>,
        sampler: &Sampler,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        self.permit(message)?;
        let out = out
            .get_mut(..usize::from(response.len))
            .ok_or(Error::new(Kind::Capacity, What::Writeback).value(response.len.into()))?;
        let flags = message.op.flags();
        let params = Params::new(message, payload);
        let mut results = Results::new(message, *response, out);
        let mut outcome = Outcome::default();
        if self.dim == Dim::Null || flags.sampler && sampler.disable {
            results.each(&mut |_| {});
        } else if flags.lod == LodSource::None {
            results.float = false;
            results.each(&mut |span| {
                for lane in 0..LANES {
                    let texel = match message.op {
                        Op::Resinfo => self.resinfo(params.raw(Param::Lod, span.first.wrapping_add(lane))),
                        _ => self.sampleinfo(),
                    };
                    lanes::put(&mut span.texels, lane, texel);
                }
            });
        } else {
            outcome = self.read(message, &params, sampler, memory, &mut results);
        }
        outcome.null_mask(response, out);
        Ok(outcome)
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
        params: &Params<'_, '_>,
        sampler: &Sampler,
        memory: &M,
        results: &mut Results<'_>,
    ) -> Outcome {
        let plan = self.plan(message, sampler);
        let mut reader = Reader::new(&plan, memory);
        let raw = message.op == Op::LdMcs || message.op == Op::Lod || plan.flags.gather;
        if !raw {
            results.select = plan.select();
        }
        let floats = !self.integer && message.op != Op::LdMcs;
        results.float = floats || plan.flags.compare || message.op == Op::Lod;
        let mut chosen = Chosen::NONE;
        if plan.flags.sampler {
            let mut probe = plan.probe();
            results.each(&mut |span| reader.sample(params, &mut probe, &mut chosen, span));
        } else {
            results.each(&mut |span| reader.load(params, &mut chosen, span));
        }
        reader.outcome()
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

impl<M: Memory + ?Sized> Reader<'_, '_, M> {
    /// The lanes of a subspan, for a message with a sampler.
    fn sample(&mut self, params: &Params<'_, '_>, probe: &mut Probe, chosen: &mut Chosen, span: &mut Span) {
        let plan = self.plan;
        plan.aim(probe, params, span.first);
        if !plan.settled() || chosen.key.is_none() {
            let lambda = plan.lambda(params, span.first, &probe.coordinate, &mut self.footprints);
            let minimum = params.floats(Param::Mlod, span.first);
            if plan.message.op == Op::Lod {
                return plan.lods(lambda, minimum, &mut span.texels);
            }
            plan.choose(chosen, lambda, minimum);
        }
        self.start(span.first);
        let levels = &chosen.levels;
        if plan.flags.gather {
            self.gather(probe, &levels.first, span.on, &mut span.texels);
        } else {
            probe.mag = levels.mag;
            self.filtered(probe, levels, span.on, &mut span.texels);
        }
        span.failed = self.failed(span.first);
    }
}
