//! Properties of vISA.

use crate::emulator::visa as oracle;
use crate::generators::visa as generate;
use crate::wires::visa::lost_in_text;
use arbitrary::Unstructured;
use texwire::rules::Rule as _;
use texwire::visa::{
    Anonymous, Instructions, MAX_SAMPLER_BYTES, MediaValue, Module, PREDEFINED_VARIABLES, Registers, Routine,
    RoutineKind, Runtime, SamplerInstruction, SymbolIndex, Symbols, Type, VectorKind, VectorOperand, Version,
    VisaInstruction, assemble,
};
use texwire::{Platform, What};

/// Fuzz target `walk_cisa`: any bytes are walked to an end inside them; a well-formed file has the contents that were written to it; the
/// walk of a damaged file ends, too.
pub fn walk(data: &[u8]) {
    // Each input is read in one way only: as a file, as instructions, or as the source of a generated file.
    if data.starts_with(b"CISA") {
        return container(data);
    }
    let Some((walk_mode, mut u)) = walk_mode(data) else { return };
    if walk_mode == WalkMode::Code {
        container(data);
        return code(u.take_rest(), Version::V4_1);
    }
    let Ok(mut file) = generate::cisa(&mut u) else { return };
    match walk_mode {
        WalkMode::Code => {}
        WalkMode::Whole => {
            container(&file.bytes);
            compare(&file);
        }
        WalkMode::Damaged => {
            // The rest of the input says where the file is damaged and with which bytes.
            while let (Ok(at), Ok(byte)) = (u.arbitrary::<u16>(), u.arbitrary::<u8>()) {
                let length = file.bytes.len();
                file.bytes[usize::from(at) % length] = byte;
                if u.is_empty() {
                    break;
                }
            }
            container(&file.bytes);
        }
        WalkMode::Cut => container(&file.bytes[..data.len() % file.bytes.len()]),
    }
}

/// Returns what the first byte selects, and the source of the further bytes.
pub(super) fn walk_mode(data: &[u8]) -> Option<(WalkMode, Unstructured<'_>)> {
    let mut u = Unstructured::new(data);
    let walk_mode = *u.choose(&[WalkMode::Code, WalkMode::Whole, WalkMode::Damaged, WalkMode::Cut]).ok()?;
    Some((walk_mode, u))
}

/// How an input is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkMode {
    /// The bytes are instructions.
    Code,
    /// A well-formed file is generated from the bytes.
    Whole,
    /// Such a file, with other bytes in some places.
    Damaged,
    /// Such a file, cut off.
    Cut,
}

/// Walks all instructions in a container and reads every table.
fn container(bytes: &[u8]) {
    let Ok(module) = Module::parse(bytes) else { return };
    for routine in module.routines() {
        let Ok(routine) = routine else { continue };
        assert_eq!(routine.strings().count(), routine.string_count() as usize);
        let tables =
            [&routine.addresses, &routine.predicates, &routine.labels, &routine.samplers, &routine.surfaces];
        for table in tables.into_iter().chain([&routine.variables]) {
            assert_eq!(table.iter().count(), table.len() as usize);
            table.iter().for_each(|symbol| {
                assert_eq!(symbol.attributes.iter().count(), usize::from(symbol.attributes.len()))
            });
        }
        assert_eq!(routine.inputs.iter().count(), routine.inputs.len() as usize);
        let (at, code) = (routine.code_offset(), routine.code());
        assert_eq!(&bytes[at..at + code.len()], code, "code outside the file");
        walk_all(routine.instructions(), &bytes[..at + code.len()], module.version());
        names(&routine);
    }
}

/// Checks that the index finds the same variables and names as the slow look-up.
fn names(routine: &Routine<'_>) {
    let mut memory = vec![0; SymbolIndex::words(routine)];
    let index = SymbolIndex::new(routine, &mut memory).unwrap();
    let count = routine.variables.len().min(40);
    for variable in 30..=32 + count {
        assert_eq!(index.variable(variable), routine.variable(variable));
        if let Some(found) = routine.variable(variable).filter(|found| !found.name.is_empty()) {
            let first = routine.find(found.name).expect("a name is found");
            assert_eq!(routine.variable(first).unwrap().name, found.name);
        }
    }
}

