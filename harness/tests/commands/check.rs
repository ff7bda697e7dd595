//! `texwire check` of folders with broken files: the others are checked, and each broken one is named.

use crate::command::{corpus, file, path_in, texwire};
use std::fs;
use tempfile::tempdir;

/// Broken files among good ones: the table has the good ones, and each broken file is told after it, with the file that is to blame.
#[test]
fn broken_files_keep_no_others_from_being_checked() {
    let folder = tempdir().unwrap();
    let good = "visa/flow.icllp.isa";
    for name in ["a", "z"] {
        for extension in [".isa", ".json"] {
            let from = corpus(good).replace(".isa", extension);
            fs::copy(from, folder.path().join(format!("{name}{extension}"))).unwrap();
        }
    }
    let alone = texwire(&["check", &path_in(&folder, "a.isa")]);
    assert_eq!(alone.status, Some(0), "{alone:?}");
    fs::copy(corpus(good), folder.path().join("lod.isa")).unwrap();
    fs::copy(corpus("devicebin/depth.icllp.bin"), folder.path().join("depth.bin")).unwrap();
    let truths = ["lod.json", "depth.json"].map(|name| file(&folder, name, "{"));
    let cases = file(&folder, "texels.jsonl", "{\"format\":\"R8_UNORM\",\"texels\":\"00\"}\n{\n");
    let path = folder.path().display().to_string();
    let said = texwire(&["check", &path, &path_in(&folder, "absent")]);
    assert_eq!(said.status, Some(2), "{said:?}");
    let passed = |out: &str| -> u32 {
        let (passed, _) = out.lines().last().unwrap().split_once(" passed, 0 failed").unwrap();
        passed.parse().unwrap()
    };
    assert_eq!(passed(&said.out), 2 * passed(&alone.out), "{said:?}");
    let errors: Vec<_> = said.err.lines().collect();
    assert_eq!(errors.len(), 4, "{errors:?}");
    let named = |of: &str, words: &str| {
        let start = format!("error: cannot check {}: {words}", path_in(&folder, of));
        assert!(errors.iter().any(|line| line.starts_with(&start)), "{start} {errors:?}");
    };
    named("lod.isa", &format!("{}: EOF while", truths[0]));
    named("depth.bin", &format!("{}: EOF while", truths[1]));
    named("absent", "No such file");
    assert!(
        errors.iter().any(|line| line.starts_with(&format!("error: cannot check {cases}: "))),
        "{errors:?}"
    );
}

/// Nobody writes to a pipe, and links lead back to their folder: the check ends, and the files are checked once.
#[cfg(unix)]
#[test]
fn pipes_and_loops_of_links_do_not_hold_a_check_up() {
    use std::os::unix::fs::symlink;
    let folder = tempdir().unwrap();
    for extension in [".isa", ".json"] {
        let from = corpus("visa/flow.icllp.isa").replace(".isa", extension);
        fs::copy(from, folder.path().join(format!("a{extension}"))).unwrap();
    }
    let alone = texwire(&["check", &path_in(&folder, "a.isa")]);
    for name in ["one", "two"] {
        symlink(folder.path(), folder.path().join(name)).unwrap();
    }
    symlink(folder.path().join("itself"), folder.path().join("itself")).unwrap();
    let pipe = path_in(&folder, "cases.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let said = texwire(&["check", &folder.path().display().to_string()]);
    assert_eq!((said.status, &said.out, said.err.as_str()), (Some(0), &alone.out, ""));
    let said = texwire(&["check", &pipe]);
    assert_eq!(said.err, format!("error: cannot check {pipe}: neither a file nor a folder\n"), "{said:?}");
}
