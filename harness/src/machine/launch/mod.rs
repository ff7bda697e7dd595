//! Launches a kernel: creates memory and state for its arguments, and runs the threads of its NDRange.

pub mod arguments;
pub mod payload;
pub mod range;
pub mod samplers;
pub mod state;

pub use arguments::{Argument, ImageValue, image_format};
pub use range::NdRange;
pub use samplers::{SamplerFilter, SamplerValue, SamplerWrap};
pub use state::SamplerStateDump;

use super::error::{Error, Result};
use super::group::{self, GroupOutcome};
use super::message::Request;
use super::out_of_bounds::OutOfBoundsCounts;
use super::program::{Action, Program};
use super::registers::Registers;
use super::sampler_record::SamplerRecord;
use super::thread::{Environment, SamplerDevice, Thread};
use super::watch;
use crate::containers::device_binary::{DeviceBinary, Kernel};
use payload::{GroupSize, group_size};
use rayon::prelude::*;
use state::{LaunchState, builder};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use texwire::Platform;
use texwire::sample::Precision;

/// Options of a launch.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// Filter arithmetic of the sampler.
    pub precision: Precision,
    /// Most instructions that a thread may execute.
    pub max_instructions: u64,
    /// An access outside a bound surface or local memory is an error; otherwise it is counted.
    pub strict: bool,
    /// Every sampler message is recorded.
    pub record: bool,
    /// Profile, instruction trace, register dumps.
    pub watch: watch::WatchOptions,
    /// Groups run one after another, on one core.
    pub sequential: bool,
}

/// Default of [`LaunchOptions::max_instructions`]: minutes of work.
pub const MAX_INSTRUCTIONS: u64 = 2_000_000_000;

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            precision: Precision::Float,
            max_instructions: MAX_INSTRUCTIONS,
            strict: false,
            record: false,
            watch: watch::WatchOptions::default(),
            sequential: false,
        }
    }
}

/// The results of a launch.
#[derive(Clone, Debug, Default)]
pub struct LaunchOutcome {
    /// Argument index and contents of every buffer and image (of its level 0), in the packing in which the contents were given.
    pub outputs: Vec<(u32, Vec<u8>)>,
    /// Recorded sampler messages, in the order of groups.
    pub records: Vec<SamplerRecord>,
    /// The state that the sampler messages refer to.
    pub sampler_state: SamplerStateDump,
    /// Counts of instructions and messages, if the options ask for them.
    pub profile: watch::Profile,
    /// Instruction trace.
    pub text: String,
    /// The text that the kernel printed.
    pub printed: String,
    /// Accesses outside bound surfaces and local memory.
    pub out_of_bounds: OutOfBoundsCounts,
    /// Instructions executed by all threads.
    pub instructions: u64,
    /// Groups of the launch.
    pub groups: u64,
    /// Lanes of a thread: the SIMD size of the kernel.
    pub simd: u32,
}

/// Most work items of a group.
const MAX_GROUP: u128 = 4096;
/// Most threads that can be alive at the same time, each with its own slot of private memory. Gen9 code takes nine bits of r0.5 as the
/// slot, Gen11 code ten.
const SLOTS: usize = 512;
/// Groups that run before their results are collected.
const BATCH: u64 = 4096;
/// [`BATCH`] while sampler messages are recorded: a message takes about a kilobyte.
const RECORDED_BATCH: u64 = 256;

/// A consumer of recorded sampler messages, called with the state that they refer to and the messages of one group after another.
pub type Sink<'s> = dyn FnMut(&SamplerStateDump, Vec<SamplerRecord>) -> Result<()> + 's;

