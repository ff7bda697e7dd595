//! Properties: txq.

/// Fuzz target `decode_txq`.
pub fn decode(data: &[u8]) {
    let _ = data;
}

/// Fuzz target `roundtrip_txq`.
pub fn roundtrip(data: &[u8]) {
    let _ = data;
}
