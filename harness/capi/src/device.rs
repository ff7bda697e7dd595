//! The device: heaps and a thread's registers in, destination registers out.

use crate::error::{report, texwire_error};
use crate::failure::{Failure, Outcome};
use crate::memory::{CallerMemory, texwire_memory};
use crate::state::surface;
use crate::{Status, platform, pointers, simd};
use core::ffi::c_void;
use core::fmt;
use texwire::device::{Device, Heaps, Thread};
use texwire::eu::SendInstruction;
use texwire::message::{Binding, Channels, Message, Op, Payload, Width};
use texwire::sample::Precision;
use texwire::state::{BorderColor, SamplerState};

#[cfg(feature = "small")]
const PREPARED: usize = 2;
#[cfg(not(feature = "small"))]
const PREPARED: usize = 16;

/// A device in the caller's storage.
pub struct texwire_device {
    pub(crate) device: Device<'static, PREPARED, PREPARED>,
}

impl fmt::Debug for texwire_device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("texwire_device").finish_non_exhaustive()
    }
}

/// Base addresses and the pointers of a thread's tables.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_heaps {
    /// Surface State Base Address.
    pub surface_state: u64,
    /// Dynamic State Base Address.
    pub dynamic_state: u64,
    /// Bindless Surface State Base Address.
    pub bindless_surface_state: u64,
    /// Bindless Sampler State Base Address.
    pub bindless_sampler_state: u64,
    /// Binding Table Pointer: an offset from surface state base.
    pub binding_table: u32,
    /// Sampler State Pointer: an offset from dynamic state base.
    pub sampler_table: u32,
}

/// What a thread has when it sends.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_thread {
    /// The general registers, 32 bytes each, from r0 on.
    pub registers: *mut u8,
    /// Bytes of them.
    pub registers_size: usize,
    /// Channels that are alive and at this instruction, bit n = channel n.
    pub dispatch: u32,
    /// Flag registers f0 and f1; subregister 1 is bits 31:16.
    pub flags: [u32; 2],
    /// Address register a0 as dwords: descriptors that an instruction does not hold.
    pub address: [u32; 8],
}

/// What became of a message.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_outcome {
    /// The address of the first element that `fault_lane` could not read, whichever byte of that is not mapped; 0 without a fault.
    pub fault_address: u64,
    /// Lanes that executed.
    pub lanes: u32,
    /// Lanes that read memory that is not there: their result is 0.
    pub faults: u32,
    /// Lanes that read a null page.
    pub null_lanes: u32,
    /// The first lane with a fault, or -1.
    pub fault_lane: i32,
}

/// A message, whoever sends it. Start from `texwire_message_init`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_message {
    /// The operation's number (`texwire_op_name`).
    pub op: u32,
    /// Lanes of the message: 1, 2, 4, 8, 16 or 32.
    pub simd: u32,
    /// Lanes to execute, bit per lane.
    pub lanes: u32,
    /// How many parameters are present.
    pub params: u32,
    /// Bits of an element of a parameter: 16 or 32.
    pub param_bits: u32,
    /// Bits of an element of the result: 16 or 32.
    pub return_bits: u32,
    /// Channels that are returned, bit 0 red .. 3 alpha.
    pub channels: u32,
    /// Source channel of gather4.
    pub gather: u32,
    /// Texel offsets in U, V, R, -8..=7.
    pub offsets: [i32; 3],
    /// Not 0: the pixel null mask follows the channels.
    pub null_mask: u32,
    /// Not 0: the kill mask follows the channels and the pixel null mask (`sample+killpix`).
    pub kill_mask: u32,
    /// Not 0: the LOD is compensated for coarse pixels.
    pub cps: u32,
    /// Surface: an index of the binding table, or a handle when `bindless_surface` is not 0.
    pub surface: u32,
    /// The surface is bindless.
    pub bindless_surface: u32,
    /// Sampler: an index of the sampler table, or a handle when `bindless_sampler` is not 0.
    pub sampler: u32,
    /// The sampler is bindless.
    pub bindless_sampler: u32,
}

