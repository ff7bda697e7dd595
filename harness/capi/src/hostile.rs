//! For fuzzing: every function of the interface with arguments that are null, misaligned, too short or nonsense.

use crate::device::{
    texwire_device_align, texwire_device_execute, texwire_device_init, texwire_device_invalidate,
    texwire_device_send, texwire_device_set_heaps, texwire_device_set_options, texwire_device_set_palettes,
    texwire_device_size, texwire_heaps, texwire_message, texwire_message_init, texwire_op_name,
    texwire_outcome, texwire_thread,
};
use crate::error::{Status, texwire_error, texwire_error_text};
use crate::memory::texwire_memory;
use crate::nv::{
    TEXWIRE_NV_HEADER, texwire_nv_get, texwire_nv_set, texwire_pools, texwire_txq_execute, texwire_warp,
};
use crate::observe::{texwire_device_footprint, texwire_footprint, texwire_tap};
use crate::prepared::{
    texwire_batch, texwire_prepared_align, texwire_prepared_execute, texwire_prepared_execute_many,
    texwire_prepared_init_with_palette, texwire_prepared_result_size, texwire_prepared_size,
};
use crate::state::{
    texwire_state_get, texwire_state_set, texwire_state_validate, texwire_surface_description,
    texwire_surface_make, texwire_surface_size,
};
use crate::trace::{
    texwire_decoder_feed, texwire_decoder_init, texwire_decoder_size, texwire_event, texwire_trace_frame,
};
use crate::transfer::{texwire_download, texwire_region, texwire_region_rows, texwire_upload};
use crate::wires::{texwire_decode, texwire_gen_assemble, texwire_gen_message, texwire_instruction};
use core::ffi::c_void;
use core::ptr;
use std::mem::MaybeUninit;
use std::vec;
use std::vec::Vec;

/// Numbers and pointers out of the fuzzer's bytes.
struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at = self.at.saturating_add(1);
        byte
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    /// A pointer to what is there; now and then null or one byte off.
    fn pointer<T>(&mut self, place: *mut T) -> *mut T {
        match self.byte() {
            0..=15 => ptr::null_mut(),
            16..=31 if align_of::<T>() > 1 => place.wrapping_byte_add(1),
            _ => place,
        }
    }

    /// A length that is there; often less.
    fn length(&mut self, there: usize) -> usize {
        match self.byte() {
            0..=63 => usize::from(self.byte()).min(there),
            _ => there,
        }
    }
}

/// An error of its own kind for a null or misaligned pointer that a function needs.
fn refused<T>(pointer: *const T, status: Status) {
    let usable = !pointer.is_null() && pointer.is_aligned();
    assert!(usable || status != Status::Ok, "a null or misaligned argument was taken");
}

unsafe extern "C" fn each(user: *mut c_void, instruction: *const texwire_instruction) -> i32 {
    // SAFETY: the library gives an instruction, and this file gives a counter.
    let (instruction, count) = unsafe { (&*instruction, &mut *user.cast::<u32>()) };
    assert!(!instruction.text.is_null() && !instruction.rules.is_null());
    *count += 1;
    (*count > 64).into()
}

/// Calls everything once with arguments out of `data`. Panics when an argument that must be refused is not.
pub fn hostile(data: &[u8]) {
    let mut choose = Choices { bytes: data, at: 0 };
    let error = &mut texwire_error { value: 0, status: 0, what: 0, offset: 0, bit: 0 };
    let mut text = [0_u8; 64];
    let mut bytes: Vec<u8> =
        data.iter().copied().cycle().take(if data.is_empty() { 0 } else { 16384 }).collect();
    let memory = &mut texwire_memory::of_bytes(choose.word().into(), &mut bytes);
    states(&mut choose, error, memory);
    devices(&mut choose, error, memory, data);
    streams(&mut choose, error, data);
    prepared(&mut choose, error, memory, data);
    nvidia(&mut choose, error, memory);
    let error_place = choose.pointer(error);
    let text_place = choose.pointer(text.as_mut_ptr());
    let size = choose.length(text.len());
    // SAFETY: pointers are null, misaligned or to what lives here; lengths are no longer than that.
    let length = unsafe { texwire_error_text(error_place, text_place.cast(), size) };
    assert!(length < 512);
}

