//! `fuzz/campaign.sh` with a compiler and targets that only say what they are asked: it builds once, and its exit status tells how it went.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::{TempDir, tempdir};

struct Campaign {
    folder: TempDir,
    tools: PathBuf,
}

/// `cargo fuzz build` makes targets; each executes seven inputs. The program `inputs` beside them writes a seed for each.
const CARGO: &str = r#"#!/bin/bash
echo "$*" >>"$LOG"
case "$*" in
*"fuzz list") printf 'decode_visa\ntrace_stream\n' ;;
*"fuzz build"*)
    mkdir -p "$CARGO_TARGET_DIR/here/release"
    for program in decode_visa trace_stream inputs; do
        cp "$TARGET" "$CARGO_TARGET_DIR/here/release/$program"
    done ;;
*) echo "cargo-fuzz 0" ;;
esac
"#;
const TARGET: &str = r#"#!/bin/bash
if [[ $0 == */inputs ]]; then
    for target in decode_visa trace_stream; do mkdir -p "$2/$target" && echo seed >"$2/$target/1"; done
    exit
fi
[[ $* == *-merge=1* ]] && cp -r "$3/." "$2/" && exit
[[ $0 == *"$IDLE" ]] && echo 'stat::number_of_executed_units: 0' && exit
echo 'stat::number_of_executed_units: 7'
[[ $0 != *"$BROKEN" ]]
"#;
/// The arguments of a program have room in a quarter of its stack: here 256 KiB.
const SMALL_STACK: &str = r#"ulimit -S -s 1024 && exec bash "$@""#;
const RUSTC: &str = "#!/bin/bash\necho 'host: here'\n";

impl Campaign {
    fn new() -> Self {
        let folder = tempdir().unwrap();
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
        fs::create_dir(folder.path().join("fuzz")).unwrap();
        for name in ["campaign.sh", "limits.sh", "lines.sh", "Cargo.lock"] {
            fs::copy(fuzz.join(name), folder.path().join("fuzz").join(name)).unwrap();
        }
        let tools = folder.path().join("tools");
        fs::create_dir(&tools).unwrap();
        for (name, text) in [("cargo", CARGO), ("cargo-fuzz", CARGO), ("rustc", RUSTC), ("target", TARGET)] {
            fs::write(tools.join(name), text).unwrap();
            fs::set_permissions(tools.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self { folder, tools }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, args: &[&str], broken: &str) -> Output {
        self.run_with(args, broken, "nothing")
    }

    /// The target `broken` fails, `idle` executes nothing.
    fn run_with(&self, args: &[&str], broken: &str, idle: &str) -> Output {
        let path = format!("{}:{}", self.tools.display(), std::env::var("PATH").unwrap());
        Command::new("bash")
            .args(["-c", SMALL_STACK, "bash"])
            .arg(self.path("fuzz/campaign.sh"))
            .args(args)
            .env("PATH", path)
            .env("LOG", self.path("log"))
            .env("TARGET", self.tools.join("target"))
            .env("CARGO_TARGET_DIR", self.path("target"))
            .env("BROKEN", broken)
            .env("IDLE", idle)
            .output()
            .unwrap()
    }
}

#[test]
fn a_campaign_builds_once() {
    let campaign = Campaign::new();
    let output = campaign.run(&["0.02", "--no-lines"], "nothing");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let asked = fs::read_to_string(campaign.path("log")).unwrap();
    let builds: Vec<&str> =
        asked.lines().filter(|line| !line.contains("list") && !line.contains("version")).collect();
    assert_eq!(builds, ["+nightly fuzz build -s none"], "{asked}");
    let report = fs::read_to_string(campaign.path("fuzz/report.md")).unwrap();
    for row in ["| decode_visa | 7 |", "| trace_stream | 7 |"] {
        let line = report.lines().find(|line| line.starts_with(row)).unwrap_or_else(|| panic!("{report}"));
        assert!(line.ends_with("| well |"), "{line}");
    }
}

#[test]
fn a_failure_is_exit_status_1_and_bad_usage_2() {
    let campaign = Campaign::new();
    let output = campaign.run(&["0.02", "--no-lines"], "trace_stream");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report = fs::read_to_string(campaign.path("fuzz/report.md")).unwrap();
    assert!(report.contains("**failed**") && report.contains("### trace_stream"), "{report}");
    for args in [
        &["--guess"][..],
        &["0.02", "no_such_target"],
        &["--runs"],
        &["--report", ""],
        &["--jobs", "none"],
        &["0.02x"],
        &["0.02", "--no-lines", "--report", "no/such/folder.md"],
        &["0.02", "--no-lines", "--report", "."],
    ] {
        let output = campaign.run(args, "nothing");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{output:?}");
    }
}

#[test]
fn a_target_that_executes_nothing_is_a_failure() {
    let campaign = Campaign::new();
    let output = campaign.run_with(&["0.02", "--no-lines"], "nothing", "decode_visa");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report = fs::read_to_string(campaign.path("fuzz/report.md")).unwrap();
    assert!(
        report.contains("**ran nothing**") && report.contains("decode_visa executed no input"),
        "{report}"
    );
}

/// Each target runs in one of two shards; the merge has the inputs of both.
#[test]
fn shards_share_the_targets_and_merge() {
    let campaign = Campaign::new();
    for (shard, folder, own, other) in
        [("1/2", "one", "decode_visa", "trace_stream"), ("2/2", "two", "trace_stream", "decode_visa")]
    {
        let args = ["0.02", "--no-lines", "--shard", shard, "--corpus", folder];
        let output = campaign.run(&args, "nothing");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let report = fs::read_to_string(campaign.path("fuzz/report.md")).unwrap();
        assert!(
            report.contains(&format!("| {own} | 7 |")) && !report.contains(&format!("| {other} |")),
            "{report}"
        );
        fs::write(campaign.path(folder).join(own).join(folder), "found").unwrap();
    }
    // More inputs than the arguments of a program have room for.
    for number in 0..1_500 {
        fs::write(campaign.path("two/trace_stream").join(format!("{number:0200}")), "found").unwrap();
    }
    let output = campaign.run(&["0", "--no-lines", "--merge", "one", "--merge", "two"], "nothing");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for input in ["decode_visa/one", "trace_stream/two"] {
        assert!(campaign.path("fuzz/corpus").join(input).is_file(), "{input}");
    }
    for args in [["--shard", "0/2"], ["--shard", "3/2"], ["--merge", "none"]] {
        let output = campaign.run(&args, "nothing");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}
