//! `texwire decode`

use super::Done;
use crate::console::Stdout;
use crate::containers::cubin;
use crate::containers::device_binary::{DeviceBinary, is_device_binary};
use crate::wires::{self, Options, Output, Wire};
use serde_json::{Value, json};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use texwire::Platform;
use texwire::trace::{Decoder, Event, MAX_FRAME};

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
    /// Files; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> Done {
    let options = Options { json: args.json, all: args.all, ..Options::default() };
    let mut stdout = BufWriter::new(Stdout);
    let mut errors = 0;
    for path in &args.files {
        let (name, bytes) = super::read_input(path)?;
        if bytes.is_empty() {
            return Err(format!("nothing to decode at {name}: it is empty").into());
        }
        let content = args.wire.map(Content::Raw).or_else(|| Content::recognise(&bytes)).ok_or_else(|| {
            format!("unknown container at {name}: no CISA, device binary, cubin or trace (raw bytes need --wire)")
        })?;
        errors += match content {
            Content::Raw(wire) => decode(&bytes, wire, &mut Output::new(&name, wire, options, &mut stdout)),
            Content::DeviceBinary => {
                let binary = DeviceBinary::parse(&bytes).map_err(|why| format!("{name}: {why}"))?;
                let wire = wire_of(&binary)
                    .ok_or_else(|| format!("device family at {name}: {} is not known", binary.device))?;
                device_binary(&binary, &mut Output::new(&name, wire, options, &mut stdout))
            }
        };
    }
    stdout.flush()?;
    Ok(errors == 0)
}

/// Decodes the bytes of a dialect; the number of errors.
fn decode(bytes: &[u8], wire: Wire, out: &mut Output<'_>) -> usize {
    match wire {
        Wire::Visa => wires::visa::decode(bytes, out),
        Wire::Gen11 | Wire::Gen9 | Wire::Gen12 | Wire::XeHpg => wires::gen_native::decode(bytes, wire, out),
        Wire::Maxwell => wires::maxwell::decode(bytes, out),
        Wire::Trace => wires::trace::decode(bytes, out),
    }
    out.errors
}

/// Decodes every kernel: offsets count from the kernel's heap, errors are at file offsets.
fn device_binary(binary: &DeviceBinary<'_>, out: &mut Output<'_>) -> usize {
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

fn wire_of(binary: &DeviceBinary<'_>) -> Option<Wire> {
    match binary.platform()? {
        Platform::Gen9 => Some(Wire::Gen9),
        Platform::Gen11 => Some(Wire::Gen11),
        Platform::XeLp | Platform::XeHpg => Some(Wire::Gen12),
        _ => None,
    }
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Raw(Wire),
    DeviceBinary,
}

/// A trace is recognised by a good frame among its first bytes.
const TRACE_PROBE: usize = 8192;

impl Content {
    /// By the first bytes.
    fn recognise(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [b'C', b'I', b'S', b'A', ..] => Some(Self::Raw(Wire::Visa)),
            _ if cubin::is_cubin(bytes) => Some(Self::Raw(Wire::Maxwell)),
            _ if is_device_binary(bytes) => Some(Self::DeviceBinary),
            _ if is_trace(bytes) => Some(Self::Raw(Wire::Trace)),
            _ => None,
        }
    }
}

/// Whether a good frame is near the start.
pub(super) fn is_trace(bytes: &[u8]) -> bool {
    let mut head = &bytes[..bytes.len().min(TRACE_PROBE)];
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    while let Some(event) = decoder.feed(&mut head) {
        if matches!(event, Event::Frame { .. }) {
            return true;
        }
    }
    false
}
