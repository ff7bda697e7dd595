//! Streams as they come: files, standard input, serial devices, sockets; until their end or Ctrl-C.

use indicatif::ProgressBar;
use std::io::{BufWriter, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use texwire::trace::{Counts, Decoder, Event, MAX_FRAME};

/// What the reading thread sends.
enum Chunk {
    Bytes(Vec<u8>),
    End(std::io::Result<()>),
}

/// Ctrl-C was pressed: the stream ends here.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Hands every event of a stream to `each` as it comes, until the stream's end or Ctrl-C.
pub(super) fn events(
    from: &str,
    mut each: impl FnMut(&Event<'_>),
) -> Result<Counts, Box<dyn std::error::Error>> {
    let (reader, len) = open(from)?;
    let (send, receive) = sync_channel(16);
    let interrupt = send.clone();
    // A full channel does not matter: then the flag is seen with the next chunk. A second handler in
    // one process is refused; the first one does.
    let _ = ctrlc::set_handler(move || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        let _ = interrupt.try_send(Chunk::End(Ok(())));
    });
    std::thread::spawn(move || read_all(reader, &send));
    let progress = match len {
        Some(len) if std::io::stderr().is_terminal() => ProgressBar::new(len),
        _ => ProgressBar::hidden(),
    };
    let result = follow(&receive, &progress, &mut each);
    progress.finish_and_clear();
    result.map_err(|why| format!("cannot read {from}: {why}").into())
}

fn follow(
    chunks: &Receiver<Chunk>,
    progress: &ProgressBar,
    each: &mut impl FnMut(&Event<'_>),
) -> std::io::Result<Counts> {
    let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
    let end = loop {
        if INTERRUPTED.load(Ordering::Relaxed) {
            break Ok(());
        }
        match chunks.recv() {
            Ok(Chunk::Bytes(bytes)) => {
                let mut rest = bytes.as_slice();
                while let Some(event) = decoder.feed(&mut rest) {
                    each(&event);
                }
                progress.inc(bytes.len() as u64);
            }
            Ok(Chunk::End(result)) => break result,
            Err(_) => break Ok(()),
        }
    };
    if let Some(event) = decoder.finish() {
        each(&event);
    }
    end.map(|()| decoder.counts())
}

fn read_all(mut reader: Box<dyn Read + Send>, send: &SyncSender<Chunk>) {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let chunk = match reader.read(&mut buffer) {
            Ok(0) => Chunk::End(Ok(())),
            Ok(len) => Chunk::Bytes(buffer[..len].to_vec()),
            Err(why) if why.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(why) => Chunk::End(Err(why)),
        };
        let last = !matches!(chunk, Chunk::Bytes(_));
        if send.send(chunk).is_err() || last {
            return;
        }
    }
}

/// Standard output: line by line while a stream is live, in blocks for a file.
pub(super) fn output(from: &str) -> Box<dyn Write> {
    let stdout = std::io::stdout().lock();
    if Path::new(from).is_file() { Box::new(BufWriter::new(stdout)) } else { Box::new(stdout) }
}

/// A reader, and its length if that is known.
fn open(from: &str) -> Result<(Box<dyn Read + Send>, Option<u64>), String> {
    if from == "-" {
        return Ok((Box::new(std::io::stdin()), None));
    }
    if let Some(address) = from.strip_prefix("tcp:") {
        let stream = std::net::TcpStream::connect(address)
            .map_err(|why| format!("cannot connect to {address}: {why}"))?;
        return Ok((Box::new(stream), None));
    }
    let file = std::fs::File::open(from).map_err(|why| format!("cannot read {from}: {why}"))?;
    let len = file.metadata().ok().filter(|meta| meta.is_file()).map(|meta| meta.len());
    Ok((Box::new(file), len))
}
