//! What tests hand to the C interface.

use core::mem::MaybeUninit;
use core::ptr;
use texwire::message::Op;
use texwire_capi::Status;
use texwire_capi::device::{texwire_message, texwire_message_init};
use texwire_capi::memory::texwire_memory;

/// A SIMD8 message of an operation.
#[allow(dead_code, reason = "every file of tests has this module, and not every one sends messages")]
pub(crate) fn message(op: Op) -> texwire_message {
    let number = Op::ALL.iter().position(|other| *other == op).expect("an operation");
    let mut message = MaybeUninit::<texwire_message>::uninit();
    // SAFETY: the message is filled in, or the status says otherwise; the error is null.
    let status = unsafe { texwire_message_init(message.as_mut_ptr(), number as u32, ptr::null_mut()) };
    assert_eq!(status, Status::Ok);
    // SAFETY: filled in above.
    unsafe { message.assume_init() }
}

/// Memory of these bytes from address 0 on.
pub(crate) fn memory(bytes: &mut [u8]) -> texwire_memory {
    texwire_memory {
        base: 0,
        bytes: bytes.as_mut_ptr(),
        size: bytes.len(),
        user: ptr::null_mut(),
        read: None,
        write: None,
        slice: None,
        page_table: None,
    }
}
