//! The intermediate values that stages pass to each other, for the lanes of one pass.

use super::fetch::apart::PartLanes;
use super::fetch::frames::Located;
use super::fetch::{LANE_WORDS, Words, put_words};
use super::filter::Weights;
use super::lanes::{Channels, LANES, Lanes, RawFloat, TAPS, TapLanes, WIDE, lane, numbers};
use super::levels::lod::{Derivatives, Footprints};
use super::levels::select::Levels;
use super::place::axis::{AxisSize, AxisTaps};
use super::place::level_lanes::LevelLanes;

/// Room for the stages of messages: about 35 KiB on 64-bit hosts, less than 1 KiB on small targets.
///
/// Nothing in it lives from one message to the next. Keep one for each thread and hand it to
/// [`Prepared::execute`](super::Prepared::execute) again and again: it is not cleared for each message.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(super) rooms: Rooms,
    /// Payloads of 16 bits, in 32 bits.
    pub(super) widened: Widened,
}

/// Lanes of parameters in 32 bits: of as many passes as there is room for, two at least.
pub(super) type Widened = [[Lanes<RawFloat>; WIDENED]; WIDE];
pub(super) const WIDENED: usize = 24;

/// The rooms of what runs side by side.
#[derive(Clone, Debug)]
pub(super) struct Rooms {
    pub(super) room: Room,
    /// Of what runs side by side with the first: the second level of a message, another message. Small targets do one thing
    /// after the other.
    pub(super) other: [Room; WIDE],
    /// The levels of passes.
    pub(super) chosen: [[Chosen; TOGETHER]; WIDE],
}

/// Passes whose lanes choose their levels before any of them is read: a multiple of two. What chooses is little, and each step waits for
/// the one before it.
pub(super) const TOGETHER: usize = 4;

/// The levels that lanes have chosen, and what those are.
#[cfg_attr(target_pointer_width = "64", repr(align(64)))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) footprints: Footprints,
    pub(super) levels: Levels,
    /// The finer and the coarser level.
    pub(super) level: [LevelLanes; 2],
}

impl Scratch {
    /// Room for a message, or two of a batch.
    pub const fn new() -> Self {
        // Zeros of one constant are the least code.
        const { Self::filled(0) }
    }

    /// Room with `word` everywhere: for tests that show that a message does not see what was there.
    pub const fn filled(word: u32) -> Self {
        let room = Room::filled(word);
        let chosen = Chosen { footprints: room.footprints, levels: room.levels, level: room.level };
        let rooms = Rooms { room, other: [room; WIDE], chosen: [[chosen; TOGETHER]; WIDE] };
        Self { rooms, widened: [[[word.to_le_bytes(); LANES]; WIDENED]; WIDE] }
    }
}

/// What the stages of a pass hand to each other.
// Lanes begin at a cache line: a vector of them that lies across two takes longer.
#[cfg_attr(target_pointer_width = "64", repr(align(64)))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// U, V and R; of a cube S and T on the face.
    pub(super) coordinate: [Lanes<f32>; 3],
    /// The first two of them as a payload has them.
    pub(super) raw: [[Lanes<RawFloat>; 2]; WIDE],
    /// Programmable texel offsets: see [`rounding`](super::rounding::rounding).
    pub(super) rounding: [Lanes<f32>; 3],
    /// The slice, counted from the view's first: layer, or layer and face.
    pub(super) slice: Lanes<u32>,
    /// Faces of a cube.
    pub(super) face: Lanes<u32>,
    /// Which texel of a footprint is at a corner of the cube, beyond two edges of its face.
    pub(super) corner: Lanes<u32>,
    /// Reference values of a comparison.
    pub(super) reference: Lanes<f32>,
    pub(super) derivatives: Derivatives,
    pub(super) footprints: Footprints,
    pub(super) levels: Levels,
    /// The finer and the coarser level.
    pub(super) level: [LevelLanes; 2],
    /// Texels along U, V and R.
    pub(super) taps: [AxisTaps; 3],
    /// Rows of the lanes' slices, where they differ (volumes: of both slices).
    pub(super) rows: [Lanes<u32>; 2],
    /// What those slices add to indices inside of tiles.
    pub(super) deep: [Lanes<u32>; 2],
    /// Elements of the surface.
    pub(super) index: TapLanes<u32>,
    /// Those of the second and the third part of elements whose parts are apart.
    pub(super) parts: PartLanes,
    /// Those of surfaces in pages.
    pub(super) located: [Located; WIDE],
    /// Block formats: the texel in its block, column + row * width.
    pub(super) inside: TapLanes<u32>,
    /// A bit for each lane whose texel is on a null page.
    pub(super) null: [u32; TAPS],
    pub(super) words: Words,
    /// Decoded texels, by channel.
    pub(super) texels: [TapLanes<u32>; 4],
    pub(super) weights: Weights,
    /// Results: see the constants below.
    pub(super) values: [Channels; 4],
}

/// The results of a pass in [`Room::values`]; of two levels those of the finer one.
pub(super) const RESULT: usize = 0;
/// The results of the coarser of two levels.
pub(super) const COARSER: usize = 1;
/// An anisotropic sample.
pub(super) const SAMPLES: usize = 2;
/// Results of magnified lanes while those of the others are made.
pub(super) const MAGNIFIED: usize = 3;

impl Room {
    pub(super) const fn new() -> Self {
        // Zeros of one constant are the least code.
        const { Self::filled(0) }
    }

    const fn filled(word: u32) -> Self {
        let (words, floats) = ([word; LANES], [f32::from_bits(word); LANES]);
        let size = AxisSize { texels: floats, inverse: floats };
        let level = LevelLanes { size: [size; 3], column: words, row: words, layer: words };
        Self {
            coordinate: [floats; 3],
            raw: [[[word.to_le_bytes(); LANES]; 2]; WIDE],
            rounding: [floats; 3],
            slice: words,
            face: words,
            corner: words,
            reference: floats,
            derivatives: [[floats; 3]; 2],
            footprints: Footprints { lambda: floats, samples: words, major: [floats; 3] },
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
            deep: [words; 2],
            index: [words; TAPS],
            parts: [[[words; TAPS]; 2]; WIDE],
            located: [[[words; TAPS]; 2]; WIDE],
            inside: [words; TAPS],
            null: [word; TAPS],
            words: [[word; super::fetch::TEXELS]; 4],
            texels: [[words; TAPS]; 4],
            weights: [floats; TAPS],
            values: [[words; 4]; 4],
        }
    }

    /// A texel is outside along one of the first `axes` axes.
    pub(super) fn is_outside(&self, axes: usize, tap: usize, at: usize) -> bool {
        is_outside(&self.taps, axes, tap, at)
    }

    /// The lanes in `on` that read each of the texels: the border stands for those that are outside along one of the first `axes` axes
    /// (`None`: it stands for none). Their words are 0, for what was there before may take long to decode.
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

    /// Puts the results of magnified lanes beside those of the others.
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

fn is_outside(taps: &[AxisTaps; 3], axes: usize, tap: usize, at: usize) -> bool {
    let bit = |(shift, axis): (usize, &AxisTaps)| lane(&axis.outside, at) >> (tap >> shift & 1) & 1;
    taps.iter().enumerate().take(axes).map(bit).any(|bit| bit != 0)
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}
