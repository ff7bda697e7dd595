//! The report of a campaign, as data.

use super::accepted::Baseline;
use super::agreement::Agreement;
use super::check::CheckedJob;
use super::finding::Finding;
use super::settings::{Settings, Shard};
use super::small;
use crate::compare::{Counts, Disagreement, DisagreementKind};
use crate::devices;
use crate::engine::{DeviceLimits, Engine};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The comparisons and findings of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The settings of the campaign; in a merged report, those of the first report.
    pub settings: Settings,
    /// The shards that the report covers.
    pub shards: Vec<Shard>,
    /// Jobs that were tried, including refused and declined ones.
    pub jobs: u64,
    /// Counts of compared lanes, and of those that were set aside.
    pub counts: Counts,
    /// A summary in one sentence.
    pub sentence: String,
    /// The engine's own description of itself.
    #[serde(default)]
    pub engine: Option<String>,
    /// Compared lanes by operation.
    pub lanes_by_operation: BTreeMap<String, u64>,
    /// Agreement by operation, format, address mode, filter and dimension, and the reasons of declined jobs.
    #[serde(default)]
    pub agreement: Agreement,
    /// The number of disagreements that the baseline accepts, by the index of its entry.
    #[serde(default)]
    pub accepted: BTreeMap<usize, u64>,
    /// The number of disagreements that are not accepted.
    pub disagreements: usize,
    /// The disagreements, grouped by their probable cause.
    pub groups: Vec<FindingGroup>,
}

