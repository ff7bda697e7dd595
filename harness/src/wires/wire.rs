//! The trait by which commands and fuzz targets use a wire.

use super::output::DecodeOutput;
use crate::explain::Explained;
use std::error::Error;
use std::fmt::Debug;
use texwire::Platform;

/// Takes explanations one after the other: in words they need far more memory than the bytes that they explain.
pub type ExplainedSink<'a> = dyn FnMut(Explained) -> Result<(), Box<dyn Error>> + 'a;

/// A wire as commands and fuzz targets use it: decoding, explaining, assembling.
pub trait Wire: Debug + Sync {
    /// Its name: the value of `--wire`, and the key `wire` of records.
    fn name(&self) -> &'static str;

    /// What it is, for `--help`.
    fn about(&self) -> &'static str;

    /// The platforms whose instructions it encodes, at least one; the first is the default.
    fn platforms(&self) -> &'static [Platform];

    /// Whether these are the instructions that the hardware executes, so that the name of a platform selects this wire.
    fn is_native(&self) -> bool;

    /// Whether the first bytes of a file show that it is of this wire; raw instructions are never recognised.
    fn recognises(&self, bytes: &[u8]) -> bool;

    /// Decodes `bytes` into `out`: one line or record for each finding. A part that does not decode is reported there as an
    /// error, and decoding continues after it where that is possible.
    fn decode(&self, bytes: &[u8], out: &mut DecodeOutput<'_>);

    /// Explains every field of the instructions in `bytes`: bits, raw value, meaning, broken rules of `platform` (one of
    /// [`platforms`](Self::platforms); without one, the first, or the one that `bytes` name). Each goes to `sink` before the next is
    /// decoded.
    ///
    /// # Errors
    /// Says where `bytes` do not decode, or what `sink` says.
    fn explain(
        &self,
        bytes: &[u8],
        platform: Option<Platform>,
        sink: &mut ExplainedSink<'_>,
    ) -> Result<(), Box<dyn Error>>;

    /// Assembles a listing ([`listing`](super::listing)). Returns the bytes of each instruction.
    ///
    /// # Errors
    /// Says the line, the column and what was expected, or that the wire has no text.
    fn assemble(&self, listing: &str, platform: Platform) -> Result<Vec<Vec<u8>>, Box<dyn Error>>;
}
