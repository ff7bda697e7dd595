//! Executes groups of jobs on a device that this process drives.

use super::device::{Api, Gpu, Owned, choose};
use super::group::{Buffers, GroupHandles, GroupWork, MOST_LANES, ViewRun, record};
use super::info::{DeviceInfo, DeviceOptions};
use super::memory::{ImageHeap, MappedBuffer, failed};
use super::pipelines::Pipelines;
use super::plan::{LaneView, MOST_TEXELS, NoPlan, Plan};
use super::shader::RESULT;
use crate::engine::{Answer, Job};
use ash::vk;
use std::rc::Rc;

/// The most groups of a submission.
const MOST_GROUPS: usize = 64;
/// The most descriptor sets of a submission: a group has one for each view, at most 15.
const MOST_SETS: u32 = (MOST_GROUPS * 15) as u32;
/// A submission is full at this many bytes of texels.
const MOST_STAGING: usize = 16 << 20;
/// A submission is full at this many payload words.
const MOST_PAYLOAD: usize = 8 << 20;
// Devices need not bind more than 128 MiB of a buffer. A submission that is not full gets one group more: the samples of an image, four
// words each, and less than 16 words for each lane.
const _: () = {
    let words = MOST_PAYLOAD + 4 * MOST_TEXELS as usize + 16 * MOST_LANES;
    assert!((4 * words).next_power_of_two() <= 128 << 20);
};
/// The longest time that a submission may take, in nanoseconds.
const PATIENCE: u64 = 120_000_000_000;

/// A Vulkan device that this process drives.
pub(super) struct VulkanEngine {
    buffers: Vec<MappedBuffer>,
    heap: ImageHeap,
    pool: Owned<vk::DescriptorPool>,
    commands: vk::CommandBuffer,
    command_pool: Owned<vk::CommandPool>,
    fence: Owned<vk::Fence>,
    pipelines: Pipelines,
    gpu: Rc<Gpu>,
}

/// Jobs that share a state and differ in lanes and parameters.
pub(super) struct JobGroup<'a> {
    /// One of the jobs.
    pub(super) job: &'a Job,
    /// Lanes and parameters of each job.
    pub(super) payloads: Vec<(u32, &'a [Vec<u32>])>,
}

/// A group that waits for its submission.
struct PreparedGroup<'a> {
    job: &'a Job,
    payloads: &'a [(u32, &'a [Vec<u32>])],
    /// Index of the group's first job among the answers.
    first: usize,
    work: GroupWork,
    /// The result index of each lane of each job; `None`: the lane is out of range and has no result.
    slots: Vec<Option<u32>>,
    /// Lanes of a job, padded to whole quads if they are drawn.
    lanes: usize,
    /// If each channel has results of its own: the distance from one channel's results to the next one's, in results; else 0.
    plane: usize,
}

/// The groups and buffer contents collected for a submission.
#[derive(Default)]
struct Submission<'a> {
    groups: Vec<PreparedGroup<'a>>,
    staging: Vec<u8>,
    payload: Vec<u32>,
    results: u32,
}

impl VulkanEngine {
    /// Opens the device that `choice` names: empty, an index, or a part of its name.
    ///
    /// # Errors
    /// There is no libvulkan, no driver, or no device of that name; in words.
    pub(super) fn open(choice: &str, options: DeviceOptions) -> Result<Self, String> {
        let api = Api::open(options)?;
        let (physical, info) = choose(&api, choice)?;
        Self::new(Gpu::open(api, physical, info)?)
    }

    /// Returns the properties of the device.
    pub(super) fn info(&self) -> &DeviceInfo {
        &self.gpu.info
    }

    /// Returns the number of messages of the validation layer until now.
    pub(super) fn messages(&self) -> u64 {
        self.gpu.api.messages()
    }

