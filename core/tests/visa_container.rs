//! CISA files of old and new versions, written byte by byte in this test and read back.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]

use texwire::visa::{
    Anonymous, Input, Module, Routine, RoutineKind, SymbolIndex, Symbols, Type, Variable, Version,
    VisaInstruction, assemble,
};
use texwire::{Error, Kind, What};

/// A writer of a file whose integers have the widths of a CISA version.
struct File {
    bytes: Vec<u8>,
    version: Version,
}

impl File {
    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend(bytes);
        self
    }
    fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }
    fn u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }
    /// Writes an index: u32 from 3.4 on, else u16.
    fn index(&mut self, value: u16) -> &mut Self {
        if self.version >= Version::new(3, 4) { self.u32(value.into()) } else { self.u16(value) }
    }
    /// Writes a name of the header; its length is a u16 from 3.7 on, else a u8.
    fn name(&mut self, name: &[u8]) -> &mut Self {
        let len = name.len() as u8;
        if self.version >= Version::new(3, 7) {
            self.u16(len.into())
        } else {
            self.raw(&[len])
        };
        self.raw(name)
    }
    /// Writes a symbol: a name, a number of elements, no attributes.
    fn symbol(&mut self, name: u16, elements: u16) -> &mut Self {
        self.index(name).u16(elements).raw(&[0])
    }
    fn variable(
        &mut self,
        name: u16,
        bits: u8,
        elements: u16,
        alias: (u16, u16),
        attributes: u8,
    ) -> &mut Self {
        self.index(name).raw(&[bits]).u16(elements).index(alias.0).u16(alias.1).raw(&[0, attributes])
    }
    fn attribute(&mut self, name: u16, value: &[u8]) -> &mut Self {
        self.index(name).raw(&[value.len() as u8]).raw(value)
    }
    fn patch(&mut self, at: usize, value: usize) {
        self.bytes[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
    }
}

const STRINGS: [&[u8]; 6] = [b"main", b"color", b"uv", b"", b"tex", b"Target"];

/// Appends the body of a kernel or function to `file`; returns the offset of its code.
fn body(file: &mut File, kernel: bool, code: &[u8]) -> usize {
    let start = file.bytes.len();
    file.index(STRINGS.len() as u16);
    for string in STRINGS {
        file.raw(string).raw(&[0]);
    }
    file.index(0);
    // color: f, 64 elements, with an attribute; uv: hf, 16 elements, an alias of color from byte 32 on.
    file.index(2).variable(1, 7, 64, (0, 0), 1).attribute(5, &[9, 8]).variable(2, 0x3e, 16, (32, 32), 0);
    file.u16(1).symbol(3, 1);
    file.u16(2).symbol(3, 16).symbol(3, 8);
    file.u16(1).index(0).raw(&[1, 0]);
    file.raw(&[2]).symbol(4, 1).symbol(4, 1);
    file.raw(&[1]).symbol(4, 1);
    file.raw(&[1]).symbol(3, 1);
    if kernel {
        if file.version >= Version::new(3, 5) {
            file.u32(1)
        } else {
            file.raw(&[1])
        };
        file.raw(&[2 | 3 << 3]).index(7).raw(&(-4_i16).to_le_bytes()).u16(12);
    }
    let size = file.bytes.len();
    file.u32(code.len() as u32).u32(0);
    if !kernel {
        file.raw(&[3, 2]);
    }
    file.u16(2).attribute(5, &[]).attribute(4, &[1, 2, 3, 4]);
    let code_at = file.bytes.len();
    file.patch(size + 4, code_at - start);
    file.raw(code);
    code_at
}

/// Returns a file with a kernel `k1`, which has two Gen binaries, and a function `f`; the offsets of their code; the code.
fn file(version: Version) -> (Vec<u8>, [usize; 2], Vec<u8>) {
    let mut code = [0; 512];
    let len =
        assemble("sample_3d.R (M1, 8) 0x0:uw S0 T6 V0033.0 V0032.0", &Anonymous, version, &mut code).unwrap();
    let code = &code[..len];
    let mut file = File { bytes: Vec::new(), version };
    file.raw(b"CISA").raw(&[version.major, version.minor]).u16(1);
    file.name(b"k1");
    let kernel = file.bytes.len();
    file.u32(0).u32(0).u32(99);
    file.u16(1).u32(0xdead_beef).u16(2).u32(1).u32(2);
    file.raw(&[2, 10]).u32(0x1000).u32(0x20).raw(&[12]).u32(0x2000).u32(0x40);
    file.u16(0).u16(1);
    file.raw(&[1]).name(b"f");
    let function = file.bytes.len();
    file.u32(0).u32(0).u16(0).u16(0);
    let mut code_at = [0; 2];
    for (place, (entry, kernel)) in code_at.iter_mut().zip([(kernel, true), (function, false)]) {
        let start = file.bytes.len();
        *place = body(&mut file, kernel, code);
        let size = file.bytes.len() - start;
        file.patch(entry, start);
        file.patch(entry + 4, size);
    }
    (file.bytes, code_at, code.to_vec())
}

