//! Instructions that no bundled kernel has: what they give is worked out here lane by lane.

use texwire::Platform;
use texwire::bits::put128;
use texwire::enums::DataType;
use texwire::enums::SurfaceFormat;
use texwire::state::{SurfaceState, SurfaceType, TileMode, TiledResource};
use texwire::transfer::SurfaceDescription;
use texwire_harness::generators::machine::{AluInstruction, end};
use texwire_harness::machine::image::{BoundSurface, Buffer};
use texwire_harness::machine::message::Request;
use texwire_harness::machine::registers::{REGISTER, Registers, at};
use texwire_harness::machine::thread::{Environment, Thread};
use texwire_harness::machine::watch::{Watch, WatchOptions};
use texwire_harness::machine::{AllocationUse, Error, LaunchMemory, Program, snippet};

/// Registers of pseudo-random bytes.
fn noise(seed: u32) -> Registers {
    let mut registers = Registers::default();
    let mut x = seed;
    for byte in registers.bytes.iter_mut().take(128 * REGISTER) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        *byte = x as u8;
    }
    registers.set_dword(at::CONTROL, 0x4c0);
    registers
}

fn run(words: &[u128], registers: Registers, dispatch: u32) -> Result<Registers, Error> {
    let mut code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    code.extend(end(Platform::Gen9));
    snippet::execute(&Program::new(Platform::Gen9, &code), registers, dispatch, 100)
}

/// A `mov` of `size` dwords of r10, or (`scalar`) of its first one, to register `to`.
fn mov(size: u64, to: u64, scalar: bool) -> u128 {
    let src = [Some((10, DataType::Ud, false, false, scalar)), None];
    let dst = (to, DataType::Ud);
    let mov = AluInstruction { opcode: 1, size, condition: 0, saturate: false, dst, src };
    mov.word(Platform::Gen9).unwrap().0
}

/// An instruction of `size` lanes on r10, r20, to r40.
fn binary(opcode: u64, size: u64, dst: DataType, first: (DataType, bool), second: Option<DataType>) -> u128 {
    let src =
        [Some((10, first.0, false, false, first.1)), second.map(|kind| (20, kind, false, false, false))];
    let instruction = AluInstruction { opcode, size, condition: 0, saturate: false, dst: (40, dst), src };
    instruction.word(Platform::Gen9).unwrap().0
}

/// The even lanes of `sad2` and `sada2`: two absolute differences, and the accumulator.
#[test]
fn sums_of_absolute_differences() {
    for (opcode, adds) in [(0x50, false), (0x51, true)] {
        for (kind, signed) in [(DataType::Ub, false), (DataType::B, true)] {
            for seed in 1..40 {
                let mut registers = noise(seed);
                for (lane, value) in registers.accumulator.iter_mut().enumerate().take(16) {
                    *value = lane as u64 * 100;
                }
                let word = binary(opcode, 16, DataType::W, (kind, false), Some(kind));
                let got = run(&[word], registers.clone(), 0xffff).unwrap();
                let element = |register: usize, lane: usize| {
                    let byte = registers.bytes[register * REGISTER + lane];
                    if signed { i32::from(byte as i8) } else { i32::from(byte) }
                };
                for lane in (0..16).step_by(2) {
                    let difference = |lane| (element(10, lane) - element(20, lane)).abs();
                    let before = if adds { lane as i32 * 100 } else { 0 };
                    let want = before + difference(lane) + difference(lane + 1);
                    let found = got.word(40 * REGISTER + lane * 2) as i16;
                    assert_eq!(
                        i32::from(found),
                        want,
                        "opcode {opcode:#x}, {kind:?}, seed {seed}, lane {lane}"
                    );
                }
            }
        }
    }
}

