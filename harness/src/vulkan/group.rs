//! A group of jobs on the device: image, views, sampler, descriptor sets, and its dispatches or draws.

use super::device::{Gpu, Owned};
use super::memory::{ImageHeap, failed};
use super::pipelines::{Pipelines, SIDE, STAGES};
use super::plan::{Border, ImagePlan, Plan, SamplerPlan, ViewPlan};
use super::shader::{GROUP, ImageOp, UPLOAD_GROUP};
use ash::vk;
use std::rc::Rc;

/// The most lanes of a draw.
pub(super) const MOST_LANES: usize = (SIDE * SIDE) as usize;

/// What the device does for a group.
pub(super) struct GroupWork {
    pub(super) plan: Plan,
    /// Byte offset of its texels in the staging buffer.
    pub(super) staging: u64,
    /// Index of the first payload word of the samples of a multisampled image.
    pub(super) upload: u32,
    /// The dispatches or draws of the group: one for each view that lanes sample.
    pub(super) runs: Vec<ViewRun>,
}

/// The handles of a group, alive until its batch is done.
pub(super) struct GroupHandles<'a> {
    work: &'a GroupWork,
    pipeline: vk::Pipeline,
    image: Owned<vk::Image>,
    _views: Vec<Owned<vk::ImageView>>,
    _samplers: Vec<Owned<vk::Sampler>>,
    sets: Vec<vk::DescriptorSet>,
    /// The pipeline that writes the samples of a multisampled image.
    upload: Option<vk::Pipeline>,
}

/// The lanes that sample one view: index of the view, first payload word, first result word, number of lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ViewRun {
    pub(super) view: usize,
    pub(super) payload: u32,
    pub(super) result: u32,
    pub(super) lanes: u32,
}

/// The buffers of a batch.
#[derive(Clone, Copy)]
pub(super) struct Buffers {
    pub(super) staging: vk::Buffer,
    pub(super) payload: vk::Buffer,
    pub(super) results: vk::Buffer,
}

impl<'a> GroupHandles<'a> {
    /// Creates the handles of a group.
    ///
    /// # Errors
    /// The device failed.
    pub(super) fn new(
        gpu: &Rc<Gpu>,
        pipelines: &mut Pipelines,
        heap: &mut ImageHeap,
        pool: vk::DescriptorPool,
        buffers: Buffers,
        work: &'a GroupWork,
    ) -> Result<Self, String> {
        let plan = &work.plan;
        let pipeline = pipelines.get(&plan.key)?;
        let written = plan.image.samples > 1 && plan.key.op == ImageOp::Fetch;
        let upload = if written { Some(pipelines.upload(plan.key.kind, plan.key.arrayed)?) } else { None };
        let image = image(gpu, heap, &plan.image)?;
        let mut samplers = vec![sampler(gpu, &plan.sampler)?];
        for &border in plan.planes.iter().flatten() {
            samplers.push(sampler(gpu, &SamplerPlan { border, ..plan.sampler })?);
        }
        let mut views = Vec::new();
        let mut sets = Vec::new();
        for (index, planned) in plan.views.iter().enumerate() {
            if !work.runs.iter().any(|run| run.view == index) {
                sets.push(vk::DescriptorSet::null());
                continue;
            }
            let view = view(gpu, image.get(), &plan.image, planned, plan.image.mapping)?;
            let sampler = &samplers[if plan.planes.is_some() { index + 1 } else { 0 }];
            sets.push(set(gpu, pipelines, pool, buffers, view.get(), sampler.get())?);
            if written {
                // Samples are written through a view without a swizzle.
                let identity = [vk::ComponentSwizzle::IDENTITY; 4];
                let plain = self::view(gpu, image.get(), &plan.image, planned, identity)?;
                store(gpu, sets[index], plain.get());
                views.push(plain);
            }
            views.push(view);
        }
        Ok(Self { work, pipeline, image, _views: views, _samplers: samplers, sets, upload })
    }

    /// Returns whether its lanes are drawn.
    fn fragment(&self) -> bool {
        self.work.plan.key.fragment()
    }

