//! The parameters of a message: for each parameter, the bytes of its lanes.

use super::{Message, Param, Width};
use crate::error::{Error, Kind, Result, What};

/// The length of the longest parameter list, that of sample_d with array index and minimum LOD.
pub const MAX_PARAMS: usize = 12;

/// The parameters in payload order, each a slice of little-endian lanes.
///
/// The slices may lie anywhere (one register block, the two blocks of a split send, variables
/// of a vISA register file). A parameter that is not there reads as 0 in every lane.
#[derive(Clone, Copy, Debug)]
pub struct Payload<'a> {
    params: ParamSlices<'a>,
    len: u8,
}

#[derive(Clone, Copy, Debug)]
enum ParamSlices<'a> {
    /// Parameters of `stride` bytes, one after another in two blocks that hold nothing else; the slice of each is computed on demand.
    Cut { blocks: [&'a [u8]; 2], stride: usize },
    /// A slice for each parameter, anywhere in memory.
    Given([&'a [u8]; MAX_PARAMS]),
}

impl Default for Payload<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Payload<'a> {
    /// Returns a payload without parameters.
    pub const fn new() -> Self {
        Self { params: ParamSlices::Given([&[]; MAX_PARAMS]), len: 0 }
    }

    /// Appends the next parameter.
    ///
    /// # Errors
    /// `Invalid ParameterCount` past [`MAX_PARAMS`].
    #[inline]
    pub fn push(&mut self, lanes: &'a [u8]) -> Result<()> {
        let error = Error::new(Kind::Invalid, What::ParameterCount).value(MAX_PARAMS as u64 + 1);
        if let ParamSlices::Cut { .. } = self.params {
            self.params = ParamSlices::Given(core::array::from_fn(|index| self.slot(index)));
        }
        if let ParamSlices::Given(params) = &mut self.params {
            *params.get_mut(usize::from(self.len)).ok_or(error)? = lanes;
        }
        self.len = self.len.wrapping_add(1);
        Ok(())
    }

    /// Divides `blocks`, which hold the parameters one after another, into `count` parameters of `stride` bytes.
    ///
    /// A parameter may not straddle the two blocks (hardware blocks are whole registers).
    ///
    /// # Errors
    /// `Truncated Payload` when the blocks hold fewer bytes or a parameter straddles them, `Invalid ParameterCount` past [`MAX_PARAMS`].
    #[inline]
    pub fn split(blocks: [&'a [u8]; 2], stride: usize, count: usize) -> Result<Self> {
        if count > MAX_PARAMS {
            return Err(Error::new(Kind::Invalid, What::ParameterCount).value(MAX_PARAMS as u64 + 1));
        }
        let [first, second] = blocks;
        let blocks = match first.get(..count.saturating_mul(stride)) {
            Some(all) => [all, &[]],
            None => Self::two_blocks(first, second, stride, count)?,
        };
        Ok(Self { params: ParamSlices::Cut { blocks, stride }, len: count as u8 })
    }

    /// Returns a payload of `count` parameters of `stride` bytes, one after the other in `block`, which has all of them.
    #[inline(always)]
    pub(crate) const fn of_block(block: &'a [u8], stride: usize, count: u8) -> Self {
        Self { params: ParamSlices::Cut { blocks: [block, &[]], stride }, len: count }
    }

    /// Does what [`split`](Self::split) does, for the parameters of `message`, which have the bytes of its lanes without padding.
    #[inline(always)]
    pub(crate) fn of_message(message: &Message, blocks: [&'a [u8]; 2]) -> Result<Self> {
        let stride = usize::from(message.simd).wrapping_mul(message.param_width.bytes());
        Self::split(blocks, stride, message.params.into())
    }

    /// Returns the bytes of `count` parameters in both blocks, if the first block does not hold all of them.
    fn two_blocks(first: &'a [u8], second: &'a [u8], stride: usize, count: usize) -> Result<[&'a [u8]; 2]> {
        let stride_of = |index: usize| index.saturating_mul(stride);
        let before = first.len().checked_div(stride).unwrap_or(0);
        let truncated = |index| Err(Error::truncated(What::Payload, stride_of(index), stride));
        if stride_of(before) != first.len() {
            return truncated(before);
        }
        match second.get(..stride_of(count.saturating_sub(before))) {
            Some(rest) => Ok([first, rest]),
            None => truncated(before.saturating_add(second.len().checked_div(stride).unwrap_or(0))),
        }
    }

    /// Returns how many parameters were given.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns true if no parameters were given.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the lanes of parameter `index`, as bytes; empty if it was not given.
    #[inline]
    pub fn slot(&self, index: usize) -> &'a [u8] {
        match &self.params {
            ParamSlices::Cut { .. } if index >= self.len() => &[],
            ParamSlices::Cut { blocks: [first, second], stride } => {
                // The two blocks hold all parameters.
                let at = index.wrapping_mul(*stride);
                let (block, at) = match at.checked_sub(first.len()) {
                    Some(at) => (second, at),
                    None => (first, at),
                };
                block.get(at..at.wrapping_add(*stride)).unwrap_or_default()
            }
            ParamSlices::Given(params) => params.get(index).copied().unwrap_or_default(),
        }
    }

    /// Returns the first block, if parameters lie in it one after the other, `stride` bytes each; else an empty slice.
    #[inline(always)]
    pub(crate) fn block(&self, stride: usize) -> &'a [u8] {
        match &self.params {
            ParamSlices::Cut { blocks: [first, _], stride: own } if *own == stride => first,
            ParamSlices::Cut { .. } | ParamSlices::Given(_) => &[],
        }
    }

    /// Returns `len` bytes of parameter `index` from byte `at` on; `None` if they are not all there.
    #[inline(always)]
    pub(crate) fn part(&self, index: usize, at: usize, len: usize) -> Option<&'a [u8]> {
        match &self.params {
            ParamSlices::Cut { blocks: [first, second], stride } => {
                // A parameter lies in one block and ends after `stride` bytes, where the next one begins.
                if at.saturating_add(len) > *stride {
                    return None;
                }
                let at = index.wrapping_mul(*stride).wrapping_add(at);
                match first.get(at..at.wrapping_add(len)) {
                    None => {
                        let at = at.checked_sub(first.len())?;
                        second.get(at..at.wrapping_add(len))
                    }
                    found => found,
                }
            }
            ParamSlices::Given(params) => params.get(index)?.get(at..at.wrapping_add(len)),
        }
    }

    /// Returns the lanes of `param` of `message`, as bytes; `None` if the message does not carry it.
    pub fn param(&self, message: &Message, param: Param) -> Option<&'a [u8]> {
        let index = message.present().iter().position(|&p| p == param)?;
        Some(self.slot(index))
    }
}

/// Returns lane `lane` of a parameter as raw bits (16-bit lanes zero-extended); 0 past the parameter's end.
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
