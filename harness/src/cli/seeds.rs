//! `texwire seeds`, `texwire fuzz-input` and `texwire fuzz-replay`

use super::inputs::{self, CommandResult};
use crate::console::{Stdout, complain, say};
use crate::properties::TARGETS;
use crate::seeds;
use std::io::Write;
use std::path::PathBuf;

/// Writes the seed corpora of the fuzz targets: bundled files, generated inputs, regressions.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder that gets a folder per target
    #[arg(default_value = "fuzz/corpus")]
    out: PathBuf,
    /// Only these targets
    targets: Vec<String>,
    /// Write the dictionaries to this folder, too
    #[arg(long, value_name = "FOLDER")]
    dictionaries: Option<PathBuf>,
    /// Folder of the bundled files
    #[arg(long, default_value_os_t = seeds::corpus())]
    from: PathBuf,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let targets = seeds::named(&args.targets)?;
    if !args.from.is_dir() {
        return Err(format!("no folder of bundled files at --from: {}", args.from.display()).into());
    }
    let counts = seeds::write(&args.from, &args.out, &targets)
        .map_err(|why| format!("cannot write seeds at {}: {why}", args.out.display()))?;
    if let Some(folder) = &args.dictionaries {
        seeds::write_dictionaries(folder, &targets)
            .map_err(|why| format!("cannot write dictionaries at {}: {why}", folder.display()))?;
    }
    for (target, count) in targets.iter().zip(counts) {
        say!("{:16} {count:5}", target.name);
    }
    Ok(true)
}

/// Shows what a fuzz target makes of an input: the generated message, stream or file in words.
#[derive(Debug, clap::Args)]
pub(super) struct InputArgs {
    /// The target; without one: the names of all
    target: Option<String>,
    /// The input, as the fuzzer saved it
    file: Option<PathBuf>,
}

pub(super) fn input(args: &InputArgs) -> CommandResult {
    match (&args.target, &args.file) {
        (None, _) => TARGETS.iter().for_each(|target| say!("{}", target.name)),
        (Some(_), None) => return Err("no file at FILE: an input of the target".into()),
        (Some(target), Some(file)) => {
            let words = seeds::find(target)?.words;
            Stdout.write_all(words(&inputs::read(file)?).as_bytes())?;
        }
    }
    Ok(true)
}

/// Runs inputs of a fuzz target through its property, without a fuzzer.
#[derive(Debug, clap::Args)]
pub(super) struct ReplayArgs {
    /// The target
    target: String,
    /// Inputs, and folders of inputs
    #[arg(required = true)]
    paths: Vec<PathBuf>,
}

pub(super) fn replay(args: &ReplayArgs) -> CommandResult {
    let target = seeds::find(&args.target)?;
    let mut inputs = Vec::new();
    for path in &args.paths {
        if path.is_dir() {
            let entries = path.read_dir().map_err(|why| format!("cannot list {}: {why}", path.display()))?;
            inputs.extend(entries.filter_map(|entry| Some(entry.ok()?.path()).filter(|path| path.is_file())));
        } else {
            inputs.push(path.clone());
        }
    }
    if inputs.is_empty() {
        return Err("nothing to replay: the folders have no inputs".into());
    }
    inputs.sort();
    let mut broken = 0;
    for path in &inputs {
        let data = inputs::read(path)?;
        if std::panic::catch_unwind(|| (target.property)(&data)).is_err() {
            complain!("the property does not hold at {}", path.display());
            broken += 1;
        }
    }
    say!("{}: {} inputs, {broken} broken", target.name, inputs.len());
    Ok(broken == 0)
}
