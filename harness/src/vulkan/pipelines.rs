//! Creates and keeps pipelines, by the keys of their shaders, with the objects that all of them share.

use super::device::{Gpu, Owned};
use super::memory::failed;
use super::shader::{self, ShaderKey, TexelType};
use ash::vk;
use std::collections::HashMap;
use std::rc::Rc;

/// Width and height of the area in which quads are drawn, in pixels.
pub(super) const SIDE: u32 = 512;
/// The most pipelines that are kept: constant offsets make many shapes.
const MOST: usize = 1024;

/// The pipelines that were made, and the layouts and the render pass that they share.
pub(super) struct Pipelines {
    made: HashMap<ShaderKey, Owned<vk::Pipeline>>,
    uploads: HashMap<(TexelType, bool), Owned<vk::Pipeline>>,
    vertex: Owned<vk::ShaderModule>,
    pub(super) sets: Owned<vk::DescriptorSetLayout>,
    pub(super) layout: Owned<vk::PipelineLayout>,
    pub(super) pass: Owned<vk::RenderPass>,
    pub(super) frame: Owned<vk::Framebuffer>,
    gpu: Rc<Gpu>,
}

/// The shader stages that execute messages.
pub(super) const STAGES: vk::ShaderStageFlags = vk::ShaderStageFlags::from_raw(
    vk::ShaderStageFlags::COMPUTE.as_raw() | vk::ShaderStageFlags::FRAGMENT.as_raw(),
);