impl From<texwire_heaps> for Heaps {
    fn from(heaps: texwire_heaps) -> Self {
        Self {
            surface_state: heaps.surface_state,
            dynamic_state: heaps.dynamic_state,
            bindless_surface_state: heaps.bindless_surface_state,
            bindless_sampler_state: heaps.bindless_sampler_state,
            binding_table: heaps.binding_table,
            sampler_table: heaps.sampler_table,
        }
    }
}

impl texwire_outcome {
    pub(crate) fn new(lanes: u32, outcome: &texwire::sample::Outcome) -> Self {
        let (lane, address) = outcome.first_fault.map_or((-1, 0), |(lane, address)| (lane.into(), address));
        Self {
            fault_address: address,
            lanes,
            faults: outcome.faults,
            null_lanes: outcome.null_lanes,
            fault_lane: lane,
        }
    }

    /// Stores the outcome, unless nobody wants to know.
    pub(crate) fn store(self, to: Option<&mut Self>) {
        if let Some(to) = to {
            *to = self;
        }
    }
}

/// Bytes of storage for a device.
#[unsafe(no_mangle)]
pub extern "C" fn texwire_device_size() -> usize {
    pointers::room_size::<texwire_device>()
}

/// Alignment of storage for a device: 8 at most.
#[unsafe(no_mangle)]
pub extern "C" fn texwire_device_align() -> usize {
    pointers::room_align::<texwire_device>()
}

/// Makes a device in `storage` and writes its place to `device`. It needs no end: storage may be used for other things
/// when the device is no longer needed.
///
/// # Safety
/// `storage` has `size` bytes that live and are used for nothing else while the device is used; `heaps` points to heaps,
/// `device` to a pointer; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_device_init(
    storage: *mut c_void,
    size: usize,
    platform_number: u32,
    heaps: *const texwire_heaps,
    device: *mut *mut texwire_device,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        let place = pointers::room::<texwire_device>(storage, size)?;
        let platform = platform(platform_number, 2)?;
        // SAFETY: the caller's promise.
        let heaps = *unsafe { pointers::reference(heaps, 3) }?;
        // SAFETY: the caller's promise.
        let out = unsafe { pointers::exclusive(device, 4) }?;
        // SAFETY: not null, aligned and large enough; the caller promises that it may be written.
        unsafe { place.write(texwire_device { device: Device::new(platform, heaps.into()) }) };
        // SAFETY: it was written just now.
        unsafe { pointers::exclusive(place, 0) }?.device.executor.set_stages(simd::best());
        *out = place;
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Sets the heaps and tables. What is bound stays: it is known by the bits of its state.
///
/// # Safety
/// `device` was made by `texwire_device_init`, `heaps` points to heaps; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_device_set_heaps(
    device: *mut texwire_device,
    heaps: *const texwire_heaps,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let device = unsafe { pointers::exclusive(device, 0) }?;
        // SAFETY: the caller's promise.
        device.device.heaps = (*unsafe { pointers::reference(heaps, 1) }?).into();
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Sets the arithmetic of filters (`fixed8` not 0: 8-bit fractions, as hardware) and the LOD of coarse pixels.
///
/// # Safety
/// `device` was made by `texwire_device_init`; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_device_set_options(
    device: *mut texwire_device,
    fixed8: u32,
    coarse_lod: f32,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let executor = &mut unsafe { pointers::exclusive(device, 0) }?.device.executor;
        executor.set_precision(if fixed8 == 0 { Precision::Float } else { Precision::Fixed8 });
        executor.set_coarse_lod(coarse_lod);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Sets the palettes 0 and 1 that formats of indices refer to (`P8_UNORM_PALETTE1`): entries of 8 bits each for alpha (31:24), red
/// (23:16), green (15:8) and blue (7:0). Entries past the end are 0. Surfaces of a palette without entries, as it is
/// before it is set, are refused (`TEXWIRE_STATUS_UNSUPPORTED`).
///
/// # Safety
/// `device` was made by `texwire_device_init`; `palette0` and `palette1` have `count0` and `count1` entries, which live and stay as
/// they are until others are set or the device is no longer used (null if there are none); `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_device_set_palettes(
    device: *mut texwire_device,
    palette0: *const u32,
    count0: usize,
    palette1: *const u32,
    count1: usize,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let executor = &mut unsafe { pointers::exclusive(device, 0) }?.device.executor;
        // SAFETY: the caller's promise.
        let first = unsafe { pointers::slice(palette0, count0, 1) }?;
        // SAFETY: the caller's promise.
        let second = unsafe { pointers::slice(palette1, count1, 3) }?;
        executor.set_palettes([first, second]);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Drops all prepared messages, bound samplers and lowered sends. A change of heaps, tables or states does not need it: what is kept
