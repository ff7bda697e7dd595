//! Checks ground truth of Gen native: whole streams, packs of lowered kernels, damaged words, descriptors.
//!
//! A send must have every field and text of the truth, encode bit for bit from its fields and from
//! its text, and decode the same way in the emulator.

use super::beside;
use super::tally::{Checker, Tally};
use crate::emulator;
use crate::wires::gen_send::{comment, fields, fields_json, instruction_text, record};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::io::Read;
use std::path::Path;
use texwire::Platform;
use texwire::eu::fields::Word;
use texwire::eu::{Descriptor, Instruction, MessageHeader, SendInstruction, Stream, assemble};

/// The checker.
pub const CHECKER: Checker = Checker { name: "gen_native", claims, check };

/// Platforms by the names in the truth.
const PLATFORMS: [(&str, Platform); 4] = [
    ("gen9", Platform::Gen9),
    ("gen11", Platform::Gen11),
    ("xe_lp", Platform::XeLp),
    ("xe_hpg", Platform::XeHpg),
];

fn claims(path: &Path) -> bool {
    let is = |name: &str| path.file_name().is_some_and(|known| known == name);
    let below = |name: &str| path.components().any(|part| part.as_os_str() == name);
    let json = path.extension().is_some_and(|extension| extension == "json");
    json && (is("desc-decode.json") || below("truth") && starts_with(path, b"{\"platform\":\"gen"))
}

fn starts_with(path: &Path, text: &[u8]) -> bool {
    let mut head = vec![0; text.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == text
}

fn check(path: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    let truth: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    if truth["columns"].is_array() {
        check_descriptors(&truth, tally);
        return Ok(());
    }
    let platform = platform(&truth)?;
    if let Some(cases) = truth["cases"].as_array() {
        for case in cases {
            tally.note("gen bit flips", check_flip(case, platform));
        }
        return Ok(());
    }
    // The folder bin/ is beside truth/.
    let root = path.ancestors().nth(3).ok_or("no folder above truth/")?;
    let bytes = beside::read(&root.join(truth["file"].as_str().ok_or("no file")?))?;
    match truth["kernels"].as_array() {
        None => {
            check_stream(&truth, &truth["sends"], &bytes, platform, tally);
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("cl-")) {
                check_rules(&bytes, platform, tally);
            }
        }
        Some(kernels) => {
            for kernel in kernels {
                let (base, size) = (number(&kernel["base"]), number(&kernel["size"]));
                let part = bytes.get(base..base + size).ok_or("kernel outside the pack")?;
                check_stream(kernel, &kernel["sampler_sends"], part, platform, tally);
            }
        }
    }
    Ok(())
}

fn platform(truth: &Value) -> Result<Platform, String> {
    let name = truth["platform"].as_str().unwrap_or_default();
    let found = PLATFORMS.iter().find(|(known, _)| *known == name);
    found.map(|(_, platform)| *platform).ok_or_else(|| format!("unknown platform {name}"))
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or_default() as usize
}

/// Returns every instruction of a stream.
fn walk(bytes: &[u8], platform: Platform) -> Result<Vec<Instruction>, String> {
    let mut stream = Stream::new(platform, bytes);
    let mut found = Vec::new();
    while let Some(instruction) = stream.next().map_err(|why| why.to_string())? {
        found.push(instruction);
    }
    Ok(found)
}

