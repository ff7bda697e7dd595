//! Checks ground truth of TXQ: whole code sections, single words, texture headers, handles.
//!
//! The emulator is compared with the same truth, and the text of each TXQ must parse back to it.

use super::beside;
use super::tally::{Checker, Tally};
use crate::check::cases::headers::{self, QueryEngine};
use crate::emulator;
use crate::wires::maxwell;
use serde_json::Value;
use std::error::Error;
use std::io::Read;
use std::path::Path;
use texwire::state::nv::{Handle, Limits};
use texwire::txq::{FullText, SchedulingControl, Section, Slot, Txq};

/// The checker.
pub const CHECKER: Checker = Checker { name: "txq", claims, check };

const FILES: [&str; 3] = ["sections.json", "cases.json", "headers.json"];

fn claims(path: &Path) -> bool {
    let known = path.file_name().is_some_and(|name| FILES.iter().any(|file| name == *file));
    let mut head = [0; 200];
    known
        && std::fs::File::open(path)
            .and_then(|mut file| file.read(&mut head))
            .is_ok_and(|length| String::from_utf8_lossy(&head[..length]).contains("\"txq-"))
}

fn check(path: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let file: Value = serde_json::from_str(&text)?;
    for section in list(&file, "sections") {
        let bytes = beside::read(&path.with_file_name(string(&section["bin"])))?;
        check_section(section, &bytes, tally);
    }
    for case in list(&file, "cases") {
        check_case(case, tally)?;
    }
    if file["headers"].is_array() {
        check_headers(&text, tally)?;
    }
    for handle in list(&file, "handles") {
        tally.note("txq handles", check_handle(handle));
    }
    Ok(())
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> Result<u64, String> {
    let hex = value.as_str().and_then(|text| text.strip_prefix("0x"));
    hex.and_then(|hex| u64::from_str_radix(hex, 16).ok()).ok_or_else(|| format!("{value} is no 0x number"))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: T, want: T) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what}: {got:?}, want {want:?}")) }
}

/// Checks every slot of a section, and that the walk over TXQ finds each of them and nothing else.
fn check_section(truth: &Value, bytes: &[u8], tally: &mut Tally) {
    let id = string(&truth["id"]);
    let mut walk = Section::new(bytes);
    let slots: Vec<Slot> = std::iter::from_fn(|| walk.next().ok().flatten()).collect();
    let want = list(truth, "slots");
    tally.note("txq section slots", same(&format!("{id}: number of slots"), slots.len(), want.len()));
    for (slot, row) in slots.iter().zip(want) {
        let got = serde_json::json!([
            slot.offset,
            format!("{:#018x}", slot.word),
            format!("{:#08x}", slot.control.raw()),
            row[3],
            slot.issue.brace(),
        ]);
        tally.note("txq section slots", same(id, &got, row));
    }
    let mut walk = Section::new(bytes);
    let found: Vec<Slot> = std::iter::from_fn(|| walk.next_txq().ok().flatten()).collect();
    let want = list(truth, "txq");
    tally.note("txq sections", same(&format!("{id}: number of TXQ"), found.len(), want.len()));
    for (slot, row) in found.iter().zip(want) {
        if let Ok(Some(txq)) = slot.txq() {
            tally.broken(maxwell::broken_everywhere(txq), || format!("{id} at {:#x}", slot.offset));
        }
        tally.note(
            "txq sections",
            section_txq(slot, row).map_err(|why| format!("{id}@{}: {why}", slot.offset)),
        );
    }
}

fn section_txq(slot: &Slot, row: &Value) -> Result<(), String> {
    let txq = slot.txq().map_err(|why| why.to_string())?.ok_or("no TXQ")?;
    let record = maxwell::record(slot, txq);
    for (key, want) in row.as_object().into_iter().flatten() {
        same(key, record.get(key), Some(want))?;
    }
    both_ways(txq, string(&row["text"]))
}

/// Checks that the text parses to the instruction, that the fields encode to the word, and that the emulator has the same text.
fn both_ways(txq: Txq, text: &str) -> Result<(), String> {
    let parsed = Txq::parse(text).map_err(|why| why.to_string())?;
    same("parsed text", parsed.word(), txq.word() & !txq.ignored_bits())?;
    let full = FullText(txq).to_string();
    let parsed = Txq::parse(&full).map_err(|why| format!("{full}: {why}"))?;
    same("parsed control field", parsed.control(), txq.control())?;
    same("encoded fields", txq.fields().encode(txq.control()), txq)?;
    let oracle = emulator::txq::decode(txq.word(), txq.control().raw())?.ok_or("the emulator sees no TXQ")?;
    same("emulator's text", oracle.text().as_str(), text)
}

fn check_case(case: &Value, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    let word = number(&case["word"])?;
    let control = SchedulingControl::new(number(&case["ctl_raw"])? as u32);
    let category = format!("txq cases, {}", string(&case["kind"]));
    let result = case_word(case, word, control);
    tally.note(&category, result.map_err(|why| format!("case {}: {why}", case["id"])));
    Ok(())
}

fn case_word(case: &Value, word: u64, control: SchedulingControl) -> Result<(), String> {
    same("bytes", crate::hex::encode(&word.to_le_bytes()).as_str(), string(&case["bytes"]))?;
    same("ctl", &maxwell::control_record(control), &case["ctl"])?;
    let decoded = Txq::decode(word, control);
    let oracle = emulator::txq::decode(word, control.raw());
    if case["is_txq"] != true {
        let refused = string(&case["error"]).contains("TXQModeDim");
        same("refused", decoded.is_err(), refused)?;
        same("refused by the emulator", oracle.is_err(), refused)?;
        return same("a TXQ", decoded.ok().flatten(), None);
    }
    let txq = decoded.map_err(|why| why.to_string())?.ok_or("no TXQ")?;
    same("text", txq.to_string().as_str(), string(&case["text"]))?;
    same("decoded", &maxwell::decoded_record(txq), &case["decoded"])?;
    both_ways(txq, string(&case["text"]))
}

fn check_headers(text: &str, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    for header in headers::parse(text)? {
        for (index, case) in header.queries.iter().enumerate() {
            if case.basis.starts_with("guess") {
                tally.skip(&format!("txq headers, {}", case.basis));
                continue;
            }
            for (who, run) in [("core", headers::core as QueryEngine), ("emulator", headers::oracle)] {
                let result = run(&header, case).and_then(|answer| {
                    same("rgba", &serde_json::json!(answer.rgba), &case.rgba)?;
                    same("regs", &serde_json::json!(answer.regs), &case.regs)
                });
                let place = |why| format!("header {} query {index}: {why}", header.id);
                tally.note(&format!("txq headers, {who}"), result.map_err(place));
            }
        }
    }
    Ok(())
}

fn check_handle(row: &Value) -> Result<(), String> {
    let handle = Handle::new(number(&row["handle"])? as u32);
    let field = |key: &str| row[key].as_u64().unwrap_or_default() as u32;
    let limits = Limits {
        max_header: field("max_header_index"),
        max_sampler: field("max_sampler_index"),
        via_header: row["via_header_binding"] == true,
    };
    same("header index", handle.header(), field("header_index"))?;
    same("sampler index", limits.sampler(handle), field("sampler_index"))?;
    same("header valid", limits.header_valid(handle), row["header_valid"] == true)?;
    same("sampler valid", limits.sampler_valid(handle), row["sampler_valid"] == true)
}
