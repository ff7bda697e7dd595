//! Checks ground truth of device binaries: kernels, heaps, arguments and counts as Intel's disassembler gives them.

use super::beside;
use super::tally::{Checker, Tally, equal};
use crate::containers::device_binary::{DeviceBinary, Kernel};
use serde_json::{Value, json};
use std::path::Path;
use texwire::eu::Stream;

/// The checker: of `NAME.bin` files that have a `NAME.json` beside them which lists their kernels.
pub const CHECKER: Checker = Checker { name: "devicebin", claims, check };

const CATEGORY: &str = "devicebin kernels";

fn claims(path: &Path) -> bool {
    let truth = path.with_extension("json");
    path.extension().is_some_and(|e| e == "bin")
        && truth.is_file()
        && std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF"))
        // Broken JSON is claimed as well: the check says so.
        && beside::truth(&truth).map_or(true, |truth| truth["kernels"].is_array() && truth["device"].is_number())
}

fn check(path: &Path, tally: &mut Tally) -> Result<(), Box<dyn std::error::Error>> {
    let truth = beside::truth(&path.with_extension("json"))?;
    let bytes = std::fs::read(path)?;
    let binary = DeviceBinary::parse(&bytes)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let header = json!({"version": binary.version, "device": binary.device, "pointer": binary.pointer_bytes});
    tally.note("devicebin headers", all_equal(&name, &header, &truth));
    let wanted = truth["kernels"].as_array().map(Vec::as_slice).unwrap_or_default();
    if wanted.len() != binary.kernels.len() {
        tally.note(CATEGORY, Err(format!("{name}: {} kernels, want {}", binary.kernels.len(), wanted.len())));
    }
    for (kernel, want) in binary.kernels.iter().zip(wanted) {
        let place = format!("{name} {}", kernel.name);
        tally.note(CATEGORY, facts(&binary, kernel).and_then(|got| all_equal(&place, &got, want)));
    }
    Ok(())
}

/// Checks that every key of `got` has the same value in `want`.
fn all_equal(place: &str, got: &Value, want: &Value) -> Result<(), String> {
    let mut keys = got.as_object().into_iter().flatten();
    keys.try_for_each(|(key, value)| equal(&format!("{place} {key}"), value, &want[key]))
}

/// Returns the facts about a kernel, with the keys of the ground truth.
fn facts(binary: &DeviceBinary<'_>, kernel: &Kernel) -> Result<Value, String> {
    let range = |r: &std::ops::Range<usize>| json!([r.start, r.len()]);
    let images: Vec<_> = kernel
        .images
        .iter()
        .map(|i| json!({"arg": i.argument, "type": i.kind.name(), "surface_offset": i.surface_offset, "writeable": u32::from(i.writeable)}))
        .collect();
    let samplers: Vec<_> = kernel
        .sampler_arguments
        .iter()
        .map(|s| json!({"arg": s.argument, "type": s.kind, "sampler_offset": s.sampler_offset}))
        .collect();
    let arguments: Vec<_> = kernel
        .arguments
        .iter()
        .map(|a| json!({"arg": a.argument, "address": a.address, "access": a.access, "name": a.name, "type": a.kind}))
        .collect();
    let mut facts = json!({
        "name": kernel.name, "heap": range(&kernel.heap), "padded": kernel.padded, "general": range(&kernel.general),
        "dynamic": range(&kernel.dynamic), "surface": range(&kernel.surface), "images": images,
        "sampler_args": samplers, "args": arguments,
    });
    if let Some(s) = kernel.sampler_states {
        facts["sampler_states"] =
            json!({"offset": s.offset, "count": s.count, "border_offset": s.border_offset});
    }
    if let Some(b) = kernel.binding_table {
        facts["binding_table"] =
            json!({"offset": b.offset, "count": b.count, "surface_offset": b.surface_offset});
    }
    let (instructions, sends) = count(binary, kernel)?;
    facts["instructions"] = json!(instructions);
    facts["sampler_sends"] = json!(sends);
    Ok(facts)
}

/// Returns the number of instructions of a kernel, and of those that send to the sampler.
fn count(binary: &DeviceBinary<'_>, kernel: &Kernel) -> Result<(usize, usize), String> {
    let platform =
        binary.platform().ok_or_else(|| format!("device family {} is not known", binary.device))?;
    let mut stream = Stream::new(platform, binary.heap(&kernel.heap));
    let (mut instructions, mut sends) = (0, 0);
    while let Some(instruction) = stream.next().map_err(|why| why.to_string())? {
        instructions += 1;
        let send = instruction.send().map_err(|why| why.to_string())?;
        sends += usize::from(send.is_some_and(|send| send.is_sampler() == Some(true)));
    }
    Ok((instructions, sends))
}