    fn new(gpu: Rc<Gpu>) -> Result<Self, String> {
        let device = &gpu.device;
        let size = |ty, descriptor_count| vk::DescriptorPoolSize { ty, descriptor_count };
        let sizes = [
            size(vk::DescriptorType::COMBINED_IMAGE_SAMPLER, MOST_SETS),
            size(vk::DescriptorType::STORAGE_BUFFER, 2 * MOST_SETS),
            size(vk::DescriptorType::STORAGE_IMAGE, MOST_SETS),
        ];
        let pool = vk::DescriptorPoolCreateInfo::default().max_sets(MOST_SETS).pool_sizes(&sizes);
        let family = vk::CommandPoolCreateInfo::default().queue_family_index(gpu.family);
        // SAFETY: the device is open; handles are owned as soon as they are made.
        unsafe {
            let pool =
                device.create_descriptor_pool(&pool, None).map_err(failed("vkCreateDescriptorPool"))?;
            let pool = Owned::new(&gpu, pool, |d, h| d.destroy_descriptor_pool(h, None));
            let command_pool =
                device.create_command_pool(&family, None).map_err(failed("vkCreateCommandPool"))?;
            let command_pool = Owned::new(&gpu, command_pool, |d, h| d.destroy_command_pool(h, None));
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(command_pool.get())
                .command_buffer_count(1);
            let commands =
                device.allocate_command_buffers(&info).map_err(failed("vkAllocateCommandBuffers"))?[0];
            let fence = device
                .create_fence(&vk::FenceCreateInfo::default(), None)
                .map_err(failed("vkCreateFence"))?;
            let fence = Owned::new(&gpu, fence, |d, h| d.destroy_fence(h, None));
            let pipelines = Pipelines::new(&gpu)?;
            let heap = ImageHeap::new(&gpu);
            Ok(Self { buffers: Vec::new(), heap, pool, commands, command_pool, fence, pipelines, gpu })
        }
    }

