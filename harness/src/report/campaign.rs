//! The report of a campaign of `fuzz-diff`: agreement by properties of the jobs, the worst lanes, and every disagreement with its
//! minimal job.

use super::message::{CardText, format_of, show};
use super::{BarRow, BarTable, MessageVerdict, Page, Table};
use crate::compare::rules::DeviationRule;
use crate::core_engine::CoreEngine;
use crate::emulator::Emulator;
use crate::engine::{Engine, Job};
use crate::fuzz_diff::{AXES, Agreement, Cell, Finding, Report, Worst};
use crate::job_memory::JobMemory;
use std::collections::BTreeMap;

/// The most worst lanes that are shown as messages.
const MOST_WORST: usize = 60;

/// Returns the page of a campaign.
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
    page.summary.extend(report.engine.clone());
    let mut number = 0;
    let findings = report.groups.iter().flat_map(|group| group.findings.iter().map(move |one| (group, one)));
    for (group, finding) in findings {
        if page.wants(MessageVerdict::Differs) {
            let shared = format!("in common: {}", group.shared.join(", "));
            add(&mut page, number, finding, &shared);
            number += 1;
        }
    }
    let shown = worst_lanes(&mut page, report, number);
    page.bars = AXES.iter().filter_map(|axis| bars(axis, &report.agreement, &shown)).collect();
    page.tables = tables(report);
    page
}

/// The identity of a worst lane: seed of the job and number of the lane.
type LaneId = (u64, usize);

/// Adds the lanes that differ most from the emulator, each once. Returns the numbers of their messages.
fn worst_lanes(page: &mut Page, report: &Report, first: u64) -> BTreeMap<LaneId, u64> {
    let cells = report.agreement.axes.values().flat_map(BTreeMap::values);
    let mut worst: BTreeMap<LaneId, &Worst> = BTreeMap::new();
    for one in cells.filter_map(|cell| cell.worst.as_ref()) {
        if let Some(seed) = one.seed {
            worst.insert((seed, one.lane), one);
        }
    }
    let mut all: Vec<(LaneId, &Worst)> = worst.into_iter().collect();
    all.sort_by(|(_, a), (_, b)| b.distance.total_cmp(&a.distance));
    let mut numbers = BTreeMap::new();
    for (number, (lane, worst)) in (first..).zip(all.into_iter().take(MOST_WORST)) {
        let verdict = if worst.distance > 1.0 { MessageVerdict::Differs } else { MessageVerdict::Equal };
        let Ok(job) = report.settings.job(lane.0) else { continue };
        if page.wants(verdict) {
            numbers.insert(lane, number);
            add_worst(page, number, worst, &Job { lanes: 1 << worst.lane, ..job }, verdict);
        }
    }
    numbers
}

fn add_worst(page: &mut Page, number: u64, worst: &Worst, job: &Job, verdict: MessageVerdict) {
    let memory = JobMemory::of(job);
    let mut notes = vec![format!("repeat: {}", worst.command)];
    let ours = Emulator.execute(job).ok().flatten();
    let theirs = returned(job, worst);
    let mut results = vec![("compared", &theirs[..])];
    if let Some(ours) = &ours {
        results.push(("emulator", &ours.writeback[..]));
    }
    if let Some(report) = &worst.report {
        notes.extend(report.lod.iter().cloned());
    }
    let tolerance = worst.values.as_ref().map_or(0.0, |values| values.tolerance);
    let about = CardText {
        number,
        title: format!("{} SIMD{} on {}, seed {}", job.op, job.simd, format_of(job), worst.seed.unwrap_or(0)),
        text: format!(
            "lane {}: {} of what may be ({tolerance:e})",
            worst.lane,
            if worst.distance < 1e9 { format!("{:.3}", worst.distance) } else { "far outside".to_owned() }
        ),
        verdict,
        notes,
    };
    show(page, about, job, &memory, &results);
}

/// Returns the destination registers with the worst lane's results, zeros elsewhere.
fn returned(job: &Job, worst: &Worst) -> Vec<u8> {
    let width = if job.half_return { 2 } else { 4 };
    let stride = (usize::from(job.simd) * width).next_multiple_of(32);
    let mut bytes = vec![0; job.writeback_bytes()];
    for (position, bits) in worst.returned.iter().flatten().enumerate() {
        let at = position * stride + worst.lane * width;
        if let Some(lane) = bytes.get_mut(at..at + width) {
            lane.copy_from_slice(&bits.to_le_bytes()[..width]);
        }
    }
    bytes
}

