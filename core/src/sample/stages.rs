//! The stages of sampling as a table of functions, compiled once for every level of vector instructions.
//!
//! A stage is a plain loop over all lanes of a message; the features of the function it is compiled into decide how
//! wide its vectors are. Every level gives the same bits: results are IEEE operations in a fixed order, and Rust never
//! fuses them by itself.
//!
//! [`Stages::BASELINE`] has the features of the crate's target. A host that can tell at run time what its processor
//! has enters `avx2` or `avx512` once (both are safe functions with target features, as dispatch crates call them) and
//! keeps the table.

#[cfg(target_arch = "x86_64")]
mod halves;
mod kernel;
#[cfg(target_arch = "x86_64")]
mod near;
#[cfg(target_arch = "x86_64")]
mod pairs;
#[cfg(target_arch = "x86_64")]
mod palette;
mod placement;
#[cfg(target_arch = "x86_64")]
mod sixteen;
pub(super) mod stored;
mod table;
#[cfg(target_arch = "x86_64")]
mod texels;
#[cfg(target_arch = "x86_64")]
mod tiles;
#[cfg(target_arch = "x86_64")]
mod vector_256;
#[cfg(target_arch = "x86_64")]
mod wide;

use super::fetch::apart::{ApartStages, PartKernel};
use super::fetch::frames::LocateKernel;
use super::fetch::{FetchKernel, PageKernel, SIZES};
use super::filter::compare::{CompareKernel, ComparedKernel, CoveredComparedKernel};
use super::filter::results::{ResultKernel, ResultKernels};
use super::filter::{BlendKernel, CoverKernel, CoveredMeanKernel, ExtremeKernel, FoldKernel, WeightKernel};
use super::lanes::{FOOTPRINTS, LANES, WIDE};
use super::levels::level::LevelKernel;
use super::levels::load_rule::{LoadKernel, LoadKernels};
use super::levels::lod::{DeriveKernel, DifferenceKernel, GradientKernel, ProjectKernel, SubspanKernel};
use super::levels::multisample::SamplePlaneKernel;
use super::levels::select::SelectKernel;
use super::params::{
    FloatsKernel, JoinKernel, LayerKernel, LayerRowKernel, OffsetKernel, RawKernel, WidenKernel,
};
use super::place::address::{AddressKernel, PATTERNS, RowKernel, SplitKernel};
use super::place::axis::{AxisKernel, FOLDS};
use super::place::cube::{FiniteKernel, RawFaceKernel};
use super::place::footprint::{AimKernel, DivideKernel, SumKernel};
use super::place::plane::{BlockKernel, PlaneKernels, VolumeKernels};
use super::place::seam::{CornerKernel, EdgeKernel, SeamKernel};
use super::stages::stored::StoredKernel;
use super::writeback::WriteKernels;
use crate::format::{ChannelKernel, KINDS, taps};

#[cfg(target_arch = "x86_64")]
pub use {table::avx2, wide::avx512};

/// The stages that find slices and LODs of lanes from what payloads have.
#[derive(Clone, Copy, Debug)]
pub(super) struct PayloadStages {
    pub(super) layers: LayerKernel,
    /// Layers and their rows in one: of slices that are not inside of tiles, and of those that are.
    pub(super) layer_rows: [LayerRowKernel; 2],
    pub(super) faces: RawFaceKernel,
    pub(super) finite: FiniteKernel,
    pub(super) subspans: SubspanKernel,
    pub(super) gradients: GradientKernel,
    pub(super) differences: DifferenceKernel,
    pub(super) offsets: OffsetKernel,
    /// Of floats, of integers and of those without a sign.
    pub(super) halves: WidenKernel,
    pub(super) shorts: WidenKernel,
    pub(super) words: WidenKernel,
    pub(super) join: JoinKernel,
}

/// The stages that place texels in one go. Small targets place axis by axis, and what is loaded lane by lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// By [`Fold`](super::place::axis::Fold) and pattern of the tile mode; of blocks the last.
    pub(super) planes: &'static [[PlaneKernels; 5]],
    /// What finds the blocks, by pattern of the tile mode: of one texel, of four.
    pub(super) blocks: &'static [[BlockKernel; 2]],
    /// By fold and pattern of the tile mode.
    pub(super) volumes: &'static [[VolumeKernels; 4]],
    /// Texels by their numbers, by pattern of the tile mode: of elements, of blocks.
    pub(super) loads: &'static [[LoadKernels; 2]],
    /// Samples of texels, by pattern of the tile mode.
    pub(super) samples: &'static [SamplePlaneKernel],
}

