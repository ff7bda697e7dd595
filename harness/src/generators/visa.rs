//! vISA: instructions of every opcode, sampler instructions that mostly decode, whole CISA files.

use crate::emulator::visa::{LayoutStep, layout};
use arbitrary::{Result, Unstructured};
use texwire::visa::Version;

/// Chooses a version: one of those between which encodings differ, 4.1 most often.
pub fn version(u: &mut Unstructured<'_>) -> Result<Version> {
    let (major, minor) = *u.choose(&[
        (4, 1),
        (4, 1),
        (4, 1),
        (4, 0),
        (4, 2),
        (3, 0),
        (3, 1),
        (3, 2),
        (3, 3),
        (3, 4),
        (3, 5),
        (3, 6),
        (3, 7),
        (5, 0),
        (3, 255),
    ])?;
    Ok(Version::new(major, minor))
}

/// Writes the items of an instruction as its layout table lists them.
struct InstructionWriter<'u, 'd> {
    u: &'u mut Unstructured<'d>,
    version: Version,
    bytes: Vec<u8>,
    /// The values written so far, by name, for items that depend on others.
    keys: Vec<(&'static str, u64)>,
    /// Values that the caller wants instead of arbitrary ones.
    wanted: Vec<(&'static str, u64)>,
    /// One index in `wild` is any number.
    wild: u32,
}

impl InstructionWriter<'_, '_> {
    fn put(&mut self, value: u64, bytes: usize) {
        self.bytes.extend(&value.to_le_bytes()[..bytes]);
    }

    fn index(&mut self) -> Result<u64> {
        if self.u.ratio(1, self.wild)? {
            return Ok(u64::from(self.u.arbitrary::<u32>()?));
        }
        Ok(*self.u.choose(&[0, 1, 7, 20, 32, 33, 34, 35, 36, 37, 100, 9999])?)
    }

    fn width(&self) -> usize {
        if self.version.at_least(3, 4) { 4 } else { 2 }
    }

    /// Returns the last value of the item with this name; 0 if there is none.
    fn last(&self, key: &str) -> u64 {
        self.keys.iter().rev().find(|(name, _)| *name == key).map_or(0, |(_, value)| *value)
    }

    fn steps(&mut self, steps: &'static [LayoutStep]) -> Result<()> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &'static LayoutStep) -> Result<()> {
        match step {
            LayoutStep::Item(kind, name) => self.value(kind, name),
            LayoutStep::Select(key, cases) => {
                let value = self.last(key);
                cases.iter().find(|(number, _)| *number == value).map_or(Ok(()), |(_, case)| self.steps(case))
            }
            LayoutStep::Repeat(key, steps) => (0..self.last(key)).try_for_each(|_| self.steps(steps)),
            LayoutStep::When(key, test, steps) if test.passes(self.last(key)) => self.steps(steps),
            LayoutStep::When(..) => Ok(()),
        }
    }

    fn value(&mut self, kind: &str, name: &'static str) -> Result<()> {
        let wanted = self.wanted.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        let bytes = match kind {
            "raw" => {
                let index = self.index()?;
                self.put(index, self.width());
                let offset = *self.u.choose(&[0, 0, 32, 64, 4, 65535])?;
                self.put(offset, 2);
                return Ok(());
            }
            "aoff" if !self.version.at_least(3, 4) => 2,
            "vec" | "aoff" => return self.vector(name),
            "waitmask" if self.version.at_least(3, 1) => return self.vector(name),
            "waitmask" => return Ok(()),
            "ffid" if !self.version.at_least(3, 6) => return Ok(()),
            "samplerop" if self.version.major >= 4 => 2,
            "samplerop" | "ub" | "exec" | "ffid" => 1,
            "uw" | "pred" => 2,
            "varidx" | "strid" => self.width(),
            _ => 4,
        };
        let any = self.u.arbitrary::<u32>()?;
        let value = wanted.unwrap_or(match name {
            // Keep counts and sub-operations near the values that exist.
            "num_labels" | "num_params" => u64::from(any % 9),
            "subop" => u64::from(any % 32),
            "size" => u64::from((any % 6) | ((any >> 8) & 0xf0)),
            _ => u64::from(any),
        });
        let value = value & (u64::MAX >> (64 - 8 * bytes as u32));
        self.keys.push((name, value));
        self.put(value, bytes);
        Ok(())
    }

    fn vector(&mut self, name: &str) -> Result<()> {
        if name == "aoffimmi" && self.u.ratio(3u32, 4u32)? {
            let value = u64::from(self.u.arbitrary::<u16>()?);
            self.bytes.extend([5, 2]);
            self.put(value, 4);
            return Ok(());
        }
        let class = if self.u.ratio(1, 40)? {
            self.u.arbitrary::<u8>()? & 7
        } else {
            *self.u.choose(&[0, 0, 1, 2, 3, 5, 5, 6])?
        };
        let modifier = if self.u.ratio(1, 8)? { self.u.arbitrary::<u8>()? & 0xf8 } else { 0 };
        self.bytes.push(class | modifier);
        match class {
            0 => {
                let index = self.index()?;
                self.put(index, self.width());
                let place = u64::from(self.u.arbitrary::<u16>()?);
                self.put(place, 2);
                self.region()
            }
            1 | 6 => {
                let any = u64::from(self.u.arbitrary::<u32>()?);
                self.put(any, 4);
                Ok(())
            }
            2 => {
                let any = u64::from(self.u.arbitrary::<u16>()?);
                self.put(any, 2);
                Ok(())
            }
            3 => {
                let any = self.u.arbitrary::<u64>()?;
                self.put(any, 5);
                self.bytes.push((any >> 60) as u8);
                self.region()
            }
            _ => {
                let kind = self.u.arbitrary::<u8>()?;
                let kind = if self.u.ratio(1, 8)? { kind } else { kind & 15 };
                self.bytes.push(kind);
                let value = self.u.arbitrary::<u64>()?;
                self.put(value, if matches!(kind & 15, 6 | 11 | 13) { 8 } else { 4 });
                Ok(())
            }
        }
    }

    fn region(&mut self) -> Result<()> {
        let region = *self.u.choose(&[0x121, 0x231, 0x200, 0x121, 0xfff, 0])?;
        let any = u64::from(self.u.arbitrary::<u16>()?);
        let region = if self.u.ratio(1, 8)? { any } else { region };
        self.put(region, 2);
        Ok(())
    }
}

fn make(
    u: &mut Unstructured<'_>,
    opcode: u8,
    version: Version,
    wanted: Vec<(&'static str, u64)>,
    wild: u32,
) -> Result<Vec<u8>> {
    let mut maker = InstructionWriter { u, version, bytes: vec![opcode], keys: Vec::new(), wanted, wild };
    maker.steps(layout(opcode, (version.major, version.minor)).unwrap_or_default())?;
    Ok(maker.bytes)
}

/// Generates an instruction of any opcode with arbitrary fields.
pub fn instruction(u: &mut Unstructured<'_>, version: Version) -> Result<Vec<u8>> {
    let opcode = if u.ratio(1, 3)? {
        *u.choose(&[
            0x40, 0x41, 0x42, 0x43, 0x44, 0x4d, 0x5d, 0x69, 0x6d, 0x6e, 0x6f, 0x70, 0x71, 0x7a, 0x89, 0x8a,
            0x4e, 0x4b,
        ])?
    } else {
        u.int_in_range(1..=0x92)?
    };
    make(u, opcode, version, Vec::new(), 8)
}

/// Generates a media sampler instruction with arbitrary fields.
pub fn media(u: &mut Unstructured<'_>, version: Version) -> Result<Vec<u8>> {
    let opcode = *u.choose(&[0x40, 0x41, 0x42, 0x43, 0x44, 0x4d])?;
    make(u, opcode, version, Vec::new(), 8)
}

/// Generates a sampler instruction whose fields are mostly valid.
pub fn sampler(u: &mut Unstructured<'_>, version: Version) -> Result<Vec<u8>> {
    const OPERATIONS: [(u8, &[u8]); 4] = [
        (0x6d, &[0, 1, 2, 3, 4, 5, 6, 9, 12, 20, 24, 25]),
        (0x6e, &[7, 26, 28, 29]),
        (0x6f, &[8, 13, 14, 15, 16, 17, 18, 21, 23, 40, 45, 46, 47, 48, 53, 55]),
        (0x70, &[10, 11]),
    ];
    let (opcode, operations) = *u.choose(&OPERATIONS)?;
    let mut operation = u64::from(*u.choose(operations)?);
    if u.ratio(1, 30)? {
        operation = u64::from(u.arbitrary::<u8>()?);
    }
    let flags = if u.ratio(1, 8)? { u.arbitrary::<u8>()? } else { u.arbitrary::<u8>()? & 7 };
    let shift = if version.major >= 4 { 8 } else { 5 };
    if opcode != 0x70 {
        operation |= u64::from(flags) << shift;
    }
    let channels: u64 = match opcode {
        0x6f => u.int_in_range(0..=3)?,
        _ => u.int_in_range(1..=15)?,
    };
    let channels = if u.ratio(1, 20)? { u.arbitrary::<u8>()?.into() } else { channels };
    let pred: u64 = match u.int_in_range(0..=9)? {
        0 => u.arbitrary::<u16>()?.into(),
        1 | 2 => u.int_in_range(1..=20)?,
        3 => u64::from(*u.choose(&[0x8001u16, 0x2002, 0xc003, 0x4fff])?),
        _ => 0,
    };
    let most = if opcode == 0x6f { 7 } else { 15 };
    let count = if u.ratio(1, 20)? { u.arbitrary::<u8>()?.into() } else { u.int_in_range(1..=most)? };
    let mask =
        if version == Version::new(3, 0) { u.int_in_range(0..=9u64)? } else { u.int_in_range(0..=15u64)? };
    let exec = mask << 4 | u.int_in_range(0..=5u64)?;
    let exec = if u.ratio(1, 20)? { u.arbitrary::<u8>()?.into() } else { exec };
    let wanted = vec![
        ("op", operation),
        ("size", exec),
        ("channels", channels),
        ("pred", pred),
        ("num_params", count),
    ];
    make(u, opcode, version, wanted, 64)
}

/// The contents of a generated routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutineFacts {
    /// True for a function, false for a kernel.
    pub function: bool,
    /// Its name.
    pub name: Vec<u8>,
    /// Offset of the body.
    pub offset: usize,
    /// Its strings.
    pub strings: Vec<Vec<u8>>,
    /// Name index of every variable.
    pub variables: Vec<u32>,
    /// The numbers of addresses, predicates, labels, samplers, surfaces, inputs and attributes.
    pub counts: [usize; 7],
    /// The code.
    pub code: Vec<u8>,
    /// Offset of the code in the file.
    pub code_offset: usize,
}

/// A CISA file and its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedCisa {
    /// The version.
    pub version: Version,
    /// The file.
    pub bytes: Vec<u8>,
    /// Its routines, kernels first.
    pub routines: Vec<RoutineFacts>,
}

/// Generates a well-formed file.
pub fn cisa(u: &mut Unstructured<'_>) -> Result<GeneratedCisa> {
    let version = version(u)?;
    let kernels = u.int_in_range(0..=2usize)?;
    let functions = u.int_in_range(0..=2usize)?;
    let mut bodies = Vec::new();
    for number in 0..kernels + functions {
        bodies.push(body(u, version, number >= kernels)?);
    }
    let binaries = u.int_in_range(0..=2usize)?;
    // The header is written twice: first to get its length, which does not depend on the offsets in it.
    let header = |starts: &[usize]| {
        let mut out = b"CISA".to_vec();
        out.extend([version.major, version.minor]);
        out.extend((kernels as u16).to_le_bytes());
        for (number, (facts, body, inputs)) in bodies.iter().enumerate() {
            if number == kernels {
                out.extend([0, 0]);
                out.extend((functions as u16).to_le_bytes());
            }
            out.extend(facts.function.then_some(0));
            if version.at_least(3, 7) {
                out.extend((facts.name.len() as u16).to_le_bytes())
            } else {
                out.push(facts.name.len() as u8)
            }
            out.extend(&facts.name);
            out.extend((starts[number] as u32).to_le_bytes());
            out.extend((body.len() as u32).to_le_bytes());
            if !facts.function {
                out.extend(((starts[number] + inputs) as u32).to_le_bytes());
            }
            out.extend([0; 4]);
            if !facts.function {
                out.push(binaries as u8);
                (0..binaries).for_each(|n| out.extend([n as u8, 1, 0, 0, 0, 2, 0, 0, 0]));
            }
        }
        if functions == 0 {
            out.extend([0; 4]);
        }
        out
    };
    let mut starts = vec![0; bodies.len()];
    let mut at = header(&starts).len();
    for (start, (_, body, _)) in starts.iter_mut().zip(&bodies) {
        *start = at;
        at += body.len();
    }
    let mut bytes = header(&starts);
    let mut routines = Vec::new();
    for (start, (mut facts, body, _)) in starts.into_iter().zip(bodies) {
        facts.offset = start;
        facts.code_offset += start;
        bytes.extend(body);
        routines.push(facts);
    }
    Ok(GeneratedCisa { version, bytes, routines })
}

/// Generates the body of a routine. Returns its contents, its bytes and the position of its input table.
fn body(
    u: &mut Unstructured<'_>,
    version: Version,
    function: bool,
) -> Result<(RoutineFacts, Vec<u8>, usize)> {
    let mut out = Vec::new();
    let strings = strings(u, version, &mut out)?;
    out.extend(index(version, 0));
    let variables = variables(u, version, strings.len(), &mut out)?;
    let mut counts = [0; 7];
    counts[..5].copy_from_slice(&tables(u, version, strings.len(), &mut out)?);
    out.push(0);
    let inputs_at = out.len();
    if !function {
        counts[5] = inputs(u, version, &mut out)?;
    }
    let mut code = Vec::new();
    for _ in 0..u.int_in_range(0..=12)? {
        code.extend(if u.ratio(1, 2)? { sampler(u, version)? } else { instruction(u, version)? });
    }
    counts[6] = u.int_in_range(0..=2usize)?;
    let mut tail = vec![counts[6] as u8, 0];
    for _ in 0..counts[6] {
        tail.extend(index(version, 0));
        tail.extend([2, 7, 8]);
    }
    out.extend((code.len() as u32).to_le_bytes());
    let entry = out.len() + 4 + if function { 2 } else { 0 } + tail.len();
    out.extend((entry as u32).to_le_bytes());
    out.extend(function.then_some([1, 2]).into_iter().flatten());
    out.extend(tail);
    let name = strings[0].clone();
    out.extend(&code);
    Ok((
        RoutineFacts { function, name, offset: 0, strings, variables, counts, code, code_offset: entry },
        out,
        inputs_at,
    ))
}

/// Returns an index as a version stores it: 32 bits from 3.4 on, 16 bits before.
fn index(version: Version, value: u32) -> Vec<u8> {
    value.to_le_bytes()[..if version.at_least(3, 4) { 4 } else { 2 }].to_vec()
}

/// Writes the string table. Returns the strings.
fn strings(u: &mut Unstructured<'_>, version: Version, out: &mut Vec<u8>) -> Result<Vec<Vec<u8>>> {
    let mut strings = Vec::new();
    for number in 0..u.int_in_range(1..=6usize)? {
        let odd = u.ratio(1, 6)?;
        strings.push(if odd {
            u.arbitrary::<[u8; 3]>()?.iter().map(|b| b.max(&1)).copied().collect()
        } else {
            format!("V{:04}", number + 32).into_bytes()
        });
    }
    out.extend(index(version, strings.len() as u32));
    strings.iter().for_each(|s: &Vec<u8>| out.extend(s.iter().chain(&[0])));
    Ok(strings)
}

/// Writes the variable table, whose names are among `strings` strings. Returns the name index of every variable.
fn variables(
    u: &mut Unstructured<'_>,
    version: Version,
    strings: usize,
    out: &mut Vec<u8>,
) -> Result<Vec<u32>> {
    let count = u.int_in_range(0..=8u32)?;
    out.extend(index(version, count));
    let mut names = Vec::new();
    for _ in 0..count {
        let name = u.int_in_range(0..=strings as u32)?;
        names.push(name);
        out.extend(index(version, name));
        out.extend([u.arbitrary()?, u.arbitrary()?, u.int_in_range(0..=2)?]);
        out.extend(index(version, *u.choose(&[0, 0, 32, 33, 7])?));
        out.extend([*u.choose(&[0, 32])?, 0, 0]);
        attributes(u, version, out)?;
    }
    Ok(names)
}

/// Writes the tables of addresses, predicates, labels, samplers and surfaces. Returns how many entries each has.
fn tables(
    u: &mut Unstructured<'_>,
    version: Version,
    strings: usize,
    out: &mut Vec<u8>,
) -> Result<[usize; 5]> {
    let mut counts = [0; 5];
    for (table, count) in counts.iter_mut().enumerate() {
        *count = u.int_in_range(0..=3usize)?;
        out.push(*count as u8);
        // The counts of samplers and surfaces have one byte, all other counts two.
        out.extend((table < 3).then_some(0));
        for _ in 0..*count {
            out.extend(index(version, u.int_in_range(0..=strings as u32)?));
            out.extend(vec![1; if table == 2 { 1 } else { 2 }]);
            attributes(u, version, out)?;
        }
    }
    Ok(counts)
}

/// Writes the input table of a kernel. Returns how many entries it has.
fn inputs(u: &mut Unstructured<'_>, version: Version, out: &mut Vec<u8>) -> Result<usize> {
    let count = u.int_in_range(0..=3usize)?;
    out.push(count as u8);
    out.extend(vec![0; if version.at_least(3, 5) { 3 } else { 0 }]);
    for _ in 0..count {
        out.push(u.arbitrary()?);
        out.extend(index(version, 32));
        out.extend(u.arbitrary::<[u8; 4]>()?);
    }
    Ok(count)
}

/// Writes the attributes of a variable or a table entry.
fn attributes(u: &mut Unstructured<'_>, version: Version, out: &mut Vec<u8>) -> Result<()> {
    let count = if u.ratio(1, 4)? { u.int_in_range(0..=2u8)? } else { 0 };
    out.push(count);
    for _ in 0..count {
        out.extend(index(version, 0));
        let size = u.int_in_range(0..=4u8)?;
        out.push(size);
        out.extend(vec![9; size.into()]);
    }
    Ok(())
}
