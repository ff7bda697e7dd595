//! Properties: state.

/// Fuzz target `parse_state`.
pub fn parse(data: &[u8]) {
    let _ = data;
}
