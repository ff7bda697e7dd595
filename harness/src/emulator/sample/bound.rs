//! A job whose state is decoded and checked, ready to execute lane by lane (sampling page, section 0).

use super::nudge::Slack;
use super::ops::{LodSource, Op, OpWork};
use super::sampler::{Reduction, Sampler};
use crate::emulator::numbers::Texel;
use crate::emulator::surface::{Surface, SurfaceType};
use crate::engine::{ByteMemory, Job, Precision};

/// A job whose state is decoded and checked.
#[derive(Debug)]
pub struct BoundJob<'a> {
    pub(super) job: &'a Job,
    pub(super) contents: &'a dyn ByteMemory,
    /// The operation.
    pub op: Op,
    /// The names of its parameters in payload order.
    pub(super) names: Vec<&'static str>,
    /// The surface.
    pub surface: Surface,
    /// The sampler.
    pub sampler: Sampler,
    pub(super) border: Texel,
    pub(super) precision: Precision,
    pub(super) slack: Slack,
}

impl<'a> BoundJob<'a> {
    /// Decodes and checks a job. `Ok(None)`: its operation is a TXQ, which is not a sampler message.
    ///
    /// # Errors
    /// What [`crate::emulator`] lists as refused.
    pub fn of(job: &'a Job) -> Result<Option<Self>, String> {
        Self::on(job, job)
    }

    /// Decodes and checks a job, with `contents` as memory instead of its own.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn on(job: &'a Job, contents: &'a dyn ByteMemory) -> Result<Option<Self>, String> {
        let name = job.op.as_str();
        if name.starts_with("txq") {
            return Ok(None);
        }
        let op =
            Op::find(name, job.half_params).ok_or_else(|| format!("operation {name} is not supported"))?;
        if ![1, 2, 4, 8, 16, 32].contains(&job.simd) {
            return Err(format!("SIMD width {}", job.simd));
        }
        let names: Vec<_> = op.params.split_whitespace().collect();
        if job.params.len() > names.len() {
            return Err(format!("{name} has no {} parameters", job.params.len()));
        }
        let surface = Surface::of(&job.surface, job.platform)?;
        let mut sampler = if op.uses_sampler() { Sampler::of(&job.sampler)? } else { Sampler::of(&[0; 4])? };
        match name {
            "sample_min" => sampler.reduction = Reduction::Minimum,
            "sample_max" => sampler.reduction = Reduction::Maximum,
            _ => {}
        }
        let border = surface.format.as_ref().map_or([0.0; 4], |format| format.border(job.border));
        let (precision, slack) = (job.precision, Slack::default());
        let bound = Self { job, contents, op, names, surface, sampler, border, precision, slack };
        bound.judge()?;
        Ok(Some(bound))
    }

    fn judge(&self) -> Result<(), String> {
        let Some(format) = &self.surface.format else { return Ok(()) };
        let kind = self.surface.kind;
        let multisampled = self.surface.samples > 1;
        let buffer = matches!(kind, SurfaceType::Buffer | SurfaceType::Strbuf);
        let (name, work) = (self.op.name, self.op.work);
        let illegal = match work {
            OpWork::Sample | OpWork::Gather | OpWork::Lod => buffer || multisampled,
            OpWork::Load => kind == SurfaceType::Cube || multisampled && !buffer,
            OpWork::LoadSample | OpWork::LoadMcs => kind != SurfaceType::D2,
            OpWork::Resinfo | OpWork::Sampleinfo => false,
        };
        if illegal {
            return Err(format!("{name} of a {kind:?} surface with {} samples", self.surface.samples));
        }
        if ["sample_min", "sample_max"].contains(&name) && kind != SurfaceType::D2 {
            return Err(format!("{name} is for 2D surfaces"));
        }
        let reads = !matches!(work, OpWork::Resinfo | OpWork::Sampleinfo);
        if reads && !buffer && self.surface.quilt != (1, 1) {
            return Err("a quilted surface is not read: its seams are not published".into());
        }
        if self.job.kill_mask && (name != "sample+killpix" || self.sampler.keyed) {
            return Err(
                "no kill mask: no killpix message, or a chroma key that is no state of the sampler".into()
            );
        }
        if self.op.compares() && format.integer {
            return Err(format!("{name} compares; {} is an integer format", format.name));
        }
        Ok(())
    }

    /// Returns the number of axes that are filtered.
    pub fn axes(&self) -> usize {
        match self.surface.kind {
            SurfaceType::D1 => 1,
            SurfaceType::D3 => 3,
            SurfaceType::D2
            | SurfaceType::Cube
            | SurfaceType::Buffer
            | SurfaceType::Strbuf
            | SurfaceType::Null => 2,
        }
    }

    pub(super) fn gathers(&self) -> bool {
        self.op.work == OpWork::Gather
    }

    /// Returns true if the LOD comes from derivatives.
    pub(super) fn derivatives(&self) -> bool {
        matches!(self.op.lod, LodSource::Quad | LodSource::Gradients)
    }

    /// Returns true if the results are integers: texels of an integer format, or the answer of a query.
    pub fn returns_integers(&self) -> bool {
        match self.op.work {
            OpWork::Resinfo | OpWork::Sampleinfo | OpWork::LoadMcs => true,
            OpWork::Load | OpWork::LoadSample | OpWork::Sample | OpWork::Gather => self.surface.is_integer(),
            OpWork::Lod => false,
        }
    }

    /// Returns the border colour as a texel of the surface's format.
    pub const fn border(&self) -> Texel {
        self.border
    }
}
