use super::holds;
use texwire_harness::properties::format::decode;

#[test]
fn decode_holds() {
    holds(decode, 100_000);
}
