//! Plans how Vulkan executes a group of jobs that share a state, or says why it cannot.

mod format;
mod image;
mod levels;
mod lod;
mod order;
mod payload;
mod sampler;
mod types;

pub(super) use image::{ImagePlan, LevelCopy, MOST_TEXELS};
pub(super) use payload::LaneView;
pub(super) use sampler::{Border, SamplerPlan};
pub(super) use types::{NoPlan, Plan, ViewPlan};

use super::device::Gpu;
use super::info::DeviceInfo;
use super::shader::{Dim, ImageOp, ShaderKey, TexelType};
use crate::emulator::formats::Format;
use crate::emulator::sample::BoundJob;
use crate::emulator::sample::axis::{CUBE, MIRROR_101};
use crate::emulator::sample::ops::{LodSource, Op, OpWork};
use crate::emulator::sample::sampler::{Filter, Reduction};
use crate::emulator::surface::{Surface, SurfaceType};
use crate::engine::Job;
use ash::vk;
use format::{ChosenFormat, FormatNeeds};
use image::TexelLayout;
use order::ParamOrder;

impl Plan {
    /// Returns the plan of a job, which is also that of all jobs that differ from it in payload only.
    pub(super) fn of(gpu: &Gpu, job: &Job) -> Result<Self, NoPlan> {
        let Some(bound) = BoundJob::of(job).map_err(NoPlan::Refused)? else {
            return Err("not a sampler message".into());
        };
        let (op, surface) = (bound.op, &bound.surface);
        if op.uses_sampler() && bound.sampler.disable {
            return Err("a disabled sampler".into());
        }
        let image = image::geometry(surface, job, op.work == OpWork::Gather)?;
        let Some(format) = &surface.format else { return Err("surface type NULL".into()) };
        if op.work == OpWork::LoadMcs {
            return Err("the multisample control surface is read".into());
        }
        if op.work == OpWork::LoadSample && surface.mcs.is_some() {
            return Err("a multisample control surface".into());
        }
        if op.work == OpWork::Sampleinfo && surface.samples == 1 {
            return Err("the samples of an image that has one".into());
        }
        let order = ParamOrder::new(op.params, job.half_params);
        let mut plan = Self {
            key: key(&op, surface, format, job),
            sampler: SamplerPlan::default(),
            views: vec![ViewPlan::levels(image.first_level, image.view_levels)],
            planes: None,
            widened: false,
            outside: bound.channels(format.with_defaults([0.0; 4])),
            op,
            order,
            surface: surface.clone(),
            sampler_state: bound.sampler.clone(),
            hold: [false; 3],
            fold: [None; 3],
            bordered: [false; 3],
            lod_range: [0.0; 2],
            whole_levels: false,
            lod_is: None,
            texels: None,
            unorm: format.unorm,
            integer: format.integer,
            robust: gpu.info.offers.robust_image,
            precision: job.precision,
            offsets: job.offsets,
            image,
        };
        // SwiftShader decodes blocks, and fills the edges of cubes, for draws only: images that need it are not sampled by dispatches.
        let prepared = op.uses_sampler() && surface.kind == SurfaceType::Cube || format.block != (1, 1);
        plan.key.drawn = gpu.info.prepares_for_draws() && prepared && surface.samples == 1;
        plan.plan_offsets(&gpu.info);
        plan.judge_device(&gpu.info)?;
        if op.uses_sampler() {
            plan.plan_sampler(&gpu.info, &bound, job)?;
        }
        if plan.key.op == ImageOp::Size && (surface.quilt != (1, 1)) {
            return Err("quilts".into());
        }
        plan.plan_image(gpu, &bound, format, job)?;
        if plan.key.op == ImageOp::Size {
            plan.outside = [0, 0, 0, surface.levels as u32];
        }
        Ok(plan)
    }

    /// Plans the texel offsets of a gather: offsets of each lane, or constant ones if the device offers no others.
    fn plan_offsets(&mut self, device: &DeviceInfo) {
        if !matches!(self.key.op, ImageOp::Gather(_)) || self.key.dim == Dim::Cube {
            return;
        }
        let [u, v, _] = self.offsets;
        let v = if self.surface.kind == SurfaceType::D1 { 0 } else { v };
        self.key.lane_offsets = self.order.has_offsets() || (u, v) != (0, 0) && device.offers.gather_extended;
        if !self.key.lane_offsets {
            self.key.offset = [u, v, 0];
        }
    }

