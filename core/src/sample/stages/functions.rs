//! The table of stages of one vector level: a function pointer for each stage and variant.

use super::stored_blocks::StoredKernel;
use crate::format::{ChannelKernel, KINDS, single_texels};
use crate::sample::fetch::frames::LocateKernel;
use crate::sample::fetch::split_elements::{CrossesRunKernel, PartKernel, SplitElementStages};
use crate::sample::fetch::{FetchKernel, PageKernel, SIZES};
use crate::sample::filter::compare::{CompareKernel, ComparedKernel, CoveredComparedKernel};
use crate::sample::filter::results::{ResultKernel, ResultKernels};
use crate::sample::filter::{
    CoverKernel, CoveredMeanKernel, ExtremeKernel, FoldKernel, JoinLevelsKernel, WeightKernel,
};
use crate::sample::lanes::{FOOTPRINTS, LANES, MULTI_LANE};
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
use crate::sample::place::axis::{AxisKernel, WRAP_CLASSES};
use crate::sample::place::cube::{FiniteKernel, RawFaceKernel};
use crate::sample::place::footprint::{DivideKernel, SampleCoordsKernel, SumKernel};
use crate::sample::place::plane::{BlockKernel, PlaneKernels, VolumeKernels};
use crate::sample::place::seam::{CornerKernel, EdgeKernel, SeamKernel};
use crate::sample::writeback::WriteKernels;

/// The stages that compute slices, cube faces, LODs and texel offsets straight from a payload's parameters, and widen those of 16 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PayloadStages {
    pub(crate) layers: LayerKernel,
    /// From array indices to the rows of slices in one kernel: where no slices are inside of tiles, and where they are.
    pub(crate) layer_rows: [LayerRowKernel; 2],
    pub(crate) faces: RawFaceKernel,
    pub(crate) finite: FiniteKernel,
    pub(crate) subspans: SubspanKernel,
    pub(crate) gradients: GradientKernel,
    pub(crate) differences: DifferenceKernel,
    pub(crate) offsets: OffsetKernel,
    /// Widens 16-bit parameters to 32 bits: half floats here, signed integers by `shorts`, unsigned integers by `words`.
    pub(crate) halves: WidenKernel,
    pub(crate) shorts: WidenKernel,
    pub(crate) words: WidenKernel,
    pub(crate) join: JoinKernel,
}

/// The stages that go from coordinates to the elements of footprints in one kernel. The tables are empty on small targets, which place
/// samples axis by axis and loads lane by lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// Two axes, by [`WrapClass`](crate::sample::place::axis::WrapClass) and pattern of the tile mode; the last of each fold, for elements
    /// that are blocks, leaves texel coordinates for `blocks`.
    pub(crate) planes: &'static [[PlaneKernels; 5]],
    /// Find the blocks of texels that `planes` has placed, by pattern of the tile mode: for footprints of one texel, and of four.
    pub(crate) blocks: &'static [[BlockKernel; 2]],
    /// Three axes, by fold and pattern of the tile mode.
    pub(crate) volumes: &'static [[VolumeKernels; 4]],
    /// Loads by integer texel coordinates, by pattern of the tile mode: where elements are texels, and where they are blocks.
    pub(crate) loads: &'static [[LoadPlaneKernel; 2]],
    /// Loads of samples of multisampled surfaces, by pattern of the tile mode.
    pub(crate) samples: &'static [SamplePlaneKernel],
}

