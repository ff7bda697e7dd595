//! Runs the threads of a work group, which share local memory and a barrier.

use super::error::{Error, Result};
use super::out_of_bounds::OutOfBoundsCounts;
use super::program::{Action, Program};
use super::sampler_record::SamplerRecord;
use super::thread::{Environment, LocalMemory, SamplerDevice, Thread};
use super::watch::{Profile, Watch, WatchOptions};

/// The results of a group, apart from what it wrote to memory.
#[derive(Clone, Debug, Default)]
pub struct GroupOutcome {
    /// Number of instructions that its threads executed.
    pub instructions: u64,
    /// Recorded sampler messages: of thread 0 in the order of execution, then of thread 1, and so on.
    pub records: Vec<SamplerRecord>,
    /// Counts of instructions and messages.
    pub profile: Profile,
    /// Lines of the instruction trace.
    pub text: String,
    /// Accesses outside surfaces and local memory.
    pub out_of_bounds: OutOfBoundsCounts,
    /// Why the group stopped before its end; the other fields then have what there was until that point.
    pub error: Option<Error>,
}

/// Instructions of a thread's first turn, at the start and after a barrier; each further turn is twice as long. Turns begin short
/// because hardware runs the threads of a group side by side: a thread that reads local memory right after a barrier does so before
/// another thread has gone on to overwrite it, and the compiler's library relies on that (`work_group_any` before another work-group
/// function).
const FIRST_TURN: u64 = 32;
/// Instructions of the longest turn.
const LONGEST_TURN: u64 = 1 << 20;

/// Runs the threads of a group to their ends. `device` is the sampler, which the first sampler message creates; the caller passes it on
/// to the next group.
///
/// The outcome has the first error of a thread, with the thread's number.
pub fn run(
    program: &Program,
    environment: &Environment<'_>,
    threads: &mut [Thread],
    local_bytes: usize,
    device: &mut Option<Box<SamplerDevice>>,
    options: &WatchOptions,
) -> GroupOutcome {
    let mut watch = Watch::new(options);
    let error = round_robin(program, environment, threads, local_bytes, device, &mut watch).err();
    let mut outcome =
        GroupOutcome { profile: watch.profile, text: watch.text, error, ..GroupOutcome::default() };
    for (number, thread) in threads.iter_mut().enumerate() {
        outcome.instructions += thread.executed;
        outcome.records.append(&mut thread.records);
        let mut out_of_bounds = std::mem::take(&mut thread.out_of_bounds);
        if let Some(first) = &mut out_of_bounds.first {
            first.location.thread = u32::try_from(number).ok();
        }
        outcome.out_of_bounds.add(out_of_bounds);
    }
    outcome
}

/// Gives every thread its turn, round after round, until all have ended. One can always go on: the barrier opens when the last of those
/// that have not ended waits at it.
fn round_robin(
    program: &Program,
    environment: &Environment<'_>,
    threads: &mut [Thread],
    local_bytes: usize,
    device: &mut Option<Box<SamplerDevice>>,
    watch: &mut Watch,
) -> Result<()> {
    let mut local = LocalMemory::new(local_bytes);
    let mut turn = FIRST_TURN;
    loop {
        let mut opened = false;
        for number in 0..threads.len() {
            let thread = &mut threads[number];
            if thread.ended || thread.is_held() && at_wait(program, thread) {
                continue;
            }
            std::mem::swap(&mut thread.local, &mut local);
            std::mem::swap(&mut thread.device, device);
            let stop = thread.run(program, environment, watch, turn);
            std::mem::swap(&mut thread.local, &mut local);
            std::mem::swap(&mut thread.device, device);
            stop.map_err(|mut error| {
                error.location.thread = u32::try_from(number).ok();
                error
            })?;
            opened |= release(threads);
        }
        turn = if opened { FIRST_TURN } else { (turn * 2).min(LONGEST_TURN) };
        if threads.iter().all(|thread| thread.ended) {
            return Ok(());
        }
    }
}

fn at_wait(program: &Program, thread: &Thread) -> bool {
    let next = program.instructions.get(thread.flow.next as usize);
    next.is_some_and(|instruction| matches!(instruction.action, Action::Wait))
}

/// Opens the barrier if every thread that has not ended has signalled. Returns true if it opened.
fn release(threads: &mut [Thread]) -> bool {
    let mut running = threads.iter().filter(|thread| !thread.ended);
    let opens = running.all(Thread::is_held);
    if opens {
        for thread in threads.iter_mut().filter(|thread| !thread.ended) {
            thread.released = true;
        }
    }
    opens
}
