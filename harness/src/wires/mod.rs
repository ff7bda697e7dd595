//! The wires as the command line sees them: bytes to lines and records, text to bytes.
//!
//! A wire is an `impl` of [`Wire`] and an entry of [`WIRES`]: commands and fuzz targets find it there.

mod gen_explain;
pub mod gen_native;
pub(crate) mod gen_send;
pub mod listing;
pub mod maxwell;
mod output;
pub mod trace;
pub mod visa;
pub(crate) mod visa_explain;
mod wire;

pub use output::{DecodeOptions, DecodeOutput, violations};
pub use wire::{ExplainedSink, Wire};

use texwire::Platform;

/// Every wire. If several are native to a platform, the first of them decodes its device binaries.
pub const WIRES: [&dyn Wire; 7] = [
    &visa::VISA,
    &gen_native::GEN11,
    &gen_native::GEN9,
    &gen_native::GEN12,
    &gen_native::XE_HPG,
    &maxwell::MAXWELL,
    &trace::TRACE,
];

/// Returns the wire of this name.
pub fn find(name: &str) -> Option<&'static dyn Wire> {
    WIRES.into_iter().find(|wire| wire.name() == name)
}

/// Returns the first wire of the platform's native instructions.
pub fn native(platform: Platform) -> Option<&'static dyn Wire> {
    WIRES.into_iter().find(|wire| wire.is_native() && wire.platforms().contains(&platform))
}

/// Returns the wire that recognises the first bytes of a file.
pub fn recognise(bytes: &[u8]) -> Option<&'static dyn Wire> {
    WIRES.into_iter().find(|wire| wire.recognises(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_differ_and_every_wire_has_a_platform() {
        let names: BTreeSet<_> = WIRES.iter().map(|wire| wire.name()).collect();
        assert_eq!(names.len(), WIRES.len());
        assert!(WIRES.iter().all(|wire| !wire.platforms().is_empty() && !wire.about().is_empty()));
    }
}
