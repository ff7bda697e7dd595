use texwire_harness::properties::visa;

macro_rules! properties {
    ($($(#[$attribute:meta])* $name:ident $iterations:literal;)*) => {$(
        #[test]
        $(#[$attribute])*
        fn $name() {
            bolero::check!().with_type::<Vec<u8>>().with_iterations($iterations).for_each(|data| visa::$name(data));
        }
    )*};
}

properties! {
    walk 4000;
    decode 8000;
    roundtrip 4000;
    asm_text 3000;
    display_total 6000;
}
