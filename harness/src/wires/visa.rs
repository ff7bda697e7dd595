//! Intel vISA: CISA files, and raw bytes (one instruction of version 4.1 after another).

use super::output::{DecodeOutput, violations};
use super::wire::{ExplainedSink, Wire};
use super::{listing, visa_explain};
use crate::hex;
use serde_json::{Map, Value, json};
use std::error::Error;
use texwire::Platform;
use texwire::rules::Violations;
use texwire::visa::{
    Anonymous, FIRST_VARIABLE, Instructions, MAX_SAMPLER_BYTES, MediaInstruction, MediaValue, Module,
    PREDEFINED_VARIABLES, RawOperand, Routine, RoutineKind, SamplerInstruction, SamplerOpcode, SymbolIndex,
    Symbols, TexelOffsets, Type, VectorKind, VectorOperand, Version, VisaInstruction, VisaRule,
};

/// Intel vISA.
#[derive(Debug)]
pub struct Visa;

/// Intel vISA.
pub const VISA: Visa = Visa;

impl Wire for Visa {
    fn name(&self) -> &'static str {
        "visa"
    }

    fn about(&self) -> &'static str {
        "Intel vISA (CISA files; raw bytes: one instruction after another)"
    }

    fn platforms(&self) -> &'static [Platform] {
        use Platform::{Gen9, Gen11, XeHpc, XeHpg, XeLp};
        &[Gen11, Gen9, XeLp, XeHpg, XeHpc]
    }

    fn is_native(&self) -> bool {
        false
    }

    fn recognises(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(b"CISA")
    }

    fn decode(&self, bytes: &[u8], out: &mut DecodeOutput<'_>) {
        decode(bytes, out);
    }

    fn explain(
        &self,
        bytes: &[u8],
        platform: Option<Platform>,
        sink: &mut ExplainedSink<'_>,
    ) -> Result<(), Box<dyn Error>> {
        visa_explain::explain(bytes, platform.unwrap_or(Platform::Gen11), sink)
    }

    fn assemble(&self, listing: &str, platform: Platform) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
        listing::assemble(listing, platform, |line| assemble(line, platform))
    }
}

/// Decodes `bytes` into `out`: a CISA file, or raw instructions of version 4.1.
///
/// A kernel or function that does not decode is reported as an error with its offset, and the next one is decoded.
pub fn decode(bytes: &[u8], out: &mut DecodeOutput<'_>) {
    if !bytes.starts_with(b"CISA") {
        let code = Instructions::new(bytes, 0, Version::V4_1);
        return instructions(code, &Anonymous, json!(0), out);
    }
    let module = match Module::parse(bytes) {
        Ok(module) => module,
        Err(error) => return out.error(error.offset().unwrap_or(0), &error.to_string()),
    };
    out.heading(&format!("# CISA {}", module.version()));
    // Kernels and functions are numbered separately.
    let mut count = [0usize; 2];
    for routine in module.routines() {
        let routine = match routine {
            Ok(routine) => routine,
            Err(error) => {
                out.error(error.offset().unwrap_or(0), &error.to_string());
                continue;
            }
        };
        let function = routine.entry.kind == RoutineKind::Function;
        let number = count[usize::from(function)];
        count[usize::from(function)] += 1;
        let name = String::from_utf8_lossy(routine.entry.name).into_owned();
        out.heading(&format!("# {} {name}", if function { "function" } else { "kernel" }));
        let mut memory = vec![0; SymbolIndex::words(&routine)];
        match SymbolIndex::new(&routine, &mut memory) {
            Ok(index) => {
                let kernel = if function { Value::Null } else { json!(number) };
                instructions(routine.instructions(), &index, kernel, out);
            }
            Err(error) => out.error(routine.code_offset(), &error.to_string()),
        }
    }
}

