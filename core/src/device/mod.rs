//! The sampler as a simulator uses it: state heaps and registers in, registers out.
//!
//! ```text
//!   send + Thread ──▶ Device ── binding table or handle ──▶ surface state ─┐
//!                        │      sampler table or header ──▶ sampler state ─┼─▶ StateExecutor ──▶ destination registers
//!                        └───────────────── memory ────────────────────────┘   (last textures and samplers)
//! ```
//! [`Device`] finds states in the caller's memory by [`Heaps`]; [`StateExecutor`] is its part that executes with given states, for
//! callers that have states and no heaps. [`Pools`] does the same for NVIDIA's texture header queries (TXQ). Nothing is allocated: the
//! caches of bound states are fields of the device.

mod heaps;
mod key;
mod lowered_send;
mod lru_cache;
mod observe;
mod pools;
mod registers;
mod send;
mod state_executor;
#[cfg(test)]
mod tests;
mod thread;
mod visa;

pub use heaps::Heaps;
pub use observe::{Footprint, MemoryRead, Recorder, Tap, TapKind};
pub use pools::{Pools, Warp};
pub use state_executor::StateExecutor;
pub use thread::Thread;
pub use visa::VisaThread;

use crate::error::Result;
use crate::memory::Memory;
use crate::message::{Message, Payload};
use crate::platform::Platform;
use crate::sample::{Outcome, Prepared, Scratch};
use key::MessageKey;
use lowered_send::{LoweredSend, SendKey};
use lru_cache::LruCache;

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
/// It caches the last `TEXTURES` prepared messages, each with its surface, and the last `SAMPLERS` bound samplers. They are used only while
/// the states in memory have the same bits, so that heaps may change between messages without notice. The last `TEXTURES` lowered sends
/// are cached, too.
#[derive(Clone, Debug)]
pub struct Device<'p, const TEXTURES: usize, const SAMPLERS: usize> {
    /// Base addresses and tables of the states.
    pub heaps: Heaps,
    /// The prepared messages and bound samplers, and the options of execution.
    pub executor: StateExecutor<'p, TEXTURES, SAMPLERS>,
    sends: LruCache<SendKey, LoweredSend, TEXTURES>,
}

impl<const TEXTURES: usize, const SAMPLERS: usize> Device<'_, TEXTURES, SAMPLERS> {
    /// A device with nothing bound.
    pub const fn new(platform: Platform, heaps: Heaps) -> Self {
        const { assert!(TEXTURES > 0, "a device keeps a texture at least") };
        Self { heaps, executor: StateExecutor::new(platform), sends: LruCache::new() }
    }

    /// Drops all prepared messages, bound samplers and lowered sends.
    pub fn invalidate(&mut self) {
        self.executor.invalidate();
        self.sends.clear();
    }

    /// Executes a message whose surface and sampler are found by the tables of the heaps (or bindless handles), and writes its result to
    /// `out`, laid out as [`Message::response`] says. Bytes of inactive lanes and of channels that are not returned stay as they are.
    ///
    /// # Errors
    /// Nothing is written then. `Fault BindingEntry`, `SurfaceState`, `SamplerState` or `BorderColor`, with the
    /// address, when the state's memory is not mapped; as [`StateExecutor::execute`]. It is no error when a texel's memory is not
    /// mapped: see [`Outcome`].
    pub fn execute<M: Memory + ?Sized>(
        &mut self,
        message: &Message,
        payload: &Payload<'_>,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        let Self { heaps, executor, .. } = self;
        executor.execute_in(heaps, message, message.lanes, heaps.sampler_table, payload, memory, out)
    }
}

impl<const TEXTURES: usize, const SAMPLERS: usize> StateExecutor<'_, TEXTURES, SAMPLERS> {
    /// Executes `lanes` of a message with the states that it names; its sampler table is `sampler_table` bytes from dynamic state base.
    #[inline(always)]
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
        let held = |key: &MessageKey| key.is_for(message) && heaps.hold(key, message, sampler_table, memory);
        if let Some((prepared, scratch)) = self.expected(held) {
            return prepared.execute(scratch, lanes, payload, memory, out);
        }
        let (prepared, scratch) = self.find_in(heaps, message, sampler_table, memory)?;
        prepared.execute(scratch, lanes, payload, memory, out)
    }

    /// Reads the states that a message names, and finds the message in the cache or prepares it: for all but the expected message.
    // inline(never): keeps this frame off the stack of expected messages.
    #[inline(never)]
    fn find_in<M: Memory + ?Sized>(
        &mut self,
        heaps: &Heaps,
        message: &Message,
        sampler_table: u32,
        memory: &M,
    ) -> Result<(&Prepared<'_>, &mut Scratch)> {
        let (surface, sampler) = heaps.states(message, sampler_table, memory)?;
        self.find(message, &surface, sampler.as_ref())
    }
}
