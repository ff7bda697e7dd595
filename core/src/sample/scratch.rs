//! The intermediate values that stages pass to each other, for the lanes of one pass.

use super::fetch::frames::Located;
use super::fetch::split_elements::PartLanes;
use super::fetch::{LANE_WORDS, Words, put_words};
use super::filter::Weights;
use super::lanes::{ChannelLanes, LANES, LaneBytes, Lanes, MULTI_LANE, TAPS, TapLanes, lane, numbers};
use super::levels::lod::{Derivatives, PixelFootprints};
use super::levels::select::Levels;
use super::place::axis::{AxisSize, AxisTaps};
use super::place::level_lanes::LevelLanes;

/// Working memory for the execution of messages: about 35 KiB on 64-bit hosts, less than 1 KiB on small targets.
///
/// Nothing in it lives from one message to the next. Keep one for each thread and pass it to every call of
/// [`Prepared::execute`](super::Prepared::execute): it does not have to be cleared between messages.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(super) scratches: PassScratches,
    /// Payloads after the conversion to 32 bits and whole passes, see [`Widen`](super::plan::widen::Widen).
    pub(super) widened: Widened,
}

/// Converted parameters, 32 bits for each lane. There is room for at least two passes of any message's parameters.
pub(super) type Widened = [[Lanes<LaneBytes>; WIDENED]; MULTI_LANE];
pub(super) const WIDENED: usize = 24;

/// The working memory of passes that run side by side.
#[derive(Clone, Debug)]
pub(super) struct PassScratches {
    pub(super) scratch: PassScratch,
    /// For what runs side by side with the first scratch: the coarser mip level of the same pass, or another pass or message. Small
    /// targets run these one after the other.
    pub(super) other: [PassScratch; MULTI_LANE],
    /// The mip levels that the lanes of several passes have chosen.
    pub(super) chosen: [[ChosenMips; PASSES_TOGETHER]; MULTI_LANE],
}

/// The number of passes whose lanes choose their mip levels before texels of any of them are read: a multiple of two. The choice is a
/// short chain of stages, each of which waits for the one before it: the stages of other passes fill these waits.
pub(super) const PASSES_TOGETHER: usize = 4;

/// The mip levels that the lanes of a pass have chosen, with the constants of these mip levels.
#[cfg_attr(target_pointer_width = "64", repr(align(64)))]
#[derive(Clone, Copy, Debug)]
pub(super) struct ChosenMips {
    pub(super) footprints: PixelFootprints,
    pub(super) levels: Levels,
    /// The constants of the finer and of the coarser mip level.
    pub(super) level: [LevelLanes; 2],
}

impl Scratch {
    /// Returns working memory for one message, or for two payloads of a batch that run side by side.
    pub const fn new() -> Self {
        // Zeros copied from one constant take the least code.
        const { Self::filled(0) }
    }

    /// Returns working memory with `word` everywhere: tests show with it that results do not depend on previous contents.
    pub const fn filled(word: u32) -> Self {
        let scratch = PassScratch::filled(word);
        let chosen =
            ChosenMips { footprints: scratch.footprints, levels: scratch.levels, level: scratch.level };
        let scratches = PassScratches {
            scratch,
            other: [scratch; MULTI_LANE],
            chosen: [[chosen; PASSES_TOGETHER]; MULTI_LANE],
        };
        Self { scratches, widened: [[[word.to_le_bytes(); LANES]; WIDENED]; MULTI_LANE] }
    }
}

/// The values that the stages of a pass hand to each other.
// Lanes begin at a cache line: loads and stores of a vector that straddles two cache lines take longer.
#[cfg_attr(target_pointer_width = "64", repr(align(64)))]
#[derive(Clone, Copy, Debug)]
pub(super) struct PassScratch {
    /// Coordinates U, V and R; for cubes, the first two become S and T on the face.
    pub(super) coordinate: [Lanes<f32>; 3],
    /// S and T on the faces of a cube, in the bytes of a payload: the coordinates of the direct path.
    pub(super) raw: [[Lanes<LaneBytes>; 2]; MULTI_LANE],
    /// Programmable texel offsets, as constants that also round: see [`rounding`](super::rounding::rounding).
    pub(super) rounding: [Lanes<f32>; 3],
    /// The slice, counted from the view's first: the layer, or for cubes `layer * 6 + face`.
    pub(super) slice: Lanes<u32>,
    /// The face of a cube: +X 0, -X 1, +Y 2, -Y 3, +Z 4, -Z 5.
    pub(super) face: Lanes<u32>,
    /// The number of the texel of a footprint that lies beyond two edges of its face, at a corner of the cube;
    /// [`NO_CORNER`](super::place::seam::NO_CORNER) if there is none.
    pub(super) corner: Lanes<u32>,
    /// Reference values of depth comparisons.
    pub(super) reference: Lanes<f32>,
    pub(super) derivatives: Derivatives,
    pub(super) footprints: PixelFootprints,
    pub(super) levels: Levels,
    /// The constants of the finer and of the coarser mip level.
    pub(super) level: [LevelLanes; 2],
    /// Texel coordinates and weights along U, V and R.
    pub(super) taps: [AxisTaps; 3],
    /// The rows of the surface where the lanes' slices begin, if lanes can read different slices (volumes: of both slices).
    pub(super) rows: [Lanes<u32>; 2],
    /// What these slices add to the index of an element, where a tile holds several slices.
    pub(super) slice_offset: [Lanes<u32>; 2],
    /// The indices of the texels' elements in the surface.
    pub(super) index: TapLanes<u32>,
    /// The indices of the second and the third part of elements that tiling splits, see [`split_elements`](super::fetch::split_elements).
    pub(super) parts: PartLanes,
    /// The pages and units of elements of paged surfaces, see [`Located`]; for stored blocks, where their texels are in the store.
    pub(super) located: [Located; MULTI_LANE],
    /// Block formats: the texel in its block, column in bits 3:0 and row from bit 4 up.
    pub(super) inside: TapLanes<u32>,
    /// For each texel of a footprint, the mask of lanes that could not read it: a null page, or a fault.
    pub(super) null: [u32; TAPS],
    pub(super) words: Words,
    /// Decoded texels, by channel.
    pub(super) texels: [TapLanes<u32>; 4],
    pub(super) weights: Weights,
    /// Results, by [`RESULT`], [`COARSER`], [`SAMPLES`] and [`MAGNIFIED`].
    pub(super) values: [ChannelLanes; 4],
}

