//! What `fuzz-diff` reports of a model that is wrong: everything that one needs to find out why, and the commands that repeat it.
#![cfg(unix)]

use crate::command::{Said, texwire, texwire_reads};
use serde_json::Value;
use std::fs;
use tempfile::{TempDir, tempdir};
use texwire::state::{BorderColor, SamplerState, SurfaceState};

/// A model that reads one texel to the right of the right one.
fn wrong(folder: &TempDir) -> String {
    let script = folder.path().join("model.sh");
    let serve = format!("'{}' serve", env!("CARGO_BIN_EXE_texwire"));
    let edit = r#"s/"offsets":\[0,0,0\]/"offsets":[1,0,0]/"#;
    fs::write(&script, format!("sed -u '{edit}' | {serve}")).unwrap();
    format!("sh {}", script.display())
}

fn diff(args: &[&str], model: &str) -> Said {
    texwire(&[&["fuzz-diff", "--plain", "--against", model], args].concat())
}

fn json(said: &Said) -> Value {
    assert_eq!(said.status, Some(1), "{said:?}");
    serde_json::from_str(&said.out).unwrap_or_else(|why| panic!("{why}: {said:?}"))
}

#[test]
fn a_report_says_what_differs_where_and_how_to_repeat_it() {
    let folder = tempdir().unwrap();
    let model = wrong(&folder);
    let report = json(&diff(&["--count", "12", "--json"], &model));
    assert!(report["disagreements"].as_u64().unwrap() > 0);
    let sentence = report["sentence"].as_str().unwrap();
    assert!(sentence.contains("were each compared with the emulator on"), "{sentence}");
    let mut found = 0;
    for group in report["groups"].as_array().unwrap() {
        assert_eq!(group["kind"], "values");
        assert!(!group["shared"].as_array().unwrap().is_empty(), "{group}");
        for finding in group["findings"].as_array().unwrap() {
            complete(finding);
            found += finding["lane"]["engine_texels"].as_array().unwrap().len();
            repeats(finding, &model);
        }
    }
    assert!(found > 0, "no texel of the model");
}

/// Every field of message and states, the lane's coordinates and LOD, texels and weights of both sides.
fn complete(finding: &Value) {
    let explained = finding["explained"].as_array().unwrap();
    let counts = [SurfaceState::FIELDS.len(), SamplerState::FIELDS.len(), BorderColor::FIELDS.len()];
    for (structure, count) in explained[1..].iter().zip(counts) {
        let fields = structure["fields"].as_array().unwrap();
        let named = |field: &Value| {
            ["name", "value", "meaning"].iter().all(|key| !field[key].as_str().unwrap().is_empty())
        };
        assert_eq!(fields.len(), count, "{}", structure["what"]);
        assert!(fields.iter().all(named));
    }
    let coordinates = finding["lane"]["parameters"].as_array().unwrap();
    assert!(
        coordinates.len() >= 2 && coordinates[0][0] == "u" && coordinates[1][0] == "v",
        "{coordinates:?}"
    );
    for lane in [&finding["lane"], &finding["minimal_lane"]] {
        assert!(!lane["lod"].as_array().unwrap().is_empty());
        // Of the model, those that make a difference when they are taken away.
        assert!(lane["engine_texels"].is_array(), "{lane}");
        let weights =
            lane["texels"].as_array().unwrap().iter().map(|texel| texel["weight"].as_f64().unwrap());
        assert!((weights.sum::<f64>() - 1.0).abs() < 1e-6, "{lane}");
    }
}

/// The command of a finding shows the disagreement of its seed, and so does the minimal job.
fn repeats(finding: &Value, model: &str) {
    let command = finding["command"].as_str().unwrap();
    let rest = command.strip_prefix("texwire fuzz-diff --plain --against ").unwrap();
    let seed = finding["seed"].as_u64().unwrap();
    assert_eq!(rest, format!("'{model}' --job {seed}"));
    let again = diff(&["--job", &seed.to_string()], model);
    assert_eq!(again.status, Some(1), "{again:?}");
    assert!(again.out.contains(finding["disagreement"]["why"].as_str().unwrap()), "{again:?}");
    let minimal = &finding["minimal"];
    assert_eq!(minimal["lanes"].as_u64().unwrap().count_ones(), 1, "one lane is enough: {minimal}");
    let said = texwire_reads(&["fuzz-diff", "--against", model, "-"], minimal.to_string().as_bytes());
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(said.out.contains(finding["minimal_disagreement"]["why"].as_str().unwrap()), "{said:?}");
}

