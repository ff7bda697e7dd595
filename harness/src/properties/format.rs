//! Properties: format.

/// Fuzz target `decode_format`.
pub fn decode(data: &[u8]) {
    let _ = data;
}
