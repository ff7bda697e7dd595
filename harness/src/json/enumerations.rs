//! The PRM's enumerations as JSON.

use serde_json::{Value, json};
use texwire::enums::{Extra, Row, Table};

/// Returns a table as JSON in the structure of the ground truth.
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
        Extra::Bits(bits) => {
            object["bpe"] = bits.into();
            // The PRM does not state the size of blocks; it comes from the table of formats.
            let info = texwire::format::info(texwire::enums::SurfaceFormat(row.first));
            if let Some(info) = info.filter(|info| bits == 0 && info.bytes > 0) {
                object["block_bits"] = (u32::from(info.bytes) * 8).into();
                object["block"] = json!([info.block_width, info.block_height]);
            }
        }
        Extra::Region(region) => object["region"] = region.into(),
    }
    object
}
