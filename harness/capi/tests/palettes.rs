//! Texels of formats of indices are the entries of the palettes that were set.
#![allow(clippy::expect_used, reason = "a test may panic: that is how it fails")]

mod common;

use common::{gen11, memory, message};
use core::ptr;
use texwire::Platform;
use texwire::enums::SurfaceFormat;
use texwire::message::Op;
use texwire::state::SurfaceState;
use texwire::transfer::SurfaceDescription;
use texwire_capi::Status;
use texwire_capi::device::{
    texwire_device, texwire_device_execute, texwire_device_init, texwire_device_set_palettes,
    texwire_device_size, texwire_heaps, texwire_message,
};

/// Red of the texels 0, 1 and 2 of a row of a surface of this format, as a load returns them.
fn reds(device: *mut texwire_device, format: SurfaceFormat) -> Result<[f32; 3], Status> {
    let state = SurfaceState::new(&SurfaceDescription::texture_2d(format, 4, 1), Platform::Gen11);
    let state = state.expect("a state");
    let message = texwire_message { params: 1, ..message(Op::LdLz) };
    let mut indices = [2_u8, 0, 1, 0];
    let memory = memory(&mut indices);
    let columns = [0_u32, 1, 2, 0, 0, 0, 0, 0];
    let mut result = [[0_f32; 8]; 4];
    // SAFETY: all pointers are of values that live, null where that is allowed.
    let status = unsafe {
        texwire_device_execute(
            device,
            &raw const message,
            state.dwords.as_ptr(),
            ptr::null(),
            ptr::null(),
            columns.as_ptr().cast(),
            size_of_val(&columns),
            32,
            &raw const memory,
            result.as_mut_ptr().cast(),
            size_of_val(&result),
            ptr::null_mut(),
            ptr::null_mut(),
        )
    };
    let [[a, b, c, ..], ..] = result;
    if status == Status::Ok { Ok([a, b, c]) } else { Err(status) }
}

#[test]
fn texels_are_entries_of_the_palettes() {
    let heaps = texwire_heaps {
        surface_state: 0,
        dynamic_state: 0,
        bindless_surface_state: 0,
        bindless_sampler_state: 0,
        binding_table: 0,
        sampler_table: 0,
    };
    let mut storage = vec![0_u64; texwire_device_size().div_ceil(8) + 1];
    let mut device = ptr::null_mut();
    // SAFETY: all pointers are of values that live; the error is null.
    let status = unsafe {
        texwire_device_init(
            storage.as_mut_ptr().cast(),
            storage.len() * 8,
            gen11(),
            &raw const heaps,
            &raw mut device,
            ptr::null_mut(),
        )
    };
    assert_eq!(status, Status::Ok);
    let [first, second] = [SurfaceFormat::P8_UNORM_PALETTE0, SurfaceFormat::P8_UNORM_PALETTE1];
    assert_eq!(reds(device, first), Err(Status::Unsupported));
    let (palette, other) = ([0x00ff_0000_u32, 0x0000_ff00, 0x0033_0000], [0x00ff_0000_u32]);
    // SAFETY: the palettes live as long as the device is used; the error is null.
    let status = unsafe {
        texwire_device_set_palettes(device, palette.as_ptr(), 3, other.as_ptr(), 1, ptr::null_mut())
    };
    assert_eq!(status, Status::Ok);
    assert_eq!(reds(device, first), Ok([0.2, 1.0, 0.0]));
    // Entries past the end are 0.
    assert_eq!(reds(device, second), Ok([0.0, 1.0, 0.0]));
}
