//! NVIDIA Maxwell and Pascal: code sections and TXQ.

use super::listing;
use super::output::{DecodeOutput, violations};
use super::wire::{ExplainedSink, Wire};
use crate::containers::cubin;
use crate::explain::instructions::TXQ;
use crate::explain::{Explained, FieldLine};
use crate::hex;
use serde_json::{Map, Value, json};
use std::error::Error;
use texwire::Platform;
use texwire::rules::Violations;
use texwire::txq::{DualIssue, Phase, RZ, SchedulingControl, Section, Slot, Txq, TxqRule};

/// NVIDIA Maxwell and Pascal.
#[derive(Debug)]
pub struct Maxwell;

/// NVIDIA Maxwell and Pascal.
pub const MAXWELL: Maxwell = Maxwell;

impl Wire for Maxwell {
    fn name(&self) -> &'static str {
        "maxwell"
    }

    fn about(&self) -> &'static str {
        "NVIDIA Maxwell and Pascal code sections"
    }

    fn platforms(&self) -> &'static [Platform] {
        use Platform::{Maxwell, Pascal};
        &[Maxwell, Pascal]
    }

    fn is_native(&self) -> bool {
        true
    }

    fn recognises(&self, bytes: &[u8]) -> bool {
        cubin::is_cubin(bytes)
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
        explain(bytes, platform.unwrap_or(Platform::Maxwell), sink)
    }

    fn assemble(&self, listing: &str, platform: Platform) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
        listing::assemble(listing, platform, assemble)
    }
}

/// Decodes `bytes`, a cubin or a bare code section, into `out`.
///
/// A TXQ whose query is not defined is reported as an error at its slot, and decoding continues. Offsets
/// count from the start of the code section.
pub fn decode(bytes: &[u8], out: &mut DecodeOutput<'_>) {
    if !cubin::is_cubin(bytes) {
        return decode_section(bytes, None, out);
    }
    match cubin::code_sections(bytes) {
        Err(why) => out.error(0, &why.to_string()),
        Ok(sections) => {
            for code in sections {
                out.heading(&format!("{}:", code.kernel));
                decode_section(code.bytes, Some(&code.kernel), out);
            }
        }
    }
}

fn decode_section(bytes: &[u8], kernel: Option<&str>, out: &mut DecodeOutput<'_>) {
    let mut section = Section::new(bytes);
    loop {
        let next = if out.options.all { section.next() } else { section.next_txq() };
        let slot = match next {
            Ok(Some(slot)) => slot,
            Ok(None) => return,
            Err(why) => return out.error(why.offset().unwrap_or_default(), &why.to_string()),
        };
        let finish = |mut record: Map<String, Value>| {
            if let Some(kernel) = kernel {
                record.insert("kernel".into(), json!(kernel));
            }
            Value::Object(record)
        };
        match slot.txq() {
            Ok(Some(txq)) => {
                let mut record = record(&slot, txq);
                let broken = broken_everywhere(txq);
                violations(&mut record, broken);
                out.rules(slot.offset, broken);
                out.emit(|| line(&slot, &txq.to_string()), || finish(record));
            }
            Ok(None) => out.emit(
                || line(&slot, &format!("{:#018x} /* {:#08x} */;", slot.word, slot.control.raw())),
                || finish(slot_record(&slot)),
            ),
            Err(why) => out.error(slot.offset, &why.to_string()),
        }
    }
}

/// Returns the rules that an instruction breaks on both Maxwell and Pascal, as a file does not say which of them it is for.
pub(crate) fn broken_everywhere(txq: Txq) -> Violations<TxqRule> {
    let pascal = txq.validate(Platform::Pascal);
    let mut broken = Violations::NONE;
    for rule in txq.validate(Platform::Maxwell) {
        broken.add(rule, pascal.contains(rule));
    }
    broken
}

