//! Registers of a message: parameters in, results out, a few lanes at a time.

use super::bind::Select;
use super::guess;
use super::lanes::{ALL, LANES, Lanes, Texels, map};
use crate::bits::sign_extend;
use crate::format::half;
use crate::message::{Message, Param, Payload, Places, Response, Width, raw_lane};

/// What happened while a message ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome {
    /// Lanes that read memory that is not there: their result is 0.
    pub faults: u32,
    /// The first such lane and the address.
    pub first_fault: Option<(u8, u64)>,
    /// Lanes that read a null page.
    pub null_lanes: u32,
}

impl Outcome {
    /// Writes the pixel null mask: a one for every lane (on, off or past the width) without a null page.
    pub(super) fn null_mask(&self, response: &Response, out: &mut [u8]) {
        let Some(at) = response.null_mask else { return };
        if let Some(target) = out.get_mut(usize::from(at)..).and_then(<[u8]>::first_chunk_mut) {
            *target = (!self.null_lanes).to_le_bytes();
        }
    }
}

/// The parameters of a message by name; what the message does not carry reads 0.
#[derive(Debug)]
pub(super) struct Params<'a, 'm> {
    payload: &'m Payload<'a>,
    places: &'static Places,
    /// How many the message carries.
    count: u8,
    width: Width,
    simd: usize,
}

impl<'a, 'm> Params<'a, 'm> {
    pub(super) fn new(message: &Message, payload: &'m Payload<'a>) -> Self {
        let places = message.op.places(message.param_width);
        Self { payload, places, count: message.params, width: message.param_width, simd: message.simd.into() }
    }

    /// The lanes of a parameter as bytes.
    #[inline]
    fn bytes(&self, param: Param) -> &'a [u8] {
        match self.places.get(param as usize) {
            Some(place) if *place < self.count => self.payload.slot((*place).into()),
            _ => &[],
        }
    }

    /// A lane's pattern, zero-extended; 0 past the message's width.
    #[inline]
    pub(super) fn raw(&self, param: Param, lane: usize) -> u32 {
        if lane >= self.simd {
            return 0;
        }
        raw_lane(self.bytes(param), lane, self.width)
    }

    /// A lane's float.
    pub(super) fn float(&self, param: Param, lane: usize) -> f32 {
        self.as_float(self.raw(param, lane))
    }

    #[inline]
    fn as_float(&self, raw: u32) -> f32 {
        if self.width == Width::Half { half::to_f32(raw as u16) } else { f32::from_bits(raw) }
    }

    /// Some lanes of 32 bits, if the message has all of them.
    #[inline(always)]
    fn dwords(&self, param: Param, first: usize) -> Option<&'a Lanes<[u8; 4]>> {
        let past = first.wrapping_add(LANES);
        if self.width == Width::Half || past > self.simd {
            return None;
        }
        let values = self.bytes(param).get(first.wrapping_mul(4)..)?;
        values.as_chunks().0.first_chunk()
    }

    /// The patterns of lanes that are not all there, or of 16 bits.
    #[inline(never)]
    fn one_by_one(&self, param: Param, first: usize) -> Lanes<u32> {
        if self.bytes(param).is_empty() {
            return [0; LANES];
        }
        core::array::from_fn(|k| self.raw(param, first.wrapping_add(k)))
    }

    #[inline(never)]
    fn signed_one_by_one(&self, param: Param, first: usize) -> Lanes<i32> {
        let raw = self.one_by_one(param, first);
        map(raw, |raw| if self.width == Width::Half { sign_extend(raw, 16) } else { raw as i32 })
    }

    #[inline(never)]
    fn floats_one_by_one(&self, param: Param, first: usize) -> Lanes<f32> {
        map(self.one_by_one(param, first), |raw| self.as_float(raw))
    }

    /// Signed integers.
    #[inline]
    pub(super) fn signed(&self, param: Param, first: usize) -> Lanes<i32> {
        match self.dwords(param, first) {
            Some(values) => map(*values, i32::from_le_bytes),
            None => self.signed_one_by_one(param, first),
        }
    }

    /// Floats.
    #[inline]
    pub(super) fn floats(&self, param: Param, first: usize) -> Lanes<f32> {
        match self.dwords(param, first) {
            Some(values) => map(*values, f32::from_le_bytes),
            None => self.floats_one_by_one(param, first),
        }
    }

    /// LODs or biases that share their parameter with offsets.
    pub(super) fn packed_floats(&self, param: Param, first: usize) -> Lanes<f32> {
        map(self.one_by_one(param, first), |raw| self.as_float(guess::packed_lod(raw)))
    }
}

/// Lanes of a message from `first` on, and their results.
#[derive(Debug, Default)]
pub(super) struct Span {
    pub(super) first: usize,
    /// Lanes to execute: bit per lane from `first` on.
    pub(super) on: u32,
    /// Results before the channel select.
    pub(super) texels: Texels,
    /// Lanes whose result is 0 in every channel: bit per lane from `first` on.
    pub(super) failed: u32,
}

