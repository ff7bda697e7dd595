//! Minimises a job that disagrees, so that it contains only what matters.

use crate::emulator::sample::ops::Op;
use crate::emulator::state::{SAMPLER, SURFACE, get, set};
use crate::engine::{Job, Precision};
use std::time::{Duration, Instant};

/// Limits of the jobs tried and of the time, since a model may be slow.
const MAX_TRIES: usize = 4000;
const MAX_TIME: Duration = Duration::from_secs(5);

/// Returns the smallest job found for which `same` is true: fewer lanes, parameters and channels, state fields set to 0, less memory.
/// `lane`: the lane that disagrees.
pub fn minimal(job: &Job, lane: Option<usize>, same: &mut dyn FnMut(&Job) -> bool) -> Job {
    let mut shrink = Minimizer { best: job.clone(), same, left: MAX_TRIES, end: Instant::now() + MAX_TIME };
    // Later steps may make an earlier one possible, so that all are repeated.
    for _ in 0..4 {
        let before = shrink.best.clone();
        shrink.lanes(lane);
        shrink.message();
        shrink.memory();
        shrink.sampler();
        shrink.surface();
        shrink.parameters();
        if shrink.best == before || !shrink.may_go_on() {
            break;
        }
    }
    shrink.best
}

struct Minimizer<'a> {
    best: Job,
    same: &'a mut dyn FnMut(&Job) -> bool,
    left: usize,
    end: Instant,
}

impl Minimizer<'_> {
    fn may_go_on(&self) -> bool {
        self.left > 0 && Instant::now() < self.end
    }

    /// Applies a change and keeps it if the job still disagrees.
    fn attempt(&mut self, change: impl FnOnce(&mut Job)) -> bool {
        let mut job = self.best.clone();
        change(&mut job);
        if job == self.best || !self.may_go_on() {
            return false;
        }
        self.left -= 1;
        let kept = (self.same)(&job);
        if kept {
            self.best = job;
        }
        kept
    }

    /// Reduces the job to one lane, and to a message of at most eight lanes.
    fn lanes(&mut self, lane: Option<usize>) {
        let lanes: Vec<usize> = match lane {
            Some(lane) => vec![lane],
            None => (0..usize::from(self.best.simd)).collect(),
        };
        for lane in lanes {
            if self.best.lanes.count_ones() > 1 {
                self.attempt(|job| job.lanes = 1 << lane);
            }
        }
        let only = self.best.lanes.trailing_zeros() as usize;
        if self.best.lanes.count_ones() == 1 && self.best.simd > 8 {
            // The subspan of the lane becomes the first one of the message.
            let first = only / 4 * 4;
            self.attempt(|job| {
                job.simd = 8;
                job.lanes = 1 << (only - first);
                for lanes in &mut job.params {
                    lanes.drain(..first.min(lanes.len()));
                    lanes.resize(8, 0);
                }
            });
        }
    }

    fn message(&mut self) {
        for channel in 0..4 {
            self.attempt(|job| job.channels &= !(1 << channel));
        }
        self.attempt(|job| job.gather = 0);
        self.attempt(|job| job.offsets = [0; 3]);
        for axis in 0..3 {
            self.attempt(|job| job.offsets[axis] = 0);
        }
        self.attempt(|job| job.null_mask = false);
        self.attempt(|job| job.kill_mask = false);
        self.attempt(|job| job.half_return = false);
        self.attempt(|job| job.cps = None);
        self.attempt(|job| job.precision = Precision::Float);
        self.attempt(|job| job.null_pages.clear());
        self.attempt(|job| job.palette.clear());
        self.attempt(|job| job.border = [0; 4]);
        while self.attempt(|job| drop(job.params.pop())) {}
        // Try a simpler operation whose first parameters are the same.
        let simple = ["sample_lz", "sample_l", "sample", "ld_lz", "ld", "gather4"];
        let order = |name: &str| Op::find(name, self.best.half_params).map(|op| op.params);
        let mine = order(&self.best.op).unwrap_or("");
        let fits: Vec<&str> = simple
            .into_iter()
            .take_while(|name| *name != self.best.op)
            .filter(|name| {
                order(name).is_some_and(|params| {
                    let count = self.best.params.len();
                    params.split_whitespace().take(count).eq(mine.split_whitespace().take(count))
                })
            })
            .collect();
        for name in fits {
            if self.attempt(|job| job.op = name.to_owned()) {
                break;
            }
        }
    }

    /// Shortens the memory's regions, and sets bytes to 0.
    fn memory(&mut self) {
        for index in (0..self.best.memory.len()).rev() {
            if self.attempt(|job| drop(job.memory.remove(index))) {
                continue;
            }
            let mut step = self.best.memory[index].bytes.len() / 2;
            while step > 0 {
                let length = self.best.memory[index].bytes.len();
                if !self.attempt(|job| job.memory[index].bytes.truncate(length - step)) {
                    step /= 2;
                }
                step = step.min(self.best.memory[index].bytes.len() / 2);
            }
            self.zeros(index);
        }
    }

    fn zeros(&mut self, index: usize) {
        let length = self.best.memory[index].bytes.len();
        let mut stack = vec![(0, length)];
        while let Some((start, end)) = stack.pop() {
            if start >= end || self.best.memory[index].bytes[start..end].iter().all(|byte| *byte == 0) {
                continue;
            }
            if self.attempt(|job| job.memory[index].bytes[start..end].fill(0)) || end - start == 1 {
                continue;
            }
            let middle = start + (end - start) / 2;
            stack.extend([(start, middle), (middle, end)]);
        }
    }

    fn sampler(&mut self) {
        self.attempt(|job| job.sampler = [0, 0x000e_0000, 0, 0]);
        for field in SAMPLER {
            self.attempt(|job| set(SAMPLER, &mut job.sampler, field.name, 0));
        }
        self.attempt(|job| set(SAMPLER, &mut job.sampler, "Max LOD", 0xe00));
    }

    fn surface(&mut self) {
        for field in SURFACE {
            self.attempt(|job| set(SURFACE, &mut job.surface, field.name, 0));
        }
        for (name, value) in [("Surface Type", 1), ("Surface Format", 0xc7)] {
            self.attempt(|job| set(SURFACE, &mut job.surface, name, value));
        }
        for name in ["Width", "Height", "Depth", "MIP Count / LOD", "Surface Min LOD"] {
            while self.attempt(|job| {
                let value = get(SURFACE, &job.surface, name) / 2;
                set(SURFACE, &mut job.surface, name, value);
            }) {}
        }
    }

    /// Sets parameters to round numbers, and to 0 in inactive lanes.
    fn parameters(&mut self) {
        let lanes = self.best.lanes;
        for index in 0..self.best.params.len() {
            self.attempt(|job| job.params[index].fill(0));
            self.attempt(|job| {
                let off = job.params[index].iter_mut().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 0);
                off.for_each(|(_, value)| *value = 0);
            });
            if self.best.half_params {
                continue;
            }
            for lane in (0..self.best.params[index].len()).filter(|lane| lanes >> lane & 1 == 1) {
                for round in [0.0f32, 0.5, 0.25, 1.0] {
                    if self.attempt(|job| job.params[index][lane] = round.to_bits()) {
                        break;
                    }
                }
            }
        }
    }
}
