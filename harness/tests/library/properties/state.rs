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
    let bytes = bolero::produce::<Vec<u8>>().with().len(0..400usize);
    bolero::check!().with_generator(bytes).with_iterations(10000).for_each(|data| state::parse(data));
}
