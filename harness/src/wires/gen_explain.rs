//! Every field of a Gen native instruction in words.

use super::ExplainedSink;
use super::gen_send::{comment, instruction_text};
use crate::explain::instructions::SEND;
use crate::explain::{Explained, FieldLine, descriptor};
use std::error::Error;
use texwire::Platform;
use texwire::enums::Enumeration;
use texwire::eu::fields::{InstructionField, SendFields};
use texwire::eu::{DescriptorSource, GenRule, Instruction, OperandKind, SendInstruction, Stream};
use texwire::rules::Rule as _;

/// Explains every field of the instructions in `bytes`: bits, raw value, meaning, broken rules.
///
/// # Errors
/// Says where `bytes` do not decode, or what `sink` says.
pub fn explain(bytes: &[u8], platform: Platform, sink: &mut ExplainedSink<'_>) -> Result<(), Box<dyn Error>> {
    let mut stream = Stream::new(platform, bytes);
    while let Some(instruction) = stream.next()? {
        match instruction.send()? {
            Some(send) => explain_send(&instruction, &send).into_iter().try_for_each(&mut *sink)?,
            None => sink(explain_other(&instruction))?,
        }
    }
    Ok(())
}

/// Returns the name of the opcode, `undefined` if the platform does not define it.
fn opcode_name(instruction: &Instruction) -> &'static str {
    instruction.operation().map_or("undefined", |opcode| opcode.name())
}

/// Returns the bits that hold register file and type of the destination and of sources 0 to 2. `third`: source 2, if there is one.
fn operand_places(platform: Platform, third: Option<OperandKind>) -> [&'static str; 4] {
    match (platform, third) {
        (Platform::Gen9 | Platform::Gen11, None) => ["40:35", "46:41", "94:89", ""],
        (Platform::Gen9, Some(_)) => ["48:46", "45:43", "45:43", "45:43"],
        (Platform::Gen11, Some(_)) => ["36, 48:46", "43, 66:64", "44, 87:85", "45, 108:106"],
        (_, None) => ["50, 39:36", "46, 66, 43:40", "47, 98, 91:88", ""],
        (_, Some(_)) => ["50, 38:36", "46, 66, 42:40", "98, 90:88", "47, 114, 82:80"],
    }
}

fn explain_other(instruction: &Instruction) -> Explained {
    let length = instruction.len();
    let compacted = if instruction.is_compacted() { ", compacted" } else { "" };
    let summary = format!("at {:#x}, {length} bytes{compacted}", instruction.offset());
    let mut explained = Explained::new(opcode_name(instruction), summary);
    let text = &mut explained.fields;
    explain_fields(text, instruction);
    explained
}

fn explain_fields(text: &mut Vec<FieldLine>, instruction: &Instruction) {
    row(text, "6:0", "opcode", instruction.opcode().into(), opcode_name(instruction));
    row(text, "29", "compacted", instruction.is_compacted().into(), "");
    let Ok(common) = instruction.common() else { return };
    let gen12 = matches!(instruction.platform(), Platform::XeLp | Platform::XeHpg);
    let place = |old: &'static str, new: &'static str| if gen12 { new } else { old };
    let e = &common.execution;
    // The bits are those of the full encoding: a compacted instruction gets these fields from the compaction tables.
    row(text, place("23:21", "18:16"), "execution size", e.size.into(), "channels");
    row(text, place("13:11", "21:19"), "channel offset", e.offset.into(), "first channel");
    row(text, place("34", "31"), "NoMask", e.no_mask.into(), "");
    let predicate = e.predicate;
    row(text, place("19:16", "27:24"), "predicate control", predicate.code().into(), predicate.name());
    row(text, place("20", "28"), "predicate inverse", e.inverse.into(), "");
    let flag = format!("f{}.{}", e.flag.0, e.flag.1);
    let code = u32::from(e.flag.0) << 1 | u32::from(e.flag.1);
    row(text, place("33:32", "23:22"), "flag register", code, &flag);
    let thread = common.thread;
    row(text, place("15:14", "32"), "thread control", thread.0.into(), thread.name().unwrap_or(""));
    if gen12 {
        row(text, "15:8", "software scoreboard", common.scoreboard.into(), "");
    } else {
        let dependency = common.dependency;
        row(text, "10:9", "dependency control", dependency.0.into(), dependency.name().unwrap_or(""));
    }
    let modifier = place("27:24", "95:92");
    if let Some(condition) = common.condition {
        let name = condition.name().unwrap_or("reserved");
        row(text, modifier, "conditional modifier", condition.0.into(), name);
    }
    if let Some(function) = common.function {
        row(text, modifier, "math function", function.0.into(), function.name().unwrap_or("reserved"));
    }
    row(text, place("28", "33"), "accumulator write", common.accumulator_write.into(), "");
    row(text, place("31", "34"), "saturate", common.saturate.into(), "");
    let kinds = [common.dst, common.src0, common.src1, common.src2];
    let names = ["destination", "source 0", "source 1", "source 2"];
    for ((kind, name), bits) in
        kinds.into_iter().zip(names).zip(operand_places(instruction.platform(), kinds[3]))
    {
        let Some(kind) = kind else { continue };
        let data_type = kind.data_type.map_or("reserved type", |t| t.name());
        let meaning = format!("{} {data_type}", kind.file.name().unwrap_or("reserved"));
        row(text, bits, name, kind.file.0.into(), &meaning);
    }
}

