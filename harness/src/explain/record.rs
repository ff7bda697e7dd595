//! Explains state records of traces, and jobs.

use super::{Explained, FieldLine, StateKind, state, texture_header, texture_sampler};
use crate::engine::Job;
use texwire::Platform;
use texwire::state::nv::Class;
use texwire::trace::Record;

/// Explains the state structure in a record. `None`: the record has none.
pub fn record(record: &Record<'_>, platform: Platform) -> Option<Explained> {
    let dwords = |bytes: &[u8]| -> Vec<u32> {
        bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    };
    Some(match record {
        Record::Surface { state: bytes, .. } => state(StateKind::Surface, &dwords(*bytes), platform),
        Record::Sampler { state: bytes, .. } => state(StateKind::Sampler, &dwords(*bytes), platform),
        Record::Border { color, .. } => state(StateKind::Border, &dwords(*color), platform),
        Record::TexHeader { header, class, .. } => {
            let class = Class::from_code(*class).unwrap_or(Class::Maxwell2);
            texture_header(class, &dwords(*header))
        }
        // The record has no class: entries of Maxwell and Pascal are the same except for fields that B197 added.
        Record::TexSampler { sampler, .. } => texture_sampler(Class::Maxwell2, &dwords(*sampler)),
        _ => return None,
    })
}

/// Explains the message of a job, field by field.
pub fn message(job: &Job) -> Explained {
    let op = texwire::Op::from_name(&job.op);
    let yes = |set: bool| if set { "yes" } else { "no" };
    let bits = |half: bool| if half { "16 bits" } else { "32 bits" };
    let letters: String =
        "RGBA".chars().enumerate().filter(|(c, _)| job.channels >> c & 1 == 1).map(|(_, c)| c).collect();
    let line =
        |name: &str, raw: u64, value: &str, meaning: &str| FieldLine::new("", name, raw, value, meaning);
    let [u, v, r] = job.offsets;
    let precision = format!("{:?}", job.precision).to_lowercase();
    let cps = job.cps.map(f32::from_bits);
    let offsets =
        if job.offsets == [0; 3] { String::new() } else { format!(", texel offsets {u}, {v}, {r}") };
    let mut explained = Explained::new("message", format!("{} SIMD{}{offsets}", job.op, job.simd));
    explained.fields = vec![
        line("operation", 0, &job.op, if op.is_some() { "" } else { "The core has no such operation." }),
        line("lanes", job.simd.into(), &format!("SIMD{}", job.simd), "Lanes of the message."),
        line(
            "execution mask",
            job.lanes.into(),
            &super::units::counted(job.lanes.count_ones().into(), "lanes"),
            "Lanes that execute, bit 0 the first.",
        ),
        line("parameters", job.params.len() as u64, &job.params.len().to_string(), bits(job.half_params)),
        line("results", job.half_return.into(), bits(job.half_return), "Width of a result."),
        line(
            "channels",
            job.channels.into(),
            if letters.is_empty() { "none" } else { &letters },
            "Channels that are returned.",
        ),
        line(
            "gather channel",
            job.gather.into(),
            ["R", "G", "B", "A"][usize::from(job.gather & 3)],
            "Channel of gather4.",
        ),
        line("texel offsets", 0, &format!("u {u}, v {v}, r {r}"), "Immediate offsets in texels."),
        line("null mask", job.null_mask.into(), yes(job.null_mask), "The pixel null mask is returned."),
        line("kill mask", job.kill_mask.into(), yes(job.kill_mask), "The kill mask of killpix is returned."),
        line(
            "coarse pixels",
            job.cps.unwrap_or(0).into(),
            &cps.map_or("no".to_owned(), |lod| format!("LOD {lod}")),
            "The LOD is compensated for coarse pixels.",
        ),
        line("precision", 0, &precision, "Arithmetic of the filter."),
        line(
            "platform",
            job.platform.into(),
            Platform::from_trace_code(job.platform).map_or("unknown", |p| p.name()),
            "",
        ),
    ];
    explained
}

/// Explains message, surface, sampler and border colour of a job.
pub fn job(job: &Job) -> Vec<Explained> {
    let platform = Platform::from_trace_code(job.platform).unwrap_or(Platform::Gen11);
    vec![
        message(job),
        state(StateKind::Surface, &job.surface, platform),
        state(StateKind::Sampler, &job.sampler, platform),
        state(StateKind::Border, &job.border, platform),
    ]
}
