//! Prepared messages: one payload, and batches.

use super::choices::{Choices, refused};
use crate::device::{texwire_message, texwire_message_init, texwire_outcome};
use crate::error::{Status, texwire_error};
use crate::memory::texwire_memory;
use crate::prepared::{
    texwire_batch, texwire_prepared, texwire_prepared_align, texwire_prepared_execute,
    texwire_prepared_execute_many, texwire_prepared_init_with_palette, texwire_prepared_result_size,
    texwire_prepared_size,
};
use core::ptr;
use std::mem::MaybeUninit;
use std::vec;

/// Prepares a message, and executes it with one payload and with several.
pub(super) fn prepared(
    choose: &mut Choices<'_>,
    error: *mut texwire_error,
    memory: *mut texwire_memory,
    data: &[u8],
) {
    let mut storage = vec![MaybeUninit::<u128>::uninit(); texwire_prepared_size() / 16 + 2];
    let mut message = MaybeUninit::<texwire_message>::uninit();
    // SAFETY: as in `hostile`.
    if unsafe { texwire_message_init(message.as_mut_ptr(), choose.byte().into(), error) } != Status::Ok {
        return;
    }
    let place = init(choose, &mut storage, message.as_ptr(), error);
    // SAFETY: as in `hostile`.
    let needed = unsafe { texwire_prepared_result_size(place) };
    assert!(needed < 640);
    let mut results = vec![0_u8; 4096];
    let (params, stride) = (choose.length(data.len()), usize::from(choose.byte()));
    let (memory, to) = (choose.pointer(memory), choose.pointer(results.as_mut_ptr()));
    let size = choose.length(640);
    let (lanes, outcome) = (choose.word(), ptr::null_mut());
    // SAFETY: as in `hostile`.
    let status = unsafe {
        texwire_prepared_execute(
            place,
            lanes,
            data.as_ptr(),
            params,
            stride,
            memory,
            to,
            size,
            outcome,
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

/// Returns a prepared message in `storage`; null if it is refused.
fn init(
    choose: &mut Choices<'_>,
    storage: &mut [MaybeUninit<u128>],
    message: *const texwire_message,
    error: *mut texwire_error,
) -> *mut texwire_prepared {
    assert!(texwire_prepared_align() <= 16);
    let mut dwords: [u32; 16] = core::array::from_fn(|_| choose.word());
    if choose.byte() < 192 {
        // A surface of 8 x 8 texels of R8G8B8A8_UNORM, mostly.
        dwords = [0; 16];
        (dwords[0], dwords[2], dwords[3], dwords[7]) = (0x331_d4000, 0x7_0007, 31, 0x977_0000);
    }
    let mut place = ptr::null_mut();
    let to = choose.pointer(storage.as_mut_ptr());
    let size = choose.length(size_of_val(storage));
    let sampler = if choose.byte() < 128 { ptr::null() } else { dwords.as_ptr() };
    let mut palette: [u32; 256] = core::array::from_fn(|index| (index as u32).wrapping_mul(0x0103_0507));
    // SAFETY: as in `hostile`.
    let status = unsafe {
        texwire_prepared_init_with_palette(
            to.cast(),
            size,
            (choose.byte() & 3).into(),
            message,
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
    place
}
