//! Observes what a prepared message decides for a lane before it reads texels: the LOD and mip levels, or the texel of a load.
//!
//! It runs the stages of execution and reads their results from the scratch afterwards; execution itself has no code for it.

use super::bind::sampler::Filter;
use super::bind::texture::{Dim, TexelPlane, TexelSource, Texture};
use super::fetch::frames::SurfaceBytes;
use super::general::texels::GeneralPath;
use super::lanes::{LANES, lane as of};
use super::levels::multisample::{SampleStorage, reads_samples};
use super::plan::Work;
use super::prepare::Prepared;
use super::scratch::{PassScratch, PassScratches, Scratch};
use crate::memory::{LinearMemory, Memory};
use crate::message::Payload;

/// The level of detail of a lane, and what follows from it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LaneLod {
    /// The LOD with every bias, before the clamps: green of the LOD operation.
    pub lod: f32,
    /// The LOD after the clamps and within the view, counted from the view's first mip level: red of the LOD operation.
    pub clamped: f32,
    /// The finer and the coarser mip level, counted from the first one in memory.
    pub levels: [u32; 2],
    /// Weight of the coarser mip level, 0 to 1. With 0 only the finer one is read, with 1 only the coarser one.
    pub fraction: f32,
    /// True if the magnification filter applies.
    pub magnified: bool,
    /// Bilinear samples of the anisotropic filter on each mip level; 1 for all other filters.
    pub samples: u32,
}

/// The texel that a lane of a load reads. Mip levels and slices count from the first ones in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoadedTexel {
    /// The texel (x, y) of the slice; `sample` is the plane that holds the sample.
    At { level: u32, slice: u32, x: u32, y: u32, sample: u32 },
    /// The texel has the clear colour of the control surface, so that no sample is read.
    Clear { level: u32, slice: u32, x: u32, y: u32 },
    /// No texel: a coordinate, slice, mip level or sample is out of range.
    OutOfRange,
}

impl Prepared<'_> {
    /// Returns the LOD of lane `lane`, active or not, and what follows from it; reads no memory. `None` for loads and queries, for
    /// null surfaces and disabled samplers, and for lanes past the execution size.
    pub fn lod(&self, scratch: &mut Scratch, payload: &Payload<'_>, lane: u32) -> Option<LaneLod> {
        let filters = matches!(self.plan.work, Work::Sample | Work::Gather | Work::Lod);
        if !filters || lane >= self.plan.message.simd.into() {
            return None;
        }
        let Scratch { scratches, widened } = scratch;
        let wide = self.widened(payload, widened);
        let params = self.plan.read(wide.as_ref().unwrap_or(payload));
        let mut general = self.at(scratches, lane);
        general.coordinates(&params);
        general.choose_levels(&params);
        let at = lane as usize % LANES;
        let uniform = self.plan.select_uniform_levels();
        let PassScratch { levels, footprints, .. } = &scratches.scratch;
        let levels = uniform.as_ref().unwrap_or(levels);
        let magnified = of(&levels.magnified, at) != 0;
        let [mag, min] = &self.plan.filters;
        let filter = if magnified || !self.plan.two_filters { mag } else { min };
        let anisotropic = self.plan.work == Work::Sample && filter.kind == Filter::Anisotropic;
        let level = |lanes| self.texture.base.wrapping_add(of(lanes, at));
        Some(LaneLod {
            lod: of(&levels.lod, at),
            clamped: of(&levels.clamped, at),
            levels: [level(&levels.finer), level(&levels.coarser)],
            fraction: of(&levels.fraction, at),
            magnified,
            samples: if anisotropic { of(&footprints.samples, at) } else { 1 },
        })
    }

    /// Returns the texel that lane `lane` of a load reads; `None` if the message is not a load, and for lanes past the execution size.
    pub(crate) fn texel(
        &self,
        scratch: &mut Scratch,
        payload: &Payload<'_>,
        lane: u32,
    ) -> Option<LoadedTexel> {
        if self.plan.work != Work::Load || lane >= self.plan.message.simd.into() {
            return None;
        }
        let Scratch { scratches, widened } = scratch;
        let wide = self.widened(payload, widened);
        let params = self.plan.read(wide.as_ref().unwrap_or(payload));
        let mut general = self.at(scratches, lane);
        general.integer_coordinates(&params);
        let sample = if reads_samples(self.plan.message.op) {
            general.sample_of_lane(&params, lane as usize)
        } else {
            SampleStorage::Plane(0)
        };
        let at = lane as usize % LANES;
        let PassScratch { taps: [x, y, z], slice, levels, .. } = &scratches.scratch;
        let volume = self.texture.dim == Dim::D3;
        let [column, row, depth] = [x, y, z].map(|axis| of(&axis.texel[0], at));
        let level = self.texture.base.wrapping_add(of(&levels.finer, at));
        let slice = if volume { depth } else { of(slice, at).wrapping_add(self.texture.first_slice) };
        let outside = of(&x.outside, at) != 0;
        Some(match sample {
            _ if outside => LoadedTexel::OutOfRange,
            SampleStorage::Clear => LoadedTexel::Clear { level, slice, x: column, y: row },
            SampleStorage::Plane(sample) if sample < self.texture.samples.max(1) => {
                LoadedTexel::At { level, slice, x: column, y: row, sample }
            }
            SampleStorage::Plane(_) => LoadedTexel::OutOfRange,
        })
    }

    /// Returns true if the message filters or gathers texels.
    pub(crate) const fn filters(&self) -> bool {
        matches!(self.plan.work, Work::Sample | Work::Gather)
    }

    /// Returns the general path for the pass that contains lane `lane`.
    fn at<'a>(&'a self, scratches: &'a mut PassScratches, lane: u32) -> GeneralPath<'a, 'a, 'a> {
        // The stages that observe lanes read no memory.
        let memory = (SurfaceBytes::Unknown, &LinearMemory { base: 0, bytes: &[] });
        let mut general = GeneralPath::new(&self.texture, &self.plan, &mut scratches.scratch, None, memory);
        general.first = lane as usize / LANES * LANES;
        general
    }
}

impl Texture<'_> {
    /// Reads from `memory` the bytes that texel (x, y) is made of, and drops them, for memory that records its reads: one
    /// element, in pieces if it is not contiguous, or luma and chroma. Mip level and slice count from the first ones in memory.
    pub(crate) fn read_texel<M: Memory + ?Sized>(&self, memory: &M, [level, slice, x, y]: [u32; 4]) {
        let read = |(codec, plane): &TexelPlane<'_>, column: u32, row: u32| {
            let mut bytes = [0_u8; 32];
            let bytes = bytes.get_mut(..usize::from(codec.info().bytes)).unwrap_or_default();
            plane.read(memory, column, row, bytes);
        };
        match &self.source {
            TexelSource::Plain { layout, codec } => {
                let element = layout.element();
                let column = x.checked_div(element.block_width.into()).unwrap_or(0);
                let row = y.checked_div(element.block_height.into()).unwrap_or(0);
                read(&(*codec, layout.plane(level, slice)), column, row);
            }
            TexelSource::Planar { luma, chroma } => {
                read(luma, x, y);
                read(chroma, x >> 1, y >> 1);
            }
            TexelSource::None => {}
        }
    }
}
