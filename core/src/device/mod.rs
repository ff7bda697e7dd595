//! The sampler as a simulator sees it: state heaps and registers in, registers out.
//!
//! ```text
//!   send + Thread ──▶ Device ── binding table or handle ──▶ surface state ─┐
//!                        │      sampler table or header ──▶ sampler state ─┼─▶ Bound ──▶ destination registers
//!                        └───────────────── memory ────────────────────────┘   (last textures and samplers)
//! ```
//! [`Device`] follows [`Heaps`] through the caller's memory; [`Bound`] is the part that executes by state alone, for
//! callers that have states and no heaps. [`Pools`] is the same for NVIDIA's header queries. Nothing is allocated: what stays bound lies in the device.

mod bound;
mod heaps;
mod key;
mod observe;
mod pools;
mod recent;
mod registers;
mod send;
#[cfg(test)]
mod tests;
mod visa;

pub use bound::Bound;
pub use heaps::Heaps;
pub use observe::{Footprint, MemoryRead, Recorder, Tap, TapKind};
pub use pools::{Pools, Warp};
pub use send::Thread;
pub use visa::VisaThread;

use crate::error::Result;
use crate::memory::Memory;
use crate::message::{Message, Payload};
use crate::platform::Platform;
use crate::sample::Outcome;
use crate::state::{BorderColor, SamplerState, SurfaceState};
use key::Key;

/// A message that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Completion {
    /// The message.
    pub message: Message,
    /// Lanes with memory faults or null pages.
    pub outcome: Outcome,
}

/// A sampler with the state that drivers set: heaps, tables, palettes.
///
/// It keeps the last `TEXTURES` messages prepared, each with its surface, and `SAMPLERS` samplers bound, by the bits of
/// their states: heaps may change
/// between messages without notice.
#[derive(Clone, Debug)]
pub struct Device<'p, const TEXTURES: usize, const SAMPLERS: usize> {
    /// Where the state is.
    pub heaps: Heaps,
    /// What is bound, and the options of execution.
    pub bound: Bound<'p, TEXTURES, SAMPLERS>,
}

impl<const TEXTURES: usize, const SAMPLERS: usize> Device<'_, TEXTURES, SAMPLERS> {
    /// A device with nothing bound.
    pub const fn new(platform: Platform, heaps: Heaps) -> Self {
        Self { heaps, bound: Bound::new(platform) }
    }

    /// Drops everything that is bound.
    pub fn invalidate(&mut self) {
        self.bound.invalidate();
    }

    /// Executes a message whose surface and sampler are those of the tables (or bindless), and writes its result to
    /// `out`, laid out as [`Message::response`] says. Bytes of lanes and channels that are off stay.
    ///
    /// # Errors
    /// Nothing is written then. `Fault BindingEntry`, `SurfaceState`, `SamplerState` or `BorderColor`, with the
    /// address, when the state's memory is not mapped; as [`Bound::execute`]. A texel's memory that is not mapped is no
    /// error: see [`Outcome`].
    pub fn execute<M: Memory + ?Sized>(
        &mut self,
        message: &Message,
        payload: &Payload<'_>,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        self.execute_at(message, self.heaps.sampler_table, payload, memory, out)
    }

    /// [`execute`](Self::execute) with another sampler table.
    fn execute_at<M: Memory + ?Sized>(
        &mut self,
        message: &Message,
        sampler_table: u32,
        payload: &Payload<'_>,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        let heaps = &self.heaps;
        let held = |key: &Key| key.is_for(message) && heaps.hold(key, message, sampler_table, memory);
        if let Some(ready) = self.bound.expected(held) {
            return ready.execute(message.lanes, payload, memory, out);
        }
        self.execute_found(message, sampler_table, payload, memory, out)
    }

    /// Executes a message that was not expected.
    // Apart: one that was expected does not need its stack.
    #[inline(never)]
    fn execute_found<M: Memory + ?Sized>(
        &mut self,
        message: &Message,
        sampler_table: u32,
        payload: &Payload<'_>,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        let (surface, sampler) = self.states(message, sampler_table, memory)?;
        let ready = self.bound.find(message, &surface, sampler.as_ref())?;
        ready.execute(message.lanes, payload, memory, out)
    }

    /// The states that a message names.
    #[inline]
    fn states<M: Memory + ?Sized>(
        &self,
        message: &Message,
        sampler_table: u32,
        memory: &M,
    ) -> Result<(SurfaceState, Option<(SamplerState, BorderColor)>)> {
        let surface = self.heaps.surface(message.surface, memory)?;
        let sampler = if message.op.flags().sampler {
            Some(self.heaps.sampler(message.sampler, sampler_table, memory)?)
        } else {
            None
        };
        Ok((surface, sampler))
    }
}
