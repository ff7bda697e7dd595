//! Proofs on a part of their domains.

use texwire_harness::prove::{Judge, PROOFS, Proof};

/// Each proof over some 100,000 inputs of its domain. The step is odd, so that all low bits appear.
#[test]
fn proofs_hold_for_a_part_of_their_domain() {
    for proof in PROOFS {
        let step = ((proof.size)() / 100_000) | 1;
        let verdict = proof.run(step, 1, &|_| {});
        assert_eq!(verdict.difference, None, "{}", proof.name);
        assert_eq!(verdict.checked, (proof.size)().div_ceil(step), "{}", proof.name);
    }
}

/// A difference ends a proof and is told.
#[test]
fn a_difference_is_found() {
    let judge: Judge = |inputs| {
        for input in inputs {
            if input == 99_999 {
                return Err(format!("{input} differs"));
            }
        }
        Ok(())
    };
    let proof = Proof { name: "", domain: "", size: || 1 << 20, judge };
    let verdict = proof.run(1, 2, &|_| {});
    assert_eq!(verdict.difference.as_deref(), Some("99999 differs"));
    assert!(verdict.checked < 1 << 20);
    assert_eq!(proof.run(2, 1, &|_| {}).difference, None);
}
