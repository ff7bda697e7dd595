//! Damaged files: a clear error with an offset, and everything before the damage is delivered.

use texwire_harness::containers::device_binary::DeviceBinary;

const DEMO: &[u8] = include_bytes!("../corpus/demo/demo.icllp.bin");

#[test]
fn a_device_binary_cut_anywhere_keeps_the_kernels_before_the_cut() {
    let whole = DeviceBinary::parse(DEMO).unwrap();
    assert!(whole.damage.is_none() && whole.kernels.len() > 8);
    let mut last = 0;
    for cut in (0..DEMO.len()).step_by(97) {
        let Ok(binary) = DeviceBinary::parse(&DEMO[..cut]) else { continue };
        let complete = whole.kernels.iter().filter(|kernel| binary.kernels.contains(kernel)).count();
        assert_eq!(complete, binary.kernels.len(), "cut at {cut}: kernels as in the whole file");
        if complete < whole.kernels.len() {
            let damage = binary.damage.expect("a cut file says where it ends");
            assert!(damage.offset <= cut && damage.why.contains("truncated"), "{damage}");
        }
        assert!(complete >= last, "cut at {cut}: more bytes, fewer kernels");
        last = complete;
    }
    assert!(last > 0);
}

#[test]
fn no_byte_of_a_device_binary_can_do_harm() {
    let mut bytes = DEMO.to_vec();
    for at in (0..bytes.len()).step_by(13) {
        let kept = bytes[at];
        for value in [0, 1, 0x7f, 0xff] {
            bytes[at] = value;
            if let Ok(binary) = DeviceBinary::parse(&bytes) {
                for kernel in &binary.kernels {
                    assert!(binary.heap(&kernel.heap).len() <= bytes.len());
                }
            }
        }
        bytes[at] = kept;
    }
}
