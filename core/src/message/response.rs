//! The register layout of a result.
//!
//! ```text
//! channel R | channel G | channel B | channel A | pixel null mask | kill mask
//! ```
//! Only enabled channels are in the response, and each starts at a new register of [`Message::register_bytes`] bytes. Lanes are in
//! order, 4 or 2 bytes each. The register of the pixel null mask has one bit per lane in its first dword: 1 = the lane read no null
//! page. The kill mask of `sample+killpix` has the same layout: 1 = no chroma key killed the lane.

use super::{Message, Width};

/// Bytes of the longest response of an instruction: four channels of 32 lanes and one mask, in registers of 64 bytes. A message that is
/// made by hand can have both masks: [`Response::len`] tells.
pub const MAX_RESPONSE: usize = 4 * 32 * 4 + 64;

/// Where each channel of a result lies, in bytes from the destination's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Response {
    /// Width of an element.
    pub width: Width,
    /// Bytes from one channel to the next: whole registers.
    pub stride: u16,
    /// Number of channels.
    pub channels: u8,
    /// Byte offset of the pixel null mask, if there is one.
    pub null_mask: Option<u16>,
    /// Byte offset of the kill mask, if there is one.
    pub kill_mask: Option<u16>,
    /// Bytes of the whole response.
    pub len: u16,
}

impl Response {
    #[inline]
    pub(super) const fn of(message: &Message) -> Self {
        let register = if message.register_bytes == 64 { 64 } else { 32 };
        let simd = if message.simd == 0 {
            1
        } else if message.simd > 32 {
            32
        } else {
            message.simd as u16
        };
        // Rounds up to whole registers, whose size is a power of two.
        let stride = (simd * message.return_width.bytes() as u16 + (register - 1)) & !(register - 1);
        let channels = if message.op.flags().gather { 4 } else { message.channels.count() as u8 };
        let end = stride * channels as u16;
        let null_mask = if message.null_mask { Some(end) } else { None };
        let end = if message.null_mask { end + register } else { end };
        let kill_mask = if message.kill_mask { Some(end) } else { None };
        let len = if message.kill_mask { end + register } else { end };
        Self { width: message.return_width, stride, channels, null_mask, kill_mask, len }
    }

    /// Returns the number of registers of `register_bytes` bytes: what a descriptor calls the response length.
    pub const fn registers(&self, register_bytes: u8) -> u16 {
        self.len.div_ceil(if register_bytes == 64 { 64 } else { 32 })
    }
}
