//! Every field of a vISA instruction in words.

use super::ExplainedSink;
use crate::explain::instructions::{PARAMETERS, VISA};
use crate::explain::{Explained, FieldLine, fields_of};
use crate::hex;
use std::error::Error;
use texwire::Platform;
use texwire::rules::{Rule as _, Violations};
use texwire::visa::{
    Anonymous, MediaValue, RawOperand, SamplerInstruction, SamplerOpcode, TexelOffsets, Type, VectorKind,
    VectorOperand, Version, VisaInstruction, VisaRule,
};

/// Explains every field of the instructions in `bytes` (version 4.1): bits, raw value, meaning, broken rules.
///
/// # Errors
/// Says where `bytes` do not decode, or what `sink` says.
pub(crate) fn explain(
    bytes: &[u8],
    platform: Platform,
    sink: &mut ExplainedSink<'_>,
) -> Result<(), Box<dyn Error>> {
    let mut at = 0;
    while at < bytes.len() || at == 0 {
        let inst = VisaInstruction::first(&bytes[at..], Version::V4_1)
            .map_err(|why| format!("bad instruction at byte {at:#x}: {why}"))?;
        sink(explain_one(&inst, platform)?)?;
        at += inst.bytes().len();
    }
    Ok(())
}

fn explain_one(inst: &VisaInstruction<'_>, platform: Platform) -> Result<Explained, Box<dyn Error>> {
    let mut table = Explanation { bytes: inst.bytes(), at: 0, fields: Vec::new() };
    if let Some(sampler) = inst.sampler()? {
        let text = sampler.display(&Anonymous).to_string();
        table.sampler(&sampler);
        return Ok(table.finish(inst.mnemonic(), &text, sampler.validate(platform, &Anonymous)));
    }
    if let Some(media) = inst.media()? {
        let text = media.display(&Anonymous).to_string();
        table.row(1 + usize::from(media.sub.is_some()), "opcode", inst.mnemonic());
        for field in media.fields() {
            match field.value {
                MediaValue::Byte(byte) => table.row(1, field.name, &byte.to_string()),
                MediaValue::Vector(operand) => table.vector(field.name, &operand),
                MediaValue::Raw(operand) => table.raw(field.name, operand),
            }
        }
        return Ok(table.finish(inst.mnemonic(), &text, media.validate(platform, &Anonymous)));
    }
    let summary = format!("{} bytes, not a sampler instruction", inst.bytes().len());
    Ok(Explained::new(inst.mnemonic(), summary))
}

/// The rows of an explanation of an instruction of version 4.1, in the order of the bytes.
struct Explanation<'a> {
    bytes: &'a [u8],
    at: usize,
    fields: Vec<FieldLine>,
}

/// Returns the first eight bytes as a little-endian number.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

