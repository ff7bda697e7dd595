//! A Vulkan driver that fails when it is told to: a library in front of the first driver of this machine, made by its C compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Loses its device in as many submissions as there are letters in the target of this link.
pub(crate) const LOSSES: &str = "TEXWIRE_TEST_LOSSES";
/// Set to 0: it has no features and no extensions.
pub(crate) const FEATURES: &str = "TEXWIRE_TEST_FEATURES";

/// What the driver needs in its environment, made in `folder`; the error says why there is none.
pub(crate) fn environment(folder: &Path) -> Result<Vec<(&'static str, String)>, String> {
    let driver = driver().ok_or("no Vulkan driver is installed")?;
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faulty_driver/driver.c");
    let library = folder.join("driver.so");
    let made = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl")
        .output();
    let made = made.map_err(|why| format!("no C compiler: {why}"))?;
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let manifest = folder.join("driver.json");
    let text = serde_json::json!({
        "file_format_version": "1.0.0",
        "ICD": {"library_path": library, "api_version": "1.3.0"},
    });
    std::fs::write(&manifest, text.to_string()).map_err(|why| why.to_string())?;
    let manifest = manifest.display().to_string();
    Ok(vec![
        ("TEXWIRE_TEST_DRIVER", driver),
        ("VK_ICD_FILENAMES", manifest.clone()),
        ("VK_DRIVER_FILES", manifest),
    ])
}

/// The library of the first driver: of those that the environment names, or that are installed.
fn driver() -> Option<String> {
    let named = std::env::var("VK_ICD_FILENAMES").unwrap_or_default();
    let installed = std::fs::read_dir("/usr/share/vulkan/icd.d").into_iter().flatten().flatten();
    let mut installed: Vec<PathBuf> = installed.map(|entry| entry.path()).collect();
    // lavapipe, which needs no GPU, before others.
    installed.sort_by_key(|path| (!path.display().to_string().contains("lvp"), path.clone()));
    let named = named.split(':').filter(|path| !path.is_empty()).map(PathBuf::from);
    named.chain(installed).find_map(|path| {
        let manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        manifest["ICD"]["library_path"].as_str().map(str::to_owned)
    })
}
