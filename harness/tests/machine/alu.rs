//! The arithmetic of the machine against a second reading of its specification: plain, lane by lane, on whole numbers and doubles.

use texwire::Platform;
use texwire::enums::DataType;
use texwire_harness::generators::machine::{AluInstruction, end};
use texwire_harness::machine::registers::Registers;
use texwire_harness::machine::{Program, snippet};

/// Values that decide something, and some between.
const VALUES: [u64; 24] = [
    0,
    1,
    2,
    3,
    31,
    32,
    63,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x0001_2345,
    0x3f80_0000,
    0xbf00_0000,
    0x4b7f_ffff,
    0x7f80_0000,
    0x7fc0_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fffe,
    0xffff_ffff,
    0x0000_0001_8000_0001,
];

const LANES: usize = 8;
const INTEGERS: [DataType; 8] = [
    DataType::Ud,
    DataType::D,
    DataType::Uw,
    DataType::W,
    DataType::Ub,
    DataType::B,
    DataType::Uq,
    DataType::Q,
];

fn bits(kind: DataType) -> u32 {
    kind.bits()
}

fn signed(kind: DataType) -> bool {
    matches!(kind, DataType::D | DataType::W | DataType::B | DataType::Q)
}

/// The number that the low bits of `raw` are.
fn number(kind: DataType, raw: u64) -> i128 {
    let modulus = 1i128 << bits(kind);
    let value = i128::from(raw).rem_euclid(modulus);
    if signed(kind) && value >= modulus / 2 { value - modulus } else { value }
}

/// What an integer operation gives, exactly; `None`: it has no such form.
fn integer(name: &str, a: i128, b: i128, kinds: [DataType; 2], dst: DataType) -> Option<i128> {
    let wide = bits(kinds[0]) == 64 || bits(kinds[1]) == 64 || bits(dst) == 64;
    let count = b.rem_euclid(if wide { 64 } else { 32 }) as u32;
    let dword = a.rem_euclid(1 << 32) as u32;
    Some(match name {
        "mov" => a,
        "not" => -1 - a,
        "and" => a & b,
        "or" => a | b,
        "xor" => a ^ b,
        "shl" => a * (1i128 << count),
        "shr" => a.rem_euclid(1i128 << bits(kinds[0])) / (1i128 << count),
        "asr" => a.div_euclid(1i128 << count),
        "add" => a + b,
        "mul" => a.wrapping_mul(b),
        "avg" => (a + b + 1).div_euclid(2),
        "lzd" => (0..32).rev().position(|bit| dword >> bit & 1 == 1).unwrap_or(32) as i128,
        "fbl" => (0..32).position(|bit| dword >> bit & 1 == 1).map_or(0xffff_ffff, |at| at as i128),
        "cbit" => (0..bits(kinds[0])).filter(|bit| a.rem_euclid(1i128 << 64) >> bit & 1 == 1).count() as i128,
        "bfrev" => (0..32).map(|bit| i128::from(dword >> bit & 1) << (31 - bit)).sum(),
        _ => return None,
    })
}

fn opcode(name: &str) -> u64 {
    let codes = [
        ("mov", 0x01),
        ("not", 0x04),
        ("and", 0x05),
        ("or", 0x06),
        ("xor", 0x07),
        ("shr", 0x08),
        ("shl", 0x09),
        ("asr", 0x0c),
        ("cmp", 0x10),
        ("bfrev", 0x17),
        ("add", 0x40),
        ("mul", 0x41),
        ("avg", 0x42),
        ("rndd", 0x45),
        ("rndz", 0x47),
        ("lzd", 0x4a),
        ("fbl", 0x4c),
        ("cbit", 0x4d),
    ];
    codes.iter().find(|(known, _)| *known == name).unwrap().1
}

