use super::holds_of_lengths;
use texwire::enums::TABLES;
use texwire_harness::properties::state;

#[test]
fn rows_of_enumerations_fit_their_fields() {
    for table in TABLES {
        for row in table.rows {
            assert!(table.fits(row.last.into()) && row.first <= row.last, "{} {}", table.name, row.ident);
        }
    }
}

#[test]
fn any_dwords() {
    holds_of_lengths(0..400, state::parse, 10_000);
}
