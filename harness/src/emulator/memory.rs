//! The job's memory: bytes, null pages, and holes that fault.

use crate::engine::Job;
use std::cell::Cell;

/// Memory as one lane sees it, and what is found out on the way.
#[derive(Debug)]
pub struct Memory<'a> {
    job: &'a Job,
    /// A null page was read.
    pub null: Cell<bool>,
    /// Something unmapped was read.
    pub fault: Cell<bool>,
    /// See [`super::sample::Lane`].
    pub tolerance: Cell<f64>,
    /// See [`super::sample::Lane`].
    pub unconditioned: Cell<bool>,
    /// How far the weights of the last footprint may be off.
    pub slope: Cell<f64>,
}

impl<'a> Memory<'a> {
    /// For one lane.
    pub fn new(job: &'a Job) -> Self {
        Self {
            job,
            null: Cell::new(false),
            fault: Cell::new(false),
            tolerance: Cell::new(0.0),
            unconditioned: Cell::new(false),
            slope: Cell::new(0.0),
        }
    }

    /// The bytes of an element; `None` when one is on a null page or not mapped.
    pub fn read(&self, addresses: &[u64]) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(addresses.len());
        let mut null = false;
        for &address in addresses {
            let inside = |start: u64, len: u64| address >= start && address - start < len;
            let region = self.job.memory.iter().find(|r| inside(r.address, r.bytes.len() as u64));
            if self.job.null_pages.iter().any(|&(start, len)| inside(start, len)) {
                null = true;
            } else if let Some(region) = region {
                bytes.push(region.bytes[(address - region.address) as usize]);
            } else {
                self.fault.set(true);
                return None;
            }
        }
        if null {
            self.null.set(true);
            return None;
        }
        Some(bytes)
    }
}
