//! `texwire trace`

use super::Done;
use crate::cases;
use crate::engine::{Engine, Job, Precision};
use crate::trace_file::{Recorder, State};
use crate::wires::{Options, Output, Wire, trace as dump};
use clap::{Subcommand, ValueEnum};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use texwire::trace::replay::{Replay, Step};
use texwire::trace::{Counts, Decoder, Event, MAX_FRAME, Record};

/// Records, dumps, replays and verifies traces.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Executes jobs and writes messages, state and results to a trace
    Record {
        /// Jobs or sampling cases, one JSON object a line; - is standard input
        jobs: PathBuf,
        /// The trace
        #[arg(short, long)]
        out: PathBuf,
        /// What executes the jobs
        #[arg(long, value_enum, default_value = "core")]
        engine: EngineName,
        /// 8-bit filter fractions in sampling cases (a job says itself)
        #[arg(long)]
        fixed8: bool,
    },
    /// Prints every record
    Dump {
        #[command(flatten)]
        input: Input,
        /// Only records of this kind (header, surface, gen, writeback, ...); may be repeated
        #[arg(long)]
        kind: Vec<String>,
        /// Only messages of this thread or warp
        #[arg(long)]
        thread: Option<u32>,
    },
    /// Puts traces one after another, numbered as one stream
    Join {
        /// Traces
        #[arg(required = true)]
        traces: Vec<PathBuf>,
        /// The trace
        #[arg(short, long)]
        out: PathBuf,
    },
    /// Executes every message and prints what becomes of it
    Replay {
        #[command(flatten)]
        input: Input,
    },
    /// Executes every message and compares with the recorded writebacks; exit status 1 if one differs
    Verify {
        #[command(flatten)]
        input: Input,
        /// What executes the messages
        #[arg(long, value_enum, default_value = "core")]
        engine: EngineName,
        /// Largest difference of a result, relative above 1 and absolute below; 0 = bit for bit
        #[arg(long, default_value_t = 0.0)]
        tolerance: f32,
        /// Damage and loss are no failure
        #[arg(long)]
        allow_loss: bool,
    },
}

#[derive(Debug, clap::Args)]
struct Input {
    /// A file, a serial device, - for standard input, or tcp:HOST:PORT; read until its end or Ctrl-C
    #[arg(required = true)]
    from: String,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Core,
    Emulator,
}

impl EngineName {
    fn engine(self) -> Box<dyn Engine> {
        match self {
            Self::Core => Box::new(crate::core_engine::CoreEngine),
            Self::Emulator => Box::new(crate::emulator::Emulator),
        }
    }
}

pub(super) fn run(args: &Args) -> Done {
    match &args.command {
        Command::Record { jobs, out, engine, fixed8 } => {
            let precision = if *fixed8 { Precision::Fixed8 } else { Precision::Float };
            record(jobs, out, engine.engine().as_ref(), precision)
        }
        Command::Dump { input, kind, thread } => dump_all(input, kind, *thread),
        Command::Join { traces, out } => join(traces, out),
        Command::Replay { input } => replay(input, true, |_| None, 0.0, true),
        Command::Verify { input, engine, tolerance, allow_loss } => {
            let engine = (*engine != EngineName::Core).then(|| engine.engine());
            let other = |job: &Job| engine.as_ref().map(|engine| engine.execute(job));
            replay(input, false, other, *tolerance, *allow_loss)
        }
    }
}

