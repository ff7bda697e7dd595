//! Execution with given state structures. The last messages (with their surfaces) and samplers are cached.

use super::key::{MessageKey, SamplerKey};
use super::lru_cache::LruCache;
use crate::error::{Error, Kind, Result, What};
use crate::format;
use crate::memory::Memory;
use crate::message::{Message, Payload};
use crate::platform::Platform;
use crate::sample::{Outcome, Precision, Prepared, Sampler, Scratch, Stages, Texture};
use crate::state::{BorderColor, SamplerState, SurfaceState};

/// Executes messages with surface and sampler states as they are in memory, and caches the last `TEXTURES` prepared messages,
/// each with its texture, and the last `SAMPLERS` bound samplers. With `TEXTURES` of 0 it caches nothing, which takes the
/// least stack: a Cortex-M needs 3 KiB for a message, and 5 KiB more to cache it.
///
/// A message, surface or sampler that is not the same bit for bit as a cached one is prepared or bound anew.
/// Everything else that a prepared message depends on is set here; setting another value drops the cached entries that depend on it.
#[derive(Clone, Debug)]
pub struct StateExecutor<'p, const TEXTURES: usize, const SAMPLERS: usize> {
    pub(super) options: Options<'p>,
    pub(super) palettes: [&'p [u32]; 2],
    prepared: LruCache<MessageKey, Prepared<'p>, TEXTURES>,
    samplers: LruCache<SamplerKey, Sampler, SAMPLERS>,
    scratch: Scratch,
}

impl<'p, const TEXTURES: usize, const SAMPLERS: usize> StateExecutor<'p, TEXTURES, SAMPLERS> {
    /// Nothing is bound; no palettes, float precision, no coarse-pixel term, surfaces not resolved, baseline stages.
    pub const fn new(platform: Platform) -> Self {
        const {
            assert!(
                TEXTURES == 0 || SAMPLERS > 0,
                "prepared messages have samplers, of which one is kept at least"
            )
        };
        let options = Options {
            platform,
            precision: Precision::Float,
            coarse_lod: 0.0,
            aux_resolved: false,
            stages: Stages::BASELINE,
        };
        Self {
            options,
            palettes: [&[]; 2],
            prepared: LruCache::new(),
            samplers: LruCache::new(),
            scratch: Scratch::new(),
        }
    }

    /// Returns the platform whose rules apply.
    pub const fn platform(&self) -> Platform {
        self.options.platform
    }

    /// Sets the platform whose rules apply.
    pub fn set_platform(&mut self, platform: Platform) {
        if self.options.platform != platform {
            self.options.platform = platform;
            self.invalidate();
        }
    }

    /// Sets the palettes 0 and 1 that formats refer to (see [`format::FormatDecoder::with_palette`]).
    pub fn set_palettes(&mut self, palettes: [&'p [u32]; 2]) {
        self.palettes = palettes;
        self.prepared.clear();
    }

    /// Sets the precision of filter weights and LODs.
    pub fn set_precision(&mut self, precision: Precision) {
        if self.options.precision != precision {
            self.options.precision = precision;
            self.invalidate();
        }
    }

    /// Sets the coarse-pixel term of LODs (see [`Sampler::with_cps_lod`]).
    pub fn set_coarse_lod(&mut self, lod: f32) {
        if self.options.coarse_lod.to_bits() != lod.to_bits() {
            self.options.coarse_lod = lod;
            self.invalidate();
        }
    }

    /// Sets whether the driver has resolved every surface: if so, CCS and HiZ are ignored
    /// ([`SurfaceState::without_resolved_aux`]), else refused.
    pub fn set_aux_resolved(&mut self, resolved: bool) {
        self.options.aux_resolved = resolved;
        self.prepared.clear();
    }

    /// Sets the stages that prepared messages run with, for the vector instructions that the processor has. Results are the same with
    /// all stages. Messages that are not cached run with [`Stages::BASELINE`].
    pub fn set_stages(&mut self, stages: &'p Stages) {
        self.options.stages = stages;
        self.prepared.clear();
    }

    /// Drops all prepared messages and bound samplers.
    pub fn invalidate(&mut self) {
        self.prepared.clear();
        self.samplers.clear();
    }

    /// Returns the numbers of prepared messages and of bound samplers in the cache.
    pub fn cached(&self) -> (usize, usize) {
        (self.prepared.len(), self.samplers.len())
    }

    /// Executes `message` on `surface`; only operations that use a sampler
    /// ([`OpFlags::sampler`](crate::message::OpFlags::sampler)) look at `sampler`.
    ///
    /// `out` is laid out as [`Message::response`] says; bytes of inactive lanes and of channels that are not returned stay as they are.
    ///
    /// # Errors
    /// As [`Texture::bind`], [`Sampler::bind`], [`Prepared::new`] and [`Prepared::execute`]; `Unsupported Format` for a format whose
    /// palette is not set. Nothing is written then.
    #[inline]
    pub fn execute<M: Memory + ?Sized>(
        &mut self,
        surface: &SurfaceState,
        sampler: Option<&(SamplerState, BorderColor)>,
        message: &Message,
        payload: &Payload<'_>,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        if TEXTURES == 0 {
            let (palettes, sampler) = (self.palettes, sampler.map(|(state, border)| (state, border)));
            return self.execute_with_palettes(palettes, surface, sampler, message, payload, memory, out);
        }
        if let Some((prepared, scratch)) = self.expected(|key| key.is(message, surface, sampler)) {
            return prepared.execute(scratch, message.lanes, payload, memory, out);
        }
        let (prepared, scratch) = self.find(message, surface, sampler)?;
        prepared.execute(scratch, message.lanes, payload, memory, out)
    }

