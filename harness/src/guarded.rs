//! Child processes that are killed when this process ends.

use crate::interrupt::is_interrupted;
use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The longest time that Ctrl-C goes unnoticed while a process does not answer.
const ATTENTION: Duration = Duration::from_millis(50);

/// Why a process has not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// The time limit is over.
    Late,
    /// The command was interrupted meanwhile.
    Interrupted,
    /// The thread that reads the answers has ended.
    Gone,
}

/// Waits for the next answer. An interrupt ends the wait, unless it came before the call: then the caller is completing its report of a
/// disagreement and still needs the answer.
pub(crate) fn answer<T>(answers: &Receiver<T>, timeout: Duration) -> Result<T, NoAnswer> {
    let (start, before) = (Instant::now(), is_interrupted());
    loop {
        let left = timeout.saturating_sub(start.elapsed());
        match answers.recv_timeout(left.min(ATTENTION)) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Disconnected) => return Err(NoAnswer::Gone),
            Err(RecvTimeoutError::Timeout) if is_interrupted() && !before => {
                return Err(NoAnswer::Interrupted);
            }
            Err(RecvTimeoutError::Timeout) if left <= ATTENTION => return Err(NoAnswer::Late),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// A child process with pipes for its input and output. On Unix it is in a process group of its own, which is killed when this value is
/// dropped and when this process ends for any reason: the group's leader is a shell, the guard, which waits for that.
#[derive(Debug)]
pub(crate) struct Guarded {
    child: Child,
    /// Kills the process group when this process is gone.
    guard: Option<Child>,
}

impl Guarded {
    /// Starts a process. Returns it with the pipes to its input and from its output.
    ///
    /// # Errors
    /// It cannot be started.
    pub(crate) fn start(command: &mut Command) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // The guard first: there is no moment at which the process would be left behind.
        let mut guard = guard();
        match command_in_group_of(command, guard.as_ref()).spawn() {
            Ok(mut child) => {
                let pipes = (child.stdin.take(), child.stdout.take());
                let process = Self { child, guard };
                let (Some(stdin), Some(stdout)) = pipes else { return Err(io::Error::other("no pipes")) };
                Ok((process, stdin, stdout))
            }
            Err(error) => {
                end_now(guard.as_mut());
                Err(error)
            }
        }
    }

    /// Ends the process. Returns its exit status if it ends by itself within `patience`; otherwise it is killed, and the result is `None`.
    pub(crate) fn end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if start.elapsed() > patience {
                self.kill();
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Kills the process and all processes of its group.
    fn kill(&mut self) {
        #[cfg(unix)]
        {
            use nix::sys::signal::{Signal, killpg};
            let leader = self.guard.as_mut().unwrap_or(&mut self.child);
            // A group keeps its number until its leader has been waited for; afterwards another group may have it.
            if let (Ok(None), Ok(group)) = (leader.try_wait(), i32::try_from(leader.id())) {
                let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
            }
        }
        end_now(Some(&mut self.child));
        end_now(self.guard.as_mut());
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills a process and waits for its end.
fn end_now(process: Option<&mut Child>) {
    if let Some(process) = process {
        let _ = process.kill();
        let _ = process.wait();
    }
}

/// Starts a shell in a process group of its own. It kills this group as soon as its input ends, that is, when this process ends, even if
/// it was killed. Ctrl-C in a terminal does not reach the group.
#[cfg(unix)]
fn guard() -> Option<Child> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "read -r _; kill -s KILL 0"]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command_in_group_of(&mut shell, None).spawn().ok()
}

#[cfg(not(unix))]
fn guard() -> Option<Child> {
    None
}

/// Lets a command start in the process group that `leader` leads; without a leader it leads its own.
fn command_in_group_of<'a>(command: &'a mut Command, leader: Option<&Child>) -> &'a mut Command {
    #[cfg(unix)]
    {
        let group = leader.and_then(|leader| i32::try_from(leader.id()).ok()).unwrap_or(0);
        std::os::unix::process::CommandExt::process_group(command, group)
    }
    #[cfg(not(unix))]
    {
        let _ = leader;
        command
    }
}
