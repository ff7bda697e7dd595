//! `texwire trace` on streams that come while it looks: a pipe, a socket, a serial line; and Ctrl-C.
#![cfg(target_os = "linux")]

use nix::fcntl::OFlag;
use nix::pty::{grantpt, posix_openpt, ptsname_r, unlockpt};
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{LocalFlags, tcgetattr};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

fn trace() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../firmware-example/demo.twt");
    std::fs::read(path).unwrap()
}

/// Ends with the test, whatever happens.
struct Texwire(Child);

impl Drop for Texwire {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn texwire(args: &[&str]) -> Texwire {
    let mut command = Command::new(env!("CARGO_BIN_EXE_texwire"));
    command.arg("trace").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Texwire(command.spawn().unwrap())
}

impl Texwire {
    fn stdout(&mut self) -> BufReader<ChildStdout> {
        BufReader::new(self.0.stdout.take().unwrap())
    }

    fn interrupt(&self) {
        kill(Pid::from_raw(self.0.id() as i32), Signal::SIGINT).unwrap();
    }

    /// The exit status and what was said on stderr, within a few seconds.
    fn end(&mut self) -> (Option<i32>, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut said = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (status.code(), said)
    }
}

/// The lines of a run with `--json`, the last one apart.
fn records(out: impl BufRead) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let last = lines.pop().expect("a summary");
    (lines, last)
}

/// Every message of the demo was executed, every result was the recorded one.
fn is_whole(summary: &Value, bytes: usize) -> bool {
    let (tally, counts) = (&summary["tally"], &summary["counts"]);
    let executed = tally["executed"].as_u64().unwrap();
    executed > 0
        && tally["equal"] == executed
        && counts["bytes"] == bytes
        && counts["good_bytes"] == bytes
        && counts["lost"] == 0
}

#[test]
fn pipe() {
    let stream = trace();
    let mut texwire = texwire(&["replay", "-", "--json"]);
    let mut stdin = texwire.0.stdin.take().unwrap();
    let bytes = stream.clone();
    let writer =
        std::thread::spawn(move || bytes.chunks(777).for_each(|part| stdin.write_all(part).unwrap()));
    let (lines, summary) = records(texwire.stdout());
    writer.join().unwrap();
    assert_eq!(texwire.end(), (Some(0), String::new()));
    assert!(is_whole(&summary, stream.len()), "{summary}");
    assert_eq!(
        lines.iter().filter(|line| line["kind"] == "gen").count() as u64,
        summary["tally"]["executed"]
    );
}

#[test]
fn filters() {
    let stream = trace();
    for (option, value, key) in [("--kind", "writeback", "kind"), ("--thread", "3", "thread")] {
        let mut texwire = texwire(&["dump", "-", "--json", option, value]);
        texwire.0.stdin.take().unwrap().write_all(&stream).unwrap();
        let (lines, summary) = records(texwire.stdout());
        assert_eq!(texwire.end().0, Some(0));
        assert_eq!(summary["counts"]["bytes"], stream.len());
        assert!(!lines.is_empty());
        let text = |line: &Value| line[key].to_string().trim_matches('"').to_owned();
        assert!(lines.iter().all(|line| text(line) == value), "{lines:?}");
    }
}

#[test]
fn socket() {
    let stream = trace();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp:{}", listener.local_addr().unwrap());
    let mut texwire = texwire(&["verify", &address, "--json"]);
    let (mut probe, _) = listener.accept().unwrap();
    // It ends when the probe hangs up.
    stream.chunks(4001).for_each(|part| probe.write_all(part).unwrap());
    drop(probe);
    let (_, summary) = records(texwire.stdout());
    assert_eq!(texwire.end(), (Some(0), String::new()));
    assert!(is_whole(&summary, stream.len()), "{summary}");
}

#[test]
fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp:{}", listener.local_addr().unwrap());
    drop(listener);
    let (status, said) = texwire(&["verify", &address]).end();
    assert_eq!(status, Some(2));
    assert!(said.starts_with("error: cannot connect to 127.0.0.1:"), "{said}");
}

/// A serial line: what the sender writes, and a process that reads the device.
fn serial() -> (File, File, Texwire) {
    // Nobody else may inherit it: the line would stay open.
    let sender = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC).unwrap();
    grantpt(&sender).unwrap();
    unlockpt(&sender).unwrap();
    let name = ptsname_r(&sender).unwrap();
    let device =
        File::options().read(true).write(true).custom_flags(OFlag::O_NOCTTY.bits()).open(&name).unwrap();
    let sender = File::from(OwnedFd::from(sender));
    let texwire = texwire(&["replay", &name, "--json", "--baud", "115200"]);
    // It is set up when nothing edits lines any more: the stream has every byte in it.
    let start = Instant::now();
    while tcgetattr(&device).unwrap().local_flags.contains(LocalFlags::ICANON) {
        assert!(start.elapsed() < Duration::from_secs(20), "the device is not set up");
        std::thread::sleep(Duration::from_millis(2));
    }
    (sender, device, texwire)
}