/// Runs `kernel`. `progress` is called with the number of groups that have run and the number of all groups.
///
/// # Errors
/// Arguments that do not fit the kernel; the error of a thread, with its position.
pub fn launch(
    binary: &DeviceBinary<'_>,
    kernel: &Kernel,
    range: &NdRange,
    arguments: &[Argument],
    options: &LaunchOptions,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<LaunchOutcome> {
    let mut records = Vec::new();
    let mut keep = |_: &SamplerStateDump, mut more: Vec<SamplerRecord>| {
        records.append(&mut more);
        Ok(())
    };
    let mut outcome = LaunchOutcome::default();
    launch_into(binary, kernel, range, arguments, options, progress, &mut keep, &mut outcome)?;
    Ok(LaunchOutcome { records, ..outcome })
}

/// Does what [`launch`] does, but hands the sampler messages to `sink` while the kernel runs, and writes all other results to
/// `outcome`: after an error, it holds what was gathered before, and no outputs.
///
/// # Errors
/// As [`launch`]; errors of the sink.
pub fn launch_into(
    binary: &DeviceBinary<'_>,
    kernel: &Kernel,
    range: &NdRange,
    arguments: &[Argument],
    options: &LaunchOptions,
    progress: &(dyn Fn(u64, u64) + Sync),
    sink: &mut Sink<'_>,
    outcome: &mut LaunchOutcome,
) -> Result<()> {
    let platform = platform(binary)?;
    let simd =
        kernel.simd.ok_or_else(|| Error::new("kernel without a SIMD size", "patch token 23 has none"))?;
    let program = Program::new(platform, binary.heap(&kernel.heap));
    check_stop(options, &program)?;
    let work = WorkGroups::new(range, kernel)?;
    let threads = work.items.div_ceil(u64::from(simd)) as usize;
    let workers = rayon::current_num_threads();
    let parallel = !options.sequential && !order_matters(&program) && threads * workers <= SLOTS;
    let slots = if parallel { threads * workers } else { threads };
    let state = builder::build(binary, kernel, range, work.local, work.groups, arguments, slots)?;
    let environment = Environment {
        memory: &state.memory,
        surfaces: &state.surfaces,
        max_instructions: options.max_instructions,
        strict: options.strict,
        sampler: Some(state.sampler_setup(platform, options.precision)),
    };
    let run = RunningLaunch {
        program: &program,
        environment: &environment,
        state: &state,
        kernel,
        range,
        work,
        options,
        simd,
        threads,
    };
    let sampler_state = if options.record { state.dump() } else { SamplerStateDump::default() };
    *outcome = LaunchOutcome { sampler_state, simd, groups: run.work.total, ..LaunchOutcome::default() };
    let ended = run.all(parallel, progress, sink, outcome);
    outcome.printed = state.printed(&kernel.dispatch);
    ended.map_err(|error| Error { kernel: Some(kernel.name.clone()), ..error })?;
    outcome.outputs = state.outputs();
    Ok(())
}

/// Returns the platform of a binary.
///
/// # Errors
/// The machine does not run its binaries.
fn platform(binary: &DeviceBinary<'_>) -> Result<Platform> {
    binary.platform().filter(|platform| matches!(platform, Platform::Gen9 | Platform::Gen11)).ok_or_else(
        || Error::new(format!("device family {}", binary.device), "the machine runs Gen9 and Gen11 binaries"),
    )
}

/// Checks that an instruction begins at the offset to stop at.
fn check_stop(options: &LaunchOptions, program: &Program) -> Result<()> {
    match options.watch.stop_at.filter(|offset| program.index.at(i64::from(*offset)).is_none()) {
        Some(offset) => {
            let end = program.instructions.last().map_or(0, |last| last.offset);
            let why = format!("no instruction begins there (the last one begins at {end:#x})");
            Err(Error::new(format!("offset {offset:#x} to stop at"), why))
        }
        None => Ok(()),
    }
}

/// The work groups of an NDRange.
struct WorkGroups {
    /// The local size, and its product: the work items of a group.
    local: [u32; 3],
    items: u64,
    /// The numbers of groups along each dimension, and their product.
    groups: [u32; 3],
    total: u64,
}

impl WorkGroups {
    /// Divides a range into groups.
    ///
    /// # Errors
    /// The kernel does not take the local size; a group has too many work items or none; there are too many groups.
    fn new(range: &NdRange, kernel: &Kernel) -> Result<Self> {
        let local = payload::local_size(range, kernel)?;
        let items = product(local);
        if items == 0 || items > MAX_GROUP {
            let why = format!("{items} work items (expected 1 to {MAX_GROUP})");
            return Err(Error::new("local size", why));
        }
        let groups: [u32; 3] = std::array::from_fn(|d| range.global[d].div_ceil(local[d]));
        let total = product(groups);
        if total > u128::from(u32::MAX) {
            return Err(Error::new("global size", format!("{total} work groups (expected below 2^32)")));
        }
        Ok(Self { local, items: items as u64, groups, total: total as u64 })
    }
}

/// Returns the product of three sizes, which may have more than 64 bits.
fn product(sizes: [u32; 3]) -> u128 {
    sizes.map(u128::from).iter().product()
}

/// Returns true if the outcome may depend on the order in which groups run: if there are atomics on global memory that return old
/// values, do not commute or have 64 bits, or atomics on images.
fn order_matters(program: &Program) -> bool {
    program.instructions.iter().any(|instruction| match &instruction.action {
        Action::Send(message) => match &message.request {
            Some(Request::Atomic(atomic)) => atomic.order_matters(),
            Some(Request::Typed(typed)) => typed.order_matters(),
            Some(_) => false,
            // A message with its descriptor in a register may be an atomic, unless its shared function is the sampler.
            None => message.send.is_sampler() != Some(true),
        },
        _ => false,
    })
}

/// Runs groups, and returns their outcomes up to that of the first one with an error at least. On several cores, groups after one with an
/// error have empty outcomes or those of a run.
fn until_error(
    groups: Range<u64>,
    parallel: bool,
    device: &mut Option<Box<SamplerDevice>>,
    run: impl Fn(&mut Option<Box<SamplerDevice>>, u64) -> GroupOutcome + Sync,
) -> Vec<GroupOutcome> {
    let failed = AtomicU64::new(u64::MAX);
    let run = |device: &mut _, group| {
        // A group that never ends stops after minutes: others do not run for nothing.
        if failed.load(Relaxed) < group {
            return GroupOutcome::default();
        }
        let outcome = run(device, group);
        if outcome.error.is_some() {
            failed.fetch_min(group, Relaxed);
        }
        outcome
    };
    if parallel {
        groups.into_par_iter().map_init(|| None, run).collect()
    } else {
        groups.map(|group| run(device, group)).collect()
    }
}

/// A launch that is running.
struct RunningLaunch<'a> {
    program: &'a Program,
    environment: &'a Environment<'a>,
    state: &'a LaunchState,
    kernel: &'a Kernel,
    range: &'a NdRange,
    work: WorkGroups,
    options: &'a LaunchOptions,
    simd: u32,
    threads: usize,
}