fn states(choose: &mut Choices<'_>, error: *mut texwire_error, memory: &mut texwire_memory) {
    let mut surface: [u32; 16] = core::array::from_fn(|_| choose.word());
    let description = &mut texwire_surface_description {
        base_address: memory.base,
        surface_type: choose.byte().into(),
        format: choose.word() & 0x3ff,
        width: choose.byte().into(),
        height: choose.byte().into(),
        depth: choose.byte().into(),
        levels: choose.byte().into(),
        samples: (choose.byte() & 31).into(),
        tile_mode: choose.byte().into(),
        tiled_resource: choose.byte().into(),
    };
    let (platform, mut size) = (u32::from(choose.byte() & 7), 0_u64);
    let from = choose.pointer(description);
    let to = choose.pointer(surface.as_mut_ptr());
    let error = choose.pointer(error);
    // SAFETY: as in `hostile`.
    let status = unsafe { texwire_surface_make(from, platform, to, error) };
    refused(from, status);
    refused(to, status);
    let place = choose.pointer(&raw mut size);
    // SAFETY: as in `hostile`.
    refused(place, unsafe { texwire_surface_size(surface.as_ptr(), platform, place, error) });
    let mut text = [0_u8; 32];
    // SAFETY: as in `hostile`.
    unsafe { texwire_state_validate(platform, to, platform, text.as_mut_ptr().cast(), 32) };
    let mut value = 0_u64;
    // SAFETY: as in `hostile`; the name is a string.
    unsafe { texwire_state_get(choose.byte().into(), to, c"Width".as_ptr(), &raw mut value, error) };
    let name = if choose.byte() < 32 { ptr::null() } else { c"Height".as_ptr() };
    // SAFETY: as in `hostile`; the name is a string or null.
    unsafe { texwire_state_set(0, to, name, choose.word().into(), error) };
    let region = &mut texwire_region {
        level: (choose.byte() & 7).into(),
        slice: (choose.byte() & 7).into(),
        sample: (choose.byte() & 3).into(),
        x: choose.byte().into(),
        y: choose.byte().into(),
        width: choose.byte().into(),
        height: choose.byte().into(),
    };
    let (mut row, mut count) = (0_usize, 0_usize);
    let place = choose.pointer(region);
    // SAFETY: as in `hostile`.
    refused(place, unsafe {
        texwire_region_rows(surface.as_ptr(), platform, place, &raw mut row, &raw mut count, error)
    });
    let mut rows = vec![0_u8; 4096];
    let (pitch, length) = (usize::from(choose.byte()), choose.length(4096));
    let from = choose.pointer(rows.as_mut_ptr());
    let memory = choose.pointer(memory);
    // SAFETY: as in `hostile`; the memory's range lives in the caller.
    refused(memory, unsafe {
        texwire_upload(surface.as_ptr(), platform, region, from, length, pitch, memory, error)
    });
    // SAFETY: as above.
    unsafe { texwire_download(surface.as_ptr(), platform, region, memory, from, length, pitch, error) };
}

