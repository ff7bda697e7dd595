//! Ctrl-C and SIGTERM: nothing half is left behind.
//!
//! A command that follows a live stream or compares engines ends and prints what it has so far ([`on_interrupt`]); every other command
//! ends at once, after its temporary files were removed. So does every command at the second signal.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

type Listener = Box<dyn FnOnce() + Send>;

/// What [`is_interrupted`] tells, for those that watch it; set before the listener is called.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static LISTENER: Mutex<Option<Listener>> = Mutex::new(None);
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Takes the signals over. Called once, by the command line.
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

/// Takes Ctrl-C over. Called once, by the command line.
#[cfg(not(unix))]
pub fn install() {
    // A second handler in one process is refused; the first one does the same.
    let _ = ctrlc::set_handler(|| interrupted(|| std::process::exit(2)));
}

/// Tells the listener, or ends the process by `end`.
fn interrupted(end: impl FnOnce()) {
    match lock(&LISTENER).take() {
        Some(listener) => {
            INTERRUPTED.store(true, Ordering::Relaxed);
            listener();
        }
        None => without_temporaries(end),
    }
}

/// Whether a signal came that a listener is for: what may take long ends.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The next signal calls `listener`, which has to bring the command to its end.
pub fn on_interrupt(listener: impl FnOnce() + Send + 'static) {
    *lock(&LISTENER) = Some(Box::new(listener));
}

/// Removes what `Temporary` names and ends the process, which does not unwind. Until then no other thread makes a new one.
pub fn without_temporaries<R>(end: impl FnOnce() -> R) -> R {
    let mut temporaries = lock(&TEMPORARIES);
    for path in std::mem::take(&mut *temporaries) {
        let _ = std::fs::remove_file(path);
    }
    end()
}

/// A file that is removed when the process is interrupted.
#[derive(Debug)]
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    /// Makes the file by `open`. An interrupt comes before it or finds it.
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
