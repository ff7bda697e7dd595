//! Models behind a pipe that misbehave, as the command line meets them.
#![cfg(unix)]

use crate::command::{command, corpus, path_in, said, texwire, texwire_reads};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::tempdir;
use texwire_harness::generators::kinds::InputKind;

fn against(model: &str, jobs: &str) -> crate::command::Said {
    texwire(&["fuzz-diff", "--plain", "--threads", "1", "--count", jobs, "--against", model])
}

/// A model that dies before it reads: no SIGPIPE for us.
#[test]
fn a_model_that_dies_is_an_error_of_that_model() {
    for model in ["true", "false"] {
        let said = against(model, "2");
        assert_eq!(said.status, Some(1), "{said:?}");
        assert!(said.out.contains(&format!("broken model at external:{model}")), "{said:?}");
    }
}

#[test]
fn a_model_that_cannot_start_is_one_error() {
    let said = against("/nonexistent/model", "5");
    assert_eq!((said.status, said.out.as_str()), (Some(2), ""), "{said:?}");
    assert_eq!(said.err.lines().count(), 1, "{said:?}");
    assert!(said.err.contains("cannot start /nonexistent/model"), "{said:?}");
    let said = texwire(&["exec", "--engine", "external:/nonexistent/model", &corpus("sampling/cases.jsonl")]);
    assert_eq!(said.status, Some(2), "{said:?}");
}

#[test]
fn answers_are_of_the_jobs_size() {
    let folder = tempdir().unwrap();
    let first = fs::read_to_string(corpus("sampling/cases.jsonl")).unwrap();
    let case = folder.path().join("case.jsonl");
    fs::write(&case, first.lines().next().unwrap()).unwrap();
    for bytes in [0, 1, 100_000] {
        let script = folder.path().join("model.sh");
        let zeros = vec!["0"; bytes].join(",");
        let text = format!("while read job; do echo '{{\"writeback\":[{zeros}],\"faults\":0}}'; done");
        fs::write(&script, text).unwrap();
        let engine = format!("external:sh {}", script.display());
        let said = texwire(&["exec", "--engine", &engine, case.to_str().unwrap()]);
        assert!(said.out.contains(&format!("a writeback of {bytes} bytes, expected ")), "{said:?}");
    }
}

#[test]
fn a_second_answer_is_noticed() {
    for (jobs, model) in [
        ("3", "sh -c 'while read job; do echo null; echo null; done'"),
        ("1", "sh -c 'while read job; do echo null; echo null; done'"),
    ] {
        let said = against(model, jobs);
        assert_eq!((said.status, said.err.as_str()), (Some(1), ""), "{said:?}");
        assert!(
            said.out.contains("the model is broken") && said.out.contains("it answered twice"),
            "{said:?}"
        );
    }
}

/// Also of the only job: of a campaign, of a seed, of a file. The report is complete, and it is one of what was compared.
#[test]
fn a_second_answer_to_the_last_job_is_in_the_report() {
    let folder = tempdir().unwrap();
    let job = path_in(&folder, "job.json");
    fs::write(&job, InputKind::find("job-plain").unwrap().make(1, 0)).unwrap();
    let model = "sh -c 'while read job; do echo null; echo null; done'";
    let plain = ["fuzz-diff", "--plain", "--json", "--threads", "1", "--against", model];
    for what in [&["--count", "1"][..], &["--job", "1"], &[&job]] {
        let said = texwire(&[&plain, what].concat());
        assert_eq!(
            (said.status, said.err.lines().filter(|line| line.starts_with("error")).count()),
            (Some(1), 0)
        );
        let report: serde_json::Value = serde_json::from_str(said.out.lines().last().unwrap()).unwrap();
        assert_eq!((&report["jobs"], &report["disagreements"]), (&1.into(), &1.into()), "{report}");
        let found = &report["groups"][0]["findings"][0];
        assert_eq!(found["disagreement"]["kind"], "broken", "{report}");
        assert!(found["disagreement"]["why"].as_str().unwrap().contains("it answered twice"), "{report}");
        assert!(!found["explained"].as_array().unwrap().is_empty(), "{report}");
    }
}

/// MODELS.md shows a job with all of its keys, in their order.
#[test]
fn the_manual_shows_a_whole_job() {
    let manual = include_str!("../../MODELS.md");
    let shown = manual.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let job = serde_json::to_string(&texwire_harness::engine::Job::new("sample_lz")).unwrap();
    let job: serde_json::Value = serde_json::from_str(&job).unwrap();
    let mut rest = shown;
    for key in job.as_object().unwrap().keys() {
        rest = rest.split_once(&format!("\"{key}\":")).unwrap_or_else(|| panic!("no {key} in {rest}")).1;
    }
}

#[test]
fn a_models_text_is_safe_for_a_terminal() {
    for model in [
        r#"sh -c 'read job; printf "\033[2J\007%0900000d\n" 1; cat'"#,
        r#"sh -c 'read job; printf "{\"error\": \"\\\\u001b[2J%0900000d\"}\n" 1; cat'"#,
    ] {
        let said = against(model, "1");
        assert_eq!(said.status, Some(1), "{said:?}");
        assert!(!said.out.contains(['\u{1b}', '\u{7}']) && said.out.contains("\\u{1b}"), "{}", said.out);
        assert!(said.out.len() < 20_000, "{} bytes", said.out.len());
    }
}

