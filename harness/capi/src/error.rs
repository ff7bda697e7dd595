//! Errors as a structure of fixed size, with a text.

use crate::failure::{Failure, Outcome};
use crate::pointers;
use core::ffi::c_char;
use core::fmt::{self, Write};
use texwire::error::{Error, Kind, What};
use texwire::rules::{Rule, Violations};

/// Why a function failed.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It did not fail.
    Ok = 0,
    /// The input ends before the thing does.
    Truncated = 1,
    /// A number that the format's tables do not define.
    Unknown = 2,
    /// A number or bit that the format reserves.
    Reserved = 3,
    /// A field whose value contradicts the rest.
    Invalid = 4,
    /// Legal on another platform.
    NotOnPlatform = 5,
    /// Legal, but not done by this library.
    Unsupported = 6,
    /// Memory that is not there.
    Fault = 7,
    /// A caller's buffer is too small.
    Capacity = 8,
    /// An argument is null, misaligned, too short or not a number that the function knows.
    Argument = 9,
}

/// In the order of [`Kind::ALL`].
const BY_KIND: [Status; 8] = [
    Status::Truncated,
    Status::Unknown,
    Status::Reserved,
    Status::Invalid,
    Status::NotOnPlatform,
    Status::Unsupported,
    Status::Fault,
    Status::Capacity,
];

/// No position: of `offset` and `bit`.
pub const TEXWIRE_NOWHERE: u32 = u32::MAX;

/// What failed, where, and the value found.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct texwire_error {
    /// The value found. With `TEXWIRE_STATUS_TRUNCATED` the bytes needed; with `TEXWIRE_STATUS_CAPACITY` too, of
    /// `texwire_device_footprint` the texels; with `TEXWIRE_STATUS_FAULT` the address.
    pub value: u64,
    /// A `texwire_status`.
    pub status: u32,
    /// The thing that was wrong, for `texwire_error_text`; of an argument its number, from 0.
    pub what: u32,
    /// Byte offset in the input, or `TEXWIRE_NOWHERE`.
    pub offset: u32,
    /// Bit from there, or `TEXWIRE_NOWHERE`.
    pub bit: u32,
}

impl From<Failure> for texwire_error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Argument(number) => Self {
                value: 0,
                status: Status::Argument as u32,
                what: number,
                offset: TEXWIRE_NOWHERE,
                bit: TEXWIRE_NOWHERE,
            },
            Failure::Core(error) => Self {
                value: error.found(),
                status: Status::of(error.kind()) as u32,
                what: error.what().code().into(),
                offset: error.offset().and_then(|at| u32::try_from(at).ok()).unwrap_or(TEXWIRE_NOWHERE),
                bit: error.bit_offset().map_or(TEXWIRE_NOWHERE, u32::from),
            },
        }
    }
}

impl Status {
    /// The status of a core's error of this kind.
    pub(crate) fn of(kind: Kind) -> Self {
        BY_KIND.get(usize::from(kind.code())).copied().unwrap_or(Self::Unsupported)
    }
}

impl fmt::Display for texwire_error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.status == Status::Ok as u32 {
            return f.write_str("no error");
        }
        let kind = BY_KIND.iter().position(|status| *status as u32 == self.status);
        let what = u16::try_from(self.what).ok().and_then(What::from_code);
        match (kind.and_then(|index| Kind::ALL.get(index)), what) {
            (Some(kind), Some(what)) => {
                let mut error = Error::new(*kind, what).value(self.value);
                if self.offset != TEXWIRE_NOWHERE {
                    error = error.at(usize::try_from(self.offset).unwrap_or(usize::MAX));
                }
                if let Ok(bit) = u8::try_from(self.bit) {
                    error = error.bit(bit);
                }
                write!(f, "{error}")
            }
            _ => write!(
                f,
                "invalid argument {} (null, misaligned, too short or not a known number)",
                self.what
            ),
        }
    }
}

/// Runs a function's body: gives its status, and writes the error to `error` unless that is null or misaligned.
///
/// # Safety
/// `error` is null or points to a `texwire_error` that may be written.
pub(crate) unsafe fn report(error: *mut texwire_error, body: impl FnOnce() -> Outcome<()>) -> Status {
    let failure = match body() {
        Ok(()) => return Status::Ok,
        Err(failure) => failure,
    };
    // SAFETY: the caller's promise; null and misaligned pointers are refused.
    if let Ok(target) = unsafe { pointers::exclusive(error, 0) } {
        *target = failure.into();
    }
    match failure {
        Failure::Argument(_) => Status::Argument,
        Failure::Core(error) => Status::of(error.kind()),
    }
}

/// Text into a caller's buffer: cut where that ends, closed with a NUL, and counted whole.
#[derive(Debug)]
pub(crate) struct Text<'a> {
    buffer: &'a mut [u8],
    length: usize,
}

impl<'a> Text<'a> {
    pub(crate) fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, length: 0 }
    }

    /// Bytes of the whole text, without the NUL.
    pub(crate) fn close(self) -> usize {
        let last = self.buffer.len().saturating_sub(1);
        if let Some(end) = self.buffer.get_mut(self.length.min(last)) {
            *end = 0;
        }
        self.length
    }
}

impl Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let rest = self.buffer.get_mut(self.length..).unwrap_or_default();
        for (to, from) in rest.iter_mut().zip(text.bytes()) {
            *to = from;
        }
        self.length = self.length.saturating_add(text.len());
        Ok(())
    }
}

/// Writes the names of rules, with commas between.
pub(crate) fn names<R: Rule>(broken: Violations<R>, out: &mut Text<'_>) -> fmt::Result {
    for (number, rule) in broken.enumerate() {
        if number > 0 {
            out.write_str(", ")?;
        }
        out.write_str(rule.name())?;
    }
    Ok(())
}

/// Writes text to a C buffer; bytes of the whole text without the NUL (as `snprintf`).
///
/// # Safety
/// `buffer` is null or has `size` bytes that may be written.
pub(crate) unsafe fn text(
    buffer: *mut c_char,
    size: usize,
    write: impl FnOnce(&mut Text<'_>) -> fmt::Result,
) -> usize {
    // SAFETY: the caller's promise; null is refused, and then nothing is written.
    let buffer = unsafe { pointers::slice_mut(buffer.cast::<u8>(), size, 0) }.unwrap_or_default();
    let mut text = Text::new(buffer);
    // A buffer takes all text.
    let _ = write(&mut text);
    text.close()
}

/// The error in one sentence. Returns its length without the NUL; what `size` bytes do not hold is cut off.
///
/// # Safety
/// `error` is null or points to an error; `buffer` is null or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn texwire_error_text(
    error: *const texwire_error,
    buffer: *mut c_char,
    size: usize,
) -> usize {
    // SAFETY: the caller's promise; null is refused.
    let error = unsafe { pointers::reference(error, 0) };
    // SAFETY: the caller's promise.
    unsafe {
        text(buffer, size, |text| match error {
            Ok(error) => write!(text, "{error}"),
            Err(_) => text.write_str("no error"),
        })
    }
}
