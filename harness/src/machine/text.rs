//! Instructions as text, for instruction traces.

use super::program::PreparedInstruction;
use std::fmt::Write;
use texwire::enums::RegFile;
use texwire::eu::{CommonFields, DestinationOperand, Location, Operands, SourceOperand};

/// Names of the conditional modifiers by code.
const CONDITIONS: [&str; 10] = ["", "eq", "ne", "gt", "ge", "lt", "le", "?", "ov", "un"];

/// Returns the text of an instruction: predicate, mnemonic, execution size and channel offset, condition, operands, jump distances.
pub fn text(instruction: &PreparedInstruction) -> String {
    let mut out = String::new();
    let source = &instruction.source;
    if let Ok(Some(send)) = source.send() {
        let _ = send.write_line(&mut out);
        return out;
    }
    let Ok(common) = source.common() else { return "?".to_owned() };
    let operands = source.operands(&common).unwrap_or_default();
    predicate(&mut out, &common);
    let e = &common.execution;
    let _ = write!(out, "{}", instruction.name);
    if let Some(function) = common.function {
        let _ = write!(out, ".{}", function.0);
    }
    let _ = write!(out, " ({}|M{})", e.size, e.offset);
    if let Some(condition) = common.condition.filter(|condition| condition.0 != 0) {
        let name = CONDITIONS.get(usize::from(condition.0)).copied().unwrap_or("?");
        let _ = write!(out, " ({name})f{}.{}", e.flag.0, e.flag.1);
    }
    self::operands(&mut out, &operands, common.saturate);
    if let Ok(Some(jump)) = source.jump(&common) {
        let _ = write!(out, " {} {}", jump.jip, jump.uip);
    }
    if common.accumulator_write {
        out.push_str(" {AccWrEn}");
    }
    out
}

fn predicate(out: &mut String, common: &CommonFields) {
    let e = &common.execution;
    let inverse = if e.inverse { "~" } else { "" };
    let flag = format!("{inverse}f{}.{}", e.flag.0, e.flag.1);
    let _ = match (e.no_mask, e.predicate.code() != 0) {
        (true, true) => write!(out, "(W&{flag}) "),
        (true, false) => write!(out, "(W) "),
        (false, true) => write!(out, "({flag}) "),
        (false, false) => Ok(()),
    };
}

fn operands(out: &mut String, operands: &Operands, saturate: bool) {
    if let Some(dst) = &operands.dst {
        out.push(' ');
        if saturate {
            out.push_str("(sat)");
        }
        destination(out, dst);
    }
    for source in operands.src.iter().flatten() {
        out.push(' ');
        self::source(out, source);
    }
}

fn location(out: &mut String, file: RegFile, location: Location, bytes: u32) {
    let class = |number: u8| match number >> 4 {
        0 => "null",
        1 => "a",
        2 => "acc",
        3 => "f",
        8 => "cr",
        9 => "n",
        12 => "tm",
        _ => "arf",
    };
    let _ = match location {
        Location::Direct { register, byte } if file == RegFile::GRF => {
            write!(out, "r{register}.{}", u32::from(byte) / bytes.max(1))
        }
        Location::Direct { register, byte } => {
            write!(out, "{}{}.{}", class(register), register & 15, u32::from(byte) / bytes.max(1))
        }
        Location::Indirect { address, offset, .. } => write!(out, "r[a0.{address},{offset}]"),
        Location::Immediate(value) => write!(out, "{value:#x}"),
    };
}

fn destination(out: &mut String, dst: &DestinationOperand) {
    location(out, dst.file, dst.location, dst.data_type.bits() / 8);
    let _ = write!(out, "<{}>{}", dst.stride, dst.data_type.name());
}

fn source(out: &mut String, source: &SourceOperand) {
    if source.negate {
        out.push('-');
    }
    if source.absolute {
        out.push_str("(abs)");
    }
    location(out, source.file, source.location, source.data_type.bits() / 8);
    if !matches!(source.location, Location::Immediate(_)) {
        let region = source.region;
        let _ = write!(out, "<{};{},{}>", region.vertical, region.width, region.horizontal);
    }
    let _ = write!(out, "{}", source.data_type.name());
}
