//! The committed header is the one that the source makes. `UPDATE=1` writes it.
#![allow(clippy::expect_used, reason = "a test may panic: that is how it fails")]

use std::{env, fs, path::Path};

#[test]
fn header_is_of_this_source() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is read");
    let bindings =
        cbindgen::Builder::new().with_crate(root).with_config(config).generate().expect("a header");
    let mut made = Vec::new();
    bindings.write(&mut made);
    let path = root.join("include/texwire.h");
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &made).expect("the header is written");
    }
    let committed = fs::read(&path).unwrap_or_default();
    assert!(
        committed == made,
        "include/texwire.h is not of this source: run UPDATE=1 cargo test -p texwire-capi"
    );
}
