use super::holds_of_lengths;
use texwire_harness::properties::device_binary;

#[test]
fn device_binary() {
    holds_of_lengths(0..2048, device_binary::device_binary, 2000);
}
