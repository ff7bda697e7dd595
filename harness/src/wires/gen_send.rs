//! A send of Gen native as text, as fields in the form of the oracle, and as a record with the keys of the ground truth.

use crate::emulator::gen_native::{Fields, PredicateFields};
use serde_json::{Map, Value, json};
use texwire::eu::{
    Descriptor, DescriptorSource, ExecutionControl, Form, Operand, RegisterFile, SendInstruction,
};

/// Returns the line of the reference disassembler; the comment is left out if the send is known not to be the sampler's.
pub(crate) fn text(send: &SendInstruction) -> String {
    if send.is_sampler() == Some(false) { instruction_text(send) } else { send.to_string() }
}

/// Returns the text of the instruction without its comment.
pub(crate) fn instruction_text(send: &SendInstruction) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = send.write_text(&mut text);
    text
}

/// Returns the comment alone.
pub(crate) fn comment(send: &SendInstruction) -> String {
    let mut text = String::new();
    let _ = send.write_comment(&mut text);
    text
}

/// Returns the record of a send, with the keys of the ground truth.
pub(crate) fn record(offset: usize, send: &SendInstruction) -> Value {
    let mut map = Map::new();
    let bytes = send.encode().map(|word| crate::hex::encode(&word.to_bytes())).unwrap_or_default();
    map.insert("off".into(), json!(offset));
    map.insert("bytes".into(), json!(bytes));
    if let Value::Object(fields) = fields_json(&fields(send)) {
        map.extend(fields);
    }
    if let Some(descriptor) = send.sampler_descriptor() {
        map.insert("sampler".into(), sampler(descriptor, send));
    }
    map.insert("iga_text".into(), json!(instruction_text(send)));
    map.insert("iga_comment".into(), json!(comment(send)));
    Value::Object(map)
}

/// Returns the fields of a send as JSON, with the keys of the ground truth.
pub(crate) fn fields_json(fields: &Fields) -> Value {
    let Fields {
        op,
        exec,
        chan_off,
        nomask,
        pred,
        thread_ctrl,
        sfid,
        eot,
        dst_type,
        dst_file,
        dst_reg,
        src0_reg,
        src1_file,
        src1_reg,
        exdesc_reg,
        desc_reg,
        cps,
        exdesc,
        desc,
    } = fields;
    json!({
        "op": op,
        "exec": exec,
        "chan_off": chan_off,
        "nomask": nomask,
        "pred": pred.map(predicate_json),
        "thread_ctrl": thread_ctrl,
        "sfid": sfid,
        "eot": eot,
        "dst_type": dst_type,
        "dst_file": dst_file,
        "dst_reg": dst_reg,
        "src0_reg": src0_reg,
        "src1_file": src1_file,
        "src1_reg": src1_reg,
        "exdesc_reg": exdesc_reg,
        "desc_reg": desc_reg,
        "cps": cps,
        "exdesc": exdesc.map(hex),
        "desc": desc.map(hex),
    })
}

/// Returns the fields of a send, in the form of the oracle.
pub(crate) fn fields(send: &SendInstruction) -> Fields {
    let e = &send.execution;
    let second = (send.form != Form::Plain).then_some(send.src1);
    Fields {
        op: send.mnemonic(),
        exec: e.size.into(),
        chan_off: e.offset.into(),
        nomask: e.no_mask,
        pred: predicate(e, send.align16()),
        thread_ctrl: send.thread.into(),
        sfid: send.sfid.into(),
        eot: send.eot,
        dst_type: (send.form != Form::Unified).then(|| send.dst_type.name().trim_start_matches(':')),
        dst_file: if send.dst.indirect { "indirect" } else { file(send.dst) },
        dst_reg: send.dst.number.into(),
        src0_reg: (!send.src0.indirect).then_some(send.src0.number.into()),
        src1_file: second.map(file),
        src1_reg: second.map(|operand| operand.number.into()),
        exdesc_reg: register(send.extended),
        desc_reg: register(send.descriptor),
        cps: send.cps(),
        exdesc: send.extended_descriptor(),
        desc: send.descriptor.immediate(),
    }
}

fn file(operand: Operand) -> &'static str {
    if operand.file == RegisterFile::Grf { "grf" } else { "arf" }
}

fn register(source: DescriptorSource) -> Option<u32> {
    match source {
        DescriptorSource::Immediate(_) => None,
        DescriptorSource::Register(sub) => Some(sub.into()),
    }
}

fn hex(value: u32) -> String {
    format!("0x{value:08X}")
}

/// Returns a sampler descriptor as JSON, with the keys of the ground truth.
fn sampler(descriptor: Descriptor, send: &SendInstruction) -> Value {
    let mut value = json!({
        "bti": descriptor.bti(),
        "sampler": descriptor.sampler(),
        "msg_type": descriptor.message_type(),
        "simd_mode": descriptor.simd_mode().0,
        "header": descriptor.header(),
        "rlen": descriptor.rlen(),
        "mlen": descriptor.mlen(),
        "ret16": descriptor.ret16(),
    });
    if let (Some(map), Some(extended)) = (value.as_object_mut(), send.extended.immediate()) {
        let width = if send.form == Form::Unified { 31 } else { 15 };
        map.insert("xlen".into(), json!(extended >> 6 & width));
    }
    value
}

/// Returns the predicate. `None` without one, and for the replicating controls of align16, which the text does not show either.
pub(super) fn predicate(e: &ExecutionControl, align16: bool) -> Option<PredicateFields> {
    let hidden = align16 && matches!(e.predicate.code(), 2..=5);
    if e.predicate.code() == 0 || hidden {
        return None;
    }
    Some(PredicateFields {
        flag: [e.flag.0.into(), e.flag.1.into()],
        ctrl: e.predicate.name(),
        inv: e.inverse,
    })
}

pub(super) fn predicate_json(predicate: PredicateFields) -> Value {
    let PredicateFields { flag: [register, sub], ctrl, inv } = predicate;
    json!({"flag": format!("f{register}.{sub}"), "ctrl": ctrl, "inv": inv})
}