fn check_stream(truth: &Value, sends: &Value, bytes: &[u8], platform: Platform, tally: &mut Tally) {
    let instructions = match walk(bytes, platform) {
        Ok(instructions) => instructions,
        Err(why) => return tally.note("gen layouts", Err(why)),
    };
    let layout: Vec<Value> = instructions.iter().map(|i| json!([i.offset(), i.len(), i.opcode()])).collect();
    let same = json!(layout) == truth["layout"];
    tally.note("gen layouts", if same { Ok(()) } else { Err("layout differs".into()) });
    let undefined = instructions.iter().find(|i| i.operation().is_err());
    tally.note("gen opcodes", undefined.map_or(Ok(()), |i| Err(format!("{:#x} is no opcode", i.opcode()))));
    for want in sends.as_array().into_iter().flatten() {
        let at = number(&want["off"]);
        let found = instructions.iter().find(|i| i.offset() == at);
        if let Some(Ok(Some(send))) = found.map(Instruction::send) {
            tally.broken(send.validate(), || format!("{} at {at:#x}", name_of(truth)));
        }
        let result = found
            .ok_or_else(|| "no instruction there".to_owned())
            .and_then(|instruction| check_send(want, instruction));
        tally.note("gen sends", result.map_err(|why| format!("at {at}: {why}")));
        if let Some(header) = want["header_m0_2"].as_str() {
            tally.note("gen headers", check_header(header));
        }
    }
}

/// Returns the name of the file or kernel that a truth is about.
fn name_of(truth: &Value) -> &str {
    ["file", "name", "kernel"].iter().find_map(|key| truth[key].as_str()).unwrap_or("a kernel")
}

/// Checks that the sampler sends of a compiler break no rule.
fn check_rules(bytes: &[u8], platform: Platform, tally: &mut Tally) {
    for instruction in walk(bytes, platform).unwrap_or_default() {
        let Ok(Some(send)) = instruction.send() else { continue };
        if send.is_sampler() == Some(true) {
            let broken = send.validate();
            let result = if broken.is_empty() { Ok(()) } else { Err(format!("{send}: {broken:?}")) };
            tally.note("gen rules", result);
        }
    }
}

fn check_send(want: &Value, instruction: &Instruction) -> Result<(), String> {
    let send = instruction.send().map_err(|why| why.to_string())?.ok_or("not a send")?;
    compare(&record(instruction.offset(), &send), want)?;
    check_inverse(&send, instruction.word())?;
    check_assembled(&send, instruction.word())
}

/// Checks that the keys of the truth have the same values in `got`.
fn compare(got: &Value, want: &Value) -> Result<(), String> {
    let empty = Map::new();
    for (key, value) in want.as_object().unwrap_or(&empty) {
        let extra = matches!(key.as_str(), "header_m0_2" | "note");
        if !extra && &got[key] != value {
            return Err(format!("{key} is {}, not {value}", got[key]));
        }
    }
    Ok(())
}

/// Checks that the fields encode to the word, that the emulator decodes the same fields, and that the text parses to the same text.
fn check_inverse(send: &SendInstruction, word: Word) -> Result<(), String> {
    let encoded = send.encode().map_err(|why| why.to_string())?;
    if encoded != word {
        return Err(format!("encodes to {encoded:x?}, was {word:x?}"));
    }
    let oracle = emulator::gen_native::decode(send.platform.name(), &word.to_bytes());
    match oracle {
        Ok(Some(oracle)) if oracle == fields(send) => {}
        Ok(Some(oracle)) => return Err(format!("{:?}, the emulator says {oracle:?}", fields(send))),
        other => return Err(format!("the emulator says {other:?}")),
    }
    let text = instruction_text(send);
    if text.contains('[') {
        return Ok(());
    }
    let back = assemble::parse(send.platform, &text).map_err(|why| format!("{text}: {why}"))?;
    if instruction_text(&back) != text {
        return Err(format!("{text} comes back as {}", instruction_text(&back)));
    }
    Ok(())
}

/// Checks that the text of a send of a tool assembles to its bytes, except for the CPS bit of `sends`,
/// which no text shows.
fn check_assembled(send: &SendInstruction, word: Word) -> Result<(), String> {
    let mut back = assemble::parse(send.platform, &instruction_text(send)).map_err(|why| why.to_string())?;
    back.cps_bit = send.cps_bit;
    let bytes = back.encode().map_err(|why| why.to_string())?;
    if bytes == word { Ok(()) } else { Err(format!("{send} assembles to {bytes:x?}, was {word:x?}")) }
}

