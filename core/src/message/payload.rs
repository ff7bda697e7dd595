//! The parameters of a message: for each one, where its lanes are.

use super::{Message, Param, Width};
use crate::error::{Error, Kind, Result, What};

/// The longest parameter list: sample_d_c with array index, and one to spare.
pub const MAX_PARAMS: usize = 12;

/// The parameters in payload order, each a slice of little-endian lanes.
///
/// The slices may lie anywhere (one register block, the two blocks of a split send, variables
/// of a vISA register file). A parameter that is not there reads as 0 in every lane.
#[derive(Clone, Copy, Debug)]
pub struct Payload<'a> {
    params: [&'a [u8]; MAX_PARAMS],
    /// Bytes of the shortest of them.
    shortest: usize,
    len: u8,
}

impl Default for Payload<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Payload<'a> {
    /// No parameters.
    pub const fn new() -> Self {
        Self { params: [&[]; MAX_PARAMS], shortest: usize::MAX, len: 0 }
    }

    /// Appends the next parameter.
    ///
    /// # Errors
    /// `Invalid ParameterCount` past [`MAX_PARAMS`].
    #[inline]
    pub fn push(&mut self, lanes: &'a [u8]) -> Result<()> {
        let error = Error::new(Kind::Invalid, What::ParameterCount).value(MAX_PARAMS as u64 + 1);
        *self.params.get_mut(usize::from(self.len)).ok_or(error)? = lanes;
        self.shortest = self.shortest.min(lanes.len());
        self.len = self.len.wrapping_add(1);
        Ok(())
    }

    /// Cuts `blocks`, laid one after another, into `count` parameters of `stride` bytes.
    ///
    /// A parameter may not straddle two blocks (hardware blocks are whole registers).
    ///
    /// # Errors
    /// `Truncated Payload` when the blocks hold fewer bytes, `Invalid ParameterCount` past [`MAX_PARAMS`].
    #[inline]
    pub fn split(blocks: [&'a [u8]; 2], stride: usize, count: usize) -> Result<Self> {
        let mut payload = Self { shortest: stride, len: count as u8, ..Self::new() };
        let Some(params) = payload.params.get_mut(..count) else {
            return Err(Error::new(Kind::Invalid, What::ParameterCount).value(MAX_PARAMS as u64 + 1));
        };
        let [mut block, mut next] = blocks;
        for (index, param) in params.iter_mut().enumerate() {
            if block.is_empty() {
                block = core::mem::take(&mut next);
            }
            let at = index.saturating_mul(stride);
            (*param, block) =
                block.split_at_checked(stride).ok_or(Error::truncated(What::Payload, at, stride))?;
        }
        Ok(payload)
    }

    /// How many parameters were given.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// No parameters were given.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The lanes of parameter `index`; empty when it was not given.
    #[inline]
    pub fn slot(&self, index: usize) -> &'a [u8] {
        self.params.get(index).copied().unwrap_or_default()
    }

    /// Bytes of the shortest parameter that was given.
    #[cfg(feature = "fast")]
    pub(crate) const fn shortest(&self) -> usize {
        self.shortest
    }

    /// The lanes of `param` of `message`; `None` when the message does not carry it.
    pub fn param(&self, message: &Message, param: Param) -> Option<&'a [u8]> {
        let index = message.present().iter().position(|&p| p == param)?;
        Some(self.slot(index))
    }
}

/// Lane `lane` of a parameter as raw bits (16-bit lanes zero-extended); 0 past its end.
pub(crate) fn raw_lane(lanes: &[u8], lane: usize, width: Width) -> u32 {
    match width {
        Width::Full => lanes
            .get(lane.wrapping_mul(4)..)
            .and_then(<[u8]>::first_chunk)
            .map_or(0, |b| u32::from_le_bytes(*b)),
        Width::Half => lanes
            .get(lane.wrapping_mul(2)..)
            .and_then(<[u8]>::first_chunk)
            .map_or(0, |b| u32::from(u16::from_le_bytes(*b))),
    }
}
