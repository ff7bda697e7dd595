//! Prepared messages: a message on a surface and a sampler, decided once and run with many payloads.

use crate::device::{four, texwire_message, texwire_outcome};
use crate::error::{report, texwire_error};
use crate::failure::{Failure, Outcome};
use crate::memory::{CallerMemory, texwire_memory};
use crate::state::surface;
use crate::{Status, platform, pointers, simd};
use core::ffi::c_void;
use core::{fmt, ptr};
use texwire::error::{Error, Kind, What};
use texwire::message::Payload;
use texwire::sample::{Precision, Prepared, Sampler, Scratch, Texture};
use texwire::state::SamplerState;

/// A prepared message in the caller's storage, with the room that its execution needs.
pub struct texwire_prepared {
    prepared: Prepared<'static>,
    scratch: Scratch,
    /// The lanes that the message has, bit per lane.
    all_lanes: u32,
    params: u16,
    /// Bytes from parameter to parameter of a `send`.
    stride: u16,
}

impl fmt::Debug for texwire_prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("texwire_prepared").finish_non_exhaustive()
    }
}

/// Payloads of messages, one after another, and where their results go.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_batch {
    /// How many messages.
    pub count: usize,
    /// Lanes to execute of each message, bit per lane; null: all lanes of every message.
    pub lanes: *const u32,
    /// The parameters of the first message.
    pub params: *const u8,
    /// Bytes of all parameters.
    pub params_size: usize,
    /// Bytes from parameter to parameter of a message.
    pub param_stride: usize,
    /// Bytes from the parameters of a message to those of the next.
    pub message_stride: usize,
    /// The results; bytes of lanes and channels that are off stay.
    pub results: *mut u8,
    /// Bytes of all results.
    pub results_size: usize,
    /// Bytes from a result to the next.
    pub result_stride: usize,
    /// What became of each message; null: nobody wants to know.
    pub outcomes: *mut texwire_outcome,
}

/// Bytes of storage for a prepared message.
#[unsafe(no_mangle)]
pub extern "C" fn texwire_prepared_size() -> usize {
    pointers::room_size::<texwire_prepared>()
}

/// Alignment of storage for a prepared message: 8 at most.
#[unsafe(no_mangle)]
pub extern "C" fn texwire_prepared_align() -> usize {
    pointers::room_align::<texwire_prepared>()
}