/// is used only while the states in memory have the same bits.
///
/// # Safety
/// `device` was made by `texwire_device_init`; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_device_invalidate(
    device: *mut texwire_device,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        unsafe { pointers::exclusive(device, 0) }?.device.invalidate();
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Executes a `send` of 16 bytes to the sampler: takes its payload from the thread's registers and writes its result there.
/// Lanes and channels that are off keep what the destination held. On a failure no register is written.
///
/// # Safety
/// `device` was made by `texwire_device_init`; `instruction` points to 16 bytes, `thread` to a thread whose registers may be
/// written, `memory` to memory; `outcome` is null or points to an outcome, `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_device_send(
    device: *mut texwire_device,
    instruction: *const u8,
    thread: *const texwire_thread,
    memory: *const texwire_memory,
    outcome: *mut texwire_outcome,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let device = &mut unsafe { pointers::exclusive(device, 0) }?.device;
        // SAFETY: the caller's promise.
        let code = unsafe { pointers::slice(instruction, 16, 1) }?;
        let code = code.first_chunk().ok_or(Failure::Argument(1))?;
        // SAFETY: the caller's promise.
        let from = unsafe { pointers::reference(thread, 2) }?;
        // SAFETY: the caller's promise.
        let registers = unsafe { pointers::slice_mut(from.registers, from.registers_size, 2) }?;
        let texwire_thread { dispatch, flags, address, .. } = *from;
        // SAFETY: the caller's promise.
        let memory = unsafe { CallerMemory::new(memory, 3) }?;
        // SAFETY: the caller's promise.
        let outcome = unsafe { pointers::optional(outcome, 4) }?;
        let send = SendInstruction::from_bytes(device.executor.platform(), code)?;
        let done = device.send(&send, &mut Thread { registers, dispatch, flags, address }, &memory)?;
        texwire_outcome::new(done.message.lanes, &done.outcome).store(outcome);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Executes a message on states that are given and not looked for in heaps.
///
/// Parameters lie one after another, `param_stride` bytes apart, lanes of 2 or 4 bytes each. The result goes to `result` as
/// channels of whole registers of 32 bytes; `result_size` may be more than it needs.
///
/// # Safety
/// `device` was made by `texwire_device_init`; `message` points to a message, `surface_dwords` to 16 dwords; `sampler` and
/// `border` are null or point to 4 dwords each; `params` has `params_size` bytes, `result` `result_size` that may be written;
/// `memory` points to memory; `outcome` is null or points to an outcome, `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_device_execute(
    device: *mut texwire_device,
    message: *const texwire_message,
    surface_dwords: *const u32,
    sampler: *const u32,
    border: *const u32,
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
        let device = &mut unsafe { pointers::exclusive(device, 0) }?.device;
        // SAFETY: the caller's promise.
        let message = unsafe { pointers::reference(message, 1) }?.lower(1)?;
        // SAFETY: the caller's promise.
        let surface = unsafe { surface(surface_dwords, 2) }?;
        // SAFETY: the caller's promise.
        let dwords = unsafe { four(sampler, 3) }?;
        // SAFETY: the caller's promise.
        let colour = unsafe { four(border, 4) }?;
        let sampler = (SamplerState { dwords }, BorderColor { dwords: colour });
        // SAFETY: the caller's promise.
        let params = unsafe { pointers::slice(params, params_size, 5) }?;
        let payload = Payload::split([params, &[]], param_stride, message.params.into())?;
        // SAFETY: the caller's promise.
        let memory = unsafe { CallerMemory::new(memory, 8) }?;
        // SAFETY: the caller's promise.
        let out = unsafe { pointers::slice_mut(result, result_size, 9) }?;
        // SAFETY: the caller's promise.
        let outcome = unsafe { pointers::optional(outcome, 11) }?;
        let sampler = message.op.flags().sampler.then_some(&sampler);
        let done = device.executor.execute(&surface, sampler, &message, &payload, &memory, out)?;
        texwire_outcome::new(message.lanes & message.all_lanes(), &done).store(outcome);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Four dwords; zeros from null.
