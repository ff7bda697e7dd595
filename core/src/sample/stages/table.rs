//! The table of stages: which function is each kernel, for one level of vector instructions.

use super::kernel::kernel;
use super::stored_blocks::{self, StoredKernel};
use super::{PayloadStages, Stages, placement};
#[cfg(target_arch = "x86_64")]
use super::{fetch_16_bytes, fetch_pairs, fetch_texels::read, half_floats, page_lookup, palette};
use crate::format::channel::loops;
use crate::format::channel::refine::Refinement;
use crate::format::single_texels::SelectTexelKernel;
use crate::format::{
    ChannelDecode, ChannelKernel, StoreLayout, TexelChannels, TexelKind, TexelWords, single_texels,
};
use crate::memory::{LevelAddressing, Memory};
use crate::sample::fetch::frames::{self, LocateKernel, Located, PageFrames};
use crate::sample::fetch::split_elements::{
    self, CrossesRunKernel, PartKernel, PartRule, SplitElementStages,
};
use crate::sample::fetch::{self, FetchKernel, PageKernel, SIZES, Words, gather, gather_thirds};
use crate::sample::filter::compare::{self, ComparedKernel, CoveredComparedKernel, Shadow, ShadowTest};
use crate::sample::filter::results::{self, ResultKernel};
use crate::sample::filter::{self, Border, CoveredMeanKernel, FoldKernel, Reduction, WeightKernel, Weights};
use crate::sample::lanes::{ChannelLanes, LANES, LaneBytes, Lanes, MULTI_LANE, TAPS, TapLanes};
use crate::sample::levels::level::{self, LevelArrays, LevelKernel};
use crate::sample::levels::load_rule::{self, IntegerLanes, LoadRule};
use crate::sample::levels::lod::{self, DerivativeRule, Derivatives, PixelFootprints};
use crate::sample::levels::select::{self, LevelRule, Levels, SelectKernel};
use crate::sample::params::{self, HalfPass, LayerRowKernel, RawKernel};
use crate::sample::place::address::{
    self, AddressKernel, BlockSize, Cells, GENERAL, LINEAR, ONE_STEP, RowKernel, THIRDS,
};
use crate::sample::place::axis::{
    self, AxisKernel, AxisRule, AxisSize, AxisTaps, BORDER, BY_DATA, CLAMP, INSIDE, MIRROR_POWER, REPEAT,
    REPEAT_POWER, Subtexel,
};
use crate::sample::place::level_lanes::LevelLanes;
use crate::sample::place::seam::{self, EdgeKernel, FaceLanes, SeamKernel};
use crate::sample::place::{cube, footprint};
use crate::sample::writeback::{self, WriteKernel, WriteKernels, WriteRule};

/// The first `N` of several kernels, as many as the target has of them.
#[allow(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn first<T: Copy, const ALL: usize, const N: usize>(all: [T; ALL]) -> [T; N] {
    let mut some = [all[0]; N];
    let mut at = 1;
    while at < N {
        some[at] = all[at];
        at += 1;
    }
    some
}

/// Kernels that only targets with several lanes have.
const fn multi_lane<T: Copy>(kernels: T) -> Option<T> {
    if LANES == 1 { None } else { Some(kernels) }
}

