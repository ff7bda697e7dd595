//! What a prepared message decides for a lane before it reads: LODs, levels, the texel of a load.
//!
//! The decisions are those of the stages themselves, read from the scratch afterwards; execution does not know of it.

use super::bind::sampler::Filter;
use super::bind::texture::{Dim, Source, Texture};
use super::fetch::frames::Bytes;
use super::general::texels::Reader;
use super::lanes::{LANES, lane as of};
use super::levels::multisample::{Sample, reads_samples};
use super::levels::select::Levels;
use super::plan::Work;
use super::prepare::Prepared;
use super::scratch::{Room, Rooms, Scratch};
use crate::memory::{Access, Memory};
use crate::message::Payload;

/// The level of detail of a lane, and what follows from it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LaneLod {
    /// The LOD with every bias, before the clamps: what the LOD operation returns in green.
    pub lod: f32,
    /// The LOD after the clamps and inside of the view, counted from the view's first level: red of the LOD operation.
    pub clamped: f32,
    /// The finer and the coarser level, counted from the start of memory.
    pub levels: [u32; 2],
    /// Weight of the coarser level, 0 to 1. With 0 only the finer level is read, with 1 only the coarser one.
    pub fraction: f32,
    /// The magnification filter applies.
    pub magnified: bool,
    /// Bilinear samples of the anisotropic filter on each level; 1 for the other filters.
    pub samples: u32,
}

/// The texel that a lane of a load names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoadedTexel {
    /// This one, counted from the start of memory, and its sample.
    At { level: u32, slice: u32, x: u32, y: u32, sample: u32 },
    /// The clear colour stands for it.
    Clear { level: u32, slice: u32, x: u32, y: u32 },
    /// None.
    OutOfRange,
}

/// Memory that is nowhere: nothing is read here.
struct Nowhere;

impl Memory for Nowhere {
    fn read(&self, _: u64, _: &mut [u8]) -> Access {
        Access::Fault
    }
}

impl Prepared<'_> {
    /// The LOD of lane `lane`, active or not, and what follows from it; reads no memory. `None` for loads and queries, for
    /// null surfaces and disabled samplers, and for lanes past the message's width.
    pub fn lod(&self, scratch: &mut Scratch, payload: &Payload<'_>, lane: u32) -> Option<LaneLod> {
        let filters = matches!(self.plan.work, Work::Sample | Work::Gather | Work::Lod);
        if !filters || lane >= self.plan.message.simd.into() {
            return None;
        }
        let Scratch { rooms, widened } = scratch;
        let wide = self.widened(payload, widened);
        let params = self.plan.read(wide.as_ref().unwrap_or(payload));
        let mut reader = self.at(rooms, lane);
        reader.begin();
        reader.coordinates(&params);
        reader.choose_levels(&params);
        let at = lane as usize % LANES;
        let mut settled = Levels::BASE;
        let is_settled = self.plan.settled_levels(&mut settled);
        let Room { levels, footprints, .. } = &rooms.room;
        let levels: &Levels = if is_settled { &settled } else { levels };
        let magnified = of(&levels.magnified, at) != 0;
        let [mag, min] = &self.plan.passes;
        let pass = if magnified || !self.plan.two_filters { mag } else { min };
        let anisotropic = self.plan.work == Work::Sample && pass.filter == Filter::Anisotropic;
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

    /// The texel that lane `lane` of a load names; `None` for other messages and lanes past the message's width.
    pub(crate) fn texel(
        &self,
        scratch: &mut Scratch,
        payload: &Payload<'_>,
        lane: u32,
    ) -> Option<LoadedTexel> {
        if self.plan.work != Work::Load || lane >= self.plan.message.simd.into() {
            return None;
        }
        let Scratch { rooms, widened } = scratch;
        let wide = self.widened(payload, widened);
        let params = self.plan.read(wide.as_ref().unwrap_or(payload));
        let mut reader = self.at(rooms, lane);
        reader.integer_coordinates(&params);
        let sample = if reads_samples(self.plan.message.op) {
            reader.sample_of_lane(&params, lane as usize)
        } else {
            Sample::Plane(0)
        };
        let at = lane as usize % LANES;
        let Room { taps: [x, y, z], slice, levels, .. } = &rooms.room;
        let volume = self.texture.dim == Dim::D3;
        let [column, row, depth] = [x, y, z].map(|axis| of(&axis.texel[0], at));
        let level = self.texture.base.wrapping_add(of(&levels.finer, at));
        let slice = if volume { depth } else { of(slice, at).wrapping_add(self.texture.first_slice) };
        let outside = of(&x.outside, at) != 0;
        Some(match sample {
            _ if outside => LoadedTexel::OutOfRange,
            Sample::Clear => LoadedTexel::Clear { level, slice, x: column, y: row },
            Sample::Plane(sample) if sample < self.texture.samples.max(1) => {
                LoadedTexel::At { level, slice, x: column, y: row, sample }
            }
            Sample::Plane(_) => LoadedTexel::OutOfRange,
        })
    }

    /// Texels are filtered or gathered.
    pub(crate) const fn filters(&self) -> bool {
        matches!(self.plan.work, Work::Sample | Work::Gather)
    }

    /// A reader of the pass that lane `lane` is in.
    fn at<'a>(&'a self, rooms: &'a mut Rooms, lane: u32) -> Reader<'a, 'a, 'a> {
        let mut reader =
            Reader::new(&self.texture, &self.plan, &mut rooms.room, None, (Bytes::Unknown, &Nowhere));
        reader.first = lane as usize / LANES * LANES;
        reader
    }
}

impl Texture<'_> {
    /// Reads from `memory` what texel (x, y) of a slice of a level is made of, all counted from the start of memory: an
    /// element, its pieces where it is not contiguous, or luma and chroma.
    pub(crate) fn read_texel<M: Memory + ?Sized>(&self, memory: &M, [level, slice, x, y]: [u32; 4]) {
        let mut bytes = [0_u8; 32];
        match &self.source {
            Source::Plain { layout, codec } => {
                let element = layout.element();
                let bytes = bytes.get_mut(..usize::from(codec.info().bytes)).unwrap_or_default();
                let column = x.checked_div(element.block_width.into()).unwrap_or(0);
                let row = y.checked_div(element.block_height.into()).unwrap_or(0);
                layout.plane(level, slice).read(memory, column, row, bytes);
            }
            Source::Planar { luma, chroma } => {
                let (y_bytes, rest) = bytes.split_at_mut(16);
                let luma_bytes = y_bytes.get_mut(..usize::from(luma.0.info().bytes)).unwrap_or_default();
                luma.1.read(memory, x, y, luma_bytes);
                let chroma_bytes = rest.get_mut(..usize::from(chroma.0.info().bytes)).unwrap_or_default();
                chroma.1.read(memory, x >> 1, y >> 1, chroma_bytes);
            }
            Source::None => {}
        }
    }
}