/// A message's result on its way to the registers.
#[derive(Debug)]
pub(super) struct Results<'a> {
    message: &'a Message,
    response: Response,
    out: &'a mut [u8],
    /// Channels that are written.
    channels: u8,
    /// What they show, if not what they are.
    pub(super) select: Option<[Select; 4]>,
    /// Results are floats: NaN becomes canonical, 16-bit results are converted.
    pub(super) float: bool,
}

impl<'a> Results<'a> {
    /// Floats without a channel select, for `out` of the response's length.
    pub(super) fn new(message: &'a Message, response: Response, out: &'a mut [u8]) -> Self {
        let channels = if message.op.flags().gather { 15 } else { message.channels.mask() };
        Self { message, response, out, channels, select: None, float: true }
    }

    /// Calls `fill` for a few lanes at a time, if one of them is on, and writes what it leaves. It finds the results
    /// of the lanes before, or zeros.
    pub(super) fn each(&mut self, fill: &mut dyn FnMut(&mut Span)) {
        let mut lanes = self.message.lanes & self.message.all_lanes();
        let mut span = Span::default();
        while lanes != 0 {
            span.on = lanes & ALL;
            if span.on != 0 {
                fill(&mut span);
                self.store(&mut span);
            }
            lanes >>= LANES;
            span.first = span.first.wrapping_add(LANES);
        }
    }

    /// Writes the channels of some lanes.
    // Apart: its frame is gone when lanes are executed.
    #[inline(never)]
    fn store(&mut self, span: &mut Span) {
        if let Some(select) = &self.select {
            show(select, &mut span.texels);
        }
        let whole = self.response.width == Width::Full && (span.on, span.failed) == (ALL, 0);
        if !whole || self.write_whole(span).is_none() {
            self.write_some(span);
        }
    }

    /// The channels that are written, each with where it starts in the registers.
    #[inline(always)]
    fn written<'s>(&self, span: &'s Span) -> impl Iterator<Item = (usize, Lanes<u32>)> + use<'s> {
        let mut at = span.first.wrapping_mul(self.response.width.bytes());
        let (channels, stride, float) = (self.channels, self.response.stride, self.float);
        (0..4).zip(&span.texels).filter(move |(channel, _)| channels >> channel & 1 != 0).map(
            move |(_, values)| {
                let here = at;
                at = at.wrapping_add(stride.into());
                (here, if float { map(*values, canonical) } else { *values })
            },
        )
    }

    /// Writes 32 bits of every lane; `None` when there is no room for them.
    #[inline(always)]
    fn write_whole(&mut self, span: &Span) -> Option<()> {
        for (at, values) in self.written(span) {
            let target = self.out.get_mut(at..)?.as_chunks_mut().0.first_chunk_mut()?;
            *target = map(values, u32::to_le_bytes);
        }
        Some(())
    }

    #[inline(never)]
    fn write_some(&mut self, span: &Span) {
        for (at, values) in self.written(span) {
            let target = self.out.get_mut(at..).unwrap_or_default();
            part(target, span, &values, (self.response.width, self.float));
        }
    }
}

/// The channel select.
#[inline(never)]
fn show(select: &[Select; 4], texels: &mut Texels) {
    let all = *texels;
    for (channel, select) in texels.iter_mut().zip(select) {
        *channel = select.of_lanes(&all);
    }
}

/// Writes a channel of some of the lanes.
#[inline(never)]
fn part(target: &mut [u8], span: &Span, values: &Lanes<u32>, kind: (Width, bool)) {
    let mut values = *values;
    for (lane, value) in values.iter_mut().enumerate() {
        if span.failed >> lane & 1 != 0 {
            *value = 0;
        }
    }
    match kind {
        (Width::Full, _) => write(target, span.on, map(values, u32::to_le_bytes)),
        (Width::Half, true) => {
            write(target, span.on, map(values, |v| half::from_f32(f32::from_bits(v)).to_le_bytes()));
        }
        (Width::Half, false) => write(target, span.on, map(values, |v| (v as u16).to_le_bytes())),
    }
}

/// Writes the lanes that are on.
#[inline]
fn write<const N: usize>(target: &mut [u8], on: u32, values: Lanes<[u8; N]>) {
    let (lanes, _) = target.as_chunks_mut::<N>();
    for (lane, (target, value)) in lanes.iter_mut().zip(values).enumerate() {
        if on >> lane & 1 != 0 {
            *target = value;
        }
    }
}

/// NaN as every target writes it.
#[inline]
pub(super) const fn canonical(bits: u32) -> u32 {
    if f32::from_bits(bits).is_nan() { 0x7fc0_0000 } else { bits }
}