/// `pln`: p u + q v + r, with u and v of each eight lanes in registers of their own.
#[test]
fn plane_equations() {
    for size in [8, 16] {
        let mut registers = Registers::default();
        registers.set_dword(at::CONTROL, 0x4c0);
        let mut set = |byte: usize, value: f32| registers.set_dword(byte, value.to_bits());
        // p, q, and r in the fourth element; the third is not used.
        for (element, value) in [3.0, -0.5, f32::NAN, 100.0].into_iter().enumerate() {
            set(10 * REGISTER + element * 4, value);
        }
        for lane in 0..16 {
            let block = 20 * REGISTER + lane / 8 * 2 * REGISTER + lane % 8 * 4;
            set(block, lane as f32);
            set(block + REGISTER, 8.0 * lane as f32 - 64.0);
        }
        let word = binary(0x5a, size, DataType::F, (DataType::F, true), Some(DataType::F));
        let got = run(&[word], registers, 0xffff).unwrap();
        for lane in 0..size as usize {
            let (u, v) = (lane as f32, 8.0 * lane as f32 - 64.0);
            let found = f32::from_bits(got.dword(40 * REGISTER + lane * 4));
            assert_eq!(found, 3.0 * u - 0.5 * v + 100.0, "{size} lanes, lane {lane}");
        }
    }
    // v of the last lanes would be behind r127.
    let word = put128(binary(0x5a, 16, DataType::F, (DataType::F, true), Some(DataType::F)), 101, 8, 126);
    let error = run(&[word], noise(1), 0xffff).unwrap_err();
    assert_eq!(error.what, "region outside the register file");
    assert_eq!((error.location.lane, error.location.offset), (Some(8), Some(0)));
}

/// The condition of a result without a destination looks at it in the destination's type: here the low byte or word of a sum, whose
/// sign is not that of the dword.
#[test]
fn conditions_look_at_the_type_of_a_null_destination() {
    let (a, b): ([u32; 8], [u32; 8]) = (
        [0x80, 0x7f, 0xff00_0001, 0x8000, 0x7fff, 0x8000_0000, 0x1_0000, 0x100],
        [0, 0, 0, 0, 1, 0x7f, 0, 0],
    );
    let mut registers = noise(11);
    for (register, lanes) in [(10, a), (20, b)] {
        for (lane, value) in lanes.into_iter().enumerate() {
            registers.set_dword(register * REGISTER + lane * 4, value);
        }
    }
    for (kind, bits) in [(DataType::B, 8), (DataType::Ub, 8), (DataType::W, 16), (DataType::D, 32)] {
        let src = [10, 20].map(|register| Some((register, DataType::D, false, false, false)));
        // (gt) add to null.
        let add =
            AluInstruction { opcode: 0x40, size: 8, condition: 3, saturate: false, dst: (0, kind), src };
        let word = put128(add.word(Platform::Gen9).unwrap().0, 35, 2, 0);
        let mut code = word.to_le_bytes().to_vec();
        code.extend(end(Platform::Gen9));
        let want = (0..8).fold(0, |flags, lane| {
            let low = u64::from(a[lane].wrapping_add(b[lane])) << (64 - bits);
            let is_positive = if kind == DataType::Ub { low != 0 } else { low as i64 > 0 };
            flags | u32::from(is_positive) << lane
        });
        let program = || Program::new(Platform::Gen9, &code);
        for program in [program(), program().general()] {
            let got = snippet::execute(&program, registers.clone(), 0xff, 10).unwrap();
            assert_eq!(got.flag(0) & 0xff, want, "{kind:?}");
        }
    }
}

/// A result that goes to the flag register whose bit its condition writes: the bit is that of the condition, all others the result's.
#[test]
fn conditions_win_over_results_in_the_flag_register() {
    let mut registers = noise(12);
    registers.set_dword(10 * REGISTER, 0x8765_4320);
    // (W) mov (1) (ne)f0.0 f0.0:ud r10.0:ud, and (eq): f0 is architecture register 0x30.
    for (condition, want) in [(2, 0x8765_4321), (1, 0x8765_4320)] {
        let src = [Some((10, DataType::Ud, false, false, true)), None];
        let dst = (0x30, DataType::Ud);
        let mov = AluInstruction { opcode: 1, size: 1, condition, saturate: false, dst, src };
        let word = put128(put128(mov.word(Platform::Gen9).unwrap().0, 35, 2, 0), 34, 1, 1);
        let mut code = word.to_le_bytes().to_vec();
        code.extend(end(Platform::Gen9));
        let program = || Program::new(Platform::Gen9, &code);
        for program in [program(), program().general()] {
            let got = snippet::execute(&program, registers.clone(), 1, 10).unwrap();
            assert_eq!(got.flag(0), want);
        }
    }
}

