//! The parameters of a message: from the bytes of a payload to lanes.

use super::lanes::{HALF, LANES, Lanes, RawFloat};
use super::place::address::{LevelRows, row_of_slice};
use super::rounding::{clamp, integer, rounding};
use super::unspecified;
use crate::bits::sign_extend;
use crate::format::half;
use crate::memory::LevelAddressing;
use crate::message::{Message, Param, ParamIndices, Payload, Width, raw_lane};

/// Reads the floats of all lanes.
pub(super) type FloatsKernel = fn(&Lanes<[u8; 4]>, &mut Lanes<f32>);

/// See [`FloatsKernel`]. A stage, so that what is stored is as wide as what the next stage loads.
#[inline(always)]
pub(super) fn floats(bytes: &Lanes<[u8; 4]>, out: &mut Lanes<f32>) {
    for (out, bytes) in out.iter_mut().zip(bytes) {
        *out = f32::from_le_bytes(*bytes);
    }
}

/// Array indices become slices of so many layers.
pub(super) type LayerKernel = fn(&Lanes<RawFloat>, [u32; 2], &mut Lanes<u32>);

/// See [`LayerKernel`]: layers and the slices of each.
#[inline(always)]
pub(super) fn layers(index: &Lanes<RawFloat>, [layers, faces]: [u32; 2], out: &mut Lanes<u32>) {
    for (out, index) in out.iter_mut().zip(index) {
        *out = layer(f32::from_le_bytes(*index), layers).wrapping_mul(faces);
    }
}

/// [`layers`] and [`RowKernel`](super::place::address::RowKernel) in one: array indices become rows where slices begin.
/// `layers_and_first`: the layers of the view, and its first slice.
pub(super) type LayerRowKernel = fn(
    &LevelAddressing,
    index: &Lanes<RawFloat>,
    layers_and_first: [u32; 2],
    LevelRows<'_>,
    rows: &mut Lanes<u32>,
    deep: &mut Lanes<u32>,
);

/// See [`LayerRowKernel`]. `DEEP`: slices are inside of tiles.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "several arrays, one number of the lane")]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
pub(super) fn layer_rows<const DEEP: bool>(
    tile: &LevelAddressing,
    index: &Lanes<RawFloat>,
    [layers, first]: [u32; 2],
    level: LevelRows<'_>,
    rows: &mut Lanes<u32>,
    deep: &mut Lanes<u32>,
) {
    for i in 0..LANES {
        let slice = layer(f32::from_le_bytes(index[i]), layers).wrapping_add(first);
        (rows[i], deep[i]) = row_of_slice::<DEEP>(tile, slice, level, i);
    }
}

/// The slice of an array index: rounded half to even, then clamped. NaN is 0 (U06).
#[inline(always)]
pub(super) fn layer(index: f32, layers: u32) -> u32 {
    let held = clamp(index, 0.0, layers.saturating_sub(1) as i32 as f32);
    // The nearest integer, ties to even, is in the low bits.
    integer(if held.is_nan() { 0.0 } else { held })
}

/// Words become texel offsets along an axis, U or V: of words with both of them, or (as U) with one.
pub(super) type OffsetKernel = fn(&Lanes<RawFloat>, usize, &mut Lanes<f32>);

/// See [`OffsetKernel`].
#[inline(always)]
pub(super) fn offsets(words: &Lanes<RawFloat>, axis: usize, out: &mut Lanes<f32>) {
    for (out, word) in out.iter_mut().zip(words) {
        *out = rounding(unspecified::packed_offset(u32::from_le_bytes(*word), axis));
    }
}

/// Halves or 16-bit integers become floats or integers of 32 bits, of one parameter or pass after the other.
pub(super) type WidenKernel = fn(&[Lanes<[u8; 2]>], &mut [Lanes<RawFloat>]);

/// See [`WidenKernel`].
#[inline(always)]
pub(super) fn widen_halves(halves: &[Lanes<[u8; 2]>], out: &mut [Lanes<RawFloat>]) {
    for (out, half) in out.as_flattened_mut().iter_mut().zip(halves.as_flattened()) {
        *out = half::to_f32(u16::from_le_bytes(*half)).to_le_bytes();
    }
}

/// The lanes of two halves of a pass become those of a whole one, of one parameter after the other.
pub(super) type JoinKernel = fn(&[HalfPass], &[HalfPass], &mut [Lanes<RawFloat>]);

/// The words of half a pass.
pub(super) type HalfPass = [RawFloat; HALF];

/// See [`JoinKernel`].
#[inline(always)]
pub(super) fn join(first: &[HalfPass], second: &[HalfPass], out: &mut [Lanes<RawFloat>]) {
    for ((out, first), second) in out.iter_mut().zip(first).zip(second) {
        for (half, words) in out.as_chunks_mut().0.iter_mut().zip([first, second]) {
            *half = *words;
        }
    }
}

/// See [`WidenKernel`]: sign-extended (U03).
#[inline(always)]
pub(super) fn widen_shorts(shorts: &[Lanes<[u8; 2]>], out: &mut [Lanes<RawFloat>]) {
    for (out, short) in out.as_flattened_mut().iter_mut().zip(shorts.as_flattened()) {
        *out = i32::from(i16::from_le_bytes(*short)).to_le_bytes();
    }
}