fn bars(axis: &str, agreement: &Agreement, shown: &BTreeMap<LaneId, u64>) -> Option<BarTable> {
    let cells = agreement.axes.get(axis)?;
    let heading = [axis, "lanes", "jobs", "declined", "lanes", "different", "rules", "worst lane"];
    let mut rows: Vec<(&String, &Cell)> = cells.iter().collect();
    rows.sort_by_key(|(_, cell)| std::cmp::Reverse(cell.different));
    Some(BarTable {
        title: format!("By {axis}"),
        heading: heading.map(str::to_owned).to_vec(),
        rows: rows.into_iter().map(|(label, cell)| bar(label, cell, shown)).collect(),
    })
}

fn bar(label: &str, cell: &Cell, shown: &BTreeMap<LaneId, u64>) -> BarRow {
    let sum = |rules: &BTreeMap<String, u64>| rules.values().sum::<u64>();
    let rules: Vec<String> =
        cell.allowed.iter().chain(&cell.undefined).map(|(rule, lanes)| format!("{rule} {lanes}")).collect();
    BarRow {
        parts: [cell.equal, sum(&cell.allowed), sum(&cell.undefined), cell.different],
        cells: vec![
            label.to_owned(),
            cell.jobs.to_string(),
            cell.declined.to_string(),
            cell.lanes().to_string(),
            cell.different.to_string(),
            rules.join(", "),
        ],
        worst: cell.worst.as_ref().map(|worst| {
            let number = worst.seed.and_then(|seed| shown.get(&(seed, worst.lane)).copied());
            let text = if worst.distance < 1e9 { format!("{:.2}", worst.distance) } else { "far".to_owned() };
            (number, text)
        }),
    }
}

/// Returns the tables of the rules that lanes needed, of the reasons of declined jobs, and of the baseline.
fn tables(report: &Report) -> Vec<(String, Table)> {
    let table = |heading: &[&str], rows: Vec<Vec<String>>| Table {
        heading: heading.iter().map(|cell| (*cell).to_owned()).collect(),
        rows: rows.into_iter().map(|row| (false, row)).collect(),
    };
    let lanes = report.agreement.rules();
    let rules = DeviationRule::ALL.into_iter().filter_map(|rule| {
        let (id, says, source) = rule.about();
        let lanes = lanes.get(id)?;
        Some(vec![id.to_owned(), says.to_owned(), source.to_owned(), lanes.to_string()])
    });
    let mut declined: Vec<(&String, &u64)> = report.agreement.declined.iter().collect();
    declined.sort_by_key(|(_, jobs)| std::cmp::Reverse(**jobs));
    let (jobs, all) = report.agreement.jobs();
    let share = |part: u64| format!("{:.2} %", 100.0 * part as f64 / jobs.max(1) as f64);
    let declined = declined.into_iter().map(|(why, jobs)| vec![jobs.to_string(), share(*jobs), why.clone()]);
    let accepted = report.accepted.iter().map(|(entry, lanes)| {
        let why = report.settings.known.accepted.get(*entry).map_or("", |one| &one.why);
        vec![entry.to_string(), lanes.to_string(), why.to_owned()]
    });
    let all = [
        ("Rules".to_owned(), table(&["rule", "says", "source", "lanes"], rules.collect())),
        (
            format!("Declined jobs: {all} of {jobs}, {}", share(all)),
            table(&["jobs", "share", "reason"], declined.collect()),
        ),
        ("Accepted by the baseline".to_owned(), table(&["entry", "jobs", "why"], accepted.collect())),
    ];
    all.into_iter().filter(|(_, table)| !table.rows.is_empty()).collect()
}

fn add(page: &mut Page, number: u64, finding: &Finding, shared: &str) {
    let job = &finding.minimal;
    let memory = JobMemory::of(job);
    let mut notes = vec![finding.minimal_disagreement.why.clone(), shared.to_owned()];
    if !finding.command.is_empty() {
        notes.push(format!("repeat: {}", finding.command));
    }
    notes.push(format!("what matters: {}", finding.matters.join(", ")));
    notes.extend(finding.touches.iter().map(|rule| format!("touches: {rule}")));
    let (core, emulator) = (CoreEngine.execute(job), Emulator.execute(job));
    let mut results = Vec::new();
    for (name, answer) in [("core", &core), ("emulator", &emulator)] {
        match answer {
            Ok(Some(outcome)) => results.push((name, &outcome.writeback[..])),
            Ok(None) => notes.push(format!("{name}: no answer")),
            Err(why) => notes.push(format!("{name}: {why}")),
        }
    }
    let origin = finding.origin().map_or_else(String::new, |origin| format!(", {origin}"));
    let about = CardText {
        number,
        title: format!("{} SIMD{} on {}{origin}", job.op, job.simd, format_of(job)),
        text: format!("{}: {}", finding.minimal_disagreement.engine, finding.minimal_disagreement.why),
        verdict: MessageVerdict::Differs,
        notes,
    };
    show(page, about, job, &memory, &results);
}
