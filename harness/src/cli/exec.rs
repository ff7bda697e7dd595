//! `texwire exec`

use super::Done;
use crate::cases;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Runs cases on the core or the emulator.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Which engine
    #[arg(long, value_enum, default_value = "core")]
    engine: Engine,
    /// Files of cases
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Engine {
    Core,
    Emulator,
}

pub(super) fn run(args: &Args) -> Done {
    let mut stdout = BufWriter::new(std::io::stdout().lock());
    for path in &args.files {
        let text = String::from_utf8(super::read(path)?)
            .map_err(|why| format!("cannot read {}: {why}", path.display()))?;
        if !cases::headers::claims(&text) {
            return Err(format!("unknown cases at {}: no texture headers", path.display()).into());
        }
        match args.engine {
            Engine::Core => cases::headers::run(&text, &mut stdout)?,
            Engine::Emulator => cases::headers::run_emulator(&text, &mut stdout)?,
        }
    }
    stdout.flush()?;
    Ok(true)
}