fn devices(choose: &mut Choices<'_>, error: *mut texwire_error, memory: &mut texwire_memory, data: &[u8]) {
    let words = texwire_device_size() / 8 + 2;
    assert!(texwire_device_align() <= 8 + 8);
    let mut storage = vec![MaybeUninit::<u128>::uninit(); words];
    let mut heaps = texwire_heaps {
        surface_state: memory.base,
        dynamic_state: memory.base.wrapping_add(choose.byte().into()),
        bindless_surface_state: memory.base,
        bindless_sampler_state: choose.word().into(),
        binding_table: choose.byte().into(),
        sampler_table: choose.byte().into(),
    };
    let mut device = ptr::null_mut();
    let place = choose.pointer(storage.as_mut_ptr());
    let size = choose.length(words * 16);
    // SAFETY: as in `hostile`.
    let status = unsafe {
        texwire_device_init(
            place.cast(),
            size,
            (choose.byte() & 7).into(),
            &raw const heaps,
            &raw mut device,
            error,
        )
    };
    refused(place, status);
    assert_eq!(status == Status::Ok, !device.is_null());
    let mut registers = vec![0xee_u8; 4096];
    let kept = registers.clone();
    let mut thread = texwire_thread {
        registers: choose.pointer(registers.as_mut_ptr()),
        registers_size: choose.length(4096),
        dispatch: choose.word(),
        flags: [choose.word(), choose.word()],
        address: core::array::from_fn(|_| choose.word()),
    };
    let mut code: [u8; 16] = core::array::from_fn(|_| choose.byte());
    let line: &[u8] = if choose.byte() < 128 { b"sends (8|M0) r20:f r16 r17 0x82 0x02420000" } else { data };
    // SAFETY: as in `hostile`.
    unsafe { texwire_gen_assemble(1, line.as_ptr().cast(), line.len(), code.as_mut_ptr(), error) };
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
    let mut message = MaybeUninit::<texwire_message>::uninit();
    // SAFETY: as in `hostile`.
    if unsafe { texwire_message_init(message.as_mut_ptr(), choose.byte().into(), error) } == Status::Ok {
        // SAFETY: initialised by the call above.
        let mut message = unsafe { message.assume_init() };
        message.simd = choose.byte().into();
        message.lanes = choose.word();
        message.params = (choose.byte() & 15).into();
        let dwords: [u32; 16] = core::array::from_fn(|_| choose.word());
        let (params, stride) = (choose.length(data.len()), usize::from(choose.byte()));
        let mut result = [0_u8; 640];
        let size = choose.length(640);
        // SAFETY: as in `hostile`.
        unsafe {
            texwire_device_execute(
                device,
                &raw const message,
                dwords.as_ptr(),
                dwords.as_ptr(),
                ptr::null(),
                data.as_ptr(),
                params,
                stride,
                memory,
                result.as_mut_ptr(),
                size,
                outcome,
                error,
            )
        };
        let mut footprint = MaybeUninit::<texwire_footprint>::uninit();
        let mut taps = [const { MaybeUninit::<texwire_tap>::uninit() }; 128];
        let place = choose.pointer(footprint.as_mut_ptr());
        let capacity = choose.length(128);
        let surface = if choose.byte() < 128 { ptr::null() } else { dwords.as_ptr() };
        // SAFETY: as in `hostile`.
        let status = unsafe {
            texwire_device_footprint(
                device,
                &raw const message,
                surface,
                dwords.as_ptr(),
                ptr::null(),
                data.as_ptr(),
                params,
                stride,
                (choose.byte() & 31).into(),
                memory,
                place,
                taps.as_mut_ptr().cast(),
                capacity,
                error,
            )
        };
        refused(device, status);
        refused(memory, status);
        refused(place, status);
        // SAFETY: as in `hostile`.
        unsafe {
            texwire_gen_message(
                1,
                code.as_ptr(),
                choose.word(),
                choose.word(),
                ptr::null(),
                &raw mut message,
                error,
            )
        };
    }
    // SAFETY: as in `hostile`.
    refused(device, unsafe {
        texwire_device_set_options(device, choose.word(), f32::from_bits(choose.word()), error)
    });
    let place = choose.pointer(&raw mut heaps);
    // SAFETY: as in `hostile`.
    refused(place, unsafe { texwire_device_set_heaps(device, place, error) });
    // SAFETY: as in `hostile`; of no entries none is read.
    refused(device, unsafe { texwire_device_set_palettes(device, ptr::null(), 0, ptr::null(), 0, error) });
    // SAFETY: as in `hostile`; null is refused.
    let missing = unsafe { texwire_device_set_palettes(device, ptr::null(), 1, ptr::null(), 0, error) };
    assert_ne!(missing, Status::Ok);
    // SAFETY: as in `hostile`.
    refused(device, unsafe { texwire_device_invalidate(device, error) });
    // SAFETY: as in `hostile`.
    assert!(unsafe { texwire_op_name(choose.word(), ptr::null_mut(), 0) } < 64);
}