    /// Executes groups of jobs. Returns an answer for each payload, and whether the texels were widened: decoded by the emulator, and
    /// sampled as four floats or integers. [`Answer::Broken`]: the device has failed, and must not be used again.
    pub(super) fn execute(&mut self, groups: &[JobGroup<'_>]) -> Vec<(Answer, bool)> {
        let mut answers = vec![None; groups.iter().map(|group| group.payloads.len()).sum()];
        let mut submission = Submission::default();
        let mut at = 0;
        for group in groups {
            let most = MOST_LANES / usize::from(group.job.simd.clamp(4, 32));
            for payloads in group.payloads.chunks(most) {
                match Plan::of(&self.gpu, group.job) {
                    Ok(plan) => submission.add(plan, group.job, payloads, at),
                    Err(stop) => {
                        let answer = match stop {
                            NoPlan::Declined(why) => Answer::Declined(why.to_owned()),
                            NoPlan::Refused(why) => Answer::Refused(why),
                        };
                        answers[at..at + payloads.len()].fill(Some((answer, false)));
                    }
                }
                at += payloads.len();
                if submission.full() {
                    self.submit(std::mem::take(&mut submission), &mut answers);
                }
            }
        }
        self.submit(submission, &mut answers);
        answers
            .into_iter()
            .map(|answer| answer.unwrap_or_else(|| (Answer::Broken("no answer".into()), false)))
            .collect()
    }

    /// Runs a submission and writes the answers of its jobs.
    fn submit(&mut self, submission: Submission<'_>, answers: &mut [Option<(Answer, bool)>]) {
        if submission.groups.is_empty() {
            return;
        }
        match self.run(&submission) {
            Ok(()) => {
                let results = self.buffers[2].bytes();
                for group in &submission.groups {
                    for (index, (lanes, _)) in group.payloads.iter().enumerate() {
                        let lane = |lane: usize| {
                            let slot = group.slots[index * group.lanes + lane]? as usize;
                            let word = |nth: usize, k: usize| {
                                let at = (nth * RESULT + k) * 4;
                                results[at..at + 4].try_into().map_or(0, u32::from_ne_bytes)
                            };
                            Some(match group.plane {
                                0 => std::array::from_fn(|k| word(slot, k)),
                                plane => std::array::from_fn(|channel| word(slot + channel * plane, 0)),
                            })
                        };
                        let answer = Answer::Done(group.work.plan.outcome(group.job, *lanes, lane));
                        answers[group.first + index] = Some((answer, group.work.plan.widened));
                    }
                }
            }
            Err(why) => {
                for group in &submission.groups {
                    answers[group.first..group.first + group.payloads.len()]
                        .fill(Some((Answer::Broken(why.clone()), false)));
                }
            }
        }
    }

    fn run(&mut self, submission: &Submission<'_>) -> Result<(), String> {
        self.grow(submission)?;
        self.buffers[0].bytes_mut()[..submission.staging.len()].copy_from_slice(&submission.staging);
        let payload = self.buffers[1].bytes_mut();
        for (to, word) in payload.chunks_exact_mut(4).zip(&submission.payload) {
            to.copy_from_slice(&word.to_ne_bytes());
        }
        let buffers = Buffers {
            staging: self.buffers[0].get(),
            payload: self.buffers[1].get(),
            results: self.buffers[2].get(),
        };
        self.pipelines.trim();
        self.heap.clear();
        let gpu = Rc::clone(&self.gpu);
        let device = &gpu.device;
        // SAFETY: nothing of an earlier submission is pending: each is waited for.
        unsafe {
            let reset = device.reset_descriptor_pool(self.pool.get(), vk::DescriptorPoolResetFlags::empty());
            reset.map_err(failed("vkResetDescriptorPool"))?;
            let reset =
                device.reset_command_pool(self.command_pool.get(), vk::CommandPoolResetFlags::empty());
            reset.map_err(failed("vkResetCommandPool"))?;
        }
        let mut groups = Vec::with_capacity(submission.groups.len());
        for group in &submission.groups {
            let (pipelines, heap, pool) = (&mut self.pipelines, &mut self.heap, self.pool.get());
            groups.push(GroupHandles::new(&gpu, pipelines, heap, pool, buffers, &group.work)?);
        }
        let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        let commands = [self.commands];
        let submits = [vk::SubmitInfo::default().command_buffers(&commands)];
        // SAFETY: the handles that are recorded live in `groups` until the fence has been waited for.
        unsafe {
            device.begin_command_buffer(self.commands, &begin).map_err(failed("vkBeginCommandBuffer"))?;
            record(&gpu, &self.pipelines, &groups, buffers.staging, self.commands);
            device.end_command_buffer(self.commands).map_err(failed("vkEndCommandBuffer"))?;
            device.queue_submit(gpu.queue, &submits, self.fence.get()).map_err(failed("vkQueueSubmit"))?;
            let fences = [self.fence.get()];
            let waited = device.wait_for_fences(&fences, true, PATIENCE).map_err(failed("vkWaitForFences"));
            if waited.is_err() {
                // The pending work may still use the handles, so that they are never freed.
                std::mem::forget(groups);
            }
            waited?;
            device.reset_fences(&fences).map_err(failed("vkResetFences"))
        }
    }

    /// Replaces buffers that are smaller than a submission needs.
    fn grow(&mut self, submission: &Submission<'_>) -> Result<(), String> {
        use vk::BufferUsageFlags as Usage;
        let needs = [
            submission.staging.len(),
            submission.payload.len() * 4,
            submission.results as usize * RESULT * 4,
        ];
        let usages = [Usage::TRANSFER_SRC, Usage::STORAGE_BUFFER, Usage::STORAGE_BUFFER];
        for (index, (need, usage)) in needs.into_iter().zip(usages).enumerate() {
            if self.buffers.get(index).is_some_and(|buffer| buffer.size() >= need) {
                continue;
            }
            let buffer = MappedBuffer::new(&self.gpu, need.next_power_of_two().max(1 << 16), usage)?;
            match self.buffers.get_mut(index) {
                Some(small) => *small = buffer,
                None => self.buffers.push(buffer),
            }
        }
        Ok(())
    }
}

impl<'a> Submission<'a> {
    fn full(&self) -> bool {
        self.groups.len() >= MOST_GROUPS
            || self.staging.len() >= MOST_STAGING
            || self.payload.len() >= MOST_PAYLOAD
    }