const VERSIONS: [Version; 5] =
    [Version::new(3, 0), Version::new(3, 4), Version::new(3, 5), Version::new(3, 7), Version::V4_1];

fn routines(bytes: &[u8]) -> Vec<Result<Routine<'_>, Error>> {
    Module::parse(bytes).unwrap().routines().collect()
}

#[test]
fn everything_that_was_written_is_read() {
    for version in VERSIONS {
        let (bytes, code_at, code) = file(version);
        let module = Module::parse(&bytes).unwrap();
        assert_eq!((module.version(), module.kernels().count()), (version, 1));
        let [kernel, function] = routines(&bytes).try_into().unwrap();
        let (kernel, function) = (kernel.unwrap(), function.unwrap());
        assert_eq!(
            (kernel.entry.kind, kernel.entry.name, kernel.entry.input_offset),
            (RoutineKind::Kernel, &b"k1"[..], 99)
        );
        assert_eq!((function.entry.kind, function.entry.name), (RoutineKind::Function, &b"f"[..]));
        let binaries: Vec<_> = kernel.entry.gen_binaries().map(|b| (b.platform, b.offset, b.size)).collect();
        assert_eq!(binaries, [(10, 0x1000, 0x20), (12, 0x2000, 0x40)]);
        assert_eq!(function.entry.gen_binaries().count(), 0);
        assert_eq!((kernel.sizes, function.sizes), (None, Some([3, 2])));
        assert_eq!(
            kernel.inputs.iter().collect::<Vec<_>>(),
            [Input { kind: 0x1a, index: 7, offset: -4, size: 12 }]
        );
        assert!(
            (kernel.inputs.len(), kernel.inputs.is_empty(), function.inputs.is_empty()) == (1, false, true)
        );
        for (routine, code_at) in [(&kernel, code_at[0]), (&function, code_at[1])] {
            check(routine);
            assert_eq!((routine.code(), routine.code_offset()), (&code[..], code_at));
            let mut instructions = routine.instructions();
            assert_eq!(instructions.next().unwrap().map(|found| found.opcode()), Some(0x6d));
            assert!(instructions.next().unwrap().is_none());
        }
    }
}

fn check(routine: &Routine<'_>) {
    let strings: Vec<_> = routine.strings().collect();
    assert_eq!((strings, routine.string_count()), (STRINGS.to_vec(), 6));
    let tables = [
        &routine.variables,
        &routine.addresses,
        &routine.predicates,
        &routine.labels,
        &routine.samplers,
        &routine.surfaces,
    ];
    assert_eq!(
        tables.map(|table| (table.len(), table.iter().count())),
        [(2, 2), (1, 1), (2, 2), (1, 1), (2, 2), (1, 1)]
    );
    assert!(tables.iter().all(|table| !table.is_empty()));
    let color = routine.variables.iter().next().unwrap();
    let attributes: Vec<_> = color.attributes.iter().map(|found| (found.name, found.value)).collect();
    assert_eq!((color.name, attributes, color.attributes.is_empty()), (1, vec![(5, &[9, 8][..])], false));
    let uv = routine.variables.iter().nth(1).unwrap();
    assert_eq!((uv.attributes.is_empty(), uv.attributes.len()), (true, 0));
    let attributes: Vec<_> = routine.attributes.iter().map(|found| (found.name, found.value)).collect();
    assert_eq!((attributes, routine.attributes.len()), (vec![(5, &[][..]), (4, &[1, 2, 3, 4][..])], 2));
    let mut memory = vec![0; SymbolIndex::words(routine)];
    assert_eq!(memory.len(), 8);
    let index = SymbolIndex::new(routine, &mut memory).unwrap();
    assert_eq!(index.routine().code_offset(), routine.code_offset());
    names(routine);
    names(&index);
    let why = SymbolIndex::new(routine, &mut [0; 7]).map(|_| ()).unwrap_err();
    assert_eq!((why.kind(), why.what(), why.found()), (Kind::Capacity, What::SymbolTable, 32));
}

