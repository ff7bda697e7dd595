//! Seeds and dictionaries of the targets, and inputs in words: what `texwire seeds` and `texwire fuzz-input` do, built beside the
//! targets from the same harness. No target links it: libFuzzer would scan its counters, too, after each execution.
//!
//! - `inputs seeds CORPORA DICTIONARIES TARGET...`: writes them into these folders
//! - `inputs words TARGET FILE`: what a target makes of an input
#![no_main]

use std::error::Error;
use std::path::Path;
use texwire_harness::seeds;

libfuzzer_sys::fuzz_target!(init: command(), |_data: &[u8]| ());

fn command() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    std::process::exit(match run(&arguments) {
        Ok(()) => 0,
        Err(why) => {
            eprintln!("error: {why}");
            2
        }
    })
}

fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    match arguments {
        ["seeds", corpora, dictionaries, names @ ..] => {
            let targets = seeds::named(names)?;
            seeds::write(&seeds::corpus(), Path::new(corpora), &targets)?;
            Ok(seeds::write_dictionaries(Path::new(dictionaries), &targets)?)
        }
        ["words", name, file] => {
            for target in seeds::named(&[name])? {
                print!("{}", (target.words)(&std::fs::read(file)?));
            }
            Ok(())
        }
        _ => Err("expected `seeds CORPORA DICTIONARIES TARGET...` or `words TARGET FILE`".into()),
    }
}
