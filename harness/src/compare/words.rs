//! A job in words.

use crate::emulator::numbers::float;
use crate::engine::Job;

/// A job in words: message, state, parameters and memory.
pub fn words(job: &Job) -> String {
    use std::fmt::Write;
    let mut text: String = crate::explain::record::job(job).iter().map(ToString::to_string).collect();
    for (name, lanes) in parameters(job) {
        let _ = writeln!(text, "  {name}: {}", lanes.join(" "));
    }
    for region in &job.memory {
        let _ = writeln!(text, "memory {:#x} + {:#x} bytes", region.address, region.bytes.len());
    }
    for (address, length) in &job.null_pages {
        let _ = writeln!(text, "null page {address:#x} + {length:#x} bytes");
    }
    text
}

/// Returns the parameters of a job by name; for every lane the bits and the number that they represent.
pub fn parameters(job: &Job) -> Vec<(String, Vec<String>)> {
    use crate::emulator::sample::ops::{Op, OpWork};
    let op = Op::find(&job.op, job.half_params);
    let loads = op.is_some_and(|op| {
        matches!(
            op.work,
            OpWork::Load | OpWork::LoadSample | OpWork::LoadMcs | OpWork::Resinfo | OpWork::Sampleinfo
        )
    });
    let names: Vec<&str> = op.map_or("", |op| op.params).split_whitespace().collect();
    let shown = |name: &str, bits: u32| match name {
        _ if name.starts_with("mcs") || name == "offuv" || name == "offuvr" => format!("{bits:#x}"),
        _ if loads || matches!(name, "offu" | "offv" | "si") => {
            let value = if job.half_params { i32::from(bits as u16 as i16) } else { bits as i32 };
            format!("{value}")
        }
        _ => format!("{bits:#x}={}", float(bits, job.half_params)),
    };
    let each = job.params.iter().enumerate().map(|(index, lanes)| {
        let name = names.get(index).copied().unwrap_or("(extra)");
        (name.to_owned(), lanes.iter().map(|bits| shown(name, *bits)).collect())
    });
    each.collect()
}
