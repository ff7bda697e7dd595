//! Errors of the machine: why a kernel could not run, and where it stopped.

use std::fmt;

/// Where in a launch an error occurred; `None` for the parts that are not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorLocation {
    /// Byte offset of the instruction in the kernel's instruction heap.
    pub offset: Option<u32>,
    /// The work group's id in each dimension.
    pub group: Option<[u32; 3]>,
    /// The thread's number in its group.
    pub thread: Option<u32>,
    /// The lane, counted from the instruction's first channel.
    pub lane: Option<u32>,
}

/// An error of the machine or of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What went wrong, as the beginning of a sentence: "`what` at `location`: `why`".
    pub what: String,
    /// The name of the kernel.
    pub kernel: Option<String>,
    /// The position in the launch.
    pub location: ErrorLocation,
    /// Why: what was found, and what was expected.
    pub why: String,
}

impl Error {
    /// Creates an error without a position.
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { what: what.into(), kernel: None, location: ErrorLocation::default(), why: why.into() }
    }

    /// Sets the lane of the position.
    #[must_use]
    pub fn lane(mut self, lane: usize) -> Self {
        self.location.lane = u32::try_from(lane).ok();
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, kernel, location: ErrorLocation { offset, group, thread, lane }, why } = self;
        let parts = [
            kernel.as_ref().map(|kernel| format!("kernel {kernel}")),
            offset.map(|offset| format!("offset {offset:#x}")),
            group.map(|[x, y, z]| format!("group ({x}, {y}, {z})")),
            thread.map(|thread| format!("thread {thread}")),
            lane.map(|lane| format!("lane {lane}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let at = if parts.is_empty() { "" } else { " at " };
        write!(f, "{what}{at}{}: {why}", parts.join(", "))
    }
}

impl std::error::Error for Error {}

/// A result of the machine.
pub type Result<T> = std::result::Result<T, Error>;