fn prepared(choose: &mut Choices<'_>, error: *mut texwire_error, memory: *mut texwire_memory, data: &[u8]) {
    let words = texwire_prepared_size() / 16 + 2;
    assert!(texwire_prepared_align() <= 16);
    let mut storage = vec![MaybeUninit::<u128>::uninit(); words];
    let mut message = MaybeUninit::<texwire_message>::uninit();
    // SAFETY: as in `hostile`.
    if unsafe { texwire_message_init(message.as_mut_ptr(), choose.byte().into(), error) } != Status::Ok {
        return;
    }
    let mut dwords: [u32; 16] = core::array::from_fn(|_| choose.word());
    if choose.byte() < 192 {
        // A surface of 8 x 8 texels of R8G8B8A8_UNORM, mostly.
        dwords = [0; 16];
        (dwords[0], dwords[2], dwords[3], dwords[7]) = (0x331_d4000, 0x7_0007, 31, 0x977_0000);
    }
    let mut place = ptr::null_mut();
    let to = choose.pointer(storage.as_mut_ptr());
    let size = choose.length(words * 16);
    let sampler = if choose.byte() < 128 { ptr::null() } else { dwords.as_ptr() };
    let mut palette: [u32; 256] = core::array::from_fn(|index| (index as u32).wrapping_mul(0x0103_0507));
    // SAFETY: as in `hostile`.
    let status = unsafe {
        texwire_prepared_init_with_palette(
            to.cast(),
            size,
            (choose.byte() & 3).into(),
            message.as_ptr(),
            dwords.as_ptr(),
            sampler,
            ptr::null(),
            choose.byte().into(),
            0.0,
            choose.pointer(palette.as_mut_ptr()),
            choose.length(palette.len()),
            &raw mut place,
            error,
        )
    };
    refused(to, status);
    assert_eq!(status == Status::Ok, !place.is_null());
    // SAFETY: as in `hostile`.
    let needed = unsafe { texwire_prepared_result_size(place) };
    assert!(needed < 640);
    let mut results = vec![0_u8; 4096];
    let (params, stride) = (choose.length(data.len()), usize::from(choose.byte()));
    let (memory, to) = (choose.pointer(memory), choose.pointer(results.as_mut_ptr()));
    let size = choose.length(640);
    // SAFETY: as in `hostile`.
    let status = unsafe {
        texwire_prepared_execute(
            place,
            choose.word(),
            data.as_ptr(),
            params,
            stride,
            memory,
            to,
            size,
            ptr::null_mut(),
            error,
        )
    };
    refused(place, status);
    refused(memory, status);
    assert!(status != Status::Ok || size >= needed, "a result that does not fit");
    let mut outcomes = [const { MaybeUninit::<texwire_outcome>::uninit() }; 8];
    let mut batch = texwire_batch {
        count: (choose.byte() & 7).into(),
        lanes: ptr::null(),
        params: data.as_ptr(),
        params_size: params,
        param_stride: stride,
        message_stride: choose.byte().into(),
        results: results.as_mut_ptr(),
        results_size: choose.length(4096),
        result_stride: choose.byte().into(),
        outcomes: choose.pointer(outcomes.as_mut_ptr().cast()),
    };
    let mut done = usize::MAX;
    let from = choose.pointer(&raw mut batch);
    // SAFETY: as in `hostile`.
    let status = unsafe { texwire_prepared_execute_many(place, from, memory, &raw mut done, error) };
    refused(place, status);
    refused(from, status);
    refused(memory, status);
    assert!(status != Status::Ok || done == batch.count);
}

