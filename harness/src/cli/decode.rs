//! `texwire decode`

use super::Done;
use crate::containers::cubin;
use crate::wires::{self, Options, Output, Wire};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Decodes files: CISA, Intel device binaries, cubins and traces by content, raw streams by --wire.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// One JSON object a line per sampler instruction
    #[arg(long)]
    json: bool,
    /// Every instruction, not just the sampler's
    #[arg(long)]
    all: bool,
    /// Dialect of raw bytes
    #[arg(long, value_enum)]
    wire: Option<Wire>,
    /// Files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> Done {
    let options = Options { json: args.json, all: args.all };
    let mut stdout = BufWriter::new(std::io::stdout().lock());
    let mut errors = 0;
    for path in &args.files {
        let bytes = super::read(path)?;
        let name = path.display().to_string();
        let wire = match args.wire {
            Some(wire) => wire,
            None => recognise(&bytes).ok_or_else(|| {
                format!("unknown container at {name}: no CISA, device binary, cubin or trace (raw bytes need --wire)")
            })?,
        };
        let mut out = Output::new(&name, wire, options, &mut stdout);
        match wire {
            Wire::Visa => wires::visa::decode(&bytes, &mut out),
            Wire::Gen11 | Wire::Gen9 | Wire::Gen12 => wires::gen_native::decode(&bytes, wire, &mut out),
            Wire::Maxwell => wires::maxwell::decode(&bytes, &mut out),
            Wire::Trace => wires::trace::decode(&bytes, &mut out),
        }
        errors += out.errors;
    }
    stdout.flush()?;
    Ok(errors == 0)
}

/// The dialect of a container, by its first bytes.
fn recognise(bytes: &[u8]) -> Option<Wire> {
    match bytes {
        [b'C', b'I', b'S', b'A', ..] => Some(Wire::Visa),
        _ if cubin::is_cubin(bytes) => Some(Wire::Maxwell),
        _ => None,
    }
}
