//! A workload, how it is run, and what is measured.

use std::time::{Duration, Instant};

/// How much one run of a workload does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Samples (lanes).
    Samples(u64),
    /// Bytes and instructions (or records).
    Bytes {
        /// Bytes of input.
        bytes: u64,
        /// What was found in them.
        items: u64,
    },
}

/// A workload, ready to run.
pub struct Workload {
    /// The name, as `--json` gives it.
    pub name: String,
    /// Order of coordinates, where there are any.
    pub pattern: Option<&'static str>,
    /// Runs once.
    pub run: Box<dyn FnMut() -> Amount>,
}

impl std::fmt::Debug for Workload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workload").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// What a run did.
    pub amount: Amount,
    /// The median run.
    pub median: Duration,
    /// The fastest run.
    pub fastest: Duration,
}

impl Measured {
    /// Nanoseconds for each sample or item of the median run.
    pub fn nanoseconds(&self) -> f64 {
        self.each(self.median)
    }

    /// The same of the fastest run: what an idle machine would give.
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

    /// Megabytes (10^6) in a second of the median run; `None` for samples.
    pub fn megabytes(&self) -> Option<f64> {
        match self.amount {
            Amount::Samples(_) => None,
            Amount::Bytes { bytes, .. } => Some(bytes as f64 / 1e6 / self.median.as_secs_f64()),
        }
    }
}

/// A run that takes so long is repeated less often.
const LONG_RUN: Duration = Duration::from_secs(1);

/// Runs a workload once to warm up, then at least five times (twice when a run takes long) and for `time`.
pub fn measure(workload: &mut Workload, time: Duration) -> Measured {
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
    Measured { amount, median: runs[runs.len() / 2], fastest: runs[0] }
}
