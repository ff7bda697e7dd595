//! For fuzzing: every function of the interface with arguments that are null, misaligned, too short or nonsense.

mod choices;
mod devices;
mod prepared;

use crate::error::{Status, texwire_error, texwire_error_text};
use crate::memory::texwire_memory;
use crate::nv::{
    TEXWIRE_NV_HEADER, texwire_nv_get, texwire_nv_set, texwire_pools, texwire_txq_execute, texwire_warp,
};
use crate::state::{
    texwire_state_get, texwire_state_set, texwire_state_validate, texwire_surface_description,
    texwire_surface_make, texwire_surface_size,
};
use crate::trace::{
    texwire_decoder_feed, texwire_decoder_init, texwire_decoder_size, texwire_event, texwire_trace_frame,
};
use crate::transfer::{texwire_download, texwire_region, texwire_region_rows, texwire_upload};
use crate::wires::{texwire_decode, texwire_instruction};
use choices::{Choices, refused};
use core::ffi::c_void;
use core::ptr;
use devices::devices;
use prepared::prepared;
use std::mem::MaybeUninit;
use std::vec;
use std::vec::Vec;

unsafe extern "C" fn each(user: *mut c_void, instruction: *const texwire_instruction) -> i32 {
    // SAFETY: the library gives an instruction, and this file gives a counter.
    let (instruction, count) = unsafe { (&*instruction, &mut *user.cast::<u32>()) };
    assert!(!instruction.text.is_null() && !instruction.rules.is_null());
    *count += 1;
    (*count > 64).into()
}

/// Calls everything once with arguments out of `data`. Panics when an argument that must be refused is not.
pub fn hostile(data: &[u8]) {
    let mut choose = Choices::new(data);
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