/// Writes every instruction of a routine that the options ask for.
fn instructions<S: Symbols>(
    mut walk: Instructions<'_>,
    symbols: &S,
    kernel: Value,
    out: &mut DecodeOutput<'_>,
) {
    let mut number = 0;
    loop {
        match walk.next() {
            Ok(None) => return,
            Ok(Some(instruction)) => one(&instruction, number, symbols, &kernel, out),
            Err(error) => return out.error(error.offset().unwrap_or(0), &error.to_string()),
        }
        number += 1;
    }
}

fn one<S: Symbols>(
    inst: &VisaInstruction<'_>,
    number: usize,
    symbols: &S,
    kernel: &Value,
    out: &mut DecodeOutput<'_>,
) {
    let line = |text: &str| format!("{:#08x}  {text}", inst.offset());
    match record(inst, symbols) {
        Ok(Some(mut record)) => {
            let mut whole = Map::new();
            whole.insert("kernel".into(), kernel.clone());
            whole.insert("index".into(), json!(number));
            whole.append(&mut record);
            let broken = broken_everywhere(inst, symbols);
            out.rules(inst.offset(), broken);
            violations(&mut whole, broken);
            let text = whole["text"].as_str().unwrap_or_default().to_owned();
            out.emit(|| line(&text), || Value::Object(whole));
        }
        // Media instructions without a reference text and instructions outside the sampler family: only if the options ask for all.
        Ok(None) if out.options.all => {
            let broken = broken_everywhere(inst, symbols);
            out.rules(inst.offset(), broken);
            out.emit(
                || match inst.media() {
                    Ok(Some(media)) => line(&media.display(symbols).to_string()),
                    _ => line(inst.mnemonic()),
                },
                || {
                    let mut record = Map::new();
                    record.insert("kernel".into(), kernel.clone());
                    record.insert("index".into(), json!(number));
                    record.insert("offset".into(), json!(inst.offset()));
                    record.insert("length".into(), json!(inst.bytes().len()));
                    record.insert("opcode".into(), json!(inst.opcode()));
                    record.insert("instruction".into(), json!(inst.mnemonic()));
                    violations(&mut record, broken);
                    Value::Object(record)
                },
            );
        }
        Ok(None) => {}
        Err(error) => out.error(error.offset().unwrap_or(inst.offset()), &error.to_string()),
    }
}

/// Returns the rules that the instruction breaks on every platform, as the file does not say which one it is for.
pub(crate) fn broken_everywhere<S: Symbols>(inst: &VisaInstruction<'_>, symbols: &S) -> Violations<VisaRule> {
    let on = |platform| match (inst.sampler(), inst.media()) {
        (Ok(Some(sampler)), _) => sampler.validate(platform, symbols),
        (_, Ok(Some(media))) => media.validate(platform, symbols),
        _ => Violations::NONE,
    };
    let [first, others @ ..] = [Platform::Gen11, Platform::Gen9, Platform::XeLp, Platform::XeHpg].map(on);
    let mut everywhere = Violations::NONE;
    for rule in first {
        everywhere.add(rule, others.iter().all(|other| other.contains(rule)));
    }
    everywhere
}

/// Returns the record of an instruction of the sampler family. `None` for all other instructions, and for the media
/// instructions 0x43, 0x44 and 0x4d.
///
/// # Errors
/// Those of decoding, with the offset in the file.
pub fn record<S: Symbols>(
    inst: &VisaInstruction<'_>,
    symbols: &S,
) -> texwire::error::Result<Option<Map<String, Value>>> {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| {
        map.insert(key.into(), value);
    };
    put("offset", json!(inst.offset()));
    put("length", json!(inst.bytes().len()));
    put("bytes", json!(hex::encode(inst.bytes())));
    put("opcode", json!(inst.opcode()));
    put("instruction", json!(inst.mnemonic()));
    if let Some(sampler) = inst.sampler()? {
        map.extend(sampler_fields(&sampler, symbols));
        map.insert("text".into(), json!(sampler.display(symbols).to_string()));
        return Ok(Some(map));
    }
    match inst.media()? {
        Some(media) if media.opcode <= 0x42 => {
            map.extend(media_fields(&media, symbols));
            map.insert("text".into(), json!(media.display(symbols).to_string()));
            Ok(Some(map))
        }
        _ => Ok(None),
    }
}

