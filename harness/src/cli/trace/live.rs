//! Reads trace streams as their bytes arrive, from files, standard input, serial devices and sockets, until their end or Ctrl-C.

use super::serial;
use crate::cli::inputs;
use crate::console::Stdout;
use crate::interrupt::{is_interrupted, on_interrupt};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use texwire::trace::{Counts, Decoder, Event, MAX_FRAME};

// The options that say which stream is read, and how its records are printed. (No doc comment: clap would show it as the command's help.)
#[derive(Debug, clap::Args)]
pub(super) struct Input {
    /// A file, a serial device, - for standard input, or tcp:HOST:PORT; read until its end or Ctrl-C
    #[arg(required = true)]
    pub(super) from: String,
    /// One JSON object a line
    #[arg(long)]
    pub(super) json: bool,
    /// Speed of a serial device; without it the device keeps its own
    #[arg(long)]
    pub(super) baud: Option<u32>,
}

impl Input {
    /// Returns the name of the stream, for messages.
    pub(super) fn name(&self) -> String {
        inputs::name(self.from.as_ref())
    }
}

/// A message from the reading thread.
enum Chunk {
    Bytes(Vec<u8>),
    End(io::Result<()>),
}

/// What [`events`] hands to its callback.
pub(super) enum Arrival<'a> {
    /// An event of the decoder.
    Event(Event<'a>),
    /// All events of the bytes read so far have been handed over.
    Pause,
}

/// How a stream ended.
#[derive(Debug)]
pub(super) struct End {
    /// The counts of bytes and frames.
    pub(super) counts: Counts,
    /// Ctrl-C or SIGTERM ended it: missing last frames are then no fault of the stream.
    pub(super) interrupted: bool,
    /// The read error that kept it from being read to its end, for example a connection reset.
    pub(super) broken: Option<String>,
}

/// Decodes a stream and hands every event to `each`, until the stream's end, Ctrl-C or SIGTERM.
///
/// # Errors
/// It cannot be opened.
pub(super) fn events(input: &Input, mut each: impl FnMut(Arrival<'_>)) -> Result<End, String> {
    let (reader, len) = open(input)?;
    let (send, receive) = sync_channel(16);
    let interrupt = send.clone();
    // If the channel is full, this message is lost and `follow` sees the interrupt flag at the next chunk instead.
    on_interrupt(move || {
        let _ = interrupt.try_send(Chunk::End(Ok(())));
    });
    std::thread::spawn(move || read_all(reader, &send));
    let progress = progress(len);
    let (counts, result) = follow(&receive, &progress, &mut each);
    progress.finish_and_clear();
    let interrupted = is_interrupted();
    let broken = result.err().map(|why| format!("cannot read {} to its end: {why}", input.name()));
    Ok(End { counts, interrupted, broken })
}

/// Returns a progress bar for a file, a byte counter for a stream of unknown length; hidden unless standard error is a terminal.
fn progress(len: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match len {
        Some(len) => (ProgressBar::new(len), "{wide_bar} {bytes} of {total_bytes}"),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} ({bytes_per_sec})"),
    };
    ProgressStyle::with_template(template).map_or(bar.clone(), |style| bar.with_style(style))
}

fn follow(
    chunks: &Receiver<Chunk>,
    progress: &ProgressBar,
    each: &mut impl FnMut(Arrival<'_>),
) -> (Counts, io::Result<()>) {
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let end = loop {
        // Returns without `finish`: a frame that the interrupt cut short is not damage.
        if is_interrupted() {
            return (decoder.counts(), Ok(()));
        }
        match chunks.recv() {
            Ok(Chunk::Bytes(bytes)) => {
                let mut rest = bytes.as_slice();
                while let Some(event) = decoder.feed(&mut rest) {
                    each(Arrival::Event(event));
                }
                each(Arrival::Pause);
                progress.inc(bytes.len() as u64);
            }
            Ok(Chunk::End(_)) if is_interrupted() => return (decoder.counts(), Ok(())),
            Ok(Chunk::End(result)) => break result,
            Err(_) => break Ok(()),
        }
    };
    if let Some(event) = decoder.finish() {
        each(Arrival::Event(event));
    }
    (decoder.counts(), end)
}

fn read_all(mut reader: Box<dyn Read + Send>, send: &SyncSender<Chunk>) {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let chunk = match reader.read(&mut buffer) {
            Ok(0) => Chunk::End(Ok(())),
            Ok(len) => Chunk::Bytes(buffer[..len].to_vec()),
            Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
            Err(why) if is_hangup(&why) => Chunk::End(Ok(())),
            Err(why) => Chunk::End(Err(why)),
        };
        let last = !matches!(chunk, Chunk::Bytes(_));
        if send.send(chunk).is_err() || last {
            return;
        }
    }
}

/// Returns whether the error means that the device is gone (an adapter was unplugged, the other end of a pseudo-terminal was closed).
fn is_hangup(why: &io::Error) -> bool {
    const EIO: i32 = 5;
    cfg!(unix) && why.raw_os_error() == Some(EIO)
}

/// Returns standard output: buffered in blocks for a file, written line by line for a live stream.
pub(super) fn output(from: &str) -> Box<dyn Write + Send> {
    if is_file(from) { Box::new(BufWriter::new(Stdout)) } else { Box::new(Stdout) }
}

/// Returns whether the input is a regular file, of which all bytes are there already.
pub(super) fn is_file(from: &str) -> bool {
    Path::new(from).is_file()
}

/// Opens the input. Returns its reader, and its length in bytes if it is a regular file.
fn open(input: &Input) -> Result<(Box<dyn Read + Send>, Option<u64>), String> {
    let from = input.from.as_str();
    let path = Path::new(from);
    if serial::is_device(path) {
        return Ok((Box::new(serial::open(path, input.baud)?), None));
    }
    if input.baud.is_some() {
        return Err(format!("no serial device at {from}: --baud does not go with it"));
    }
    if from == "-" {
        return Ok((Box::new(io::stdin()), None));
    }
    if let Some(address) = from.strip_prefix("tcp:") {
        let stream =
            TcpStream::connect(address).map_err(|why| format!("cannot connect to {address}: {why}"))?;
        return Ok((Box::new(stream), None));
    }
    let file = File::open(path).map_err(|why| format!("cannot read {from}: {why}"))?;
    let len = file.metadata().ok().filter(|meta| meta.is_file()).map(|meta| meta.len());
    Ok((Box::new(file), len))
}
