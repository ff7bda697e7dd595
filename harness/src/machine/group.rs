//! A work group: its threads share local memory and a barrier.

use super::error::{Fault, Result};
use super::message::SamplerRecord;
use super::thread::{Environment, Local, SamplerDevice, Stop, Thread};
use super::watch::{Options, Profile, Watch};

/// What a group left behind besides memory.
#[derive(Clone, Debug, Default)]
pub struct GroupOutcome {
    /// Instructions executed.
    pub instructions: u64,
    /// Sampler messages, thread by thread as they ran.
    pub records: Vec<SamplerRecord>,
    /// Counts.
    pub profile: Profile,
    /// Lines of the instruction trace.
    pub text: String,
}

/// Runs the threads of a group to their ends.
///
/// # Errors
/// The first fault of a thread, with its number; threads that wait for one another without end.
pub fn run(
    environment: &Environment<'_>,
    threads: &mut [Thread],
    local_bytes: usize,
    device: &mut Option<Box<SamplerDevice>>,
    options: &Options,
) -> Result<GroupOutcome> {
    let mut local = Local::new(local_bytes);
    let mut watch = Watch::new(options);
    loop {
        let mut moved = false;
        for number in 0..threads.len() {
            let thread = &mut threads[number];
            if thread.ended || thread.signalled && !thread.released && at_wait(environment, thread) {
                continue;
            }
            moved = true;
            std::mem::swap(&mut thread.local, &mut local);
            std::mem::swap(&mut thread.device, device);
            let stop = thread.run(environment, &mut watch);
            std::mem::swap(&mut thread.local, &mut local);
            std::mem::swap(&mut thread.device, device);
            match stop {
                Ok(Stop::Barrier | Stop::Share | Stop::End) => {}
                Err(mut fault) => {
                    fault.place.thread = u32::try_from(number).ok();
                    return Err(fault);
                }
            }
            release(threads);
        }
        if threads.iter().all(|thread| thread.ended) {
            break;
        }
        if !moved {
            let waiting = threads.iter().filter(|thread| thread.signalled).count();
            let why = format!("{waiting} of {} threads wait, the others have ended", threads.len());
            return Err(Fault::new("barrier that never opens", why));
        }
    }
    let mut outcome = GroupOutcome { profile: watch.profile, text: watch.text, ..GroupOutcome::default() };
    for thread in threads {
        outcome.instructions += thread.executed;
        outcome.records.append(&mut thread.records);
    }
    Ok(outcome)
}

fn at_wait(environment: &Environment<'_>, thread: &Thread) -> bool {
    let next = environment.program.instructions.get(thread.flow.next as usize);
    next.is_some_and(|instruction| matches!(instruction.action, super::program::Action::Wait))
}

/// Opens the barrier when every thread that has not ended is there.
fn release(threads: &mut [Thread]) {
    let mut running = threads.iter().filter(|thread| !thread.ended).peekable();
    if running.peek().is_some() && running.all(|thread| thread.signalled && !thread.released) {
        for thread in threads.iter_mut().filter(|thread| !thread.ended) {
            thread.released = true;
        }
    }
}
