//! `texwire bench`

use super::Done;
use crate::bench;
use serde_json::json;
use std::time::Duration;

/// Measures the workloads in this process.
///
/// Sampling: whole messages on one thread, parameters and writeback included. Decoding: bundled
/// input. The median of several runs.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// Only workloads whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// Sampling on the general path.
    #[arg(long)]
    general: bool,
    /// Milliseconds for each workload.
    #[arg(long, default_value_t = 200)]
    time: u64,
}

pub(super) fn run(args: &Args) -> Done {
    let chosen = |name: &str| args.only.as_ref().is_none_or(|only| name.contains(only));
    if !args.json {
        println!("{:<18} {:<9} {:>10} {:>10} {:>10}", "workload", "pattern", "ns", "fastest", "MB/s");
    }
    for (_, make) in bench::all(args.general).filter(|(name, _)| chosen(name)) {
        let mut workload = make();
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
            println!("{record}");
        } else {
            let rate = measured.megabytes().map_or_else(String::new, |rate| format!("{rate:.1}"));
            let pattern = workload.pattern.unwrap_or("-");
            println!("{:<18} {pattern:<9} {per_item:>10.2} {fastest:>10.2} {rate:>10}", workload.name);
        }
    }
    Ok(true)
}

/// Two decimals.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
