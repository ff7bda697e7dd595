//! `texwire bench`

use super::Done;

/// Measures the workloads in this process.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(args: &Args) -> Done {
    let _ = args;
    Err("not built yet".into())
}
