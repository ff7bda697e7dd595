//! Generates `core/src/enums/*.rs` from `core/tables/prm-enums.json`.
//!
//! `cargo run --example generate_enums` writes the files; a test fails if they are stale.

use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Returns the folder of the core crate in the workspace.
pub fn core_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core")
}

/// Reads the tables of the repository.
///
/// # Errors
/// The file cannot be read or is not a JSON list.
pub fn tables() -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let text = std::fs::read(core_folder().join("tables/prm-enums.json"))?;
    Ok(serde_json::from_slice(&text)?)
}

/// The types that core itself uses. All other types are needed only for lookups by name and are behind [`FEATURE`].
const USED: [&str; 9] = [
    "CondModifier",
    "DepCtrl",
    "MathFc",
    "PredCtrl",
    "QtrCtrl",
    "RegFile",
    "SurfaceFormat",
    "TernaryAlign1DataType",
    "ThreadCtrl",
];
const FEATURE: &str = "#[cfg(feature = \"enumerations\")]\n";

/// Returns the generated files: the name below `core/src/enums` and the text of each.
pub fn enum_files(tables: &[Value]) -> Vec<(&'static str, String)> {
    let mut files = vec![
        ("surface_format.rs", head("SURFACE_FORMAT: the layout and numeric kind of a surface's elements.")),
        (
            "fixed_function.rs",
            head("The tables of state, messages and fixed functions (PRM sources BSpec and RenderCS)."),
        ),
        ("execution_unit.rs", head("The tables of execution unit instructions (PRM source Eulsa).")),
    ];
    for table in tables {
        let file = match (text(table, "table"), text(table, "source")) {
            ("SURFACE_FORMAT", _) => 0,
            (_, "Eulsa") => 2,
            _ => 1,
        };
        // Core uses no table of `fixed_function.rs`: the feature guards the whole module, not its items.
        let feature = if file == 1 || USED.contains(&text(table, "type")) { "" } else { FEATURE };
        files[file].1 += &enumeration(table, feature);
    }
    files.push(("index.rs", index(tables)));
    files
}

fn head(what: &str) -> String {
    format!(
        "//! {what}\n//!\n//! Generated of `core/tables/prm-enums.json`: edit that, run `cargo run --example generate_enums`.\n"
    )
}

fn enumeration(table: &Value, feature: &str) -> String {
    let (name, bits) = (text(table, "table"), table["bits"].as_u64().expect("bits"));
    let mut out = format!(
        "\n{feature}enumeration! {{\n    /// {}.\n    ///\n    /// PRM table `{name}`, {bits} bit{}.\n    {}({}): {name:?}, {bits}, {:?};\n",
        text(table, "doc"),
        if bits == 1 { "" } else { "s" },
        text(table, "type"),
        if bits > 8 { "u16" } else { "u8" },
        text(table, "source"),
    );
    for row in table["rows"].as_array().expect("rows") {
        let first = row["value"].as_u64().expect("value");
        let last = row["to"].as_u64().unwrap_or(first);
        write!(out, "    {first}..={last} {:?}", text(row, "name")).expect("a string takes it");
        if let Some(bits) = row["bpe"].as_u64() {
            write!(out, " [bits {bits}]").expect("a string takes it");
        }
        if let Some(region) = row["region"].as_str() {
            write!(out, " [region {region:?}]").expect("a string takes it");
        }
        if let Some(context) = row["when"].as_str() {
            write!(out, " if {context}").expect("a string takes it");
        }
        if let Some(ident) = row["ident"].as_str() {
            write!(out, " as {ident} = {:?}", format!("{}.", text(row, "doc"))).expect("a string takes it");
        }
        out += ";\n";
    }
    out + "}\n"
}

fn index(tables: &[Value]) -> String {
    let mut out = head("Every table, in the PRM's order.");
    out += "\nuse super::{Enumeration, Table};\n\n";
    out += "/// Every table, in the PRM's order: for lookups by name, and for nothing else linked.\n";
    writeln!(out, "#[rustfmt::skip]\npub const TABLES: [&Table; {}] = [", tables.len())
        .expect("a string takes it");
    for table in tables {
        writeln!(out, "    super::{}::TABLE,", text(table, "type")).expect("a string takes it");
    }
    out + "];\n"
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} of {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_up_to_date() {
        for (name, text) in enum_files(&tables().unwrap()) {
            let stored = std::fs::read_to_string(core_folder().join("src/enums").join(name)).unwrap();
            assert!(stored == text, "{name} is stale: cargo run --example generate_enums");
        }
    }
}