/// See [`WidenKernel`]: without a sign.
#[inline(always)]
pub(super) fn widen_words(words: &[Lanes<[u8; 2]>], out: &mut [Lanes<RawFloat>]) {
    for (out, word) in out.as_flattened_mut().iter_mut().zip(words.as_flattened()) {
        *out = u32::from(u16::from_le_bytes(*word)).to_le_bytes();
    }
}

/// Floats become what a payload has.
pub(super) type RawKernel = fn(&Lanes<f32>, &mut Lanes<RawFloat>);

/// See [`RawKernel`].
#[inline(always)]
pub(super) fn raw(floats: &Lanes<f32>, out: &mut Lanes<RawFloat>) {
    for (out, float) in out.iter_mut().zip(floats) {
        *out = float.to_le_bytes();
    }
}

/// Where a message has its parameters; the same for every payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParamLayout {
    places: &'static ParamIndices,
    /// How many the message carries.
    count: u8,
    pub(super) width: Width,
    simd: u8,
    /// Passes, if each of them has all of its lanes, in 32 bits; else 0.
    whole: u8,
}

impl ParamLayout {
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(super) const fn new(message: &Message) -> Self {
        let (width, simd) = (message.param_width, message.simd);
        let whole = matches!(width, Width::Full) && (simd as usize).is_multiple_of(LANES);
        let whole = if whole { simd / LANES as u8 } else { 0 };
        Self { places: message.op.places(width), count: message.params, width, simd, whole }
    }

    /// Where the parameters of such a payload are when they are in 32 bits and in whole passes.
    pub(super) const fn widened(self) -> Self {
        let simd = if self.is_part_of_a_pass() { LANES as u8 } else { self.simd };
        let whole = if (simd as usize).is_multiple_of(LANES) { simd / LANES as u8 } else { 0 };
        Self { width: Width::Full, simd, whole, ..self }
    }

    /// The message has the lanes of half a pass, all of them in subspans.
    pub(super) const fn is_half_a_pass(&self) -> bool {
        (self.simd as usize).wrapping_mul(2) == LANES && self.simd.is_multiple_of(4)
    }

    /// The message has fewer lanes than a pass.
    pub(super) const fn is_part_of_a_pass(&self) -> bool {
        (self.simd as usize) < LANES
    }

    /// Passes of a payload in 32 bits if each of them has all of its lanes; else 0.
    #[inline(always)]
    pub(super) const fn passes(&self) -> usize {
        self.whole as usize
    }

    /// The number of a parameter in the payload; `None` when the message does not carry it.
    #[inline(always)]
    pub(super) fn number(&self, param: Param) -> Option<u8> {
        self.places.get(param as usize).copied().filter(|place| *place < self.count)
    }
}

/// The parameters of the lanes of a pass, in 32 bits and all there: of prepared messages, whose stages ask for them by number.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassParams<'a> {
    /// One parameter after the other, `stride` passes of each.
    block: &'a [Lanes<RawFloat>],
    stride: usize,
    /// Where parameters are that the block does not have, and the first lane of the pass.
    others: Option<(&'a Payload<'a>, usize)>,
}

/// A pass of a prepared message: its parameters, and the lanes that are on.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassInput<'a> {
    pub(super) params: PassParams<'a>,
    pub(super) on: u32,
}

impl<'a> PassParams<'a> {
    /// Those of a message of so many passes, one after the other, from a pass on.
    #[inline(always)]
    pub(super) const fn of_lanes(block: &'a [Lanes<RawFloat>], passes: usize) -> Self {
        Self { block, stride: passes, others: None }
    }

    /// Those of a message of one pass; `None` if the block has not all of them.
    #[inline(always)]
    pub(super) fn of_block(layout: &ParamLayout, block: &'a [u8]) -> Option<Self> {
        let (block, _) = block.as_chunks().0.as_chunks();
        (block.len() >= layout.count.into()).then_some(Self::of_lanes(block, 1))
    }

    /// Those of a message of two passes, from lane `first` on; `None` if the block has not all of them.
    #[inline(always)]
    pub(super) fn pass_of_block(layout: &ParamLayout, block: &'a [u8], first: usize) -> Option<Self> {
        let (block, _) = block.as_chunks().0.as_chunks();
        let all = block.get(..usize::from(layout.count).wrapping_mul(2))?;
        Some(Self::of_lanes(all.get(first / LANES..)?, 2))
    }

    /// Those of the lanes of a payload from `first` on, a multiple of their number.
    #[inline(always)]
    pub(super) fn of(layout: &ParamLayout, payload: &'a Payload<'a>, first: usize) -> Self {
        let stride = layout.passes();
        let (passes, _) = payload.block(stride.wrapping_mul(LANES * 4)).as_chunks().0.as_chunks();
        Self {
            block: passes.get(first / LANES..).unwrap_or_default(),
            stride,
            others: Some((payload, first)),
        }
    }

