//! Properties: trace.

/// Fuzz target `trace_stream`.
pub fn stream(data: &[u8]) {
    let _ = data;
}
