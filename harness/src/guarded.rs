//! Processes that end with this one.

use crate::interrupt::is_interrupted;
use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long Ctrl-C may go unnoticed while a process does not answer.
const ATTENTION: Duration = Duration::from_millis(50);

/// Why a process has not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It had its time.
    Late,
    /// The command was interrupted meanwhile.
    Interrupted,
    /// Whoever reads its answers has ended.
    Gone,
}

/// The next answer, as soon as it comes. An interrupt ends the wait, unless it came before: then the process is asked for a finding.
pub(crate) fn answer<T>(answers: &Receiver<T>, timeout: Duration) -> Result<T, Missing> {
    let (start, before) = (Instant::now(), is_interrupted());
    loop {
        let left = timeout.saturating_sub(start.elapsed());
        match answers.recv_timeout(left.min(ATTENTION)) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Disconnected) => return Err(Missing::Gone),
            Err(RecvTimeoutError::Timeout) if is_interrupted() && !before => {
                return Err(Missing::Interrupted);
            }
            Err(RecvTimeoutError::Timeout) if left <= ATTENTION => return Err(Missing::Late),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// A process between two pipes. On Unix it leads a process group of its own, which is killed when this value is dropped and when this process
/// ends in whatever way: a shell beside it waits for that.
#[derive(Debug)]
pub(crate) struct Guarded {
    child: Child,
    /// Kills the process group when this process is gone.
    guard: Option<Child>,
}

impl Guarded {
    /// Starts a process; its input and its output.
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

    /// Ends the process; how it ended, when it does so by itself in this time.
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

    /// Kills the process and those that it started.
    fn kill(&mut self) {
        // First the guard: once the group is gone, its number may be another's.
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

/// A shell that kills a process group as soon as its input ends: when this process is gone, even if it was killed.
#[cfg(unix)]
fn guard(group: u32) -> Option<Child> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "read -r _; kill -s KILL -- -\"$0\"", &group.to_string()]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C in a terminal is for this process, not for the guard.
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    shell.spawn().ok()
}

#[cfg(not(unix))]
fn guard(_: u32) -> Option<Child> {
    None
}
