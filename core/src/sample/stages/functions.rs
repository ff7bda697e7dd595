//! The functions that a level of vector instructions has: one for each stage and variant.

use super::stored::StoredKernel;
use crate::format::{ChannelKernel, KINDS, taps};
use crate::sample::fetch::apart::{ApartStages, GoOnKernel, PartKernel};
use crate::sample::fetch::frames::LocateKernel;
use crate::sample::fetch::{FetchKernel, PageKernel, SIZES};
use crate::sample::filter::compare::{CompareKernel, ComparedKernel, CoveredComparedKernel};
use crate::sample::filter::results::{ResultKernel, ResultKernels};
use crate::sample::filter::{
    CoverKernel, CoveredMeanKernel, ExtremeKernel, FoldKernel, JoinLevelsKernel, WeightKernel,
};
use crate::sample::lanes::{FOOTPRINTS, LANES, WIDE};
use crate::sample::levels::level::LevelKernel;
use crate::sample::levels::load_rule::{LoadKernel, LoadPlaneKernel};
use crate::sample::levels::lod::{
    DeriveKernel, DifferenceKernel, GradientKernel, ProjectKernel, SubspanKernel,
};
use crate::sample::levels::multisample::SamplePlaneKernel;
use crate::sample::levels::select::SelectKernel;
use crate::sample::params::{
    FloatsKernel, JoinKernel, LayerKernel, LayerRowKernel, OffsetKernel, RawKernel, WidenKernel,
};
use crate::sample::place::address::{AddressKernel, PATTERNS, RowKernel, SplitKernel};
use crate::sample::place::axis::{AxisKernel, FOLDS};
use crate::sample::place::cube::{FiniteKernel, RawFaceKernel};
use crate::sample::place::footprint::{AimKernel, DivideKernel, SumKernel};
use crate::sample::place::plane::{BlockKernel, PlaneKernels, VolumeKernels};
use crate::sample::place::seam::{CornerKernel, EdgeKernel, SeamKernel};
use crate::sample::writeback::WriteKernels;

/// The stages that find slices and LODs of lanes from what payloads have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PayloadStages {
    pub(crate) layers: LayerKernel,
    /// Layers and their rows in one: of slices that are not inside of tiles, and of those that are.
    pub(crate) layer_rows: [LayerRowKernel; 2],
    pub(crate) faces: RawFaceKernel,
    pub(crate) finite: FiniteKernel,
    pub(crate) subspans: SubspanKernel,
    pub(crate) gradients: GradientKernel,
    pub(crate) differences: DifferenceKernel,
    pub(crate) offsets: OffsetKernel,
    /// Of floats, of integers and of those without a sign.
    pub(crate) halves: WidenKernel,
    pub(crate) shorts: WidenKernel,
    pub(crate) words: WidenKernel,
    pub(crate) join: JoinKernel,
}

/// The stages that place texels in one go. Small targets place axis by axis, and what is loaded lane by lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// By [`Fold`](crate::sample::place::axis::Fold) and pattern of the tile mode; of blocks the last.
    pub(crate) planes: &'static [[PlaneKernels; 5]],
    /// What finds the blocks, by pattern of the tile mode: of one texel, of four.
    pub(crate) blocks: &'static [[BlockKernel; 2]],
    /// By fold and pattern of the tile mode.
    pub(crate) volumes: &'static [[VolumeKernels; 4]],
    /// Texels by their numbers, by pattern of the tile mode: of elements, of blocks.
    pub(crate) loads: &'static [[LoadPlaneKernel; 2]],
    /// Samples of texels, by pattern of the tile mode.
    pub(crate) samples: &'static [SamplePlaneKernel],
}

