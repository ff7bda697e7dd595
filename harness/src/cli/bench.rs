//! `texwire bench`

use super::Done;
use crate::bench::{self, Workload};
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
    let workloads = bench::sampling::workloads(args.general);
    let chosen = |workload: &Workload| args.only.as_ref().is_none_or(|only| workload.name.contains(only));
    if !args.json {
        println!("{:<18} {:<9} {:>12} {:>12}", "workload", "pattern", "ns/item", "MB/s");
    }
    for mut workload in workloads.into_iter().filter(chosen) {
        let measured = bench::measure(&mut workload, Duration::from_millis(args.time));
        let per_item = measured.nanoseconds();
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
            println!("{record}");
        } else {
            let rate = measured.megabytes().map_or_else(String::new, |rate| format!("{rate:.1}"));
            println!(
                "{:<18} {:<9} {per_item:>12.2} {rate:>12}",
                workload.name,
                workload.pattern.unwrap_or("-")
            );
        }
    }
    Ok(true)
}

/// Two decimals.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