/// Defines a function that returns a table whose kernels have the target features `$feature`, or `$narrow` where wider vectors would bring
/// gathers and scatters. Kernels with intrinsics: `$pairs`, `$eights`, `$sixteen`, `$rows` and `$locate` (see [`fetch_pairs`],
/// [`fetch_16_bytes`] and [`page_lookup`]), `$halves` ([`half_floats`]), and `$palette`, which looks up palette indices ([`palette`]).
/// `$read` reads elements of up to 4 bytes.
macro_rules! stages {
    // `$d` is a dollar sign, for the macros inside.
    ($d:tt $(#[doc = $doc:literal])* [$($feature:literal)?] [$($narrow:literal)?] [$($pairs:ident $eights:ident $sixteen:ident $rows:ident $locate:ident $halves:ident $palette:ident)?] [$read:ident] $vis:vis fn $name:ident) => {
        $(#[doc = $doc])*
        #[allow(clippy::missing_safety_doc, reason = "it is safe")]
        $(#[target_feature(enable = $feature)])?
        #[must_use]
        $vis const fn $name() -> Stages {
            macro_rules! stage {
                ($d($d rest:tt)*) => { kernel!([$($feature)?] $d($d rest)*) };
            }
            // The same with the features `$narrow`: for loops of which compilers make gathers and scatters where the features have them.
            macro_rules! narrow_stage {
                ($d($d rest:tt)*) => { kernel!([$($narrow)?] $d($d rest)*) };
            }
            // Kernels of one type and signature.
            macro_rules! each {
                ($d stage:ident $d kernel:ident [$d($d inner:expr),*], $d signature:tt) => {
                    [$d($d stage!($d inner, $d signature) as $d kernel),*]
                };
            }
            // The kernel of a kind of channel. Compilers would make gathers of the kinds that are decoded by table look-ups.
            macro_rules! kind_stage {
                (Srgb8, $d($d stage:tt)*) => { narrow_stage!($d($d stage)*) };
                (SrgbNarrow, $d($d stage:tt)*) => { narrow_stage!($d($d stage)*) };
                (Srgb10, $d($d stage:tt)*) => { narrow_stage!($d($d stage)*) };
                (BcColourSrgb, $d($d stage:tt)*) => { narrow_stage!($d($d stage)*) };
                ($d kind:ident, $d($d stage:tt)*) => { stage!($d($d stage)*) };
            }
            macro_rules! axis {
                ($d fold:ident) => {
                    [
                        [axis!($d fold, false, false), axis!($d fold, false, true)],
                        [axis!($d fold, true, false), axis!($d fold, true, true)],
                    ]
                };
                ($d fold:ident, $d linear:literal, $d fixed:literal) => {
                    stage!(axis::place::<$d fold, $d linear, $d fixed>, (
                        rule: &AxisRule, subtexel: &Subtexel, at: &Lanes<LaneBytes>, rounding: &Lanes<f32>, size: &AxisSize,
                        out: &mut AxisTaps
                    ) -> u32) as AxisKernel
                };
            }
            macro_rules! address {
                ($d pattern:ident) => {
                    each!(stage AddressKernel [
                        address::elements::<$d pattern, 1, 1, 1>, address::elements::<$d pattern, 2, 1, 1>,
                        address::elements::<$d pattern, 2, 2, 1>, address::elements::<$d pattern, 2, 2, 2>
                    ], (tile: &LevelAddressing, cells: Cells<'_>, index: &mut TapLanes<u32>))
                };
            }
            macro_rules! select_block_texel {
                ($d kind:literal) => {
                    stage!(single_texels::select::<$d kind>, (
                        half: single_texels::BlockHalf, palette: &single_texels::Palette<'_>, inside: &[u32], low: &[u32], high: &mut [u32]
                    )) as SelectTexelKernel
                };
            }
            macro_rules! split {
                ($d bytes:literal, $d parts:literal $d(, $d read_rows:expr)?) => {
                    SplitElementStages {
                        rows: own!(None $d(, Some((
                            stage!(split_elements::find_rows, (
                                rule: &PartRule, more: u32, first: &[Lanes<u32>], found: &mut [TapLanes<u32>; 2]
                            ) -> bool),
                            $d read_rows,
                        )))?),
                        gather: narrow_stage!(split_elements::gather::<$d bytes, $d parts>, (
                            bytes: &[u8], parts: [&[Lanes<u32>]; 3], words: &mut Words
                        )),
                        pages: narrow_stage!(split_elements::gather_pages::<$d bytes, $d parts>, (
                            memory: &dyn Memory, base: u64, parts: [&TapLanes<u32>; 3], left: &mut [u32; TAPS],
                            words: &mut Words
                        )),
                    }
                };
            }
            macro_rules! channels {
                ($d($d kind:ident)*) => {
                    [$d(kind_stage!($d kind, loops::decode::<loops::$d kind>, (
                        channels: &[ChannelDecode], words: TexelWords<'_>, out: TexelChannels<'_>
                    )) as ChannelKernel),*]
                };
            }
            macro_rules! fetch {
                ($d gather:ident $d bytes:literal) => {
                    narrow_stage!($d gather::<$d bytes>, (
                        bytes: &[u8], index: &[u32], scratch: &mut [TapLanes<u32>; 4], words: &mut Words
                    )) as FetchKernel
                };
            }
            // The kernel with intrinsics, if the table has it and a pass has 16 lanes; else the plain one.
            macro_rules! own {
                ($d plain:expr) => { $d plain };
                ($d plain:expr, $d own:expr) => { if LANES == 16 { $d own } else { $d plain } };
            }
            macro_rules! pages {
                ($d($d gather:ident: $d($d bytes:literal)*);*) => {
                    [$d($d(narrow_stage!(fetch::$d gather::<$d bytes>, (
                        memory: &dyn Memory, base: u64, index: &TapLanes<u32>, left: &mut [u32; TAPS], words: &mut Words
                    )) as PageKernel),*),*]
                };
            }
            macro_rules! result {
                ($d kind:ident, $d inner:expr) => {
                    kind_stage!($d kind, $d inner, (
                        channels: &[ChannelDecode], words: &Words, weights: &Weights, out: &mut ChannelLanes
                    )) as ResultKernel
                };
            }
            macro_rules! compared {
                ($d($d inner:expr),*) => {
                    each!(stage ComparedKernel [$d($d inner),*], (
                        channels: &[ChannelDecode], words: &Words, weights: &Weights, comparison: ShadowTest<'_>,
                        out: &mut ChannelLanes
                    ))
                };
            }
            macro_rules! compared_mean {
                ($d kind:ident) => {
                    compared!(
                        compare::mean::<loops::$d kind, 1>, compare::mean::<loops::$d kind, 2>,
                        compare::mean::<loops::$d kind, 4>, compare::mean::<loops::$d kind, 8>
                    )
                };
            }
            macro_rules! decoded_mean {
                ($d($d kind:ident)*) => {
                    [$d([decoded_mean!($d kind, 1), decoded_mean!($d kind, 2), decoded_mean!($d kind, 4),
                         decoded_mean!($d kind, 8)]),*]
                };
                (Srgb8, $d taps:literal) => { Some(result!(Srgb8, results::srgb_codes::<$d taps>)) };
                (SmallFloat, $d taps:literal) => {
                    own!(
                        Some(result!(SmallFloat, results::mean::<loops::SmallFloat, $d taps>))
                        $(, Some($halves::filter::<$d taps> as ResultKernel))?
                    )
                };
                ($d kind:ident, 1) => { Some(result!($d kind, results::only::<loops::$d kind>)) };
                // No kernel: integers are not filtered, constants need no filter, and compilers make no vectors of colours of BC blocks
                // here.
                (Uint, $d taps:literal) => { None };
                (Sint, $d taps:literal) => { None };
                (BcColour, $d taps:literal) => { None };
                (BcColourSrgb, $d taps:literal) => { None };
                (Bc1Alpha, $d taps:literal) => { None };
                (Rare, $d taps:literal) => { None };
                (Constant, $d taps:literal) => { None };
                (Unorm, $d taps:literal) => { Some(result!(Unorm, results::refined::<false, $d taps>)) };
                (Snorm, $d taps:literal) => { Some(result!(Snorm, results::refined::<true, $d taps>)) };
                ($d kind:ident, $d taps:literal) => {
                    Some(result!($d kind, results::mean::<loops::$d kind, $d taps>))
                };
            }
            macro_rules! srgb_and_alpha {
                ($d taps:literal) => { Some(result!(Srgb8, results::srgb_and_alpha::<$d taps>)) };
            }
            macro_rules! decoded_gather {
                ($d($d kind:ident)*) => {
                    [$d(result!($d kind, results::gather::<loops::$d kind>)),*]
                };
            }
            macro_rules! every_kind {
                ($d make:ident) => {
                    $d make!(
                        Unorm Snorm UnormUnrefined SnormUnrefined Unorm32 Snorm32 SmallFloat Double Word Uint Sint
                        Uscaled Sscaled Srgb8 SrgbNarrow Srgb10 SharedExponent BcColour BcColourSrgb Bc1Alpha BcRamp
                        Rare Constant
                    )
                };
            }
            macro_rules! seams {
                ($d($d pattern:ident)*) => {
                    [$d(stage!(seam::place::<$d pattern>, (
                        tile: &LevelAddressing, lanes: FaceLanes<'_>, taps: &[AxisTaps; 3], scratch: &mut [Lanes<u32>; 4],
                        index: &mut TapLanes<u32>, inside: &mut TapLanes<u32>, corner: &mut Lanes<u32>
                    ) -> bool) as SeamKernel),*]
                };
            }
            // Floats (`true`) or integers, of so many bytes.
            macro_rules! write {
                ($d float:literal $d bytes:literal) => {{
                    let [some, whole] = each!(stage WriteKernel [
                        writeback::write::<$d float, $d bytes, false>,
                        writeback::write::<$d float, $d bytes, true>
                    ], (rule: &WriteRule, values: &ChannelLanes, lanes: [u32; 2], at: usize, out: &mut [u8]));
                    let two = stage!(writeback::write_two::<$d float, $d bytes>, (
                        rule: &WriteRule, values: &ChannelLanes, first: &mut [u8], second: &mut [u8]
                    ));
                    WriteKernels { some, whole, two }
                }};
            }
            Stages {
                floats: stage!(params::floats, (bytes: &Lanes<[u8; 4]>, out: &mut Lanes<f32>)),
                axis: first([axis!(REPEAT), axis!(REPEAT_POWER), axis!(MIRROR_POWER), axis!(CLAMP), axis!(BORDER), axis!(INSIDE), axis!(BY_DATA)]),
                placement: placement::$name(),
                whole: false,
                raw: multi_lane(stage!(params::raw, (floats: &Lanes<f32>, out: &mut Lanes<LaneBytes>)) as RawKernel),
                payload: multi_lane(PayloadStages {
                    layers: stage!(params::layers, (index: &Lanes<LaneBytes>, layers: [u32; 2], out: &mut Lanes<u32>)),
                    layer_rows: each!(stage LayerRowKernel [params::layer_rows::<false>, params::layer_rows::<true>], (
                        tile: &LevelAddressing, index: &Lanes<LaneBytes>, layers_and_first: [u32; 2], level: &LevelLanes,
                        rows: &mut Lanes<u32>, slice_offset: &mut Lanes<u32>
                    )),
                    finite: stage!(cube::make_finite, (axes: &mut [Lanes<f32>; 3])),
                    faces: stage!(cube::raw_faces, (
                        direction: [&Lanes<LaneBytes>; 3], layers: &Lanes<u32>, plane: &mut [Lanes<LaneBytes>; 2],
                        faces: &mut Lanes<u32>, slices: &mut Lanes<u32>
                    )),
                    halves: own!(
                        stage!(params::widen_halves, (halves: &[Lanes<[u8; 2]>], out: &mut [Lanes<LaneBytes>])) $(, $halves::widen)?
                    ),
                    shorts: stage!(params::widen_shorts, (shorts: &[Lanes<[u8; 2]>], out: &mut [Lanes<LaneBytes>])),
                    words: stage!(params::widen_words, (words: &[Lanes<[u8; 2]>], out: &mut [Lanes<LaneBytes>])),
                    join: stage!(params::join, (first: &[HalfPass], second: &[HalfPass], out: &mut [Lanes<LaneBytes>])),
                    offsets: stage!(params::offsets, (words: &Lanes<LaneBytes>, axis: usize, out: &mut Lanes<f32>)),
                    differences: stage!(lod::differences, (
                        at: &Lanes<f32>, dx: &mut Lanes<f32>, dy: &mut Lanes<f32>, first: &mut Lanes<f32>
                    )),
                    subspans: narrow_stage!(lod::subspans, (
                        rule: &DerivativeRule, at: [&Lanes<LaneBytes>; 2], bias: Option<&Lanes<LaneBytes>>, out: &mut Lanes<f32>
                    )),
                    gradients: stage!(lod::gradients, (
                        rule: &DerivativeRule, along: [[&Lanes<LaneBytes>; 2]; 2], out: &mut Lanes<f32>
                    )),
                }),
                address: first([address!(GENERAL), address!(LINEAR), address!(ONE_STEP), address!(THIRDS)]),
                split: stage!(address::split, (
                    size: [BlockSize; 2], x: &mut [Lanes<u32>; 2], y: &mut [Lanes<u32>; 2], inside: &mut TapLanes<u32>
                )),
                select_texel: first([
                    select_block_texel!(0), select_block_texel!(1), select_block_texel!(2),
                    own!(select_block_texel!(3) $(, palette::$palette as SelectTexelKernel)?), select_block_texel!(4),
                    select_block_texel!(5), select_block_texel!(6), select_block_texel!(7),
                ]),
                fetch: first([
                    fetch!($read 1), fetch!($read 2), fetch!($read 4), fetch!(gather 8),
                    own!(fetch!(gather 16) $(, fetch_16_bytes::$sixteen::<16> as FetchKernel)?), fetch!(gather 32),
                    fetch!(gather_thirds 3), fetch!(gather_thirds 6),
                    own!(fetch!(gather_thirds 12) $(, fetch_16_bytes::$sixteen::<4> as FetchKernel)?), fetch!(gather_thirds 24),
                ]),
                fetch_pairs: own!([None; SIZES * MULTI_LANE] $(, first([
                    Some(fetch_pairs::$pairs::<1, 1, false> as FetchKernel), Some(fetch_pairs::$pairs::<2, 2, false>),
                    Some(fetch_pairs::$pairs::<4, 4, false>), Some(fetch_16_bytes::$eights::<false>), None, None,
                    Some(fetch_pairs::$pairs::<3, 1, false>), Some(fetch_pairs::fetch_sixes), None, None,
                ]))?),
                fetch_block_pairs: own!([None; 4 * MULTI_LANE] $(, first([
                    Some(fetch_pairs::$pairs::<1, 1, true> as FetchKernel), None, Some(fetch_pairs::$pairs::<4, 4, true>), None,
                ]))?),
                pages: first(pages!(gather_pages: 1 2 4 8 16 32; gather_pages_of_thirds: 3 6 12 24)),
                locate: first([[
                    narrow_stage!(frames::locate_texel, (
                        frames: &PageFrames<'_>, index: &[Lanes<u32>], out: &mut Located
                    ) -> bool) as LocateKernel,
                    stage!(frames::locate, (
                        frames: &PageFrames<'_>, index: &[Lanes<u32>], out: &mut Located
                    ) -> bool),
                ]]),
                locate_near: own!(None $(, Some(page_lookup::$locate as LocateKernel))?),
                parts: first([stage!(split_elements::find, (
                    rule: &PartRule, first: &[Lanes<u32>], others: &mut [TapLanes<u32>; 2]
                )) as PartKernel]),
                any_crosses_run: first([stage!(split_elements::any_crosses_run, (
                    last: u32, more: u32, first: &[Lanes<u32>]
                ) -> bool) as CrossesRunKernel]),
                split_elements: first([
                    split!(1, 3 $(, fetch_16_bytes::$rows::<1>)?), split!(2, 3 $(, fetch_16_bytes::$rows::<2>)?), split!(4, 3),
                    split!(8, 3), split!(16, 2),
                ]),
                channel: if LANES == 1 {
                    first([loops::decode::<loops::AnyKind> as ChannelKernel])
                } else {
                    first(every_kind!(channels))
                },
                weights: each!(narrow_stage WeightKernel [filter::weights::<2>, filter::weights::<4>, filter::weights::<8>], (
                    fractions: [&Lanes<f32>; 3], out: &mut Weights
                )),
                mean: each!(stage FoldKernel [filter::mean::<2>, filter::mean::<4>, filter::mean::<8>], (
                    texels: &TapLanes<u32>, weights: &Weights, refinement: Refinement, out: &mut Lanes<u32>
                )),
                covered_mean: first(each!(stage CoveredMeanKernel [
                    filter::covered_mean::<2>, filter::covered_mean::<4>, filter::covered_mean::<8>
                ], (
                    texels: &[TapLanes<u32>; 4], weights: &Weights, outside: [&Lanes<u32>; 3], border: &Border,
                    out: &mut ChannelLanes
                ))),
                decoded_mean: first(every_kind!(decoded_mean)),
                srgb_and_alpha: first([[
                    srgb_and_alpha!(1), srgb_and_alpha!(2), srgb_and_alpha!(4), srgb_and_alpha!(8)
                ]]),
                decoded_gather: first(every_kind!(decoded_gather)),
                sample_coords: stage!(footprint::sample_coords, (
                    number: u32, samples: &Lanes<u32>, centre: &Lanes<f32>, along: &Lanes<f32>, out: &mut Lanes<f32>
                )),
                sum: stage!(footprint::sum, (
                    number: u32, samples: &Lanes<u32>, channels: u8, sample: &ChannelLanes, sum: &mut ChannelLanes
                )),
                divide: stage!(footprint::divide, (samples: &Lanes<u32>, sum: &mut Lanes<u32>)),
                extreme: stage!(filter::extreme, (
                    reduction: Reduction, texels: &[Lanes<u32>], weights: &Weights, on: u32, out: &mut Lanes<u32>
                )),
                join_levels: stage!(filter::join_levels, (
                    reduction: Reduction, finer: &mut Lanes<u32>, coarser: &Lanes<u32>, fraction: &Lanes<f32>
                )),
                cover: stage!(filter::cover, (
                    outside: [&Lanes<u32>; 3], tap: usize, border: &[u32], channels: &mut [&mut Lanes<u32>]
                )),
                compare: narrow_stage!(compare::compare, (
                    shadow: &Shadow, reference: &Lanes<f32>, texels: &mut [Lanes<u32>]
                )),
                compared_mean: first([compared_mean!(Unorm), compared_mean!(Word)]),
                covered_compared: first(each!(stage CoveredComparedKernel [
                    compare::covered_mean::<1>, compare::covered_mean::<2>, compare::covered_mean::<4>, compare::covered_mean::<8>
                ], (
                    texels: &TapLanes<u32>, comparison: ShadowTest<'_>, weights: &Weights,
                    outside: [&Lanes<u32>; 3], border: u32, out: &mut Lanes<u32>
                ))),
                compared_gather: first(compared!(compare::gather::<loops::Unorm>, compare::gather::<loops::Word>)),
                seam: first(seams!(GENERAL LINEAR ONE_STEP THIRDS)),
                edges: first([narrow_stage!(seam::look_up, (edges: &mut [Lanes<u32>; 4])) as EdgeKernel]),
                stored: first([stage!(stored_blocks::locate, (
                    layout: &StoreLayout, width: BlockSize, index: &[Lanes<u32>], inside: &[Lanes<u32>],
                    places: &mut Located
                )) as StoredKernel]),
                corner: stage!(seam::average, (
                    kind: TexelKind, corner: &Lanes<u32>, texels: &mut TapLanes<u32>
                )),
                rows: first(each!(stage RowKernel [address::rows::<false>, address::rows::<true>], (
                    tile: &LevelAddressing, first: u32, slices: &Lanes<u32>, level: &LevelLanes,
                    rows: &mut Lanes<u32>, slice_offset: &mut Lanes<u32>
                ))),
                derive: stage!(lod::derive, (
                    rule: &DerivativeRule, derivatives: &Derivatives, out: &mut PixelFootprints
                )),
                project: stage!(lod::project, (direction: &[Lanes<f32>; 3], derivatives: &mut Derivatives)),
                select: first(each!(stage SelectKernel [
                    select::select::<true, true, true>, select::select::<false, false, true>, select::select::<true, false, true>
                ], (rule: &LevelRule, lambda: &Lanes<f32>, minimum: &Lanes<f32>, out: &mut Levels))),
                level: multi_lane(narrow_stage!(level::fill, (
                    levels: &LevelArrays, numbers: &Lanes<u32>, axes: usize, out: &mut LevelLanes
                )) as LevelKernel),
                load: stage!(load_rule::place, (
                    rule: &LoadRule, at: &IntegerLanes<'_>, taps: &mut [AxisTaps; 3], slices: &mut Lanes<u32>,
                    levels: &mut Lanes<u32>
                ) -> bool),
                write: first([
                    write!(true 4),
                    write!(false 4),
                    own!(write!(true 2) $(, WriteKernels {
                        some: $halves::write::<false>,
                        whole: $halves::write::<true>,
                        two: $halves::write_two,
                    })?),
                    write!(false 2),
                ]),
            }
        }
    };
}

stages! {
    $
    /// The stages with the features of the crate's target.
    [] [] [] [gather] pub(super) fn baseline
}

#[cfg(target_arch = "x86_64")]
stages! {
    $
    /// The stages with 256-bit vectors.
    ["avx2,bmi1,bmi2,lzcnt,popcnt,f16c"] ["avx2,bmi1,bmi2,lzcnt,popcnt,f16c"] [fetch_256 fetch_eights_256 fetch_sixteen_256 fetch_rows_256 locate_256 half_floats entries_256] [read] pub fn avx2
}

#[cfg(target_arch = "x86_64")]
stages! {
    $
    /// The stages with 512-bit vectors.
    ["avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt,f16c"]
    ["avx2,bmi1,bmi2,lzcnt,popcnt,f16c"] [fetch_512 fetch_eights_512 fetch_sixteen_512 fetch_rows_512 locate_512 half_floats entries_512] [read] pub(super) fn avx512_base
}
