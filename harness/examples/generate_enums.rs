//! Writes `core/src/enums/*.rs` from `core/tables/prm-enums.json`.

use texwire_harness::codegen::{core_folder, enum_files, tables};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, text) in enum_files(&tables()?) {
        std::fs::write(core_folder().join("src/enums").join(name), text)?;
    }
    Ok(())
}