/// Explains a send and, if it has one, its sampler message descriptor.
fn explain_send(instruction: &Instruction, send: &SendInstruction) -> Vec<Explained> {
    let fields = send.form.fields();
    let word = instruction.word();
    let mut explained = Explained::new(send.mnemonic(), instruction_text(send));
    explained.raw = vec![crate::hex::encode(&word.to_bytes())];
    for field in fields.all().filter(|field| field.exists()) {
        let meaning = meaning(send, fields, field);
        row(&mut explained.fields, &bits(field), field.name, field.get(word), &meaning);
    }
    let broken = send.validate();
    if broken.contains(GenRule::ReservedBits) || broken.contains(GenRule::AccessMode) {
        let rest = crate::hex::encode(&send.rest.to_bytes());
        explained.fields.push(FieldLine::new("", "(no field)", 0, &rest, "Bits that no field has."));
    }
    explained.judge(broken, SEND);
    explained.notes.push(comment(send));
    let mut all = vec![explained];
    if let Some(d) = send.sampler_descriptor() {
        let summary = format!("{:#010x}", d.0);
        let mut explained = Explained::new("message descriptor", summary);
        explained.fields = descriptor::fields(d, send.platform);
        broken.for_each(|rule| descriptor::mark(&mut explained, rule.name()));
        all.push(explained);
    }
    all
}

fn row(text: &mut Vec<FieldLine>, bits: &str, name: &str, raw: u32, meaning: &str) {
    text.push(FieldLine::new(bits, name, raw.into(), meaning, ""));
}

/// Returns the bit ranges of a field, as in `126:96` or `88:85+83:80`: the highest piece first.
fn bits(field: &InstructionField) -> String {
    let mut pieces: Vec<_> = field.pieces.iter().collect();
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.to));
    let range = |at: u8, width: u8| {
        if width == 1 { at.to_string() } else { format!("{}:{at}", u32::from(at) + u32::from(width) - 1) }
    };
    pieces.iter().map(|piece| range(piece.at, piece.width)).collect::<Vec<_>>().join("+")
}

/// Returns the meaning of the value of `field` in `send`; empty if the raw value says it.
fn meaning(send: &SendInstruction, fields: &SendFields, field: &InstructionField) -> String {
    let e = &send.execution;
    let is = |other: &InstructionField| field.name == other.name;
    let known = |immediate: Option<u32>, register: DescriptorSource| match (immediate, register) {
        (Some(value), _) => format!("{value:#010x}"),
        (None, DescriptorSource::Register(sub)) => format!("in a0.{sub}"),
        _ => String::new(),
    };
    if is(&fields.opcode) {
        send.mnemonic().to_owned()
    } else if is(&fields.exec) {
        format!("{} channels", e.size)
    } else if is(&fields.channel_offset) {
        format!("from channel {}", e.offset)
    } else if is(&fields.predicate) {
        match e.predicate.code() {
            0 => "not predicated".into(),
            1 => "one flag bit per channel".into(),
            _ => e.predicate.name().into(),
        }
    } else if is(&fields.flag) {
        format!("f{}.{}", e.flag.0, e.flag.1)
    } else if is(&fields.sfid) {
        match send.shared_function() {
            Some(function) => texwire::eu::text::function_name(send.platform, function).into(),
            None => "in the extended descriptor's register".into(),
        }
    } else if is(&fields.no_mask) {
        if e.no_mask { "all channels".into() } else { "the dispatch mask".into() }
    } else if is(&fields.dst_type) {
        send.dst_type.name()[1..].into()
    } else if is(&fields.src0_type) {
        send.src0_type.name()[1..].into()
    } else if is(&fields.desc) {
        known(send.descriptor.immediate(), send.descriptor)
    } else if is(&fields.ex_desc) {
        known(send.extended_descriptor(), send.extended)
    } else {
        String::new()
    }
}
