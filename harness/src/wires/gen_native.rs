//! Intel Gen native.

use super::Output;
use std::error::Error;

/// Decodes `bytes` into `out`.
pub fn decode(bytes: &[u8], wire: super::Wire, out: &mut Output<'_>) {
    let _ = (bytes, wire);
    out.error(0, "not built yet");
}

/// Assembles `text`.
///
/// # Errors
/// Says the column and what was expected.
pub fn assemble(text: &str, platform: texwire::Platform) -> Result<Vec<u8>, Box<dyn Error>> {
    let _ = (text, platform);
    Err("not built yet".into())
}

/// Explains every field of the instruction in `bytes`: bits, raw value, meaning, broken rules.
///
/// # Errors
/// Says where `bytes` do not decode.
pub fn explain(bytes: &[u8], platform: texwire::Platform) -> Result<String, Box<dyn Error>> {
    let _ = (bytes, platform);
    Err("not built yet".into())
}