fn record(jobs: &Path, out: &Path, engine: &dyn Engine, precision: Precision) -> Done {
    let input: Box<dyn Read> = match jobs.to_str() {
        Some("-") => Box::new(std::io::stdin()),
        _ => Box::new(
            std::fs::File::open(jobs).map_err(|why| format!("cannot read {}: {why}", jobs.display()))?,
        ),
    };
    let file = std::fs::File::create(out).map_err(|why| format!("cannot write {}: {why}", out.display()))?;
    let recorder = Recorder::new(engine, BufWriter::new(file));
    let mut failed = 0;
    for (index, line) in BufReader::new(input).lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let place = format!("{} line {}", jobs.display(), index + 1);
        let value: Value = serde_json::from_str(&line).map_err(|why| format!("bad job at {place}: {why}"))?;
        let done = if cases::sampling::claims(&value) {
            cases::sampling::run(&recorder, &value, precision).map(drop)
        } else {
            let job: Job =
                serde_json::from_value(value).map_err(|why| format!("bad job at {place}: {why}"))?;
            recorder.execute(&job).and_then(|outcome| {
                outcome.map(drop).ok_or_else(|| format!("{} does not do such a job", engine.name()))
            })
        };
        if let Err(why) = done {
            failed += 1;
            eprintln!("error: job at {place}: {why}");
        }
    }
    let trace = recorder.into_trace();
    let messages = trace.messages();
    trace.finish()?;
    println!("{messages} messages in {}", out.display());
    Ok(failed == 0)
}

/// Good frames of known kinds, in order; damage is reported and left out.
fn join(traces: &[PathBuf], out: &Path) -> Done {
    let file = std::fs::File::create(out).map_err(|why| format!("cannot write {}: {why}", out.display()))?;
    let mut writer = crate::trace_file::TraceWriter::new(BufWriter::new(file));
    let mut whole = true;
    for path in traces {
        let bytes = super::read(path)?;
        let mut decoder = Box::new(Decoder::<MAX_FRAME>::new());
        let mut rest = bytes.as_slice();
        while let Some(event) = decoder.feed(&mut rest) {
            match event {
                Event::Frame { frame, at, .. } => match frame.record() {
                    Ok(Some(record)) => writer.record(&record)?,
                    Ok(None) => {}
                    Err(why) => {
                        return Err(format!("record at {} byte {at:#x}: {why}", path.display()).into());
                    }
                },
                Event::Dropped { at, bytes, .. } => {
                    eprintln!("error: {bytes} bytes dropped at {} byte {at:#x}", path.display());
                    whole = false;
                }
            }
        }
    }
    writer.finish()?;
    Ok(whole)
}

fn dump_all(input: &Input, kinds: &[String], thread: Option<u32>) -> Done {
    for kind in kinds {
        let known: Vec<_> = texwire::trace::KINDS.iter().filter_map(|kind| kind.name()).collect();
        if !known.contains(&kind.as_str()) && kind != "unknown" {
            return Err(
                format!("unknown kind at --kind: {kind} (expected unknown or {})", known.join(", ")).into()
            );
        }
    }
    let mut stdout = output(&input.from);
    let options = Options { json: input.json, all: true };
    let mut out = Output::new(&input.from, Wire::Trace, options, stdout.as_mut());
    let counts = events(&input.from, |event| {
        if wanted(event, kinds, thread) {
            dump::emit(event, &mut out);
        }
    })?;
    let errors = out.errors;
    if input.json {
        writeln!(stdout, "{}", dump::counts_object(&counts))?;
    } else {
        writeln!(stdout, "{}", dump::summary(&counts))?;
    }
    stdout.flush()?;
    Ok(errors == 0)
}

fn wanted(event: &Event<'_>, kinds: &[String], thread: Option<u32>) -> bool {
    let Event::Frame { frame, .. } = event else { return true };
    let name = frame.kind.name().unwrap_or("unknown");
    if !kinds.is_empty() && !kinds.iter().any(|kind| kind == name) {
        return false;
    }
    match (thread, frame.record()) {
        (None, _) => true,
        (Some(thread), Ok(Some(record))) => thread_of(&record) == Some(thread),
        (Some(_), _) => false,
    }
}

/// Who sent a message.
fn thread_of(record: &Record<'_>) -> Option<u32> {
    match record {
        Record::Visa(message) => Some(message.thread),
        Record::Gen(message) => Some(message.thread),
        Record::Txq(message) => Some(message.warp),
        _ => None,
    }
}

