//! `texwire decode`

use super::inputs::{self, CommandResult};
use crate::console::Stdout;
use crate::containers::device_binary::{DeviceBinary, is_device_binary};
use crate::wires::{self, DecodeOptions, DecodeOutput, Wire};
use serde_json::{Value, json};
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
    #[arg(long, value_parser = inputs::wire())]
    wire: Option<&'static dyn Wire>,
    /// Files; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let options = DecodeOptions { json: args.json, all: args.all, ..DecodeOptions::default() };
    let mut stdout = BufWriter::new(Stdout);
    let mut errors = 0;
    for path in &args.files {
        let (name, bytes) = inputs::read_input(path)?;
        if bytes.is_empty() {
            return Err(format!("nothing to decode at {name}: it is empty").into());
        }
        let content = args.wire.map(Content::Raw).or_else(|| Content::recognise(&bytes)).ok_or_else(|| {
            format!("unknown container at {name}: no CISA, device binary, cubin or trace (raw bytes need --wire)")
        })?;
        errors += match content {
            Content::Raw(wire) => {
                let mut out = DecodeOutput::new(&name, wire.name(), options, &mut stdout);
                wire.decode(&bytes, &mut out);
                out.errors
            }
            Content::DeviceBinary => {
                let binary = DeviceBinary::parse(&bytes).map_err(|why| format!("{name}: {why}"))?;
                let wire = binary
                    .platform()
                    .and_then(wires::native)
                    .ok_or_else(|| format!("device family at {name}: {} is not known", binary.device))?;
                device_binary(&binary, &mut DecodeOutput::new(&name, wire.name(), options, &mut stdout))
            }
        };
    }
    stdout.flush()?;
    Ok(errors == 0)
}

/// Decodes every kernel. Offsets of instructions count from the start of the kernel's heap, those of errors from the start of the file.
fn device_binary(binary: &DeviceBinary<'_>, out: &mut DecodeOutput<'_>) -> usize {
    let Some(platform) = binary.platform() else { return 0 };
    for kernel in &binary.kernels {
        out.heading(&format!("kernel {}:", kernel.name));
        let name = |record: &mut Value| record["kernel"] = json!(kernel.name);
        wires::gen_native::decode_stream(binary.heap(&kernel.heap), platform, kernel.heap.start, name, out);
    }
    if let Some(damage) = &binary.damage {
        out.error(damage.offset, &damage.why);
    }
    out.errors
}

/// The kind of content of a file.
#[derive(Clone, Copy, Debug)]
enum Content {
    Raw(&'static dyn Wire),
    DeviceBinary,
}

impl Content {
    /// Recognises the content by its first bytes; `None` if it is no known container.
    fn recognise(bytes: &[u8]) -> Option<Self> {
        if is_device_binary(bytes) {
            return Some(Self::DeviceBinary);
        }
        wires::recognise(bytes).map(Self::Raw)
    }
}