fn sampler_fields<S: Symbols>(sampler: &SamplerInstruction<'_>, symbols: &S) -> Map<String, Value> {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| {
        map.insert(key.into(), value);
    };
    let info = sampler.opcode == SamplerOpcode::Info;
    if !info {
        put("op_field", json!(sampler.op_field));
    }
    put("op", json!(sampler.operation().number));
    put("op_name", json!(sampler.operation().name));
    if !info {
        put("pixel_null_mask", json!(sampler.null_mask()));
        put("cps", json!(sampler.cps()));
        put("non_uniform", json!(sampler.non_uniform()));
    }
    put("exec_size", json!(sampler.exec_size()));
    put("exec_mask", json!(sampler.exec_mask().name()));
    if !info {
        let pred = sampler.predicate();
        put(
            "pred",
            pred.map_or(
                Value::Null,
                |p| json!({"id": p.index, "inverse": p.inverse, "control": p.control.name()}),
            ),
        );
    }
    put("channels", json!(sampler.channels));
    if let Some(offsets) = &sampler.aoffimmi {
        let mut value = vector(offsets, symbols);
        if let (Some(map), VectorKind::Immediate { value, .. }) = (value.as_object_mut(), offsets.kind) {
            let TexelOffsets { uvr: [u, v, r], high_sampler } = TexelOffsets::from_bits(value as u16);
            map.extend(
                [("u", json!(u)), ("v", json!(v)), ("r", json!(r)), ("bit15", json!(u8::from(high_sampler)))]
                    .map(|(key, value)| (key.to_owned(), value)),
            );
        }
        put("aoffimmi", value);
    }
    if sampler.opcode.has_sampler() {
        put("sampler", json!(sampler.sampler));
    }
    put("surface", json!(sampler.surface));
    if let Some(lod) = sampler.lod {
        put("lod", raw(lod, symbols));
    }
    put("dst", raw(sampler.dst, symbols));
    if !info {
        put("num_params", json!(sampler.params.len()));
        put("params", sampler.params.map(|param| raw(param, symbols)).collect());
    }
    map
}

fn media_fields<S: Symbols>(media: &MediaInstruction<'_>, symbols: &S) -> Map<String, Value> {
    let value = |value| match value {
        MediaValue::Byte(byte) => json!(byte),
        MediaValue::Vector(operand) => vector(&operand, symbols),
        MediaValue::Raw(operand) => raw(operand, symbols),
    };
    media.fields().map(|field| (field.name.to_owned(), value(field.value))).collect()
}

/// Returns the name and the type of a variable, as records have them.
fn variable<S: Symbols>(index: u32, symbols: &S) -> (String, Value) {
    if index < FIRST_VARIABLE {
        let name = PREDEFINED_VARIABLES.get(index as usize).copied().unwrap_or_default();
        return (name.to_owned(), Value::Null);
    }
    let found = symbols.variable(index);
    let kind = found.and_then(|v| v.kind).map_or(Value::Null, |kind| json!(kind.name()));
    let name = found.map_or_else(String::new, |v| String::from_utf8_lossy(v.name).into_owned());
    (if name.is_empty() { format!("V{index:04}") } else { name }, kind)
}

fn raw<S: Symbols>(operand: RawOperand, symbols: &S) -> Value {
    let (name, kind) = variable(operand.index, symbols);
    json!({"index": operand.index, "offset": operand.offset, "name": name, "type": kind})
}

