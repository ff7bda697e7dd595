//! Workloads, how they are run, and the measured times.

use std::time::{Duration, Instant};

/// The amount of work of one run of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Samples (lanes).
    Samples(u64),
    /// Bytes of input, and items found in them.
    Bytes {
        /// Bytes of input.
        bytes: u64,
        /// Instructions or records that were found.
        items: u64,
    },
}

/// A workload, ready to run.
pub struct Workload {
    /// The name, as `--json` gives it.
    pub name: String,
    /// The order of coordinates; `None` for workloads without coordinates.
    pub pattern: Option<&'static str>,
    /// Runs the workload once.
    pub run: Box<dyn FnMut() -> Amount>,
}

impl std::fmt::Debug for Workload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workload").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Measured times of a workload.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The amount of work of one run.
    pub amount: Amount,
    /// The median run.
    pub median: Duration,
    /// The fastest run.
    pub fastest: Duration,
}

impl Measurement {
    /// Returns the nanoseconds per sample or item in the median run.
    pub fn nanoseconds(&self) -> f64 {
        self.each(self.median)
    }

    /// Returns the nanoseconds per sample or item in the fastest run: what an idle machine would give.
    pub fn fastest_nanoseconds(&self) -> f64 {
        self.each(self.fastest)
    }

    fn each(&self, run: Duration) -> f64 {
        let count = match self.amount {
            Amount::Samples(count) => count,
            Amount::Bytes { items, .. } => items,
        };
        run.as_secs_f64() * 1e9 / count.max(1) as f64
    }

    /// Returns the megabytes (10^6 bytes) per second in the median run; `None` for samples.
    pub fn megabytes(&self) -> Option<f64> {
        match self.amount {
            Amount::Samples(_) => None,
            Amount::Bytes { bytes, .. } => Some(bytes as f64 / 1e6 / self.median.as_secs_f64()),
        }
    }
}

/// Workloads with runs longer than this are run fewer times.
const LONG_RUN: Duration = Duration::from_secs(1);

/// Runs a workload once to warm up, then at least five times (twice if a run takes long), and until `time` has passed (at most 1000 times).
pub fn measure(workload: &mut Workload, time: Duration) -> Measurement {
    let warm_up = Instant::now();
    let amount = (workload.run)();
    let least = if warm_up.elapsed() > LONG_RUN { 2 } else { 5 };
    let start = Instant::now();
    let mut runs = Vec::new();
    while runs.len() < least || start.elapsed() < time && runs.len() < 1000 {
        let run = Instant::now();
        std::hint::black_box((workload.run)());
        runs.push(run.elapsed());
    }
    runs.sort();
    Measurement { amount, median: runs[runs.len() / 2], fastest: runs[0] }
}
