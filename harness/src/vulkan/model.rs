//! Drives a device in a separate process, so that a driver that crashes, hangs or loses the device ends only that process.

use super::frames::{self, BundleOf, Reply};
use super::{DeviceInfo, DeviceOptions, child};
use crate::engine::{Answer, DeviceLimits, Engine, Job, Outcome};
use crate::guarded::{Guarded, NoAnswer, answer};
use crate::interrupt::is_interrupted;
use std::cell::RefCell;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long a batch may take by default, in addition to `EACH` for every state.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// The additional time for each state of a batch: drivers compile shaders for it.
const EACH: Duration = Duration::from_millis(500);
/// How long a device may take to open.
const OPENING: Duration = Duration::from_secs(60);
/// The most jobs of a batch, and the most states.
const MOST_JOBS: usize = 16 * 1024;
const MOST_STATES: usize = 64;
/// The most bytes of memory that the states of a batch have together, unless it has a single state: a frame cannot have more than 1 GiB.
const MOST_BYTES: usize = 256 << 20;
/// How many jobs of one state may crash the driver before the rest of these jobs is given up.
const MOST_CRASHES: usize = 3;

/// The start of the message for an exceeded time limit.
const HANGS: &str = "the driver hangs";
const INTERRUPTED: &str = "interrupted before the driver answered";

/// An engine: a Vulkan device that another process drives.
#[derive(Debug)]
pub struct VulkanModel {
    name: String,
    options: DeviceOptions,
    program: PathBuf,
    timeout: Duration,
    info: DeviceInfo,
    state: RefCell<ModelState>,
}

#[derive(Debug, Default)]
struct ModelState {
    process: Option<Process>,
    failure: Option<String>,
    /// The numbers of validation messages of ended processes, and of the one that runs.
    messages: [u64; 2],
    crashes: u64,
}

/// A running process; a thread reads its replies, so that waiting for one can time out.
#[derive(Debug)]
struct Process {
    process: Guarded,
    stdin: ChildStdin,
    replies: Receiver<io::Result<Option<Reply>>>,
}

/// The outcome of a batch.
enum BatchOutcome {
    Answers(Vec<(Answer, bool)>),
    /// The process crashed or lost its device.
    Broke(String),
    /// It hung.
    Hung(String),
}

impl VulkanModel {
    /// Starts a process of this program (which must be texwire's) with the device that `choice` names: empty, an index, or a
    /// part of its name.
    ///
    /// # Errors
    /// The process cannot be started, or it has no such device.
    pub fn start(choice: &str, options: DeviceOptions) -> Result<Self, String> {
        let program =
            std::env::current_exe().map_err(|why| format!("cannot start the Vulkan process: {why}"))?;
        Self::start_program(&program, choice, options)
    }

