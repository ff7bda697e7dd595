use texwire_harness::properties::device_binary;

#[test]
fn device_binary() {
    bolero::check!()
        .with_generator(bolero::produce::<Vec<u8>>().with().len(0..2048_usize))
        .with_iterations(2000)
        .for_each(|data| device_binary::device_binary(data));
}