/// The same in text; every core works without being told, and the number of threads changes nothing.
#[test]
fn the_text_has_the_same() {
    let folder = tempdir().unwrap();
    let model = wrong(&folder);
    let all = diff(&["--count", "8"], &model);
    assert_eq!(all.status, Some(1), "{all:?}");
    for part in [
        "group 1: ",
        "  shared: ",
        "  seeds: ",
        "coordinates: u ",
        "LOD with biases ",
        "weight: emulator",
        "repeat: texwire fuzz-diff --plain ",
        "minimal job: ",
        "  matters: ",
        "repeat the minimal job: echo '{",
        "dw3 8:6",
        "tolerance ",
    ] {
        assert!(all.out.contains(part), "{part}: {}", all.out);
    }
    assert_eq!(diff(&["--count", "8", "--threads", "1"], &model).out, all.out);
    assert_eq!(diff(&["--count", "8", "--threads", "3"], &model).out, all.out);
}

/// Jobs of files have no seed and no command that repeats them.
#[test]
fn jobs_of_files_are_reported_without_a_seed() {
    let folder = tempdir().unwrap();
    let jobs = folder.path().join("jobs.jsonl").display().to_string();
    let job = texwire(&["fuzz-diff", "--plain", "--job", "1"]).out;
    fs::write(&jobs, job.repeat(3)).unwrap();
    let said = diff(&[&jobs], "false");
    assert_eq!(said.status, Some(1), "{said:?}");
    assert_eq!(said.out.matches("broken model at external:false").count(), 4, "{said:?}");
    assert!(!said.out.contains("seed 0") && !said.out.contains("repeat: \n"), "{said:?}");
    for line in 1..=3 {
        let heading = format!("{jobs}:{line}: broken model");
        assert_eq!(said.out.matches(&heading).count(), 1, "{heading} {said:?}");
    }
    // So many disagreements, in all files.
    let said = diff(&["--stop", "2", "--json", &jobs, &jobs], "false");
    assert_eq!(json(&said)["disagreements"], 2, "{said:?}");
}

/// The baseline of one job accepts its disagreement.
#[test]
fn a_baseline_of_one_job_is_written() {
    let folder = tempdir().unwrap();
    let baseline = folder.path().join("known.json").display().to_string();
    let job = ["--job", "1"];
    let said = diff(&[&job[..], &["--write-baseline", &baseline]].concat(), "false");
    assert_eq!(said.status, Some(1), "{said:?}");
    let again = diff(&[&job[..], &["--baseline", &baseline]].concat(), "false");
    assert_eq!(again.status, Some(0), "{again:?}");
    // Nothing differs: a baseline all the same, which accepts nothing.
    let said = texwire(&["fuzz-diff", "--plain", "--job", "1", "--write-baseline", &baseline]);
    assert_eq!(said.status, Some(0), "{said:?}");
    assert_eq!(diff(&[&job[..], &["--baseline", &baseline]].concat(), "false").status, Some(1));
}

/// Nothing is left out of the counts in silence.
#[test]
fn what_is_set_aside_is_counted() {
    let declines = "sh -c 'while read job; do echo null; done'";
    let said = texwire(&["fuzz-diff", "--plain", "--count", "3", "--against", declines]);
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(said.err.contains("nothing compared at fuzz-diff: 3 jobs, all of them declined"), "{said:?}");
    // Files without jobs are bad input.
    let said = texwire(&["fuzz-diff", "--plain", "/dev/null"]);
    assert_eq!((said.status, said.out.as_str()), (Some(2), ""), "{said:?}");
    assert!(said.err.contains("nothing to compare: the files have no jobs"), "{said:?}");
    // Broken is not declined.
    let said = texwire(&["fuzz-diff", "--plain", "--count", "3", "--threads", "1", "--against", "true"]);
    assert_eq!((said.status, said.err.as_str()), (Some(1), ""), "{said:?}");
    let said = texwire(&["fuzz-diff", "--plain", "--count", "20"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    assert!(
        said.out.contains("compared with the emulator on") && said.out.contains("no disagreement."),
        "{said:?}"
    );
}
