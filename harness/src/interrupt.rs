//! Handling of Ctrl-C and SIGTERM: no partial output file is left behind.
//!
//! A command that follows a live stream or compares engines ends and prints what it has so far ([`on_interrupt`]). Every other command ends
//! at once, after its temporary files are removed. A second signal ends every command at once.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

type Listener = Box<dyn FnOnce() + Send>;

/// The flag behind [`is_interrupted`], for code that watches it directly; set before the listener is called.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static LISTENER: Mutex<Option<Listener>> = Mutex::new(None);
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Installs the signal handlers. Called once, by the command line.
#[cfg(unix)]
pub fn install() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            interrupted(|| drop(signal_hook::low_level::emulate_default_handler(signal)));
        }
    });
}

/// Installs the handler for Ctrl-C. Called once, by the command line.
#[cfg(not(unix))]
pub fn install() {
    // A process can have only one handler. If this fails, the handler that is installed does the same.
    let _ = ctrlc::set_handler(|| interrupted(|| std::process::exit(2)));
}

/// Calls the listener, or if there is none removes temporary files and calls `end`, which ends the process.
fn interrupted(end: impl FnOnce()) {
    match lock(&LISTENER).take() {
        Some(listener) => {
            INTERRUPTED.store(true, Ordering::Relaxed);
            listener();
        }
        None => without_temporaries(end),
    }
}

/// Returns true if a signal was passed to a listener: long computations should stop.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Makes the next signal call `listener`, which has to bring the command to its end.
pub fn on_interrupt(listener: impl FnOnce() + Send + 'static) {
    *lock(&LISTENER) = Some(Box::new(listener));
}

/// Removes the files of all `Temporary` values and calls `end`, which ends the process without unwinding. Until then, no other thread can
/// make a temporary file.
pub fn without_temporaries<R>(end: impl FnOnce() -> R) -> R {
    let mut temporaries = lock(&TEMPORARIES);
    for path in std::mem::take(&mut *temporaries) {
        let _ = std::fs::remove_file(path);
    }
    end()
}

/// A temporary file, which is removed when the process is interrupted.
#[derive(Debug)]
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    /// Creates the file with `open`, under the lock that [`without_temporaries`] takes: an interrupt comes before the file exists, or
    /// removes it.
    pub(crate) fn make<F>(path: &Path, open: impl FnOnce() -> io::Result<F>) -> io::Result<(F, Self)> {
        let mut temporaries = lock(&TEMPORARIES);
        let file = open()?;
        temporaries.insert(path.to_owned());
        Ok((file, Self(path.to_owned())))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        lock(&TEMPORARIES).remove(&self.0);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