/// What became of the messages of a trace.
#[derive(Debug, Default)]
struct Tally {
    executed: usize,
    equal: usize,
    different: usize,
    missing: usize,
    failed: usize,
    unmatched: usize,
}

/// Replays a file on the core, message by message, and on the oracle.
pub(super) fn rerun(path: &Path) -> Done {
    let input = || Input { from: path.display().to_string(), json: false };
    let core = run(&Args { command: Command::Replay { input: input() } })?;
    println!("against the oracle:");
    let (engine, tolerance) = (EngineName::Emulator, crate::run::execute::TOLERANCE);
    let oracle =
        run(&Args { command: Command::Verify { input: input(), engine, tolerance, allow_loss: true } })?;
    Ok(core && oracle)
}

/// Host capacities: slots and separate memory regions; the memory itself grows with the input.
type HostReplay<'m> = Replay<'m, 1024, 1024>;
/// Bytes of memory contents that a replay can hold.
const MEMORY: usize = 256 << 20;

/// Replays; `other` may execute the job of a Gen message in the core's place.
fn replay(
    input: &Input,
    verbose: bool,
    other: impl Fn(&Job) -> Option<Result<Option<crate::engine::Outcome>, String>>,
    tolerance: f32,
    allow_loss: bool,
) -> Done {
    // Untouched pages of a zeroed allocation cost nothing.
    let mut memory = vec![0; MEMORY];
    let mut core: Box<HostReplay<'_>> = Box::new(Replay::new(&mut memory));
    let mut state = State::default();
    let mut foreign = Ok(None);
    let mut half = false;
    let mut tally = Tally::default();
    let mut stdout = output(&input.from);
    let counts = events(&input.from, |event| {
        if let Event::Frame { frame, .. } = event {
            if let Ok(Some(record)) = frame.record() {
                state.record(&record);
                if record.kind().is_message() {
                    foreign = foreign_result(&state, &record, &other);
                }
            }
        }
        let step = core.event(event);
        let result = judge(&step, &foreign, tolerance, &mut half, &mut tally);
        let (at, dropped) = match event {
            Event::Frame { at, .. } => (*at, None),
            Event::Dropped { at, bytes, .. } => (*at, Some(*bytes)),
        };
        let result = dropped.map_or(result, |bytes| Some((true, json!({"dropped": bytes}))));
        if let Some((bad, mut value)) = result
            && (bad || verbose)
        {
            if input.json {
                value["off"] = json!(at);
                let _ = writeln!(stdout, "{value}");
            } else {
                let _ = writeln!(stdout, "{at:08x}  {}", words(&value));
            }
        }
    })?;
    let Tally { executed, equal, different, missing, failed, unmatched } = tally;
    if input.json {
        let mut total = dump::counts_object(&counts);
        total["tally"] = json!({
            "executed": executed, "equal": equal, "different": different, "missing": missing,
            "failed": failed, "unmatched": unmatched,
        });
        writeln!(stdout, "{total}")?;
    } else {
        writeln!(stdout, "{}", dump::summary(&counts))?;
        writeln!(
            stdout,
            "{executed} messages executed, {missing} skipped for missing state, {failed} failed; \
             writebacks: {equal} equal, {different} different, {unmatched} without a message"
        )?;
    }
    stdout.flush()?;
    let whole = counts.dropped_bytes == 0 && counts.lost == 0;
    let messages = different == 0 && (allow_loss || missing == 0 && failed == 0 && unmatched == 0);
    Ok(messages && (allow_loss || whole))
}

/// What another engine writes back for a message; `None` when the core's result counts.
fn foreign_result(
    state: &State,
    record: &Record<'_>,
    other: impl Fn(&Job) -> Option<Result<Option<crate::engine::Outcome>, String>>,
) -> Result<Option<Vec<u8>>, String> {
    let Some(job) = state.job(record)? else { return Ok(None) };
    match other(&job) {
        None => Ok(None),
        Some(outcome) => outcome?.map(|o| Some(o.writeback)).ok_or("the engine does not do that".into()),
    }
}

