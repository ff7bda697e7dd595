//! Properties: gen_native.

/// Fuzz target `decode_gen`.
pub fn decode(data: &[u8]) {
    let _ = data;
}

/// Fuzz target `roundtrip_gen`.
pub fn roundtrip(data: &[u8]) {
    let _ = data;
}