    /// Does what [`start`](Self::start) does with `program`, which must be texwire's.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_program(program: &Path, choice: &str, options: DeviceOptions) -> Result<Self, String> {
        let name = if choice.is_empty() { "vulkan".to_owned() } else { format!("vulkan:{choice}") };
        let (process, info) = Process::start(program, &name, options)?;
        let state = ModelState { process: Some(process), ..ModelState::default() };
        Ok(Self {
            name,
            options,
            program: program.to_owned(),
            timeout: TIMEOUT,
            info,
            state: RefCell::new(state),
        })
    }

    /// Sets another time limit per batch.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Returns the properties of the device.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Returns the number of messages of the validation layer until now.
    pub fn messages(&self) -> u64 {
        self.state.borrow().messages.iter().sum()
    }

    /// Returns how often the process crashed, hung or lost its device.
    pub fn crashes(&self) -> u64 {
        self.state.borrow().crashes
    }

    /// Does what [`execute_all`](Engine::execute_all) does, and returns for each job whether its texels were widened: decoded by
    /// the emulator, and sampled as four floats or integers.
    pub fn execute_noted(&self, jobs: &[Job]) -> Vec<(Answer, bool)> {
        let mut state = self.state.borrow_mut();
        state.failure = None;
        let before = is_interrupted();
        batches(jobs).into_iter().flat_map(|batch| self.batch(&mut state, batch, before)).collect()
    }

    /// Executes a batch. If it breaks the process, it is halved until the guilty jobs are found, or the guilty state if the process hangs.
    /// An interrupt ends this early, unless it came `before` the call.
    fn batch(&self, state: &mut ModelState, batch: Vec<&[Job]>, before: bool) -> Vec<(Answer, bool)> {
        let mut waiting = vec![(batch, true)];
        let mut all = Vec::new();
        // Jobs found guilty of a crash in the state whose jobs are being halved.
        let mut crashes = 0;
        while let Some((batch, fresh)) = waiting.pop() {
            if fresh {
                crashes = 0;
            }
            let total: usize = batch.iter().map(|group| group.len()).sum();
            if is_interrupted() && !before {
                all.extend(vec![(Answer::Broken(INTERRUPTED.to_owned()), false); total]);
                continue;
            }
            let came = self.ask(state, &batch, total);
            // If it hangs, halving the jobs of a state would wait for the time limit at every step.
            let hung = matches!(came, BatchOutcome::Hung(_));
            let why = match came {
                BatchOutcome::Answers(answers) => {
                    all.extend(answers);
                    continue;
                }
                BatchOutcome::Broke(why) | BatchOutcome::Hung(why) => why,
            };
            state.crashes += 1;
            match halves(batch) {
                Halves::States(first, second) => {
                    waiting.extend([(second, true), (first, true)]);
                }
                Halves::Jobs(first, second) if crashes < MOST_CRASHES && !hung => {
                    waiting.extend([(second, false), (first, false)]);
                }
                Halves::Jobs(..) | Halves::One => {
                    crashes += 1;
                    state.failure = Some(why.clone());
                    all.extend(vec![(Answer::Broken(why), false); total]);
                }
            }
        }
        all
    }

    fn ask(&self, state: &mut ModelState, batch: &[&[Job]], total: usize) -> BatchOutcome {
        let process = match &mut state.process {
            Some(process) => process,
            none => match Process::start(&self.program, &self.name, self.options) {
                Ok((process, _)) => none.insert(process),
                Err(why) => return BatchOutcome::Broke(why),
            },
        };
        let why = match process.ask(batch, self.timeout + EACH * batch.len() as u32) {
            Ok(Reply::Answers(answers, messages)) if answers.len() == total => {
                let before = std::mem::replace(&mut state.messages[1], messages);
                let broken = answers.iter().find_map(|(answer, _)| match answer {
                    Answer::Broken(why) => Some(why.clone()),
                    Answer::Done(_) | Answer::Declined(_) | Answer::Refused(_) => None,
                });
                match broken {
                    None if messages > before && self.options.validate => {
                        return self.invalid(answers, messages - before);
                    }
                    None => return BatchOutcome::Answers(answers),
                    // The device is lost, and the process ends.
                    Some(why) => why,
                }
            }
            Ok(_) => "the Vulkan process answered what it was not asked".to_owned(),
            Err(why) => format!("{why}{}", process.end()),
        };
        let hung = why.starts_with(HANGS);
        state.process = None;
        state.messages[0] += std::mem::take(&mut state.messages[1]);
        if hung { BatchOutcome::Hung(why) } else { BatchOutcome::Broke(why) }
    }

    /// Returns the outcome of a batch with validation messages: executed jobs count as broken, as their results cannot be trusted.
    fn invalid(&self, answers: Vec<(Answer, bool)>, messages: u64) -> BatchOutcome {
        let why = format!("{messages} validation messages in the batch");
        let broken = |(answer, widened)| match answer {
            Answer::Done(_) => (Answer::Broken(why.clone()), widened),
            Answer::Declined(_) | Answer::Refused(_) | Answer::Broken(_) => (answer, widened),
        };
        BatchOutcome::Answers(answers.into_iter().map(broken).collect())
    }
}

/// Splits jobs into batches, and each batch into groups that share a state.
fn batches(jobs: &[Job]) -> Vec<Vec<&[Job]>> {
    let bytes_of = |job: &Job| job.memory.iter().map(|region| region.bytes.len()).sum::<usize>();
    let mut batches: Vec<Vec<&[Job]>> = Vec::new();
    let (mut total, mut bytes) = (0, 0);
    for group in jobs.chunk_by(Job::same_state).flat_map(|group| group.chunks(MOST_JOBS)) {
        let own = (group.len(), bytes_of(&group[0]));
        (total, bytes) = (total + own.0, bytes + own.1);
        match batches.last_mut() {
            Some(batch) if batch.len() < MOST_STATES && total <= MOST_JOBS && bytes <= MOST_BYTES => {
                batch.push(group);
            }
            _ => {
                batches.push(vec![group]);
                (total, bytes) = own;
            }
        }
    }
    batches
}

/// The halves of a batch: of its states, or of the jobs of its only state. `One`: it has a single job.
enum Halves<'a> {
    States(Vec<&'a [Job]>, Vec<&'a [Job]>),
    Jobs(Vec<&'a [Job]>, Vec<&'a [Job]>),
    One,
}

fn halves(mut batch: Vec<&[Job]>) -> Halves<'_> {
    match batch[..] {
        [] | [[] | [_]] => Halves::One,
        [group] => {
            let (first, second) = group.split_at(group.len() / 2);
            Halves::Jobs(vec![first], vec![second])
        }
        [..] => {
            let second = batch.split_off(batch.len() / 2);
            Halves::States(batch, second)
        }
    }
}

