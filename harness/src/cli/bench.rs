//! `texwire bench`

use super::inputs::CommandResult;
use crate::bench::{self, pairs, sampling, state, states};
use crate::console::say;
use serde_json::json;
use std::time::Duration;

/// Measures the workloads in this process.
///
/// Sampling: whole messages on one thread, parameters and writeback included. Decoding: bundled
/// input. The median of several runs, and the fastest.
#[derive(Debug, clap::Args)]
#[command(after_long_help = state::help())]
pub(super) struct Args {
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// Only workloads (with --states: cases) whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// Sampling from memory that gives no slices above 16 bytes, so that it is read texel by texel, without a cache of decoded blocks.
    #[arg(long, alias = "general", conflicts_with_all = ["states", "state"])]
    reads: bool,
    /// Milliseconds for each workload or case.
    #[arg(long, default_value_t = 200)]
    time: u64,
    /// What one sample costs in states that real drivers make, and in a plain one to compare. JSON: `{"case","ns"}`,
    /// with "ns" the median, "min" the fastest run, "faults" the lanes whose memory was not there.
    #[arg(long, conflicts_with = "state")]
    states: bool,
    /// What one sample costs in this state; `help` prints the keys, which are also below (-h: see --help). May be repeated.
    #[arg(long, value_name = "KEY=VALUE,...", conflicts_with = "only")]
    state: Vec<String>,
    /// Measures this many random states, each without and with one property changed (tile mode, pages, size, format ...), and prints
    /// those in which it costs more than its goal, by the fastest runs. --state: what all states have. JSON: every pair,
    /// `{"property","goal","ratio","plain","ns","state"}`.
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["states", "reads", "only"])]
    pairs: Option<usize>,
    /// Seed of the random pairs.
    #[arg(long, default_value_t = 1, requires = "pairs")]
    seed: u64,
}

pub(super) fn run(args: &Args) -> CommandResult {
    if args.state.iter().any(|text| text == "help") {
        say!("{}", state::help().trim_end());
        return Ok(true);
    }
    let chosen = |name: &str| args.only.as_ref().is_none_or(|only| name.contains(only));
    if let Some(count) = args.pairs {
        return measure_pairs(args, count);
    }
    if args.states {
        let cases = states::CASES.iter().filter(|(name, _)| chosen(name));
        return measure_states(args, cases.map(|(name, text)| (*name, *text)));
    }
    if !args.state.is_empty() {
        return measure_states(args, args.state.iter().map(|text| (text.as_str(), text.as_str())));
    }
    let chosen_workloads: Vec<_> = bench::all(args.reads).filter(|(name, _)| chosen(name)).collect();
    if chosen_workloads.is_empty() {
        return Err(nothing(args));
    }
    if !args.json {
        say!("{:<18} {:<9} {:>10} {:>10} {:>10}", "workload", "pattern", "ns", "fastest", "MB/s");
    }
    for (_, make) in chosen_workloads {
        let mut workload = make()?;
        let measured = bench::measure(&mut workload, Duration::from_millis(args.time));
        let (per_item, fastest) = (measured.nanoseconds(), measured.fastest_nanoseconds());
        if args.json {
            let mut record = json!({ "workload": workload.name });
            if let Some(pattern) = workload.pattern {
                record["pattern"] = json!(pattern);
            }
            match measured.megabytes() {
                Some(rate) => {
                    record["mb_per_s"] = json!(round(rate));
                    record["ns_per_item"] = json!(round(per_item));
                }
                None => record["ns_per_sample"] = json!(round(per_item)),
            }
            record["fastest_ns"] = json!(round(fastest));
            say!("{record}");
        } else {
            let rate = measured.megabytes().map_or_else(String::new, |rate| format!("{rate:.1}"));
            let pattern = workload.pattern.unwrap_or("-");
            say!("{:<18} {pattern:<9} {per_item:>10.2} {fastest:>10.2} {rate:>10}", workload.name);
        }
    }
    Ok(true)
}

fn nothing(args: &Args) -> Box<dyn std::error::Error> {
    format!("nothing to measure at --only: no name contains {}", args.only.as_deref().unwrap_or_default())
        .into()
}

/// Measures states by name and text. All texts are read before anything is measured.
fn measure_states<'a>(args: &Args, cases: impl Iterator<Item = (&'a str, &'a str)>) -> CommandResult {
    let cases = cases.map(|(name, text)| Ok((name, text.parse::<state::SamplingState>()?)));
    let cases = cases.collect::<Result<Vec<_>, String>>()?;
    if cases.is_empty() {
        return Err(nothing(args));
    }
    if !args.json {
        say!("{:>9} {:>9}  case", "ns", "fastest");
    }
    for (name, state) in cases {
        let (mut workload, answer) = sampling::prepare(&state, name)?;
        let measured = bench::measure(&mut workload, Duration::from_millis(args.time));
        let (median, fastest) = (measured.nanoseconds(), measured.fastest_nanoseconds());
        if args.json {
            let faults = answer.faults;
            say!("{}", json!({ "case": name, "ns": round(median), "min": round(fastest), "faults": faults }));
        } else {
            let note = if answer.faults == 0 { "" } else { " (lanes without memory)" };
            say!("{median:>9.2} {fastest:>9.2}  {name}{note}");
        }
    }
    Ok(true)
}

/// Measures random pairs of states.
fn measure_pairs(args: &Args, count: usize) -> CommandResult {
    let common = args.state.join(",");
    let pairs = pairs::Pairs::new(args.seed, &common, Duration::from_millis(args.time))?;
    if !args.json {
        say!("{:>6} {:>5} {:>9} {:>9}  state", "ratio", "goal", "plain: ns", "ns");
    }
    let (mut measured, mut over) = (0, 0);
    for pair in pairs.take(count) {
        measured += 1;
        over += u32::from(pair.is_over());
        let pairs::Pair { property, goal, plain, changed, state } = &pair;
        if args.json {
            let (ratio, plain, ns) = (round(pair.ratio()), round(*plain), round(*changed));
            say!(
                "{}",
                json!({ "property": property, "goal": goal, "ratio": ratio, "plain": plain, "ns": ns, "state": state })
            );
        } else if pair.is_over() {
            say!("{:>6.2} {goal:>5} {plain:>9.2} {changed:>9.2}  {state}", pair.ratio());
        }
    }
    if measured < count {
        return Err(format!(
            "too few states at --pairs: {measured} of {count} pairs can be executed with what --state says"
        )
        .into());
    }
    if !args.json {
        say!("{measured} pairs, {over} over their goal");
    }
    Ok(true)
}

/// Rounds to two decimals.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