/// The stages of sampling, for one level of vector instructions.
#[derive(Clone, Copy, Debug)]
pub struct Stages {
    pub(super) floats: FloatsKernel,
    /// By [`Fold`](super::place::axis::Fold), LINEAR, 8-bit fractions. Small targets do without.
    pub(super) axis: [[[AxisKernel; 2]; 2]; FOLDS],
    pub(super) placement: Placement,
    /// Floats as payloads have them.
    pub(super) raw: Option<RawKernel>,
    /// Small targets do without.
    pub(super) payload: Option<PayloadStages>,
    /// By pattern of the tile mode and footprint.
    pub(super) address: [[AddressKernel; FOOTPRINTS]; PATTERNS],
    /// Of slices that are not inside of tiles, and of those that are. Small targets find rows without it.
    pub(super) rows: &'static [RowKernel],
    pub(super) split: SplitKernel,
    /// By kind of halves.
    pub(super) select_tap: [taps::SelectTapKernel; taps::HALVES * WIDE],
    /// By the element's bytes, see [`SIZES`].
    pub(super) fetch: [FetchKernel; SIZES],
    /// The same of footprints whose texels are mostly side by side in rows; `None`: no other one.
    pub(super) fetch_pairs: [Option<FetchKernel>; SIZES * WIDE],
    /// The same of blocks of 1, 2, 4 or 8 bytes, of which both texels of a row may be in one.
    pub(super) fetch_block_pairs: [Option<FetchKernel>; 4 * WIDE],
    /// The same from memory in pieces. Small targets read one element after the other.
    pub(super) pages: &'static [PageKernel],
    /// Of one texel of each lane, and of several. Small targets do not ask for frames.
    pub(super) locate: [[LocateKernel; 2]; WIDE],
    /// What may find those of pages that are close to each other, before the others are tried.
    pub(super) locate_near: Option<LocateKernel>,
    /// What finds the parts of elements that are apart.
    pub(super) parts: [PartKernel; WIDE],
    /// What reads them, by log2 of the bytes of a part: thirds, then halves of 32 bytes.
    pub(super) apart: [ApartStages; 5 * WIDE],
    /// By kind. Small targets have one kernel that reads every kind.
    pub(super) channel: [ChannelKernel; if LANES == 1 { 1 } else { KINDS }],
    /// By footprint, of more than one texel.
    pub(super) weights: [WeightKernel; FOOTPRINTS - 1],
    pub(super) mean: [FoldKernel; FOOTPRINTS - 1],
    /// The same with a border. Small targets put it in place of texels first.
    pub(super) covered_mean: [CoveredMeanKernel; (FOOTPRINTS - 1) * WIDE],
    /// Decoding and mean in one, by kind. Small targets decode first.
    pub(super) decoded_mean: [ResultKernels; KINDS * WIDE],
    /// The same of sRGB colours of 8 bits and their alpha.
    pub(super) srgb_and_alpha: [ResultKernels; WIDE],
    /// The results of gather4, by kind. Small targets decode as for every message.
    pub(super) decoded_gather: [ResultKernel; KINDS * WIDE],
    /// The samples of anisotropic footprints.
    pub(super) aim: AimKernel,
    pub(super) sum: SumKernel,
    pub(super) divide: DivideKernel,
    pub(super) extreme: ExtremeKernel,
    pub(super) blend: BlendKernel,
    pub(super) cover: CoverKernel,
    pub(super) compare: CompareKernel,
    /// Decoding, comparison and mean in one: see [`compare::place`](super::filter::compare::place). Small targets decode first.
    pub(super) compared_mean: &'static [[ComparedKernel; FOOTPRINTS]],
    /// The same with a border, of what is decoded: see [`CoveredMeanKernel`].
    pub(super) covered_compared: [CoveredComparedKernel; FOOTPRINTS * WIDE],
    /// The same of gather4.
    pub(super) compared_gather: &'static [ComparedKernel],
    /// By pattern of the tile mode. Small targets move texels over edges one by one.
    pub(super) seam: [SeamKernel; PATTERNS * WIDE],
    pub(super) edges: [EdgeKernel; WIDE],
    /// Small targets keep no blocks.
    pub(super) stored: [StoredKernel; WIDE],
    pub(super) corner: CornerKernel,
    pub(super) derive: DeriveKernel,
    pub(super) project: ProjectKernel,
    /// Of everything; then where lanes have no minimum LODs: for exact LODs, and for those with 8-bit fractions. Small targets have one.
    pub(super) select: [SelectKernel; if LANES == 1 { 1 } else { 3 }],
    /// Small targets have one level at a time.
    pub(super) level: Option<LevelKernel>,
    pub(super) load: LoadKernel,
    /// Floats and integers of 32 bits, then of 16 bits. Small targets have one way to write.
    pub(super) write: &'static [WriteKernels],
}

/// As an item of its own, only what ends up in it is compiled: small targets leave out most kernels.
static BASELINE: Stages = table::baseline();

impl Stages {
    /// The stages with the features of the crate's target.
    pub const BASELINE: &'static Self = &BASELINE;

    /// The stage for a channel that is not stored.
    pub(super) const fn constant(&self) -> ChannelKernel {
        let [.., constant] = self.channel;
        constant
    }
}
