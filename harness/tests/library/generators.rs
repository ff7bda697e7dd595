//! Generated inputs are what their kinds say.

use std::collections::BTreeSet;
use texwire_harness::containers::device_binary::is_device_binary;
use texwire_harness::generators::kinds::{InputKind, kinds};

/// Every kind makes different, mostly non-empty inputs, the same ones again for the same seed.
#[test]
fn kinds_are_reproducible_and_varied() {
    for kind in kinds() {
        let made: Vec<_> = (0..24).map(|number| kind.make(7, number)).collect();
        assert_eq!(made[3], kind.make(7, 3), "{}", kind.name);
        assert_ne!(made, (0..24).map(|number| kind.make(8, number)).collect::<Vec<_>>(), "{}", kind.name);
        let filled = made.iter().filter(|bytes| !bytes.is_empty()).count();
        assert!(filled >= 16, "{}: {filled} of 24", kind.name);
        let distinct: BTreeSet<_> = made.iter().collect();
        assert!(distinct.len() >= 16, "{}: {} of 24", kind.name, distinct.len());
    }
}

#[test]
fn files_are_of_their_kind() {
    for number in 0..20 {
        assert!(InputKind::find("cisa").unwrap().make(1, number).starts_with(b"CISA"));
        assert!(is_device_binary(&InputKind::find("device-binary").unwrap().make(1, number)));
    }
}
