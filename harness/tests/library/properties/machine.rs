use texwire_harness::properties::machine;

#[test]
fn machine_program() {
    bolero::check!()
        .with_generator(bolero::produce::<Vec<u8>>().with().len(16..1024_usize))
        .with_iterations(3000)
        .for_each(|data| machine::program(data));
}

#[test]
fn machine_launch() {
    bolero::check!()
        .with_generator(bolero::produce::<Vec<u8>>().with().len(0..2048_usize))
        .with_iterations(500)
        .for_each(|data| machine::hostile(data));
}
