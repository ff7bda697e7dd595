//! Intel Gen native.

use super::gen_send::{predicate, predicate_json, record, text};
use super::listing;
use super::output::{DecodeOutput, violations};
use super::wire::{ExplainedSink, Wire};
use serde_json::{Value, json};
use std::error::Error;
use texwire::Platform;
use texwire::enums::Enumeration;
use texwire::eu::{Instruction, OperandKind, Stream};

pub use super::gen_explain::explain;

/// The wire of a generation's native instructions.
#[derive(Debug)]
pub struct GenNative {
    name: &'static str,
    about: &'static str,
    /// The platforms that use these instructions; raw bytes are decoded as the first one's.
    platforms: &'static [Platform],
}

/// Gen9.
pub const GEN9: GenNative =
    GenNative { name: "gen9", about: "Intel Gen9 native", platforms: &[Platform::Gen9] };

/// Gen11.
pub const GEN11: GenNative =
    GenNative { name: "gen11", about: "Intel Gen11 native", platforms: &[Platform::Gen11] };

/// Xe-LP, and device binaries of Xe-HPG.
pub const GEN12: GenNative = GenNative {
    name: "gen12",
    about: "Intel Gen12 (Xe-LP) native",
    platforms: &[Platform::XeLp, Platform::XeHpg],
};

/// Xe-HPG.
pub const XE_HPG: GenNative =
    GenNative { name: "xe-hpg", about: "Intel Xe-HPG native", platforms: &[Platform::XeHpg] };

impl Wire for GenNative {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn platforms(&self) -> &'static [Platform] {
        self.platforms
    }

    fn is_native(&self) -> bool {
        true
    }

    fn recognises(&self, _: &[u8]) -> bool {
        false
    }

    fn decode(&self, bytes: &[u8], out: &mut DecodeOutput<'_>) {
        decode_stream(bytes, self.platforms[0], 0, |_| (), out);
    }

    fn explain(
        &self,
        bytes: &[u8],
        platform: Option<Platform>,
        sink: &mut ExplainedSink<'_>,
    ) -> Result<(), Box<dyn Error>> {
        explain(bytes, platform.unwrap_or(self.platforms[0]), sink)
    }

    fn assemble(&self, listing: &str, platform: Platform) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
        listing::assemble(listing, platform, |line| assemble(line, platform))
    }
}

/// Decodes an instruction stream into `out`: sampler sends and sends whose shared function is
/// in a register, or every instruction if the options ask for all.
///
/// Errors are at `base_offset` plus the offset in the stream; `extra` may add keys to a record.
pub fn decode_stream(
    bytes: &[u8],
    platform: Platform,
    base_offset: usize,
    extra: impl Fn(&mut Value),
    out: &mut DecodeOutput<'_>,
) {
    let mut stream = Stream::new(platform, bytes);
    loop {
        match stream.next() {
            Ok(Some(instruction)) => emit(&instruction, base_offset, &extra, out),
            Ok(None) => return,
            Err(why) => return out.error(base_offset + why.offset().unwrap_or(0), &why.to_string()),
        }
    }
}

fn emit(instruction: &Instruction, base: usize, extra: &impl Fn(&mut Value), out: &mut DecodeOutput<'_>) {
    let offset = instruction.offset();
    let send = match instruction.send() {
        Ok(send) => send,
        Err(why) => return out.error(base + offset, &why.to_string()),
    };
    let all = out.options.all;
    match send {
        Some(send) if all || send.is_sampler() != Some(false) => {
            let line = || line(offset, if all { Some(instruction.len()) } else { None }, &text(&send));
            let broken = send.validate();
            out.rules(base + offset, broken);
            let record = || {
                let mut value = record(offset, &send);
                if let Some(map) = value.as_object_mut() {
                    violations(map, broken);
                }
                if all {
                    insert_common(&mut value, instruction);
                }
                extra(&mut value);
                value
            };
            out.emit(line, record);
        }
        _ if all => {
            let line = || line(offset, Some(instruction.len()), &mnemonic(instruction));
            let record = || {
                let mut value = json!({"off": offset});
                insert_common(&mut value, instruction);
                extra(&mut value);
                value
            };
            out.emit(line, record);
        }
        _ => {}
    }
}

fn line(offset: usize, length: Option<usize>, text: &str) -> String {
    match length {
        Some(length) => format!("{offset:08x} {length:2}  {text}"),
        None => format!("{offset:08x}  {text}"),
    }
}

/// Returns the mnemonic, or a text with the number of an undefined opcode.
fn mnemonic(instruction: &Instruction) -> String {
    match instruction.operation() {
        Ok(opcode) => opcode.name().to_owned(),
        Err(_) => format!("undefined opcode {:#04x}", instruction.opcode()),
    }
}

fn insert_common(value: &mut Value, instruction: &Instruction) {
    let Some(map) = value.as_object_mut() else { return };
    map.insert("size".into(), json!(instruction.len()));
    map.insert("opcode".into(), json!(instruction.opcode()));
    map.insert("mnemonic".into(), json!(instruction.operation().ok().map(|opcode| opcode.name())));
    let Ok(common) = instruction.common() else { return };
    let e = &common.execution;
    let operand = |kind: OperandKind| {
        let file = kind.file.name().unwrap_or("reserved").to_lowercase();
        json!({"file": file, "type": kind.data_type.map(|t| t.name().trim_start_matches(':'))})
    };
    for (key, field) in [
        ("exec", json!(e.size)),
        ("chan_off", json!(e.offset)),
        ("nomask", json!(e.no_mask)),
        ("pred", predicate(e, common.align16).map_or(Value::Null, predicate_json)),
        ("thread_ctrl", json!(common.thread.0)),
        ("dep_ctrl", json!(common.dependency.0)),
        ("scoreboard", json!(common.scoreboard)),
        ("acc_wr", json!(common.accumulator_write)),
        ("saturate", json!(common.saturate)),
        ("condition", json!(common.condition.map(|condition| condition.0))),
        ("function", json!(common.function.map(|function| function.0))),
        ("dst", json!(common.dst.map(operand))),
        ("src0", json!(common.src0.map(operand))),
        ("src1", json!(common.src1.map(operand))),
        ("src2", json!(common.src2.map(operand))),
    ] {
        map.entry(key).or_insert(field);
    }
}

/// Assembles `text`.
///
/// # Errors
/// Says the column and what was expected.
pub fn assemble(text: &str, platform: Platform) -> Result<Vec<u8>, Box<dyn Error>> {
    let send = texwire::eu::assemble::parse(platform, text).map_err(|error| listing::column(text, error))?;
    Ok(send.encode()?.to_bytes().to_vec())
}
