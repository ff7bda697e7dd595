//! Messages on surfaces whose format refers to a palette, messages that return the kill mask, and what a lane reads.
#![allow(clippy::expect_used, reason = "a test may panic: that is how it fails")]

mod common;

use common::message;
use core::ffi::CStr;
use core::mem::MaybeUninit;
use core::ptr;
use texwire::Platform;
use texwire::enums::SurfaceFormat;
use texwire::message::Op;
use texwire::state::{Filter, SamplerState, SurfaceState};
use texwire::transfer::SurfaceDescription;
use texwire_capi::device::{
    texwire_device, texwire_device_execute, texwire_device_init, texwire_device_set_palettes,
    texwire_device_size, texwire_heaps, texwire_message,
};
use texwire_capi::error::{texwire_error, texwire_error_text};
use texwire_capi::memory::texwire_memory;
use texwire_capi::observe::{texwire_device_footprint, texwire_footprint, texwire_tap};
use texwire_capi::prepared::{
    texwire_prepared_execute, texwire_prepared_init, texwire_prepared_init_with_palette,
    texwire_prepared_size,
};
use texwire_capi::{Status, TEXWIRE_GEN11};

/// Palette indices of a row of four texels.
const INDICES: [u8; 4] = [2, 0, 1, 0];
/// The columns that the lanes of a load read.
const COLUMNS: [u32; 8] = [0, 1, 2, 0, 0, 0, 0, 0];

/// The state of a surface of one row of four texels.
fn row(format: SurfaceFormat) -> SurfaceState {
    let state = SurfaceState::new(&SurfaceDescription::texture_2d(format, 4, 1), Platform::Gen11);
    state.expect("a state")
}

/// A message that loads the texels of `COLUMNS`.
fn load() -> texwire_message {
    texwire_message { params: 1, ..message(Op::LdLz) }
}

/// Makes a device without heaps in `storage`.
fn device(storage: &mut [u64]) -> *mut texwire_device {
    let heaps = texwire_heaps {
        surface_state: 0,
        dynamic_state: 0,
        bindless_surface_state: 0,
        bindless_sampler_state: 0,
        binding_table: 0,
        sampler_table: 0,
    };
    let mut device = ptr::null_mut();
    // SAFETY: all pointers are of values that live; the error is null.
    let status = unsafe {
        texwire_device_init(
            storage.as_mut_ptr().cast(),
            storage.len() * 8,
            TEXWIRE_GEN11,
            &raw const heaps,
            &raw mut device,
            ptr::null_mut(),
        )
    };
    assert_eq!(status, Status::Ok);
    device
}

/// Room for a device or a prepared message of `bytes`.
fn storage(bytes: usize) -> Vec<u64> {
    vec![0; bytes.div_ceil(8) + 1]
}

/// Executes a message of one parameter without a sampler; the result has room for `size` bytes of `result`.
fn execute<P, R>(
    device: *mut texwire_device,
    message: &texwire_message,
    (state, texels): (&SurfaceState, &mut [u8]),
    params: &P,
    (result, size): (&mut R, usize),
) -> Status {
    let memory = texwire_memory::of_bytes(0, texels);
    assert!(size <= size_of_val(result));
    // SAFETY: all pointers are of values that live, null where that is allowed.
    unsafe {
        texwire_device_execute(
            device,
            message,
            state.dwords.as_ptr(),
            ptr::null(),
            ptr::null(),
            ptr::from_ref(params).cast(),
            size_of_val(params),
            32,
            &raw const memory,
            ptr::from_mut(result).cast(),
            size,
            ptr::null_mut(),
            ptr::null_mut(),
        )
    }
}

/// Red of the texels 0, 1 and 2 of a row of a surface of this format, as a load returns them.
fn reds(device: *mut texwire_device, format: SurfaceFormat) -> Result<[f32; 3], Status> {
    let mut result = [[0_f32; 8]; 4];
    let size = size_of_val(&result);
    let status = execute(device, &load(), (&row(format), &mut { INDICES }), &COLUMNS, (&mut result, size));
    let [[a, b, c, ..], ..] = result;
    if status == Status::Ok { Ok([a, b, c]) } else { Err(status) }
}