fn check_header(want: &str) -> Result<(), String> {
    let digits = want.strip_prefix("0x").ok_or("no number")?;
    let control = u32::from_str_radix(digits, 16).map_err(|why| why.to_string())?;
    let header = MessageHeader { control, pointer: 0 };
    let back =
        MessageHeader::control_of(header.offsets(), header.channels(), header.gather(), header.null_mask());
    if back == control { Ok(()) } else { Err(format!("header {want} comes back as {back:#x}")) }
}

/// Checks a damaged word: it is accepted or refused as by the reference, and if it is still a send, its fields and text are the same.
fn check_flip(case: &Value, platform: Platform) -> Result<(), String> {
    let hex = case["bytes"].as_str().unwrap_or_default();
    let bytes = crate::hex::decode(hex)?;
    let chunk = bytes.first_chunk().ok_or("fewer than 16 bytes")?;
    let word = Word::from_bytes(chunk);
    let ok = case["ok"] == json!(true);
    check_verdict(case, ok, word, &bytes, platform).map_err(|why| format!("{hex}: {why}"))
}

fn check_verdict(case: &Value, ok: bool, word: Word, bytes: &[u8], platform: Platform) -> Result<(), String> {
    match SendInstruction::decode(platform, word) {
        Err(why) if ok => Err(format!("refused: {why}")),
        Ok(Some(_)) if !ok => Err(format!("accepted, the reference says {}", case["error"])),
        Err(_) => Ok(()),
        Ok(None) => {
            let mut stream = Stream::new(platform, bytes);
            let instruction = stream.next().map_err(|why| why.to_string())?.ok_or("nothing")?;
            let undefined = case["error"] == json!("error decoding instruction");
            match instruction.operation() {
                // Of other instructions only the opcode is compared.
                Ok(opcode) if ok => {
                    let text = case["iga_text"].as_str().unwrap_or_default();
                    let same = text.split_whitespace().any(|word| word == opcode.name());
                    if same { Ok(()) } else { Err(format!("{} is not {text}", opcode.name())) }
                }
                Err(_) if ok => Err("an opcode that is not known".into()),
                Err(_) => {
                    if undefined {
                        Ok(())
                    } else {
                        Err(format!("unknown opcode, but {}", case["error"]))
                    }
                }
                Ok(_) => Ok(()),
            }
        }
        Ok(Some(send)) => {
            if !case["fields"].is_null() {
                compare(&fields_json(&fields(&send)), &case["fields"])?;
            }
            compare(&json!({"iga_text": instruction_text(&send)}), &json!({"iga_text": case["iga_text"]}))?;
            if send.is_sampler() != Some(false) {
                let got = comment(&send).split_whitespace().collect::<Vec<_>>().join(" ");
                let want = case["iga_comment"].as_str().unwrap_or_default();
                let want = want.split_whitespace().collect::<Vec<_>>().join(" ");
                compare(&json!({"comment": got}), &json!({"comment": want}))?;
            }
            check_inverse(&send, word)
        }
    }
}

fn check_descriptors(truth: &Value, tally: &mut Tally) {
    for (name, platform) in PLATFORMS {
        for row in truth[name].as_array().into_iter().flatten() {
            let result = check_descriptor(row, platform);
            tally.note("gen descriptors", result.map_err(|why| format!("{name} {row}: {why}")));
        }
    }
}

/// Checks a row: SIMD mode, message type, symbol, text, error.
fn check_descriptor(row: &Value, platform: Platform) -> Result<(), String> {
    let (mode, code) = (number(&row[0]) as u32, number(&row[1]) as u32);
    let descriptor = Descriptor(code << 12 | (mode & 3) << 17 | mode >> 2 << 29);
    let simd = descriptor.simd_mode();
    let symbol = descriptor.type_symbol().map_or_else(|| format!("{code}?"), str::to_owned);
    let got = json!([
        mode,
        code,
        format!("{}_{symbol}", simd.symbol(platform)),
        format!("{} {}", simd.text(platform), descriptor.type_text()),
        (!simd.is_valid(platform)).then_some("invalid SIMD mode"),
    ]);
    if got == *row { Ok(()) } else { Err(format!("got {got}")) }
}