/// Checks that every instruction begins where the previous one ends, lies inside the bytes and is as long as the oracle says, and that the
/// walk stays at its end. The code ends at the end of `file`.
fn walk_all(mut walk: Instructions<'_>, file: &[u8], version: Version) {
    loop {
        let at = walk.offset();
        let length = oracle::decode(&file[at..], (version.major, version.minor)).map(|inst| inst.length);
        match walk.next() {
            Ok(Some(inst)) => {
                assert_eq!(inst.offset(), at);
                assert_eq!(&file[at..at + inst.bytes().len()], inst.bytes());
                assert!(!inst.mnemonic().is_empty());
                assert_eq!(Ok(inst.bytes().len()), length);
            }
            Ok(None) => {
                assert_eq!(at, file.len());
                break;
            }
            Err(error) => {
                assert!(error.offset().is_some_and(|offset| offset >= at && offset <= file.len()));
                assert!(length.is_err(), "an instruction of {length:?} bytes is refused: {error}");
                break;
            }
        }
    }
    assert_eq!(walk.next(), Ok(None), "a walk goes on after its end");
}

fn code(bytes: &[u8], version: Version) {
    walk_all(Instructions::new(bytes, 0, version), bytes, version);
}

fn compare(file: &generate::GeneratedCisa) {
    let module = Module::parse(&file.bytes).unwrap();
    assert_eq!(module.version(), file.version);
    let found: Vec<_> = module.routines().map(Result::unwrap).collect();
    assert_eq!(found.len(), file.routines.len());
    for (routine, facts) in found.iter().zip(&file.routines) {
        assert_eq!(routine.entry.kind == RoutineKind::Function, facts.function);
        assert_eq!((routine.entry.name, routine.entry.offset as usize), (&facts.name[..], facts.offset));
        assert!(routine.strings().eq(facts.strings.iter().map(Vec::as_slice)));
        assert!(routine.variables.iter().map(|v| v.name).eq(facts.variables.iter().copied()));
        let tables =
            [&routine.addresses, &routine.predicates, &routine.labels, &routine.samplers, &routine.surfaces];
        let mut counts: Vec<usize> = tables.iter().map(|table| table.len() as usize).collect();
        counts.extend([routine.inputs.len() as usize, routine.attributes.len().into()]);
        assert_eq!(counts, facts.counts);
        assert_eq!((routine.code(), routine.code_offset()), (&facts.code[..], facts.code_offset));
    }
}

/// Fuzz target `decode_visa`: the emulator decodes and prints every instruction in the same way, and refuses the same ones.
pub fn decode(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let Ok(version) = generate::version(&mut u) else { return };
    drawn(&mut u, version).iter().flatten().for_each(|bytes| agree(bytes, version));
    agree(data, version);
    if let [_, rest @ ..] = data {
        let bytes = [&[0x6d + data[0] % 4], rest].concat();
        agree(&bytes, version);
    }
}

/// Compares a CISA file, or instructions of version 4.1, with the emulator.
pub(crate) fn compare_with_oracle(bytes: &[u8]) {
    if bytes.starts_with(b"CISA") {
        return container(bytes);
    }
    code(bytes, Version::V4_1);
    agree(bytes, Version::V4_1);
}

fn agree(bytes: &[u8], version: Version) {
    if let Err(why) = same_as_oracle(bytes, version) {
        panic!("{why}");
    }
}

/// Checks that the core and the emulator decode the same instruction at the start of `bytes`, and print the same text for a sampler
/// instruction.
///
/// # Errors
/// What the core and the emulator have.
pub(crate) fn same_as_oracle(bytes: &[u8], version: Version) -> Result<(), String> {
    let want = oracle::decode(bytes, (version.major, version.minor));
    let differ = |core: &dyn std::fmt::Debug, emulator: &dyn std::fmt::Debug| {
        Err(format!("{bytes:02x?} {version}: the core has {core:?}, the emulator {emulator:?}"))
    };
    let (inst, want) = match (VisaInstruction::first(bytes, version), want) {
        (Ok(inst), Ok(want)) => (inst, want),
        (Err(_), Err(_)) => return Ok(()),
        (core, emulator) => return differ(&core, &emulator),
    };
    if inst.bytes().len() != want.length {
        return differ(&inst.bytes().len(), &want.length);
    }
    if let Ok(Some(media)) = inst.media() {
        let items: Vec<_> = want.items.iter().filter(|(name, _)| *name != "subop").cloned().collect();
        let core: Vec<_> = media.fields().map(|field| (field.name, item(field.value))).collect();
        return if core == items { Ok(()) } else { differ(&core, &items) };
    }
    match inst.sampler() {
        Ok(None) if !matches!(inst.opcode(), 0x6d..=0x70) => Ok(()),
        Ok(Some(sampler)) if want.legal().is_ok() => {
            let name = |index: u64| match PREDEFINED_VARIABLES.get(index as usize) {
                Some(name) => (*name).to_owned(),
                None => format!("V{index:04}"),
            };
            let (core, emulator) = (sampler.display(&Anonymous).to_string(), want.text(&name));
            if core == emulator { Ok(()) } else { differ(&core, &emulator) }
        }
        Err(_) if want.legal().is_err() => Ok(()),
        core => differ(&core, &want.legal()),
    }
}