/// Processes with this word among their arguments.
fn processes(word: &str) -> usize {
    let folders = fs::read_dir("/proc").unwrap().flatten();
    let lines = folders.filter_map(|folder| fs::read(folder.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|b| *b == 0).any(|argument| argument == word.as_bytes())).count()
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// However texwire ends, its model ends too, and what the model started. That a model does not answer delays neither.
#[test]
#[cfg(target_os = "linux")]
fn models_do_not_outlive_texwire() {
    for (signal, seconds) in [(Signal::SIGTERM, "3711.1"), (Signal::SIGKILL, "3711.2")] {
        let model = format!("sh -c 'read job; sleep {seconds}; true'");
        let mut texwire = command()
            .args(["fuzz-diff", "--plain", "--threads", "2", "--count", "100", "--against", &model])
            .spawn()
            .unwrap();
        until("the model does not start", || processes(seconds) > 0);
        let told = Instant::now();
        kill(Pid::from_raw(texwire.id() as i32), signal).unwrap();
        texwire.wait().unwrap();
        assert!(told.elapsed() < texwire_harness::external::TIMEOUT / 2, "{signal}: {:?}", told.elapsed());
        until("the model is still there", || processes(seconds) == 0);
    }
}

/// Ctrl-C ends a campaign with the report of what was compared before.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_campaign_says_what_it_compared() {
    let folder = tempdir().unwrap();
    let last = path_in(&folder, "hundredth");
    // It declines every job. Not more than 64 results wait to be counted.
    let model = format!(
        "sh -c 'n=0; while read job; do echo null; n=$((n+1)); [ $n = 100 ] && : > {last}; done; true'"
    );
    let texwire = command()
        .args([
            "fuzz-diff",
            "--plain",
            "--threads",
            "1",
            "--lanes",
            "1000000000000",
            "--against",
            &model,
            "--json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("the model does not start", || Path::new(&last).exists());
    kill(Pid::from_raw(texwire.id() as i32), Signal::SIGINT).unwrap();
    let output = texwire.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["jobs"].as_u64() > Some(30) && report["counts"]["lanes"] == 0, "{report}");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: interrupted at fuzz-diff: 0 lanes compared before\n"
    );
}

/// A model's child that holds the pipe does not double the wait.
#[test]
fn a_sleeping_child_of_a_model_costs_no_more_time() {
    use texwire_harness::engine::{Engine, Job};
    let model = "sh -c 'read job; sleep 3712; true'";
    let model = texwire_harness::external::External::new(model).unwrap();
    let model = model.with_timeout(Duration::from_millis(400));
    // A busy machine may be late now and then; a doubled wait always is.
    let in_time = (0..5).any(|_| {
        let start = Instant::now();
        assert!(model.execute(&Job::new("sample")).is_err());
        start.elapsed() < Duration::from_secs(2)
    });
    assert!(in_time);
}

#[test]
fn lines_have_a_limit() {
    let long = vec![b'x'; (64 << 20) + 5];
    let said = texwire_reads(&["serve"], &long);
    assert_eq!(said.status, Some(2), "{:?}", said.status);
    let why = "error: cannot read standard input: a line of more than 67108864 bytes\n";
    assert_eq!(said.err, why);
    let folder = tempdir().unwrap();
    let out = path_in(&folder, "t.twt");
    let said = texwire_reads(&["trace", "record", "-", "-o", &out], &long);
    assert_eq!(said.status, Some(2));
    assert!(said.err.contains("a line of more than 67108864 bytes"), "{}", said.err);
}

#[test]
fn a_command_that_does_nothing_fails() {
    let folder = tempdir().unwrap();
    let empty = path_in(&folder, "empty");
    fs::write(&empty, "\n").unwrap();
    let zero = path_in(&folder, "zero");
    fs::write(&zero, "").unwrap();
    let [none, blank] = ["none.json", "blank.jsonl"].map(|name| path_in(&folder, name));
    fs::write(&none, r#"{"cases": []}"#).unwrap();
    fs::write(&blank, "\n").unwrap();
    let inputs = path_in(&folder, "inputs");
    fs::create_dir(&inputs).unwrap();
    let out = path_in(&folder, "t.twt");
    let declines = "sh -c 'while read job; do echo null; done'";
    let lines: &[&[&str]] = &[
        &["fuzz-diff", "--lanes", "0"],
        &["fuzz-diff", "--count", "0"],
        &["fuzz-diff", "--plain", "--count", "3", "--against", declines],
        &["bench", "--only", "nothing-has-this-name"],
        &["exec", &empty],
        &["trace", "record", &empty, "-o", &out],
        &["explain", ""],
        &["explain", "--state", "surface", &zero],
        &["check", &empty],
        &["decode", &zero],
        &["decode", "--wire", "visa", &zero],
        &["decode", "--wire", "gen11", &zero],
        &["layout", &zero],
        &["layout", &none],
        &["layout", &blank],
        &["fuzz-replay", "decode_visa", &inputs],
        &["asm", &zero],
        &["run", &zero],
        &["kernel", &zero, "--global", "1"],
        &["trace", "dump", &zero],
        &["trace", "join", &zero, "-o", &out],
        &["trace", "coverage", &zero],
        &["fuzz-diff", &zero],
        &["fuzz-diff", "--merge", &zero],
    ];
    for line in lines {
        let said = said(command().args(*line));
        assert!(matches!(said.status, Some(1 | 2)), "{line:?} {said:?}");
        assert!(said.err.contains("error: "), "{line:?} {said:?}");
        assert!(!Path::new(&out).exists(), "{line:?}");
    }
}