/// Sends a stream and waits until so many lines were printed.
fn send(mut sender: File, stream: Vec<u8>, out: &mut impl BufRead, lines: usize) -> File {
    let writer = std::thread::spawn(move || {
        sender.write_all(&stream).unwrap();
        sender
    });
    for _ in 0..lines {
        assert!(out.read_line(&mut String::new()).unwrap() > 0);
    }
    writer.join().unwrap()
}

/// Messages of a trace: `replay` prints a line for each and one for its writeback.
fn messages(stream: &[u8]) -> usize {
    let mut decoder = Box::new(texwire::trace::Decoder::<{ texwire::trace::MAX_FRAME }>::new());
    let mut rest = stream;
    let mut count = 0;
    while let Some(event) = decoder.feed(&mut rest) {
        let texwire::trace::Event::Frame { frame, .. } = event else { continue };
        count += usize::from(frame.kind.is_message());
    }
    count
}

#[test]
fn serial_line_until_interrupted() {
    let stream = trace();
    let (sender, device, mut texwire) = serial();
    let mut out = texwire.stdout();
    let sender = send(sender, stream.clone(), &mut out, 2 * messages(&stream));
    texwire.interrupt();
    let (rest, summary) = records(out);
    assert_eq!(texwire.end(), (Some(0), String::new()));
    assert!(rest.is_empty() && is_whole(&summary, stream.len()), "{summary}");
    drop((sender, device));
}

#[test]
fn serial_line_until_unplugged() {
    let stream = trace();
    let (sender, device, mut texwire) = serial();
    let mut out = texwire.stdout();
    let sender = send(sender, stream.clone(), &mut out, 2 * messages(&stream));
    drop((sender, device));
    let (_, summary) = records(out);
    assert_eq!(texwire.end(), (Some(0), String::new()));
    assert!(is_whole(&summary, stream.len()), "{summary}");
}

/// SIGTERM, as a job scheduler sends it: the summary is printed as after Ctrl-C.
#[test]
fn terminated_in_the_middle() {
    let stream = trace();
    let mut texwire = texwire(&["replay", "-", "--json"]);
    let mut stdin = texwire.0.stdin.take().unwrap();
    stdin.write_all(&stream).unwrap();
    let mut out = texwire.stdout();
    for _ in 0..2 * messages(&stream) {
        assert!(out.read_line(&mut String::new()).unwrap() > 0);
    }
    kill(Pid::from_raw(texwire.0.id() as i32), Signal::SIGTERM).unwrap();
    let (_, summary) = records(out);
    assert_eq!(texwire.end(), (Some(0), String::new()));
    assert!(is_whole(&summary, stream.len()), "{summary}");
    drop(stdin);
}

/// A connection that is reset: everything before is summed up, and the reset is an error.
#[test]
fn reset_connection() {
    let stream = trace();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp:{}", listener.local_addr().unwrap());
    let mut texwire = texwire(&["replay", &address, "--json"]);
    let (mut probe, _) = listener.accept().unwrap();
    probe.write_all(&stream).unwrap();
    let mut out = texwire.stdout();
    for _ in 0..2 * messages(&stream) {
        assert!(out.read_line(&mut String::new()).unwrap() > 0);
    }
    // Closed with a time of 0 to linger, a connection is reset.
    nix::sys::socket::setsockopt(
        &probe,
        nix::sys::socket::sockopt::Linger,
        &nix::libc::linger { l_onoff: 1, l_linger: 0 },
    )
    .unwrap();
    drop(probe);
    let (_, summary) = records(out);
    let (status, said) = texwire.end();
    assert_eq!(status, Some(2));
    assert!(said.starts_with("error: cannot read tcp:127.0.0.1:") && said.contains("to its end"), "{said}");
    assert!(is_whole(&summary, stream.len()), "{summary}");
}

/// Ctrl-C in the middle of a frame: what came so far is summed up, and nothing is wrong with it.
#[test]
fn interrupted_inside_a_frame() {
    let stream = trace();
    let mut texwire = texwire(&["replay", "-", "--json"]);
    let mut stdin = texwire.0.stdin.take().unwrap();
    let cut = (stream.len() / 2..).find(|&at| stream[at - 1] != 0).unwrap();
    stdin.write_all(&stream[..cut]).unwrap();
    let mut out = texwire.stdout();
    for _ in 0..messages(&stream[..cut]) {
        assert!(out.read_line(&mut String::new()).unwrap() > 0);
    }
    texwire.interrupt();
    let (_, summary) = records(out);
    assert_eq!(texwire.end(), (Some(0), String::new()));
    let counts = &summary["counts"];
    assert_eq!(
        (&counts["dropped_bytes"], &counts["damaged"], &counts["lost"]),
        (&0.into(), &0.into(), &0.into())
    );
    assert!(counts["bytes"].as_u64().unwrap() <= cut as u64);
    drop(stdin);
}