/// Returns a line as in `/*0128*/   TXQ.B.P R11, R18, TEX_HEADER_DIMENSION, 0x0, 0x1;`, with the braces of dual issue.
fn line(slot: &Slot, text: &str) -> String {
    let (open, text) = match slot.issue {
        DualIssue::Single => (" ", text.to_owned()),
        DualIssue::First => ("{", text.to_owned()),
        DualIssue::Second => (" ", text.trim_end_matches(';').to_owned() + " }"),
    };
    format!("/*{:04x}*/ {open} {text}", slot.offset)
}

fn slot_record(slot: &Slot) -> Map<String, Value> {
    let Value::Object(record) = json!({
        "off": slot.offset,
        "word": format!("{:#018x}", slot.word),
        "bytes": hex::encode(&slot.word.to_le_bytes()),
        "ctl": control_record(slot.control),
    }) else {
        return Map::new();
    };
    record
}

/// Returns the record of a TXQ with the keys of the ground truth: `off`, `word`, `bytes`, `ctl`, `text`, `issue`, `decoded`.
pub fn record(slot: &Slot, txq: Txq) -> Map<String, Value> {
    let mut record = slot_record(slot);
    record.insert("text".into(), json!(txq.to_string()));
    record.insert("issue".into(), json!(slot.issue.brace()));
    record.insert("decoded".into(), decoded_record(txq));
    record
}

/// Returns the parts of the control field, by name.
pub fn control_record(control: SchedulingControl) -> Value {
    json!({
        "stall": control.stall(),
        "yield_bit": u8::from(control.yield_bit()),
        "wr": control.wr(),
        "rd": control.rd(),
        "wait": control.wait(),
        "reuse": control.reuse(),
    })
}

/// Returns the instruction's fields, by name.
pub fn decoded_record(txq: Txq) -> Value {
    json!({
        "op": if txq.bindless() { "TXQ.B" } else { "TXQ" },
        "pred": txq.guard().predicate,
        "pred_neg": txq.guard().negate,
        "rd": txq.rd(),
        "ra": txq.ra(),
        "query": txq.query().raw(),
        "query_name": txq.query().name(),
        "ptr_idx": txq.fields().index,
        "wmsk": txq.mask().mask(),
        "nodep": txq.nodep(),
        "phase": phase_name(txq.control().phase()),
        "ignored_bits": format!("{:#018x}", txq.ignored_bits()),
    })
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::None => "none",
        Phase::T => "T",
        Phase::P => "P",
        Phase::Invalid3 => "invalid3",
    }
}

/// Assembles `text` to the eight bytes of the instruction word.
///
/// The control field (phase, scoreboards, schedule) lives in the group's control word, not in these bytes: where
/// the text says something about it, a note on stderr gives the field to put there.
///
/// # Errors
/// Says the column and what was expected.
pub fn assemble(text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let txq = parse(text)?;
    if txq.control() != SchedulingControl::NEUTRAL {
        let control = txq.control().raw();
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("note: control field of the slot: {control:#08x}\n"),
        );
    }
    Ok(txq.word().to_le_bytes().to_vec())
}

/// Parses the text of an instruction; errors name the column (from 1).
///
/// # Errors
/// What was expected, and where.
pub fn parse(text: &str) -> Result<Txq, String> {
    Txq::parse(text).map_err(|why| {
        let column = why.offset().unwrap_or_default() + 1;
        let rest = text.get(column - 1..).unwrap_or_default();
        let found: String = rest.chars().take(20).collect();
        let found = if found.is_empty() { "the end".into() } else { format!("`{found}`") };
        format!("column {column}: {} expected ({}), found {found}", why.what().text(), why.what().expected())
    })
}

