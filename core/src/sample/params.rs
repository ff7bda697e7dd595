//! The parameters of a message: from the bytes of a payload to lanes.

use super::lanes::{LANES, Lanes};
use super::unspecified;
use crate::bits::sign_extend;
use crate::format::half;
use crate::message::{Message, Param, ParamIndices, Payload, Width, raw_lane};

/// The parameters of a message by name; what the message does not carry reads 0.
#[derive(Debug)]
pub(super) struct Params<'a, 'm> {
    payload: &'m Payload<'a>,
    places: &'static ParamIndices,
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

    /// The message carries the parameter.
    #[inline]
    pub(super) fn has(&self, param: Param) -> bool {
        self.places.get(param as usize).is_some_and(|place| *place < self.count)
    }

    /// A lane's pattern, zero-extended; 0 past the message's width.
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

    /// All lanes from `first` on, if the message has them in 32 bits.
    #[inline(always)]
    fn all(&self, param: Param, first: usize) -> Option<&'a Lanes<[u8; 4]>> {
        // One lane is no faster as an array.
        if LANES == 1 || self.width == Width::Half || first.wrapping_add(LANES) > self.simd {
            return None;
        }
        let bytes: &[u8; LANES * 4] = self.bytes(param).get(first.wrapping_mul(4)..)?.first_chunk()?;
        bytes.as_chunks().0.first_chunk()
    }

    /// Lanes that are not all there, or of 16 bits; 0 past the message's width.
    #[inline(never)]
    fn some(&self, param: Param, first: usize) -> Lanes<u32> {
        let mut lanes = [0; LANES];
        if LANES == 1 {
            return lanes.map(|_: u32| self.raw(param, first));
        }
        let count = self.simd.saturating_sub(first);
        let bytes = self.bytes(param).get(first.wrapping_mul(self.width.bytes())..).unwrap_or_default();
        let targets = lanes.iter_mut().take(count);
        match self.width {
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

    /// The lanes of a SIMD8 message in 32 bits.
    #[inline(always)]
    fn eight(&self, param: Param) -> Option<&'a [[u8; 4]; 8]> {
        if LANES < 8 || self.width == Width::Half || self.simd != 8 {
            return None;
        }
        self.bytes(param).as_chunks().0.first_chunk()
    }

    /// Floats.
    #[inline]
    pub(super) fn floats(&self, param: Param, first: usize, out: &mut Lanes<f32>) {
        if let Some(lanes) = self.all(param, first) {
            for (out, lane) in out.iter_mut().zip(lanes) {
                *out = f32::from_le_bytes(*lane);
            }
        } else if let Some(lanes) = self.eight(param) {
            *out = [0.0; LANES];
            for (out, lane) in out.iter_mut().zip(lanes) {
                *out = f32::from_le_bytes(*lane);
            }
        } else {
            *out = self.some(param, first).map(|raw| self.as_float(raw));
        }
    }

    /// Signed integers.
    #[cfg_attr(target_pointer_width = "64", inline)]
    pub(super) fn signed(&self, param: Param, first: usize, out: &mut Lanes<i32>) {
        if let Some(lanes) = self.all(param, first) {
            for (out, lane) in out.iter_mut().zip(lanes) {
                *out = i32::from_le_bytes(*lane);
            }
        } else {
            let width = if self.width == Width::Half { 16 } else { 32 };
            *out = self.some(param, first).map(|raw| sign_extend(raw, width));
        }
    }

    /// LODs or biases that share their parameter with offsets.
    pub(super) fn packed_floats(&self, param: Param, first: usize, out: &mut Lanes<f32>) {
        for (lane, out) in out.iter_mut().enumerate() {
            let raw = self.raw(param, first.wrapping_add(lane));
            *out = self.as_float(unspecified::packed_lod(raw));
        }
    }
}