/// `movi`: the first address register chooses the register, the low five bits of each lane's own the byte in it.
#[test]
fn indexed_moves() {
    let word = binary(0x03, 8, DataType::Ud, (DataType::Ud, false), None);
    let word = put128(word, 64, 16, 0) | 1 << 79;
    // Behind a0.2, 32 bytes further.
    let word = put128(put128(word, 73, 4, 2), 64, 9, 32);
    let mut registers = noise(7);
    let bytes = [12, 0, 28, 4, 4, 16, 8, 20];
    for (lane, byte) in bytes.into_iter().enumerate() {
        // The register of all but the first is another one, which does not count.
        let address: u16 = if lane == 0 { 10 * 32 + byte } else { 90 * 32 + byte };
        let place = at::ADDRESS + (2 + lane) * 2;
        registers.bytes[place..place + 2].copy_from_slice(&address.to_le_bytes());
    }
    let got = run(&[word], registers.clone(), 0xff).unwrap();
    for (lane, byte) in bytes.into_iter().enumerate() {
        let want = registers.dword(11 * REGISTER + usize::from(byte));
        assert_eq!(got.dword(40 * REGISTER + lane * 4), want, "lane {lane}");
    }
    // A direct source has no addresses.
    let error = run(&[binary(0x03, 8, DataType::Ud, (DataType::Ud, false), None)], noise(1), 1).unwrap_err();
    assert_eq!((error.what.as_str(), error.location.offset), ("invalid operand", Some(0)));
}

/// `calla` goes to a byte offset of the kernel, and `ret` comes back behind it.
#[test]
fn absolute_calls() {
    let call = |target: u128| {
        // (8) r50.0 := return address and mask; the second source is the target.
        let mut word = put128(0x2b, 21, 3, 3);
        for (bit, width, value) in [(35, 2, 1), (37, 4, 1), (53, 8, 50), (61, 2, 1), (89, 2, 3), (91, 4, 1)] {
            word = put128(word, bit, width, value);
        }
        word | target << 96
    };
    let mut ret = put128(0x2d, 21, 3, 3);
    for (bit, width, value) in [(41, 2, 1), (43, 4, 1), (69, 8, 50)] {
        ret = put128(ret, bit, width, value);
    }
    let over = {
        // (1) jmpi over the function, to the end.
        let mut word = put128(0x20, 89, 2, 3);
        word = put128(word, 91, 4, 1);
        word | 32 << 96
    };
    let words = [call(48), mov(8, 41, false), over, mov(8, 40, false), ret];
    let registers = noise(3);
    let got = run(&words, registers.clone(), 0xff).unwrap();
    for to in [40, 41] {
        for lane in 0..8 {
            assert_eq!(
                got.dword(to * REGISTER + lane * 4),
                registers.dword(10 * REGISTER + lane * 4),
                "r{to}"
            );
        }
    }
    assert_eq!((got.dword(50 * REGISTER), got.dword(50 * REGISTER + 4)), (16, 0xff));
    let error = run(&[call(8)], noise(3), 0xff).unwrap_err();
    assert_eq!(error.what, "jump outside the program");
}

/// An instruction that reads `ip` gets its own byte offset.
#[test]
fn the_instruction_pointer_is_that_of_the_instruction() {
    let read = |to: u64| {
        // An architecture register, ip.
        put128(put128(mov(1, to, true), 41, 2, 0), 69, 8, 0xa0)
    };
    let got = run(&[read(40), read(41), read(42)], noise(5), 1).unwrap();
    assert_eq!([40, 41, 42].map(|to| got.dword(to * REGISTER)), [0, 16, 32]);
}

