//! Makes `core/src/state/nv/{names,tables}.rs` from `harness/spec/nv-texhead.json`, and tells when they are out of date.
//!
//! `TEXWIRE_BLESS=1 cargo test --test nv_tables` writes the files anew.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

const NAMES: &str = "\
//! Names of the fields of texture headers and sampler entries, and of their values.
//!
//! Made by `harness/tests/nv_tables.rs` from `harness/spec/nv-texhead.json`; do not edit.
";

const TABLES: &str = "\
//! Fields of texture headers and sampler entries, by class and layout.
//!
//! Made by `harness/tests/nv_tables.rs` from `harness/spec/nv-texhead.json`; do not edit.

use super::layout::{Class, FieldInfo, NvLayout};
use super::names::{NvEnumeration, NvEnumeration as E, NvField, NvField as F};

const fn p(field: NvField, lsb: u8, width: u8) -> FieldInfo { FieldInfo { field, lsb, width, enumeration: None } }
const fn n(field: NvField, lsb: u8, width: u8, enumeration: NvEnumeration) -> FieldInfo { FieldInfo { field, lsb, width, enumeration: Some(enumeration) } }
";

/// `S_R_G_B_CONVERSION` -> `SRGBConversion`
fn camel(name: &str) -> String {
    let part = |part: &str| part[..1].to_owned() + &part[1..].to_lowercase();
    name.split('_').filter(|p| !p.is_empty()).map(part).collect()
}

/// `items`, several a line.
fn wrapped(items: impl Iterator<Item = String>) -> String {
    let (mut text, mut line) = (String::new(), String::new());
    for item in items {
        if line.len() + item.len() > 105 {
            writeln!(text, "   {line}").unwrap();
            line.clear();
        }
        write!(line, " {item}").unwrap();
    }
    if !line.is_empty() {
        writeln!(text, "   {line}").unwrap();
    }
    text
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn class_name(class: &str) -> &'static str {
    match class {
        "9097" => "Fermi",
        "A097" => "Kepler",
        "B097" => "Maxwell1",
        "B197" => "Maxwell2",
        "C097" => "Pascal",
        other => panic!("class {other}"),
    }
}

fn field_enum(names: &BTreeSet<&str>) -> String {
    let variants: BTreeSet<String> = names.iter().map(|name| camel(name)).collect();
    assert_eq!(variants.len(), names.len(), "two names make one variant");
    let documented = names.iter().map(|name| format!("#[doc = \"{name}\"] {},", camel(name)));
    let all = names.iter().map(|name| format!("Self::{},", camel(name)));
    let quoted = names.iter().map(|name| format!("{name:?},"));
    format!(
        "
/// A field of a texture header or sampler entry, by the class headers' name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = \"defmt\", derive(defmt::Format))]
pub enum NvField {{
{}}}

impl NvField {{
    /// Every field, by name.
    pub const ALL: [Self; {}] = [
{}    ];

    /// The class headers' name.
    pub fn name(self) -> &'static str {{
        NAMES.get(self as usize).copied().unwrap_or_default()
    }}
}}

static NAMES: [&str; {}] = [
{}];
",
        wrapped(documented),
        names.len(),
        wrapped(all),
        names.len(),
        wrapped(quoted)
    )
}

fn enumerations(spec: &Value) -> String {
    let enums = spec["enums"].as_object().unwrap();
    let documented = enums.keys().map(|name| format!("#[doc = \"{name}\"] {},", camel(name)));
    let mut out = format!(
        "
/// The named values of a field; a number after the name: a later class's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = \"defmt\", derive(defmt::Format))]
pub enum NvEnumeration {{
{}}}

impl NvEnumeration {{
    /// The values and their names, as the class headers list them.
    pub const fn values(self) -> &'static [(u8, &'static str)] {{
        match self {{
",
        wrapped(documented)
    );
    for (name, values) in enums {
        let values = values.as_object().unwrap().iter().map(|(name, value)| format!("({value}, {name:?}),"));
        write!(out, "            Self::{} => &[\n{}            ],\n", camel(name), wrapped(values)).unwrap();
    }
    out + "        }\n    }\n}\n"
}

fn tables(spec: &Value) -> String {
    let mut seen: Vec<(&Value, String)> = Vec::new();
    let mut arms = String::new();
    let mut out = String::new();
    for layout in spec["layouts"].as_array().unwrap() {
        let (class, kind) =
            (class_name(text(&layout["class"])), camel(text(&layout["layout"]).to_uppercase().as_str()));
        let fields = &layout["fields"];
        let known = seen.iter().find(|(known, _)| *known == fields).map(|(_, name)| name.clone());
        let name = known.unwrap_or_else(|| {
            let name = format!("{class}_{kind}").to_uppercase();
            let rows = fields.as_array().unwrap().iter().map(|field| {
                let (lsb, width) = (field["lsb"].as_u64().unwrap(), field["width"].as_u64().unwrap());
                assert!(width >= 1 && lsb / 32 == (lsb + width - 1) / 32, "a field crosses a dword: {field}");
                let variant = camel(text(&field["name"]));
                match field.get("enum") {
                    Some(names) => format!("n(F::{variant}, {lsb}, {width}, E::{}),", camel(text(names))),
                    None => format!("p(F::{variant}, {lsb}, {width}),"),
                }
            });
            write!(out, "\nstatic {name}: &[FieldInfo] = &[\n{}];\n", wrapped(rows)).unwrap();
            seen.push((fields, name.clone()));
            name
        });
        writeln!(arms, "        (Class::{class}, NvLayout::{kind}) => {name},").unwrap();
    }
    format!(
        "{out}
pub(super) const fn fields(class: Class, layout: NvLayout) -> Option<&'static [FieldInfo]> {{
    Some(match (class, layout) {{
{arms}        _ => return None,
    }})
}}
"
    )
}

#[test]
fn up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = std::fs::read_to_string(root.join("spec/nv-texhead.json")).unwrap();
    let spec: Value = serde_json::from_str(&spec).unwrap();
    let fields = spec["layouts"].as_array().unwrap().iter().flat_map(|l| l["fields"].as_array().unwrap());
    let names: BTreeSet<&str> = fields.map(|field| text(&field["name"])).collect();
    up_to_date_file(root, "names", &(NAMES.to_owned() + &field_enum(&names) + &enumerations(&spec)));
    up_to_date_file(root, "tables", &(TABLES.to_owned() + &tables(&spec)));
}

fn up_to_date_file(root: &Path, name: &str, made: &str) {
    let path = root.join(format!("../core/src/state/nv/{name}.rs"));
    if std::env::var_os("TEXWIRE_BLESS").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == made, "{name}.rs is out of date: TEXWIRE_BLESS=1 cargo test --test nv_tables");
}