/// Executes one instruction in both ways; destination lanes and flag.
fn run(instruction: &AluInstruction, a: [u64; LANES], b: [u64; LANES]) -> ([u64; LANES], u32) {
    let word = instruction.word(Platform::Gen9).unwrap();
    let code = [word.0.to_le_bytes(), end(Platform::Gen9)].concat();
    let mut registers = Registers::default();
    // Denormals are kept, as compilers set it.
    registers.set_dword(texwire_harness::machine::registers::at::CONTROL, 0x4c0);
    for (register, (lanes, source)) in [10, 20].into_iter().zip([a, b].into_iter().zip(instruction.src)) {
        let Some((_, kind, ..)) = source else { continue };
        let size = bits(kind) as usize / 8;
        for (lane, value) in lanes.iter().enumerate() {
            let at = register * 32 + lane * size;
            registers.bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
    }
    let program = Program::new(Platform::Gen9, &code);
    let fast = snippet::execute(&program, registers.clone(), 0xff, 10).unwrap();
    let general = snippet::execute(&program.general(), registers, 0xff, 10).unwrap();
    let size = bits(instruction.dst.1) as usize / 8;
    let lanes = |registers: &Registers| -> [u64; LANES] {
        std::array::from_fn(|lane| {
            let mut bytes = [0; 8];
            let at = 40 * 32 + lane * size;
            bytes[..size].copy_from_slice(&registers.bytes[at..at + size]);
            let bits = u64::from_le_bytes(bytes);
            // Which of two NaNs comes out is left open.
            let nan = instruction.dst.1 == DataType::F && f32::from_bits(bits as u32).is_nan();
            if nan { 0x7fc0_0000 } else { bits }
        })
    };
    assert_eq!((lanes(&fast), fast.flag(0)), (lanes(&general), general.flag(0)), "{instruction:?}");
    (lanes(&fast), fast.flag(0))
}

/// All pairs of the values, eight at a time.
fn pairs() -> impl Iterator<Item = ([u64; LANES], [u64; LANES])> {
    VALUES.into_iter().flat_map(|a| {
        VALUES.chunks(LANES).map(move |chunk| ([a; LANES], std::array::from_fn(|lane| chunk[lane])))
    })
}

/// Every integer operation, type, modifier and saturation.
#[test]
fn integers_are_exact() {
    let one = ["mov", "not", "lzd", "fbl", "cbit", "bfrev"];
    let two = ["and", "or", "xor", "shl", "shr", "asr", "add", "mul", "avg"];
    let mut state = 1u32;
    let mut draw = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below
    };
    for name in one.into_iter().chain(two) {
        for _ in 0..60 {
            let kinds = [INTEGERS[draw(8)], INTEGERS[draw(8)]];
            let dword_only = matches!(name, "lzd" | "fbl" | "bfrev" | "cbit");
            let kinds = if dword_only { [DataType::Ud, kinds[1]] } else { kinds };
            let dst = INTEGERS[draw(8)];
            let binary = two.contains(&name);
            let bitwise = matches!(name, "not" | "and" | "or" | "xor");
            let shift = matches!(name, "shl" | "shr" | "asr");
            let negate = [0, 1].map(|_| draw(3) == 0 && !shift && !dword_only);
            let absolute = [0, 1].map(|_| draw(5) == 0 && !shift && !dword_only && !bitwise);
            let saturate = draw(3) == 0 && !shift && !bitwise;
            let source = |index: usize, register| {
                Some((register, kinds[index], absolute[index], negate[index], false))
            };
            let instruction = AluInstruction {
                opcode: opcode(name),
                size: LANES as u64,
                condition: 1 + draw(6) as u64,
                saturate,
                dst: (40, dst),
                src: [source(0, 10), if binary { source(1, 20) } else { None }],
            };
            for (a, b) in pairs() {
                let (got, flag) = run(&instruction, a, b);
                for lane in 0..LANES {
                    let modified = |index: usize, raw| {
                        let value = number(kinds[index], raw);
                        let value = if absolute[index] { value.abs() } else { value };
                        match (negate[index], bitwise) {
                            (true, true) => -1 - value,
                            (true, false) => -value,
                            (false, _) => value,
                        }
                    };
                    let (x, y) = (modified(0, a[lane]), modified(1, b[lane]));
                    let exact = integer(name, x, y, kinds, dst).unwrap();
                    let (low, high) = if signed(dst) {
                        (-(1i128 << (bits(dst) - 1)), (1i128 << (bits(dst) - 1)) - 1)
                    } else {
                        (0, (1i128 << bits(dst)) - 1)
                    };
                    let result = if saturate { exact.max(low).min(high) } else { exact };
                    let want = number(dst, (result & i128::from(u64::MAX)) as u64);
                    assert_eq!(number(dst, got[lane]), want, "{instruction:?} {x:#x} {y:#x}");
                    let holds = match instruction.condition {
                        1 => want == 0,
                        2 => want != 0,
                        3 => want > 0,
                        4 => want >= 0,
                        5 => want < 0,
                        _ => want <= 0,
                    };
                    assert_eq!(flag >> lane & 1 == 1, holds, "{instruction:?} {x:#x} {y:#x}");
                }
            }
        }
    }
}

/// Sums, products, roundings and comparisons of floats, with a NaN among them.
#[test]
fn floats_are_rounded_once() {
    for name in ["add", "mul", "cmp", "rndd", "rndz"] {
        for condition in 1..=6 {
            let binary = !name.starts_with("rnd");
            let source = |register| Some((register, DataType::F, false, register == 20, false));
            let instruction = AluInstruction {
                opcode: opcode(name),
                size: LANES as u64,
                condition,
                saturate: false,
                dst: (40, if name == "cmp" { DataType::D } else { DataType::F }),
                src: [source(10), if binary { source(20) } else { None }],
            };
            for (a, b) in pairs() {
                let (got, flag) = run(&instruction, a, b);
                for lane in 0..LANES {
                    let x = f64::from(f32::from_bits(a[lane] as u32));
                    let y = -f64::from(f32::from_bits(b[lane] as u32));
                    let exact = match name {
                        "add" => x + y,
                        "mul" => x * y,
                        "rndd" => x.floor(),
                        "rndz" => x.trunc(),
                        _ => x - y,
                    };
                    let compared = if name == "cmp" { (x, y) } else { (f64::from(exact as f32), 0.0) };
                    let holds = match condition {
                        1 => compared.0 == compared.1,
                        2 => compared.0 != compared.1,
                        3 => compared.0 > compared.1,
                        4 => compared.0 >= compared.1,
                        5 => compared.0 < compared.1,
                        _ => compared.0 <= compared.1,
                    };
                    assert_eq!(flag >> lane & 1 == 1, holds, "{name} {condition} {x} {y}");
                    if name == "cmp" {
                        assert_eq!(got[lane], if holds { 0xffff_ffff } else { 0 });
                        continue;
                    }
                    let found = f32::from_bits(got[lane] as u32);
                    let want = exact as f32;
                    assert!(
                        found.to_bits() == want.to_bits() || found.is_nan() && want.is_nan(),
                        "{name} {x} {y}: {found}"
                    );
                }
            }
        }
    }
}
