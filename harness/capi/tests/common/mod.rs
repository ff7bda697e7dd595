//! What tests hand to the C interface.

use core::mem::MaybeUninit;
use core::ptr;
use texwire::message::Op;
use texwire_capi::Status;
use texwire_capi::device::{texwire_message, texwire_message_init};

/// A SIMD8 message of an operation.
pub(crate) fn message(op: Op) -> texwire_message {
    let number = Op::ALL.iter().position(|other| *other == op).expect("an operation");
    let mut message = MaybeUninit::<texwire_message>::uninit();
    // SAFETY: the message is filled in, or the status says otherwise; the error is null.
    let status = unsafe { texwire_message_init(message.as_mut_ptr(), number as u32, ptr::null_mut()) };
    assert_eq!(status, Status::Ok);
    // SAFETY: filled in above.
    unsafe { message.assume_init() }
}
