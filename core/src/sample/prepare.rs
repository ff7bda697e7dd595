//! Prepared messages: a message, texture and sampler with everything decided that does not depend on the payload.

use heapless::Vec;

use super::bind::sampler::Sampler;
use super::bind::texture::Texture;
use super::direct::Direct;
use super::direct::call::DirectCall;
use super::fetch::frames::{SurfaceBytes, SurfaceMemory};
use super::general::execute::run;
use super::general::texels::GeneralPath;
use super::lanes::{LANES, MULTI_LANE};
use super::plan::permit::permit;
use super::plan::widen::Widen;
use super::plan::{Decode, Plan};
use super::scratch::{PassScratches, Scratch, Widened};
use super::stages::Stages;
use super::writeback::Outcome;
use crate::error::{Error, Kind, Result, What};
use crate::format::BlockStore;
use crate::format::channel::BytePlanes;
use crate::memory::Memory;
use crate::message::{Message, Op, Payload, Response};

/// Payloads that a batch takes from its iterator before it executes the first of them.
const BATCH_WINDOW: usize = 8;

/// A message on a texture and a sampler, ready to be executed with many payloads.
///
/// Everything that does not depend on lanes is decided here: which stages run, with which constants. It holds copies of
/// the texture and sampler data, so that it can be kept beside the states that it was made of; make it anew when those change.
#[derive(Clone, Debug)]
pub struct Prepared<'p> {
    pub(super) texture: Texture<'p>,
    pub(super) plan: Plan<'p>,
    /// The direct path, which decides nothing between stages; `None` if the message can only take the general path.
    pub(super) direct: [Option<Direct>; MULTI_LANE],
    /// The conversion of payloads to 32 bits and whole passes, before any other stage; `None` if the message needs none.
    pub(super) widen: [Option<Widen>; MULTI_LANE],
    /// The palette split into byte planes, if texels are 8-bit indices into one. Small targets look entries up one by one.
    pub(super) palette: [Option<BytePlanes<4>>; MULTI_LANE],
}

impl<'p> Prepared<'p> {
    /// Prepares `message` (its execution mask is ignored) for the stages of the crate's target.
    ///
    /// # Errors
    /// As [`Texture::execute`], except `Capacity` writeback.
    pub fn new(texture: &Texture<'p>, sampler: &Sampler, message: &Message) -> Result<Self> {
        Self::with_stages(texture, sampler, message, Stages::BASELINE)
    }

