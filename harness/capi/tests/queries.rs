//! NVIDIA's header queries: decoded on the platforms that have them.

use core::ffi::{CStr, c_void};
use core::ptr;
use texwire::txq::Group;
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