    fn judge_device(&self, device: &DeviceInfo) -> Result<(), &'static str> {
        let cube_array = self.key.dim == Dim::Cube && self.key.arrayed;
        // All that messages can have, and all that every device takes.
        let usual_offsets = self.offsets.iter().all(|offset| (-8..=7).contains(offset));
        match () {
            () if self.key.fragment() && !device.offers.fragment_stores => {
                Err("feature fragmentStoresAndAtomics")
            }
            () if cube_array && !device.offers.cube_array => Err("feature imageCubeArray"),
            () if self.key.lane_offsets && !device.offers.gather_extended => {
                Err("feature shaderImageGatherExtended")
            }
            () if matches!(self.op.work, OpWork::Sample | OpWork::Gather) && !usual_offsets => {
                Err("texel offsets outside of -8..7")
            }
            () if self.key.dim == Dim::D3 && self.op.work == OpWork::Gather => Err("gather4 of a 3D surface"),
            () if self.key.dim == Dim::D3 && self.key.compare => Err("comparison of a 3D surface"),
            () => Ok(()),
        }
    }

    /// Plans filters, levels, LOD and addresses of a message that uses a sampler.
    fn plan_sampler(
        &mut self,
        device: &DeviceInfo,
        bound: &BoundJob<'_>,
        job: &Job,
    ) -> Result<(), &'static str> {
        let (op, surface) = (bound.op, &bound.surface);
        self.plan_bias(bound, job, device)?;
        self.plan_levels(bound, device)?;
        self.plan_texel_coordinates(bound)?;
        let message = self.order.carried(&job.params, "mlod");
        // Asked before the levels of the view change.
        let without_lod = self.lod_changes_nothing(bound);
        if message && without_lod && surface.levels == 1 {
            self.key.op = ImageOp::Lod;
        } else if message {
            self.hold_lod(bound, "a least LOD in the message", device)?;
        }
        if op.work == OpWork::Lod {
            return Ok(());
        }
        let gathers = op.work == OpWork::Gather;
        let in_use = if gathers { [Filter::Linear; 2] } else { self.filters_in_use() };
        if surface.kind == SurfaceType::Cube {
            self.plan_cube_edges(bound, in_use, device)?;
        } else {
            self.plan_addresses(bound, job, in_use, without_lod, device)?;
        }
        if self.hold.contains(&true) && without_lod && self.key.derives() {
            self.key.op = ImageOp::Lod;
        }
        if self.hold.contains(&true) && self.key.derives() {
            // Derivatives are those of the unclamped coordinates.
            if !message {
                self.hold_lod(bound, "address mode HALF_BORDER", device)?;
            }
            self.key.hold = self.hold;
        }
        if self.key.compare {
            self.sampler.compare = Some(sampler::compare(bound.sampler.shadow));
        }
        Ok(())
    }

    /// Plans the LOD bias: that of the sampler and that of coarse pixels.
    fn plan_bias(
        &mut self,
        bound: &BoundJob<'_>,
        job: &Job,
        device: &DeviceInfo,
    ) -> Result<(), &'static str> {
        let coarse = f32::from_bits(job.cps.unwrap_or(0));
        self.sampler.bias = bound.sampler.bias as f32 + coarse;
        if !coarse.is_finite() && bound.op.work == OpWork::Sample && !self.order.carried(&job.params, "mlod")
        {
            // A bias that is NaN or infinite makes the LOD the same in all lanes.
            self.lod_is = Some(f64::from(coarse));
            self.sampler.bias = 0.0;
        }
        match self.sampler.bias.abs() <= device.max_lod_bias {
            true => Ok(()),
            false => Err("more LOD bias than the device has"),
        }
    }

    /// Plans coordinates in texels: they are divided by the size of the level, so that there can be only one level.
    fn plan_texel_coordinates(&mut self, bound: &BoundJob<'_>) -> Result<(), &'static str> {
        let surface = &bound.surface;
        if bound.sampler.non_normalized && surface.kind != SurfaceType::Cube {
            let view = self.views[0];
            if bound.op.work != OpWork::Lod && (self.views.len() > 1 || view.count > 1) {
                return Err("coordinates in texels of several levels");
            }
            self.texels = Some(surface.level(u64::from(view.first - self.image.first_level)));
        }
        Ok(())
    }

    /// Plans whether filters reach over the edges of a cube's faces.
    fn plan_cube_edges(
        &mut self,
        bound: &BoundJob<'_>,
        filters: [Filter; 2],
        device: &DeviceInfo,
    ) -> Result<(), &'static str> {
        let state = &bound.sampler;
        let seamless = state.cube_override || state.modes[0] == CUBE;
        let gathers = bound.op.work == OpWork::Gather;
        self.sampler.seams = !seamless && (gathers || filters != [Filter::Nearest; 2]);
        if self.sampler.seams && !device.offers.non_seamless {
            return Err("feature nonSeamlessCubeMap");
        }
        Ok(())
    }

    /// Plans the address mode of each axis. `without_lod`: the LOD has no effect.
    fn plan_addresses(
        &mut self,
        bound: &BoundJob<'_>,
        job: &Job,
        filters: [Filter; 2],
        without_lod: bool,
        device: &DeviceInfo,
    ) -> Result<(), &'static str> {
        let (surface, state) = (&bound.surface, &bound.sampler);
        let own = match surface.kind {
            SurfaceType::D1 => 1,
            SurfaceType::D2 => 2,
            _ => 3,
        };
        // With one level and no derivatives, the engine knows the size in texels and can fold coordinates.
        let one = self.views.len() == 1 && self.views[0].count == 1;
        let folds = (0..own).any(|axis| state.modes[axis] == MIRROR_101);
        if one && without_lod && self.key.derives() && folds {
            self.key.op = ImageOp::Lod;
        }
        let folded = one && bound.op.work != OpWork::Gather && !self.key.derives();
        let level = surface.level(u64::from(self.views[0].first - self.image.first_level));
        for axis in 0..own {
            let offset = job.offsets[axis] != 0 || self.key.lane_offsets;
            let size = surface.level(0)[axis];
            let address = sampler::address(state.modes[axis], size, filters, offset, folded, device)?;
            self.sampler.modes[axis] = address.mode;
            self.hold[axis] = address.hold;
            if address.fold {
                self.fold[axis] = Some(level[axis]);
                self.key.offset[axis] = 0;
            }
            self.bordered[axis] = address.mode == vk::SamplerAddressMode::CLAMP_TO_BORDER;
        }
        Ok(())
    }

    /// Returns whether the LOD has no effect (one level, one filter), so that coordinates can be folded or clamped without regard to
    /// derivatives.
    fn lod_changes_nothing(&self, bound: &BoundJob<'_>) -> bool {
        bound.op.work == OpWork::Sample
            && matches!(self.views[..], [ViewPlan { count: 1, .. }])
            && self.sampler.mag == self.sampler.min
            && self.sampler.anisotropy <= 1.0
    }

    /// Returns the filters (magnifying, minifying) of the sampler that is planned.
    fn filters_in_use(&self) -> [Filter; 2] {
        let of = |f| if f == vk::Filter::LINEAR { Filter::Linear } else { Filter::Nearest };
        [of(self.sampler.mag), of(self.sampler.min)]
    }

    /// Plans the image: its format, channels and texels.
    fn plan_image(
        &mut self,
        gpu: &Gpu,
        bound: &BoundJob<'_>,
        format: &Format,
        job: &Job,
    ) -> Result<(), &'static str> {
        if self.image.samples > 1 {
            return self.plan_samples(gpu, bound, format, job);
        }
        let reduction = self.reduction(bound);
        let mut needs = self.format_needs(bound, reduction);
        // Texels on null pages are stored as zeros, unless the null mask is returned: the device cannot tell which lanes read them.
        let nulls = !job.null_mask;
        loop {
            let chosen = format::choose(gpu, bound, format, &self.image, needs)?;
            self.plan_format(gpu, bound, &chosen, needs, reduction)?;
            if matches!(self.key.op, ImageOp::Size | ImageOp::QueryLod) {
                return Ok(());
            }
            match image::fill(&mut self.image, bound, job, chosen.layout, needs.skip_srgb, nulls) {
                // A block of zero bytes does not decode to zeros: the texels are decoded instead.
                Err(image::NULL) if nulls && chosen.layout == TexelLayout::Elements => {
                    (self.image.bytes, self.image.copies) = (Vec::new(), Vec::new());
                    needs.widen = true;
                }
                Err(why) => return Err(why),
                Ok(())
                    if chosen.layout == TexelLayout::Depth
                        && !gpu.info.offers.depth_unrestricted
                        && !self.image.depths_in_range() =>
                {
                    return Err("depths outside of 0..1");
                }
                Ok(()) => return Ok(()),
            }
        }
    }

    /// Returns the reduction of the footprint's texels: that of the sampler if the message filters and does not compare.
    fn reduction(&self, bound: &BoundJob<'_>) -> Reduction {
        let filtered = matches!(bound.op.work, OpWork::Sample | OpWork::Gather);
        if self.key.compare || !filtered { Reduction::Standard } else { bound.sampler.reduction }
    }

    /// Returns what the message needs of the image's format.
    fn format_needs(&self, bound: &BoundJob<'_>, reduction: Reduction) -> FormatNeeds {
        let filtered = matches!(bound.op.work, OpWork::Sample | OpWork::Gather);
        let linear = self.filters_in_use().contains(&Filter::Linear)
            || self.sampler.mip == vk::SamplerMipmapMode::LINEAR;
        FormatNeeds {
            linear: linear && bound.op.uses_sampler(),
            minmax: reduction != Reduction::Standard && linear && bound.op.work == OpWork::Sample,
            compare: self.key.compare,
            border: filtered && self.bordered.contains(&true),
            skip_srgb: filtered && bound.sampler.skip_srgb,
            widen: false,
        }
    }

    /// Plans what follows from the format: channel selects, views, reduction and border colour.
    fn plan_format(
        &mut self,
        gpu: &Gpu,
        bound: &BoundJob<'_>,
        chosen: &ChosenFormat,
        needs: FormatNeeds,
        reduction: Reduction,
    ) -> Result<(), &'static str> {
        let image = &mut self.image;
        image.format = chosen.format;
        if needs.compare {
            image.aspect = vk::ImageAspectFlags::DEPTH;
            image.mapping = format::swizzle([4, 5, 6, 7], chosen.mapping);
        } else {
            image.mapping = format::swizzle(self.surface.select, chosen.mapping);
        }
        if chosen.layout == TexelLayout::Planes {
            // A channel select needs all channels: it is applied to the results.
            image.mapping = [vk::ComponentSwizzle::IDENTITY; 4];
            image.separate();
            self.planes = Some(format::plane_borders(gpu, bound, needs)?);
            let view = self.views[0];
            self.views = (0..4).map(|c| ViewPlan { layer: c * image.view_layers, ..view }).collect();
        }
        let swizzled = chosen.layout != TexelLayout::Planes && !format::is_identity(image.mapping);
        if needs.border && swizzled && !gpu.info.offers.border_swizzle {
            return Err("border colour of swizzled channels");
        }
        if bound.op.work == OpWork::Sample {
            self.sampler.reduce(reduction, swizzled, &gpu.info)?;
        }
        self.sampler.border = chosen.border;
        self.widened = chosen.widened;
        // Decoded texels have components that the format lacks: for a texel out of range, the device would return other values there.
        self.robust &= !chosen.widened;
        Ok(())
    }
}