impl Pipelines {
    /// Creates the objects that all pipelines share.
    ///
    /// # Errors
    /// The device failed.
    pub(super) fn new(gpu: &Rc<Gpu>) -> Result<Self, String> {
        let device = &gpu.device;
        let binding = |number: u32, kind| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(number)
                .descriptor_type(kind)
                .descriptor_count(1)
                .stage_flags(STAGES)
        };
        let bindings = [
            binding(0, vk::DescriptorType::COMBINED_IMAGE_SAMPLER),
            binding(1, vk::DescriptorType::STORAGE_BUFFER),
            binding(2, vk::DescriptorType::STORAGE_BUFFER),
            binding(3, vk::DescriptorType::STORAGE_IMAGE),
        ];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let range = [vk::PushConstantRange::default().stage_flags(STAGES).size(shader::PUSH)];
        // SAFETY: the device is open; the infos live until the calls return; handles are owned as soon as they are made.
        unsafe {
            let sets = device
                .create_descriptor_set_layout(&info, None)
                .map_err(failed("vkCreateDescriptorSetLayout"))?;
            let sets = Owned::new(gpu, sets, |d, h| d.destroy_descriptor_set_layout(h, None));
            let all = [sets.get()];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&all).push_constant_ranges(&range);
            let layout =
                device.create_pipeline_layout(&info, None).map_err(failed("vkCreatePipelineLayout"))?;
            let layout = Owned::new(gpu, layout, |d, h| d.destroy_pipeline_layout(h, None));
            let subpasses =
                [vk::SubpassDescription::default().pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)];
            let info = vk::RenderPassCreateInfo::default().subpasses(&subpasses);
            let pass = device.create_render_pass(&info, None).map_err(failed("vkCreateRenderPass"))?;
            let pass = Owned::new(gpu, pass, |d, h| d.destroy_render_pass(h, None));
            let info = vk::FramebufferCreateInfo::default()
                .render_pass(pass.get())
                .width(SIDE)
                .height(SIDE)
                .layers(1);
            let frame = device.create_framebuffer(&info, None).map_err(failed("vkCreateFramebuffer"))?;
            let frame = Owned::new(gpu, frame, |d, h| d.destroy_framebuffer(h, None));
            let vertex = module(gpu, &shader::vertex().map_err(defect)?)?;
            Ok(Self {
                made: HashMap::new(),
                uploads: HashMap::new(),
                vertex,
                sets,
                layout,
                pass,
                frame,
                gpu: Rc::clone(gpu),
            })
        }
    }

    /// Returns the pipeline of a key.
    ///
    /// # Errors
    /// The device failed.
    pub(super) fn get(&mut self, key: &ShaderKey) -> Result<vk::Pipeline, String> {
        if let Some(pipeline) = self.made.get(key) {
            return Ok(pipeline.get());
        }
        let code = module(&self.gpu, &shader::assemble(key).map_err(defect)?)?;
        let pipeline = if key.fragment() { self.draw(code.get()) } else { self.dispatch(code.get()) };
        let pipeline = Owned::new(&self.gpu, pipeline?, |d, h| unsafe { d.destroy_pipeline(h, None) });
        let handle = pipeline.get();
        self.made.insert(*key, pipeline);
        Ok(handle)
    }

    /// Returns the pipeline that writes the samples of an image.
    ///
    /// # Errors
    /// The device failed.
    pub(super) fn upload(&mut self, kind: TexelType, arrayed: bool) -> Result<vk::Pipeline, String> {
        if let Some(pipeline) = self.uploads.get(&(kind, arrayed)) {
            return Ok(pipeline.get());
        }
        let code = module(&self.gpu, &shader::upload(kind, arrayed).map_err(defect)?)?;
        let pipeline =
            Owned::new(&self.gpu, self.dispatch(code.get())?, |d, h| unsafe { d.destroy_pipeline(h, None) });
        let handle = pipeline.get();
        self.uploads.insert((kind, arrayed), pipeline);
        Ok(handle)
    }

    /// Destroys all message pipelines if there are more than [`MOST`]; none may be in use.
    pub(super) fn trim(&mut self) {
        if self.made.len() > MOST {
            self.made.clear();
        }
    }

    fn dispatch(&self, code: vk::ShaderModule) -> Result<vk::Pipeline, String> {
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(code)
            .name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout.get())];
        // SAFETY: module and layout are alive, and the shader fits the layout.
        let made =
            unsafe { self.gpu.device.create_compute_pipelines(vk::PipelineCache::null(), &info, None) };
        made.map(|all| all[0]).map_err(|(_, why)| failed("vkCreateComputePipelines")(why))
    }

    fn draw(&self, code: vk::ShaderModule) -> Result<vk::Pipeline, String> {
        let stage = |stage, module| {
            vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main")
        };
        let stages = [
            stage(vk::ShaderStageFlags::VERTEX, self.vertex.get()),
            stage(vk::ShaderStageFlags::FRAGMENT, code),
        ];
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        // The triangle covers half of the viewport, including the whole area: nothing is clipped, so that no quad is cut in two.
        let whole = vk::Rect2D {
            offset: vk::Offset2D::default(),
            extent: vk::Extent2D { width: SIDE, height: SIDE },
        };
        let viewports = [vk::Viewport {
            x: 0.0,
            y: 0.0,
            width: 2.0 * SIDE as f32,
            height: 2.0 * SIDE as f32,
            min_depth: 0.0,
            max_depth: 1.0,
        }];
        let scissors = [whole];
        let viewport =
            vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let dynamic =
            vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&[vk::DynamicState::SCISSOR]);
        let info = [vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .dynamic_state(&dynamic)
            .layout(self.layout.get())
            .render_pass(self.pass.get())];
        // SAFETY: modules, layout and render pass are alive, and the shaders fit the layout.
        let made =
            unsafe { self.gpu.device.create_graphics_pipelines(vk::PipelineCache::null(), &info, None) };
        made.map(|all| all[0]).map_err(|(_, why)| failed("vkCreateGraphicsPipelines")(why))
    }
}

/// Returns the message for a shader that was put together in a wrong order, which is a defect of [`shader`].
fn defect(why: rspirv::dr::Error) -> String {
    format!("a shader cannot be made: {why}")
}

fn module(gpu: &Rc<Gpu>, code: &[u32]) -> Result<Owned<vk::ShaderModule>, String> {
    let info = vk::ShaderModuleCreateInfo::default().code(code);
    // SAFETY: the words are SPIR-V (tests have it checked by the validation layer).
    let module =
        unsafe { gpu.device.create_shader_module(&info, None) }.map_err(failed("vkCreateShaderModule"))?;
    Ok(Owned::new(gpu, module, |device, module| unsafe { device.destroy_shader_module(module, None) }))
}