impl RunningLaunch<'_> {
    /// Runs all groups, and adds their results to `outcome` in the order of the groups.
    fn all(
        &self,
        parallel: bool,
        progress: &(dyn Fn(u64, u64) + Sync),
        sink: &mut Sink<'_>,
        outcome: &mut LaunchOutcome,
    ) -> Result<()> {
        let (mut device, mut first, total) = (None, 0, self.work.total);
        let step = if self.options.record { RECORDED_BATCH } else { BATCH };
        while first < total {
            let batch = first..(first + step).min(total);
            let run = |device: &mut _, group| self.group(group, device);
            let results = until_error(batch.clone(), parallel, &mut device, run);
            for group in results {
                outcome.instructions += group.instructions;
                if !group.records.is_empty() {
                    sink(&outcome.sampler_state, group.records)?;
                }
                outcome.profile.add(&group.profile);
                outcome.text.push_str(&group.text);
                outcome.out_of_bounds.add(group.out_of_bounds);
                if let Some(error) = group.error {
                    return Err(error);
                }
            }
            first = batch.end;
            progress(first, total);
        }
        Ok(())
    }

    /// Runs group `number`; groups are numbered x fastest, then y, then z.
    fn group(&self, number: u64, device: &mut Option<Box<SamplerDevice>>) -> GroupOutcome {
        let [x, y, _] = self.work.groups.map(u64::from);
        let id = [number % x, number / x % y, number / x / y].map(|at| at as u32);
        let group = group_size(self.range.global, self.work.local, id);
        let worker = rayon::current_thread_index().unwrap_or(0);
        let data = self.state.cross_thread_data(&self.kernel.dispatch, group.size);
        // A launch on one core has slots for a single group, whichever worker runs it.
        let first_slot = worker * self.threads;
        let first_slot = if first_slot + self.threads <= self.state.slots { first_slot } else { 0 };
        let mut threads: Vec<Thread> = (0..group.threads(self.simd))
            .map(|thread| self.thread(&group, id, thread, number as u32, first_slot + thread as usize, &data))
            .collect();
        let mut outcome = group::run(
            self.program,
            self.environment,
            &mut threads,
            self.state.local_bytes,
            device,
            &self.options.watch,
        );
        let GroupOutcome { out_of_bounds, error, .. } = &mut outcome;
        for error in out_of_bounds.first.as_deref_mut().into_iter().chain(error) {
            error.location.group = Some(id);
        }
        outcome
    }

    fn thread(
        &self,
        size: &GroupSize,
        id: [u32; 3],
        thread: u32,
        group: u32,
        slot: usize,
        data: &[u8],
    ) -> Thread {
        let mut registers = Registers::default();
        let (slot, scratch_bytes) = (slot as u32, self.state.scratch_bytes);
        let scratch_base = (slot + 1) * (scratch_bytes as u32).next_multiple_of(1024).max(1024);
        payload::fill(&mut registers, id, self.state.binding_table, scratch_base, slot);
        payload::fill_ids(&mut registers, &self.kernel.dispatch.payload, size, thread, self.simd, data);
        let dispatch = size.dispatch_mask(thread, self.simd);
        Thread {
            number: group.wrapping_mul(self.threads as u32).wrapping_add(thread),
            record: self.options.record,
            ..Thread::new(registers, dispatch, scratch_bytes, scratch_base)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One worker runs the groups in their order, and none after the first one with an error, whether they could run on several cores or not.
    #[test]
    fn groups_after_an_error_do_not_run() {
        let worker = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for parallel in [false, true] {
            let runs = AtomicU64::new(0);
            let run = |_: &mut _, group| {
                runs.fetch_add(1, Relaxed);
                let error = (group >= 3).then(|| Error::new("what", "why"));
                GroupOutcome { error, ..GroupOutcome::default() }
            };
            let outcomes = worker.install(|| until_error(0..100, parallel, &mut None, run));
            assert_eq!(outcomes.iter().position(|outcome| outcome.error.is_some()), Some(3));
            assert_eq!(runs.into_inner(), 4, "{parallel}");
        }
    }
}
