//! The parameters of a message: where they are in a payload, and the kernels that convert their bytes to lanes.

use super::lanes::{HALF, LANES, LaneBytes, Lanes};
use super::place::address::row_of_slice;
use super::place::level_lanes::LevelLanes;
use super::rounding::{clamp, integer, rounding};
use super::unspecified;
use crate::bits::sign_extend;
use crate::format::half;
use crate::memory::LevelAddressing;
use crate::message::{Message, Param, ParamIndices, Payload, Width, raw_lane};

/// Converts the payload bytes of all lanes to floats.
pub(super) type FloatsKernel = fn(&Lanes<[u8; 4]>, &mut Lanes<f32>);

/// See [`FloatsKernel`]. It is a stage of its own so that its stores are as wide as the loads of the next stage.
#[inline(always)]
pub(super) fn floats(bytes: &Lanes<[u8; 4]>, out: &mut Lanes<f32>) {
    for (out, bytes) in out.iter_mut().zip(bytes) {
        *out = f32::from_le_bytes(*bytes);
    }
}

/// Converts array indices to slices, counted from the view's first slice. The pair of numbers: see [`layers`].
pub(super) type LayerKernel = fn(&Lanes<LaneBytes>, [u32; 2], &mut Lanes<u32>);

/// See [`LayerKernel`]. `layers`: the number of layers in the view; `faces`: the slices of each layer, 6 for cubes.
#[inline(always)]
pub(super) fn layers(index: &Lanes<LaneBytes>, [layers, faces]: [u32; 2], out: &mut Lanes<u32>) {
    for (out, index) in out.iter_mut().zip(index) {
        *out = layer(f32::from_le_bytes(*index), layers).wrapping_mul(faces);
    }
}

/// Converts array indices to the rows where their slices begin: [`layers`] and [`RowKernel`](super::place::address::RowKernel) in
/// one. `layers_and_first`: the number of layers in the view, and the slice that its layers count from.
pub(super) type LayerRowKernel = fn(
    &LevelAddressing,
    index: &Lanes<LaneBytes>,
    layers_and_first: [u32; 2],
    &LevelLanes,
    rows: &mut Lanes<u32>,
    slice_offset: &mut Lanes<u32>,
);

/// See [`LayerRowKernel`]. `SLICES_IN_TILES`: a tile holds several slices; `slice_offset` is what the slice adds to indices in a tile, else
/// 0.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "arrays of LANES, indexed below LANES: no check remains")]
pub(super) fn layer_rows<const SLICES_IN_TILES: bool>(
    tile: &LevelAddressing,
    index: &Lanes<LaneBytes>,
    [layers, first]: [u32; 2],
    level: &LevelLanes,
    rows: &mut Lanes<u32>,
    slice_offset: &mut Lanes<u32>,
) {
    for i in 0..LANES {
        let slice = layer(f32::from_le_bytes(index[i]), layers).wrapping_add(first);
        (rows[i], slice_offset[i]) = row_of_slice::<SLICES_IN_TILES>(tile, slice, level, i);
    }
}

/// Returns the array layer of an array index: rounded half to even and clamped to `0..layers`. NaN is layer 0 (U06).
#[inline(always)]
pub(super) fn layer(index: f32, layers: u32) -> u32 {
    let held = clamp(index, 0.0, layers.saturating_sub(1) as i32 as f32);
    // The nearest integer, ties to even, is in the low bits.
    integer(if held.is_nan() { 0.0 } else { held })
}

/// Extracts the texel offsets along an axis, 0 (U) or 1 (V), from words that pack both offsets, as [`rounding`] constants. A word
/// that holds a single offset, for whatever axis, is read as axis 0.
pub(super) type OffsetKernel = fn(&Lanes<LaneBytes>, usize, &mut Lanes<f32>);

/// See [`OffsetKernel`].
#[inline(always)]
pub(super) fn offsets(words: &Lanes<LaneBytes>, axis: usize, out: &mut Lanes<f32>) {
    for (out, word) in out.iter_mut().zip(words) {
        *out = rounding(unspecified::packed_offset(u32::from_le_bytes(*word), axis));
    }
}

/// Converts lanes of 16 bits (half floats or integers) to 32 bits, for passes of parameters that lie one after the other.
pub(super) type WidenKernel = fn(&[Lanes<[u8; 2]>], &mut [Lanes<LaneBytes>]);

/// See [`WidenKernel`].
#[inline(always)]
pub(super) fn widen_halves(halves: &[Lanes<[u8; 2]>], out: &mut [Lanes<LaneBytes>]) {
    for (out, half) in out.as_flattened_mut().iter_mut().zip(halves.as_flattened()) {
        *out = half::to_f32(u16::from_le_bytes(*half)).to_le_bytes();
    }
}

