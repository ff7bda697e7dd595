//! Descriptions of what a fuzz target makes of an input: the generated values, decoded for people.

use super::visa::{PrintMode, WalkMode};
use crate::explain::Explained;
use crate::generators::gen_native::GenInput;
use crate::generators::{device_binary, gen_native, trace, txq, visa};
use crate::wires::gen_native::{GEN9, GEN11, GEN12, XE_HPG};
use crate::wires::maxwell::MAXWELL;
use crate::wires::trace::TRACE;
use crate::wires::visa::VISA;
use crate::wires::{self, DecodeOptions, DecodeOutput, Wire};
use arbitrary::Unstructured;
use std::fmt::{Debug, Write};
use texwire::Platform;
use texwire::state::{SamplerState, SurfaceState};
use texwire::visa::{Anonymous, Version, VisaInstruction};

/// Returns the hex of the bytes of a wire, and every decoded instruction.
fn decoded(title: &str, bytes: &[u8], wire: &dyn Wire) -> String {
    let mut text = Vec::new();
    let options = DecodeOptions { json: false, all: true, explain: true, ..DecodeOptions::default() };
    let mut out = DecodeOutput::new(title, wire.name(), options, &mut text);
    wire.decode(bytes, &mut out);
    let errors = out.errors;
    let text = String::from_utf8_lossy(&text).into_owned();
    format!("{title}: {}\n{text}{errors} errors\n", crate::hex::encode(bytes))
}

fn shown<T: Debug>(title: &str, made: arbitrary::Result<T>) -> String {
    match made {
        Ok(made) => format!("{title}: {made:x?}\n"),
        Err(_) => format!("{title}: the bytes do not suffice for one\n"),
    }
}

pub(super) fn gen_input(data: &[u8]) -> String {
    let Some((platform, input)) = gen_native::input(data) else { return String::new() };
    match input {
        GenInput::Stream(bytes) => {
            let wire = wires::native(platform).unwrap_or(&GEN11);
            decoded(&format!("for {}", platform.name()), &bytes, wire)
        }
        GenInput::Text(text) => format!("text for {}: {text:?}\n", platform.name()),
    }
}

pub(super) fn gen_stream(data: &[u8]) -> String {
    let mut text = String::new();
    for wire in [&GEN9, &GEN11, &GEN12, &XE_HPG] {
        text += &decoded(&format!("as {}", wire.name()), data, wire);
    }
    let mut u = Unstructured::new(data);
    if let Ok(platform) = gen_native::platform(&mut u)
        && let Ok(bytes) = gen_native::stream(&mut u, platform)
    {
        let wire = wires::native(platform).unwrap_or(&GEN11);
        text += &decoded(&format!("generated for {}", platform.name()), &bytes, wire);
    }
    text
}

pub(super) fn gen_word(data: &[u8]) -> String {
    let mut u = Unstructured::new(data);
    let Ok(platform) = gen_native::platform(&mut u) else { return String::new() };
    let mut text = format!("platform {}\n", platform.name());
    if let Ok(word) = gen_native::word(&mut u, platform) {
        let bytes = word.to_bytes();
        let _ = writeln!(text, "word {}", crate::hex::encode(&bytes));
        let mut add = |one: Explained| {
            text += &one.to_string();
            Ok(())
        };
        if let Err(why) = wires::gen_native::explain(&bytes, platform, &mut add) {
            text += &format!("{why}\n");
        }
    }
    text + &shown("message", gen_native::sent(&mut u))
}

pub(super) fn txq_section(data: &[u8]) -> String {
    let mut text = decoded("as it is", data, &MAXWELL);
    if let Ok(section) = txq::section(&mut Unstructured::new(data)) {
        text += &decoded("generated", &section, &MAXWELL);
    }
    text + &format!("as text: {:?}\n", String::from_utf8_lossy(data))
}

pub(super) fn txq_fields(data: &[u8]) -> String {
    let mut u = Unstructured::new(data);
    let text = match txq::txq(&mut u) {
        Ok(txq) => format!("{} {txq:#x?}\n", texwire::txq::FullText(txq)),
        Err(_) => String::new(),
    };
    text + &shown("header", txq::header(&mut u))
}