/// [`reds`] of a message that is prepared with `palette`, or with none.
fn prepared_reds(format: SurfaceFormat, palette: Option<&'static [u32]>) -> Result<[f32; 3], Status> {
    let (state, message, columns) = (row(format), load(), COLUMNS);
    let mut room = storage(texwire_prepared_size());
    let (place, size) = (room.as_mut_ptr().cast(), room.len() * 8);
    let (message, state) = (&raw const message, state.dwords.as_ptr());
    let mut prepared = ptr::null_mut();
    let (none, to, error) = (ptr::null(), &raw mut prepared, ptr::null_mut());
    let status = match palette {
        // SAFETY: all pointers are of values that live, null where that is allowed.
        None => unsafe {
            texwire_prepared_init(place, size, TEXWIRE_GEN11, message, state, none, none, 0, 0.0, to, error)
        },
        // SAFETY: as above; the palette is never written.
        Some(entries) => unsafe {
            texwire_prepared_init_with_palette(
                place,
                size,
                TEXWIRE_GEN11,
                message,
                state,
                none,
                none,
                0,
                0.0,
                entries.as_ptr(),
                entries.len(),
                to,
                error,
            )
        },
    };
    if status != Status::Ok {
        return Err(status);
    }
    let mut indices = INDICES;
    let memory = texwire_memory::of_bytes(0, &mut indices);
    let mut result = [[0_f32; 8]; 4];
    // SAFETY: all pointers are of values that live, null where that is allowed.
    let status = unsafe {
        texwire_prepared_execute(
            prepared,
            u32::MAX,
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

const PALETTE: [u32; 3] = [0x00ff_0000, 0x0000_ff00, 0x0033_0000];

#[test]
fn texels_are_entries_of_the_palettes() {
    let mut room = storage(texwire_device_size());
    let device = device(&mut room);
    let [first, second] = [SurfaceFormat::P8_UNORM_PALETTE0, SurfaceFormat::P8_UNORM_PALETTE1];
    assert_eq!(reds(device, first), Err(Status::Unsupported));
    let other = [0x00ff_0000_u32];
    // SAFETY: the palettes live as long as the device is used; the error is null.
    let status = unsafe {
        texwire_device_set_palettes(device, PALETTE.as_ptr(), 3, other.as_ptr(), 1, ptr::null_mut())
    };
    assert_eq!(status, Status::Ok);
    assert_eq!(reds(device, first), Ok([0.2, 1.0, 0.0]));
    // Entries past the end are 0.
    assert_eq!(reds(device, second), Ok([0.0, 1.0, 0.0]));
}

#[test]
fn prepared_messages_have_a_palette() {
    for format in [SurfaceFormat::P8_UNORM_PALETTE0, SurfaceFormat::P8_UNORM_PALETTE1] {
        assert_eq!(prepared_reds(format, None), Err(Status::Unsupported));
        assert_eq!(prepared_reds(format, Some(&[])), Err(Status::Unsupported));
        assert_eq!(prepared_reds(format, Some(&PALETTE)), Ok([0.2, 1.0, 0.0]));
    }
    let grey = [2.0, 0.0, 1.0].map(|index| index / 255.0);
    assert_eq!(prepared_reds(SurfaceFormat::R8_UNORM, Some(&PALETTE)), Ok(grey));
    assert_eq!(prepared_reds(SurfaceFormat::R8_UNORM, None), Ok(grey));
}

#[test]
fn the_kill_mask_follows_the_channels() {
    let mut room = storage(texwire_device_size());
    let device = device(&mut room);
    let state = row(SurfaceFormat::R8_UNORM);
    let message = texwire_message { params: 1, kill_mask: 1, channels: 1, ..message(Op::SampleKillpix) };
    for (registers, expected) in [(1, Status::Capacity), (2, Status::Ok)] {
        let mut result = [[0xeeee_eeee_u32; 8]; 3];
        let surface = (&state, &mut [0x33; 4][..]);
        let status = execute(device, &message, surface, &[0.5_f32; 8], (&mut result, registers * 32));
        assert_eq!(status, expected);
        let [red, [kill, ..], past] = result;
        let (texels, mask) = match expected {
            Status::Ok => ([0.2_f32.to_bits(); 8], u32::MAX),
            _ => ([0xeeee_eeee; 8], 0xeeee_eeee),
        };
        assert_eq!((red, kill, past), (texels, mask, [0xeeee_eeee; 8]));
    }
}

/// The texels that a bilinear lane reads of a surface of 4 x 4 texels, or the error's value and text.
fn bilinear_taps(device: *mut texwire_device, capacity: usize) -> Result<u32, (u64, String)> {
    let description = SurfaceDescription::texture_2d(SurfaceFormat::R8_UNORM, 4, 4);
    let state = SurfaceState::new(&description, Platform::Gen11).expect("a state");
    let mut sampler = SamplerState::default();
    sampler.set_mag_filter(Filter::Linear).set_min_filter(Filter::Linear);
    let message = texwire_message { params: 2, ..message(Op::SampleLz) };
    let (mut texels, params) = ([0x33_u8; 4096], [0.5_f32; 16]);
    let memory = texwire_memory::of_bytes(0, &mut texels);
    let mut footprint = MaybeUninit::<texwire_footprint>::uninit();
    let mut taps = [const { MaybeUninit::<texwire_tap>::uninit() }; 4];
    let mut error = texwire_error { value: 0, status: 0, what: 0, offset: 0, bit: 0 };
    // SAFETY: all pointers are of values that live, null where that is allowed; `capacity` is 4 at most.
    let status = unsafe {
        texwire_device_footprint(
            device,
            &raw const message,
            state.dwords.as_ptr(),
            sampler.dwords.as_ptr(),
            ptr::null(),
            params.as_ptr().cast(),
            size_of_val(&params),
            32,
            0,
            &raw const memory,
            footprint.as_mut_ptr(),
            taps.as_mut_ptr().cast(),
            capacity,
            &raw mut error,
        )
    };
    if status == Status::Ok {
        // SAFETY: filled in by the call above.
        return Ok(unsafe { footprint.assume_init() }.taps);
    }
    assert_eq!(status, Status::Capacity);
    let mut text = [0_u8; 128];
    // SAFETY: the error and the buffer live.
    unsafe { texwire_error_text(&raw const error, text.as_mut_ptr().cast(), text.len()) };
    let text = CStr::from_bytes_until_nul(&text).expect("a string").to_string_lossy();
    Err((error.value, text.into_owned()))
}

#[test]
fn a_footprint_without_room_says_how_many_texels_there_are() {
    let mut room = storage(texwire_device_size());
    let device = device(&mut room);
    let text = "buffer too small: texels of a lane, 4 texels needed";
    assert_eq!(bilinear_taps(device, 3), Err((4, text.into())));
    assert_eq!(bilinear_taps(device, 4), Ok(4));
}
