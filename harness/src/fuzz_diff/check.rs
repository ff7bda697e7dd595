//! Compares the core and a model with the emulator, job by job.

use super::agreement::Cell;
use super::finding::Finding;
use super::labels::{Labels, labels};
use super::settings::Settings;
use crate::compare::{ComparedEngine, Counts, Disagreement, DisagreementKind, compare, judge};
use crate::core_engine::CoreEngine;
use crate::engine::{Answer, Engine, Job};

/// Compares core and model with the emulator. `counts` are those of the model if there is one, otherwise those of the core.
///
/// # Errors
/// The first disagreement.
pub fn check(job: &Job, model: Option<&dyn Engine>, counts: &mut Counts) -> Result<(), Box<Disagreement>> {
    let Some(model) = model else { return compare(job, &CoreEngine, counts) };
    core_beside(job, model)?;
    compare(job, model, counts)
}

/// Compares the core with the emulator, in addition to `model`. Does nothing for a device with limits of its own, which do not apply to the
/// core.
fn core_beside(job: &Job, model: &dyn Engine) -> Result<(), Box<Disagreement>> {
    match model.limits() {
        Some(_) => Ok(()),
        None => compare(job, &CoreEngine, &mut Counts::default()),
    }
}

/// Tells a model that there are no more jobs. Returns a disagreement about its last job if it answered that one twice.
pub fn end(model: &dyn Engine) -> Option<Disagreement> {
    let why = model.finish().err()?;
    Some(Disagreement { kind: DisagreementKind::Broken, engine: model.name().to_owned(), why, lane: None })
}

/// The result of comparing a job.
#[derive(Debug)]
pub struct CheckedJob {
    /// The seed of the job; `None` for a job from a file.
    pub seed: Option<u64>,
    /// The labels of the job.
    pub labels: Labels,
    /// Counts of the comparison.
    pub counts: Counts,
    /// Statistics of its lanes.
    pub tally: Cell,
    /// The reason if the engine declined the job.
    pub declined: Option<String>,
    /// The disagreement, if there is one and the baseline does not accept it.
    pub finding: Option<Box<Finding>>,
    /// The index of the baseline's entry that accepts the disagreement.
    pub accepted: Option<usize>,
}

/// Executes jobs with the model, or the core if there is none, and compares the answers with the emulator. `seeds` has one entry for each
/// job: `None` for a job from a file.
pub fn check_all(
    settings: &Settings,
    seeds: &[Option<u64>],
    jobs: &[Job],
    model: Option<&dyn Engine>,
) -> Vec<CheckedJob> {
    let engine = model.unwrap_or(&CoreEngine);
    let judged = ComparedEngine::of(engine);
    let answers = engine.execute_all(jobs);
    let missing = std::iter::repeat_with(|| Answer::Broken("no answer".to_owned()));
    let all = seeds.iter().zip(jobs).zip(answers.into_iter().chain(missing));
    all.map(|((seed, job), answer)| {
        let mut tally = Cell { jobs: 1, ..Cell::default() };
        let (mut counts, mut declined) = (Counts::default(), None);
        if let Answer::Declined(why) = &answer {
            (tally.declined, declined) = (1, Some(why.clone()));
        }
        let core = model.map_or(Ok(()), |model| core_beside(job, model));
        let found = core.and_then(|()| {
            judge(job, job, answer, &judged, &mut counts, |compared, got| tally.count(compared, got))
        });
        let labels = labels(job);
        let (mut finding, mut accepted) = (None, None);
        if let Err(why) = found {
            accepted = settings.known.accepts(job, &labels, why.kind);
            if accepted.is_none() {
                finding = Some(Box::new(Finding::of(settings, *seed, job, *why)));
            }
        }
        CheckedJob { seed: *seed, labels, counts, tally, declined, finding, accepted }
    })
    .collect()
}
