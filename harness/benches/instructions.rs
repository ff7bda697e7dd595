//! Instructions for a sample, counted by valgrind and held against `instructions.txt`.
//!
//! `cargo bench --bench instructions` measures every workload; `-- NAME` those whose name has NAME in it;
//! `-- --write` writes the counts as new budgets. Each workload runs in this program under callgrind with
//! one pass and with two: the difference is a pass without what surrounds it. `general` is the coherent
//! pattern on the general path. Counts repeat exactly, so that more than [`SLACK`] above a budget is a change of
//! the code (or of the compiler: see the table's first line). Without valgrind nothing is measured.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use texwire_harness::bench::state::CoordinateOrder;
use texwire_harness::bench::{Amount, sampling};

/// How far above its budget a count may be, in percent.
const SLACK: f64 = 3.0;

/// How a workload runs: the name here, the pattern of its coordinates, and whether on the general path.
const RUNS: [(&str, CoordinateOrder, bool); 3] = [
    ("coherent", CoordinateOrder::Coherent, false),
    ("random", CoordinateOrder::Random, false),
    ("general", CoordinateOrder::Coherent, true),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name, run, passes] = args.as_slice()
        && flag == "--run"
    {
        let amount = pass(name, run, passes.parse().unwrap_or(1));
        println!("{amount}");
        return ExitCode::SUCCESS;
    }
    // What `cargo bench` says; `cargo test --all-targets` does not.
    if !args.iter().any(|arg| arg == "--bench") {
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("valgrind is not installed: nothing is measured");
        return ExitCode::SUCCESS;
    }
    let only: Vec<&str> = args.iter().map(String::as_str).filter(|arg| !arg.starts_with("--")).collect();
    let write = args.iter().any(|arg| arg == "--write");
    match measure(&only, write) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// Runs a workload; gives the samples of one pass.
fn pass(name: &str, run: &str, passes: u32) -> u64 {
    let known = sampling::WORKLOADS.iter().find(|(known, _)| *known == name);
    let run = RUNS.into_iter().find(|(known, ..)| *known == run);
    let (Some((name, _)), Some((_, pattern, general))) = (known, run) else { return 0 };
    let Ok(mut workload) = sampling::workload(name, pattern, general) else { return 0 };
    let mut samples = 0;
    for _ in 0..passes {
        if let Amount::Samples(n) = (workload.run)() {
            samples = n;
        }
    }
    samples
}

/// Measures and compares; `false` when a budget is exceeded.
fn measure(only: &[&str], write: bool) -> Result<bool, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.txt");
    let budgets = std::fs::read_to_string(&path).unwrap_or_default();
    let mut table = format!("# instructions for a sample; {}\n", compiler());
    let mut kept = true;
    for (name, _) in sampling::WORKLOADS {
        if !only.is_empty() && !only.iter().any(|part| name.contains(part)) {
            continue;
        }
        for (run, ..) in RUNS {
            let count = instructions(name, run)?;
            let key = format!("{name} {run}");
            let budget: Option<f64> =
                budgets.lines().find_map(|line| line.strip_prefix(&key)?.trim().parse().ok());
            let verdict = match budget {
                Some(budget) if count > budget * (1.0 + SLACK / 100.0) => {
                    kept = false;
                    format!("over its budget of {budget:.1}")
                }
                Some(budget) => format!("{:+.1} %", (count / budget - 1.0) * 100.0),
                None => "no budget".to_owned(),
            };
            println!("{key:28} {count:8.1}  {verdict}");
            let _ = writeln!(table, "{key:28} {count:8.1}");
        }
    }
    if write {
        std::fs::write(&path, table).map_err(|why| format!("{}: {why}", path.display()))?;
        return Ok(true);
    }
    Ok(kept)
}

fn compiler() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(rustc).arg("--version").output();
    version.map_or_else(|_| String::new(), |out| String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// Instructions of a sample: what a second pass adds.
fn instructions(name: &str, run: &str) -> Result<f64, String> {
    let program = std::env::current_exe().map_err(|why| why.to_string())?;
    let (one, samples) = callgrind(&program, name, run, 1)?;
    let (two, _) = callgrind(&program, name, run, 2)?;
    Ok(two.saturating_sub(one) as f64 / samples.max(1) as f64)
}

/// Instructions of the whole program, and the samples of a pass.
fn callgrind(program: &PathBuf, name: &str, run: &str, passes: u32) -> Result<(u64, u64), String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["--run", name, run, &passes.to_string()])
        .output()
        .map_err(|why| format!("valgrind: {why}"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    let count = report.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    let samples = String::from_utf8_lossy(&output.stdout).trim().parse().ok();
    match (count, samples) {
        (Some(count), Some(samples)) if output.status.success() => Ok((count, samples)),
        _ => Err(format!("{name} {run} under valgrind: {}", report.lines().last().unwrap_or_default())),
    }
}
