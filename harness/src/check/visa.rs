//! Checks ground truth of vISA: `X.isa` with `X.json` beside it (facts of the container, all instructions by offset and opcode, every
//! sampler instruction), and `validity.json` (what the reference tool does with doubtful input, and what this crate does).

use super::beside;
use super::tally::{Checker, Tally, equal};
use crate::wires::visa::{broken_everywhere, lost_in_text, record, routine_facts};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::path::Path;
use texwire::visa::{
    MAX_SAMPLER_BYTES, Module, Routine, RoutineKind, SymbolIndex, Symbols, VisaInstruction, assemble,
};

/// The checker.
pub const CHECKER: Checker = Checker { name: "visa", claims, check };

fn claims(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    match extension {
        Some("isa") => path.with_extension("json").is_file(),
        Some("json") => path.file_name().is_some_and(|name| name == "validity.json"),
        _ => false,
    }
}

fn check(path: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    if path.extension().is_some_and(|e| e == "json") {
        return super::visa_validity::check(path, tally);
    }
    let bytes = std::fs::read(path)?;
    let truth = beside::truth(&path.with_extension("json"))?;
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let module = Module::parse(&bytes)?;
    let version = json!([module.version().major, module.version().minor]);
    tally.note("visa container", equal(&format!("{name} version"), &version, &truth["version"]));

    let mut count = [0; 2];
    let mut samplers = truth["samplers"].as_array().map_or(&[][..], Vec::as_slice).iter();
    for routine in module.routines() {
        let routine = routine?;
        let function = routine.entry.kind == RoutineKind::Function;
        let place = if function { "functions" } else { "kernels" };
        let number = count[usize::from(function)];
        count[usize::from(function)] += 1;
        let want =
            truth[place].get(number).ok_or_else(|| format!("{place} {number} is not in the ground truth"))?;
        tally.note("visa container", facts(&name, &routine, want));
        let mut memory = vec![0; SymbolIndex::words(&routine)];
        let index = SymbolIndex::new(&routine, &mut memory)?;
        walk(&name, &routine, &index, want, &mut samplers, tally)?;
    }
    for (place, count) in [("kernels", count[0]), ("functions", count[1])] {
        tally.note(
            "visa container",
            equal(
                &format!("{name} {place}"),
                &json!(count),
                &json!(truth[place].as_array().map_or(0, Vec::len)),
            ),
        );
    }
    let place = format!("{name} sampler instructions not found");
    tally.note("visa samplers", equal(&place, &json!(samplers.count()), &json!(0)));
    Ok(())
}

/// Checks that every key of `want` has the same value in `got`.
fn all_equal<'a>(
    file: &str,
    place: &str,
    got: &Value,
    want: impl Iterator<Item = (&'a String, &'a Value)>,
) -> Result<(), String> {
    for (key, value) in want {
        equal(&format!("{file} {place} {key}"), &got[key], value)?;
    }
    Ok(())
}

fn facts(file: &str, routine: &Routine<'_>, want: &Value) -> Result<(), String> {
    let mut got = routine_facts(routine);
    if routine.entry.kind == RoutineKind::Kernel {
        got["input_offset"] = json!(routine.entry.input_offset);
        got["gen_binaries"] = routine
            .entry
            .gen_binaries()
            .map(|b| json!({"platform": b.platform, "offset": b.offset, "size": b.size}))
            .collect();
    }
    let want = want.as_object().ok_or("no facts")?;
    let keys = want.iter().filter(|(key, _)| !matches!(key.as_str(), "walk" | "instructions"));
    all_equal(file, &String::from_utf8_lossy(routine.entry.name), &got, keys)
}

/// Checks offset and opcode of every instruction of a routine, and the record of every sampler instruction.
fn walk<'t>(
    file: &str,
    routine: &Routine<'_>,
    symbols: &impl Symbols,
    want: &Value,
    samplers: &mut impl Iterator<Item = &'t Value>,
    tally: &mut Tally,
) -> Result<(), Box<dyn Error>> {
    let empty = Vec::new();
    let list = want["walk"].as_array().unwrap_or(&empty);
    let mut steps = routine.instructions();
    let mut number = 0;
    while let Some(inst) = steps.next()? {
        let place = format!("{file} instruction {number}");
        let want = list.get(number).unwrap_or(&Value::Null);
        tally.note("visa walk", equal(&place, &json!([inst.offset(), inst.opcode()]), want));
        if let Some(mut got) = record(&inst, symbols)? {
            got.insert("index".into(), json!(number));
            let want = samplers.next().and_then(Value::as_object);
            tally.note("visa samplers", sampler(file, &got.into(), want));
            tally.broken(broken_everywhere(&inst, symbols), || format!("{file} at {:#x}", inst.offset()));
            inverse(file, &inst, symbols, tally);
        }
        number += 1;
    }
    let counts = [json!(number), json!(number)];
    let want = [json!(list.len()), want["instructions"].clone()];
    tally.note("visa walk", equal(&format!("{file} instructions"), &counts.into(), &want.into()));
    Ok(())
}

/// Compares a record, including its text: with `text_full` where the ground truth has it, because the tool's own text says less there.
fn sampler(file: &str, got: &Value, want: Option<&Map<String, Value>>) -> Result<(), String> {
    let want = want.ok_or_else(|| format!("{file}: more sampler instructions than the ground truth has"))?;
    let place = format!("at {}", want["offset"]);
    let keys =
        want.iter().filter(|(key, _)| !matches!(key.as_str(), "text" | "text_full" | "note" | "kernel"));
    all_equal(file, &place, got, keys)?;
    let text = want.get("text_full").unwrap_or(&want["text"]);
    equal(&format!("{file} {place} text"), &got["text"], text)
}

/// Checks that the encoder restores the bytes of the instruction, and the assembler too if the text expresses all bits.
fn inverse(file: &str, inst: &VisaInstruction<'_>, symbols: &impl Symbols, tally: &mut Tally) {
    let mut buffer = [0; MAX_SAMPLER_BYTES];
    let (encoded, text) = match (inst.sampler(), inst.media()) {
        (Ok(Some(sampler)), _) => (sampler.encode(&mut buffer), sampler.display(symbols).to_string()),
        (_, Ok(Some(media))) => (media.encode(&mut buffer), media.display(symbols).to_string()),
        _ => return,
    };
    let place = format!("{file} at {}", inst.offset());
    let same = |length, buffer: &[u8]| match length {
        Ok(length) if &buffer[..length] == inst.bytes() => Ok(()),
        Ok(length) => {
            Err(format!("{place}: {:02x?}, want {:02x?} ({text})", &buffer[..length], inst.bytes()))
        }
        Err(error) => Err(format!("{place}: {error} ({text})")),
    };
    tally.note("visa encode", same(encoded, &buffer));
    match lost_in_text(inst) {
        Some(why) => tally.skip(&format!("visa assemble: {why}")),
        None => {
            let assembled = assemble(&text, symbols, inst.version(), &mut buffer);
            tally.note("visa assemble", same(assembled, &buffer));
        }
    }
}
