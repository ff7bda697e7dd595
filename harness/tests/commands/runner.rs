//! The firmware example's runner, with a machine that does not end: the limit says so, is set from outside, and can be left out.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::tempdir;

/// A machine that takes some seconds and then ends with a status.
fn run(seconds: &str, status: &str, limit: Option<&str>) -> Output {
    let tools = tempdir().unwrap();
    for (name, text) in
        [("qemu-system-arm", format!("sleep {seconds}; exit {status}")), ("defmt-print", "cat".to_owned())]
    {
        let path = tools.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let runner = Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware-example/qemu-runner.sh");
    let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.arg(runner).args(["mps2-an386", "/dev/null"]).env("PATH", path).env_remove("TEXWIRE_TIMEOUT");
    if let Some(limit) = limit {
        command.env("TEXWIRE_TIMEOUT", limit);
    }
    command.output().unwrap()
}

#[test]
fn a_machine_that_does_not_end_is_stopped_with_a_word() {
    let output = run("30", "0", Some("1"));
    assert_eq!(output.status.code(), Some(124), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("error: stopped at mps2-an386: no end after 1 s (TEXWIRE_TIMEOUT=0 for no limit)"),
        "{said}"
    );
    for (limit, status) in [(Some("0"), "3"), (Some("20"), "1"), (None, "0")] {
        let output = run("0.1", status, limit);
        assert_eq!(output.status.code().map(|code| code.to_string()).as_deref(), Some(status), "{output:?}");
    }
    let output = run("0.1", "0", Some("soon"));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// The serial line's sender decides how long it takes.
#[test]
fn the_serial_line_has_no_limit_of_its_own() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware-example/run-qemu.sh");
    let text = fs::read_to_string(script).unwrap();
    let uart = text.split("\nuart)").nth(1).unwrap().split(";;").next().unwrap();
    assert!(uart.contains("export TEXWIRE_TIMEOUT=${TEXWIRE_TIMEOUT:-0}"), "{uart}");
}
