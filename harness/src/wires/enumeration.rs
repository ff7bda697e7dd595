//! The PRM's enumerations as JSON.

use serde_json::{Value, json};
use texwire::enums::{Extra, Row, Table};

/// A table in the structure of the ground truth.
pub(crate) fn table_json<'a>(table: &Table, rows: impl Iterator<Item = &'a Row>) -> Value {
    let rows: Vec<Value> = rows.map(row_json).collect();
    json!({ "table": table.name, "bits": table.bits, "source": table.source, "rows": rows })
}

fn row_json(row: &Row) -> Value {
    let mut object = json!({ "value": row.first, "name": row.name });
    if row.last > row.first {
        object["to"] = row.last.into();
    }
    match row.extra {
        Extra::None => {}
        Extra::Bits(bits) => object["bpe"] = bits.into(),
        Extra::Region(region) => object["region"] = region.into(),
    }
    object
}
