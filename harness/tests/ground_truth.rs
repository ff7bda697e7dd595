//! The bundled ground truth, one test per kind.

use std::path::Path;
use texwire_harness::check::{Tally, check};

/// Everything below `corpus/<kind>` compares equal, and something was compared.
fn equal(kind: &str) {
    let mut tally = Tally::default();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(kind);
    check(&path, &mut tally);
    assert!(tally.broken_files().is_empty(), "{:?}", tally.broken_files());
    let failures: Vec<_> = tally.rows().flat_map(|(_, row)| &row.first).collect();
    assert_eq!(tally.failed(), 0, "{failures:#?}");
    assert!(tally.passed() > 0, "nothing compared below {}", path.display());
}

#[test]
fn enums() {
    equal("enums");
}

#[test]
fn gen_native() {
    equal("gen");
}

#[test]
fn txq() {
    equal("txq");
}

#[test]
fn state() {
    equal("state");
}

#[test]
fn devicebin() {
    equal("devicebin");
}

#[test]
fn sampling() {
    equal("sampling");
}

#[test]
fn formats() {
    equal("formats");
}

#[test]
fn visa() {
    equal("visa");
}

/// What the reference tool does with doubtful vISA, and what this crate does: the table for readers.
#[test]
fn visa_validity_table_is_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/visa");
    let table = texwire_harness::check::visa_validity::table(&folder.join("validity.json")).unwrap();
    let path = folder.join("validity.md");
    if std::env::var_os("TEXWIRE_REGENERATE").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == table, "run with TEXWIRE_REGENERATE=1");
}
