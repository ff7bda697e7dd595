use texwire_harness::properties::format::decode;

#[test]
fn decode_holds() {
    bolero::check!().with_iterations(100_000).with_type::<Vec<u8>>().for_each(|data| decode(data));
}
