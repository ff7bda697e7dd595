//! Checks ground truth of the PRM's enumerations (`prm-enums.json`).

use super::tally::{Checker, Tally, equal};
use crate::json::enumerations::table_json;
use serde_json::Value;
use std::path::Path;
use texwire::enums::TABLES;

/// The checker.
pub const CHECKER: Checker = Checker {
    name: "enums",
    claims: |path| path.file_name().is_some_and(|name| name == "prm-enums.json"),
    check: |path, tally| {
        compare(&serde_json::from_slice(&std::fs::read(path)?)?, path, tally);
        Ok(())
    },
};

fn compare(truth: &Value, path: &Path, tally: &mut Tally) {
    let tables: Vec<Value> = TABLES.iter().map(|table| table_json(table, table.rows.iter())).collect();
    let wanted = truth.as_array().map_or(&[][..], Vec::as_slice);
    let same = if wanted.len() == tables.len() {
        Ok(())
    } else {
        Err(format!("{}: {} tables, want {}", path.display(), tables.len(), wanted.len()))
    };
    tally.note("enumeration tables", same);
    for want in wanted {
        let name = want["table"].as_str().unwrap_or_default();
        let Some(table) = tables.iter().find(|table| table["table"] == want["table"]) else {
            tally.note("enumeration tables", Err(format!("{name}: no such table")));
            continue;
        };
        for key in ["bits", "source"] {
            tally.note("enumeration tables", equal(&format!("{name} {key}"), &table[key], &want[key]));
        }
        let (rows, want) = (rows(table), rows(want));
        tally.note(
            "enumeration tables",
            equal(&format!("{name} rows"), &rows.len().into(), &want.len().into()),
        );
        for (row, want) in rows.iter().zip(want) {
            // Our row has more keys where the PRM's column is empty (the bits of blocks): only the keys of the ground truth are compared.
            let told = |row: &Value| {
                let keys = want.as_object().into_iter().flatten();
                keys.map(|(key, _)| (key.clone(), row[key].clone())).collect::<serde_json::Map<_, _>>()
            };
            tally.note("enumeration rows", equal(name, &told(row).into(), want));
        }
    }
}

fn rows(table: &Value) -> &[Value] {
    table["rows"].as_array().map_or(&[], Vec::as_slice)
}
