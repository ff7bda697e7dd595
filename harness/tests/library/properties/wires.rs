use texwire_harness::generators::kinds::{InputKind, kinds};
use texwire_harness::properties::wires::compare_with_oracle;
use texwire_harness::wires::{DecodeOptions, DecodeOutput, WIRES, find};

/// The core and the second reading agree on generated inputs, and most of these decode to something.
#[test]
fn generated_inputs_decode_as_the_oracle_says() {
    for wire in WIRES {
        let generators: Vec<&InputKind> = kinds().filter(|kind| kind.wire == Some(wire.name())).collect();
        assert!(!generators.is_empty(), "{} has no generator", wire.name());
        for kind in generators {
            let mut found = 0;
            for number in 0..40 {
                let bytes = kind.make(19, number);
                compare_with_oracle(wire, &bytes);
                let mut text = Vec::new();
                let mut out = DecodeOutput::new(
                    "made",
                    wire.name(),
                    DecodeOptions { all: true, json: true, ..DecodeOptions::default() },
                    &mut text,
                );
                wire.decode(&bytes, &mut out);
                found += usize::from(!text.is_empty());
            }
            assert!(found >= 25, "{}: {found} of 40 decode to something", kind.name);
        }
    }
}

/// A generator of a wire names one that there is.
#[test]
fn generators_name_wires() {
    for kind in kinds() {
        assert!(kind.wire.is_none_or(|name| find(name).is_some()), "{}", kind.name);
    }
}
