//! Properties: whole kernels.

use crate::containers::device_binary::{DeviceBinary, Kernel};
use crate::containers::picture::Picture;
use crate::generators::machine as generate;
use crate::machine::launch::{Argument, ImageValue, NdRange, Options, SamplerValue, launch};
use crate::machine::registers::Registers;
use crate::machine::{Program, snippet};
use arbitrary::Unstructured;
use texwire::Platform;
use texwire::enums::SurfaceFormat;

/// Instructions that a random program may execute.
const MAX_INSTRUCTIONS: u64 = 5000;
/// The same of a thread of a damaged kernel.
const MAX_HOSTILE: u64 = 2000;

/// Fuzz target `machine_program`: a program of valid instructions ends or is stopped, in both ways of execution with the same registers.
pub fn program(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let platform = if u.arbitrary().unwrap_or(false) { Platform::Gen9 } else { Platform::Gen11 };
    let code = generate::program(&mut u, platform);
    let mut registers = Registers::default();
    for (at, byte) in registers.bytes.iter_mut().take(crate::machine::registers::GENERAL).enumerate() {
        *byte = (at as u8).wrapping_mul(37) ^ (at >> 5) as u8;
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

/// Fuzz target `machine_launch`: any device binary is launched or refused; nothing hangs.
pub fn hostile(data: &[u8]) {
    any(data);
    let mut u = Unstructured::new(data);
    let Ok(file) = crate::generators::device_binary::device_binary(&mut u) else { return };
    any(&file.bytes);
}

fn any(bytes: &[u8]) {
    let Ok(binary) = DeviceBinary::parse(bytes) else { return };
    let options = Options { max_instructions: MAX_HOSTILE, sequential: true, ..Options::default() };
    let range = NdRange { dimensions: 2, global: [5, 3, 1], local: Some([4, 2, 1]), offset: [0; 3] };
    for kernel in binary.kernels.iter().take(4) {
        let arguments = arguments(kernel);
        if let Err(fault) = launch(&binary, kernel, &range, &arguments, &options, &|_, _| {}) {
            assert!(!fault.what.is_empty() && !fault.why.is_empty(), "{fault}");
        }
    }
}

/// Something for every argument that the patch list names.
fn arguments(kernel: &Kernel) -> Vec<Argument> {
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
    for pointer in &kernel.dispatch.pointers {
        set(pointer.argument, Argument::Buffer(vec![0; 256]));
    }
    for sampler in &kernel.sampler_arguments {
        set(sampler.argument, Argument::Sampler(SamplerValue::default()));
    }
    for image in &kernel.images {
        let image_value = ImageValue { picture: picture(), order: 0x10b5, data_type: 0x10d2 };
        set(image.argument, Argument::Image(Box::new(image_value)));
    }
    values
}

#[cfg(test)]
mod tests {
    #[test]
    fn machine_program() {
        bolero::check!()
            .with_generator(bolero::produce::<Vec<u8>>().with().len(16..1024_usize))
            .with_iterations(3000)
            .for_each(|data| super::program(data));
    }

    #[test]
    fn machine_launch() {
        bolero::check!()
            .with_generator(bolero::produce::<Vec<u8>>().with().len(0..2048_usize))
            .with_iterations(500)
            .for_each(|data| super::hostile(data));
    }
}