/// Returns the value of a field of a media instruction as the emulator has it.
fn item(value: MediaValue) -> oracle::Item {
    let vector = match value {
        MediaValue::Byte(byte) => return oracle::Item::Number(byte.into()),
        MediaValue::Raw(raw) => return oracle::Item::Raw(raw.index.into(), raw.offset.into()),
        MediaValue::Vector(vector) => vector,
    };
    let fields = match vector.kind {
        VectorKind::General { index, row, column, region } => vec![
            ("index", index.into()),
            ("row", row.into()),
            ("col", column.into()),
            ("region", region.into()),
        ],
        VectorKind::Address { index, offset, width } => {
            vec![("index", index.into()), ("offset", offset.into()), ("width", width.into())]
        }
        VectorKind::Predicate { index } => vec![("index", index.into())],
        VectorKind::Indirect { index, offset, bytes, kind, region } => vec![
            ("index", index.into()),
            ("offset", offset.into()),
            ("bytes", u64::from(bytes as u16)),
            ("type", kind.into()),
            ("region", region.into()),
        ],
        VectorKind::Immediate { kind, value } => vec![("type", kind.into()), ("value", value)],
        VectorKind::State { class, index, offset } => {
            vec![("class", class.into()), ("index", index.into()), ("offset", offset.into())]
        }
    };
    oracle::Item::Vector(vector.tag.into(), fields)
}

/// Fuzz target `roundtrip_visa`: instructions that decode encode to the same bytes; validation and lowering are total.
pub fn roundtrip(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let Ok(version) = generate::version(&mut u) else { return };
    drawn(&mut u, version).iter().flatten().for_each(|bytes| same(bytes, version));
    same(data, version);
}

/// The registers of a thread, all zeros.
struct ZeroRegisters([u8; 256]);

impl Registers for ZeroRegisters {
    fn bytes(&self, _: u32, _: usize, len: usize) -> Option<&[u8]> {
        self.0.get(..len)
    }
    fn predicate(&self, _: u16) -> u32 {
        0x5555_5555
    }
    fn indirect(&self, _: u16, _: u8, _: i16, len: usize) -> Option<&[u8]> {
        self.0.get(..len)
    }
}

fn same(bytes: &[u8], version: Version) {
    let Ok(inst) = VisaInstruction::first(bytes, version) else { return };
    let mut out = [0; MAX_SAMPLER_BYTES];
    if let Ok(Some(sampler)) = inst.sampler() {
        let length = sampler.encode(&mut out).unwrap();
        assert_eq!(&out[..length], inst.bytes());
        assert_eq!(SamplerInstruction::decode(&out[..length], version), Ok(sampler));
        for short in 0..length {
            assert!(sampler.encode(&mut out[..short]).is_err());
            assert!(SamplerInstruction::decode(&bytes[..short], version).is_err(), "shorter than itself");
        }
        judge(&sampler);
    }
    if let Ok(Some(media)) = inst.media() {
        let mut out = [0; 512];
        let length = media.encode(&mut out).unwrap();
        assert_eq!(&out[..length], inst.bytes());
        for platform in Platform::ALL {
            assert!(media.validate(platform, &Anonymous).count() <= 64);
            let _ = media.lower(&Runtime::new(platform));
        }
    }
}