/// Index in [`PassScratch::values`] of the results of a pass; while two mip levels are read, of those of the finer one.
pub(super) const RESULT: usize = 0;
/// Index of the results of the coarser of two mip levels.
pub(super) const COARSER: usize = 1;
/// Index of the results of a single anisotropic sample, before it is added to the sum.
pub(super) const SAMPLES: usize = 2;
/// Index of the results of magnified lanes, kept while the minified lanes are filtered.
pub(super) const MAGNIFIED: usize = 3;

impl PassScratch {
    pub(super) const fn new() -> Self {
        // Zeros copied from one constant take the least code.
        const { Self::filled(0) }
    }

    const fn filled(word: u32) -> Self {
        let (words, floats) = ([word; LANES], [f32::from_bits(word); LANES]);
        let size = AxisSize { texels: floats, inverse: floats };
        let level = LevelLanes { size: [size; 3], column: words, row: words, layer: words };
        Self {
            coordinate: [floats; 3],
            raw: [[[word.to_le_bytes(); LANES]; 2]; MULTI_LANE],
            rounding: [floats; 3],
            slice: words,
            face: words,
            corner: words,
            reference: floats,
            derivatives: [[floats; 3]; 2],
            footprints: PixelFootprints { lambda: floats, samples: words, major: [floats; 3] },
            levels: Levels {
                magnified: words,
                finer: words,
                coarser: words,
                fraction: floats,
                lanes: [word; 2],
                lod: floats,
                clamped: floats,
            },
            level: [level; 2],
            taps: [AxisTaps { texel: [words; 2], fraction: floats, outside: words }; 3],
            rows: [words; 2],
            slice_offset: [words; 2],
            index: [words; TAPS],
            parts: [[[words; TAPS]; 2]; MULTI_LANE],
            located: [[[words; TAPS]; 2]; MULTI_LANE],
            inside: [words; TAPS],
            null: [word; TAPS],
            words: [[word; super::fetch::TEXELS]; 4],
            texels: [[words; TAPS]; 4],
            weights: [floats; TAPS],
            values: [[words; 4]; 4],
        }
    }

    /// Returns the mask of lanes in `on` that read each of the first `texels` texels from memory. The border replaces texels that are
    /// outside along one of the first `axes` axes (`None`: none are replaced); their words become 0, because stale words may take long
    /// to decode.
    pub(super) fn reading_lanes(&mut self, axes: Option<usize>, texels: usize, on: u32) -> [u32; TAPS] {
        let mut reading = [0; TAPS];
        reading.iter_mut().take(texels).for_each(|lanes| *lanes = on);
        let (Some(axes), Self { taps, words, .. }) = (axes, self) else { return reading };
        for (tap, lanes) in reading.iter_mut().enumerate().take(texels) {
            for at in numbers(on).filter(|at| is_outside(taps, axes, tap, *at)) {
                *lanes &= !(1 << at);
                put_words(words, tap, at, [0; LANE_WORDS]);
            }
        }
        reading
    }

    /// Copies the results of the lanes in the mask `magnified` from [`MAGNIFIED`] to [`RESULT`], which has those of minified lanes.
    #[cfg_attr(target_pointer_width = "64", inline(never))]
    pub(super) fn join_magnified(&mut self, magnified: u32) {
        let [result, _, _, kept] = &mut self.values;
        for (result, kept) in result.iter_mut().zip(kept) {
            for (lane, (result, kept)) in result.iter_mut().zip(kept).enumerate() {
                *result = if magnified >> lane & 1 != 0 { *kept } else { *result };
            }
        }
    }
}

/// Returns true if texel `tap` of lane `at` is outside along one of the first `axes` axes.
pub(super) fn is_outside(taps: &[AxisTaps; 3], axes: usize, tap: usize, at: usize) -> bool {
    let bit = |(shift, axis): (usize, &AxisTaps)| lane(&axis.outside, at) >> (tap >> shift & 1) & 1;
    taps.iter().enumerate().take(axes).map(bit).any(|bit| bit != 0)
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}
