//! The `texwire` command as tests run it: arguments in, exit status and text out.
#![allow(dead_code)] // Each test file takes what it needs.

pub(crate) mod files;

use std::ffi::OsStr;
use std::fmt::Debug;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What a command said.
#[derive(Debug)]
pub(crate) struct Said {
    /// Exit status; `None` when a signal ended it.
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_texwire"));
    command.stdin(Stdio::null());
    command
}

pub(crate) fn texwire(args: &[impl AsRef<OsStr>]) -> Said {
    said(command().args(args))
}

pub(crate) fn said(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { status: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// With something on standard input.
pub(crate) fn texwire_reads(args: &[impl AsRef<OsStr>], input: &[u8]) -> Said {
    let mut child = command()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The command may end before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { status: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// What a command prints that succeeds.
pub(crate) fn stdout(args: &[impl AsRef<OsStr> + Debug], input: &[u8]) -> String {
    let said = texwire_reads(args, input);
    assert_eq!(said.status, Some(0), "{args:?}: {}", said.err);
    said.out
}

/// The error of a command that is refused.
pub(crate) fn refused(args: &[impl AsRef<OsStr> + Debug]) -> String {
    let said = texwire(args);
    assert_eq!(said.status, Some(2), "{args:?}: {said:?}");
    said.err
}

/// The path of a name in a folder.
pub(crate) fn path_in(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// Writes a file into a folder; its path.
pub(crate) fn file(folder: &TempDir, name: &str, contents: impl AsRef<[u8]>) -> String {
    let path = path_in(folder, name);
    std::fs::write(&path, contents).unwrap();
    path
}

/// A bundled file.
pub(crate) fn corpus(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    assert!(path.exists(), "{}", path.display());
    path.display().to_string()
}

/// The trace of the firmware example.
pub(crate) fn demo_trace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware-example/demo.twt")
}

/// The names of the files in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Whether times are measured on a quiet machine: `TEXWIRE_QUIET_MACHINE=1` makes limits of time tight.
#[cfg(unix)]
pub(crate) fn quiet() -> bool {
    std::env::var_os("TEXWIRE_QUIET_MACHINE").is_some()
}

/// What may be added to a time that grows with the input when the input is `times` as large. On a quiet machine 20 %; else half of
/// the way to a quadratic command, because neighbours on the machine slow caches and memory down.
#[cfg(unix)]
pub(crate) fn slack(times: f64) -> f64 {
    if quiet() { 1.2 } else { times.sqrt() }
}

/// Seconds of processor time of a command, user and system: how busy the machine is does not matter. `{}` stands for the file, `@` for the output.
#[cfg(unix)]
pub(crate) fn cost(arguments: &str, file: &Path, out: &Path) -> f64 {
    let texwire = env!("CARGO_BIN_EXE_texwire");
    let arguments =
        arguments.replace("{}", &file.display().to_string()).replace('@', &out.display().to_string());
    let script = format!("\"{texwire}\" {arguments} > /dev/null 2>&1; times");
    let times = Command::new("bash").args(["-c", &script]).output().unwrap().stdout;
    let times = String::from_utf8(times).unwrap();
    // The second line: what the shell's children took, as `0m1.234s 0m0.010s`.
    let seconds = |text: &str| {
        let (minutes, seconds) = text.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
    };
    times.lines().nth(1).unwrap().split_whitespace().map(seconds).sum()
}