/// Checks for every platform that validation is total, and that the lowered message has the lanes and parameters of the instruction.
fn judge(sampler: &SamplerInstruction<'_>) {
    for platform in Platform::ALL {
        for rule in sampler.validate(platform, &Anonymous) {
            assert!(!rule.name().is_empty() && !rule.text().is_empty());
        }
        let thread = ZeroRegisters([0; 256]);
        let whole = sampler.lower_registers(platform, 0xffff_00ff, &Anonymous, &thread);
        let Ok(message) = sampler.lower(&Runtime { aoffimmi: Some(0), ..Runtime::new(platform) }) else {
            assert!(whole.is_err());
            continue;
        };
        assert_eq!(message.simd, sampler.exec_size());
        assert_eq!(message.lanes & !message.all_lanes(), 0);
        assert_eq!(usize::from(message.params), sampler.params.len() + usize::from(sampler.lod.is_some()));
        let reads_state = sampler.aoffimmi.is_some_and(|v| {
            !matches!(
                v.kind,
                VectorKind::Immediate { .. } | VectorKind::General { .. } | VectorKind::Indirect { .. }
            )
        });
        assert_eq!(whole.is_ok(), !reads_state);
        if let Ok((message, payload)) = whole {
            assert_eq!(payload.len(), usize::from(message.params));
        }
    }
}

/// Fuzz target `asm_text`: any text is refused with an offset inside it, or assembles to an instruction whose text assembles to the same
/// bytes; the text of an instruction assembles to its bytes if the text contains all of them, that of a media instruction to its text.
pub fn asm_text(data: &[u8]) {
    text(&String::from_utf8_lossy(data));
    media_text(data);
    let mut u = Unstructured::new(data);
    let Ok(version) = generate::version(&mut u) else { return };
    let Ok(bytes) = generate::sampler(&mut u, version) else { return };
    let Ok(inst) = VisaInstruction::first(&bytes, version) else { return };
    let Ok(Some(sampler)) = inst.sampler() else { return };
    let line = sampler.display(&Anonymous).to_string();
    let mut out = [0; MAX_SAMPLER_BYTES];
    if lost_in_text(&inst).is_none() && sampler.aoffimmi.is_none_or(|offsets| whole_in_text(&offsets)) {
        let length = assemble(&line, &Anonymous, version, &mut out).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(&out[..length], inst.bytes(), "{line}");
    }
    // Also try the text in upper case, as the seed documents have it, and with one character changed.
    text(&line.to_uppercase());
    let mut changed: Vec<char> = line.chars().collect();
    let place = data.len() % changed.len();
    changed[place] = char::from(data[data.len() / 2] & 0x7f);
    text(&changed.into_iter().collect::<String>());
}

/// Checks that the text of a generated media instruction assembles to an instruction with that text. Only without a channel it has no text
/// that is accepted.
fn media_text(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let Ok(version) = generate::version(&mut u) else { return };
    let Ok(bytes) = generate::media(&mut u, version) else { return };
    let Ok(Ok(Some(media))) = VisaInstruction::first(&bytes, version).map(|inst| inst.media()) else {
        return;
    };
    let line = media.display(&Anonymous).to_string();
    let mut out = [0; 512];
    match assemble(&line, &Anonymous, version, &mut out) {
        Ok(length) => {
            let back = VisaInstruction::first(&out[..length], version).unwrap();
            assert_eq!(back.media().unwrap().unwrap().display(&Anonymous).to_string(), line);
        }
        Err(why) => {
            // The low bits of the first field of these opcodes are the channels.
            let channels = bytes[1] & 15;
            assert!(
                media.opcode <= 0x43 && channels == 0 && why.what() == What::ChannelLetters,
                "{line}: {why}"
            );
        }
    }
}

/// Returns true if the text of a vector operand contains all of its bits.
fn whole_in_text(vector: &VectorOperand) -> bool {
    let region = |code: u16| {
        texwire::visa::region_code(texwire::visa::region(code)) == Some(code) && {
            let [vertical, width, horizontal] = texwire::visa::region(code);
            horizontal.is_some() && vertical.is_some() == width.is_some()
        }
    };
    let plain = vector.tag >> 6 == 0 && vector.modifier() <= 5;
    plain
        && match vector.kind {
            // The text of a word has two of the four bytes.
            VectorKind::Immediate { kind, value } => {
                kind < 16 && vector.tag == 5 && (Type::from_code(kind) != Type::Uw || value <= 0xffff)
            }
            VectorKind::General { region: code, .. } => region(code),
            VectorKind::Indirect { region: code, kind, .. } => kind < 16 && region(code),
            VectorKind::Predicate { index } => index <= 0xfff,
            VectorKind::State { class, .. } => class < 2,
            VectorKind::Address { .. } => true,
        }
}

