//! Whole kernels: a loop-free sequence of arithmetic, the Mandelbrot set, a matrix product, a 3x3 convolution and a blur of an image.
//! Workloads run on one core, those named `all_cores_*` on all cores.
//!
//! An item is a lane of an instruction of the machine, active or not; for the blur it is a pixel of the picture.

use super::workload::{Amount, Workload};
use crate::containers::device_binary::DeviceBinary;
use crate::containers::picture::Picture;
use crate::generators::machine::{AluInstruction, end};
use crate::machine::case::LaunchCase;
use crate::machine::launch::{Argument, ImageValue, LaunchOptions, LaunchOutcome, NdRange, launch};
use crate::machine::registers::{Registers, at};
use crate::machine::{Program, snippet};
use texwire::Platform;
use texwire::enums::{DataType, SurfaceFormat};

const MANDELBROT: &[u8] = include_bytes!("../../corpus/kernels/bin/mandelbrot.icllp.bin");
const MANDELBROT_CASE: &[u8] = include_bytes!("../../corpus/kernels/cases/mandelbrot.json");
const MATRIX: &[u8] = include_bytes!("../../corpus/kernels/bin/bench_matmul.icllp.bin");
const BLUR: &[u8] = include_bytes!("../../corpus/kernels/bin/bench_blur.icllp.bin");
const CONVOLUTION: &[u8] = include_bytes!("../../corpus/devicebin/conv3x3.icllp.bin");

/// Makes a workload.
pub type Make = fn() -> Result<Workload, String>;

/// The workloads by name.
pub const WORKLOADS: [(&str, Make); 10] = [
    ("kernel_arithmetic", arithmetic),
    ("kernel_mandelbrot", || mandelbrot("kernel_mandelbrot", Cores::One)),
    ("kernel_matrix", || matrix("kernel_matrix", Cores::One)),
    ("kernel_blur", || blur("kernel_blur", BLUR_SIDE, Cores::One)),
    ("kernel_blur_4096", || blur("kernel_blur_4096", LARGE_SIDE, Cores::One)),
    ("kernel_convolution", convolution),
    ("all_cores_mandelbrot", || mandelbrot("all_cores_mandelbrot", Cores::All)),
    ("all_cores_matrix", || matrix("all_cores_matrix", Cores::All)),
    ("all_cores_blur", || blur("all_cores_blur", BLUR_SIDE, Cores::All)),
    ("all_cores_blur_4096", || blur("all_cores_blur_4096", LARGE_SIDE, Cores::All)),
];

/// The number of cores on which a kernel runs.
#[derive(Clone, Copy, Debug)]
enum Cores {
    One,
    All,
}

impl Cores {
    fn options(self) -> LaunchOptions {
        LaunchOptions { sequential: matches!(self, Self::One), ..LaunchOptions::default() }
    }
}

fn workload(name: &str, run: impl FnMut() -> Amount + 'static) -> Workload {
    Workload { name: name.to_owned(), pattern: None, run: Box::new(run) }
}

/// Lanes of the arithmetic instructions.
const LANES: u64 = 16;
/// Arithmetic instructions of a run.
const LENGTH: u64 = 20_000;

/// SIMD16 sums and products of floats and dwords, in four chains of dependent instructions.
fn arithmetic() -> Result<Workload, String> {
    let platform = Platform::Gen11;
    let mut code = Vec::new();
    for index in 0..LENGTH {
        let (opcode, kind) =
            [(0x40, DataType::F), (0x41, DataType::F), (0x40, DataType::D), (0x07, DataType::D)]
                [index as usize % 4];
        let register = 10 + 8 * (index % 4);
        let source = |register| Some((register, kind, false, false, false));
        let instruction = AluInstruction {
            opcode,
            size: LANES,
            condition: 0,
            saturate: false,
            dst: (register, kind),
            src: [source(register), source(register + 2)],
        };
        let word = instruction.word(platform).ok_or("an instruction that does not encode")?;
        code.extend(word.0.to_le_bytes());
    }
    code.extend(end(platform));
    let program = Program::new(platform, &code);
    Ok(workload("kernel_arithmetic", move || {
        let mut registers = Registers::default();
        registers.set_dword(at::CONTROL, 0x4c0);
        for register in 10..50 {
            for lane in 0..8 {
                registers.set_dword(register * 32 + lane * 4, 0x3f80_0000 + lane as u32);
            }
        }
        let done = snippet::execute(&program, registers, 0xffff, u64::MAX);
        std::hint::black_box(done.is_ok());
        Amount::Samples(LENGTH * LANES)
    }))
}

