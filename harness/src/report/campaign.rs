//! The report of a campaign of `fuzz-diff`: every disagreement with its smallest job.

use super::message::{About, format_of, show};
use super::{Page, Verdict};
use crate::core_engine::{CoreEngine, Regions};
use crate::emulator::Emulator;
use crate::engine::Engine;
use crate::fuzz_diff::{Finding, Report};

/// Shows a campaign.
pub fn page(report: &Report) -> Page {
    let mut page = Page::new("Campaign of fuzz-diff");
    page.summary.push(report.sentence.clone());
    page.summary.push(format!(
        "{} jobs, {} lanes compared, {} disagreements in {} groups",
        report.jobs,
        report.counts.lanes,
        report.disagreements,
        report.groups.len()
    ));
    let operations: Vec<String> =
        report.lanes_by_operation.iter().map(|(name, lanes)| format!("{name} {lanes}")).collect();
    if !operations.is_empty() {
        page.summary.push(format!("lanes of each operation: {}", operations.join(", ")));
    }
    let findings = report.groups.iter().flat_map(|group| group.findings.iter().map(move |one| (group, one)));
    for (number, (group, finding)) in (0..).zip(findings) {
        if page.wants(Verdict::Differs) {
            let shared = format!("in common: {}", group.shared.join(", "));
            add(&mut page, number, finding, &shared);
        }
    }
    page
}

fn add(page: &mut Page, number: u64, finding: &Finding, shared: &str) {
    let job = &finding.minimal;
    let memory = Regions { mapped: &job.memory, null: &job.null_pages };
    let mut notes = vec![finding.minimal_disagreement.why.clone(), shared.to_owned()];
    if !finding.command.is_empty() {
        notes.push(format!("repeat: {}", finding.command));
    }
    notes.push(format!("what matters: {}", finding.matters.join(", ")));
    let (core, emulator) = (CoreEngine.execute(job), Emulator.execute(job));
    let mut results = Vec::new();
    for (name, answer) in [("core", &core), ("emulator", &emulator)] {
        match answer {
            Ok(Some(outcome)) => results.push((name, &outcome.writeback[..])),
            Ok(None) => notes.push(format!("{name}: no answer")),
            Err(why) => notes.push(format!("{name}: {why}")),
        }
    }
    let seed = finding.seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
    let about = About {
        number,
        title: format!("{} SIMD{} on {}{seed}", job.op, job.simd, format_of(job)),
        text: format!("{}: {}", finding.minimal_disagreement.engine, finding.minimal_disagreement.why),
        verdict: Verdict::Differs,
        notes,
    };
    show(page, about, job, &memory, &results);
}