    /// Returns the barrier before texels are written (`first`), or the one between that and sampling.
    fn barrier(&self, first: bool) -> vk::ImageMemoryBarrier<'static> {
        let (middle, write) = self.written();
        let read = vk::AccessFlags::SHADER_READ;
        let (from, to) = match first {
            true => (vk::ImageLayout::UNDEFINED, middle),
            false => (middle, vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL),
        };
        let plan = &self.work.plan.image;
        vk::ImageMemoryBarrier::default()
            .src_access_mask(if first { vk::AccessFlags::empty() } else { write })
            .dst_access_mask(if first { write } else { read })
            .old_layout(from)
            .new_layout(to)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(self.image.get())
            .subresource_range(vk::ImageSubresourceRange {
                aspect_mask: aspects(plan),
                base_mip_level: 0,
                level_count: plan.levels,
                base_array_layer: 0,
                layer_count: plan.layers,
            })
    }

    /// Records the dispatch that writes the samples of a multisampled image, which is in layout GENERAL.
    fn write_samples(&self, gpu: &Gpu, pipelines: &Pipelines, commands: vk::CommandBuffer) {
        let Some(pipeline) = self.upload else { return };
        let (plan, first) = (&self.work.plan.image, self.work.upload);
        let (point, layout) = (vk::PipelineBindPoint::COMPUTE, pipelines.layout.get());
        let [columns, rows, _] = plan.size;
        let count = columns * rows * plan.samples * plan.view_layers;
        let push: Vec<u8> =
            [first, columns, rows, plan.samples, count].iter().flat_map(|w| w.to_ne_bytes()).collect();
        // SAFETY: pipeline, layout and set are alive and fit each other.
        unsafe {
            let device = &gpu.device;
            device.cmd_bind_pipeline(commands, point, pipeline);
            device.cmd_bind_descriptor_sets(commands, point, layout, 0, &[self.sets[0]], &[]);
            device.cmd_push_constants(commands, layout, STAGES, 0, &push);
            device.cmd_dispatch(commands, count.div_ceil(UPLOAD_GROUP), 1, 1);
        }
    }

    /// Returns the layout of the image while its texels are written, and the kind of access that writes them.
    fn written(&self) -> (vk::ImageLayout, vk::AccessFlags) {
        match self.work.plan.image.samples {
            1 => (vk::ImageLayout::TRANSFER_DST_OPTIMAL, vk::AccessFlags::TRANSFER_WRITE),
            _ => (vk::ImageLayout::GENERAL, vk::AccessFlags::SHADER_WRITE),
        }
    }

    fn copy(&self, gpu: &Gpu, commands: vk::CommandBuffer, staging: vk::Buffer) {
        let plan = &self.work.plan.image;
        let region = |copy: &super::plan::LevelCopy| {
            vk::BufferImageCopy::default()
                .buffer_offset(self.work.staging + copy.start)
                .image_subresource(vk::ImageSubresourceLayers {
                    aspect_mask: plan.aspect,
                    mip_level: copy.level,
                    base_array_layer: plan.first_layer,
                    layer_count: plan.copy_layers,
                })
                .image_extent(vk::Extent3D { width: copy.size[0], height: copy.size[1], depth: copy.size[2] })
        };
        let regions: Vec<_> = plan.copies.iter().map(region).collect();
        if !regions.is_empty() {
            let layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
            // SAFETY: image and buffer are alive, the regions inside of both, the image in this layout.
            unsafe {
                gpu.device.cmd_copy_buffer_to_image(commands, staging, self.image.get(), layout, &regions)
            };
        }
    }

    fn run(&self, gpu: &Gpu, pipelines: &Pipelines, commands: vk::CommandBuffer) {
        let point =
            if self.fragment() { vk::PipelineBindPoint::GRAPHICS } else { vk::PipelineBindPoint::COMPUTE };
        let layout = pipelines.layout.get();
        for run in &self.work.runs {
            let quads = run.lanes.div_ceil(4);
            let width = quads.clamp(1, SIDE / 2);
            let push: Vec<u8> =
                [run.payload, run.result, run.lanes, width].iter().flat_map(|w| w.to_ne_bytes()).collect();
            // SAFETY: pipeline, layout and sets are alive and fit each other; quads are drawn inside the render pass.
            unsafe {
                let device = &gpu.device;
                device.cmd_bind_pipeline(commands, point, self.pipeline);
                device.cmd_bind_descriptor_sets(commands, point, layout, 0, &[self.sets[run.view]], &[]);
                device.cmd_push_constants(commands, layout, STAGES, 0, &push);
                if self.fragment() {
                    let extent = vk::Extent2D { width: 2 * width, height: 2 * quads.div_ceil(width) };
                    device.cmd_set_scissor(
                        commands,
                        0,
                        &[vk::Rect2D { offset: vk::Offset2D::default(), extent }],
                    );
                    device.cmd_draw(commands, 3, 1, 0, 0);
                } else {
                    device.cmd_dispatch(commands, run.lanes.div_ceil(GROUP), 1, 1);
                }
            }
        }
    }
}

