//! Properties of whole kernels.

use crate::containers::device_binary::{DeviceBinary, Kernel};
use crate::containers::picture::Picture;
use crate::generators::machine as generate;
use crate::machine::launch::{Argument, ImageValue, LaunchOptions, NdRange, SamplerValue, launch};
use crate::machine::registers::{Registers, at};
use crate::machine::{Program, snippet};
use arbitrary::Unstructured;
use std::ops::Range;
use std::sync::LazyLock;
use texwire::Platform;
use texwire::enums::SurfaceFormat;

/// The largest number of instructions that a random program may execute: enough to execute each a few times.
const MAX_INSTRUCTIONS: u64 = 96;
/// The largest number of instructions that a thread of a damaged kernel may execute.
const MAX_HOSTILE: u64 = 200;
/// The largest number of work items of a damaged kernel that requires a group size.
const MAX_ITEMS: u32 = 64;
/// The largest number of damages to a kernel.
const MAX_DAMAGES: usize = 8;

/// The kernels that are damaged: long arithmetic, jumps, calls, local memory, barriers, atomics, private memory, images.
static WHOLE: [&[u8]; 12] = [
    include_bytes!("../../corpus/kernels/bin/alu_long.skl.bin"),
    include_bytes!("../../corpus/kernels/bin/alu_half.icllp.bin"),
    include_bytes!("../../corpus/kernels/bin/cf_goto.icllp.bin"),
    include_bytes!("../../corpus/kernels/bin/huffman.icllp.bin"),
    include_bytes!("../../corpus/kernels/bin/img_rw.skl.bin"),
    include_bytes!("../../corpus/kernels/bin/img_sample2d.icllp.bin"),
    include_bytes!("../../corpus/kernels/bin/mem_atomics.icllp.bin"),
    include_bytes!("../../corpus/kernels/bin/mem_local_bytes.skl.bin"),
    include_bytes!("../../corpus/kernels/bin/mem_private.icllp.bin"),
    include_bytes!("../../corpus/kernels/bin/mem_wide_big.icllp.bin"),
    include_bytes!("../../corpus/kernels/bin/sg_shuffle16.skl.bin"),
    include_bytes!("../../corpus/devicebin/stackcall.icllp.bin"),
];

/// The kernels, with the range of their code in the file.
static KERNELS: LazyLock<Vec<(&[u8], Range<usize>)>> = LazyLock::new(|| {
    let code = |whole: &[u8]| {
        let binary = DeviceBinary::parse(whole).ok()?;
        binary.kernels.first().map(|kernel| kernel.heap.clone())
    };
    WHOLE.iter().map(|whole| (*whole, code(whole).unwrap_or(0..whole.len()))).collect()
});