impl Plan {
    /// Plans a multisampled image: it is decoded, and a shader writes it, since Vulkan has no copies to multisampled images.
    fn plan_samples(
        &mut self,
        gpu: &Gpu,
        bound: &BoundJob<'_>,
        format: &Format,
        job: &Job,
    ) -> Result<(), &'static str> {
        if !gpu.info.offers.storage_multisample {
            return Err("feature shaderStorageImageMultisample");
        }
        let image = &mut self.image;
        (image.format, self.robust, self.widened) = (format::multisampled(gpu, format, image)?, false, true);
        image.mapping = format::swizzle(self.surface.select, *b"RGBA");
        match self.key.op {
            ImageOp::Size => Ok(()),
            _ => image::fill_samples(image, bound, job, !job.null_mask),
        }
    }
}

/// Returns the shape of the shader for an operation.
fn key(op: &Op, surface: &Surface, format: &Format, job: &Job) -> ShaderKey {
    let gathers = op.work == OpWork::Gather;
    let dim = match surface.kind {
        // Vulkan gathers from 2D images only: a 1D surface becomes one of a single row.
        SurfaceType::D1 if gathers => Dim::D2,
        SurfaceType::D1 => Dim::D1,
        SurfaceType::D3 => Dim::D3,
        SurfaceType::Cube => Dim::Cube,
        SurfaceType::D2 | SurfaceType::Buffer | SurfaceType::Strbuf | SurfaceType::Null => Dim::D2,
    };
    let image_op = match (op.work, op.lod) {
        (OpWork::Gather, _) => ImageOp::Gather(job.gather % 4),
        (OpWork::Load | OpWork::LoadSample | OpWork::LoadMcs, _) => ImageOp::Fetch,
        (OpWork::Resinfo | OpWork::Sampleinfo, _) => ImageOp::Size,
        (OpWork::Lod, _) => ImageOp::QueryLod,
        (OpWork::Sample, LodSource::Quad) if op.params.contains("bias") => ImageOp::Bias,
        (OpWork::Sample, LodSource::Quad) => ImageOp::Implicit,
        (OpWork::Sample, LodSource::Gradients) => ImageOp::Grad,
        (OpWork::Sample, LodSource::Explicit | LodSource::Zero | LodSource::Base) => ImageOp::Lod,
    };
    let sampled = op.work == OpWork::Sample && surface.kind != SurfaceType::Cube;
    let kind = match (format.integer, format.signed) {
        (false, _) => TexelType::Float,
        (true, false) => TexelType::Uint,
        (true, true) => TexelType::Sint,
    };
    let mut key = ShaderKey {
        dim,
        arrayed: surface.array && surface.kind != SurfaceType::D3,
        multisampled: surface.samples > 1,
        kind,
        op: image_op,
        compare: op.compares(),
        offset: if sampled { job.offsets } else { [0; 3] },
        lane_offsets: false,
        hold: [false; 3],
        drawn: false,
    };
    let axes = key.axes();
    key.offset[axes..].fill(0);
    key
}