fn vector<S: Symbols>(operand: &VectorOperand, symbols: &S) -> Value {
    let tag = operand.tag;
    match operand.kind {
        VectorKind::Immediate { kind, value } => {
            json!({"tag": tag, "type": Type::from_code(kind).name(), "value": value, "class": "immediate"})
        }
        VectorKind::General { index, row, column, region } => {
            json!({"tag": tag, "var": index, "row": row, "col": column,
            "region": region, "class": "general", "name": variable(index, symbols).0})
        }
        VectorKind::Address { index, offset, width } => {
            json!({"tag": tag, "index": index, "offset": offset, "width": width, "class": "address"})
        }
        VectorKind::Predicate { index } => json!({"tag": tag, "index": index, "class": "predicate"}),
        VectorKind::Indirect { index, offset, bytes, kind, region } => {
            json!({"tag": tag, "addr_index": index,
            "addr_offset": offset, "byte_offset": bytes, "type": Type::from_code(kind).name(), "region": region,
            "class": "indirect"})
        }
        VectorKind::State { class, index, offset } => {
            json!({"tag": tag, "state_class": class, "index": index, "offset": offset, "class": "state"})
        }
    }
}

/// Returns the offsets of a routine and the counts of its declarations, with the keys of the ground truth's container facts.
pub fn routine_facts(routine: &Routine<'_>) -> Value {
    json!({"name": String::from_utf8_lossy(routine.entry.name), "offset": routine.entry.offset, "size": routine.entry.size,
        "entry": routine.entry_offset, "code": [routine.code_offset(), routine.code_offset() + routine.code().len()],
        "strings": routine.string_count(), "variables": routine.variables.len(), "addresses": routine.addresses.len(),
        "predicates": routine.predicates.len(), "labels": routine.labels.len(), "samplers": routine.samplers.len(),
        "surfaces": routine.surfaces.len(), "inputs": routine.inputs.len(), "attributes": routine.attributes.len()})
}

/// Returns a part of the encoding that the instruction's text cannot express. `None`: the text says everything.
pub fn lost_in_text(inst: &VisaInstruction<'_>) -> Option<&'static str> {
    let sampler = inst.sampler().ok().flatten()?;
    // These rules are the same on every platform and need no declarations.
    let broken = sampler.validate(Platform::Gen11, &Anonymous);
    [
        (broken.contains(VisaRule::OpReserved), "unused bits of the operation"),
        (broken.contains(VisaRule::FlagElsewhere), "CPS and divS bits outside 3d_sample"),
        (broken.contains(VisaRule::ChannelsReserved), "unused bits of the channels"),
        (broken.contains(VisaRule::PredReserved), "unused bit of the predicate"),
        (matches!(sampler.operation().number, 40 | 48), "operations 40 and 48, spelled like 17 and 18"),
        (inst.version() == Version::new(3, 0) && sampler.exec >> 4 == 9, "default mask of 3.0"),
        (
            sampler
                .lod
                .into_iter()
                .chain([sampler.dst])
                .chain(sampler.params)
                .any(|raw| raw.is_null() && raw.offset != 0),
            "offset of %null",
        ),
    ]
    .into_iter()
    .find_map(|(lost, why)| lost.then_some(why))
}

/// Assembles `text` for version 4.1.
///
/// Without a container, names resolve as compilers number them: `V<n>` is variable n (from 32 on), `T<n>` surface n,
/// `S<n>` sampler n, `P<n>` predicate n; predefined names are `%null`, `%r0`, `%slm`, `T1`, `%bss` and so on.
///
/// # Errors
/// Says the column and what was expected.
pub fn assemble(text: &str, platform: Platform) -> Result<Vec<u8>, Box<dyn Error>> {
    if matches!(platform, Platform::Maxwell | Platform::Pascal) {
        return Err(format!("vISA is not a dialect of {platform}").into());
    }
    let mut out = [0; MAX_SAMPLER_BYTES];
    let length = texwire::visa::assemble(text, &Anonymous, Version::V4_1, &mut out)
        .map_err(|error| listing::column(text, error))?;
    Ok(out[..length].to_vec())
}
