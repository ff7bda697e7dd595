//! Explains message descriptors without their instruction, as logs and hang dumps have them.

use super::{Explained, FieldLine};
use texwire::Platform;
use texwire::eu::descriptor::{BINDLESS, HANDLE_MASK, SAMPLER};
use texwire::eu::{Descriptor, DescriptorSource, Form, Operand, SendInstruction, Xe2Descriptor};
use texwire::message::Width;
use texwire::rules::Rule as _;

/// The rules about the descriptor, each with the fields that it is about. All other rules are about the instruction.
#[rustfmt::skip]
const RULES: &[(&str, &[&str])] = &[
    ("message-length", &["message length"]),
    ("message-limit", &["message length", "extended message length"]),
    ("parameter-count", &["message type", "SIMD mode", "header present", "message length", "extended message length"]),
    ("response-length", &["SIMD mode", "header present", "response length", "return format"]),
    ("simd-mode", &["SIMD mode"]),
    ("message-type", &["message type"]),
    ("simd8-only", &["message type", "SIMD mode"]),
    ("half-parameters", &["SIMD mode"]),
    ("binding-table", &["binding table index"]),
    ("bindless-handle", &["binding table index", "surface handle"]),
    ("cps-operation", &["message type", "coarse pixel shading"]),
    ("cps-platform", &["coarse pixel shading"]),
    ("descriptor-bit-31", &["reserved"]),
];

/// Marks the fields of a descriptor that a broken rule of its instruction is about.
pub(crate) fn mark(explained: &mut Explained, rule: &str) {
    let fields = super::fields_of(RULES, rule);
    for line in explained.fields.iter_mut().filter(|line| fields.contains(&line.name.as_str())) {
        line.breaks.push(rule.to_owned());
    }
}

/// Explains a sampler message descriptor, with its extended descriptor if that is known.
pub fn descriptor(desc: u32, extended: Option<u32>, platform: Platform) -> Explained {
    if platform == Platform::Xe2 {
        return xe2_descriptor(Xe2Descriptor(desc), extended);
    }
    let d = Descriptor(desc);
    let form = form(extended, platform);
    let mut explained = Explained::new("sampler message descriptor", summary(d, extended, form, platform));
    explained.raw = std::iter::once(desc).chain(extended).map(|word| format!("{word:#010x}")).collect();
    explained.fields = fields(d, platform);
    if let Some(extended) = extended {
        explained.fields.extend(extended_fields(extended, form));
        let function = extended & 15;
        if form != Form::Unified && function != u32::from(SAMPLER) {
            let name = texwire::eu::text::function_name(platform, function as u8);
            let text = format!(
                "The shared function is the sampler, {SAMPLER}; {function} is {name}, whose descriptors have other fields."
            );
            explained.breaks("shared-function", &text, &["shared function"]);
        }
    }
    let send = send(desc, extended, form, platform);
    for rule in send.validate() {
        let Some((_, fields)) = RULES.iter().find(|(name, _)| *name == rule.name()) else { continue };
        if extended.is_some() || !NEEDS_EXTENDED.contains(&rule.name()) {
            let text = capitalized(rule.text());
            explained.breaks(rule.name(), &text, fields);
        }
    }
    notes(&mut explained, d, extended, form, platform);
    explained
}

/// Explains a descriptor of Xe2, which has other message types and SIMD modes.
fn xe2_descriptor(d: Xe2Descriptor, extended: Option<u32>) -> Explained {
    let common = d.common();
    let name = d.type_symbol().unwrap_or("reserved type");
    let mode = d.mode_symbol().unwrap_or("reserved mode");
    let summary = format!(
        "{name} {mode}, surface {}, sampler {}, {} sent, {} returned",
        common.bti(),
        common.sampler(),
        super::units::counted(common.mlen().into(), "registers"),
        super::units::counted(common.rlen().into(), "registers"),
    );
    let mut explained = Explained::new("sampler message descriptor of Xe2", summary);
    explained.raw = std::iter::once(d.0).chain(extended).map(|word| format!("{word:#010x}")).collect();
    for mut field in fields(common, Platform::Xe2) {
        match field.name.as_str() {
            "message type" => {
                let code = d.message_type();
                field = FieldLine::new("31+16:12", "message type", code.into(), name, "Named, not executed.");
            }
            "SIMD mode" => {
                let shape = d.shape().map_or("No published meaning.".to_owned(), |(lanes, width)| {
                    format!("{lanes} lanes, {}-bit parameters.", if width == Width::Half { 16 } else { 32 })
                });
                field = FieldLine::new("29+18:17", "SIMD mode", common.simd_mode().0.into(), mode, &shape);
            }
            "reserved" => continue,
            _ => {}
        }
        explained.fields.push(field);
    }
    explained
        .fields
        .extend(extended.into_iter().flat_map(|extended| extended_fields(extended, Form::Unified)));
    if d.type_symbol().is_none() {
        explained.breaks("message-type", "The message type is a defined one.", &["message type"]);
    }
    if d.shape().is_none() {
        explained.breaks("simd-mode", "The SIMD mode is 1, 2, 5 or 6.", &["SIMD mode"]);
    }
    explained
}