    /// The lanes of the parameter with a number.
    #[inline(always)]
    pub(super) fn get(&self, number: u8) -> Option<&'a Lanes<RawFloat>> {
        let in_block = self.block.get(usize::from(number).wrapping_mul(self.stride));
        if in_block.is_some() { in_block } else { Self::elsewhere(self.others, number) }
    }

    /// The lanes of a parameter that is not in a block with the others, or in the second one.
    #[inline(never)]
    fn elsewhere(others: Option<(&'a Payload<'a>, usize)>, number: u8) -> Option<&'a Lanes<RawFloat>> {
        let (payload, first) = others?;
        lanes_of(payload, number.into(), first)
    }
}

/// The lanes of a parameter from `first` on, if they are there in 32 bits.
fn lanes_of<'a>(payload: &Payload<'a>, place: usize, first: usize) -> Option<&'a Lanes<RawFloat>> {
    payload.part(place, first.wrapping_mul(4), LANES * 4)?.as_chunks().0.first_chunk()
}

/// The parameters of a message by name; what the message does not carry reads 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Params<'m> {
    pub(super) payload: &'m Payload<'m>,
    pub(super) layout: &'m ParamLayout,
}

impl<'m> Params<'m> {
    /// The number of a parameter in the payload; `None` when the message does not carry it.
    #[inline(always)]
    fn place(&self, param: Param) -> Option<usize> {
        self.layout.number(param).map(usize::from)
    }

    /// The lanes of a parameter as bytes.
    #[inline]
    fn bytes(&self, param: Param) -> &'m [u8] {
        self.place(param).map_or(&[], |place| self.payload.slot(place))
    }

    /// The message carries the parameter.
    #[inline]
    pub(super) fn has(&self, param: Param) -> bool {
        self.place(param).is_some()
    }

    /// A lane's pattern, zero-extended; 0 past the message's width.
    pub(super) fn raw(&self, param: Param, lane: usize) -> u32 {
        if lane >= usize::from(self.layout.simd) {
            return 0;
        }
        raw_lane(self.bytes(param), lane, self.layout.width)
    }

    /// A lane's float.
    pub(super) fn float(&self, param: Param, lane: usize) -> f32 {
        self.as_float(self.raw(param, lane))
    }

    #[inline]
    fn as_float(&self, raw: u32) -> f32 {
        if self.layout.width == Width::Half { half::to_f32(raw as u16) } else { f32::from_bits(raw) }
    }

    /// All lanes of parameters from `first` on, sign-extended; 0 for those that are not asked for or that the message does not carry.
    #[inline(never)]
    pub(super) fn words_of<const N: usize>(
        &self,
        parts: [Option<Param>; N],
        first: usize,
    ) -> [Lanes<[u8; 4]>; N] {
        let mut all = [[[0; 4]; LANES]; N];
        for (all, part) in all.iter_mut().zip(parts) {
            if let Some(part) = part.filter(|part| self.has(*part)) {
                let mut lanes = [0; LANES];
                self.signed(part, first, &mut lanes);
                *all = lanes.map(i32::to_le_bytes);
            }
        }
        all
    }

    /// The patterns of all lanes from `first` on, zero-extended; 0 past the message's width.
    #[inline(never)]
    pub(super) fn all(&self, param: Param, first: usize) -> Lanes<u32> {
        let mut lanes = [0; LANES];
        if LANES == 1 {
            return lanes.map(|_: u32| self.raw(param, first));
        }
        let count = usize::from(self.layout.simd).saturating_sub(first);
        let width = self.layout.width;
        let bytes = self.bytes(param).get(first.wrapping_mul(width.bytes())..).unwrap_or_default();
        // Most passes are whole.
        if width == Width::Full
            && count >= LANES
            && let Some(lanes) = bytes.as_chunks().0.first_chunk()
        {
            return lanes.map(u32::from_le_bytes);
        }
        let targets = lanes.iter_mut().take(count);
        match width {
            Width::Full => {
                for (out, lane) in targets.zip(bytes.as_chunks().0) {
                    *out = u32::from_le_bytes(*lane);
                }
            }
            Width::Half => {
                for (out, lane) in targets.zip(bytes.as_chunks().0) {
                    *out = u16::from_le_bytes(*lane).into();
                }
            }
        }
        lanes
    }

    /// Floats.
    pub(super) fn floats(&self, param: Param, first: usize, out: &mut Lanes<f32>) {
        let lanes = self.all(param, first);
        *out = match self.layout.width {
            Width::Full => lanes.map(f32::from_bits),
            Width::Half => lanes.map(|half| half::to_f32(half as u16)),
        };
    }

    /// Signed integers.
    pub(super) fn signed(&self, param: Param, first: usize, out: &mut Lanes<i32>) {
        let width = if self.layout.width == Width::Half { 16 } else { 32 };
        *out = self.all(param, first).map(|raw| sign_extend(raw, width));
    }

    /// LODs or biases that share their parameter with offsets, in the message's width.
    pub(super) fn packed_floats(&self, param: Param, first: usize, width: Width, out: &mut Lanes<f32>) {
        *out = self.all(param, first).map(|word| unspecified::packed_lod(word, width));
    }
}
