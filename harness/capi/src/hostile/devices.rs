//! The functions of a device: instructions, messages, footprints, settings.

use super::choices::{Choices, refused};
use crate::device::{
    texwire_device, texwire_device_align, texwire_device_execute, texwire_device_init,
    texwire_device_invalidate, texwire_device_send, texwire_device_set_heaps, texwire_device_set_options,
    texwire_device_set_palettes, texwire_device_size, texwire_heaps, texwire_message, texwire_message_init,
    texwire_op_name, texwire_outcome, texwire_thread,
};
use crate::error::{Status, texwire_error};
use crate::memory::texwire_memory;
use crate::observe::{texwire_device_footprint, texwire_footprint, texwire_tap};
use crate::wires::{texwire_gen_assemble, texwire_gen_message};
use core::ptr;
use std::mem::MaybeUninit;
use std::vec;

/// Makes a device, sends an instruction to it, executes a message, and changes the settings.
pub(super) fn devices(
    choose: &mut Choices<'_>,
    error: *mut texwire_error,
    memory: &mut texwire_memory,
    data: &[u8],
) {
    let mut storage = vec![MaybeUninit::<u128>::uninit(); texwire_device_size() / 8 + 2];
    let mut heaps = texwire_heaps {
        surface_state: memory.base,
        dynamic_state: memory.base.wrapping_add(choose.byte().into()),
        bindless_surface_state: memory.base,
        bindless_sampler_state: choose.word().into(),
        binding_table: choose.byte().into(),
        sampler_table: choose.byte().into(),
    };
    let device = init(choose, &mut storage, &heaps, error);
    let mut registers = vec![0xee_u8; 4096];
    let kept = registers.clone();
    let mut thread = texwire_thread {
        registers: choose.pointer(registers.as_mut_ptr()),
        registers_size: choose.length(4096),
        dispatch: choose.word(),
        flags: [choose.word(), choose.word()],
        address: core::array::from_fn(|_| choose.word()),
    };
    let code = instruction(choose, data, error);
    let mut outcome = MaybeUninit::<texwire_outcome>::uninit();
    let thread_place = choose.pointer(&raw mut thread);
    let memory = choose.pointer(memory);
    let outcome = if choose.byte() < 64 { ptr::null_mut() } else { outcome.as_mut_ptr() };
    // SAFETY: as in `hostile`.
    let status = unsafe { texwire_device_send(device, code.as_ptr(), thread_place, memory, outcome, error) };
    refused(device, status);
    refused(thread_place, status);
    refused(memory, status);
    assert!(status == Status::Ok || registers == kept, "a failed send wrote registers");
    if let Some(mut message) = message(choose, error) {
        let call = MessageCall {
            device,
            message: &raw const message,
            dwords: core::array::from_fn(|_| choose.word()),
            data,
            params: choose.length(data.len()),
            stride: usize::from(choose.byte()),
            memory,
            error,
        };
        call.execute(choose, outcome);
        call.footprint(choose);
        let (descriptor, extended) = (choose.word(), choose.word());
        // SAFETY: as in `hostile`.
        unsafe {
            texwire_gen_message(1, code.as_ptr(), descriptor, extended, ptr::null(), &raw mut message, error)
        };
    }
    settings(choose, device, &mut heaps, error);
    // SAFETY: as in `hostile`.
    assert!(unsafe { texwire_op_name(choose.word(), ptr::null_mut(), 0) } < 64);
}

/// Returns a device in `storage`; null if it is refused.
fn init(
    choose: &mut Choices<'_>,
    storage: &mut [MaybeUninit<u128>],
    heaps: &texwire_heaps,
    error: *mut texwire_error,
) -> *mut texwire_device {
    assert!(texwire_device_align() <= 8 + 8);
    let mut device = ptr::null_mut();
    let place = choose.pointer(storage.as_mut_ptr());
    let size = choose.length(size_of_val(storage));
    let platform = (choose.byte() & 7).into();
    // SAFETY: as in `hostile`.
    let status = unsafe { texwire_device_init(place.cast(), size, platform, heaps, &raw mut device, error) };
    refused(place, status);
    assert_eq!(status == Status::Ok, !device.is_null());
    device
}