impl Explanation<'_> {
    fn row(&mut self, length: usize, name: &str, meaning: &str) {
        let bytes = self.bytes.get(self.at..self.at + length).unwrap_or_default();
        let place = match length {
            1 => format!("byte {}", self.at),
            _ => format!("byte {}..{}", self.at, self.at + length - 1),
        };
        self.fields.push(FieldLine::new(&place, name, number(bytes), meaning, ""));
        self.at += length;
    }

    /// Adds a row for bits of the last whole field.
    fn bits(&mut self, range: &str, name: &str, meaning: &str) {
        self.bits_from(0, range, name, meaning);
    }

    /// Adds a row for bits of the last whole field, counted from its bit `first`.
    fn bits_from(&mut self, first: u32, range: &str, name: &str, meaning: &str) {
        let (high, low) = range.split_once("..").unwrap_or((range, range));
        let bit = |text: &str| text.parse::<u32>().unwrap_or(0);
        let whole = self.fields.iter().rev().find(|line| line.bits.starts_with("byte"));
        let raw =
            whole.map_or(0, |line| texwire::bits::get(line.raw, first + bit(low), bit(high) - bit(low) + 1));
        self.fields.push(FieldLine::new(&format!("  {}", range.replace("..", ":")), name, raw, meaning, ""));
    }

    fn raw(&mut self, name: &str, operand: RawOperand) {
        let meaning =
            format!("{} (variable {}, byte {})", operand.display(&Anonymous), operand.index, operand.offset);
        self.row(6, name, &meaning);
    }

    fn vector(&mut self, name: &str, operand: &VectorOperand) {
        let length = match operand.kind {
            VectorKind::General { .. } | VectorKind::Indirect { .. } => 9,
            VectorKind::Predicate { .. } => 3,
            VectorKind::Immediate { kind, .. } if Type::from_code(kind).is_wide() => 10,
            VectorKind::Immediate { .. } => 6,
            VectorKind::Address { .. } | VectorKind::State { .. } => 5,
        };
        self.row(length, name, &operand.display(&Anonymous).to_string());
    }

    /// Adds the rows of a sampler instruction.
    fn sampler(&mut self, sampler: &SamplerInstruction<'_>) {
        let info = sampler.opcode == SamplerOpcode::Info;
        self.operation(sampler);
        self.row(1, "exec", "");
        self.bits("3..0", "size", &format!("{} lanes", sampler.exec_size()));
        let mask = sampler.exec_mask();
        self.bits("7..4", "mask", &format!("{} (from lane {})", mask.name(), mask.first_lane()));
        if !info {
            let meaning = sampler.predicate().map_or("none".to_owned(), |p| {
                format!(
                    "P{}, control {}, {}",
                    p.index,
                    p.control.name(),
                    if p.inverse { "inverse" } else { "as is" }
                )
            });
            self.row(2, "pred", &meaning);
        }
        let channels = match sampler.opcode {
            SamplerOpcode::Gather4 => {
                format!("gathers {}", ["R", "G", "B", "A"][usize::from(sampler.channels & 3)])
            }
            _ => format!("{:?}", sampler.channel_mask()),
        };
        self.row(1, "channels", &channels);
        self.texel_offsets(sampler);
        if sampler.opcode.has_sampler() {
            self.row(1, "sampler", &format!("S{}", sampler.sampler));
        }
        self.row(1, "surface", &sampler.surface.to_string());
        if let Some(lod) = sampler.lod {
            self.raw("lod", lod);
        }
        self.raw("dst", sampler.dst);
        if !info {
            self.parameters(sampler);
        }
    }

    /// Adds the rows of opcode and operation, with the operation's flags.
    fn operation(&mut self, sampler: &SamplerInstruction<'_>) {
        let info = sampler.opcode == SamplerOpcode::Info;
        let name = match sampler.opcode {
            SamplerOpcode::Sample => "3d_sample",
            SamplerOpcode::Load => "3d_load",
            SamplerOpcode::Gather4 => "3d_gather4",
            SamplerOpcode::Info => "3d_info",
        };
        self.row(1, "opcode", name);
        let operation = sampler.operation();
        let meaning = format!("{} ({})", operation.name, operation.op.name());
        self.row(if info { 1 } else { 2 }, "operation", &meaning);
        if !info {
            self.bits("8", "null mask", &sampler.null_mask().to_string());
            self.bits("9", "cps", &sampler.cps().to_string());
            self.bits("10", "divS", &sampler.non_uniform().to_string());
            self.bits("15..11", "unused", &format!("{:#x}", sampler.op_field >> 11));
        }
    }

    /// Adds the rows of the texel offsets, if the instruction has them.
    fn texel_offsets(&mut self, sampler: &SamplerInstruction<'_>) {
        let Some(operand) = &sampler.aoffimmi else { return };
        self.vector("aoffimmi", operand);
        let Some(TexelOffsets { uvr: [u, v, r], high_sampler }) = sampler.offsets() else { return };
        // Only immediates have offsets: the value follows a byte of class and a byte of type.
        self.bits_from(16, "11..0", "offsets", &format!("u {u}, v {v}, r {r}"));
        let meaning = if high_sampler { "may be 16 or more" } else { "below 16" };
        self.bits_from(16, "15", "high sampler", meaning);
    }

    /// Adds the rows of the parameters and their number.
    fn parameters(&mut self, sampler: &SamplerInstruction<'_>) {
        self.row(1, "num_params", &sampler.params.len().to_string());
        let names = sampler.operation().op.params(texwire::message::Width::Full);
        for (index, param) in sampler.params.enumerate() {
            let name =
                names.get(index).map_or("(extra)".to_owned(), |name| format!("{name:?}").to_lowercase());
            self.raw(&name, param);
        }
    }

    fn finish(self, name: &str, text: &str, broken: Violations<VisaRule>) -> Explained {
        let mut explained = Explained::new(name, text.trim().to_owned());
        explained.raw = vec![hex::encode(self.bytes)];
        explained.fields = self.fields;
        let parameters: Vec<String> = explained.fields.iter().map(|line| line.name.clone()).collect();
        let parameters = parameters
            .iter()
            .map(String::as_str)
            .skip_while(|name| !matches!(*name, "surface" | "num_params"))
            .skip(1)
            .filter(|name| !matches!(*name, "lod" | "dst" | "num_params"));
        for rule in broken {
            let fields: Vec<&str> = fields_of(VISA, rule.name())
                .iter()
                .flat_map(|name| match *name {
                    PARAMETERS => parameters.clone().collect(),
                    name => vec![name],
                })
                .collect();
            explained.breaks(rule.name(), rule.text(), &fields);
        }
        explained
    }
}