fn lanes(outcome: &LaunchOutcome) -> Amount {
    Amount::Samples(outcome.instructions * u64::from(outcome.simd))
}

fn mandelbrot(name: &str, cores: Cores) -> Result<Workload, String> {
    let case = LaunchCase::parse(MANDELBROT_CASE)?;
    let arguments = case.arguments()?;
    Ok(workload(name, move || {
        let run = || -> Option<Amount> {
            let binary = DeviceBinary::parse(MANDELBROT).ok()?;
            let kernel = binary.kernels.iter().find(|kernel| kernel.name == case.kernel)?;
            let outcome = launch(&binary, kernel, &case.range(), &arguments, &cores.options(), &|_, _| {});
            Some(lanes(&outcome.ok()?))
        };
        run().unwrap_or(Amount::Samples(0))
    }))
}

/// Rows and columns of the matrices.
const MATRIX_SIDE: u32 = 128;

/// A product of matrices of floats that uses tiles in local memory, with barriers.
fn matrix(name: &str, cores: Cores) -> Result<Workload, String> {
    let numbers: Vec<u8> =
        (0..MATRIX_SIDE * MATRIX_SIDE).flat_map(|at| ((at % 17) as f32).to_le_bytes()).collect();
    let buffer = || Argument::Buffer(numbers.clone());
    let side = Argument::Scalar(MATRIX_SIDE.to_le_bytes().to_vec());
    let arguments = vec![buffer(), buffer(), buffer(), side];
    let range = square(MATRIX_SIDE);
    Ok(workload(name, move || first_kernel(MATRIX, &range, &arguments, cores).unwrap_or(Amount::Samples(0))))
}

/// Launches the first kernel of a binary in groups of 16 x 16; `None` if that fails.
fn first_kernel(file: &[u8], range: &NdRange, arguments: &[Argument], cores: Cores) -> Option<Amount> {
    let binary = DeviceBinary::parse(file).ok()?;
    let outcome = launch(&binary, binary.kernels.first()?, range, arguments, &cores.options(), &|_, _| {});
    Some(lanes(&outcome.ok()?))
}

fn square(side: u32) -> NdRange {
    NdRange { dimensions: 2, global: [side, side, 1], local: Some([16, 16, 1]), offset: [0; 3] }
}

fn image(texels: Vec<u8>, side: u32) -> Argument {
    let format = SurfaceFormat::R8G8B8A8_UNORM;
    let picture =
        Picture { format, width: side, height: side, slices: 1, volume: false, levels: vec![texels] };
    Argument::Image(Box::new(ImageValue { picture, order: 0x10b5, data_type: 0x10d2 }))
}

fn texels(side: u32) -> Vec<u8> {
    (0..side * side * 4).map(|at| (at.wrapping_mul(37) >> 3) as u8).collect()
}

/// Width and height of the blurred picture in texels.
const BLUR_SIDE: u32 = 1024;
/// Width and height of the large blurred picture, which has 64 MiB.
const LARGE_SIDE: u32 = 4096;

/// A blur with four bilinear samples for each pixel.
fn blur(name: &str, side: u32, cores: Cores) -> Result<Workload, String> {
    let step: Vec<u8> = [1.0 / side as f32; 2].iter().flat_map(|step| step.to_le_bytes()).collect();
    let blank = vec![0; (side * side * 4) as usize];
    let arguments = vec![image(texels(side), side), image(blank, side), Argument::Scalar(step)];
    let range = square(side);
    Ok(workload(name, move || {
        let done = first_kernel(BLUR, &range, &arguments, cores).is_some();
        Amount::Samples(if done { u64::from(side * side) } else { 0 })
    }))
}

/// Width and height of the convolved image in texels.
const SIDE: u32 = 256;

fn convolution() -> Result<Workload, String> {
    let weights = (0..9).flat_map(|_| (1.0f32 / 9.0).to_le_bytes()).collect();
    let blank = vec![0; (SIDE * SIDE * 4) as usize];
    let arguments = vec![image(texels(SIDE), SIDE), image(blank, SIDE), Argument::Buffer(weights)];
    let range = square(SIDE);
    Ok(workload("kernel_convolution", move || {
        first_kernel(CONVOLUTION, &range, &arguments, Cores::One).unwrap_or(Amount::Samples(0))
    }))
}