fn nvidia(choose: &mut Choices<'_>, error: *mut texwire_error, memory: *mut texwire_memory) {
    let mut registers = vec![0xee_u8; 4096];
    let kept = registers.clone();
    let mut pools = texwire_pools {
        headers: choose.byte().into(),
        samplers: choose.byte().into(),
        constants: choose.byte().into(),
        class_code: if choose.byte() < 192 { 0xb197 } else { choose.word() },
        max_header: choose.byte().into(),
        max_sampler: choose.byte().into(),
        via_header: (choose.byte() & 1).into(),
    };
    let mut warp = texwire_warp {
        registers: choose.pointer(registers.as_mut_ptr()),
        registers_size: choose.length(4096),
        active: choose.word(),
        predicates: core::array::from_fn(|_| choose.word()),
    };
    let (pools_place, warp_place) = (choose.pointer(&raw mut pools), choose.pointer(&raw mut warp));
    let memory = choose.pointer(memory);
    let word = u64::from(choose.word()) << 32 | u64::from(choose.word());
    let word = if choose.byte() < 192 { word & 0xff_ffff | 0xdf48_0000_0040_0000 } else { word };
    // SAFETY: as in `hostile`.
    let status = unsafe {
        texwire_txq_execute(pools_place, word, choose.word(), warp_place, memory, ptr::null_mut(), error)
    };
    refused(pools_place, status);
    refused(warp_place, status);
    refused(memory, status);
    assert!(status == Status::Ok || registers == kept, "a failed query wrote registers");
    let mut dwords: [u32; 8] = core::array::from_fn(|_| choose.word());
    let to = choose.pointer(dwords.as_mut_ptr());
    let name = if choose.byte() < 32 { ptr::null() } else { c"TEXTURE_TYPE".as_ptr() };
    let mut value = 0_u32;
    // SAFETY: as in `hostile`; the name is a string or null.
    let status = unsafe { texwire_nv_set(TEXWIRE_NV_HEADER, 0xb197, to, name, 5, error) };
    refused(to, status);
    refused(name, status);
    // SAFETY: as in `hostile`; the name is a string or null.
    let got = unsafe { texwire_nv_get(TEXWIRE_NV_HEADER, 0xb197, to, name, &raw mut value, error) };
    assert!(status != Status::Ok || got == Status::Ok && value == 5);
}

fn streams(choose: &mut Choices<'_>, error: *mut texwire_error, data: &[u8]) {
    let mut count = 0_u32;
    let (wire, platform, size) =
        ((choose.byte() & 3).into(), (choose.byte() & 7).into(), choose.length(data.len()));
    let bytes = if choose.byte() < 16 { ptr::null() } else { data.as_ptr() };
    let callback: Option<unsafe extern "C" fn(*mut c_void, *const texwire_instruction) -> i32> =
        if choose.byte() < 16 { None } else { Some(each) };
    // SAFETY: as in `hostile`; the callback counts in `count`.
    unsafe { texwire_decode(wire, platform, bytes, size, callback, (&raw mut count).cast(), error) };
    let mut storage = vec![0_u64; texwire_decoder_size() / 8 + 1];
    let mut decoder = ptr::null_mut();
    let place = choose.pointer(storage.as_mut_ptr());
    // SAFETY: as in `hostile`.
    refused(place, unsafe { texwire_decoder_init(place.cast(), storage.len() * 8, &raw mut decoder, error) });
    let mut event = MaybeUninit::<texwire_event>::uninit();
    let mut rest = data;
    while !rest.is_empty() {
        let mut taken = 0_usize;
        // SAFETY: as in `hostile`.
        let status = unsafe {
            texwire_decoder_feed(
                decoder,
                rest.as_ptr(),
                rest.len(),
                &raw mut taken,
                event.as_mut_ptr(),
                error,
            )
        };
        refused(decoder, status);
        if status != Status::Ok || taken == 0 {
            break;
        }
        rest = rest.get(taken..).unwrap_or_default();
    }
    let (mut frame, mut written) = ([0_u8; 256], 0_usize);
    let capacity = choose.length(256);
    let size = data.len().min(200);
    // SAFETY: as in `hostile`.
    let status = unsafe {
        texwire_trace_frame(
            choose.byte(),
            0,
            1,
            data.as_ptr(),
            size,
            frame.as_mut_ptr(),
            capacity,
            &raw mut written,
            error,
        )
    };
    assert!(status != Status::Ok || written <= capacity);
}