/// A step of the division and root macros is a fused product and sum.
#[test]
fn macro_steps_are_fused() {
    // madm (4) r40:f r10 r20 r30, of the 16-byte rows; no extension registers (8).
    let mut word = put128(0x5d, 8, 1, 1);
    for (bit, width, value) in
        [(21, 3, 2), (49, 4, 8), (56, 8, 40), (65, 8, 8), (76, 8, 10), (86, 8, 8), (97, 8, 20)]
    {
        word = put128(word, bit, width, value);
    }
    for (bit, width, value) in [(107, 8, 8), (118, 8, 30)] {
        word = put128(word, bit, width, value);
    }
    let mut registers = Registers::default();
    registers.set_dword(at::CONTROL, 0x4c0);
    let lanes = [
        (1.0_f32, 3.0_f32, -0.5_f32),
        (-1.0, 1.0 + f32::EPSILON, 1.0 - f32::EPSILON),
        (7.5, 0.1, 0.3),
        (0.0, 2.0, 4.0),
    ];
    for (lane, (a, b, c)) in lanes.into_iter().enumerate() {
        for (register, value) in [(10, a), (20, b), (30, c)] {
            registers.set_dword(register * REGISTER + lane * 4, value.to_bits());
        }
    }
    let got = run(&[word], registers, 0xf).unwrap();
    for (lane, (a, b, c)) in lanes.into_iter().enumerate() {
        let exact = f64::from(b).mul_add(f64::from(c), f64::from(a));
        assert_eq!(f32::from_bits(got.dword(40 * REGISTER + lane * 4)), exact as f32, "lane {lane}");
    }
}

/// Executes a data port message with eight lanes: its payload begins at r20, its response at r40.
fn data_port(
    function: u32,
    surface: &BoundSurface,
    memory: &LaunchMemory,
    descriptor: u32,
    registers: Registers,
) -> Registers {
    let text = format!("(W) send (8|M0) r40 r20 {function:#x} {descriptor:#010x}");
    let send = texwire::eu::assemble::parse(Platform::Gen11, &text).unwrap().encode().unwrap();
    let program = Program::new(Platform::Gen11, &[send.to_bytes(), end(Platform::Gen11)].concat());
    let surfaces = std::slice::from_ref(surface);
    let environment = Environment { memory, surfaces, max_instructions: 10, strict: false, sampler: None };
    let mut thread = Thread::new(registers, 0xff, 0, 0);
    thread.run(&program, &environment, &mut Watch::new(&WatchOptions::default()), 10).unwrap();
    assert!(thread.ended);
    thread.registers
}

/// A row of eight texels of 32 bits, and the memory that holds it.
fn row(texels: [u32; 8]) -> (BoundSurface, LaunchMemory) {
    let mut memory = LaunchMemory::default();
    let bytes = texels.iter().flat_map(|texel| texel.to_le_bytes()).collect();
    let description = SurfaceDescription {
        surface_type: SurfaceType::D2,
        format: SurfaceFormat::R32_UINT,
        width: 8,
        height: 1,
        depth: 1,
        levels: 1,
        samples: 1,
        tile_mode: TileMode::Linear,
        tiled_resource: TiledResource::None,
        base_address: memory.allocate(bytes, AllocationUse::Shared),
    };
    let state = SurfaceState::new(&description, Platform::Gen11).unwrap();
    (BoundSurface::new(&state, Platform::Gen11).unwrap(), memory)
}

