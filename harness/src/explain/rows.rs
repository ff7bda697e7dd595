//! The rows of the tables of state structures, and the notation of bit positions.

use super::units::Unit;

/// A field of a state structure: its name, unit and meaning, and when it is used.
pub(super) struct Row(pub &'static str, pub Unit, pub &'static str, pub About);

/// When a field is used.
#[derive(Clone, Copy)]
pub(super) enum About {
    /// Always.
    Always,
    /// If the function returns true for the dwords of the structure; the text states the condition.
    When(fn(&[u32]) -> bool, &'static str),
    /// A size field: part of a buffer's size, which the function returns as text; a size of its own if that is `None`.
    Buffer(fn(&[u32]) -> Option<String>),
}

impl About {
    pub(super) fn holds(self, dwords: &[u32]) -> bool {
        match self {
            Self::When(holds, _) => holds(dwords),
            Self::Always | Self::Buffer(_) => true,
        }
    }
}

/// Returns the position of a field: `dw3 31:21`; for fields of two dwords `dw8 63:0`.
pub(super) fn bits(dword: u8, hi: u8, lo: u8) -> String {
    if hi == lo { format!("dw{dword} {hi}") } else { format!("dw{dword} {hi}:{lo}") }
}