    /// Adds the jobs of a plan: texels, payloads, and room for results.
    fn add(&mut self, mut plan: Plan, job: &'a Job, payloads: &'a [(u32, &'a [Vec<u32>])], first: usize) {
        let (staging, upload) = self.stage_texels(&mut plan);
        let simd = usize::from(job.simd);
        let lanes = if plan.key.fragment() { simd.next_multiple_of(4) } else { simd };
        let packed = LanePayloads::new(&plan, payloads, lanes);
        let (mut runs, mut starts) = self.append_runs(packed.views);
        let mut plane = 0;
        if plan.planes.is_some() {
            plane = runs[0].lanes as usize;
            self.repeat_run(&mut runs, &mut starts);
        }
        let slots = packed.lanes.into_iter();
        let slots = slots.map(|(lane, nth)| (!lane.outside).then(|| starts[lane.view] + nth)).collect();
        let work = GroupWork { plan, staging, upload, runs };
        self.groups.push(PreparedGroup { job, payloads, first, work, slots, lanes, plane });
    }

    /// Moves the texels of a plan into the buffers: samples into the payload, from which a shader copies them, all others into the
    /// staging buffer. Returns the first byte in the staging buffer and the first word in the payload.
    fn stage_texels(&mut self, plan: &mut Plan) -> (u64, u32) {
        let mut upload = 0;
        if plan.image.samples > 1 {
            upload = self.payload.len() as u32;
            let words =
                plan.image.bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            self.payload.extend(words);
            plan.image.bytes = Vec::new();
        }
        // Copies have to start at a multiple of the element size: 48 is a multiple of all (`STEP` of the image's plan).
        let staging = self.staging.len().next_multiple_of(48);
        self.staging.resize(staging, 0);
        self.staging.append(&mut plan.image.bytes);
        (staging as u64, upload)
    }

    /// Appends the payload of each view, with room for its results. Returns the runs of the views that lanes sample, and the first
    /// result of every view.
    fn append_runs(&mut self, views: Vec<(Vec<u32>, u32)>) -> (Vec<ViewRun>, Vec<u32>) {
        let (mut runs, mut starts) = (Vec::new(), Vec::new());
        for (view, (payload, lanes)) in views.into_iter().enumerate() {
            starts.push(self.results);
            if lanes > 0 {
                let start = self.payload.len() as u32;
                runs.push(ViewRun { view, payload: start, result: self.results * RESULT as u32, lanes });
            }
            self.payload.extend(payload);
            self.results += lanes;
        }
        (runs, starts)
    }

    /// Repeats the first view's run for the views of the other channels, which are sampled with the same payload.
    fn repeat_run(&mut self, runs: &mut Vec<ViewRun>, starts: &mut [u32]) {
        let first = runs[0];
        for (view, start) in starts.iter_mut().enumerate().skip(1) {
            *start = self.results;
            runs.push(ViewRun { view, result: self.results * RESULT as u32, ..first });
            self.results += first.lanes;
        }
    }
}

/// The payload words of the lanes of several jobs, sorted by the views that the lanes sample.
struct LanePayloads {
    /// For each view: the payload words of its lanes, and the number of its lanes.
    views: Vec<(Vec<u32>, u32)>,
    /// For each lane of each job: its view, and its number among that view's lanes.
    lanes: Vec<(LaneView, u32)>,
}

impl LanePayloads {
    fn new(plan: &Plan, payloads: &[(u32, &[Vec<u32>])], lanes: usize) -> Self {
        let mut views: Vec<(Vec<u32>, u32)> = vec![(Vec::new(), 0); plan.views.len()];
        let mut placed = Vec::with_capacity(payloads.len() * lanes);
        let mut scratch = Vec::new();
        for (_, params) in payloads {
            for lane in 0..lanes {
                scratch.clear();
                let lane = plan.payload(params, lane, &mut scratch);
                let (payload, count) = &mut views[lane.view];
                payload.extend(&scratch);
                placed.push((lane, *count));
                *count += 1;
            }
        }
        Self { views, lanes: placed }
    }
}
