//! Properties: execute.

/// Fuzz target `diff_execute`.
pub fn core_equals_emulator(data: &[u8]) {
    let _ = data;
}
