//! The labels of a job: operation, format, address mode, filter and dimension.

use crate::emulator::formats::name;
use crate::emulator::sample::ops::Op;
use crate::emulator::state::{sampler, surface};
use crate::engine::Job;

/// The axes by which jobs are classified.
pub const AXES: [&str; 5] = ["operation", "format", "address mode", "filter", "dimension"];

/// The label of a job on each of the [axes](AXES).
pub type Labels = [String; 5];

const MODES: [&str; 8] =
    ["WRAP", "MIRROR", "CLAMP", "CUBE", "CLAMP_BORDER", "MIRROR_ONCE", "HALF_BORDER", "MIRROR_101"];
const FILTERS: [&str; 8] =
    ["NEAREST", "LINEAR", "ANISOTROPIC", "reserved", "reserved", "reserved", "MONO", "reserved"];
const MIPS: [&str; 8] =
    ["NONE", "NEAREST", "reserved", "LINEAR", "reserved", "reserved", "reserved", "reserved"];

/// Returns the labels of a job.
pub fn labels(job: &Job) -> Labels {
    let sampled = |name: &str, names: [&'static str; 8]| names[sampler(&job.sampler, name) as usize % 8];
    let uses_sampler = Op::find(&job.op, job.half_params).is_some_and(|op| op.uses_sampler());
    // The address mode of U only: all combinations of three axes would need 512 cells.
    let mode = sampled("TCX Address Control Mode", MODES);
    let format = surface(&job.surface, "Surface Format");
    [
        job.op.clone(),
        name(format).map_or_else(|| format!("{format:#x}"), str::to_owned),
        if uses_sampler { mode.to_owned() } else { "no sampler".to_owned() },
        if uses_sampler {
            let [mag, min] = ["Mag", "Min"].map(|which| sampled(&format!("{which} Mode Filter"), FILTERS));
            format!("mag {mag}, min {min}, mip {}{}", sampled("Mip Mode Filter", MIPS), reduction(job))
        } else {
            "no sampler".to_owned()
        },
        dimension(job),
    ]
}

/// Returns the suffix of the filter's label for a reduction other than the mean.
fn reduction(job: &Job) -> &'static str {
    let set = sampler(&job.sampler, "Reduction Type Enable") == 1;
    match (job.op.as_str(), sampler(&job.sampler, "Reduction Type")) {
        ("sample_min", _) => ", minimum",
        ("sample_max", _) => ", maximum",
        (_, 2) if set => ", minimum",
        (_, 3) if set => ", maximum",
        _ => "",
    }
}

/// Returns the dimension's label: `2D`, `cube array`, ...
fn dimension(job: &Job) -> String {
    let kind = match surface(&job.surface, "Surface Type") {
        0 => "1D",
        1 => "2D",
        2 => "3D",
        3 => "cube",
        4 => "buffer",
        5 => "structured buffer",
        7 => "null",
        _ => "reserved",
    };
    let samples = surface(&job.surface, "Number of Multisamples");
    let array = if surface(&job.surface, "Surface Array") == 1 { " array" } else { "" };
    let multisampled = if samples > 0 { " multisampled" } else { "" };
    format!("{kind}{array}{multisampled}")
}