pub(super) fn txq_warp(data: &[u8]) -> String {
    shown("warp", txq::warp(&mut Unstructured::new(data)))
}

pub(super) fn visa_instructions(data: &[u8]) -> String {
    let mut u = Unstructured::new(data);
    let Ok(version) = visa::version(&mut u) else { return String::new() };
    drawn(&mut u, version)
        + "as it is: "
        + &visa_line(data, version)
        + &format!("as text: {:?}\n", String::from_utf8_lossy(data))
}

fn drawn(u: &mut Unstructured<'_>, version: Version) -> String {
    let drawn = super::visa::drawn(u, version);
    let lines = drawn.iter().flatten().map(|bytes| visa_line(bytes, version));
    format!("version {version}\n") + &lines.collect::<String>()
}

fn visa_line(bytes: &[u8], version: Version) -> String {
    let said = match VisaInstruction::first(bytes, version).map(|inst| inst.sampler()) {
        Ok(Ok(Some(sampler))) => sampler.display(&Anonymous).to_string(),
        Ok(Ok(None)) => "not of the sampler".into(),
        Ok(Err(why)) | Err(why) => why.to_string(),
    };
    format!("{}  {said}\n", crate::hex::encode(bytes))
}

pub(super) fn walked(data: &[u8]) -> String {
    if data.starts_with(b"CISA") {
        return decoded("as it is", data, &VISA);
    }
    match super::visa::walk_mode(data) {
        Some((WalkMode::Code, u)) => decoded("Code", u.take_rest(), &VISA),
        Some((walk_mode, u)) => format!("{walk_mode:?}: {}", cisa(u)),
        None => String::new(),
    }
}

pub(super) fn shown_to(data: &[u8]) -> String {
    let Some((print_mode, mut u)) = super::visa::print_mode(data) else { return String::new() };
    let shown = match print_mode {
        PrintMode::Names => cisa(u),
        PrintMode::Numbers => visa::version(&mut u).map_or(String::new(), |version| drawn(&mut u, version)),
        PrintMode::Explanation => drawn(&mut u, Version::V4_1),
    };
    format!("{print_mode:?}: {shown}")
}

fn cisa(mut u: Unstructured<'_>) -> String {
    match visa::cisa(&mut u) {
        Ok(file) => decoded("generated", &file.bytes, &VISA),
        Err(_) => "the bytes do not suffice for a file\n".into(),
    }
}

pub(super) fn states(data: &[u8]) -> String {
    use crate::explain::{StateKind, state};
    let u = &mut Unstructured::new(data);
    let surface: [u8; 64] = u.arbitrary().unwrap_or([0; 64]);
    let sampler: [u8; 16] = u.arbitrary().unwrap_or([0; 16]);
    state(StateKind::Surface, &SurfaceState::from_bytes(&surface).dwords, Platform::Gen11).to_string()
        + &state(StateKind::Sampler, &SamplerState::from_bytes(&sampler).dwords, Platform::Gen11).to_string()
}

pub(super) fn binary(data: &[u8]) -> String {
    use crate::containers::device_binary::DeviceBinary;
    let mut text = match DeviceBinary::parse(data) {
        Ok(binary) => format!("as it is: {} kernels, damage {:?}\n", binary.kernels.len(), binary.damage),
        Err(why) => format!("as it is: {why}\n"),
    };
    if let Ok(file) = device_binary::device_binary(&mut Unstructured::new(data)) {
        let _ = writeln!(text, "generated: device {}, {}", file.device, crate::hex::encode(&file.bytes));
        for kernel in &file.kernels {
            let _ = writeln!(text, "{kernel:x?}");
        }
    }
    text
}

pub(super) fn stream(data: &[u8]) -> String {
    let text = decoded("as it is", data, &TRACE);
    match trace::frames(&mut Unstructured::new(data)) {
        Ok(frames) => text + &decoded("generated", &frames.concat(), &TRACE),
        Err(_) => text,
    }
}
