//! Makes the jobs of disagreements small after a campaign, within a time limit: all of them if they are few, otherwise the first of each
//! kind, engine and labels.

use super::check::check;
use super::finding::Finding;
use super::lane::{known_lane, lane};
use super::minimize::minimal;
use super::settings::MakeEngine;
use crate::compare::{Counts, Disagreement, DisagreementKind};
use crate::core_engine::CoreEngine;
use crate::engine::{Engine, Job};
use crate::explain::record;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time limit for all disagreements of a campaign. It is checked before each of them, so that the last one may exceed it.
const MAX_TIME: Duration = Duration::from_secs(30);
/// Up to this number of disagreements, all are made small. A campaign stops at fewer by default.
const FEW: usize = 24;

impl Finding {
    /// Makes the job small, and fills in the details of the finding.
    fn make_small(&mut self, model: Option<&dyn Engine>) {
        let engine: &dyn Engine = match model {
            Some(model) if model.name() == self.disagreement.engine => model,
            _ => &CoreEngine,
        };
        let detail = |disagreement: &Disagreement, job: &Job| {
            disagreement.lane.as_ref().map(|values| lane(job, values.lane, engine))
        };
        let (kind, job) = (self.disagreement.kind, self.minimal.clone());
        let mut last = self.disagreement.clone();
        // A broken model takes its full time limit for every job, so that it is not executed again.
        if kind != DisagreementKind::Broken {
            let lane = self.disagreement.lane.as_ref().map(|values| values.lane);
            self.minimal = minimal(&job, lane, &mut |job| match check(job, model, &mut Counts::default()) {
                Err(why) if why.kind == kind && why.engine == last.engine => {
                    last = *why;
                    true
                }
                _ => false,
            });
        }
        self.lane = detail(&self.disagreement, &job);
        self.minimal_lane = detail(&last, &self.minimal);
        self.minimal_disagreement = last;
        self.explained = record::job(&job);
        self.describe();
        self.small = true;
    }

    /// Keeps the job as it is, and fills in the details. `twin`: a similar disagreement that was made small; the same properties are
    /// assumed to matter.
    fn leave_large(&mut self, twin: Option<&Self>) {
        let lane = self.disagreement.lane.as_ref();
        self.lane = lane.map(|values| known_lane(&self.minimal, values.lane));
        self.minimal_lane.clone_from(&self.lane);
        self.explained = record::job(&self.minimal);
        self.describe();
        if let Some(twin) = twin {
            self.matters.clone_from(&twin.matters);
        }
    }
}

/// Makes the jobs of findings small. `model`: the engine that is compared, if it is not the core.
pub(super) fn make_small(findings: Vec<&mut Finding>, model: Option<&dyn Engine>) {
    let end = Instant::now() + MAX_TIME;
    let (firsts, others) = firsts(findings);
    let mut done = Vec::new();
    for first in firsts {
        match Instant::now() < end {
            true => first.make_small(model),
            false => first.leave_large(None),
        }
        done.push(&*first);
    }
    leave_others(&done, others);
}

/// As [`make_small`], on several threads, each with an engine made by `make`.
pub(super) fn make_small_on(threads: usize, findings: Vec<&mut Finding>, make: MakeEngine<'_>) {
    let end = Instant::now() + MAX_TIME;
    let (firsts, others) = firsts(findings);
    let threads = threads.clamp(1, firsts.len().max(1));
    let firsts = Mutex::new(firsts.into_iter());
    let next = || firsts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let worker = || {
        let mut done = Vec::new();
        let mut model = None;
        while let Some(first) = next() {
            if model.is_none() {
                model = Some(make());
            }
            match &model {
                Some(Ok(model)) if Instant::now() < end => first.make_small(model.as_deref()),
                _ => first.leave_large(None),
            }
            done.push(&*first);
        }
        done
    };
    let done: Vec<&Finding> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    });
    leave_others(&done, others);
}

/// Splits findings into those to make small and the rest.
fn firsts(findings: Vec<&mut Finding>) -> (Vec<&mut Finding>, Vec<&mut Finding>) {
    if findings.len() <= FEW {
        return (findings, Vec::new());
    }
    let mut seen = HashSet::new();
    findings.into_iter().partition(|finding| {
        let (kind, engine, labels) = finding.sort();
        seen.insert((kind, engine.to_owned(), labels.clone()))
    })
}

fn leave_others(done: &[&Finding], others: Vec<&mut Finding>) {
    let twins: HashMap<_, &Finding> =
        done.iter().filter(|first| first.small).map(|first| (first.sort(), *first)).collect();
    for other in others {
        let twin = twins.get(&other.sort()).copied();
        other.leave_large(twin);
    }
}
