use super::holds;
use arbitrary::Unstructured;
use texwire::eu::SendInstruction;
use texwire::eu::payload::{self, MAX_BYTES};
use texwire::message::Payload;
use texwire_harness::generators::gen_native as generate;
use texwire_harness::properties::gen_native;

#[test]
fn decode() {
    holds(gen_native::decode, 4000);
}

#[test]
fn roundtrip() {
    holds(gen_native::roundtrip, 1000);
}

/// Enough bytes for whole streams and messages; the generators must reach what they are for.
#[test]
fn generators_reach_sends_and_messages() {
    let mut state = 1u64;
    let mut bytes = || {
        let step = |state: &mut u64| {
            *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*state >> 33) as u8
        };
        (0..700).map(|_| step(&mut state)).collect::<Vec<u8>>()
    };
    let (mut sends, mut refused, mut messages) = (0, 0, 0);
    for _ in 0..300 {
        let mut data = bytes();
        // Instructions as they are, and drawn ones, of each platform.
        for first in 0..8 {
            data[0] = first;
            gen_native::decode(&data);
        }
        gen_native::roundtrip(&data);
        let mut u = Unstructured::new(&data);
        let platform = generate::platform(&mut u).unwrap();
        match SendInstruction::decode(platform, generate::word(&mut u, platform).unwrap()) {
            Ok(Some(_)) => sends += 1,
            Ok(None) => {}
            Err(_) => refused += 1,
        }
        let sent = generate::sent(&mut u).unwrap();
        let mut registers = [0; MAX_BYTES];
        let built = payload::build(&sent.message, &Payload::new(), sent.sampler_table, &mut registers);
        messages += usize::from(built.is_ok());
    }
    assert!(sends > 100 && refused > 10 && messages > 200, "{sends} {refused} {messages}");
}
