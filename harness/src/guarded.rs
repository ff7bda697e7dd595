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

/// A child process with pipes for its input and output. On Unix it leads its own process group, which is killed when this value is dropped
/// and when this process ends for any reason (a shell, the guard, waits for that).
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
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let guard = guard(child.id());
        let process = Self { child, guard };
        let (Some(stdin), Some(stdout)) = pipes else { return Err(io::Error::other("no pipes")) };
        Ok((process, stdin, stdout))
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
        // The guard first: when the group is gone, its number may be reused for another group, which the guard must not kill.
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts a shell that kills a process group as soon as the shell's input ends, that is, when this process ends, even if it was killed.
#[cfg(unix)]
fn guard(group: u32) -> Option<Child> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "read -r _; kill -s KILL -- -\"$0\"", &group.to_string()]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // The guard has its own process group, so that Ctrl-C in a terminal does not reach it.
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    shell.spawn().ok()
}

#[cfg(not(unix))]
fn guard(_: u32) -> Option<Child> {
    None
}