    /// Prepares `message` for the stages of one vector level. The results are the same at every vector level.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_stages(
        texture: &Texture<'p>,
        sampler: &Sampler,
        message: &Message,
        stages: &'p Stages,
    ) -> Result<Self> {
        permit(texture, sampler, message)?;
        let controls = match message.op {
            Op::LdMcs if LANES > 1 => texture.of_controls(message.return_width),
            _ => None,
        };
        let texture = controls.as_ref().unwrap_or(texture);
        let mut plan = Plan::new(texture, sampler, message, stages);
        plan.choose_stages(texture, sampler);
        let widen = [Widen::new(&plan); MULTI_LANE];
        if let Some(Some(_)) = widen.first() {
            plan.params = plan.params.widened();
        }
        let direct = [Direct::new(&plan, texture); MULTI_LANE];
        let palette = core::array::from_fn(|_| plan.palette());
        Ok(Self { texture: texture.clone(), plan, direct, widen, palette })
    }

    /// Returns the layout of a result, which says how many bytes [`execute`](Self::execute) writes.
    pub const fn response(&self) -> Response {
        self.plan.response
    }

    /// Executes the message with a payload, for the lanes of the execution mask `lanes`, and writes its result to `out`, laid
    /// out as [`response`](Self::response) says.
    ///
    /// Bytes of inactive lanes and disabled channels are not touched. A lane that reads unmapped memory
    /// gets 0 and is reported in the [`Outcome`]; all other lanes complete.
    ///
    /// # Errors
    /// `Capacity` writeback: `out` is too short; nothing is written then.
    pub fn execute<M: Memory + ?Sized>(
        &self,
        scratch: &mut Scratch,
        lanes: u32,
        payload: &Payload<'_>,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        self.execute_on(scratch, None, lanes, payload, (self.plan.bytes(memory), memory), out)
    }

    /// Executes the message with many payloads, as a `send` in a loop does. The results are those of [`execute`](Self::execute), but
    /// memory is asked for the whole surface once, and two payloads run side by side if no decision is needed between their stages.
    ///
    /// A payload is the two blocks of a `send`, which hold the message's parameters one after the other (see [`Payload::split`]). Up
    /// to eight payloads are taken from the iterator before the first of them is executed.
    /// Results lie one after the other in `out`, each as long as [`response`](Self::response) says; `done` is called with the outcome
    /// of each. Returns the number of payloads. Payloads and `out` may begin anywhere; with vectors of 512 bits execution takes a few
    /// percent less time if they begin at multiples of 64 bytes.
    ///
    /// # Errors
    /// `Truncated` payload. `Capacity` writeback: `out` is too short for the next result. The results of the payloads before the error
    /// are written.
    pub fn execute_batch<'b, M: Memory + ?Sized>(
        &self,
        scratch: &mut Scratch,
        lanes: u32,
        payloads: impl IntoIterator<Item = [&'b [u8]; 2]>,
        memory: &M,
        out: &mut [u8],
        done: impl FnMut(Outcome),
    ) -> Result<usize> {
        self.batch(scratch, None, lanes, payloads, memory, out, done)
    }

    /// [`execute_batch`](Self::execute_batch) with a store of decoded blocks: see [`execute_with_blocks`](Self::execute_with_blocks).
    ///
    /// # Errors
    /// As [`execute_batch`](Self::execute_batch).
    pub fn execute_batch_with_blocks<'b, M: Memory + ?Sized>(
        &self,
        scratch: &mut Scratch,
        blocks: &mut BlockStore<'_>,
        lanes: u32,
        payloads: impl IntoIterator<Item = [&'b [u8]; 2]>,
        memory: &M,
        out: &mut [u8],
        done: impl FnMut(Outcome),
    ) -> Result<usize> {
        self.batch(scratch, self.usable(blocks), lanes, payloads, memory, out, done)
    }

    #[inline(always)]
    fn batch<'b, M: Memory + ?Sized>(
        &self,
        scratch: &mut Scratch,
        mut blocks: Option<&mut BlockStore<'_>>,
        lanes: u32,
        payloads: impl IntoIterator<Item = [&'b [u8]; 2]>,
        memory: &M,
        out: &mut [u8],
        mut done: impl FnMut(Outcome),
    ) -> Result<usize> {
        let (bytes, len) = (self.plan.bytes(memory), usize::from(self.plan.response.len));
        // The direct path executes payloads of messages of one or two passes together.
        let direct = self.direct(blocks.is_some()).filter(|_| self.plan.params.passes() <= 2);
        let widen = self.widen.first().and_then(Option::as_ref);
        let (mut payloads, mut out, mut count) = (payloads.into_iter(), out, 0_usize);
        loop {
            let mut several = Vec::<_, BATCH_WINDOW>::new();
            while !several.is_full()
                && let Some(registers) = payloads.next()
                && several.push(registers).is_ok()
            {}
            let mut left = several.as_slice();
            if left.is_empty() {
                return Ok(count);
            }
            while !left.is_empty() {
                if let Some(direct) = direct {
                    let source = self.source(bytes, &memory, blocks.as_deref());
                    let call = DirectCall { plan: &self.plan, source: &source };
                    let executed = direct.execute_several(call, widen, scratch, lanes, left, out);
                    out = out.get_mut(len.wrapping_mul(executed)..).unwrap_or_default();
                    left = left.get(executed..).unwrap_or_default();
                    count = count.wrapping_add(executed);
                    (0..executed).for_each(|_| done(Outcome::default()));
                }
                // The direct path stops before a pair of payloads: both are executed one by one before it tries the next pair.
                let (these, others) = left.split_at_checked(2).unwrap_or((left, &[]));
                for registers in these {
                    let needed = len.saturating_mul(count.wrapping_add(1));
                    let full = Error::new(Kind::Capacity, What::Writeback).value(needed as u64);
                    let (result, rest) = core::mem::take(&mut out).split_at_mut_checked(len).ok_or(full)?;
                    let (payload, store) =
                        (Payload::of_message(&self.plan.message, *registers)?, blocks.as_deref_mut());
                    done(self.execute_on(scratch, store, lanes, &payload, (bytes, memory), result)?);
                    (out, count) = (rest, count.wrapping_add(1));
                }
                left = others;
            }
        }
    }

    /// Executes the message with a payload of any shape, on the direct path, else on the general one: [`execute`](Self::execute) with an
    /// optional store of decoded blocks.
    #[inline(always)]
    fn execute_on<M: Memory + ?Sized>(
        &self,
        Scratch { scratches, widened }: &mut Scratch,
        blocks: Option<&mut BlockStore<'_>>,
        lanes: u32,
        payload: &Payload<'_>,
        (bytes, memory): (SurfaceBytes<'_>, &M),
        out: &mut [u8],
    ) -> Result<Outcome> {
        let widened = self.widened(payload, widened);
        let payload = widened.as_ref().unwrap_or(payload);
        let source = self.source(bytes, &memory, blocks.as_deref());
        if let Some(direct) = self.direct(blocks.is_some())
            && direct
                .execute(DirectCall { plan: &self.plan, source: &source }, scratches, lanes, payload, out)
                .is_some()
        {
            return Ok(Outcome::default());
        }
        self.execute_stages(scratches, blocks, lanes, payload, (bytes, memory), out)
    }

    /// Bundles what stages read texels from. `bytes`: what [`Plan::bytes`] returned for this memory.
    #[inline(always)]
    pub(super) fn source<'s>(
        &'s self,
        bytes: SurfaceBytes<'s>,
        memory: &'s dyn Memory,
        blocks: Option<&'s BlockStore<'_>>,
    ) -> SurfaceMemory<'s> {
        let palette = self.palette.first().and_then(Option::as_ref);
        SurfaceMemory { bytes, memory, blocks, palette }
    }

    /// Returns the payload converted to 32 bits and whole passes, the shape that the plan expects; `None` if the message needs no
    /// conversion.
    #[inline(always)]
    pub(super) fn widened<'r>(&self, payload: &Payload<'_>, scratch: &'r mut Widened) -> Option<Payload<'r>> {
        let Some(Some(widen)) = self.widen.first() else { return None };
        Some(widen.run(payload, scratch.first_mut()?))
    }

    /// Returns the direct path if the message can take it. Formats whose blocks are decoded as a whole can do so only with a store of
    /// decoded blocks (`has_blocks`).
    #[inline(always)]
    pub(super) fn direct(&self, has_blocks: bool) -> Option<&Direct> {
        self.direct.first()?.as_ref().filter(|_| has_blocks || !self.reads_blocks())
    }

    /// Returns the store if it has the texels that this message reads: see [`BlockStore::serves`].
    fn usable<'b, 's>(&self, blocks: &'b mut BlockStore<'s>) -> Option<&'b mut BlockStore<'s>> {
        Some(blocks).filter(|blocks| self.plan.codec.is_some_and(|decoder| blocks.serves(&decoder)))
    }

    /// Executes the message on the general path. (A function of its own, so that [`execute`](Self::execute) has no stack frame for
    /// it.)
    #[inline(never)]
    fn execute_stages<M: Memory + ?Sized>(
        &self,
        scratches: &mut PassScratches,
        blocks: Option<&mut BlockStore<'_>>,
        lanes: u32,
        payload: &Payload<'_>,
        (bytes, memory): (SurfaceBytes<'_>, &M),
        out: &mut [u8],
    ) -> Result<Outcome> {
        let general =
            GeneralPath::new(&self.texture, &self.plan, &mut scratches.scratch, blocks, (bytes, &memory));
        run(general, lanes, payload, out)
    }

    /// Returns true if blocks of the surface's format are decoded as a whole, so that [`execute_with_blocks`](Self::execute_with_blocks)
    /// can keep them. For all other messages that does the same as [`execute`](Self::execute).
    #[must_use]
    pub fn reads_blocks(&self) -> bool {
        self.plan.decode == Decode::Blocks
    }

    /// [`execute`](Self::execute) with a store of decoded blocks, for formats whose blocks are decoded as a whole
    /// (BC6H, BC7, ASTC, ...). The store is ignored for other formats, and for a sampler that skips the sRGB curve if the store's decoder
    /// applies it to stored texels (ASTC), or the other way round.
    ///
    /// The store belongs to this surface and its memory: call [`BlockStore::clear`] when either changes.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub fn execute_with_blocks<M: Memory + ?Sized>(
        &self,
        scratch: &mut Scratch,
        blocks: &mut BlockStore<'_>,
        lanes: u32,
        payload: &Payload<'_>,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        self.execute_on(scratch, self.usable(blocks), lanes, payload, (self.plan.bytes(memory), memory), out)
    }
}
