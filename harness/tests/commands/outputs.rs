//! What commands write: whole files or none, never over an input; a full disk and a closed pipe.
#![cfg(unix)]

use crate::command::{command, corpus, demo_trace, file, names, path_in, said, texwire, texwire_reads};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};
use texwire_harness::interrupt::without_temporaries;
use texwire_harness::output::OutputFile;

fn job() -> Vec<u8> {
    let said = texwire(&["fuzz-diff", "--plain", "--job", "1"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    said.out.into_bytes()
}

#[test]
fn an_output_never_replaces_an_input() {
    let folder = tempdir().unwrap();
    let trace = file(&folder, "s.twt", fs::read(demo_trace()).unwrap());
    let jobs = file(&folder, "s.jsonl", job());
    let binary = file(&folder, "s.bin", fs::read(corpus("demo/demo.icllp.bin")).unwrap());
    let picture = file(&folder, "s.png", fs::read(corpus("images/brick.png")).unwrap());
    let kernel = file(&folder, "k.bin", fs::read(corpus("kernels/bin/aes_rounds.icllp.bin")).unwrap());
    let launch = file(&folder, "s.json", fs::read(corpus("kernels/cases/aes_rounds.json")).unwrap());
    let text = file(&folder, "s.txt", "not a sampler instruction");
    let link = path_in(&folder, "link.twt");
    std::os::unix::fs::symlink(&trace, &link).unwrap();
    let out = path_in(&folder, "out");
    let cases: &[(&str, &[&str])] = &[
        (&trace, &["trace", "join", &trace, "-o", &trace]),
        (&trace, &["trace", "join", &trace, "-o", &link]),
        (&jobs, &["trace", "record", &jobs, "-o", &jobs]),
        (&binary, &["run", &binary, "--shrink", "6", "--record", &binary, "-o", &out]),
        (&picture, &["render", "--image", &picture, "-o", &picture]),
        (&picture, &["footprint", "--image", &picture, "--lane", "u=0.5", "-o", &picture]),
        (&kernel, &["kernel", &kernel, "--case", &launch, "-o", &kernel]),
        (&launch, &["kernel", &kernel, "--case", &launch, "-o", &launch]),
        (&text, &["asm", &text, "-o", &text]),
        (&jobs, &["fuzz-diff", &jobs, "--write-baseline", &jobs]),
        (&jobs, &["fuzz-diff", &jobs, "--report", &jobs]),
    ];
    for (input, args) in cases {
        let before = fs::read(input).unwrap();
        let said = texwire(args);
        assert_eq!(said.status, Some(2), "{args:?} {said:?}");
        assert_eq!(fs::read(input).unwrap(), before, "{args:?}");
        if !args.contains(&"asm") {
            assert!(said.err.starts_with("error: cannot write "), "{said:?}");
            assert!(said.err.contains("it is an input"), "{said:?}");
        }
    }
    // Standard input as well.
    let mut command = command();
    command.args(["trace", "record", "-", "-o", &jobs]).stdin(fs::File::open(&jobs).unwrap());
    assert_eq!(said(&mut command).status, Some(2));
}

#[test]
fn a_failed_command_leaves_the_target_as_it_was() {
    let folder = tempdir().unwrap();
    let target = file(&folder, "p.twt", "precious");
    let missing = path_in(&folder, "missing");
    let broken = file(&folder, "broken.jsonl", "no json");
    for args in [["trace", "join", &missing, "-o", &target], ["trace", "record", &broken, "-o", &target]] {
        assert_eq!(texwire(&args).status, Some(2));
        assert_eq!(fs::read(&target).unwrap(), b"precious");
    }
    assert_eq!(names(folder.path()), ["broken.jsonl", "p.twt"]);
}

/// A missing folder, and one in the place of the output, is named before the work, whose results would be lost.
#[test]
fn outputs_that_cannot_be_made_are_named_at_once() {
    let folder = tempdir().unwrap();
    let out = path_in(&folder, "out");
    let kernel = corpus("devicebin/bilinear.icllp.bin");
    for (target, why) in
        [(path_in(&folder, "missing/file"), "no such folder"), (path_in(&folder, ""), "it is a folder")]
    {
        let lines: &[&[&str]] = &[
            &["fuzz-diff", "--count", "2", "--report", &target],
            &["fuzz-diff", "--count", "2", "--write-baseline", &target],
            &["run", "--shrink", "6", "--report", &target, "-o", &out],
            &["kernel", &kernel, "--global", "1", "--report", &target, "-o", &out],
        ];
        for args in lines {
            let said = texwire(args);
            let why = format!("error: cannot write {target}: {why}\n");
            assert_eq!((said.status, said.out, said.err), (Some(2), String::new(), why), "{args:?}");
        }
    }
}

/// The report comes last: if it cannot be written, everything else is there.
#[test]
fn a_report_that_fails_loses_no_output() {
    let folder = tempdir().unwrap();
    let binary = file(&folder, "demo.bin", fs::read(corpus("demo/demo.icllp.bin")).unwrap());
    let [images, picture] = ["run", "kernel"].map(|name| folder.path().join(name));
    let said =
        texwire(&["run", &binary, "--shrink", "6", "-o", images.to_str().unwrap(), "--report", &binary]);
    assert_eq!(said.status, Some(2), "{said:?}");
    assert!(said.err.contains("it is an input"), "{said:?}");
    assert!(said.out.contains("core and oracle agree on all"), "{said:?}");
    assert!(images.join("overview.png").exists());
    let launch = ["kernel", &binary, "--name", "mirror", "--global", "45,30", "--arg", "image:45x30"];
    let more = ["--arg", "image:45x30", "--arg", "float:0.051,0.077", "--report", &binary, "-o"];
    let said = texwire(&[&launch[..], &more, &[picture.to_str().unwrap()]].concat());
    assert_eq!(said.status, Some(2), "{said:?}");
    assert!(said.err.contains("it is an input"), "{said:?}");
    assert!(picture.join("arg1.png").exists());
}

#[test]
fn a_replaced_file_keeps_its_permissions_and_its_link() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    let target = file(&folder, "p.twt", "old");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.twt");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let trace = demo_trace().display().to_string();
    let said = texwire(&["trace", "join", &trace, "-o", link.to_str().unwrap()]);
    assert_eq!(said.status, Some(0), "{said:?}");
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read(&target).unwrap().len() > 1000);
}