/// What a step is worth: whether it is bad, and its record. Counts it.
fn judge(
    step: &texwire::error::Result<Step<'_>>,
    foreign: &Result<Option<Vec<u8>>, String>,
    tolerance: f32,
    half: &mut bool,
    tally: &mut Tally,
) -> Option<(bool, Value)> {
    match step {
        Err(why) => {
            tally.failed += 1;
            Some((true, json!({"error": why.to_string()})))
        }
        Ok(Step::Executed(executed)) => {
            tally.executed += 1;
            *half = executed.message.return_width == texwire::message::Width::Half;
            Some((
                false,
                json!({
                    "kind": executed.kind.name(), "thread": executed.thread,
                    "op": executed.message.op.name(), "simd": executed.message.simd,
                    "lanes": format!("{:#x}", executed.message.lanes),
                    "faults": format!("{:#x}", executed.faults),
                    "out": super::hex(executed.writeback),
                }),
            ))
        }
        Ok(Step::Missing { table, slot }) => {
            tally.missing += 1;
            Some((true, json!({"missing": format!("{table:?}").to_lowercase(), "slot": slot})))
        }
        Ok(Step::Compared(comparison)) => {
            let executed = match foreign {
                Ok(bytes) => bytes.as_deref().unwrap_or(comparison.executed),
                Err(why) => {
                    tally.failed += 1;
                    return Some((true, json!({"error": why})));
                }
            };
            let equal = close(comparison.recorded, executed, tolerance, *half);
            if equal {
                tally.equal += 1;
                return Some((false, json!({"writeback": "equal"})));
            }
            tally.different += 1;
            let at = comparison.recorded.iter().zip(executed).position(|(a, b)| a != b);
            Some((
                true,
                json!({
                    "writeback": "different", "byte": at,
                    "recorded": super::hex(comparison.recorded), "executed": super::hex(executed),
                }),
            ))
        }
        Ok(Step::Unmatched(kind)) => {
            tally.unmatched += 1;
            Some((true, json!({"writeback": "without a message", "of": kind.name()})))
        }
        Ok(Step::Lost(count)) => Some((true, json!({"lost by the sender": count}))),
        Ok(_) => None,
    }
}

/// Equal, or (with a tolerance) close element by element.
fn close(recorded: &[u8], executed: &[u8], tolerance: f32, half: bool) -> bool {
    if recorded == executed {
        return true;
    }
    if tolerance == 0.0 || recorded.len() != executed.len() {
        return false;
    }
    let step = if half { 2 } else { 4 };
    recorded.chunks(step).zip(executed.chunks(step)).all(|(a, b)| {
        let (a, b) = (float(a), float(b));
        a.to_bits() == b.to_bits() || (a - b).abs() <= tolerance * a.abs().max(1.0)
    })
}

fn float(bytes: &[u8]) -> f32 {
    match *bytes {
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
        [a, b] => texwire::format::half::to_f32(u16::from_le_bytes([a, b])),
        _ => f32::NAN,
    }
}

fn words(value: &Value) -> String {
    let fields = value.as_object().into_iter().flatten();
    let words = fields.map(|(key, value)| match value {
        Value::String(text) => format!("{key} {text}"),
        value => format!("{key} {value}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// What the reading thread sends.
enum Chunk {
    Bytes(Vec<u8>),
    End(std::io::Result<()>),
}

/// Ctrl-C was pressed: the stream ends here.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Hands every event of a stream to `each` as it comes, until the stream's end or Ctrl-C.
fn events(from: &str, mut each: impl FnMut(&Event<'_>)) -> Result<Counts, Box<dyn std::error::Error>> {
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
fn output(from: &str) -> Box<dyn Write> {
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
