//! NVIDIA's header queries: decoded on the platforms that have them, and executed for lanes whose header is not there.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic: that is how it fails")]

use core::ffi::{CStr, c_void};
use core::mem::MaybeUninit;
use core::ptr;
use texwire::txq::Group;
use texwire_capi::device::texwire_outcome;
use texwire_capi::memory::texwire_memory;
use texwire_capi::nv::{texwire_pools, texwire_txq_execute, texwire_warp};
use texwire_capi::wires::{TEXWIRE_WIRE_TXQ, texwire_decode, texwire_instruction};
use texwire_capi::{
    Status, TEXWIRE_GEN9, TEXWIRE_GEN11, TEXWIRE_MAXWELL, TEXWIRE_PASCAL, TEXWIRE_XE_HPC, TEXWIRE_XE_HPG,
    TEXWIRE_XE_LP,
};

/// `TXQ.B R4, R6, TEX_HEADER_DIMENSION, 0x0, 0xf;`
const QUERY: u64 = 0xdf50_0007_8047_0604;

/// Appends the rules that an instruction breaks to the strings at `user`.
unsafe extern "C" fn collect(user: *mut c_void, instruction: *const texwire_instruction) -> i32 {
    // SAFETY: `broken` gives a list of strings.
    let list = unsafe { &mut *user.cast::<Vec<String>>() };
    // SAFETY: the library gives an instruction.
    let instruction = unsafe { &*instruction };
    // SAFETY: the rules are a string until this function returns.
    list.push(unsafe { CStr::from_ptr(instruction.rules) }.to_string_lossy().into_owned());
    0
}

/// Decodes the query on the platform of a number: its rules, or why it is refused.
fn broken(platform: u32) -> Result<Vec<String>, Status> {
    let bytes = Group { control: 0x7e0, words: [QUERY, 0, 0] }.to_bytes();
    let mut rules = Vec::<String>::new();
    // SAFETY: all pointers are of values that live; the error is null.
    let status = unsafe {
        texwire_decode(
            TEXWIRE_WIRE_TXQ,
            platform,
            bytes.as_ptr(),
            bytes.len(),
            Some(collect),
            (&raw mut rules).cast(),
            ptr::null_mut(),
        )
    };
    if status == Status::Ok { Ok(rules) } else { Err(status) }
}

#[test]
fn queries_belong_to_maxwell_and_pascal() {
    for platform in [TEXWIRE_MAXWELL, TEXWIRE_PASCAL] {
        assert_eq!(broken(platform), Ok(vec![String::new()]), "{platform}");
    }
    for platform in [TEXWIRE_GEN9, TEXWIRE_GEN11, TEXWIRE_XE_LP, TEXWIRE_XE_HPG, TEXWIRE_XE_HPC] {
        assert_eq!(broken(platform), Ok(vec!["platform-has-no-txq".into()]), "{platform}");
    }
    assert_eq!(broken(7), Err(Status::Argument));
}

#[test]
fn outcomes_have_the_address_of_the_first_missing_header() {
    let pools = texwire_pools {
        headers: 0x100,
        samplers: 0,
        constants: 0,
        class_code: 0xb197,
        max_header: 0xf_ffff,
        max_sampler: 0xfff,
        via_header: 0,
    };
    // Lane 0 names header 0, which is in memory but of no known version; lanes 1 and 2 name headers 9 and 10, which are not there.
    let mut bytes = [0xff_u8; 0x200];
    let memory = texwire_memory::of_bytes(0, &mut bytes);
    let run = |active: u32| {
        let mut registers = [0_u8; 8 * 128];
        registers[6 * 128..][..12].copy_from_slice(&[0, 0, 0, 0, 9, 0, 0, 0, 10, 0, 0, 0]);
        let (place, size) = (registers.as_mut_ptr(), registers.len());
        let warp = texwire_warp { registers: place, registers_size: size, active, predicates: [0; 7] };
        let mut outcome = MaybeUninit::<texwire_outcome>::uninit();
        // SAFETY: all pointers are of values that live; the error is null.
        let status = unsafe {
            texwire_txq_execute(
                &raw const pools,
                QUERY,
                0,
                &raw const warp,
                &raw const memory,
                outcome.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        assert_eq!(status, Status::Ok);
        // SAFETY: filled in by the call above.
        let outcome = unsafe { outcome.assume_init() };
        (outcome.faults, outcome.fault_lane, outcome.fault_address)
    };
    assert_eq!(run(0x6), (0x6, 1, 0x100 + 9 * 32));
    assert_eq!(run(0x1), (0x1, 0, 0));
}

#[test]
fn a_misaligned_outcome_leaves_registers_as_they_are() {
    let pools = texwire_pools {
        headers: 0,
        samplers: 0,
        constants: 0,
        class_code: 0xb197,
        max_header: 0,
        max_sampler: 0,
        via_header: 0,
    };
    let mut bytes = [0_u8; 32];
    let memory = texwire_memory::of_bytes(0, &mut bytes);
    let mut registers = [0xee_u8; 8 * 128];
    let (place, size) = (registers.as_mut_ptr(), registers.len());
    let warp = texwire_warp { registers: place, registers_size: size, active: 1, predicates: [0; 7] };
    let mut outcomes = [const { MaybeUninit::<texwire_outcome>::uninit() }; 2];
    let misaligned = outcomes.as_mut_ptr().wrapping_byte_add(1).cast();
    // SAFETY: all pointers are of values that live; the error is null.
    let status = unsafe {
        texwire_txq_execute(
            &raw const pools,
            QUERY,
            0,
            &raw const warp,
            &raw const memory,
            misaligned,
            ptr::null_mut(),
        )
    };
    assert_eq!(status, Status::Argument);
    assert!(registers.iter().all(|byte| *byte == 0xee));
}