/// Typed atomics of eight lanes: those that return a value execute the lanes of the low slot group, as those that do not.
#[test]
fn typed_atomics_return_values() {
    let mut registers = noise(5);
    for lane in 0..8 {
        registers.set_dword(20 * REGISTER + lane * 4, 7 - lane as u32);
    }
    let texels = [10, 11, 12, 13, 14, 15, 16, 17];
    // One register each of payload (U) and of response; typed atomic; the value is returned; increment or pre-decrement, which
    // returns the new value.
    for (descriptor, step, returned) in [(0x0211_a500, 1, 0), (0x0211_af00, -1, -1)] {
        let (surface, memory) = row(texels);
        let got = data_port(0xc, &surface, &memory, descriptor, registers.clone());
        for (lane, old) in texels.into_iter().rev().enumerate() {
            let found = i64::from(got.dword(40 * REGISTER + lane * 4));
            assert_eq!(found, i64::from(old) + returned, "{descriptor:#x}, lane {lane}");
        }
        let BoundSurface::Image(image) = &surface else { panic!("no image") };
        for (x, old) in (0..8).zip(texels) {
            let found = memory.load(image.address(0, x, 0), 4).unwrap();
            assert_eq!(found as i64, i64::from(old) + step, "{descriptor:#x}, texel {x}");
        }
    }
}

/// Reads of a null surface give 0 in every register of the response.
#[test]
fn null_surfaces_read_as_0() {
    let mut registers = noise(9);
    // The header of the media block: eight rows of 16 bytes.
    registers.set_dword(20 * REGISTER + 8, 7 << 16 | 15);
    // Typed read of U, all four channels; media block read.
    for descriptor in [0x0241_5000, 0x0249_0000] {
        let got =
            data_port(0xc, &BoundSurface::Null, &LaunchMemory::default(), descriptor, registers.clone());
        for at in (39 * REGISTER..45 * REGISTER).step_by(4) {
            let inside = (40 * REGISTER..44 * REGISTER).contains(&at);
            let want = if inside { 0 } else { registers.dword(at) };
            assert_eq!(got.dword(at), want, "{descriptor:#x}, byte {at:#x}");
        }
    }
}

/// Block messages check the bounds of a surface by OWords: of a buffer of 28 bytes only the first OWord is read and written.
#[test]
fn blocks_are_bounded_by_owords() {
    let mut registers = noise(11);
    registers.set_dword(20 * REGISTER + 8, 0);
    let old: Vec<u8> = (1..=32).collect();
    let mut memory = LaunchMemory::default();
    let base = memory.allocate(old.clone(), AllocationUse::Shared);
    let surface = BoundSurface::Buffer(Buffer { base, bytes: 28 });
    let dwords = |bytes: &[u8]| -> Vec<u32> {
        bytes.chunks(4).map(|dword| u32::from_le_bytes(dword.try_into().unwrap())).collect()
    };
    // Unaligned and aligned read of two OWords.
    for descriptor in [0x0218_4200, 0x0218_0200] {
        let got = data_port(0xa, &surface, &memory, descriptor, registers.clone());
        let found: Vec<u32> = (0..8).map(|dword| got.dword(40 * REGISTER + dword * 4)).collect();
        assert_eq!(found, [dwords(&old[..16]), vec![0; 4]].concat(), "{descriptor:#x}");
    }
    data_port(0xa, &surface, &memory, 0x040a_0200, registers.clone());
    let found: Vec<u32> = (0..8).map(|dword| memory.load(base + dword * 4, 4).unwrap() as u32).collect();
    let written: Vec<u32> = (0..4).map(|dword| registers.dword(21 * REGISTER + dword * 4)).collect();
    assert_eq!(found, [written, dwords(&old[16..])].concat());
}

/// The instruction trace shows destinations that are general registers, and r0 for no other.
#[test]
fn traces_show_registers_of_destinations() {
    let compare = put128(binary(0x10, 8, DataType::D, (DataType::D, false), Some(DataType::D)), 24, 4, 3);
    // To the null register.
    let compare = put128(put128(compare, 35, 2, 0), 53, 8, 0);
    let words = [compare, mov(8, 41, false)];
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).chain(end(Platform::Gen9)).collect();
    let program = Program::new(Platform::Gen9, &code);
    let memory = LaunchMemory::default();
    let environment =
        Environment { memory: &memory, surfaces: &[], max_instructions: 10, strict: false, sampler: None };
    let mut watch = Watch::new(&WatchOptions { trace: 2, ..WatchOptions::default() });
    Thread::new(noise(1), 0xff, 0, 0).run(&program, &environment, &mut watch, 10).unwrap();
    let shown: Vec<bool> = watch.text.lines().map(|line| line.contains(" r0.0:")).collect();
    assert_eq!(shown, [false, false], "{}", watch.text);
    assert!(watch.text.lines().nth(1).unwrap().contains(" r41.0:"), "{}", watch.text);
}