/// Fuzz target `machine_program`: a program of valid instructions ends or is stopped. It leaves the same registers if instructions execute
/// as loops over all lanes and if they go the general way ([`Program::general`]).
pub fn program(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let platform = if u.arbitrary().unwrap_or(false) { Platform::Gen9 } else { Platform::Gen11 };
    let code = generate::program(&mut u, platform);
    let mut registers = Registers::default();
    for (at, byte) in registers.bytes.iter_mut().take(at::ADDRESS).enumerate() {
        *byte = (at as u8).wrapping_mul(37) ^ (at >> 5) as u8;
    }
    // The address registers; some point past the last general register.
    for (at, byte) in registers.bytes.iter_mut().skip(at::ADDRESS).take(32).enumerate() {
        *byte = if at % 2 == 0 { (at * 23) as u8 } else { (at / 2 + 1) as u8 };
    }
    registers.set_dword(at::CONTROL, generate::control(&mut u).unwrap_or_default());
    for (element, accumulator) in registers.accumulator.iter_mut().enumerate() {
        *accumulator = (element as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as i32 as u64;
    }
    let dispatch = u.arbitrary().unwrap_or(0xffff) | 1;
    let program = Program::new(platform, &code);
    let fast = snippet::execute(&program, registers.clone(), dispatch, MAX_INSTRUCTIONS);
    let general = snippet::execute(&program.general(), registers, dispatch, MAX_INSTRUCTIONS);
    match (fast, general) {
        (Ok(fast), Ok(general)) => generate::assert_same(&fast, &general),
        (Err(fast), Err(general)) => assert_eq!(fast, general),
        (fast, general) => panic!("one way ends, the other does not: {:?} {:?}", fast.err(), general.err()),
    }
}

/// Fuzz target `machine_launch`: any device binary is launched or refused, and nothing hangs. An input is a file, the source of a generated
/// file, or damage to an intact kernel.
pub fn hostile(data: &[u8]) {
    if data.starts_with(b"\x7fELF") || data.starts_with(b"CTNI") {
        return any(data, 0);
    }
    let mut u = Unstructured::new(data);
    let shape = u.arbitrary().unwrap_or(0);
    if u.ratio(1, 4).unwrap_or(false) {
        if let Ok(file) = crate::generators::device_binary::device_binary(&mut u) {
            any(&file.bytes, shape);
        }
        return;
    }
    if let Ok(bytes) = damaged(&mut u) {
        any(&bytes, shape);
    }
}

/// Returns a kernel's file with bytes replaced, instructions copied to other places, or its end cut off.
fn damaged(u: &mut Unstructured<'_>) -> arbitrary::Result<Vec<u8>> {
    let (whole, code) = u.choose(&KERNELS)?;
    let mut bytes = whole.to_vec();
    for _ in 0..u.int_in_range(0..=MAX_DAMAGES)? {
        let place = if u.ratio(3, 4)? { code.clone() } else { 0..bytes.len() };
        let at = u.int_in_range(place.start..=place.end.saturating_sub(1))?;
        match u.int_in_range(0..=5u8)? {
            0 => {
                // Copy an instruction, or two halves of neighbouring ones, to another place.
                let from = u.int_in_range(code.start..=code.end.saturating_sub(16))? & !7;
                let to = (at & !7).min(bytes.len().saturating_sub(16));
                bytes.copy_within(from..from + 16, to);
            }
            1 => bytes[at] ^= 1 << u.int_in_range(0..=7u8)?,
            _ => bytes[at] = u.arbitrary()?,
        }
    }
    if u.ratio(1, 32)? {
        bytes.truncate(u.choose_index(whole.len())?);
    }
    Ok(bytes)
}

fn any(bytes: &[u8], shape: u8) {
    let Ok(binary) = DeviceBinary::parse(bytes) else { return };
    let options =
        LaunchOptions { max_instructions: MAX_HOSTILE, sequential: true, ..LaunchOptions::default() };
    for kernel in binary.kernels.iter().take(2) {
        // Two groups, the second one not full; or one group of the size that the kernel requires.
        let demanded = kernel.dispatch.required_group;
        let items =
            demanded.iter().try_fold(1_u32, |items, &size| items.checked_mul(size)).unwrap_or(u32::MAX);
        let (global, local) =
            if (1..=MAX_ITEMS).contains(&items) { (demanded, demanded) } else { ([5, 2, 1], [4, 2, 1]) };
        let range = NdRange { dimensions: 2, global, local: Some(local), offset: [0; 3] };
        let arguments = arguments(kernel, shape);
        if let Err(fault) = launch(&binary, kernel, &range, &arguments, &options, &|_, _| {}) {
            assert!(!fault.what.is_empty() && !fault.why.is_empty(), "{fault}");
        }
    }
}

/// Returns a value for every argument that the patch list names. It has the kind that the argument takes; for one `shape` in eight, the
/// values are rotated so that the kinds may be wrong.
fn arguments(kernel: &Kernel, shape: u8) -> Vec<Argument> {
    let picture = || Picture {
        format: SurfaceFormat::R8G8B8A8_UNORM,
        width: 8,
        height: 8,
        slices: 6,
        volume: false,
        levels: vec![vec![0x55; 8 * 8 * 6 * 4]],
    };
    let mut values = vec![Argument::Null; 32];
    let mut set = |index: u32, value: Argument| {
        if let Some(slot) = values.get_mut(index as usize) {
            *slot = value;
        }
    };
    for parameter in &kernel.dispatch.parameters {
        set(parameter.argument, Argument::Scalar(vec![3; 16]));
    }
    let buffer = [256, 4096, 4, 0][usize::from(shape) & 3];
    for pointer in &kernel.dispatch.pointers {
        set(pointer.argument, Argument::Buffer(vec![0; buffer]));
    }
    for sampler in &kernel.sampler_arguments {
        set(sampler.argument, Argument::Sampler(SamplerValue::default()));
    }
    for image in &kernel.images {
        let image_value = ImageValue { picture: picture(), order: 0x10b5, data_type: 0x10d2 };
        set(image.argument, Argument::Image(Box::new(image_value)));
    }
    if shape >> 2 & 7 == 7 {
        values.rotate_left(usize::from(shape >> 5));
    }
    values
}