/// Records a batch: copies, dispatches, draws.
pub(super) fn record(
    gpu: &Gpu,
    pipelines: &Pipelines,
    groups: &[GroupHandles<'_>],
    staging: vk::Buffer,
    commands: vk::CommandBuffer,
) {
    use vk::PipelineStageFlags as Stage;
    let work = Stage::COMPUTE_SHADER | Stage::FRAGMENT_SHADER;
    let none = vk::DependencyFlags::empty();
    let barriers = |first| groups.iter().map(|group| group.barrier(first)).collect::<Vec<_>>();
    let written = Stage::TRANSFER | Stage::COMPUTE_SHADER;
    // SAFETY: the command buffer is being recorded; all handles are alive until the batch is done.
    unsafe {
        let device = &gpu.device;
        let before = barriers(true);
        device.cmd_pipeline_barrier(commands, Stage::TOP_OF_PIPE, written, none, &[], &[], &before);
        for group in groups {
            group.copy(gpu, commands, staging);
            group.write_samples(gpu, pipelines, commands);
        }
        let after = barriers(false);
        device.cmd_pipeline_barrier(commands, written, work, none, &[], &[], &after);
        for group in groups.iter().filter(|group| !group.fragment()) {
            group.run(gpu, pipelines, commands);
        }
        if groups.iter().any(GroupHandles::fragment) {
            let area = vk::Rect2D {
                offset: vk::Offset2D::default(),
                extent: vk::Extent2D { width: SIDE, height: SIDE },
            };
            let begin = vk::RenderPassBeginInfo::default()
                .render_pass(pipelines.pass.get())
                .framebuffer(pipelines.frame.get())
                .render_area(area);
            device.cmd_begin_render_pass(commands, &begin, vk::SubpassContents::INLINE);
            for group in groups.iter().filter(|group| group.fragment()) {
                group.run(gpu, pipelines, commands);
            }
            device.cmd_end_render_pass(commands);
        }
        let seen = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        device.cmd_pipeline_barrier(commands, work, Stage::HOST, none, &seen, &[], &[]);
    }
}

/// Returns the aspects of the whole image: a depth format may have stencil as well.
fn aspects(plan: &ImagePlan) -> vk::ImageAspectFlags {
    match plan.format {
        vk::Format::D24_UNORM_S8_UINT => vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL,
        _ => plan.aspect,
    }
}

fn image(gpu: &Rc<Gpu>, heap: &mut ImageHeap, plan: &ImagePlan) -> Result<Owned<vk::Image>, String> {
    let flags = if plan.cube { vk::ImageCreateFlags::CUBE_COMPATIBLE } else { vk::ImageCreateFlags::empty() };
    let info = vk::ImageCreateInfo::default()
        .flags(flags)
        .image_type(plan.kind)
        .format(plan.format)
        .extent(vk::Extent3D { width: plan.size[0], height: plan.size[1], depth: plan.size[2] })
        .mip_levels(plan.levels)
        .array_layers(plan.layers)
        .samples(vk::SampleCountFlags::from_raw(plan.samples))
        .usage(
            vk::ImageUsageFlags::SAMPLED
                | if plan.samples > 1 {
                    vk::ImageUsageFlags::STORAGE
                } else {
                    vk::ImageUsageFlags::TRANSFER_DST
                },
        );
    // SAFETY: the device offers such images (`format::choose`); the memory is as large as the image needs and outlives the batch.
    unsafe {
        let image = gpu.device.create_image(&info, None).map_err(failed("vkCreateImage"))?;
        let image = Owned::new(gpu, image, |device, image| device.destroy_image(image, None));
        let (memory, offset) = heap.take(gpu.device.get_image_memory_requirements(image.get()))?;
        gpu.device.bind_image_memory(image.get(), memory, offset).map_err(failed("vkBindImageMemory"))?;
        Ok(image)
    }
}

fn view(
    gpu: &Rc<Gpu>,
    image: vk::Image,
    plan: &ImagePlan,
    view: &ViewPlan,
    [r, g, b, a]: [vk::ComponentSwizzle; 4],
) -> Result<Owned<vk::ImageView>, String> {
    let info = vk::ImageViewCreateInfo::default()
        .image(image)
        .view_type(plan.view)
        .format(plan.format)
        .components(vk::ComponentMapping { r, g, b, a })
        .subresource_range(vk::ImageSubresourceRange {
            aspect_mask: plan.aspect,
            base_mip_level: view.first,
            level_count: view.count,
            base_array_layer: plan.first_layer + view.layer,
            layer_count: plan.view_layers,
        });
    // SAFETY: the image is alive and has these levels and layers.
    let view = unsafe { gpu.device.create_image_view(&info, None) }.map_err(failed("vkCreateImageView"))?;
    Ok(Owned::new(gpu, view, |device, view| unsafe { device.destroy_image_view(view, None) }))
}

fn sampler(gpu: &Rc<Gpu>, plan: &SamplerPlan) -> Result<Owned<vk::Sampler>, String> {
    let mut custom = vk::SamplerCustomBorderColorCreateInfoEXT::default();
    let mut reduction = vk::SamplerReductionModeCreateInfo::default().reduction_mode(plan.reduction);
    let named = match plan.border {
        Border::Named(name) => name,
        Border::Custom(bits) => {
            custom.custom_border_color = vk::ClearColorValue { float32: bits.map(f32::from_bits) };
            vk::BorderColor::FLOAT_CUSTOM_EXT
        }
        Border::CustomInteger(uint32) => {
            custom.custom_border_color = vk::ClearColorValue { uint32 };
            vk::BorderColor::INT_CUSTOM_EXT
        }
    };
    let flags = if plan.seams {
        vk::SamplerCreateFlags::NON_SEAMLESS_CUBE_MAP_EXT
    } else {
        vk::SamplerCreateFlags::empty()
    };
    let mut info = vk::SamplerCreateInfo::default()
        .flags(flags)
        .mag_filter(plan.mag)
        .min_filter(plan.min)
        .mipmap_mode(plan.mip)
        .address_mode_u(plan.modes[0])
        .address_mode_v(plan.modes[1])
        .address_mode_w(plan.modes[2])
        .mip_lod_bias(plan.bias)
        .anisotropy_enable(plan.anisotropy > 1.0)
        .max_anisotropy(plan.anisotropy)
        .compare_enable(plan.compare.is_some())
        .compare_op(plan.compare.unwrap_or(vk::CompareOp::NEVER))
        .min_lod(plan.min_lod)
        .max_lod(plan.max_lod)
        .border_color(named)
        .unnormalized_coordinates(plan.unnormalized);
    if !matches!(plan.border, Border::Named(_)) {
        info = info.push_next(&mut custom);
    }
    if plan.reduction != vk::SamplerReductionMode::WEIGHTED_AVERAGE {
        info = info.push_next(&mut reduction);
    }
    // SAFETY: the plan uses features only that the device offers; the chain lives until the call returns.
    let sampler = unsafe { gpu.device.create_sampler(&info, None) }.map_err(failed("vkCreateSampler"))?;
    Ok(Owned::new(gpu, sampler, |device, sampler| unsafe { device.destroy_sampler(sampler, None) }))
}

fn set(
    gpu: &Gpu,
    pipelines: &Pipelines,
    pool: vk::DescriptorPool,
    buffers: Buffers,
    view: vk::ImageView,
    sampler: vk::Sampler,
) -> Result<vk::DescriptorSet, String> {
    let layouts = [pipelines.sets.get()];
    let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
    let image = [vk::DescriptorImageInfo {
        sampler,
        image_view: view,
        image_layout: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
    }];
    let whole = |buffer| [vk::DescriptorBufferInfo { buffer, offset: 0, range: vk::WHOLE_SIZE }];
    let (payload, results) = (whole(buffers.payload), whole(buffers.results));
    // SAFETY: the pool has room for the sets of a batch; all handles are alive.
    unsafe {
        let set = gpu.device.allocate_descriptor_sets(&info).map_err(failed("vkAllocateDescriptorSets"))?[0];
        let write = |binding| vk::WriteDescriptorSet::default().dst_set(set).dst_binding(binding);
        gpu.device.update_descriptor_sets(
            &[
                write(0).descriptor_type(vk::DescriptorType::COMBINED_IMAGE_SAMPLER).image_info(&image),
                write(1).descriptor_type(vk::DescriptorType::STORAGE_BUFFER).buffer_info(&payload),
                write(2).descriptor_type(vk::DescriptorType::STORAGE_BUFFER).buffer_info(&results),
            ],
            &[],
        );
        Ok(set)
    }
}

/// Adds the image whose samples are to be written to a descriptor set.
fn store(gpu: &Gpu, set: vk::DescriptorSet, view: vk::ImageView) {
    let image = [vk::DescriptorImageInfo {
        sampler: vk::Sampler::null(),
        image_view: view,
        image_layout: vk::ImageLayout::GENERAL,
    }];
    let write = vk::WriteDescriptorSet::default()
        .dst_set(set)
        .dst_binding(3)
        .descriptor_type(vk::DescriptorType::STORAGE_IMAGE)
        .image_info(&image);
    // SAFETY: set and view are alive.
    unsafe { gpu.device.update_descriptor_sets(&[write], &[]) };
}
