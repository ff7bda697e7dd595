//! `texwire gen`

use super::inputs::{self, CommandResult};
use crate::console::say;
use crate::generators::kinds::{InputKind, kinds};
use crate::output;
use std::path::PathBuf;

/// Writes structured inputs, the ones that property tests and fuzzing use.
///
/// Input N of a seed is the same on every machine, in the file KIND-SEED-N with the kind's ending, such as .json,
/// whose path is printed. Without arguments: the kinds.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The kind of input
    kind: Option<String>,
    /// Seed of the inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many
    #[arg(long, default_value_t = 1)]
    count: u64,
    /// Folder of the files
    #[arg(short, long, default_value = ".")]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let Some(name) = &args.kind else {
        kinds().for_each(|kind| say!("{:24} {}", kind.name, kind.about));
        return Ok(true);
    };
    let kind = InputKind::find(name).ok_or_else(|| {
        let names: Vec<_> = kinds().map(|kind| kind.name).collect();
        format!("unknown kind at KIND: {name} (expected one of {})", names.join(", "))
    })?;
    inputs::folder(&args.out)?;
    for number in 0..args.count {
        let path = args.out.join(format!("{name}-{}-{number}.{}", args.seed, kind.extension));
        output::write(&path, &[], &kind.make(args.seed, number))?;
        say!("{}", path.display());
    }
    Ok(true)
}