/// Explains every field: bits, raw value, meaning, broken rules.
///
/// `bytes`: an instruction word (8 bytes, neutral control field), a word and its control field as u32
/// (12 bytes), or whole groups (multiples of 32 bytes).
///
/// # Errors
/// Says where `bytes` do not decode, or what `sink` says.
pub fn explain(bytes: &[u8], platform: Platform, sink: &mut ExplainedSink<'_>) -> Result<(), Box<dyn Error>> {
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let alone =
        |word: u64, control: SchedulingControl| Slot { offset: 0, word, control, issue: DualIssue::Single };
    if let Ok(bytes) = bytes.try_into() {
        return sink(explain_slot(&alone(word(bytes), SchedulingControl::NEUTRAL), platform)?);
    }
    if let (Some((first, rest)), 12) = (bytes.split_first_chunk::<8>(), bytes.len()) {
        let control = SchedulingControl::new(u32::from_le_bytes(rest.try_into()?));
        return sink(explain_slot(&alone(word(first), control), platform)?);
    }
    let mut section = Section::new(bytes);
    while let Some(slot) = section.next()? {
        sink(explain_slot(&slot, platform)?)?;
    }
    Ok(())
}

fn explain_slot(slot: &Slot, platform: Platform) -> Result<Explained, Box<dyn Error>> {
    let Some(txq) = slot.txq()? else {
        let said = line(slot, &format!("{:#018x}: another instruction (no TXQ)", slot.word));
        return Ok(Explained::new("instruction", said));
    };
    let mut explained = Explained::new("TXQ", line(slot, &txq.to_string()));
    explained.raw = vec![format!("{:#018x}", txq.word()), format!("{:#08x}", txq.control().raw())];
    let register = |number: u8| if number == RZ { "RZ".to_owned() } else { format!("R{number}") };
    let control = txq.control();
    let guard = txq.guard().to_string();
    let index = match txq.bindless() {
        false => format!("handle at byte {:#x} of the constant bank", u32::from(txq.index()) * 4),
        true => "dead: the handle is in Ra".to_owned(),
    };
    let query = match (txq.query().name(), txq.query().takes_argument()) {
        (Some(name), true) => format!("{name}, takes a register"),
        (Some(name), false) => name.to_owned(),
        (None, _) => format!("number {}, undocumented", txq.query().number()),
    };
    let scoreboard = |number: u8| if number == 7 { "none".to_owned() } else { format!("SB{number}") };
    let word_fields = [
        (0, 8, "Rd", register(txq.rd())),
        (8, 8, "Ra", format!("{}, {} read", register(txq.ra()), txq.sources())),
        (16, 4, "guard", if guard.is_empty() { "always".into() } else { guard.trim().to_owned() }),
        (22, 6, "query", query),
        (31, 4, "wmsk", format!("{:?}, {} written", txq.mask(), txq.destinations())),
        (36, 13, "tsPtrIdx", index),
        (49, 1, "NODEP", txq.nodep().to_string()),
        (51, 13, "opcode", if txq.bindless() { "TXQ.B".into() } else { "TXQ".to_owned() }),
    ];
    let control_fields = [
        (0, 4, "stall", format!("{} cycles", control.stall())),
        (4, 1, "yield", if control.opens_pair() { "opens a dual-issued pair".into() } else { String::new() }),
        (5, 3, "wr", scoreboard(control.wr())),
        (8, 3, "rd", scoreboard(control.rd())),
        (11, 6, "wait", format!("mask {:#x}", control.wait())),
        (17, 2, "phase", phase_name(control.phase()).to_owned()),
        (19, 2, "reuse", "no meaning for TXQ".to_owned()),
    ];
    let fields = |place: &str, word: u64, fields: &[(u32, u32, &str, String)]| -> Vec<FieldLine> {
        let line = |(lo, width, name, meaning): &(u32, u32, &str, String)| {
            let bits = format!("{place} {}:{lo}", lo + width - 1);
            FieldLine::new(&bits, name, texwire::bits::get(word, *lo, *width), meaning, "")
        };
        fields.iter().map(line).collect()
    };
    explained.fields = fields("word", txq.word(), &word_fields);
    explained.fields.extend(fields("control", control.raw().into(), &control_fields));
    if txq.ignored_bits() != 0 {
        let bits = format!("{:#018x}", txq.ignored_bits());
        explained.fields.push(FieldLine::new(
            "word",
            "(no field)",
            txq.ignored_bits(),
            &bits,
            "Bits without a meaning.",
        ));
    }
    explained.judge(txq.validate(platform), TXQ);
    Ok(explained)
}
