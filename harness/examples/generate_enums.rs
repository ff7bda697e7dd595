//! Writes `core/src/enums/*.rs` of `core/tables/prm-enums.json`.

use texwire_harness::codegen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, text) in codegen::enum_files(&codegen::tables()?) {
        std::fs::write(codegen::core_folder().join("src/enums").join(name), text)?;
    }
    Ok(())
}