/// A signal in the middle: no target, no temporary file.
#[test]
fn an_interrupted_command_leaves_nothing_half() {
    use nix::sys::signal::{Signal, kill};
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let folder = tempdir().unwrap();
        let target = folder.path().join("t.twt");
        let mut child = command()
            .args(["trace", "record", "-", "-o", target.to_str().unwrap()])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&job()).unwrap();
        let start = Instant::now();
        while names(folder.path()).is_empty() {
            assert!(start.elapsed() < Duration::from_secs(20), "nothing is written");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!target.exists(), "the target has its name before it is complete");
        kill(nix::unistd::Pid::from_raw(child.id() as i32), signal).unwrap();
        assert_ne!(child.wait().unwrap().code(), Some(0));
        assert_eq!(names(folder.path()), [""; 0]);
    }
}

/// A command that an interrupt ends makes no new temporary file meanwhile, and the ones that there are go.
#[test]
fn an_interrupt_between_files_leaves_no_temporary_one() {
    let folder = tempdir().unwrap();
    let target = |name: &str| folder.path().join(name);
    let before = OutputFile::create(&target("before"), &[]).unwrap();
    assert_eq!(names(folder.path()).len(), 1);
    let after = target("after");
    let other = without_temporaries(|| {
        let other = std::thread::spawn(move || OutputFile::create(&after, &[]).unwrap().commit());
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(names(folder.path()), [""; 0]);
        other
    });
    other.join().unwrap().unwrap();
    drop(before);
    assert_eq!(names(folder.path()), ["after"]);
}

