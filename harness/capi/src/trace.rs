//! Traces: frames written, streams decoded.

use crate::error::{report, texwire_error};
use crate::{Status, pointers};
use core::ffi::c_void;
use core::{fmt, ptr};
use texwire::trace::{Decoder, Event, Frame, MAX_FRAME, RecordKind};

/// Nothing: the chunk is used up.
pub const TEXWIRE_EVENT_NONE: u32 = 0;
/// A good frame.
pub const TEXWIRE_EVENT_FRAME: u32 = 1;
/// Bytes that are no good frame.
pub const TEXWIRE_EVENT_DROPPED: u32 = 2;

/// A decoder of trace streams in the caller's storage.
pub struct texwire_decoder {
    decoder: Decoder<MAX_FRAME>,
}

impl fmt::Debug for texwire_decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("texwire_decoder").finish_non_exhaustive()
    }
}

/// What a decoder found.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_event {
    /// Byte offset of its first byte in the stream.
    pub at: u64,
    /// Bytes dropped.
    pub dropped: u64,
    /// The frame's payload; it lives until the decoder is used again.
    pub payload: *const u8,
    /// Bytes of it.
    pub payload_size: usize,
    /// `TEXWIRE_EVENT_NONE`, `TEXWIRE_EVENT_FRAME` or `TEXWIRE_EVENT_DROPPED`.
    pub event: u32,
    /// The frame's kind.
    pub kind: u32,
    /// The frame's flags.
    pub flags: u32,
    /// The frame's number.
    pub sequence: u32,
    /// Frames missing before it.
    pub lost: u32,
}

/// Bytes of storage for a decoder.
#[unsafe(no_mangle)]
pub extern "C" fn texwire_decoder_size() -> usize {
    pointers::room_size::<texwire_decoder>()
}

/// Alignment of storage for a decoder: 8 at most.
#[unsafe(no_mangle)]
pub extern "C" fn texwire_decoder_align() -> usize {
    pointers::room_align::<texwire_decoder>()
}

/// Makes a decoder in `storage` and writes its place to `decoder`.
///
/// # Safety
/// `storage` has `size` bytes that live and are used for nothing else while the decoder is used; `decoder` points to a
/// pointer; `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_decoder_init(
    storage: *mut c_void,
    size: usize,
    decoder: *mut *mut texwire_decoder,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        let place = pointers::room::<texwire_decoder>(storage, size)?;
        // SAFETY: the caller's promise.
        let out = unsafe { pointers::exclusive(decoder, 2) }?;
        // SAFETY: not null, aligned and large enough; the caller promises that it may be written.
        unsafe { place.write(texwire_decoder { decoder: Decoder::new() }) };
        *out = place;
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

/// Takes bytes of a stream up to the next event: writes how many to `taken`. Call again with the rest until the event is
/// `TEXWIRE_EVENT_NONE`.
///
/// # Safety
/// `decoder` was made by `texwire_decoder_init`; `bytes` has `size` bytes; `taken` points to a number, `event` to an event;
/// `error` is null or points to an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_decoder_feed(
    decoder: *mut texwire_decoder,
    bytes: *const u8,
    size: usize,
    taken: *mut usize,
    event: *mut texwire_event,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let decoder = unsafe { pointers::exclusive(decoder, 0) }?;
        // SAFETY: the caller's promise.
        let mut chunk = unsafe { pointers::slice(bytes, size, 1) }?;
        // SAFETY: the caller's promise.
        let taken = unsafe { pointers::exclusive(taken, 3) }?;
        // SAFETY: the caller's promise.
        let out = unsafe { pointers::exclusive(event, 4) }?;
        let found = decoder.decoder.feed(&mut chunk);
        *out = texwire_event::new(found.as_ref());
        *taken = size.saturating_sub(chunk.len());
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}

impl texwire_event {
    fn new(event: Option<&Event<'_>>) -> Self {
        let none = Self {
            at: 0,
            dropped: 0,
            payload: ptr::null(),
            payload_size: 0,
            event: TEXWIRE_EVENT_NONE,
            kind: 0,
            flags: 0,
            sequence: 0,
            lost: 0,
        };
        match event {
            None => none,
            Some(Event::Dropped { at, bytes, .. }) => {
                Self { at: *at, dropped: *bytes, event: TEXWIRE_EVENT_DROPPED, ..none }
            }
            Some(Event::Frame { frame, at, lost, .. }) => Self {
                at: *at,
                payload: frame.payload.as_ptr(),
                payload_size: frame.payload.len(),
                event: TEXWIRE_EVENT_FRAME,
                kind: frame.kind.0.into(),
                flags: frame.flags.into(),
                sequence: frame.sequence.into(),
                lost: (*lost).into(),
                ..none
            },
        }
    }
}

/// Writes a frame to `out` and its length to `written`. The documentation of the Rust module `texwire::trace` says what kind, flags and
/// payload are.
///
/// # Safety
/// `payload` has `size` bytes, `out` `capacity` that may be written; `written` points to a number; `error` is null or points to an
/// error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_trace_frame(
    kind: u8,
    flags: u8,
    sequence: u16,
    payload: *const u8,
    size: usize,
    out: *mut u8,
    capacity: usize,
    written: *mut usize,
    error: *mut texwire_error,
) -> Status {
    let body = || {
        // SAFETY: the caller's promise.
        let payload = unsafe { pointers::slice(payload, size, 3) }?;
        // SAFETY: the caller's promise.
        let out = unsafe { pointers::slice_mut(out, capacity, 5) }?;
        // SAFETY: the caller's promise.
        let written = unsafe { pointers::exclusive(written, 7) }?;
        *written = Frame { kind: RecordKind(kind), flags, sequence, payload }.encode(out)?;
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { report(error, body) }
}
