//! Properties: visa.

/// Fuzz target `walk_cisa`.
pub fn walk(data: &[u8]) {
    let _ = data;
}

/// Fuzz target `decode_visa`.
pub fn decode(data: &[u8]) {
    let _ = data;
}

/// Fuzz target `roundtrip_visa`.
pub fn roundtrip(data: &[u8]) {
    let _ = data;
}

/// Fuzz target `asm_text`.
pub fn asm_text(data: &[u8]) {
    let _ = data;
}

/// Fuzz target `display_total`.
pub fn display_total(data: &[u8]) {
    let _ = data;
}