/// The stages of sampling, for one level of vector instructions.
#[derive(Clone, Copy, Debug)]
pub struct Stages {
    pub(crate) floats: FloatsKernel,
    /// By [`Fold`](crate::sample::place::axis::Fold), LINEAR, 8-bit fractions. Small targets do without.
    pub(crate) axis: [[[AxisKernel; 2]; 2]; FOLDS],
    pub(crate) placement: Placement,
    /// Kernels that can place one half of the lanes after the other place all at once.
    pub(crate) whole: bool,
    /// Floats as payloads have them.
    pub(crate) raw: Option<RawKernel>,
    /// Small targets do without.
    pub(crate) payload: Option<PayloadStages>,
    /// By pattern of the tile mode and footprint.
    pub(crate) address: [[AddressKernel; FOOTPRINTS]; PATTERNS],
    /// Of slices that are not inside of tiles, and of those that are. Small targets find rows without it.
    pub(crate) rows: &'static [RowKernel],
    pub(crate) split: SplitKernel,
    /// By kind of halves.
    pub(crate) select_tap: [taps::SelectTapKernel; taps::HALVES * WIDE],
    /// By the element's bytes, see [`SIZES`].
    pub(crate) fetch: [FetchKernel; SIZES],
    /// The same of footprints whose texels are mostly side by side in rows; `None`: no other one.
    pub(crate) fetch_pairs: [Option<FetchKernel>; SIZES * WIDE],
    /// The same of blocks of 1, 2, 4 or 8 bytes, of which both texels of a row may be in one.
    pub(crate) fetch_block_pairs: [Option<FetchKernel>; 4 * WIDE],
    /// The same from memory in pieces. Small targets read one element after the other.
    pub(crate) pages: &'static [PageKernel],
    /// Of one texel of each lane, and of several. Small targets do not ask for frames.
    pub(crate) locate: [[LocateKernel; 2]; WIDE],
    /// What may find those of pages that are close to each other, before the others are tried.
    pub(crate) locate_near: Option<LocateKernel>,
    /// What says whether some elements go on in another run or page.
    pub(crate) some_go_on: [GoOnKernel; WIDE],
    /// What finds the parts of elements that are apart.
    pub(crate) parts: [PartKernel; WIDE],
    /// What reads them, by log2 of the bytes of a part: thirds, then halves of 32 bytes.
    pub(crate) apart: [ApartStages; 5 * WIDE],
    /// By kind. Small targets have one kernel that reads every kind.
    pub(crate) channel: [ChannelKernel; if LANES == 1 { 1 } else { KINDS }],
    /// By footprint, of more than one texel.
    pub(crate) weights: [WeightKernel; FOOTPRINTS - 1],
    pub(crate) mean: [FoldKernel; FOOTPRINTS - 1],
    /// The same with a border. Small targets put it in place of texels first.
    pub(crate) covered_mean: [CoveredMeanKernel; (FOOTPRINTS - 1) * WIDE],
    /// Decoding and mean in one, by kind. Small targets decode first.
    pub(crate) decoded_mean: [ResultKernels; KINDS * WIDE],
    /// The same of sRGB colours of 8 bits and their alpha.
    pub(crate) srgb_and_alpha: [ResultKernels; WIDE],
    /// The results of gather4, by kind. Small targets decode as for every message.
    pub(crate) decoded_gather: [ResultKernel; KINDS * WIDE],
    /// The samples of anisotropic footprints.
    pub(crate) aim: AimKernel,
    pub(crate) sum: SumKernel,
    pub(crate) divide: DivideKernel,
    pub(crate) extreme: ExtremeKernel,
    pub(crate) join_levels: JoinLevelsKernel,
    pub(crate) cover: CoverKernel,
    pub(crate) compare: CompareKernel,
    /// Decoding, comparison and mean in one: see [`compare::place`](crate::sample::filter::compare::place). Small targets decode first.
    pub(crate) compared_mean: &'static [[ComparedKernel; FOOTPRINTS]],
    /// The same with a border, of what is decoded: see [`CoveredMeanKernel`].
    pub(crate) covered_compared: [CoveredComparedKernel; FOOTPRINTS * WIDE],
    /// The same of gather4.
    pub(crate) compared_gather: &'static [ComparedKernel],
    /// By pattern of the tile mode. Small targets move texels over edges one by one.
    pub(crate) seam: [SeamKernel; PATTERNS * WIDE],
    pub(crate) edges: [EdgeKernel; WIDE],
    /// Small targets keep no blocks.
    pub(crate) stored: [StoredKernel; WIDE],
    pub(crate) corner: CornerKernel,
    pub(crate) derive: DeriveKernel,
    pub(crate) project: ProjectKernel,
    /// Of everything; then where lanes have no minimum LODs: for exact LODs, and for those with 8-bit fractions. Small targets have one.
    pub(crate) select: [SelectKernel; if LANES == 1 { 1 } else { 3 }],
    /// Small targets have one level at a time.
    pub(crate) level: Option<LevelKernel>,
    pub(crate) load: LoadKernel,
    /// Floats and integers of 32 bits, then of 16 bits. Small targets have one way to write.
    pub(crate) write: [WriteKernels; 4 * WIDE],
}

impl Stages {
    /// The same stages for processors that compute vectors of 512 bits whole, as Intel's do; those of `avx512` alone are for processors that
    /// compute them in halves (Zen 4). With this a plain bilinear sample takes 0.87 of the time on a Xeon (family 6, model 207), and 1.04
    /// to 1.08 on Zen 4. Bits are the same; other levels do not change.
    #[must_use]
    pub const fn with_whole_vectors(self) -> Self {
        Self { whole: true, ..self }
    }

    /// The stage for a channel that is not stored.
    pub(crate) const fn constant(&self) -> ChannelKernel {
        let [.., constant] = self.channel;
        constant
    }
}