/// Rules that are checked only if the extended descriptor is known, as it may add parameters or a handle.
const NEEDS_EXTENDED: &[&str] = &["parameter-count", "message-limit", "bindless-handle"];

/// Returns the form of the instruction. `send` of Gen9 and Gen11 has no bits 15:6 of the extended descriptor: one with a second payload
/// block (9:6) or coarse pixel shading (11) belongs to `sends`.
fn form(extended: Option<u32>, platform: Platform) -> Form {
    match (platform, extended) {
        (Platform::XeLp | Platform::XeHpg | Platform::XeHpc, _) => Form::Unified,
        (_, Some(extended)) if extended & (15 << 6 | 1 << 11) != 0 => Form::Split,
        _ => Form::Plain,
    }
}

/// Returns a send with these descriptors that breaks no rules about anything else.
fn send(desc: u32, extended: Option<u32>, form: Form, platform: Platform) -> SendInstruction {
    let mut send = SendInstruction::new(platform, form);
    send.execution.size = 1;
    send.descriptor = DescriptorSource::Immediate(desc);
    let extended = extended.unwrap_or(0);
    send.extended =
        DescriptorSource::Immediate(if form == Form::Unified { extended } else { extended & !0x3f });
    send.cps_bit = form == Form::Split && extended >> 11 & 1 == 1;
    if Descriptor(desc).rlen() > 0 {
        send.dst = Operand::grf(0);
    }
    if second_block(extended, form) > 0 {
        send.src1 = Operand::grf(0);
    }
    send
}

fn summary(d: Descriptor, extended: Option<u32>, form: Form, platform: Platform) -> String {
    let surface = match (d.bti(), extended) {
        (BINDLESS, Some(extended)) => format!("bindless surface {:#x}", extended & HANDLE_MASK),
        (BINDLESS, None) => "bindless surface".to_owned(),
        (index, _) => format!("surface {index}"),
    };
    let more = extended.map_or(0, |extended| second_block(extended, form));
    let sent = u32::from(d.mlen()) + more;
    format!(
        "{} {}, {surface}, sampler {}, {} sent, {} returned",
        d.type_symbol().unwrap_or("reserved type"),
        mode_name(d, platform),
        d.sampler(),
        super::units::counted(sent.into(), "registers"),
        super::units::counted(d.rlen().into(), "registers"),
    )
}

fn mode_name(d: Descriptor, platform: Platform) -> &'static str {
    match d.simd_mode().text(platform) {
        "" => "reserved mode",
        name => name,
    }
}

const fn second_block(extended: u32, form: Form) -> u32 {
    match form {
        Form::Plain => 0,
        Form::Split => extended >> 6 & 15,
        Form::Unified => extended >> 6 & 31,
    }
}

