//! Compares jobs: the core and a model with the emulator.

use super::agreement::Tally;
use super::finding::Finding;
use super::labels::{Labels, labels};
use super::settings::Settings;
use crate::compare::{Counts, Disagreement, Judged, compare, judge};
use crate::core_engine::CoreEngine;
use crate::engine::{Answer, Engine, Job};

/// Compares core and model with the emulator; `counts` are the model's if there is one, else the core's.
///
/// # Errors
/// The first disagreement.
pub fn check(job: &Job, model: Option<&dyn Engine>, counts: &mut Counts) -> Result<(), Box<Disagreement>> {
    let Some(model) = model else { return compare(job, &CoreEngine, counts) };
    core_beside(job, model)?;
    compare(job, model, counts)
}

/// Compares the core as well, beside a model. A device that has limits of its own is compared alone: the core has nothing to do with
/// them.
fn core_beside(job: &Job, model: &dyn Engine) -> Result<(), Box<Disagreement>> {
    match model.limits() {
        Some(_) => Ok(()),
        None => compare(job, &CoreEngine, &mut Counts::default()),
    }
}

/// What became of a job.
#[derive(Debug)]
pub struct Checked {
    /// Its seed; none for a job of a file.
    pub seed: Option<u64>,
    /// What it is.
    pub labels: Labels,
    /// What was compared.
    pub counts: Counts,
    /// Its lanes.
    pub tally: Tally,
    /// Why it was declined.
    pub declined: Option<String>,
    /// The disagreement, unless it is accepted.
    pub finding: Option<Box<Finding>>,
    /// The entry of the baseline that accepts its disagreement.
    pub accepted: Option<usize>,
}

/// Compares the answers of core or model to jobs with the emulator. `seeds`: one for each job, none for a job of a file.
pub fn check_all(
    settings: &Settings,
    seeds: &[Option<u64>],
    jobs: &[Job],
    model: Option<&dyn Engine>,
) -> Vec<Checked> {
    let engine = model.unwrap_or(&CoreEngine);
    let judged = Judged::of(engine);
    let answers = engine.execute_all(jobs);
    let missing = std::iter::repeat_with(|| Answer::Broken("no answer".to_owned()));
    let all = seeds.iter().zip(jobs).zip(answers.into_iter().chain(missing));
    all.map(|((seed, job), answer)| {
        let (mut counts, mut tally, mut declined) = (Counts::default(), Tally::compared(), None);
        if let Answer::Declined(why) = &answer {
            (tally, declined) = (Tally::declined(), Some(why.clone()));
        }
        let core = model.map_or(Ok(()), |model| core_beside(job, model));
        let found = core.and_then(|()| {
            judge(job, job, answer, &judged, &mut counts, |compared, got| tally.add(compared, got))
        });
        let labels = labels(job);
        let (mut finding, mut accepted) = (None, None);
        if let Err(why) = found {
            accepted = settings.known.accepts(job, &labels, why.kind);
            if accepted.is_none() {
                finding = Some(Box::new(Finding::of(settings, *seed, job, *why)));
            }
        }
        Checked { seed: *seed, labels, counts, tally, declined, finding, accepted }
    })
    .collect()
}
