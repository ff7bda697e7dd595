//! The chapters of documents that define a job's result.

use crate::emulator::sample::ops::{LodSource, Op, OpWork};
use crate::emulator::state::{sampler, surface};
use crate::engine::Job;

/// Returns true if a chapter applies to a job.
type Applies = fn(&Job, &Op) -> bool;

fn samples(op: &Op) -> bool {
    matches!(op.work, OpWork::Sample | OpWork::Gather)
}

fn filters(job: &Job, code: u64) -> bool {
    ["Mag Mode Filter", "Min Mode Filter"].iter().any(|name| sampler(&job.sampler, name) == code)
}

fn modes(job: &Job, codes: &[u64]) -> bool {
    let mode = |axis: &str| sampler(&job.sampler, &format!("{axis} Address Control Mode"));
    ["TCX", "TCY", "TCZ"].iter().any(|axis| codes.contains(&mode(axis)))
}

/// The chapters, and the jobs that each applies to.
const PARTS: &[(&str, Applies)] = &[
    (
        "PRM, Memory Views: surface formats; Vulkan, Format Definition and Texel Input Operations: conversion",
        |_, op| !matches!(op.work, OpWork::Resinfo | OpWork::Sampleinfo | OpWork::Lod),
    ),
    ("PRM, sampling engine: Linear filtering; Vulkan, Texel Filtering", |job, op| {
        samples(op) && filters(job, 1)
    }),
    (
        "PRM, sampling engine: MAPFILTER_NEAREST; Vulkan, (i,j,k) selection for VK_FILTER_NEAREST",
        |job, op| samples(op) && filters(job, 0),
    ),
    ("PRM, sampling engine: Anisotropic filtering; Vulkan, Texel Anisotropic Filtering", |job, op| {
        samples(op) && filters(job, 2)
    }),
    ("PRM, sampling engine: Texture Coordinate Modes; Vulkan, Wrapping Operation", |job, op| {
        samples(op) && modes(job, &[0, 1, 2, 5, 6, 7])
    }),
    (
        "PRM, sampling engine: SAMPLER_BORDER_COLOR_STATE; Vulkan, Texel Replacement and border colours",
        |job, op| samples(op) && modes(job, &[4, 6]),
    ),
    (
        "PRM, sampling engine: cube maps; Vulkan, Cube Map Face Selection, Cube Map Edge Handling",
        |job, op| samples(op) && surface(&job.surface, "Surface Type") == 3,
    ),
    ("PRM, sampling engine: Level of Detail; Vulkan, LOD Operation and Image Level(s) Selection", |_, op| {
        op.uses_sampler() && op.lod != LodSource::Base
    }),
    (
        "PRM, sampling engine: derivatives of a subspan; Vulkan, Derivative Image Operations and Scale Factor Operation",
        |_, op| matches!(op.lod, LodSource::Quad | LodSource::Gradients),
    ),
    ("PRM, sampling engine: Shadow Function; Vulkan, Depth Compare Operation", |_, op| op.compares()),
    ("PRM, sampling engine: gather4; Vulkan, Texel Gathering", |_, op| op.work == OpWork::Gather),
    (
        "PRM, sampling engine: ld messages; Vulkan, Integer Texel Coordinate Operations and Coordinate Validation",
        |_, op| matches!(op.work, OpWork::Load | OpWork::LoadSample | OpWork::LoadMcs),
    ),
    (
        "PRM, sampling engine: array index; Vulkan, Unnormalized Texel Coordinate Operations: layer selection",
        |job, op| samples(op) && surface(&job.surface, "Surface Array") == 1,
    ),
    ("PRM, sampling engine: Shader Channel Select; Vulkan, Component Swizzle", |job, _| {
        ["Red", "Green", "Blue", "Alpha"]
            .iter()
            .zip(4..)
            .any(|(channel, own)| surface(&job.surface, &format!("Shader Channel Select {channel}")) != own)
    }),
    ("PRM, sampling engine: Reduction Type; Vulkan, Texel Reduction", |job, op| {
        samples(op) && sampler(&job.sampler, "Reduction Type Enable") == 1
    }),
    (
        "PRM, sampling engine: resinfo and sampleinfo; SPIR-V, OpImageQuerySizeLod, OpImageQueryLevels, OpImageQuerySamples",
        |_, op| matches!(op.work, OpWork::Resinfo | OpWork::Sampleinfo),
    ),
];

/// Returns the chapters that apply to a job.
pub(super) fn chapters(job: &Job) -> Vec<&'static str> {
    let Some(op) = Op::find(&job.op, job.half_params) else { return Vec::new() };
    PARTS.iter().filter(|(_, concerns)| concerns(job, &op)).map(|(part, _)| *part).collect()
}