/// Prepares a message in `storage` and writes its place to `prepared`; lanes and bindings of the message play no part. It
/// needs no end, and does not change when the states do: prepare it anew then. Surfaces whose format refers to a palette are
/// refused (`TEXWIRE_STATUS_UNSUPPORTED`): see `texwire_prepared_init_with_palette`.
///
/// # Safety
/// `storage` has `size` bytes that live and are used for nothing else while the message is used; `message` points to a
/// message, `surface_dwords` to 16 dwords; `sampler` and `border` are null or point to 4 dwords each; `prepared` points to a
/// pointer; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_prepared_init(
    storage: *mut c_void,
    size: usize,
    platform_number: u32,
    message: *const texwire_message,
    surface_dwords: *const u32,
    sampler: *const u32,
    border: *const u32,
    fixed8: u32,
    coarse_lod: f32,
    prepared: *mut *mut texwire_prepared,
    error: *mut texwire_error,
) -> Status {
    let surface = surface_dwords;
    let states = States { platform_number, message, surface, sampler, border, fixed8, coarse_lod };
    // SAFETY: the caller's promise.
    let body = || unsafe { states.prepare(storage, size, (ptr::null(), 0), prepared, 9) };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// `texwire_prepared_init` for a surface whose format refers to a palette (`P8_UNORM_PALETTE1`): `palette` is the one that the format
/// names, with entries of 8 bits each for alpha (31:24), red (23:16), green (15:8) and blue (7:0). Entries past the end are 0;
/// without entries the surface is refused. Other formats do not read it.
///
/// # Safety
/// As of `texwire_prepared_init`; `palette` has `palette_count` entries, which live and stay as they are while the message is
/// used (null if there are none).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_prepared_init_with_palette(
    storage: *mut c_void,
    size: usize,
    platform_number: u32,
    message: *const texwire_message,
    surface_dwords: *const u32,
    sampler: *const u32,
    border: *const u32,
    fixed8: u32,
    coarse_lod: f32,
    palette: *const u32,
    palette_count: usize,
    prepared: *mut *mut texwire_prepared,
    error: *mut texwire_error,
) -> Status {
    let surface = surface_dwords;
    let states = States { platform_number, message, surface, sampler, border, fixed8, coarse_lod };
    // SAFETY: the caller's promise.
    let body = || unsafe { states.prepare(storage, size, (palette, palette_count), prepared, 11) };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// The arguments of `texwire_prepared_init` from the third to the ninth, which `texwire_prepared_init_with_palette` has, too.
struct States {
    platform_number: u32,
    message: *const texwire_message,
    surface: *const u32,
    sampler: *const u32,
    border: *const u32,
    fixed8: u32,
    coarse_lod: f32,
}

impl States {
    /// Prepares the message in storage, with a palette and the number of its entries, and writes its place to `prepared`, which has this
    /// number among the function's arguments. The palette is the tenth.
    ///
    /// # Safety
    /// What `texwire_prepared_init_with_palette` says of its arguments.
    unsafe fn prepare(
        &self,
        storage: *mut c_void,
        size: usize,
        (palette, palette_count): (*const u32, usize),
        prepared: *mut *mut texwire_prepared,
        argument: u32,
    ) -> Outcome<()> {
        let place = pointers::room::<texwire_prepared>(storage, size)?;
        // SAFETY: the caller's promise.
        let palette: &'static [u32] = unsafe { pointers::slice(palette, palette_count, 9) }?;
        let platform = platform(self.platform_number, 2)?;
        // SAFETY: the caller's promise.
        let message = unsafe { pointers::reference(self.message, 3) }?.lower(3)?;
        // SAFETY: the caller's promise.
        let state = unsafe { surface(self.surface, 4) }?;
        let texture = if palette.is_empty() {
            Texture::bind(&state, platform)?
        } else {
            Texture::with_palette(&state, platform, palette)?
        };
        // SAFETY: the caller's promise.
        let dwords = unsafe { four(self.sampler, 5) }?;
        // SAFETY: the caller's promise.
        let colour = unsafe { four(self.border, 6) }?;
        let sampler = if message.op.flags().sampler {
            Sampler::bind(&SamplerState { dwords }, &colour)?
        } else {
            Sampler::none()
        };
        let precision = if self.fixed8 == 0 { Precision::Float } else { Precision::Fixed8 };
        let sampler = sampler.with_precision(precision).with_cps_lod(self.coarse_lod);
        let made = texwire_prepared {
            prepared: Prepared::with_stages(&texture, &sampler, &message, simd::best())?,
            scratch: Scratch::new(),
            all_lanes: message.all_lanes(),
            params: message.params.into(),
            stride: u16::from(message.simd).wrapping_mul(message.param_width.bytes() as u16),
        };
        // SAFETY: the caller's promise.
        let out = unsafe { pointers::exclusive(prepared, argument) }?;
        // SAFETY: not null, aligned and large enough; the caller promises that it may be written.
        unsafe { place.write(made) };
        *out = place;
        Ok(())
    }
}

/// Bytes of the result of a prepared message: channels of whole registers of 32 bytes, then the masks that it asks for. 0 for
/// null.
///
/// # Safety
/// `prepared` is null or was made by `texwire_prepared_init`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_prepared_result_size(prepared: *const texwire_prepared) -> usize {
    // SAFETY: the caller's promise.
    let prepared = unsafe { pointers::reference(prepared, 0) };
    prepared.map_or(0, |prepared| prepared.prepared.response().len.into())
}

/// Executes a prepared message for `lanes` (bit per lane). Parameters and result as of `texwire_device_execute`.
///
/// # Safety
/// `prepared` was made by `texwire_prepared_init`; `params` has `params_size` bytes, `result` `result_size` that may be
/// written; `memory` points to memory; `outcome` is null or points to an outcome, `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_prepared_execute(
    prepared: *mut texwire_prepared,
    lanes: u32,
    params: *const u8,
    params_size: usize,
    param_stride: usize,
    memory: *const texwire_memory,
    result: *mut u8,
    result_size: usize,
    outcome: *mut texwire_outcome,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let prepared = unsafe { pointers::exclusive(prepared, 0) }?;
        // SAFETY: the caller's promise.
        let params = unsafe { pointers::slice(params, params_size, 2) }?;
        // SAFETY: the caller's promise.
        let memory = unsafe { CallerMemory::new(memory, 5) }?;
        // SAFETY: the caller's promise.
        let out = unsafe { pointers::slice_mut(result, result_size, 6) }?;
        // SAFETY: the caller's promise.
        let outcome = unsafe { pointers::optional(outcome, 8) }?;
        prepared.run(lanes, params, param_stride, &memory, out)?.store(outcome);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Executes a prepared message with many payloads. `done` gets the number of messages that were executed: on a failure those