/// Checks the lookups, which must be the same by walking the tables and by the index.
fn names(symbols: &impl Symbols) {
    let color = Variable { name: b"color", kind: Some(Type::F), elements: 64, alias: None };
    let uv = Variable { name: b"uv", kind: Some(Type::Hf), elements: 16, alias: Some((32, 32)) };
    assert_eq!([31, 32, 33, 34].map(|index| symbols.variable(index)), [None, Some(color), Some(uv), None]);
    let found: [&[u8]; 5] = [b"color", b"uv", b"main", b"", b"colo"];
    assert_eq!(found.map(|name| symbols.find(name)), [Some(32), Some(33), None, None, None]);
    assert_eq!([0, 1, 2, 3].map(|index| symbols.has_predicate(index)), [false, true, true, false]);
    assert_eq!([0, 1, 2, 31].map(|index| symbols.has_sampler(index)), [true, true, false, true]);
    assert_eq!([0, 5, 6, 7].map(|index| symbols.has_surface(index)), [true, true, true, false]);
}

#[test]
fn damage_is_told_and_ends() {
    for version in VERSIONS {
        let (bytes, _, _) = file(version);
        // Wherever the file is cut, an error reports what is missing, and the walk ends.
        for len in 8..bytes.len() {
            let found = routines(&bytes[..len]);
            assert!((1..=3).contains(&found.len()), "{version} {len}: {}", found.len());
            let why = found.iter().find_map(|routine| routine.as_ref().err()).unwrap();
            assert_eq!(why.kind(), Kind::Truncated, "{version} {len}");
        }
        for len in 0..8 {
            assert_eq!(Module::parse(&bytes[..len]).unwrap_err().kind(), Kind::Truncated);
        }
    }
    let (bytes, ..) = file(Version::V4_1);
    let spoiled = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        bytes
    };
    let found = |why: Error| (why.kind(), why.what(), why.offset());
    assert_eq!(found(Module::parse(&spoiled(0, b'D')).unwrap_err()), (Kind::Unknown, What::Cisa, Some(0)));
    assert_eq!(found(Module::parse(&spoiled(4, 2)).unwrap_err()), (Kind::Unsupported, What::Cisa, Some(4)));
    // The count of file scope variables is before the functions: 8 + 4 + 12 + 6 + 10 + 19 bytes from the start.
    let scope = 8 + 4 + 12 + 6 + 10 + 19;
    let unsupported = spoiled(scope, 1);
    let walked = routines(&unsupported);
    assert_eq!((walked.len(), walked[0].is_ok()), (2, true));
    assert_eq!(found(*walked[1].as_ref().unwrap_err()), (Kind::Unsupported, What::SymbolTable, Some(scope)));
    // A body past the end of the file: the next routine is still read.
    let lost = spoiled(8 + 4 + 3, 0x7f);
    let walked = routines(&lost);
    assert_eq!((walked.len(), walked[1].is_ok()), (2, true));
    let why = walked[0].as_ref().unwrap_err();
    assert_eq!(
        (why.kind(), why.what(), why.offset().map(|at| at >> 24)),
        (Kind::Truncated, What::KernelBody, Some(0x7f))
    );
}

#[test]
fn opcodes_that_are_not() {
    let first = |bytes: &[u8]| {
        let why = VisaInstruction::first(bytes, Version::V4_1).map(|_| ()).unwrap_err();
        (why.kind(), why.what(), why.offset(), why.found())
    };
    assert_eq!(first(&[]), (Kind::Truncated, What::Instruction, Some(0), 1));
    assert_eq!(first(&[0]), (Kind::Reserved, What::Opcode, Some(0), 0));
    assert_eq!(first(&[0xff, 0, 0]), (Kind::Unknown, What::Opcode, Some(0), 0xff));
    assert_eq!(first(&[148]), (Kind::Unknown, What::Opcode, Some(0), 148));
    assert_eq!(first(&[0x44, 8, 0, 0]), (Kind::Unknown, What::SubOperation, Some(1), 8));
}