/// Joins the lanes of two messages of half a pass each into whole passes, one for each parameter.
pub(super) type JoinKernel = fn(&[HalfPass], &[HalfPass], &mut [Lanes<LaneBytes>]);

/// One parameter of a message of half a pass: a 32-bit word for each lane.
pub(super) type HalfPass = [LaneBytes; HALF];

/// See [`JoinKernel`].
#[inline(always)]
pub(super) fn join(first: &[HalfPass], second: &[HalfPass], out: &mut [Lanes<LaneBytes>]) {
    for ((out, first), second) in out.iter_mut().zip(first).zip(second) {
        for (half, words) in out.as_chunks_mut().0.iter_mut().zip([first, second]) {
            *half = *words;
        }
    }
}

/// See [`WidenKernel`]: integers, sign-extended (U03).
#[inline(always)]
pub(super) fn widen_shorts(shorts: &[Lanes<[u8; 2]>], out: &mut [Lanes<LaneBytes>]) {
    for (out, short) in out.as_flattened_mut().iter_mut().zip(shorts.as_flattened()) {
        *out = i32::from(i16::from_le_bytes(*short)).to_le_bytes();
    }
}

/// See [`WidenKernel`]: integers, zero-extended (U03).
#[inline(always)]
pub(super) fn widen_words(words: &[Lanes<[u8; 2]>], out: &mut [Lanes<LaneBytes>]) {
    for (out, word) in out.as_flattened_mut().iter_mut().zip(words.as_flattened()) {
        *out = u32::from(u16::from_le_bytes(*word)).to_le_bytes();
    }
}

/// Converts floats to the bytes that a payload holds.
pub(super) type RawKernel = fn(&Lanes<f32>, &mut Lanes<LaneBytes>);

/// See [`RawKernel`].
#[inline(always)]
pub(super) fn raw(floats: &Lanes<f32>, out: &mut Lanes<LaneBytes>) {
    for (out, float) in out.iter_mut().zip(floats) {
        *out = float.to_le_bytes();
    }
}

/// The positions and the shape of a message's parameters in its payload; the same for every payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParamLayout {
    indices: &'static ParamIndices,
    /// The number of parameters that the message carries.
    count: u8,
    pub(super) width: Width,
    simd: u8,
}

impl ParamLayout {
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(super) const fn new(message: &Message) -> Self {
        let (width, simd) = (message.param_width, message.simd);
        Self { indices: message.op.param_indices(width), count: message.params, width, simd }
    }

    /// Returns the layout of the payload after [`Widen`](super::plan::widen::Widen) has converted it to 32 bits and whole passes.
    pub(super) fn widened(self) -> Self {
        Self { width: Width::Full, simd: self.simd.max(LANES as u8), ..self }
    }

    /// Returns the number of passes if parameters have 32 bits and every pass has all of its lanes; else 0.
    #[inline(always)]
    pub(super) const fn passes(&self) -> usize {
        let simd = self.simd as usize;
        if matches!(self.width, Width::Full) && simd.is_multiple_of(LANES) { simd / LANES } else { 0 }
    }

    /// Returns the position of a parameter in the payload; `None` if the message does not carry it.
    #[inline(always)]
    pub(super) fn number(&self, param: Param) -> Option<u8> {
        self.indices.get(param as usize).copied().filter(|index| *index < self.count)
    }
}

/// The parameters of one pass of a prepared message, looked up by their position in the payload. They have 32 bits, and all lanes of
/// the pass are present.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassParams<'a> {
    /// Parameters one after the other, `stride` passes each, from this pass of the first parameter on.
    block: &'a [Lanes<LaneBytes>],
    stride: usize,
    /// The payload, for parameters that are not in `block`, and the first lane of the pass; `None` if `block` has all of them.
    others: Option<(&'a Payload<'a>, usize)>,
}

/// The input of one pass of a prepared message: its parameters and its execution mask.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassInput<'a> {
    pub(super) params: PassParams<'a>,
    pub(super) on: u32,
}

impl<'a> PassParams<'a> {
    /// Returns the parameters of a pass of a message with `passes` passes; `block` begins at this pass of the first parameter.
    #[inline(always)]
    pub(super) const fn of_lanes(block: &'a [Lanes<LaneBytes>], passes: usize) -> Self {
        Self { block, stride: passes, others: None }
    }

    /// Returns the parameters of the pass of a message of `PASSES` passes that begins with lane `first`; `None` if they are not all in the
    /// block.
    #[inline(always)]
    pub(super) fn of_block<const PASSES: usize>(
        layout: &ParamLayout,
        block: &'a [u8],
        first: usize,
    ) -> Option<Self> {
        let (block, _) = block.as_chunks().0.as_chunks();
        let all = block.get(..usize::from(layout.count).wrapping_mul(PASSES))?;
        Some(Self::of_lanes(all.get(first / LANES..)?, PASSES))
    }