/// Every command that prints results.
fn printing(folder: &TempDir) -> Vec<Vec<String>> {
    let trace = demo_trace().display().to_string();
    let out = |name: &str| path_in(folder, name);
    let layout = corpus("state/surface-layout.gen11.json");
    let visa = corpus("visa/copy2d.pvc.simd32.isa");
    let input = file(folder, "input", [7; 64]);
    let jobs = file(folder, "jobs.jsonl", job());
    let text = file(folder, "text", "TXQ R4, R6, TEX_HEADER_DIMENSION, 0x0, 0xf;");
    let lines = [
        format!("decode {visa}"),
        format!("decode --json {trace}"),
        format!("exec {}", corpus("formats/texels.jsonl")),
        format!("layout {layout}"),
        format!("check {layout}"),
        "explain --wire maxwell 04064780070048df".to_owned(),
        "explain 0x02420001".to_owned(),
        "explain --state border 0,0,0,0".to_owned(),
        format!("asm --wire maxwell {text}"),
        "footprint --lane u=0.5,v=0.5".to_owned(),
        format!(
            "kernel {} --case {} --profile -o {}",
            corpus("kernels/bin/aes_rounds.icllp.bin"),
            corpus("kernels/cases/aes_rounds.json"),
            out("kernel.json")
        ),
        format!("trace record {jobs} -o {}", out("recorded.twt")),
        format!("trace join {trace} -o {}", out("joined.twt")),
        "fuzz-diff --count 2 --json".to_owned(),
        "completions bash".to_owned(),
        "man".to_owned(),
        format!("man -o {}", out("man")),
        "enum".to_owned(),
        "enum --json".to_owned(),
        "enum 3D_Logic_Op_Function".to_owned(),
        "bench --only decode_txq --time 1".to_owned(),
        "gen".to_owned(),
        "fuzz-diff --lanes 10".to_owned(),
        "fuzz-diff --job 3".to_owned(),
        "fuzz-input".to_owned(),
        format!("fuzz-input decode_visa {input}"),
        format!("fuzz-replay decode_visa {input}"),
        format!("seeds {} decode_visa", out("seeds")),
        format!("render --size 16 16 -o {}", out("x.png")),
        format!("run --shrink 6 -o {}", out("run")),
        format!("trace dump {trace}"),
        format!("trace replay {trace}"),
        format!("trace verify {trace}"),
        format!("trace coverage {trace}"),
        "--help".to_owned(),
        "--version".to_owned(),
    ];
    lines.iter().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_of_every_command() {
    let folder = tempdir().unwrap();
    for args in printing(&folder) {
        let mut full = command();
        full.args(&args).stdout(fs::File::options().write(true).open("/dev/full").unwrap());
        let full = said(&mut full);
        assert!(!texwire(&args).out.is_empty(), "{args:?} prints nothing");
        assert_eq!(full.status, Some(2), "{args:?} {full:?}");
        assert!(full.err.contains("error: cannot write standard output"), "{args:?} {full:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_spoils_no_file() {
    // A device stands for the disk: it is written as it is, and refuses everything.
    let trace = demo_trace().display().to_string();
    for args in [["trace", "join", &trace, "-o", "/dev/full"].as_slice(), &["render", "-o", "/dev/full"]] {
        let said = texwire(args);
        assert_eq!(said.status, Some(2), "{said:?}");
        assert!(said.err.starts_with("error: cannot write /dev/full: "), "{said:?}");
    }
}

/// `texwire ... | head -1`: no error message, no panic.
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child =
        command().args(["enum", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0]).unwrap();
    drop(stdout);
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    child.wait().unwrap();
    assert_eq!(err, "");
}

#[test]
fn standard_error_may_be_full() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let mut command = command();
    command
        .args(["decode", "/nonexistent"])
        .stderr(fs::File::options().write(true).open("/dev/full").unwrap());
    assert_eq!(said(&mut command).status, Some(2));
}

#[test]
fn pipes_are_written_as_they_are() {
    let said = texwire_reads(&["trace", "record", "-", "-o", "/dev/stdout"], &job());
    assert_eq!(said.status, Some(0), "{said:?}");
    assert!(said.out.contains("TXWR"));
    // What is said about the trace is no part of it.
    let folder = tempdir().unwrap();
    let jobs = file(&folder, "jobs", job());
    let piped = r#""$0" trace record "$1" -o /dev/stdout | "$0" trace join /dev/stdin -o /dev/stdout | "$0" trace verify -"#;
    let texwire = env!("CARGO_BIN_EXE_texwire");
    let said = crate::command::said(Command::new("bash").args(["-c", piped, texwire, &jobs]));
    assert_eq!(said.status, Some(0), "{said:?}");
    assert!(said.err.contains("1 messages in /dev/stdout"), "{said:?}");
    // A page is made of its trace, which cannot be read back from a pipe.
    let folder = tempdir().unwrap();
    let (out, page) = (path_in(&folder, "out"), path_in(&folder, "page.html"));
    let kernel = corpus("kernels/bin/aes_rounds.icllp.bin");
    let case = corpus("kernels/cases/aes_rounds.json");
    for arguments in [
        format!("kernel {kernel} --case {case} -o {out} --trace /dev/stdout"),
        format!("run --shrink 6 -o {out} --record /dev/stdout"),
    ] {
        let script = format!(r#"timeout 60 "$0" {arguments} --report {page} | cat; exit ${{PIPESTATUS[0]}}"#);
        let texwire = env!("CARGO_BIN_EXE_texwire");
        let said = crate::command::said(Command::new("bash").args(["-c", &script, texwire]));
        assert_eq!(said.status, Some(2), "{said:?}");
        assert_eq!(
            said.err,
            "error: cannot read /dev/stdout for --report: a page needs its trace in a file\n"
        );
    }
    // Nothing is read back from the pipe, which would not end.
    let cover = r#"timeout 60 "$0" trace cover --jobs 0 -o /dev/stdout"#;
    let said = crate::command::said(Command::new("bash").args(["-c", cover, texwire]));
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(said.out.contains("TXWR") && said.err.contains("missing gen op"), "{said:?}");
}