impl Engine for VulkanModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn limits(&self) -> Option<DeviceLimits> {
        Some(self.info.limits())
    }

    fn about(&self) -> Option<String> {
        Some(self.info.about())
    }

    fn execute(&self, job: &Job) -> Result<Option<Outcome>, String> {
        Answer::only(self.execute_all(std::slice::from_ref(job)))
    }

    fn execute_all(&self, jobs: &[Job]) -> Vec<Answer> {
        self.execute_noted(jobs).into_iter().map(|(answer, _)| answer).collect()
    }

    fn failure(&self) -> Option<String> {
        self.state.borrow().failure.clone()
    }

    fn finish(&self) -> Result<(), String> {
        match self.messages() {
            0 => Ok(()),
            messages => Err(format!("{messages} validation messages at {}", self.name)),
        }
    }
}

impl Process {
    fn start(program: &Path, name: &str, options: DeviceOptions) -> Result<(Self, DeviceInfo), String> {
        let mut command = Command::new(program);
        command.args(["serve", "--framed", "--engine", name]);
        command.env(child::VALIDATE, if options.validate { "1" } else { "0" });
        let failed = |why: io::Error| format!("cannot start the Vulkan process: {why}");
        let (process, stdin, stdout) = Guarded::start(&mut command).map_err(failed)?;
        let (sender, replies) = channel();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let reply = frames::read(&mut stdout);
                let end = !matches!(reply, Ok(Some(_)));
                if sender.send(reply).is_err() || end {
                    return;
                }
            }
        });
        let mut process = Self { process, stdin, replies };
        match process.reply(OPENING) {
            Ok(Reply::Open(info)) => Ok((process, *info)),
            Ok(Reply::Failed(why)) => Err(why),
            Ok(Reply::Answers(..)) => Err("the Vulkan process answered what it was not asked".into()),
            Err(why) => Err(format!("{why}{}", process.end())),
        }
    }

    fn ask(&mut self, batch: &[&[Job]], timeout: Duration) -> Result<Reply, String> {
        let bundles: Vec<_> = batch.iter().filter_map(|group| BundleOf::new(group)).collect();
        match frames::write(&mut self.stdin, &bundles) {
            // The process has ended, which shows in its replies.
            Err(why) if why.kind() == io::ErrorKind::BrokenPipe => {}
            written => written.map_err(|why| format!("cannot send a job to the Vulkan process: {why}"))?,
        }
        self.reply(timeout)
    }

    fn reply(&mut self, timeout: Duration) -> Result<Reply, String> {
        match answer(&self.replies, timeout) {
            Ok(Ok(Some(reply))) => Ok(reply),
            Ok(Ok(None)) | Err(NoAnswer::Gone) => Err("the driver crashed".into()),
            Ok(Err(why)) => Err(format!("the Vulkan process answered nonsense: {why}")),
            Err(NoAnswer::Late) => Err(format!("{HANGS}: no answer in {timeout:?}")),
            Err(NoAnswer::Interrupted) => Err(INTERRUPTED.to_owned()),
        }
    }

    /// Ends the process. Returns how it ended, as text, if it did so by itself, else an empty text.
    fn end(&mut self) -> String {
        // The pipe of a process that ends is closed a moment before its exit status is known.
        let Some(status) = self.process.end(Duration::from_millis(200)) else { return String::new() };
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            let name =
                nix::sys::signal::Signal::try_from(signal).map_or("", nix::sys::signal::Signal::as_str);
            return format!(": signal {signal} {name}");
        }
        format!(": {status}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Region;

    #[test]
    fn batches_have_few_jobs_states_and_bytes() {
        let lengths = |jobs: &[Job]| -> Vec<usize> {
            batches(jobs).iter().map(|batch| batch.iter().map(|group| group.len()).sum()).collect()
        };
        let state = |gather| Job { gather, ..Job::new("gather4") };
        assert_eq!(lengths(&vec![state(0); MOST_JOBS + 1]), [MOST_JOBS, 1]);
        assert_eq!(lengths(&(0..65).map(state).collect::<Vec<_>>()), [64, 1]);
        let large = |bytes: usize| -> Vec<Job> {
            let memory = crate::engine::Regions::from(vec![Region { address: 0, bytes: vec![0; bytes] }]);
            (0..4).map(|gather| Job { memory: memory.clone(), ..state(gather) }).collect()
        };
        assert_eq!(lengths(&large(MOST_BYTES / 2)), [2, 2]);
        assert_eq!(lengths(&large(MOST_BYTES + 1)), [1; 4]);
        assert!(lengths(&[]).is_empty());
    }
}