/// The table of sampling stages, compiled for one level of vector instructions.
#[derive(Clone, Copy, Debug)]
pub struct Stages {
    pub(crate) floats: FloatsKernel,
    /// Texel coordinates along one axis, by [`WrapClass`](crate::sample::place::axis::WrapClass), by filter (nearest, linear) and by
    /// precision (exact, 8-bit fractions). Empty on small targets.
    pub(crate) axis: [[[AxisKernel; 2]; 2]; WRAP_CLASSES],
    pub(crate) placement: Placement,
    /// True: kernels that could place one half of the lanes after the other place all lanes at once, see
    /// [`with_whole_vectors`](Self::with_whole_vectors).
    pub(crate) whole: bool,
    /// Turns floats into the bytes that payloads hold. `None` on small targets.
    pub(crate) raw: Option<RawKernel>,
    /// `None` on small targets.
    pub(crate) payload: Option<PayloadStages>,
    /// Element indices from texel coordinates, by pattern of the tile mode and footprint (1, 2, 4 or 8 texels).
    pub(crate) address: [[AddressKernel; FOOTPRINTS]; PATTERNS],
    /// The rows where lanes' slices begin: where no slices are inside of tiles, and where they are. Empty on small targets, which compute
    /// rows without this table.
    pub(crate) rows: [RowKernel; 2 * MULTI_LANE],
    pub(crate) split: SplitKernel,
    /// Select single texels of blocks, by [kind of half](single_texels::BlockHalf::kind).
    pub(crate) select_texel: [single_texels::SelectTexelKernel; single_texels::HALVES * MULTI_LANE],
    /// Read elements, by their size in bytes: see [`SIZES`].
    pub(crate) fetch: [FetchKernel; SIZES],
    /// The same for footprints whose two texels of a row are mostly adjacent in memory. `None`: `fetch` reads footprints, too.
    pub(crate) fetch_pairs: [Option<FetchKernel>; SIZES * MULTI_LANE],
    /// The same for blocks of 1, 2, 4 or 8 bytes, where both texels of a row may also be in one block.
    pub(crate) fetch_block_pairs: [Option<FetchKernel>; 4 * MULTI_LANE],
    /// Read elements from memory that is handed out in pieces, by size as in `fetch`. Empty on small targets, which read one element after
    /// the other.
    pub(crate) pages: [PageKernel; SIZES * MULTI_LANE],
    /// Look up page frames of elements: of one texel of each lane, and of several. Empty on small targets, which do not ask for frames.
    pub(crate) locate: [[LocateKernel; 2]; MULTI_LANE],
    /// Tried before `locate` where pages may be close to each other; returns false if they are not. `None`: no such kernel.
    pub(crate) locate_near: Option<LocateKernel>,
    /// Tests whether any element continues in another run or page.
    pub(crate) any_crosses_run: [CrossesRunKernel; MULTI_LANE],
    /// Finds the further parts of elements whose parts are not adjacent.
    pub(crate) parts: [PartKernel; MULTI_LANE],
    /// Read elements whose parts are not adjacent, by log2 of the bytes of a part: thirds of 1, 2, 4 and 8 bytes, then halves of 16
    /// (elements of 32 bytes).
    pub(crate) split_elements: [SplitElementStages; 5 * MULTI_LANE],
    /// Decode channels, by kind of channel. Small targets have one kernel that reads every kind.
    pub(crate) channel: [ChannelKernel; if LANES == 1 { 1 } else { KINDS }],
    /// Filter weights of footprints of 2, 4 and 8 texels.
    pub(crate) weights: [WeightKernel; FOOTPRINTS - 1],
    pub(crate) mean: [FoldKernel; FOOTPRINTS - 1],
    /// The mean with the border colour in place of texels outside. Empty on small targets, which replace those texels first, by `cover`.
    pub(crate) covered_mean: [CoveredMeanKernel; (FOOTPRINTS - 1) * MULTI_LANE],
    /// Decoding and mean in one, by kind of channel. Empty on small targets, which decode first.
    pub(crate) decoded_mean: [ResultKernels; KINDS * MULTI_LANE],
    /// The same for sRGB colours of 8 bits together with their UNORM alpha.
    pub(crate) srgb_and_alpha: [ResultKernels; MULTI_LANE],
    /// Decoding of the texels of gather4, by kind of channel. Empty on small targets, which decode as for every message.
    pub(crate) decoded_gather: [ResultKernel; KINDS * MULTI_LANE],
    /// Anisotropic footprints: `sample_coords` moves coordinates to a sample, `sum` adds up samples, `divide` makes the mean.
    pub(crate) sample_coords: SampleCoordsKernel,
    pub(crate) sum: SumKernel,
    pub(crate) divide: DivideKernel,
    pub(crate) extreme: ExtremeKernel,
    pub(crate) join_levels: JoinLevelsKernel,
    pub(crate) cover: CoverKernel,
    pub(crate) compare: CompareKernel,
    /// Decoding, depth comparison and mean in one, by kind of channel as
    /// [`compare::kernel_index`](crate::sample::filter::compare::kernel_index) says, and footprint. Empty on small targets, which decode first.
    pub(crate) compared_mean: [[ComparedKernel; FOOTPRINTS]; 2 * MULTI_LANE],
    /// Depth comparison and mean of decoded texels with the border in place of texels outside, by footprint: see [`CoveredMeanKernel`].
    pub(crate) covered_compared: [CoveredComparedKernel; FOOTPRINTS * MULTI_LANE],
    /// Decoding and depth comparison of the texels of gather4, by kind of channel as in `compared_mean`.
    pub(crate) compared_gather: [ComparedKernel; 2 * MULTI_LANE],
    /// Elements of footprints that reach over the edges of cube faces, by pattern of the tile mode. Empty on small targets, which move
    /// texels over edges one by one.
    pub(crate) seam: [SeamKernel; PATTERNS * MULTI_LANE],
    pub(crate) edges: [EdgeKernel; MULTI_LANE],
    /// Finds decoded blocks in a block store. Empty on small targets, which keep no blocks.
    pub(crate) stored: [StoredKernel; MULTI_LANE],
    pub(crate) corner: CornerKernel,
    pub(crate) derive: DeriveKernel,
    pub(crate) project: ProjectKernel,
    /// Mip levels from LODs: one kernel for every case; then, for lanes without minimum LODs, one for exact LODs and one for LODs with
    /// 8-bit fractions. Small targets have the first alone.
    pub(crate) select: [SelectKernel; if LANES == 1 { 1 } else { 3 }],
    /// Sizes and positions of the lanes' mip levels. `None` on small targets, which have one mip level at a time.
    pub(crate) level: Option<LevelKernel>,
    pub(crate) load: LoadKernel,
    /// Writeback of floats and of integers in 32 bits, then of both in 16 bits. Empty on small targets, which have one function for all.
    pub(crate) write: [WriteKernels; 4 * MULTI_LANE],
}

impl Stages {
    /// Returns the same stages for processors that execute vectors of 512 bits in one piece, as Intel's do; those of `avx512` alone are
    /// for processors that execute them in halves (Zen 4). With this a plain bilinear sample takes 0.87 of the time on a Xeon (family 6,
    /// model 207), and 1.04 to 1.08 on Zen 4. Results have the same bits; tables of other vector levels do not change.
    #[must_use]
    pub const fn with_whole_vectors(self) -> Self {
        Self { whole: true, ..self }
    }

    /// The kernel of a channel that the format does not store.
    pub(crate) const fn constant(&self) -> ChannelKernel {
        let [.., constant] = self.channel;
        constant
    }
}
