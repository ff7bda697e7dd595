//! Every input that ever broke a property holds now; the table of targets and the fuzz crate say the same.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use texwire_harness::generators::random::random;
use texwire_harness::properties::{FuzzTarget, TARGETS};
use texwire_harness::seeds;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// The inputs whose property panics.
fn broken<'a>(target: &FuzzTarget, inputs: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<String> {
    let panics = |data: &[u8]| std::panic::catch_unwind(|| (target.property)(data)).is_err();
    inputs
        .into_iter()
        .filter(|(_, data)| panics(data))
        .map(|(name, _)| format!("{}/{name}", target.name))
        .collect()
}

#[test]
fn regressions_hold() {
    let folder = seeds::corpus().join("regressions");
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(
            !path.is_dir() || FuzzTarget::find(&name).is_some(),
            "no target of the regressions in {name}"
        );
    }
    let mut failures = Vec::new();
    for target in TARGETS {
        let inputs = seeds::regressions(&seeds::corpus(), target).unwrap();
        failures.extend(broken(target, inputs.iter().map(|(name, data)| (name.as_str(), data.as_slice()))));
    }
    assert!(failures.is_empty(), "broken again: {failures:?}");
}

/// The inputs at the ends: nothing, one value over and over, a little and a lot of noise.
#[test]
fn every_target_takes_the_plainest_inputs() {
    let plain: Vec<(String, Vec<u8>)> = [0, 1, 15, 16, 64, 4096]
        .into_iter()
        .flat_map(|len| {
            [0x00, 0x7f, 0xff]
                .map(|byte| (format!("{len} x {byte:#x}"), vec![byte; len]))
                .into_iter()
                .chain([(format!("{len} random bytes"), random(len as u64, len))])
        })
        .collect();
    for target in TARGETS {
        let failures = broken(target, plain.iter().map(|(name, data)| (name.as_str(), data.as_slice())));
        assert!(failures.is_empty(), "{failures:?}");
        plain.iter().for_each(|(_, data)| drop((target.words)(data)));
    }
}

/// What the replay is for: a property that does not hold is found and named.
#[test]
fn a_broken_property_is_named() {
    fn short(data: &[u8]) {
        assert!(data.len() < 2, "planted");
    }
    let target = FuzzTarget { property: short, ..TARGETS[0] };
    let found = broken(&target, [("one", &[1][..]), ("two", &[1, 2])]);
    assert_eq!(found, [format!("{}/two", target.name)]);
}

#[test]
fn the_fuzz_crate_has_the_same_targets() {
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    let bins: BTreeSet<&str> = manifest
        .split("[[bin]]")
        .skip(1)
        .filter_map(|bin| bin.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')))
        .collect();
    assert_eq!(bins, TARGETS.iter().map(|target| target.name).collect());
    assert!(TARGETS.is_sorted_by_key(|target| target.name), "the table is in order");
    for target in TARGETS {
        let text = fs::read_to_string(fuzz().join(format!("fuzz_targets/{}.rs", target.name))).unwrap();
        let call = format!("texwire_harness::properties::{}(data)", target.path);
        assert!(text.contains(&call), "{}: {text}", target.name);
    }
}

/// Campaigns write the dictionaries anew: those in the repository are the same, and readable.
#[test]
fn dictionaries_are_fresh_and_readable() {
    let folder = fuzz().join("dictionaries");
    for target in TARGETS {
        let stored = fs::read_to_string(folder.join(format!("{}.dict", target.name))).ok();
        let made = seeds::dictionary(target);
        assert!(
            stored == made,
            "{}: write it anew, `texwire seeds OUT --dictionaries fuzz/dictionaries`",
            target.name
        );
        if let Some(text) = &made {
            let tokens: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(tokens.len() > 1, "{}: no tokens", target.name);
            for token in tokens {
                let inner = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                let escapes = inner.unwrap_or_default().replace("\\\\", "").replace("\\\"", "");
                let quoted =
                    escapes.split("\\x").skip(1).all(|hex| u8::from_str_radix(&hex[..2], 16).is_ok());
                assert!(inner.is_some_and(|inner| !inner.is_empty()) && quoted, "{}: {token}", target.name);
                assert!(!escapes.contains('"') && escapes.is_ascii(), "{}: {token}", target.name);
            }
        }
    }
}

#[test]
fn every_target_has_seeds() {
    for target in TARGETS {
        let seeds = seeds::seeds(&seeds::corpus(), target).unwrap();
        let names: BTreeSet<&str> = seeds.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), seeds.len(), "{}: two seeds of one name", target.name);
        assert!(seeds.iter().filter(|(_, data)| !data.is_empty()).count() >= 20, "{}", target.name);
    }
}
