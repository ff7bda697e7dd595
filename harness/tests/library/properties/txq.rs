use super::holds_of_lengths;
use arbitrary::Unstructured;
use texwire_harness::generators::txq::warp;
use texwire_harness::properties::txq;

/// The generator must reach answered, failed and invalid lanes, or `execute` proves little.
#[test]
fn warps_reach_every_outcome() {
    let mut seed = 1_u32;
    let mut byte = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    };
    let mut reached = [0; 4];
    for _ in 0..400 {
        let data: Vec<u8> = (0..1024).map(|_| byte()).collect();
        let warp = warp(&mut Unstructured::new(&data)).unwrap();
        let result = txq::oracle(&warp);
        reached[0] += usize::from(result.is_err());
        let Ok(registers) = result else { continue };
        reached[1] += usize::from(registers.failed != 0);
        let mut lanes = registers.written.iter().flatten().flatten();
        reached[2] += usize::from(lanes.any(|value| *value > 1));
        reached[3] += usize::from(warp.headers.len() as u32 > warp.max_header);
    }
    assert!(reached.iter().all(|count| *count > 40), "{reached:?}");
}

#[test]
fn decode() {
    holds_of_lengths(0..1024, txq::decode, 10_000);
}

#[test]
fn roundtrip() {
    holds_of_lengths(0..1024, txq::roundtrip, 20_000);
}

#[test]
fn execute() {
    holds_of_lengths(0..1024, txq::execute, 10_000);
}