/// Checks that a text is refused with an offset inside it, or assembles to an instruction whose text assembles to the same bytes.
fn text(line: &str) {
    let mut out = [0; 512];
    for version in [Version::V4_1, Version::new(3, 0), Version::new(3, 3), Version::new(3, 6)] {
        match assemble(line, &Anonymous, version, &mut out) {
            Err(error) => {
                assert!(error.offset().is_some_and(|offset| offset <= line.len()), "{line}: {error}")
            }
            Ok(length) => {
                let inst = VisaInstruction::first(&out[..length], version).unwrap();
                assert_eq!(inst.bytes().len(), length);
                let printed = match (inst.sampler(), inst.media()) {
                    (Ok(Some(sampler)), _) => sampler.display(&Anonymous).to_string(),
                    (_, Ok(Some(media))) => media.display(&Anonymous).to_string(),
                    other => panic!("{line}: {other:?}"),
                };
                let mut again = [0; 512];
                let length = assemble(&printed, &Anonymous, version, &mut again)
                    .unwrap_or_else(|e| panic!("{printed}: {e}"));
                assert_eq!(&again[..length], inst.bytes(), "{line} / {printed}");
            }
        }
    }
}

/// A writer with room for a number of bytes.
struct BoundedWriter(usize);

impl std::fmt::Write for BoundedWriter {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 = self.0.checked_sub(text.len()).ok_or(std::fmt::Error)?;
        Ok(())
    }
}

/// Fuzz target `display_total`: everything that decodes can be printed with any names, and a writer without room is reported; explanations
/// and errors can be printed, too.
pub fn display_total(data: &[u8]) {
    let Some((print_mode, mut u)) = print_mode(data) else { return };
    match print_mode {
        PrintMode::Names => {
            let Ok(file) = generate::cisa(&mut u) else { return };
            for routine in Module::parse(&file.bytes).unwrap().routines().flatten() {
                let mut walk = routine.instructions();
                while let Ok(Some(inst)) = walk.next() {
                    prints(&inst, &routine);
                }
            }
        }
        PrintMode::Numbers => {
            let Ok(version) = generate::version(&mut u) else { return };
            for bytes in drawn(&mut u, version).iter().flatten() {
                let Ok(inst) = VisaInstruction::first(bytes, version) else { continue };
                prints(&inst, &Anonymous);
            }
        }
        PrintMode::Explanation => {
            for bytes in drawn(&mut u, Version::V4_1).iter().flatten() {
                let Ok(inst) = VisaInstruction::first(bytes, Version::V4_1) else { continue };
                let explained =
                    crate::wires::visa_explain::explain(inst.bytes(), Platform::Gen11, &mut |_| Ok(()));
                assert_eq!(explained.is_ok(), inst.sampler().is_ok() && inst.media().is_ok());
            }
        }
    }
}

/// Generates a sampler instruction and one of any opcode. Longer sequences are not needed, since no instruction depends on another.
pub(super) fn drawn(u: &mut Unstructured<'_>, version: Version) -> Option<[Vec<u8>; 2]> {
    Some([generate::sampler(u, version).ok()?, generate::instruction(u, version).ok()?])
}

/// Returns what the first byte selects, and the source of the further bytes.
pub(super) fn print_mode(data: &[u8]) -> Option<(PrintMode, Unstructured<'_>)> {
    let mut u = Unstructured::new(data);
    let print_mode = *u.choose(&[PrintMode::Names, PrintMode::Numbers, PrintMode::Explanation]).ok()?;
    Some((print_mode, u))
}

/// What is done with the generated instructions: one thing for each input, so that an execution stays short.
#[derive(Clone, Copy, Debug)]
pub(super) enum PrintMode {
    /// Prints the instructions of a file, with its names.
    Names,
    /// Prints instructions, with the numbers of variables.
    Numbers,
    /// Explains instructions field by field (vISA 4.1).
    Explanation,
}

fn prints(inst: &VisaInstruction<'_>, symbols: &impl Symbols) {
    match (inst.sampler(), inst.media()) {
        (Ok(Some(sampler)), _) => {
            let text = sampler.display(symbols).to_string();
            assert!(text.contains(sampler.operation().name));
            assert!(
                texwire::visa::write_sampler(&sampler, symbols, &mut BoundedWriter(text.len() - 1)).is_err()
            );
            assert!(texwire::visa::write_sampler(&sampler, symbols, &mut BoundedWriter(text.len())).is_ok());
        }
        (_, Ok(Some(media))) => assert!(media.display(symbols).to_string().starts_with(media.name())),
        (Err(error), _) | (_, Err(error)) => assert!(!error.to_string().is_empty()),
        (Ok(None), Ok(None)) => {}
    }
}