/// before the one that failed. With too little room for the results it fails with `TEXWIRE_STATUS_CAPACITY`, and the error's value is the
/// bytes of the results of all messages.
///
/// # Safety
/// `prepared` was made by `texwire_prepared_init`; `batch` points to a batch: its `lanes` are null or `count` numbers, `params`
/// has `params_size` bytes, `results` `results_size` that may be written, `outcomes` is null or has `count` outcomes; `memory`
/// points to memory; `done` is null or points to a number, `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_prepared_execute_many(
    prepared: *mut texwire_prepared,
    batch: *const texwire_batch,
    memory: *const texwire_memory,
    done: *mut usize,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let prepared = unsafe { pointers::exclusive(prepared, 0) }?;
        // SAFETY: the caller's promise.
        let batch = *unsafe { pointers::reference(batch, 1) }?;
        let masks = if batch.lanes.is_null() { 0 } else { batch.count };
        // SAFETY: the caller's promise.
        let masks = unsafe { pointers::slice(batch.lanes, masks, 1) }?;
        // SAFETY: the caller's promise.
        let params = unsafe { pointers::slice(batch.params, batch.params_size, 1) }?;
        // SAFETY: the caller's promise.
        let results = unsafe { pointers::slice_mut(batch.results, batch.results_size, 1) }?;
        let told = if batch.outcomes.is_null() { 0 } else { batch.count };
        // SAFETY: the caller's promise.
        let outcomes = unsafe { pointers::slice_mut(batch.outcomes, told, 1) }?;
        // SAFETY: the caller's promise.
        let memory = unsafe { CallerMemory::new(memory, 2) }?;
        // SAFETY: the caller's promise.
        let done = unsafe { pointers::optional(done, 3) }?;
        let mut count = 0_usize;
        let done_one = |outcome: texwire_outcome| {
            if let Some(out) = outcomes.get_mut(count) {
                *out = outcome;
            }
            count = count.wrapping_add(1);
        };
        let ran = prepared.run_many(&batch, masks, params, results, &memory, done_one);
        if let Some(done) = done {
            *done = count;
        }
        // The core tells the room for one result, or how many have room.
        let last = batch.result_stride.saturating_mul(batch.count.saturating_sub(1));
        ran.map_err(|failure| failure.needing(last.saturating_add(prepared.prepared.response().len.into())))
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

impl texwire_prepared {
    /// Executes a batch: messages of the same lanes together, if they and their results lie as those of `send` do.
    fn run_many(
        &mut self,
        batch: &texwire_batch,
        masks: &[u32],
        params: &[u8],
        results: &mut [u8],
        memory: &CallerMemory<'_>,
        mut done: impl FnMut(texwire_outcome),
    ) -> Outcome<()> {
        let missing = || Failure::Argument(1);
        let all_lanes = self.all_lanes;
        let lanes_of = |number: usize| masks.get(number).map_or(all_lanes, |mask| mask & all_lanes);
        let from = |number: usize| {
            number.checked_mul(batch.message_stride).and_then(|at| params.get(at..)).ok_or(missing())
        };
        let result = usize::from(self.prepared.response().len);
        let together = batch.param_stride == usize::from(self.stride) && batch.result_stride == result;
        let mut first = 0_usize;
        while first < batch.count {
            let lanes = lanes_of(first);
            let to = first.checked_mul(batch.result_stride).and_then(|at| results.get_mut(at..));
            let full = Failure::Core(Error::new(Kind::Capacity, What::Writeback));
            let (from_first, to) = (from(first)?, to.ok_or(full)?);
            if !together {
                done(self.run(lanes, from_first, batch.param_stride, memory, to)?);
                first = first.wrapping_add(1);
                continue;
            }
            let payloads = (first..batch.count)
                .take_while(|number| lanes_of(*number) == lanes)
                .map_while(|number| Some([from(number).ok()?, &[]]));
            let Self { prepared, scratch, .. } = self;
            let outcome = |outcome| done(texwire_outcome::new(lanes, &outcome));
            let executed = prepared.execute_batch(scratch, lanes, payloads, memory, to, outcome)?;
            first = first.wrapping_add(executed);
        }
        Ok(())
    }

    fn run(
        &mut self,
        lanes: u32,
        params: &[u8],
        param_stride: usize,
        memory: &CallerMemory<'_>,
        out: &mut [u8],
    ) -> Outcome<texwire_outcome> {
        let Self { prepared, scratch, all_lanes, params: count, .. } = self;
        let lanes = lanes & *all_lanes;
        let payload = Payload::split([params, &[]], param_stride, usize::from(*count))?;
        let done = prepared.execute(scratch, lanes, &payload, memory, out)?;
        Ok(texwire_outcome::new(lanes, &done))
    }
}
