//! What the tables of state structures say of a field, and how its bits are written.

use super::units::Unit;

/// A field's name, unit and meaning, and when it is there.
pub(super) struct Row(pub &'static str, pub Unit, pub &'static str, pub About);

/// When a field means something.
#[derive(Clone, Copy)]
pub(super) enum About {
    /// Always.
    Always,
    /// When the other fields of the structure say so; the words for that.
    When(fn(&[u32]) -> bool, &'static str),
    /// Part of a buffer's size, which is this; else a size of its own.
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

/// `dw3 31:21`; fields of two dwords `dw8 63:0`.
pub(super) fn bits(dword: u8, hi: u8, lo: u8) -> String {
    if hi == lo { format!("dw{dword} {hi}") } else { format!("dw{dword} {hi}:{lo}") }
}