/// Returns the words of an instruction: assembled from a line of text, or arbitrary if the text is refused.
fn instruction(choose: &mut Choices<'_>, data: &[u8], error: *mut texwire_error) -> [u8; 16] {
    let mut code: [u8; 16] = core::array::from_fn(|_| choose.byte());
    let line: &[u8] = if choose.byte() < 128 { b"sends (8|M0) r20:f r16 r17 0x82 0x02420000" } else { data };
    // SAFETY: as in `hostile`.
    unsafe { texwire_gen_assemble(1, line.as_ptr().cast(), line.len(), code.as_mut_ptr(), error) };
    code
}

/// Returns a message of any operation; `None` if there is no such operation.
fn message(choose: &mut Choices<'_>, error: *mut texwire_error) -> Option<texwire_message> {
    let mut message = MaybeUninit::<texwire_message>::uninit();
    // SAFETY: as in `hostile`.
    let status = unsafe { texwire_message_init(message.as_mut_ptr(), choose.byte().into(), error) };
    if status != Status::Ok {
        return None;
    }
    // SAFETY: initialised by the call above.
    let mut message = unsafe { message.assume_init() };
    message.simd = choose.byte().into();
    message.lanes = choose.word();
    message.params = (choose.byte() & 15).into();
    Some(message)
}

/// What the functions that take a device and a message have in common; `dwords` are a surface and a sampler state.
struct MessageCall<'a> {
    device: *mut texwire_device,
    message: *const texwire_message,
    dwords: [u32; 16],
    data: &'a [u8],
    params: usize,
    stride: usize,
    memory: *mut texwire_memory,
    error: *mut texwire_error,
}

impl MessageCall<'_> {
    fn execute(&self, choose: &mut Choices<'_>, outcome: *mut texwire_outcome) {
        let mut result = [0_u8; 640];
        let size = choose.length(640);
        // SAFETY: as in `hostile`.
        unsafe {
            texwire_device_execute(
                self.device,
                self.message,
                self.dwords.as_ptr(),
                self.dwords.as_ptr(),
                ptr::null(),
                self.data.as_ptr(),
                self.params,
                self.stride,
                self.memory,
                result.as_mut_ptr(),
                size,
                outcome,
                self.error,
            )
        };
    }

    fn footprint(&self, choose: &mut Choices<'_>) {
        let mut footprint = MaybeUninit::<texwire_footprint>::uninit();
        let mut taps = [const { MaybeUninit::<texwire_tap>::uninit() }; 128];
        let place = choose.pointer(footprint.as_mut_ptr());
        let capacity = choose.length(128);
        let surface = if choose.byte() < 128 { ptr::null() } else { self.dwords.as_ptr() };
        // SAFETY: as in `hostile`.
        let status = unsafe {
            texwire_device_footprint(
                self.device,
                self.message,
                surface,
                self.dwords.as_ptr(),
                ptr::null(),
                self.data.as_ptr(),
                self.params,
                self.stride,
                (choose.byte() & 31).into(),
                self.memory,
                place,
                taps.as_mut_ptr().cast(),
                capacity,
                self.error,
            )
        };
        refused(self.device, status);
        refused(self.memory, status);
        refused(place, status);
    }
}

/// Sets the options, heaps and palettes of a device, and forgets what it keeps of memory.
fn settings(
    choose: &mut Choices<'_>,
    device: *mut texwire_device,
    heaps: &mut texwire_heaps,
    error: *mut texwire_error,
) {
    // SAFETY: as in `hostile`.
    refused(device, unsafe {
        texwire_device_set_options(device, choose.word(), f32::from_bits(choose.word()), error)
    });
    let place = choose.pointer(heaps);
    // SAFETY: as in `hostile`.
    refused(place, unsafe { texwire_device_set_heaps(device, place, error) });
    // SAFETY: as in `hostile`; of no entries none is read.
    refused(device, unsafe { texwire_device_set_palettes(device, ptr::null(), 0, ptr::null(), 0, error) });
    // SAFETY: as in `hostile`; null is refused.
    let missing = unsafe { texwire_device_set_palettes(device, ptr::null(), 1, ptr::null(), 0, error) };
    assert_ne!(missing, Status::Ok);
    // SAFETY: as in `hostile`.
    refused(device, unsafe { texwire_device_invalidate(device, error) });
}