    /// [`execute`](Self::execute) with palettes that need not live as long as the cache: the message is prepared for this payload alone,
    /// and nothing is cached.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    // inline(always): a frame of its own would take stack.
    #[inline(always)]
    pub fn execute_with_palettes<M: Memory + ?Sized>(
        &mut self,
        palettes: [&[u32]; 2],
        surface: &SurfaceState,
        sampler: Option<(&SamplerState, &BorderColor)>,
        message: &Message,
        payload: &Payload<'_>,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        // Borrowed from the `Result`s: `?` would move them out, and have second copies on the stack.
        let texture = self.options.texture(&palettes, surface);
        let texture = texture.as_ref().map_err(|why| *why)?;
        let sampler = self.options.sampler(sampler.filter(|_| message.op.flags().sampler));
        let sampler = sampler.as_ref().map_err(|why| *why)?;
        texture.execute_with_scratch(&mut self.scratch, message, payload, sampler, memory, out)
    }

    /// Returns the prepared message that is expected now, if `same` accepts its key, and the scratch to execute it.
    #[inline(always)]
    pub(super) fn expected(
        &mut self,
        same: impl FnOnce(&MessageKey) -> bool,
    ) -> Option<(&Prepared<'p>, &mut Scratch)> {
        Some((self.prepared.expected(same)?, &mut self.scratch))
    }

    /// Returns a prepared message from the cache, or prepares it now, and the scratch to execute it.
    // inline(never): keeps this frame off the stack of expected messages.
    #[inline(never)]
    pub(super) fn find(
        &mut self,
        message: &Message,
        surface: &SurfaceState,
        sampler: Option<&SamplerKey>,
    ) -> Result<(&Prepared<'p>, &mut Scratch)> {
        let (options, palettes, samplers) = (&self.options, &self.palettes, &mut self.samplers);
        let prepare = || {
            let key = MessageKey::new(message, surface, sampler);
            Ok((key, prepare(&key, palettes, samplers, options)?))
        };
        let prepared = self.prepared.get(|key| key.is(message, surface, sampler), prepare)?;
        Ok((prepared, &mut self.scratch))
    }
}

/// The options that [`StateExecutor`] prepares messages with.
#[derive(Clone, Debug)]
pub(super) struct Options<'p> {
    platform: Platform,
    precision: Precision,
    coarse_lod: f32,
    aux_resolved: bool,
    stages: &'p Stages,
}

impl Options<'_> {
    // These two are not inlined: their frames are gone when stages run.
    #[inline(never)]
    pub(super) fn texture<'a>(
        &self,
        palettes: &[&'a [u32]; 2],
        surface: &SurfaceState,
    ) -> Result<Texture<'a>> {
        let surface = if self.aux_resolved { surface.without_resolved_aux() } else { *surface };
        Texture::with_palette(&surface, self.platform, palette(palettes, &surface)?)
    }

    /// Binds a sampler; `None`: for a message that uses none.
    #[inline(never)]
    pub(super) fn sampler(&self, state: Option<(&SamplerState, &BorderColor)>) -> Result<Sampler> {
        let sampler = match state {
            Some((state, border)) => Sampler::bind(state, &border.dwords)?.with_cps_lod(self.coarse_lod),
            None => Sampler::none(),
        };
        Ok(sampler.with_precision(self.precision))
    }
}

fn prepare<'p, const SAMPLERS: usize>(
    key: &MessageKey,
    palettes: &[&'p [u32]; 2],
    samplers: &mut LruCache<SamplerKey, Sampler, SAMPLERS>,
    options: &Options<'p>,
) -> Result<Prepared<'p>> {
    let texture = options.texture(palettes, &key.surface)?;
    let Some(state @ (sampler, border)) = key.sampler else {
        return Prepared::with_stages(&texture, &options.sampler(None)?, &key.message, options.stages);
    };
    let sampler =
        samplers.get(|kept| *kept == state, || Ok((state, options.sampler(Some((&sampler, &border)))?)))?;
    Prepared::with_stages(&texture, sampler, &key.message, options.stages)
}

/// Returns the palette that a surface's format refers to; empty when it refers to none.
fn palette<'p>(palettes: &[&'p [u32]; 2], surface: &SurfaceState) -> Result<&'p [u32]> {
    let format = surface.format();
    let Some(number) = format::info(format).and_then(|info| info.palette) else { return Ok(&[]) };
    let unset = Error::new(Kind::Unsupported, What::Format).at(0).bit(18).value(format.0.into());
    palettes.get(usize::from(number)).copied().filter(|palette| !palette.is_empty()).ok_or(unset)
}