/// Accumulator operands that are one element for all lanes, or every other one.
#[test]
fn regions_of_accumulators() {
    let mut registers = noise(2);
    for (lane, value) in registers.accumulator.iter_mut().enumerate().take(32) {
        *value = (100.0 + lane as f32).to_bits().into();
    }
    for lane in 0..8 {
        registers.set_dword(10 * REGISTER + lane * 4, 3.0f32.to_bits());
        registers.set_dword(20 * REGISTER + lane * 4, (lane as f32).to_bits());
    }
    let binary = |opcode, scalar| binary(opcode, 8, DataType::F, (DataType::F, scalar), Some(DataType::F));
    // add (8) r40:f acc0.0<0;1,0>:f r20:f
    let add = put128(put128(binary(0x40, true), 41, 2, 0), 69, 8, 0x20);
    // mul (8) acc0.0<2>:f r10:f r20:f
    let mul = put128(put128(put128(binary(0x41, false), 35, 2, 0), 53, 8, 0x20), 61, 2, 2);
    let code: Vec<u8> =
        [add, mul].iter().flat_map(|word| word.to_le_bytes()).chain(end(Platform::Gen9)).collect();
    let program = || Program::new(Platform::Gen9, &code);
    for program in [program(), program().general()] {
        let got = snippet::execute(&program, registers.clone(), 0xff, 10).unwrap();
        for lane in 0..8 {
            let sum = f32::from_bits(got.dword(40 * REGISTER + lane * 4));
            let products = [0, 1].map(|half| f32::from_bits(got.accumulator[2 * lane + half] as u32));
            assert_eq!(sum, 100.0 + lane as f32, "lane {lane}");
            assert_eq!(products, [3.0 * lane as f32, 101.0 + 2.0 * lane as f32], "lane {lane}");
        }
    }
}

/// `math.idiv`: the remainders are in the register after the quotients, which must exist.
#[test]
fn quotients_and_remainders() {
    let divide = |dst| {
        let src = [10, 20].map(|register| Some((register, DataType::Ud, false, false, false)));
        let dst = (dst, DataType::Ud);
        let divide = AluInstruction { opcode: 0x38, size: 8, condition: 11, saturate: false, dst, src };
        divide.word(Platform::Gen9).unwrap().0
    };
    let registers = noise(4);
    let got = run(&[divide(40)], registers.clone(), 0xff).unwrap();
    for lane in (0..8).map(|lane| lane * 4) {
        let [a, b] = [10, 20].map(|register| registers.dword(register * REGISTER + lane));
        let found = [40, 41].map(|register| got.dword(register * REGISTER + lane));
        assert_eq!(found, [a / b, a % b], "byte {lane}");
    }
    let error = run(&[divide(127)], registers, 0xff).unwrap_err();
    assert_eq!((error.what.as_str(), error.location.lane), ("region outside the register file", Some(0)));
}

/// Codes of sizes that no document defines are refused: bytes of an element, registers of a block.
#[test]
fn reserved_sizes_are_refused() {
    // Byte scattered read of 1, 2 and 4 bytes; A64 byte scattered read; A64 block read of 1 to 16 registers.
    let byte = |size: u32| (0xa, 4 << 14 | size << 10);
    let byte_a64 = |size: u32| (0xc, 0x10 << 14 | size << 10);
    let registers = |size: u32| (0xc, 0x14 << 14 | 3 << 11 | size << 8);
    let executed = |(function, descriptor): (u8, u32)| Request::new(function, descriptor).is_ok();
    for size in 0..4 {
        assert_eq!(executed(byte(size)), size < 3, "{size}");
        assert_eq!(executed(byte_a64(size)), size < 3, "A64, {size}");
    }
    for size in 0..8 {
        assert_eq!(executed(registers(size)), size < 5, "registers, {size}");
    }
}
