use super::holds;
use arbitrary::Unstructured;
use texwire_harness::generators::random::random;
use texwire_harness::generators::trace::frames;
use texwire_harness::properties::trace;

#[test]
fn stream() {
    holds(trace::stream, 3000);
}

#[test]
fn jobs_are_recorded_and_replayed() {
    let inputs = (0..200).map(|seed| random(seed, 4000));
    let whole = inputs.filter(|data| trace::recorded(data).is_ok()).count();
    assert!(whole > 150, "{whole} of 200 inputs make a job");
}

#[test]
fn generated_streams_are_long() {
    // The generator must reach streams of several frames, or `stream` proves little.
    let data: Vec<u8> = (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut u = Unstructured::new(&data);
    assert!(frames(&mut u).is_ok_and(|frames| frames.len() > 2));
}
