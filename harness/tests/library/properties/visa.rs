use super::holds;
use texwire_harness::properties::visa;

macro_rules! properties {
    ($($(#[$attribute:meta])* $name:ident $iterations:literal;)*) => {$(
        #[test]
        $(#[$attribute])*
        fn $name() {
            holds(visa::$name, $iterations);
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
