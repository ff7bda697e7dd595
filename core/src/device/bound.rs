//! Execution by state structures; the last surfaces and samplers used stay bound.

use super::recent::Recent;
use crate::error::{Error, Kind, Result, What};
use crate::format;
use crate::memory::Memory;
use crate::message::{Message, Payload};
use crate::platform::Platform;
use crate::sample::{Outcome, Precision, Sampler, Texture};
use crate::state::{BorderColor, SamplerState, SurfaceState};

/// Executes messages with surface and sampler states as they are in memory, and keeps the last `TEXTURES` surfaces
/// and `SAMPLERS` samplers bound.
///
/// A state that is not the same bit for bit is bound anew; nothing that was kept is used then. What else a bound
/// texture depends on is set here, and setting it drops what depends on it.
#[derive(Clone, Debug)]
pub struct Bound<'p, const TEXTURES: usize, const SAMPLERS: usize> {
    platform: Platform,
    palettes: [&'p [u32]; 2],
    precision: Precision,
    coarse_lod: f32,
    textures: Recent<SurfaceState, Texture<'p>, TEXTURES>,
    samplers: Recent<(SamplerState, BorderColor), Sampler, SAMPLERS>,
    /// For messages without a sampler.
    no_sampler: Sampler,
}

impl<'p, const TEXTURES: usize, const SAMPLERS: usize> Bound<'p, TEXTURES, SAMPLERS> {
    /// Nothing is bound; no palettes, float precision, no coarse pixels.
    pub const fn new(platform: Platform) -> Self {
        Self {
            platform,
            palettes: [&[]; 2],
            precision: Precision::Float,
            coarse_lod: 0.0,
            textures: Recent::new(),
            samplers: Recent::new(),
            no_sampler: Sampler::none(),
        }
    }

    /// The platform whose rules hold.
    pub const fn platform(&self) -> Platform {
        self.platform
    }

    /// Sets the palettes 0 and 1 that formats refer to (see [`format::Codec::with_palette`]).
    pub fn set_palettes(&mut self, palettes: [&'p [u32]; 2]) {
        self.palettes = palettes;
        self.textures.clear();
    }

    /// Sets the arithmetic of filters.
    pub fn set_precision(&mut self, precision: Precision) {
        self.precision = precision;
        self.no_sampler = Sampler::none().with_precision(precision);
        self.samplers.clear();
    }

    /// Sets the coarse-pixel term (see [`Sampler::with_cps_lod`]).
    pub fn set_coarse_lod(&mut self, lod: f32) {
        self.coarse_lod = lod;
        self.samplers.clear();
    }

    /// Drops everything that is bound.
    pub fn invalidate(&mut self) {
        self.textures.clear();
        self.samplers.clear();
    }

    /// How many textures and samplers are bound.
    pub fn kept(&self) -> (usize, usize) {
        (self.textures.len(), self.samplers.len())
    }

    /// Executes `message` on `surface`; `sampler` is looked at only by operations that use one
    /// ([`OpFlags::sampler`](crate::message::OpFlags::sampler)).
    ///
    /// `out` is laid out as [`Message::response`] says; bytes of lanes and channels that are off stay.
    ///
    /// # Errors
    /// As [`Texture::bind`], [`Sampler::bind`] and [`Texture::execute`]; `Unsupported Format` for a format whose
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
        let (platform, palettes) = (self.platform, self.palettes);
        let texture = self
            .textures
            .get(surface, || Texture::with_palette(surface, platform, palette(&palettes, surface)?))?;
        let sampler = match sampler {
            Some(key @ (state, border)) => {
                let (precision, coarse) = (self.precision, self.coarse_lod);
                self.samplers.get(key, || {
                    let bound = Sampler::bind(state, &border.dwords)?;
                    Ok(bound.with_precision(precision).with_cps_lod(coarse))
                })?
            }
            None => &self.no_sampler,
        };
        texture.execute(message, payload, sampler, memory, out)
    }
}

/// The palette that a surface's format refers to; empty when it refers to none.
fn palette<'p>(palettes: &[&'p [u32]; 2], surface: &SurfaceState) -> Result<&'p [u32]> {
    let format = surface.format();
    let Some(number) = format::info(format).and_then(|info| info.palette) else { return Ok(&[]) };
    let unset = Error::new(Kind::Unsupported, What::Format).at(0).bit(18).value(format.0.into());
    palettes.get(usize::from(number)).copied().filter(|palette| !palette.is_empty()).ok_or(unset)
}
