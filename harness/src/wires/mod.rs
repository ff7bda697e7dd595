//! The wires as the command line sees them: bytes to lines and records, text to bytes.
//!
//! A wire is an `impl` of [`Wire`] and an entry of [`WIRES`]: commands and fuzz targets find it there.

mod gen_explain;
pub mod gen_native;
pub mod listing;
pub mod maxwell;
mod output;
pub mod trace;
pub mod visa;
pub(crate) mod visa_explain;

pub use output::{Options, Output, violations};

use crate::explain::Explained;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::error::Error;
use std::fmt::Debug;
use texwire::Platform;

/// What a wire has for the commands and the fuzz targets.
pub trait Wire: Debug + Sync {
    /// Its name: the value of `--wire`, and the key `wire` of records.
    fn name(&self) -> &'static str;

    /// What it is, for `--help`.
    fn about(&self) -> &'static str;

    /// The platforms whose instructions it spells, at least one; the first unless another is asked for.
    fn platforms(&self) -> &'static [Platform];

    /// Whether these are the instructions that the hardware executes, so that a platform alone leads to this wire.
    fn is_native(&self) -> bool;

    /// Whether the first bytes of a file show that it is of this wire; raw instructions show nothing.
    fn recognises(&self, bytes: &[u8]) -> bool;

    /// Decodes `bytes` into `out`: one line or record for each finding. What does not decode is an error there, and the
    /// rest goes on.
    fn decode(&self, bytes: &[u8], out: &mut Output<'_>);

    /// Explains every field of the instructions in `bytes`: bits, raw value, meaning, broken rules of `platform` (one of
    /// [`platforms`](Self::platforms); without one, the first, or the one that `bytes` name).
    ///
    /// # Errors
    /// Says where `bytes` do not decode.
    fn explain(&self, bytes: &[u8], platform: Option<Platform>) -> Result<Vec<Explained>, Box<dyn Error>>;

    /// The bytes of each instruction of a listing ([`listing`]).
    ///
    /// # Errors
    /// Says the line, the column and what was expected, or that the wire has no text.
    fn assemble(&self, listing: &str, platform: Platform) -> Result<Vec<Vec<u8>>, Box<dyn Error>>;
}

/// Every wire. Of several native ones for a platform the first decodes its device binaries.
pub static WIRES: [&dyn Wire; 7] = [
    &visa::VISA,
    &gen_native::GEN11,
    &gen_native::GEN9,
    &gen_native::GEN12,
    &gen_native::XE_HPG,
    &maxwell::MAXWELL,
    &trace::TRACE,
];

/// The wire of this name.
pub fn find(name: &str) -> Option<&'static dyn Wire> {
    WIRES.into_iter().find(|wire| wire.name() == name)
}

/// The wire of a platform's own instructions.
pub fn native(platform: Platform) -> Option<&'static dyn Wire> {
    WIRES.into_iter().find(|wire| wire.is_native() && wire.platforms().contains(&platform))
}

/// The wire whose files begin so.
pub fn recognise(bytes: &[u8]) -> Option<&'static dyn Wire> {
    WIRES.into_iter().find(|wire| wire.recognises(bytes))
}

/// Reads the value of `--wire`.
pub(crate) fn argument() -> impl TypedValueParser<Value = &'static dyn Wire> {
    let values = WIRES.into_iter().map(|wire| PossibleValue::new(wire.name()).help(wire.about()));
    PossibleValuesParser::new(values).try_map(|name| find(&name).ok_or("unknown wire"))
}

/// What is wrong with a line of assembly text, and in which column (from 1).
fn column(text: &str, error: texwire::Error) -> String {
    let before = error.offset().map(|offset| text.get(..offset).unwrap_or(text));
    let column = before.map_or(1, |before| before.chars().count() + 1);
    let expected = match (error.what(), u8::try_from(error.found())) {
        (texwire::What::Punctuation, Ok(byte)) => format!("`{}` expected", char::from(byte)),
        _ if error.kind() == texwire::error::Kind::NotOnPlatform => "not on this platform".to_owned(),
        (what, _) if what.expected().is_empty() => "not understood".to_owned(),
        (what, _) => format!("expected {}", what.expected()),
    };
    format!("column {column}: {}: {expected}", error.what().text())
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