    /// Returns the parameters of the pass that begins with lane `first`, a multiple of `LANES`, of any payload.
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

    /// Returns the lanes of the parameter at position `number`; `None` if they are not all present.
    #[inline(always)]
    pub(super) fn get(&self, number: u8) -> Option<&'a Lanes<LaneBytes>> {
        let in_block = self.block.get(usize::from(number).wrapping_mul(self.stride));
        if in_block.is_some() { in_block } else { Self::elsewhere(self.others, number) }
    }

    /// [`get`](Self::get) of a parameter outside of `block`: in the payload's second block, or in a slice of its own.
    #[inline(never)]
    fn elsewhere(others: Option<(&'a Payload<'a>, usize)>, number: u8) -> Option<&'a Lanes<LaneBytes>> {
        let (payload, first) = others?;
        payload.part(number.into(), first.wrapping_mul(4), LANES * 4)?.as_chunks().0.first_chunk()
    }
}

/// The parameters of a message by name and in their own width; a parameter that the message does not carry reads 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedParams<'m> {
    pub(super) payload: &'m Payload<'m>,
    pub(super) layout: &'m ParamLayout,
}

impl<'m> NamedParams<'m> {
    /// Returns the lanes of a parameter as bytes; empty if the message does not carry it.
    #[inline]
    fn bytes(&self, param: Param) -> &'m [u8] {
        self.layout.number(param).map_or(&[], |number| self.payload.slot(number.into()))
    }

    /// Returns the bits of a lane, zero-extended; 0 for lanes past the execution size.
    pub(super) fn raw(&self, param: Param, lane: usize) -> u32 {
        if lane >= usize::from(self.layout.simd) {
            return 0;
        }
        raw_lane(self.bytes(param), lane, self.layout.width)
    }

    /// Returns the value of a lane as a float.
    pub(super) fn float(&self, param: Param, lane: usize) -> f32 {
        self.as_float(self.raw(param, lane))
    }

    #[inline]
    fn as_float(&self, raw: u32) -> f32 {
        if self.layout.width == Width::Half { half::to_f32(raw as u16) } else { f32::from_bits(raw) }
    }

    /// Returns the integers of the pass that begins with lane `first`, sign-extended, for each of several parameters; 0 for `None` and
    /// for parameters that the message does not carry.
    #[inline(never)]
    pub(super) fn words_of<const N: usize>(
        &self,
        parts: [Option<Param>; N],
        first: usize,
    ) -> [Lanes<[u8; 4]>; N] {
        parts.map(|part| part.map_or([[0; 4]; LANES], |part| self.signed(part, first).map(i32::to_le_bytes)))
    }

    /// Returns the bits of the lanes of the pass that begins with lane `first`, zero-extended; 0 for lanes past the execution size.
    #[inline(never)]
    pub(super) fn all(&self, param: Param, first: usize) -> Lanes<u32> {
        let mut lanes = [0; LANES];
        if LANES == 1 {
            return lanes.map(|_: u32| self.raw(param, first));
        }
        let count = usize::from(self.layout.simd).saturating_sub(first);
        let width = self.layout.width;
        let bytes = self.bytes(param).get(first.wrapping_mul(width.bytes())..).unwrap_or_default();
        // The usual case: all lanes of the pass are present in 32 bits.
        if width == Width::Full
            && count >= LANES
            && let Some(lanes) = bytes.as_chunks().0.first_chunk()
        {
            return lanes.map(u32::from_le_bytes);
        }
        for (lane, out) in lanes.iter_mut().enumerate().take(count) {
            *out = raw_lane(bytes, lane, width);
        }
        lanes
    }

    /// Returns the floats of the pass that begins with lane `first`.
    pub(super) fn floats(&self, param: Param, first: usize) -> Lanes<f32> {
        self.all(param, first).map(|raw| self.as_float(raw))
    }

    /// Returns the integers of the pass that begins with lane `first`, sign-extended.
    pub(super) fn signed(&self, param: Param, first: usize) -> Lanes<i32> {
        let width = if self.layout.width == Width::Half { 16 } else { 32 };
        self.all(param, first).map(|raw| sign_extend(raw, width))
    }

    /// Returns LODs or biases that share their parameter with packed texel offsets; `width`: that of the message's parameters.
    pub(super) fn packed_floats(&self, param: Param, first: usize, width: Width) -> Lanes<f32> {
        self.all(param, first).map(|word| unspecified::packed_lod(word, width))
    }
}