///
/// # Safety
/// `dwords` is null or points to 4 dwords.
pub(crate) unsafe fn four(dwords: *const u32, argument: u32) -> Outcome<[u32; 4]> {
    if dwords.is_null() {
        return Ok([0; 4]);
    }
    // SAFETY: the caller's promise.
    let dwords = unsafe { pointers::slice(dwords, 4, argument) }?;
    dwords.first_chunk().copied().ok_or(Failure::Argument(argument))
}

impl texwire_message {
    pub(crate) fn new(message: &Message) -> Self {
        let binding = |binding| match binding {
            Binding::Index(index) => (index, 0),
            Binding::Bindless(handle) => (handle, 1),
            Binding::Unresolved => (u32::MAX, 0),
        };
        let bits = |width: Width| width.bytes() as u32 * 8;
        let (surface, bindless_surface) = binding(message.surface);
        let (sampler, bindless_sampler) = binding(message.sampler);
        Self {
            op: number(message.op),
            simd: message.simd.into(),
            lanes: message.lanes,
            params: message.params.into(),
            param_bits: bits(message.param_width),
            return_bits: bits(message.return_width),
            channels: message.channels.mask().into(),
            gather: message.gather.into(),
            offsets: message.offsets.map(i32::from),
            null_mask: message.null_mask.into(),
            kill_mask: message.kill_mask.into(),
            cps: message.cps.into(),
            surface,
            bindless_surface,
            sampler,
            bindless_sampler,
        }
    }

    /// The message; `argument` is its number among a function's arguments.
    pub(crate) fn lower(&self, argument: u32) -> Outcome<Message> {
        let wrong = || Failure::Argument(argument);
        let byte = |value: u32, most: u32| u8::try_from(value).ok().filter(|_| value <= most).ok_or(wrong());
        let width = |bits| match bits {
            16 => Ok(Width::Half),
            32 => Ok(Width::Full),
            _ => Err(wrong()),
        };
        let binding =
            |value, bindless| if bindless == 0 { Binding::Index(value) } else { Binding::Bindless(value) };
        let [u, v, r] = self.offsets.map(|offset| i8::try_from(offset).ok().filter(|o| (-8..=7).contains(o)));
        let op = op(self.op).ok_or(wrong())?;
        Ok(Message {
            simd: byte(self.simd, 32)?,
            lanes: self.lanes,
            params: byte(self.params, 12)?,
            param_width: width(self.param_bits)?,
            return_width: width(self.return_bits)?,
            channels: Channels::new(byte(self.channels, 15)?),
            gather: byte(self.gather, 3)?,
            offsets: [u.ok_or(wrong())?, v.ok_or(wrong())?, r.ok_or(wrong())?],
            null_mask: self.null_mask != 0,
            kill_mask: self.kill_mask != 0,
            cps: self.cps != 0,
            surface: binding(self.surface, self.bindless_surface),
            sampler: binding(self.sampler, self.bindless_sampler),
            ..Message::new(op)
        })
    }
}

fn number(op: Op) -> u32 {
    Op::ALL.iter().position(|other| *other == op).map_or(u32::MAX, |index| index as u32)
}

fn op(number: u32) -> Option<Op> {
    Op::ALL.get(usize::try_from(number).ok()?).copied()
}

/// A SIMD8 message of an operation: all lanes, channels and parameters, 32 bits.
///
/// # Safety
/// `message` points to a message; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_message_init(
    message: *mut texwire_message,
    op_number: u32,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let message = unsafe { pointers::exclusive(message, 0) }?;
        *message = texwire_message::new(&Message::new(op(op_number).ok_or(Failure::Argument(1))?));
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Writes the name of an operation ("sample_l"); numbers go from 0 up. Returns the length without the NUL, 0 for a number that is
/// none.
///
/// # Safety
/// `buffer` is null or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_op_name(
    op_number: u32,
    buffer: *mut core::ffi::c_char,
    size: usize,
) -> usize {
    let name = op(op_number).map_or("", Op::name);
    // SAFETY: the caller's promise.
    unsafe { crate::error::text(buffer, size, |out| fmt::Write::write_str(out, name)) }
}
