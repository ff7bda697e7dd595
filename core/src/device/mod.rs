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
mod sent;
#[cfg(test)]
mod tests;
mod thread;
mod visa;

pub use bound::Bound;
pub use heaps::Heaps;
pub use observe::{Footprint, MemoryRead, Recorder, Tap, TapKind};
pub use pools::{Pools, Warp};
pub use thread::Thread;
pub use visa::VisaThread;

use crate::error::Result;
use crate::memory::Memory;
use crate::message::{Message, Payload};
use crate::platform::Platform;
use crate::sample::Outcome;
use bound::Ready;
use key::Key;
use recent::Recent;
use sent::{Lowered, Sent};

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
/// their states: heaps may change between messages without notice. As many sends are kept lowered.
#[derive(Clone, Debug)]
pub struct Device<'p, const TEXTURES: usize, const SAMPLERS: usize> {
    /// Where the state is.
    pub heaps: Heaps,
    /// What is bound, and the options of execution.
    pub bound: Bound<'p, TEXTURES, SAMPLERS>,
    sends: Recent<Sent, Lowered, TEXTURES>,
}

impl<const TEXTURES: usize, const SAMPLERS: usize> Device<'_, TEXTURES, SAMPLERS> {
    /// A device with nothing bound.
    pub const fn new(platform: Platform, heaps: Heaps) -> Self {
        const { assert!(TEXTURES > 0, "a device keeps a texture at least") };
        Self { heaps, bound: Bound::new(platform), sends: Recent::new() }
    }

    /// Drops everything that is bound.
    pub fn invalidate(&mut self) {
        self.bound.invalidate();
        self.sends.clear();
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
        let Self { heaps, bound, .. } = self;
        bound.execute_in(heaps, message, message.lanes, heaps.sampler_table, payload, memory, out)
    }
}

impl<const TEXTURES: usize, const SAMPLERS: usize> Bound<'_, TEXTURES, SAMPLERS> {
    /// Executes `lanes` of a message with the states that it names, its samplers from `sampler_table` on.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn execute_in<M: Memory + ?Sized>(
        &mut self,
        heaps: &Heaps,
        message: &Message,
        lanes: u32,
        sampler_table: u32,
        payload: &Payload<'_>,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        let held = |key: &Key| key.is_for(message) && heaps.hold(key, message, sampler_table, memory);
        if let Some(ready) = self.expected(held) {
            return ready.execute(lanes, payload, memory, out);
        }
        self.find_in(heaps, message, sampler_table, memory)?.execute(lanes, payload, memory, out)
    }

    /// A message that was not expected, with the states that it names.
    // Apart: one that was expected does not need its stack.
    #[inline(never)]
    fn find_in<M: Memory + ?Sized>(
        &mut self,
        heaps: &Heaps,
        message: &Message,
        sampler_table: u32,
        memory: &M,
    ) -> Result<Ready<'_, '_>> {
        let (surface, sampler) = heaps.states(message, sampler_table, memory)?;
        self.find(message, &surface, sampler.as_ref())
    }
}
