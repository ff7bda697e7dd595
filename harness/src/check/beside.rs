//! Reads the files beside a file of ground truth: a truth and what it is about.

use serde_json::Value;
use std::path::Path;

/// Reads the file that goes with a file of ground truth; the error names it.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let bytes = if path.is_file() || !path.exists() {
        std::fs::read(path).map_err(|why| why.to_string())
    } else {
        Err("no file".to_owned())
    };
    bytes.map_err(|why| format!("{}: {why}", path.display()))
}

/// Returns the ground truth in the JSON file `path`, which is beside what it is about; the error names it.
pub(super) fn truth(path: &Path) -> Result<Value, String> {
    serde_json::from_slice(&read(path)?).map_err(|why| format!("{}: {why}", path.display()))
}