/// Returns the fields of a descriptor, explained alone or together with its instruction.
pub(crate) fn fields(d: Descriptor, platform: Platform) -> Vec<FieldLine> {
    let mode = d.simd_mode();
    let surface = match d.bti() {
        BINDLESS => "Bindless surface: its handle is in the extended descriptor.",
        240..=255 => "Not a surface of the sampler.",
        _ => "Entry of the binding table.",
    };
    let shape = mode.shape(platform).map_or("Lanes that are not executed.".to_owned(), |(lanes, width)| {
        let bits = if width == Width::Half { 16 } else { 32 };
        format!("{lanes} lanes, {bits}-bit parameters.")
    });
    let operation = d.op().map_or_else(
        || "No operation that is executed.".to_owned(),
        |op| format!("Operation {}.", op.name()),
    );
    let mut fields = vec![
        FieldLine::new("7:0", "binding table index", d.bti().into(), &d.bti().to_string(), surface),
        FieldLine::new(
            "11:8",
            "sampler index",
            d.sampler().into(),
            &d.sampler().to_string(),
            "Entry of the sampler table (a header may move the table by 16).",
        ),
        FieldLine::new(
            "16:12",
            "message type",
            d.message_type().into(),
            d.type_symbol().unwrap_or("reserved"),
            &operation,
        ),
        FieldLine::new("29+18:17", "SIMD mode", mode.0.into(), mode_name(d, platform), &shape),
        FieldLine::new(
            "19",
            "header present",
            d.header().into(),
            if d.header() { "yes" } else { "no" },
            "The first register is a header.",
        ),
        FieldLine::new(
            "24:20",
            "response length",
            d.rlen().into(),
            &super::units::counted(d.rlen().into(), "registers"),
            "What is written back.",
        ),
        FieldLine::new(
            "28:25",
            "message length",
            d.mlen().into(),
            &super::units::counted(d.mlen().into(), "registers"),
            "The first payload block.",
        ),
        FieldLine::new(
            "30",
            "return format",
            d.ret16().into(),
            if d.ret16() { "16 bits" } else { "32 bits" },
            "Width of the results.",
        ),
    ];
    if d.0 >> 31 == 1 {
        fields.push(FieldLine::new("31", "reserved", 1, "1", "Must be 0."));
    }
    fields
}

fn extended_fields(extended: u32, form: Form) -> Vec<FieldLine> {
    let get = |lo: u32, width: u32| texwire::bits::get(extended.into(), lo, width);
    let line = |bits: &str, name: &str, raw: u64, value: &str, meaning: &str| {
        FieldLine::new(&format!("ex {bits}"), name, raw, value, meaning)
    };
    let mut fields = Vec::new();
    if form != Form::Unified {
        let function = get(0, 4);
        let name = texwire::eu::text::function_name(Platform::Gen11, function as u8);
        fields.push(line(
            "3:0",
            "shared function",
            function,
            name,
            "Who gets the message; 2 is the sampler.",
        ));
    }
    let yes = |set: u64| if set == 1 { "yes" } else { "no" };
    fields.push(line("5", "end of thread", get(5, 1), yes(get(5, 1)), "The thread ends with the message."));
    let (bits, more) = if form == Form::Unified { ("10:6", get(6, 5)) } else { ("9:6", get(6, 4)) };
    let registers = super::units::counted(more, "registers");
    fields.push(line(bits, "extended message length", more, &registers, "The second payload block."));
    fields.push(line(
        "11",
        "coarse pixel shading",
        get(11, 1),
        yes(get(11, 1)),
        "The LOD is compensated for coarse pixels.",
    ));
    let handle = extended & HANDLE_MASK;
    fields.push(line(
        "31:12",
        "surface handle",
        get(12, 20),
        &format!("{handle:#010x}"),
        "Of a bindless surface: its state's byte offset, bits 25:6 of it.",
    ));
    fields
}

/// Adds notes on what the payload registers hold, in order.
fn notes(explained: &mut Explained, d: Descriptor, extended: Option<u32>, form: Form, platform: Platform) {
    let Some((op, (lanes, width))) = d.op().zip(d.simd_mode().shape(platform)) else { return };
    let per_param = (usize::from(lanes) * width.bytes()).div_ceil(32);
    let names: Vec<String> = op.params(width).iter().map(|name| format!("{name:?}").to_lowercase()).collect();
    let more = extended.map_or(0, |extended| second_block(extended, form)) as usize;
    let body = (usize::from(d.mlen()) + more).saturating_sub(usize::from(d.header()));
    let count = (body / per_param.max(1)).min(names.len());
    let mut parts: Vec<String> = d.header().then(|| "header".to_owned()).into_iter().collect();
    parts.extend(names.iter().take(count).cloned());
    let each = super::units::counted(per_param as u64, "registers");
    if !parts.is_empty() {
        explained.notes.push(format!("the payload is {} ({each} a parameter)", parts.join(", ")));
    }
    if extended.is_none() {
        let left = names.get(count..).unwrap_or_default();
        if !left.is_empty() {
            explained.notes.push(format!(
                "an extended descriptor (--exdesc) may add a second block of registers: {}",
                left.join(", ")
            ));
        }
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase()).into_iter();
    first.chain(chars).collect::<String>() + "."
}