/// Disagreements with the same probable cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingGroup {
    /// What differs.
    pub kind: DisagreementKind,
    /// The engine that disagrees with the emulator.
    pub engine: String,
    /// The properties that all minimal jobs share; fields that are 0 are not listed.
    pub shared: Vec<String>,
    /// The disagreements.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Returns an empty report.
    pub fn new(settings: Settings) -> Self {
        Self {
            shards: vec![settings.shard],
            settings,
            jobs: 0,
            counts: Counts::default(),
            sentence: String::new(),
            engine: None,
            lanes_by_operation: BTreeMap::new(),
            agreement: Agreement::default(),
            accepted: BTreeMap::new(),
            disagreements: 0,
            groups: Vec::new(),
        }
    }

    /// Adds a job.
    pub fn add(&mut self, job: CheckedJob) {
        let CheckedJob { seed, labels, counts, tally, declined, finding, accepted } = job;
        self.jobs += 1;
        self.counts.add(&counts);
        *self.lanes_by_operation.entry(labels[0].clone()).or_default() += counts.lanes;
        self.agreement.add(seed, &labels, tally);
        if let Some(why) = declined {
            *self.agreement.declined.entry(why).or_default() += 1;
        }
        if let Some(entry) = accepted {
            *self.accepted.entry(entry).or_default() += 1;
        }
        if let Some(finding) = finding {
            self.add_finding(*finding);
        }
    }

    /// Completes the report when all jobs are added: makes disagreements small, groups them, and examines the worst lanes.
    pub fn finish(&mut self, model: Option<&dyn Engine>) {
        small::make_small(self.findings_mut(), model);
        self.conclude(model.and_then(Engine::limits));
    }

    /// Completes the report when all disagreements are small.
    pub(super) fn conclude(&mut self, limits: Option<DeviceLimits>) {
        self.group();
        self.agreement.explain(&self.settings, limits);
    }

    /// Returns all disagreements.
    pub(super) fn findings_mut(&mut self) -> Vec<&mut Finding> {
        self.groups.iter_mut().flat_map(|group| &mut group.findings).collect()
    }

    /// Returns a baseline that accepts every disagreement of this campaign, and everything that the given one accepts.
    pub fn baseline(&self) -> Baseline {
        let mut all = self.settings.known.clone();
        let findings = self.groups.iter().flat_map(|group| &group.findings);
        let sorts = findings.map(|finding| (&finding.labels, finding.disagreement.kind));
        all.accepted.extend(Baseline::of(sorts).accepted);
        all
    }

    /// Adds a disagreement about a job that is counted already.
    pub fn add_finding(&mut self, finding: Finding) {
        self.disagreements += 1;
        let Disagreement { kind, engine, .. } = &finding.disagreement;
        let group =
            FindingGroup { kind: *kind, engine: engine.clone(), shared: Vec::new(), findings: vec![finding] };
        self.groups.push(group);
    }

    /// Groups the disagreements by probable cause, and writes the summary.
    pub fn group(&mut self) {
        let findings = std::mem::take(&mut self.groups).into_iter().flat_map(|group| group.findings);
        let mut groups: BTreeMap<(DisagreementKind, String, Vec<String>), Vec<Finding>> = BTreeMap::new();
        for finding in findings {
            let Disagreement { kind, engine, .. } = &finding.disagreement;
            groups.entry((*kind, engine.clone(), key(&finding))).or_default().push(finding);
        }
        self.groups = groups
            .into_iter()
            .map(|((kind, engine, _), mut findings)| {
                findings.sort_by_key(|finding| finding.seed);
                let mut shared = findings.first().map_or(Vec::new(), |first| first.matters.clone());
                shared.retain(|one| findings.iter().all(|finding| finding.matters.contains(one)));
                FindingGroup { kind, engine, shared, findings }
            })
            .collect();
        // The largest group comes first.
        self.groups.sort_by_key(|group| std::cmp::Reverse(group.findings.len()));
        self.sentence = self.in_a_sentence();
    }

    /// Merges the reports of the shards of a campaign.
    ///
    /// # Errors
    /// They are of different campaigns, or a shard occurs twice.
    pub fn merge(reports: Vec<Self>) -> Result<Self, String> {
        let mut reports = reports.into_iter();
        let mut all = reports.next().ok_or("no reports to merge")?;
        let campaign = |settings: &Settings| Settings { shard: Shard::default(), ..settings.clone() };
        for report in reports {
            if campaign(&report.settings) != campaign(&all.settings) {
                return Err(format!("shard {} is of another campaign", report.settings.shard));
            }
            for shard in report.shards {
                if shard.of != all.settings.shard.of {
                    return Err(format!("shard {shard} is not one of {}", all.settings.shard.of));
                }
                if all.shards.contains(&shard) {
                    return Err(format!("shard {shard} is there twice"));
                }
                all.shards.push(shard);
            }
            all.jobs += report.jobs;
            all.counts.add(&report.counts);
            for (op, lanes) in report.lanes_by_operation {
                *all.lanes_by_operation.entry(op).or_default() += lanes;
            }
            all.agreement.merge(report.agreement);
            for (entry, number) in report.accepted {
                *all.accepted.entry(entry).or_default() += number;
            }
            all.disagreements += report.disagreements;
            all.groups.extend(report.groups);
        }
        all.shards.sort();
        all.group();
        Ok(all)
    }

    /// Returns true if nothing was compared: every job was declined, or there was none.
    pub fn is_empty(&self) -> bool {
        self.counts.lanes == 0 && self.counts.executed == 0 && self.counts.refused == 0
    }

    fn in_a_sentence(&self) -> String {
        let Counts { executed, refused, declined, lanes, nudged, allowed, unconditioned } = self.counts;
        let who = match &self.settings.against {
            Some(command) if devices::named(command).is_some() => format!("The device `{command}` was"),
            Some(command) => format!("The model `{command}` and the core were each"),
            None => "The core was".to_owned(),
        };
        let mut text = format!(
            "{who} compared with the emulator on {} and {} of them",
            counted(executed, "executed jobs"),
            counted(lanes, "lanes")
        );
        let mut rest = Vec::new();
        if nudged > 0 {
            rest.push(format!(
                "{} equal only at coordinates or a LOD within the rounding of f32",
                counted(nudged, "lanes are")
            ));
        }
        if allowed > 0 {
            rest.push(format!("{} equal as far as a rule allows", counted(allowed, "lanes are")));
        }
        if unconditioned > 0 {
            rest.push(format!(
                "{} set aside because no bound of their LOD or of a probe is known",
                counted(unconditioned, "lanes were")
            ));
        }
        let accepted: u64 = self.accepted.values().sum();
        if accepted > 0 {
            rest.push(format!("{} accepted by the baseline", counted(accepted, "disagreements are")));
        }
        if refused > 0 {
            rest.push(format!("{} refused by both", counted(refused, "jobs were")));
        }
        if declined > 0 {
            rest.push(format!("{} declined by the model and not compared", counted(declined, "jobs were")));
        }
        if !rest.is_empty() {
            text += &format!("; {}", rest.join(", "));
        }
        let end = match self.disagreements {
            0 => "no disagreement".to_owned(),
            number => counted(number as u64, "disagreements"),
        };
        format!("{text}: {end}.")
    }
}

/// Returns a number with a noun: `1 lane`, `2 lanes`. `plural` begins with the noun; a verb may follow.
pub(super) fn counted(number: u64, plural: &str) -> String {
    let words = match (number, plural) {
        (1, "lanes are") => "lane is",
        (1, "lanes were") => "lane was",
        (1, "disagreements are") => "disagreement is",
        (1, "jobs were") => "job was",
        (1, plural) => plural.trim_end_matches('s'),
        (_, plural) => plural,
    };
    format!("{number} {words}")
}

/// Returns the names of the properties that matter, and the operation's family: disagreements that share them probably have the same cause.
fn key(finding: &Finding) -> Vec<String> {
    let family = finding.minimal.op.split('_').next().unwrap_or_default().to_owned();
    let names = finding
        .matters
        .iter()
        .filter(|one| !one.starts_with("operation ") && !one.starts_with("Surface Format"));
    let mut names: Vec<String> =
        names.map(|one| one.rsplit_once(' ').map_or(one.clone(), |(name, _)| name.to_owned())).collect();
    names.push(family);
    names
}
